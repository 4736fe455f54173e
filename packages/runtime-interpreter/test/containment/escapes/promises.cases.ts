import { type Escape, escape } from "./case.ts"

export const promises: ReadonlyArray<Escape> = [
  escape(
    "a getter for then on Object.prototype",
    "Whatever the host resolves a promise with is taken for a thenable, and is handed to the program.",
    `Object.defineProperty(Object.prototype, "then", { configurable: true, get() { keep(this); return undefined } })
const r = await tools.echo({ a: 1 })
const s = await (async () => ({}))()
attempt(() => Promise.resolve({})); attempt(() => tools.nope({})); attempt(() => Array.fromAsync([{}]))
for await (const x of (async function* () { yield {} })()) keep(x)
delete Object.prototype.then
return probe(r, s)`,
  ),
  escape(
    "a method then on Array.prototype",
    "The host awaits a list of its own, which is a thenable now, with the host's functions for arguments.",
    `Array.prototype.then = function (...args) { keep(this); keep(args); args[0](1) }
const r = await tools.echo({ a: [1] })
const all = await Promise.all([1])
attempt(() => Promise.allSettled([1])); attempt(() => Array.fromAsync([1]))
await null
delete Array.prototype.then
return probe(r, all)`,
  ),
  escape(
    "then on functions, numbers and texts",
    "A primitive or a function that the host resolves with is looked at for `then`, on prototypes of the program's.",
    `const protos = [Object.getPrototypeOf(() => {}), Number.prototype, String.prototype, Symbol.prototype, Map.prototype, Error.prototype, Date.prototype]
for (const p of protos) Object.defineProperty(p, "then", { configurable: true, get() { keep(this); return undefined } })
for (const v of [() => {}, 1, "a", Symbol(), new Map(), new Error("x"), new Date(0)]) await Promise.resolve(v)
attempt(() => tools.nope({}))
await null
for (const p of protos) delete p.then
return probe()`,
  ),
  escape(
    "Promise.prototype.then replaced",
    "The host calls the program's `then` with its own functions.",
    `const { catch: c, finally: f, then } = Promise.prototype
Promise.prototype.then = function (...args) { keep(this); keep(args); return then.apply(this, args) }
Promise.prototype.catch = function (...args) { keep(args); return c.apply(this, args) }
Promise.prototype.finally = function (...args) { keep(args); return f.apply(this, args) }
const r = await tools.echo({ a: 1 })
await (async () => { await null })()
tools.echo({}).catch(() => {}).finally(() => {})
attempt(() => Promise.all([1])); attempt(() => Array.fromAsync([1])); attempt(() => new AsyncDisposableStack().disposeAsync())
await null
Object.assign(Promise.prototype, { catch: c, finally: f, then })
return probe(r)`,
  ),
  escape(
    "Promise.resolve and the combinators replaced",
    "`await` and the host's waiting go through statics of `Promise` that the program has replaced.",
    `const saved = {}
for (const name of ["resolve", "reject", "all", "race", "any", "allSettled", "withResolvers", "try"]) { saved[name] = Promise[name]; Promise[name] = function (...args) { keep(this); keep(args); return saved[name].apply(this, args) } }
await tools.echo({ a: 1 })
await 1
for await (const x of [1, Promise.resolve(2)]) keep(x)
attempt(() => Promise.all([1, 2])); attempt(() => Array.fromAsync([1])); attempt(() => Promise.resolve(1).finally(() => {}))
await null
Object.assign(Promise, saved)
return probe()`,
  ),
  escape(
    "the global named Promise replaced",
    "The host makes its promises with whatever the global is.",
    `const own = Promise
globalThis.Promise = class { constructor(f) { keep(f); f(keep, keep) } then(...a) { keep(a) } static resolve(v) { return keep(v) } }
const r = tools.echo({ a: 1 })
if (!(r instanceof own)) gained("a promise of another class")
await r
attempt(async () => {}); attempt(() => own.resolve(1).then(() => 2))
globalThis.Promise = own
return probe(r)`,
  ),
  escape(
    "Promise's species",
    "A derived promise's constructor is given functions of the host's.",
    `class P extends Promise { constructor(executor) { keep(executor); super((...args) => { keep(args); executor(...args) }) } static get [Symbol.species]() { keep(this); return P } }
await P.resolve(1).then(() => tools.echo({}))
await P.all([tools.echo({}), 1]); await P.race([tools.echo({})]); await P.any([tools.echo({})]); await P.allSettled([tools.nope({})])
attempt(() => P.try?.(() => 1)); attempt(() => P.withResolvers()); attempt(() => P.reject(1).finally(() => {}))
return probe()`,
  ),
  escape(
    "a species that is a plain function",
    "What `then` makes for its result is an object of the program's, which the host fills.",
    `const p = Promise.resolve(1)
function Fake(executor) { keep(executor); executor((...a) => keep(a), (...a) => keep(a)); return { fake: keep } }
p.constructor = { [Symbol.species]: Fake }
attempt(() => p.then((x) => x)); attempt(() => p.catch(keep)); attempt(() => p.finally(keep))
const t = tools.echo({ a: 1 })
t.constructor = { [Symbol.species]: Fake }
attempt(() => t.then((x) => x)); attempt(() => Promise.prototype.finally.call(t, keep))
await new Promise((resolve) => setTimeout(resolve, 1))
return probe()`,
  ),
  escape(
    "a constructor that changes while it is looked at",
    "The check reads `constructor` once, the use reads it again and gets another one.",
    `for (const p of [Promise.resolve(1), tools.echo({ a: 1 }), (async () => 1)()]) {
  let reads = 0
  Object.defineProperty(p, "constructor", { configurable: true, get() { keep(this); return reads++ % 2 === 0 ? Promise : class { constructor(f) { keep(f); f((...a) => keep(a), (...a) => keep(a)) } static get [Symbol.species]() { return this } static resolve(v) { return keep(v) } } } })
  for (let i = 0; i < 3; i++) { attempt(() => p.then((v) => keep(v))); attempt(() => Promise.resolve(p)); attempt(() => p.finally(keep)) }
  await p
}
Object.defineProperty(Promise, Symbol.species, { configurable: true, get() { keep(this); return undefined } })
attempt(() => Promise.resolve(1).then(keep))
return probe()`,
  ),
  escape(
    "statics of Promise on another constructor",
    "`Promise.all` and its siblings make their result with any constructor, and hand it the host's functions.",
    `function C(executor) { keep(executor); executor((...a) => keep(a), (...a) => keep(a)) }
C.resolve = (v) => ({ then(...args) { keep(args); for (const a of args) attempt(() => a(v)); for (const a of args) attempt(() => a(v)) } })
for (const name of ["all", "allSettled", "any", "race", "resolve", "reject", "try", "withResolvers"]) for (const arg of [[1, Promise.resolve(2)], [], keep, 1]) attempt(() => Promise[name].call(C, arg))
for (const bad of [undefined, {}, () => {}, tools, Array, Map, new Proxy(C, {})]) attempt(() => Promise.all.call(bad, [1]))
await null
return probe()`,
  ),
  escape(
    "Promise constructed for another",
    "`Reflect.construct` makes a promise whose prototype, or whose class, is something else.",
    `for (const target of [Array, Map, Object, class {}, keep, new Proxy(Promise, { get(...a) { keep(a); return Reflect.get(...a) } }), Promise.bind(null)]) {
  const p = attempt(() => Reflect.construct(Promise, [(...args) => { keep(args); args[0](1) }], target))
  attempt(() => Promise.prototype.then.call(p, keep)); attempt(() => Promise.resolve(p)); attempt(() => tools.echo({ p }))
}
attempt(() => Promise()); attempt(() => Promise.call({}, keep)); attempt(() => new Promise({ call: keep }))
await null
return probe()`,
  ),
  escape(
    "thenables of all kinds",
    "An object with a `then` of the program's is called with the resolving functions of what waits.",
    `let n = 0
const thenable = { then(...args) { keep(this); keep(args); args[0](n++ < 3 ? thenable : 1); attempt(() => args[0](2)); attempt(() => args[1](3)); throw 4 } }
const self = { then(resolve) { keep(resolve); resolve(1) } }
await thenable; n = 0
keep(await Promise.resolve(thenable)); n = 0
keep(await (async () => thenable)()); n = 0
await tools.echo({ a: 1 }).then(() => thenable); n = 0
for await (const x of [self]) keep(x)
for await (const x of (async function* () { yield self; return self })()) keep(x)
keep(await Promise.all([self])); keep(await Array.fromAsync([self]))
for (const then of [new Proxy(() => {}, { apply(...a) { keep(a); a[2][0](1) } }), Math.max.bind(null)]) attempt(() => Promise.race([{ then }, 1]))
function F(resolve) { resolve(1) }
F.then = F
keep(await F)
return probe()`,
  ),
  escape(
    "the functions that settle a promise",
    "They are kept, called again, and looked at after what they settle is gone.",
    `const { promise, reject, resolve } = Promise.withResolvers()
for (const f of [resolve, reject]) { for (const key of ["constructor", "caller", "arguments", "prototype", "name", "length", "promise", "state", "context"]) attempt(() => f[key]); attempt(() => new f()); attempt(() => f.call(tools, 1)); attempt(() => structuredClone(f)); attempt(() => Object.setPrototypeOf(f, null)) }
attempt(() => resolve(promise))
keep(promise)
const later = Promise.withResolvers()
later.resolve(later.promise.then(() => tools))
await null
return probe()`,
  ),
  escape(
    "a rejection that nobody takes",
    "The host's own handler of unhandled rejections gets a value of the program's, and looks at it.",
    `for (const reason of [new Proxy({}, { get(...a) { keep(a); throw 1 } }), { get stack() { keep(this); return keep }, toString() { keep(this); return "x" } }, tools]) {
  const p = Promise.reject(reason)
  await new Promise((resolve) => setTimeout(resolve, 1))
  p.catch(() => {})
}
if (typeof globalThis.onunhandledrejection !== "undefined" || typeof globalThis.addEventListener !== "undefined") gained("events of the host's")
return probe()`,
  ),
  escape(
    "async functions and generators closed from outside",
    "Ending them half way runs code of the program's with the host's own completion.",
    `async function* g() { try { keep(yield 1) } finally { keep(await tools.echo({ a: 1 })); yield keep } }
const a = g(); await a.next(); keep(await a.return({ then(...args) { keep(args); args[0](1) } })); await a.return(1)
const b = g(); await b.next(); attempt(() => b.throw(keep)); await b.return()
for await (const x of g()) { keep(x); break }
const [c] = await Promise.allSettled([(async () => { for await (const x of { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return(...args) { keep(this); keep(args); return {} } }) }) throw 1 })()])
keep(c)
const inner = { [Symbol.asyncIterator]() { return { next(...args) { keep(args); return { then(...t) { keep(t); t[0]({ done: true }) } } }, get return() { keep(this); return undefined }, get throw() { keep(this); return undefined } } } }
attempt(async () => { async function* d() { yield* inner } for await (const x of d()) keep(x) })
await new Promise((resolve) => setTimeout(resolve, 2))
return probe()`,
  ),
  escape(
    "the order of jobs",
    "Code of the program's runs between two steps of the host's that belong together.",
    `let state = 0
const call = tools.echo({ a: { get b() { queueMicrotask(() => { keep(state++) }); Promise.resolve().then(() => keep(state++)); return 1 } } })
await call
await tools.echo({ a: { toJSON() { call.then(keep); return tools.echo({ b: 1 }) && 1 } } })
const o = { get a() { attempt(() => tools.echo(o2)); return 1 } }, o2 = { get b() { return 2 } }
await tools.echo(o)
attempt(() => setTimeout(() => tools.echo({ c: 1 }).then(keep), 0))
await new Promise((resolve) => setTimeout(resolve, 2))
return probe()`,
  ),
  escape(
    "timers and what they give",
    "The object that a timer gives is the host's, with the host's methods.",
    `const ids = [setTimeout(() => {}, 0), setInterval(() => {}, 1000), setTimeout(() => {}, { valueOf() { keep(this); return 1 } }), setTimeout(() => {}, Infinity), setTimeout(() => {}, -1), setTimeout(() => {}, 2 ** 40)]
for (const id of ids) { if (typeof id !== "number") { keep(id); keep(id.ref); keep(id.constructor); keep(id[Symbol.toPrimitive]); keep(id[Symbol.dispose]) } clearTimeout(id); clearInterval(id) }
for (const bad of [undefined, null, {}, 0, -1, NaN, "1", tools, new Proxy({}, { get(...a) { keep(a) } }), { [Symbol.toPrimitive]() { keep(this); return 1 } }]) { attempt(() => clearTimeout(bad)); attempt(() => setTimeout(() => {}, bad)) }
setTimeout(function (...args) { keep(this); keep(args) }, 0, tools, keep)
await new Promise((resolve) => setTimeout(resolve, 5))
return probe()`,
  ),
]
