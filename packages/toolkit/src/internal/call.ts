import type * as Tool from "effect/ai/Tool"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { Scheduler } from "effect/Scheduler"
import type * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Tracer from "effect/Tracer"
import { Collector } from "./attachments.ts"
import type { Aside, Execution } from "./contract.ts"
import { RunningDeadline } from "./deadline.ts"
import * as Failure from "./failure.ts"
import * as Handled from "./handled.ts"
import { quiet } from "./hook.ts"
import * as InputFailure from "./input-failure.ts"
import { jsonSize } from "./json-size.ts"
import { Reading, RunReading } from "./reading.ts"
import type { Call, CallEnd } from "./report.ts"
import type { Session } from "./session.ts"
import { Starter } from "./starter.ts"
import * as Telemetry from "./telemetry.ts"
import * as ToolSource from "./tool-call.ts"

type Answer = Effect.Effect<Schema.Json, ToolSource.Failure>

/**
 * Makes the `call` of one run: a call from code is the same call that the model would have made, through the presented
 * toolkit's `handle`, with ids `<id of the run>/1`, `<id of the run>/2`, in the order they start. And `observe`, which counts a call
 * that the runtime answers by itself among them.
 *
 * - `base`: what the handlers need, and the services of the fiber of the run; `run`: those alone. The services of the fiber that makes
 *   a call go before both, so that its span and clock are seen.
 */
export const make = (
  session: Session,
  base: Context.Context<never>,
  run: Context.Context<never>,
): Pick<Execution, "call" | "callAside" | "observe"> => {
  const { presented, search } = session.common
  const { authorize } = session.common.settings
  const slots = new Slots(session, base, run)
  session.endCalls = slots.end

  const call = (name: string, input: Schema.JsonObject, aside?: Aside): Answer => {
    const callable = presented.callable.get(name)
    return callable === undefined
      ? Effect.suspend(() => Effect.fail(Failure.notCallable(presented, name, search)))
      : Effect.withFiber((fiber) =>
        session.isOver ? Effect.interrupt : slots.take().start(fiber, name, callable, input, aside)
      )
  }

  const observe: NonNullable<Execution["observe"]> = (name, input, answer) =>
    Effect.suspend(() => {
      if (session.isOver) return Effect.interrupt
      const index = session.started++
      if (!session.observed) return Effect.onExitPrimitive(answer, slots.count)
      const asked: Call = { index, id: slots.identify(index), name, input }
      const told = Effect.onExitPrimitive(watched(session, asked, answer), slots.count)
      return Effect.updateContext(told, (fiber) => slots.merge(fiber))
    })

  return {
    call: (name, input) => call(name, input),
    observe,
    ...authorize === undefined ? undefined : { callAside: call },
  }
}

/**
 * One call at a time: what it is of, and a context with everything it needs, with the collector of what it attaches. It is used again
 * for the next call, since making all of this anew would cost as much as the rest.
 */
class Slot implements Handled.Told {
  name = ""
  tool!: Tool.Any
  callId = ""
  private input: Schema.JsonObject | undefined
  private fiber: Fiber.Fiber<unknown, unknown> | undefined
  private before: Context.Context<never> | undefined
  private readonly caller = new Handled.Caller()
  private starter: Starter | undefined
  private readonly collector: Collector
  // Calls of a run nearly always come with the same services, so that merging is done once.
  private last: Context.Context<never> | undefined
  private merged: Context.Context<never> | undefined

  constructor(private readonly session: Session, private readonly slots: Slots) {
    this.collector = new Collector(session.attachments)
  }

  start(
    fiber: Fiber.Fiber<unknown, unknown>,
    name: string,
    { name: own, tool }: { readonly name: string; readonly tool: Tool.Any },
    input: Schema.JsonObject,
    aside: Aside | undefined,
  ): Answer {
    const { session } = this
    const { handle } = session.common.presented
    const index = session.started++
    this.name = name
    this.tool = tool
    this.input = input
    this.collector.index = index
    this.collector.callId = this.callId = this.slots.identify(index)
    this.fiber = fiber
    this.before = fiber.context
    const context = this.context(fiber.context)
    // What the handlers need is in the context of the slot.
    const call = () => this.caller.call(handle, own, this, input, this.starter) as Answer
    // A call that is looked at has begun to be told, and may go on, before the toolkit hears of it.
    const handled = jsonSize(input, LARGE_INPUT) > LARGE_INPUT
      ? this.slots.inTurn(input, Effect.suspend(call))
      : session.observed
      ? Effect.suspend(call)
      : call()
    fiber.setContext(context)
    return Effect.onExitPrimitive(
      session.observed ? this.looked({ index, id: this.callId, name, input }, handled, aside) : handled,
      this.end,
    )
  }

  private context(fiber: Context.Context<never>): Context.Context<never> {
    if (fiber !== this.last) {
      this.last = fiber
      this.merged = Context.add(this.slots.merge(fiber), ToolSource.Attachments, this.collector)
      this.starter = Starter.under(Context.get(this.merged, Scheduler))
      if (this.starter !== undefined) this.merged = Context.add(this.merged, Scheduler, this.starter)
    }
    return this.merged!
  }

  private looked(call: Call, handled: Answer, aside: Aside | undefined): Answer {
    const { authorize } = this.session.common.settings
    return watched(
      this.session,
      call,
      authorize === undefined
        ? handled
        : Effect.andThen(asking(this.session, () => authorize(call), call, aside), handled),
    )
  }

  readonly explain = (failure: ToolSource.Failure): ToolSource.Failure =>
    failure.code === "INVALID_TOOL_INPUT"
      ? InputFailure.explained(failure, this.input!, this.session.common.entryOf(this.name))
      : failure

  /** Ends the call, if there is one. */
  interrupt(): void {
    this.fiber?.interruptUnsafe()
  }

  private readonly end = (exit: Exit.Exit<unknown, ToolSource.Failure>): undefined => {
    this.fiber!.setContext(this.before!)
    this.fiber = undefined
    this.before = undefined
    this.input = undefined
    this.caller.clear()
    this.slots.giveBack(this)
    return this.slots.count(exit)
  }
}

// What a tool is sent is there several times while it is sent: as a text, as bytes, in buffers. A program needs hardly any memory for inputs that
// repeat the same text, and so could fill the host's with a few calls at once.
const LARGE_INPUT = 64 * 1024
const MAX_INPUTS_AT_ONCE = 16 << 20

/** The slots of a run. */
class Slots {
  private inputs: Semaphore.Semaphore | undefined
  private readonly all: Array<Slot> = []
  private readonly free: Array<Slot> = []
  private readonly reading = new Reading()
  private last: Context.Context<never>
  private merged: Context.Context<never>

  constructor(
    private readonly session: Session,
    private readonly base: Context.Context<never>,
    run: Context.Context<never>,
  ) {
    this.last = run
    this.merged = this.whole(run)
  }

  take(): Slot {
    const free = this.free.pop()
    if (free !== undefined) return free
    const slot = new Slot(this.session, this)
    this.all.push(slot)
    return slot
  }

  giveBack(slot: Slot): void {
    this.free.push(slot)
  }

  /** Has a call with a large input wait until so much fits beside those that go on, in characters of JSON. */
  inTurn(input: Schema.JsonObject, handled: Answer): Answer {
    this.inputs ??= Semaphore.makeUnsafe(MAX_INPUTS_AT_ONCE)
    return this.inputs.withPermits(Math.min(jsonSize(input, MAX_INPUTS_AT_ONCE), MAX_INPUTS_AT_ONCE))(handled)
  }

  /** Ends the calls that a runtime has left behind. */
  readonly end = (): void => {
    for (const slot of this.all) slot.interrupt()
  }

  /** The id of a call. */
  identify(index: number): string {
    return `${this.session.id}/${index + 1}`
  }

  /** Counts how a call ended. */
  readonly count = (exit: Exit.Exit<unknown, ToolSource.Failure>): undefined => {
    if (Exit.isSuccess(exit)) this.session.succeeded++
    else if (exit.cause.reasons.some(Cause.isFailReason)) this.session.failed++
  }

  merge(fiber: Context.Context<never>): Context.Context<never> {
    if (fiber !== this.last) {
      this.last = fiber
      this.merged = this.whole(fiber)
    }
    return this.merged
  }

  private whole(fiber: Context.Context<never>): Context.Context<never> {
    const whole = Context.add(Context.merge(this.base, fiber), RunningDeadline, this.session.deadline)
    return Context.add(whole, RunReading, this.reading)
  }
}

/** A call that hooks, the report and spans are told of. */
const watched = (session: Session, call: Call, answer: Answer): Answer => {
  const { onToolCallEnd, onToolCallStart, traceContent } = session.common.settings
  const { clock } = session
  let startedAt: bigint | undefined
  const begin = Effect.suspend(() => {
    startedAt = clock.monotonicTimeNanosUnsafe()
    session.opened({ ...call, duration: Duration.zero, outcome: "interrupted" })
    return onToolCallStart === undefined ? answer : Effect.andThen(
      quiet("onToolCallStart", () => onToolCallStart(call)),
      answer,
    )
  })
  const finish = (exit: Exit.Exit<Schema.Json, ToolSource.Failure>): Effect.Effect<void> | undefined => {
    if (startedAt === undefined) return undefined
    const end = endOf(call, Duration.nanos(clock.monotonicTimeNanosUnsafe() - startedAt), exit)
    session.closed(end)
    return onToolCallEnd === undefined ? undefined : quiet("onToolCallEnd", () => onToolCallEnd(end))
  }
  if (!session.traced) return Effect.onExitPrimitive(begin, finish)
  const attributes = Telemetry.toolAttributes(call.name, call.id, traceContent ? call.input : undefined)
  return Effect.useSpan(`codemode.${call.name}`, { attributes }, (span) => {
    Telemetry.keepOut(span, call.input)
    return Effect.provideService(
      Effect.onExitPrimitive(begin, (exit) => {
        Telemetry.annotateEnd(span, exit, traceContent)
        return finish(exit)
      }),
      Tracer.ParentSpan,
      span,
    )
  })
}

const MAX_MESSAGE = 4000

const endOf = (
  { id, index, input, name }: Call,
  duration: Duration.Duration,
  exit: Exit.Exit<Schema.Json, ToolSource.Failure>,
): CallEnd => {
  if (Exit.isSuccess(exit)) return { index, id, name, input, duration, outcome: "success" }
  const failure = exit.cause.reasons.find(Cause.isFailReason)?.error
  if (failure === undefined) return { index, id, name, input, duration, outcome: "interrupted" }
  const { code, message } = failure
  return { index, id, name, input, duration, outcome: "failure", code, message: message.slice(0, MAX_MESSAGE) }
}

/** Asks whether a call may go on. Whoever cannot answer denies. */
const asking = (
  session: Session,
  authorize: () => Effect.Effect<void, ToolSource.Failure>,
  { id, name }: Call,
  aside: Aside | undefined,
): Effect.Effect<void, ToolSource.Failure> => {
  const question = Effect.catchCauseIf(
    Effect.suspend(() => {
      const answer: unknown = authorize()
      return Effect.isEffect(answer)
        ? answer as ReturnType<typeof authorize>
        : Effect.die(new Error("The option `authorize` gave no effect"))
    }),
    isNoAnswer,
    (cause) =>
      Effect.andThen(
        Effect.logError(`The authorization of the tool "${name}" gave no answer (call ${id})`, cause),
        Effect.fail(
          new ToolSource.Failure({
            code: "ACCESS_DENIED",
            message: `The tool "${name}" may not be called now: it could not be found out whether it may.`,
            retryable: false,
          }),
        ),
      ),
  )
  const asked = session.deadline.ask(question)
  return aside === undefined ? asked : aside(asked)
}

/**
 * Whether a question ended in something else than an answer. Where it is the call that is interrupted, nobody asks; here it is what the
 * question waited for.
 */
const isNoAnswer = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => !(Cause.isFailReason(reason) && reason.error instanceof ToolSource.Failure))
