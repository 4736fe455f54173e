// The interpreter, as a host uses it.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import * as Tools from "../tools.ts"
import type { Engine } from "./engine.ts"

/** Long programs run to their end: what is measured is speed, with all meters on. */
export const load = (): Engine => {
  const runtime = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })
  return {
    name: "ours",
    run: (code) =>
      Effect.runPromise(
        Effect.map(runtime.run({ code, tools: Tools.names, call: Tools.call }), (outcome) => outcome.result),
      ),
  }
}
