import * as Cause from "effect/Cause"
import type * as Clock from "effect/Clock"
import { Clock as ClockReference } from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import type * as Tracer from "effect/Tracer"
import type { Catalog, Entry } from "../Catalog.ts"
import { Attachments } from "./attachments.ts"
import * as Call from "./call.ts"
import { CodeError, type CodeRuntime, type Outcome, type Usage } from "./contract.ts"
import { Deadline, RunningDeadline } from "./deadline.ts"
import { quiet } from "./hook.ts"
import { jsonSize } from "./json-size.ts"
import type { Presented } from "./presented.ts"
import type { CallEnd, Report, ReportedCall } from "./report.ts"
import * as Result from "./result.ts"
import type { Settings } from "./settings.ts"
import * as Telemetry from "./telemetry.ts"
import * as ToolSource from "./tool-call.ts"

/** What all runs over a presented toolkit have in common. */
export interface Common {
  readonly settings: Settings
  readonly presented: Presented
  readonly runtime: CodeRuntime
  readonly catalog: Catalog
  /** What the catalog has of a tool, by its callable name. */
  readonly entryOf: (tool: string) => Entry | undefined
  /** The callable names. */
  readonly names: ReadonlyArray<string>
  /** What the handlers need. */
  readonly services: Context.Context<never>
  /** Whether programs are told to search their tools. */
  readonly search: boolean
}

/** How long a run that is interrupted waits for its calls to end. */
const GRACE = Duration.seconds(1)

/** How many characters of JSON the inputs take that a report keeps. */
const MAX_INPUTS = 16 << 20

/** One run, from its start to its report. */
export class Session {
  attachments!: Attachments
  clock!: Clock.Clock
  deadline!: Deadline
  /** Whether calls have spans. */
  traced = false
  /** How many calls there were, and how they ended; the others were interrupted. */
  started = 0
  succeeded = 0
  failed = 0
  /** Whether the run is over, and no call begins any more, whatever its runtime does. */
  isOver = false
  /** Ends the calls that its runtime has left behind. */
  endCalls: (() => void) | undefined
  private calls: Array<ReportedCall> | undefined
  private inputs = 0
  private usage: Usage = {}
  private readonly heard: Array<string> = []
  private elapsed = 0

  /**
   * - `recorded`: whether the report is to tell the calls.
   * - `forwards`: whether attachments go to whoever collects those of the fiber that runs the session, too.
   */
  constructor(
    readonly common: Common,
    readonly id: string,
    readonly code: string,
    options: { readonly recorded: boolean; readonly forwards: boolean },
  ) {
    if (options.recorded || common.settings.onRunEnd !== undefined) this.calls = []
    this.forwards = options.forwards
  }

  private readonly forwards: boolean

  /** Whether calls are looked at one by one. */
  get observed(): boolean {
    const { authorize, onToolCallEnd, onToolCallStart } = this.common.settings
    return this.traced || this.calls !== undefined || onToolCallStart !== undefined || onToolCallEnd !== undefined ||
      authorize !== undefined
  }

  /** Runs the program, once. */
  readonly run: Effect.Effect<Outcome, CodeError> = Effect.withFiber((fiber) => {
    const { settings } = this.common
    this.clock = fiber.getRef(ClockReference)
    this.deadline = new Deadline(this.clock, settings.timeout, fiber.getRef(RunningDeadline))
    this.attachments = new Attachments(settings, this.forwards ? fiber.getRef(ToolSource.Attachments) : undefined)
    this.traced = Telemetry.isTraced(fiber)
    return Effect.onExitPrimitive(
      this.traced ? this.spanned() : this.bounded(),
      (exit) => this.end(exit, fiber.context),
    )
  })

  private spanned(): Effect.Effect<Outcome, CodeError> {
    const { name, traceContent } = this.common.settings
    const attributes = Telemetry.toolAttributes(name, this.id, traceContent ? { code: this.code } : undefined)
    return Effect.useSpan(
      "codemode.execute",
      { attributes },
      (span) =>
        Effect.onExitPrimitive(Effect.withParentSpan(this.bounded(), span, { captureStackTrace: false }), (exit) => {
          this.annotate(span, exit)
          return undefined
        }),
    )
  }

  private annotate(span: Tracer.Span, exit: Exit.Exit<Outcome, CodeError>): void {
    const { fuel, peakMemory } = this.usage
    span.attribute("codemode.calls", this.started)
    if (fuel !== undefined) span.attribute("codemode.fuel", fuel)
    if (peakMemory !== undefined) span.attribute("codemode.peak_memory", peakMemory)
    Telemetry.annotateEnd(span, exit as Exit.Exit<Schema.Json, CodeError>, this.common.settings.traceContent)
  }

  /** The program within its time, and what it gives within its limit. */
  private bounded(): Effect.Effect<Outcome, CodeError> {
    const { maxResultLength, oversize, timeout } = this.common.settings
    const program = this.abandonable(
      Effect.flatMap(this.program, (outcome) => Result.limit(outcome, maxResultLength, oversize)),
    )
    const inTime: Effect.Effect<Outcome | void, CodeError> = Duration.isFinite(timeout)
      ? Effect.raceFirst(program, this.deadline.over)
      : program
    return Effect.flatMap(
      Effect.catchCauseIf(Effect.andThen(turn, inTime), isBroken, (cause) => this.broken(cause)),
      (outcome) => outcome === undefined ? this.late() : Effect.succeed(outcome),
    )
  }

  /**
   * What ends within a while when it is interrupted, even if it does not end itself: a tool may not be interruptible, and is then left
   * behind.
   */
  private abandonable<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.uninterruptible(
      Effect.flatMap(
        Effect.forkDetach(Effect.interruptible(effect), { startImmediately: true }),
        (fiber) =>
          Effect.onInterrupt(Effect.interruptible(Fiber.join(fiber)), () => {
            fiber.interruptUnsafe()
            return Effect.raceFirst(Fiber.await(fiber), this.clock.sleep(GRACE))
          }),
      ),
    )
  }

  private readonly program: Effect.Effect<Outcome, CodeError> = Effect.withFiber((fiber) => {
    const { catalog, names, runtime, services } = this.common
    if (typeof this.code !== "string") return notText
    return runtime.run({
      code: this.code,
      tools: names,
      ...Call.make(this, Context.merge(services, fiber.context), fiber.context),
      catalog,
      log: (line) => this.heard.push(line),
      usage: (usage) => {
        this.usage = sound(usage)
      },
      waited: () => this.deadline.waited,
    })
  })

  private late(): Effect.Effect<never, CodeError> {
    const { location } = this.usage
    return Effect.fail(
      new CodeError({
        code: "TIMEOUT",
        message: `The run took longer than ${
          Duration.format(this.common.settings.timeout)
        }, its tool calls included, and was ended.`,
        retryable: true,
        logs: this.heard,
        hint: "Do less in one run, or run independent calls together with Promise.all.",
        ...location === undefined ? undefined : { location },
      }),
    )
  }

  private broken(cause: Cause.Cause<CodeError>): Effect.Effect<never, CodeError> {
    return Effect.andThen(
      Effect.logError("The runtime broke while it ran a program", cause),
      Effect.fail(
        new CodeError({
          code: "RUNTIME_FAILURE",
          message: "The runtime broke while it ran the code. The fault is not the code's.",
          retryable: false,
          logs: this.heard,
        }),
      ),
    )
  }

  // Calls

  /** Notes a call that starts. Until it ends, it counts as interrupted. */
  opened(call: ReportedCall): void {
    if (this.calls === undefined) return
    const size = this.inputs >= MAX_INPUTS ? Infinity : jsonSize(call.input, MAX_INPUTS - this.inputs)
    if (this.inputs + size > MAX_INPUTS) {
      this.inputs = MAX_INPUTS
      this.calls[call.index] = { ...call, input: {}, inputLeftOut: true }
    } else {
      this.inputs += size
      this.calls[call.index] = call
    }
  }

  /** Notes how a call ended. */
  closed(end: CallEnd): void {
    // What ends later has been reported as interrupted.
    if (this.isOver) return
    const noted = this.calls?.[end.index]
    if (noted !== undefined) {
      this.calls![end.index] = { ...end, ...noted.inputLeftOut && { input: {}, inputLeftOut: true } }
    }
  }

  // The end

  private end(exit: Exit.Exit<Outcome, CodeError>, context: Context.Context<never>): Effect.Effect<void> | undefined {
    this.isOver = true
    this.endCalls?.()
    this.attachments.close()
    this.elapsed = this.deadline.elapsed
    const { fuel, peakMemory } = this.usage
    Telemetry.record(context, {
      exit,
      elapsed: this.elapsed,
      fuel,
      peakMemory,
      calls: {
        success: this.succeeded,
        failure: this.failed,
        interrupted: this.started - this.succeeded - this.failed,
      },
    })
    const { onRunEnd } = this.common.settings
    return onRunEnd === undefined ? undefined : quiet("onRunEnd", () => onRunEnd(this.report(exit)))
  }

  report(exit: Exit.Exit<Outcome, CodeError>): Report {
    const { fuel, peakMemory } = this.usage
    return {
      id: this.id,
      code: this.code,
      exit,
      calls: this.calls ?? [],
      attachments: this.attachments.all,
      duration: Duration.millis(this.elapsed),
      waited: Duration.millis(this.deadline.waited),
      ...fuel === undefined ? undefined : { fuel },
      ...peakMemory === undefined ? undefined : { peakMemory },
    }
  }
}

// A model may leave it out, and a loop of the host's hand that on.
const notText = Effect.fail(
  new CodeError({
    code: "INVALID_TOOL_INPUT",
    message: "The input has no `code`: the program to run, as a text.",
    retryable: true,
    logs: [],
  }),
)

/** Whether a runtime died, or failed with something else than why a run ends. */
const isBroken = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) =>
    Cause.isDieReason(reason) || (Cause.isFailReason(reason) && !Predicate.isTagged(reason.error, "CodeError"))
  )

/** What a runtime says it used, as far as that makes sense. */
const sound = (usage: Usage): Usage => {
  const { fuel, location, peakMemory } = Object(usage) as Usage
  return {
    ...isAmount(fuel) && { fuel },
    ...isAmount(peakMemory) && { peakMemory },
    ...isPlace(location?.line) && isPlace(location?.column) && { location },
  }
}

const isAmount = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0

const isPlace = (value: unknown): boolean => Number.isInteger(value) && (value as number) > 0

// A fiber that was cancelled before it began runs until it first waits: that is here, before anything is started.
const turn = Effect.callback<void>((resume) => {
  void Promise.resolve().then(() => resume(Effect.void))
})
