import type { Machine } from "../machine/machine.ts"
import {
  arraySpeciesCreate,
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
// over properties. Arguments are converted before the first is chosen, since a conversion may change the array.

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
  let elements: Array<Value> | null = hasDefaultSpecies(m, o) ? [] : null
  const result = elements === null ? arraySpeciesCreate(m, o, 0) : m.realm.newArray(elements)
  let n = 0
  for (let i = -1; i < args.length; i++) {
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
    for (let k = 0; k < length; k++) {
      m.charge(1)
      const value = elementAt(m, item, k)
      if (value !== HOLE) createAt(m, result, n + k, value)
    }
    n += length
    if (elements !== null && (result.kind !== Kind.Array || elements.length !== n)) elements = null
  }
  if (elements === null) setLength(m, result, n)
  return result
}

/** https://tc39.es/ecma262/#sec-array.prototype.copywithin */
const copyWithin: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "copyWithin")
  const length = lengthOfArrayLike(m, o)
  let to = toRelativeIndex(m, args[0], length, 0)
  let from = toRelativeIndex(m, args[1], length, 0)
  const end = toRelativeIndex(m, args[2], length, length)
  let count = Math.min(end - from, length - to)
  if (count > 0 && isPlainArray(o) && o.data.length === length) {
    moves(m, count)
    o.data.copyWithin(to, from, from + count)
    return o
  }
  let direction = 1
  if (from < to && to < from + count) {
    direction = -1
    from += count - 1
    to += count - 1
  }
  for (; count > 0; count--) {
    m.charge(1)
    const value = elementAt(m, o, from)
    if (value === HOLE) deletePropertyOrThrow(m, o, indexKey(to))
    else setAt(m, o, to, value)
    from += direction
    to += direction
  }
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
  for (let k = start; k < end; k++) {
    m.charge(1)
    setAt(m, o, k, value)
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
export const flattenIntoArray = (
  m: Machine,
  target: JSObject,
  source: JSObject,
  length: number,
  start: number,
  depth: number,
): number => {
  const stack: Array<Flattening> = [{ source, length, index: 0, depth }]
  while (stack.length > 0) {
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

/** https://tc39.es/ecma262/#sec-array.prototype.flat */
const flat: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "flat")
  const length = lengthOfArrayLike(m, o)
  const depth = args[0] === undefined ? 1 : Math.max(toIntegerOrInfinity(m, args[0]), 0)
  const target = arraySpeciesCreate(m, o, 0)
  flattenIntoArray(m, target, o, length, 0, depth)
  return target
}

/** https://tc39.es/ecma262/#sec-array.prototype.includes */
const includes: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "includes")
  const length = lengthOfArrayLike(m, o)
  if (length === 0) return false
  const value = args[0]
  let k = startIndex(m, args[1], length)
  if (isPlainArray(o) && o.data.length === length) {
    comparisons(m, length - k, value)
    return o.data.includes(value, k) || (value === undefined && o.data.includes(HOLE, k))
  }
  for (; k < length; k++) {
    m.charge(1)
    if (sameValueZero(getAt(m, o, k), value)) return true
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
  let k = startIndex(m, args[1], length)
  if (isPlainArray(o) && o.data.length === length) {
    comparisons(m, length - k, value)
    return o.data.indexOf(value, k)
  }
  for (; k < length; k++) {
    m.charge(1)
    const element = elementAt(m, o, k)
    if (element !== HOLE && element === value) return k
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
  let k = n >= 0 ? Math.min(n, length - 1) : length + n
  if (k < 0) return -1
  if (isPlainArray(o) && o.data.length === length) {
    comparisons(m, k + 1, value)
    return o.data.lastIndexOf(value, k)
  }
  for (; k >= 0; k--) {
    m.charge(1)
    const element = elementAt(m, o, k)
    if (element !== HOLE && element === value) return k
  }
  return -1
}

/** Runs `body` unless the array is being joined already: an array inside itself joins as an empty text. */
const guardCycle = (m: Machine, o: JSObject, body: () => string): string => {
  const { joining } = m.realm
  if (joining.has(o)) return ""
  if (joining.size >= 1000) throw m.rangeError("Maximum call stack size exceeded")
  joining.add(o)
  try {
    return body()
  } finally {
    joining.delete(o)
  }
}

/** Joins texts, within the length that a string may have. */
const joinTexts = (m: Machine, length: number, separator: string, textAt: (index: number) => string): string => {
  if ((length - 1) * separator.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  const parts: Array<string> = []
  let total = 0
  for (let k = 0; k < length; k++) {
    m.charge(4)
    const text = textAt(k)
    total += text.length + (k > 0 ? separator.length : 0)
    if (total > m.maxStringLength) throw m.rangeError("Invalid string length")
    parts.push(text)
  }
  m.charge(total >> 3)
  m.allocate(16 + total)
  return parts.join(separator)
}

const join = (m: Machine, o: JSObject, separatorValue: Value): string => {
  const length = lengthOfArrayLike(m, o)
  const separator = separatorValue === undefined ? "," : toString(m, separatorValue)
  return guardCycle(m, o, () =>
    joinTexts(m, length, separator, (k) => {
      const value = getAt(m, o, k)
      return value === undefined || value === null ? "" : toString(m, value)
    }))
}

/** https://tc39.es/ecma262/#sec-array.prototype.join */
const joinMethod: Native<Machine> = (m, self, args) => join(m, arrayLike(m, self, "join"), args[0])

/** https://tc39.es/ecma402/#sup-array.prototype.tolocalestring */
const toLocaleString: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "toLocaleString")
  const length = lengthOfArrayLike(m, o)
  return guardCycle(m, o, () =>
    joinTexts(m, length, ",", (k) => {
      const value = getAt(m, o, k)
      return value === undefined || value === null
        ? ""
        : toString(m, invoke(m, value, "toLocaleString", [args[0], args[1]]))
    }))
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
  const length = lengthOfArrayLike(m, o)
  const middle = Math.floor(length / 2)
  for (let lower = 0; lower < middle; lower++) {
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
  move(m, o, 1, 0, length - 1)
  deletePropertyOrThrow(m, o, indexKey(length - 1))
  setLength(m, o, length - 1)
  return first
}

/** Moves `count` elements, or their absence, property by property, in the direction that keeps them apart. */
const move = (m: Machine, o: JSObject, from: number, to: number, count: number): void => {
  const backwards = from < to
  for (let i = 0; i < count; i++) {
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
  for (let k = 0; k < count; k++) {
    m.charge(1)
    const value = elementAt(m, o, start + k)
    if (value !== HOLE) createAt(m, result, k, value)
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
  for (let k = 0; k < removed; k++) {
    m.charge(1)
    const value = elementAt(m, o, start + k)
    if (value !== HOLE) createAt(m, result, k, value)
  }
  setLength(m, result, removed)
  if (added !== removed) {
    move(m, o, start + removed, start + added, length - start - removed)
    for (let k = length; k > length - removed + added; k--) {
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
  for (let k = length - 1; k >= 0; k--) {
    m.charge(1)
    elements.push(getAt(m, o, k))
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
  for (let k = 0; k < start; k++) {
    m.charge(1)
    elements.push(getAt(m, o, k))
  }
  for (let k = 0; k < added; k++) elements.push(args[k + 2])
  for (let k = start + skipped; k < length; k++) {
    m.charge(1)
    elements.push(getAt(m, o, k))
  }
  return m.realm.newArray(elements)
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
    move(m, o, 0, added, length)
    for (let k = 0; k < added; k++) setAt(m, o, k, args[k])
  }
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
  for (let k = 0; k < length; k++) {
    m.charge(1)
    elements.push(k === index ? args[1] : getAt(m, o, k))
  }
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
