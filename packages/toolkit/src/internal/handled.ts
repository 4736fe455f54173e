import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Pull from "effect/Pull"
import { isSuccess } from "effect/Result"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Failure from "./failure.ts"
import { knownJson, notJson, toJson } from "./json.ts"
import type { Starter } from "./starter.ts"
import * as ToolCall from "./tool-call.ts"

/** A toolkit's way to call its tools, whatever they are. */
export type Handle = Toolkit.WithHandler<Record<string, Tool.Any>>["handle"]

/** Whether something is a toolkit with handlers, whatever its type says. */
export const isHandled = (toolkit: unknown): boolean =>
  Predicate.hasProperty(toolkit, "tools") && Predicate.hasProperty(toolkit, "handle") &&
  typeof toolkit.handle === "function"

/** What is said of a toolkit without them. */
export const unhandled =
  "The toolkit has no handlers. Give what `yield* toolkit` gives where the layer of its handlers is provided."

/** The call as failures and the host's log speak of it. */
export interface Told {
  /** The name that the caller knows the tool by. */
  readonly name: string
  readonly tool: Tool.Any
  readonly callId: string | undefined
  /** Adds to what is told of a failure. */
  readonly explain?: (failure: ToolCall.Failure) => ToolCall.Failure
}

type Answer = Effect.Effect<Schema.Json, ToolCall.Failure, unknown>

/**
 * Calls a tool of a toolkit with handlers by its name `own`, and gives its final result as JSON: what the tool encodes, never the
 * decoded value. What the handlers need stays to be provided.
 */
export const call = (
  handle: Handle,
  own: string,
  told: Told,
  input: Schema.JsonObject,
  starter: Starter | undefined,
): Answer => new Caller().call(handle, own, told, input, starter)

/**
 * Makes calls, one at a time. What a call is made of is as costly as the call: so it is as little as there can be, and most of it is
 * used again for the next one.
 */
export class Caller {
  private told: Told | undefined
  private starter: Starter | undefined
  private scope: Scope.Closeable | undefined
  private pulling: Effect.Effect<void, unknown, unknown> | undefined
  private last: Result | undefined

  /** Makes an effect that is to be run once, before the next one is made. */
  call(
    handle: Handle,
    own: string,
    told: Told,
    input: Schema.JsonObject,
    starter: Starter | undefined,
  ): Answer {
    this.told = told
    this.starter = starter
    this.last = undefined
    this.scope = undefined
    starter?.open()
    let results: ReturnType<Handle>
    try {
      results = handle(own, input, told.callId)
      if (!Effect.isEffect(results)) results = Effect.die(new Error("The toolkit gave no effect for the call"))
    } catch (cause) {
      results = Effect.die(cause)
    }
    return Effect.matchCauseEffect(
      Effect.onExitPrimitive(Effect.flatMap(Effect.flatMap(results, this.open), this.pull), this.close),
      this.ends,
    )
  }

  /** Forgets the call, which is over. */
  clear(): void {
    this.told = undefined
    this.scope = undefined
    this.pulling = undefined
    this.last = undefined
  }

  // `Stream.runForEachArray` with fewer effects.

  private readonly open = (results: Stream.Stream<Result, unknown, unknown>) => {
    this.scope = Scope.makeUnsafe()
    this.starter?.start()
    return Channel.toTransform(Stream.toChannel(results))(Cause.done(), this.scope)
  }

  private readonly pull = (pull: Pull.Pull<ReadonlyArray<Result>, unknown, void, unknown>) => {
    this.pulling = Effect.matchCauseEffect(pull, this.pulled)
    return this.pulling
  }

  private readonly pulled = {
    onFailure: (cause: Cause.Cause<unknown>): Effect.Effect<void, unknown, unknown> => {
      const done = Pull.filterDone(cause)
      return isSuccess(done) ? Effect.void : Effect.failCause(done.failure)
    },
    onSuccess: (chunk: ReadonlyArray<Result>): Effect.Effect<void, unknown, unknown> => {
      for (const result of chunk) if (!result.preliminary) this.last = result
      return this.pulling!
    },
  }

  private readonly close = (exit: Exit.Exit<unknown, unknown>) =>
    this.scope === undefined ? undefined : Scope.closeUnsafe(this.scope, exit)

  private readonly ends = {
    onFailure: (cause: Cause.Cause<unknown>): Answer => {
      const { callId, explain, name, tool } = this.told!
      const failed = Failure.fromCause(name, tool, callId, cause)
      return explain === undefined ? failed : Effect.mapError(failed, explain)
    },
    onSuccess: (): Answer => {
      const told = this.told!
      try {
        return answer(told, this.last)
      } catch (cause) {
        // What the toolkit gave is not what its type says.
        return Failure.fromCause(told.name, told.tool, told.callId, Cause.die(cause))
      }
    },
  }
}

type Result = Tool.HandlerResult<Tool.Any> & { readonly [knownJson]?: Schema.Json }

const answer = (
  { callId, explain, name, tool }: Told,
  result: Result | undefined,
): Effect.Effect<Schema.Json, ToolCall.Failure, unknown> => {
  if (result === undefined) {
    return Failure.fromCause(name, tool, callId, Cause.die(new Error("The handler ended without a final result")))
  }
  if (result.isFailure) {
    const failed = Failure.fromError(name, tool, callId, result.result)
    return explain === undefined ? failed : Effect.mapError(failed, explain)
  }
  const json = encoded(name, tool, callId, result)
  return result.modelOutput === undefined
    ? json
    : Effect.catchCauseIf(
      Effect.tap(json, attachFiles(result.modelOutput)),
      Cause.hasDies,
      (cause) => Failure.fromCause(name, tool, callId, cause),
    )
}

// What a tool says to the model in place of its result is not for a program; its files are for the model all the same.
const attachFiles = (modelOutput: NonNullable<Result["modelOutput"]>): Effect.Effect<void, ToolCall.Failure> =>
  Effect.forEach(
    modelOutput.filter((part) => part.type === "file"),
    ({ data, fileName, mediaType }) => ToolCall.attach({ mediaType, fileName, data }),
    { discard: true },
  )

// Encoding as `handle` does it leaves what the schema has no JSON form for (a date stays a date). Where that happens, the
// JSON codec of the schema has one.
const encoded = (name: string, tool: Tool.Any, callId: string | undefined, result: Result) => {
  // What an assembly gives was looked at where its source gave it. Results may be large.
  const known = result[knownJson]
  const json = known !== undefined && known === result.encodedResult ? known : toJson(result.encodedResult)
  if (json !== notJson) return Effect.succeed(json)
  return Effect.matchCauseEffect(Schema.encodeUnknownEffect(Schema.toCodecJson(tool.successSchema))(result.result), {
    onFailure: (cause) => Failure.invalidOutput(name, callId, cause),
    onSuccess: (value) => {
      const again = toJson(value)
      return again === notJson
        ? Failure.invalidOutput(name, callId, "The encoded result is not JSON")
        : Effect.succeed(again)
    },
  })
}
