/** Code mode in an agent loop of one's own, without `LanguageModel`: the instructions, and a function from code to outcome. */
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Effect } from "effect"
import { loop, ShopLive } from "./loop.ts"
import { script } from "./script.ts"

await Effect.runPromise(
  Effect.provide(
    loop(script, InterpreterRuntime.make(), "Which customer spent the most, and where are they?"),
    ShopLive,
  ),
)
