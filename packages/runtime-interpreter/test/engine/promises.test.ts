import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { programs } from "./promises.cases.ts"

/** A program that gives its log as text. */
const logging = (code: string) => `
const lines = []
const show = (value) => typeof value === "string" ? value : value === undefined ? "undefined" : JSON.stringify(value)
const log = (...values) => void lines.push(values.map(show).join(" "))
${code}
return lines
`

const AsyncFunction = (async () => {}).constructor as new(code: string) => () => Promise<unknown>

describe("promises settle in the host's order", () => {
  it.each(programs)("%s", async (_name, code) => {
    const expected = await new AsyncFunction(`"use strict"; ${logging(code)}`)()
    expect(await evaluate(logging(code))).toEqual(expected)
  })
})

describe("what the host cannot tell, for it is older, or is not to be patched", () => {
  it.each([
    [
      "Promise.try calls at once, and catches",
      `
      log(await Promise.try((a, b) => a + b, 1, 2)); try { await Promise.try(() => { throw new Error("x") }) } catch (e) { log(e.message) }
      Promise.try(() => log("inside")); log("outside")`,
      ["3", "x", "inside", "outside"],
    ],
    [
      "a patched then is called",
      `
      const original = Promise.prototype.then
      Promise.prototype.then = function (...args) { log("patched"); return original.apply(this, args) }
      try { await Promise.all([1, 2]) } finally { Promise.prototype.then = original }`,
      ["patched", "patched"],
    ],
    [
      "Promise.withResolvers",
      `
      const { promise, resolve, reject } = Promise.withResolvers(); resolve(5); reject(6); log(await promise)`,
      ["5"],
    ],
  ])("%s", async (_name, code, expected) => {
    expect(await evaluate(logging(code))).toEqual(expected)
  })
})
