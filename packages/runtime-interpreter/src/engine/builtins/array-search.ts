import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import { bigIntWords } from "../object/bigint-arithmetic.ts"
import {
  type Calls,
  chargeEquality,
  elementAt,
  getAt,
  HOLE,
  isPlainArray,
  type JSObject,
  lengthOfArrayLike,
  LONG_TEXT,
  type Native,
  Pause,
  sameValueZero,
  toIntegerOrInfinity,
  toRelativeIndex,
  type Value,
} from "../object/index.ts"
import { arrayLike, isBlock } from "./array-like.ts"

/** Pays for comparing so many elements with a value that is no large one. */
const comparisons = (m: Machine, count: number, value: Value): void => {
  m.charge(1 + (count >> 3))
  if (typeof value === "string" && value.length > 64) m.charge(count * (value.length >> 7))
}

/** Whether one comparison with a value may take so long that each is to be paid for, with time to stop before the next. */
const isLarge = (value: Value): boolean =>
  typeof value === "string" ? value.length > LONG_TEXT : typeof value === "bigint" && bigIntWords(value) > 4

/** https://tc39.es/ecma262/#sec-array.prototype.at */
export const at: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "at")
  const length = lengthOfArrayLike(m, o)
  const relative = toIntegerOrInfinity(m, args[0])
  const k = relative >= 0 ? relative : length + relative
  return k < 0 || k >= length ? undefined : getAt(m, o, k)
}

/** https://tc39.es/ecma262/#sec-array.prototype.includes */
export const includes: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "includes")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return false
  const value = args[0]
  const k = startIndex(m, args[1], length)
  if (isPlainArray(o) && o.data.length === length && !isLarge(value)) {
    comparisons(m, length - k, value)
    return o.data.includes(value, k) || (value === undefined && o.data.includes(HOLE, k))
  }
  return inSteps(m, [o, value], includesSteps(m, o, value, k, length))
}

function* includesSteps(m: Machine, o: JSObject, value: Value, start: number, length: number): Calls {
  const large = isLarge(value)
  for (let k = start; k < length; k++) {
    m.charge(1)
    const element = getAt(m, o, k)
    if (large) chargeEquality(m, value, element)
    if (sameValueZero(element, value)) return true
    if (large || isBlock(k - start)) yield Pause
  }
  return false
}

/** The index that a search from `value` on begins at. */
const startIndex = (m: Machine, value: Value, length: number): number => toRelativeIndex(m, value, length, 0)

/** https://tc39.es/ecma262/#sec-array.prototype.indexof */
export const indexOf: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "indexOf")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return -1
  const value = args[0]
  const k = startIndex(m, args[1], length)
  if (isPlainArray(o) && o.data.length === length && !isLarge(value)) {
    comparisons(m, length - k, value)
    return o.data.indexOf(value, k)
  }
  return inSteps(m, [o, value], indexOfSteps(m, o, value, k, length - k, 1))
}

/** The index of the first of so many elements that is the value, going up or down from an index; -1 if none is. */
function* indexOfSteps(
  m: Machine,
  o: JSObject,
  value: Value,
  start: number,
  count: number,
  direction: 1 | -1,
): Calls {
  const large = isLarge(value)
  for (let i = 0; i < count; i++) {
    m.charge(1)
    const k = start + i * direction
    const element = elementAt(m, o, k)
    if (large && element !== HOLE) chargeEquality(m, value, element as Value)
    if (element !== HOLE && element === value) return k
    if (large || isBlock(i)) yield Pause
  }
  return -1
}

/** https://tc39.es/ecma262/#sec-array.prototype.lastindexof */
export const lastIndexOf: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "lastIndexOf")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return -1
  const value = args[0]
  const n = args.length > 1 ? toIntegerOrInfinity(m, args[1]) : length - 1
  const k = n >= 0 ? Math.min(n, length - 1) : length + n
  if (k < 0) return -1
  if (isPlainArray(o) && o.data.length === length && !isLarge(value)) {
    comparisons(m, k + 1, value)
    return o.data.lastIndexOf(value, k)
  }
  return inSteps(m, [o, value], indexOfSteps(m, o, value, k, k + 1, -1))
}
