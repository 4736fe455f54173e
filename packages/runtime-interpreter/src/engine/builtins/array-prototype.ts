import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  arraySpeciesCreate,
  type Calls,
  createAt,
  deletePropertyOrThrow,
  elementAt,
  get,
  getAt,
  hasDefaultSpecies,
  HOLE,
  indexKey,
  invoke,
  isArray,
  isCallable,
  isObject,
  isPlainArray,
  IterationKind,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  type Native,
  newArrayIterator,
  Pause,
  sameValueZero,
  set,
  setAt,
  SymbolIsConcatSpreadable,
  toBoolean,
  toIntegerOrInfinity,
  toObject,
  toRelativeIndex,
  toString,
  type Value,
} from "../object/index.ts"
import { type Member, method } from "./define.ts"
import { toString as objectToString } from "./object.ts"

// Most methods have two bodies: one over the host array that holds the elements of a plain array, and the standard's steps
// over properties. Arguments are converted before the first is chosen, since a conversion may change the array. The second is
// done in blocks between which the machine may stop: an array-like can say that it is of any length.

/** After how many elements of a longer work the machine may stop. */
const BLOCK = 512

const isBlock = (k: number): boolean => k % BLOCK === BLOCK - 1

const MAX_LENGTH = Number.MAX_SAFE_INTEGER

/** Host functions that take elements as arguments get at most this many: the host's stack holds them. */
const MAX_SPREAD = 4096

/** The object that a method of `Array.prototype` works on. */
export const arrayLike = (m: Machine, self: Value, name: string): JSObject => {
  if (isObject(self)) return self
  if (self === undefined || self === null) throw m.typeError(`Array.prototype.${name} called on null or undefined`)
  return toObject(m, self)
}

/** Pays for moving so many elements. */
const moves = (m: Machine, count: number): void => m.charge(1 + (count >> 3))

/** Pays for a copy of so many elements. */
const copies = (m: Machine, count: number): void => {
  m.charge(1 + (count >> 2))
  m.allocate(64 + count * 8)
}

/** Pays for comparing so many elements with a value. */
const comparisons = (m: Machine, count: number, value: Value): void => {
  m.charge(1 + (count >> 3))
  if (typeof value === "string" && value.length > 64) m.charge(count * (value.length >> 7))
}

const setLength = (m: Machine, o: JSObject, length: number): void => set(m, o, "length", length)

const requireLength = (m: Machine, length: number): void => {
  if (length > MAX_LENGTH) throw m.typeError("Pushing elements past the maximum array-like length (2^53 - 1)")
}

/** https://tc39.es/ecma262/#sec-array.prototype.at */
const at: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "at")
  const length = lengthOfArrayLike(m, o)
  const relative = toIntegerOrInfinity(m, args[0])
  const k = relative >= 0 ? relative : length + relative
  return k < 0 || k >= length ? undefined : getAt(m, o, k)
}

/** https://tc39.es/ecma262/#sec-isconcatspreadable */
const isConcatSpreadable = (m: Machine, value: Value): value is JSObject => {
  if (!isObject(value)) return false
  const spreadable = get(m, value, SymbolIsConcatSpreadable)
  return spreadable === undefined ? isArray(m, value) : toBoolean(spreadable)
}

/** https://tc39.es/ecma262/#sec-array.prototype.concat */
const concat: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "concat")
  // As long as it is not null, the result is a plain array that the program cannot see yet.
  const elements: Array<Value> | null = hasDefaultSpecies(m, o) ? [] : null
  const result = elements === null ? arraySpeciesCreate(m, o, 0) : m.realm.newArray(elements)
  return concatFrom(m, o, args, -1, result, 0, elements)
}

/** Goes on with `concat` from an argument, or from the object itself at -1. */
const concatFrom = (
  m: Machine,
  o: JSObject,
  args: Array<Value>,
  i: number,
  result: JSObject,
  n: number,
  elements: Array<Value> | null,
): Value => {
  for (; i < args.length; i++) {
    const item = i < 0 ? o : args[i]
    if (!isConcatSpreadable(m, item)) {
      if (n >= MAX_LENGTH) requireLength(m, n + 1)
      createAt(m, result, n++, item)
      continue
    }
    if (elements !== null && isPlainArray(item)) {
      const source: Array<Value> = item.data
      copies(m, source.length)
      if (n === 0) elements = result.data = source.slice()
      else for (let k = 0; k < source.length; k++) elements.push(source[k])
      n = elements.length
      continue
    }
    const length = lengthOfArrayLike(m, item)
    requireLength(m, n + length)
    return inSteps(m, [o, args, result], concatSteps(m, o, args, i, result, n, elements, item, length))
  }
  if (elements === null) setLength(m, result, n)
  return result
}

function* concatSteps(
  m: Machine,
  o: JSObject,
  args: Array<Value>,
  i: number,
  result: JSObject,
  n: number,
  elements: Array<Value> | null,
  item: JSObject,
  length: number,
): Calls {
  for (;;) {
    for (let k = 0; k < length; k++) {
      m.charge(1)
      const value = elementAt(m, item, k)
      if (value !== HOLE) createAt(m, result, n + k, value)
      if (isBlock(k)) yield Pause
    }
    n += length
    if (elements !== null && (result.kind !== Kind.Array || elements.length !== n)) elements = null
    for (i++; i < args.length; i++) {
      const next = args[i]
      if (isConcatSpreadable(m, next)) {
        item = next
        length = lengthOfArrayLike(m, item)
        requireLength(m, n + length)
        break
      }
      if (n >= MAX_LENGTH) requireLength(m, n + 1)
      createAt(m, result, n++, next)
    }
    if (i < args.length) continue
    if (elements === null) setLength(m, result, n)
    return result
  }
}

/** https://tc39.es/ecma262/#sec-array.prototype.copywithin */
const copyWithin: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "copyWithin")
  const length = lengthOfArrayLike(m, o)
  const to = toRelativeIndex(m, args[0], length, 0)
  const from = toRelativeIndex(m, args[1], length, 0)
  const end = toRelativeIndex(m, args[2], length, length)
  const count = Math.min(end - from, length - to)
  if (count > 0 && isPlainArray(o) && o.data.length === length) {
    moves(m, count)
    o.data.copyWithin(to, from, from + count)
    return o
  }
  return inSteps(m, [o], copyWithinSteps(m, o, from, to, count))
}

function* copyWithinSteps(m: Machine, o: JSObject, from: number, to: number, count: number): Calls {
  yield* move(m, o, from, to, count, from < to && to < from + count)
  return o
}

/** https://tc39.es/ecma262/#sec-array.prototype.fill */
const fill: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "fill")
  const length = lengthOfArrayLike(m, o)
  const value = args[0]
  const start = toRelativeIndex(m, args[1], length, 0)
  const end = toRelativeIndex(m, args[2], length, length)
  if (start < end && isPlainArray(o) && o.data.length === length) {
    moves(m, end - start)
    o.data.fill(value, start, end)
    return o
  }
  return inSteps(m, [o, value], fillSteps(m, o, value, start, end))
}

function* fillSteps(m: Machine, o: JSObject, value: Value, start: number, end: number): Calls {
  for (let k = start; k < end; k++) {
    m.charge(1)
    setAt(m, o, k, value)
    if (isBlock(k - start)) yield Pause
  }
  return o
}

/** An array whose elements are to be flattened, and how far. */
interface Flattening {
  readonly source: JSObject
  readonly length: number
  index: number
  readonly depth: number
}

/** https://tc39.es/ecma262/#sec-flattenintoarray without a mapper; its recursion is a stack, since the depth is the program's. */
function* flattenIntoArray(
  m: Machine,
  target: JSObject,
  source: JSObject,
  length: number,
  start: number,
  depth: number,
): Calls<number> {
  const stack: Array<Flattening> = [{ source, length, index: 0, depth }]
  for (let step = 0; stack.length > 0; step++) {
    if (isBlock(step)) yield Pause
    const top = stack[stack.length - 1]!
    if (top.index >= top.length) {
      stack.pop()
      continue
    }
    m.charge(1)
    const value = elementAt(m, top.source, top.index++)
    if (value === HOLE) continue
    if (top.depth > 0 && isArray(m, value)) {
      if (stack.length > 10_000) throw m.rangeError("Maximum call stack size exceeded")
      stack.push({ source: value, length: lengthOfArrayLike(m, value), index: 0, depth: top.depth - 1 })
    } else {
      if (start >= MAX_LENGTH) throw m.typeError("The result is longer than an array can be")
      createAt(m, target, start++, value)
    }
  }
  return start
}

/** The same of one level, at once. */
export const appendElements = (
  m: Machine,
  target: JSObject,
  source: JSObject,
  length: number,
  start: number,
): number => {
  for (let k = 0; k < length; k++) {
    m.charge(1)
    const value = elementAt(m, source, k)
    if (value === HOLE) continue
    if (start >= MAX_LENGTH) throw m.typeError("The result is longer than an array can be")
    createAt(m, target, start++, value)
  }
  return start
}

/** https://tc39.es/ecma262/#sec-array.prototype.flat */
const flat: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "flat")
  const length = lengthOfArrayLike(m, o)
  const depth = args[0] === undefined ? 1 : Math.max(toIntegerOrInfinity(m, args[0]), 0)
  const target = arraySpeciesCreate(m, o, 0)
  return inSteps(m, [o, target], flatSteps(m, target, o, length, depth))
}

function* flatSteps(m: Machine, target: JSObject, o: JSObject, length: number, depth: number): Calls {
  yield* flattenIntoArray(m, target, o, length, 0, depth)
  return target
}

/** https://tc39.es/ecma262/#sec-array.prototype.includes */
const includes: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "includes")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return false
  const value = args[0]
  const k = startIndex(m, args[1], length)
  if (isPlainArray(o) && o.data.length === length) {
    comparisons(m, length - k, value)
    return o.data.includes(value, k) || (value === undefined && o.data.includes(HOLE, k))
  }
  return inSteps(m, [o, value], includesSteps(m, o, value, k, length))
}

function* includesSteps(m: Machine, o: JSObject, value: Value, start: number, length: number): Calls {
  for (let k = start; k < length; k++) {
    m.charge(1)
    if (sameValueZero(getAt(m, o, k), value)) return true
    if (isBlock(k - start)) yield Pause
  }
  return false
}

/** The index that a search from `value` on begins at. */
const startIndex = (m: Machine, value: Value, length: number): number => toRelativeIndex(m, value, length, 0)

/** https://tc39.es/ecma262/#sec-array.prototype.indexof */
const indexOf: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "indexOf")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return -1
  const value = args[0]
  const k = startIndex(m, args[1], length)
  if (isPlainArray(o) && o.data.length === length) {
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
  for (let i = 0; i < count; i++) {
    m.charge(1)
    const k = start + i * direction
    const element = elementAt(m, o, k)
    if (element !== HOLE && element === value) return k
    if (isBlock(i)) yield Pause
  }
  return -1
}

/** https://tc39.es/ecma262/#sec-array.prototype.lastindexof */
const lastIndexOf: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "lastIndexOf")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return -1
  const value = args[0]
  const n = args.length > 1 ? toIntegerOrInfinity(m, args[1]) : length - 1
  const k = n >= 0 ? Math.min(n, length - 1) : length + n
  if (k < 0) return -1
  if (isPlainArray(o) && o.data.length === length) {
    comparisons(m, k + 1, value)
    return o.data.lastIndexOf(value, k)
  }
  return inSteps(m, [o, value], indexOfSteps(m, o, value, k, k + 1, -1))
}

/** Joins the texts of elements unless the array is being joined already: an array inside itself joins as an empty text. */
const joinElements = (
  m: Machine,
  o: JSObject,
  length: number,
  separator: string,
  textOf: (value: Value) => string,
): Value => {
  const { joining } = m.realm
  if (joining.has(o)) return ""
  if (joining.size >= 1000) throw m.rangeError("Maximum call stack size exceeded")
  if (length > 0 && (length - 1) * separator.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  const parts: Array<string> = []
  if (length > BLOCK) return inSteps(m, [o, parts], joinSteps(m, o, length, separator, textOf, parts))
  joining.add(o)
  try {
    const total = joinBlock(m, o, 0, length, separator, textOf, parts, 0)
    payText(m, total)
    return parts.join(separator)
  } finally {
    joining.delete(o)
  }
}

function* joinSteps(
  m: Machine,
  o: JSObject,
  length: number,
  separator: string,
  textOf: (value: Value) => string,
  parts: Array<string>,
): Calls {
  const { joining } = m.realm
  joining.add(o)
  try {
    let total = 0
    for (let k = 0; k < length; k += BLOCK) {
      const block: Array<string> = []
      const before = total
      total = joinBlock(m, o, k, Math.min(length, k + BLOCK), separator, textOf, block, total)
      payText(m, total - before)
      parts.push(block.join(separator))
      yield Pause
    }
    payText(m, total)
    return parts.join(separator)
  } finally {
    joining.delete(o)
  }
}

/** Adds the texts of some elements to the parts of a text that is so long already, and gives its length with them. */
const joinBlock = (
  m: Machine,
  o: JSObject,
  start: number,
  end: number,
  separator: string,
  textOf: (value: Value) => string,
  parts: Array<string>,
  total: number,
): number => {
  for (let k = start; k < end; k++) {
    m.charge(4)
    const value = getAt(m, o, k)
    const text = value === undefined || value === null ? "" : textOf(value)
    total += text.length + (k > 0 ? separator.length : 0)
    if (total > m.maxStringLength) throw m.rangeError("Invalid string length")
    parts.push(text)
  }
  return total
}

const payText = (m: Machine, length: number): void => {
  m.charge(length >> 3)
  m.allocate(16 + length)
}

const join = (m: Machine, o: JSObject, separatorValue: Value): Value => {
  const length = lengthOfArrayLike(m, o)
  const separator = separatorValue === undefined ? "," : toString(m, separatorValue)
  return joinElements(m, o, length, separator, (value) => toString(m, value))
}

/** https://tc39.es/ecma262/#sec-array.prototype.join */
const joinMethod: Native<Machine> = (m, self, args) => join(m, arrayLike(m, self, "join"), args[0])

/** https://tc39.es/ecma402/#sup-array.prototype.tolocalestring */
const toLocaleString: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "toLocaleString")
  const length = lengthOfArrayLike(m, o)
  return joinElements(
    m,
    o,
    length,
    ",",
    (value) => toString(m, invoke(m, value, "toLocaleString", [args[0], args[1]])),
  )
}

/** https://tc39.es/ecma262/#sec-array.prototype.tostring */
const toStringMethod: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "toString")
  const fn = get(m, o, "join")
  return isCallable(fn) ? m.call(fn, o, []) : objectToString(m, o, [], undefined, o)
}

/** https://tc39.es/ecma262/#sec-array.prototype.pop */
const pop: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "pop")
  if (o.kind === Kind.Array && o.data.length > 0 && o.data[o.data.length - 1] !== HOLE) return o.data.pop()
  const length = lengthOfArrayLike(m, o)
  if (length === 0) {
    setLength(m, o, 0)
    return undefined
  }
  const value = getAt(m, o, length - 1)
  deletePropertyOrThrow(m, o, indexKey(length - 1))
  setLength(m, o, length - 1)
  return value
}

/** https://tc39.es/ecma262/#sec-array.prototype.push */
const push: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "push")
  if (isPlainArray(o)) {
    const elements: Array<Value> = o.data
    m.allocate(args.length * 8)
    if (args.length === 1) return elements.push(args[0])
    m.charge(args.length >> 2)
    for (let i = 0; i < args.length; i++) elements.push(args[i])
    return elements.length
  }
  const length = lengthOfArrayLike(m, o)
  requireLength(m, length + args.length)
  for (let i = 0; i < args.length; i++) setAt(m, o, length + i, args[i])
  setLength(m, o, length + args.length)
  return length + args.length
}

/** https://tc39.es/ecma262/#sec-array.prototype.reverse */
const reverse: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "reverse")
  if (isPlainArray(o)) {
    moves(m, o.data.length)
    o.data.reverse()
    return o
  }
  return inSteps(m, [o], reverseSteps(m, o, lengthOfArrayLike(m, o)))
}

function* reverseSteps(m: Machine, o: JSObject, length: number): Calls {
  const middle = Math.floor(length / 2)
  for (let lower = 0; lower < middle; lower++) {
    if (isBlock(lower)) yield Pause
    m.charge(2)
    const upper = length - lower - 1
    const low = elementAt(m, o, lower)
    const high = elementAt(m, o, upper)
    if (high !== HOLE) {
      setAt(m, o, lower, high)
      if (low === HOLE) deletePropertyOrThrow(m, o, indexKey(upper))
      else setAt(m, o, upper, low)
    } else if (low !== HOLE) {
      deletePropertyOrThrow(m, o, indexKey(lower))
      setAt(m, o, upper, low)
    }
  }
  return o
}

/** Arrays up to this length lose their first element without moving the others, as hosts do it. */
const CHEAP_SHIFT = 16_384

/** https://tc39.es/ecma262/#sec-array.prototype.shift */
const shift: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "shift")
  if (isPlainArray(o)) {
    const elements: Array<Value> = o.data
    if (elements.length > CHEAP_SHIFT) moves(m, elements.length >> 1)
    const first = elements.shift()
    return first === HOLE ? undefined : first
  }
  const length = lengthOfArrayLike(m, o)
  if (length === 0) {
    setLength(m, o, 0)
    return undefined
  }
  const first = getAt(m, o, 0)
  return inSteps(m, [o, first], shiftSteps(m, o, first, length))
}

function* shiftSteps(m: Machine, o: JSObject, first: Value, length: number): Calls {
  yield* move(m, o, 1, 0, length - 1)
  deletePropertyOrThrow(m, o, indexKey(length - 1))
  setLength(m, o, length - 1)
  return first
}

/** Moves `count` elements, or their absence, property by property, in the direction that keeps them apart. */
function* move(
  m: Machine,
  o: JSObject,
  from: number,
  to: number,
  count: number,
  backwards: boolean = from < to,
): Calls<void> {
  for (let i = 0; i < count; i++) {
    if (isBlock(i)) yield Pause
    m.charge(1)
    const k = backwards ? count - 1 - i : i
    const value = elementAt(m, o, from + k)
    if (value === HOLE) deletePropertyOrThrow(m, o, indexKey(to + k))
    else setAt(m, o, to + k, value)
  }
}

/** https://tc39.es/ecma262/#sec-array.prototype.slice */
const slice: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "slice")
  const length = lengthOfArrayLike(m, o)
  const start = toRelativeIndex(m, args[0], length, 0)
  const end = toRelativeIndex(m, args[1], length, length)
  const count = Math.max(end - start, 0)
  if (isPlainArray(o) && hasDefaultSpecies(m, o)) {
    // A conversion may have made the array shorter.
    copies(m, count)
    const elements: Array<Value> = o.data.slice(start, end)
    while (elements.length < count) elements.push(HOLE)
    return m.realm.newArray(elements)
  }
  const result = arraySpeciesCreate(m, o, count)
  return inSteps(m, [o, result], sliceSteps(m, o, start, count, result))
}

function* sliceSteps(m: Machine, o: JSObject, start: number, count: number, result: JSObject): Calls<JSObject> {
  for (let k = 0; k < count; k++) {
    m.charge(1)
    const value = elementAt(m, o, start + k)
    if (value !== HOLE) createAt(m, result, k, value)
    if (isBlock(k)) yield Pause
  }
  setLength(m, result, count)
  return result
}

/** https://tc39.es/ecma262/#sec-array.prototype.splice */
const splice: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "splice")
  const length = lengthOfArrayLike(m, o)
  const start = toRelativeIndex(m, args[0], length, 0)
  const added = Math.max(args.length - 2, 0)
  const removed = args.length === 0
    ? 0
    : args.length === 1
    ? length - start
    : Math.min(Math.max(toIntegerOrInfinity(m, args[1]), 0), length - start)
  if (length + added - removed > MAX_LENGTH) {
    throw m.typeError("Splicing would make the array-like longer than 2^53 - 1")
  }
  if (isPlainArray(o) && o.data.length === length && hasDefaultSpecies(m, o)) {
    copies(m, removed + added)
    moves(m, length - start)
    return m.realm.newArray(spliceElements(o, start, removed, args))
  }
  const result = arraySpeciesCreate(m, o, removed)
  return inSteps(m, [o, args, result], spliceSteps(m, o, length, start, removed, args, result))
}

function* spliceSteps(
  m: Machine,
  o: JSObject,
  length: number,
  start: number,
  removed: number,
  args: Array<Value>,
  result: JSObject,
): Calls {
  const added = Math.max(args.length - 2, 0)
  yield* sliceSteps(m, o, start, removed, result)
  if (added !== removed) {
    yield* move(m, o, start + removed, start + added, length - start - removed)
    for (let k = length; k > length - removed + added; k--) {
      if (isBlock(length - k)) yield Pause
      m.charge(1)
      deletePropertyOrThrow(m, o, indexKey(k - 1))
    }
  }
  for (let k = 0; k < added; k++) setAt(m, o, start + k, args[k + 2])
  setLength(m, o, length - removed + added)
  return result
}

const spliceElements = (o: JSObject, start: number, removed: number, args: Array<Value>): Array<Value> => {
  const elements: Array<Value> = o.data
  if (args.length <= 2) return elements.splice(start, removed)
  if (args.length <= MAX_SPREAD) return elements.splice(start, removed, ...args.slice(2))
  o.data = elements.slice(0, start).concat(args.slice(2), elements.slice(start + removed))
  return elements.slice(start, start + removed)
}

/** A new dense array of a length that must be paid first. */
const newElements = (m: Machine, length: number): Array<Value> => {
  if (length > 4294967295) throw m.rangeError("Invalid array length")
  copies(m, length)
  return []
}

/** The elements of a plain array, where a hole reads as undefined. */
const withoutHoles = (elements: Array<Value>): Array<Value> => {
  if (elements.includes(HOLE)) {
    for (let k = 0; k < elements.length; k++) if (elements[k] === HOLE) elements[k] = undefined
  }
  return elements
}

/** https://tc39.es/ecma262/#sec-array.prototype.toreversed */
const toReversed: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "toReversed")
  const length = lengthOfArrayLike(m, o)
  const elements = newElements(m, length)
  if (isPlainArray(o)) return m.realm.newArray(withoutHoles(o.data.slice().reverse()))
  return inSteps(m, [o, elements], toReversedSteps(m, o, length, elements))
}

function* toReversedSteps(m: Machine, o: JSObject, length: number, elements: Array<Value>): Calls {
  for (let k = length - 1; k >= 0; k--) {
    m.charge(1)
    elements.push(getAt(m, o, k))
    if (isBlock(k)) yield Pause
  }
  return m.realm.newArray(elements)
}

/** https://tc39.es/ecma262/#sec-array.prototype.tospliced */
const toSpliced: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "toSpliced")
  const length = lengthOfArrayLike(m, o)
  const start = toRelativeIndex(m, args[0], length, 0)
  const added = Math.max(args.length - 2, 0)
  const skipped = args.length === 0
    ? 0
    : args.length === 1
    ? length - start
    : Math.min(Math.max(toIntegerOrInfinity(m, args[1]), 0), length - start)
  const newLength = length + added - skipped
  if (newLength > MAX_LENGTH) throw m.typeError("The result would be longer than 2^53 - 1")
  const elements = newElements(m, newLength)
  return inSteps(m, [o, args, elements], toSplicedSteps(m, o, length, start, skipped, args, elements))
}

function* toSplicedSteps(
  m: Machine,
  o: JSObject,
  length: number,
  start: number,
  skipped: number,
  args: Array<Value>,
  elements: Array<Value>,
): Calls {
  yield* read(m, o, 0, start, elements)
  for (let k = 2; k < args.length; k++) elements.push(args[k])
  yield* read(m, o, start + skipped, length, elements)
  return m.realm.newArray(elements)
}

/** Appends a part of an array-like to elements that are paid for. */
function* read(m: Machine, o: JSObject, start: number, end: number, elements: Array<Value>): Calls<void> {
  for (let k = start; k < end; k++) {
    m.charge(1)
    elements.push(getAt(m, o, k))
    if (isBlock(k - start)) yield Pause
  }
}

/** https://tc39.es/ecma262/#sec-array.prototype.unshift */
const unshift: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "unshift")
  const added = args.length
  if (isPlainArray(o)) {
    const elements: Array<Value> = o.data
    m.allocate(added * 8)
    moves(m, elements.length + added)
    if (added > MAX_SPREAD) return (o.data = args.concat(elements)).length
    return elements.unshift(...args)
  }
  const length = lengthOfArrayLike(m, o)
  if (added > 0) {
    requireLength(m, length + added)
    return inSteps(m, [o, args], unshiftSteps(m, o, length, args))
  }
  setLength(m, o, length)
  return length
}

function* unshiftSteps(m: Machine, o: JSObject, length: number, args: Array<Value>): Calls {
  const added = args.length
  yield* move(m, o, 0, added, length)
  for (let k = 0; k < added; k++) setAt(m, o, k, args[k])
  setLength(m, o, length + added)
  return length + added
}

/** https://tc39.es/ecma262/#sec-array.prototype.with */
const with_: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "with")
  const length = lengthOfArrayLike(m, o)
  const relative = toIntegerOrInfinity(m, args[0])
  const index = relative >= 0 ? relative : length + relative
  if (index >= length || index < 0) throw m.rangeError("Invalid index : " + String(relative))
  const elements = newElements(m, length)
  return inSteps(m, [o, args, elements], withSteps(m, o, length, index, args[1], elements))
}

function* withSteps(
  m: Machine,
  o: JSObject,
  length: number,
  index: number,
  value: Value,
  elements: Array<Value>,
): Calls {
  yield* read(m, o, 0, index, elements)
  elements.push(value)
  yield* read(m, o, index + 1, length, elements)
  return m.realm.newArray(elements)
}

const iteration = (name: string, kind: number): Member =>
  method(name, 0, (m, self) => newArrayIterator(m, arrayLike(m, self, name), kind))

/** The methods that call nothing back, by name. */
export const plainMethods = {
  at: method("at", 1, at),
  concat: method("concat", 1, concat),
  copyWithin: method("copyWithin", 2, copyWithin),
  /** https://tc39.es/ecma262/#sec-array.prototype.entries */
  entries: iteration("entries", IterationKind.Entries),
  fill: method("fill", 1, fill),
  flat: method("flat", 0, flat),
  includes: method("includes", 1, includes),
  indexOf: method("indexOf", 1, indexOf),
  join: method("join", 1, joinMethod),
  /** https://tc39.es/ecma262/#sec-array.prototype.keys */
  keys: iteration("keys", IterationKind.Keys),
  lastIndexOf: method("lastIndexOf", 1, lastIndexOf),
  pop: method("pop", 0, pop),
  push: method("push", 1, push),
  reverse: method("reverse", 0, reverse),
  shift: method("shift", 0, shift),
  slice: method("slice", 2, slice),
  splice: method("splice", 2, splice),
  toLocaleString: method("toLocaleString", 0, toLocaleString),
  toReversed: method("toReversed", 0, toReversed),
  toSpliced: method("toSpliced", 2, toSpliced),
  toString: method("toString", 0, toStringMethod),
  unshift: method("unshift", 1, unshift),
  /** https://tc39.es/ecma262/#sec-array.prototype.values */
  values: iteration("values", IterationKind.Values),
  with: method("with", 2, with_),
} as const
