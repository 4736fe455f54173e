// Times builds of the interpreter in turns, in a process of their own: what one process does to a build by chance is not the next one's.
import type * as Interpreter from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { deepStrictEqual } from "node:assert/strict"
import { readFileSync } from "node:fs"
import { used } from "../processor.ts"
import * as Tools from "../tools.ts"

/** What the process is to do, as its first argument. */
export interface Task {
  readonly program: string
  /** The entry modules of the builds: with meters, the same again, and without. */
  readonly builds: ReadonlyArray<string>
  /** Milliseconds of processor for each build, after it is warm. */
  readonly time: number
}

const { builds, program, time } = JSON.parse(process.argv[2]!) as Task

const code = readFileSync(program, "utf8")
const runners = await Promise.all(
  builds.map(async (build) => {
    const { InterpreterRuntime } = await import(build) as typeof Interpreter
    const runtime = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })
    const execution = { code, tools: Tools.names, call: Tools.call }
    return () => Effect.runPromise(Effect.map(runtime.run(execution), ({ result }) => result))
  }),
)

const results = await Promise.all(runners.map((run) => run()))
for (const result of results) deepStrictEqual(result, results[0], "the builds disagree")

/** Milliseconds of processor after which it is asked whether runs have become faster: V8 compiles the machine's loop in less. */
const WARM = 800
/** So much of its time a run must lose for it to be still warming up, and so often that is asked. */
const FASTER = 0.03
const ASKED = 6
/** Processor time of one measurement, in milliseconds, at least. */
const ROUND = 10

const timeOf = async (run: () => Promise<unknown>, repeats: number): Promise<number> => {
  const start = used()
  for (let i = 0; i < repeats; i++) await run()
  return used() - start
}

/** How long a run took in the fastest of the rounds within so much time of the processor, and how many runs make such a round. */
const fastest = async (run: () => Promise<unknown>): Promise<{ readonly least: number; readonly repeats: number }> => {
  const start = used()
  let least = Infinity
  let repeats = 1
  do {
    const time = await timeOf(run, repeats)
    if (time < ROUND) repeats *= 2
    else least = Math.min(least, time / repeats)
  } while (used() - start < WARM || least === Infinity)
  return { least, repeats }
}

/** Has a build run until it becomes no faster: only warm runs are compared. Answers how many runs make a round. */
const warm = async (run: () => Promise<unknown>): Promise<number> => {
  let last = Infinity
  for (let asked = 0;; asked++) {
    const { least, repeats } = await fastest(run)
    if (asked === ASKED || least > last * (1 - FASTER)) return repeats
    last = Math.min(last, least)
  }
}

const repeats: Array<number> = []
for (const run of runners) repeats.push(await warm(run))
// The same number for all, so that a round is the same work.
const each = Math.max(...repeats)

const times: ReadonlyArray<Array<number>> = runners.map(() => [])
const start = used()
for (let round = 0; round < 12 || used() - start < time * runners.length; round++) {
  for (let i = 0; i < runners.length; i++) {
    // Each begins as often as any other.
    const at = (i + round) % runners.length
    times[at]!.push(await timeOf(runners[at]!, each) / each)
  }
}
console.log(JSON.stringify(times))
