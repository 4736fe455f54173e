import { describe, expect, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { Toolkit } from "effect/ai"
import * as fc from "fast-check"
import { execute, type Script } from "./fixtures.ts"

const result = (value: unknown): Promise<unknown> =>
  Effect.runPromise(
    Effect.gen(function*() {
      const script: Script = () => Effect.succeed(value as Schema.Json)
      return (yield* execute(yield* Toolkit.empty, script, { maxResultLength: Infinity })).result
    }).pipe(Effect.catch(({ code }) => Effect.succeed(`failed with ${code}`))),
  )

describe("what leaves a run is JSON", () => {
  it("is what it was, if it is JSON already", () =>
    fc.assert(fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(JSON.stringify(await result(value))).toBe(JSON.stringify(value))
    })))

  it("is what JSON.stringify gives, of data with holes, undefined and numbers that are not finite", () => {
    const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(undefined))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie("value")),
        fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value")),
      ),
    }))
    return fc.assert(fc.asyncProperty(value, async (value) => {
      expect(JSON.stringify(await result(value))).toBe(JSON.stringify(value) ?? "null")
    }))
  })

  it("leaves the given value as it was", async () => {
    const value = { list: [1, undefined, NaN], left: undefined }
    expect(await result(value)).toEqual({ list: [1, null, null] })
    expect(value).toEqual({ list: [1, undefined, NaN], left: undefined })
    expect(await result(Object.assign([], { length: 1 }))).toEqual([null])
  })

  it.each<[string, unknown]>([
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a bigint", 1n],
    ["a date", new Date(0)],
    ["a map", new Map()],
    ["an object of a class", new URL("http://localhost")],
    [
      "a cycle",
      (() => {
        const cycle: Array<unknown> = []
        cycle.push({ cycle })
        return cycle
      })(),
    ],
  ])("is never %s, at any depth", async (_, value) => {
    expect(await result(value)).toBe("failed with INVALID_DATA")
    expect(await result({ a: [value] })).toBe("failed with INVALID_DATA")
    expect(await result([undefined, { a: value }])).toBe("failed with INVALID_DATA")
  })
})
