import type { Machine } from "../machine/machine.ts"
import {
  allocateBytes,
  createDataPropertyOrThrow,
  describe,
  type GeneratorNative,
  get,
  isObject,
  isTypedArray,
  type JSObject,
  toBoolean,
  type TypedArrayData,
  uint8Elements,
  validateTypedArray,
  type Value,
  viewOf,
} from "../object/index.ts"
import {
  type Alphabet,
  decodeBase64,
  type Decoded,
  decodeHex,
  encodeBase64,
  encodeHex,
  type LastChunk,
  maxDecodedLength,
} from "./base64.ts"
import { generatorMethod, type Member } from "./define.ts"
import { newTypedArray } from "./typed-array-create.ts"

/** https://tc39.es/ecma262/#sec-validateuint8array */
const requireBytes = (m: Machine, value: Value): JSObject => {
  if (!isTypedArray(value) || (value.data as TypedArrayData).type.name !== "Uint8Array") {
    throw m.typeError(`${describe(value)} is not a Uint8Array`)
  }
  return value
}

/** The array's bytes, for the host's functions. */
const bytesOf = (m: Machine, o: JSObject): Uint8Array => validateTypedArray(m, o) as unknown as Uint8Array

const requireText = (m: Machine, value: Value): string => {
  if (typeof value !== "string") throw m.typeError("The text to decode must be a string")
  m.charge(8)
  return value
}

/** https://tc39.es/ecma262/#sec-getoptionsobject */
const optionsOf = (m: Machine, value: Value): JSObject => {
  if (value === undefined) return m.realm.newObjectWith(null)
  if (!isObject(value)) throw m.typeError("options must be an object")
  return value
}

const alphabetOption = (m: Machine, options: JSObject): Alphabet => {
  const alphabet = get(m, options, "alphabet")
  if (alphabet === undefined) return "base64"
  if (alphabet !== "base64" && alphabet !== "base64url") throw m.typeError(`alphabet must be "base64" or "base64url"`)
  return alphabet
}

const lastChunkOption = (m: Machine, options: JSObject): LastChunk => {
  const handling = get(m, options, "lastChunkHandling")
  if (handling === undefined) return "loose"
  if (handling !== "loose" && handling !== "strict" && handling !== "stop-before-partial") {
    throw m.typeError(`lastChunkHandling must be "loose", "strict" or "stop-before-partial"`)
  }
  return handling
}

const fromDecoded = (m: Machine, buffer: Uint8Array, { error, written }: Decoded): Value => {
  if (error !== undefined) throw m.syntaxError(error)
  const result = newTypedArray(m, uint8Elements, written)
  const target = viewOf(result) as unknown as Uint8Array
  target.set(buffer.subarray(0, written))
  return result
}

/** https://tc39.es/ecma262/#sec-uint8array.frombase64 */
const fromBase64: GeneratorNative<Machine> = function*(m, _this, args) {
  const text = requireText(m, args[0])
  const options = optionsOf(m, args[1])
  const alphabet = alphabetOption(m, options)
  const lastChunk = lastChunkOption(m, options)
  const buffer = allocateBytes(m, maxDecodedLength(text.length))
  return fromDecoded(m, buffer, yield* decodeBase64(m, text, buffer, alphabet, lastChunk))
}

/** https://tc39.es/ecma262/#sec-uint8array.fromhex */
const fromHex: GeneratorNative<Machine> = function*(m, _this, args) {
  const text = requireText(m, args[0])
  const buffer = allocateBytes(m, text.length >> 1)
  return fromDecoded(m, buffer, yield* decodeHex(m, text, buffer))
}

const report = (m: Machine, { error, read, written }: Decoded): Value => {
  if (error !== undefined) throw m.syntaxError(error)
  const result = m.realm.newObject()
  createDataPropertyOrThrow(m, result, "read", read)
  createDataPropertyOrThrow(m, result, "written", written)
  return result
}

/** https://tc39.es/ecma262/#sec-uint8array.prototype.setfrombase64 */
const setFromBase64: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const into = requireBytes(m, thisValue)
  const text = requireText(m, args[0])
  const options = optionsOf(m, args[1])
  const alphabet = alphabetOption(m, options)
  const lastChunk = lastChunkOption(m, options)
  return report(m, yield* decodeBase64(m, text, bytesOf(m, into), alphabet, lastChunk))
}

/** https://tc39.es/ecma262/#sec-uint8array.prototype.setfromhex */
const setFromHex: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const into = requireBytes(m, thisValue)
  const text = requireText(m, args[0])
  return report(m, yield* decodeHex(m, text, bytesOf(m, into)))
}

/** Pays for a text before it is made. */
const meterText = (m: Machine, length: number): void => {
  if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
  m.charge(8)
  m.allocate(length * 2)
}

/** https://tc39.es/ecma262/#sec-uint8array.prototype.tobase64 */
const toBase64: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const o = requireBytes(m, thisValue)
  const options = optionsOf(m, args[0])
  const alphabet = alphabetOption(m, options)
  const omitPadding = toBoolean(get(m, options, "omitPadding"))
  const bytes = bytesOf(m, o)
  meterText(m, Math.ceil(bytes.length / 3) * 4)
  return yield* encodeBase64(m, bytes, alphabet, !omitPadding)
}

/** https://tc39.es/ecma262/#sec-uint8array.prototype.tohex */
const toHex: GeneratorNative<Machine> = function*(m, thisValue) {
  const bytes = bytesOf(m, requireBytes(m, thisValue))
  meterText(m, bytes.length * 2)
  return yield* encodeHex(m, bytes)
}

export const uint8ArrayMembers: ReadonlyArray<Member> = [
  generatorMethod("fromBase64", 1, fromBase64),
  generatorMethod("fromHex", 1, fromHex),
]

export const uint8ArrayPrototypeMembers: ReadonlyArray<Member> = [
  generatorMethod("setFromBase64", 1, setFromBase64),
  generatorMethod("setFromHex", 1, setFromHex),
  generatorMethod("toBase64", 0, toBase64),
  generatorMethod("toHex", 0, toHex),
]
