// Times builds of the interpreter in turns, in a process of their own: what one process does to a build by chance is not the next one's.
import type * as Interpreter from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { deepStrictEqual } from "node:assert/strict"
import { readFileSync } from "node:fs"
import * as Tools from "../tools.ts"
import { used } from "./processor.ts"

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

/** Has each build run often enough that its times are not those of a compiler. */
const WARM = 400
/** Processor time of one measurement, in milliseconds. */
const ROUND = 10

const timeOf = async (run: () => Promise<unknown>, repeats: number): Promise<number> => {
  const start = used()
  for (let i = 0; i < repeats; i++) await run()
  return used() - start
}

const repeats: Array<number> = []
for (const run of runners) {
  const start = used()
  let once = Infinity
  do once = Math.min(once, await timeOf(run, 1))
  while (used() - start < WARM)
  repeats.push(Math.max(1, Math.round(ROUND / Math.max(once, 0.01))))
}
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
