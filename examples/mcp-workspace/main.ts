/**
 * Two MCP servers behind one tool: the files of this repository, and the server that shows what servers can do. Their tools become one
 * toolkit under a policy: what only reads is for programs, a person is asked before anything else, and some tools are not there at all.
 */
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode } from "@effect-codemode/toolkit"
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Console, Effect, FileSystem, Layer, Ref, Schema } from "effect"
import { Chat } from "effect/ai"
import { fileURLToPath } from "node:url"
import { converse } from "../shared/agent.ts"
import * as ScriptedModel from "../shared/scripted-model.ts"
import { observe } from "../terminal/observe.ts"
import * as Progress from "../terminal/progress.ts"
import { heading } from "../terminal/text.ts"
import * as Transcript from "../terminal/transcript.ts"
import { script } from "./script.ts"
import { servers } from "./servers.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

// One shows the environment of its process, the other fetches what it is told to.
const denied = new Set(["everything.get-env", "everything.gzip-file-as-resource"])
const policy: Assembly.Policy = (source, definition, path) =>
  denied.has(path) ? "deny" : Assembly.readOnly(source, definition, path)

const main = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  // A folder of our own for what is written; it goes when the example ends.
  const scratch = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const note = `${scratch}/note.txt`

  const members = yield* servers([root, scratch])
  const presented = yield* Assembly.toolkit(members, policy, { strict: true })
  const toolkit = observe(
    yield* CodeMode.toolkit(presented, yield* CodeMode.CodeRuntime, yield* Progress.make()),
    { started: Transcript.started, ended: Transcript.ended },
  )
  const chat = yield* Chat.fromPrompt(
    `Which is the longest file in packages/toolkit/src/internal? Note it in ${note}.`,
  )
  yield* Transcript.shown(toolkit.tools, yield* Ref.get(chat.history))

  const writesNote = Schema.is(Schema.Struct({ path: Schema.Literal(note), content: Schema.String }))
  yield* converse((prompt) => chat.generateText({ prompt, toolkit }), {
    said: Transcript.said,
    // The example `chat-approval` asks a person here. This one approves the note, and nothing else.
    decide: (call) => {
      const approved = call.name === "files__write_file" && writesNote(call.params)
      return Effect.as(Transcript.decided(call, approved), approved)
    },
  })
  yield* Console.log(`${heading("What was written")}\n  ${(yield* fs.readFileString(note)).trim()}`)
})

main.pipe(
  Effect.scoped,
  Effect.provide(ScriptedModel.layer(script)),
  Effect.provide(InterpreterRuntime.layer()),
  Effect.provide(NodeChildProcessSpawner.layer),
  Effect.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
  NodeRuntime.runMain,
)
