import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** Runs a hook of the host. What it dies of is logged and changes nothing. */
export const quiet = (name: string, hook: () => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(
    Effect.suspend(hook),
    (cause) => Cause.hasDies(cause) ? Effect.logError(`The hook \`${name}\` died`, cause) : Effect.void,
  )
