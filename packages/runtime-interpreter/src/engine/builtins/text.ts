// Work on the host's strings whose time and memory are known beforehand.
import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import { type Agent, type Calls, Pause, type Value } from "../object/index.ts"

/** Pays for a string of this length that is about to be built; a `RangeError` if it would be too long. */
export const reserveString = (m: Agent, length: number): void => {
  if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
  m.charge(length >> 3)
  m.allocate(16 + length * 2)
}

/** Needles from here on can take a host quadratic time, if text and needle are both repetitive. */
const LONG_NEEDLE = 128

/** Products of the lengths up to here are searched by the host, however bad the case. */
const SMALL_SEARCH = 1 << 20

const needsLinearSearch = (text: string, needle: string): boolean =>
  needle.length > LONG_NEEDLE && needle.length <= text.length && text.length * needle.length > SMALL_SEARCH

/** The length of the longest border of each prefix of the needle, as Knuth, Morris and Pratt use it. */
const borders = (needle: string): Int32Array => {
  const table = new Int32Array(needle.length)
  let border = 0
  for (let i = 1; i < needle.length; i++) {
    const unit = needle.charCodeAt(i)
    while (border > 0 && needle.charCodeAt(border) !== unit) border = table[border - 1]!
    if (needle.charCodeAt(border) === unit) border++
    table[i] = border
  }
  return table
}

/** https://tc39.es/ecma262/#sec-stringindexof in linear time — -1 where there is none. */
export const indexOf = (m: Agent, text: string, needle: string, from: number): number => {
  m.charge(Math.max(text.length - from, 0) >> 4)
  if (!needsLinearSearch(text, needle)) return text.indexOf(needle, from)
  m.charge((text.length + needle.length) >> 1)
  m.allocate(needle.length * 4)
  const table = borders(needle)
  let matched = 0
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = table[matched - 1]!
    if (needle.charCodeAt(matched) === unit) matched++
    if (matched === needle.length) return i - matched + 1
  }
  return -1
}

const reverse = (text: string): string => {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < units.length; i++) units[i] = text.charCodeAt(text.length - 1 - i)
  return fromUnits(units)
}

/** The last index of the needle that is not after `from`, in linear time. */
export const lastIndexOf = (m: Agent, text: string, needle: string, from: number): number => {
  m.charge(Math.min(text.length, from + needle.length) >> 4)
  // Backwards, hosts compare at every place, so that shorter needles are quadratic too.
  if (needle.length < 8 || text.length * needle.length <= SMALL_SEARCH || needle.length > text.length) {
    return text.lastIndexOf(needle, from)
  }
  const head = text.slice(0, Math.min(text.length, from + needle.length))
  m.charge((head.length + needle.length) >> 1)
  m.allocate(4 * (head.length + needle.length))
  const found = indexOf(m, reverse(head), reverse(needle), 0)
  return found < 0 ? -1 : head.length - needle.length - found
}

const CHUNK = 8192

/** A string of these code units. */
export const fromUnits = (units: Uint16Array): string => {
  let text = ""
  for (let i = 0; i < units.length; i += CHUNK) {
    text += String.fromCharCode.apply(null, units.subarray(i, i + CHUNK) as unknown as Array<number>)
  }
  return text
}

/** A part of a text, as `keepPart` makes it. */
export const substring = (m: Agent, text: string, start: number, end: number): string =>
  end - start < 13 ? text.slice(start, end) : keepPart(m, text.slice(start, end), text.length)

/** Texts up to this length are so small that it does not matter what holds on to them. */
const SMALL_TEXT = 128

/**
 * Pays for a part of a text of `whole` units. Hosts let a part of 13 units or more hold on to the whole text; a part of a
 * larger text is copied unless it is most of it, so that what a program holds is what it was charged for.
 */
export const keepPart = (m: Agent, part: string, whole: number): string => {
  const { length } = part
  if (length < 13) return part
  m.allocate(16 + length)
  if (whole <= SMALL_TEXT || length * 2 > whole) return part
  m.charge(4 + (length >> 4))
  return detach(part)
}

/** A copy that holds on to nothing else. */
export const detach = (part: string): string => part.length < 13 ? part : (" " + part).slice(1)

const isLead = (unit: number): boolean => (unit & 0xfc00) === 0xd800
const isTrail = (unit: number): boolean => (unit & 0xfc00) === 0xdc00

/** The index of the first surrogate that is no part of a pair, or -1. */
export const loneSurrogate = (text: string, from = 0): number => {
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if ((unit & 0xf800) !== 0xd800) continue
    if (isLead(unit) && i + 1 < text.length && isTrail(text.charCodeAt(i + 1))) i++
    else return i
  }
  return -1
}

/** The code point at an index, a lone surrogate standing for itself. */
export const codePointAt = (text: string, index: number): number => text.codePointAt(index)!

/**
 * Applies a mapping of the host that can make a text longer, at most `factor` times: `toUpperCase`. If the result could be too
 * long, its length is found out piece by piece first.
 */
export const mapText = (
  m: Machine,
  text: string,
  factor: number,
  cost: number,
  map: (part: string) => string,
): Value => {
  if (text.length * factor > m.maxStringLength) return inSteps(m, [text], mapSteps(m, text, cost, map))
  m.charge(Math.ceil(text.length * cost))
  m.allocate(16 + text.length * 2)
  return map(text)
}

function* mapSteps(m: Machine, text: string, cost: number, map: (part: string) => string): Calls {
  let length = 0
  for (let i = 0; i < text.length; i += CHUNK) {
    m.charge(Math.ceil(CHUNK * cost))
    length += map(text.slice(i, i + CHUNK)).length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    yield Pause
  }
  m.charge(Math.ceil(text.length * cost))
  m.allocate(length * 2)
  return map(text)
}
