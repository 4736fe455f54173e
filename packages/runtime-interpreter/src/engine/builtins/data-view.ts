import type { Machine } from "../machine/machine.ts"
import {
  type BufferData,
  DataViewData,
  decodeFloat16,
  describe,
  encodeFloat16,
  type Intrinsics,
  isArrayBuffer,
  isObject,
  JSObject,
  Kind,
  type Native,
  newElements,
  prototypeFromConstructor,
  rootShape,
  SymbolToStringTag,
  toBigInt,
  toBoolean,
  toIndex,
  toNumber,
  type Value,
} from "../object/index.ts"
import { accessor, constructor, type Member, method, object, tag } from "./define.ts"

type PlainNative = Native<Machine>

const slotsOf = (m: Machine, value: Value, name: string): DataViewData => {
  if (!isObject(value) || value.kind !== Kind.DataView) {
    throw m.typeError(`Method DataView.prototype.${name} called on incompatible receiver ${describe(value)}`)
  }
  return value.data
}

/** The length in bytes, of a view that is not out of bounds. */
const lengthOf = (m: Machine, data: DataViewData, name: string): number => {
  const length = data.byteLength
  if (length < 0) {
    throw m.typeError(`Cannot perform DataView.prototype.${name} on a detached or out-of-bounds ArrayBuffer`)
  }
  return length
}

/** https://tc39.es/ecma262/#sec-dataview-buffer-byteoffset-bytelength */
const construct: PlainNative = (m, _this, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Constructor DataView requires 'new'")
  const buffer = args[0]
  if (!isArrayBuffer(buffer)) throw m.typeError("First argument to DataView constructor must be an ArrayBuffer")
  const data: BufferData = buffer.data
  const checkDetached = (): void => {
    if (data.detached) throw m.typeError("Cannot perform DataView on a detached ArrayBuffer")
  }
  const outside = (offset: number) => m.rangeError(`Start offset ${offset} is outside the bounds of the buffer`)
  const offset = toIndex(m, args[1])
  checkDetached()
  if (offset > data.bytes.length) throw outside(offset)
  let length: number | undefined
  if (args[2] !== undefined) {
    length = toIndex(m, args[2])
    if (offset + length > data.bytes.length) throw m.rangeError(`Invalid DataView length ${length}`)
  } else if (data.maxByteLength === undefined) length = data.bytes.length - offset
  const proto = prototypeFromConstructor(m, newTarget, "DataViewPrototype")
  checkDetached()
  if (offset > data.bytes.length) throw outside(offset)
  if (args[2] !== undefined && offset + length! > data.bytes.length) {
    throw m.rangeError(`Invalid DataView length ${length}`)
  }
  m.allocate(128)
  return new JSObject(
    rootShape(m.realm.space, proto),
    newElements(),
    Kind.DataView,
    new DataViewData(buffer, offset, length),
  )
}

/** https://tc39.es/ecma262/#sec-get-dataview.prototype.buffer */
const buffer: PlainNative = (m, thisValue) => slotsOf(m, thisValue, "buffer").buffer

/** https://tc39.es/ecma262/#sec-get-dataview.prototype.bytelength */
const byteLength: PlainNative = (m, thisValue) => lengthOf(m, slotsOf(m, thisValue, "byteLength"), "byteLength")

/** https://tc39.es/ecma262/#sec-get-dataview.prototype.byteoffset */
const byteOffset: PlainNative = (m, thisValue) => {
  const data = slotsOf(m, thisValue, "byteOffset")
  lengthOf(m, data, "byteOffset")
  return data.byteOffset
}

/** A type of element: its size in bytes, and how the host's view reads and writes it. */
interface Access {
  readonly type: string
  readonly size: number
  readonly get: (view: DataView, position: number, littleEndian: boolean) => number | bigint
  readonly set: (view: DataView, position: number, value: any, littleEndian: boolean) => void
}

const accesses: ReadonlyArray<Access> = [
  { type: "BigInt64", size: 8, get: (v, i, l) => v.getBigInt64(i, l), set: (v, i, x, l) => v.setBigInt64(i, x, l) },
  { type: "BigUint64", size: 8, get: (v, i, l) => v.getBigUint64(i, l), set: (v, i, x, l) => v.setBigUint64(i, x, l) },
  {
    type: "Float16",
    size: 2,
    get: (v, i, l) => decodeFloat16(v.getUint16(i, l)),
    set: (v, i, x, l) => v.setUint16(i, encodeFloat16(x), l),
  },
  { type: "Float32", size: 4, get: (v, i, l) => v.getFloat32(i, l), set: (v, i, x, l) => v.setFloat32(i, x, l) },
  { type: "Float64", size: 8, get: (v, i, l) => v.getFloat64(i, l), set: (v, i, x, l) => v.setFloat64(i, x, l) },
  { type: "Int8", size: 1, get: (v, i) => v.getInt8(i), set: (v, i, x) => v.setInt8(i, x) },
  { type: "Int16", size: 2, get: (v, i, l) => v.getInt16(i, l), set: (v, i, x, l) => v.setInt16(i, x, l) },
  { type: "Int32", size: 4, get: (v, i, l) => v.getInt32(i, l), set: (v, i, x, l) => v.setInt32(i, x, l) },
  { type: "Uint8", size: 1, get: (v, i) => v.getUint8(i), set: (v, i, x) => v.setUint8(i, x) },
  { type: "Uint16", size: 2, get: (v, i, l) => v.getUint16(i, l), set: (v, i, x, l) => v.setUint16(i, x, l) },
  { type: "Uint32", size: 4, get: (v, i, l) => v.getUint32(i, l), set: (v, i, x, l) => v.setUint32(i, x, l) },
]

const checkBounds = (m: Machine, data: DataViewData, index: number, size: number, name: string): void => {
  if (index + size > lengthOf(m, data, name)) throw m.rangeError("Offset is outside the bounds of the DataView")
}

/** https://tc39.es/ecma262/#sec-getviewvalue */
const getter = ({ get, size, type }: Access): Member => {
  const name = `get${type}`
  return method(name, 1, (m, thisValue, args) => {
    const data = slotsOf(m, thisValue, name)
    const index = toIndex(m, args[0])
    const littleEndian = toBoolean(args[1])
    checkBounds(m, data, index, size, name)
    return get(data.whole, data.byteOffset + index, littleEndian)
  })
}

/** https://tc39.es/ecma262/#sec-setviewvalue */
const setter = ({ set, size, type }: Access): Member => {
  const name = `set${type}`
  const isBigInt = type.startsWith("Big")
  return method(name, 2, (m, thisValue, args) => {
    const data = slotsOf(m, thisValue, name)
    const index = toIndex(m, args[0])
    const value = isBigInt ? toBigInt(m, args[1]) : toNumber(m, args[1])
    const littleEndian = toBoolean(args[2])
    checkBounds(m, data, index, size, name)
    set(data.whole, data.byteOffset + index, value, littleEndian)
    return undefined
  })
}

export const dataViewIntrinsics: Intrinsics = {
  DataView: constructor({ name: "DataView", length: 1, prototype: "DataViewPrototype", impl: construct }),
  DataViewPrototype: object({
    name: "DataView.prototype",
    constructor_: "DataView",
    members: [
      accessor("buffer", buffer),
      accessor("byteLength", byteLength),
      accessor("byteOffset", byteOffset),
      ...accesses.map(getter),
      ...accesses.map(setter),
      tag(SymbolToStringTag, "DataView"),
    ],
  }),
}
