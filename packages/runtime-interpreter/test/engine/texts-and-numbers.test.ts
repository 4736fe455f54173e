import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"
import { throws, tooLarge, values } from "./texts-and-numbers.cases.ts"

/** A program that gives an expression's value as JSON, or the name and message of what it throws. */
const program = (expression: string) => `
try {
  return { value: JSON.stringify(${expression}) }
} catch (error) {
  return { thrown: error.name + ": " + error.message }
}
`

const host = (expression: string) => inHost(program(expression))

describe("strings, numbers and bigints behave as in the host's engine", () => {
  it.each(values)("%s", async (expression) => {
    const expected = host(expression)
    expect(expected).toHaveProperty("value")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("their errors say what the host's engine says", () => {
  it.each(throws)("%s", async (expression) => {
    const expected = host(expression)
    expect(expected).toHaveProperty("thrown")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("what would be too large is refused before it is made", () => {
  it.each(tooLarge)("%s", async (expression, message) => {
    expect(await evaluate(program(expression))).toEqual({ thrown: message })
  })
})

describe("newer functions than some hosts have", () => {
  it.each([
    [
      `[Math.f16round(1.337), Math.f16round(65519), Math.f16round(65520), Math.f16round(2 ** -25), Math.f16round(-6e-8)]`,
      [
        1.3369140625,
        65504,
        null,
        0,
        -(2 ** -24),
      ],
    ],
    [`Math.sumPrecise([1e20, 0.1, -1e20])`, 0.1],
    [`Math.sumPrecise([1e308, 1e308, -1e308])`, 1e308],
    [`Math.sumPrecise(Array(10).fill(0.1))`, 1],
    [`1 / Math.sumPrecise([]) === -Infinity`, true],
    [`[Math.sumPrecise([Infinity, 1]) === Infinity, Number.isNaN(Math.sumPrecise([Infinity, -Infinity]))]`, [
      true,
      true,
    ]],
    [`Math.sumPrecise([5e-324, 5e-324]) === 1e-323`, true],
  ])("%s", async (expression, expected) => {
    expect(await evaluate(`return JSON.stringify(${expression})`)).toEqual(JSON.stringify(expected))
  })
})

const text = fc.array(fc.constantFrom("a", "b", "ab", "ba", "aa", "-"), { maxLength: 12 }).map((parts) =>
  parts.join("")
)
const search = fc.record({
  unit: text.filter((it) => it !== ""),
  count: fc.integer({ min: 1, max: 400 }),
  tail: text,
  needle: text,
  needleCount: fc.integer({ min: 0, max: 120 }),
  from: fc.integer({ min: -5, max: 4000 }),
})

describe("any search in a repetitive text", () => {
  it("finds what the host finds", () =>
    fc.assert(
      fc.asyncProperty(search, async ({ count, from, needle, needleCount, tail, unit }) => {
        const expression = `(() => {
          const text = ${JSON.stringify(unit)}.repeat(${count}) + ${JSON.stringify(tail)} + ${
          JSON.stringify(unit)
        }.repeat(${count})
          const needle = ${JSON.stringify(needle)}.repeat(${needleCount}) + ${JSON.stringify(tail)}
          return [text.indexOf(needle, ${from}), text.lastIndexOf(needle, ${from}), text.lastIndexOf(needle), text.includes(needle), text.split(needle).length, text.replaceAll(needle, "<$&>").length]
        })()`
        expect(await evaluate(program(expression))).toEqual(host(expression))
      }),
      { numRuns: 150 },
    ))
})
