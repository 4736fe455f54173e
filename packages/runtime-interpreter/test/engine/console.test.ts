import { inspect } from "node:util"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { compile, makeMachine } from "../../src/engine/index.ts"
import { parse } from "../../src/engine/parse/index.ts"

/** What a program prints, by level and text. */
const printed = async (code: string): Promise<Array<readonly [level: string, text: string]>> => {
  const program = await parse(code)
  const lines: Array<readonly [string, string]> = []
  let clock = 0
  const machine = makeMachine({
    fuel: 100_000_000,
    host: {
      now: () => 0,
      monotonic: () => clock += 1234.5,
      random: () => 0,
      log: (level, text) => lines.push([level, text]),
      setTimer: () => {},
      clearTimer: () => {},
      startCall: () => {},
    },
  })
  const template = compile(program.ast, { code: program.code, name: "program" }, { isAsync: true, completion: true })
  machine.enqueue({ type: "callback", fn: machine.link(template), args: [] })
  while (machine.advance(1_000_000) === "running");
  return lines
}

const values = [
  `[1, 2, 3]`,
  `[1, , 3, , , 6]`,
  `[]`,
  `Array.from({ length: 30 }, (_, i) => i)`,
  `Array.from({ length: 120 }, (_, i) => i)`,
  `Array.from({ length: 40 }, (_, i) => "item" + i)`,
  `Array.from({ length: 10 }, (_, i) => "a rather long text, number " + i)`,
  `["a", 'b"', "it's", "\\n", "\\x01", "\\\\", "\\ud800"]`,
  `({})`,
  `({ a: 1, b: "x", c: null, d: undefined, e: true, f: 1n, g: Symbol("s") })`,
  `({ a: { b: { c: { d: 1 } } } })`,
  `({ a: { b: { c: {}, d: [] } } })`,
  `({ "a-b": 1, "1a": 2, 1: 3, [Symbol("k")]: 4 })`,
  `({ get a() { throw 1 }, set b(v) {}, get c() { throw 1 }, set c(v) {} })`,
  `({ f() {}, g: () => {}, async i() {}, *j() {}, l: class A {}, m: class extends Array {} })`,
  `(() => { class Foo { x = 1 } return [new Foo(), Foo] })()`,
  `(() => { class Bar extends Map {} return new Bar([[1, 2]]) })()`,
  `Object.create(null)`,
  `Object.assign(Object.create(null), { a: 1 })`,
  `new Map([["a", 1], [{ b: 1 }, [2]]])`,
  `new Set(["a", { b: 1 }])`,
  `[new Map(), new Set(), new WeakMap()]`,
  `[new Date(0), new Date(NaN), /ab+c/gi]`,
  `[new Number(3), new String("abc"), Object(Symbol("q")), Object(1n)]`,
  `[Promise.resolve(4), new Promise(() => {})]`,
  `[-0, 1n, NaN, null, undefined]`,
  `new Uint8Array([1, 2, 3])`,
  `new ArrayBuffer(4)`,
  `(() => { const a = { x: 1 }; a.self = a; return a })()`,
  `(() => { const a = { x: {} }; a.x.up = a; a.y = a.x; return a })()`,
  `({ text: "x".repeat(100) })`,
  `({ lines: "line1\\nline2\\n".repeat(6) })`,
  `({ aaaaaaaaaaaaaaaaaaaa: 1, bbbbbbbbbbbbbbbbbbbbbbbb: 2, cccccccccccccccccccccc: 3, dddddddddddd: 4 })`,
  `({ users: [{ id: 1, name: "Alice", tags: ["a", "b"] }, { id: 2, name: "Bob", tags: [] }], total: 2 })`,
  `[{ id: 1, name: "Alice", email: "alice@example.com" }, { id: 2, name: "Bob", email: "bob@example.com" }]`,
  `Object.assign([1, 2], { extra: true })`,
  `new Proxy({ a: 1 }, { get() { throw 1 } })`,
  `[new Map([[1, 2]]).entries(), new Set([1]).values(), [1][Symbol.iterator](), (function* () {})()]`,
  `[JSON, Math, Math.max]`,
  `({ [Symbol.toStringTag]: "Tag" })`,
]

describe("values look as Node shows them", () => {
  it.each(values)("%s", async (expression) => {
    const expected = inspect(runInNewContext(expression))
    expect(await printed(`console.log(${expression})`)).toEqual([["log", expected]])
  })
})

describe("console", () => {
  const cases: ReadonlyArray<readonly [code: string, lines: ReadonlyArray<readonly [level: string, text: string]>]> = [
    [`console.log("a", 1, "b", [2], { c: "d" })`, [["log", "a 1 b [ 2 ] { c: 'd' }"]]],
    [`console.log()`, [["log", ""]]],
    [`console.info(1); console.debug(2); console.warn(3); console.error(4)`, [
      ["info", "1"],
      ["debug", "2"],
      ["warn", "3"],
      ["error", "4"],
    ]],
    [`console.log("%s|%d|%i|%f|%j|%o|%O|%c|%%|%x", "s", "42", 42.9, "1.5", { a: 1 }, [1], { b: 2 }, "css", "more")`, [
      ["log", "s|42|42|1.5|{\"a\":1}|[ 1 ]|{ b: 2 }||%|%x more"],
    ]],
    [`console.log("%s %s", { toString() { throw 1 } }, 5n); console.log("100%", 1); console.log("%d", {})`, [
      ["log", "{ toString: [Function: toString] } 5n"],
      ["log", "100% 1"],
      ["log", "NaN"],
    ]],
    [
      `console.group("outer"); console.log("a\\nb"); console.groupCollapsed(); console.log(1); console.groupEnd(); console.groupEnd(); console.groupEnd(); console.log(2)`,
      [
        ["log", "outer"],
        ["log", "  a\n  b"],
        ["log", "    1"],
        ["log", "2"],
      ],
    ],
    [
      `console.count(); console.count("x"); console.count(); console.countReset(); console.count(); console.countReset("none")`,
      [
        ["log", "default: 1"],
        ["log", "x: 1"],
        ["log", "default: 2"],
        ["log", "default: 1"],
        ["warn", "Count for 'none' does not exist"],
      ],
    ],
    [
      `console.assert(true, "no"); console.assert(0, "x is %d", 5); console.assert(false); console.assert(null, { a: 1 })`,
      [
        ["error", "Assertion failed: x is 5"],
        ["error", "Assertion failed"],
        ["error", "Assertion failed: { a: 1 }"],
      ],
    ],
    [`console.time("t"); console.timeLog("t", 1); console.timeEnd("t"); console.timeEnd("t")`, [
      ["log", "t: 1.234s 1"],
      ["log", "t: 2.469s"],
      ["warn", "No such label 't' for console.timeEnd()"],
    ]],
    [
      `console.dir({ a: { b: {} , c: { d: { e: {} } } } }, { depth: 0 }); console.dir({ a: { b: { c: { d: [] } } } }, { depth: null })`,
      [
        ["log", "{ a: [Object] }"],
        ["log", "{\n  a: { b: { c: { d: [] } } }\n}"],
      ],
    ],
    [
      `console.table([{ a: 1, b: "x" }, { a: 2, c: true }]); console.table([1]); console.table({ r: { x: 1, y: 2 } }, ["y"]); console.table(5)`,
      [
        [
          "log",
          "┌─────────┬───┬─────┬──────┐\n│ (index) │ a │ b   │ c    │\n├─────────┼───┼─────┼──────┤\n" +
          "│ 0       │ 1 │ 'x' │      │\n│ 1       │ 2 │     │ true │\n└─────────┴───┴─────┴──────┘",
        ],
        [
          "log",
          "┌─────────┬────────┐\n│ (index) │ Values │\n├─────────┼────────┤\n│ 0       │ 1      │\n└─────────┴────────┘",
        ],
        ["log", "┌─────────┬───┐\n│ (index) │ y │\n├─────────┼───┤\n│ r       │ 2 │\n└─────────┴───┘"],
        ["log", "5"],
      ],
    ],
    [
      `const { log } = console; [1, 2].forEach((x) => log(x)); console.log(Object.keys(console).length, String(console))`,
      [
        ["log", "1"],
        ["log", "2"],
        ["log", "0 [object console]"],
      ],
    ],
  ]

  it.each(cases)("%s", async (code, lines) => {
    expect(await printed(code)).toEqual(lines)
  })

  it("shows errors with their stacks, what they carry and what caused them", async () => {
    const [[, text] = []] = await printed(
      `console.log(Object.assign(new TypeError("bad", { cause: new Error("why") }), { code: "E1" }))`,
    )
    expect(text).toMatch(
      /^TypeError: bad\n {4}at .*program:1:\d+\)? \{\n {2}code: 'E1',\n {2}\[cause\]: Error: why\n {6}at /,
    )
  })

  it("tells where trace was called", async () => {
    const [[level, text] = []] = await printed(`function here() { console.trace("got", 1) }\nhere()`)
    expect(level).toBe("error")
    expect(text).toMatch(/^Trace: got 1\n {4}at here \(program:1:\d+\)\n {4}at program:2:1/)
  })

  it("bounds what it shows of large values", async () => {
    const lines = await printed(`
      console.log(Array.from({ length: 5000 }, (_, i) => ({ i, text: "x".repeat(100) })))
      console.log("x".repeat(1e6))
      console.log(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["key" + i, i])))
      let deep = {}; for (let i = 0; i < 5000; i++) deep = { deep }
      console.dir(deep, { depth: Infinity })
      console.table(Array.from({ length: 1000 }, () => ({ a: 1 })))
    `)
    expect(lines).toHaveLength(5)
    for (const [, text] of lines) expect(text.length).toBeLessThan(100_000)
    expect(lines[0]![1]).toContain("more items")
    expect(lines[1]![1]).toMatch(/x\.\.\. \d+ more characters$/)
  })
})
