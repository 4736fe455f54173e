import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
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
}

/**
 * Calls a tool of a toolkit with handlers by its name `own`, and gives its final result as JSON: what the tool encodes, never the
 * decoded value. What the handlers need stays to be provided.
 */
export const call = (
  handle: Handle,
  own: string,
  { callId, name, tool }: Told,
  input: Schema.JsonObject,
): Effect.Effect<Schema.Json, ToolCall.Failure, unknown> =>
  Effect.matchCauseEffect(Effect.flatMap(handle(own, input, callId), final), {
    onFailure: (cause) => Failure.fromCause(name, tool, callId, cause),
    onSuccess: (result) =>
      result.isFailure
        ? Failure.fromError(name, tool, callId, result.result)
        : Effect.tap(encoded(name, tool, callId, result), attachFiles(result)),
  })

type Result = Tool.HandlerResult<Tool.Any>

const final = (results: Stream.Stream<Result, unknown, unknown>): Effect.Effect<Result, unknown, unknown> =>
  Effect.suspend(() => {
    let last: Result | undefined
    return Effect.flatMap(
      Stream.runForEachArray(results, (chunk) => {
        for (const result of chunk) if (!result.preliminary) last = result
        return Effect.void
      }),
      () =>
        last === undefined ? Effect.die(new Error("The handler ended without a final result")) : Effect.succeed(last),
    )
  })

// What a tool says to the model in place of its result is not for a program; its files are for the model all the same.
const attachFiles = ({ modelOutput }: Result): Effect.Effect<void, ToolCall.Failure> =>
  modelOutput === undefined ? Effect.void : Effect.forEach(
    modelOutput.filter((part) => part.type === "file"),
    ({ data, fileName, mediaType }) =>
      ToolCall.attach({ mediaType, fileName, data: data instanceof Uint8Array ? Base64.encode(data) : data }),
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
