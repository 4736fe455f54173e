import { hostile } from "./hostile.ts"
import { damaged, mutated, noise, tokensOf } from "./mutate.ts"
import { Random } from "./random.ts"

/** A program, and the parts of it that can be left out to find the one that matters. */
export interface Fuzzed {
  readonly kind: "hostile" | "mutated" | "damaged" | "noise"
  readonly before: string
  readonly parts: ReadonlyArray<string>
  readonly separator: string
}

export const textOf = ({ before, parts, separator }: Fuzzed): string => `${before}${parts.join(separator)}`

/** What random programs are made of. */
export interface Sources {
  /** Expressions of all functions that programs are given. */
  readonly functions: ReadonlyArray<string>
  /** Real programs. */
  readonly corpus: ReadonlyArray<string>
}

/** The program of this number: the same for the same seed. */
export const programOf = (seed: number, number: number, { corpus, functions }: Sources): Fuzzed => {
  const random = new Random(Math.imul(seed, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35))
  switch (random.below(10)) {
    case 0:
      return { kind: "noise", before: "", parts: noise(random).split(""), separator: "" }
    case 1:
      return { kind: "damaged", before: "", parts: tokensOf(damaged(random, corpus)), separator: "" }
    case 2:
    case 3:
    case 4:
      return { kind: "mutated", before: "", parts: tokensOf(mutated(random, corpus)), separator: "" }
    default: {
      const { before, statements } = hostile(random, functions)
      return { kind: "hostile", before, parts: statements, separator: "\n" }
    }
  }
}
