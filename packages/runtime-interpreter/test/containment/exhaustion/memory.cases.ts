import { type Exhaustion, group } from "./case.ts"

/** A program that keeps what an expression of `i` gives, for ever, and lets nothing stop it. */
const keep = (expression: string, before = ""): string =>
  `${before}\nconst all = []\nfor (let i = 0;; i++) { try { all.push(${expression}) } catch (e) { if (all.length < i) throw e } }`

const stepsOrMemory = ["LIMIT_EXCEEDED", "EXECUTION_BUDGET_EXCEEDED"] as const

const texts = group("Memory by texts", "LIMIT_EXCEEDED", [
  ["long texts", keep(`"x".repeat(1 << 16) + i`)],
  ["texts of two bytes", keep(`"\\u0416".repeat(1 << 16) + i`)],
  ["texts that grow at their end", `let s = "", all = []; for (;;) all.push(s += "0123456789abcdef")`],
  ["texts that grow at both ends", `let s = "", all = []; for (;;) all.push(s = "<" + s + ">")`],
  [
    "texts in pieces that share pieces",
    `let s = "ab", all = []; for (let i = 0;; i++) { s = s + s + i; if (s.length > 1e6) s = "ab" + i; all.push(s) }`,
  ],
  [
    "slices that keep the whole alive",
    keep(`("y".repeat(1 << 18) + i).slice(0, 20)`),
    "EXECUTION_BUDGET_EXCEEDED",
    "A slice keeps its own characters alive and no others.",
  ],
  ["padding", keep(`String(i).padStart(1 << 16, "ab")`)],
  ["joining with a long separator", keep(`[i, i, i, i].join(sep)`, `const sep = "-".repeat(1 << 15)`)],
  [
    "what replaces is longer",
    keep(`("a".repeat(1 << 10) + i).replaceAll("a", "$&$&$&$&$&$&$&$&")`),
    stepsOrMemory,
    "What is written takes its steps.",
  ],
  ["templates", keep("`${big}${i}${big}`", `const big = "t".repeat(1 << 15)`)],
  [
    "escapes of addresses",
    keep(`encodeURIComponent("\\u20ac".repeat(1 << 12)) + i`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  ["base64", keep(`btoa("x".repeat(1 << 15) + i)`), stepsOrMemory, "What is made takes its steps, too."],
  [
    "upper case",
    keep(`("\\u00df".repeat(1 << 14) + i).toUpperCase()`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  [
    "decomposed characters",
    keep(`("\\u1e69".repeat(1 << 12) + i).normalize("NFD")`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  ["numbers as texts", keep(`i.toString(2).padEnd(64, "0") + String(i / 7)`)],
  ["texts of one character each", keep(`("z".repeat(1 << 12) + i).split("")`)],
  [
    "equal texts in a list",
    keep(`"x".repeat(1000)`),
    stepsOrMemory,
    "Equal texts become one.",
  ],
  [
    "equal texts as values of a map",
    `const m = new Map(); for (let i = 0;; i++) m.set(i, "x".repeat(1000))`,
    stepsOrMemory,
    "Equal texts become one.",
  ],
  [
    "equal texts in variables of closures",
    keep(`((t) => () => t)("x".repeat(1000))`),
    stepsOrMemory,
    "Equal texts become one.",
  ],
  ["equal texts as keys of maps", keep(`new Map([["x".repeat(10000), i]])`)],
  ["equal texts as descriptions of symbols", keep(`Symbol("x".repeat(10000))`)],
])

const lists = group("Memory by arrays", "LIMIT_EXCEEDED", [
  ["an array of numbers", `const a = []; for (let i = 0;; i++) a.push(i, i, i, i, i, i, i, i)`],
  ["an array of fractions", `const a = []; for (let i = 0;; i++) a[i] = i + 0.5`],
  ["an array that is doubled", `let a = [1]; for (;;) a = a.concat(a)`],
  ["an array that is spread into itself", `let a = [1]; for (;;) a = [...a, ...a]`],
  ["an array that is pushed into itself", `const a = [1]; for (;;) a.push(...a)`],
  ["filled arrays", keep(`new Array(1 << 14).fill(i)`)],
  [
    "arrays made of a length",
    keep(`Array.from({ length: 1 << 12 }, (_, j) => j)`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  ["one array of a thousand million elements", `const a = new Array(1e9).fill(0); return a.length`],
  [
    "one array of an iterator without end",
    `const ones = { *[Symbol.iterator]() { for (;;) yield 1 } }; return [...ones].length`,
    stepsOrMemory,
    "What makes the values takes its steps.",
  ],
  [
    "a rest of an iterator without end",
    `const ones = { *[Symbol.iterator]() { for (;;) yield 1 } }; const [...rest] = ones; return rest.length`,
    stepsOrMemory,
    "What makes the values takes its steps.",
  ],
  ["sparse arrays", `const a = []; for (let i = 0;; i++) a[i * 1000] = i`],
  ["sparse arrays from the end", `const a = []; for (let i = 4294967290;; i -= 7) a[i] = i`],
  ["arrays in arrays", `let a = []; for (;;) a = [a]`],
  ["arrays that are flattened", `let a = [1]; for (;;) a = [a, a].flat()`],
  ["copies with one change", keep(`a.with(0, i)`, `const a = new Array(1 << 12).fill(1)`)],
  ["slices", keep(`a.slice()`, `const a = new Array(1 << 12).fill(1)`)],
  ["entries of arrays", keep(`[...a.entries()]`, `const a = new Array(1 << 9).fill(1)`)],
  ["arrays with a long length of holes", keep(`Object.assign([], { length: 4294967295, [i]: i })`)],
  ["an array read from a text", keep(`JSON.parse(text)`, `const text = "[" + "1,".repeat(1 << 12) + "2]"`)],
])

const objects = group("Memory by objects", "LIMIT_EXCEEDED", [
  ["small objects", keep(`({ a: i, b: { c: i } })`)],
  ["a chain of objects", `let o = null; for (;;) o = { next: o }`],
  ["one object of many keys", `const o = {}; for (let i = 0;; i++) o["key" + i] = i`],
  ["one object of many indices", `const o = {}; for (let i = 0;; i++) o[i * 3] = i`],
  ["one object of many symbols", `const o = {}; for (let i = 0;; i++) o[Symbol(i)] = i`],
  ["objects of keys of their own", keep(`({ ["k" + i]: 1, ["l" + i]: 2 })`)],
  ["long keys", `const o = {}; for (let i = 0;; i++) o["k".repeat(1 << 12) + i] = i`],
  [
    "keys that come and go",
    `const o = {}; for (let i = 0;; i++) { o["k" + i] = i; if (i % 2) delete o["k" + (i >> 1)] }`,
  ],
  ["accessors", keep(`Object.defineProperty({}, "x", { get: () => i, set: (v) => v })`)],
  ["objects without prototype", keep(`Object.assign(Object.create(null), { i })`)],
  ["objects that are prototypes", `let o = {}; for (;;) o = Object.create(o)`],
  ["frozen objects", keep(`Object.freeze({ i, list: Object.freeze([i]) })`)],
  [
    "copies of objects",
    keep(`({ ...o, i })`, `const o = Object.fromEntries(Array.from({ length: 200 }, (_, j) => ["k" + j, j]))`),
  ],
  ["clones", keep(`structuredClone(o)`, `const o = Array.from({ length: 100 }, (_, j) => ({ j, text: "t" + j }))`)],
  ["descriptors", keep(`Object.getOwnPropertyDescriptors(o)`, `const o = { a: 1, b: 2, c: 3 }`)],
  ["globals", `for (let i = 0;; i++) globalThis["g" + i] = [i]`],
  ["properties of intrinsics", `for (let i = 0;; i++) Math["m" + i] = Object.prototype["p" + i] = i`],
  [
    "groups",
    `let n = 0; const items = Array.from({ length: 1000 }, (_, i) => i); const all = []; for (;;) all.push(Object.groupBy(items, (i) => i + n++))`,
  ],
  [
    "entries",
    keep(`Object.entries(o)`, `const o = Object.fromEntries(Array.from({ length: 200 }, (_, j) => ["k" + j, j]))`),
  ],
  ["boxed primitives", keep(`Object(i)`)],
  ["dates", keep(`new Date(i)`)],
  ["errors", keep(`new Error("e" + i)`)],
  ["errors that are each other's cause", `let e; for (;;) e = new Error("x", { cause: e })`],
  ["errors of errors", `let e = []; for (;;) e = [new AggregateError(e, "all")]`],
  ["errors of long messages", keep(`new TypeError("m".repeat(1 << 12) + i)`)],
  ["classes", keep(`class { static s = [i]; f = i; #p = i; m() {} get g() { return i } static { this.t = {} } }`)],
  ["instances with private fields", keep(`new C(i)`, `class C { #a; #b = {}; constructor(a) { this.#a = a } }`)],
  ["arguments", keep(`f(i, i, i, i)`, `function f() { return arguments }`)],
  ["text buffers of addresses", keep(`new URL("http://a.b/?" + "q".repeat(1 << 10) + i)`)],
  [
    "parameters of an address",
    `const p = new URLSearchParams(); for (let i = 0;; i++) p.append("k" + i, "v".repeat(100))`,
  ],
  ["things to dispose of", `const s = new DisposableStack(); for (let i = 0;; i++) s.defer(() => i)`],
])

// What the host keeps for a run beside the program's data holds on to no texts of the program's.
const held = ([
  ["long keys of objects that are dropped", `for (let i = 0;; i++) ({ ["\\u20ac".repeat(1 << 22) + i]: 1 })`],
  [
    "long symbols as keys of objects that are dropped",
    `for (let i = 0;; i++) ({ [Symbol("\\u20ac".repeat(1 << 22) + i)]: 1 })`,
  ],
  [
    "long keys of JSON that is dropped",
    `for (let i = 0;; i++) JSON.parse('{"' + "\\u20ac".repeat(1 << 22) + i + '":1}')`,
  ],
  [
    "short keys of JSON that are a part of it",
    `const end = " ".repeat(1 << 22) + "}"; for (let i = 0;; i++) JSON.parse('{"a key of more than thirteen units ' + i + '":1' + end)`,
  ],
  [
    "beginnings of long texts as labels of counts and timers",
    `const rest = "x".repeat(1 << 22); for (let i = 0; i < 150; i++) { console.count(i + rest); console.time(i + rest) } return "ok"`,
  ],
  [
    "parts of long texts in logs",
    `const rest = "x".repeat(1 << 22); for (let i = 0; i < 150; i++) console.log(\`line \${i}\`.padEnd(100) + (i + rest).slice(0, 100)); return "ok"`,
  ],
  [
    "messages of errors about long texts",
    `const rest = "x".repeat(1 << 22), all = []; for (let i = 0; i < 80; i++) { const t = i + rest; t.charCodeAt(1); for (const f of [() => t(), () => null[t], () => ({})[t](), () => new Map([t]), () => JSON.parse(t), () => Symbol(t) + 1, () => new RegExp("(" + t)]) try { f() } catch (error) { all.push(error.message.slice(0, 200)) } } return "ok"`,
  ],
] as const).map(([name, code]): Exhaustion => ({
  name,
  tries: "Memory that the host holds on to",
  code,
  expect: ["ok", "EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
  why: "What is seen is the host's heap. Where a run has little memory, one such text is more than that.",
}))

const collections = group("Memory by collections", "LIMIT_EXCEEDED", [
  [
    "arrays that come and go as keys of a large map",
    `const m = new Map(Array.from({ length: 5000 }, (_, i) => [i, i]))
for (let i = 0; i < 300; i++) { const key = new Array(5000).fill(i); m.set(key, i); m.delete(key) }
return "ok"`,
    "ok",
  ],
  ["a map of numbers", `const m = new Map(); for (let i = 0;; i++) m.set(i, i)`],
  ["a map of objects", `const m = new Map(); for (let i = 0;; i++) m.set({}, [i])`],
  ["a map of texts", `const m = new Map(); for (let i = 0;; i++) m.set("key " + i, "value " + i)`],
  ["a map of maps", `let m = new Map(); for (;;) m = new Map([[m, m]])`],
  ["many empty maps", keep(`new Map()`)],
  ["a set of numbers", `const s = new Set(); for (let i = 0.5;; i++) s.add(i)`],
  ["a set of long texts", `const s = new Set(); for (let i = 0;; i++) s.add("t".repeat(1 << 10) + i)`],
  ["unions of sets", `let s = new Set([0]); for (let i = 1;; i++) s = s.union(new Set([i, -i, i + 0.5]))`, [
    "LIMIT_EXCEEDED",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "Each union copies all that is there, which takes its steps."],
  ["a map that grows while it is looped over", `const m = new Map([[0, 0]]); for (const [i] of m) m.set(i + 1, i)`],
  ["a set that grows while it is looped over", `const s = new Set([0]); s.forEach((i) => s.add(i + 1))`],
  [
    "a weak map whose keys are kept",
    `const w = new WeakMap(), keys = []; for (;;) { const k = {}; keys.push(k); w.set(k, [k, [k]]) }`,
  ],
  [
    "weak maps of one key",
    `const k = {}, all = []; for (;;) { const w = new WeakMap([[k, new Array(100).fill(1)]]); all.push(w) }`,
  ],
  [
    "weak maps in a ring",
    `let w = new WeakMap(), first = w; const keys = []; for (;;) { const next = new WeakMap(); keys.push(w); first.set(w, next); w = next }`,
  ],
  [
    "a weak set whose members are kept",
    `const w = new WeakSet(), keys = []; for (;;) { const k = {}; keys.push(k); w.add(k) }`,
  ],
  ...([
    ["a weak map of keys that nothing keeps", `const w = new WeakMap(); for (let i = 0;; i++) w.set({ i }, [i])`],
    ["a weak map whose values keep their keys", `const w = new WeakMap(); for (;;) { const k = {}; w.set(k, [k]) }`],
    ["a weak set of members that nothing keeps", `const w = new WeakSet(); for (let i = 0;; i++) w.add({ i })`],
    [
      "a weak map of dead keys, filled from a callback",
      `const w = new WeakMap(); [0].forEach(() => { for (let i = 0;; i++) w.set({ i }, [i]) })`,
    ],
    [
      "a chain of weak keys that nothing keeps",
      `const w = new WeakMap(); for (;;) { let k = {}; for (let i = 0; i < 1000; i++) { const next = {}; w.set(k, next); k = next } }`,
    ],
  ] as const).map(([name, code]) =>
    [name, code, "EXECUTION_BUDGET_EXCEEDED", "What a key holds that nothing leads to is garbage."] as const
  ),
  [
    "a weak map of dead keys, filled where a built-in may keep them",
    `const w = new WeakMap(); Array.from([0], () => { for (let i = 0;; i++) w.set({ i }, [i]) })`,
    stepsOrMemory,
    "What the host keeps for a built-in at work cannot be seen, so that nothing counts as dead.",
  ],
  [
    "a map of an iterator without end",
    `function* pairs() { for (let i = 0;; i++) yield [i, i] } return new Map(pairs()).size`,
  ],
  ["a set of an iterator without end", `function* all() { for (let i = 0;; i++) yield i } return new Set(all()).size`],
  [
    "an object of entries without end",
    `function* pairs() { for (let i = 0;; i++) yield ["k" + i, i] } return Object.fromEntries(pairs())`,
  ],
  ["symbols", keep(`Symbol("s" + i)`)],
  ["symbols of the registry", `for (let i = 0;; i++) Symbol.for("s" + i)`],
  ["bigints of a thousand bits", keep(`(1n << 1000n) + BigInt(i)`)],
  ["bigints of a million bits", keep(`(1n << 1000000n) + BigInt(i)`)],
  ["small bigints", keep(`BigInt(i) + 2n ** 70n`)],
])

const buffers = group("Memory by buffers", "LIMIT_EXCEEDED", [
  ["buffers", keep(`new ArrayBuffer(1 << 16)`)],
  ["arrays of bytes", keep(`new Uint8Array(1 << 14)`)],
  ["arrays of numbers", keep(`new Float64Array(1 << 12)`)],
  ["arrays of bigints", keep(`BigInt64Array.from([1n, 2n, 3n])`)],
  ["many tiny arrays", keep(`new Uint8Array(1)`)],
  ["views of one buffer", keep(`new Uint8Array(b, i % 8, 1)`, `const b = new ArrayBuffer(8)`)],
  ["data views", keep(`new DataView(new ArrayBuffer(8))`)],
  ["one buffer of two gigabytes", `return new ArrayBuffer(2 ** 31).byteLength`, "EXECUTION_ERROR"],
  ["one array of two gigabytes", `return new Float64Array(2 ** 28).length`, "EXECUTION_ERROR"],
  [
    "one buffer that may become two gigabytes",
    `const b = new ArrayBuffer(0, { maxByteLength: 2 ** 31 }); b.resize(2 ** 31 - 8); return b.byteLength`,
    "EXECUTION_ERROR",
  ],
  [
    "buffers that grow",
    `const all = []; for (let i = 0;; i++) { const b = new ArrayBuffer(8, { maxByteLength: 1 << 16 }); b.resize(1 << 16); all.push(b) }`,
  ],
  ["buffers that are handed over", `let b = new ArrayBuffer(8); for (let n = 8;; n *= 2) b = b.transfer(n)`],
  [
    "bytes of texts",
    keep(`new TextEncoder().encode("\\u20ac".repeat(1 << 12))`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  [
    "texts of bytes",
    keep(`new TextDecoder().decode(bytes) + i`, `const bytes = new Uint8Array(1 << 14).fill(65)`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  [
    "bytes of base64",
    keep(`Uint8Array.fromBase64?.(text) ?? new Uint8Array(1 << 12)`, `const text = btoa("x".repeat(1 << 12))`),
  ],
  [
    "mapped arrays of bytes",
    keep(`bytes.map((x) => x + 1)`, `const bytes = new Uint8Array(1 << 9)`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
])

const variables = Array.from({ length: 3000 }, (_, i) => `v${i}`).join()

const functions = group("Memory by functions and what waits", "LIMIT_EXCEEDED", [
  ["closures", keep(`() => i`)],
  ["closures that hold closures", `let f = () => 0; for (;;) { const g = f; f = () => g }`],
  ["closures of many variables", keep(`((a, b, c, d, e, f) => () => [a, b, c, d, e, f])(i, i, i, i, i, i)`)],
  ["closures of thousands of variables", keep(`() => [${variables}]`, `let ${variables}`)],
  ["getters of thousands of variables", keep(`({ get x() { return [${variables}] } })`, `let ${variables}`)],
  ["classes of thousands of variables", keep(`class { m() { return [${variables}] } }`, `let ${variables}`)],
  ["bound functions", keep(`f.bind(null, i, i, i)`, `function f() {}`)],
  ["functions that are bound again and again", `let f = () => 0; for (;;) f = f.bind(null, 1)`],
  [
    "bound functions of many arguments",
    keep(`f.bind(null, ...args)`, `function f() {} const args = new Array(1000).fill(1)`),
  ],
  ["proxies", keep(`new Proxy({}, {})`)],
  ["proxies of proxies", `let p = {}; for (;;) p = new Proxy(p, {})`],
  [
    "generators that were begun",
    `function* g(a) { let b = [a]; yield a; yield b } const all = []; for (let i = 0;; i++) { const it = g(i); it.next(); all.push(it) }`,
  ],
  [
    "generators in generators",
    `function* g(inner) { if (inner) yield* inner; yield 1 } let it = null; for (;;) it = g(it)`,
  ],
  [
    "frames of many variables",
    `function f(n) { ${
      Array.from({ length: 400 }, (_, i) => `let v${i} = n + ${i}.5`).join("; ")
    }; return n > 0 ? f(n - 1) + ${
      Array.from({ length: 400 }, (_, i) => `v${i}`).join(" + ")
    } : 0 } const all = []; for (;;) all.push((function* () { yield f(9000) })().next())`,
  ],
  ["iterator helpers on helpers", `let it = [1].values(); for (;;) it = it.map((x) => x)`],
  ["promises", keep(`new Promise(() => {})`)],
  ["reactions of one promise", `const p = new Promise(() => {}); for (let i = 0;; i++) p.then(() => i)`],
  ["a chain of promises", `const first = new Promise(() => {}); let p = first; for (;;) p = p.then((x) => x)`],
  [
    "promises of lists",
    `const p = new Promise(() => {}); const all = []; for (;;) all.push(Promise.all([p, p, p, p]))`,
  ],
  ["races that nobody wins", `const p = new Promise(() => {}); for (;;) Promise.race([p, p])`],
  ["rejections that nobody handles", `for (let i = 0;; i++) Promise.reject(new Error("r" + i))`],
  [
    "async functions that wait",
    `const p = new Promise(() => {}); const f = async (i) => { const a = [i]; await p; return a }; for (let i = 0;; i++) f(i)`,
  ],
  [
    "async generators that wait",
    `const p = new Promise(() => {}); for (let i = 0;; i++) (async function* () { await p; yield i })().next()`,
  ],
  [
    "requests of an async generator",
    `const g = (async function* () { await new Promise(() => {}) })(); for (;;) g.next([1])`,
  ],
  [
    "jobs that make two jobs each",
    `const f = () => { queueMicrotask(f); queueMicrotask(f) }; f(); await new Promise(() => {})`,
  ],
  [
    "promises that are told apart by then",
    `const f = () => Promise.resolve().then(f, f).then(f, f); for (;;) { f(); f(); await null }`,
  ],
  ["timers", `for (let i = 0;; i++) setTimeout(() => i, 1e6)`],
  ["timers with arguments", `for (let i = 0;; i++) setTimeout(console.log, 1e6, [i], { i }, "a" + i)`],
  ["intervals", `for (let i = 0;; i++) setInterval(() => i, 1e6)`],
  ["patterns", keep(`new RegExp("a" + i + "(b|c)*")`), stepsOrMemory, "What is made takes its steps, too."],
  [
    "patterns of classes",
    keep(`new RegExp("[\\\\p{L}--[a-z]]" + i, "v")`),
    stepsOrMemory,
    "What is made takes its steps, too.",
  ],
  ["long patterns", keep(`new RegExp("a".repeat(1 << 10) + i)`), stepsOrMemory, "Reading a pattern takes its steps."],
  ["matches with indices", keep(`/(a)(?<n>b)(c)/d.exec("abc")`)],
  [
    "all matches of a text",
    `const text = "ab".repeat(1 << 15); const all = []; for (;;) all.push([...text.matchAll(/(a)(b)/g)])`,
  ],
  [
    "formatters of numbers",
    keep(`new Intl.NumberFormat("en", { minimumFractionDigits: i % 20 })`),
    stepsOrMemory,
    "Making a formatter takes many steps.",
  ],
  ["formatters of dates", keep(`new Intl.DateTimeFormat("de", { month: "long" })`)],
  ["collators", keep(`new Intl.Collator("sv")`)],
  ["segments of texts", keep(`new Intl.Segmenter("en", { granularity: "word" }).segment("some words " + i)`)],
  ["labels of timers and counts", `for (let i = 0;; i++) { console.count("label " + i); console.time("label " + i) }`, [
    "LIMIT_EXCEEDED",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "Each count is a line of log, which takes its steps."],
])

const crossing = group("Memory by what enters and leaves", "LIMIT_EXCEEDED", [
  [
    "one result that is read as a whole again and again",
    `const all = []; for (;;) all.push(JSON.parse(JSON.stringify(await tools.rows({ count: 1000 }))))`,
  ],
  [
    "inputs of calls that do not end",
    `const text = "i".repeat(1 << 20); for (let i = 0; i < 1000; i++) tools.never({ text: text + i })\nawait new Promise(() => {})`,
    ["LIMIT_EXCEEDED", "TIMEOUT"],
    "Texts that share their pieces take little.",
  ],
  [
    "lists that calls wait with",
    `for (let i = 0; i < 1000; i++) tools.never({ list: new Array(20000).fill(i + 0.5) })\nawait new Promise(() => {})`,
  ],
  ["results of calls", `const all = []; for (;;) all.push(await tools.rows({ count: 2000 }))`],
  [
    "results of calls at once",
    `await Promise.all(Array.from({ length: 500 }, () => tools.rows({ count: 2000 }))); return "ok"`,
  ],
  [
    "a result that was read in part",
    `const all = []; for (;;) { const rows = await tools.rows({ count: 1000 }); all.push(rows); rows[5].name }`,
  ],
  ["one result that is too large", `return (await tools.rows({ count: 1000000 })).length`, [
    "LIMIT_EXCEEDED",
    "INVALID_DATA",
  ], "A result that is larger than all memory is refused before it is made the program's."],
  [
    "one result of many keys",
    `const o = await tools.keyed({}); return Object.keys(o).length === 300000 ? "ok" : "lost some"`,
    ["ok", "LIMIT_EXCEEDED", "INVALID_DATA"],
    "It fits into the memory that a run has by default.",
  ],
  [
    "a value that holds a value twice that holds a value twice",
    `let o = ["x"]; for (let i = 0; i < 60; i++) o = [o, o]; return o`,
    "INVALID_DATA",
  ],
  [
    "an input of the same kind",
    `let o = ["x"]; for (let i = 0; i < 60; i++) o = { a: o, b: o }; return await tools.echo(o)`,
    "INVALID_DATA",
  ],
  ["the same as text", `let o = ["x"]; for (let i = 0; i < 60; i++) o = [o, o]; return JSON.stringify(o)`, [
    "EXECUTION_ERROR",
    "LIMIT_EXCEEDED",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "What ends it first: the longest text, the memory of its pieces or the steps to write it."],
  [
    "a clone of the same kind",
    `let o = [[]]; for (let i = 0; i < 24; i++) o = [o, o.slice()]; const all = []; for (;;) all.push(structuredClone(o))`,
  ],
  [
    "a result of many long texts",
    `const text = "r".repeat(1 << 20); return Array.from({ length: 1 << 12 }, () => text)`,
    ["INVALID_DATA", "LIMIT_EXCEEDED"],
    "A value larger than all memory cannot leave.",
  ],
  [
    "a result that its own toJSON makes larger",
    `const o = { toJSON() { return [o2, o2] } }, o2 = { toJSON() { return [o, o] } }; return o`,
    "INVALID_DATA",
  ],
])

export const memory: ReadonlyArray<Exhaustion> = [
  ...texts,
  ...lists,
  ...objects,
  ...held,
  ...collections,
  ...buffers,
  ...functions,
  ...crossing,
]
