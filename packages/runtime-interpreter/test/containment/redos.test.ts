import * as Effect from "effect/Effect"
import { runInThisContext } from "node:vm"
import { describe, expect, it } from "vitest"
import type * as Interpreter from "../../src/index.ts"
import { loadNative } from "../native.ts"
import { allOf, patterns, redosCases } from "./redos.cases.ts"
import { endOfMatch } from "./redos.ts"

const native = loadNative<typeof Interpreter>("index.ts")

describe("a pattern that would be matched for years", () => {
  it("is one of many", () => {
    expect(patterns.length).toBeGreaterThan(60)
    expect(new Set(redosCases.map(({ name }) => name)).size).toBe(redosCases.length)
  })

  it.each(patterns)("$name ends, whatever way it is used", async ({ name }) => {
    const { InterpreterRuntime } = await native
    for (const one of redosCases.filter((one) => one.name.startsWith(`${name}: `))) {
      const { end, right } = await endOfMatch(InterpreterRuntime, one, { fuel: 150_000 })
      expect(right, `${one.name} ended with ${end}`).toBe(true)
    }
  })

  it.each(patterns)("$name gives what it gives in Node, for a short text", async (one) => {
    const { InterpreterRuntime } = await native
    const code = allOf(one, 5)
    const run = InterpreterRuntime.make().run({ code, tools: [], call: () => Effect.never })
    const { result } = await Effect.runPromise(run)
    const expected: unknown = runInThisContext(`(() => { "use strict"; ${code}\n})()`)
    expect(result).toEqual(JSON.parse(JSON.stringify(expected)))
  })
})
