import type { Machine } from "../machine/machine.ts"
import {
  arraySpeciesCreate,
  call,
  createAt,
  elementAt,
  type GeneratorNative,
  getAt,
  hasDefaultSpecies,
  HOLE,
  isArray,
  isCallable,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  toBoolean,
  type Value,
} from "../object/index.ts"
import { arrayLike, flattenIntoArray } from "./array-prototype.ts"
import { generatorMethod } from "./define.ts"

type Impl = GeneratorNative<Machine>

/** The argument that must be a function. */
export const callback = (m: Machine, fn: Value): JSObject => {
  if (!isCallable(fn)) throw m.typeError(`${m.describe(fn)} is not a function`)
  return fn
}

/** https://tc39.es/ecma262/#sec-array.prototype.every */
const every: Impl = function*(m, self, args) {
  const o = arrayLike(m, self, "every")
  const length = lengthOfArrayLike(m, o)
  const fn = callback(m, args[0])
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value !== HOLE && !toBoolean(yield call(fn, args[1], [value, k, o]))) return false
  }
  return true
}

/** https://tc39.es/ecma262/#sec-array.prototype.some */
const some: Impl = function*(m, self, args) {
  const o = arrayLike(m, self, "some")
  const length = lengthOfArrayLike(m, o)
  const fn = callback(m, args[0])
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value !== HOLE && toBoolean(yield call(fn, args[1], [value, k, o]))) return true
  }
  return false
}

/** https://tc39.es/ecma262/#sec-array.prototype.foreach */
const forEach: Impl = function*(m, self, args) {
  const o = arrayLike(m, self, "forEach")
  const length = lengthOfArrayLike(m, o)
  const fn = callback(m, args[0])
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value !== HOLE) yield call(fn, args[1], [value, k, o])
  }
  return undefined
}

/** https://tc39.es/ecma262/#sec-array.prototype.map */
const map: Impl = function*(m, self, args) {
  const o = arrayLike(m, self, "map")
  const length = lengthOfArrayLike(m, o)
  const fn = callback(m, args[0])
  const thisArg = args[1]
  if (o.kind === Kind.Array && hasDefaultSpecies(m, o)) {
    m.allocate(64 + length * 8)
    const elements: Array<Value> = []
    for (let k = 0; k < length; k++) {
      m.charge(1)
      const value = elementAt(m, o, k)
      elements.push(value === HOLE ? HOLE : yield call(fn, thisArg, [value, k, o]))
    }
    return m.realm.newArray(elements)
  }
  const result = arraySpeciesCreate(m, o, length)
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value !== HOLE) createAt(m, result, k, yield call(fn, thisArg, [value, k, o]))
  }
  return result
}

/** https://tc39.es/ecma262/#sec-array.prototype.filter */
const filter: Impl = function*(m, self, args) {
  const o = arrayLike(m, self, "filter")
  const length = lengthOfArrayLike(m, o)
  const fn = callback(m, args[0])
  const thisArg = args[1]
  const result = arraySpeciesCreate(m, o, 0)
  let to = 0
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value !== HOLE && toBoolean(yield call(fn, thisArg, [value, k, o]))) createAt(m, result, to++, value)
  }
  return result
}

/** https://tc39.es/ecma262/#sec-findviapredicate — the index, or the value, of what is found. */
const findVia = (name: string, ascending: boolean, wantsIndex: boolean): Impl =>
  function*(m, self, args) {
    const o = arrayLike(m, self, name)
    const length = lengthOfArrayLike(m, o)
    const fn = callback(m, args[0])
    for (let i = 0; i < length; i++) {
      m.charge(1)
      const k = ascending ? i : length - 1 - i
      const value = getAt(m, o, k)
      if (toBoolean(yield call(fn, args[1], [value, k, o]))) return wantsIndex ? k : value
    }
    return wantsIndex ? -1 : undefined
  }

/** https://tc39.es/ecma262/#sec-array.prototype.flatmap */
const flatMap: Impl = function*(m, self, args) {
  const o = arrayLike(m, self, "flatMap")
  const length = lengthOfArrayLike(m, o)
  const fn = args[0]
  if (!isCallable(fn)) throw m.typeError("flatMap mapper function is not callable")
  const result = arraySpeciesCreate(m, o, 0)
  let to = 0
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value === HOLE) continue
    const mapped = yield call(fn, args[1], [value, k, o])
    if (isArray(m, mapped)) to = flattenIntoArray(m, result, mapped, lengthOfArrayLike(m, mapped), to, 0)
    else createAt(m, result, to++, mapped)
  }
  return result
}

/** https://tc39.es/ecma262/#sec-array.prototype.reduce and https://tc39.es/ecma262/#sec-array.prototype.reduceright */
const reduceVia = (name: string, ascending: boolean): Impl =>
  function*(m, self, args) {
    const o = arrayLike(m, self, name)
    const length = lengthOfArrayLike(m, o)
    const fn = callback(m, args[0])
    let i = 0
    let accumulator: Value
    if (args.length >= 2) accumulator = args[1]
    else {
      for (accumulator = HOLE; accumulator === HOLE; i++) {
        if (i >= length) throw m.typeError("Reduce of empty array with no initial value")
        m.charge(1)
        accumulator = elementAt(m, o, ascending ? i : length - 1 - i)
      }
    }
    for (; i < length; i++) {
      m.charge(1)
      const k = ascending ? i : length - 1 - i
      const value = elementAt(m, o, k)
      if (value !== HOLE) accumulator = yield call(fn, undefined, [accumulator, value, k, o])
    }
    return accumulator
  }

/** The methods that call a function for each element, by name. */
export const callbackMethods = {
  every: generatorMethod("every", 1, every),
  filter: generatorMethod("filter", 1, filter),
  /** https://tc39.es/ecma262/#sec-array.prototype.find */
  find: generatorMethod("find", 1, findVia("find", true, false)),
  /** https://tc39.es/ecma262/#sec-array.prototype.findindex */
  findIndex: generatorMethod("findIndex", 1, findVia("findIndex", true, true)),
  /** https://tc39.es/ecma262/#sec-array.prototype.findlast */
  findLast: generatorMethod("findLast", 1, findVia("findLast", false, false)),
  /** https://tc39.es/ecma262/#sec-array.prototype.findlastindex */
  findLastIndex: generatorMethod("findLastIndex", 1, findVia("findLastIndex", false, true)),
  flatMap: generatorMethod("flatMap", 1, flatMap),
  forEach: generatorMethod("forEach", 1, forEach),
  map: generatorMethod("map", 1, map),
  reduce: generatorMethod("reduce", 1, reduceVia("reduce", true)),
  reduceRight: generatorMethod("reduceRight", 1, reduceVia("reduceRight", false)),
  some: generatorMethod("some", 1, some),
} as const
