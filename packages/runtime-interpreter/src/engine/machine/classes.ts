import {
  Accessor,
  addProperty,
  Attribute,
  changePrototype,
  definePropertyOrThrow,
  describe,
  get,
  isConstructor,
  isObject,
  JSObject,
  Kind,
  newElements,
  type PrivateName,
  type PropertyKey,
  rootShape,
  type Shape,
  TDZ,
  unquoted,
  type Value,
} from "../object/index.ts"
import { start } from "./calls.ts"
import { currentExpression } from "./errors.ts"
import { PUSHED } from "./frame.ts"
import type { ClosureData } from "./function.ts"
import type { InlineCache } from "./instruction.ts"
import type { Machine } from "./machine.ts"

/** Makes a class of its constructor's closure, and answers its prototype object. */
export const newClass = (m: Machine, constructor: JSObject, heritage: Value, hasHeritage: boolean): JSObject => {
  let protoParent: JSObject | null = m.realm.objectPrototype
  if (hasHeritage) {
    if (heritage === null) {
      protoParent = null
      changePrototype(constructor, m.realm.functionPrototype)
    } else {
      if (!isConstructor(heritage)) {
        throw m.typeError(`Class extends value ${unquoted(heritage)} is not a constructor or null`)
      }
      const parent = get(m, heritage, "prototype")
      if (parent !== null && !isObject(parent)) {
        throw m.typeError(`Class extends value does not have valid prototype property ${unquoted(parent)}`)
      }
      protoParent = parent
      changePrototype(constructor, heritage)
    }
  }
  m.allocate(160)
  const proto = new JSObject(rootShape(m.realm.space, protoParent), newElements(), Kind.Ordinary, undefined)
  ;(constructor.data as ClosureData).home = proto
  // The closure has `length` and `name`; a class's prototype is read-only.
  addProperty(constructor, "prototype", proto, 0)
  addProperty(proto, "constructor", constructor, Attribute.Hidden)
  return proto
}

/** https://tc39.es/ecma262/#sec-definemethodproperty and the accessors of https://tc39.es/ecma262/#sec-runtime-semantics-methoddefinitionevaluation */
export const defineMethod = (m: Machine, object: JSObject, key: PropertyKey, fn: JSObject, mode: number): void => {
  ;(fn.data as ClosureData).home = object
  const enumerable = (mode & 1) !== 0
  if ((mode & 2) !== 0) definePropertyOrThrow(m, object, key, { get: fn, enumerable, configurable: true })
  else if ((mode & 4) !== 0) definePropertyOrThrow(m, object, key, { set: fn, enumerable, configurable: true })
  else definePropertyOrThrow(m, object, key, { value: fn, writable: true, enumerable, configurable: true })
}

// ---------------------------------------------------------------------------------------------------------------------
// Private names: https://tc39.es/ecma262/#sec-private-names
// ---------------------------------------------------------------------------------------------------------------------

const notPrivate = (m: Machine, verb: string, name: PrivateName) =>
  m.typeError(
    `Cannot ${verb} private member ${name.description} ${
      verb === "read" ? "from" : "to"
    } an object whose class did not declare it`,
  )

export const getPrivate = (
  m: Machine,
  object: Value,
  name: PrivateName,
  dst: number,
  cache: InlineCache,
): Value | typeof PUSHED => {
  const slot = isObject(object) ? object.shape.lookup(name) : -1
  if (slot < 0) throw notPrivate(m, "read", name)
  const { shape, slots } = object as JSObject
  const value = slots[slot]
  if (!(value instanceof Accessor)) {
    remember(cache, shape, name, slot)
    return value
  }
  if (value.get === undefined) throw m.typeError(`'${name.description}' was defined without a getter`)
  return start(m, value.get, object, [], undefined, dst)
}

export const setPrivate = (
  m: Machine,
  object: Value,
  name: PrivateName,
  value: Value,
  cache: InlineCache,
): void | typeof PUSHED => {
  const slot = isObject(object) ? object.shape.lookup(name) : -1
  if (slot < 0) throw notPrivate(m, "write", name)
  const { shape, slots } = object as JSObject
  const old = slots[slot]
  if (old instanceof Accessor) {
    if (old.set === undefined) throw m.typeError(`'${name.description}' was defined without a setter`)
    return start(m, old.set, object, [value], undefined, -1) === PUSHED ? PUSHED : undefined
  }
  if ((shape.table.flags[slot]! & Attribute.Writable) === 0) {
    throw m.typeError(`Private method '${name.description}' is not writable`)
  }
  remember(cache, shape, name, slot)
  slots[slot] = value
}

const remember = (cache: InlineCache, shape: Shape, name: PrivateName, slot: number): void => {
  if (cache.name !== name) cache.shape = cache.shape2 = null
  cache.name = name
  cache.found(shape, slot)
}

/** Adds a private member: 0 a field, 1 a method, 2 a getter, 3 a setter. */
export const definePrivate = (m: Machine, object: JSObject, name: PrivateName, value: Value, kind: number): void => {
  const slot = object.shape.lookup(name)
  if (slot >= 0) {
    const old = object.slots[slot]
    // The other half of an accessor.
    if (kind >= 2 && old instanceof Accessor && (kind === 2 ? old.get : old.set) === undefined) {
      object.slots[slot] = kind === 2
        ? new Accessor(value as JSObject, old.set)
        : new Accessor(old.get, value as JSObject)
      return
    }
    throw m.typeError("Cannot initialize private methods of class twice on the same object")
  }
  m.allocate(24)
  if (kind === 0) addProperty(object, name, value, Attribute.Writable)
  else if (kind === 1) addProperty(object, name, value, 0)
  else {
    const accessor = kind === 2
      ? new Accessor(value as JSObject, undefined)
      : new Accessor(undefined, value as JSObject)
    addProperty(object, name, accessor, Attribute.Accessor)
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Construction
// ---------------------------------------------------------------------------------------------------------------------

export const startConstruct = (
  m: Machine,
  fn: Value,
  args: Array<Value>,
  newTarget: Value,
  dst: number,
): Value | typeof PUSHED => {
  if (!isConstructor(fn)) throw m.typeError(`${currentExpression(m) ?? describe(fn)} is not a constructor`)
  return start(m, fn, undefined, args, newTarget as JSObject, dst)
}

export const startSuper = (
  m: Machine,
  parent: Value,
  args: Array<Value>,
  newTarget: Value,
  dst: number,
): Value | typeof PUSHED => {
  if (!isConstructor(parent)) {
    throw m.typeError(`Super constructor ${unquoted(parent)} of anonymous class is not a constructor`)
  }
  return start(m, parent, undefined, args, newTarget as JSObject, dst)
}

/** What a derived constructor's completion comes to. */
export const derivedResult = (m: Machine, value: Value, self: unknown): Value => {
  if (isObject(value)) return value
  if (value !== undefined) throw m.typeError("Derived constructors may only return object or undefined")
  if (self === TDZ) {
    throw m.referenceError(
      "Must call super constructor in derived class before accessing 'this' or returning from derived constructor",
    )
  }
  return self as Value
}
