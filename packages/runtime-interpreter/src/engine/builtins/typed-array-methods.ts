/** The methods of `%TypedArray%.prototype` that take no callback. */
import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  decodeFloat16,
  type ElementType,
  encodeFloat16,
  type GeneratorNative,
  getAt,
  getElement,
  getV,
  type HostView,
  isTypedArray,
  IterationKind,
  type JSObject,
  lengthOfArrayLike,
  type Native,
  newArrayIterator,
  Pause,
  setElement,
  SymbolIterator,
  toElement,
  toIntegerOrInfinity,
  toObject,
  toRelativeIndex,
  toString,
  type TypedArrayData,
  validateTypedArray,
  type Value,
  viewOf,
} from "../object/index.ts"
import { alias, generatorMethod, intrinsic, type Member, method } from "./define.ts"
import { BLOCK, copyElements, newTypedArray, speciesCreateNested, speciesOverBuffer } from "./typed-array-create.ts"

type PlainNative = Native<Machine>

const typeOf = (o: Value): ElementType => ((o as JSObject).data as TypedArrayData).type

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.at */
const at: PlainNative = (m, thisValue, args) => {
  const { length } = validateTypedArray(m, thisValue)
  const relative = toIntegerOrInfinity(m, args[0])
  const index = relative < 0 ? length + relative : relative
  return index < 0 || index >= length ? undefined : getElement(thisValue as JSObject, index)
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.copywithin */
const copyWithin: PlainNative = (m, thisValue, args) => {
  const { length } = validateTypedArray(m, thisValue)
  const target = toRelativeIndex(m, args[0], length, 0)
  const start = toRelativeIndex(m, args[1], length, 0)
  const final = toRelativeIndex(m, args[2], length, length)
  const count = Math.min(final - start, length - target)
  if (count > 0) {
    const view = validateTypedArray(m, thisValue)
    m.charge(count >> 4)
    // Where the array has become shorter, this copies what is left of both places.
    if (target < view.length) view.copyWithin(target, start, Math.min(start + count, view.length))
  }
  return thisValue
}

const iterate = (kind: number): PlainNative => (m, thisValue) => {
  validateTypedArray(m, thisValue)
  return newArrayIterator(m, thisValue as JSObject, kind)
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.fill */
const fill: PlainNative = (m, thisValue, args) => {
  const { length } = validateTypedArray(m, thisValue)
  const element = toElement(m, typeOf(thisValue), args[0])
  const start = toRelativeIndex(m, args[1], length, 0)
  const final = toRelativeIndex(m, args[2], length, length)
  const view = validateTypedArray(m, thisValue)
  const end = Math.min(final, view.length)
  if (start < end) {
    m.charge((end - start) >> 4)
    view.fill(element, start, end)
  }
  return thisValue
}

/** So many elements are searched between two pauses. */
const SEARCH_BLOCK = 1 << 18

/** An element as the host's view has it, to be searched for; undefined where no element equals the value. */
const searched = (type: ElementType, value: Value): number | bigint | undefined => {
  if (typeof value !== (type.bigint ? "bigint" : "number")) return undefined
  // Nothing equals NaN, whose bits are equal.
  if (value !== value) return undefined
  if (!type.half) return value as number | bigint
  const bits = encodeFloat16(value as number)
  return Object.is(decodeFloat16(bits), value) ? bits : undefined
}

/** The first index from `start` up to `end` of what equals a value by `===`; -1 if there is none. */
function* search(
  m: Machine,
  view: HostView,
  type: ElementType,
  value: Value,
  start: number,
  end: number,
): Calls<number> {
  const bits = searched(type, value)
  if (bits === undefined) return -1
  // Both zeroes are equal, though their bits differ.
  const isHalfZero = type.half && value === 0
  for (let from = start; from < end; from += SEARCH_BLOCK) {
    if (from > start) yield Pause
    const to = Math.min(from + SEARCH_BLOCK, end)
    m.charge(1 + ((to - from) >> 3))
    const block = view.subarray(from, to)
    const found = isHalfZero ? halfZeroIn(block) : block.indexOf(bits, 0)
    if (found >= 0) return from + found
  }
  return -1
}

const halfZeroIn = (view: HostView): number => {
  for (let i = 0; i < view.length; i++) if ((view[i] & 0x7fff) === 0) return i
  return -1
}

function* hasNaN(m: Machine, o: JSObject, start: number, end: number): Calls<boolean> {
  for (let i = start; i < end; i++) {
    if ((i - start) % BLOCK === 0) {
      m.charge(BLOCK >> 2)
      if (i > start) yield Pause
    }
    const element = getElement(o, i)
    if (element !== element) return true
  }
  return false
}

/** The index to begin a search at. */
const searchStart = (m: Machine, value: Value, length: number): number => {
  const n = toIntegerOrInfinity(m, value)
  return n >= 0 ? n : Math.max(length + n, 0)
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.includes */
const includes: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  if (length === 0) return false
  const start = searchStart(m, args[1], length)
  if (start >= length) return false
  const view = viewOf(thisValue as JSObject)
  const value = args[0]
  // Elements that are gone by now are undefined; one that has come meanwhile is not looked at.
  if (value === undefined) return view.length < length
  const end = Math.min(length, view.length)
  if (value !== value) return yield* hasNaN(m, thisValue as JSObject, start, end)
  return (yield* search(m, view, typeOf(thisValue), value, start, end)) >= 0
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.indexof */
const indexOf: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  if (length === 0) return -1
  const start = searchStart(m, args[1], length)
  if (start >= length) return -1
  const view = viewOf(thisValue as JSObject)
  return yield* search(m, view, typeOf(thisValue), args[0], start, Math.min(length, view.length))
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.lastindexof */
const lastIndexOf: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  if (length === 0) return -1
  const n = args.length > 1 ? toIntegerOrInfinity(m, args[1]) : length - 1
  const view = viewOf(thisValue as JSObject)
  const start = Math.min(n >= 0 ? Math.min(n, length - 1) : length + n, view.length - 1)
  const type = typeOf(thisValue)
  const bits = searched(type, args[0])
  if (bits === undefined) return -1
  for (let to = start + 1; to > 0; to -= SEARCH_BLOCK) {
    const from = Math.max(to - SEARCH_BLOCK, 0)
    m.charge(1 + ((to - from) >> 3))
    const block = view.subarray(from, to)
    const found = type.half && args[0] === 0 ? lastHalfZeroIn(block) : block.lastIndexOf(bits, block.length - 1)
    if (found >= 0) return from + found
    if (from > 0) yield Pause
  }
  return -1
}

const lastHalfZeroIn = (view: HostView): number => {
  for (let i = view.length - 1; i >= 0; i--) if ((view[i] & 0x7fff) === 0) return i
  return -1
}

/** Long texts are made in blocks of this many elements, so that the host has no rope of single ones. */
const TEXT_BLOCK = 1 << 12

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.join */
const join: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  const separator = args[0] === undefined ? "," : toString(m, args[0])
  const o = thisValue as JSObject
  let text = ""
  let textLength = 0
  let block: Array<string> = []
  for (let i = 0; i < length; i++) {
    const element = getElement(o, i)
    const piece = element === undefined ? "" : String(element)
    block.push(piece)
    textLength += piece.length + (i > 0 ? separator.length : 0)
    if (textLength > m.maxStringLength) throw m.rangeError("Invalid string length")
    if (block.length === TEXT_BLOCK || i === length - 1) {
      m.charge(block.length * 6 + (separator.length * block.length >> 4))
      m.allocate(textLength * 2 - text.length * 2)
      text += i < TEXT_BLOCK ? block.join(separator) : separator + block.join(separator)
      block = []
      yield Pause
    }
  }
  return text
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.tolocalestring */
const toLocaleString: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  let text = ""
  for (let i = 0; i < length; i++) {
    m.charge(4)
    if (i > 0) text += ","
    const element = getElement(thisValue as JSObject, i)
    if (element !== undefined) {
      text += toString(m, yield call(getV(m, element, "toLocaleString"), element, [args[0], args[1]]))
    }
    if (text.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  }
  m.allocate(text.length * 2)
  return text
}

function* reverseElements(m: Machine, view: HostView): Calls<void> {
  const { length } = view
  m.charge(1 + (Math.min(length, BLOCK) >> 3))
  if (length <= BLOCK) return void view.reverse()
  for (let low = 0, high = length - 1; low < high; low++, high--) {
    if (low % BLOCK === BLOCK - 1) {
      m.charge(BLOCK >> 1)
      yield Pause
    }
    const element = view[low]
    view[low] = view[high]
    view[high] = element
  }
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.reverse */
const reverse: GeneratorNative<Machine> = function*(m, thisValue) {
  yield* reverseElements(m, validateTypedArray(m, thisValue))
  return thisValue
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.set */
const setMethod: GeneratorNative<Machine> = function*(m, thisValue, args) {
  if (!isTypedArray(thisValue)) throw m.typeError("this is not a typed array.")
  const offset = toIntegerOrInfinity(m, args[1])
  if (offset < 0) throw m.rangeError("offset is out of bounds")
  const target = validateTypedArray(m, thisValue)
  if (isTypedArray(args[0])) {
    // https://tc39.es/ecma262/#sec-settypedarrayfromtypedarray
    const source = validateTypedArray(m, args[0])
    if (typeOf(args[0]).bigint !== typeOf(thisValue).bigint) {
      throw m.typeError("Cannot mix BigInt and other types, use explicit conversions")
    }
    if (source.length + offset > target.length) throw m.rangeError("offset is out of bounds")
    yield* copyElements(m, source, typeOf(args[0]), target, typeOf(thisValue), offset)
    return undefined
  }
  // https://tc39.es/ecma262/#sec-settypedarrayfromarraylike
  const targetLength = target.length
  const source = toObject(m, args[0])
  const length = lengthOfArrayLike(m, source)
  if (length + offset > targetLength) throw m.rangeError("offset is out of bounds")
  for (let i = 0; i < length; i++) {
    m.charge(4)
    if (i % BLOCK === BLOCK - 1) yield Pause
    setElement(m, thisValue, offset + i, getAt(m, source, i))
  }
  return undefined
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.slice */
const slice: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  const start = toRelativeIndex(m, args[0], length, 0)
  const final = toRelativeIndex(m, args[1], length, length)
  const count = Math.max(final - start, 0)
  const result = speciesCreateNested(m, thisValue as JSObject, count)
  if (count === 0) return result
  const view = validateTypedArray(m, thisValue)
  const end = Math.min(final, view.length)
  if (start >= end) return result
  const target = viewOf(result)
  if (target.buffer !== view.buffer) {
    yield* copyElements(
      m,
      view.subarray(start, Math.min(end, start + target.length)),
      typeOf(thisValue),
      target,
      typeOf(result),
      0,
    )
    return result
  }
  // The species shares the buffer: the standard copies byte by byte, or element by element, from the first on.
  m.charge(end - start)
  if (typeOf(result) === typeOf(thisValue)) {
    const n = Math.min(end - start, target.length)
    for (let i = 0; i < n; i++) target[i] = view[start + i]
  } else for (let i = start; i < end; i++) setElement(m, result, i - start, getElement(thisValue as JSObject, i))
  return result
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.subarray */
const subarray: PlainNative = (m, thisValue, args) => {
  if (!isTypedArray(thisValue)) throw m.typeError("this is not a typed array.")
  const { length } = viewOf(thisValue)
  const data: TypedArrayData = thisValue.data
  const begin = toRelativeIndex(m, args[0], length, 0)
  const byteOffset = data.byteOffset + begin * data.type.size
  if (data.fixedLength === undefined && args[1] === undefined) {
    return speciesOverBuffer(m, thisValue, byteOffset)
  }
  const end = toRelativeIndex(m, args[1], length, length)
  return speciesOverBuffer(m, thisValue, byteOffset, Math.max(end - begin, 0))
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.toreversed */
const toReversed: GeneratorNative<Machine> = function*(m, thisValue) {
  const view = validateTypedArray(m, thisValue)
  const result = newTypedArray(m, typeOf(thisValue), view.length)
  const target = viewOf(result)
  target.set(view)
  yield* reverseElements(m, target)
  return result
}

/** https://tc39.es/ecma262/#sec-%typedarray%.prototype.with */
const with_: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const { length } = validateTypedArray(m, thisValue)
  const type = typeOf(thisValue)
  const relative = toIntegerOrInfinity(m, args[0])
  const index = relative >= 0 ? relative : length + relative
  const element = toElement(m, type, args[1])
  const view = viewOf(thisValue as JSObject)
  if (!(index >= 0 && index < view.length)) throw m.rangeError("Invalid typed array index")
  const result = newTypedArray(m, type, length)
  const target = viewOf(result)
  if (view.length >= length) yield* copyElements(m, view.subarray(0, length), type, target, type, 0)
  else {
    // What is gone is undefined, and stored as such: NaN or 0, and no bigint at all.
    m.charge(length)
    for (let i = 0; i < length; i++) if (i !== index) setElement(m, result, i, getElement(thisValue as JSObject, i))
  }
  target[index] = element
  return result
}

export const typedArrayMembers: ReadonlyArray<Member> = [
  method("at", 1, at),
  method("copyWithin", 2, copyWithin),
  method("entries", 0, iterate(IterationKind.Entries)),
  method("fill", 1, fill),
  generatorMethod("includes", 1, includes),
  generatorMethod("indexOf", 1, indexOf),
  generatorMethod("join", 1, join),
  method("keys", 0, iterate(IterationKind.Keys)),
  generatorMethod("lastIndexOf", 1, lastIndexOf),
  generatorMethod("reverse", 0, reverse),
  generatorMethod("set", 1, setMethod),
  generatorMethod("slice", 2, slice),
  method("subarray", 2, subarray),
  generatorMethod("toLocaleString", 0, toLocaleString),
  generatorMethod("toReversed", 0, toReversed),
  /** https://tc39.es/ecma262/#sec-%typedarray%.prototype.tostring — the same function as that of arrays. */
  intrinsic("toString", "ArrayToString"),
  method("values", 0, iterate(IterationKind.Values)),
  alias(SymbolIterator, "values"),
  generatorMethod("with", 2, with_),
]
