import { inSteps } from "../machine/calls.ts"
import { keepsArguments } from "../machine/function.ts"
import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  arrayCreate,
  Attribute,
  Call,
  call,
  type Calls,
  construct,
  createAt,
  type GeneratorNative,
  getAt,
  getMethod,
  type Intrinsics,
  isArray,
  isConstructor,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  type Native,
  newElements,
  newElementsFor,
  Pause,
  prototypeFromConstructor,
  RepeatedCalls,
  requireCallable,
  set,
  SymbolIterator,
  SymbolSpecies,
  SymbolUnscopables,
  toObject,
  type Value,
} from "../object/index.ts"
import { callbackMethods } from "./array-callbacks.ts"
import { fromAsync } from "./array-from-async.ts"
import { plainMethods, sharedMethods } from "./array-prototype.ts"
import { sortMethods } from "./array-sort.ts"
import { builtInIteratorIntrinsics } from "./built-in-iterators.ts"
import { accessor, alias, constructor, generatorMethod, type Member, method, object } from "./define.ts"
import {
  builtinIterator,
  DONE,
  fewValues,
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
const from: Native<Machine> = (m, self, args) => {
  const items = args[0]
  const mapper = args[1]
  if (mapper !== undefined) requireCallable(m, mapper)
  if (self !== m.realm.peek("Array")) return inSteps(m, [self, args], fromSteps(m, self, args))
  if (mapper === undefined) {
    const values = fewValues(m, items)
    if (values === undefined) return inSteps(m, [args], fromSteps(m, self, args))
    m.allocate(64 + values.length * 8)
    return m.realm.newArray(values.slice())
  }
  if (isPlainArrayIteration(m, items)) return inSteps(m, [], new FromCalls(m, items, mapper, args[2], true))
  const iteratorMethod = getMethod(m, toIterable(m, items), SymbolIterator)
  if (iteratorMethod !== undefined) {
    return inSteps(m, [args], fromIterable(m, self, items, iteratorMethod, mapper, args[2]))
  }
  return inSteps(m, [], new FromCalls(m, toObject(m, items), mapper, args[2], false))
}

/** `Array.from` where a function of the program's makes the elements of an array or an array-like: a class for the reason that `ElementCalls` is one. */
class FromCalls extends RepeatedCalls {
  readonly #m: Machine
  private elements: Array<Value> | null = null
  /** What is read; an array's own length counts. */
  private length = 0
  private k = 0
  private readonly fresh: boolean
  private readonly step: IteratorResult<Call | typeof Pause, Value> = { done: false, value: Pause }

  constructor(
    m: Machine,
    private readonly source: JSObject,
    mapper: JSObject,
    thisArg: Value,
    private readonly isArray: boolean,
  ) {
    super()
    this.#m = m
    this.request = new Call(mapper, thisArg, [undefined, 0])
    this.fresh = keepsArguments(mapper)
  }

  protected advance(answer: Value): IteratorResult<Call | typeof Pause, Value> {
    const { isArray, source, step } = this
    const m = this.#m
    if (this.elements === null) {
      if (!isArray) {
        this.length = lengthOfArrayLike(m, source)
        // The length is paid for before any of the result is there, and the result has no holes meanwhile.
        if (this.length > 4294967295) throw m.rangeError("Invalid array length")
        m.allocate(64 + this.length * 8)
      }
      this.elements = isArray ? newElements() : newElementsFor(this.length)
    } else this.elements[this.k++] = answer
    const request = this.request!
    if (this.k >= (isArray ? source.data.length : this.length)) {
      step.done = true
      step.value = m.realm.newArray(this.elements) as never
      return step
    }
    m.charge(1)
    if (isArray) m.allocate(8)
    const args = this.fresh ? request.args = [undefined, 0] : request.args
    args[0] = getAt(m, source, this.k)
    args[1] = this.k
    step.value = request
    return step
  }
}

function* fromSteps(m: Machine, self: Value, args: Array<Value>): Calls {
  const [items, mapper, thisArg] = args
  const isOwn = self === m.realm.peek("Array")
  if (isOwn && isPlainArrayIteration(m, items)) {
    const elements: Array<Value> = newElements()
    hold(m, [items, elements])
    for (let k = 0; k < items.data.length; k++) {
      m.charge(1)
      m.allocate(8)
      elements.push(getAt(m, items, k))
      if (isBlock(k)) yield Pause
    }
    return m.realm.newArray(elements)
  }
  const iteratorMethod = getMethod(m, toIterable(m, items), SymbolIterator)
  if (iteratorMethod !== undefined) return yield* fromIterable(m, self, items, iteratorMethod, mapper, thisArg)
  const source = toObject(m, items)
  const length = lengthOfArrayLike(m, source)
  if (isOwn) {
    // The length is paid for before any of the result is there, and the result has no holes meanwhile.
    if (length > 4294967295) throw m.rangeError("Invalid array length")
    m.allocate(64 + length * 8)
    const elements: Array<Value> = newElements()
    hold(m, [source, elements])
    for (let k = 0; k < length; k++) {
      m.charge(1)
      elements.push(getAt(m, source, k))
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

function* fromIterable(
  m: Machine,
  self: Value,
  items: Value,
  iteratorMethod: JSObject,
  mapper: Value,
  thisArg: Value,
): Calls {
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
  flags: Attribute.Configurable,
  make: (realm) => {
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
    return list
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
  ...sharedMethods,
  Array: constructor({
    name: "Array",
    length: 1,
    prototype: "ArrayPrototype",
    impl: arrayConstructor,
    members: [
      method("from", 1, from),
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
