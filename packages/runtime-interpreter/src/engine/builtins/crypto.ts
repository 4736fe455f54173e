import type { Machine } from "../machine/machine.ts"
import {
  type Intrinsics,
  isTypedArray,
  type Native,
  SymbolToStringTag,
  type TypedArrayData,
  validateTypedArray,
} from "../object/index.ts"
import { method, object, tag } from "./define.ts"
import { webError } from "./web-error.ts"

/** So many bytes are given out at once. */
const MAX_BYTES = 65536

const randomByte = (m: Machine): number => Math.floor(m.host.random() * 256) & 255

const integerTypes = new Set([
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "BigInt64Array",
  "BigUint64Array",
])

/** https://w3c.github.io/webcrypto/#Crypto-method-getRandomValues — from the run's source of random numbers. */
const getRandomValues: Native<Machine> = (m, _this, args) => {
  const array = args[0]
  if (!isTypedArray(array) || !integerTypes.has((array.data as TypedArrayData).type.name)) {
    throw webError(m, "TypeMismatchError", "The data argument must be an integer-type TypedArray")
  }
  const view = validateTypedArray(m, array)
  const { byteOffset, type } = array.data as TypedArrayData
  const length = view.length * type.size
  if (length > MAX_BYTES) throw webError(m, "QuotaExceededError", "The requested length exceeds 65,536 bytes")
  m.charge(10 + length * 4)
  const bytes = new Uint8Array(view.buffer, byteOffset, length)
  for (let i = 0; i < length; i++) bytes[i] = randomByte(m)
  return array
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0")

/** https://w3c.github.io/webcrypto/#Crypto-method-randomUUID */
const randomUuid: Native<Machine> = (m) => {
  m.charge(200)
  const bytes = Array.from({ length: 16 }, () => randomByte(m))
  bytes[6] = bytes[6]! & 0x0f | 0x40
  bytes[8] = bytes[8]! & 0x3f | 0x80
  const digits = bytes.map(hex).join("")
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]].map(([start, end]) => digits.slice(start, end)).join("-")
}

export const cryptoIntrinsics: Intrinsics = {
  crypto: object({ name: "crypto", proto: "CryptoPrototype", members: [] }),
  /** Neither method looks at `this`, so that both can be taken out of the object. */
  CryptoPrototype: object({
    name: "Crypto.prototype",
    members: [
      method("getRandomValues", 1, getRandomValues),
      method("randomUUID", 0, randomUuid),
      tag(SymbolToStringTag, "Crypto"),
    ],
  }),
}
