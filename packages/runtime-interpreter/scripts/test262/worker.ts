// A process that judges the tests it is sent, and reports each as it is done.
import { isEngine, load } from "./host.ts"
import { judge } from "./judge.ts"
import { skipped } from "./skips.ts"
import { read } from "./suite.ts"

/** What became of one test: left out for a reason, failed with a message, or neither. */
export interface Verdict {
  readonly file: string
  readonly skipped?: string
  readonly failure?: string
}

const [root = "", engine = ""] = process.argv.slice(2)
if (process.send === undefined || !isEngine(engine)) {
  throw new Error("This file is started by the runner")
}
const host = await load(engine)
const send = process.send.bind(process)
// The runner may be gone, and this process then goes too.
const report = (verdict: Verdict) => send(verdict, undefined, undefined, (error) => error === null || process.exit(1))

const verdict = (file: string): Verdict => {
  const test = read(root, file)
  const reason = skipped(test)
  if (reason !== undefined) {
    return { file, skipped: reason }
  }
  try {
    const failure = judge(root, test, host)
    return failure === undefined ? { file } : { file, failure }
  } catch (error) {
    return { file, failure: `host error: ${error instanceof Error ? error.stack ?? error.message : String(error)}` }
  }
}

process.on("message", (files: ReadonlyArray<string>) => {
  for (const file of files) {
    report(verdict(file))
  }
})
