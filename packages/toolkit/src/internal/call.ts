import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as ToolSource from "../ToolSource.ts"
import type { Execution } from "./contract.ts"
import * as Failure from "./failure.ts"
import * as Handled from "./handled.ts"
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
      return Handled.call(presented.handle, own, { name, tool, callId }, input)
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
