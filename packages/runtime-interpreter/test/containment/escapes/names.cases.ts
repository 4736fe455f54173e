import { type Escape, escape } from "./case.ts"

export const names: ReadonlyArray<Escape> = [
  escape(
    "names of hosts",
    "Names that Node, browsers and other hosts have reach files, processes and the network.",
    `const all = ["process", "require", "module", "exports", "__dirname", "__filename", "Buffer", "global", "window", "self", "top", "parent", "frames", "document", "navigator", "location", "Deno", "Bun", "fetch", "XMLHttpRequest", "WebSocket", "Worker", "SharedWorker", "importScripts", "postMessage", "MessageChannel", "BroadcastChannel", "EventTarget", "Event", "AbortController", "Blob", "File", "FileReader", "FormData", "Headers", "Request", "Response", "ReadableStream", "CompressionStream", "localStorage", "indexedDB", "caches", "alert", "open", "print", "load", "read", "quit", "gc", "d8", "std", "os", "scriptArgs", "java", "Java", "Packages", "ActiveXObject", "WScript", "GM_info", "chrome", "browser", "external", "opener", "__proto__x", "vm", "fs", "child_process", "async_hooks", "reportError", "queueTask", "mainModule", "binding", "internalBinding", "primordials", "__coverage__", "__vitest_worker__"]
for (const name of all) {
  if (name in globalThis || globalThis[name] !== undefined || Object.getOwnPropertyDescriptor(globalThis, name) !== undefined) gained(name)
}
const reads = [() => process, () => require, () => module, () => Buffer, () => global, () => window, () => self, () => document, () => Deno, () => Bun, () => fetch]
for (const read of reads) { try { keep(read()); gained("a name was there: " + read) } catch (error) { keep(error) } try { if (typeof read() !== "undefined") gained("typeof") } catch {} }
return survey()`,
  ),
  escape(
    "what runs beside a program",
    "Memory that is shared, threads, weak references and code of other machines see what the program is not meant to.",
    `for (const name of ["SharedArrayBuffer", "Atomics", "WeakRef", "FinalizationRegistry", "WebAssembly", "ShadowRealm", "AsyncContext", "Realm", "Compartment"]) if (name in globalThis) gained(name)
keep(Object.getOwnPropertyNames(ArrayBuffer)); keep(new ArrayBuffer(8, { maxByteLength: 16 }).constructor)
for (const v of [new Uint8Array(2).buffer, new DataView(new ArrayBuffer(1)).buffer, new TextEncoder().encode("a").buffer, structuredClone(new ArrayBuffer(1))]) if (v.constructor !== ArrayBuffer) gained("another buffer")
attempt(() => structuredClone(new ArrayBuffer(1), { transfer: [new ArrayBuffer(1)] })); attempt(() => structuredClone(tools)); attempt(() => structuredClone(keep)); attempt(() => structuredClone({ tools }))
return probe()`,
  ),
  escape(
    "the sandbox's own state under the global object",
    "Names of the machine's own, kept from the parser but not from a computed read, are there all the same.",
    `for (const key of Reflect.ownKeys(globalThis)) if (typeof key === "symbol" || /machine|realm|frame|host|intrinsic|internal|sandbox|interp|vm2|_/i.test(key)) gained(String(key))
for (let o = globalThis; o !== null; o = Object.getPrototypeOf(o)) keep(Object.getOwnPropertyDescriptors(o))
for (const key of ["$codemode", "%machine%", "m", "shape", "slots", "kind", "data", "child", "mark"]) for (const o of [globalThis, {}, [], () => {}, tools, tools.echo]) { const v = o[key]; if (v !== undefined && !(o === tools && key === "$codemode")) gained(key) }
return probe()`,
  ),
  escape(
    "everything that is there",
    "Some object, somewhere among the built-ins, leads out.",
    "return survey([], {}, () => {}, new Map(), new Set(), new WeakMap(), /a/, new Date(), Promise.resolve(), (function* () {})(), (async function* () {})(), new Error('x'), Symbol(), 1n, new Proxy({}, {}), [].values(), [].values().map((x) => x), 'a'.matchAll(/a/g), new Map().entries(), new Set().values(), ''[Symbol.iterator](), new Intl.Segmenter('en').segment('a')[Symbol.iterator](), new DisposableStack(), new AsyncDisposableStack(), Iterator.from({ next() {} }), (() => arguments_())(), new URL('http://a/?b').searchParams.entries())\nfunction arguments_() { return arguments }",
  ),
  escape(
    "everything that is there, after failures",
    "What failing operations and halted calls leave behind leads out.",
    `for (const f of [() => null.x, () => tools.nope({}), () => tools.fail({}), () => { const g = () => g(); g() }, () => "x".repeat(2 ** 30), () => new Intl.NumberFormat("x-"), () => JSON.parse("{"), () => structuredClone(() => {}), () => new URL(":"), () => eval("1"), () => decodeURI("%")]) attempt(f)
await new Promise((resolve) => setTimeout(resolve, 1))
return survey()`,
    (tool, input) => {
      if (tool === "fail") throw new Error("declared")
      return input
    },
  ),
  escape(
    "everything that is there, seen from within the host's work",
    "While a built-in is under way, what a getter, a trap or a comparator sees is another world.",
    `const found = []
const look = () => { found.push(...survey()); return 1 }
JSON.stringify({ toJSON: look }); await tools.echo({ get a() { return look() } })
return found`,
  ),
  escape(
    "clocks and what is behind them",
    "The clock, the random source and the cryptography are the host's own objects.",
    `for (const o of [performance, crypto, Date, Math, console, Intl, JSON, Reflect]) for (let p = o; p !== null && p !== Object.prototype; p = Object.getPrototypeOf(p)) for (const key of Reflect.ownKeys(p)) { keep(Object.getOwnPropertyDescriptor(p, key)); attempt(() => o[key]) }
for (const key of ["memory", "eventLoopUtilization", "nodeTiming", "timerify", "measureUserAgentSpecificMemory", "getEntries"]) if (performance[key] !== undefined) gained("performance." + key)
for (const key of ["subtle", "webcrypto", "getCiphers", "createHash"]) if (crypto[key] !== undefined) gained("crypto." + key)
for (const key of ["_stdout", "_stderr", "Console", "context", "profile", "memory", "_times"]) if (console[key] !== undefined) gained("console." + key)
const Proto = (async () => {}).constructor
attempt(() => new performance.constructor()); attempt(() => new crypto.constructor()); attempt(() => new Proto("1")); attempt(() => new console.constructor())
return probe()`,
  ),
  escape(
    "where the host runs",
    "The default locale, the time zone and the spelling of functions tell of the machine.",
    `const { locale, timeZone } = new Intl.DateTimeFormat().resolvedOptions()
if (locale !== "en-US" || timeZone !== "UTC") gained(locale + " " + timeZone)
for (const f of [new Intl.NumberFormat(), new Intl.Collator(), new Intl.ListFormat(), new Intl.RelativeTimeFormat(), new Intl.Segmenter(), new Intl.NumberFormat("xx-invalid1"), new Intl.DateTimeFormat("zz")]) if (f.resolvedOptions().locale !== "en-US") gained("locale " + f.resolvedOptions().locale)
if (new Date(0).getTimezoneOffset() !== 0 || !/GMT\\+0000/.test(String(new Date(0)))) gained(String(new Date(0)))
for (const f of [Math.max, tools.echo, setTimeout, console.log]) keep(String(f))
return probe()`,
  ),
  escape(
    "console methods with hostile formats",
    "The host's inspection calls the program with its own functions.",
    `const o = { inspect(...a) { keep(a) }, toString(...a) { keep(a); return "x" }, toJSON(...a) { keep(a); return 1 }, get [Symbol.toStringTag]() { keep(this); return "x" }, get constructor() { keep(this); return { get name() { keep(this); return "N" } } }, get nodeType() { keep(this); return 1 } }
console.log("%s %d %i %f %j %o %O %c %%", o, o, o, o, o, o, o, o)
for (const name of Object.keys(console)) attempt(() => console[name](o, [o], new Map([[o, o]])))
console.table([o, { o }], new Proxy(["o"], { get(...a) { keep(a); return Reflect.get(...a) } }))
console.dir(o, { get depth() { keep(this); return 1 }, customInspect: true, showProxy: true, showHidden: true })
console.log(new Proxy({ a: 1 }, { get(...a) { keep(a); return Reflect.get(...a) }, ownKeys(...a) { keep(a); return Reflect.ownKeys(...a) } }))
console.group(o); console.count(o); console.assert(false, o); console.time(o); console.timeEnd(o); console.groupEnd()
class A { get x() { keep(this); return 1 } static [Symbol.hasInstance](v) { keep(v); return true } [Symbol.for("nodejs.util.inspect.custom")](...a) { keep(a); return keep } }
console.log(new A(), A, [new A()])
for (const f of Object.values(console)) { attempt(() => f.call(undefined, 1)); attempt(() => new f(1)); attempt(() => f.call(tools, "x")) }
return probe()`,
  ),
  escape(
    "Intl with hostile options",
    "The host's formatters read options and locales from objects of the program's.",
    `const o = new Proxy({}, { get(...a) { keep(a); return undefined }, has(...a) { keep(a); return true }, getPrototypeOf(...a) { keep(a); return null }, ownKeys(...a) { keep(a); return [] } })
const locales = [{ length: 1, get 0() { keep(this); return "en" } }, new Proxy(["en"], { get(...a) { keep(a); return Reflect.get(...a) } })]
for (const name of Reflect.ownKeys(Intl)) if (typeof Intl[name] === "function") for (const locale of locales) {
  const f = attempt(() => new Intl[name](locale, o)); attempt(() => Intl[name](locale, o)); attempt(() => Intl[name].supportedLocalesOf?.(locale, o))
  for (const key of Reflect.ownKeys(Intl[name].prototype ?? {})) { attempt(() => f[key]); attempt(() => f[key](o)); attempt(() => f[key](1, 2)); attempt(() => f[key](["a"])) }
}
for (const use of [() => (1).toLocaleString(locales, o), () => new Date(0).toLocaleDateString("en", o), () => "a".localeCompare("b", "en", o), () => "a".toLocaleUpperCase(locales[0]), () => [1].toLocaleString("en", o), () => Intl.getCanonicalLocales(locales[0]), () => Intl.supportedValuesOf?.("calendar"), () => new Intl.NumberFormat("en").formatToParts(1), () => [...new Intl.Segmenter("en").segment("a b")]]) attempt(use)
return probe()`,
  ),
  escape(
    "addresses and their parts",
    "The host's own `URL` parses what the program gives, and its parts are objects of the host's.",
    `const u = keep(new URL("https://user:pass@host:8080/p?a=1#h"))
keep(u.searchParams); keep([...u.searchParams]); keep(u.searchParams.constructor)
for (const key of Reflect.ownKeys(URL)) keep(URL[key])
for (const key of Reflect.ownKeys(URL.prototype)) { keep(Object.getOwnPropertyDescriptor(URL.prototype, key)); attempt(() => u[key]); attempt(() => { u[key] = { toString() { keep(this); return "x" } } }) }
for (const bad of [tools, "blob:null/1", "file:///etc/passwd", "data:,x", { toString: () => "javascript:1" }, "node:fs"]) attempt(() => typeof new URL(bad).host)
if (typeof URL.createObjectURL !== "undefined") gained("createObjectURL")
return []`,
  ),
]
