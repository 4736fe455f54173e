import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  deletePropertyOrThrow,
  elementAt,
  type GeneratorNative,
  getAt,
  HOLE,
  indexKey,
  isCallable,
  isPlainArray,
  type JSObject,
  lengthOfArrayLike,
  setAt,
  toString,
  type Value,
} from "../object/index.ts"
import { arrayLike } from "./array-prototype.ts"
import { generatorMethod } from "./define.ts"
import { isRightFirst, sortBy, startSort } from "./merge-sort.ts"

type Impl = GeneratorNative<Machine>

/** What a sort may be given to compare with. */
const requireComparator = (m: Machine, comparator: Value): void => {
  if (comparator !== undefined && !isCallable(comparator)) {
    throw m.typeError("The comparison function must be either a function or undefined")
  }
}

/** Up to this length, the host's own sort is over at once. */
const SMALL = 1024

interface Keyed {
  readonly key: string
  readonly value: Value
}

/** https://tc39.es/ecma262/#sec-comparearrayelements without a comparator: by the elements' texts, each made once. */
function* sortByText(m: Machine, values: Array<Value>): Calls<Array<Value>> {
  let total = 0
  let allStrings = true
  for (const value of values) {
    if (typeof value !== "string") allStrings = false
    else total += value.length
  }
  if (!allStrings) {
    total = 0
    m.allocate(values.length * 56)
    const keyed: Array<Keyed> = []
    for (const value of values) {
      m.charge(2)
      const key = toString(m, value)
      if (typeof value !== "string") m.allocate(key.length)
      total += key.length
      keyed.push({ key, value })
    }
    const sorted = yield* sortBy(m, keyed, (a, b) => a.key < b.key, comparisonCost(total, keyed.length))
    return sorted.map(({ value }) => value)
  }
  const cost = comparisonCost(total, values.length)
  if (values.length <= SMALL && cost === 3) {
    m.charge(Math.ceil(values.length * Math.log2(values.length + 1)))
    return values.sort()
  }
  return yield* sortBy(m, values as Array<string>, (a, b) => a < b, cost)
}

/** Texts may agree up to their ends, so that comparing two costs up to their length. */
const comparisonCost = (total: number, count: number): number => 3 + Math.floor(total / Math.max(1, count) / 64)

/** What is compared at all: undefined comes last, whatever the comparator says. */
const definedValues = (m: Machine, values: Array<Value>): Array<Value> => {
  m.charge(values.length >> 2)
  return values.includes(undefined) ? values.filter((value) => value !== undefined) : values
}

/** https://tc39.es/ecma262/#sec-array.prototype.sort */
const sort: Impl = function*(m, self, args) {
  const comparator = args[0]
  requireComparator(m, comparator)
  const o = arrayLike(m, self, "sort")
  const length = lengthOfArrayLike(m, o)
  const values = collect(m, o, length)
  const count = values.length
  const defined = definedValues(m, values)
  let sorted: Array<Value>
  if (comparator === undefined) sorted = yield* sortByText(m, defined)
  else {
    // Written out in both methods, since delegating to another generator would cost something for each comparison.
    const merge = startSort(m, defined)
    while (!merge.done) {
      m.charge(2)
      merge.answer(isRightFirst(m, yield call(comparator, undefined, [merge.left, merge.right])))
    }
    sorted = merge.items
  }
  while (sorted.length < count) sorted.push(undefined)
  if (isPlainArray(m, o) && o.data.length === length) {
    m.charge(length >> 2)
    const elements: Array<Value> = o.data
    for (let k = 0; k < length; k++) elements[k] = k < count ? sorted[k] : HOLE
    return o
  }
  for (let k = 0; k < count; k++) {
    m.charge(1)
    setAt(m, o, k, sorted[k])
  }
  for (let k = count; k < length; k++) {
    m.charge(2)
    deletePropertyOrThrow(m, o, indexKey(k))
  }
  return o
}

/** The elements that there are. */
const collect = (m: Machine, o: JSObject, length: number): Array<Value> => {
  if (isPlainArray(m, o)) {
    m.charge(length >> 2)
    m.allocate(length * 8)
    const elements: Array<Value> = o.data
    return elements.includes(HOLE) ? elements.filter((value) => value !== HOLE) : elements.slice()
  }
  const values: Array<Value> = []
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, o, k)
    if (value === HOLE) continue
    m.allocate(8)
    values.push(value)
  }
  return values
}

/** https://tc39.es/ecma262/#sec-array.prototype.tosorted */
const toSorted: Impl = function*(m, self, args) {
  const comparator = args[0]
  requireComparator(m, comparator)
  const o = arrayLike(m, self, "toSorted")
  const length = lengthOfArrayLike(m, o)
  if (length > 4294967295) throw m.rangeError("Invalid array length")
  m.allocate(64 + length * 8)
  const values: Array<Value> = []
  for (let k = 0; k < length; k++) {
    m.charge(1)
    values.push(getAt(m, o, k))
  }
  const defined = definedValues(m, values)
  let sorted: Array<Value>
  if (comparator === undefined) sorted = yield* sortByText(m, defined)
  else {
    const merge = startSort(m, defined)
    while (!merge.done) {
      m.charge(2)
      merge.answer(isRightFirst(m, yield call(comparator, undefined, [merge.left, merge.right])))
    }
    sorted = merge.items
  }
  while (sorted.length < length) sorted.push(undefined)
  return m.realm.newArray(sorted)
}

export const sortMethods = {
  sort: generatorMethod("sort", 1, sort),
  toSorted: generatorMethod("toSorted", 1, toSorted),
} as const
