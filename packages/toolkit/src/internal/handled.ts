import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Failure from "./failure.ts"
import { notJson, toJson } from "./json.ts"
import * as ToolCall from "./tool-call.ts"

/** A toolkit's way to call its tools, whatever they are. */
export type Handle = Toolkit.WithHandler<Record<string, Tool.Any>>["handle"]

/** The call as failures and the host's log speak of it. */
export interface Told {
  /** The name that the caller knows the tool by. */
  readonly name: string
  readonly tool: Tool.Any
  readonly callId: string | undefined
  /** Adds to what is told of a failure. */
  readonly explain?: (failure: ToolCall.Failure) => ToolCall.Failure
}

/**
 * Calls a tool of a toolkit with handlers by its name `own`, and gives its final result as JSON: what the tool encodes, never the
 * decoded value. What the handlers need stays to be provided.
 */
export const call = (
  handle: Handle,
  own: string,
  told: Told,
  input: Schema.JsonObject,
): Effect.Effect<Schema.Json, ToolCall.Failure, unknown> => {
  const onFailure = (cause: Cause.Cause<unknown>) => {
    const failed = Failure.fromCause(told.name, told.tool, told.callId, cause)
    return told.explain === undefined ? failed : Effect.mapError(failed, told.explain)
  }
  // Every step costs each call something: these are as few as there can be.
  return Effect.matchCauseEffect(handle(own, input, told.callId), {
    onFailure,
    onSuccess: (results: Stream.Stream<Result, unknown, unknown>) => {
      let last: Result | undefined
      return Effect.matchCauseEffect(
        Stream.runForEachArray(results, (chunk) => {
          for (const result of chunk) if (!result.preliminary) last = result
          return Effect.void
        }),
        { onFailure, onSuccess: () => answer(told, last) },
      )
    },
  })
}

type Result = Tool.HandlerResult<Tool.Any>

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
  return result.modelOutput === undefined ? json : Effect.tap(json, attachFiles(result.modelOutput))
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
  const json = toJson(result.encodedResult)
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
