import { type Escape, escape } from "./case.ts"

export const tools: ReadonlyArray<Escape> = [
  escape(
    "the object of the tools",
    "The namespace is a proxy of the host's: its prototype, its handler and its hidden members show.",
    `for (let o = tools; o !== null; o = Object.getPrototypeOf(o)) { keep(o); for (const key of Reflect.ownKeys(o)) keep(Object.getOwnPropertyDescriptor(o, key)) }
for (const key of ["constructor", "__proto__", "prototype", "then", "toJSON", "toString", "valueOf", "call", "apply", "bind", "handler", "target", "inspect", "length", "name", "data", "state"]) attempt(() => tools[key])
for (const name of Reflect.ownKeys(Symbol)) if (typeof Symbol[name] === "symbol") attempt(() => tools[Symbol[name]])
keep(await tools); keep({ ...tools }); keep(Object.entries(tools)); attempt(() => structuredClone(tools)); attempt(() => JSON.stringify(tools)); attempt(() => [...tools]); attempt(() => tools()); attempt(() => new tools())
return probe()`,
  ),
  escape(
    "changing the object of the tools",
    "A tool is replaced, added or hidden, so that the host calls the program where it meant its own.",
    `const { echo } = tools
for (const change of [() => { tools.echo = keep }, () => { tools.nope = keep }, () => delete tools.echo, () => Object.defineProperty(tools, "echo", { value: keep }), () => Object.defineProperty(tools, "echo", { get: keep }), () => Object.setPrototypeOf(tools, { nope: keep }), () => { tools.__proto__ = { nope: keep } }, () => Object.assign(tools, { echo: keep }), () => Reflect.set(tools, "echo", keep), () => Reflect.defineProperty(tools, "x", { value: 1 }), () => { echo.x = 1 }, () => Object.defineProperty(echo, "name", { value: "fail" }), () => Object.setPrototypeOf(echo, null), () => Object.preventExtensions(tools), () => Object.freeze(tools), () => { globalThis.tools = {} }, () => Object.defineProperty(globalThis, "tools", { value: 1 }), () => delete globalThis.tools, () => tools.__defineGetter__("echo", keep)]) { try { change() } catch (error) { keep(error) } }
if (tools.echo !== echo || tools.nope === keep || globalThis.tools !== tools) gained("the tools were changed")
keep(await tools.echo({ a: 1 }))
return probe()`,
  ),
  escape(
    "what a tool's function is",
    "The function of a tool is the host's: its text, its properties, its prototype, as a constructor, as a method.",
    `const f = tools.echo
for (let o = f; o !== null; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) { keep(Object.getOwnPropertyDescriptor(o, key)); attempt(() => f[key]) }
for (const key of ["constructor", "prototype", "caller", "arguments", "callee", "handler", "tool", "state", "definition", "impl"]) attempt(() => f[key])
const text = String(f)
if (!/^function[^{]*\\{ \\[native code\\] \\}$/.test(text)) gained(text)
attempt(() => new f({})); attempt(() => Reflect.construct(f, [{}])); attempt(() => Reflect.construct(Object, [], f)); attempt(() => class extends f {}); attempt(() => ({}) instanceof f); attempt(() => new Proxy(f, { construct: keep })({}))
for (const self of [undefined, null, tools, globalThis, {}, keep, new Proxy({}, {})]) { attempt(() => f.call(self, { a: 1 })); attempt(() => f.apply(self, [{ a: 1 }])); attempt(() => f.bind(self)({ a: 1 })); attempt(() => Reflect.apply(f, self, [{ a: 1 }])) }
attempt(() => f\`a\`); attempt(() => [{ a: 1 }].map(f)); attempt(() => ({ f }).f({ a: 1 })); attempt(() => f?.({ a: 1 })); attempt(() => f(...[{ a: 1 }, keep, tools]))
await new Promise((resolve) => setTimeout(resolve, 1))
return probe()`,
  ),
  escape(
    "names that no tool has",
    "A name of the program's choice reaches what the host's table of tools inherits.",
    `for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "__defineGetter__", "prototype", "then", "call", "a.b", "", " ", "../fail", "echo.constructor", "fail\\u0000", "\\u202efail", "$codemode", "$codemode.search", "x".repeat(10000)]) {
  attempt(() => tools[name]); attempt(() => tools[name]?.({})); attempt(() => tools[name]({ a: 1 })); attempt(() => tools[name].x({})); attempt(() => tools[name].constructor("return 1"))
}
for (const key of [Symbol.iterator, Symbol(), 0, -1, 1.5, 2 ** 53, null, undefined, {}, [], ["echo"]]) { attempt(() => tools[key]); attempt(() => tools[key]({})) }
await new Promise((resolve) => setTimeout(resolve, 1))
return probe()`,
  ),
  escape(
    "the promise that a call gives",
    "The promise of a call is the host's, or holds the host's call.",
    `const p = tools.echo({ a: 1 })
for (let o = p; o !== null; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) keep(Object.getOwnPropertyDescriptor(o, key))
if (Object.getPrototypeOf(p) !== Promise.prototype || Reflect.ownKeys(p).length > 0) gained("it is another promise")
for (const key of ["cancel", "abort", "call", "id", "state", "promise", "signal", "fiber"]) if (p[key] !== undefined) gained(key)
p.x = 1; Object.setPrototypeOf(p, null); Object.freeze(p)
keep(await Promise.prototype.then.call(p, (v) => keep(v)))
attempt(() => structuredClone(tools.echo({}))); attempt(() => tools.echo({ p })); attempt(() => JSON.stringify(p))
return probe()`,
  ),
  escape(
    "the error of a failed call",
    "The error that a tool's failure becomes is the host's, and holds the host's failure and its cause.",
    `for (const call of [() => tools.fail({}), () => tools.nope({}), () => tools.echo(1), () => tools.echo({ f() {} }), () => tools.echo({ a: Promise.resolve() })]) {
  try { await call(); gained("it did not fail") } catch (error) {
    for (let o = error; o !== null; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) keep(Object.getOwnPropertyDescriptor(o, key))
    if (Object.getPrototypeOf(error) !== Error.prototype) gained("another prototype")
    for (const key of Reflect.ownKeys(error)) if (!["stack", "message", "name", "code"].includes(key)) gained("a property " + String(key))
    for (const key of ["stack", "message", "name", "code"]) if (typeof error[key] !== "string") gained(key + " is a " + typeof error[key])
  }
}
return probe()`,
    (tool, input) => {
      if (tool !== "echo") throw Object.assign(new TypeError("declared"), { cause: process, retry: () => process })
      return input
    },
  ),
  escape(
    "a program's values given back to it",
    "What the host hands back of an input is the host's copy, or the program's own object, with its accessors.",
    `const input = { a: { b: [1, { c: 2 }] }, get d() { return { e: 1 } } }
const r = await tools.echo(input), again = await tools.echo(input)
if (r === input || r.a === input.a || r.a === again.a || r.a.b === again.a.b) gained("an object is shared")
r.a.b.push(3); r.a.x = 1
if ("x" in (await tools.echo(input)).a || again.a.b.length !== 2) gained("a change shows elsewhere")
for (const key of Reflect.ownKeys(r)) { const d = Object.getOwnPropertyDescriptor(r, key); if (d.get || !d.writable || !d.configurable || !d.enumerable) gained("no plain property") }
return probe(r, again)`,
  ),
  escape(
    "very many arguments and very deep inputs",
    "The host's own code goes down into what it is given, or spreads it, until its stack is at its end.",
    `let deep = {}
for (let i = 0; i < 1000; i++) deep = i % 2 ? [deep] : { deep }
attempt(() => tools.echo(deep)); attempt(() => tools.echo({ deep })); attempt(() => JSON.stringify(deep)); attempt(() => structuredClone(deep)); attempt(() => console.log(deep)); attempt(() => [deep].flat(Infinity))
let nested = () => 1
for (let i = 0; i < 500; i++) nested = new Proxy(nested, {})
attempt(() => nested()); attempt(() => tools.echo({ nested })); attempt(() => String(nested)); attempt(() => nested instanceof nested)
attempt(() => tools.echo(...new Array(5000).fill({}))); attempt(() => Math.max(...new Array(5000).fill(1))); attempt(() => String.fromCharCode.apply(null, new Array(5000)))
await null
return probe()`,
  ),
  escape(
    "search and what it finds",
    "The function that the runtime answers itself, and its result, are the runtime's own objects.",
    `for (let o = search; o !== null; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) keep(Object.getOwnPropertyDescriptor(o, key))
for (const change of [() => { search.x = 1 }, () => { tools.$codemode.search = 1 }, () => delete tools.$codemode, () => Object.setPrototypeOf(search, null)]) { try { change() } catch (error) { keep(error) } }
const found = await search({ query: "echo" }), again = await search({ query: "echo" })
if (found === again || found.items === again.items) gained("one object for two searches")
found.items.push(1); found.items[0].name = "x"
if (JSON.stringify(await search({ query: "echo" })) !== JSON.stringify(again)) gained("a change shows")
for (const bad of [{ query: { toString() { throw 1 } } }, { query: () => 1 }, { get query() { return keep(this) && "x" } }, new Proxy({}, { get(...a) { keep(a); return "x" } }), { query: "x".repeat(1e5) }, { namespace: "__proto__", limit: -1 }]) attempt(() => search(bad))
attempt(() => new search({})); attempt(() => search.call(tools, { query: "constructor" })); attempt(() => tools.$codemode.constructor("return 1")); attempt(() => tools.$codemode.nope({}))
await new Promise((resolve) => setTimeout(resolve, 1))
return probe(found, again, tools.$codemode)`,
    (tool, input) => tool === "$codemode.search" ? { items: [{ name: "echo" }] } : input,
  ),
]
