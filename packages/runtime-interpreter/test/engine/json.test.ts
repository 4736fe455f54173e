import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"

/** A program that gives an expression's value as JSON, or the name and message of what it throws. */
const program = (expression: string) => `
try {
  return { value: JSON.stringify(${expression}) }
} catch (error) {
  return { thrown: error.name + ": " + error.message }
}
`

interface Result {
  readonly value?: string
  readonly thrown?: string
}

/** Newer hosts say in which line and column; we always do. */
const withoutLine = (result: Result) =>
  result.thrown === undefined ? result : { thrown: result.thrown.replace(/ \(line \d+ column \d+\)/, "") }

/** What a program and what the host make of an expression. */
const both = async (expression: string) => ({
  ours: withoutLine(await evaluate(program(expression)) as Result),
  theirs: withoutLine(inHost(program(expression)) as Result),
})

const values = [
  // Reading
  `JSON.parse(' {"a" : [1, 2.5e3, -0, true, null, "x\\\\n\\\\u0041"]} ')`,
  `[Object.keys(JSON.parse('{"b":1,"2":2,"a":3,"1":4,"b":5}')), JSON.parse('{"__proto__":{"x":1}}').x, Object.keys(JSON.parse('{"__proto__":1,"constructor":2}'))]`,
  `[1 / JSON.parse("-0"), JSON.parse("1e400"), JSON.parse("0.1"), JSON.parse("123456789012345678901234567890"), JSON.parse("9007199254740993")]`,
  `JSON.parse("[[1,{\\"a\\":[]}],{\\"b\\":{}}]", function (key, value) { return Array.isArray(value) ? [...value, key] : value })`,
  `JSON.parse('{"a":1,"b":{"c":2,"d":3}}', (key, value) => key === "c" ? undefined : value)`,
  `JSON.parse('{"a":1,"b":2}', function (key, value) { if (key === "a") this.b = "changed"; return value })`,
  `(() => { const seen = []; JSON.parse('[1,[2,{"a":3}]]', (key, value) => { seen.push(key); return value }); return seen })()`,
  `JSON.parse("[" .repeat(5000) + "]".repeat(5000)).length`,
  `(() => { const o = JSON.parse('{' + Array.from({ length: 500 }, (_, i) => '"k' + i + '":' + i).join() + '}'); return [Object.keys(o).length, o.k499] })()`,
  `JSON.parse({ toString: () => "[1]" })`,
  // Writing
  `[JSON.stringify(undefined), JSON.stringify(() => 1), JSON.stringify(null), JSON.stringify(NaN), JSON.stringify("\\u2028\\ud800\\"\\\\\\b\\x07"), JSON.stringify(Symbol())]`,
  `JSON.stringify({ a: undefined, b: () => 1, c: Symbol(), d: [undefined, () => 1, Symbol()], e: -0, f: Infinity })`,
  `JSON.stringify({ n: new Number(3), s: new String("x"), b: new Boolean(false), d: new Date(0), bad: new Date(NaN), m: new Map([[1, 2]]), r: /x/, e: new Error("x") })`,
  `[JSON.stringify({ a: [1, { b: 2 }], c: [], d: {} }, null, 2), JSON.stringify([1, [2]], null, "--"), JSON.stringify({ a: 1 }, null, 20), JSON.stringify([1], null, new String("\\t"))]`,
  `[JSON.stringify({ a: 1, b: { a: 2, c: 3 } }, ["a", "b"]), JSON.stringify({ 1: 1, a: 2 }, [1, new String("a"), "a", null])]`,
  `JSON.stringify({ a: 1, b: [2, "x"] }, (key, value) => typeof value === "number" ? value + 1 : value)`,
  `JSON.stringify({ a: { toJSON(key) { return key + "!" } }, b: { toJSON: 1 } })`,
  `JSON.stringify({ get a() { return 1 }, b: Object.create({ toJSON() { return "inherited" } }) })`,
  `(() => { class Money { constructor(n) { this.n = n } toJSON() { return "$" + this.n } } return JSON.stringify([new Money(1), { m: new Money(2) }]) })()`,
  `(() => { const o = { x: { get y() { delete Object.prototype.toJSON; return 1 } } }; Object.prototype.toJSON = function () { return typeof this === "object" && this.keep ? 1 : this }; try { return JSON.stringify([o, { keep: true }]) } finally { delete Object.prototype.toJSON } })()`,
  `(() => { const old = Date.prototype.toISOString; Date.prototype.toISOString = () => "patched"; try { return JSON.stringify([new Date(0)]) } finally { Date.prototype.toISOString = old } })()`,
  `(() => { BigInt.prototype.toJSON = function () { return this + "n" }; try { return JSON.stringify([1n]) } finally { delete BigInt.prototype.toJSON } })()`,
  `JSON.stringify(new Proxy({ a: 1 }, {})) + JSON.stringify(new Proxy([1], {}))`,
  `[JSON.stringify([1, , 3]), JSON.stringify(Object.assign([1], { x: 2 })), JSON.stringify({ [Symbol("s")]: 1, 2: 1, b: 1, 1: 1 })]`,
  `(() => { const shared = { x: 1 }; return JSON.stringify([shared, shared]) })()`,
  `(() => { let a = 1; for (let i = 0; i < 1000; i++) a = i % 2 ? [a] : { a }; return JSON.stringify(a).length })()`,
  `JSON.stringify(Array.from({ length: 30000 }, (_, i) => ({ i, even: i % 2 === 0 }))).length`,
  `JSON.stringify(Array.from({ length: 5000 }, (_, i) => new Date(i * 1e9))).length`,
]

describe("JSON behaves as in the host's engine", () => {
  it.each(values)("%s", async (expression) => {
    const { ours, theirs } = await both(expression)
    expect(ours).toEqual(theirs)
  })
})

const cycles = [
  `(() => { const a = {}; a.a = a; return JSON.stringify(a) })()`,
  `(() => { const a = { b: { c: {} } }; a.b.c.d = a; return JSON.stringify(a) })()`,
  `(() => { const a = { b: [{ c: { d: {} } }] }; a.b[0].c.d.e = a; return JSON.stringify(a) })()`,
  `(() => { class Node { } const n = new Node(); n.list = [n]; return JSON.stringify({ n }) })()`,
  `JSON.stringify(1n)`,
  `JSON.stringify({ a: [1n] })`,
  `JSON.stringify({ toJSON() { throw new RangeError("no") } })`,
]

describe("what cannot be JSON says why, as in the host's engine", () => {
  it.each(cycles)("%s", async (expression) => {
    const { ours, theirs } = await both(expression)
    expect(ours).toEqual(theirs)
  })
})

const malformed = [
  "",
  "  ",
  "{",
  "[1",
  "[1,]",
  "{\"a\"",
  "{\"a\":1,}",
  "{a:1}",
  "{'a':1}",
  "{\"a\" 1}",
  "{\"a\":1 \"b\":2}",
  "{\"a\":1,\"b\"2}",
  "[1 2]",
  "\"abc",
  "\"a\nb\"",
  "\"\\x\"",
  "\"\\u12\"",
  "01",
  "-",
  "1.",
  "1e",
  "+1",
  ".5",
  "tru",
  "trux",
  "nul",
  "undefined",
  "NaN",
  "[object Object]",
  "1 2",
  "{} x",
  "<!DOCTYPE html><html><body>Not found</body></html>",
  "{\"aaaaaaaaaaaaaaaaaaaaaaaaa\":x}",
  "Here is the JSON you asked for: {}",
  "{\"a\":undefined}",
]

describe("text that is no JSON is refused in the host's words", () => {
  it.each(malformed)("%j", async (text) => {
    const { ours, theirs } = await both(`JSON.parse(${JSON.stringify(text)})`)
    expect(ours).toEqual(theirs)
  })

  it("says in which line and column", async () => {
    expect(await evaluate(program(`JSON.parse('{\\n  "a": 1,\\n  b: 2\\n}')`))).toEqual({
      thrown: "SyntaxError: Expected double-quoted property name in JSON at position 14 (line 3 column 3)",
    })
  })

  it("wherever any JSON is damaged", () =>
    fc.assert(
      fc.asyncProperty(
        fc.json({ maxDepth: 3, noUnicodeString: false }),
        fc.nat(),
        fc.constantFrom("", "{", "}", "[", "]", ",", ":", "\"", "\\", "1", "-", ".", "e", "x", "\n"),
        fc.nat({ max: 1 }),
        async (json, place, inserted, removed) => {
          const at = place % (json.length + 1)
          const text = json.slice(0, at) + inserted + json.slice(at + removed)
          const { ours, theirs } = await both(`JSON.parse(${JSON.stringify(text)})`)
          expect(ours).toEqual(theirs)
        },
      ),
      { numRuns: 300 },
    ))
})

describe("any JSON", () => {
  it("is read and written as the host does", () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("", "  ", "\t"), async (value, gap) => {
        const text = JSON.stringify(value, null, gap)
        const result = await evaluate(`return JSON.stringify(JSON.parse(text), null, gap)`, { text, gap })
        expect(result).toBe(text)
      }),
      { numRuns: 200 },
    ))
})

describe("long JSON", () => {
  // Reading stops every few thousand units, or after some arrays and objects: wherever that is.
  const texts = (n: number): ReadonlyArray<string> => [
    "[".repeat(n) + "]".repeat(n),
    `${"{\"a\":[1,".repeat(n)}"x"${",2],\"b\":{}}".repeat(n)}`,
    `[${"{\"a\":[],\"b\":\"c\"},".repeat(n)}null]`,
    `[${" ".repeat(n)}"${"y".repeat(n)}",${"\n".repeat(n)}"${"z\\n\\u0041".repeat(n)}"${"\t".repeat(n)}]`,
  ]

  it.each([10, 300, 1000, 40_000])("is read as the host does: %i parts", async (n) => {
    const same = "const same = (text) => JSON.stringify(JSON.parse(text)) === text.replaceAll(/[ \\n\\t]/g, '')"
    const all = texts(n).map((text) => text.replaceAll("\\u0041", "A"))
    expect(await evaluate(`${same}; return texts.map(same)`, { texts: all })).toEqual(all.map(() => true))
  })

  it("has what its primitives were written as", async () => {
    const text = `[${"1.0,".repeat(5000)}"${"x".repeat(70_000)}",[[[1e1]]],"${"\\u0041".repeat(20_000)}"]`
    const code = `const sources = []
      JSON.parse(text, (key, value, { source }) => { if (source !== undefined) sources.push(source) })
      return [sources.length, sources.slice(5000).map((source) => text.includes(source + "]") || text.includes(source + ","))
        .join(), sources.at(-1).length, sources.at(-3).length]`
    expect(await evaluate(code, { text })).toEqual([5003, "true,true,true", 120_002, 70_002])
  })

  it.each(["]", "}", "\\"])("is refused where it ends wrongly: %s", async (end) => {
    const text = "[".repeat(3000) + "]".repeat(2000) + end.repeat(2)
    const { ours, theirs } = await both(`JSON.parse(${JSON.stringify(text)})`)
    expect(ours).toEqual(theirs)
  })
})

describe("newer parts of JSON than some hosts have", () => {
  it.each([
    [`JSON.parse('[1.0, {"a": 9007199254740993}, "x"]', (key, value, { source }) => source ?? value)`, [
      "1.0",
      { a: "9007199254740993" },
      "\"x\"",
    ]],
    [`JSON.parse('{"a": 1, "b": 2}', function (key, value, { source }) { this.b = 3; return source ?? value })`, {
      a: "1",
      b: 3,
    }],
    [
      `[JSON.isRawJSON(JSON.rawJSON("1")), JSON.isRawJSON({}), Object.isFrozen(JSON.rawJSON("1")), JSON.rawJSON("1.50").rawJSON]`,
      [
        true,
        false,
        true,
        "1.50",
      ],
    ],
  ])("%s", async (expression, expected) => {
    expect(await evaluate(`return ${expression}`)).toEqual(expected)
  })

  it("writes raw JSON as it is", async () => {
    expect(
      await evaluate(`return JSON.stringify({ n: JSON.rawJSON("12345678901234567890"), a: [JSON.rawJSON('"x"')] })`),
    )
      .toBe(`{"n":12345678901234567890,"a":["x"]}`)
  })

  it.each(["", " 1", "1\n", "{}", "[]", "undefined"])("refuses %j as raw JSON", async (text) => {
    await expect(evaluate(`return JSON.rawJSON(text)`, { text })).rejects.toThrow("SyntaxError")
  })
})

describe("numbers of many digits", () => {
  const digits = fc.array(fc.constantFrom("0", "1", "5", "9"), { minLength: 1, maxLength: 80 }).map((all) =>
    all.join("")
  )
  const text = fc.tuple(
    fc.constantFrom("", "-"),
    digits,
    fc.option(digits, { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom("e", "E+", "e-"), digits), { nil: undefined }),
    fc.constantFrom("", "", "]", ".", "e", "x", " "),
  ).map(([sign, whole, fraction, exponent, end]) =>
    sign + whole + (fraction === undefined ? "" : `.${fraction}`) + (exponent?.join("") ?? "") + end
  )

  it("are what the host reads, and end where they end", () =>
    fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 40, maxLength: 40 }), async (texts) => {
        const read = (text: string): unknown => {
          try {
            return String(JSON.parse(`[${text},7]`)[0])
          } catch {
            return "refused"
          }
        }
        const code = `return texts.map((text) => { try { return String(JSON.parse("[" + text + ",7]")[0]) } ` +
          `catch { return "refused" } })`
        expect(await evaluate(code, { texts })).toEqual(texts.map(read))
      }),
      { numRuns: 50 },
    ))

  it.each([31, 32, 33, 34, 1000, 100_000])("may have %i", async (count) => {
    const texts = [
      "7".repeat(count),
      `-0.${"3".repeat(count)}`,
      `1${"0".repeat(count)}e-${count}`,
      `1e${"0".repeat(count)}5`,
    ]
    expect(await evaluate("return texts.map((text) => String(JSON.parse(text)))", { texts }))
      .toEqual(texts.map((text) => String(Number(text))))
  })
})
