import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"
import { throws, values } from "./objects.cases.ts"

/** A program that gives an expression's value as JSON, or the name and message of what it throws. */
const program = (expression: string) => `
try {
  return { value: JSON.stringify(${expression}) }
} catch (error) {
  return { thrown: error.name + ": " + error.message }
}
`

describe("objects, functions, errors, symbols and proxies behave as in the host's engine", () => {
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
