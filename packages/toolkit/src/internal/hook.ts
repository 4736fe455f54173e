import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** Runs a hook of the host. What it fails or dies of is logged and changes nothing. */
export const quiet = (name: string, hook: () => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(
    Effect.suspend(() => {
      const effect: unknown = hook()
      return Effect.isEffect(effect) ? effect as Effect.Effect<void> : Effect.void
    }),
    (cause) => Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError(`The hook \`${name}\` died`, cause),
  )
