import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  arraySpeciesCreate,
  type Calls,
  createAt,
  elementAt,
  get,
  hasDefaultSpecies,
  HOLE,
  isArray,
  isObject,
  isPlainArray,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  type Native,
  Pause,
  SymbolIsConcatSpreadable,
  toBoolean,
  toIntegerOrInfinity,
  type Value,
} from "../object/index.ts"
import { arrayLike, copies, isBlock, MAX_LENGTH, requireLength, setLength } from "./array-like.ts"

/** https://tc39.es/ecma262/#sec-isconcatspreadable */
const isConcatSpreadable = (m: Machine, value: Value): value is JSObject => {
  if (!isObject(value)) return false
  const spreadable = get(m, value, SymbolIsConcatSpreadable)
  return spreadable === undefined ? isArray(m, value) : toBoolean(spreadable)
}

/** https://tc39.es/ecma262/#sec-array.prototype.concat */
export const concat: Native<Machine> = (m, self, args) => {
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
export const flat: Native<Machine> = (m, self, args) => {
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
