import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  chargeEquality,
  complete,
  createDataPropertyOrThrow,
  createFromConstructor,
  definePropertyOrThrow,
  describe,
  enumerableOwnKeys,
  enumerableValue,
  ExoticKind,
  fromPropertyDescriptor,
  type GeneratorNative,
  get,
  getOwnProperty,
  getPrototypeOf,
  HOLE,
  type Intrinsics,
  isExtensible,
  isObject,
  type JSObject,
  keyToValue,
  Kind,
  type Native,
  newElements,
  newElementsFor,
  objectTag,
  ownKeys,
  Pause,
  preventExtensions,
  type PropertyDescriptor,
  type PropertyKey,
  requireCallable,
  requireObjectCoercible,
  sameValue,
  set,
  setIntegrityLevel,
  testIntegrityLevel,
  toObject,
  toPropertyDescriptor,
  toPropertyKey,
  type Value,
} from "../object/index.ts"
import { constructor, generatorMethod, method } from "./define.ts"
import { fewEntries, forEachOf, hold } from "./iteration.ts"
import { setPrototypeOrThrow } from "./object-prototype.ts"

type PlainNative = Native<Machine>

/** What an object of few properties takes, in bytes. */
const OBJECT_BYTES = 96

/** https://tc39.es/ecma262/#sec-object-value */
const objectConstructor: PlainNative = (m, _this, args, newTarget, callee) => {
  m.allocate(OBJECT_BYTES)
  if (newTarget !== undefined && newTarget !== callee) {
    return createFromConstructor(m, newTarget, "ObjectPrototype", Kind.Ordinary, undefined)
  }
  const value = args[0]
  return value === undefined || value === null ? m.realm.newObject() : toObject(m, value)
}

const requireObject = (m: Machine, value: Value, name: string): JSObject => {
  if (isObject(value)) return value
  throw m.typeError(`${name} called on non-object`)
}

const requirePrototype = (m: Machine, value: Value): JSObject | null => {
  if (value === null || isObject(value)) return value
  throw m.typeError(`Object prototype may only be an Object or null: ${describe(value)}`)
}

/** A new array of values that a native has gathered. */
const listOf = (m: Machine, values: Array<Value>): JSObject => {
  m.allocate(OBJECT_BYTES + values.length * 8)
  return m.realm.newArray(values)
}

/** https://tc39.es/ecma262/#sec-object.assign */
const assign: PlainNative = (m, _this, args) => {
  const to = toObject(m, args[0])
  for (let i = 1; i < args.length; i++) {
    const source = args[i]
    if (source === undefined || source === null) continue
    const from = toObject(m, source)
    const keys = ownKeys(m, from)
    if (keys.length > BLOCK) return inSteps(m, [to, args, keys], assignSteps(m, to, args, i, from, keys))
    for (const key of keys) assignProperty(m, to, from, key)
  }
  return to
}

const assignProperty = (m: Machine, to: JSObject, from: JSObject, key: PropertyKey): void => {
  const value = enumerableValue(m, from, key)
  if (value !== HOLE) set(m, to, key, value)
}

/** Goes on with `Object.assign` from the source of this number on, whose keys are known. */
function* assignSteps(
  m: Machine,
  to: JSObject,
  args: Array<Value>,
  index: number,
  from: JSObject,
  keys: Array<PropertyKey>,
): Calls {
  for (let i = index; i < args.length; i++) {
    const source = args[i]
    if (source === undefined || source === null) continue
    if (i > index) {
      from = toObject(m, source)
      keys = ownKeys(m, from)
    }
    for (let k = 0; k < keys.length; k++) {
      if (k % BLOCK === BLOCK - 1) yield Pause
      assignProperty(m, to, from, keys[k]!)
    }
  }
  return to
}

/** A list of something for each enumerable property whose key is a text; in steps if there are many. */
const listProperties = (
  m: Machine,
  value: Value,
  item: (m: Machine, key: PropertyKey, value: Value) => Value,
): Value => {
  const o = toObject(m, value)
  complete(o)
  const { shape, slots } = o
  if (o.kind < ExoticKind.First && shape.isPlain) {
    const { count, table } = shape
    m.charge(count * 8)
    const plain = newElementsFor(count)
    for (let slot = 0; slot < count; slot++) plain[slot] = item(m, table.keys[slot]!, slots[slot])
    return listOf(m, plain)
  }
  const keys = ownKeys(m, o)
  const list: Array<Value> = newElements()
  if (keys.length > BLOCK) return inSteps(m, [o, keys, list], listSteps(m, o, keys, list, item))
  for (const key of keys) listProperty(m, o, key, list, item)
  return listOf(m, list)
}

function* listSteps(
  m: Machine,
  o: JSObject,
  keys: Array<PropertyKey>,
  list: Array<Value>,
  item: (m: Machine, key: PropertyKey, value: Value) => Value,
): Calls {
  for (let k = 0; k < keys.length; k++) {
    if (k % BLOCK === BLOCK - 1) yield Pause
    listProperty(m, o, keys[k]!, list, item)
  }
  return listOf(m, list)
}

const listProperty = (
  m: Machine,
  o: JSObject,
  key: PropertyKey,
  list: Array<Value>,
  item: (m: Machine, key: PropertyKey, value: Value) => Value,
): void => {
  if (typeof key === "symbol") return
  const value = enumerableValue(m, o, key)
  if (value !== HOLE) list.push(item(m, key, value as Value))
}

/** https://tc39.es/ecma262/#sec-object.create */
const create: GeneratorNative<Machine> = function*(m, _this, args) {
  const o = m.realm.newObjectWith(requirePrototype(m, args[0]))
  m.allocate(OBJECT_BYTES)
  return args[1] === undefined ? o : yield* objectDefineProperties(m, o, args[1])
}

/** How many properties are worked on before the run may be suspended. */
const BLOCK = 1024

/** https://tc39.es/ecma262/#sec-objectdefineproperties */
function* objectDefineProperties(m: Machine, o: JSObject, properties: Value): Calls {
  const props = toObject(m, properties)
  const descriptors: Array<[PropertyKey, PropertyDescriptor]> = []
  let n = 0
  for (const key of ownKeys(m, props)) {
    if (++n % BLOCK === 0) yield Pause
    m.charge(40)
    if (getOwnProperty(m, props, key)?.enumerable !== true) continue
    m.allocate(64)
    descriptors.push([key, toPropertyDescriptor(m, get(m, props, key))])
  }
  for (const [key, desc] of descriptors) {
    if (++n % BLOCK === 0) yield Pause
    definePropertyOrThrow(m, o, key, desc)
  }
  return o
}

/** https://tc39.es/ecma262/#sec-object.defineproperties */
const defineProperties: GeneratorNative<Machine> = function*(m, _this, args) {
  return yield* objectDefineProperties(m, requireObject(m, args[0], "Object.defineProperties"), args[1])
}

/** https://tc39.es/ecma262/#sec-object.defineproperty */
const defineProperty: PlainNative = (m, _this, args) => {
  const o = requireObject(m, args[0], "Object.defineProperty")
  const key = toPropertyKey(m, args[1])
  definePropertyOrThrow(m, o, key, toPropertyDescriptor(m, args[2]))
  return o
}

/** https://tc39.es/ecma262/#sec-object.entries */
const entries: PlainNative = (m, _this, args) => listProperties(m, args[0], entryOf)

const entryOf = (m: Machine, key: PropertyKey, value: Value): Value => {
  m.charge(8)
  m.allocate(OBJECT_BYTES)
  return m.realm.newArray(newElements(keyToValue(key), value))
}

const setLevel = (level: "sealed" | "frozen"): PlainNative => (m, _this, args) => {
  const o = args[0]
  if (isObject(o) && !setIntegrityLevel(m, o, level)) {
    throw m.typeError(
      `Cannot ${level === "sealed" ? "seal" : "freeze"} ${objectTag(o)}: its extensions cannot be prevented`,
    )
  }
  return o
}

const testLevel = (level: "sealed" | "frozen"): PlainNative => (m, _this, args) =>
  !isObject(args[0]) || testIntegrityLevel(m, args[0], level)

/** https://tc39.es/ecma262/#sec-object.fromentries */
const fromEntries: PlainNative = (m, _this, args) => {
  const iterable = args[0]
  if (iterable === undefined || iterable === null) throw m.typeError(`${iterable} is not iterable`)
  m.allocate(OBJECT_BYTES)
  const o = m.realm.newObject()
  const entries = fewEntries(m, iterable)
  if (entries === undefined || !entries.every(hasPlainKey)) return inSteps(m, [o, iterable], addEntries(m, o, iterable))
  for (let i = 0; i < entries.length; i++) {
    const entry: ReadonlyArray<Value> = entries[i]!.data
    createDataPropertyOrThrow(m, o, toPropertyKey(m, entry[0]), entry[1])
  }
  return o
}

/** Whether the key of an entry is one, or becomes one without running anything. */
const hasPlainKey = ({ data }: JSObject): boolean => !isObject(data[0])

function* addEntries(m: Machine, o: JSObject, iterable: Value): Calls {
  yield* forEachOf(m, iterable, (entry) => {
    if (!isObject(entry)) throw m.typeError(`Iterator value ${describe(entry)} is not an entry object`)
    const key = get(m, entry, 0)
    const value = get(m, entry, 1)
    createDataPropertyOrThrow(m, o, toPropertyKey(m, key), value)
    return undefined
  })
  return o
}

/** https://tc39.es/ecma262/#sec-object.getownpropertydescriptor */
const getOwnPropertyDescriptor: PlainNative = (m, _this, args) => {
  const o = toObject(m, args[0])
  const key = toPropertyKey(m, args[1])
  m.allocate(OBJECT_BYTES)
  return fromPropertyDescriptor(m, getOwnProperty(m, o, key))
}

/** https://tc39.es/ecma262/#sec-object.getownpropertydescriptors */
const getOwnPropertyDescriptors: GeneratorNative<Machine> = function*(m, _this, args) {
  const o = toObject(m, args[0])
  const descriptors = m.realm.newObject()
  let n = 0
  for (const key of ownKeys(m, o)) {
    if (++n % BLOCK === 0) yield Pause
    m.charge(40)
    const desc = getOwnProperty(m, o, key)
    if (desc === undefined) continue
    m.allocate(OBJECT_BYTES)
    createDataPropertyOrThrow(m, descriptors, key, fromPropertyDescriptor(m, desc))
  }
  return descriptors
}

/** https://tc39.es/ecma262/#sec-getownpropertykeys */
const ownKeysOf = (type: "string" | "symbol"): PlainNative => (m, _this, args) => {
  const keys = ownKeys(m, toObject(m, args[0]))
  m.charge(keys.length)
  return listOf(m, keys.map(keyToValue).filter((key) => typeof key === type))
}

/** https://tc39.es/ecma262/#sec-object.groupby */
const groupBy: GeneratorNative<Machine> = function*(m, _this, args) {
  const [items, callback] = args
  if (items === undefined || items === null) throw m.typeError(`${items} is not iterable`)
  requireCallable(m, callback)
  const groups = new Map<PropertyKey, Array<Value>>()
  hold(m, groups)
  let k = 0
  const step = function*(value: Value): Calls<void> {
    const key = toPropertyKey(m, yield call(callback, undefined, [value, k++]))
    m.allocate(8)
    const group = groups.get(key)
    if (group !== undefined) group.push(value)
    else {
      m.allocate(OBJECT_BYTES)
      groups.set(key, [value])
    }
  }
  yield* forEachOf(m, items, step)
  const o = m.realm.newObjectWith(null)
  hold(m, o)
  let n = 0
  for (const [key, values] of groups) {
    if (++n % BLOCK === 0) yield Pause
    m.charge(20)
    createDataPropertyOrThrow(m, o, key, m.realm.newArray(values))
  }
  return o
}

/** https://tc39.es/ecma262/#sec-object.hasown */
const hasOwn: PlainNative = (m, _this, args) => {
  const o = toObject(m, args[0])
  return getOwnProperty(m, o, toPropertyKey(m, args[1])) !== undefined
}

/** https://tc39.es/ecma262/#sec-object.is */
const is: PlainNative = (m, _this, [a, b]) => {
  chargeEquality(m, a, b)
  return sameValue(a, b)
}

/** https://tc39.es/ecma262/#sec-object.keys */
const keys: PlainNative = (m, _this, args) => listOf(m, enumerableOwnKeys(m, toObject(m, args[0])).map(keyToValue))

/** https://tc39.es/ecma262/#sec-object.preventextensions */
const objectPreventExtensions: PlainNative = (m, _this, args) => {
  const o = args[0]
  if (isObject(o) && !preventExtensions(m, o)) {
    throw m.typeError(
      o.kind === Kind.Proxy ? "'preventExtensions' on proxy: trap returned falsish" : "Cannot prevent extensions",
    )
  }
  return o
}

/** https://tc39.es/ecma262/#sec-object.setprototypeof */
const objectSetPrototypeOf: PlainNative = (m, _this, args) => {
  const o = args[0]
  requireObjectCoercible(m, o, "Object.setPrototypeOf")
  const proto = requirePrototype(m, args[1])
  if (isObject(o)) setPrototypeOrThrow(m, o, proto)
  return o
}

/** https://tc39.es/ecma262/#sec-object.values */
const values: PlainNative = (m, _this, args) => listProperties(m, args[0], valueOf)

const valueOf = (_m: Machine, _key: PropertyKey, value: Value): Value => value

export const objectIntrinsics: Intrinsics = {
  Object: constructor({
    name: "Object",
    length: 1,
    prototype: "ObjectPrototype",
    impl: objectConstructor,
    members: [
      method("assign", 2, assign),
      generatorMethod("create", 2, create),
      generatorMethod("defineProperties", 2, defineProperties),
      method("defineProperty", 3, defineProperty),
      method("entries", 1, entries),
      method("freeze", 1, setLevel("frozen")),
      method("fromEntries", 1, fromEntries),
      method("getOwnPropertyDescriptor", 2, getOwnPropertyDescriptor),
      generatorMethod("getOwnPropertyDescriptors", 1, getOwnPropertyDescriptors),
      method("getOwnPropertyNames", 1, ownKeysOf("string")),
      method("getOwnPropertySymbols", 1, ownKeysOf("symbol")),
      method("getPrototypeOf", 1, (m, _this, args) => getPrototypeOf(m, toObject(m, args[0]))),
      generatorMethod("groupBy", 2, groupBy),
      method("hasOwn", 2, hasOwn),
      method("is", 2, is),
      method("isExtensible", 1, (m, _this, args) => isObject(args[0]) && isExtensible(m, args[0])),
      method("isFrozen", 1, testLevel("frozen")),
      method("isSealed", 1, testLevel("sealed")),
      method("keys", 1, keys),
      method("preventExtensions", 1, objectPreventExtensions),
      method("seal", 1, setLevel("sealed")),
      method("setPrototypeOf", 2, objectSetPrototypeOf),
      method("values", 1, values),
    ],
  }),
}
