import type { Agent } from "./agent.ts"
import { toNumber, toUint32 } from "./convert.ts"
import {
  exoticGet,
  getWithReceiver,
  type InternalMethods,
  isAccessorDescriptor,
  ordinary,
  ordinaryDefineOwnProperty,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryHas,
  ordinaryOwnKeys,
  ordinaryPreventExtensions,
  ordinarySet,
  type PropertyDescriptor,
} from "./operations.ts"
import { addProperty } from "./shape.ts"
import { ArrayLength, Attribute, HOLE, type JSObject, Kind, type PropertyKey, type Value } from "./value.ts"

/** A dense array may grow by this many missing elements at once before its elements become ordinary properties. */
const MAX_GAP = 1024

/** Turns the elements of a dense array into ordinary properties. */
export const makeSlow = (o: JSObject): void => {
  if (o.kind !== Kind.Array) return
  const elements: Array<unknown> = o.data
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
  if (length > current + MAX_GAP && length > 1 << 16) return false
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

export const arrayLength = (o: JSObject): number => o.kind === Kind.Array ? o.data.length : o.data.length

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
    makeSlow(o)
  }
  const state = o.data as ArrayLength
  if (length !== undefined && length !== state.length) {
    if (!state.writable) return false
    if (length < state.length) {
      for (const key of indicesFrom(o, length)) {
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

/** The indices of a slow array from `start` on, highest first. */
const indicesFrom = (o: JSObject, start: number): Array<number> =>
  (ordinaryOwnKeys(o).filter((key) => typeof key === "number" && key >= start) as Array<number>).reverse()

const PLAIN: PropertyDescriptor = { writable: true, enumerable: true, configurable: true }

const isPlain = (desc: PropertyDescriptor): boolean =>
  "value" in desc && desc.writable === true && desc.enumerable === true && desc.configurable === true

const getOwn = (o: JSObject, key: PropertyKey): PropertyDescriptor | undefined => {
  if (key === "length") {
    return o.kind === Kind.Array
      ? { value: o.data.length, writable: true, enumerable: false, configurable: false }
      : { value: o.data.length, writable: o.data.writable, enumerable: false, configurable: false }
  }
  if (typeof key === "number" && o.kind === Kind.Array) {
    const value = key < o.data.length ? o.data[key] : HOLE
    return value === HOLE ? undefined : { value, ...PLAIN }
  }
  return ordinaryGetOwnProperty(o, key)
}

/** https://tc39.es/ecma262/#sec-array-exotic-objects */
export const arrayMethods: InternalMethods = {
  ...ordinary,
  preventExtensions: (_m, o) => {
    makeSlow(o)
    return ordinaryPreventExtensions(o)
  },
  getOwnProperty: (_m, o, key) => getOwn(o, key),
  defineOwnProperty: (m, o, key, desc) => {
    if (key === "length") return setLength(m, o, desc)
    if (typeof key !== "number") return ordinaryDefineOwnProperty(o, key, desc)
    if (o.kind === Kind.Array) {
      const existing = key < o.data.length && o.data[key] !== HOLE
      if (existing ? "value" in desc && !isAccessorDescriptor(desc) && isPlain({ ...PLAIN, ...desc }) : isPlain(desc)) {
        if (putDense(m, o, key, desc.value)) return true
      }
      makeSlow(o)
    }
    const state = o.data as ArrayLength
    if (key >= state.length && !state.writable) return false
    if (!ordinaryDefineOwnProperty(o, key, desc)) return false
    if (key >= state.length) state.length = key + 1
    return true
  },
  has: ordinaryHas,
  get: (m, o, key, receiver) => {
    if (o.kind === Kind.Array) {
      if (typeof key === "number") {
        const value = key < o.data.length ? o.data[key] : HOLE
        if (value !== HOLE) return value
        const proto = o.shape.proto
        return proto === null ? undefined : getWithReceiver(m, proto, key, receiver)
      }
      if (key === "length") return o.data.length
    }
    return exoticGet(m, o, key, receiver)
  },
  set: (m, o, key, value, receiver) => {
    if (typeof key === "number" && o.kind === Kind.Array && o === receiver && key < o.data.length && o.data[key] !== HOLE) {
      o.data[key] = value
      return true
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
  ownKeys: (_m, o) => {
    const keys: Array<PropertyKey> = []
    if (o.kind === Kind.Array) {
      const elements: Array<unknown> = o.data
      for (let i = 0; i < elements.length; i++) if (elements[i] !== HOLE) keys.push(i)
    }
    const others = ordinaryOwnKeys(o)
    const first = others.findIndex((key) => typeof key !== "number")
    const split = first < 0 ? others.length : first
    return [...keys, ...others.slice(0, split), "length", ...others.slice(split)]
  },
}
