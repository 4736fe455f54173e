// Work on the host's strings whose time and memory are known beforehand.
import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import { type Agent, type Calls, Pause, type Value } from "../object/index.ts"
import { hold } from "./iteration.ts"

/** Pays for a string of this length that is about to be built; a `RangeError` if it would be too long. */
export const reserveString = (m: Agent, length: number): void => {
  if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
  if (length > 7) m.charge(length >> 3)
  m.allocate(16 + length * 2)
}

/** Needles from here on can take a host quadratic time, if text and needle are both repetitive. */
const LONG_NEEDLE = 128

/** Products of the lengths up to here are searched by the host, however bad the case. */
const SMALL_SEARCH = 1 << 20

export const needsLinearSearch = (text: string, needle: string): boolean =>
  needle.length > LONG_NEEDLE && needle.length <= text.length && text.length * needle.length > SMALL_SEARCH

/** How much of a text is searched between two chances to pause, in UTF-16 code units. */
const SEARCHED = 1 << 17

/**
 * https://tc39.es/ecma262/#sec-stringindexof in linear time — -1 where there is none. What `use` makes of the index: at once,
 * or in steps where text and needle are long.
 */
export const findText = (
  m: Machine,
  text: string,
  needle: string,
  from: number,
  use: (index: number) => Value,
): Value => {
  if (needsLinearSearch(text, needle)) return inSteps(m, [text, needle], usedSteps(m, text, needle, from, use))
  const rest = text.length - from
  if (rest > 15) m.charge(rest >> 4)
  return use(text.indexOf(needle, from))
}

function* usedSteps(m: Machine, text: string, needle: string, from: number, use: (index: number) => Value): Calls {
  return use(yield* indexOf(m, text, needle, from))
}

/** The same for a native that works in steps itself. */
export function* indexOf(m: Machine, text: string, needle: string, from: number): Calls<number> {
  if (!needsLinearSearch(text, needle)) {
    const index = text.indexOf(needle, from)
    // It pays for what it passes over.
    m.charge(1 + (((index < 0 ? text.length : index) - from) >> 4))
    return index
  }
  m.allocate(needle.length * 4)
  const table = new Int32Array(needle.length)
  for (let i = 1, border = 0; i < needle.length; i++) {
    if (i % SEARCHED === 0) yield Pause
    if (i % 64 === 0) m.charge(96)
    const unit = needle.charCodeAt(i)
    while (border > 0 && needle.charCodeAt(border) !== unit) border = table[border - 1]!
    if (needle.charCodeAt(border) === unit) border++
    // The length of the longest border of each prefix, as Knuth, Morris and Pratt use it.
    table[i] = border
  }
  let matched = 0
  for (let i = from; i < text.length; i++) {
    if (i % SEARCHED === 0) yield Pause
    if (i % 64 === 0) m.charge(96)
    const unit = text.charCodeAt(i)
    while (matched > 0 && needle.charCodeAt(matched) !== unit) matched = table[matched - 1]!
    if (needle.charCodeAt(matched) === unit) matched++
    if (matched === needle.length) return i - matched + 1
  }
  return -1
}

function* reverse(m: Machine, text: string): Calls<string> {
  const units = new Uint16Array(text.length)
  for (let i = 0; i < units.length; i++) {
    if (i % SEARCHED === 0) yield Pause
    if (i % 64 === 0) m.charge(48)
    units[i] = text.charCodeAt(text.length - 1 - i)
  }
  return fromUnits(units)
}

/** The last index of the needle that is not after `from`, in linear time. */
export const lastIndexOf = (m: Machine, text: string, needle: string, from: number): Value => {
  m.charge(Math.min(text.length, from + needle.length) >> 4)
  // Backwards, hosts compare at every place, so that shorter needles are quadratic too.
  if (needle.length < 8 || text.length * needle.length <= SMALL_SEARCH || needle.length > text.length) {
    return text.lastIndexOf(needle, from)
  }
  return inSteps(m, [text, needle], lastIndexSteps(m, text, needle, from))
}

function* lastIndexSteps(m: Machine, text: string, needle: string, from: number): Calls {
  const head = text.slice(0, Math.min(text.length, from + needle.length))
  m.allocate(4 * (head.length + needle.length))
  const reversed = yield* reverse(m, head)
  const found = yield* indexOf(m, reversed, yield* reverse(m, needle), 0)
  return found < 0 ? -1 : head.length - needle.length - found
}

/**
 * A long text in the making. The host keeps a concatenation as its two parts: what is put together of small pieces takes many
 * times its length, unless it is made one piece now and then. Nothing but texts, as the meter sees it.
 */
export class TextBuilder {
  private out = ""
  private block = ""
  /** Kept so that the look it comes from is taken. */
  lastUnit = 0

  get length(): number {
    return this.out.length + this.block.length
  }

  append(text: string): void {
    this.block += text
    if (this.block.length < CHUNK) return
    // Looking into it has the host put it together.
    this.lastUnit = this.block.charCodeAt(0)
    this.out += this.block
    this.block = ""
  }

  /** The text so far. */
  get text(): string {
    return this.out + this.block
  }
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

/** The same for a long text, in pieces. */
export function* loneSurrogateIn(m: Machine, text: string): Calls<number> {
  for (let start = 0; start < text.length;) {
    yield Pause
    const end = Math.min(start + SEARCHED, text.length)
    m.charge((end - start) >> 1)
    // A pair may be cut in two: it is looked at again with the next piece.
    const index = loneSurrogate(text, start, end)
    if (index >= 0 && index < end - 1) return index
    if (index >= 0 && end === text.length) return index
    start = index >= 0 ? index : end
  }
  return -1
}

/** The index of the first surrogate that is no part of a pair, or -1. */
export const loneSurrogate = (text: string, from = 0, to = text.length): number => {
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i)
    if ((unit & 0xf800) !== 0xd800) continue
    if (isLead(unit) && i + 1 < text.length && isTrail(text.charCodeAt(i + 1))) i++
    else return i
  }
  return -1
}

/** The code point at an index, a lone surrogate standing for itself. */
export const codePointAt = (text: string, index: number): number => text.codePointAt(index)!

/** Longer texts are changed in pieces of so many units. */
const MAPPED = 1 << 16

/** The most units that are passed over in search of a place where a text may be cut. */
const MAX_UNCUT = 1 << 20

/**
 * Changes the case of a text by a mapping of the host, piece by piece if it is long. The result may be longer. `cost` is what a
 * unit takes, in steps.
 */
export const mapText = (m: Machine, text: string, cost: number, map: (part: string) => string): Value => {
  if (text.length > MAPPED) return inSteps(m, [text], mapSteps(m, text, cost, map))
  m.charge(Math.ceil(text.length * cost))
  const mapped = map(text)
  m.allocate(16 + mapped.length * 2)
  if (mapped.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  return mapped
}

function* mapSteps(m: Machine, text: string, cost: number, map: (part: string) => string): Calls {
  const parts: Array<string> = []
  hold(m, parts)
  let length = 0
  for (let start = 0; start < text.length;) {
    yield Pause
    let end = Math.min(start + MAPPED, text.length)
    while (end < text.length && !(isPlain(text.charCodeAt(end - 1)) && isPlain(text.charCodeAt(end)))) {
      if (++end - start > MAX_UNCUT) throw m.rangeError("The case of so long a row of letters cannot be changed")
    }
    m.charge(Math.ceil((end - start) * cost))
    const part = map(text.slice(start, end))
    m.allocate(16 + part.length * 2)
    length += part.length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    parts.push(part)
    start = end
  }
  return parts.join("")
}

/**
 * Whether a unit is neither half of a pair, nor one that the case of others disregards, nor a sigma: between two such units a
 * text can be cut, since the case of what is on either side does not depend on the other.
 */
const isPlain = (unit: number): boolean =>
  (unit & 0xf800) !== 0xd800 && unit !== SIGMA && !disregarded.test(String.fromCharCode(unit))

const disregarded = /\p{Case_Ignorable}/u
const SIGMA = 0x3a3
