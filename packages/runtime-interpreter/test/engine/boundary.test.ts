import * as fc from "fast-check"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import type { BoundaryError } from "../../src/engine/boundary/index.ts"
import { evaluate } from "./evaluate.ts"

/** Why a value cannot cross. */
const refusal = async (run: Promise<unknown>): Promise<string> => {
  const error = await run.then(() => undefined, (error: unknown) => error)
  expect(error).toHaveProperty("name", "BoundaryError")
  return (error as BoundaryError).message
}

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

describe("JSON of the host in a program", () => {
  it("is what it was, any JSON", () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 5 }), async (json) => {
        const text = JSON.stringify(json)
        expect(await evaluate("return [JSON.stringify(data), data]", { data: json })).toEqual([text, JSON.parse(text)])
      }),
      { numRuns: 100 },
    ))

  it("has keys that mean something elsewhere as ordinary properties", async () => {
    const json = JSON.parse(
      `{ "__proto__": { "x": 1 }, "constructor": "team", "2": "two", "toString": null, "1": "one" }`,
    )
    expect(await evaluate("return [Object.keys(data), data.constructor, data.__proto__.x, data.x]", { data: json }))
      .toEqual([["1", "2", "__proto__", "constructor", "toString"], "team", 1, null])
  })

  it("is a copy, which the program may change", async () => {
    const json = { rows: [{ id: 1 }, { id: 2 }] }
    const code = "data.rows[0].id = 9; data.rows.push(3); delete data.rows[1].id; data.more = true; return data"
    expect(await evaluate(code, { data: json })).toEqual({ rows: [{ id: 9 }, {}, 3], more: true })
    expect(json).toEqual({ rows: [{ id: 1 }, { id: 2 }] })
  })

  it("keeps rows of several layouts apart", async () => {
    const rows = Array.from(
      { length: 200 },
      (_, i) => i % 3 === 0 ? { a: i, b: i } : i % 3 === 1 ? { b: i, a: i } : { a: i, c: undefined, d: [i] },
    )
    expect(await evaluate("return rows.map((row) => ({ ...row, sum: (row.a ?? 0) + (row.b ?? 0) }))", { rows }))
      .toEqual(
        JSON.parse(JSON.stringify(rows.map((row) => Object.assign(row, { sum: row.a + ("b" in row ? row.b! : 0) })))),
      )
  })

  it("has its own keys alone where the host's objects inherit others", async () => {
    const rows = [{ a: 1, theirs: 2 }, { a: 3 }, { a: 4, theirs: 5 }, { theirs: 6, a: 7 }, {}]
    const attributes = { value: "inherited", enumerable: true, configurable: true, writable: true }
    const inherited: { theirs?: unknown } = Object.getPrototypeOf({})
    Object.defineProperty(inherited, "theirs", attributes)
    try {
      expect(await evaluate("return data.map((row) => Object.entries(row).flat())", { data: rows }))
        .toEqual([["a", 1, "theirs", 2], ["a", 3], ["a", 4, "theirs", 5], ["theirs", 6, "a", 7], []])
    } finally {
      delete inherited.theirs
    }
  })

  it("has arrays of all lengths, with what is missing in them", async () => {
    const lists = Array.from(
      { length: 140 },
      (_, length) => Array.from({ length }, (_, i) => i % 3 === 0 ? undefined : [i]),
    )
    const code = "return data.map((list) => { list.push(1); return [list.length, JSON.stringify(list)] })"
    expect(await evaluate(code, { data: lists })).toEqual(
      lists.map((list) => [list.length + 1, JSON.stringify([...list, 1])]),
    )
  })

  it("has null for undefined elements and for numbers that are not finite, and no undefined properties", async () => {
    expect(
      await evaluate("return [data, 'u' in data, data.a.length]", {
        data: { u: undefined, a: [undefined, NaN, Infinity] },
      }),
    )
      .toEqual([{ a: [null, null, null] }, false, 3])
  })

  it("may come from another realm of the host", async () => {
    expect(await evaluate("return data", { data: runInNewContext("({ a: [1, { b: 2 }] })") })).toEqual({
      a: [1, { b: 2 }],
    })
  })

  const cycle: { self?: unknown; list: Array<unknown> } = { list: [] }
  cycle.list.push({}, cycle)
  class Point {
    readonly x = 1
  }
  const throwing = (): never => {
    throw new Error("secret")
  }
  it.each<[string, unknown, string]>([
    ["a function", { a: [() => 1] }, "result.a[0] is a function, which JSON cannot hold"],
    ["a symbol", [Symbol("s")], "result[0] is a symbol, which JSON cannot hold"],
    ["a bigint", { "a b": { n: 1n } }, `result["a b"].n is a bigint, which JSON cannot hold`],
    ["a cycle", cycle, "result.list[1] is a cycle: it is the same object as result"],
    ["an instance of a class", { p: new Point() }, "result.p is an instance of Point, which JSON cannot hold"],
    ["a date", [new Date()], "result[0] is an instance of Date, which JSON cannot hold"],
    ["bytes", { b: new Uint8Array(2) }, "result.b is an instance of Uint8Array, which JSON cannot hold"],
    ["a getter that throws", {
      ok: 1,
      get bad() {
        return throwing()
      },
    }, "result.bad could not be read"],
    ["a proxy that throws", [new Proxy({}, { ownKeys: throwing })], "result[0] could not be read"],
    ["a revoked proxy", [(() => {
      const { proxy, revoke } = Proxy.revocable([], {})
      revoke()
      return proxy
    })()], "result[0] could not be read"],
    ["too deep nesting", nested(65), "is nested deeper than 64 levels"],
  ])("is refused where it holds %s", async (_name, data, message) => {
    expect(await refusal(evaluate("return 1", { data }))).toContain(message)
  })

  it("may be nested as deep as the limit", async () => {
    expect(await evaluate("return data", { data: nested(63) })).toEqual(nested(63))
  })
})

/** Programs whose results JSON can hold; the host's own engine knows the JSON. */
const results = [
  `{ d: new Date(0), m: new Map([[1, 2]]), s: new Set([1]), r: /a/g, e: new Error("x"), n: [NaN, -0, 1e21, -Infinity], u: undefined, a: [undefined, , 1] }`,
  `{ toJSON(key) { return { key, nested: { toJSON: (key) => key } } } }`,
  `[Object("text"), Object(5), Object(false), Object.create({ inherited: 1 }), Object.create(null)]`,
  `new (class { #secret = 1; shown = 2; get accessor() { return 3 } static s = 4 })()`,
  `{ get computed() { return [1, { get inner() { return 2 } }] } }`,
  `Object.defineProperties({}, { hidden: { value: 1 }, shown: { value: 2, enumerable: true } })`,
  `new Proxy([1, { a: 2 }], {})`,
  `new Proxy({ a: 1, b: 2 }, { get: (target, key) => key === "toJSON" ? undefined : target[key] * 10, ownKeys: () => ["b", "a"] })`,
  `{ [Symbol("s")]: 1, 10: "ten", 9: "nine", z: 1, "__proto__": null, ["__proto__"]: 2, "": 3 }`,
  `(() => { const shared = { x: 1 }; return [shared, shared, { shared }] })()`,
  `Array.from({ length: 300 }, (_, i) => i % 2 ? { i, odd: true } : { i })`,
  `(() => { const a = [3, 2, 1]; a.extra = 1; a.length = 5; return a })()`,
  `(() => { const o = {}; for (let i = 0; i < 300; i++) o["key" + i] = i; delete o.key5; return o })()`,
  `[new Uint8Array([1, 2]), new Float64Array(1), new ArrayBuffer(2)]`,
  `(function () { return arguments })(1, 2)`,
  `"\\ud800 lone, \\u2028, \\"quoted\\""`,
  `null`,
]

const AsyncFunction = (async () => {}).constructor as new(code: string) => () => Promise<unknown>

describe("results of programs", () => {
  it.each(results)("%s", async (expression) => {
    const expected = JSON.stringify(await new AsyncFunction(`"use strict"; return ${expression}`)())
    expect(JSON.stringify(await evaluate(`return ${expression}`))).toBe(expected)
  })

  it.each<[string, string, string]>([
    ["a promise", "return { a: [Promise.resolve(1)] }", "result.a[0] is a promise: use `await`"],
    ["a function", "return { items: [1, { load() {} }] }", "result.items[1].load is a function"],
    ["a class", "return [class {}]", "result[0] is a function"],
    ["the result itself", "return () => 1", "result is a function"],
    ["a symbol", "return { s: Symbol('x') }", "result.s is a symbol"],
    ["a bigint", "return { total: 5n }", "result.total is a bigint"],
    ["a boxed bigint", "return [Object(5n)]", "result[0] is a bigint"],
    [
      "a cycle",
      "const o = { a: [{}] }; o.a[0].back = o.a; return o",
      "result.a[0].back is a cycle: it is the same object as result.a",
    ],
    [
      "too deep nesting",
      "let o = 1; for (let i = 0; i < 100; i++) o = { o }; return o",
      "is nested deeper than 64 levels",
    ],
    ["endless nesting", "return { toJSON() { return { again: this } } }", "is nested deeper than 64 levels"],
    [
      "too much, of little",
      "let o = ['x'.repeat(1000)]; for (let i = 0; i < 40; i++) o = [o, o]; return o",
      "is more than 67108864 bytes",
    ],
  ])("%s is refused with the path", async (_name, code, message) => {
    expect(await refusal(evaluate(code))).toContain(message)
  })

  it("are what the program sees when a getter or toJSON throws", async () => {
    await expect(evaluate("return { get bad() { throw new RangeError('mine') } }")).rejects.toThrow("RangeError: mine")
    await expect(evaluate("return { toJSON() { throw new TypeError('mine') } }")).rejects.toThrow("TypeError: mine")
  })

  it("never change the host's prototypes", async () => {
    const result = await evaluate(`return JSON.parse('{ "__proto__": { "polluted": 1 }, "a": { "__proto__": [] } }')`)
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(Object.keys(result as object)).toEqual(["__proto__", "a"])
  })
})
