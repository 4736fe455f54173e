import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  arrayCreate,
  Attribute,
  call,
  type Calls,
  construct,
  createAt,
  type GeneratorNative,
  getAt,
  getMethod,
  type Intrinsics,
  isArray,
  isCallable,
  isConstructor,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  type Native,
  Pause,
  prototypeFromConstructor,
  set,
  SymbolIterator,
  SymbolSpecies,
  SymbolUnscopables,
  toObject,
  type Value,
} from "../object/index.ts"
import { callbackMethods } from "./array-callbacks.ts"
import { fromAsync } from "./array-from-async.ts"
import { plainMethods } from "./array-prototype.ts"
import { sortMethods } from "./array-sort.ts"
import { builtInIteratorIntrinsics } from "./built-in-iterators.ts"
import { accessor, alias, constructor, generatorMethod, type Member, method, object } from "./define.ts"
import {
  builtinIterator,
  DONE,
  getIteratorFromMethod,
  hold,
  isBlock,
  isPlainArrayIteration,
  iteratorCloseThrow,
  iteratorStepValue,
  notIterable,
} from "./iteration.ts"

/** https://tc39.es/ecma262/#sec-array */
const arrayConstructor: Native<Machine> = (m, _self, args, newTarget, callee) => {
  const proto = newTarget === undefined || newTarget === callee
    ? undefined
    : prototypeFromConstructor(m, newTarget, "ArrayPrototype")
  if (args.length !== 1) {
    m.charge(args.length >> 3)
    m.allocate(64 + args.length * 8)
    const array = arrayCreate(m, 0, proto)
    array.data = args.slice()
    return array
  }
  const length = args[0]
  if (typeof length === "number") {
    if (length !== length >>> 0) throw m.rangeError("Invalid array length")
    return arrayCreate(m, length, proto)
  }
  const array = arrayCreate(m, 0, proto)
  array.data.push(length)
  return array
}

/** A new array, or what the constructor that a static method was called on makes. */
function* newResult(m: Machine, constructor: Value, args: Array<Value>): Calls<JSObject> {
  if (constructor === m.realm.peek("Array") || !isConstructor(constructor)) {
    return arrayCreate(m, args.length === 0 ? 0 : args[0] as number)
  }
  return (yield construct(constructor, args)) as JSObject
}

/** https://tc39.es/ecma262/#sec-array.from */
const from: GeneratorNative<Machine> = function*(m, self, args) {
  const items = args[0]
  const mapper = args[1]
  const thisArg = args[2]
  if (mapper !== undefined && !isCallable(mapper)) throw m.typeError(`${m.describe(mapper)} is not a function`)
  const isOwn = self === m.realm.peek("Array")
  if (isOwn && isPlainArrayIteration(m, items)) {
    const elements: Array<Value> = []
    hold(m, [items, elements])
    for (let k = 0; k < items.data.length; k++) {
      m.charge(1)
      m.allocate(8)
      const value = getAt(m, items, k)
      elements.push(mapper === undefined ? value : yield call(mapper, thisArg, [value, k]))
      if (isBlock(k)) yield Pause
    }
    return m.realm.newArray(elements)
  }
  const iteratorMethod = getMethod(m, toIterable(m, items), SymbolIterator)
  if (iteratorMethod !== undefined) {
    const result = yield* newResult(m, self, [])
    const record = yield* getIteratorFromMethod(m, items, iteratorMethod)
    const builtin = builtinIterator(record)
    hold(m, [record, result])
    for (let k = 0;; k++) {
      m.charge(1)
      if (isBlock(k)) yield Pause
      const value = builtin === null ? yield* iteratorStepValue(m, record) : builtin.step(m)
      if (value === DONE) {
        set(m, result, "length", k)
        return result
      }
      try {
        createAt(m, result, k, mapper === undefined ? value : yield call(mapper, thisArg, [value, k]))
      } catch (error) {
        return yield* iteratorCloseThrow(m, record, error)
      }
    }
  }
  const source = toObject(m, items)
  const length = lengthOfArrayLike(m, source)
  if (isOwn) {
    // The length is paid for before any of the result is there, and the result has no holes meanwhile.
    if (length > 4294967295) throw m.rangeError("Invalid array length")
    m.allocate(64 + length * 8)
    const elements: Array<Value> = []
    hold(m, [source, elements])
    for (let k = 0; k < length; k++) {
      m.charge(1)
      const value = getAt(m, source, k)
      elements.push(mapper === undefined ? value : yield call(mapper, thisArg, [value, k]))
      if (isBlock(k)) yield Pause
    }
    return m.realm.newArray(elements)
  }
  const result = yield* newResult(m, self, [length])
  hold(m, [source, result])
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = getAt(m, source, k)
    createAt(m, result, k, mapper === undefined ? value : yield call(mapper, thisArg, [value, k]))
    if (isBlock(k)) yield Pause
  }
  set(m, result, "length", length)
  return result
}

const toIterable = (m: Machine, items: Value): Value => {
  if (items === undefined || items === null) throw notIterable(m, items)
  return items
}

/** https://tc39.es/ecma262/#sec-array.of */
const of: GeneratorNative<Machine> = function*(m, self, args) {
  m.charge(args.length >> 3)
  m.allocate(args.length * 8)
  if (self === m.realm.peek("Array") || !isConstructor(self)) return m.realm.newArray(args.slice())
  const result = yield* newResult(m, self, [args.length])
  for (let k = 0; k < args.length; k++) createAt(m, result, k, args[k])
  set(m, result, "length", args.length)
  return result
}

/** https://tc39.es/ecma262/#sec-array.prototype-@@unscopables */
const unscopables: Member = {
  key: SymbolUnscopables,
  define: (realm, target) => {
    const list = realm.newObjectWith(null)
    for (
      const name of [
        "at",
        "copyWithin",
        "entries",
        "fill",
        "find",
        "findIndex",
        "findLast",
        "findLastIndex",
        "flat",
        "flatMap",
        "includes",
        "keys",
        "toReversed",
        "toSorted",
        "toSpliced",
        "values",
      ]
    ) addProperty(list, name, true, Attribute.All)
    addProperty(target, SymbolUnscopables, list, Attribute.Configurable)
  },
}

const { at, concat, copyWithin, entries, fill, flat, includes, indexOf, join, keys, lastIndexOf, pop, push } =
  plainMethods
const { reverse, shift, slice, splice, toLocaleString, toReversed, toSpliced, toString, unshift, values } = plainMethods
const { every, filter, find, findIndex, findLast, findLastIndex, flatMap, forEach } = callbackMethods
const { map, reduce, reduceRight, some } = callbackMethods
const { sort, toSorted } = sortMethods

export const arrayIntrinsics: Intrinsics = {
  ...builtInIteratorIntrinsics,
  Array: constructor({
    name: "Array",
    length: 1,
    prototype: "ArrayPrototype",
    impl: arrayConstructor,
    members: [
      generatorMethod("from", 1, from),
      generatorMethod("fromAsync", 1, fromAsync),
      /** https://tc39.es/ecma262/#sec-array.isarray */
      method("isArray", 1, (m, _self, args) => isArray(m, args[0])),
      generatorMethod("of", 0, of),
      /** https://tc39.es/ecma262/#sec-get-array-@@species */
      accessor(SymbolSpecies, (_m, self) => self),
    ],
  }),
  ArrayPrototype: object({
    name: "Array.prototype",
    kind: Kind.Array,
    data: () => [],
    constructor_: "Array",
    members: [
      at,
      concat,
      copyWithin,
      fill,
      find,
      findIndex,
      findLast,
      findLastIndex,
      lastIndexOf,
      pop,
      push,
      reverse,
      shift,
      unshift,
      slice,
      sort,
      splice,
      includes,
      indexOf,
      join,
      keys,
      entries,
      values,
      forEach,
      filter,
      flat,
      flatMap,
      map,
      every,
      some,
      reduce,
      reduceRight,
      toReversed,
      toSorted,
      toSpliced,
      toLocaleString,
      toString,
      plainMethods.with,
      alias(SymbolIterator, "values"),
      unscopables,
    ],
  }),
}
