/** The host's own built-ins, and what they were before a program ran. */

type Snapshot = ReadonlyMap<object, ReadonlyMap<PropertyKey, PropertyDescriptor>>

const intrinsics: ReadonlyArray<object> = [
  globalThis,
  ...[
    Object,
    Function,
    Array,
    String,
    Number,
    Boolean,
    Symbol,
    BigInt,
    Date,
    RegExp,
    Map,
    Set,
    WeakMap,
    Promise,
    Error,
    TypeError,
    RangeError,
    AggregateError,
    ArrayBuffer,
    Uint8Array,
    Intl.NumberFormat,
    URL,
  ].flatMap((constructor) => [constructor, constructor.prototype as object]),
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  Object.getPrototypeOf([][Symbol.iterator]()) as object,
  Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
  Object.getPrototypeOf(function*() {}) as object,
  Object.getPrototypeOf(async () => {}) as object,
  Object.getPrototypeOf(async function*() {}) as object,
  JSON,
  Math,
  Reflect,
  Intl,
  console,
]

/** What changes without a program: the last match of the host's own patterns. */
const volatile = new Set([
  "$_",
  "$&",
  "$+",
  "$`",
  "$'",
  "input",
  "lastMatch",
  "lastParen",
  "leftContext",
  "rightContext",
])

const isVolatile = (object: object, key: PropertyKey): boolean =>
  object === RegExp ? volatile.has(String(key)) : object === globalThis && String(key).startsWith("~effect/")

const take = (): Snapshot =>
  new Map(intrinsics.map((object) => [
    object,
    new Map(
      Reflect.ownKeys(object).filter((key) => !isVolatile(object, key)).map((key) => [
        key,
        Object.getOwnPropertyDescriptor(object, key)!,
      ]),
    ),
  ]))

const same = (a: PropertyDescriptor | undefined, b: PropertyDescriptor): boolean =>
  a !== undefined && Object.is(a.value, b.value) && a.get === b.get && a.set === b.set && a.writable === b.writable &&
  a.enumerable === b.enumerable && a.configurable === b.configurable

const before = take()

/** What of the host's built-ins is not as it was when this module was loaded. */
export const changesOfHost = (): ReadonlyArray<string> =>
  intrinsics.flatMap((object) => {
    const properties = before.get(object)!
    const name = "name" in object ? String(object.name) : Object.prototype.toString.call(object)
    const changes: Array<string> = []
    let count = 0
    for (const key of Reflect.ownKeys(object)) {
      if (isVolatile(object, key)) continue
      count++
      const now = Object.getOwnPropertyDescriptor(object, key)!
      // Node defines some of its globals once they are read.
      const isLazy = object === globalThis && properties.get(key)?.get !== undefined
      if (!isLazy && !same(properties.get(key), now)) {
        changes.push(`the host's ${name} has another property ${String(key)}`)
      }
    }
    if (count !== properties.size) changes.push(`the host's ${name} has another number of properties`)
    return changes
  })
