// Why tests that are in scope still fail: one line for each cause. What matches none is not explained, and is to be looked into;
// the documentation of the language names it by its file. A test that is out of scope is left out by `skips.ts` instead.
import type { Summary } from "./report.ts"

/** A test that failed. */
export type Failure = Summary["failures"][number]

/** One cause of failures. */
export interface Cause {
  readonly cause: string
  readonly matches: (failure: Failure) => boolean
}

const message = (pattern: RegExp) => (failure: Failure) => pattern.test(failure.message)

/** The causes, in order: the first that matches explains a failure. */
export const causes: ReadonlyArray<Cause> = [
  {
    cause: "makes some million calls, for which the machine that ran the suite took longer than the runner waits",
    matches: message(/^timeout: /),
  },
  { cause: "takes more steps than the runner gives to a test", matches: message(/^stopped: fuel/) },
  { cause: "keeps more data than the runner gives to a test", matches: message(/^stopped: memory/) },
]

/** Failures by cause, most frequent first; those without an explanation come last, with no cause. */
export const explain = (
  failures: ReadonlyArray<Failure>,
): ReadonlyArray<{ readonly cause: string | undefined; readonly files: ReadonlyArray<string> }> => {
  const groups = new Map<string | undefined, Array<string>>()
  for (const failure of failures) {
    const cause = causes.find(({ matches }) => matches(failure))?.cause
    const files = groups.get(cause)
    if (files === undefined) groups.set(cause, [failure.file])
    else files.push(failure.file)
  }
  return Array.from(groups, ([cause, files]) => ({ cause, files }))
    .sort((a, b) => Number(a.cause === undefined) - Number(b.cause === undefined) || b.files.length - a.files.length)
}
