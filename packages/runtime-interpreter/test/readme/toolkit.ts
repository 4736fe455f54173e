import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { Effect, Schema } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"

const ListOrders = Tool.make("orders.list", {
  description: "The orders of a month, oldest first",
  parameters: Schema.Struct({ month: Schema.String }),
  success: Schema.Array(Schema.Struct({ id: Schema.Number, customer: Schema.String, total: Schema.Number })),
})

const MyToolkit = Toolkit.make(ListOrders)

export const Handlers = MyToolkit.toLayer({
  "orders.list": () => Effect.succeed([{ id: 1, customer: "Ada", total: 10 }, { id: 2, customer: "Bob", total: 20 }]),
})

export const answer = Effect.gen(function*() {
  const presented = yield* MyToolkit
  const toolkit = yield* CodeMode.toolkit(presented, InterpreterRuntime.make())
  return yield* LanguageModel.generateText({ prompt: "Who bought the most in May?", toolkit })
})
