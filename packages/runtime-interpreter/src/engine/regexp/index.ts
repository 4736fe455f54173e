/** Regular expressions: patterns are parsed, compiled to programs, and matched by a machine that can stop at any step. */
import type { AST } from "@eslint-community/regexpp"
import { TooMuchWork } from "./charset.ts"
import { UnknownProperty } from "./classes.ts"
import { compileProgram } from "./compile.ts"
import { type Flags, parseFlags, parsePattern, patternError, shortened } from "./parse.ts"
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
  const steps = compileInSteps(pattern, flags)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** The same of a long pattern in two steps: it is parsed, and then made a program. */
export function* compileInSteps(pattern: string, flags: string): Generator<undefined, CompiledRegExp> {
  const parsedFlags = parseFlags(flags)
  const tree = parsePattern(pattern, flags, parsedFlags)
  yield
  return { flags: parsedFlags, program: programOf(tree, parsedFlags, pattern, flags) }
}

const programOf = (tree: AST.Pattern, parsedFlags: Flags, pattern: string, flags: string): Program => {
  try {
    return compileProgram(tree, parsedFlags)
  } catch (error) {
    if (error instanceof TooMuchWork) throw patternError(shortened(pattern), flags, "Regular expression too large")
    if (error instanceof UnknownProperty) throw patternError(pattern, flags, "Invalid property name")
    throw error
  }
}
