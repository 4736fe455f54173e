import { describe, expect, it } from "vitest"
import { compile, makeMachine } from "../../src/engine/index.ts"
import type { Machine } from "../../src/engine/machine/machine.ts"
import { call, defineGeneratorNative } from "../../src/engine/object/index.ts"
import { parse } from "../../src/engine/parse/index.ts"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"
import { throws, values } from "./regexp.cases.ts"

const program = (expression: string) => `
try {
  return { value: JSON.stringify(${expression}) }
} catch (error) {
  return { thrown: error.name + ": " + error.message }
}
`

describe("regular expressions behave as in the host's engine", () => {
  it.each(values)("%s", async (expression) => {
    const expected = inHost(program(expression))
    expect(expected).toHaveProperty("value")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("errors say what the host's engine says", () => {
  it.each(throws)("%s", async (expression) => {
    const expected = inHost(program(expression))
    expect(expected).toHaveProperty("thrown")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("what newer engines have", () => {
  it.each([
    [`RegExp.escape("a.b-c/1\\n \\u2028\\ud800x")`, "\\x61\\.b\\x2dc\\/1\\n\\x20\\u2028\\ud800x"],
    [`["2026-11", "11/2026"].map((d) => d.match(/(?<y>\\d{4})-\\d+|\\d+\\/(?<y>\\d{4})/).groups.y)`, ["2026", "2026"]],
    [`"aBAb".match(/(?i:a)b/g)`, ["Ab"]],
  ])("%s", async (expression, expected) => {
    expect(await evaluate(`return ${expression}`)).toEqual(expected)
  })
})

/** Runs an expression with little fuel: how it ended, and how often the machine could pause before that. */
const runOut = async (expression: string) => {
  const { ast, code } = await parse(`try { ${expression} } finally { return "caught" }`)
  const nothing = () => {}
  const host = {
    now: () => 0,
    monotonic: () => 0,
    random: () => 0,
    log: nothing,
    setTimer: nothing,
    clearTimer: nothing,
    startCall: nothing,
  }
  const machine = makeMachine({ fuel: 1_000_000, host })
  const template = compile(ast, { code, name: "program" }, { isAsync: false, completion: false })
  let end: unknown
  const main = defineGeneratorNative("main", 0, function*(m: Machine) {
    end = yield call(m.link(template), undefined, [])
    return undefined
  })
  machine.enqueue({ type: "callback", fn: machine.realm.newNative(main), args: [] })
  let pauses = 0
  try {
    while (machine.advance(100_000) === "running") pauses++
  } catch (error) {
    end = error
  }
  return { end, pauses }
}

describe("a program that never finishes matching", () => {
  it.each([
    `/(a+)+$/.test("a".repeat(50) + "b")`,
    `("a".repeat(50) + "b").replace(/(a|aa)+$/g, "")`,
    `"x".repeat(60).split(/(x+x+)+y/)`,
    `[..."a".repeat(50).matchAll(/(.*a){20}b/g)]`,
    `["b"].map(() => /^(([a-z])+.)+[A-Z]([a-z])+$/.test("a".repeat(60)))`,
  ])("%s pauses again and again, is ended, and cannot catch that", async (expression) => {
    const { end, pauses } = await runOut(expression)
    expect(end).toMatchObject({ reason: "fuel" })
    expect(pauses).toBeGreaterThan(5)
  })

  it("is ended inside a conversion as well", async () => {
    const { end } = await runOut(`String({ toString: () => String(/(a*)*b/.test("a".repeat(50))) })`)
    expect(end).toMatchObject({ reason: "fuel" })
  })
})
