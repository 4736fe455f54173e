import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { newer, throws, values } from "./typed-arrays.cases.ts"

/** A program that gives an expression's value as JSON, or the name of what it throws. */
const program = (expression: string) => `
try {
  return { value: JSON.stringify(${expression}) }
} catch (error) {
  return { thrown: error.name }
}
`

const AsyncFunction = (async () => {}).constructor as new(code: string) => () => Promise<unknown>

const host = (code: string) => new AsyncFunction(`"use strict"; ${code}`)()

describe("typed arrays behave as in the host's engine", () => {
  it.each(values)("%s", async (expression) => {
    const expected = await host(program(expression))
    expect(expected).toHaveProperty("value")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("typed arrays throw what the host's engine throws", () => {
  it.each(throws)("%s", async (expression) => {
    const expected = await host(program(expression))
    expect(expected).toHaveProperty("thrown")
    expect(await evaluate(program(expression))).toEqual(expected)
  })
})

describe("what newer hosts have", () => {
  it.each(newer)("%s", async (expression, value) => {
    expect(await evaluate(program(expression))).toEqual({ value: JSON.stringify(value) })
  })
})

describe("UTF-8 is decoded as the host decodes it", () => {
  const bytes = fc.array(
    fc.constantFrom(
      0x41,
      0x80,
      0xbf,
      0xc0,
      0xc2,
      0xdf,
      0xe0,
      0xa0,
      0xed,
      0xef,
      0xbb,
      0xbf,
      0xf0,
      0x90,
      0xf4,
      0xf5,
      0xff,
    ),
    { maxLength: 10 },
  )
  it("whatever the bytes, and however they are cut", async () => {
    const inputs = fc.sample(fc.tuple(bytes, fc.nat(10)), 300)
    const code = `return ${JSON.stringify(inputs)}.map(([bytes, cut]) => {
      const decoder = new TextDecoder()
      const all = new Uint8Array(bytes)
      return decoder.decode(all.subarray(0, cut), { stream: true }) + decoder.decode(all.subarray(cut))
    })`
    expect(await evaluate(code)).toEqual(await host(code))
  })
})

describe("long sorts", () => {
  it("put any numbers in order", async () => {
    const code = `
      let seed = 7
      const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648 - 0.5
      const a = Float64Array.from({ length: 50000 }, (_, i) => i % 1000 === 0 ? NaN : i % 777 === 0 ? -0 : random())
      a.sort()
      return a.every((x, i) => i === 0 || a[i - 1] <= x || x !== x)
    `
    expect(await evaluate(code)).toBe(true)
  })
})
