import { type Exhaustion, group } from "./case.ts"

const caught = (code: string): string =>
  `try { ${code} } catch (e) { if (!(e instanceof RangeError)) throw e } return "ok"`

const either = ["ok", "EXECUTION_ERROR", "LIMIT_EXCEEDED", "EXECUTION_BUDGET_EXCEEDED"] as const
const deep =
  "Depth that is data may be walked to its end, refused, or end by memory or steps; it must not use up the host's stack."

const calls = group("Depth by calls", "ok", [
  ["a function that calls itself", caught(`const f = () => f() + 1; f()`)],
  ["two that call each other", caught(`const f = () => g(), g = () => f(); f()`)],
  ["a method", caught(`const o = { m() { return this.m() } }; o.m()`)],
  ["a constructor", caught(`class C { constructor() { new C() } } new C()`)],
  ["a field of a class", caught(`class C { x = new C() } new C()`)],
  ["a default of a parameter", caught(`const f = (a = f()) => a; f()`)],
  ["a getter", caught(`const o = { get x() { return o.x } }; o.x`)],
  ["a setter", caught(`const o = { set x(v) { o.x = v } }; o.x = 1`)],
  ["a generator", caught(`function* g() { yield* g() } [...g()]`)],
  ["an async function", caught(`const f = async () => { await f() }; await f()`)],
  [
    "an async generator",
    caught(`async function* g() { yield* g() } for await (const x of g()) x`),
    either,
    "Calls that wait for each other take memory instead of depth.",
  ],
  ["valueOf", caught(`const o = { valueOf() { return +o } }; +o`)],
  ["toString", caught("const o = { toString() { return `${o}` } }; String(o)")],
  ["toPrimitive", caught(`const o = { [Symbol.toPrimitive]() { return o + 1 } }; o + 1`)],
  ["toJSON", caught(`const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)`)],
  ["a reviver", caught(`const f = () => JSON.parse("[1]", f); f()`)],
  ["a comparator", caught(`const f = () => [2, 1].sort(f); f()`)],
  ["a callback of map", caught(`const f = () => [1].map(f); f()`)],
  ["a callback of reduce", caught(`const f = () => [1, 2].reduce(f); f()`)],
  ["a callback of forEach of a map", caught(`const m = new Map([[1, 1]]), f = () => m.forEach(f); f()`)],
  ["a callback of from", caught(`const f = () => Array.from([1], f); f()`)],
  ["a callback of a typed array", caught(`const t = new Uint8Array(2), f = () => t.sort(f); f()`)],
  ["a function that replaces", caught(`const f = () => "a".replace(/a/, f); f()`)],
  ["a custom exec", caught(`const r = /a/; r.exec = () => r.test("a"); r.test("a")`)],
  [
    "species",
    caught(
      `class A extends Array { static get [Symbol.species]() { new A(1).map((x) => x); return A } } new A(1).map((x) => x)`,
    ),
  ],
  ["apply", caught(`const f = () => Reflect.apply(f, null, []); f()`)],
  ["call of call", caught(`const f = () => Function.prototype.call.call(f); f()`)],
  ["construct", caught(`function F() { Reflect.construct(F, []) } new F()`)],
  ["a bound function", caught(`const f = () => g(), g = f.bind(null); f()`)],
  ["a trap get", caught(`const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x`)],
  ["a trap apply", caught(`const p = new Proxy(() => 1, { apply: (t, self, args) => p(...args) }); p()`)],
  ["a trap ownKeys", caught(`const p = new Proxy({}, { ownKeys: () => Object.keys(p) }); Object.keys(p)`)],
  [
    "a trap getPrototypeOf",
    caught(`const p = new Proxy({}, { getPrototypeOf: () => Object.getPrototypeOf(p) }); p instanceof Object`),
  ],
  [
    "a prototype that is a proxy of the object",
    caught(`const o = {}; Object.setPrototypeOf(o, new Proxy({}, { get: () => o.y })); o.x`),
  ],
  ["an iterator", caught(`const it = { [Symbol.iterator]() { return [...it].values() } }; [...it]`)],
  [
    "a return of an iterator",
    caught(
      `const it = { [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { const [a] = it; return {} } }) }; const [a] = it`,
    ),
  ],
  ["hasInstance", caught(`const o = { [Symbol.hasInstance]: () => 1 instanceof o }; 1 instanceof o`)],
  ["a tag", caught("const f = () => f`x`; f()")],
  [
    "a disposal",
    caught(`const f = () => { using r = { [Symbol.dispose]: f } }; f()`),
    either,
    "Each level adds an error that holds the others.",
  ],
  [
    "then",
    caught(`const t = { get then() { return (r) => Promise.resolve(t).then(r) } }; Promise.resolve(t)`),
    either,
    "It goes on in jobs, without depth.",
  ],
  [
    "options of a format",
    caught(`const o = { get style() { return new Intl.NumberFormat("en", o) } }; new Intl.NumberFormat("en", o)`),
  ],
  [
    "what a log looks at",
    `const o = { [Symbol.toStringTag]: "x", get a() { console.log(o); return o } }; console.log(o, new Proxy(o, {})); return "ok"`,
  ],
  [
    "what is thrown",
    `const f = () => { try { f() } catch (e) { throw new Error("x", { cause: e }) } }; f()`,
    "EXECUTION_ERROR",
  ],
], { memory: 32 << 20, fuel: 20_000_000 })

const nest = (n: number, open: string, inner: string, close: string): string =>
  `let v = ${inner}; for (let i = 0; i < ${n}; i++) v = ${open}v${close}`

const data = group("Depth by data", either, [
  ["arrays to JSON", caught(`${nest(40000, "[", "[]", "]")}; JSON.stringify(v)`), either, deep],
  ["objects to JSON", caught(`${nest(40000, "{ a: ", "1", " }")}; JSON.stringify(v)`), either, deep],
  [
    "JSON of depth",
    `try { JSON.parse("[".repeat(200000) + "]".repeat(200000)) } catch (e) { if (!(e instanceof RangeError)) throw e } return "ok"`,
    either,
    deep,
  ],
  [
    "JSON of depth that is not closed",
    `try { JSON.parse('{"a":'.repeat(200000)) } catch (e) { if (e instanceof SyntaxError || e instanceof RangeError) return "ok" }`,
    either,
    deep,
  ],
  [
    "JSON of depth with a reviver",
    caught(`JSON.parse("[".repeat(50000) + "]".repeat(50000), (k, v) => v)`),
    either,
    deep,
  ],
  ["arrays to text", caught(`${nest(40000, "[", "[]", "]")}; String(v)`), either, deep],
  ["arrays that are flattened", caught(`${nest(40000, "[", "[]", "]")}; v.flat(Infinity)`), either, deep],
  ["clones", caught(`${nest(40000, "[", "[]", "]")}; structuredClone(v)`), either, deep],
  ["clones of maps", caught(`${nest(20000, "new Map([[1, ", "1", "]])")}; structuredClone(v)`), either, deep],
  [
    "proxies",
    caught(`${nest(40000, "new Proxy(", "{}", ", {})")}; v.x; v.y = 1; Object.keys(v); Array.isArray(v)`),
    either,
    deep,
  ],
  ["proxies of functions", caught(`${nest(40000, "new Proxy(", "() => 1", ", {})")}; v(); new v()`), either, deep],
  ["proxies that are handlers", caught(`${nest(20000, "new Proxy({}, ", "{}", ")")}; v.x`), either, deep],
  ["bound functions", caught(`${nest(40000, "(", "() => 1", ").bind(null)")}; v(); v instanceof v`), either, deep],
  [
    "prototypes",
    caught(`${nest(40000, "Object.create(", "{}", ")")}; v.x; v instanceof Object; for (const k in v) k`),
    either,
    deep,
  ],
  [
    "prototypes with a setter at their end",
    caught(`${nest(40000, "Object.create(", "{ set x(y) {} }", ")")}; v.x = 1`),
    either,
    deep,
  ],
  [
    "classes that extend classes",
    caught(`let C = class {}; for (let i = 0; i < 20000; i++) C = class extends C {}; new C()`),
    either,
    deep,
  ],
  [
    "generators that delegate",
    caught(
      `function* one() { yield 1 } function* to(it) { yield* it } let it = one(); for (let i = 0; i < 20000; i++) it = to(it); [...it]`,
    ),
    either,
    deep,
  ],
  [
    "iterator helpers",
    caught(`let it = [1].values(); for (let i = 0; i < 20000; i++) it = it.map((x) => x); [...it]`),
    either,
    deep,
  ],
  [
    "iterators that are closed",
    caught(`let it = [1, 2].values(); for (let i = 0; i < 20000; i++) it = it.map((x) => x); it.next(); it.return()`),
    either,
    deep,
  ],
  [
    "wrapped iterators",
    caught(
      `let it = { next: () => ({ done: false }) }; for (let i = 0; i < 5000; i++) { const inner = it; it = Iterator.from({ next: () => inner.next() }) } it.next()`,
    ),
    either,
    deep,
  ],
  [
    "promises of promises",
    caught(
      `let p = Promise.resolve(1); for (let i = 0; i < 50000; i++) { const q = p; p = new Promise((r) => r(q)) } await p`,
    ),
    either,
    deep,
  ],
  [
    "async functions that wait for each other",
    caught(`const f = async (n) => n > 0 ? await f(n - 1) : 1; await f(9000)`),
    either,
    deep,
  ],
  [
    "causes of errors that are thrown",
    `${nest(20000, "new Error('x', { cause: ", "1", " })")}; throw v`,
    "EXECUTION_ERROR",
  ],
  [
    "causes of errors that are logged",
    `${nest(20000, "new Error('x', { cause: ", "1", " })")}; console.log(v); return "ok"`,
  ],
  ["errors of errors that are thrown", `${nest(20000, "new AggregateError([", "1", "])")}; throw v`, "EXECUTION_ERROR"],
  [
    "what is logged",
    `${
      nest(40000, "[", "[]", "]")
    }; console.log(v); console.dir(v, { depth: Infinity }); console.table([v]); return "ok"`,
  ],
  ["what is logged to any depth", `${nest(40000, "{ a: ", "1", " }")}; console.dir(v, { depth: null }); return "ok"`],
  ["a result", `${nest(40000, "[", "[]", "]")}; return v`, "INVALID_DATA"],
  ["a result of toJSON", `const o = { toJSON: () => [o] }; return o`, "INVALID_DATA"],
  [
    "an input",
    `${
      nest(40000, "{ a: ", "1", " }")
    }; try { await tools.echo(v) } catch (e) { return e.code === "INVALID_DATA" ? "ok" : e }`,
  ],
  ["a result of a tool", `try { await tools.deep({}) } catch (e) { return e.code === "INVALID_DATA" ? "ok" : e }`],
  [
    "groups of a pattern",
    caught(
      `try { new RegExp("(".repeat(20000) + ")".repeat(20000)).test("") } catch (e) { if (!(e instanceof SyntaxError)) throw e }`,
    ),
    either,
    deep,
  ],
  [
    "lookaheads of a pattern",
    caught(
      `try { new RegExp("(?=".repeat(5000) + ")".repeat(5000)).test("") } catch (e) { if (!(e instanceof SyntaxError)) throw e }`,
    ),
    either,
    deep,
  ],
  [
    "sets of a pattern",
    caught(
      `try { new RegExp("[".repeat(5000) + "a" + "]".repeat(5000), "v").test("") } catch (e) { if (!(e instanceof SyntaxError)) throw e }`,
    ),
    either,
    deep,
  ],
  [
    "a match of depth",
    caught(`/^(?:(a)|b)*$/.test("ab".repeat(100000)); /^(?:a|ab)(?:c|bcd)*$/.test("a" + "bcd".repeat(50000))`),
    either,
    deep,
  ],
  [
    "concatenations",
    caught(
      `let t = ""; for (let i = 0; i < 300000; i++) t = i % 2 ? t + "a" : "b" + t; t.charCodeAt(5); t.indexOf("c")`,
    ),
    either,
    deep,
  ],
], { memory: 64 << 20 })

const many = (n: number, text: string): string => text.repeat(n)
const source = (n: number, open: string, inner: string, close: string): string =>
  `${many(n, open)}${inner}${many(n, close)}`

const read = ["ok", "SYNTAX_ERROR", "EXECUTION_ERROR", "LIMIT_EXCEEDED"] as const
const reading = "Code that is nested too deeply may be refused; it must not use up the host's stack."

const texts = group("Depth and length of the code", read, [
  ["parentheses", `return ${source(20000, "(", "1", ")")}`, read, reading],
  ["arrays", `const a = ${source(20000, "[", "1", "]")}; return "ok"`, read, reading],
  ["objects", `const a = ${source(15000, "{a:", "1", "}")}; return "ok"`, read, reading],
  ["blocks", `${source(20000, "{", "", "}")} return "ok"`, read, reading],
  ["functions", `const f = ${source(5000, "()=>{return ", "1", "}")}; return "ok"`, read, reading],
  ["arrows", `const f = ${many(20000, "a=>")}1; return "ok"`, read, reading],
  ["calls", `const f = () => f; f${many(20000, "()")}; return "ok"`, read, reading],
  ["properties", `const a = {}; a.a = a; a${many(20000, ".a")}; return "ok"`, read, reading],
  ["signs", `return ${many(50000, "- ")}1 && "ok"`, read, reading],
  ["exclamation marks", `return ${many(60000, "!")}1 || "ok"`, read, reading],
  ["sums", `const n = ${many(60000, "1+")}1; return "ok"`, read, reading],
  ["powers", `const n = ${many(20000, "1**")}1; return "ok"`, read, reading],
  ["conditions", `const n = ${many(20000, "0?1:")}1; return "ok"`, read, reading],
  ["else if", `if (0);${many(15000, "else if(0);")} return "ok"`, read, reading],
  ["assignments", `let a; ${many(40000, "a=")}1; return "ok"`, read, reading],
  ["patterns", `const ${source(10000, "[", "a", "]")} = []; return "ok"`, read, reading],
  ["templates", `const t = ${source(8000, "`${", "1", "}`")}; return "ok"`, read, reading],
  ["classes in classes", `${source(5000, "class A { static {", "", "} }")} return "ok"`, read, reading],
  ["loops in loops", `${many(15000, "for(;0;)")}; return "ok"`, read, reading],
  ["labels", `${Array.from({ length: 5000 }, (_, i) => `l${i}:`).join("")} 1; return "ok"`, read, reading],
  ["commas", `const n = (${many(60000, "1,")}1); return "ok"`, read, reading],
  ["awaits", `${many(20000, "await ")}1; return "ok"`, read, reading],
  ["statements", `${many(100000, "1;")} return "ok"`],
  ["variables", `${Array.from({ length: 15000 }, (_, i) => `let v${i};`).join("")} return "ok"`],
  [
    "functions one after another",
    `${Array.from({ length: 10000 }, (_, i) => `function f${i}(){}`).join("")} return "ok"`,
  ],
  [
    "cases of a switch",
    `switch (1) { ${Array.from({ length: 12000 }, (_, i) => `case ${i + 2}:1;`).join("")} } return "ok"`,
  ],
  ["one long literal", `const s = "${many(250000, "x")}"; return "ok"`],
  ["one long template", `const s = \`${many(40000, "${1}x")}\`; return "ok"`],
  [
    "one long pattern",
    `const r = /${many(100000, "a?")}/; return "ok"`,
    [...read, "EXECUTION_BUDGET_EXCEEDED"],
    "A pattern's length counts as steps too.",
  ],
  ["one long comment", `/*${many(250000, "*")}*/ return "ok"`],
  ["one long name", `const ${many(200000, "n")} = 1; return "ok"`],
  ["many catches", `${many(12000, "try{}catch{}")} return "ok"`],
  ["spaces", `${many(250000, " ")}return "ok"`],
  ["more than code may have", `return "${many(300000, "x")}"`, "LIMIT_EXCEEDED"],
  ["comparisons that might be types", `let a = 1, b = 2, c = 3; ${many(20000, "a<b>c;")} return "ok"`],
  ["types in types", `let x: ${source(5000, "A<", "string", ">")} = 1; return "ok"`, read, reading],
  ["annotations", `${Array.from({ length: 8000 }, (_, i) => `let x${i}: number = ${i};`).join("")} return "ok"`],
  ["enumerations", `enum E { ${Array.from({ length: 10000 }, (_, i) => `A${i}`).join(",")} } return "ok"`],
  ["brackets without end", many(100000, "["), "SYNTAX_ERROR"],
  ["templates without end", many(60000, "`${"), "SYNTAX_ERROR"],
  ["angles", `return ${many(50000, "<")}`, "SYNTAX_ERROR"],
  ["a word again and again", many(30000, "async "), "SYNTAX_ERROR"],
  ["arrows that might be", `return ${many(2000, "(a,b=")}1${many(2000, ")")}`, [...read], reading],
])

export const depth: ReadonlyArray<Exhaustion> = [...calls, ...data, ...texts]
