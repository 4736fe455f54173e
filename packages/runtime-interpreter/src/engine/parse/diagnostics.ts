import type { Location } from "./source.ts"

/** Why a program was refused before it ran, in the parts that a model is told. */
export interface Diagnostic {
  /**
   * - `SYNTAX_ERROR`: the code does not parse.
   * - `UNSUPPORTED_SYNTAX`: it parses, but uses something that programs do not have.
   */
  readonly code: "SYNTAX_ERROR" | "UNSUPPORTED_SYNTAX"
  /** The reason in one line, worded as V8 does where V8 has a message. */
  readonly message: string
  /** Where in the code as it was written, fences and types included. */
  readonly location: Location
  /** What to write instead, where there is a likely fix. */
  readonly hint?: string
}

/** Thrown by the parser for a program that does not parse. The message is the diagnostic's. */
export class ProgramSyntaxError extends Error {
  override readonly name = "ProgramSyntaxError"
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message)
  }
}

/**
 * The first thing that is wrong with a text, as the parser found it. Not an `Error`: it is caught and told in other words,
 * and acorn takes some errors for its own.
 */
export class Problem {
  constructor(
    readonly code: Diagnostic["code"],
    /** Offset into the text. */
    readonly offset: number,
    readonly message: string,
    /** The token at which the parser stopped, if that is what is wrong. */
    readonly token: Token | undefined,
    readonly hint?: string,
  ) {}
}

/** A token that was not expected where it stands. */
export interface Token {
  readonly kind: "end" | "name" | "keyword" | "punctuator" | "number" | "string" | "template" | "other"
  readonly text: string
  /** The token before it, as written. */
  readonly previous: string
}
