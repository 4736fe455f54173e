import type { Secret } from "./secrets/case.ts"
import { calls, executions, runtimes } from "./secrets/runtimes.cases.ts"
import { defects, failures, inputs, policies, results } from "./secrets/tools.cases.ts"

/** Hosts that have something to hide: one for each place where an error or a value of theirs could come out. */
export const secrets: ReadonlyArray<Secret> = [
  ...defects,
  ...failures,
  ...results,
  ...inputs,
  ...policies,
  ...calls,
  ...executions,
  ...runtimes,
]
