// The corpora whose cases are right or wrong, whatever the clock says: each case gives a list of what is wrong with it.
import { betweenRuns } from "../../test/containment/between-runs.cases.ts"
import { runBetween } from "../../test/containment/between-runs.ts"
import { escapes } from "../../test/containment/escapes.cases.ts"
import { runEscape } from "../../test/containment/escapes.ts"
import { secrets } from "../../test/containment/secrets.cases.ts"
import { runSecret } from "../../test/containment/secrets.ts"

export interface Corpus {
  /** What a case that is wrong did. */
  readonly wrong: "escaped" | "leaked"
  readonly cases: ReadonlyArray<{ readonly name: string; readonly run: () => Promise<ReadonlyArray<string>> }>
}

const corpus = <Case extends { readonly name: string }>(
  wrong: Corpus["wrong"],
  cases: ReadonlyArray<Case>,
  run: (one: Case) => Promise<ReadonlyArray<string>>,
): Corpus => ({ wrong, cases: cases.map((one) => ({ name: one.name, run: () => run(one) })) })

export const corpora = {
  escapes: corpus("escaped", escapes, runEscape),
  betweenRuns: corpus("leaked", betweenRuns, runBetween),
  secrets: corpus("leaked", secrets, runSecret),
} as const
