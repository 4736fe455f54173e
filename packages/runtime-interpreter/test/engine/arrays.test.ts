import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { throws, values } from "./arrays.cases.ts"
import { evaluate } from "./evaluate.ts"

/** A program that gives an expression's value as JSON, or the name and message of what it throws. */
const program = (expression: string) => `
try {
  return { value: JSON.stringify(${expression}) }
} catch (error) {
  return { thrown: error.name + ": " + error.message }
}
`

const host = (expression: string) => new Function(`"use strict"; ${program(expression)}`)()

describe("arrays behave as in the host's engine", () => {
  it.each(values)("%s", async (expression) => {
    const expected = host(expression)
    expect(expected).toHaveProperty("value")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("errors of collections say what the host's engine says", () => {
  it.each(throws)("%s", async (expression) => {
    const expected = host(expression)
    expect(expected).toHaveProperty("thrown")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

const element = fc.constantFrom("1", "2", "'a'", "'b'", "undefined", "null", "NaN", "-0", "[3, [4]]", "")
const index = fc.constantFrom("0", "1", "3", "-1", "-2", "99", "undefined", "Infinity", "-Infinity", "'1'", "1.5")
const operation = fc.oneof(
  fc.tuple(fc.constantFrom("push", "unshift", "concat"), fc.array(element.filter((it) => it !== ""), { maxLength: 3 })),
  fc.tuple(
    fc.constantFrom("pop", "shift", "reverse", "flat", "sort", "toReversed", "toSorted", "toString"),
    fc.constant([]),
  ),
  fc.tuple(fc.constantFrom("slice", "copyWithin", "splice", "toSpliced", "at"), fc.array(index, { maxLength: 3 })),
  fc.tuple(fc.constantFrom("fill", "includes", "indexOf", "join"), fc.tuple(element.filter((it) => it !== ""), index)),
  fc.tuple(
    fc.constantFrom("map", "filter", "some", "every", "find", "findLastIndex", "flatMap", "forEach"),
    fc.constantFrom(["(x) => x"], ["(x, i) => [x, i]"], ["(x, i, a) => i < 1 && a.pop()"]),
  ),
)

describe("any series of operations on an array", () => {
  it("leaves what the host's engine leaves", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(element, { maxLength: 6 }),
        fc.array(operation, { maxLength: 6 }),
        async (elements, operations) => {
          const calls = operations.map(([name, args]) => `results.push(a.${name}(${args.join(", ")}))`)
          const text = `(() => {
          const a = [${elements.join(", ")}]
          const results = []
          ${calls.join("\n")}
          return [results, a, Object.keys(a), a.length]
        })()`
          expect(await evaluate(program(text))).toEqual(host(text))
        },
      ),
      { numRuns: 200 },
    ))
})
