/**
 * An agent over this repository's own files. The model does not call the tools one by one: it writes programs that do, and only
 * what a program returns enters its context. Deleting a file stays a call of its own, because a person has to approve it.
 */
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Console, Effect, FileSystem, Layer, Path, Ref, Schema } from "effect"
import { Chat } from "effect/ai"
import { fileURLToPath } from "node:url"
import { converse } from "../shared/agent.ts"
import * as ScriptedModel from "../shared/scripted-model.ts"
import { observe } from "../terminal/observe.ts"
import * as Progress from "../terminal/progress.ts"
import * as Transcript from "../terminal/transcript.ts"
import { script } from "./script.ts"
import { layerOver, Workspace } from "./workspace.ts"

const root = fileURLToPath(new URL("../../../", import.meta.url))

// A file of our own, so that the deletion is a real one and no source file is ever at stake.
const scratchFile = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const directory = paths.join(root, "examples", "workspace-agent", "scratch")
  yield* fs.makeDirectory(directory, { recursive: true })
  const file = yield* fs.makeTempFileScoped({ directory, prefix: "notes-", suffix: ".txt" })
  yield* fs.writeFileString(file, "Nothing of value.\n")
  return paths.relative(root, file).replaceAll(paths.sep, "/")
})

const main = Effect.gen(function*() {
  const savings = Transcript.savings()
  const scratch = yield* scratchFile
  const namesScratch = Schema.is(Schema.Struct({ path: Schema.Literal(scratch) }))

  const workspace = observe(yield* Workspace, { ended: savings.called })
  const toolkit = observe(
    yield* CodeMode.toolkit(workspace, yield* CodeMode.CodeRuntime, yield* Progress.make()),
    { started: Transcript.started, ended: (call) => Effect.andThen(savings.ended(call), Transcript.ended(call)) },
  )

  const chat = yield* Chat.fromPrompt([
    { role: "system", content: "You are an agent with the files of one repository as your workspace." },
    {
      role: "user",
      content:
        "Which are the ten longest TypeScript files here, and what do they export? Which define tools that need " +
        `approval? Try whether you can read outside the workspace. Delete the file ${scratch}.`,
    },
  ])
  yield* Transcript.shown(toolkit.tools, yield* Ref.get(chat.history))

  yield* converse((prompt) => chat.generateText({ prompt, toolkit }), {
    said: Transcript.said,
    // A person would be asked here. This example's policy: its scratch file may go, and nothing else.
    decide: (call) => {
      const approved = call.name === "delete_file" && namesScratch(call.params)
      return Effect.as(Transcript.decided(call, approved), approved)
    },
  })

  const fs = yield* FileSystem.FileSystem
  const kept = yield* fs.exists(`${root}/${scratch}`)
  yield* Console.log(kept ? "The scratch file is still there." : `${scratch} is gone.`)
  yield* savings.print
})

main.pipe(
  Effect.scoped,
  // The line to change for a real provider: its model layer goes here, such as `OpenAiLanguageModel.model("...")`.
  Effect.provide(ScriptedModel.layer(script)),
  Effect.provide(InterpreterRuntime.layer()),
  Effect.provide(layerOver(root)),
  Effect.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
  NodeRuntime.runMain,
)
