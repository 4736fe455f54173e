import type { Agent } from "./agent.ts"
import { get, hasProperty } from "./internal-methods.ts"
import type { NativeData } from "./native.ts"
import { createDataPropertyOrThrow, set } from "./operations.ts"
import type { ProxyData } from "./proxy.ts"
import { type DefaultSpecies, isConstructor } from "./realm.ts"
import { rootShape } from "./shape.ts"
import { SymbolSpecies } from "./symbols.ts"
import {
  Accessor,
  ArrayLength,
  ExoticKind,
  HOLE,
  indexKey,
  isObject,
  JSObject,
  Kind,
  MAX_INDEX,
  newElements,
  type Value,
} from "./value.ts"

/** `new Array(n)` is dense up to this length. */
const MAX_DENSE_LENGTH = 1 << 21

/** https://tc39.es/ecma262/#sec-isarray */
export const isArray = (m: Agent, value: Value): value is JSObject => {
  if (!isObject(value)) return false
  let o: JSObject = value
  while (o.kind === Kind.Proxy) {
    const { target } = o.data as ProxyData
    if (target === null) throw m.typeError("Cannot perform 'IsArray' on a proxy that has been revoked")
    m.charge(1)
    o = target
  }
  return o.kind === Kind.Array || o.kind === Kind.SlowArray
}

/**
 * Whether a missing element of this array is found nowhere on its prototype chain either, so that its elements can be read,
 * added, moved and removed without looking there.
 */
export const inheritsNoElements = (o: JSObject): boolean => {
  for (let proto = o.shape.proto, depth = 0; proto !== null; proto = proto.shape.proto) {
    if (proto.kind === Kind.Array) {
      if (proto.data.length > 0) return false
    } else if (proto.kind >= ExoticKind.First || proto.shape.hasIndices) return false
    if (++depth > 16) return false
  }
  return true
}

/** Whether the host array in `data` is all there is to the elements of this array, holes included. */
export const isPlainArray = (o: JSObject): boolean => o.kind === Kind.Array && inheritsNoElements(o)

/** An element of an array-like by HasProperty and Get; `HOLE` where there is none. */
export const elementAt = (m: Agent, o: JSObject, index: number): Value => {
  if (o.kind === Kind.Array && index < o.data.length) {
    const value = o.data[index]
    if (value !== HOLE) return value
  }
  m.charge(4)
  const key = indexKey(index)
  return hasProperty(m, o, key) ? get(m, o, key) : HOLE
}

/** An element of an array-like by Get alone. */
export const getAt = (m: Agent, o: JSObject, index: number): Value => {
  if (o.kind === Kind.Array && index < o.data.length) {
    const value = o.data[index]
    if (value !== HOLE) return value
  }
  m.charge(4)
  return get(m, o, indexKey(index))
}

export const setAt = (m: Agent, o: JSObject, index: number, value: Value): void => {
  if (o.kind === Kind.Array && index < o.data.length && o.data[index] !== HOLE) o.data[index] = value
  else {
    m.charge(4)
    set(m, o, indexKey(index), value)
  }
}

/** CreateDataPropertyOrThrow with an index. */
export const createAt = (m: Agent, o: JSObject, index: number, value: Value): void => {
  if (o.kind === Kind.Array && index < o.data.length) o.data[index] = value
  else if (o.kind === Kind.Array && index === o.data.length) {
    m.allocate(8)
    o.data.push(value)
  } else {
    m.charge(4)
    createDataPropertyOrThrow(m, o, indexKey(index), value)
  }
}

/** https://tc39.es/ecma262/#sec-arraycreate */
export const arrayCreate = (m: Agent, length: number, proto?: JSObject): JSObject => {
  if (length > MAX_INDEX + 1) throw m.rangeError("Invalid array length")
  const shape = proto === undefined ? m.realm.arrayShape : rootShape(m.realm.space, proto)
  if (length > MAX_DENSE_LENGTH) {
    return new JSObject(shape, newElements(), Kind.SlowArray, new ArrayLength(length, true))
  }
  m.charge(length >> 2)
  m.allocate(64 + length * 8)
  const elements: Array<unknown> = []
  for (let i = 0; i < length; i++) elements.push(HOLE)
  return new JSObject(shape, newElements(), Kind.Array, elements)
}

/** The name of the getter that constructors have for `Symbol.species`, up to the constructor's own. */
const isSpeciesGetter = (value: unknown): boolean =>
  value instanceof Accessor && value.get !== undefined && value.get.kind === Kind.Native &&
  (value.get.data as NativeData).definition.id === "get Array[Symbol.species]"

/** Whether https://tc39.es/ecma262/#sec-arrayspeciescreate gives a plain new array, found out without observable steps. */
export const hasDefaultSpecies = (m: Agent, o: JSObject): boolean => {
  const { realm } = m
  if (o.shape !== realm.arrayShape) return false
  const proto = o.shape.proto!
  let known = realm.defaultSpecies
  if (known === null || known.epoch !== realm.space.epoch || known.constructorShape !== known.constructor.shape) {
    known = realm.defaultSpecies = findSpecies(m, proto)
    if (known === null) return false
  }
  const { constructor } = known
  return proto.slots[known.constructorSlot] === constructor && isSpeciesGetter(constructor.slots[known.speciesSlot])
}

const findSpecies = (m: Agent, proto: JSObject): DefaultSpecies | null => {
  const { realm } = m
  const constructorSlot = proto.shape.lookup("constructor")
  if (constructorSlot < 0) return null
  const constructor = proto.slots[constructorSlot]
  if (!isObject(constructor) || constructor !== realm.peek("Array")) return null
  const { shape } = constructor
  const speciesSlot = shape.lookup(SymbolSpecies)
  if (speciesSlot < 0) return null
  // A layout that belongs to the constructor alone changes in place, unless somebody relies on a slot.
  if (shape.dictionary) shape.cached = true
  return { epoch: realm.space.epoch, constructorSlot, constructor, constructorShape: shape, speciesSlot }
}

/** https://tc39.es/ecma262/#sec-arrayspeciescreate */
export const arraySpeciesCreate = (m: Agent, o: JSObject, length: number): JSObject => {
  if (hasDefaultSpecies(m, o) || !isArray(m, o)) return arrayCreate(m, length)
  let constructor = get(m, o, "constructor")
  if (isObject(constructor)) {
    constructor = get(m, constructor, SymbolSpecies)
    if (constructor === null) constructor = undefined
  }
  if (constructor === undefined) return arrayCreate(m, length)
  if (!isConstructor(constructor)) throw m.typeError("object.constructor[Symbol.species] is not a constructor")
  return m.construct(constructor, [length])
}
