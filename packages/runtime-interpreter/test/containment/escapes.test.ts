import { describe, expect, it } from "vitest"
import { loadNative } from "../native.ts"
import { drive } from "./drive.ts"
import { escapes } from "./escapes.cases.ts"
import type * as Escapes from "./escapes.ts"
import { escape } from "./escapes/case.ts"
import { probe } from "./probe.ts"
import { Walk } from "./walk.ts"

const native = loadNative<typeof Escapes>("../test/containment/escapes.ts")

describe("no program gets out", () => {
  it.each(escapes)("$name: $tries", async (one) => {
    expect(await (await native).runEscape(one)).toEqual([])
  })

  it("has a name of its own for each", () => {
    expect(new Set(escapes.map(({ name }) => name)).size).toBe(escapes.length)
  })
})

describe("what would be noticed", () => {
  it.each<readonly [string, unknown]>([
    ["a function of the host's", () => 1],
    ["an object of the host's that is plain", { a: 1 }],
    ["an array of the host's", [1]],
    ["an object of a class", new Date()],
    ["a symbol of the host's", Symbol.iterator],
    ["a registered symbol", Symbol.for("x")],
    ["an accessor of the host's", Object.defineProperty({}, "a", { get: () => 1, enumerable: true })],
  ])("%s in a variable of the program's", async (_what, value) => {
    const { program, run } = await drive(`${probe}globalThis.o = { a: { b: [1] } }; await tools.echo({}); return 1`)
    const known = [program!.template.source]
    expect(new Walk(run!, known).problems).toEqual([])
    const { global } = run!.machine
    const o = global.slots[global.shape.lookup("o")] as typeof global
    o.slots[0] = value
    expect(new Walk(run!, known).problems.length).toBeGreaterThan(0)
    o.slots[0] = (await drive("return 1")).run!.machine.realm.newArray([value as never])
    expect(new Walk(run!, known).problems.length).toBeGreaterThan(0)
  })

  it.each([
    escape(
      "a text of the host's",
      "",
      "keep(await tools.echo({})); return probe()",
      () => ({ a: ["at x (file:///srv/app.js:1:1)"] }),
    ),
    escape("a name of a host", "", "globalThis.process = {}; return survey()"),
    escape(
      "an object with other prototypes",
      "",
      "keep(Object.create(Object.assign(Object.create(null), { hasOwnProperty: 1 }))); return probe()",
    ),
    escape(
      "a constructor that makes functions",
      "",
      "keep({ constructor: function SomeFunction() { return () => 1 } }); return probe()",
    ),
    escape("another end", "", "return 1"),
    escape("what a failing program tells", "", "await tools.echo({ gained: ['x'] }); throw 1"),
  ])("$name", async (one) => {
    expect((await (await native).runEscape(one)).length).toBeGreaterThan(0)
  })
})
