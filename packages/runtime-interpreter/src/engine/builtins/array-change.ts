import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  arraySpeciesCreate,
  type Calls,
  deletePropertyOrThrow,
  elementAt,
  getAt,
  hasDefaultSpecies,
  HOLE,
  indexKey,
  isPlainArray,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  type Native,
  Pause,
  setAt,
  toRelativeIndex,
  type Value,
} from "../object/index.ts"
import { sliceSteps } from "./array-copy.ts"
import {
  arrayLike,
  copies,
  isBlock,
  MAX_LENGTH,
  moves,
  removedBySplice,
  requireLength,
  setLength,
} from "./array-like.ts"

// Methods that change the array they are called on.

/** Host functions that take elements as arguments get at most this many: the host's stack holds them. */
const MAX_SPREAD = 4096

/** https://tc39.es/ecma262/#sec-array.prototype.copywithin */
export const copyWithin: Native<Machine> = (m, self, args) => {
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
export const fill: Native<Machine> = (m, self, args) => {
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

/** https://tc39.es/ecma262/#sec-array.prototype.pop */
export const pop: Native<Machine> = (m, self) => {
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
export const push: Native<Machine> = (m, self, args) => {
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
export const reverse: Native<Machine> = (m, self) => {
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
export const shift: Native<Machine> = (m, self) => {
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

/** https://tc39.es/ecma262/#sec-array.prototype.splice */
export const splice: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "splice")
  const length = lengthOfArrayLike(m, o)
  const start = toRelativeIndex(m, args[0], length, 0)
  const added = Math.max(args.length - 2, 0)
  const removed = removedBySplice(m, args, start, length)
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

/** https://tc39.es/ecma262/#sec-array.prototype.unshift */
export const unshift: Native<Machine> = (m, self, args) => {
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
