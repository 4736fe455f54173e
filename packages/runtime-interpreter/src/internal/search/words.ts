/** Splits texts into words, and finds what the forms of a word have in common. */

const RUN = /[\p{L}\p{N}\p{M}]+/gu
const BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u
const CAPITAL = /\p{Lu}/u

/** The words of a text in small letters: split at case changes, and at what is neither a letter nor a digit. */
export const wordsOf = (text: string): Array<string> => {
  const words: Array<string> = []
  eachWord(text, (word) => words.push(word))
  return words
}

/** Visits the words of a text, in order. */
export const eachWord = (text: string, visit: (word: string) => void): void => {
  let start = -1
  let capital = false
  for (let i = 0; i <= text.length; i++) {
    const char = i < text.length ? text.charCodeAt(i) : 32
    if (char > 127) return eachOfAnyScript(start < 0 ? text.slice(i) : text.slice(start), visit)
    const isCapital = char >= 65 && char <= 90
    if (isCapital || (char >= 97 && char <= 122) || (char >= 48 && char <= 57)) {
      if (start < 0) start = i
      if (isCapital) capital = true
    } else if (start >= 0) {
      const run = text.slice(start, i)
      if (capital) { for (const word of run.split(BOUNDARY)) visit(word.toLowerCase()) }
      else visit(run)
      start = -1
      capital = false
    }
  }
}

const eachOfAnyScript = (text: string, visit: (word: string) => void): void => {
  for (const run of text.match(RUN) ?? []) {
    if (!CAPITAL.test(run)) visit(run)
    else for (const word of run.split(BOUNDARY)) visit(word.toLowerCase())
  }
}

const stops = new Set(
  ("a an and any are as at be by can do for from have how i in is it its me my of on or that the there this to was what when " +
    "where which who will with you your").split(" "),
)

/** Whether a word says what a text is about. Single Latin letters do not. */
export const isTelling = (word: string): boolean => !stops.has(word) && (word.length > 1 || word < "a" || word > "z")

export const isVowel = (char: string): boolean => "aeiouy".includes(char)

const hasVowel = (text: string): boolean => {
  for (const char of text) if (isVowel(char)) return true
  return false
}

/**
 * What the forms of an English word have in common, roughly: without plural, -ing, -ed and a last -e. Words with one stem are taken for
 * one; a stem need not be a word.
 */
export const stemOf = (word: string): string => {
  let stem = word.length > 3 && word.endsWith("s") ? singular(word) : word
  stem = withoutEnding(stem, "ing") ?? withoutEnding(stem, "ed") ?? stem
  if (stem.length > 4 && stem.endsWith("e")) return stem.slice(0, -1)
  return stem.length > 3 && stem.endsWith("y") ? `${stem.slice(0, -1)}i` : stem
}

const singular = (word: string): string => {
  if (/(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  return /(?:sses|shes|ches|xes|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

const withoutEnding = (word: string, ending: string): string | undefined => {
  if (word.length <= ending.length + 2 || !word.endsWith(ending)) return undefined
  const base = word.slice(0, -ending.length)
  if (!hasVowel(base) || (ending === "ed" && base.endsWith("e"))) return undefined
  const last = base.at(-1)!
  // `stopping` is of `stop`, but `calling` of `call`.
  if (last === base.at(-2) && !isVowel(last) && !"lsz".includes(last)) return base.slice(0, -1)
  // `moving` is of `move`, but `fixing` of `fix`.
  return base.length === 3 && !isVowel(base[0]!) && isVowel(base[1]!) && !isVowel(last) && !"wx".includes(last)
    ? `${base}e`
    : base
}
