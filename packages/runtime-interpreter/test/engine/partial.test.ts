import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import * as InterpreterRuntime from "../../src/InterpreterRuntime.ts"
import { evaluate } from "./evaluate.ts"
import { looks } from "./partial.cases.ts"

const inner = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom("a", "b"), n: fc.nat(9), tags: fc.array(fc.string()) }) },
  fc.record({
    kind: fc.constant("deep"),
    deep: fc.record({ deeper: fc.array(fc.record({ x: fc.nat(), y: fc.jsonValue({ maxDepth: 1 }) })) }),
  }),
  fc.constantFrom(null, 5, {}, []),
)
const list = fc.oneof(
  fc.array(fc.nat()),
  fc.array(fc.record({ a: fc.nat(), b: fc.array(fc.nat(), { maxLength: 2 }) })),
  fc.array(fc.oneof(fc.nat(), fc.record({ a: fc.nat() }), fc.array(fc.record({ a: fc.nat() }))), { maxLength: 5 }),
  fc.jsonValue({ maxDepth: 3 }),
)
const row = fc.oneof(
  { weight: 5, arbitrary: fc.record({ id: fc.nat(), name: fc.string(), inner, list }) },
  fc.record({ id: fc.nat(), list, pair: fc.tuple(fc.record({ x: fc.nat() }), fc.record({ y: inner })) }),
  fc.record({ inner, id: fc.double({ noNaN: true }), name: fc.constant(undefined) }),
  fc.record({ id: fc.nat(), 2: inner, list }),
)
/** Long enough for what is inside of the rows not to be made before somebody looks. */
const rows = fc.array(row, { minLength: 16, maxLength: 40 })

/** A program that looks at each row in some ways, one after the other, and last at everything. */
const program = (chosen: ReadonlyArray<string>): string => `
const looks = [${chosen.join(",\n")}]
const plain = (value) => value === undefined ? "undefined" : value
const seen = []
for (const [i, look] of looks.entries()) {
  for (const [k, row] of rows.entries()) {
    if ((k + i) % 3 === 0 && i > 0) continue
    try {
      seen.push(plain(JSON.stringify(look(row, rows, k))))
    } catch (error) {
      seen.push(error.name)
    }
  }
}
return [seen, rows.map((row) => { try { return Object.entries(row).map((entry) => JSON.stringify(entry)) } catch { return "?" } })]`

const inHost = (code: string, data: unknown): unknown =>
  JSON.parse(runInNewContext(`JSON.stringify((function (rows) { "use strict"; ${code} })(JSON.parse(text)))`, {
    text: JSON.stringify(data),
    // Which new contexts do not have.
    structuredClone,
  }) as string)

const compared = async (chosen: ReadonlyArray<string>, data: unknown): Promise<void> => {
  const code = program(chosen)
  expect(await evaluate(code, { rows: data })).toEqual(inHost(code, data))
}

describe("rows whose parts are made when a program looks", () => {
  const some = Array.from({ length: 24 }, (_, id) => ({
    id,
    name: `row ${id}`,
    inner: id % 5 === 4
      ? null
      : { kind: id % 2 ? "a" : "b", n: id % 7, tags: ["x", `${id}`], deep: { deeper: [[id]] } },
    list: id % 3 ? [{ a: id }, { a: -id, b: [[]] }] : [id, { a: 1 }, [{ a: 2 }, 3]],
    pair: [{ x: {} }, {}],
  }))

  it.each(looks)("are like any others: %s", (look) => compared([look, look], some))

  it("are like any others, whatever they are and however they are looked at", () =>
    fc.assert(
      fc.asyncProperty(rows, fc.array(fc.constantFrom(...looks), { minLength: 1, maxLength: 4 }), (data, chosen) =>
        compared(chosen, data)),
      { numRuns: 150 },
    ))

  it("may be of more kinds than are told apart, and have more parts than can be left", () => {
    const wide = (id: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`part${i}`, i % 3 === 0 ? { id, i: [i] } : i]))
    const many = Array.from({ length: 96 }, (_, id) => ({
      id,
      [`kind${id % 12}`]: { list: [{ id }], other: id % 4 === 0 ? null : { x: [id] } },
      inner: id % 5 === 0 ? null : id % 5 === 1 ? [] : { kind: "a", wide: id % 8 === 0 ? wide(id) : {} },
      ...id % 7 === 0 ? wide(id) : undefined,
    }))
    const all = looks.filter((look) => /JSON|entries|for \(|structuredClone/.test(look))
    return compared(["(row) => row.inner?.wide?.part39", "(row) => row.part33?.i", ...all.slice(0, 6)], many)
  })

  it("let go of the result that they are from, when memory becomes short", async () => {
    const page = Array.from(
      { length: 400 },
      (_, id) => ({ id, inner: { a: [id, id, id], b: { c: [id], d: "some text" } } }),
    )
    const code = `
const kept = []
for (let i = 0; i < 150; i++) kept.push((await tools.page({}))[i])
return kept.map((row) => [row.id, row.inner.a[2], row.inner.b.c[0]])`
    const runtime = InterpreterRuntime.make({ limits: { memory: 2 << 20 } })
    const { result } = await Effect.runPromise(runtime.run({ code, tools: ["page"], call: () => Effect.succeed(page) }))
    expect(result).toEqual(Array.from({ length: 150 }, (_, i) => [i, i, i]))
  })

  it("are what the host gave, whatever becomes of that later", async () => {
    const given = structuredClone(some)
    const call = (tool: string) =>
      Effect.sync(() => {
        if (tool === "rows") return given
        for (const one of given) Object.assign(one.inner ?? {}, { kind: "changed", deep: 1 })
        for (const one of given) one.list.splice(0, 1, 99)
        return null
      })
    const code = "const rows = await tools.rows({}); await tools.change({}); return rows"
    const { result } = await Effect.runPromise(
      InterpreterRuntime.make().run({ code, tools: ["rows", "change"], call }),
    )
    expect(result).toEqual(some)
    expect(given).not.toEqual(some)
  })
})
