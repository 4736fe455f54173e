import type { Machine } from "../machine/machine.ts"
import {
  Call,
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
  type Steps,
  toString,
  type Value,
} from "../object/index.ts"
import { arrayLike } from "./array-prototype.ts"
import { generatorMethod } from "./define.ts"
import { hold } from "./iteration.ts"
import { isRightFirst, type MergeSort, sortBy, startSort } from "./merge-sort.ts"

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
    hold(m, keyed)
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

/** The elements of a sort: where they come from, and what becomes of them. */
interface Sorting {
  readonly o: JSObject
  readonly length: number
  /** Without the missing ones for `sort`. */
  readonly values: Array<Value>
}

const beginSort = (m: Machine, self: Value, copies: boolean): Sorting => {
  const o = arrayLike(m, self, copies ? "toSorted" : "sort")
  const length = lengthOfArrayLike(m, o)
  if (!copies) return { o, length, values: collect(m, o, length) }
  if (length > 4294967295) throw m.rangeError("Invalid array length")
  m.allocate(64 + length * 8)
  const values: Array<Value> = []
  for (let k = 0; k < length; k++) {
    m.charge(1)
    values.push(getAt(m, o, k))
  }
  return { o, length, values }
}

/** The elements that there are. */
const collect = (m: Machine, o: JSObject, length: number): Array<Value> => {
  if (isPlainArray(o)) {
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

/** What the method returns, once everything that is defined is sorted. */
const endSort = (m: Machine, { length, o, values }: Sorting, sorted: Array<Value>, copies: boolean): JSObject => {
  const count = values.length
  while (sorted.length < count) sorted.push(undefined)
  if (copies) return m.realm.newArray(sorted)
  if (isPlainArray(o) && o.data.length === length) {
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

/** A sort by a comparator of the program's: a class for the reason that `ElementCalls` is one. */
class SortCalls implements Steps {
  readonly #m: Machine
  private sorting: Sorting | null = null
  private merge: MergeSort<Value> | null = null
  private readonly request: Call
  private readonly step: IteratorResult<Call, Value>

  constructor(
    m: Machine,
    private readonly self: Value,
    comparator: JSObject,
    private readonly copies: boolean,
  ) {
    this.#m = m
    this.request = new Call(comparator, undefined, [])
    this.step = { done: false, value: this.request }
  }

  next(answer: Value): IteratorResult<Call, Value> {
    const { step } = this
    const m = this.#m
    if (this.merge === null) {
      this.sorting = beginSort(m, this.self, this.copies)
      this.merge = startSort(m, definedValues(m, this.sorting.values))
    } else this.merge.answer(isRightFirst(m, answer))
    const { merge } = this
    if (merge.done) {
      step.done = true
      step.value = endSort(m, this.sorting!, merge.items, this.copies) as never
    } else {
      m.charge(2)
      this.request.args = [merge.left, merge.right]
    }
    return step
  }

  throw(error: unknown): never {
    throw error
  }
}

function* sortWithoutComparator(m: Machine, self: Value, comparator: Value, copies: boolean): Calls {
  if (comparator !== undefined) throw m.typeError("The comparison function must be either a function or undefined")
  const sorting = beginSort(m, self, copies)
  return endSort(m, sorting, yield* sortByText(m, definedValues(m, sorting.values)), copies)
}

const sortNative = (copies: boolean): GeneratorNative<Machine> => (m, self, args) => {
  const comparator = args[0]
  return isCallable(comparator)
    ? new SortCalls(m, self, comparator, copies)
    : sortWithoutComparator(m, self, comparator, copies)
}

export const sortMethods = {
  /** https://tc39.es/ecma262/#sec-array.prototype.sort */
  sort: generatorMethod("sort", 1, sortNative(false)),
  /** https://tc39.es/ecma262/#sec-array.prototype.tosorted */
  toSorted: generatorMethod("toSorted", 1, sortNative(true)),
} as const
