import { casedCharacters, caseVariants, inRanges } from "./unicode.ts"

/** Sorted, disjoint ranges of code points: first and last of each. */
export type Ranges = ReadonlyArray<number>

const MAX_CODE_POINT = 0x10FFFF

/** About how many characters have case. */
const CASED = 2800

/** A pattern takes more work than any that is meant. */
export class TooMuchWork extends Error {}

/** What making the sets of a pattern may take, in characters looked at: some tens of milliseconds. */
const MAX_WORK = 1_500_000

let work = 0

/** A pattern is to be compiled: its work begins. */
export const beginWork = (): void => {
  work = 0
}

/** Counts work, in characters looked at. */
export const spend = (characters: number): void => {
  work += characters
  if (work > MAX_WORK) throw new TooMuchWork()
}

const isNormal = (pairs: ReadonlyArray<number>): boolean => {
  for (let i = 2; i < pairs.length; i += 2) if (pairs[i]! <= pairs[i - 1]! + 1) return false
  return true
}

/** Puts pairs of first and last into order and joins what touches. */
export const normalize = (pairs: ReadonlyArray<number>): Ranges => {
  spend(pairs.length * 4)
  if (isNormal(pairs)) return pairs
  const starts: Array<number> = []
  for (let i = 0; i < pairs.length; i += 2) starts.push(i)
  starts.sort((a, b) => pairs[a]! - pairs[b]!)
  const ranges: Array<number> = []
  for (const i of starts) {
    const first = pairs[i]!
    const last = pairs[i + 1]!
    if (ranges.length > 0 && first <= ranges[ranges.length - 1]! + 1) {
      if (last > ranges[ranges.length - 1]!) ranges[ranges.length - 1] = last
    } else ranges.push(first, last)
  }
  return ranges
}

const complementRanges = (ranges: Ranges): Ranges => {
  const result: Array<number> = []
  let next = 0
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! > next) result.push(next, ranges[i]! - 1)
    next = ranges[i + 1]! + 1
  }
  if (next <= MAX_CODE_POINT) result.push(next, MAX_CODE_POINT)
  return result
}

export const intersectRanges = (a: Ranges, b: Ranges): Ranges => {
  const result: Array<number> = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const first = Math.max(a[i]!, b[j]!)
    const last = Math.min(a[i + 1]!, b[j + 1]!)
    if (first <= last) result.push(first, last)
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return result
}

const NO_TABLE = new Uint8Array(0)

const tableOfTest = (test: (c: number) => boolean): Uint8Array => {
  spend(256)
  const table = new Uint8Array(256)
  for (let c = 0; c < 256; c++) if (test(c)) table[c] = 1
  return table
}

const tableOfRanges = (ranges: Ranges): Uint8Array => {
  const table = new Uint8Array(256)
  for (let i = 0; i < ranges.length && ranges[i]! < 256; i += 2) table.fill(1, ranges[i], ranges[i + 1]! + 1)
  return table
}

/** A set of characters: the latin ones in a table, the others in ranges, or told by a test where a property is involved. */
export class CharSet {
  /** 1 for a member, by code points 0 to 255. Empty until the set is prepared, if it has ranges: most sets are but parts of others. */
  latin: Uint8Array

  constructor(readonly ranges: Ranges | null, private readonly test: ((c: number) => boolean) | null) {
    this.latin = ranges === null ? tableOfTest(test!) : NO_TABLE
  }

  /** The set, ready for a program. */
  prepared(): this {
    if (this.latin === NO_TABLE) this.latin = tableOfRanges(this.ranges!)
    return this
  }

  has(c: number): boolean {
    if (c < 256 && this.latin !== NO_TABLE) return this.latin[c] === 1
    return this.ranges === null ? this.test!(c) : inRanges(this.ranges, c)
  }

  union(other: CharSet): CharSet {
    if (this.ranges !== null && other.ranges !== null) return ofRanges([...this.ranges, ...other.ranges])
    return ofTest((c) => this.has(c) || other.has(c))
  }

  intersection(other: CharSet): CharSet {
    if (this.ranges !== null && other.ranges !== null) {
      return new CharSet(intersectRanges(this.ranges, other.ranges), null)
    }
    return ofTest((c) => this.has(c) && other.has(c))
  }

  difference(other: CharSet): CharSet {
    return this.intersection(other.complement())
  }

  private opposite: CharSet | undefined

  complement(): CharSet {
    return this.opposite ??= this.others()
  }

  private others(): CharSet {
    if (this.ranges !== null) return new CharSet(complementRanges(this.ranges), null)
    return ofTest((c) => !this.has(c))
  }

  private closed: CharSet | undefined
  private closedOfUnicode: CharSet | undefined

  /** With every character that differs from a member in case alone. */
  closeOverCase(unicode: boolean): CharSet {
    if (unicode) return this.closedOfUnicode ??= this.closure(true)
    return this.closed ??= this.closure(false)
  }

  private closure(unicode: boolean): CharSet {
    const { ranges } = this
    if (ranges === null) {
      return ofTest((c) => {
        const variants = caseVariants(c, unicode)
        return variants === undefined ? this.has(c) : variants.some((v) => this.has(v))
      })
    }
    let size = 0
    for (let i = 0; i < ranges.length; i += 2) size += ranges[i + 1]! - ranges[i]! + 1
    const pairs = [...ranges]
    const add = (c: number): void => {
      for (const v of caseVariants(c, unicode) ?? []) if (v !== c && !this.has(v)) pairs.push(v, v)
    }
    if (size < 2000) {
      spend(size)
      for (let i = 0; i < ranges.length; i += 2) for (let c = ranges[i]!; c <= ranges[i + 1]!; c++) add(c)
    } else {
      spend(CASED)
      for (const c of casedCharacters(unicode)) if (this.has(c)) add(c)
    }
    return pairs.length === ranges.length ? this : ofRanges(pairs)
  }
}

export const ofRanges = (pairs: ReadonlyArray<number>): CharSet => new CharSet(normalize(pairs), null)

export const ofTest = (test: (c: number) => boolean): CharSet => new CharSet(null, test)

export const DIGIT = ofRanges([48, 57])
export const WORD = ofRanges([48, 57, 65, 90, 95, 95, 97, 122])
/** https://tc39.es/ecma262/#prod-WhiteSpace and https://tc39.es/ecma262/#prod-LineTerminator */
export const SPACE = ofRanges([
  9,
  13,
  32,
  32,
  0xA0,
  0xA0,
  0x1680,
  0x1680,
  0x2000,
  0x200A,
  0x2028,
  0x2029,
  0x202F,
  0x202F,
  0x205F,
  0x205F,
  0x3000,
  0x3000,
  0xFEFF,
  0xFEFF,
])
export const LINE_TERMINATOR = ofRanges([10, 10, 13, 13, 0x2028, 0x2029])
export const ANY = ofRanges([0, MAX_CODE_POINT])
export const NOT_LINE_TERMINATOR = LINE_TERMINATOR.complement()
