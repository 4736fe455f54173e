import type { Agent } from "./agent.ts"
import type { BufferData } from "./buffer.ts"
import { toBigInt, toNumber } from "./convert.ts"
import { isAccessorDescriptor } from "./descriptor.ts"
import { decodeFloat16, encodeFloat16 } from "./float16.ts"
import {
  getWithReceiver,
  hasProperty,
  type InternalMethods,
  ordinary,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryOwnKeys,
  ordinaryPreventExtensions,
  ordinarySet,
} from "./internal-methods.ts"
import { Accessor, type JSObject, Kind, type PropertyKey, type Value } from "./value.ts"

/** What the host's typed arrays have in common, as far as it is used. Elements are numbers, or all of them bigints. */
export interface HostView {
  readonly length: number
  readonly buffer: ArrayBufferLike
  [index: number]: any
  copyWithin(target: number, start: number, end: number): unknown
  fill(value: any, start: number, end: number): unknown
  indexOf(value: any, from: number): number
  lastIndexOf(value: any, from: number): number
  reverse(): unknown
  set(source: HostView, offset?: number): void
  slice(start: number, end: number): HostView
  sort(): unknown
  subarray(start: number, end: number): HostView
}

/** https://tc39.es/ecma262/#table-the-typedarray-constructors */
export interface ElementType {
  /** Of the constructor. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly bigint: boolean
  /** Whether the host's view has the 16 bits of each number, not the number. */
  readonly half: boolean
  readonly view: new(buffer: ArrayBufferLike, byteOffset: number, length: number) => HostView
}

const elementType = (
  name: string,
  view: { readonly BYTES_PER_ELEMENT: number; new(buffer: ArrayBuffer, byteOffset: number, length: number): unknown },
): ElementType => ({
  name,
  size: view.BYTES_PER_ELEMENT,
  bigint: name.startsWith("Big"),
  half: name === "Float16Array",
  // The host's declarations differ in the types of elements only.
  view: view as ElementType["view"],
})

export const elementTypes: ReadonlyArray<ElementType> = [
  elementType("Int8Array", Int8Array),
  elementType("Uint8Array", Uint8Array),
  elementType("Uint8ClampedArray", Uint8ClampedArray),
  elementType("Int16Array", Int16Array),
  elementType("Uint16Array", Uint16Array),
  elementType("Int32Array", Int32Array),
  elementType("Uint32Array", Uint32Array),
  elementType("BigInt64Array", BigInt64Array),
  elementType("BigUint64Array", BigUint64Array),
  elementType("Float16Array", Uint16Array),
  elementType("Float32Array", Float32Array),
  elementType("Float64Array", Float64Array),
]

export const uint8Elements: ElementType = elementTypes[1]!

/** The internal slots of a typed array. */
export class TypedArrayData {
  /** The host's view, as long as the array is now; up to date only through `viewOf`. */
  view: HostView
  /** The buffer's bytes that `view` was made for. */
  viewed: Uint8Array
  /** Whether the buffer no longer reaches as far as the array. */
  outOfBounds = false

  constructor(
    readonly type: ElementType,
    public buffer: JSObject,
    readonly byteOffset: number,
    /** In elements; undefined for an array that goes to the end of a resizable buffer, wherever that is. */
    readonly fixedLength: number | undefined,
  ) {
    this.viewed = (buffer.data as BufferData).bytes
    this.view = this.refresh()
  }

  /** https://tc39.es/ecma262/#sec-istypedarrayoutofbounds and https://tc39.es/ecma262/#sec-typedarraylength */
  refresh(): HostView {
    const { byteOffset, fixedLength, type } = this
    const { bytes, detached }: BufferData = this.buffer.data
    this.viewed = bytes
    const length = fixedLength ?? Math.floor((bytes.length - byteOffset) / type.size)
    this.outOfBounds = detached || length < 0 || byteOffset + length * type.size > bytes.length
    return this.view = this.outOfBounds
      ? new type.view(bytes.buffer, 0, 0)
      : new type.view(bytes.buffer, byteOffset, length)
  }
}

/** The host's view of a typed array's elements as they are now; empty where it is out of bounds. */
export const viewOf = (o: JSObject): HostView => {
  const data: TypedArrayData = o.data
  return data.viewed === (data.buffer.data as BufferData).bytes ? data.view : data.refresh()
}

export const isOutOfBounds = (o: JSObject): boolean => {
  viewOf(o)
  return (o.data as TypedArrayData).outOfBounds
}

export const isTypedArray = (value: unknown): value is JSObject =>
  typeof value === "object" && value !== null && (value as JSObject).kind === Kind.TypedArray

/** https://tc39.es/ecma262/#sec-validatetypedarray — the view. */
export const validateTypedArray = (m: Agent, value: Value): HostView => {
  if (!isTypedArray(value)) throw m.typeError("this is not a typed array.")
  const view = viewOf(value)
  if ((value.data as TypedArrayData).outOfBounds) {
    throw m.typeError("Cannot perform the operation on a detached or out-of-bounds ArrayBuffer")
  }
  return view
}

/** https://tc39.es/ecma262/#sec-typedarraygetelement — undefined beyond the end. */
export const getElement = (o: JSObject, index: number): Value => {
  const value = viewOf(o)[index]
  return value !== undefined && (o.data as TypedArrayData).type.half ? decodeFloat16(value) : value
}

/** An element as the host's view stores it, of a value that may run code of the program. */
export const toElement = (m: Agent, type: ElementType, value: Value): number | bigint =>
  type.bigint ? toBigInt(m, value) : type.half ? encodeFloat16(toNumber(m, value)) : toNumber(m, value)

/** https://tc39.es/ecma262/#sec-typedarraysetelement — nothing is stored where `index` is none of the array's. */
export const setElement = (m: Agent, o: JSObject, index: number, value: Value): void => {
  const element = toElement(m, (o.data as TypedArrayData).type, value)
  const view = viewOf(o)
  if (index < view.length) view[index] = element
}

/** Whether its elements are numbers, and not bigints. */
export const holdsNumbers = (o: JSObject): boolean => !(o.data as TypedArrayData).type.bigint

/** No index of an array; it stands for keys that are numbers, but not of elements: -1, 1.5, -0. */
const NO_INDEX = Infinity

/** The index that a key is, https://tc39.es/ecma262/#sec-canonicalnumericindexstring, or -1 for a key that is no number. */
const numericIndex = (key: PropertyKey): number => {
  if (typeof key === "number") return key
  if (typeof key !== "string") return -1
  const first = key.charCodeAt(0)
  // Texts of numbers begin with a digit, "-", "I" or "N".
  if (!((first >= 48 && first <= 57) || first === 45 || first === 73 || first === 78)) return -1
  return key === "-0" || (key.length < 32 && String(Number(key)) === key) ? NO_INDEX : -1
}

/** https://tc39.es/ecma262/#sec-typedarray-exotic-objects */
export const typedArrayMethods: InternalMethods = {
  ...ordinary,
  preventExtensions: (_m, o) => {
    const data: TypedArrayData = o.data
    const buffer: BufferData = data.buffer.data
    if (data.fixedLength === undefined || buffer.maxByteLength !== undefined) return false
    return ordinaryPreventExtensions(o)
  },
  getOwnProperty: (_m, o, key) => {
    const index = numericIndex(key)
    if (index < 0) return ordinaryGetOwnProperty(o, key)
    const value = getElement(o, index)
    return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true }
  },
  has: (m, o, key) => {
    const index = numericIndex(key)
    if (index >= 0) return index < viewOf(o).length
    if (o.shape.lookup(key) >= 0) return true
    const { proto } = o.shape
    return proto !== null && hasProperty(m, proto, key)
  },
  defineOwnProperty: (m, o, key, desc) => {
    const index = numericIndex(key)
    if (index < 0) return ordinary.defineOwnProperty(m, o, key, desc)
    if (!(index < viewOf(o).length)) return false
    if (
      desc.configurable === false || desc.enumerable === false || desc.writable === false || isAccessorDescriptor(desc)
    ) {
      return false
    }
    if ("value" in desc) setElement(m, o, index, desc.value)
    return true
  },
  get: (m, o, key, receiver) => {
    const index = numericIndex(key)
    if (index >= 0) return getElement(o, index)
    const slot = o.shape.lookup(key)
    if (slot >= 0) {
      const value = o.slots[slot]
      return value instanceof Accessor ? value.get === undefined ? undefined : m.call(value.get, receiver, []) : value
    }
    const { proto } = o.shape
    return proto === null ? undefined : getWithReceiver(m, proto, key, receiver)
  },
  set: (m, o, key, value, receiver) => {
    const index = numericIndex(key)
    if (index >= 0) {
      if (o === receiver) {
        setElement(m, o, index, value)
        return true
      }
      if (!(index < viewOf(o).length)) return true
    }
    return ordinarySet(m, o, key, value, receiver)
  },
  delete: (_m, o, key) => {
    const index = numericIndex(key)
    return index < 0 ? ordinaryDelete(o, key) : !(index < viewOf(o).length)
  },
  ownKeys: (m, o) => {
    const { length } = viewOf(o)
    m.charge(length)
    m.allocate(length * 8)
    const keys: Array<PropertyKey> = []
    for (let i = 0; i < length; i++) keys.push(i)
    return keys.concat(ordinaryOwnKeys(o))
  },
}
