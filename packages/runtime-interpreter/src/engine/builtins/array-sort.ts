import { inSteps } from "../machine/calls.ts"
import { keepsArguments } from "../machine/function.ts"
import type { Machine } from "../machine/machine.ts"
import {
  Call,
  type Calls,
  deletePropertyOrThrow,
  elementAt,
  getAt,
  HOLE,
  indexKey,
  isCallable,
  isPlainArray,
  type JSObject,
  lengthOfArrayLike,
  type Native,
  newElements,
  Pause,
  RepeatedCalls,
  setAt,
  toString,
  type Value,
} from "../object/index.ts"
import { arrayLike } from "./array-like.ts"
import { method } from "./define.ts"
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
  // One value is compared with nothing, so that it is never made a text.
  if (values.length < 2) return values
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
      if (keyed.length % BLOCK === 0) yield Pause
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

/** So many elements are read or written one by one between two pauses. */
const BLOCK = 4096

/** The elements of a sort: where they come from, and what becomes of them. Both can take several blocks. */
class Sorting {
  readonly o: JSObject
  readonly length: number
  /** What was there to sort; without the missing elements, if the array itself is sorted. */
  values: Array<Value> = newElements()
  private k = 0

  constructor(m: Machine, self: Value, readonly copies: boolean) {
    this.o = arrayLike(m, self, copies ? "toSorted" : "sort")
    this.length = lengthOfArrayLike(m, this.o)
    if (copies) {
      if (this.length > 4294967295) throw m.rangeError("Invalid array length")
      m.allocate(64 + this.length * 8)
    }
  }

  /** Reads a block, and says whether it was the last one. */
  read(m: Machine): boolean {
    const { copies, length, o, values } = this
    if (this.k === 0 && !copies && isPlainArray(o)) {
      m.charge(length >> 2)
      m.allocate(length * 8)
      const elements: Array<Value> = o.data
      this.values = elements.includes(HOLE) ? elements.filter((value) => value !== HOLE) : elements.slice()
      return true
    }
    const end = Math.min(length, this.k + BLOCK)
    m.charge(end - this.k)
    for (; this.k < end; this.k++) {
      const value = copies ? getAt(m, o, this.k) : elementAt(m, o, this.k)
      if (value === HOLE) continue
      if (!copies) m.allocate(8)
      values.push(value)
    }
    return end === length
  }

  /** What is compared at all: undefined comes last, whatever the comparator says. */
  begin(m: Machine): Array<Value> {
    const { values } = this
    this.k = 0
    m.charge(values.length >> 2)
    return values.includes(undefined) ? values.filter((value) => value !== undefined) : values
  }

  /** Writes a block of what was sorted, and gives what the method returns if it was the last one. */
  write(m: Machine, sorted: Array<Value>): JSObject | undefined {
    const { length, o } = this
    if (this.k === 0) {
      // The values themselves may be what was sorted.
      const count = this.values.length
      while (sorted.length < count) sorted.push(undefined)
      if (this.copies) return m.realm.newArray(sorted)
      if (isPlainArray(o) && o.data.length === length) {
        m.charge(length >> 2)
        const elements: Array<Value> = o.data
        for (let k = 0; k < length; k++) elements[k] = k < count ? sorted[k] : HOLE
        return o
      }
    }
    const end = Math.min(length, this.k + BLOCK)
    m.charge(2 * (end - this.k))
    for (; this.k < end; this.k++) {
      if (this.k < sorted.length) setAt(m, o, this.k, sorted[this.k])
      else deletePropertyOrThrow(m, o, indexKey(this.k))
    }
    return end === length ? o : undefined
  }
}

/** A sort by a comparator of the program's: a class for the reason that `ElementCalls` is one. */
class SortCalls extends RepeatedCalls {
  readonly #m: Machine
  private sorting: Sorting | null = null
  private merge: MergeSort<Value> | null = null
  private readonly fresh: boolean
  private readonly step: IteratorResult<Call | typeof Pause, Value>

  constructor(
    m: Machine,
    private readonly self: Value,
    comparator: JSObject,
    private readonly copies: boolean,
  ) {
    super()
    this.#m = m
    this.request = new Call(comparator, undefined, [undefined, undefined])
    this.fresh = keepsArguments(comparator)
    this.step = { done: false, value: Pause }
  }

  override again(answer: Value): boolean {
    const { merge } = this
    if (merge === null || this.fresh || typeof answer !== "number") return super.again(answer)
    merge.answer(answer > 0)
    if (merge.done) return super.again(undefined)
    this.#m.charge(2)
    const { args } = this.request!
    args[0] = merge.left
    args[1] = merge.right
    return true
  }

  protected advance(answer: Value): IteratorResult<Call | typeof Pause, Value> {
    const { step } = this
    const m = this.#m
    let { merge } = this
    if (merge === null) {
      const sorting = this.sorting ??= new Sorting(m, this.self, this.copies)
      if (!sorting.read(m)) return step
      merge = this.merge = startSort(m, sorting.begin(m))
    } else if (!merge.done) merge.answer(isRightFirst(m, answer))
    if (!merge.done) {
      m.charge(2)
      const request = this.request!
      const args = this.fresh ? request.args = [undefined, undefined] : request.args
      args[0] = merge.left
      args[1] = merge.right
      step.value = request
      return step
    }
    const result = this.sorting!.write(m, merge.items)
    step.done = result !== undefined
    step.value = result === undefined ? Pause : result as never
    return step
  }
}

function* sortWithoutComparator(m: Machine, self: Value, comparator: Value, copies: boolean): Calls {
  if (comparator !== undefined) throw m.typeError("The comparison function must be either a function or undefined")
  const sorting = new Sorting(m, self, copies)
  hold(m, sorting)
  while (!sorting.read(m)) yield Pause
  const sorted = yield* sortByText(m, sorting.begin(m))
  for (;;) {
    const result = sorting.write(m, sorted)
    if (result !== undefined) return result
    yield Pause
  }
}

const sortNative = (copies: boolean): Native<Machine> => (m, self, args) => {
  const comparator = args[0]
  return isCallable(comparator)
    ? inSteps(m, [], new SortCalls(m, self, comparator, copies))
    : inSteps(m, [self], sortWithoutComparator(m, self, comparator, copies))
}

export const sortMethods = {
  /** https://tc39.es/ecma262/#sec-array.prototype.sort */
  sort: method("sort", 1, sortNative(false)),
  /** https://tc39.es/ecma262/#sec-array.prototype.tosorted */
  toSorted: method("toSorted", 1, sortNative(true)),
} as const
