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

/** Throws a `RegExpSyntaxError` where the pattern or the flags are wrong. Takes time in proportion to the pattern's length. */
export const compile = (pattern: string, flags: string): CompiledRegExp => {
  const parsedFlags = parseFlags(flags)
  const tree = parsePattern(pattern, flags, parsedFlags)
  try {
    return { flags: parsedFlags, program: compileProgram(tree, parsedFlags) }
  } catch (error) {
    if (error instanceof UnknownProperty) throw patternError(pattern, flags, "Invalid property name")
    throw error
  }
}

/** Compiled patterns are kept until so many characters of patterns came after them. */
const MAX_CACHED_LENGTH = MAX_PATTERN_LENGTH
const MAX_CACHED = 500

/**
 * Compiled patterns of one run. Others have their own: what a run compiled is nothing that another one could find out by its
 * clock.
 */
export class RegExpCache {
  private readonly patterns = new Map<string, CompiledRegExp>()
  private length = 0

  /** The same as `compile`. */
  compile(pattern: string, flags: string): CompiledRegExp {
    const { patterns } = this
    const key = `${flags}/${pattern}`
    const known = patterns.get(key)
    if (known !== undefined) return known
    const compiled = compile(pattern, flags)
    this.length += key.length
    while (patterns.size >= MAX_CACHED || (this.length > MAX_CACHED_LENGTH && patterns.size > 0)) {
      const oldest: string = patterns.keys().next().value!
      patterns.delete(oldest)
      this.length -= oldest.length
    }
    patterns.set(key, compiled)
    return compiled
  }
}
