/**
 * What matching needs to know of Unicode. All of it comes from the host, so that a program sees one version of Unicode
 * everywhere: case mapping from its strings, properties from its regular expressions, asked one character at a time.
 */

const PAGE = 256

/** Whether a character is in sorted ranges: first and last of each. */
export const inRanges = (ranges: ReadonlyArray<number>, c: number): boolean => {
  let low = 0
  let high = (ranges.length >> 1) - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (c < ranges[middle * 2]!) high = middle - 1
    else if (c > ranges[middle * 2 + 1]!) low = middle + 1
    else return true
  }
  return false
}

/** Members of a case class, smallest first, by each of its characters. Characters that stand alone are absent. */
type CaseTable = ReadonlyMap<number, ReadonlyArray<number>>

const single = (text: string, original: number): number => {
  const c = text.codePointAt(0)!
  return text.length === (c > 0xFFFF ? 2 : 1) ? c : original
}

/** https://tc39.es/ecma262/#sec-runtime-semantics-canonicalize-ch without `u` or `v`. */
const legacyFold = (c: number): number => {
  const upper = String.fromCharCode(c).toUpperCase()
  if (upper.length !== 1) return c
  const u = upper.charCodeAt(0)
  return c >= 128 && u < 128 ? c : u
}

/**
 * Simple case folding up to the choice of the class's representative. A dotless i is the one character whose upper case
 * leads to another class.
 */
const simpleFold = (c: number): number => {
  if (c === 0x131) return c
  const upper = single(String.fromCodePoint(c).toUpperCase(), c)
  return single(String.fromCodePoint(upper).toLowerCase(), upper)
}

/** Pairs that fold together since Unicode 15.1 though neither is the other's case. */
const FOLDED_PAIRS = [[0x390, 0x1FD3], [0x3B0, 0x1FE3], [0xFB05, 0xFB06]] as const

/** Scripts without case, and planes' ends without letters: first and last of long stretches that need no look. */
const CASELESS = [0x3400, 0xA5FF, 0xAC00, 0xFAFF, 0x12000, 0x15FFF, 0x17000, 0x1CFFF]

const buildTable = (fold: (c: number) => number, limit: number): Map<number, Array<number>> => {
  const classes = new Map<number, Array<number>>()
  for (let start = 0; start < limit; start += PAGE) {
    if (inRanges(CASELESS, start)) continue
    const text = String.fromCodePoint(...Array.from({ length: PAGE }, (_, i) => start + i))
    // Most pages have no letters with case; one comparison tells.
    if (text.toUpperCase() === text && text.toLowerCase() === text) continue
    for (let c = start; c < start + PAGE; c++) {
      const key = fold(c)
      const members = classes.get(key)
      if (members === undefined) classes.set(key, [c])
      else members.push(c)
    }
  }
  const table = new Map<number, Array<number>>()
  for (const [key, members] of classes) {
    // The class of a key on a page that was skipped lacks the key.
    if (!members.includes(key)) members.unshift(key)
    if (members.length > 1) { for (const c of members) table.set(c, members) }
  }
  return table
}

let legacyTable: CaseTable | undefined
let unicodeTable: CaseTable | undefined

const caseTable = (unicode: boolean): CaseTable => {
  if (!unicode) return legacyTable ??= buildTable(legacyFold, 0x10000)
  if (unicodeTable === undefined) {
    // No letter with case lies beyond the supplementary multilingual plane.
    const table = buildTable(simpleFold, 0x20000)
    for (const [a, b] of FOLDED_PAIRS) {
      if (!new RegExp(`^${String.fromCodePoint(a)}$`, "iu").test(String.fromCodePoint(b))) continue
      const members = [a, b]
      table.set(a, members)
      table.set(b, members)
    }
    unicodeTable = table
  }
  return unicodeTable
}

/** All characters that match this one regardless of case, itself included; undefined where it stands alone. */
export const caseVariants = (c: number, unicode: boolean): ReadonlyArray<number> | undefined => {
  if (c < 128) {
    const lower = c | 32
    if (lower < 97 || lower > 122) return undefined
    if (unicode && lower === 107) return [75, 107, 0x212A]
    if (unicode && lower === 115) return [83, 115, 0x17F]
    return [lower - 32, lower]
  }
  return caseTable(unicode).get(c)
}

/** All characters that have case variants. */
export const casedCharacters = (unicode: boolean): Iterable<number> => caseTable(unicode).keys()

/** https://tc39.es/ecma262/#sec-runtime-semantics-canonicalize-ch up to the choice of the representative. */
export const canonicalize = (c: number, unicode: boolean): number => {
  if (c < 128) return c >= 97 && c <= 122 ? c - 32 : c
  const members = caseTable(unicode).get(c)
  return members === undefined ? c : members[0]!
}

/** A Unicode property of single characters, as bits of pages that are filled when first looked at. */
export class Property {
  private readonly pages: Array<Uint8Array | undefined> = []

  constructor(private readonly pattern: RegExp) {}

  has(c: number): boolean {
    const page = this.pages[c >> 8] ?? this.fill(c >> 8)
    return page[c & 255] === 1
  }

  private fill(index: number): Uint8Array {
    const page = new Uint8Array(PAGE)
    for (let i = 0; i < PAGE; i++) if (this.pattern.test(String.fromCodePoint(index * PAGE + i))) page[i] = 1
    return this.pages[index] = page
  }
}

const properties = new Map<string, Property>()

const propertyText = (key: string, value: string | null): string => `\\p{${key}${value === null ? "" : `=${value}`}}`

/** The property of this name, or undefined if the host does not know it. */
export const unicodeProperty = (key: string, value: string | null): Property | undefined => {
  const text = propertyText(key, value)
  let property = properties.get(text)
  if (property === undefined) {
    try {
      property = new Property(new RegExp(text, "u"))
    } catch {
      return undefined
    }
    properties.set(text, property)
  }
  return property
}

/** No string of a property of strings is longer, in code units: a kiss with two skin tones has 15. */
export const MAX_PROPERTY_STRING = 24

const stringProperties = new Map<string, RegExp>()

/** A test of whole strings for a property of strings, or undefined if the host does not know it. */
export const stringProperty = (key: string): RegExp | undefined => {
  let pattern = stringProperties.get(key)
  if (pattern === undefined) {
    try {
      pattern = new RegExp(`^\\p{${key}}$`, "v")
    } catch {
      return undefined
    }
    stringProperties.set(key, pattern)
  }
  return pattern
}
