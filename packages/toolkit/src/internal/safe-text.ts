/**
 * Makes texts of strangers safe to stand in what the model reads: in a comment, in a quoted name, in a fenced block. What a text
 * says stays; what would end the place it stands in, or turn its direction, does not.
 */

// Characters that turn the direction of what follows, so that a text reads otherwise than it runs.
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const controls = /[\p{Cc}\p{Zl}\p{Zp}\ufeff]+/gu
const loneSurrogates = /\p{Cs}/gu
const fences = /`{3,}|~{3,}/gu
const needsEscape = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

/** A text as a string literal, of JavaScript and of TypeScript. */
export const escaped = (text: string): string =>
  JSON.stringify(text)
    .replace(needsEscape, unicodeEscape)
    .replace(/`{3,}/g, (run) => unicodeEscape("`").repeat(run.length))
    .replace(/\*(?=\/)/g, "*\\")

/** Whether nothing has to be done to a text: most are plain. */
const isPlain = (text: string): boolean => {
  let last = 32
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char < 32 || char > 126 || char === 96 || char === 126) return false
    // Two spaces, or the end of a comment.
    if (char === 32 ? last === 32 : char === 47 && last === 42) return false
    last = char
  }
  return last !== 32
}

/** A text on one line, cut at so many characters, that can stand in any comment. */
export const oneLine = (text: string, most: number): string => {
  if (text.length <= most && isPlain(text)) return text
  // What is cut off is not worth reading.
  const line = text.slice(0, most * 4 + 100)
    .replace(directions, "")
    .replace(controls, " ")
    .replace(/\s+/gu, " ")
    .trim()
    .replace(fences, "''")
    .replace(/\*(?=\/)/g, "*\\")
  const cut = line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`
  return cut.replace(loneSurrogates, "")
}

/** The first line of a text that says something, cut at so many characters. */
export const firstLine = (text: string, most: number): string => {
  const start = text.search(/\S/u)
  if (start < 0) return ""
  const rest = text.slice(start, start + most * 4 + 100)
  const end = rest.search(/[\n\r\u2028\u2029]/u)
  return oneLine(end < 0 ? rest : rest.slice(0, end), most)
}
