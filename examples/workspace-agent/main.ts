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
import { Chat, Prompt } from "effect/ai"
import { fileURLToPath } from "node:url"
import { observe } from "./observe.ts"
import * as Print from "./print.ts"
import * as ScriptedModel from "./scripted-model.ts"
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
  const report = yield* Print.make
  const scratch = yield* scratchFile
  const namesScratch = Schema.is(Schema.Struct({ path: Schema.Literal(scratch) }))

  const workspace = observe(yield* Workspace, { ended: report.called })
  const toolkit = observe(yield* CodeMode.toolkit(workspace, yield* CodeMode.CodeRuntime), {
    started: report.program,
    ended: report.outcome,
  })

  const chat = yield* Chat.fromPrompt([
    { role: "system", content: "You are an agent with the files of one repository as your workspace." },
    {
      role: "user",
      content:
        "Which are the ten longest TypeScript files here, and what do they export? Which define tools that need " +
        `approval? Try whether you can read outside the workspace. Delete the file ${scratch}.`,
    },
  ])
  yield* report.shown(toolkit.tools, yield* Ref.get(chat.history))

  // The agent's loop: until the model answers without calling a tool.
  let reply: Prompt.RawInput = []
  while (true) {
    const response = yield* chat.generateText({ prompt: reply, toolkit })
    if (response.text !== "") yield* report.said(response.text)
    if (response.toolCalls.length === 0) break

    const decisions: Array<Prompt.ToolApprovalResponsePart> = []
    for (const part of response.content) {
      if (part.type !== "tool-approval-request") continue
      const call = response.toolCalls.find(({ id }) => id === part.toolCallId)
      // A person would be asked here. This example's policy: its scratch file may go, and nothing else.
      const approved = call?.name === "delete_file" && namesScratch(call.params)
      yield* report.decided(call, approved)
      decisions.push(Prompt.toolApprovalResponsePart({ approvalId: part.approvalId, approved }))
    }
    reply = decisions.length > 0 ? [{ role: "tool", content: decisions }] : []
  }

  const fs = yield* FileSystem.FileSystem
  const kept = yield* fs.exists(`${root}/${scratch}`)
  yield* Console.log(kept ? "The scratch file is still there." : `${scratch} is gone.`)
  yield* report.totals
})

main.pipe(
  Effect.scoped,
  // The line to change for a real provider: its model layer goes here, such as `OpenAiLanguageModel.model("...")`.
  Effect.provide(ScriptedModel.layer),
  Effect.provide(InterpreterRuntime.layer()),
  Effect.provide(layerOver(root)),
  Effect.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
  NodeRuntime.runMain,
)
