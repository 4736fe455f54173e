/** How typed arrays come into being, for all of their constructors and methods. */
import type { Machine } from "../machine/machine.ts"
import {
  allocateBytes,
  type BufferData,
  type Calls,
  construct,
  decodeFloat16,
  type ElementType,
  encodeFloat16,
  type HostView,
  JSObject,
  Kind,
  newElements,
  Pause,
  rootShape,
  speciesConstructor,
  toIndex,
  TypedArrayData,
  validateTypedArray,
  type Value,
} from "../object/index.ts"
import { newArrayBuffer } from "./array-buffer.ts"

/** A typed array over a buffer, whose offset and length were checked. */
export const typedArrayOver = (
  m: Machine,
  type: ElementType,
  buffer: JSObject,
  byteOffset: number,
  length: number | undefined,
  proto: JSObject = m.realm.intrinsic(`${type.name}Prototype`),
): JSObject => {
  m.allocate(192)
  const data = new TypedArrayData(type, buffer, byteOffset, length)
  return new JSObject(rootShape(m.realm.space, proto), newElements(), Kind.TypedArray, data)
}

/** A buffer for this many elements. https://tc39.es/ecma262/#sec-allocatetypedarraybuffer */
export const bufferFor = (m: Machine, type: ElementType, length: number): JSObject => {
  if (length * type.size > Number.MAX_SAFE_INTEGER) throw m.rangeError(`Invalid typed array length: ${length}`)
  return newArrayBuffer(m, allocateBytes(m, length * type.size))
}

/** A new array of zeroes with a buffer of its own. https://tc39.es/ecma262/#sec-allocatetypedarray */
export const newTypedArray = (m: Machine, type: ElementType, length: number, proto?: JSObject): JSObject =>
  typedArrayOver(m, type, bufferFor(m, type, length), 0, length, proto)

/** https://tc39.es/ecma262/#sec-initializetypedarrayfromarraybuffer */
export const fromArrayBuffer = (
  m: Machine,
  type: ElementType,
  buffer: JSObject,
  byteOffset: Value,
  requested: Value,
  proto?: JSObject,
): JSObject => {
  const { name, size } = type
  const data: BufferData = buffer.data
  const offset = toIndex(m, byteOffset)
  if (offset % size !== 0) throw m.rangeError(`start offset of ${name} should be a multiple of ${size}`)
  const length = requested === undefined ? undefined : toIndex(m, requested)
  if (data.detached) throw m.typeError("Cannot perform Construct on a detached ArrayBuffer")
  const available = data.bytes.length
  if (length === undefined && data.maxByteLength !== undefined) {
    if (offset > available) throw m.rangeError(`Start offset ${offset} is outside the bounds of the buffer`)
    return typedArrayOver(m, type, buffer, offset, undefined, proto)
  }
  if (length === undefined) {
    if (available % size !== 0) throw m.rangeError(`byte length of ${name} should be a multiple of ${size}`)
    if (offset > available) throw m.rangeError(`Start offset ${offset} is outside the bounds of the buffer`)
    return typedArrayOver(m, type, buffer, offset, (available - offset) / size, proto)
  }
  if (offset + length * size > available) throw m.rangeError(`Invalid typed array length: ${length}`)
  return typedArrayOver(m, type, buffer, offset, length, proto)
}

/** What https://tc39.es/ecma262/#sec-typedarraycreatefromconstructor checks of what the constructor returned. */
const checkCreated = (m: Machine, created: Value, args: Array<Value>): JSObject => {
  const { length } = validateTypedArray(m, created)
  if (args.length === 1 && typeof args[0] === "number" && length < args[0]) {
    throw m.typeError("Derived TypedArray constructor created an array which was too small")
  }
  return created as JSObject
}

/** https://tc39.es/ecma262/#sec-typedarraycreatefromconstructor */
export function* createFrom(m: Machine, constructor: JSObject, args: Array<Value>): Calls<JSObject> {
  return checkCreated(m, yield construct(constructor, args), args)
}

/** The constructor that https://tc39.es/ecma262/#sec-typedarray-create-same-type would use, if the program chose another one. */
const species = (m: Machine, exemplar: JSObject): JSObject | undefined =>
  speciesConstructor(m, exemplar, (exemplar.data as TypedArrayData).type.name)

const checkContentType = (m: Machine, exemplar: JSObject, created: JSObject): JSObject => {
  if ((exemplar.data as TypedArrayData).type.bigint !== (created.data as TypedArrayData).type.bigint) {
    throw m.typeError("Content type of source and created typed arrays differ")
  }
  return created
}

/** https://tc39.es/ecma262/#sec-typedarrayspeciescreate with a length. */
export function* speciesCreate(m: Machine, exemplar: JSObject, length: number): Calls<JSObject> {
  const constructor = species(m, exemplar)
  if (constructor === undefined) return newTypedArray(m, (exemplar.data as TypedArrayData).type, length)
  return checkContentType(m, exemplar, yield* createFrom(m, constructor, [length]))
}

const speciesNested = (m: Machine, exemplar: JSObject, constructor: JSObject, args: Array<Value>): JSObject =>
  checkContentType(m, exemplar, checkCreated(m, m.construct(constructor, args), args))

/** The same where it is not a method's purpose to call back. */
export const speciesCreateNested = (m: Machine, exemplar: JSObject, length: number): JSObject => {
  const constructor = species(m, exemplar)
  return constructor === undefined
    ? newTypedArray(m, (exemplar.data as TypedArrayData).type, length)
    : speciesNested(m, exemplar, constructor, [length])
}

/** https://tc39.es/ecma262/#sec-typedarrayspeciescreate over the exemplar's own buffer, to its end if no length is given. */
export const speciesOverBuffer = (m: Machine, exemplar: JSObject, byteOffset: number, length?: number): JSObject => {
  const constructor = species(m, exemplar)
  const { buffer, type }: TypedArrayData = exemplar.data
  if (constructor === undefined) return fromArrayBuffer(m, type, buffer, byteOffset, length)
  return speciesNested(
    m,
    exemplar,
    constructor,
    length === undefined ? [buffer, byteOffset] : [buffer, byteOffset, length],
  )
}

/** So many elements are worked on between two pauses. */
export const BLOCK: number = 1 << 14

/** Elements of one type stored as elements of another, or of the same one, from `offset` on. The views may overlap. */
export function* copyElements(
  m: Machine,
  from: HostView,
  fromType: ElementType,
  to: HostView,
  toType: ElementType,
  offset: number,
): Calls<void> {
  const { length } = from
  if (fromType === toType) {
    m.charge(1 + (length >> 4))
    return to.set(from, offset)
  }
  if (from.buffer === to.buffer) {
    m.allocate(length * fromType.size)
    from = from.slice(0, length)
  }
  for (let start = 0; start < length; start += BLOCK) {
    if (start > 0) yield Pause
    const end = Math.min(start + BLOCK, length)
    m.charge(end - start)
    if (fromType.half) { for (let i = start; i < end; i++) to[offset + i] = decodeFloat16(from[i]) }
    else if (toType.half) { for (let i = start; i < end; i++) to[offset + i] = encodeFloat16(from[i]) }
    else to.set(from.subarray(start, end), offset + start)
  }
}
