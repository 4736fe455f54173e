import type { CharSet } from "./charset.ts"

/**
 * Instructions of the matcher. `f`/`b` after a name: reads forward, or backward inside a lookbehind. Operands follow the
 * instruction in the code.
 */
export const enum Op {
  /** The match is complete. */
  Match,
  /** count, units...: code units in a row */
  Chars,
  /** unit, unit: either of two code units */
  Either,
  /** set */
  Set,
  /** unit */
  CharBack,
  /** set */
  SetBack,
  /** target */
  Jump,
  /** target: goes on, and at the target when that fails */
  Split,
  /** target, first, second: as `Split`, but only where the next character is in the first set (and the second); -1 for any */
  SplitOn,
  /** target: goes on at the target, and here when that fails */
  SplitLazy,
  /** register: takes the position */
  Save,
  /** from, to: captures become unset */
  Unset,
  /** register, value */
  Put,
  /** register: fails if the position is still the one it holds */
  CheckProgress,
  /** counter, min, max, lazy, exit: decides on another iteration; `LoopEnter` follows */
  Loop,
  /** counter, start or -1, from, to: an iteration begins, its captures unset */
  LoopEnter,
  /** counter, start or -1, min, loop: an iteration ends */
  LoopEnd,
  /** set, min, max, next or -1: as many as possible; `GreedyRetry` follows */
  Greedy,
  /** set, min, max, next or -1: one fewer */
  GreedyRetry,
  /** set, min, max: as many as possible, and never fewer */
  Possessive,
  /** set, min, max, next or -1: as few as possible; `LazyRetry` follows */
  Lazy,
  /** set, min, max, next or -1: one more */
  LazyRetry,
  Start,
  StartOfLine,
  End,
  EndOfLine,
  /** set of word characters, 1 for a boundary or 0 for none */
  WordBoundary,
  /** ignore case, count, groups... */
  BackReference,
  /** ignore case, count, groups... */
  BackReferenceBack,
  /** height, position, from, to: a positive lookaround begins, with those captures inside */
  Look,
  /** height, position: it matched */
  LookEnd,
  /** height, target: a negative lookaround begins; the target is where its failure leads */
  LookNot,
  /** height: it matched, so it fails */
  LookNotEnd,
  /** index into `strings`, 1 for backward: a member of a class with strings, the longest first */
  Strings,
  Fail,
}

/** A class that has strings besides characters. */
export interface StringClass {
  readonly characters: CharSet
  /** Whether a text of other than one character is a member. */
  readonly hasString: (text: string) => boolean
  /** The longest string, in code units. */
  readonly maxLength: number
}

/** A compiled pattern. Immutable, and the same for every run. */
export interface Program {
  readonly code: Int32Array
  readonly sets: ReadonlyArray<CharSet>
  readonly strings: ReadonlyArray<StringClass>
  /** Capturing groups, the whole match included. */
  readonly groups: number
  /** Two for each group, then those of loops and lookarounds. */
  readonly registers: number
  /** Names of groups in their order, each with the numbers of the groups so named. */
  readonly names: ReadonlyArray<readonly [name: string, groups: ReadonlyArray<number>]>
  /** Whether a character is a code point. */
  readonly unicode: boolean
  /** What every match begins with; may be empty. */
  readonly prefix: string
  /** What the first character of every match is in, where that is known. */
  readonly first: CharSet | null
  /**
   * The set of a loop without upper bound that every match begins with. An attempt that fails where such a loop began fails
   * wherever the loop might have gone through, so that the next one is made after the first character outside the set.
   */
  readonly leading: CharSet | null
  /** Whether a match can only begin at the start of the text. */
  readonly anchored: boolean
}
