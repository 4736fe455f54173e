// Watches the calls that the model itself makes of a toolkit. The calls of programs are told by the hooks of `CodeMode.toolkit`.
import { Clock, Effect, Stream } from "effect"
import type { Tool, Toolkit } from "effect/ai"

/** A call that has begun. */
export interface Started {
  readonly id: string
  readonly tool: string
  readonly params: unknown
}

/** A call that has ended. */
export interface Ended extends Started {
  readonly milliseconds: number
  /** What the caller read: the encoded result, or the failure. */
  readonly output: unknown
  readonly failed: boolean
}

/** What to do at the beginning and at the end of each call. */
export interface Observer {
  readonly started?: (call: Started) => Effect.Effect<void>
  readonly ended?: (call: Ended) => Effect.Effect<void>
}

/** The same toolkit, with an observer told of each call. */
export const observe = <Tools extends Record<string, Tool.Any>>(
  toolkit: Toolkit.WithHandler<Tools>,
  observer: Observer,
): Toolkit.WithHandler<Tools> => ({
  tools: toolkit.tools,
  handle: (name, params, id, options) =>
    Effect.gen(function*() {
      const call: Started = { id: id ?? "", tool: String(name), params }
      if (observer.started !== undefined) yield* observer.started(call)
      const from = yield* Clock.currentTimeNanos
      const end = (output: unknown, failed: boolean) =>
        Effect.flatMap(Clock.currentTimeNanos, (to) =>
          observer.ended?.({ ...call, milliseconds: Number(to - from) / 1e6, output, failed }) ?? Effect.void)
      const results = yield* Effect.tapError(toolkit.handle(name, params, id, options), (error) =>
        end(error, true))
      return results.pipe(
        Stream.tap((result) => result.preliminary ? Effect.void : end(result.encodedResult, result.isFailure)),
        Stream.tapError((error) => end(error, true)),
      )
    }),
})
