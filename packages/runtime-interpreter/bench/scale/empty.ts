// What a run costs before it does anything.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { getQuickJS } from "quickjs-emscripten"
import { compare, quick, thorough } from "../measure.ts"
import { atLeast, atMost, type Part } from "./measure.ts"

/** An empty program, against a context of QuickJS that evaluates `1`. */
export const empty: Part = async (isQuick) => {
  const runtime = InterpreterRuntime.make()
  const execution = { code: "return 1", tools: [], call: () => Effect.succeed(null) }
  const quickjs = await getQuickJS()
  const timed = await compare([
    () => Effect.runPromise(runtime.run(execution)),
    async () => {
      const context = quickjs.newContext()
      const value = context.unwrapResult(context.evalCode("1"))
      const result: unknown = context.dump(value)
      value.dispose()
      context.dispose()
      return result
    },
  ], isQuick ? quick : thorough)
  return [
    { name: "an empty program, warm", value: timed[0]!.time.median, unit: "ms", ...atMost(0.1) },
    { name: "QuickJS: a context that evaluates 1", value: timed[1]!.time.median, unit: "ms" },
    { name: "an empty program: times as fast", value: timed[1]!.ratio.median, unit: "times", ...atLeast(5) },
  ]
}
