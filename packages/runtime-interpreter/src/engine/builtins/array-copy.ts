import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  arraySpeciesCreate,
  type Calls,
  createAt,
  elementAt,
  getAt,
  hasDefaultSpecies,
  HOLE,
  isPlainArray,
  type JSObject,
  lengthOfArrayLike,
  type Native,
  Pause,
  toIntegerOrInfinity,
  toRelativeIndex,
  type Value,
} from "../object/index.ts"
import { arrayLike, copies, isBlock, MAX_LENGTH, removedBySplice, setLength } from "./array-like.ts"

// Methods that give a new array, of a part or with a change, and leave the one they are called on as it is.

/** https://tc39.es/ecma262/#sec-array.prototype.slice */
export const slice: Native<Machine> = (m, self, args) => {
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

export function* sliceSteps(m: Machine, o: JSObject, start: number, count: number, result: JSObject): Calls<JSObject> {
  for (let k = 0; k < count; k++) {
    m.charge(1)
    const value = elementAt(m, o, start + k)
    if (value !== HOLE) createAt(m, result, k, value)
    if (isBlock(k)) yield Pause
  }
  setLength(m, result, count)
  return result
}

/** A new dense array of a length that must be paid first. */
const newDense = (m: Machine, length: number): Array<Value> => {
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
export const toReversed: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "toReversed")
  const length = lengthOfArrayLike(m, o)
  const elements = newDense(m, length)
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
export const toSpliced: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "toSpliced")
  const length = lengthOfArrayLike(m, o)
  const start = toRelativeIndex(m, args[0], length, 0)
  const added = Math.max(args.length - 2, 0)
  const skipped = removedBySplice(m, args, start, length)
  const newLength = length + added - skipped
  if (newLength > MAX_LENGTH) throw m.typeError("The result would be longer than 2^53 - 1")
  const elements = newDense(m, newLength)
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

/** https://tc39.es/ecma262/#sec-array.prototype.with */
export const with_: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "with")
  const length = lengthOfArrayLike(m, o)
  const relative = toIntegerOrInfinity(m, args[0])
  const index = relative >= 0 ? relative : length + relative
  if (index >= length || index < 0) throw m.rangeError("Invalid index : " + String(relative))
  const elements = newDense(m, length)
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

/** Appends a part of an array-like to elements that are paid for. */
function* read(m: Machine, o: JSObject, start: number, end: number, elements: Array<Value>): Calls<void> {
  for (let k = start; k < end; k++) {
    m.charge(1)
    elements.push(getAt(m, o, k))
    if (isBlock(k - start)) yield Pause
  }
}
