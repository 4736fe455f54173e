/** The methods of `%TypedArray%.prototype` that call back, and sorting. */
import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  decodeFloat16,
  type GeneratorNative,
  getElement,
  indexKey,
  isCallable,
  type JSObject,
  newElements,
  requireCallable,
  set,
  setElement,
  toBoolean,
  type TypedArrayData,
  validateTypedArray,
  type Value,
  viewOf,
} from "../object/index.ts"
import { generatorMethod, type Member } from "./define.ts"
import { isRightFirst, startSort } from "./merge-sort.ts"
import { newTypedArray, speciesCreate } from "./typed-array-create.ts"
import { sortNumbers } from "./typed-array-sort.ts"

/** Calls back for each element in order, or in reverse, and gives each result to `visit`, until it returns true. */
function* each(
  m: Machine,
  thisValue: Value,
  args: Array<Value>,
  visit: (result: Value, element: Value, index: number) => boolean | void,
  backwards = false,
): Calls<void> {
  const { length } = validateTypedArray(m, thisValue)
  const callback = args[0]
  requireCallable(m, callback)
  const o = thisValue as JSObject
  for (let step = 0; step < length; step++) {
    const i = backwards ? length - 1 - step : step
    m.charge(1)
    const element = getElement(o, i)
    if (visit(yield call(callback, args[1], [element, i, o]), element, i) === true) return
  }
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.every */
const every: GeneratorNative<Machine> = function*(m, thisValue, args) {
  let all = true
  yield* each(m, thisValue, args, (result) => !(all = toBoolean(result)))
  return all
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.some */
const some: GeneratorNative<Machine> = function*(m, thisValue, args) {
  let any = false
  yield* each(m, thisValue, args, (result) => any = toBoolean(result))
  return any
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.foreach */
const forEach: GeneratorNative<Machine> = function*(m, thisValue, args) {
  yield* each(m, thisValue, args, () => false)
  return undefined
}

/** https://tc39.es/ecma262/#sec-findviapredicate */
const finder = (wantsIndex: boolean, backwards: boolean): GeneratorNative<Machine> =>
  function*(m, thisValue, args) {
    let found: Value = wantsIndex ? -1 : undefined
    yield* each(m, thisValue, args, (result, element, index) => {
      if (!toBoolean(result)) return false
      found = wantsIndex ? index : element
      return true
    }, backwards)
    return found
  }

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.filter */
const filter: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const kept: Array<Value> = newElements()
  yield* each(m, thisValue, args, (result, element) => {
    if (!toBoolean(result)) return
    m.allocate(8)
    kept.push(element)
  })
  const target = yield* speciesCreate(m, thisValue as JSObject, kept.length)
  m.charge(kept.length)
  for (let i = 0; i < kept.length; i++) set(m, target, indexKey(i), kept[i])
  return target
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.map */
const map: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  const callback = args[0]
  requireCallable(m, callback)
  const o = thisValue as JSObject
  const target = yield* speciesCreate(m, o, length)
  for (let i = 0; i < length; i++) {
    m.charge(1)
    set(m, target, indexKey(i), yield call(callback, args[1], [getElement(o, i), i, o]))
  }
  return target
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.reduce and reduceRight */
const reducer = (backwards: boolean): GeneratorNative<Machine> =>
  function*(m, thisValue, args) {
    const { length } = validateTypedArray(m, thisValue)
    const callback = args[0]
    requireCallable(m, callback)
    const o = thisValue as JSObject
    let step = 0
    let accumulator: Value
    if (args.length > 1) accumulator = args[1]
    else {
      if (length === 0) throw m.typeError("Reduce of empty array with no initial value")
      accumulator = getElement(o, backwards ? length - 1 : 0)
      step = 1
    }
    for (; step < length; step++) {
      const i = backwards ? length - 1 - step : step
      m.charge(1)
      accumulator = yield call(callback, undefined, [accumulator, getElement(o, i), i, o])
    }
    return accumulator
  }

const checkComparator = (m: Machine, comparator: Value): JSObject | undefined => {
  if (comparator === undefined || isCallable(comparator)) return comparator
  throw m.typeError("The comparison function must be either a function or undefined")
}

/** The elements of `source` put into `target` in order. */
function* sortInto(m: Machine, source: JSObject, target: JSObject, comparator: JSObject | undefined): Calls<void> {
  const view = viewOf(source)
  const { length } = view
  const { half } = (source.data as TypedArrayData).type
  if (comparator === undefined && !half) {
    if (source !== target) viewOf(target).set(view)
    return yield* sortNumbers(m, viewOf(target))
  }
  m.charge(length)
  m.allocate(length * 16)
  const elements: Array<Value> = newElements()
  for (let i = 0; i < length; i++) elements.push(half ? decodeFloat16(view[i]) : view[i])
  if (comparator === undefined) {
    const numbers = Float64Array.from(elements as Array<number>)
    yield* sortNumbers(m, numbers)
    for (let i = 0; i < length; i++) setElement(m, target, i, numbers[i])
    return
  }
  const sorting = startSort(m, elements)
  while (!sorting.done) {
    m.charge(1)
    sorting.answer(isRightFirst(m, yield call(comparator, undefined, [sorting.left, sorting.right])))
  }
  m.charge(length)
  for (let i = 0; i < length; i++) setElement(m, target, i, sorting.items[i])
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.sort */
const sort: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const comparator = checkComparator(m, args[0])
  validateTypedArray(m, thisValue)
  yield* sortInto(m, thisValue as JSObject, thisValue as JSObject, comparator)
  return thisValue
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.tosorted */
const toSorted: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const comparator = checkComparator(m, args[0])
  const { length } = validateTypedArray(m, thisValue)
  const o = thisValue as JSObject
  const target = newTypedArray(m, (o.data as TypedArrayData).type, length)
  yield* sortInto(m, o, target, comparator)
  return target
}

export const typedArrayCallbackMembers: ReadonlyArray<Member> = [
  generatorMethod("every", 1, every),
  generatorMethod("filter", 1, filter),
  generatorMethod("find", 1, finder(false, false)),
  generatorMethod("findIndex", 1, finder(true, false)),
  generatorMethod("findLast", 1, finder(false, true)),
  generatorMethod("findLastIndex", 1, finder(true, true)),
  generatorMethod("forEach", 1, forEach),
  generatorMethod("map", 1, map),
  generatorMethod("reduce", 1, reducer(false)),
  generatorMethod("reduceRight", 1, reducer(true)),
  generatorMethod("some", 1, some),
  generatorMethod("sort", 1, sort),
  generatorMethod("toSorted", 1, toSorted),
]
