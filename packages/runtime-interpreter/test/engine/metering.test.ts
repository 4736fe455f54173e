import { describe, expect, it } from "vitest"
import type * as Engine from "../../src/engine/index.ts"
import type { Outcome, Program } from "../../src/engine/index.ts"
import { loadNative } from "../native.ts"

const { makeRun, ProgramCache } = await loadNative<typeof Engine>("engine/index.ts")

const limits = {
  fuel: 50_000_000,
  memory: 64 << 20,
  callDepth: 10_000,
  stringLength: 16 << 20,
  bigintBits: 1 << 20,
  dataDepth: 64,
  toolCalls: 1000,
  concurrentCalls: 16,
  logLines: 1000,
  logLength: 64 << 10,
}

/** Runs a program in slices of so many steps, and tells what it came to and the most steps that one slice took. */
const inSlices = (code: string, bounds: Partial<typeof limits> = {}): { outcome: Outcome; most: number } => {
  const run = makeRun(new ProgramCache().load(code) as Program, {
    limits: { ...limits, ...bounds },
    tools: [],
    // The clock stands still, so that nothing depends on the time that something takes.
    host: { now: () => 0, monotonic: () => 0, random: () => 0.5, setAlarm: () => {}, startCall: () => {} },
  })
  for (let most = 0;;) {
    const before = run.fuelUsed
    const progress = run.advance(1000)
    most = Math.max(most, run.fuelUsed - before)
    if (progress === "waiting") throw new Error("The program waits")
    if (progress !== "running") return { outcome: progress, most }
  }
}

/** Runs a program on a clock that goes on when there is nothing else to do. */
const inTime = (code: string, bounds: Partial<typeof limits>): { outcome: Outcome; peakMemory: number } => {
  let now = 0
  let alarm = Infinity
  const run = makeRun(new ProgramCache().load(code) as Program, {
    limits: { ...limits, ...bounds },
    tools: [],
    host: {
      now: () => now,
      monotonic: () => now,
      random: () => 0.5,
      setAlarm: (delay) => {
        alarm = now + delay
      },
      startCall: () => {},
    },
  })
  for (;;) {
    const progress = run.advance(20_000)
    if (progress === "waiting") {
      if (alarm === Infinity) throw new Error("The program waits for nothing")
      now = alarm
      alarm = Infinity
      run.alarm()
    } else if (progress !== "running") return { outcome: progress, peakMemory: run.peakMemory }
  }
}

const value = ({ outcome }: { outcome: Outcome }): unknown =>
  outcome.type === "returned" ? outcome.value : outcome.failure.message

const code = ({ outcome }: { outcome: Outcome }): string =>
  outcome.type === "returned" ? "returned" : outcome.failure.code

const object = "const o = {}; for (let i = 0; i < 30000; i++) o[\"k\" + i] = i;"

describe("a built-in that has much to do", () => {
  it.each<[name: string, code: string, value: unknown]>([
    ["lists properties", `${object} return Object.entries(o).length + Object.values(o).length`, 60_000],
    [
      "copies properties",
      `${object} return Object.keys({ ...o, z: 1 }).length + Object.keys(Object.assign({}, o)).length`,
      60_001,
    ],
    ["leaves properties out", `${object} const { k1, k2, ...rest } = o; return Object.keys(rest).length`, 29_998],
    [
      "makes an object of entries",
      `${object} return Object.keys(Object.fromEntries(Object.entries(o))).length`,
      30_000,
    ],
    [
      "groups values",
      "return Object.keys(Object.groupBy(Array.from({ length: 30000 }, (_, i) => i), String)).length",
      30_000,
    ],
    ["spreads a text", "return [...\"ab\".repeat(30000)].length", 60_000],
    ["makes an array of bytes", "return Array.from(new Uint8Array(60000)).length", 60_000],
    ["makes a map", "return new Map(Array.from({ length: 30000 }, (_, i) => [i, i])).size", 30_000],
    [
      "unites sets",
      "const s = new Set(\"ab\".repeat(20000)); const t = new Set(Array(20000).keys()); return s.union(t).size + t.difference(s).size",
      40_002,
    ],
    ["replaces matches", "return \"ab\".repeat(50000).replace(/a/g, \"c\").length", 100_000],
    [
      "replaces matches by what was found",
      "return \"ab\".repeat(20000).replace(/(a)(b)/g, \"$2$1\").slice(0, 4)",
      "baba",
    ],
    ["gathers matches", "return \"ab\".repeat(50000).match(/a/g).length", 50_000],
    ["splits a text by an expression", "return \"ab\".repeat(30000).split(/a/).length", 30_001],
    ["searches for a long text", "return (\"a\".repeat(400000) + \"b\").indexOf(\"a\".repeat(1000) + \"b\")", 399_000],
    ["searches backwards", "return (\"b\" + \"a\".repeat(400000)).lastIndexOf(\"b\" + \"a\".repeat(100))", 0],
    ["changes the case of a text", "return \"\u00e4\".repeat(1000000).toUpperCase().lastIndexOf(\"\u00c4\")", 999_999],
    ["looks for lone surrogates", "return (\"\u{1f600}\".repeat(500000) + \"\ud800\").isWellFormed()", false],
    ["quotes a text", "return JSON.stringify(\"\\n\\u{1f600}\".repeat(300000)).length", 1_200_002],
    ["reads a quoted text", "return JSON.parse(JSON.stringify(\"\\n\\u{1f600}\".repeat(300000))).length", 900_000],
    ["reads a long text", "return JSON.parse(JSON.stringify(\"x\".repeat(900000))).length", 900_000],
    ["reads deep arrays", `JSON.parse("[".repeat(20000) + "]".repeat(20000)); return 1`, 1],
    ["reads many arrays", `return JSON.parse("[" + "[],".repeat(20000) + "1]").length`, 20_001],
    ["revives deep objects", `JSON.parse('{"a":'.repeat(8000) + "1" + "}".repeat(8000), (k, v) => v); return 1`, 1],
    ["writes many properties", `${object} return JSON.stringify(o).length`, 427_781],
    [
      "clones a long list",
      `const o = {}, a = new Array(100000).fill(1); a[99999] = a[50000] = o; a[3] = [o]; const c = structuredClone(a)
        return [c.length, c[99999] === c[50000], c[3][0] === c[50000], c[99999] === o, c[99998]]`,
      [100_000, true, true, false, 1],
    ],
    [
      "clones a large set",
      `const o = {}, s = new Set(Array.from({ length: 40000 }, (_, i) => i)).add(o).add([o]), c = [...structuredClone(s)]
        return [c.length, c[39999], c[40000] === c[40001][0], c[40000] === o]`,
      [40_002, 39_999, true, false],
    ],
    [
      "clones a large map",
      `const o = {}, m = new Map(Array.from({ length: 40000 }, (_, i) => [i, o])).set(o, 7), c = structuredClone(m)
        return [c.size, c.get(0) === c.get(39999), c.get(c.get(0)), c.has(o)]`,
      [40_001, true, 7, false],
    ],
    [
      "clones a map",
      "return structuredClone(new Map(Array.from({ length: 30000 }, (_, i) => [i, { i }]))).size",
      30_000,
    ],
  ])("%s in blocks between which the event loop can turn", (_name, code, expected) => {
    const ended = inSlices(code)
    expect(value(ended)).toEqual(expected)
    // A block of the work, and what it takes to begin with it: a millisecond or two.
    expect(ended.most).toBeLessThan(300_000)
  })

  it("parses and compiles a long regular expression in steps", () => {
    const ended = inSlices("return new RegExp(\"(?:a|b)\".repeat(1000) + \"$\").test(\"ab\".repeat(500))")
    expect(value(ended)).toBe(true)
    expect(ended.most).toBeLessThan(500_000)
  })
})

describe("a large result of a tool", () => {
  it.each<[name: string, source: object, code: string, count: number]>([
    ["a list", Array.from({ length: 60_000 }, (_, i) => i), "r.length", 60_000],
    [
      "an object",
      Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => ["k" + i, i])),
      "Object.keys(r).length",
      60_000,
    ],
  ])("is copied in blocks between which the event loop can turn: %s", (_name, source, expression, expected) => {
    let reads = 0
    const value = new Proxy(source, {
      get: (target, key, receiver) => {
        reads++
        return Reflect.get(target, key, receiver) as unknown
      },
    })
    const run = makeRun(new ProgramCache().load(`const r = await tools.get({}); return ${expression}`) as Program, {
      limits,
      tools: ["get"],
      host: {
        now: () => 0,
        monotonic: () => 0,
        random: () => 0.5,
        setAlarm: () => {},
        startCall: (id) => run.settleCall(id, value),
      },
    })
    let most = 0
    for (;;) {
      const before = reads
      const progress = run.advance(1000)
      most = Math.max(most, reads - before)
      if (progress === "running") continue
      expect(progress).toEqual({ type: "returned", value: expected })
      break
    }
    expect(reads).toBeGreaterThanOrEqual(expected)
    expect(most).toBeLessThan(10_000)
  })
})

/** How many steps a program takes, in slices of so many. */
const stepsOf = (body: string, slice: number): number => {
  const run = makeRun(new ProgramCache().load(body) as Program, {
    limits,
    tools: [],
    host: { now: () => 0, monotonic: () => 0, random: () => 0.5, setAlarm: () => {}, startCall: () => {} },
  })
  while (run.advance(slice) === "running");
  return run.fuelUsed
}

describe("work that can be had for little", () => {
  it.each([
    [
      "comparing equal long texts",
      "const half = \"a\".repeat(1 << 21), s = half + \"b\" + half, t = half + \"b\" + half; for (;;) s === t",
    ],
    [
      "comparing them loosely",
      "const s = \"a\".repeat(1 << 20) + \"b\", t = \"a\".repeat(1 << 20) + \"b\"; while (s == t);",
    ],
    [
      "Object.is of long texts",
      "const s = \"a\".repeat(1 << 20) + \"b\", t = \"a\".repeat(1 << 20) + \"b\"; for (;;) Object.is(s, t)",
    ],
    [
      "a switch on a long text",
      "const s = \"a\".repeat(1 << 20) + \"b\", t = \"a\".repeat(1 << 20) + \"b\"; for (;;) switch (s) { case t: }",
    ],
    ["comparing a bigint with a text", "const s = \"9\".repeat(300000); for (;;) 1n < s"],
    ["comparing a number with a text", "const s = \" \".repeat(1 << 22); for (;;) s < 1"],
    ["printing a large bigint", "const n = 2n ** 1048570n - 1n; for (;;) `${n}`"],
    ["compiling regular expressions", "for (let i = 0;; i++) new RegExp(\"(?:a|b)\".repeat(500) + i)"],
    [
      "matching long constant texts",
      "const r = new RegExp(\"[ab]\" + \"a\".repeat(30000) + \"c\"), s = \"a\".repeat(1000000); for (;;) r.test(s)",
    ],
    ["making errors", "for (;;) new Error(\"x\".repeat(1 << 20))"],
  ])("uses up the fuel: %s", (_name, body) => {
    expect(code(inSlices(body, { fuel: 3_000_000 }))).toBe("EXECUTION_BUDGET_EXCEEDED")
  })

  it.each(["1", "0.1", "1e1"])("takes steps for the digits of a number in JSON: %s…", (start) => {
    const steps = (digits: number): number =>
      stepsOf(`return JSON.parse(${JSON.stringify(start)} + "1".repeat(${digits}))`, 1_000_000)
    expect(steps(1 << 20)).toBeGreaterThan(steps(1) + (1 << 17))
  })

  const many = (text: (i: number) => string): string => Array.from({ length: 4096 }, (_, i) => text(i)).join()
  it.each([
    ["arguments", `f(${many(String)})`, "const f = () => 1"],
    ["arguments of a built-in", `Math.random(${many(String)})`, ""],
    ["a rest", `f(${many(String)})`, "const f = (...all) => 1"],
    ["an object of arguments", `f(${many(String)})`, "function f() { return arguments }"],
    ["parameters", "f()", `const f = (${many((i) => `p${i}`)}) => 1`],
    ["variables", "f()", `const f = () => { var ${many((i) => `v${i}`)}; return 1 }`],
  ])("takes steps for each call that has many: %s", (_what, call, before) => {
    const steps = (calls: number): number => stepsOf(`${before}\nfor (let i = 0; i < ${calls}; i++) ${call}`, 1_000_000)
    expect(steps(300) - steps(200)).toBeGreaterThan(100 * 4096 / 32)
  })

  it("takes as many steps in each run, whatever the slices", () => {
    const body = `
      let text = ""
      for (let i = 0; i < 3000; i++) text += "line " + i
      return [text.replace(/[0-9]+/g, "#").length, JSON.stringify([text, text]).length, text === text + "", new RegExp("a{2}".repeat(600)).test(text)]`
    const steps = (slice: number): number => stepsOf(body, slice)
    expect(steps(1000)).toBe(steps(1_000_000))
    expect(steps(777)).toBe(steps(1000))
  })
})

describe("memory that texts take", () => {
  it.each([
    ["texts in pieces around each other", "let s = \"\"; const all = []; for (;;) all.push(s = \"<\" + s + \">\")"],
    [
      "beginnings of a text that grows, looked into",
      "let s = \"\"; const all = []; for (let i = 0;; i++) { s += \"abcdefgh\"; if (i % 100 === 0) { s.charCodeAt(0); all.push(s) } }",
    ],
    [
      "long texts with other ends, looked into",
      "const all = [], s = \"q\".repeat(1000); for (let i = 0;; i++) { const t = s + i; t.charCodeAt(0); all.push(t) }",
    ],
    [
      "descriptions of symbols",
      "const all = [], s = \"q\".repeat(100000); for (let i = 0;; i++) all.push(Symbol(s + i))",
    ],
    [
      "templates of large pieces",
      "const all = [], s = \"q\".repeat(1 << 15); for (let i = 0;; i++) all.push(`${s}${i}${s}`)",
    ],
    ["functions bound again and again", "let f = () => 0; for (;;) f = f.bind(null, 1)"],
    ["large bigints", "const all = [], n = 2n ** 1048570n; for (let i = 0n;; i++) all.push(n + i)"],
  ])("is counted before the host is out of it: %s", (_name, body) => {
    expect(code(inSlices(body, { memory: 8 << 20 }))).toBe("LIMIT_EXCEEDED")
  })

  it("is free again once nothing refers to them", () => {
    const body =
      "let n = 0; for (let i = 0; i < 2000; i++) { const t = \"q\".repeat(20000) + i; n += t.charCodeAt(0) } return n"
    expect(value(inSlices(body, { memory: 1 << 20 }))).toBe(226_000)
  })
})

describe("weak maps", () => {
  const before = `
const w = new WeakMap()
const lost = []
let count = 0
const key = () => { const k = { n: ++count }; w.set(k, count); return k }
const check = (k, where) => { if (w.get(k) !== k.n) lost.push(where) }
// So much that is dead that all memory is looked at several times.
const churn = (n = 8000) => { for (let i = 0; i < n; i++) w.set({ i }, [i, i, i]) }
`
  const hides: ReadonlyArray<readonly [string, string]> = [
    ["a variable", `const k = key(); churn(); check(k, "variable")`],
    ["a closure", `const f = ((k) => () => k)(key()); churn(); check(f(), "closure")`],
    [
      "a collection",
      `const m = new Map([[key(), key()]]); churn(); for (const e of m) e.forEach((k) => check(k, "map"))`,
    ],
    [
      "a private field",
      `class A { #k = key(); get() { return this.#k } } const a = new A(); churn(); check(a.get(), "field")`,
    ],
    [
      "a generator",
      `const it = (function* () { const k = key(); yield; yield k })(); it.next(); churn(); check(it.next().value, "generator")`,
    ],
    ["an iterator helper", `const it = [key()].values().map((k) => k); churn(); check(it.next().value, "helper")`],
    [
      "an async function",
      `const f = async () => { const k = key(); await null; await null; check(k, "async") }; const p = f(); churn(); await p`,
    ],
    [
      "what waits for a callback",
      `const f = async () => { const k = key(); await Promise.resolve().then(() => churn()); check(k, "awaits a callback") }; await f()`,
    ],
    ["a promise", `const p = Promise.resolve(key()); churn(); check(await p, "promise")`],
    [
      "a timer",
      `await new Promise((done) => { setTimeout((k) => { check(k, "timer"); done() }, 1, key()); churn(1500) }); churn()`,
    ],
    ["a bound function", `const f = ((k) => k).bind(null, key()); churn(); check(f(), "bound")`],
    ["a proxy", `const p = new Proxy({ k: key() }, {}); churn(); check(p.k, "proxy")`],
    [
      "a getter of a prototype",
      `const o = Object.create(Object.defineProperty({}, "k", { get: ((k) => () => k)(key()) })); churn(); check(o.k, "getter")`,
    ],
    [
      "another weak map",
      `const a = {}; new WeakMap(); const v = new WeakMap([[a, key()]]); churn(); check(v.get(a), "weak map")`,
    ],
    [
      "a chain of keys",
      `const a = key(); let k = a; const v = new WeakMap(); for (let i = 0; i < 50; i++) { const n = key(); v.set(k, n); k = n } churn(); for (let k = a; k; k = v.get(k)) check(k, "chain")`,
    ],
    [
      "a sort",
      `const a = [key(), key(), key(), key()]; const seen = []; a.sort((x, y) => { a.length = 0; churn(); seen.push(x, y); return x.n - y.n }); seen.forEach((k) => check(k, "sort"))`,
    ],
    [
      "a copy that is made",
      `const done = Array.from([1, 2, 3], (x) => { const k = key(); churn(); return k }); done.forEach((k) => check(k, "from"))`,
    ],
    [
      "a callback of a callback",
      `[1, 2].map(() => [key()].map((k) => { churn(); check(k, "map"); return k })).flat().forEach((k) => check(k, "flat"))`,
    ],
    [
      "a getter",
      `const o = { k: key(), get x() { churn(1500); return 1 } }; JSON.stringify([o, o.x]); check(o.k, "stringify")`,
    ],
    ["a replacer", `"ab".replace(/./g, () => { const k = key(); churn(700); check(k, "replacer"); return "" })`],
    ["arguments", `(function () { churn(); check(arguments[0], "arguments") })(key())`],
    [
      "a destructuring",
      `const [a, b] = (function* () { yield key(); churn(); yield key() })(); check(a, "first"); check(b, "second")`,
    ],
    [
      "a template",
      "const tag = (s) => s; const f = () => tag`x`; w.set(f(), 0); churn(); if (w.get(f()) !== 0) lost.push('template')",
    ],
    [
      "an error",
      `try { throw Object.assign(new Error("x"), { k: key() }) } catch (e) { churn(); check(e.k, "error") }`,
    ],
    ["finally", `const k = (() => { try { return key() } finally { churn() } })(); check(k, "finally")`],
    [
      "a symbol",
      `const o = { [Symbol("own")]: 1 }; w.set(Object.getOwnPropertySymbols(o)[0], 7); churn(); if (w.get(Object.getOwnPropertySymbols(o)[0]) !== 7) lost.push("symbol")`,
    ],
  ]

  it.each(hides)("keep what is kept by %s", async (_name, body) => {
    const machine = inTime(`${before}${body}; return [lost, count]`, { memory: 1 << 20 })
    expect(machine.outcome).toEqual({ type: "returned", value: [[], expect.any(Number)] })
    expect(machine.peakMemory).toBeGreaterThan(0)
  })

  it("let go of what is dead", () => {
    const { outcome, peakMemory } = inTime(`${before}for (let i = 0; i < 10; i++) churn(); return "ok"`, {
      memory: 1 << 20,
    })
    expect(outcome).toEqual({ type: "returned", value: "ok" })
    expect(peakMemory).toBeLessThan(1 << 18)
  })
})

describe("a long program", () => {
  it.each([
    ["many statements", Array.from({ length: 3000 }, (_, i) => `let v${i} = ${i}`).join("\n") + "\nreturn v2999", 2999],
    [
      "many functions",
      `${Array.from({ length: 3000 }, (_, i) => `function f${i}() { return ${i} }`).join("\n")}\nreturn f2999()`,
      2999,
    ],
    [
      "functions in one statement",
      `return [${Array.from({ length: 3000 }, (_, i) => `() => ${i}`).join()}][2999]()`,
      2999,
    ],
  ])("is made ready in turns of the event loop: %s", async (_name, text, expected) => {
    let turns = 0
    const loaded = new ProgramCache().load(text, async (steps) => {
      for (;;) {
        const step = steps.next()
        if (step.done === true) return step.value
        turns++
      }
    })
    expect(loaded).toBeInstanceOf(Promise)
    const run = makeRun(await loaded as Program, {
      limits,
      tools: [],
      host: { now: () => 0, monotonic: () => 0, random: () => 0.5, setAlarm: () => {}, startCall: () => {} },
    })
    let progress = run.advance(1_000_000)
    while (progress === "running") progress = run.advance(1_000_000)
    expect(progress).toEqual({ type: "returned", value: expected })
    expect(turns).toBeGreaterThan(500)
  })
})
