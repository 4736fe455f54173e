/**
 * What may take long in steps: at a stretch, or with turns of the host's event loop in between.
 */
import * as Effect from "effect/Effect"

/** Something that can stop after each of its steps. */
export type Steps<A> = Generator<void, A>

/** Takes all steps at a stretch. */
export const finish = <A>(steps: Steps<A>): A => {
  let next = steps.next()
  while (next.done !== true) next = steps.next()
  return next.value
}

/** So many steps are taken between two turns. Each is some ten microseconds long. */
const AT_ONCE = 64

/** Takes all steps, and lets whoever else waits have a turn after some of them. */
export const inTurns = <A>(steps: Steps<A>): Effect.Effect<A> =>
  Effect.suspend(() => {
    for (let i = 0; i < AT_ONCE; i++) {
      const next = steps.next()
      if (next.done === true) return Effect.succeed(next.value)
    }
    return Effect.andThen(Effect.yieldNow, inTurns(steps))
  })
