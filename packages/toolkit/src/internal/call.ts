import type * as Tool from "effect/ai/Tool"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as ToolSource from "../ToolSource.ts"
import type { Execution } from "./contract.ts"
import * as Failure from "./failure.ts"
import { notJson, toJson } from "./json.ts"
import type { Presented } from "./presented.ts"

/**
 * Makes the `call` of one run: a call from code is the same call that the model would have made, through the presented
 * toolkit's `handle`. And `observe`, which counts a call that the runtime answers by itself among them.
 *
 * - `runId`: the id of the `execute` call; the calls of the run are `<runId>/1`, `<runId>/2`, in the order they start.
 * - `services`: what the handlers need; `run`: those of the fiber of the run. The services of the fiber that makes a call go before
 *   both, so that its span and clock are seen.
 * - `search`: whether programs can search their tools, told to one that calls a tool that is not there.
 */
export const make = (
  presented: Presented,
  runId: string,
  services: Context.Context<never>,
  run: Context.Context<never>,
  search: boolean,
): Required<Pick<Execution, "call" | "observe">> => {
  let calls = 0
  const base = Context.merge(services, run)
  // Calls of a run nearly always come with the same services, so that merging is done once.
  let last = run
  let merged = base
  const merge = (fiber: Context.Context<never>) => {
    if (fiber !== last) {
      last = fiber
      merged = Context.merge(base, fiber)
    }
    return merged
  }
  const call: Execution["call"] = (name, input) => {
    const callable = presented.callable.get(name)
    if (callable === undefined) return Effect.suspend(() => Effect.fail(Failure.notCallable(presented, name, search)))
    const { name: own, tool } = callable
    const call = Effect.suspend(() => {
      const callId = `${runId}/${++calls}`
      return Effect.matchCauseEffect(Effect.flatMap(presented.handle(own, input, callId), final), {
        onFailure: (cause) => Failure.fromCause(name, tool, callId, cause),
        onSuccess: (result) =>
          result.isFailure
            ? Failure.fromError(name, tool, callId, result.result)
            : encoded(name, tool, callId, result),
      })
    })
    // What the handlers need is in what is merged.
    return Effect.updateContext(call as Effect.Effect<Schema.Json, ToolSource.Failure>, merge)
  }
  return {
    call,
    observe: (_tool, _input, answer) =>
      Effect.suspend(() => {
        calls++
        return answer
      }),
  }
}

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

// Encoding as `handle` does it leaves what the schema has no JSON form for (a date stays a date). Where that happens, the
// JSON codec of the schema has one.
const encoded = (name: string, tool: Tool.Any, callId: string, result: Result) => {
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
