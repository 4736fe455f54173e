import type { Agent } from "./agent.ts"
import { describe, describeKey, objectTag, unquoted } from "./describe.ts"
import { isAccessorDescriptor, isDataDescriptor, type PropertyDescriptor } from "./descriptor.ts"
import { chargeEquality } from "./equality.ts"
import {
  defineOwnProperty,
  deleteProperty,
  get,
  getOwnProperty,
  getWithReceiver,
  hasProperty,
  isExtensible,
  ownKeys,
  preventExtensions,
  PROPERTY_BYTES,
  setWithReceiver,
} from "./internal-methods.ts"
import { complete } from "./partial.ts"
import { addProperty, isRestricted, restrict } from "./shape.ts"
import {
  type ArrayLength,
  Attribute,
  ExoticKind,
  isCallable,
  type JSObject,
  Kind,
  type PropertyKey,
  type Value,
} from "./value.ts"

// Operations on objects: https://tc39.es/ecma262/#sec-operations-on-objects

/** https://tc39.es/ecma262/#sec-set-o-p-v-throw with throw = true */
export const set = (m: Agent, o: JSObject, key: PropertyKey, value: Value): void => {
  if (!setWithReceiver(m, o, key, value, o)) throw m.typeError(cannotAssign(m, o, key))
}

/** Why an assignment was refused, in V8's words. */
export const cannotAssign = (m: Agent, o: JSObject, key: PropertyKey): string => {
  const name = describeKey(key)
  if (o.kind === Kind.Proxy) return `'set' on proxy: trap returned falsish for property '${name}'`
  for (let holder: JSObject | null = o; holder !== null && holder.kind !== Kind.Proxy; holder = holder.shape.proto) {
    const desc = getOwnProperty(m, holder, key)
    if (desc === undefined) continue
    if (isAccessorDescriptor(desc)) return `Cannot set property ${name} of ${objectTag(o)} which has only a getter`
    if (desc.writable === false) return `Cannot assign to read only property '${name}' of object '${objectTag(o)}'`
    break
  }
  return `Cannot add property ${name}, object is not extensible`
}

export const createDataProperty = (m: Agent, o: JSObject, key: PropertyKey, value: Value): boolean => {
  complete(o)
  if (o.kind < ExoticKind.First && o.shape.extensible && o.shape.lookup(key) < 0) {
    m.allocate(PROPERTY_BYTES)
    addProperty(o, key, value, Attribute.All)
    return true
  }
  return defineOwnProperty(m, o, key, { value, writable: true, enumerable: true, configurable: true })
}

export const createDataPropertyOrThrow = (m: Agent, o: JSObject, key: PropertyKey, value: Value): void => {
  if (!createDataProperty(m, o, key, value)) {
    throw m.typeError(`Cannot define property ${describeKey(key)}, object is not extensible`)
  }
}

export const definePropertyOrThrow = (m: Agent, o: JSObject, key: PropertyKey, desc: PropertyDescriptor): void => {
  if (!defineOwnProperty(m, o, key, desc)) {
    const existing = o.kind !== Kind.Proxy && getOwnProperty(m, o, key) !== undefined
    throw m.typeError(
      existing
        ? `Cannot redefine property: ${describeKey(key)}`
        : `Cannot define property ${describeKey(key)}, object is not extensible`,
    )
  }
}

export const deletePropertyOrThrow = (m: Agent, o: JSObject, key: PropertyKey): void => {
  if (!deleteProperty(m, o, key)) throw m.typeError(`Cannot delete property '${describeKey(key)}' of ${objectTag(o)}`)
}

/** https://tc39.es/ecma262/#sec-getv */
export const getV = (m: Agent, value: Value, key: PropertyKey): Value => {
  if (typeof value === "object" && value !== null) return getWithReceiver(m, value, key, value)
  if (value === undefined || value === null) {
    throw m.typeError(`Cannot read properties of ${value} (reading '${describeKey(key)}')`)
  }
  if (typeof value === "string") {
    if (key === "length") return value.length
    if (typeof key === "number" && key < value.length) return value[key]
  }
  return getWithReceiver(m, m.realm.prototypeOfPrimitive(value), key, value)
}

/** https://tc39.es/ecma262/#sec-getmethod */
export const getMethod = (m: Agent, value: Value, key: PropertyKey): JSObject | undefined => {
  const fn = getV(m, value, key)
  if (fn === undefined || fn === null) return undefined
  if (!isCallable(fn)) {
    throw m.typeError(
      `${describe(fn)} returned for property '${describeKey(key)}' of object '${describe(value)}' is not a function`,
    )
  }
  return fn
}

/** https://tc39.es/ecma262/#sec-invoke */
export const invoke = (m: Agent, value: Value, key: PropertyKey, args: Array<Value>): Value => {
  const fn = getV(m, value, key)
  if (!isCallable(fn)) throw m.typeError(`${describeKey(key)} is not a function`)
  return m.call(fn, value, args)
}

/** https://tc39.es/ecma262/#sec-setintegritylevel */
export const setIntegrityLevel = (m: Agent, o: JSObject, level: "sealed" | "frozen"): boolean => {
  complete(o)
  if (o.kind <= Kind.SlowArray) {
    if (o.kind === Kind.Array) preventExtensions(m, o)
    m.charge(o.shape.count)
    restrict(o, level === "frozen")
    if (o.kind === Kind.SlowArray && level === "frozen") (o.data as ArrayLength).writable = false
    return true
  }
  if (!preventExtensions(m, o)) return false
  const keys = ownKeys(m, o)
  m.charge(keys.length * 8)
  for (const key of keys) {
    if (level === "sealed") definePropertyOrThrow(m, o, key, { configurable: false })
    else {
      const desc = getOwnProperty(m, o, key)
      if (desc === undefined) continue
      definePropertyOrThrow(
        m,
        o,
        key,
        isAccessorDescriptor(desc) ? { configurable: false } : { configurable: false, writable: false },
      )
    }
  }
  return true
}

/** https://tc39.es/ecma262/#sec-testintegritylevel */
export const testIntegrityLevel = (m: Agent, o: JSObject, level: "sealed" | "frozen"): boolean => {
  complete(o)
  if (o.kind <= Kind.SlowArray) {
    m.charge(o.shape.count >> 2)
    if (!isRestricted(o, level === "frozen")) return false
    return o.kind !== Kind.SlowArray || level === "sealed" || !(o.data as ArrayLength).writable
  }
  if (isExtensible(m, o)) return false
  for (const key of ownKeys(m, o)) {
    m.charge(8)
    const desc = getOwnProperty(m, o, key)
    if (desc === undefined) continue
    if (desc.configurable === true) return false
    if (level === "frozen" && isDataDescriptor(desc) && desc.writable === true) return false
  }
  return true
}

/** https://tc39.es/ecma262/#sec-topropertydescriptor */
export const toPropertyDescriptor = (m: Agent, value: Value): PropertyDescriptor => {
  if (typeof value !== "object" || value === null) {
    throw m.typeError(
      `Property description must be an object: ${unquoted(value)}`,
    )
  }
  const desc: PropertyDescriptor = {}
  if (hasProperty(m, value, "enumerable")) desc.enumerable = truthy(get(m, value, "enumerable"))
  if (hasProperty(m, value, "configurable")) desc.configurable = truthy(get(m, value, "configurable"))
  if (hasProperty(m, value, "value")) {
    desc.value = get(m, value, "value")
    // It may be compared with the value that the property has.
    chargeEquality(m, desc.value, desc.value)
  }
  if (hasProperty(m, value, "writable")) desc.writable = truthy(get(m, value, "writable"))
  if (hasProperty(m, value, "get")) desc.get = accessorFunction(m, get(m, value, "get"), "Getter")
  if (hasProperty(m, value, "set")) desc.set = accessorFunction(m, get(m, value, "set"), "Setter")
  if (isAccessorDescriptor(desc) && isDataDescriptor(desc)) {
    throw m.typeError("Invalid property descriptor. Cannot both specify accessors and a value or writable attribute")
  }
  return desc
}

const truthy = (value: Value): boolean => Boolean(value)

const accessorFunction = (m: Agent, value: Value, role: string): JSObject | undefined => {
  if (value !== undefined && !isCallable(value)) {
    throw m.typeError(`${role} must be a function: ${unquoted(value)}`)
  }
  return value
}

/** https://tc39.es/ecma262/#sec-frompropertydescriptor */
export const fromPropertyDescriptor = (m: Agent, desc: PropertyDescriptor | undefined): Value => {
  if (desc === undefined) return undefined
  const o = m.realm.newObject()
  for (const field of ["value", "writable", "get", "set", "enumerable", "configurable"] as const) {
    if (field in desc) addProperty(o, field, desc[field], Attribute.All)
  }
  return o
}
