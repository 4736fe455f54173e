import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  type Agent,
  Attribute,
  type BuiltinIterator,
  describe,
  DONE,
  type Intrinsics,
  isObject,
  type JSObject,
  Kind,
  SymbolIterator,
  SymbolToStringTag,
  toIntegerOrInfinity,
  toString,
  type Value,
} from "../object/index.ts"
import { nextMethod } from "./built-in-iterators.ts"
import { method, object, tag } from "./define.ts"
import { defineService, requireOptions, type ServiceData } from "./intl-service.ts"
import { HostCache, known, readOptions } from "./locale.ts"

const segmenters = new HostCache<Intl.Segmenter>(16, 10000)

/** https://tc39.es/ecma402/#segmenter-objects */
const segmenter = defineService<Intl.Segmenter>({
  name: "Segmenter",
  read: (m, options) =>
    readOptions(m, requireOptions(m, options), [["localeMatcher", "string"], ["granularity", "string"]]),
  host: (m, key, locales, options) =>
    segmenters.get(
      m,
      key,
      () => new Intl.Segmenter(known(m, Intl.Segmenter, locales), options as Intl.SegmenterOptions),
    ),
  constructor_: () => Intl.Segmenter,
  members: ({ data }) => [
    method("segment", 1, (m, thisValue, args) => {
      const slots = data(m, thisValue, "segment")
      const text = toString(m, args[0])
      m.allocate(96)
      const segments: Segments = { brand: "Segments", slots, text }
      return m.realm.newObjectOf(Kind.Internal, "IntlSegmentsPrototype", segments)
    }),
  ],
})

/** The internal slots of what `segment` gives. */
interface Segments {
  readonly brand: "Segments"
  /** Those of the segmenter. */
  readonly slots: ServiceData
  readonly text: string
}

const segmentsOf = (m: Machine, value: Value, name: string): Segments => {
  if (isObject(value) && value.kind === Kind.Internal && value.data.brand === "Segments") return value.data
  throw m.typeError(`Method %SegmentsPrototype%.${name} called on incompatible receiver ${describe(value)}`)
}

/** https://tc39.es/ecma402/#sec-createsegmentdataobject */
const segmentRecord = (
  m: Agent,
  text: string,
  start: number,
  end: number,
  isWordLike: boolean | undefined,
): JSObject => {
  m.charge(20)
  m.allocate(176 + end - start)
  const record = m.realm.newObject()
  addProperty(record, "segment", text.slice(start, end), Attribute.All)
  addProperty(record, "index", start, Attribute.All)
  addProperty(record, "input", text, Attribute.All)
  if (isWordLike !== undefined) addProperty(record, "isWordLike", isWordLike, Attribute.All)
  return record
}

// What the host does for one segment takes a time in proportion to the whole text that it was given. So it is given a
// part of the text at a time: from a boundary on, as long as needed for a boundary that no later text can move.

/** The length of a part, in code units; it grows where there are too few boundaries in it. */
const SHORT = 256
/** A longer part is only looked at for its first segment. */
const LONG = 4096
/** A segment as long as this ends here, whatever the text. */
const LONGEST = 1 << 18

/** Segments that follow each other: where they end, and whether they are words, where that is asked for. */
interface Found {
  readonly ends: Array<number>
  readonly words: Array<boolean>
}

/** How many of the segments of a part stay what they are when more text follows. */
const certain = (granularity: string, text: string, { ends, words }: Found, size: number): number => {
  const { length } = ends
  if (granularity === "grapheme") return length - 1
  if (granularity === "sentence") {
    // Whether a sentence ends at an abbreviation depends on the next letter.
    for (let count = length - 1; count > 0; count--) {
      if (/\p{L}/u.test(text.slice(ends[count - 1], ends[count]))) return count
    }
    return 0
  }
  // Words of a script without spaces are found all at once, up to something that is no word.
  for (let count = length - 1; count > 0; count--) if (!words[count - 1]) return count
  return size >= LONG ? length - 2 : 0
}

const find = (m: Machine, slots: ServiceData, text: string, start: number): Found => {
  const host = segmenter.host(m, slots)
  const granularity = String(slots.options["granularity"] ?? "grapheme")
  for (let size = SHORT;; size *= 4) {
    let end = Math.min(start + size, text.length)
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--
    m.charge(200 + (end - start) * 50)
    const found: Found = { ends: [], words: [] }
    for (const { index, isWordLike, segment } of host.segment(text.slice(start, end))) {
      found.ends.push(start + index + segment.length)
      if (isWordLike !== undefined) found.words.push(isWordLike)
      if (size > LONG && found.ends.length === 3) break
    }
    if (end === text.length && (size <= LONG || found.ends.length < 3)) return found
    let count = certain(granularity, text, found, size)
    if (size > LONG) count = Math.min(count, 1)
    if (count <= 0 && size >= LONGEST) count = 1
    if (count > 0) {
      found.ends.length = count
      if (found.words.length > 0) found.words.length = count
      return found
    }
  }
}

const ITERATOR = "Segmenter String Iterator"

/** https://tc39.es/ecma402/#sec-createsegmentiterator */
class SegmentIterator implements BuiltinIterator {
  readonly brand = ITERATOR
  private position = 0
  private found: Found = { ends: [], words: [] }
  private next = 0

  constructor(private readonly slots: ServiceData, private readonly text: string) {}

  step(m: Agent): Value | typeof DONE {
    const { position: start, text } = this
    if (start >= text.length) return DONE
    if (this.next === this.found.ends.length) {
      this.found = find(m as Machine, this.slots, text, start)
      this.next = 0
    }
    const { ends, words } = this.found
    const end = ends[this.next]!
    const isWordLike = words.length > 0 ? words[this.next]! : undefined
    this.next++
    this.position = end
    return segmentRecord(m, text, start, end, isWordLike)
  }
}

/** How much of a longer text is looked at on both sides of an index, for the segment that contains it. */
const AROUND = 1024

/** https://tc39.es/ecma402/#sec-%segmentsprototype%.containing */
const containing = (m: Machine, { slots, text }: Segments, index: number): Value => {
  const host = segmenter.host(m, slots)
  let start = 0
  if (text.length > 2 * AROUND) {
    const line = text.slice(Math.max(0, index - LONG), index).lastIndexOf("\n")
    start = Math.max(0, index - (line < 0 ? AROUND : Math.min(index, LONG) - line - 1))
    if (start > 0 && (text.charCodeAt(start) & 0xfc00) === 0xdc00) start--
  }
  for (let size = AROUND;; size *= 4) {
    const end = Math.min(text.length, index + size)
    m.charge(200 + (end - start) * 10)
    const { index: at, isWordLike, segment } = host.segment(text.slice(start, end)).containing(index - start)!
    const found = start + at + segment.length
    if (found < end || end === text.length || size >= LONGEST) {
      return segmentRecord(m, text, start + at, found, isWordLike)
    }
  }
}

export const intlSegmenterIntrinsics: Intrinsics = {
  ...segmenter.intrinsics,
  /** https://tc39.es/ecma402/#sec-%segmentsprototype%-object */
  IntlSegmentsPrototype: object({
    name: "%SegmentsPrototype%",
    members: [
      method("containing", 1, (m, thisValue, args) => {
        const segments = segmentsOf(m, thisValue, "containing")
        const index = toIntegerOrInfinity(m, args[0])
        return index < 0 || index >= segments.text.length ? undefined : containing(m, segments, index)
      }),
      method(SymbolIterator, 0, (m, thisValue) => {
        const { slots, text } = segmentsOf(m, thisValue, "[Symbol.iterator]")
        m.allocate(160)
        return m.realm.newObjectOf(Kind.Iterator, "IntlSegmentIteratorPrototype", new SegmentIterator(slots, text))
      }, { name: "[Symbol.iterator]" }),
    ],
  }),
  /** https://tc39.es/ecma402/#sec-%segmentiteratorprototype%-object */
  IntlSegmentIteratorPrototype: object({
    name: "%SegmentIteratorPrototype%",
    proto: "IteratorPrototype",
    members: [nextMethod(ITERATOR), tag(SymbolToStringTag, ITERATOR)],
  }),
}
