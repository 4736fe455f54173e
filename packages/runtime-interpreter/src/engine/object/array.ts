import type { Agent } from "./agent.ts"
import { toNumber, toUint32 } from "./convert.ts"
import { isAccessorDescriptor, type PropertyDescriptor } from "./descriptor.ts"
import {
  getWithReceiver,
  type InternalMethods,
  ordinary,
  ordinaryDefineOwnProperty,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryHas,
  ordinaryOwnKeys,
  ordinaryPreventExtensions,
  ordinarySet,
  PROPERTY_BYTES,
} from "./internal-methods.ts"
import { addProperty } from "./shape.ts"
import { ArrayLength, Attribute, ExoticKind, HOLE, type JSObject, Kind, type PropertyKey, type Value } from "./value.ts"

/** A dense array may grow by this many missing elements at once before its elements become ordinary properties. */
const MAX_GAP = 1024

/** A dense array may have this many elements without ever having had values for them, as `new Array(n)` makes it. */
const MAX_DENSE_HOLES = 1 << 21

/** Turns the elements of a dense array into ordinary properties. */
const makeSlow = (m: Agent, o: JSObject): void => {
  if (o.kind !== Kind.Array) return
  const elements: Array<unknown> = o.data
  m.charge(elements.length * 8)
  m.allocate(elements.length * PROPERTY_BYTES)
  o.kind = Kind.SlowArray
  o.data = new ArrayLength(elements.length, true)
  for (let i = 0; i < elements.length; i++) {
    if (elements[i] !== HOLE) addProperty(o, i, elements[i], Attribute.All)
  }
}

/** Sets the length of a dense array, if it can stay dense. */
const resize = (m: Agent, elements: Array<unknown>, length: number): boolean => {
  const current = elements.length
  if (length <= current) {
    elements.length = length
    return true
  }
  if (length > current + MAX_GAP && length > MAX_DENSE_HOLES) return false
  m.allocate((length - current) * 8)
  m.charge(length - current)
  for (let i = current; i < length; i++) elements.push(HOLE)
  return true
}

/** Puts a value at an index of a dense array, and says whether the array could stay dense. */
export const putDense = (m: Agent, o: JSObject, index: number, value: Value): boolean => {
  const elements: Array<unknown> = o.data
  if (index < elements.length) {
    elements[index] = value
    return true
  }
  if (index > elements.length + MAX_GAP) return false
  m.allocate((index + 1 - elements.length) * 8)
  while (elements.length < index) elements.push(HOLE)
  elements.push(value)
  return true
}

/** https://tc39.es/ecma262/#sec-arraysetlength */
const setLength = (m: Agent, o: JSObject, desc: PropertyDescriptor): boolean => {
  let length: number | undefined
  if ("value" in desc) {
    length = toUint32(m, desc.value)
    if (length !== toNumber(m, desc.value)) throw m.rangeError("Invalid array length")
  }
  if (isAccessorDescriptor(desc) || desc.configurable === true || desc.enumerable === true) return false
  if (o.kind === Kind.Array) {
    if (desc.writable !== false && (length === undefined || resize(m, o.data, length))) return true
    makeSlow(m, o)
  }
  const state = o.data as ArrayLength
  if (length !== undefined && length !== state.length) {
    if (!state.writable) return false
    if (length < state.length) {
      for (const key of indicesFrom(m, o, length, state.length)) {
        if (!ordinaryDelete(o, key)) {
          state.length = key + 1
          if (desc.writable === false) state.writable = false
          return false
        }
      }
    }
    state.length = length
  }
  if (desc.writable === true && !state.writable) return false
  if (desc.writable === false) state.writable = false
  return true
}

/** The indices of a slow array from `start` to before `end`, where it ends, highest first. */
const indicesFrom = (m: Agent, o: JSObject, start: number, end: number): Array<number> => {
  const { shape } = o
  const indices: Array<number> = []
  if (end - start < shape.count) {
    m.charge(end - start)
    for (let key = end - 1; key >= start; key--) if (shape.lookup(key) >= 0) indices.push(key)
    return indices
  }
  m.charge(shape.count * 2)
  m.allocate(shape.count * 8)
  for (const key of ordinaryOwnKeys(o)) if (typeof key === "number" && key >= start) indices.push(key)
  return indices.reverse()
}

/** Whether the attributes that are given, if any, are those of an element of a dense array. */
const isDenseElement = (desc: PropertyDescriptor): boolean =>
  !isAccessorDescriptor(desc) && desc.writable !== false && desc.enumerable !== false && desc.configurable !== false

const isComplete = (desc: PropertyDescriptor): boolean =>
  desc.writable === true && desc.enumerable === true && desc.configurable === true

const getOwn = (o: JSObject, key: PropertyKey): PropertyDescriptor | undefined => {
  if (key === "length") {
    const writable = o.kind === Kind.Array || (o.data as ArrayLength).writable
    return { value: o.data.length, writable, enumerable: false, configurable: false }
  }
  if (typeof key === "number" && o.kind === Kind.Array) {
    const value = key < o.data.length ? o.data[key] : HOLE
    return value === HOLE ? undefined : { value, writable: true, enumerable: true, configurable: true }
  }
  return ordinaryGetOwnProperty(o, key)
}

/** Whether nothing on the prototype chain would take or refuse an element that the array itself does not have. */
const isMissingAbove = (o: JSObject, index: number): boolean => {
  for (let proto = o.shape.proto, depth = 0; proto !== null; proto = proto.shape.proto) {
    if (proto.kind >= ExoticKind.First && proto.kind !== Kind.Array) return false
    if (proto.kind === Kind.Array && index < proto.data.length) return false
    if (proto.shape.lookup(index) >= 0 || ++depth > 16) return false
  }
  return true
}

/** https://tc39.es/ecma262/#sec-array-exotic-objects */
export const arrayMethods: InternalMethods = {
  ...ordinary,
  preventExtensions: (m, o) => {
    makeSlow(m, o)
    return ordinaryPreventExtensions(o)
  },
  getOwnProperty: (_m, o, key) => getOwn(o, key),
  defineOwnProperty: (m, o, key, desc) => {
    if (key === "length") return setLength(m, o, desc)
    m.allocate(PROPERTY_BYTES)
    if (typeof key !== "number") return ordinaryDefineOwnProperty(o, key, desc)
    if (o.kind === Kind.Array) {
      const existing = key < o.data.length && o.data[key] !== HOLE
      if (isDenseElement(desc) && (existing || isComplete(desc))) {
        if (existing && !("value" in desc)) return true
        if (putDense(m, o, key, desc.value)) return true
      }
      makeSlow(m, o)
    }
    const state = o.data as ArrayLength
    if (key >= state.length && !state.writable) return false
    if (!ordinaryDefineOwnProperty(o, key, desc)) return false
    if (key >= state.length) state.length = key + 1
    return true
  },
  has: ordinaryHas,
  get: getWithReceiver,
  ownValue: (_m, o, key) => {
    if (typeof key === "number" && o.kind === Kind.Array) return key < o.data.length ? o.data[key] : HOLE
    if (key === "length") return o.data.length
    const slot = o.shape.lookup(key)
    return slot < 0 ? HOLE : o.slots[slot]
  },
  set: (m, o, key, value, receiver) => {
    if (typeof key === "number" && o.kind === Kind.Array && o === receiver) {
      if (key < o.data.length && o.data[key] !== HOLE) {
        o.data[key] = value
        return true
      }
      if (isMissingAbove(o, key) && putDense(m, o, key, value)) return true
    }
    return ordinarySet(m, o, key, value, receiver)
  },
  delete: (_m, o, key) => {
    if (key === "length") return false
    if (typeof key === "number" && o.kind === Kind.Array) {
      if (key < o.data.length) o.data[key] = HOLE
      return true
    }
    return ordinaryDelete(o, key)
  },
  ownKeys: (m, o) => {
    const keys: Array<PropertyKey> = []
    if (o.kind === Kind.Array) {
      const elements: Array<unknown> = o.data
      m.charge(elements.length)
      m.allocate(elements.length * 8)
      for (let i = 0; i < elements.length; i++) if (elements[i] !== HOLE) keys.push(i)
    }
    const others = ordinaryOwnKeys(o)
    let split = 0
    while (split < others.length && typeof others[split] === "number") keys.push(others[split++]!)
    keys.push("length")
    while (split < others.length) keys.push(others[split++]!)
    return keys
  },
}
