import type { Answer } from "../drive.ts"

/** What must come of a program. */
export type Expectation =
  /** It ends with this value. */
  | { readonly returns: unknown }
  /** It fails, or is refused, with this code. */
  | { readonly fails: string }
  /** It may end in any way that is no defect of the runtime's: only what leaves it is looked at. */
  | "anything"

/** A way out that some sandbox had once. */
export interface Escape {
  readonly name: string
  /** The technique, in a sentence. */
  readonly tries: string
  /** The program, which `probe` stands before. */
  readonly code: string
  readonly expect: Expectation
  /** The steps it may take, where it takes them all. */
  readonly fuel?: number
  /** What the host's tools `echo` and `fail` do. */
  readonly answer?: Answer
}

/** A program that gives the list of what it gained, which must be empty. */
export const escape = (name: string, tries: string, code: string, answer?: Answer): Escape => ({
  name,
  tries,
  code,
  expect: { returns: [] },
  ...answer === undefined ? undefined : { answer },
})

/** A text that must not be run at all. */
export const refused = (name: string, tries: string, code: string, fails = "UNSUPPORTED_SYNTAX"): Escape => ({
  name,
  tries,
  code,
  expect: { fails },
})
