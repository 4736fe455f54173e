import * as Effect from "effect/Effect"

/** What a mistake of the host's in setting things up ends in. `message` says what is wrong, and what to write instead. */
export const defect = (message: string): Effect.Effect<never> => Effect.die(new Error(message))
