import { type Escape, escape } from "./case.ts"

const traps = [
  "get",
  "set",
  "has",
  "deleteProperty",
  "ownKeys",
  "getOwnPropertyDescriptor",
  "defineProperty",
  "getPrototypeOf",
  "setPrototypeOf",
  "isExtensible",
  "preventExtensions",
  "apply",
  "construct",
]

/** What a program can do with an object that comes to the host's own code. */
const uses = String.raw`
const uses = [(x) => tools.echo(x), (x) => tools.echo({ x }), (x) => console.log(x), (x) => console.table([x]), (x) => JSON.stringify(x), (x) => JSON.parse('{"a":[1]}', x),
  (x) => structuredClone(x), (x) => Promise.resolve(x), (x) => new Intl.NumberFormat("en", x), (x) => new Intl.DateTimeFormat(x), (x) => new Date(2020, 1).toLocaleString("en", x),
  (x) => "a".localeCompare("b", x, x), (x) => new URL(x, x), (x) => new URLSearchParams(x), (x) => Object.assign({}, x), (x) => ({ ...x }), (x) => [...x], (x) => Array.from(x), (x) => new Map(x),
  (x) => Uint8Array.from(x), (x) => new Uint8Array(x), (x) => "a".replace("a", x), (x) => "a".replace(x, "b"), (x) => [2, 1].sort(x), (x) => [1].map(x), (x) => [].concat(x), (x) => Reflect.ownKeys(x),
  (x) => Object.entries(x), (x) => Object.freeze(x), (x) => x instanceof x, (x) => new x(), (x) => x(), (x) => { throw x }, (x) => String.raw(x), (x) => setTimeout((...a) => attempt(x, ...a), 1), (x) => queueMicrotask((...a) => attempt(x, ...a)),
  (x) => Object.groupBy([1], x), (x) => Iterator.from(x), (x) => new Set([1]).union(x), (x) => Error.captureStackTrace?.(x), (x) => new Error("x", x), (x) => x.a, (x) => { x.a = 1 }, (x) => "a" in x,
  (x) => delete x.a, (x) => { for (const k in x) keep(k) }, (x) => Object.getPrototypeOf(x), (x) => Object.setPrototypeOf(x, null), (x) => Object.isExtensible(x), (x) => Object.preventExtensions(x),
  (x) => String(x), (x) => x + 1, (x) => Reflect.construct(Array, [], x), (x) => class extends x {}, (x) => Object.create(x).a, (x) => Array.fromAsync(x), (x) => new DisposableStack().use(x),
  (x) => Object.defineProperty({}, "a", x), (x) => Object.fromEntries(x), (x) => new Proxy({}, x).a, (x) => new Proxy(x, x).a, (x) => /a/[Symbol.replace]("a", x), (x) => Reflect.apply(x, x, x)]
`

const everywhere = (what: string, tries: string, setup: string, objects: string): Escape => ({
  name: what,
  tries,
  code: `${uses}
${setup}
for (const x of ${objects}) for (const use of uses) attempt(use, x)
await new Promise((resolve) => setTimeout(resolve, 5))
await tools.echo({ gained: probe() })`,
  // A promise that is rejected out of reach fails the run.
  expect: "anything",
})

export const proxies: ReadonlyArray<Escape> = [
  ...traps.map((trap) =>
    everywhere(
      `the trap ${trap}`,
      "A trap sees, as its handler, target, receiver or arguments, an object of the host's that the proxy is used from.",
      `const handler = { ${trap}(...args) { keep(this); keep(args); return Reflect.${trap}(...args) } }`,
      `[new Proxy(function () {}, handler), new Proxy([1], handler)]`,
    )
  ),
  everywhere(
    "a proxy whose handler is a proxy",
    "Every trap is asked for by the host's own code, which a second proxy sees.",
    "const meta = new Proxy({}, { get(t, key, receiver) { keep(receiver); return (...args) => { keep(args); return Reflect[key](...args) } } })",
    "[new Proxy(function () {}, meta), new Proxy([1], meta)]",
  ),
  everywhere(
    "a proxy that throws from every trap",
    "The host's code is interrupted wherever it looks at an object, and leaves what it was about to change.",
    "let n = 0\nconst boom = new Proxy({}, { get(t, key) { return () => { if (n++ % 3 === 0) throw boom; throw { key } } } })",
    "[new Proxy(function () {}, boom), new Proxy([1], boom)]",
  ),
  everywhere(
    "a revoked proxy",
    "A proxy without target and handler is used where the host expects an object.",
    "const revoked = [() => {}, {}, []].map((t) => { const { proxy, revoke } = Proxy.revocable(t, {}); revoke(); return proxy })",
    "revoked",
  ),
  everywhere(
    "a proxy that revokes itself",
    "The target goes while a trap is running, and the host goes on with nothing.",
    "const all = ['get', 'ownKeys', 'getPrototypeOf', 'has', 'getOwnPropertyDescriptor'].map((trap) => { const p = Proxy.revocable([1], { [trap](...args) { p.revoke(); return Reflect[trap](...args) } }); return p.proxy })",
    "all",
  ),
  everywhere(
    "a proxy of a proxy of the tools",
    "The tools' own objects are wrapped, so that the host sees its own methods through traps of the program's.",
    "const handler = new Proxy({}, { get: (t, key) => (...args) => { keep(args); return Reflect[key](...args) } })",
    "[new Proxy(tools, handler), new Proxy(tools.echo, handler), new Proxy(new Proxy(tools, {}), handler)]",
  ),
  escape(
    "traps on Object.prototype",
    "The host's handler has no trap of its own for an operation, and finds the program's on Object.prototype.",
    `const names = ${JSON.stringify(traps)}
for (const name of names) Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, writable: true, value: function (...args) { keep(this); keep(args); return Reflect[name](...args) } })
attempt(() => "a" in tools); attempt(() => tools.echo({ a: 1 })); attempt(() => Object.keys(tools)); attempt(() => tools.nope); attempt(() => console.log({ a: [tools] })); attempt(() => structuredClone({ a: 1 }))
const p = new Proxy({ a: 1 }, {})
attempt(() => p.a); attempt(() => Object.keys(p)); attempt(() => "a" in p)
for (const name of names) delete Object.prototype[name]
await null
return probe()`,
  ),
  escape(
    "a proxy for a prototype",
    "A proxy at the end of a prototype chain sees every look-up that the host makes.",
    `const spy = new Proxy(Object.create(null), { get(t, key, receiver) { keep(receiver); return undefined }, has(t, key) { keep(key); return false }, set(t, key, value, receiver) { keep(value); keep(receiver); return Reflect.defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true }) } })
const proto = Object.getPrototypeOf
for (const o of [{}, [1], () => {}, new Map([[1, 2]]), new Error("x"), Promise.resolve(1), /a/g, new Uint8Array(2), new Date(0)]) {
  Object.setPrototypeOf(o, spy)
  attempt(() => tools.echo({ o })); attempt(() => console.log(o)); attempt(() => JSON.stringify(o)); attempt(() => String(o)); attempt(() => o.x); attempt(() => { o.y = 1 }); attempt(() => structuredClone(o))
  attempt(() => Promise.resolve(o)); attempt(() => Array.from(o)); attempt(() => "a".replace(o, "b"))
}
await null
return probe()`,
  ),
  escape(
    "a proxy for a new target",
    "Whatever a built-in constructor makes gets its prototype from a read that the program sees, and may change.",
    `const names = ["Object", "Array", "Map", "Set", "WeakMap", "Promise", "Error", "AggregateError", "Date", "RegExp", "ArrayBuffer", "Uint8Array", "DataView", "String", "Number", "Boolean", "Proxy", "URL", "URLSearchParams", "TextEncoder", "DisposableStack", "Iterator"]
for (const name of names) {
  for (const prototype of [null, tools, keep, new Proxy({}, {}), Object.prototype]) {
    const target = new Proxy(function () {}, { get(...args) { keep(args); return args[1] === "prototype" ? prototype : Reflect.get(...args) } })
    for (const args of [[], [1], [[]], [new ArrayBuffer(8)], ["http://a/"], [() => {}], [{}, {}]]) attempt(() => Reflect.construct(globalThis[name], args, target))
  }
}
for (const name of ["NumberFormat", "DateTimeFormat", "Collator", "ListFormat", "PluralRules", "Segmenter", "Locale"]) attempt(() => Reflect.construct(Intl[name], ["en"], new Proxy(function () {}, { get: (...a) => { keep(a); return null } })))
return probe()`,
  ),
  escape(
    "a proxy that lies about what it is",
    "Keys, descriptors and prototypes that do not fit each other make the host see another object than it checked.",
    `const lies = [
  new Proxy({}, { ownKeys: () => ["a", "a"] }), new Proxy({}, { ownKeys: () => [1] }), new Proxy({}, { ownKeys: () => ({ length: 2, 0: "a", 1: Symbol.iterator }), getOwnPropertyDescriptor: (t, k) => ({ value: k, enumerable: true, configurable: true }) }),
  new Proxy([], { get: (t, k) => k === "length" ? -1 : t[k] }), new Proxy([], { get: (t, k) => k === "length" ? { valueOf: () => 2 } : k === "toJSON" ? undefined : keep }),
  new Proxy({}, { getPrototypeOf: () => Array.prototype }), new Proxy([], { getPrototypeOf: () => Promise.prototype }), new Proxy({}, { getOwnPropertyDescriptor: () => ({ get: keep, configurable: true }), ownKeys: () => ["a"] }),
  new Proxy({ a: 1 }, { get: (t, k) => k === "a" ? new Proxy({}, {}) : undefined }), new Proxy(function () {}, { get: (t, k) => k === "toJSON" ? undefined : t[k], ownKeys: () => ["prototype", "a"], getOwnPropertyDescriptor: (t, k) => k === "a" ? { value: 1, enumerable: true, configurable: true } : Reflect.getOwnPropertyDescriptor(t, k) })]
for (const lie of lies) {
  for (const use of [(x) => tools.echo({ x }), (x) => JSON.stringify(x), (x) => console.log(x), (x) => structuredClone(x), (x) => ({ ...x }), (x) => Object.entries(x), (x) => [].concat(x), (x) => Object.getOwnPropertyDescriptors(x), (x) => Object.assign({}, x), (x) => Array.from(x).length > 9]) attempt(use, lie)
}
await null
return probe()`,
  ),
  escape(
    "a proxy of what has hidden slots",
    "A built-in method is given a proxy where it expects its own kind of object, and takes the slots of the wrapper.",
    `const owners = [new Map, new Set, new WeakMap, new Date, /a/g, Promise.resolve(), new Uint8Array(2), new ArrayBuffer(2), new DataView(new ArrayBuffer(2)), new Error, (function* () { yield 1 })(), [].values(), new URL("http://a/"), new URLSearchParams("a=1"), new Intl.NumberFormat("en"), new Intl.Locale("en"), new TextEncoder, new DisposableStack, Symbol.prototype, tools, tools.echo]
for (const owner of owners) {
  const p = new Proxy(owner, { get(t, k) { return keep(Reflect.get(t, k)) } })
  for (const key of Reflect.ownKeys(Object.getPrototypeOf(owner) ?? {})) {
    attempt(() => p[key])
    attempt(() => p[key]())
    attempt(() => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(owner), key).get.call(p))
  }
  attempt(() => structuredClone(p)); attempt(() => console.log(p))
}
return probe()`,
  ),
  escape(
    "a private name on a proxy",
    "A class writes its private fields on an object that its constructor's superclass gave: a proxy, a tool, a global.",
    `class Gives { constructor(o) { return o } }
class Marks extends Gives { #mark = keep; static read(o) { return o.#mark } static has(o) { return #mark in o } }
for (const o of [new Proxy({}, {}), tools, tools.echo, globalThis, Math, Object.freeze({}), console, Reflect]) { attempt(() => new Marks(o)); attempt(() => Marks.read(o)); attempt(() => Marks.has(o)) }
return probe()`,
  ),
  escape(
    "a proxy with the tools' internals for its target",
    "An invariant that a proxy must keep makes the host compare, and tell, what its target really has.",
    `const target = Object.defineProperty({}, "a", { value: tools })
for (const key of ["a", "b", "echo"]) for (const t of [target, tools, tools.echo, Object.freeze([tools])]) {
  const p = new Proxy(t, { get: () => 1, getOwnPropertyDescriptor: () => undefined, has: () => false, ownKeys: () => [], deleteProperty: () => true, defineProperty: () => true, getPrototypeOf: () => null, set: () => true, isExtensible: () => true, preventExtensions: () => true, setPrototypeOf: () => true })
  for (const use of [() => p[key], () => Object.getOwnPropertyDescriptor(p, key), () => key in p, () => Object.keys(p), () => delete p[key], () => Object.defineProperty(p, key, { value: 1 }), () => Object.getPrototypeOf(p), () => { p[key] = 1 }, () => Object.isExtensible(p), () => Object.preventExtensions(p), () => Object.setPrototypeOf(p, {})]) attempt(use)
}
return probe()`,
  ),
]
