import { type Escape, escape } from "./case.ts"

const sources: ReadonlyArray<readonly [what: string, code: string]> = [
  ["of the parser of JSON", "JSON.parse('{')"],
  ["of a missing property", "undefined.x"],
  ["of a call of what is no function", "(0)()"],
  ["of the stack", "const f = () => f(); f()"],
  ["of the stack, while an error's stack is read", "const f = () => { new Error().stack; f() }; f()"],
  ["of the stack, in a conversion", "const o = {}; o.toString = () => '' + o; '' + o"],
  ["of the stack, in a getter", "const o = { get x() { return Reflect.get(o, 'x') } }; o.x"],
  ["of the stack, in proxies of proxies", "let p = {}; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); p.x"],
  ["of the stack, in a chain of bound functions", "let f = () => 1; for (let i = 0; i < 3000; i++) f = f.bind(); f()"],
  ["of the stack, in nested JSON", "JSON.parse('['.repeat(100000))"],
  ["of the stack, in toJSON", "const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)"],
  ["of the stack, in a comparator", "const f = () => [1, 2].sort(f); f()"],
  ["of the stack, in a replacer", "const f = () => 'a'.replace('a', f); f()"],
  ["of the stack, in a tagged template", "const f = () => f`a`; f()"],
  [
    "of the stack, in a getter of a built-in's options",
    "const o = { get style() { return new Intl.NumberFormat('en', o) } }; new Intl.NumberFormat('en', o)",
  ],
  ["of the stack, in a chain of generators", "const g = function* () { yield* g() }; g().next()"],
  ["of the stack, in instanceof", "const o = { [Symbol.hasInstance]: (x) => x instanceof o }; 1 instanceof o"],
  ["of the stack, in flattening a cycle", "const a = []; a.push(a); a.flat(Infinity)"],
  ["of the stack, in a regular expression", "/(a|b|ab)*c/.exec('ab'.repeat(8))"],
  ["of the stack, in await", "const f = async () => { await f() }; await f()"],
  ["of a text's length", "'x'.repeat(2 ** 30)"],
  ["of an array's length", "new Array(-1)"],
  ["of a buffer", "new ArrayBuffer(2 ** 53)"],
  ["of a view", "new DataView(new ArrayBuffer(1)).getInt32(0)"],
  ["of a bigint", "1n << (1n << 64n)"],
  ["of mixed numbers", "1n + 1"],
  ["of a date", "new Date(NaN).toISOString()"],
  ["of a locale", "new Intl.NumberFormat('x-')"],
  ["of an option of Intl", "new Intl.NumberFormat('en', { style: 'currency', currency: {} })"],
  ["of a time zone", "new Intl.DateTimeFormat('en', { timeZone: 'no/where' })"],
  ["of an address", "new URL('::')"],
  ["of base64", "atob('*')"],
  ["of bytes as text", "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255]))"],
  ["of a component", "decodeURIComponent('%')"],
  ["of a pattern", "new RegExp('(')"],
  ["of a clone", "structuredClone(() => {})"],
  ["of random values", "crypto.getRandomValues(new Float64Array(1))"],
  ["of a normalization", "'x'.normalize('x')"],
  ["of a private name", "class A { #x; static get(o) { return o.#x } } A.get({})"],
  ["of a class called", "class A {} A()"],
  ["of a superclass", "class A extends null {} new A()"],
  ["of a name before its time", "x; let x = 1"],
  ["of a constant", "const x = 1; x = 2"],
  ["of a name that is not there", "process"],
  ["of a frozen object", "Object.freeze([]).push(1)"],
  ["of a proxy's promise broken", "Object.keys(new Proxy(Object.freeze({ a: 1 }), { ownKeys: () => [] }))"],
  ["of a revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); proxy.x"],
  ["of a symbol as text", "'' + Symbol('x')"],
  ["of an iterator", "const [a] = {}"],
  ["of what is not awaited", "tools.echo({}).map((x) => x)"],
  ["of a cycle", "const o = {}; o.o = o; JSON.stringify(o)"],
  ["of a tool's failure", "await tools.fail({})"],
  ["of an unknown tool", "await tools.nope({})"],
  ["of an input that is no data", "await tools.echo({ f() {} })"],
  ["of an input that is no object", "await tools.echo(1)"],
  ["of a result that is no data", "await tools.fail({ as: 'function' })"],
  ["of many errors", "await Promise.any([Promise.reject(1)])"],
  ["of a text as code", "eval('1')"],
  [
    "of two disposals",
    "const s = new DisposableStack(); s.defer(() => { null.x }); s.defer(() => { null.y }); s.dispose()",
  ],
  [
    "of asynchronous disposals",
    "const s = new AsyncDisposableStack(); s.defer(() => { null.x }); s.defer(async () => { null.y }); await s.disposeAsync()",
  ],
  ["of `using` what cannot be", "{ using x = { [Symbol.dispose]: 1 } }"],
]

/** What a tool fails with that declares its failure, or whose result is no JSON. */
const failing = (tool: string, input: unknown): unknown => {
  if (tool !== "fail") return input
  if ((input as { readonly as?: string }).as === "function") return () => process
  throw new TypeError("declared")
}

export const thrown: ReadonlyArray<Escape> = sources.map(([what, code]) =>
  escape(
    `an error ${what}`,
    "An error that the host's own code throws reaches the program as it is, and its constructor or stack leads to the host.",
    `const caught = []
try { await (async () => { ${code} })() } catch (error) { caught.push(keep(error)) }
for (const error of caught) {
  if (!(error instanceof Error)) gained("what was thrown is no error of the program's: " + typeof error)
  if (error.constructor.constructor !== (() => {}).constructor) gained("its constructor is of another realm")
  for (const inner of [error.cause, error.error, error.suppressed, ...(error.errors ?? [])]) {
    if (typeof inner === "object" && !(inner instanceof Error)) gained("what it holds is no error of the program's")
  }
}
return probe()`,
    failing,
  )
)

export const stacks: ReadonlyArray<Escape> = [
  escape(
    "prepareStackTrace",
    "A hook of the host's errors is given call sites, whose functions and `this` are the host's.",
    `Error.prepareStackTrace = (error, trace) => { keep(error); keep(trace); return trace }
const { stack } = keep(new Error("x"))
if (typeof stack !== "string") gained("a stack that is no text")
try { null.x } catch (error) { keep(error.stack) }
return probe()`,
  ),
  escape(
    "prepareStackTrace on another Error",
    "The host looks for the hook on the global named `Error`, not on the constructor that the sandbox guards.",
    `const own = Error
for (const Fake of [{ prepareStackTrace: keep }, class extends Error { static prepareStackTrace(...a) { keep(a) } }, new Proxy(Error, { get(...a) { keep(a); return Reflect.get(...a) } })]) {
  globalThis.Error = Fake
  try { null.x } catch (error) { keep(error); if (typeof error.stack !== "string") gained("no text") }
  attempt(() => new own("x").stack)
}
globalThis.Error = own
return probe()`,
  ),
  escape(
    "prepareStackTrace by inheritance",
    "The hook is found on a prototype that the program changed.",
    `for (const o of [Object.prototype, Object.getPrototypeOf(Error), TypeError, Error.prototype]) {
  Object.defineProperty(o, "prepareStackTrace", { configurable: true, value: (...args) => keep(args) })
  try { null.x } catch (error) { keep(error.stack) }
  attempt(() => tools.nope({}))
  delete o.prepareStackTrace
}
return probe()`,
  ),
  escape(
    "no hook at all",
    "Without a hook of the program's, the host's own one formats the stack, and what throws in it is the host's.",
    `Error.prepareStackTrace = undefined
const error = new Error("x")
error.name = Symbol("x")
attempt(() => error.stack)
attempt(() => String(error))
attempt(() => console.log(error))
attempt(() => Promise.reject(error).catch(keep))
attempt(() => Array.fromAsync([Promise.reject(error)]))
delete Error.prepareStackTrace
await null
return probe()`,
  ),
  escape(
    "captureStackTrace",
    "The stack is captured on an object of the program's, with call sites.",
    `const o = keep({})
Error.stackTraceLimit = Infinity
Error.captureStackTrace?.(o)
Error.captureStackTrace?.(o, probe)
for (const target of [function () {}, new Proxy({}, { defineProperty(...a) { keep(a); return true } }), Object.freeze({}), tools, globalThis, [], new Error()]) attempt(() => Error.captureStackTrace?.(target))
if (o.stack !== undefined && typeof o.stack !== "string") gained("a stack that is no text")
delete globalThis.stack
return probe()`,
  ),
  escape(
    "stackTraceLimit",
    "A limit of another type breaks what writes stacks, inside of the host.",
    `for (const limit of [{ valueOf() { throw 1 } }, NaN, -1, 2 ** 53, "x", Symbol(), () => {}]) {
  Error.stackTraceLimit = limit
  try { null.x } catch (error) { if (typeof keep(error).stack !== "string") gained("no text") }
}
Object.defineProperty(Error, "stackTraceLimit", { get() { keep(this); throw 1 }, configurable: true })
try { null.x } catch (error) { keep(error) }
return probe()`,
  ),
  escape(
    "an error's name that throws",
    "Writing an error calls the program from within the host.",
    `const error = new Error("x")
for (const name of [Symbol("x"), { toString() { throw keep(this) } }, null, new Proxy({}, {})]) {
  Object.defineProperty(error, "name", { value: name, configurable: true })
  attempt(() => String(error))
  attempt(() => error.stack)
  attempt(() => console.error(error))
}
Object.defineProperty(error, "name", { get() { throw keep(this) } })
attempt(() => String(error))
attempt(() => console.error(error))
return probe()`,
  ),
  escape(
    "a cause that is a proxy",
    "Writing an error's cause walks a proxy with the host's own reads.",
    `const p = new Proxy({}, { get(...args) { keep(args); return p }, getPrototypeOf(...args) { keep(args); return null }, ownKeys(...args) { keep(args); return ["a"] } })
console.log(new Error("x", { cause: p }))
console.error(p, new AggregateError([p]), new SuppressedError(p, p))
return probe()`,
  ),
  escape(
    "properties of a stack's object",
    "The stack is an accessor whose functions are the host's, or is made when it is read.",
    `const error = new Error("x")
let o = error
while (o !== null) { keep(Object.getOwnPropertyDescriptor(o, "stack")); o = Object.getPrototypeOf(o) }
for (const key of Reflect.ownKeys(error)) keep(Object.getOwnPropertyDescriptor(error, key))
const derived = Object.create(error)
keep(derived.stack)
derived.stack = keep
attempt(() => structuredClone(error))
return probe()`,
  ),
  escape(
    "frames of what a callback passes through",
    "A stack lists functions of the host's between those of the program.",
    `const stacks = []
const note = () => { stacks.push(new Error("here").stack); return 0 }
;[2, 1].sort(note); [1].map(note); "a".replace("a", note); JSON.parse("[1]", note); JSON.stringify({ toJSON: note }); new Map([[1, 2]]).forEach(note)
String({ toString: note }); Array.from([1], note); new Promise(note); Reflect.apply(note, null, []); new Intl.NumberFormat("en", { get style() { note() } })
setTimeout(note, 0); queueMicrotask(note); tools.echo({ get a() { return note() } }).then(note); for (const x of { *[Symbol.iterator]() { note(); yield 1 } }) note()
await new Promise((resolve) => setTimeout(resolve, 5))
for (const stack of stacks) for (const line of stack.split("\\n").slice(1)) {
  if (!/^ {4}at (.+ \\()?(program:\\d+:\\d+|<anonymous>|native)\\)?$/.test(line)) gained(line)
}
return probe(stacks)`,
  ),
  escape(
    "an error through the host's calls",
    "An exception of the program's passes through the host's code, and comes back as another one.",
    `const boom = keep({ [Symbol("x")]: 1 })
const uses = [() => [1].map(() => { throw boom }), () => JSON.stringify({ toJSON() { throw boom } }), () => "a".replace("a", () => { throw boom }), () => new Map({ [Symbol.iterator]() { throw boom } }),
  () => String({ toString() { throw boom } }), () => [1, 2].sort(() => { throw boom }), () => Reflect.construct(class { constructor() { throw boom } }, []), () => structuredClone({ get a() { throw boom } }),
  () => new Intl.NumberFormat("en", { get style() { throw boom } }), () => Object.defineProperty({}, "a", { get get() { throw boom } }), () => new URL({ toString() { throw boom } }), () => new Date({ valueOf() { throw boom } }),
  () => [...{ *[Symbol.iterator]() { throw boom } }], () => new Uint8Array([{ valueOf() { throw boom } }]), () => Object.groupBy([1], () => { throw boom }), () => new Proxy({}, { get() { throw boom } }).a, () => 1 instanceof { [Symbol.hasInstance]() { throw boom } }]
for (const use of uses) { try { use(); gained("nothing thrown by " + use) } catch (error) { if (error !== boom) gained("changed by " + use) } }
for (const use of [() => tools.echo({ get a() { throw boom } }), () => Promise.all([Promise.reject(boom)]), async () => { throw boom }, () => new Promise(() => { throw boom }), () => Array.fromAsync([1], () => { throw boom })]) {
  try { await use(); gained("nothing thrown by " + use) } catch (error) { if (error !== boom) gained("changed by " + use) }
}
return probe()`,
  ),
  escape(
    "an error's own class",
    "A subclass of Error sees what the host does with it: its species, its prototype, its fields.",
    `class E extends Error { static get [Symbol.species]() { keep(this); return E } get name() { keep(this); return "E" } get stack() { keep(this); return keep } set stack(v) { keep(v) } toString() { keep(this); return "E" } }
const e = new E("x")
attempt(() => console.log(e)); attempt(() => String(e)); attempt(() => structuredClone(e)); attempt(() => { throw e })
attempt(() => Reflect.construct(Error, ["x"], E)); attempt(() => Promise.any([Promise.reject(e)]))
attempt(() => Error.captureStackTrace(e))
await null
return probe()`,
  ),
  escape(
    "a chain of errors without an end",
    "What writes an error follows its causes, until the host's own stack is at its end.",
    `let error = new Error("0")
for (let i = 0; i < 2000; i++) error = new (i % 2 ? Error : AggregateError)(i % 2 ? "x" : [error], i % 2 ? { cause: error } : "x")
error.cause.cause = error
attempt(() => console.log(error))
attempt(() => structuredClone(error))
attempt(() => String(error))
return probe(error.stack)`,
  ),
  escape(
    "an error that a promise's executor throws",
    "What the host throws inside an executor becomes the rejection's reason as it is.",
    `const reasons = []
const note = (reason) => { reasons.push(keep(reason)) }
new Promise(() => { const e = new Error(); e.name = Symbol(); e.stack; String(e) }).catch(note)
new Promise(() => { const f = () => f(); f() }).catch(note)
new Promise((resolve) => resolve({ get then() { const f = () => f(); f() } })).catch(note)
Promise.reject(1).then(null, () => { null.x }).catch(note)
await new Promise((resolve) => setTimeout(resolve, 1))
for (const reason of reasons) if (!(reason instanceof Error)) gained("no error of the program's")
return reasons.length === 4 ? probe() : ["reasons: " + reasons.length]`,
  ),
]
