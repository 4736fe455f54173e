import { Limits } from "@effect-codemode/runtime-interpreter"
import {
  makeRun,
  type Outcome,
  type Program,
  ProgramCache,
  type Refusal,
  type Run,
  type RunLimits,
} from "@effect-codemode/runtime-interpreter/engine"

export { ProgramCache }

/** What a hostile host, or tool, does for a call: gives a value, or throws a failure. */
export type Answer = (tool: string, input: unknown) => unknown

/** A program that was run on the engine itself, and what the host got of it. */
export interface Driven {
  /** Absent for a text that is no program. */
  readonly run?: Run
  /** What the run was made of, which is the host's and the same for all runs of the text. */
  readonly program?: Program
  readonly outcome: Outcome
  readonly logs: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<unknown>
}

export interface DriveOptions {
  readonly tools?: ReadonlyArray<string>
  readonly answer?: Answer
  readonly limits?: Partial<RunLimits>
  readonly programs?: ProgramCache
}

/** Runs a program on the engine itself, with tools that answer at once, and time that passes as soon as there is nothing to do. */
export const drive = async (code: string, options: DriveOptions = {}): Promise<Driven> => {
  const {
    answer = (_tool, input) => input,
    limits,
    programs = new ProgramCache(),
    tools = ["$codemode.search", "echo", "fail"],
  } = options
  const program: Program | Refusal = await programs.load(code)
  const inputs: Array<unknown> = []
  if ("refused" in program) {
    const { code, location, message } = program.refused
    return { outcome: { type: "failed", failure: { code, message, location, retryable: true } }, logs: [], inputs }
  }
  let now = 0
  let alarm = Infinity
  const run = makeRun(program, {
    limits: { ...Limits.defaults, ...limits },
    tools,
    host: {
      now: () => now,
      monotonic: () => now,
      // No built-in is ended for the time it takes, so that what comes of a program is the same on a slow machine.
      elapsed: () => 0,
      random: () => 0.5,
      setAlarm: (delay) => {
        alarm = now + delay
      },
      startCall: (id, tool, input) => {
        inputs.push(input)
        try {
          run.settleCall(id, answer(tool, input))
        } catch (error) {
          run.failCall(id, { code: "TOOL_FAILURE", message: String((error as Error).message), retryable: true })
        }
      },
    },
  })
  for (;;) {
    const progress = run.advance(100_000)
    if (typeof progress !== "string") return { run, program, outcome: progress, logs: run.logs, inputs }
    if (progress === "waiting") {
      if (alarm === Infinity) throw new Error("The run waits for nothing")
      now = alarm
      alarm = Infinity
      run.alarm()
    }
  }
}

/** What stands for no frame, no instruction and no function in the data of a run that is over: the same objects for all runs. */
export const nothingOf = (run: Run): object => run.machine.frame.parent
