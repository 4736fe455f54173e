import type { Machine } from "../machine/machine.ts"
import {
  allocateBytes,
  BufferData,
  describe,
  detachBuffer,
  get,
  type Intrinsics,
  isArrayBuffer,
  isObject,
  JSObject,
  Kind,
  MAX_BUFFER_LENGTH,
  type Native,
  prototypeFromConstructor,
  resizeBuffer,
  rootShape,
  speciesConstructor,
  SymbolSpecies,
  SymbolToStringTag,
  toIndex,
  toRelativeIndex,
  type Value,
} from "../object/index.ts"
import { accessor, constructor, method, object, tag } from "./define.ts"

type PlainNative = Native<Machine>

const slotsOf = (m: Machine, value: Value, name: string): BufferData => {
  if (!isArrayBuffer(value)) {
    throw m.typeError(`Method ArrayBuffer.prototype.${name} called on incompatible receiver ${describe(value)}`)
  }
  return value.data
}

const requireAttached = (m: Machine, data: BufferData, name: string): void => {
  if (data.detached) throw m.typeError(`Cannot perform ArrayBuffer.prototype.${name} on a detached ArrayBuffer`)
}

/** An `ArrayBuffer` of the realm's own constructor over bytes that are its own from now on. */
export const newArrayBuffer = (m: Machine, bytes: Uint8Array, maxByteLength?: number): JSObject => {
  m.allocate(128)
  return m.realm.newObjectOf(Kind.ArrayBuffer, "ArrayBufferPrototype", new BufferData(bytes, maxByteLength))
}

/** https://tc39.es/ecma262/#sec-getarraybuffermaxbytelengthoption */
const maxByteLengthOption = (m: Machine, options: Value): number | undefined => {
  if (!isObject(options)) return undefined
  const max = get(m, options, "maxByteLength")
  return max === undefined ? undefined : toIndex(m, max)
}

/** https://tc39.es/ecma262/#sec-arraybuffer-length */
const construct: PlainNative = (m, _this, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Constructor ArrayBuffer requires 'new'")
  const length = toIndex(m, args[0])
  const max = maxByteLengthOption(m, args[1])
  // https://tc39.es/ecma262/#sec-allocatearraybuffer
  if (max !== undefined && length > max) throw m.rangeError("Invalid array buffer max length")
  const proto = prototypeFromConstructor(m, newTarget, "ArrayBufferPrototype")
  if (max !== undefined && max > MAX_BUFFER_LENGTH) throw m.rangeError("Array buffer allocation failed")
  m.allocate(128)
  return new JSObject(
    rootShape(m.realm.space, proto),
    [],
    Kind.ArrayBuffer,
    new BufferData(allocateBytes(m, length), max),
  )
}

/** https://tc39.es/ecma262/#sec-arraybuffer.isview */
const isView: PlainNative = (_m, _this, [value]) =>
  isObject(value) && (value.kind === Kind.TypedArray || value.kind === Kind.DataView)

/** https://tc39.es/ecma262/#sec-get-arraybuffer.prototype.bytelength */
const byteLength: PlainNative = (m, thisValue) => slotsOf(m, thisValue, "byteLength").bytes.length

/** https://tc39.es/ecma262/#sec-get-arraybuffer.prototype.detached */
const detached: PlainNative = (m, thisValue) => slotsOf(m, thisValue, "detached").detached

/** https://tc39.es/ecma262/#sec-get-arraybuffer.prototype.maxbytelength */
const maxByteLength: PlainNative = (m, thisValue) => {
  const data = slotsOf(m, thisValue, "maxByteLength")
  return data.detached ? 0 : data.maxByteLength ?? data.bytes.length
}

/** https://tc39.es/ecma262/#sec-get-arraybuffer.prototype.resizable */
const resizable: PlainNative = (m, thisValue) => slotsOf(m, thisValue, "resizable").maxByteLength !== undefined

/** https://tc39.es/ecma262/#sec-arraybuffer.prototype.resize */
const resize: PlainNative = (m, thisValue, args) => {
  const data = slotsOf(m, thisValue, "resize")
  if (data.maxByteLength === undefined) {
    throw m.typeError(`Method ArrayBuffer.prototype.resize called on incompatible receiver ${describe(thisValue)}`)
  }
  const length = toIndex(m, args[0])
  requireAttached(m, data, "resize")
  if (length > data.maxByteLength) throw m.rangeError("ArrayBuffer.prototype.resize: Invalid length parameter")
  resizeBuffer(m, data, length)
  return undefined
}

/** https://tc39.es/ecma262/#sec-arraybuffer.prototype.slice */
const slice: PlainNative = (m, thisValue, args) => {
  const data = slotsOf(m, thisValue, "slice")
  requireAttached(m, data, "slice")
  const { length } = data.bytes
  const first = toRelativeIndex(m, args[0], length, 0)
  const final = toRelativeIndex(m, args[1], length, length)
  const count = Math.max(final - first, 0)
  const species = speciesConstructor(m, thisValue as JSObject, "ArrayBuffer")
  const result = species === undefined ? newArrayBuffer(m, allocateBytes(m, count)) : m.construct(species, [count])
  const target = slotsOf(m, result, "slice")
  requireAttached(m, target, "slice")
  if (target === data) throw m.typeError("ArrayBuffer subclass returned this from species constructor")
  if (target.bytes.length < count) throw m.typeError("Species constructor returned a too small ArrayBuffer")
  requireAttached(m, data, "slice")
  if (first < data.bytes.length) {
    m.charge(count >>> 6)
    target.bytes.set(data.bytes.subarray(first, Math.min(first + count, data.bytes.length)))
  }
  return result
}

/** https://tc39.es/ecma262/#sec-arraybuffercopyanddetach */
const copyAndDetach = (
  m: Machine,
  thisValue: Value,
  args: Array<Value>,
  name: string,
  keepResizable: boolean,
): Value => {
  const data = slotsOf(m, thisValue, name)
  const length = args[0] === undefined ? data.bytes.length : toIndex(m, args[0])
  requireAttached(m, data, name)
  const max = keepResizable ? data.maxByteLength : undefined
  if (max !== undefined && length > max) throw m.rangeError("Invalid array buffer length")
  let { bytes } = data
  if (length !== bytes.length) {
    bytes = allocateBytes(m, length)
    m.charge(Math.min(length, data.bytes.length) >>> 6)
    bytes.set(length < data.bytes.length ? data.bytes.subarray(0, length) : data.bytes)
  }
  detachBuffer(data)
  return newArrayBuffer(m, bytes, max)
}

/** https://tc39.es/ecma262/#sec-arraybuffer.prototype.transfer */
const transfer: PlainNative = (m, thisValue, args) => copyAndDetach(m, thisValue, args, "transfer", true)

/** https://tc39.es/ecma262/#sec-arraybuffer.prototype.transfertofixedlength */
const transferToFixedLength: PlainNative = (m, thisValue, args) =>
  copyAndDetach(m, thisValue, args, "transferToFixedLength", false)

export const arrayBufferIntrinsics: Intrinsics = {
  ArrayBuffer: constructor({
    name: "ArrayBuffer",
    length: 1,
    prototype: "ArrayBufferPrototype",
    impl: construct,
    members: [method("isView", 1, isView), accessor(SymbolSpecies, (_m, thisValue) => thisValue)],
  }),
  ArrayBufferPrototype: object({
    name: "ArrayBuffer.prototype",
    constructor_: "ArrayBuffer",
    members: [
      accessor("byteLength", byteLength),
      accessor("detached", detached),
      accessor("maxByteLength", maxByteLength),
      accessor("resizable", resizable),
      method("resize", 1, resize),
      method("slice", 2, slice),
      method("transfer", 0, transfer),
      method("transferToFixedLength", 0, transferToFixedLength),
      tag(SymbolToStringTag, "ArrayBuffer"),
    ],
  }),
}
