import { type Escape, escape } from "./case.ts"

export const intrinsics: ReadonlyArray<Escape> = [
  escape(
    "setters on Object.prototype",
    "What the host assigns on an object of its own arrives in the program's setter, with that object as `this`.",
    `const names = ["value", "get", "set", "done", "next", "length", "message", "stack", "code", "raw", "index", "input", "groups", "0", "toJSON", "path", "tool", "locale", "options", "retryable", "failure", "writable", "enumerable", "configurable", "cause", "kind", "data", "state", "resolve", "reject", "promise", "name"]
for (const name of names) Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, get() { keep(this); return undefined }, set(v) { keep(this); keep(v) } })
for (const use of [() => tools.echo({ a: [1] }), () => /a(b)?/.exec("a"), () => JSON.parse('{"b":1}'), () => new Intl.NumberFormat("en").resolvedOptions(), () => new Intl.DateTimeFormat("en").formatToParts(0), () => null.x, () => Object.getOwnPropertyDescriptor({ a: 1 }, "a"), () => Promise.withResolvers(), () => [].entries().next(), () => console.log({ a: 1 }, new Error("x")), () => tools.nope({})]) attempt(use)
await new Promise((resolve) => setTimeout(resolve, 1))
for (const name of names) delete Object.prototype[name]
return probe()`,
  ),
  escape(
    "setters on Array.prototype",
    "What the host writes in a list of its own arrives in the program's setter for an index.",
    `for (const i of [0, 1, 2, 3]) Object.defineProperty(Array.prototype, i, { configurable: true, get() { keep(this); return 7 }, set(v) { keep(this); keep(v) } })
for (const use of [() => "ab".split(""), () => "a,b".split(","), () => Object.keys({ a: 1 }), () => [3, 1, 2].sort(), () => Array.from({ length: 2 }), () => [1].concat([2]), () => [...new Set([1, 2])], () => /(a)(b)/.exec("ab"), () => "aa".match(/a/g), () => Object.entries({ a: 1 }), () => JSON.parse("[1,2]"), () => Promise.all([1, 2]), () => Reflect.ownKeys([1]), () => new Intl.DateTimeFormat("en").formatToParts(0), () => tools.echo({ a: [1, , 2] }), () => console.log([1, , 2], [[]]), () => console.table([[1]]), () => Array(2), () => [1, 2].map((x) => x), () => structuredClone([1]), () => String.raw({ raw: ["a", "b"] }, 1), () => Array.fromAsync([1])]) attempt(use)
await new Promise((resolve) => setTimeout(resolve, 1))
for (const i of [0, 1, 2, 3]) delete Array.prototype[i]
return probe()`,
  ),
  escape(
    "push and its siblings replaced",
    "The host keeps its records with methods of arrays that the program has replaced.",
    `const saved = {}
for (const name of ["push", "pop", "shift", "unshift", "splice", "slice", "concat", "map", "forEach", "join", "indexOf", "includes", "filter", "reduce", "sort", "at", "values", "entries", "keys", "flat", "some", "every", "find"]) {
  saved[name] = Array.prototype[name]
  Array.prototype[name] = function (...args) { keep(this); keep(args); return Reflect.apply(saved[name], this, args) }
}
for (const use of [() => tools.echo({ a: [1] }), () => console.log([1], {}), () => "a-b".split("-"), () => Promise.all([1]), () => new Intl.ListFormat("en").format(["a"]), () => new Map([[1, 2]]), () => JSON.stringify([1]), () => "ab".replaceAll("a", "b"), () => tools.nope({}), () => structuredClone([1]), () => null.x, () => new URL("http://a/?b=c").searchParams]) attempt(use)
await null
Object.assign(Array.prototype, saved)
return probe()`,
  ),
  escape(
    "methods of Map, Set and WeakMap replaced",
    "The host keeps its tables with methods that the program has replaced.",
    `const saved = new globalThis.Array()
for (const C of [Map, Set, WeakMap, WeakSet]) for (const name of ["get", "set", "has", "add", "delete", "clear", "forEach", "values", "keys", "entries"]) {
  const method = C.prototype[name]
  if (method === undefined) continue
  saved.push([C.prototype, name, method])
  C.prototype[name] = function (...args) { keep(this); keep(args); return Reflect.apply(method, this, args) }
}
for (const use of [() => tools.echo({ a: 1 }), () => new Map([[1, 2]]), () => new Set([1]), () => structuredClone(new Map([[{}, new Set([1])]])), () => console.log(new Map([[1, 2]]), new Set([1])), () => Symbol.for("a"), () => new Set([1]).union(new Set([2])), () => Object.groupBy([1], () => 1), () => Map.groupBy([1], () => 1), () => "aa".replace(/a/g, "b"), () => JSON.stringify({ a: {} }), () => setTimeout(() => {}, 1), () => new URLSearchParams("a=1").get("a")]) attempt(use)
await null
for (const [o, name, method] of saved) o[name] = method
return probe()`,
  ),
  escape(
    "call, apply and bind replaced",
    "The host calls functions through `call` and `apply`, which are the program's now.",
    `const proto = Object.getPrototypeOf(() => {}), { apply } = Reflect
const saved = { call: proto.call, apply: proto.apply, bind: proto.bind, toString: proto.toString }
for (const name of Object.keys(saved)) proto[name] = function (...args) { keep(this); keep(args); return apply(saved[name], this, args) }
Reflect.apply = (...args) => { keep(args); return apply(...args) }
for (const use of [() => tools.echo({ a: 1 }), () => [1].map((x) => x), () => JSON.stringify({ toJSON() { return 1 } }), () => Promise.resolve(1).then((x) => x), () => "a".replace("a", () => "b"), () => new Proxy({}, { get() {} }).x, () => console.log(() => {}), () => String({ toString: () => "a" }), () => new (class extends Array {})(), () => setTimeout(() => {}, 1)]) attempt(use)
await new Promise((resolve) => setTimeout(resolve, 2))
Object.assign(proto, saved)
Reflect.apply = apply
return probe()`,
  ),
  escape(
    "defineProperty and its siblings replaced",
    "The host copies objects with functions of `Object` and `Reflect` that the program has replaced.",
    `const saved = [Object, Reflect, JSON, Symbol, Math, Number, Array, String].map((o) => [o, Object.getOwnPropertyDescriptors(o)])
for (const [o, all] of saved) for (const name of Reflect.ownKeys(all)) {
  const { configurable, value } = all[name]
  if (typeof value === "function" && configurable) o[name] = function (...args) { keep(args); return value.apply(this, args) }
}
const { defineProperties } = saved[0][1]
for (const use of [() => tools.echo({ a: [1] }), () => console.log({ a: 1 }), () => structuredClone({ a: 1 }), () => ({ ...{ a: 1 } }), () => class { static a = 1; #b = 2 }, () => [1, 2].sort(), () => tools.nope({}), () => null.x, () => new Intl.NumberFormat("en").format(1)]) attempt(use)
await null
for (const [o, all] of saved) defineProperties.value(o, all)
return probe()`,
  ),
  escape(
    "Array's species",
    "A method of arrays makes its result with a constructor of the program's, and fills what that gives.",
    `class A extends Array { static get [Symbol.species]() { return function (...args) { keep(this); keep(args); return new Proxy([], { set(...a) { keep(a); return Reflect.set(...a) }, defineProperty(...a) { keep(a); return Reflect.defineProperty(...a) } }) } } }
const a = A.from([1, 2, 3])
for (const use of [() => a.map((x) => x), () => a.filter(Boolean), () => a.slice(), () => a.splice(0, 1), () => a.concat([1]), () => a.flat(), () => a.flatMap((x) => [x])]) attempt(use)
return probe()`,
  ),
  escape(
    "Array's species gives the array itself",
    "A result that is written into its own source, while its length was checked before, holds what was not meant to be seen.",
    `const out = [{}, 1.5, "a", () => {}, {}]
const self = function () { return out }
self[Symbol.species] = self
out.constructor = self
for (const use of [() => out.map((x) => ({ x })), () => out.filter(() => true), () => out.slice(1), () => out.concat([tools], out), () => out.splice(0, 2), () => out.flat(3), () => out.flatMap((x) => [x, x])]) attempt(use)
const r = [1, 2, 3]
r.constructor = { [Symbol.species]: function (n) { r.length = 0; return Object.freeze([]) } }
for (const use of [() => r.map((x) => x), () => r.slice(), () => r.concat([1])]) attempt(use)
return probe(out, r)`,
  ),
  escape(
    "a typed array's species",
    "The same for typed arrays and buffers, whose memory is the host's.",
    `class U extends Uint8Array { static get [Symbol.species]() { return function (n) { keep(this); return keep(new Float64Array(typeof n === "number" ? n : 1)) } } }
const u = new U(4)
for (const use of [() => u.map((x) => x), () => u.slice(), () => u.subarray(1), () => u.filter(() => true)]) attempt(use)
class Small extends Uint8Array { static get [Symbol.species]() { return function () { return new Uint8Array(1) } } }
attempt(() => new Small(64).fill(7).slice()); attempt(() => new Small(64).map((x) => x))
class B extends ArrayBuffer { static get [Symbol.species]() { return function (n) { keep(n); return new ArrayBuffer(1) } } }
attempt(() => new B(64).slice())
class Same extends ArrayBuffer { static get [Symbol.species]() { return function () { return b } } }
const b = new Same(8)
attempt(() => b.slice())
return probe(u)`,
  ),
  escape(
    "a regular expression's species and exec",
    "Methods of texts call the program's `exec` and take what it gives for a match of the host's.",
    `let n = 0
class R extends RegExp { exec(s) { keep(this); keep(s); return n++ > 40 ? null : Object.assign(["a"], { index: n % 2 ? 0 : 2 ** 40, get groups() { keep(this); return new Proxy({}, { get(...a) { keep(a) } }) } }) } static get [Symbol.species]() { return R } get flags() { return "gy" } set lastIndex(v) { keep(v) } get lastIndex() { return { valueOf: () => -1 } } }
for (const use of [() => "aa".replace(new R("a"), "$<x>$&$1"), () => "aa".match(new R("a")), () => "aa".split(new R("a")), () => "aa".search(new R("a")), () => [..."aa".matchAll(new R("a", "g"))], () => RegExp.prototype.test.call(new R("a"), "a")]) attempt(use)
for (const result of [1, "a", {}, [], { length: 3, index: 2 ** 40 }, tools, new Proxy([], {})]) attempt(() => "a".replace({ __proto__: RegExp.prototype, flags: "", exec: () => result }, "$1$<a>"))
return probe()`,
  ),
  escape(
    "symbols of regular expressions",
    "`Symbol.replace` and its siblings are called with the host's arguments.",
    `const o = {}
for (const s of ["match", "matchAll", "replace", "search", "split"]) o[Symbol[s]] = function (...args) { keep(this); keep(args); return this }
for (const use of [() => "a".match(o), () => "a".matchAll(o), () => "a".replace(o, o), () => "a".search(o), () => "a".split(o, o), () => "a".replaceAll(o, o)]) attempt(use)
return probe()`,
  ),
  escape(
    "the statics of the last match",
    "`RegExp.$1` and its siblings hold what the host's own patterns matched last: its code, its addresses, other programs.",
    `const names = ["$1", "$2", "$9", "$_", "$&", "$+", "$\`", "$'", "input", "lastMatch", "lastParen", "leftContext", "rightContext", "multiline"];
/(secret)/.exec("a secret"); new URL("http://a/b"); "a-b".split("-")
for (const name of names) if (RegExp[name] !== undefined) gained(name + " is " + RegExp[name])
class R extends RegExp {}
for (const name of names) if (R[name] !== undefined) gained(name + " of a subclass")
attempt(() => /a/.compile?.("b"))
return probe()`,
  ),
  escape(
    "a replacement's text and function",
    "A replacement has access to the groups, and its function to the host's match.",
    `"abc".replace(/(?<x>b)(c)?/, (...args) => { keep(args); return "x" })
for (const text of ["$&", "$\`", "$'", "$0", "$1", "$99", "$<x>", "$<__proto__>", "$<constructor>"]) {
  keep("abc".replace(/(?<x>b)/, text))
  if (/function|native/.test("abc".replace(/(?<x>b)/, text))) gained(text)
}
const { groups } = /(?<a>b)/.exec("b")
if (Object.getPrototypeOf(groups) !== null) gained("groups inherit")
return probe(groups)`,
  ),
  escape(
    "conversions everywhere",
    "`Symbol.toPrimitive`, `valueOf` and `toString` call the program in the midst of the host's work.",
    `const o = { [Symbol.toPrimitive](...args) { keep(this); keep(args); return 1 } }
for (const use of [() => \`\${o}\`, () => o + 1, () => new Date(o), () => "a".repeat(o), () => [1, 2].at(o), () => Math.max(o), () => parseInt(o), () => new Uint8Array(o), () => (5).toFixed(o), () => "abc".slice(o), () => [1].fill(0, o), () => JSON.stringify({ [o]: 1 }, null, o), () => BigInt.asIntN(o, 5n), () => new Intl.NumberFormat("en", { minimumFractionDigits: o }).format(o), () => setTimeout(() => {}, o), () => new URLSearchParams([[o, o]]), () => new URL(o, "http://a/"), () => atob(o), () => Symbol(o), () => Symbol.for(o), () => encodeURIComponent(o), () => new RegExp(o, o), () => tools[o], () => tools.echo({ [o]: o }), () => console.log("%s %d", o, o), () => crypto.getRandomValues(o), () => new DataView(new ArrayBuffer(8)).setInt8(o, o), () => structuredClone({ o })]) attempt(use)
for (const bad of [{}, tools, keep, Symbol()]) attempt(() => "" + { [Symbol.toPrimitive]: () => bad })
return probe()`,
  ),
  escape(
    "hasInstance",
    "`instanceof` in the host's own checks calls the program, and believes it.",
    `for (const C of [Error, Promise, Map, RegExp, Date, Array, Object, Object.getPrototypeOf(() => {}).constructor, Uint8Array, URL]) Object.defineProperty(C, Symbol.hasInstance, { configurable: true, value(v) { keep(this); keep(v); return true } })
const uses = [() => null.x, () => console.log(new Error("x"), Promise.resolve(), {}, () => {}), () => tools.echo({ a: {} }), () => Promise.resolve({}), () => structuredClone({}), () => ({}) instanceof Error, () => String(Object.create(Error.prototype)), () => new URLSearchParams({ a: 1 })]
for (const use of uses) attempt(use)
for (const C of [Error, Promise, Map, RegExp, Date, Array, Object, Object.getPrototypeOf(() => {}).constructor, Uint8Array, URL]) delete C[Symbol.hasInstance]
await null
return probe()`,
  ),
  escape(
    "other well-known symbols",
    "`isConcatSpreadable`, `toStringTag`, `unscopables` change what the host takes an object for.",
    `for (const o of [Object.prototype, Array.prototype, Object.getPrototypeOf(() => {})]) {
  for (const name of ["isConcatSpreadable", "toStringTag", "unscopables", "toPrimitive", "match", "dispose", "asyncDispose"]) Object.defineProperty(o, Symbol[name], { configurable: true, get() { keep(this); return undefined } })
}
for (const use of [() => [].concat({}, [1]), () => String({}), () => console.log({}, []), () => tools.echo({ a: [1] }), () => "a".startsWith({}), () => \`\${[]}\`, () => new Date({}), () => { using x = {} }, () => [1, [2]].flat()]) attempt(use)
for (const o of [Object.prototype, Array.prototype, Object.getPrototypeOf(() => {})]) for (const name of ["isConcatSpreadable", "toStringTag", "unscopables", "toPrimitive", "match", "dispose", "asyncDispose"]) delete o[Symbol[name]]
await null
return probe()`,
  ),
  escape(
    "iterators of the program's",
    "Loops of the host's call the program's iterator with objects of the host's.",
    `let n = 0
const it = { [Symbol.iterator]() { keep(this); return { next(...a) { keep(this); keep(a); return n++ > 20 ? { done: true } : { value: [n, n], done: false } }, return(...a) { keep(this); keep(a); return {} }, throw(...a) { keep(a); return {} } } } }
const uses = [() => new Map(it), () => new Set(it), () => Array.from(it), () => [...it], () => Math.max(...it), () => Object.fromEntries(it), () => { const [a] = it }, () => { for (const x of it) break }, () => Promise.all(it), () => new URLSearchParams(it), () => new Intl.ListFormat("en").format(it), () => Uint8Array.from(it), () => Iterator.from(it).map((x) => x).toArray(), () => new WeakMap(it), () => Array.fromAsync(it), () => new AggregateError(it), () => Object.groupBy(it, keep), () => { function* g() { yield* it } return [...g()] }, () => Iterator.concat?.(it).toArray(), () => new Set([1]).union({ size: 1, has: keep, keys: () => it[Symbol.iterator]() })]
for (const use of uses) { n = 0; attempt(use) }
await null
return probe()`,
  ),
  escape(
    "the built-in iterators replaced",
    "Spreading calls the program's `next` for lists of the host's.",
    `const protos = [[][Symbol.iterator](), new Map().entries(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/a/g)].map((o) => Object.getPrototypeOf(o))
const saved = protos.map((proto) => proto.next)
protos.forEach((proto, i) => { proto.next = function () { keep(this); return Reflect.apply(saved[i], this, []) } })
for (const use of [() => [...[1, 2]], () => new Map([[1, 2]]), () => Promise.all([1]), () => { const [a] = [1] }, () => tools.echo({ a: [1] }), () => [..."ab"], () => [...new Set([1])], () => console.log(new Map([[1, 2]])), () => Math.max(...[1, 2]), () => structuredClone(new Set([1]))]) attempt(use)
protos.forEach((proto, i) => { proto.next = saved[i] })
await null
return probe()`,
  ),
  escape(
    "iterator helpers",
    "A helper keeps the host's closure over what it iterates, and hands it to callbacks.",
    `const it = { next(...a) { keep(this); keep(a); return { value: 1, done: false } }, return(...a) { keep(this); keep(a); return {} }, __proto__: Iterator.prototype }
const helpers = [it.map(keep), it.filter(keep), it.take(2), it.drop(1), it.flatMap(() => [1]), Iterator.from({ next: it.next })]
for (const h of helpers) {
  for (let o = h; o !== null; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) keep(Object.getOwnPropertyDescriptor(o, key))
  attempt(() => h.next(keep)); attempt(() => h.return(keep)); attempt(() => h.next.call(it)); attempt(() => h.next.call(helpers[0]))
}
attempt(() => { Iterator.prototype.constructor = keep })
attempt(() => { Iterator.prototype[Symbol.toStringTag] = "x" })
return probe(helpers)`,
  ),
  escape(
    "__proto__ and constructor as keys of data",
    "Keys with a meaning for the host are data to a program, and come back as prototypes.",
    `const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":[{"__proto__":[1]}]}'
const r = await tools.echo(JSON.parse(text))
const copies = [r, structuredClone(r), { ...r }, Object.assign({}, r), JSON.parse(JSON.stringify(r)), Object.fromEntries(Object.entries(r)), await tools.echo({ r })]
if ({}.polluted !== undefined || [].polluted !== undefined) gained("polluted")
if (!Object.hasOwn(r, "__proto__")) gained("not an own property")
const merge = (to, from) => { for (const key in from) if (typeof to[key] === "object" && typeof from[key] === "object") merge(to[key], from[key]); else to[key] = from[key]; return to }
merge({}, r)
if ({}.polluted !== 1) gained("a merge that pollutes did not: the prototypes are not ordinary")
delete Object.prototype.polluted
return probe(copies)`,
  ),
  escape(
    "the accessor of __proto__",
    "It reaches the prototypes of the host's values, and sets those of the tools.",
    `const { get, set } = Object.getOwnPropertyDescriptor(Object.prototype, "__proto__")
for (const v of [1, "", true, 1n, Symbol(), () => {}, tools, tools.echo, new Error(), Promise.resolve(), console, Math, JSON, Intl, globalThis, Reflect, crypto, performance, new Proxy({}, {})]) {
  let x = v
  for (let i = 0; i < 10 && x !== null && x !== undefined; i++) { x = keep(get.call(x)) }
  attempt(() => set.call(v, null)); attempt(() => set.call(v, tools)); attempt(() => Object.setPrototypeOf(v, null))
}
attempt(() => set.call(Object.prototype, {})); attempt(() => Object.setPrototypeOf(Object.prototype, tools))
return probe()`,
  ),
  escape(
    "callee, caller and arguments",
    "A function and its `arguments` tell who called it: the host's own function.",
    `function f() {
  keep(arguments)
  for (const key of ["callee", "caller", "arguments"]) { attempt(() => arguments[key]); attempt(() => f[key]); attempt(() => Object.getOwnPropertyDescriptor(f, key)); attempt(() => Object.getOwnPropertyDescriptor(arguments, key)) }
  return "x"
}
f(1); [1].forEach(f); new Proxy(f, {})(); JSON.stringify({ toJSON: f }); "" + { toString: f }; Reflect.apply(f, tools, [1]); attempt(() => tools.echo({ toJSON: f })); new f()
const proto = Object.getPrototypeOf(f)
for (const key of ["caller", "arguments"]) { const { get, set } = Object.getOwnPropertyDescriptor(proto, key) ?? {}; for (const g of [f, () => {}, Math.max, tools.echo, probe]) { attempt(() => get?.call(g)); attempt(() => set?.call(g, 1)) } }
await null
return probe()`,
  ),
  escape(
    "this of a callback",
    "The host calls back with its global object, or one of its own, as `this`.",
    `function f() { if (keep(this) === globalThis) gained("the global object"); return "x" }
;[1].map(f); [2, 1].sort(f); "a".replace("a", f); new Promise(f); Promise.resolve().then(f); Array.from([1], f); (0, f)(); tools.echo({}).then(f); Reflect.apply(f, undefined, []); queueMicrotask(f); new Map([[1, 2]]).forEach(f)
setTimeout(f, 0); f\`\`; Object.groupBy([1], f); [1].values().map(f).next(); new Intl.NumberFormat("en", { get style() { return f() } }.a); console.log({ get a() { return f() } })
for (const key of ["get", "set"]) Object.defineProperty({}, "x", { [key]: f }).x
await new Promise((resolve) => setTimeout(resolve, 2))
return probe()`,
  ),
  escape(
    "a reviver and a replacer",
    "They are called on holders that the host made, with a context of the host's.",
    `JSON.parse('{"a":[1,{"b":2}]}', function (key, value, context) { keep(this); keep(context); if (key === "a") { this.b = tools; delete this.a } return value })
JSON.parse('{"__proto__":1,"a":[1,2]}', function (key, value) { if (Array.isArray(value)) { value.length = 0; return new Proxy([1], { get(...a) { keep(a); return Reflect.get(...a) } }) } return value })
JSON.stringify({ a: [1] }, function (key, value) { keep(this); return value })
JSON.stringify({ a: 1 }, new Proxy(["a"], { get(...a) { keep(a); return Reflect.get(...a) } }), { toString() { keep(this); return " " } })
attempt(() => JSON.stringify(JSON.rawJSON?.("1"))); keep(JSON.rawJSON?.("1"))
return probe()`,
  ),
  escape(
    "a tagged template's strings",
    "The template object is made by the host, and kept for all runs of the text.",
    `const tag = (...args) => { keep(args); keep(args[0].raw); return args[0] }
const f = () => tag\`a\${1}b\`
if (f() !== f()) gained("another object each time")
if (f() === (() => tag\`a\${1}b\`)()) gained("one object for two places")
for (const change of [() => f().push(1), () => { f().raw.x = 1 }, () => Object.setPrototypeOf(f(), null), () => { f()[0] = "x" }, () => Object.defineProperty(f(), "y", { value: 1 }), () => { f().length = 0 }]) { try { change(); gained("it can be changed") } catch (error) { keep(error) } }
keep(tag\`\\u{zz}\`)
keep(String.raw(new Proxy({ raw: ["a"] }, { get(...a) { keep(a); return Reflect.get(...a) } })))
return probe()`,
  ),
  escape(
    "generators and their prototypes",
    "Objects behind generators, and what resumes them, lead to the host's own.",
    `function* g() { try { keep(this); keep(yield this) } finally { yield keep(arguments) } }
async function* ag() { try { keep(yield 1) } finally { await null } }
for (const f of [g, ag]) {
  const o = f()
  for (let x = o; x !== null; x = Object.getPrototypeOf(x)) { keep(x); keep(x.constructor) }
  for (const key of ["next", "return", "throw"]) { attempt(() => o[key](keep)); for (const other of [g(), ag(), {}, tools, undefined, new Proxy(o, {})]) attempt(() => o[key].call(other, keep)) }
  attempt(() => Object.getPrototypeOf(f).constructor("yield 1")); attempt(() => new f())
  f.prototype = null; keep(Object.getPrototypeOf(f()))
}
const running = (function* () { attempt(() => running.next()); yield 1 })()
running.next()
await null
return probe()`,
  ),
  escape(
    "a sort that changes what is sorted",
    "A comparator sees the host's own copy, or what stood there before.",
    `const a = Array.from({ length: 100 }, (_, i) => ({ i }))
attempt(() => a.sort((x, y) => { keep(x); a.length = 0; a.push(x); return (x.i * 7919) % 3 - 1 }))
const holes = [3, , 1, , undefined, 2]
attempt(() => holes.sort((x, y) => { delete holes[0]; holes.length = 9; return x - y }))
attempt(() => Array.prototype.sort.call(new Proxy([2, 1], { set(...s) { keep(s); return Reflect.set(...s) } })))
const u = new Float64Array(100).map((_, i) => -i)
attempt(() => u.sort((x, y) => { u.buffer.transfer?.(); return x - y }))
attempt(() => [1, 2, 3].sort(() => ({ valueOf() { throw keep(this) } })))
for (const v of [...a, ...holes]) if (typeof v === "symbol") gained("a mark of the engine's")
return probe(a, holes)`,
  ),
  escape(
    "arrays that shrink in a conversion",
    "A built-in reads beyond the end of an array that its argument's conversion made shorter.",
    `for (const name of ["slice", "splice", "fill", "copyWithin", "indexOf", "lastIndexOf", "includes", "at", "with", "toSpliced", "flat", "join", "concat"]) {
  const a = [1, 2, 3, {}, {}]
  attempt(() => a[name]({ valueOf() { a.length = 0; return 1 }, toString() { a.length = 0; return "," } }, { valueOf() { a.length = 1; return 4 } }, 4))
  keep(a)
  for (const v of a) if (typeof v === "symbol") gained("a hole that shows")
}
for (const name of ["map", "forEach", "filter", "reduce", "some", "find", "findLast", "flatMap", "reduceRight", "every"]) {
  const a = [1, 2, 3, 4]
  attempt(() => a[name]((x, y) => { a.length = 1; Object.defineProperty(a, 2, { get() { return keep(this) }, configurable: true }); if (typeof x === "symbol" || typeof y === "symbol") gained("a mark"); return 1 }))
}
return probe()`,
  ),
  escape(
    "buffers that are detached in a conversion",
    "A view reads or writes memory that is no longer its own.",
    `for (const name of ["slice", "fill", "set", "subarray", "copyWithin", "indexOf", "includes", "with", "at", "join", "toLocaleString", "lastIndexOf"]) {
  const u = new Uint8Array(64)
  attempt(() => u[name]({ valueOf() { u.buffer.transfer(); return 1 }, toString() { u.buffer.transfer(); return "" } }, { valueOf() { u.buffer.transfer(); return 2 } }))
  attempt(() => [u[0], u.length, Object.keys(u), u.byteOffset])
}
const b = new ArrayBuffer(16, { maxByteLength: 64 }), v = new Uint8Array(b, 8), d = new DataView(b, 8)
for (const use of [() => b.resize(4), () => v[0], () => v.length, () => d.getInt8(0), () => d.setInt8(0, { valueOf() { b.resize(0); return 1 } }), () => b.resize(64), () => v.fill(1), () => v.set(v.subarray(1)), () => new Uint8Array(b, 60, 8), () => b.slice(0, { valueOf() { b.resize(1); return 64 } })]) attempt(use)
for (let i = 0; i < v.length; i++) if (v[i] > 1) gained("memory that was not its own")
return probe(v)`,
  ),
  escape(
    "types confused by changes under way",
    "A built-in decides how to read an object, and the program changes the object before it does.",
    `const o = { a: 1, get b() { delete o.c; o.d = 1; Object.defineProperty(o, "e", { get() { return keep(this) }, enumerable: true }); return 1 }, c: 2, e: 3 }
for (const use of [() => ({ ...o }), () => Object.assign({}, o), () => Object.entries(o), () => JSON.stringify(o), () => structuredClone(o), () => tools.echo(o), () => { const { b, ...rest } = o; return rest }, () => Object.values(o)]) attempt(use)
const arr = [1, { toJSON() { arr.length = 1; arr.push(2 ** 53, tools); return 1 } }, 2]
attempt(() => JSON.stringify(arr)); attempt(() => tools.echo({ arr }))
const map = new Map([[1, 1], [2, 2]])
map.forEach((v, k) => { map.clear(); map.set(k + 2, v); if (map.size > 9 || k > 20) map.clear() })
for (const k of map.keys()) { map.delete(k); if (k < 40) map.set(k + 1, 1) }
Object.setPrototypeOf(arr, { get 0() { return keep(this) } }); delete arr[0]; attempt(() => arr.map((x) => x)); attempt(() => arr[0])
await null
return probe()`,
  ),
  escape(
    "every method on every receiver",
    "A method that does not check its receiver works on the hidden slots of another kind of object.",
    `const receivers = [undefined, 1, "x", {}, [], () => {}, new Map, /a/, new Error, Promise.resolve(), new Uint8Array(2), Symbol(), new Proxy({}, {}), tools, tools.echo, globalThis, (function* () {})(), new Intl.NumberFormat("en"), new URL("http://a/"), [].values().map((x) => x)]
const skip = new Set(["freeze", "seal", "preventExtensions", "setPrototypeOf", "defineProperty", "defineProperties", "__defineGetter__", "__defineSetter__", "set __proto__", "assign", "set", "deleteProperty", "setTimeout", "setInterval", "clear", "log", "info", "debug", "warn", "error", "table", "dir", "group", "trace"])
const seen = new Set(), methods = [], work = [globalThis]
while (work.length) {
  const o = work.pop()
  if (o === null || (typeof o !== "object" && typeof o !== "function") || seen.has(o)) continue
  seen.add(o)
  for (const key of Reflect.ownKeys(o)) { const d = Object.getOwnPropertyDescriptor(o, key); if (d) for (const v of [d.value, d.get, d.set]) { if (typeof v === "function" && !seen.has(v)) methods.push(v); work.push(v) } }
  work.push(Object.getPrototypeOf(o))
}
if (methods.length < 600) gained("only " + methods.length + " methods were found")
for (let i = 0; i < methods.length; i++) {
  if (skip.has(methods[i].name)) continue
  for (let j = 0; j < 4; j++) {
    try { const v = Reflect.apply(methods[i], receivers[(i + j * 5) % receivers.length], [{}, 1]); if (typeof v === "object") keep(v); if (v instanceof Promise) v.catch(() => {}) } catch (error) { if (!(error instanceof Error)) gained("threw what is no error") }
  }
}
return probe()`,
  ),
  escape(
    "well-known and registered symbols",
    "A symbol is the host's own, and means something to its inspection, its streams or its promises.",
    `for (const key of Reflect.ownKeys(Symbol)) if (typeof Symbol[key] === "symbol" && Symbol.keyFor(Symbol[key]) !== undefined) gained(key + " is registered")
const o = { [Symbol.toStringTag]: "Module" }
for (const key of ["nodejs.util.inspect.custom", "nodejs.util.promisify.custom", "nodejs.rejection", "nodejs.dispose", "nodejs.webstream.isClosedPromise", "Deno.customInspect", "Deno.privateCustomInspect", "vitest", "effect/Effect", "effect/Inspectable/Redactable"]) {
  o[Symbol.for(key)] = Object.prototype[Symbol.for(key)] = function (...args) { gained("called by the host: " + key) }
}
console.log(o, [o]); console.error(o); attempt(() => tools.echo({ a: 1 })); attempt(() => { throw o }); attempt(() => structuredClone({ a: 1 }))
await null
for (const key of Object.getOwnPropertySymbols(Object.prototype)) delete Object.prototype[key]
return probe()`,
  ),
  escape(
    "objects that look like the interpreter's own",
    "An interpreter knows its objects by their fields, which a program can give to any object.",
    `const fields = { isObject: true, type: "function", nativeFunc: keep, properties: { a: 1 }, getter: {}, setter: {}, proto: tools, class: "Function", data: [1, keep], shape: { proto: null, count: 9, table: { keys: ["a"] } }, slots: [tools], kind: 21, child: null, mark: 0, definition: { impl: keep, id: "Array" }, state: { tool: "fail" }, code: { template: {} }, brand: "Intl.Locale", get: keep, set: keep, compiled: {}, elements: [1], [Symbol.for("isObject")]: true }
const fakes = [fields, Object.assign([], fields), Object.assign(() => 1, fields), Object.create(fields), new Proxy(fields, {})]
for (const fake of fakes) for (const use of [(x) => tools.echo({ x: { ...x, nativeFunc: 1, data: 1, definition: 1, get: 1, set: 1 } }), (x) => x(), (x) => new x(), (x) => Object.getOwnPropertyDescriptor(x, "get"), (x) => Object.defineProperty({}, "a", x), (x) => structuredClone(x), (x) => new Map([[x, x]]).get(x), (x) => Reflect.apply(Math.max, x, x), (x) => new Intl.NumberFormat(x, x), (x) => Array.prototype.map.call(x, keep), (x) => Map.prototype.get.call(x, 1), (x) => Promise.prototype.then.call(x, keep), (x) => RegExp.prototype.exec.call(x, "a"), (x) => JSON.stringify(x), (x) => console.log(x), (x) => x[0], (x) => Object.setPrototypeOf({}, x).a, (x) => ({ __proto__: x }).slots, (x) => Reflect.construct(Array, x, Array)]) attempt(use, fake)
await null
return probe(fakes)`,
  ),
  escape(
    "text that ends up in generated code",
    "Names and texts of the program are put into code that the host makes and runs, and end a string or a comment there.",
    `const ends = ["'];globalThis.ran=1;//", '"];globalThis.ran=1;//', "*/globalThis.ran=1/*", "\\u2028globalThis.ran=1", "\\n;globalThis.ran=1", "\${globalThis.ran=1}", "\`+(globalThis.ran=1)+\`", "){globalThis.ran=1", "\\\\", "//# sourceURL=\\nglobalThis.ran=1"]
for (const text of ends) {
  const o = { [text]: 1, get [text + "2"]() { return 1 }, [text + "3"]() {} }
  for (const use of [() => tools.echo(o), () => JSON.stringify(o), () => String(o[text + "3"]), () => new RegExp(text), () => new Intl.NumberFormat("en", { style: text }), () => tools[text]({}), () => structuredClone(o), () => console.log(o, text), () => class { static [text] = 1; [text + "4"]() {} }, () => { throw new Error(text) }, () => Symbol(text).toString(), () => new URL(text, "http://a/"), () => new Date(text), () => search({ query: text }), () => Object.defineProperty(() => 1, "name", { value: text }).toString()]) attempt(use)
}
await null
if (globalThis.ran !== undefined) gained("text was run")
return probe()`,
  ),
  escape(
    "options that the host finds on Object.prototype",
    "Code of the host's reads options that nobody set, and finds those that a program put on the prototype of all objects.",
    `const options = { outputFunctionName: "x;process.exit()//", client: true, escapeFunction: "x", settings: {}, sourceURL: "\\nx", variable: "x", imports: {}, compileDebug: true, debug: true, shell: "/bin/sh", NODE_OPTIONS: "--inspect", env: { A: 1 }, argv0: "x", execPath: "x", input: "x", main: "x", exports: "x", type: "module", source: "x", block: { type: "Text" }, allowProtoPropertiesByDefault: true, isAdmin: true, timeout: 1, signal: {}, encoding: "x", maxResultLength: 1e9, fuel: 1e12, limits: {}, authorize: keep, retryable: true, code: "UNKNOWN_TOOL", message: "x" }
for (const [key, value] of Object.entries(options)) Object.defineProperty(Object.prototype, key, { __proto__: null, value, configurable: true, writable: true })
for (const use of [() => tools.echo({ a: 1 }), () => tools.nope({}), () => tools.fail({}), () => console.log({}), () => structuredClone({}), () => new Error("x"), () => Promise.reject({}).catch(keep), () => JSON.stringify({}), () => setTimeout(() => {}, 1), () => search({ query: "x" })]) attempt(use)
await new Promise((resolve) => setTimeout(resolve, 2))
for (const key of Object.keys(options)) delete Object.prototype[key]
return probe()`,
  ),
]
