import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { beyondHost, interleavings, prelude } from "./promise-order.cases.ts"

const AsyncFunction = (async () => {}).constructor as new(code: string) => () => Promise<unknown>

const logging = (code: string): string => `${prelude}${code}\nreturn lines`

describe("jobs run in the host's order", () => {
  it.each(interleavings)("%s", async (_name, code) => {
    const expected = await new AsyncFunction(`"use strict"; ${logging(code)}`)()
    expect(await evaluate(logging(code))).toEqual(expected)
  })

  it("in at least sixty interleavings", () => {
    expect(interleavings.length).toBeGreaterThanOrEqual(60)
    expect(new Set(interleavings.map(([, code]) => code)).size).toBe(interleavings.length)
  })
})

describe("jobs run in the specification's order", () => {
  it.each(beyondHost)("%s", async (_name, code, expected) => {
    expect(await evaluate(logging(code))).toEqual(expected)
  })
})

describe("of rejections that nothing handles, the oldest is reported", () => {
  it.each([
    ["the first of two", "Promise.reject(new Error('first')); Promise.reject(new Error('second')); return 1", "first"],
    [
      "in the order of their jobs",
      "Promise.resolve().then(() => { throw new Error('job') }); Promise.reject(new Error('now')); return 1",
      "now",
    ],
    [
      "not one that was handled meanwhile",
      "const p = Promise.reject(new Error('handled')); Promise.reject(new Error('other')); await null; p.catch(() => {}); return 1",
      "other",
    ],
    [
      "the last of a chain, not its beginning",
      "Promise.reject(new Error('a')).then(() => {}).catch(() => { throw new Error('b') }); return 1",
      "b",
    ],
    [
      "not one inside a combinator that was caught",
      "Promise.all([Promise.reject(new Error('a')), Promise.reject(new Error('b'))]).catch(() => {}); Promise.reject(new Error('c')); return 1",
      "c",
    ],
    [
      "of a timer",
      "setTimeout(() => { Promise.reject(new Error('timer')) }, 1); await new Promise((r) => setTimeout(r, 9)); return 1",
      "timer",
    ],
  ])("%s", async (_name, code, message) => {
    const runtime = InterpreterRuntime.make()
    const error = await Effect.runPromise(Effect.flip(runtime.run({ code, tools: [], call: () => Effect.never })))
    expect(error.message).toContain(`Error: ${message}`)
  })
})
