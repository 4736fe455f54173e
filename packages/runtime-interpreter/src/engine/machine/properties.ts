import {
  Accessor,
  addProperty,
  Attribute,
  type Calls,
  cannotAssign,
  CHAIN_STEP,
  complete,
  completeFor,
  completeToSet,
  copyProperties,
  createDataProperty,
  deletePropertyOrThrow,
  describeKey,
  enumerableValue,
  ExoticKind,
  exotics,
  FREE_CHAIN,
  getWithReceiver,
  HOLE,
  inheritsNoElements,
  isBuiltin,
  isObject,
  type JSObject,
  Kind,
  ownKeys,
  Pause,
  PROPERTY_BYTES,
  type PropertyKey,
  putDense,
  rootShape,
  setWithReceiver,
  toObject,
  toPropertyKey,
  unquoted,
  type Value,
} from "../object/index.ts"
import { inSteps, start } from "./calls.ts"
import { aboutExpression, cannotRead } from "./errors.ts"
import { PUSHED } from "./frame.ts"
import type { InlineCache } from "./instruction.ts"
import type { Machine } from "./machine.ts"
import { partOfMissingTool } from "./missing-tool.ts"

/** Reads a named property and remembers where it was. A getter becomes a frame whose result goes to `dst`. */
export const getNamed = (
  m: Machine,
  base: Value,
  key: PropertyKey,
  cache: InlineCache | null,
  dst: number,
): Value | typeof PUSHED => {
  let object: JSObject
  if (isObject(base)) object = base
  else {
    if (base === undefined || base === null) {
      const tool = base === undefined ? partOfMissingTool(m, key) : undefined
      if (tool !== undefined) return tool
      throw cannotRead(m, base, key)
    }
    if (typeof base === "string") {
      if (key === "length") return base.length
      if (typeof key === "number" && key < base.length) return base[key]
    }
    object = m.realm.prototypeOfPrimitive(base)
    if (typeof base === "string") return getOfString(m, base, object, key, cache, dst)
    cache = null
  }
  if (cache !== null && object.shape === cache.getterShape && cache.getterEpoch === m.realm.space.epoch) {
    const accessor: Accessor = cache.getterHolder!.slots[cache.getterSlot]
    return accessor.get === undefined ? undefined : start(m, accessor.get, base, [], undefined, dst)
  }
  let current: JSObject | null = object
  let depth = 0
  do {
    if (current.kind >= ExoticKind.First) {
      // What is neither an element nor an array's length is an ordinary property.
      const isOrdinary = current.kind === Kind.Array || current.kind === Kind.SlowArray
        ? typeof key !== "number" && key !== "length"
        : current.kind === Kind.TypedArray && key === "length"
      if (current.kind === Kind.Partial) completeFor(current, key)
      else if (!isOrdinary) {
        return exotics[current.kind - ExoticKind.First]!.get(m, current, key, base)
      }
    }
    const { shape }: JSObject = current
    const slot = shape.lookup(key)
    if (slot >= 0) {
      const value = current.slots[slot]
      if (value instanceof Accessor) {
        if (cache !== null && current !== object && !object.shape.dictionary && typeof key !== "number") {
          cache.getterShape = object.shape
          cache.getterHolder = current
          cache.getterSlot = slot
          cache.getterEpoch = m.realm.space.epoch
          if (value.get !== undefined && isBuiltin(value.get, "get TypedArray.prototype.length")) {
            cache.viewShape = object.shape
          }
        }
        return value.get === undefined
          ? undefined
          : start(m, value.get, base, [], undefined, dst)
      }
      if (cache !== null && typeof key !== "number") remember(m, cache, object, current, slot)
      return value
    }
    if (++depth > FREE_CHAIN) m.charge(CHAIN_STEP)
    current = shape.proto
  } while (current !== null)
  if (object.kind === Kind.Promise) m.notAwaited = object
  m.missedOnText = null
  return undefined
}

/** Strings share a shape of their own in the eyes of an inline cache. */
const getOfString = (
  m: Machine,
  base: string,
  proto: JSObject,
  key: PropertyKey,
  cache: InlineCache | null,
  dst: number,
): Value | typeof PUSHED => {
  const slot = proto.shape.lookup(key)
  if (slot < 0) {
    m.missedOnText = key
    return getWithReceiver(m, proto, key, base)
  }
  const value = proto.slots[slot]
  if (value instanceof Accessor) {
    return value.get === undefined
      ? undefined
      : start(m, value.get, base, [], undefined, dst)
  }
  if (cache !== null && typeof key !== "number") {
    // Changes to the prototype count from now on.
    rootShape(m.realm.space, proto)
    cache.shape = m.stringShape
    cache.holder = proto
    cache.slot = slot
    cache.epoch = m.realm.space.epoch
  }
  return value
}

const remember = (m: Machine, cache: InlineCache, object: JSObject, holder: JSObject, slot: number): void => {
  const { shape } = object
  if (shape.dictionary) {
    // It may come to have a property of a prototype without its shape changing.
    if (object !== holder) return
    shape.cached = true
  }
  if (cache.shape !== null && cache.shape !== shape) {
    cache.shape2 = cache.shape
    cache.holder2 = cache.holder
    cache.slot2 = cache.slot
    cache.epoch2 = cache.epoch
  }
  cache.shape = shape
  cache.holder = object === holder ? null : holder
  cache.slot = slot
  cache.epoch = m.realm.space.epoch
}

/** Assigns a named property, and remembers how. A setter runs as a frame. */
export const setNamed = (
  m: Machine,
  base: Value,
  key: PropertyKey,
  value: Value,
  cache: InlineCache | null,
): void | typeof PUSHED => {
  if (!isObject(base)) {
    if (base === undefined || base === null) {
      throw m.typeError(`Cannot set properties of ${base} (setting '${describeKey(key)}')${aboutExpression(m, base)}`)
    }
    // Only a setter of the prototype can take an assignment to a primitive.
    if (!setWithReceiver(m, m.realm.prototypeOfPrimitive(base), key, value, base)) {
      throw m.typeError(`Cannot create property '${describeKey(key)}' on ${typeof base} '${unquoted(base)}'`)
    }
    return
  }
  if (base.kind === Kind.Partial) completeToSet(base, key)
  const { shape } = base
  if (base.kind < ExoticKind.First || base.kind === Kind.Array || base.kind === Kind.Partial) {
    if (base.kind === Kind.Array && (key === "length" || typeof key === "number")) {
      return setChecked(m, base, key, value)
    }
    const slot = shape.lookup(key)
    if (slot >= 0) {
      const old = base.slots[slot]
      if (old instanceof Accessor) return callSetter(m, base, key, old, value)
      if ((shape.table.flags[slot]! & Attribute.Writable) === 0) throw m.typeError(cannotAssign(m, base, key))
      base.slots[slot] = value
      if (cache !== null) cache.found(shape, slot)
      return
    }
    let proto: JSObject | null = shape.proto
    let depth = 0
    while (proto !== null) {
      if (
        proto.kind >= ExoticKind.First && !(proto.kind === Kind.Array && typeof key === "string" && key !== "length")
      ) {
        return setChecked(m, base, key, value)
      }
      const inherited = proto.shape.lookup(key)
      if (inherited >= 0) {
        const found = proto.slots[inherited]
        if (found instanceof Accessor) return callSetter(m, base, key, found, value)
        if ((proto.shape.table.flags[inherited]! & Attribute.Writable) === 0) {
          throw m.typeError(cannotAssign(m, base, key))
        }
        break
      }
      if (++depth > FREE_CHAIN) m.charge(CHAIN_STEP)
      proto = proto.shape.proto
    }
    if (!shape.extensible) throw m.typeError(cannotAssign(m, base, key))
    m.allocate(24)
    addProperty(base, key, value, Attribute.All)
    if (cache !== null && !base.shape.dictionary && base.child === null && key !== "length") {
      cache.shape = shape
      cache.slot = base.shape.count - 1
      cache.next = base.shape
      cache.epoch = m.realm.space.epoch
    }
    return
  }
  return setChecked(m, base, key, value)
}

const setChecked = (m: Machine, base: JSObject, key: PropertyKey, value: Value): void => {
  if (!setWithReceiver(m, base, key, value, base)) throw m.typeError(cannotAssign(m, base, key))
}

const callSetter = (
  m: Machine,
  base: JSObject,
  key: PropertyKey,
  accessor: Accessor,
  value: Value,
): void | typeof PUSHED => {
  if (accessor.set === undefined) throw m.typeError(cannotAssign(m, base, key))
  return start(m, accessor.set, base, [value], undefined, -1) === PUSHED ? PUSHED : undefined
}

export const getElement = (m: Machine, base: Value, key: Value, dst: number): Value | typeof PUSHED => {
  if (base === undefined || base === null) {
    const tool = base === undefined && typeof key === "string" ? partOfMissingTool(m, key) : undefined
    if (tool !== undefined) return tool
    throw cannotRead(m, base, isObject(key) ? "[object Object]" : toPropertyKey(m, key))
  }
  return getNamed(m, base, toPropertyKey(m, key), null, dst)
}

export const setElement = (m: Machine, base: Value, key: Value, value: Value): void | typeof PUSHED => {
  if (base === undefined || base === null) {
    throw m.typeError(
      `Cannot set properties of ${base} (setting '${
        isObject(key) ? "[object Object]" : describeKey(toPropertyKey(m, key))
      }')${aboutExpression(m, base)}`,
    )
  }
  const name = toPropertyKey(m, key)
  if (typeof name === "number" && isObject(base) && base.kind === Kind.Array && name <= base.data.length) {
    // Beyond the end, or in a hole: an element of its own, unless a prototype has something to say about indices.
    if (base.data[name] !== HOLE && name < base.data.length) {
      base.data[name] = value
      return
    }
    if (inheritsNoElements(base) && putDense(m, base, name, value)) return
  }
  return setNamed(m, base, name, value, null)
}

/** https://tc39.es/ecma262/#sec-super-keyword-runtime-semantics-evaluation */
export const getSuper = (m: Machine, home: JSObject, key: Value, self: Value): Value => {
  const proto = home.data.home?.shape.proto
  const name = toPropertyKey(m, key)
  if (!isObject(proto)) throw cannotRead(m, proto === null ? null : undefined, name)
  return getWithReceiver(m, proto, name, self)
}

export const setSuper = (m: Machine, home: JSObject, key: Value, self: Value, value: Value): void => {
  const proto = home.data.home?.shape.proto
  const name = toPropertyKey(m, key)
  if (!isObject(proto)) throw m.typeError(`Cannot set properties of null (setting '${describeKey(name)}')`)
  if (!setWithReceiver(m, proto, name, value, self)) {
    throw m.typeError(`Cannot assign to read only property '${describeKey(name)}' of object`)
  }
}

/** How many properties are copied between two chances for the machine to stop. */
const BLOCK = 1024

/** https://tc39.es/ecma262/#sec-copydataproperties. Answers false where a frame does it. */
export const copyDataProperties = (
  m: Machine,
  target: JSObject,
  source: Value,
  excluded: ReadonlyArray<PropertyKey>,
): boolean => {
  if (source === undefined || source === null) return true
  const from = toObject(m, source)
  complete(from)
  if (
    excluded.length === 0 && from.kind < ExoticKind.First && target.kind === Kind.Ordinary &&
    copyProperties(from, target)
  ) {
    m.charge(target.shape.count * 4)
    m.allocate(target.shape.count * PROPERTY_BYTES)
    return true
  }
  const unwanted = new Set(excluded)
  const keys = ownKeys(m, from)
  if (keys.length > BLOCK) {
    inSteps(m, [target, from, keys], copySteps(m, target, from, keys, unwanted))
    return false
  }
  for (const key of keys) copyProperty(m, target, from, key, unwanted)
  return true
}

function* copySteps(
  m: Machine,
  target: JSObject,
  from: JSObject,
  keys: ReadonlyArray<PropertyKey>,
  unwanted: ReadonlySet<PropertyKey>,
): Calls {
  for (let k = 0; k < keys.length; k++) {
    if (k % BLOCK === BLOCK - 1) yield Pause
    copyProperty(m, target, from, keys[k]!, unwanted)
  }
  return undefined
}

const copyProperty = (
  m: Machine,
  target: JSObject,
  from: JSObject,
  key: PropertyKey,
  unwanted: ReadonlySet<PropertyKey>,
): void => {
  if (unwanted.has(key)) return
  const value = enumerableValue(m, from, key)
  if (value !== HOLE) createDataProperty(m, target, key, value as Value)
}

export const deleteFrom = (m: Machine, base: Value, key: PropertyKey): boolean => {
  if (base === undefined || base === null) {
    throw m.typeError(`Cannot convert undefined or null to object`)
  }
  deletePropertyOrThrow(m, toObject(m, base), key)
  return true
}

export const deleteElement = (m: Machine, base: Value, key: Value): boolean => {
  if (base === undefined || base === null) return deleteFrom(m, base, "")
  return deleteFrom(m, base, toPropertyKey(m, key))
}
