import * as fc from "fast-check"
import { expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"

const key = fc.constantFrom("length", "0", "1", "2", "7", "5000", "4294967294", "4294967295", "-0", "a", "b", "@")
const flag = fc.option(fc.boolean(), { nil: undefined })
const number = fc.constantFrom(0, 1, 2, 3, 5000, -1, 1.5, 4294967296)
const descriptor = fc.record(
  {
    value: number,
    writable: flag,
    enumerable: flag,
    configurable: flag,
    get: fc.constant(true),
    set: fc.constant(true),
  },
  { requiredKeys: [] },
)

const operation = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant("set"), key, number) },
  { weight: 4, arbitrary: fc.tuple(fc.constant("define"), key, descriptor) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("delete"), key) },
  { weight: 2, arbitrary: fc.tuple(fc.constant("proto"), key, descriptor) },
  fc.tuple(fc.constantFrom("has", "setOn"), key),
  fc.tuple(fc.constantFrom("freeze", "seal", "preventExtensions", "setPrototypeOf"), key),
)

const scenario = fc.record({
  kind: fc.constantFrom("array", "object", "string", "function", "proxied array", "proxied object"),
  operations: fc.array(operation, { maxLength: 14 }),
})

/** Does what each scenario says to a new object, and notes after every step what it came to and what the object is now. */
const replay = `
const make = {
  array: () => [],
  object: () => ({}),
  string: () => new String("ab"),
  function: () => function () {}.bind(),
  "proxied array": () => new Proxy([], {}),
  "proxied object": () => new Proxy({}, Reflect),
}
const keyOf = (name) => name === "@" ? Symbol.iterator : name
const nameOf = (key) => typeof key === "symbol" ? "@" : key
const descriptorOf = (plan, log) => {
  const desc = { ...plan }
  if (plan.get) desc.get = () => "got"
  if (plan.set) desc.set = function (value) { log.push("setter", value) }
  for (const key of Object.keys(desc)) if (desc[key] === undefined) delete desc[key]
  return desc
}
const describe = (desc) => [desc.value, desc.writable, desc.enumerable, desc.configurable, typeof desc.get, typeof desc.set]
const state = (o) => Reflect.ownKeys(o).map((key) => [nameOf(key), describe(Reflect.getOwnPropertyDescriptor(o, key)), typeof o[key]])
const act = {
  set: (o, key, value) => Reflect.set(o, key, value),
  define: (o, key, plan, log) => Reflect.defineProperty(o, key, descriptorOf(plan, log)),
  delete: (o, key) => Reflect.deleteProperty(o, key),
  proto: (o, key, plan, log) => {
    const proto = Object.create(Object.getPrototypeOf(o))
    return Reflect.defineProperty(proto, key, descriptorOf(plan, log)) && Reflect.setPrototypeOf(o, proto)
  },
  has: (o, key) => key in o,
  setOn: (o, key) => { const child = Object.create(o); return [Reflect.set(child, key, 1), state(child)] },
  // V8 leaves the length of an empty array writable when it was not extensible before, and still calls it frozen.
  freeze: (o) => Object.isExtensible(o) && Object.isFrozen(Object.freeze(o)),
  seal: (o) => Object.isSealed(Object.seal(o)),
  preventExtensions: (o) => Object.isExtensible(Object.preventExtensions(o)),
  setPrototypeOf: (o) => Reflect.setPrototypeOf(o, null),
}
return scenarios.map(({ kind, operations }) => {
  const o = make[kind]()
  const log = []
  for (const [name, key, argument] of operations) {
    try {
      log.push(act[name](o, keyOf(key), argument, log))
    } catch (error) {
      log.push(error.name)
    }
    log.push(JSON.stringify(state(o)), Object.isExtensible(o))
  }
  return log
})
`

it("does to objects what the host's engine does, whatever is done to them in whatever order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(scenario, { minLength: 30, maxLength: 30 }), async (scenarios) => {
      const program = `const scenarios = ${JSON.stringify(scenarios)}\n${replay}`
      const expected = JSON.parse(JSON.stringify(inHost(program)))
      expect(await evaluate(program)).toEqual(expected)
    }),
    { numRuns: 15 },
  )
})
