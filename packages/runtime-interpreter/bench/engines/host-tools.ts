// The tools as host functions, for engines that hand host values to programs as they are.
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Tools from "../tools.ts"

type Tool = (input: Schema.JsonObject) => Promise<Schema.Json>

const callable = (name: string): Tool => async (input) => {
  const result = await Effect.runPromise(Effect.result(Tools.call(name, input)))
  if (Result.isSuccess(result)) return result.success
  const { code, message } = result.failure
  throw Object.assign(new Error(message), { code })
}

/** The global `tools` of a program. */
export const hostTools: Readonly<Record<string, Tool>> = Object.fromEntries(
  Tools.names.map((name) => [name, callable(name)]),
)
