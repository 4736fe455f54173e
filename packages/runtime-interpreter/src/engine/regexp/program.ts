import type { CharSet } from "./charset.ts"

/**
 * Instructions of the matcher. `f`/`b` after a name: reads forward, or backward inside a lookbehind. Operands follow the
 * instruction in the code.
 */
export const Op = {
  /** The match is complete. */
  Match: 0,
  /** count, units...: code units in a row */
  Chars: 1,
  /** unit, unit: either of two code units */
  Either: 2,
  /** set */
  Set: 3,
  /** unit */
  CharBack: 4,
  /** set */
  SetBack: 5,
  /** target */
  Jump: 6,
  /** target: goes on, and at the target when that fails */
  Split: 7,
  /** target, first, second: as `Split`, but only where the next character is in the first set (and the second); -1 for any */
  SplitOn: 8,
  /** target: goes on at the target, and here when that fails */
  SplitLazy: 9,
  /** register: takes the position */
  Save: 10,
  /** from, to: captures become unset */
  Unset: 11,
  /** register, value */
  Put: 12,
  /** register: fails if the position is still the one it holds */
  CheckProgress: 13,
  /** counter, min, max, lazy, exit: decides on another iteration; `LoopEnter` follows */
  Loop: 14,
  /** counter, start or -1, from, to: an iteration begins, its captures unset */
  LoopEnter: 15,
  /** counter, start or -1, min, loop: an iteration ends */
  LoopEnd: 16,
  /** set, min, max, next or -1: as many as possible; `GreedyRetry` follows */
  Greedy: 17,
  /** set, min, max, next or -1: one fewer */
  GreedyRetry: 18,
  /** set, min, max: as many as possible, and never fewer */
  Possessive: 19,
  /** set, min, max, next or -1: as few as possible; `LazyRetry` follows */
  Lazy: 20,
  /** set, min, max, next or -1: one more */
  LazyRetry: 21,
  Start: 22,
  StartOfLine: 23,
  End: 24,
  EndOfLine: 25,
  /** set of word characters, 1 for a boundary or 0 for none */
  WordBoundary: 26,
  /** ignore case, count, groups... */
  BackReference: 27,
  /** ignore case, count, groups... */
  BackReferenceBack: 28,
  /** height, position, from, to: a positive lookaround begins, with those captures inside */
  Look: 29,
  /** height, position: it matched */
  LookEnd: 30,
  /** height, target: a negative lookaround begins; the target is where its failure leads */
  LookNot: 31,
  /** height: it matched, so it fails */
  LookNotEnd: 32,
  /** index into `strings`, 1 for backward: a member of a class with strings, the longest first */
  Strings: 33,
  Fail: 34,
} as const

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
