/**
 * An HTTP API as tools, from nothing but its own OpenAPI document: read it, make a source of it, and let programs call what only reads.
 * The token goes into requests, and nowhere else: no program, error or span ever has it.
 */
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode, OpenApi } from "@effect-codemode/toolkit"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Console, Effect, Redacted, Ref } from "effect"
import { Chat } from "effect/ai"
import { FetchHttpClient, HttpClient } from "effect/http"
import { converse } from "../shared/agent.ts"
import * as ScriptedModel from "../shared/scripted-model.ts"
import { observe } from "../terminal/observe.ts"
import * as Progress from "../terminal/progress.ts"
import { heading } from "../terminal/text.ts"
import * as Transcript from "../terminal/transcript.ts"
import { script } from "./script.ts"
import { serveTracker } from "./tracker.ts"

const main = Effect.gen(function*() {
  const token = Redacted.make("tr_3f9a77c1")
  const { url } = yield* serveTracker(Redacted.value(token))

  const response = yield* HttpClient.get(`${url}/openapi.json`)
  const tracker = yield* OpenApi.source({
    name: "tracker",
    document: yield* response.json,
    baseUrl: url,
    auth: { token },
  })
  const { definitions } = yield* tracker.list
  yield* Console.log(heading(`The API at ${url}`))
  for (const { annotations, description, name } of definitions) {
    yield* Console.log(`  ${name.padEnd(14)} ${annotations.readOnly === true ? "reads " : "writes"}  ${description}`)
  }
  for (const { reason } of tracker.skipped) yield* Console.log(`  skipped: ${reason}`)

  // Reads are for programs. Whatever writes, a person is asked first.
  const presented = yield* Assembly.toolkit({ tracker }, Assembly.readOnly)
  const toolkit = observe(
    yield* CodeMode.toolkit(presented, yield* CodeMode.CodeRuntime, yield* Progress.make()),
    { started: Transcript.started, ended: Transcript.ended },
  )
  const chat = yield* Chat.fromPrompt(
    "How many open issues has nobody answered, and which are the oldest? Close the oldest of them.",
  )
  yield* Transcript.shown(toolkit.tools, yield* Ref.get(chat.history))
  yield* converse((prompt) => chat.generateText({ prompt, toolkit }), {
    said: Transcript.said,
    // The example `chat-approval` asks a person here.
    decide: (call) => Effect.as(Transcript.decided(call, true), true),
  })
})

main.pipe(
  Effect.scoped,
  Effect.provide(ScriptedModel.layer(script)),
  Effect.provide(InterpreterRuntime.layer()),
  Effect.provide(FetchHttpClient.layer),
  NodeRuntime.runMain,
)
