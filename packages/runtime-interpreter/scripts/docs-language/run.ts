// What the documentation says of a program is what became of it when it ran.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { Tool, Toolkit } from "effect/ai"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Tools = Toolkit.make(
  Tool.make("weather", { parameters: Schema.Struct({ city: Schema.String }), success: Schema.Json }),
  Tool.make("github.list_issues", { parameters: Schema.Struct({ owner: Schema.String }), success: Schema.Json }),
)

const handlers = Tools.toLayer({
  weather: ({ city }) => Effect.succeed({ city, degrees: city.length * 3 }),
  "github.list_issues": ({ owner }) => Effect.succeed([{ id: 1, owner, title: "It rains" }]),
})

// Enough for every program shown but the one that is to run out of it.
const runtime = InterpreterRuntime.make({ limits: { fuel: 5_000_000 } })

/** How a program ended. */
export type Ending =
  | { readonly type: "result"; readonly result: Schema.Json; readonly logs: ReadonlyArray<string> }
  | {
    readonly type: "failure"
    readonly code: string
    readonly message: string
    readonly hint: string | undefined
    /** The whole text that a model reads. */
    readonly text: string
  }

/** Runs a program as a model's, with the tools `weather` and `github.list_issues`. */
export const run = (program: string): Promise<Ending> =>
  Effect.gen(function*() {
    const mode = yield* CodeMode.make(yield* Tools, runtime)
    return yield* Effect.match(mode.execute(program), {
      onSuccess: ({ logs, result }): Ending => ({ type: "result", result, logs }),
      onFailure: (error): Ending => ({
        type: "failure",
        code: error.code,
        message: error.message,
        hint: error.hint,
        text: mode.explain(program, error),
      }),
    })
  }).pipe(Effect.provide(handlers), Effect.runPromise)
