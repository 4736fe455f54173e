import type { Answer } from "../drive.ts"
import { type Escape, escape, type Expectation } from "./case.ts"

class Instance {
  #secret = 1
  get secret() {
    return this.#secret
  }
}

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let i = 0; i < depth; i++) value = [value]
  return value
}

const cycle = (): unknown => {
  const o: { self?: unknown } = {}
  o.self = o
  return o
}

/** A getter that gives another value each time. */
const changing = (...values: ReadonlyArray<unknown>): unknown => {
  let n = 0
  return {
    get value(): unknown {
      return values[n++ % values.length]
    },
  }
}

const ofArray = (length: unknown): unknown =>
  new Proxy([] as Array<unknown>, { get: (_target, key) => key === "length" ? length : () => process })

const throwing = (): never => {
  throw new Error("secret at /srv/app")
}

const given: ReadonlyArray<readonly [what: string, value: () => unknown]> = [
  ["a class instance", () => ({ value: new Instance() })],
  ["a function", () => ({ value: () => process })],
  ["a function itself", () => () => process],
  ["a class", () => ({ value: Instance })],
  ["a host error", () => ({ value: new Error("secret") })],
  ["a host promise", () => ({ value: Promise.resolve(process) })],
  ["a thenable", () => ({ then: (resolve: (value: unknown) => void) => resolve(process) })],
  ["a Map", () => ({ value: new Map([[1, process]]) })],
  ["a WeakRef", () => ({ value: new WeakRef({}) })],
  ["a typed array", () => ({ value: new Uint8Array(4) })],
  ["a Buffer", () => ({ value: Buffer.from("secret") })],
  ["a buffer", () => ({ value: new ArrayBuffer(4) })],
  ["a date", () => ({ value: new Date(0) })],
  ["a regular expression", () => ({ value: /a/ })],
  ["a boxed text", () => ({ value: new String("x") })],
  ["a symbol", () => ({ value: Symbol.iterator })],
  ["a bigint", () => ({ value: 1n })],
  ["an iterator", () => ({ value: [1][Symbol.iterator]() })],
  ["arguments", () =>
    (function() {
      return arguments
    })()],
  ["a cycle", cycle],
  ["great depth", () => nested(100_000)],
  ["a getter that gives a function", () => changing(() => process)],
  ["a getter that changes its mind", () => changing(1, process)],
  ["a getter that changes its mind the third time", () => changing(1, 1, process, 1)],
  ["a getter that throws", () => ({
    get value(): unknown {
      return throwing()
    },
  })],
  ["a getter that throws what is no error", () => ({
    get value(): unknown {
      throw { process }
    },
  })],
  ["a proxy", () => new Proxy({ a: 1 }, { get: () => () => process })],
  ["a proxy that throws", () => new Proxy({}, { ownKeys: throwing })],
  ["a proxy that throws when its prototype is asked for", () => new Proxy({}, { getPrototypeOf: throwing })],
  ["a proxy that says it is plain", () => new Proxy(new Instance(), { getPrototypeOf: () => Object.prototype })],
  [
    "a proxy with another list of keys each time",
    () => {
      let n = 0
      return new Proxy({} as Record<string, unknown>, {
        ownKeys: () => n++ % 2 === 0 ? ["a"] : ["a", "b", "c"],
        getOwnPropertyDescriptor: (_target, key) => ({ value: key, enumerable: true, configurable: true }),
        get: () => process,
      })
    },
  ],
  ["a proxy of an array of no length", () => ofArray(-1)],
  ["a proxy of an array of half a length", () => ofArray(1.5)],
  ["a proxy of an array whose length is a text", () => ofArray("2")],
  ["a proxy of an array whose length is an object", () => ofArray({ valueOf: () => 2 })],
  ["a proxy of an endless array", () => ofArray(2 ** 53)],
  ["a proxy of an array of functions", () => ofArray(2)],
  ["a revoked proxy", () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return { proxy }
  }],
  ["toJSON", () => ({ toJSON: () => process })],
  [
    "keys with a meaning",
    () => JSON.parse("{\"__proto__\":{\"polluted\":true},\"constructor\":1,\"then\":1}") as unknown,
  ],
  ["a prototype of its own", () => Object.create({ inherited: () => process }) as unknown],
  ["the prototype of another realm's objects", () => Object.create(Object.create(null) as object) as unknown],
  ["no prototype", () => Object.assign(Object.create(null) as object, { a: 1 })],
  ["symbol keys", () => ({ [Symbol.iterator]: () => process, [Symbol.toStringTag]: "x", a: 1 })],
  ["properties that do not show", () => Object.defineProperty({ a: 1 }, "hidden", { value: () => process })],
  ["holes", () => Object.assign(new Array<unknown>(3), { 0: 1, 2: 3 })],
  ["an array with properties", () => Object.assign([1], { extra: () => process })],
  ["an array of a class", () => new (class extends Array<unknown> {})(1, process)],
  ["undefined", () => undefined],
  ["undefined inside", () => ({ a: undefined, b: [undefined] })],
  ["numbers that are none", () => ({ a: Number.NaN, b: -0, c: Infinity })],
  ["a lone surrogate", () => "\ud800"],
  ["a frozen object", () => Object.freeze({ a: Object.freeze([1]) })],
  ["the process", () => process],
  ["the global object", () => globalThis],
  ["the prototypes of the host", () => ({ value: Object.prototype, array: Array.prototype })],
  ["one object in many places", () => {
    const shared = { a: 1 }
    return [shared, shared, { shared }]
  }],
]

/** What a program does with the result of a tool, which must be its own. */
const takeResult = String.raw`
let got
try { got = await tools.echo({}) } catch (error) { got = error; if (/secret|srv/.test(error.message + error.stack)) gained("the text of an error of the host's") }
keep(got)
if ({}.polluted !== undefined) gained("polluted")
const walk = (o) => {
  if (typeof o === "function") gained("a function")
  if (typeof o !== "object" || o === null || o instanceof Error) return
  if (![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(o))) gained("not a plain object")
  for (const key of Reflect.ownKeys(o)) { const d = Object.getOwnPropertyDescriptor(o, key); if (d.get || (key !== "length" && !d.configurable)) gained("no plain property"); walk(d.value) }
  o.changed = 1
  if (o.changed !== 1) gained("an object that is not the program's")
}
walk(got)
return probe()
`

export const results: ReadonlyArray<Escape> = given.map(([what, value]) =>
  escape(
    `a tool that gives ${what}`,
    "What a tool of the host's gives is handed to the program as it is.",
    takeResult,
    value,
  )
)

const failure = (value: () => unknown): Answer => (tool, input) => {
  if (tool === "fail") throw value()
  return input
}

export const failures: ReadonlyArray<Escape> = ([
  ["an error with a cause", () => new Error("declared", { cause: process })],
  ["an error of a class", () => Object.assign(new (class extends TypeError {})("declared"), { run: () => process })],
  ["a text", () => "declared"],
  ["a function", () => () => process],
  ["an object whose message is a function", () => ({ message: () => process })],
  ["an object whose message is a text that is an object", () => ({ message: new String("declared") })],
  ["an object whose message changes", () => {
    let n = 0
    return {
      get message(): unknown {
        return n++ === 0 ? "declared" : process
      },
    }
  }],
  ["many errors", () => new AggregateError([new Error("a"), process], "declared")],
  ["a stack with the host's files", () => {
    const error = new Error("declared")
    error.stack = "Error: declared\n    at run (/srv/app/node_modules/x/index.js:1:1)\n    at node:internal/process:1:1"
    return error
  }],
] as ReadonlyArray<readonly [string, () => unknown]>).map(([what, value]) =>
  escape(
    `a tool that fails with ${what}`,
    "What a tool of the host's throws is thrown in the program as it is.",
    `let caught
try { await tools.fail({}) } catch (error) { caught = keep(error) }
if (!(caught instanceof Error)) gained("no error of the program's")
if (typeof caught.message !== "string") gained("its message is a " + typeof caught.message)
for (const key of Reflect.ownKeys(caught)) if (typeof caught[key] !== "string") gained(String(key) + " is a " + typeof caught[key])
return probe()`,
    failure(value),
  )
)

const leaves = (what: string, code: string, expect: Expectation): Escape => ({
  name: `a program that gives ${what}`,
  tries: "What a program returns, throws, logs or sends reaches the host as something else than plain data.",
  code,
  expect,
})

const invalid: Expectation = { fails: "INVALID_DATA" }
const thrown: Expectation = { fails: "EXECUTION_ERROR" }

export const outputs: ReadonlyArray<Escape> = [
  leaves("a function", "return () => 1", invalid),
  leaves("a symbol", "return { a: Symbol.iterator }", invalid),
  leaves("a bigint", "return { a: 1n }", invalid),
  leaves("a promise inside", "return { a: Promise.resolve(1) }", invalid),
  leaves("a cycle", "const o = {}; o.o = o; return o", invalid),
  leaves("great depth", "let o = 1; for (let i = 0; i < 100; i++) o = [o]; return o", invalid),
  leaves(
    "a proxy",
    "return new Proxy({ a: 1 }, { get: (t, k) => k === 'toJSON' ? undefined : { [k]: 1 }, ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) })",
    "anything",
  ),
  leaves(
    "a proxy of an array",
    "return new Proxy([1, 2], { get: (t, k) => k === 'length' ? 3 : k === 'toJSON' || k === 'then' ? undefined : { k: String(k) } })",
    { returns: [{ k: "0" }, { k: "1" }, { k: "2" }] },
  ),
  leaves("an array that grows", "const a = [{ toJSON() { a.push(tools.echo); return 1 } }]; return a", "anything"),
  leaves(
    "an object that changes",
    "const o = { get a() { o.b = () => 1; delete o.c; return 1 }, c: 2 }; return o",
    "anything",
  ),
  leaves(
    "a key __proto__",
    "return JSON.parse('{\"__proto__\":{\"polluted\":1},\"a\":[{\"__proto__\":[1]}]}')",
    "anything",
  ),
  leaves("methods of the host's names", "return { a: { then: 1, constructor: 2, toString: 3, hasOwnProperty: 4 } }", {
    returns: { a: { then: 1, constructor: 2, toString: 3, hasOwnProperty: 4 } },
  }),
  leaves("a then that resolves the program", "return { then(resolve) { resolve({ then: 1 }) } }", {
    returns: { then: 1 },
  }),
  leaves("a then that never does", "return { then() {} }", thrown),
  leaves("a tool", "return { a: [tools.echo] }", invalid),
  leaves("the object of the tools", "return tools", invalid),
  leaves("the global object", "return globalThis", "anything"),
  leaves("an error", "return new Error('x', { cause: tools })", "anything"),
  leaves("a Map", "return new Map([[1, 2]])", { returns: {} }),
  leaves("a typed array", "return new Uint8Array(3)", "anything"),
  leaves("boxed primitives", "return [Object('a'), Object(1), Object(true)]", { returns: ["a", 1, true] }),
  leaves("boxed symbols", "return [Object(Symbol('a'))]", "anything"),
  leaves("dates", "return [new Date(0), new Date(NaN)]", { returns: ["1970-01-01T00:00:00.000Z", null] }),
  leaves("numbers", "return [NaN, -0, Infinity, 1e400]", { returns: [null, 0, null, null] }),
  leaves("an accessor", "return { get a() { return { b: 1 } } }", { returns: { a: { b: 1 } } }),
  leaves("symbol keys", "return { [Symbol.iterator]: 1, [Symbol('x')]: 2, a: 3 }", { returns: { a: 3 } }),
  leaves("hidden properties", "return Object.defineProperty({ a: 1 }, 'b', { value: () => 1 })", { returns: { a: 1 } }),
  leaves("holes", "return [1, , undefined]", { returns: [1, null, null] }),
  leaves("a toJSON that gives itself", "const o = { toJSON() { return { o } } }; return o", "anything"),
  leaves("a toJSON that throws", "return { toJSON() { throw { a: () => 1 } } }", "anything"),
  leaves(
    "a toJSON on a prototype",
    "String.prototype.toJSON = Object.prototype.toJSON = function () { return () => 1 }; return { a: 'x' }",
    "anything",
  ),
  {
    ...leaves("a toJSON that does not end", "return { toJSON() { for (;;); } }", {
      fails: "EXECUTION_BUDGET_EXCEEDED",
    }),
    fuel: 100_000,
  },
  leaves("lone surrogates", "return { ['\\ud800']: '\\udfff' }", "anything"),
  leaves("raw JSON", "return { a: JSON.rawJSON('1e1000') }", "anything"),
  leaves("an object it throws", "throw { a: () => 1, get message() { return () => 1 } }", thrown),
  leaves(
    "an error with getters",
    "throw Object.defineProperties(new Error('x'), { message: { get() { return {} } }, stack: { get() { return () => 1 } }, name: { value: { toString() { throw 1 } } } })",
    thrown,
  ),
  leaves(
    "an error with what tools' errors have",
    "throw Object.assign(new Error('x'), { code: 'RUNTIME_FAILURE', retryable: () => 1, failure: { code: {} } })",
    thrown,
  ),
  leaves(
    "errors of errors in a circle",
    "const a = new AggregateError([]), b = new AggregateError([a, a, a]); a.errors = [b, b, b]; throw a",
    thrown,
  ),
  leaves("an error that is its own cause", "const a = new Error('a'); a.cause = a; throw a", thrown),
  leaves(
    "a proxy it throws",
    "throw new Proxy(new Error('x'), { get() { throw 1 }, getPrototypeOf() { throw 2 } })",
    thrown,
  ),
  leaves("a symbol it throws", "throw Symbol('x')", thrown),
  leaves("nothing it throws", "throw undefined", thrown),
  leaves("a function it throws", "throw tools.echo", thrown),
  leaves("a proxy it rejects with", "await Promise.reject(new Proxy({}, { get() { throw 1 } }))", thrown),
  leaves("a message without an end", "throw new Error('x'.repeat(1e6))", thrown),
  leaves(
    "an error of another run's look",
    "const e = new Error('x'); e.stack = 'Error: x\\n    at Object.<anonymous> (program:1:1)'; throw e",
    thrown,
  ),
  leaves(
    "inputs of odd things",
    "await tools.echo({ a: { toJSON() { return { b: [Object(1), new Date(0), , undefined] } } }, __proto__: { c: 1 }, ['__proto__']: { d: 1 }, get e() { return 1 }, [Symbol('f')]: 1 }); return null",
    { returns: null },
  ),
  leaves(
    "inputs that change while they are read",
    "const o = { get a() { o.b = () => 1; return 1 } }; await tools.echo(o).catch(() => {})",
    "anything",
  ),
  leaves(
    "an input that is a proxy",
    "await tools.echo(new Proxy({ a: 1 }, { ownKeys: () => ['a', '__proto__'], getOwnPropertyDescriptor: () => ({ value: [1], enumerable: true, configurable: true }), get: (t, k) => k === 'toJSON' ? undefined : [k] }))",
    "anything",
  ),
  leaves(
    "logs of odd things",
    "console.log(Symbol('x'), 1n, () => 1, new Proxy({}, {}), tools, globalThis, new Map([[{}, new Set([1])]]), new Error('x'), Object.create(null), class A {}, function* () {}, new WeakMap, Promise.resolve(1), new Uint8Array(3), [,1], /a/g, new Date(NaN), Object('x'), Object(Symbol.iterator))",
    { returns: null },
  ),
  leaves(
    "logs that forge others",
    "console.log('a\\nerror: b\\u001b[2Jc\\u0000\\u202e'); console.error({ a: '\\u001b]0;x\\u0007' })",
    { returns: null },
  ),
]
