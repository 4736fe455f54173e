/**
 * Base64 and hexadecimal text, https://tc39.es/ecma262/#sec-uint8array-objects: functions over the host's bytes that run no
 * code of the program, and pause while they work on much.
 */
import { type Agent, type Calls, Pause } from "../object/index.ts"

const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`

export type Alphabet = "base64" | "base64url"
export type LastChunk = "loose" | "strict" | "stop-before-partial"

/** Values by character code, -1 for the others. */
const table = (digits: string): Int8Array => {
  const values = new Int8Array(128).fill(-1)
  for (let i = 0; i < digits.length; i++) values[digits.charCodeAt(i)] = i
  return values
}

const tables: Record<Alphabet, Int8Array> = { base64: table(STANDARD), base64url: table(URL_SAFE) }

const EQUALS = 61

/** So many bytes are worked on between two pauses: a multiple of three, which is what a group of digits holds. */
const BLOCK = 3 << 12

const isAsciiWhitespace = (code: number): boolean =>
  code === 32 || code === 9 || code === 10 || code === 12 || code === 13

export interface Decoded {
  /** Characters read. */
  readonly read: number
  /** Bytes written to the target. */
  readonly written: number
  /** What is wrong with the text after them, if anything. */
  readonly error: string | undefined
}

/** https://tc39.es/ecma262/#sec-frombase64 — decodes into `target`, as far as it goes. */
export function* decodeBase64(
  m: Agent,
  text: string,
  target: Uint8Array,
  alphabet: Alphabet,
  lastChunk: LastChunk,
): Calls<Decoded> {
  const { length } = text
  const values = tables[alphabet]
  let read = 0
  let written = 0
  let chunk = 0
  let chunkLength = 0
  let index = 0
  const done = (error?: string): Decoded => ({ read, written, error })
  const skip = (): void => {
    while (index < length && isAsciiWhitespace(text.charCodeAt(index))) index++
  }
  /** The two or three digits before the end or the padding. */
  const final = (strict: boolean): Decoded => {
    const spare = chunkLength === 2 ? 4 : 2
    if (strict && (chunk & ((1 << spare) - 1)) !== 0) return done("Extra bits after the last byte of a base64 text")
    chunk >>= spare
    if (chunkLength === 3) target[written++] = chunk >> 8
    target[written++] = chunk & 255
    read = length
    return done()
  }
  if (target.length === 0) return done()
  for (;;) {
    skip()
    if (index === length) {
      if (chunkLength === 0) {
        read = length
        return done()
      }
      if (lastChunk === "stop-before-partial") return done()
      if (lastChunk === "strict" || chunkLength === 1) {
        return done("Missing padding or digits at the end of a base64 text")
      }
      return final(false)
    }
    const code = text.charCodeAt(index++)
    if (code === EQUALS) {
      if (chunkLength < 2) return done("Padding in the wrong place of a base64 text")
      skip()
      if (chunkLength === 2) {
        if (index === length) {
          return lastChunk === "stop-before-partial"
            ? done()
            : done("Missing padding of a base64 text")
        }
        if (text.charCodeAt(index) === EQUALS) {
          index++
          skip()
        }
      }
      if (index < length) return done("Text after the padding of a base64 text")
      return final(lastChunk === "strict")
    }
    const value = code < 128 ? values[code]! : -1
    if (value < 0) return done("Invalid character in a base64 text")
    const remaining = target.length - written
    if ((remaining === 1 && chunkLength === 2) || (remaining === 2 && chunkLength === 3)) return done()
    chunk = (chunk << 6) | value
    if (++chunkLength === 4) {
      target[written++] = chunk >> 16
      target[written++] = (chunk >> 8) & 255
      target[written++] = chunk & 255
      chunk = chunkLength = 0
      read = index
      if (written === target.length) return done()
      if (written % BLOCK === 0) {
        m.charge(BLOCK)
        yield Pause
      }
    }
  }
}

/** More bytes than a base64 text of this length can hold. */
export const maxDecodedLength = (length: number): number => Math.ceil(length / 4) * 3

/** The text of these character codes, in pieces that the host makes without a rope of single characters. */
const textOf = (codes: Uint8Array): string => {
  let text = ""
  for (let i = 0; i < codes.length; i += 4096) {
    text += String.fromCharCode.apply(null, codes.subarray(i, i + 4096) as unknown as Array<number>)
  }
  return text
}

/** Encodes block by block. */
function* encodeBlocks(m: Agent, bytes: Uint8Array, encode: (block: Uint8Array) => Uint8Array): Calls<string> {
  let text = ""
  for (let i = 0; i < bytes.length; i += BLOCK) {
    if (i > 0) yield Pause
    m.charge(Math.min(BLOCK, bytes.length - i))
    text += textOf(encode(bytes.subarray(i, i + BLOCK)))
  }
  return text
}

const codesOf = (digits: string): Uint8Array => Uint8Array.from(digits, (digit) => digit.charCodeAt(0))

const encodings: Record<Alphabet, Uint8Array> = { base64: codesOf(STANDARD), base64url: codesOf(URL_SAFE) }

/** https://tc39.es/ecma262/#sec-uint8array.prototype.tobase64 */
export const encodeBase64 = (m: Agent, bytes: Uint8Array, alphabet: Alphabet, padding: boolean): Calls<string> => {
  const digits = encodings[alphabet]
  return encodeBlocks(m, bytes, (block) => {
    const { length } = block
    const codes = new Uint8Array(padding ? Math.ceil(length / 3) * 4 : Math.ceil(length * 4 / 3)).fill(EQUALS)
    let at = 0
    for (let i = 0; i < length; i += 3) {
      const n = (block[i]! << 16) | ((block[i + 1] ?? 0) << 8) | (block[i + 2] ?? 0)
      codes[at++] = digits[n >> 18]!
      codes[at++] = digits[(n >> 12) & 63]!
      if (i + 1 < length) codes[at++] = digits[(n >> 6) & 63]!
      if (i + 2 < length) codes[at++] = digits[n & 63]!
    }
    return codes
  })
}

const hexValue = (code: number): number =>
  code >= 48 && code <= 57
    ? code - 48
    : code >= 97 && code <= 102
    ? code - 87
    : code >= 65 && code <= 70
    ? code - 55
    : -1

/** https://tc39.es/ecma262/#sec-fromhex — decodes into `target`, as far as it goes. */
export function* decodeHex(m: Agent, text: string, target: Uint8Array): Calls<Decoded> {
  if (text.length % 2 !== 0) {
    return { read: 0, written: 0, error: "A hexadecimal text must have an even number of digits" }
  }
  let written = 0
  while (written < target.length && written * 2 < text.length) {
    const high = hexValue(text.charCodeAt(written * 2))
    const low = hexValue(text.charCodeAt(written * 2 + 1))
    if (high < 0 || low < 0) return { read: written * 2, written, error: "Invalid character in a hexadecimal text" }
    target[written++] = high * 16 + low
    if (written % BLOCK === 0) {
      m.charge(BLOCK)
      yield Pause
    }
  }
  return { read: written * 2, written, error: undefined }
}

const hexDigits = codesOf("0123456789abcdef")

/** https://tc39.es/ecma262/#sec-uint8array.prototype.tohex */
export const encodeHex = (m: Agent, bytes: Uint8Array): Calls<string> =>
  encodeBlocks(m, bytes, (block) => {
    const codes = new Uint8Array(block.length * 2)
    for (let i = 0; i < block.length; i++) {
      codes[i * 2] = hexDigits[block[i]! >> 4]!
      codes[i * 2 + 1] = hexDigits[block[i]! & 15]!
    }
    return codes
  })
