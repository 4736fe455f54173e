/**
 * A chat in which a tool stops for a person at the terminal. Programs look things up by themselves; sending money back is a call of its
 * own, and a large sum goes only after a yes. After a no, the model reads that it was a no, and goes on.
 */
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import * as NodeTerminal from "@effect/platform-node-shared/NodeTerminal"
import { Console, Effect, Layer, Ref } from "effect"
import { Chat } from "effect/ai"
import { parseArgs } from "node:util"
import { converse } from "../shared/agent.ts"
import * as ScriptedModel from "../shared/scripted-model.ts"
import { observe } from "../terminal/observe.ts"
import * as Progress from "../terminal/progress.ts"
import { heading } from "../terminal/text.ts"
import * as Transcript from "../terminal/transcript.ts"
import { answersOf, ask } from "./person.ts"
import { script } from "./script.ts"
import { Refunds, Shop, ShopLive } from "./shop.ts"

const { values: flags } = parseArgs({
  allowPositionals: true,
  options: { yes: { type: "boolean" }, no: { type: "boolean" } },
})
const answers = answersOf(flags, process.stdin.isTTY && process.stdout.isTTY)

const main = Effect.gen(function*() {
  const toolkit = observe(
    yield* CodeMode.toolkit(yield* Shop, yield* CodeMode.CodeRuntime, yield* Progress.make()),
    { started: Transcript.started, ended: Transcript.ended },
  )
  const chat = yield* Chat.fromPrompt("Send the money back for the orders of November 2026 that were lost.")
  yield* Transcript.shown(toolkit.tools, yield* Ref.get(chat.history))

  yield* converse((prompt) => chat.generateText({ prompt, toolkit }), {
    said: Transcript.said,
    decide: (call) =>
      Effect.gen(function*() {
        const approved = yield* ask(`May the model call ${call.name} with ${JSON.stringify(call.params)}?`, answers)
        yield* Transcript.decided(call, approved)
        return approved
      }),
  })

  const refunds = yield* Effect.flatMap(Refunds, Ref.get)
  yield* Console.log(heading("What happened"))
  for (const [id, cents] of refunds) yield* Console.log(`  order ${id}: ${(cents / 100).toFixed(2)} went back`)
  if (answers !== "ask") {
    yield* Console.log("  To be asked, start it in a terminal. --yes and --no answer without asking.")
  }
})

main.pipe(
  Effect.scoped,
  Effect.provide(ScriptedModel.layer(script)),
  Effect.provide(InterpreterRuntime.layer()),
  Effect.provide(ShopLive),
  Effect.provide(Refunds.layer),
  Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)),
  NodeRuntime.runMain,
)
