import { type AST, RegExpParser, RegExpSyntaxError as ParserError } from "@eslint-community/regexpp"

/** Why a pattern or its flags are no regular expression, in V8's words. */
export class RegExpSyntaxError extends Error {}

/**
 * Longer patterns are refused: parsing one is a single piece of work that nothing can interrupt. In UTF-16 code units; the
 * classes of letters that libraries write out for engines without `\p{L}` have 17,000.
 */
export const MAX_PATTERN_LENGTH = 1 << 15

/** Deeper groups and classes are refused: parser and compiler recurse on the host's stack. */
const MAX_PATTERN_DEPTH = 250

const parser = new RegExpParser({ ecmaVersion: 2025 })

/** The parser's wording, where V8's differs. */
const wording: Readonly<Record<string, string>> = {
  "Invalid unicode escape": "Invalid Unicode escape",
  "Invalid empty flags": "Invalid group",
}

export interface Flags {
  readonly hasIndices: boolean
  readonly global: boolean
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly dotAll: boolean
  readonly unicode: boolean
  readonly unicodeSets: boolean
  readonly sticky: boolean
}

const ALL_FLAGS = "dgimsuvy"

export const parseFlags = (flags: string): Flags => {
  const valid = flags.length <= ALL_FLAGS.length && /^[dgimsuvy]*$/.test(flags) &&
    new Set(flags).size === flags.length &&
    !(flags.includes("u") && flags.includes("v"))
  if (!valid) {
    const shown = flags.length > 40 ? `${flags.slice(0, 40)}...` : flags
    throw new RegExpSyntaxError(`Invalid flags supplied to RegExp constructor '${shown}'`)
  }
  return {
    hasIndices: flags.includes("d"),
    global: flags.includes("g"),
    ignoreCase: flags.includes("i"),
    multiline: flags.includes("m"),
    dotAll: flags.includes("s"),
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
    sticky: flags.includes("y"),
  }
}

/** An upper bound of how deep groups and classes nest. */
const depthOf = (pattern: string): number => {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern.charCodeAt(i)
    if (c === 92) i++
    else if (c === 40 || c === 91) deepest = Math.max(deepest, ++depth)
    else if ((c === 41 || c === 93) && depth > 0) depth--
  }
  return deepest
}

/** A pattern as messages about its size show it. */
export const shortened = (pattern: string): string => pattern.length > 100 ? `${pattern.slice(0, 100)}...` : pattern

export const patternError = (pattern: string, flags: string, reason: string): RegExpSyntaxError =>
  new RegExpSyntaxError(`Invalid regular expression: /${pattern}/${flags}: ${reason}`)

/** https://tc39.es/ecma262/#sec-parsepattern */
export const parsePattern = (pattern: string, text: string, flags: Flags): AST.Pattern => {
  if (pattern.length > MAX_PATTERN_LENGTH || depthOf(pattern) > MAX_PATTERN_DEPTH) {
    throw patternError(shortened(pattern), text, "Regular expression too large")
  }
  try {
    return parser.parsePattern(pattern, 0, pattern.length, { unicode: flags.unicode, unicodeSets: flags.unicodeSets })
  } catch (error) {
    if (!(error instanceof ParserError)) throw error
    const prefix = `Invalid regular expression: /${pattern}/${flags.unicode ? "u" : ""}${
      flags.unicodeSets ? "v" : ""
    }: `
    const reason = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message
    throw patternError(pattern, text, wording[reason] ?? reason)
  }
}
