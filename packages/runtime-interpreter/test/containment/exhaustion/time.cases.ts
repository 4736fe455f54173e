import { type Exhaustion, group } from "./case.ts"

/** Does something for ever, and lets nothing stop it. */
const again = (statement: string, before = ""): string =>
  `${before}\nfor (;;) { try { for (;;) { ${statement} } } catch {} finally { 1 } }`

/** So many names of variables. */
const names = (count: number): string => Array.from({ length: count }, (_, i) => `v${i}`).join()

/** What ends a built-in that goes on and on: its own time, which is real, or the steps. */
const endsInside = ["EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"] as const
const inside =
  "What a built-in calls without a way to stop in between ends when its own time is over, which may come before the steps are used up."

const loops = group("Time by loops", "EXECUTION_BUDGET_EXCEEDED", [
  ["an empty loop", `for (;;) {}`],
  ["a loop in finally", `try { for (;;) {} } finally { for (;;) {} }`],
  ["a loop that catches", `for (;;) { try { throw 1 } catch { continue } finally { continue } }`],
  ["a loop of labels", `a: for (;;) { b: for (;;) { continue a } }`],
  ["a function that returns in finally", `const f = () => { for (;;) { try { return 1 } finally { continue } } }; f()`],
  ["calls that double with each level", `const f = (n) => { if (n > 0) { f(n - 1); f(n - 1) } }; f(60)`],
  [
    "recursion that catches the end of the stack twice",
    `const f = () => { try { f() } catch {} try { f() } catch {} }; f()`,
  ],
  ["recursion in finally", `const f = () => { try { f() } finally { f() } }; for (;;) try { f() } catch {}`],
  ["a switch of computed cases", again(`switch (1) { case f(): case f(): default: f() }`, `const f = () => 0`)],
  ["a static block", `class C { static { for (;;) {} } }`],
  ["a default of a parameter", `const f = (a = (() => { for (;;) {} })()) => a; f()`],
  ["a computed key", `return { [(() => { for (;;) {} })()]: 1 }`],
  ["a getter", `const o = { get x() { return this.x2 }, get x2() { for (;;) {} } }; return o.x`],
  ["a tag of a template", again("tag`a${1}b${2}`", `const tag = (...a) => a.length`)],
  ["new objects that are dropped", again(`({ a: [1, 2, 3], b: () => 1, c: new Map([[1, 2]]) })`)],
])

const iteration = group("Time by iterators that do not end", "EXECUTION_BUDGET_EXCEEDED", [
  [
    "for of",
    `const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1, done: false }) }) }; for (const x of it) x`,
  ],
  ["a built-in iterator in a circle", `function* g() { for (;;) yield* [1] } for (const x of g()) x`],
  ["dropping", `function* g() { for (;;) yield 1 } g().drop(Infinity).next()`],
  ["finding", `function* g() { for (;;) yield 1 } return g().find((x) => x > 1)`],
  ["reducing", `function* g() { for (;;) yield 1 } return g().reduce((a, b) => a + b)`],
  [
    "mapping and filtering",
    `function* g() { for (;;) yield 1 } return g().map((x) => x + 1).filter((x) => x > 2).next()`,
  ],
  ["mapping to nothing", `function* g() { for (;;) yield 1 } return g().flatMap(() => []).next()`],
  ["a weak set of nothing new", `const k = {}; function* g() { for (;;) yield k } return new WeakSet(g())`],
  ["a set of nothing new", `function* g() { for (;;) yield 1 } return new Set(g())`],
  ["a map of one key", `function* g() { const e = [1, 1]; for (;;) yield e } return new Map(g())`],
  [
    "closing that does not end",
    `const it = { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { for (;;) {} } }) }; const [a] = it; for (const x of it) break`,
  ],
  [
    "a generator that yields when it should return",
    `function* g() { for (;;) { try { yield 1 } finally { continue } } } const it = g(); it.next(); for (;;) it.return(1)`,
  ],
  [
    "the sum of it, precisely",
    `function* g() { for (;;) yield 0.1 } return Math.sumPrecise?.(g()) ?? (() => { for (;;) {} })()`,
  ],
  ["promises of it", `function* g() { for (;;) yield 1 } return await Promise.race(g())`, [
    "EXECUTION_BUDGET_EXCEEDED",
    "LIMIT_EXCEEDED",
  ], "Each member is a promise that is kept, and its reactions wait."],
  [
    "lists of its values, asynchronously",
    `async function* g() { for (;;) yield 1 } const list = await Array.fromAsync({ [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ value: 0, done: n++ < 0 }) } } }); return list.length`,
    ["EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
    "The list grows all the time.",
  ],
  ["for await", `async function* g() { for (;;) yield 1 } for await (const x of g()) x`],
])

const arrayLike = "{ length: 2 ** 53 - 1 }"
const long = group("Time by built-ins over lengths", "EXECUTION_BUDGET_EXCEEDED", [
  ["indexOf", `return [].indexOf.call(${arrayLike}, 1)`],
  ["lastIndexOf", `return [].lastIndexOf.call(${arrayLike}, 1)`],
  ["includes", `return [].includes.call(${arrayLike}, 1)`],
  ["forEach", `return [].forEach.call(${arrayLike}, () => 1)`],
  ["every", `return [].every.call(${arrayLike}, () => true)`],
  ["findLast", `return [].findLast.call(${arrayLike}, () => false)`],
  ["reverse", `return [].reverse.call(${arrayLike})`],
  [
    "fill",
    `return [].fill.call({ length: 2 ** 53 - 1, set 0(v) {} }, 1, 1, 2)  === 0 || [].fill.call(new Proxy({ length: 2 ** 53 - 1 }, { set: () => true, defineProperty: () => true }), 1)`,
    endsInside,
    inside,
  ],
  ["copyWithin", `return [].copyWithin.call(${arrayLike}, 0, 1)`],
  ["shift", `return [].shift.call(${arrayLike})`],
  ["unshift", `return [].unshift.call({ length: 2 ** 53 - 2 }, 1)`],
  ["splice", `return [].splice.call(${arrayLike}, 0, 1)`],
  ["join", `return [].join.call({ length: 4294967295 }, "")`],
  ["reduce", `return [].reduce.call(${arrayLike}, (a, b) => a, 0)`],
  ["sort of holes", `const a = new Array(4294967295); a.sort(); return a.length`],
  ["concat", `return [].concat.call([], { length: 2 ** 53 - 2, [Symbol.isConcatSpreadable]: true }).length`, [
    "EXECUTION_BUDGET_EXCEEDED",
    "EXECUTION_ERROR",
  ], "The result's length may be more than an array has."],
  ["holes of a long array", `const a = []; a.length = 4294967295; return a.indexOf(1)`],
  ["holes that are looped over", `const a = []; a.length = 4294967295; for (const x of a) x`],
  ["apply of a long list", `return Math.max.apply(null, { length: 2 ** 32 })`, [
    "EXECUTION_BUDGET_EXCEEDED",
    "EXECUTION_ERROR",
    "LIMIT_EXCEEDED",
  ], "A list of arguments may be refused for its length or its memory."],
  ["spread of a long list", again(`Math.max(...a)`, `const a = new Array(50000).fill(1)`)],
  ["apply again and again", again(`f.apply(null, a)`, `const a = new Array(50000).fill(1), f = (...r) => r.length`)],
  ["shifting a long array", again(`a.shift(); a.push(1)`, `const a = new Array(200000).fill(1)`)],
  ["unshifting a long array", again(`a.unshift(1); a.pop()`, `const a = new Array(200000).fill(1)`)],
  ["splicing a long array", again(`a.splice(1, 1); a.splice(100000, 0, 1)`, `const a = new Array(200000).fill(1)`)],
  [
    "shortening a sparse array",
    again(`a.length--; a.pop()`, `const a = []; for (let i = 0; i < 50000; i++) a[i * 1000 + 2 ** 25] = i`),
  ],
  [
    "shortening an array that cannot be",
    again(
      `Reflect.set(a, "length", 0)`,
      `const a = new Array(20000).fill(1); Object.defineProperty(a, 19000, { configurable: false })`,
    ),
  ],
  [
    "comparing long arrays as texts",
    again(`String(a) === String(b)`, `const a = new Array(50000).fill(1), b = a.slice()`),
  ],
])

const sorting = group("Time by sorting and copying", "EXECUTION_BUDGET_EXCEEDED", [
  [
    "numbers as texts",
    again(`a.slice().sort()`, `const a = Array.from({ length: 50000 }, (_, i) => (i * 7919) % 50000)`),
  ],
  [
    "texts alike at their beginning",
    again(
      `a.slice().sort()`,
      `const a = Array.from({ length: 2000 }, (_, i) => "x".repeat(2000) + ((i * 7919) % 2000))`,
    ),
  ],
  ["a comparator that loops", `return [3, 1, 2].sort(() => { for (;;) {} })`],
  [
    "a comparator without sense",
    again(`a.sort(() => Math.random() - 0.5)`, `const a = Array.from({ length: 5000 }, (_, i) => i)`),
  ],
  [
    "a comparator that sorts",
    `const a = [3, 1, 2]; const by = () => { a.slice().sort(by); return 0 }; for (;;) try { a.sort(by) } catch {}`,
  ],
  [
    "typed arrays",
    again(`t.slice().sort()`, `const t = Float64Array.from({ length: 50000 }, (_, i) => (i * 7919) % 50000)`),
  ],
  [
    "typed arrays with a comparator",
    again(`t.sort((x, y) => y - x)`, `const t = Int32Array.from({ length: 20000 }, (_, i) => (i * 7919) % 20000)`),
  ],
  ["elements that are made texts", `return [{ toString() { for (;;) {} } }, 1].sort()`, endsInside, inside],
  [
    "by language",
    again(
      `a.slice().sort((x, y) => x.localeCompare(y, "sv", { numeric: true }))`,
      `const a = Array.from({ length: 1000 }, (_, i) => "item " + ((i * 7919) % 1000))`,
    ),
  ],
  [
    "keys of a large object",
    again(`Object.keys(o)`, `const o = Object.fromEntries(Array.from({ length: 20000 }, (_, i) => ["k" + i, i]))`),
  ],
  [
    "a spread of a large object",
    again(`({ ...o })`, `const o = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ["k" + i, i]))`),
  ],
  [
    "a loop over keys",
    again(
      `for (const k in o) k`,
      `const o = Object.fromEntries(Array.from({ length: 20000 }, (_, i) => ["k" + i, i]))`,
    ),
  ],
  [
    "freezing a large object",
    again(
      `Object.freeze({ ...o }); Object.isFrozen(o)`,
      `const o = Object.fromEntries(Array.from({ length: 20000 }, (_, i) => ["k" + i, i]))`,
    ),
  ],
  [
    "clones of a large object",
    again(`structuredClone(o)`, `const o = Array.from({ length: 20000 }, (_, i) => ({ i }))`),
  ],
  [
    "filling buffers",
    again(`t.fill(7); t.copyWithin(1, 0); t.set(t.subarray(1)); t.reverse()`, `const t = new Uint8Array(1 << 20)`),
  ],
  [
    "looking for bytes",
    again(`t.indexOf(9); t.includes(9); t.lastIndexOf(9); t.join().length`, `const t = new Uint8Array(1 << 18)`),
  ],
  [
    "differences of sets",
    again(
      `a.difference(b); a.isSubsetOf(b); a.intersection(b)`,
      `const a = new Set(Array.from({ length: 20000 }, (_, i) => i)), b = new Set(a)`,
    ),
  ],
  [
    "clearing maps",
    again(
      `const m = new Map(e); m.forEach((v, k) => m.delete(k))`,
      `const e = Array.from({ length: 5000 }, (_, i) => [i, i])`,
    ),
  ],
  [
    "a queue in a map",
    `const m = new Map(); for (let i = 0;; i++) { m.set(i, i); if (i > 5000) for (const [k] of m) { m.delete(k); break } }`,
  ],
  [
    "sorting the parameters of an address",
    again(
      `new URLSearchParams(t).sort()`,
      `const t = Array.from({ length: 5000 }, (_, i) => "k" + (i * 7919) % 5000 + "=1").join("&")`,
    ),
  ],
])

const texts = group("Time by texts", "EXECUTION_BUDGET_EXCEEDED", [
  [
    "looking for what almost is there",
    again(`t.indexOf(n)`, `const t = "a".repeat(1 << 20), n = "a".repeat(1 << 10) + "b"`),
  ],
  ["the same from the end", again(`t.lastIndexOf(n)`, `const t = "a".repeat(1 << 18), n = "b" + "a".repeat(1 << 9)`)],
  ["replacing nothing", again(`t.replaceAll("", "-").length`, `const t = "a".repeat(1 << 14)`)],
  ["splitting and joining", again(`t.split("").join("")`, `const t = "a".repeat(1 << 16)`)],
  ["characters one by one", again(`for (const c of t) c`, `const t = "\\u{1F600}".repeat(1 << 14)`)],
  [
    "comparing long texts",
    again(`s === t; s < t; s.localeCompare(t)`, `const s = "a".repeat(1 << 20) + "b", t = "a".repeat(1 << 20) + "c"`),
  ],
  [
    "comparing equal long texts",
    again(`s === t`, `const half = "a".repeat(1 << 19), s = half + "b" + half, t = half + "b" + half`),
  ],
  [
    "looking for a long text among others of its length",
    again(
      `list.includes(t); list.indexOf(t); list.lastIndexOf(t)`,
      `const a = "a".repeat(1 << 23), t = a + "b", list = new Array(1000).fill(a + "c")`,
    ),
  ],
  [
    "defining what is there already as a long text",
    again(
      `Reflect.defineProperty(o, "x", d); p.x; p.x = d.value`,
      `const a = "a".repeat(1 << 22), o = Object.freeze({ x: a + "b" }), d = { value: a + "b" }, p = new Proxy(o, { get: () => a + "b", set: () => true })`,
    ),
  ],
  [
    "switching on long texts",
    again(
      `switch (s) { case t: break; case u: break }`,
      `const half = "a".repeat(1 << 19), s = half + "bb" + half, t = half + "cb" + half, u = half + "bc" + half`,
    ),
  ],
  ["flattening again and again", again(`(t + i++).charCodeAt(3)`, `let i = 0; const t = "a".repeat(1 << 16)`)],
  ["long keys", again(`o[t + i++ % 10]`, `let i = 0; const o = {}, t = "k".repeat(1 << 20)`)],
  ["long keys of a map", again(`m.has(t + i++ % 10)`, `let i = 0; const m = new Map(), t = "k".repeat(1 << 20)`)],
  [
    "lower and upper case",
    again(`t.toUpperCase(); t.toLowerCase(); t.toLocaleUpperCase("tr")`, `const t = "aB\\u00df".repeat(1 << 14)`),
  ],
  ["normal forms", again(`t.normalize("NFKD").normalize("NFC")`, `const t = "\\u1e69\\ufb03".repeat(1 << 12)`)],
  ["marks in a row", again(`t.normalize("NFC")`, `const t = "a" + "\\u0323\\u0307".repeat(1 << 10)`), [
    "EXECUTION_BUDGET_EXCEEDED",
  ]],
  ["trimming", again(`t.trim(); t.trimEnd()`, `const t = " ".repeat(1 << 18) + "x" + " ".repeat(1 << 18)`)],
  ["padding", again(`"x".padStart(1 << 20, "ab").length`)],
  ["repeating", again(`"ab".repeat(1 << 20).length`)],
  [
    "building texts character by character",
    again(`let s = ""; for (let i = 0; i < 20000; i++) { s += "x"; s.length }`),
  ],
  ["walls of surrogates", again(`t.isWellFormed(); t.toWellFormed()`, `const t = "\\ud800".repeat(1 << 16)`)],
  ["escapes", again(`decodeURIComponent(encodeURIComponent(t)); escape(t)`, `const t = "\\u20ac".repeat(1 << 12)`)],
  ["raw templates", again(`String.raw({ raw: t }, ...t)`, `const t = "a".repeat(1 << 12)`)],
  ["codes to texts", again(`String.fromCharCode(...c)`, `const c = new Array(20000).fill(65)`)],
  [
    "numbers of millions of digits",
    again(`Number(t); parseFloat(t); parseInt(t, 36)`, `const t = "1".repeat(16000000)`),
  ],
  [
    "numbers of millions of digits in JSON",
    again(`JSON.parse(t); JSON.parse("0." + t); JSON.parse("1e" + t)`, `const t = "1".repeat(16000000)`),
  ],
  ["numbers from long texts", again(`Number(t); parseFloat(t); parseInt(t, 36)`, `const t = "1".repeat(1 << 16)`)],
  [
    "JSON to text",
    again(`JSON.stringify(o)`, `const o = Array.from({ length: 5000 }, (_, i) => ({ i, t: "text" + i }))`),
  ],
  [
    "JSON from text",
    again(`JSON.parse(t)`, `const t = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ i, t: "text" + i })))`),
  ],
  ["a reviver that loops", `return JSON.parse("[1]", () => { for (;;) {} })`],
  ["a replacer that grows what it is given", `return JSON.stringify({}, (k, v) => ({ a: v }))`, [
    "EXECUTION_BUDGET_EXCEEDED",
    "LIMIT_EXCEEDED",
    "EXECUTION_ERROR",
  ], "Nesting without end ends by steps, by memory or as a stack does."],
  ["a toJSON that loops", `return JSON.stringify({ toJSON() { for (;;) {} } })`],
  [
    "bytes to text and back",
    again(`new TextDecoder().decode(new TextEncoder().encode(t))`, `const t = "\\u20ac".repeat(1 << 14)`),
  ],
  ["base64", again(`atob(btoa(t))`, `const t = "x".repeat(1 << 16)`)],
  ["addresses", again(`new URL("http://a.b/" + t)`, `const t = "../a/".repeat(1 << 8)`)],
  ["a regular expression that goes back and back", `return /^(a+)+$/.test("a".repeat(40) + "b")`],
  ["a regular expression over a long text", again(`/(?:a|b)*c/.test(t)`, `const t = "ab".repeat(1 << 12)`)],
  ["replacing with a function", again(`t.replace(/a/g, () => "b")`, `const t = "a".repeat(1 << 12)`)],
  ["regular expressions that are made anew", again(`new RegExp("(" + "a|".repeat(200) + "b){2}" + i++)`, `let i = 0`)],
  [
    "counts in counts",
    `return new RegExp("((((a{1,100}){1,100}){1,100}){1,100}){1,100}").test("a".repeat(1000) + "b") ? "ok" : "no"`,
    ["EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED", "EXECUTION_ERROR", "ok"],
    "It may be refused as too large, or matched, which takes its steps.",
  ],
])

const numbers = group("Time by numbers and languages", "EXECUTION_BUDGET_EXCEEDED", [
  ["powers of bigints", again(`3n ** 100000n`)],
  ["products of bigints", again(`a * a`, `const a = (1n << 500000n) - 1n`)],
  ["quotients of bigints", again(`a / b; a % b`, `const a = (1n << 1000000n) - 1n, b = (1n << 500000n) - 3n`)],
  ["digits of bigints", again(`a.toString()`, `const a = (1n << 300000n) - 1n`)],
  ["bigints of digits", again(`BigInt(t)`, `const t = "7".repeat(100000)`)],
  ["shifts of bigints", again(`a << 1n; a >> 500000n; -a; ~a; a & -a`, `const a = (1n << 1000000n) - 1n`)],
  ["bits of bigints", again(`BigInt.asUintN(999999, -a); BigInt.asIntN(999999, a)`, `const a = (1n << 1000000n) - 1n`)],
  [
    "comparing bigints",
    again(`a === b; a < b; a == 1.5`, `const a = (1n << 1000000n) - 1n, b = (1n << 1000000n) - 2n`),
  ],
  [
    "equal bigints",
    again(`a === b; a == b; a !== b; Object.is(a, b)`, `const a = (1n << 1000000n) - 1n, b = (1n << 1000000n) - 1n`),
  ],
  [
    "switching on bigints",
    again(`switch (a) { case b: break; case a: break }`, `const a = (1n << 1000000n) - 1n, b = a - (1n << 999999n)`),
  ],
  [
    "looking for a bigint among others of its length",
    again(
      `list.includes(b); list.indexOf(b); list.lastIndexOf(b); list.values().includes?.(b)`,
      `const a = (1n << 1000000n) - 1n, b = a - (1n << 999990n), list = new Array(300).fill(a)`,
    ),
  ],
  [
    "bigints of one hash as keys",
    again(
      `m.has(a); s.has(a)`,
      `const a = (1n << 300000n) - 1n, m = new Map(), s = new Set(); for (let i = 0n; i < 200n; i++) { m.set(a - (1n << (299990n - i)), i); s.add(a - (1n << (299990n - i))) }`,
    ),
  ],
  ["Fibonacci in bigints", `let a = 0n, b = 1n; for (;;) { try { [a, b] = [b, a + b] } catch {} }`],
  [
    "numbers by language",
    again(`f.format(1234567.891)`, `const f = new Intl.NumberFormat("de", { style: "currency", currency: "EUR" })`),
  ],
  [
    "formatters made anew",
    again(
      `new Intl.NumberFormat(l[i++ % l.length], { minimumFractionDigits: i % 20 }).format(1.5)`,
      `let i = 0; const l = ["en", "de", "fr", "sv", "ar", "hi", "th", "ja"]`,
    ),
  ],
  [
    "numbers as texts of a language",
    again(
      `(1234.5).toLocaleString(l[i++ % l.length])`,
      `let i = 0; const l = ["en", "de", "fr", "sv", "ar", "hi", "th", "ja"]`,
    ),
  ],
  [
    "dates by language",
    again(
      `new Date(i++ * 1e9).toLocaleString("de", { timeZone: "Europe/Berlin", dateStyle: "full", timeStyle: "long" })`,
      `let i = 0`,
    ),
  ],
  [
    "parts of dates",
    again(`f.formatToParts(i++ * 1e9)`, `let i = 0; const f = new Intl.DateTimeFormat("ja", { dateStyle: "full" })`),
  ],
  [
    "dates of texts",
    again(
      `Date.parse("2020-01-01T00:00:00.000+01:00"); Date.parse("Thu, 01 Jan 1970 00:00:00 GMT"); Date.parse(t)`,
      `const t = "1 ".repeat(1000)`,
    ),
  ],
  [
    "long lists by language",
    again(`f.format(a)`, `const f = new Intl.ListFormat("en"), a = new Array(2000).fill("item")`),
  ],
  [
    "long texts by language",
    again(
      `c.compare(s, t)`,
      `const c = new Intl.Collator("sv"), s = "\\u00e5".repeat(1 << 14) + "a", t = "\\u00e5".repeat(1 << 14) + "b"`,
    ),
  ],
  [
    "a short text and long ones by language",
    again(
      `s.localeCompare(t); t.localeCompare(s); c.compare("", t)`,
      `const c = new Intl.Collator("de"), s = "length", t = "A\\u0130\\u00df".repeat(1 << 16)`,
    ),
  ],
  [
    "words of texts",
    again(
      `[...s.segment(t)].length`,
      `const s = new Intl.Segmenter("th", { granularity: "word" }), t = "\\u0e2a\\u0e27\\u0e31\\u0e2a\\u0e14\\u0e35".repeat(500)`,
    ),
  ],
  [
    "names of languages",
    again(
      `f.of("de-CH"); Intl.getCanonicalLocales("de-ch-x-a")`,
      `const f = new Intl.DisplayNames("fr", { type: "language" })`,
    ),
  ],
  ["random bytes", again(`crypto.getRandomValues(t)`, `const t = new Uint8Array(65536)`)],
  ["random names", again(`crypto.randomUUID()`)],
  ["numbers to many digits", again(`(1e21 / 7).toString(3); (1 / 7).toFixed(100); (1e300).toPrecision(100)`)],
])

const hidden = group("Time by what is called in secret", "EXECUTION_BUDGET_EXCEEDED", [
  [
    "a proxy that is asked for ever",
    again(
      `p.x; "y" in p; p.z = 1; Object.keys(p)`,
      `const p = new Proxy({}, { get: () => p, has: () => true, set: () => true, ownKeys: () => ["a"] })`,
    ),
  ],
  [
    "a trap that loops",
    `const p = new Proxy({}, { getOwnPropertyDescriptor() { for (;;) {} } }); return { ...p, a: Object.keys(p), b: p.hasOwnProperty("x") }`,
    endsInside,
    inside,
  ],
  [
    "a hundred thousand keys of a proxy",
    again(
      `Object.keys(p).length`,
      `const keys = Array.from({ length: 20000 }, (_, i) => "k" + i), p = new Proxy({}, { ownKeys: () => keys })`,
    ),
    endsInside,
    inside,
  ],
  ["valueOf that loops", `return 1 + { valueOf() { for (;;) {} } }`, endsInside, inside],
  ["toString that loops", `return [1, { toString() { for (;;) {} } }].join()`, endsInside, inside],
  [
    "toPrimitive that loops, in a template",
    "return `${{ [Symbol.toPrimitive]() { for (;;) {} } }}`",
    endsInside,
    inside,
  ],
  ["a key that is made for ever", `return {}[{ toString() { for (;;) {} } }]`, endsInside, inside],
  [
    "a length that is read for ever",
    `return [].map.call({ get length() { for (;;) {} } }, (x) => x)`,
    endsInside,
    inside,
  ],
  ["hasInstance that loops", `return 1 instanceof { [Symbol.hasInstance]() { for (;;) {} } }`, endsInside, inside],
  [
    "species that loops",
    `class A extends Array { static get [Symbol.species]() { for (;;) {} } } return new A(1, 2).map((x) => x)`,
    endsInside,
    inside,
  ],
  ["exec that loops", `const r = /a/; r.exec = () => { for (;;) {} }; return r.test("a")`, endsInside, inside],
  ["flags that loop", `return "a".replace({ [Symbol.replace]() { for (;;) {} } }, "b")`, endsInside, inside],
  ["options that loop", `return new Intl.NumberFormat("en", { get style() { for (;;) {} } })`, endsInside, inside],
  ["a getter of then that loops", `await { get then() { for (;;) {} } }`, endsInside, inside],
  ["an inspected getter", `console.log({ get x() { for (;;) {} } }); return "ok"`, "ok"],
  [
    "an error's name that loops",
    `throw Object.defineProperty(new Error("x"), "message", { get() { for (;;) {} } })`,
    "EXECUTION_ERROR",
  ],
  ["coercions a million times", again(`Math.max(o, o, o)`, `const o = { valueOf: () => 1 }`)],
  [
    "a long chain of prototypes",
    again(`o.missing`, `let o = {}; for (let i = 0; i < 5000; i++) o = Object.create(o)`),
  ],
  [
    "a long chain, asked whether",
    again(
      `o instanceof F; F.prototype.isPrototypeOf(o); "x" in o`,
      `class F {} let o = {}; for (let i = 0; i < 5000; i++) o = Object.create(o)`,
    ),
  ],
  [
    "a long chain, looped over",
    again(
      `for (const k in o) k`,
      `let o = {}; for (let i = 0; i < 2000; i++) { o = Object.create(o); o["k" + i] = i }`,
    ),
  ],
  [
    "a long chain of scopes of classes",
    again(`new C()`, `let C = class {}; for (let i = 0; i < 200; i++) C = class extends C {}`),
  ],
  [
    "a long chain of bound functions",
    again(`f()`, `let f = () => 1; for (let i = 0; i < 2000; i++) f = f.bind(null, i)`),
    ["EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
    "The arguments of all of them are one list, which takes memory.",
  ],
  ["a long chain of proxies", again(`p.x`, `let p = { x: 1 }; for (let i = 0; i < 500; i++) p = new Proxy(p, {})`)],
  [
    "redefining what all objects have",
    again(`Array.prototype[i++ % 5] = 1; [1, , 3].indexOf(2); delete Array.prototype[0]`, `let i = 0`),
  ],
  [
    "adding and removing one property of a large object",
    again(`o.x = 1; delete o.x`, `const o = Object.fromEntries(Array.from({ length: 50000 }, (_, i) => ["k" + i, i]))`),
  ],
  [
    "arguments that nothing takes",
    again(`f(${"1,".repeat(20_000)} 1); Math.random(${"1,".repeat(20_000)} 1)`, `const f = () => 1`),
  ],
  ["a rest of many arguments", again(`f(${"1,".repeat(20_000)} 1)`, `const f = (...all) => all.length`)],
  [
    "parameters that nothing is given for",
    again(`f()`, `const f = (${names(20_000)}) => 1`),
  ],
  [
    "functions that capture thousands of variables",
    again(`() => [${names(3000)}]`, `let ${names(3000)}`),
  ],
  [
    "asking for the first key along thousands of prototypes",
    again(`for (const key in o) break`, `let o = { a: 1 }; for (let i = 0; i < 3000; i++) o = Object.create(o)`),
  ],
  [
    "adding and removing one key of a large map",
    again(`m.set("x", 1); m.delete("x")`, `const m = new Map(Array.from({ length: 100000 }, (_, i) => ["k" + i, i]))`),
  ],
  [
    "adding and removing one member of a large set",
    again(`s.add(-1); s.delete(-1)`, `const s = new Set(Array.from({ length: 200000 }, (_, i) => i))`),
  ],
  [
    "adding and removing one key of a large weak map",
    again(
      `m.set(key, 1); m.delete(key)`,
      `const keys = Array.from({ length: 100000 }, (_, i) => ({ i })), key = {}, m = new WeakMap(keys.map((k) => [k, 1]))`,
    ),
  ],
  [
    "adding and removing one global",
    again(`globalThis.x = 1; delete globalThis.x`, `for (let i = 0; i < 50000; i++) globalThis["k" + i] = i`),
  ],
  [
    "adding and removing the last element of a sparse array",
    again(`a.push(1); a.pop()`, `const a = []; for (let i = 0; i < 50000; i++) a[i * 1000 + 2 ** 25] = i`),
  ],
  [
    "changing the prototype of a large object",
    again(
      `Object.setPrototypeOf(o, i++ % 2 ? a : b); o.k5`,
      `let i = 0; const a = {}, b = {}, o = Object.fromEntries(Array.from({ length: 20000 }, (_, i) => ["k" + i, i]))`,
    ),
  ],
  [
    "changing prototypes",
    again(`Object.setPrototypeOf(a, i++ % 2 ? null : o); a.x`, `let i = 0; const a = {}, o = { x: 1 }`),
  ],
])

const waiting = group("Time by waiting", "EXECUTION_BUDGET_EXCEEDED", [
  ["await in a loop", `for (;;) await null`],
  ["await in a loop that catches", `for (;;) try { await Promise.reject(1) } catch {}`],
  [
    "a promise that is followed by the next",
    `const next = () => Promise.resolve().then(next); next(); await new Promise(() => {})`,
    ["EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"],
    "Each promise waits for all that follow.",
  ],
  ["jobs that make jobs", `const next = () => queueMicrotask(next); next(); await new Promise(() => {})`],
  ["an async function that calls itself", `const f = async () => { await null; return f() }; await f()`, [
    "EXECUTION_BUDGET_EXCEEDED",
    "LIMIT_EXCEEDED",
  ], "Each call waits for the next one."],
  ["a thenable that gives itself", `const t = { then(resolve) { resolve(t) } }; await t`],
  ["a thenable that gives another", `const make = () => ({ then: (resolve) => resolve(make()) }); await make()`],
  [
    "two that wake each other",
    `let wake; const a = async () => { for (;;) { await null; wake?.() } }; const b = async () => { for (;;) await new Promise((r) => { wake = r }) }; a(); await b()`,
  ],
  ["a loop after the end", `(async () => { for (;;) await null })(); return 1`],
  ["a loop in a job after the end", `queueMicrotask(() => { for (;;) {} }); return 1`],
  ["a loop in a timer", `setTimeout(() => { for (;;) {} }, 0); await new Promise(() => {})`],
  [
    "disposal that does not end",
    `{ await using r = { async [Symbol.asyncDispose]() { for (;;) await null } } } return 1`,
  ],
])

const clocks = group("Time by the clock", "TIMEOUT", [
  ["a timer that sets itself again", `const tick = () => setTimeout(tick, 0); tick(); await new Promise(() => {})`, [
    "TIMEOUT",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "Ticks take steps as well: on a fast machine those are used up first."],
  ["an interval", `setInterval(() => {}, 0); await new Promise(() => {})`, [
    "TIMEOUT",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "As with the timer."],
  ["a thousand intervals", `for (let i = 0; i < 1000; i++) setInterval(() => {}, 1); await new Promise(() => {})`, [
    "TIMEOUT",
    "EXECUTION_BUDGET_EXCEEDED",
  ], "The ticks of so many intervals take steps as well."],
  ["a timer of a month", `await new Promise((resolve) => setTimeout(resolve, 2 ** 31 - 1))`],
  ["a timer of no time that makes sense", `await new Promise((resolve) => setTimeout(resolve, 1e15))`, [
    "TIMEOUT",
    "ok",
  ], "A time that no timer has may count as none."],
  ["a call that does not end", `await tools.never({})`],
  ["calls that do not end, and a race", `await Promise.race([tools.never({}), tools.never({})])`],
  ["calls that wait for their turn", `await Promise.all(Array.from({ length: 500 }, () => tools.never({})))`],
  [
    "calls that end late",
    `for (;;) await tools.late({})`,
    ["TIMEOUT", "LIMIT_EXCEEDED"],
    "It may come to more calls than a run has.",
  ],
  ["a pause after each step", `for (;;) await new Promise((resolve) => setTimeout(resolve, 1))`],
  [
    "an end that waits for a timer",
    `setTimeout(() => {}, 1e9); return new Promise((resolve) => setTimeout(resolve, 1e9))`,
  ],
], { timeout: 400 })

export const time: ReadonlyArray<Exhaustion> = [
  ...loops,
  ...iteration,
  ...long,
  ...sorting,
  ...texts,
  ...numbers,
  ...hidden,
  ...waiting,
  ...clocks,
]
