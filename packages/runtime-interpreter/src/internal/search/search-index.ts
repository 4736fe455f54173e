import type * as Catalog from "@effect-codemode/toolkit/Catalog"
import { type Document, documentOf, lastSegment } from "./documents.ts"
import { eachWord, isTelling, stemOf, wordsOf } from "./words.ts"

/** A word, by its stem, and the tools that have it. */
export interface Term {
  readonly stem: string
  /** Tools by their index, in order, and beside them how much each has of the word. */
  readonly tools: Array<number>
  readonly weights: Array<number>
  /** Those that have it in their names. */
  readonly named: Array<number>
  /** How rare it is: near 0 for a word that all tools have. */
  rarity: number
}

/**
 * How much a word counts by where it stands, and how much less in a text that is longer than others: 0 for no less, 1 for in
 * proportion. Found by trying; small changes change little.
 */
const fields: ReadonlyArray<{ readonly of: keyof Document; readonly weight: number; readonly byLength: number }> = [
  { of: "name", weight: 3.5, byLength: 0.3 },
  { of: "namespace", weight: 1.2, byLength: 0 },
  { of: "summary", weight: 1.6, byLength: 0.5 },
  { of: "details", weight: 0.6, byLength: 0.7 },
  { of: "fields", weight: 0.4, byLength: 0.7 },
]

const FIELDS = fields.length

/** How rare something is that so many of all tools have. */
export const rarityOf = (count: number, all: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5))

/** Numbers in a row, of which more and more are added. */
class Pool {
  values = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = value
  }

  pushAll(from: number, to: number): void {
    for (let i = from; i < to; i++) this.push(this.values[i]!)
  }
}

/** What of the tools' texts is known, by word. */
export class SearchIndex {
  readonly terms: Array<Term> = []
  /** How rare the words of each tool's name are, together. */
  readonly names: Float64Array
  /** The first word of each tool's name that is not of its namespace: what it does, for most. */
  readonly verbs: Int32Array
  /** Those words of all tools. */
  readonly allVerbs: ReadonlySet<number>
  /** Tools by the initials of neighbouring words in their names: `pr` for `merge_pull_request`. */
  readonly initials = new Map<string, Array<number>>()
  /** All stems, sorted. */
  readonly stems: ReadonlyArray<string>
  /** The words that stand in names. */
  readonly nameTerms: ReadonlyArray<number>
  private readonly ids = new Map<string, number>()
  /** The words of all texts, tool by tool and field by field, and where each field ends. */
  private readonly words = new Pool()
  private readonly ends = new Pool()
  // These serve while the index is built.
  private readonly wordIds = new Map<string, number>()
  private readonly known = new Map<string, { readonly from: number; readonly to: number }>()

  constructor(private readonly entries: ReadonlyArray<Catalog.Entry>) {
    this.verbs = new Int32Array(entries.length)
    this.names = new Float64Array(entries.length)
    entries.forEach((entry, tool) => this.read(documentOf(entry), tool))
    this.weigh(entries.length)
    for (const term of this.terms) term.rarity = rarityOf(term.tools.length, entries.length)
    for (const { named, rarity } of this.terms) for (const tool of named) this.names[tool]! += rarity
    this.allVerbs = new Set(this.verbs)
    this.stems = Array.from(this.ids.keys()).sort()
    this.nameTerms = Array.from(this.terms.keys()).filter((id) => this.terms[id]!.named.length > 0)
    this.wordIds.clear()
    this.known.clear()
  }

  /** The number of a stem, if any tool has it. */
  idOf(stem: string): number | undefined {
    return this.ids.get(stem)
  }

  /** The last segment of a tool's callable name. */
  nameOf(tool: number): string {
    return lastSegment(this.entries[tool]!.tool)
  }

  /** Where the first of some words stands in the first sentence of a tool's description; -1 if none does. */
  findInSummary(tool: number, isWanted: (id: number) => boolean): number {
    const at = tool * FIELDS + fields.findIndex(({ of }) => of === "summary")
    const from = this.ends.values[at - 1]!
    const to = this.ends.values[at]!
    for (let i = from; i < to; i++) if (isWanted(this.words.values[i]!)) return i - from
    return -1
  }

  private read(document: Document, tool: number): void {
    const { ends, words } = this
    const start = words.length
    const name = wordsOf(document.name)
    for (const word of name) words.push(this.wordId(word))
    this.addInitials(name, tool)
    const nameEnd = words.length
    ends.push(nameEnd)
    this.readText(document.namespace)
    ends.push(words.length)
    this.verbs[tool] = this.verbOf(start, nameEnd)
    this.readText(document.summary)
    ends.push(words.length)
    this.readText(document.details)
    ends.push(words.length)
    for (const text of document.fields) this.readKnown(text)
    ends.push(words.length)
  }

  /** The first word of a name that is not among the words after it, those of the namespace; else the first; -1 of no words. */
  private verbOf(start: number, end: number): number {
    const { length, values } = this.words
    for (let i = start; i < end; i++) {
      let at = end
      while (at < length && values[at] !== values[i]) at++
      if (at === length) return values[i]!
    }
    return start === end ? -1 : values[start]!
  }

  private readText(text: string): void {
    eachWord(text, (word) => {
      if (isTelling(word)) this.words.push(this.wordId(word))
    })
  }

  // Catalogs say the same of many fields.
  private readKnown(text: string): void {
    const known = this.known.get(text)
    if (known !== undefined) return this.words.pushAll(known.from, known.to)
    const from = this.words.length
    this.readText(text)
    this.known.set(text, { from, to: this.words.length })
  }

  private addInitials(words: ReadonlyArray<string>, tool: number): void {
    for (let from = 0; from + 1 < words.length; from++) {
      let initials = words[from]![0]!
      for (let to = from + 1; to < Math.min(words.length, from + 4); to++) {
        initials += words[to]![0]!
        const tools = this.initials.get(initials)
        if (tools === undefined) this.initials.set(initials, [tool])
        else if (tools.at(-1) !== tool) tools.push(tool)
      }
    }
  }

  private weigh(count: number): void {
    const ends = this.ends.values
    const words = this.words.values
    const lengths = fields.map(() => 0)
    for (let at = 0; at < count * FIELDS; at++) lengths[at % FIELDS]! += ends[at]! - (at === 0 ? 0 : ends[at - 1]!)
    const means = lengths.map((length) => Math.max(1, length / count))
    let i = 0
    for (let at = 0; at < count * FIELDS; at++) {
      const f = at % FIELDS
      const tool = (at - f) / FIELDS
      const { byLength, of, weight } = fields[f]!
      const each = weight / (1 - byLength + byLength * (ends[at]! - i) / means[f]!)
      for (; i < ends[at]!; i++) {
        const term = this.terms[words[i]!]!
        add(term, tool, each)
        if (of === "name" && term.named.at(-1) !== tool) term.named.push(tool)
      }
    }
  }

  private wordId(word: string): number {
    let id = this.wordIds.get(word)
    if (id === undefined) {
      const stem = stemOf(word)
      id = this.ids.get(stem)
      if (id === undefined) {
        id = this.terms.length
        this.ids.set(stem, id)
        this.terms.push({ stem, tools: [], weights: [], named: [], rarity: 0 })
      }
      this.wordIds.set(word, id)
    }
    return id
  }
}

// Tools come in order, so that a tool that has the word already is the last one.
const add = ({ tools, weights }: Term, tool: number, weight: number): void => {
  const last = tools.length - 1
  if (last >= 0 && tools[last] === tool) weights[last]! += weight
  else {
    tools.push(tool)
    weights.push(weight)
  }
}
