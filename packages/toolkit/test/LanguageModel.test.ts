import { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { Chat, LanguageModel, Prompt, Tool, Toolkit } from "effect/ai"
import { stub } from "./fixtures.ts"
import { call, scripted, text } from "./model.ts"

const Files = Toolkit.make(
  Tool.make("list_files", { success: Schema.Array(Schema.String) }),
  Tool.make("read_file", { parameters: Schema.Struct({ path: Schema.String }), success: Schema.String }),
  Tool.make("delete_file", {
    parameters: Schema.Struct({ path: Schema.String }),
    success: Schema.String,
    needsApproval: true,
  }),
)

const files: Record<string, string> = { "a.ts": "export const a = 1", "b.ts": "export const b = 22" }

const handlers = (deleted: Array<string>) =>
  Files.toLayer({
    list_files: () => Effect.succeed(Object.keys(files)),
    read_file: ({ path }) => Effect.succeed(files[path] ?? ""),
    delete_file: ({ path }) =>
      Effect.sync(() => {
        deleted.push(path)
        return `deleted ${path}`
      }),
  })

// What the program `return the longest file` does.
const longest = stub((execution) =>
  Effect.gen(function*() {
    const paths = (yield* execution.call("list_files", {})) as Array<string>
    const texts = yield* Effect.forEach(paths, (path) => execution.call("read_file", { path }), {
      concurrency: "unbounded",
    })
    execution.log(`read ${paths.length} files`)
    const longest = paths.map((path, i) => ({ path, length: String(texts[i]).length }))
      .sort((a, b) => b.length - a.length)[0]!
    return longest
  })
)

describe("the toolkit in a LanguageModel", () => {
  it.effect("the model sends code to execute and gets its outcome", () =>
    Effect.gen(function*() {
      const { model, requests } = yield* scripted([[call("c1", "execute", { code: "return the longest file" })]])
      const toolkit = yield* CodeMode.toolkit(yield* Files, longest)
      const response = yield* Effect.provideService(
        LanguageModel.generateText({ prompt: "Which file is the longest?", toolkit }),
        LanguageModel.LanguageModel,
        model,
      )
      expect(requests[0]!.tools.map(({ name }) => name).sort()).toEqual(["delete_file", "execute"])
      expect(Tool.getJsonSchema(requests[0]!.tools.find(({ name }) => name === "execute")!)).toMatchObject({
        type: "object",
        required: ["code"],
      })
      expect(response.toolResults).toHaveLength(1)
      expect(response.toolResults[0]).toMatchObject({
        id: "c1",
        name: "execute",
        isFailure: false,
        result: { result: { path: "b.ts", length: 19 }, logs: ["read 2 files"] },
      })
    }).pipe(Effect.provide(handlers([]))))

  it.effect("the model reads why a run failed", () =>
    Effect.gen(function*() {
      const { model } = yield* scripted([[
        call("c1", "execute", { code: "await tools.delete_file({ path: 'a.ts' })" }),
      ]])
      const runtime = stub((execution) => execution.call("delete_file", { path: "a.ts" }))
      const toolkit = yield* CodeMode.toolkit(yield* Files, runtime)
      const response = yield* Effect.provideService(
        LanguageModel.generateText({ prompt: "Delete a.ts", toolkit }),
        LanguageModel.LanguageModel,
        model,
      )
      expect(response.toolResults[0]).toMatchObject({
        isFailure: true,
        encodedResult: {
          code: "APPROVAL_REQUIRED",
          message: expect.stringContaining(`Call the tool "delete_file" directly`),
          retryable: true,
        },
      })
    }).pipe(Effect.provide(handlers([]))))

  it.effect("a side tool stops for approval, and runs once it is given", () =>
    Effect.gen(function*() {
      const deleted: Array<string> = []
      const { model } = yield* scripted([
        [call("c1", "execute", { code: "return the longest file" })],
        [call("c2", "delete_file", { path: "b.ts" })],
        [text("Deleted.")],
      ])
      yield* Effect.gen(function*() {
        const toolkit = yield* CodeMode.toolkit(yield* Files, longest)
        const chat = yield* Chat.fromPrompt("Delete the longest file")
        yield* chat.generateText({ prompt: [], toolkit })
        const asked = yield* chat.generateText({ prompt: [], toolkit })
        const request = asked.content.find((part) => part.type === "tool-approval-request")
        expect(request).toMatchObject({ toolCallId: "c2" })
        expect(asked.toolResults).toEqual([])
        expect(deleted).toEqual([])

        const answered = yield* chat.generateText({
          prompt: Prompt.fromMessages([
            Prompt.makeMessage("tool", {
              content: [Prompt.toolApprovalResponsePart({ approvalId: request!.approvalId, approved: true })],
            }),
          ]),
          toolkit,
        })
        expect(deleted).toEqual(["b.ts"])
        expect(answered.text).toBe("Deleted.")
      }).pipe(
        Effect.provide(handlers(deleted)),
        Effect.provideService(LanguageModel.LanguageModel, model),
      )
    }))

  it.effect("a side tool that is denied does not run", () =>
    Effect.gen(function*() {
      const deleted: Array<string> = []
      const { model } = yield* scripted([[call("c1", "delete_file", { path: "b.ts" })], [text("Then not.")]])
      yield* Effect.gen(function*() {
        const toolkit = yield* CodeMode.toolkit(yield* Files, longest)
        const chat = yield* Chat.fromPrompt("Delete the longest file")
        const asked = yield* chat.generateText({ prompt: [], toolkit })
        const request = asked.content.find((part) => part.type === "tool-approval-request")
        const answered = yield* chat.generateText({
          prompt: Prompt.fromMessages([
            Prompt.makeMessage("tool", {
              content: [
                Prompt.toolApprovalResponsePart({
                  approvalId: request!.approvalId,
                  approved: false,
                  reason: "Keep it",
                }),
              ],
            }),
          ]),
          toolkit,
        })
        expect(deleted).toEqual([])
        expect(answered.text).toBe("Then not.")
      }).pipe(
        Effect.provide(handlers(deleted)),
        Effect.provideService(LanguageModel.LanguageModel, model),
      )
    }))

  it.effect("streaming works the same", () =>
    Effect.gen(function*() {
      const { model } = yield* scripted([[
        call("c1", "execute", { code: "return the longest file" }),
        {
          type: "finish",
          reason: "tool-calls",
          usage: {
            inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
        },
      ]])
      const toolkit = yield* CodeMode.toolkit(yield* Files, longest)
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt: "Which?", toolkit })).pipe(
        Effect.provideService(LanguageModel.LanguageModel, model),
      )
      expect(parts.find((part) => part.type === "tool-result")).toMatchObject({
        name: "execute",
        result: { result: { path: "b.ts" } },
      })
    }).pipe(Effect.provide(handlers([]))))
})
