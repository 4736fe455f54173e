// Times one build of the interpreter, in a process of its own: builds that share one are slower or faster by their order.
import type * as Interpreter from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { used } from "../processor.ts"
import * as Tools from "../tools.ts"

/** What the process is to do, as its first argument. */
export interface Task {
  readonly program: string
  /** The entry module of the build. */
  readonly build: string
  /** Milliseconds of processor to measure for, after it is warm. */
  readonly time: number
}

/** What it prints. */
export interface Timed {
  readonly result: unknown
  /** Milliseconds of processor for one run, of many rounds. */
  readonly times: ReadonlyArray<number>
}

const { build, program, time } = JSON.parse(process.argv[2]!) as Task

const { InterpreterRuntime } = await import(build) as typeof Interpreter
const runtime = InterpreterRuntime.make()
const execution = { code: readFileSync(program, "utf8"), tools: Tools.names, call: Tools.call }
const run = () => Effect.runPromise(Effect.map(runtime.run(execution), ({ result }) => result))

const result = await run()

/** Milliseconds of processor after which it is asked whether runs have become faster: V8 compiles the machine's loop in less. */
const WARM = 800
/** So much of its time a run must lose for it to be still warming up, and so often that is asked. */
const FASTER = 0.03
const ASKED = 6
/** Processor time of one measurement, in milliseconds, at least. */
const ROUND = 10

const timeOf = async (repeats: number): Promise<number> => {
  const start = used()
  for (let i = 0; i < repeats; i++) await run()
  return used() - start
}

/** How long a run took in the fastest of the rounds within so much time of the processor, and how many runs make such a round. */
const fastest = async (): Promise<{ readonly least: number; readonly repeats: number }> => {
  const start = used()
  let least = Infinity
  let repeats = 1
  do {
    const time = await timeOf(repeats)
    if (time < ROUND) repeats *= 2
    else least = Math.min(least, time / repeats)
  } while (used() - start < WARM || least === Infinity)
  return { least, repeats }
}

/** Runs until it becomes no faster: only warm runs are compared. Answers how many runs make a round. */
const warm = async (): Promise<number> => {
  let last = Infinity
  for (let asked = 0;; asked++) {
    const { least, repeats } = await fastest()
    if (asked === ASKED || least > last * (1 - FASTER)) return repeats
    last = Math.min(last, least)
  }
}

const repeats = await warm()
const times: Array<number> = []
const start = used()
for (let round = 0; round < 12 || used() - start < time; round++) times.push(await timeOf(repeats) / repeats)
console.log(JSON.stringify({ result, times } satisfies Timed))
