import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import { type Calls, Pause, type Value } from "../object/index.ts"
import { reserveString } from "./text.ts"

export type NormalizationForm = "NFC" | "NFD" | "NFKC" | "NFKD"

/** How much is normalized at once, in UTF-16 code units. */
const PIECE = 4096

/** The most marks in a row: hosts put them in order in a time that grows with the square of their number. */
const MAX_MARKS = 4096

const mark = /\p{M}/u
const manyMarks = /\p{M}{16,5000}/gu

/** Normalizes a text piece by piece, each of which ends where nothing that follows is joined with it. */
export const normalizeText = (m: Machine, text: string, form: NormalizationForm): Value => {
  if (text.length <= PIECE) return normalizePiece(m, text, form)
  const parts: Array<string> = []
  return inSteps(m, [text, parts], normalizeSteps(m, text, form, parts))
}

function* normalizeSteps(m: Machine, text: string, form: NormalizationForm, parts: Array<string>): Calls {
  let length = 0
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE, text.length)
    while (end < text.length && !isBoundary(text, end)) {
      if (end - start > PIECE + 2 * MAX_MARKS) throw tooManyMarks(m)
      end++
    }
    const piece = normalizePiece(m, text.slice(start, end), form)
    length += piece.length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    parts.push(piece)
    start = end
    yield Pause
  }
  reserveString(m, length)
  return parts.join("")
}

const normalizePiece = (m: Machine, piece: string, form: NormalizationForm): string => {
  m.charge(piece.length * 2)
  for (const { 0: { length } } of piece.matchAll(manyMarks)) {
    if (length > MAX_MARKS) throw tooManyMarks(m)
    m.charge(Math.ceil(length * length / 32))
  }
  const normal = piece.normalize(form)
  m.allocate(16 + normal.length * 2)
  return normal
}

const tooManyMarks = (m: Machine) => m.rangeError(`A character with more than ${MAX_MARKS} marks cannot be normalized`)

/** Whether a character begins here that is joined with no character before it. */
const isBoundary = (text: string, index: number): boolean => {
  const unit = text.charCodeAt(index)
  if (unit < 0x300) return true
  if (unit >= 0xdc00 && unit <= 0xdfff) return false
  // A vowel or a final consonant of Hangul is joined with what is one or two characters before it.
  if (isJamo(unit)) return isJamo(text.charCodeAt(index - 1)) && isJamo(text.charCodeAt(index - 2))
  return !mark.test(String.fromCodePoint(text.codePointAt(index)!))
}

const isJamo = (unit: number): boolean => (unit >= 0x1160 && unit <= 0x11ff) || (unit >= 0xd7b0 && unit <= 0xd7ff)
