// Spreads the tests over processes. A process that crashes or hangs loses the test it is at, and nothing else.
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { type Engine, timeLimit } from "./host.ts"
import type { Verdict } from "./worker.ts"

const chunk = 50
/** Milliseconds without a word after which a process counts as hung: more than an engine stopped by the clock needs. */
const silence = timeLimit + 5_000
const worker = fileURLToPath(new URL("./worker.js", import.meta.url))

/** What a pool works on. */
export interface Work {
  readonly root: string
  readonly engine: Engine
  readonly files: ReadonlyArray<string>
  readonly jobs: number
  readonly onVerdict: (verdict: Verdict) => void
}

/** Runs all files, and resolves when each has its verdict. */
export const runAll = async (work: Work): Promise<void> => {
  let next = 0
  const take = (): ReadonlyArray<string> => {
    const files = work.files.slice(next, next + chunk)
    next += files.length
    return files
  }

  const lane = async (): Promise<void> => {
    let rest = take()
    while (rest.length > 0) {
      rest = await session(work, rest, take)
    }
  }
  await Promise.all(Array.from({ length: work.jobs }, lane))
}

/** One process, from its start until no tests are left or it is gone. Gives the tests that it left undone. */
const session = (work: Work, first: ReadonlyArray<string>, take: () => ReadonlyArray<string>) =>
  new Promise<ReadonlyArray<string>>((resolve) => {
    const child: ChildProcess = fork(worker, [work.root, work.engine], { execArgv: ["--max-old-space-size=2048"] })
    let pending = [...first]
    let spoken = Date.now()
    let hung = false

    const watch = setInterval(() => {
      if (Date.now() - spoken > silence) {
        hung = true
        child.kill("SIGKILL")
      }
    }, 500)

    child.on("message", (verdict: Verdict) => {
      spoken = Date.now()
      pending = pending.slice(1)
      work.onVerdict(verdict)
      if (pending.length === 0) {
        pending = [...take()]
        if (pending.length === 0) {
          child.disconnect()
        } else {
          child.send(pending)
        }
      }
    })
    child.on("exit", (code, signal) => {
      clearInterval(watch)
      const [lost, ...rest] = pending
      if (lost !== undefined) {
        const failure = hung ? "timeout: the process hung" : `crash: the process ended with ${signal ?? code}`
        work.onVerdict({ file: lost, failure })
      }
      resolve(rest.length > 0 ? rest : take())
    })
    child.send(pending)
  })
