import { type Escape, escape, refused } from "./case.ts"

/** Gives what a function made of text would give: nothing but an error of the program's may come of it. */
const make = String.raw`
const make = (f) => {
  try {
    const made = f("return this")
    keep(made)
    if (typeof made !== "function") return
    gained("made a function of text")
    keep(made())
  } catch (error) {
    if (!(error instanceof Error)) gained("threw what is no error")
    keep(error)
  }
}
`

const functions: ReadonlyArray<readonly [what: string, expression: string]> = [
  ["a function literal", "(function () {})"],
  ["an arrow", "(() => {})"],
  ["an async function", "(async () => {})"],
  ["a generator", "(function* () {})"],
  ["an async generator", "(async function* () {})"],
  ["a class", "(class {})"],
  ["a method", "({ m() {} }).m"],
  ["a getter", "Object.getOwnPropertyDescriptor({ get x() { return 1 } }, 'x').get"],
  ["a bound function", "(() => {}).bind(null)"],
  ["a proxy of a function", "new Proxy(() => {}, {})"],
  ["a built-in", "Math.max"],
  ["a built-in's getter", "Object.getOwnPropertyDescriptor(Map.prototype, 'size').get"],
  ["a built-in constructor", "Array"],
  ["a tool", "tools.echo"],
  ["a promise's resolving function", "Promise.withResolvers().resolve"],
  ["a proxy's revoking function", "Proxy.revocable({}, {}).revoke"],
  ["a method of console", "console.log"],
  ["a timer", "setTimeout"],
  ["a formatter's bound method", "new Intl.NumberFormat('en').format"],
  ["a method of an iterator helper", "[].values().map((x) => x).next"],
  ["a method of URL", "URL.prototype.toString"],
  ["structuredClone", "structuredClone"],
]

export const constructors: ReadonlyArray<Escape> = [
  ...functions.map(([what, expression]) =>
    escape(
      `constructor of ${what}`,
      "The constructor of a function makes a function of text, which runs with the host's globals.",
      `${make}
const f = keep(${expression}), C = f.constructor
make(C)
make((text) => new C(text))
make(Object.getPrototypeOf(f).constructor)
make((text) => Reflect.construct(C, [text]))
make((text) => Reflect.apply(C, undefined, [text]))
make((text) => C.call(null, text))
make((text) => C.bind(null, text)())
make((text) => C("a = " + text, "b", text))
make((text) => new (class extends C {})(text))
return probe()`,
    )
  ),
  escape(
    "constructor of what `this` is",
    "`this` at the top level is an object of the host's, and its constructor's constructor is `Function`.",
    `${make}
keep(this)
const sloppy = function () { return this }
keep(sloppy())
for (const o of [this, globalThis, sloppy()]) if (o) make(o.constructor?.constructor ?? (() => { throw new Error() }))
if (sloppy() !== undefined) gained("a function without an object has this")
return probe()`,
  ),
  escape(
    "constructor as a bare name",
    "A name that is no variable is looked up on an object of the host's, with all that it inherits.",
    `${make}
const names = ["constructor", "__proto__", "hasOwnProperty", "toString", "valueOf", "toLocaleString", "propertyIsEnumerable"]
const reads = [() => constructor, () => __proto__, () => hasOwnProperty, () => toString, () => valueOf, () => toLocaleString, () => propertyIsEnumerable]
reads.forEach((read, i) => {
  const value = attempt(read)
  if (typeof value === "function" && value !== Object.prototype[names[i]] && value !== globalThis[names[i]]) gained(names[i])
})
attempt(() => valueOf())
attempt(() => toLocaleString())
attempt(() => propertyIsEnumerable.call(undefined))
return probe()`,
  ),
  escape(
    "constructor by a computed key",
    "A filter on the names in a program's text does not see a name that is put together, or an object that becomes one.",
    `${make}
const keys = ["con" + "structor", ["constructor"], { toString: () => "constructor" }, { [Symbol.toPrimitive]: () => "constructor" },
  String.fromCharCode(99, 111, 110, 115, 116, 114, 117, 99, 116, 111, 114), atob("Y29uc3RydWN0b3I="), "\\x63onstructor", new String("constructor")]
let n = 0
const changing = { toString: () => n++ === 0 ? "name" : "constructor" }
for (const key of [...keys, changing]) make((text) => [].map[key](text))
return probe()`,
  ),
  escape(
    "constructor in a property descriptor",
    "A descriptor hands out the value of `constructor` where reading it is guarded.",
    `${make}
const proto = Object.getPrototypeOf(() => {})
make(Object.getOwnPropertyDescriptor(proto, "constructor").value)
make(Reflect.getOwnPropertyDescriptor(proto, "constructor").value)
make(Object.getOwnPropertyDescriptors(proto).constructor.value)
make(Object.getOwnPropertyDescriptors(Object.getOwnPropertyDescriptors(proto)).constructor.value.value)
for (const [key, desc] of Object.entries(Object.getOwnPropertyDescriptors(proto))) if (key === "constructor") make(desc.value)
for (const key of Reflect.ownKeys(proto)) if (key === "constructor") make(Reflect.get(proto, key, {}))
make(proto.valueOf().constructor)
return probe()`,
  ),
  escape(
    "constructor through old accessors",
    "`__lookupGetter__` and its siblings reach what reflection hides, and `__defineGetter__` replaces the guard.",
    `${make}
const proto = Object.getPrototypeOf(() => {})
const get = ({}).__lookupGetter__("__proto__")
keep(get)
keep(get.call(get))
make(get.call(() => {}).constructor)
;({}).__defineGetter__.call(Object.prototype, "toString", ({}).constructor)
attempt(() => String({}))
delete Object.prototype.toString
attempt(() => proto.__lookupGetter__("caller"))
attempt(() => proto.__lookupGetter__("arguments").call(make))
return probe()`,
  ),
  escape(
    "constructor deleted and put back",
    "Where `constructor` is overridden on the object itself, deleting it uncovers the host's.",
    `${make}
const f = () => {}
delete f.constructor
make(f.constructor)
const proto = Object.getPrototypeOf(f), own = proto.constructor
delete proto.constructor
make((text) => f.constructor(text))
make((text) => f.constructor.constructor(text))
proto.constructor = own
Object.setPrototypeOf(f, null)
make((text) => f.constructor(text))
return probe()`,
  ),
  escape(
    "assigning over what is trusted",
    "An expression assigns over methods that the sandbox checks with, such as `charAt` of texts, so that its checks pass.",
    `${make}
const { charAt } = String.prototype, { indexOf } = Array.prototype, { call, apply } = Object.getPrototypeOf(make)
String.prototype.charAt = [].join
Array.prototype.indexOf = () => 0
Object.getPrototypeOf(make).call = () => true
Object.getPrototypeOf(make).apply = () => true
make((text) => "a".constructor.constructor(text))
make((text) => "a".sub.constructor(text))
String.prototype.charAt = charAt
Array.prototype.indexOf = indexOf
Object.assign(Object.getPrototypeOf(make), { call, apply })
return probe()`,
  ),
  escape(
    "the constructor as a callback",
    "A method that takes a callback calls the constructor with texts of the program's.",
    `${make}
const F = (() => {}).constructor
make(() => ["return this"].map(F)[0])
make(() => Array.from(["return this"], F)[0])
make(() => ["a", "return this"].reduce(F))
make(() => "return this".replace(/.+/, F))
make(() => { throw [2, 1].sort(F) })
make(() => JSON.parse('"return this"', F))
attempt(() => Promise.resolve("return this").then(F))
attempt(() => tools.echo({}).then(F))
attempt(() => Reflect.apply(F, null, ["x"]))
make(() => F\`return this\`)
make(() => Object.groupBy(["return this"], F))
make(() => ({ __proto__: F.prototype }).constructor("return this"))
await null
return probe()`,
  ),
  escape(
    "no letters",
    "A program of brackets and signs alone reaches `constructor` through texts of values, past any filter.",
    `${make}
const t = (![] + [])[+!![]] + "t"
const filter = (![] + [])[+[]] + ([![]] + [][[]])[+!![] + [+[]]] + (![] + [])[!![] + !![]] + (!![] + [])[+[]] + (!![] + [])[!![] + !![] + !![]] + (!![] + [])[+!![]]
make((text) => [][filter].constructor(text))
make((text) => [][filter]["constructor"]["constructor"](text))
return probe(t)`,
  ),
  escape(
    "code as text for a timer",
    "A timer runs a text as code, in the host's global scope.",
    `for (const f of [setTimeout, setInterval, queueMicrotask]) {
  for (const text of ["globalThis.ran = 1", new String("globalThis.ran = 1"), { toString: () => "globalThis.ran = 1" }]) attempt(() => f(text, 0))
}
await new Promise((resolve) => setTimeout(resolve, 5))
if (globalThis.ran) gained("text was run")
return probe()`,
  ),
  escape(
    "eval in all its forms",
    "`eval` runs a text in the scope of the sandbox's own code, directly, or globally by another name.",
    `const evals = [() => eval("1"), () => (0, eval)("1"), () => globalThis["ev" + "al"]("1"), () => Reflect.apply(eval, undefined, ["1"]),
  () => eval.call(null, "1"), () => ["1"].map(eval), () => eval?.("1"), () => new eval("1"), () => eval(new String("1")), () => eval\`1\`,
  () => { const e = eval; return e("1") }, () => \\u0065val("1")]
for (const e of evals) {
  const got = attempt(e)
  if (got === 1) gained("text was run")
}
return probe()`,
  ),
  escape(
    "a class that extends what makes functions",
    "`super(text)` calls the constructor of functions with a new target of the program's.",
    `for (const f of [() => {}, async () => {}, function* () {}, async function* () {}]) {
  class Made extends f.constructor { constructor() { super("return globalThis") } static get [Symbol.species]() { return this } }
  attempt(() => new Made())
  attempt(() => new Made()())
  attempt(() => Reflect.construct(f.constructor, ["return 1"], Array))
  attempt(() => Reflect.construct(f.constructor, ["return 1"], new Proxy(class {}, { get: (t, k) => k === "prototype" ? keep(t) : t[k] })))
}
return probe()`,
  ),
  escape(
    "the text of a function",
    "The text of a built-in or of a compiled function shows what wraps it, or can be run again.",
    `for (const f of [() => 1, make, Math.max, tools.echo, tools.fail, class { #x = 1 }, new Proxy(() => {}, {}), (() => {}).bind(null), console.log, setTimeout]) {
  const text = keep(Object.getPrototypeOf(make).toString.call(f))
  if (/yield|machine|\\bm\\.|callee|import|\\bthis\\.#/.test(text) && !text.includes("#x")) gained(text)
}
function make() {}
for (const v of [{}, [], null, 1, new Proxy({}, {})]) attempt(() => Object.getPrototypeOf(make).toString.call(v))
return probe()`,
  ),
]

export const modules: ReadonlyArray<Escape> = [
  refused(
    "import()",
    "A program loads a module of the host's, whose promise is the host's too.",
    "return import('node:fs')",
  ),
  refused(
    "import() of a data address",
    "A module's text comes with its address.",
    "return import('data:text/javascript,export default 1')",
  ),
  refused("import() behind a comment", "A filter looks for `import(`.", "return import/**/('node:fs')"),
  refused(
    "import() in a default",
    "The call stands where a rewriting of the program does not look.",
    "const f = (x = import('node:fs')) => x\nreturn f()",
  ),
  refused("import.meta", "The module's own address, and what else the host hangs there.", "return import.meta.url"),
  refused("import", "A static import is run before the program.", "import fs from 'node:fs'\nreturn fs"),
  refused("export", "An exported binding is seen by the host's loader.", "export const a = 1"),
  refused("import.source", "A phase of import that a sandbox does not know of.", "return import.source('node:fs')"),
  refused(
    "with",
    "A scope made of an object decides what the names of the sandbox's own code mean.",
    "with ({ a: 1 }) { return a }",
  ),
  refused(
    "a name written with escapes",
    "A keyword in escapes gets past a filter.",
    "return \\u0069mport('node:fs')",
    "SYNTAX_ERROR",
  ),
  refused("natives of V8", "A sign of V8's own calls into the host.", "return %DebugPrint(1)", "SYNTAX_ERROR"),
  refused(
    "the end of the wrapper",
    "A program closes the function it is wrapped in, and goes on outside.",
    "return 1 }) ; globalThis.out = 1 ; (() => {",
    "SYNTAX_ERROR",
  ),
  refused(
    "the end of the wrapper in a template",
    "The same from within a template.",
    "return `${1 }}`) ; (() => {`",
    "SYNTAX_ERROR",
  ),
  refused(
    "arguments of the wrapper",
    "`arguments` at the top level are those of the sandbox's own function.",
    "return arguments[0]",
    "EXECUTION_ERROR",
  ),
  refused(
    "new.target of the wrapper",
    "`new.target` at the top level is the sandbox's own function.",
    "return new.target",
    "SYNTAX_ERROR",
  ),
  refused(
    "super of the wrapper",
    "`super` at the top level is what the sandbox's own method has.",
    "return super.constructor",
    "SYNTAX_ERROR",
  ),
  refused(
    "caller in sloppy code",
    "Sloppy functions tell their caller.",
    "function f() { return arguments.callee.caller }\nreturn f()",
    "EXECUTION_ERROR",
  ),
  refused(
    "an octal escape",
    "What only sloppy code may write shows that the program is sloppy.",
    "return '\\101'",
    "SYNTAX_ERROR",
  ),
  refused("delete of a name", "The same.", "const a = 1\nreturn delete a", "SYNTAX_ERROR"),
  {
    ...refused(
      "a comment of a web page",
      "A rewriting and the engine disagree on what `<!--` means.",
      "let a = 1\nlet b = a <!--a\nreturn b",
    ),
    expect: "anything",
  },
  {
    ...refused(
      "a source map's address",
      "The host fetches what a comment names.",
      "return 1\n//# sourceMappingURL=file:///etc/passwd",
    ),
    expect: { returns: 1 },
  },
]
