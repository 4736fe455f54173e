import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"

/** Runs a hook of the host. What it fails or dies of is logged and changes nothing. */
export const quiet = (name: string, hook: () => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.catchCause(
    Effect.suspend(() => {
      const given: unknown = hook()
      if (Effect.isEffect(given)) return given as Effect.Effect<void>
      if (given === undefined) return Effect.void
      // What a promise is rejected with is logged in place of what is said here.
      return Effect.andThen(
        Effect.promise(async () => given),
        Effect.die(new Error(`The option \`${name}\` gave no effect`)),
      )
    }),
    (cause) => Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError(`The hook \`${name}\` died`, cause),
  )
