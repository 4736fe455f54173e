/**
 * Ranks tools for a query. Each word of the query gives a tool what its best match there is worth: rare words more than common ones, a
 * word of the name more than one of the description (as BM25F has it), other words for the same less than the word itself. Then counts
 * how much of the query the tool covers, how much of its name the query covers, whether it does what the query begins with, and
 * whether it says things in the same order. Nothing is left to chance: ties go by name.
 */
import { rarityOf, type SearchIndex } from "./search-index.ts"
import { isReading, synonymsOf } from "./synonyms.ts"
import { isTelling, isVowel, stemOf, wordsOf } from "./words.ts"

/** What a match is worth that is not the word itself. */
const SYNONYM = 0.6
/** The beginning of a longer word: `repo` for `repository`; that of a much longer word is surer for longer ones. */
const BEGINNING = 0.75
const SHORT_BEGINNING = 0.6
const INITIALS = 0.8
const INSIDE = 0.5

/** What more of the same word adds, less and less. */
const SATURATION = 1.2
/** The shares of a score that depend on how much of the query, and of the name, is covered. */
const QUERY_COVERED = 0.6
const NAME_COVERED = 0.35
/** What it adds if a tool does what the query begins with; or, if that is no verb, that it reads. */
const SAME_VERB = 0.15
const READING = 0.05
/** What it adds if the description says things in the query's order, or the name has the query's words in the same form. */
const SAME_ORDER = 0.1
const SAME_FORM = 0.1
/** These are looked at for the first so many. */
const LOOKED_AT = 20

/** More words than so many are not read. */
const MAX_WORDS = 24

/** A tool, by its index, and how well it fits. */
export interface Hit {
  readonly tool: number
  score: number
}

interface QueryTerm {
  readonly stem: string
  /** The words it stands for, and what each is worth. */
  readonly matches: ReadonlyMap<number, number>
}

/** The tools that fit a query among those that are admitted: the first so many in order, the best first, and the others behind them. */
export const rank = (
  index: SearchIndex,
  query: string,
  admits: (tool: number) => boolean,
  first: number,
): Array<Hit> => {
  const words = wordsOf(query.slice(0, 1000))
  const telling = words.filter(isTelling)
  const stems = new Set((telling.length > 0 ? telling : words).slice(0, MAX_WORDS).map(stemOf))
  const joined = joinedWords(index, words)
  const terms = Array.from(stems, (stem): QueryTerm => ({ stem, matches: matchesOf(index, stem, joined.get(stem)) }))
  const hits = sortedTo(scored(index, terms, admits), Math.max(first, LOOKED_AT))
  lookCloser(index, terms, telling, hits)
  return hits
}

/** Brings the best so many to the front, in order. Sorting thousands for the sake of ten is slow. */
const sortedTo = (hits: Array<Hit>, first: number): Array<Hit> => {
  if (hits.length <= first * 4) return hits.sort(better)
  const best: Array<Hit> = []
  const others: Array<Hit> = []
  for (const hit of hits) {
    if (best.length === first && better(hit, best[first - 1]!) > 0) {
      others.push(hit)
      continue
    }
    let low = 0
    let high = best.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (better(best[middle]!, hit) < 0) low = middle + 1
      else high = middle
    }
    best.splice(low, 0, hit)
    if (best.length > first) others.push(best.pop()!)
  }
  return best.concat(others)
}

const better = (a: Hit, b: Hit): number => b.score - a.score || a.tool - b.tool

// `heap snapshot` is `heapsnapshot` to some.
const joinedWords = (index: SearchIndex, words: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const joined = new Map<string, number>()
  for (let i = 0; i + 1 < Math.min(words.length, MAX_WORDS); i++) {
    const id = index.idOf(stemOf(words[i]! + words[i + 1]!))
    if (id === undefined) continue
    joined.set(stemOf(words[i]!), id)
    joined.set(stemOf(words[i + 1]!), id)
  }
  return joined
}

const matchesOf = (index: SearchIndex, stem: string, joined: number | undefined): ReadonlyMap<number, number> => {
  const matches = new Map<number, number>()
  const add = (id: number | undefined, worth: number) => {
    if (id !== undefined && worth > (matches.get(id) ?? 0)) matches.set(id, worth)
  }
  add(index.idOf(stem), 1)
  add(joined, 1)
  for (const other of synonymsOf(stem)) add(index.idOf(other), SYNONYM)
  if (stem.length >= 4) {
    for (const id of index.nameTerms) if (index.terms[id]!.stem.includes(stem)) add(id, INSIDE)
  }
  // An abbreviation of three letters ends in a consonant, as `env` does.
  if (stem.length >= 4 || (stem.length === 3 && !isVowel(stem[2]!))) {
    for (const longer of beginningWith(index.stems, stem)) {
      add(index.idOf(longer), stem.length >= 5 || longer.length - stem.length <= 3 ? BEGINNING : SHORT_BEGINNING)
    }
    for (let length = Math.max(3, Math.ceil(stem.length * 0.4)); length < stem.length; length++) {
      add(index.idOf(stem.slice(0, length)), length >= 5 || stem.length - length <= 3 ? BEGINNING : SHORT_BEGINNING)
    }
  }
  return matches
}

function* beginningWith(sorted: ReadonlyArray<string>, text: string): Iterable<string> {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < text) low = middle + 1
    else high = middle
  }
  for (; low < sorted.length && sorted[low]!.startsWith(text); low++) if (sorted[low] !== text) yield sorted[low]!
}

const scored = (index: SearchIndex, terms: ReadonlyArray<QueryTerm>, admits: (tool: number) => boolean): Array<Hit> => {
  const count = index.names.length
  const scores = new Float64Array(count)
  const covered = new Float64Array(count)
  const named = new Float64Array(count)
  const best = new Float64Array(count)
  const bestNamed = new Float64Array(count)
  let whole = 0
  for (const term of terms) {
    best.fill(0)
    bestNamed.fill(0)
    const rarity = addTerm(index, term, best, bestNamed)
    whole += rarity
    for (let tool = 0; tool < count; tool++) {
      if (best[tool] === 0) continue
      scores[tool]! += best[tool]!
      covered[tool]! += Math.min(rarity, best[tool]!)
      named[tool]! += bestNamed[tool]!
    }
  }
  const verbs = verbsOf(index, terms[0])
  const hits: Array<Hit> = []
  for (let tool = 0; tool < count; tool++) {
    if (scores[tool] === 0 || !admits(tool)) continue
    const name = index.names[tool]!
    const verb = index.verbs[tool]!
    const does = verbs === undefined
      ? verb >= 0 && isReading(index.terms[verb]!.stem) ? READING : 0
      : SAME_VERB * (verbs.get(verb) ?? 0)
    const score = scores[tool]! *
      (1 - QUERY_COVERED + QUERY_COVERED * covered[tool]! / whole) *
      (1 + NAME_COVERED * (name === 0 ? 0 : Math.min(1, named[tool]! / name))) *
      (1 + does)
    hits.push({ tool, score })
  }
  return hits
}

/** Finds what a word gives to each tool, at best, and answers how much it counts in the query. */
const addTerm = (
  index: SearchIndex,
  { matches, stem }: QueryTerm,
  best: Float64Array,
  bestNamed: Float64Array,
): number => {
  const count = index.names.length
  const synonyms = synonymsOf(stem)
  const exact = index.idOf(stem)
  // A word with synonyms is as rare as they are together: `edit` is no rarer than `update`.
  const most = synonyms.size > 0
    ? rarityTogether(index, matches, stem, synonyms)
    : exact === undefined
    ? Infinity
    : index.terms[exact]!.rarity
  let counts = exact === undefined ? 0 : most
  for (const [id, worth] of matches) {
    const term = index.terms[id]!
    const rarity = synonyms.size === 0 || id === exact || synonyms.has(term.stem)
      ? Math.min(term.rarity, most)
      : exact === undefined
      ? term.rarity
      : Math.min(term.rarity, index.terms[exact]!.rarity)
    counts = Math.max(counts, rarity * worth)
    const { named, tools, weights } = term
    for (let i = 0; i < tools.length; i++) {
      const value = worth * rarity * weights[i]! / (SATURATION + weights[i]!)
      if (value > best[tools[i]!]!) best[tools[i]!] = value
    }
    const inName = worth * term.rarity
    for (const tool of named) if (inName > bestNamed[tool]!) bestNamed[tool] = inName
  }
  const tools = stem.length >= 2 && stem.length <= 4 ? index.initials.get(stem) : undefined
  if (tools !== undefined) {
    const rarity = INITIALS * rarityOf(tools.length, count)
    counts = Math.max(counts, rarity)
    for (const tool of tools) {
      best[tool] = Math.max(best[tool]!, rarity * 3 / (SATURATION + 3))
      // They stand for two words of the name at least.
      bestNamed[tool] = Math.max(bestNamed[tool]!, 2 * rarity)
    }
  }
  // A word that no tool has is missing from all of them.
  return counts === 0 ? rarityOf(0, count) / 2 : counts
}

const rarityTogether = (
  index: SearchIndex,
  matches: ReadonlyMap<number, number>,
  stem: string,
  synonyms: ReadonlySet<string>,
): number => {
  const tools = new Set<number>()
  for (const id of matches.keys()) {
    const term = index.terms[id]!
    if (term.stem === stem || synonyms.has(term.stem)) { for (const tool of term.tools) tools.add(tool) }
  }
  return rarityOf(tools.size, index.names.length)
}

/** The verbs of tools that do what the query begins with; `undefined` if it does not begin with a verb. */
const verbsOf = (index: SearchIndex, first: QueryTerm | undefined): ReadonlyMap<number, number> | undefined => {
  if (first === undefined) return undefined
  const { matches, stem } = first
  const synonyms = synonymsOf(stem)
  const verbs = new Map<number, number>()
  for (const [id, worth] of matches) {
    if ((index.terms[id]!.stem === stem || synonyms.has(index.terms[id]!.stem)) && index.allVerbs.has(id)) {
      verbs.set(id, worth)
    }
  }
  return verbs.size === 0 ? undefined : verbs
}

const lookCloser = (
  index: SearchIndex,
  terms: ReadonlyArray<QueryTerm>,
  words: ReadonlyArray<string>,
  hits: Array<Hit>,
): void => {
  if (terms.length === 0) return
  const looked = hits.splice(0, LOOKED_AT)
  for (const hit of looked) {
    const at = terms.map(({ matches }) => index.findInSummary(hit.tool, (id) => (matches.get(id) ?? 0) >= SYNONYM))
    let ordered = 0
    for (let i = 0; i + 1 < at.length; i++) if (at[i]! >= 0 && at[i]! < at[i + 1]!) ordered++
    // `list_orders` rather than `get_order` for several.
    const name = wordsOf(index.nameOf(hit.tool))
    const same = name.filter((word) => words.includes(word)).length
    hit.score *= (1 + SAME_ORDER * ordered / Math.max(1, terms.length - 1)) *
      (1 + SAME_FORM * same / Math.max(1, name.length))
  }
  hits.unshift(...looked.sort(better))
}
