import * as CodeMode from "@effect-codemode/toolkit/CodeMode"
import type * as ToolSource from "@effect-codemode/toolkit/ToolSource"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import type * as Schema from "effect/Schema"
import {
  type Failure,
  makeRun,
  type Program,
  type ProgramCache,
  type Progress,
  type Refusal,
  refused,
  type Run,
  tooLong,
} from "../engine/index.ts"
import type { Resolved } from "../Limits.ts"
import { cut, cuts } from "./cut.ts"
import { elapsed, microtask } from "./host.ts"
import { ownRandom } from "./random.ts"
import { inTurns, work, type Worker } from "./turns.ts"

/** What all runs of a runtime have in common. */
export interface Settings {
  readonly limits: Resolved
  readonly programs: ProgramCache
  readonly globals: Readonly<Record<string, Schema.Json>> | undefined
  readonly locale: string | undefined
  readonly timeZone: string | undefined
}

type End = Effect.Effect<CodeMode.Outcome, CodeMode.CodeError>

/** Milliseconds between two looks at the clock: the steps that come may be much longer than those before. */
const STRIDE = 0.5

/** Steps between two looks at the clock, at most and at least. */
const MAX_STEPS = 1_000_000
const MIN_STEPS = 1000

/** How long the end of a run waits for the calls that it interrupted. */
const GRACE = Duration.seconds(1)

/** How many calls that are answered at once come between two looks at the clock. */
const BURST = 4

/** Milliseconds between two looks at the time of a run that stands still. */
const LEAST_SLEEP = 20

/**
 * One run for one fiber: starts its calls as fibers of their own, lets it work in slices, and ends it in one way or another.
 * Written without effects of its own, for the sake of what a run and a call cost.
 */
export class Session implements Worker {
  readonly slice: number
  private run: Run | undefined
  /** Whether a slice is under way or certain to come. */
  private scheduled = false
  private over = false
  /** Steps until the next look at the clock. */
  private steps = MIN_STEPS * 4
  /** When the slice that is under way is to end; 0 between slices. */
  private until = 0
  /** How many calls were answered at once since it began. */
  private answered = 0
  /** Calls that start with the next slice. */
  private readonly starts: Array<{ readonly id: number; readonly tool: string; readonly input: Schema.JsonObject }> = []
  /** The fibers of calls that are under way. */
  private readonly fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  /** What sleeps until the program's next timer, and until the run's own time is over. */
  private alarm: Fiber.Fiber<void> | undefined
  private deadline: Fiber.Fiber<void> | undefined
  private readonly clock: Clock.Clock
  private readonly fork: ReturnType<typeof Effect.runForkWith<never>>

  constructor(
    private readonly settings: Settings,
    private readonly execution: CodeMode.Execution,
    private readonly fiber: Fiber.Fiber<unknown, unknown>,
    private readonly resume: (end: End) => void,
  ) {
    this.slice = settings.limits.slice
    this.clock = fiber.getRef(Clock.Clock)
    this.fork = Effect.runForkWith(fiber.context)
  }

  /** Starts the run, and gives what ends it when the fiber is interrupted. */
  start(): Effect.Effect<void> {
    const { limits, programs } = this.settings
    const { code } = this.execution
    try {
      if (code.length > limits.sourceLength) this.fail(tooLong(code.length, limits.sourceLength))
      else {
        if (limits.timeout !== Infinity) this.startDeadline(limits.timeout)
        const program = programs.load(code, (steps) => inTurns(steps, limits.slice))
        if (program instanceof Promise) {
          program.then((loaded) => this.begin(loaded)).catch((cause: unknown) => this.broken(cause))
        } else this.begin(program)
      }
    } catch (cause) {
      this.broken(cause)
    }
    return Effect.suspend(() => this.stop(true))
  }

  private begin(program: Program | Refusal): void {
    if (this.over) return
    if ("refused" in program) return this.fail(refused(program.refused))
    const { globals, limits, locale, timeZone } = this.settings
    const random = ownRandom(this.fiber.getRef(Random.Random))
    try {
      this.run = makeRun(program, {
        limits,
        tools: this.execution.tools,
        globals: globals as Record<string, never> | undefined,
        locale,
        timeZone,
        host: {
          now: () => this.clock.currentTimeMillisUnsafe(),
          monotonic: () => Number(this.clock.monotonicTimeNanosUnsafe()) / 1e6,
          elapsed,
          random,
          startCall: (id, tool, input) => this.startCall(id, tool, input),
          setAlarm: (delay) => this.setAlarm(delay),
          log: this.execution.log,
        },
      })
    } catch (cause) {
      return this.broken(cause)
    }
    this.scheduled = true
    work(this)
  }

  // Slices

  work(milliseconds: number): boolean {
    if (this.over) return false
    const run = this.run!
    let now = elapsed()
    // A slice ends a little early rather than late.
    this.until = now + milliseconds - STRIDE
    this.answered = 0
    try {
      this.startCalls()
      while (!this.over) {
        const before = now
        const { steps } = this
        const used = run.fuelUsed
        const progress: Progress = run.advance(steps)
        // A call that was interrupted at once has ended the run.
        if (this.over) return false
        if (progress === "waiting" ? this.starts.length === 0 : progress !== "running") {
          this.scheduled = false
          if (typeof progress === "object") {
            this.end(progress.type === "returned" ? this.succeeded(progress.value) : this.failure(progress.failure))
          }
          return false
        }
        now = elapsed()
        if (progress === "running") {
          const took = now - before
          // Slower at once, faster little by little.
          const fitting = took > 0 ? Math.floor((run.fuelUsed - used) * STRIDE / took) : MAX_STEPS
          this.steps = Math.min(MAX_STEPS, Math.max(MIN_STEPS, Math.min(fitting, steps * 2)))
        }
        if (now >= this.until) return true
      }
      return false
    } catch (cause) {
      this.scheduled = false
      this.broken(cause)
      return false
    } finally {
      this.until = 0
    }
  }

  /** A call or a timer has something new for the program. */
  private wake(): void {
    if (this.scheduled || this.over) return
    this.scheduled = true
    // What ends at the same time is taken in together.
    microtask(() => work(this))
  }

  // Calls

  // A tool that answers at once does so here. Many that do may take long together, and the program starts the next ones meanwhile.
  private startCall(id: number, tool: string, input: Schema.JsonObject): void {
    if (this.starts.length === 0 && (this.answered === 0 || this.hasTime)) return this.startNow(id, tool, input)
    this.starts.push({ id, tool, input })
    this.wake()
  }

  private get hasTime(): boolean {
    return this.answered % BURST !== 0 || elapsed() < this.until
  }

  private startCalls(): void {
    while (this.starts.length > 0) {
      const { id, input, tool } = this.starts.shift()!
      this.startNow(id, tool, input)
      if (!this.hasTime) return
    }
  }

  private startNow(id: number, tool: string, input: Schema.JsonObject): void {
    if (this.over) return
    let call: Effect.Effect<Schema.Json, ToolSource.Failure>
    try {
      const { execution } = this
      call = execution.callAside === undefined
        ? execution.call(tool, input)
        : execution.callAside(tool, input, (wait) => this.aside(id, wait))
    } catch (cause) {
      call = Effect.die(cause)
    }
    // Many effects are values already.
    if (Exit.isExit(call)) return this.answer(id, tool, call as Exit.Exit<Schema.Json, ToolSource.Failure>)
    const fiber = this.fork(call)
    const exit = fiber.pollUnsafe()
    if (exit !== undefined) return this.answer(id, tool, exit)
    this.fibers.add(fiber)
    fiber.addObserver((exit) => {
      this.fibers.delete(fiber)
      this.settle(id, tool, exit)
      this.wake()
    })
  }

  private answer(id: number, tool: string, exit: Exit.Exit<Schema.Json, ToolSource.Failure>): void {
    this.answered++
    this.settle(id, tool, exit)
  }

  private aside<A, E>(id: number, wait: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.flatMap(
      Effect.suspend(() => {
        this.run!.stepAside(id)
        return wait
      }),
      (answer) => Effect.callback<A>((resume) => this.run!.goOn(id, () => resume(Effect.succeed(answer)))),
    )
  }

  private settle(id: number, tool: string, exit: Exit.Exit<Schema.Json, ToolSource.Failure>): void {
    if (this.over) return
    const run = this.run!
    if (Exit.isSuccess(exit)) return run.settleCall(id, exit.value)
    const { cause } = exit
    const failed = cause.reasons.find(Cause.isFailReason)
    const died = Cause.hasDies(cause)
    if (failed === undefined && !died) return this.end(Effect.failCause(cause as Cause.Cause<never>))
    const failure = failed === undefined || died ? undefined : failureOf(failed.error)
    if (failure !== undefined) return run.failCall(id, failure)
    this.fork(Effect.logError(`The call of the tool "${tool}" died`, cause))
    const message = `The tool "${tool}" broke. The fault is the tool's, not the call's.`
    run.failCall(id, { code: "TOOL_FAILURE", message, retryable: false })
  }

  // Timers

  private setAlarm(delay: number): void {
    this.alarm?.interruptUnsafe(this.fiber.id)
    const fiber = this.alarm = this.fork(this.clock.sleep(Duration.millis(delay)))
    fiber.addObserver((exit) => {
      if (this.alarm !== fiber || this.over || Exit.isFailure(exit)) return
      this.alarm = undefined
      this.run!.alarm()
      this.wake()
    })
  }

  private startDeadline(timeout: number): void {
    const start = this.milliseconds()
    const sleep = (delay: number) => {
      this.deadline = this.fork(this.clock.sleep(Duration.millis(delay)))
      this.deadline.addObserver((exit) => {
        if (this.over || Exit.isFailure(exit)) return
        let left: number
        try {
          left = timeout - (this.milliseconds() - start - (this.execution.waited?.() ?? 0))
        } catch (cause) {
          return this.broken(cause)
        }
        if (left > 0) return sleep(Math.max(left, LEAST_SLEEP))
        const location = this.run?.location
        this.fail({
          code: "TIMEOUT",
          message: `The run took longer than ${
            Duration.format(Duration.millis(timeout))
          }, its tool calls included, and was ended.`,
          retryable: true,
          ...location === undefined ? undefined : { location },
          hint: "Do less in one run, or run independent calls together with Promise.all.",
        })
      })
    }
    sleep(timeout)
  }

  private milliseconds(): number {
    return Number(this.clock.monotonicTimeNanosUnsafe()) / 1e6
  }

  // The end

  private succeeded(value: Schema.Json): End {
    const { limits } = this.settings
    return Effect.succeed({ result: cuts(limits) ? cut(value, limits) : value, logs: this.run!.logs })
  }

  private failure({ code, hint, location, message, retryable }: Failure): End {
    const logs = this.run?.logs ?? []
    return Effect.fail(new CodeMode.CodeError({ code, message, retryable, logs, location, hint }))
  }

  private fail(failure: Failure): void {
    this.end(this.failure(failure))
  }

  /** A defect of ours: the host is told, the model is not. */
  private broken(cause: unknown): void {
    this.end(
      Effect.andThen(
        Effect.logError("The interpreter broke while it ran a program", cause),
        this.failure({
          code: "RUNTIME_FAILURE",
          message: "The runtime broke while it ran the code. The fault is not the code's.",
          retryable: false,
        }),
      ),
    )
  }

  private end(end: End): void {
    if (this.over) return
    const stopped = this.stop(false)
    this.resume(stopped === Effect.void ? end : Effect.andThen(stopped, end))
  }

  /** Ends the run where it is: interrupts its calls at once, and gives what waits for their end, for a while: not all can be interrupted. */
  private stop(isFromOutside: boolean): Effect.Effect<void> {
    if (!this.over) {
      this.over = true
      this.tellUsage(isFromOutside)
    }
    this.alarm?.interruptUnsafe(this.fiber.id)
    this.deadline?.interruptUnsafe(this.fiber.id)
    if (this.fibers.size === 0) return Effect.void
    const calls = Array.from(this.fibers)
    for (const call of calls) call.interruptUnsafe(this.fiber.id)
    return Effect.raceFirst(Effect.asVoid(Fiber.awaitAll(calls)), this.clock.sleep(GRACE))
  }

  private tellUsage(isFromOutside: boolean): void {
    const { run } = this
    try {
      this.execution.usage?.({
        fuel: run?.fuelUsed ?? 0,
        peakMemory: run?.peakMemory ?? 0,
        location: isFromOutside ? run?.location : undefined,
      })
    } catch (cause) {
      this.fork(Effect.logError("Who is told what a run used threw", cause))
    }
  }
}

/** The parts of a failure, each read once: a caller that breaks its word may give anything, which may change or throw. */
const failureOf = (error: unknown): Pick<ToolSource.Failure, "code" | "message" | "retryable"> | undefined => {
  try {
    const { code, message, retryable } = error as Partial<ToolSource.Failure>
    return typeof code === "string" && typeof message === "string" && typeof retryable === "boolean"
      ? { code, message, retryable }
      : undefined
  } catch {
    return undefined
  }
}
