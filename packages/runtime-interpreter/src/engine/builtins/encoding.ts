import type { Machine } from "../machine/machine.ts"
import {
  allocateBytes,
  type BufferData,
  type Calls,
  createDataPropertyOrThrow,
  createFromConstructor,
  type DataViewData,
  defineGeneratorNative,
  describe,
  type GeneratorNative,
  get,
  type Intrinsics,
  isObject,
  isTypedArray,
  type JSObject,
  Kind,
  type Native,
  Pause,
  SymbolToStringTag,
  toBoolean,
  toString,
  type TypedArrayData,
  uint8Elements,
  type Value,
  viewOf,
} from "../object/index.ts"
import { newArrayBuffer } from "./array-buffer.ts"
import { decodeBase64, encodeBase64, maxDecodedLength } from "./base64.ts"
import { accessor, constructor, generatorMethod, intrinsicFunction, object, tag } from "./define.ts"
import { typedArrayOver } from "./typed-array-create.ts"
import { type DecoderState, decodeUtf8, encodeUtf8, newDecoderState, utf8Length } from "./utf8.ts"
import { webError } from "./web-error.ts"

type PlainNative = Native<Machine>

const slotsOf = <A extends { readonly brand: string }>(
  m: Machine,
  value: Value,
  brand: A["brand"],
  name: string,
): A => {
  if (!isObject(value) || value.kind !== Kind.Internal || value.data.brand !== brand) {
    throw m.typeError(`Method ${brand}.prototype.${name} called on incompatible receiver ${describe(value)}`)
  }
  return value.data
}

// ---------------------------------------------------------------------------------------------------------------------
// https://encoding.spec.whatwg.org/#interface-textencoder
// ---------------------------------------------------------------------------------------------------------------------

interface EncoderSlots {
  readonly brand: "TextEncoder"
}

const constructEncoder: PlainNative = (m, _this, _args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Class constructor TextEncoder cannot be invoked without 'new'")
  m.allocate(64)
  const slots: EncoderSlots = { brand: "TextEncoder" }
  return createFromConstructor(m, newTarget, "TextEncoderPrototype", Kind.Internal, slots)
}

const encode: GeneratorNative<Machine> = function*(m, thisValue, args) {
  slotsOf<EncoderSlots>(m, thisValue, "TextEncoder", "encode")
  const text = args[0] === undefined ? "" : toString(m, args[0])
  m.charge(8)
  const bytes = allocateBytes(m, yield* utf8Length(m, text))
  yield* encodeUtf8(m, text, bytes)
  return typedArrayOver(m, uint8Elements, newArrayBuffer(m, bytes), 0, bytes.length)
}

const encodeInto: GeneratorNative<Machine> = function*(m, thisValue, args) {
  slotsOf<EncoderSlots>(m, thisValue, "TextEncoder", "encodeInto")
  const text = toString(m, args[0])
  const target = args[1]
  if (!isTypedArray(target) || (target.data as TypedArrayData).type !== uint8Elements) {
    throw m.typeError("The \"dest\" argument must be an instance of Uint8Array")
  }
  m.charge(8)
  const { read, written } = yield* encodeUtf8(m, text, viewOf(target) as unknown as Uint8Array)
  const result = m.realm.newObject()
  createDataPropertyOrThrow(m, result, "read", read)
  createDataPropertyOrThrow(m, result, "written", written)
  return result
}

// ---------------------------------------------------------------------------------------------------------------------
// https://encoding.spec.whatwg.org/#interface-textdecoder
// ---------------------------------------------------------------------------------------------------------------------

interface DecoderSlots {
  readonly brand: "TextDecoder"
  readonly fatal: boolean
  readonly ignoreBom: boolean
  state: DecoderState
  /** Whether the last call said that more would follow. */
  more: boolean
}

/** https://encoding.spec.whatwg.org/#names-and-labels */
const labels = new Set(["unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "utf-8", "utf8", "x-unicode20utf8"])

const optionsOf = (m: Machine, value: Value): JSObject | undefined => {
  if (value === undefined || value === null) return undefined
  if (!isObject(value)) throw m.typeError("The \"options\" argument must be of type object")
  return value
}

const flag = (m: Machine, options: JSObject | undefined, name: string): boolean =>
  options !== undefined && toBoolean(get(m, options, name))

const constructDecoder: PlainNative = (m, _this, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Class constructor TextDecoder cannot be invoked without 'new'")
  const label = args[0] === undefined ? "utf-8" : toString(m, args[0])
  if (label.length > 64 || !labels.has(label.trim().toLowerCase())) {
    throw m.rangeError(`The "${label.slice(0, 64)}" encoding is not supported: programs have UTF-8 only`)
  }
  const options = optionsOf(m, args[1])
  m.allocate(128)
  const slots: DecoderSlots = {
    brand: "TextDecoder",
    fatal: flag(m, options, "fatal"),
    ignoreBom: flag(m, options, "ignoreBOM"),
    state: newDecoderState(),
    more: false,
  }
  return createFromConstructor(m, newTarget, "TextDecoderPrototype", Kind.Internal, slots)
}

/** The bytes that a buffer or a view of one has. */
const bytesOf = (m: Machine, value: Value): Uint8Array => {
  if (value === undefined) return new Uint8Array(0)
  if (isObject(value)) {
    if (value.kind === Kind.ArrayBuffer) return (value.data as BufferData).bytes
    if (value.kind === Kind.TypedArray || value.kind === Kind.DataView) {
      const data: TypedArrayData | DataViewData = value.data
      const length = isTypedArray(value)
        ? viewOf(value).length * (data as TypedArrayData).type.size
        : (data as DataViewData).byteLength
      const { bytes }: BufferData = data.buffer.data
      return length > 0 ? bytes.subarray(data.byteOffset, data.byteOffset + length) : new Uint8Array(0)
    }
  }
  throw m.typeError("The \"list\" argument must be an instance of ArrayBuffer or ArrayBufferView")
}

const decode: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const slots = slotsOf<DecoderSlots>(m, thisValue, "TextDecoder", "decode")
  const more = flag(m, optionsOf(m, args[1]), "stream")
  const bytes = bytesOf(m, args[0])
  if (!slots.more) slots.state = newDecoderState()
  slots.more = more
  if (bytes.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  m.charge(8)
  m.allocate(bytes.length * 2)
  const text = yield* decodeUtf8(m, slots.state, bytes, { fatal: slots.fatal, ignoreBom: slots.ignoreBom, more })
  if (text === null) throw m.typeError("The encoded data was not valid for encoding utf-8")
  return text
}

const encoding = (brand: "TextEncoder" | "TextDecoder"): PlainNative => (m, thisValue) => {
  slotsOf(m, thisValue, brand, "encoding")
  return "utf-8"
}

// ---------------------------------------------------------------------------------------------------------------------
// https://html.spec.whatwg.org/multipage/webappapis.html#atob
// ---------------------------------------------------------------------------------------------------------------------

/** So many characters are looked at between two pauses. */
const BLOCK = 1 << 14

const atob: GeneratorNative<Machine> = function*(m, _this, args) {
  if (args.length === 0) throw m.typeError("The \"data\" argument must be specified")
  const data = toString(m, args[0])
  m.charge(8)
  m.allocate(data.length * 2)
  const invalid = () => webError(m, "InvalidCharacterError", "The string to be decoded is not correctly encoded.")
  // https://infra.spec.whatwg.org/#forgiving-base64-decode
  let digits = yield* stripWhitespace(m, data)
  if (digits.length % 4 === 0) digits = digits.replace(/={1,2}$/, "")
  if (digits.length % 4 === 1 || digits.includes("=")) throw invalid()
  const bytes = allocateBytes(m, maxDecodedLength(digits.length))
  const { error, written } = yield* decodeBase64(m, digits, bytes, "base64", "loose")
  if (error !== undefined) throw invalid()
  return latin1(bytes.subarray(0, written))
}

function* stripWhitespace(m: Machine, text: string): Calls<string> {
  let stripped = ""
  for (let i = 0; i < text.length; i += BLOCK) {
    if (i > 0) yield Pause
    m.charge(Math.min(BLOCK, text.length - i))
    stripped += text.slice(i, i + BLOCK).replace(/[\t\n\f\r ]+/g, "")
  }
  return stripped
}

const latin1 = (bytes: Uint8Array): string => {
  let text = ""
  for (let i = 0; i < bytes.length; i += 4096) {
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + 4096) as unknown as Array<number>)
  }
  return text
}

const btoa: GeneratorNative<Machine> = function*(m, _this, args) {
  if (args.length === 0) throw m.typeError("The \"data\" argument must be specified")
  const data = toString(m, args[0])
  if (Math.ceil(data.length / 3) * 4 > m.maxStringLength) throw m.rangeError("Invalid string length")
  m.charge(8)
  m.allocate(data.length * 3)
  const bytes = allocateBytes(m, data.length)
  for (let i = 0; i < data.length; i++) {
    if (i % BLOCK === BLOCK - 1) {
      m.charge(BLOCK >> 2)
      yield Pause
    }
    const code = data.charCodeAt(i)
    if (code > 255) {
      throw webError(m, "InvalidCharacterError", "Invalid character: btoa takes characters up to U+00FF only")
    }
    bytes[i] = code
  }
  return yield* encodeBase64(m, bytes, "base64", true)
}

export const encodingIntrinsics: Intrinsics = {
  TextEncoder: constructor({
    name: "TextEncoder",
    length: 0,
    prototype: "TextEncoderPrototype",
    impl: constructEncoder,
  }),
  TextEncoderPrototype: object({
    name: "TextEncoder.prototype",
    constructor_: "TextEncoder",
    members: [
      accessor("encoding", encoding("TextEncoder")),
      generatorMethod("encode", 0, encode),
      generatorMethod("encodeInto", 2, encodeInto),
      tag(SymbolToStringTag, "TextEncoder"),
    ],
  }),
  TextDecoder: constructor({
    name: "TextDecoder",
    length: 0,
    prototype: "TextDecoderPrototype",
    impl: constructDecoder,
  }),
  TextDecoderPrototype: object({
    name: "TextDecoder.prototype",
    constructor_: "TextDecoder",
    members: [
      accessor("encoding", encoding("TextDecoder")),
      accessor("fatal", (m, thisValue) => slotsOf<DecoderSlots>(m, thisValue, "TextDecoder", "fatal").fatal),
      accessor(
        "ignoreBOM",
        (m, thisValue) => slotsOf<DecoderSlots>(m, thisValue, "TextDecoder", "ignoreBOM").ignoreBom,
      ),
      generatorMethod("decode", 0, decode),
      tag(SymbolToStringTag, "TextDecoder"),
    ],
  }),
  atob: intrinsicFunction(defineGeneratorNative("atob", 1, atob)),
  btoa: intrinsicFunction(defineGeneratorNative("btoa", 1, btoa)),
}
