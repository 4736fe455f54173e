import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/**
 * The time of a run. It stands still as long as at least one question is open, whatever else goes on meanwhile: what a person takes to
 * answer is not the program's. Questions that are open together are counted once. A question of a run inside a tool is one of the runs
 * around it, too.
 */
export class Deadline {
  private readonly start: number
  private open = 0
  /** When the first of the open questions was asked. */
  private since = 0
  private stood = 0
  private closed: (() => void) | undefined

  /** `around`: that of the run whose tool runs this one. */
  constructor(
    private readonly clock: Clock.Clock,
    private readonly timeout: Duration.Duration,
    private readonly around: Deadline | undefined,
  ) {
    this.start = this.now()
  }

  private now(): number {
    return Number(this.clock.monotonicTimeNanosUnsafe()) / 1e6
  }

  /** Milliseconds from the start until now. */
  get elapsed(): number {
    return this.now() - this.start
  }

  /** Milliseconds of them during which a question was open. */
  get waited(): number {
    return this.open > 0 ? this.stood + this.now() - this.since : this.stood
  }

  /** Runs a question. */
  readonly ask = <A, E>(question: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      let asked = false
      return Effect.onExitPrimitive(
        Effect.suspend(() => {
          asked = true
          this.stop()
          return question
        }),
        () => {
          if (asked) this.goOn()
          return undefined
        },
      )
    })

  private stop(): void {
    if (this.open++ === 0) this.since = this.now()
    this.around?.stop()
  }

  private goOn(): void {
    if (--this.open === 0) {
      this.stood += this.now() - this.since
      this.closed?.()
    }
    this.around?.goOn()
  }

  /** Is done when the time is over. */
  readonly over: Effect.Effect<void> = Effect.suspend(() => {
    if (this.open > 0) {
      return Effect.andThen(
        Effect.callback<void>((resume) => {
          this.closed = () => resume(Effect.void)
        }),
        this.over,
      )
    }
    const left = Math.ceil(Duration.toMillis(this.timeout) - (this.elapsed - this.waited))
    return left > 0 ? Effect.andThen(this.clock.sleep(Duration.millis(left)), this.over) : Effect.void
  })
}

/** The time of the run that made the call that is running. */
export const RunningDeadline = Context.Reference<Deadline | undefined>(
  "@effect-codemode/toolkit/internal/RunningDeadline",
  { defaultValue: () => undefined },
)
