import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import { type Attachments, Collector } from "./attachments.ts"
import type { Aside, Execution } from "./contract.ts"
import { RunningDeadline } from "./deadline.ts"
import * as Failure from "./failure.ts"
import * as Handled from "./handled.ts"
import { quiet } from "./hook.ts"
import * as InputFailure from "./input-failure.ts"
import type { Call, CallEnd } from "./report.ts"
import type { Session } from "./session.ts"
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
  const { entryOf, presented, search, settings } = session.common
  const { authorize } = settings
  const { observed } = session
  const slots = new Slots(session, base, run)
  const count = (exit: Exit.Exit<unknown, ToolSource.Failure>): undefined => {
    if (Exit.isSuccess(exit)) session.succeeded++
    else if (exit.cause.reasons.some(Cause.isFailReason)) session.failed++
  }
  const identify = (index: number) => `${session.id}/${index + 1}`

  const looked = (call: Call, handled: Answer, aside: Aside | undefined): Answer =>
    watched(
      session,
      call,
      authorize === undefined
        ? handled
        : Effect.andThen(asking(session, () => authorize(call), call, aside), handled),
    )

  const call = (name: string, input: Schema.JsonObject, aside?: Aside): Answer => {
    const callable = presented.callable.get(name)
    if (callable === undefined) return Effect.suspend(() => Effect.fail(Failure.notCallable(presented, name, search)))
    const { name: own, tool } = callable
    const explain = (failure: ToolSource.Failure) =>
      failure.code === "INVALID_TOOL_INPUT" ? InputFailure.explained(failure, input, entryOf(name)) : failure
    return Effect.withFiber((fiber) => {
      const index = session.started++
      const callId = identify(index)
      const slot = slots.take(index, callId)
      const handled = Handled.call(presented.handle, own, { name, tool, callId, explain }, input) as Answer
      const before = fiber.context
      // What the handlers need is in the context of the slot.
      fiber.setContext(slot.context(before))
      return Effect.onExitPrimitive(
        observed ? looked({ index, id: callId, name, input }, handled, aside) : handled,
        (exit) => {
          fiber.setContext(before)
          slots.giveBack(slot)
          return count(exit)
        },
      )
    })
  }

  const observe: NonNullable<Execution["observe"]> = (name, input, answer) =>
    Effect.suspend(() => {
      const index = session.started++
      if (!observed) return Effect.onExitPrimitive(answer, count)
      const asked: Call = { index, id: identify(index), name, input }
      const told = Effect.onExitPrimitive(watched(session, asked, answer), count)
      return Effect.updateContext(told, (fiber) => slots.merge(fiber))
    })

  return {
    call: (name, input) => call(name, input),
    observe,
    ...authorize === undefined ? undefined : { callAside: call },
  }
}

/** What one call at a time runs with: a context with everything it needs, and in it the collector of what it attaches. */
class Slot {
  readonly collector: Collector
  // Calls of a run nearly always come with the same services, so that merging is done once.
  private last: Context.Context<never> | undefined
  private merged: Context.Context<never> | undefined

  constructor(attachments: Attachments, private readonly slots: Slots) {
    this.collector = new Collector(attachments)
  }

  readonly context = (fiber: Context.Context<never>): Context.Context<never> => {
    if (fiber !== this.last) {
      this.last = fiber
      this.merged = Context.add(this.slots.merge(fiber), ToolSource.Attachments, this.collector)
    }
    return this.merged!
  }
}

/** The slots of a run. A call gives its slot back for the next, since a context of its own for each would cost as much as the rest. */
class Slots {
  private readonly free: Array<Slot> = []
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

  take(index: number, callId: string): Slot {
    const slot = this.free.pop() ?? new Slot(this.session.attachments, this)
    slot.collector.index = index
    slot.collector.callId = callId
    return slot
  }

  giveBack(slot: Slot): void {
    this.free.push(slot)
  }

  merge(fiber: Context.Context<never>): Context.Context<never> {
    if (fiber !== this.last) {
      this.last = fiber
      this.merged = this.whole(fiber)
    }
    return this.merged
  }

  private whole(fiber: Context.Context<never>): Context.Context<never> {
    return Context.add(Context.merge(this.base, fiber), RunningDeadline, this.session.deadline)
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
        Effect.logError(`The authorization of the tool "${name}" died (call ${id})`, cause),
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

/** Whether a question ended in something else than an answer or an interruption. */
const isNoAnswer = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) =>
    Cause.isDieReason(reason) || Cause.isFailReason(reason) && !(reason.error instanceof ToolSource.Failure)
  )
