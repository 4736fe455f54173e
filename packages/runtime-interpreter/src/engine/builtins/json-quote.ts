import type { Machine } from "../machine/machine.ts"
import { type Calls, Pause } from "../object/index.ts"
import { hold } from "./iteration.ts"

/** Texts from here on are quoted by the host at once. */
const LONG_TEXT = 64

/** https://tc39.es/ecma262/#sec-quotejsonstring */
export const quote = (m: Machine, text: string): string => {
  const { length } = text
  if (length < LONG_TEXT) {
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 32 || unit === 34 || unit === 92 || (unit & 0xf800) === 0xd800) return JSON.stringify(text)
    }
    return `"${text}"`
  }
  m.charge(length >> 3)
  if (length * 6 > m.maxStringLength && quotedLength(m, text) > m.maxStringLength) {
    throw m.rangeError("Invalid string length")
  }
  m.allocate(length * 2)
  return JSON.stringify(text)
}

/** Longer texts are quoted in pieces of so many units. */
export const PIECE = 1 << 16

export function* quoteLong(m: Machine, text: string): Calls<string> {
  if (text.length <= PIECE) return quote(m, text)
  const pieces = ["\""]
  hold(m, pieces)
  let length = 2
  for (let start = 0; start < text.length;) {
    yield Pause
    let end = Math.min(start + PIECE, text.length)
    // The halves of a pair belong together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
    const piece = quote(m, text.slice(start, end)).slice(1, -1)
    length += piece.length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    pieces.push(piece)
    start = end
  }
  pieces.push("\"")
  m.allocate(length * 2)
  return pieces.join("")
}

/** An upper bound of a text's length in quotes. */
const quotedLength = (m: Machine, text: string): number => {
  m.charge(text.length >> 2)
  let length = 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    length += unit < 32 || (unit & 0xf800) === 0xd800 ? 6 : unit === 34 || unit === 92 ? 2 : 1
  }
  return length
}
