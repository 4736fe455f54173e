/** Regular expressions: patterns are parsed, compiled to programs, and matched by a machine that can stop at any step. */
import { UnknownProperty } from "./classes.ts"
import { compileProgram } from "./compile.ts"
import { type Flags, MAX_PATTERN_LENGTH, parseFlags, parsePattern, patternError } from "./parse.ts"
import type { Program } from "./program.ts"

export { BacktrackOverflow, Matcher, Outcome } from "./match.ts"
export { type Flags, MAX_PATTERN_LENGTH, RegExpSyntaxError } from "./parse.ts"
export type { Program } from "./program.ts"

/** A pattern with flags, ready to run. Immutable. */
export interface CompiledRegExp {
  readonly flags: Flags
  readonly program: Program
}

/** Compiled patterns are kept until so many characters of patterns came after them. */
const MAX_CACHED_LENGTH = MAX_PATTERN_LENGTH
const MAX_CACHED = 500

let cachedLength = 0
const cache = new Map<string, CompiledRegExp>()

/** Throws a `RegExpSyntaxError` where the pattern or the flags are wrong. Takes time in proportion to the pattern's length. */
export const compile = (pattern: string, flags: string): CompiledRegExp => {
  const key = `${flags}/${pattern}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const parsedFlags = parseFlags(flags)
  const tree = parsePattern(pattern, flags, parsedFlags)
  let program: Program
  try {
    program = compileProgram(tree, parsedFlags)
  } catch (error) {
    if (error instanceof UnknownProperty) throw patternError(pattern, flags, "Invalid property name")
    throw error
  }
  const compiled: CompiledRegExp = { flags: parsedFlags, program }
  cachedLength += key.length
  while (cache.size >= MAX_CACHED || (cachedLength > MAX_CACHED_LENGTH && cache.size > 0)) {
    const oldest: string = cache.keys().next().value!
    cache.delete(oldest)
    cachedLength -= oldest.length
  }
  cache.set(key, compiled)
  return compiled
}
