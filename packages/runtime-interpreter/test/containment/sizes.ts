// What values take of the host's heap, and what the meter counts for them.
import { Limits } from "@effect-codemode/runtime-interpreter"
import { makeRun, type Program, ProgramCache } from "@effect-codemode/runtime-interpreter/engine"
import { getHeapStatistics } from "node:v8"

/** Kinds of values, each as an expression of `i` that makes one, and what comes before all of them. */
export const kinds: ReadonlyArray<readonly [name: string, expression: string, before?: string]> = [
  ["fractions", `i + 0.5`],
  ["short texts", `"text " + i`],
  ["texts of 100 characters", `"x".repeat(95) + i`],
  ["texts of 100 wide characters", `"\\u0416".repeat(95) + i`],
  ["symbols", `Symbol()`],
  ["symbols with descriptions", `Symbol("description " + i)`],
  ["bigints", `2n ** 64n + BigInt(i)`],
  ["bigints of 1000 bits", `2n ** 1000n + BigInt(i)`],
  ["empty objects", `({})`],
  ["objects of one property", `({ a: i })`],
  ["objects of four properties", `({ a: i, b: i, c: i, d: i })`],
  [
    "objects that get four properties",
    `o()`,
    `const o = () => { const o = {}; o.a = 1; o.b = 2; o.c = 3; o.d = 4; return o }`,
  ],
  ["objects of twelve properties", `({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10, k: 11, l: 12 })`],
  ["objects without prototype", `Object.create(null)`],
  ["objects of prototypes of their own", `Object.create({})`],
  [
    "dictionaries of four keys",
    `d(i)`,
    `const d = (i) => { const o = { a: 1, b: 2, c: 3, d: 4, e: 5 }; delete o.b; return o }`,
  ],
  [
    "dictionaries of 40 keys",
    `d(i)`,
    `const d = (i) => { const o = {}; for (let j = 0; j < 41; j++) o["k" + j] = j; delete o.k0; return o }`,
  ],
  ["objects of accessors", `({ get a() { return i } })`],
  ["frozen objects", `Object.freeze({ a: i })`],
  ["instances", `new C(i)`, `class C { constructor(a) { this.a = a } }`],
  ["instances with private fields", `new C(i)`, `class C { #a; b = 1; constructor(a) { this.#a = a } }`],
  ["empty arrays", `[]`],
  ["arrays of one element", `[i]`],
  ["arrays of four elements", `[i, i, i, i]`],
  [
    "arrays that get four elements",
    `a()`,
    `const a = () => { const a = []; a.push(1); a.push(2); a.push(3); a.push(4); return a }`,
  ],
  ["arrays of 100 elements", `new Array(100).fill(i)`],
  ["arrays of 20 fractions", `Array.from({ length: 20 }, (_, j) => i + j + 0.5)`],
  ["sparse arrays", `s(i)`, `const s = (i) => { const a = []; a[100000 + i] = i; return a }`],
  ["closures of one variable", `() => i`],
  ["closures of many variables", `f(i, i, i, i, i, i)`, `const f = (a, b, c, d, e, f) => () => a + b + c + d + e + f`],
  ["functions that construct", `function () { return i }`],
  ["methods", `({ m() { return i } }).m`],
  ["classes", `class { m() { return i } }`],
  ["bound functions", `f.bind(null, i)`, `function f() {}`],
  ["generators", `g(i)`, `function* g(a) { yield a }`],
  [
    "generators that were begun",
    `b(i)`,
    `function* g(a) { let b = a; yield a; yield b } const b = (i) => { const it = g(i); it.next(); return it }`,
  ],
  [
    "async functions that wait",
    `f(i)`,
    `const p = new Promise(() => {}); const f = async (a) => { await p; return a }`,
  ],
  ["async generators", `g(i)`, `async function* g(a) { yield a }`],
  ["promises", `Promise.resolve(i)`],
  ["promises that wait", `new Promise(() => {})`],
  ["promises of then", `p.then(f)`, `const p = new Promise(() => {}), f = () => 1`],
  ["resolving functions", `r()`, `const r = () => { let k; new Promise((resolve) => { k = resolve }); return k }`],
  ["maps", `new Map()`],
  ["maps of one entry", `new Map([[i, i]])`],
  ["maps of ten entries", `new Map(e)`, `const e = Array.from({ length: 10 }, (_, i) => [i, i])`],
  ["maps of 100 entries", `new Map(e)`, `const e = Array.from({ length: 100 }, (_, i) => [i, i])`],
  ["sets of one member", `new Set([i])`],
  ["sets of ten members", `new Set(e)`, `const e = Array.from({ length: 10 }, (_, i) => i)`],
  ["sets of 100 members", `new Set(e)`, `const e = Array.from({ length: 100 }, (_, i) => i)`],
  ["weak maps", `new WeakMap()`],
  ["weak maps of ten entries", `new WeakMap(e)`, `const e = Array.from({ length: 10 }, (_, i) => [{}, i])`],
  ["iterators of arrays", `a.values()`, `const a = [1, 2, 3]`],
  ["iterators of maps", `m.entries()`, `const m = new Map()`],
  ["iterator helpers", `a.values().map(f)`, `const a = [1, 2, 3], f = (x) => x`],
  ["proxies", `new Proxy(o, h)`, `const o = {}, h = {}`],
  ["dates", `new Date(i)`],
  ["errors", `new Error("e")`],
  ["patterns", `/a(b)c/g`],
  ["matches", `/a(b)c/.exec("abc")`],
  ["boxed numbers", `Object(i)`],
  ["arguments", `f(i, i)`, `function f() { return arguments }`],
  ["buffers of 8 bytes", `new ArrayBuffer(8)`],
  ["buffers of 1000 bytes", `new ArrayBuffer(1000)`],
  ["arrays of 8 bytes", `new Uint8Array(8)`],
  ["arrays of 1000 bytes", `new Uint8Array(1000)`],
  ["views of one buffer", `new Uint8Array(b, 0, 8)`, `const b = new ArrayBuffer(8)`],
  ["data views", `new DataView(b)`, `const b = new ArrayBuffer(8)`],
  ["addresses", `new URL("http://a.b/c?d=e")`],
  ["parameters of addresses", `new URLSearchParams("a=1&b=2")`],
  ["formatters of numbers", `new Intl.NumberFormat("en")`],
  ["segmenters", `new Intl.Segmenter("en")`],
  ["parsed JSON", `JSON.parse('{"a":1,"b":[1,2,{"c":"text"}]}')`],
  ["clones", `structuredClone(o)`, `const o = { a: 1, b: [1, 2, { c: "text" }] }`],
]

const limits = { ...Limits.defaults, fuel: Infinity, memory: 4 * 2 ** 30 }

const heapNow = async (): Promise<number> => {
  // What is beside the heap is given back later than what it belonged to.
  for (let i = 0; i < 2; i++) {
    globalThis.gc!()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  const { external_memory, used_heap_size } = getHeapStatistics()
  return used_heap_size + external_memory
}

const host = {
  now: () => 0,
  monotonic: () => 0,
  elapsed: () => 0,
  random: () => 0.5,
  setAlarm: () => {},
  startCall: () => {},
}

/** What one value takes, in bytes of the host's heap, and what is counted for it. */
export interface Size {
  readonly name: string
  readonly host: number
  readonly counted: number
}

const sizeOf = async (name: string, expression: string, before: string, count: number): Promise<Size> => {
  const code = `${before}
const all = new Array(${count}).fill(0)
globalThis.make = () => { for (let i = 0; i < ${count}; i++) all[i] = (${expression}) }
for (let i = 0; i < 10; i++) void (${expression})
await null
setTimeout(make, 1)
await new Promise(() => {})`
  const run = makeRun(await new ProgramCache().load(code) as Program, { limits, host, tools: [] })
  const goOn = (): void => {
    while (run.advance(1_000_000) === "running");
  }
  goOn()
  const counted = run.machine.liveBytes()
  const taken = await heapNow()
  run.alarm()
  goOn()
  const countedAfter = run.machine.liveBytes()
  const takenAfter = await heapNow()
  return { name, host: (takenAfter - taken) / count, counted: (countedAfter - counted) / count }
}

const isNear = ({ counted, host }: Size): boolean => counted > host * 0.6 && counted < host * 1.6

/** Makes so many values of each kind, and gives what one takes. */
export const sizes = async (count: number): Promise<ReadonlyArray<Size>> => {
  const all: Array<Size> = []
  for (const [name, expression, before = ""] of kinds) {
    let size = await sizeOf(name, expression, before, count)
    // What the host does beside it, now and then, weighs less the more values there are.
    for (let more = 4; more <= 16 && !isNear(size); more *= 4) {
      size = await sizeOf(name, expression, before, count * more)
    }
    all.push(size)
  }
  return all
}
