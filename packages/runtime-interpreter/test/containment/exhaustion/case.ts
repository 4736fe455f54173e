import type { Limits } from "@effect-codemode/runtime-interpreter"

/** What a run ends with: `ok` if it gives the text "ok", else the code that it fails with. */
export type End =
  | "ok"
  | "EXECUTION_BUDGET_EXCEEDED"
  | "LIMIT_EXCEEDED"
  | "TIMEOUT"
  | "EXECUTION_ERROR"
  | "INVALID_DATA"
  | "SYNTAX_ERROR"
  | "UNSUPPORTED_SYNTAX"

/** A program that tries to use up something. */
export interface Exhaustion {
  readonly name: string
  readonly tries: string
  readonly code: string
  /** What is right; several where it depends on the machine or on the limits, for the reason that `why` says. */
  readonly expect: End | ReadonlyArray<End>
  readonly why?: string
  /** Limits of this case, beside those that all cases have. */
  readonly limits?: Limits.Limits
}

type Row = readonly [name: string, code: string, expect?: Exhaustion["expect"], why?: string]

/** Rows of one kind: what they try, and what is right where a row does not say. */
export const group = (
  tries: string,
  expect: Exhaustion["expect"],
  rows: ReadonlyArray<Row>,
  limits?: Limits.Limits,
): ReadonlyArray<Exhaustion> =>
  rows.map(([name, code, its, why]) => ({
    name,
    tries,
    code,
    expect: its ?? expect,
    ...why === undefined ? undefined : { why },
    ...limits === undefined ? undefined : { limits },
  }))
