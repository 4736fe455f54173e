import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Ref, Schema, Stream } from "effect"
import { Chat, LanguageModel, Prompt, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { handle } from "./fixtures.ts"
import { call, scripted, text } from "./model.ts"
import { base64, errorOf, kit, mode, runtime, settle, until } from "./session-fixtures.ts"

/** What the model is sent of one call of `execute` in its next turn. */
const sentOf = (code: string, options?: CodeMode.Options) =>
  Effect.gen(function*() {
    const { model, requests } = yield* scripted([[call("c1", "execute", { code })], [text("Done.")]])
    const { presented } = yield* kit
    const toolkit = yield* CodeMode.toolkit(presented, runtime, options)
    yield* Effect.gen(function*() {
      const chat = yield* Chat.fromPrompt("Go")
      yield* chat.generateText({ prompt: [], toolkit })
      yield* chat.generateText({ prompt: [], toolkit })
    }).pipe(Effect.provideService(LanguageModel.LanguageModel, model))
    const parts = requests[1]!.prompt.content.flatMap((message) => message.role === "tool" ? message.content : [])
    const part = parts.find((part) => part.type === "tool-result")
    if (part === undefined) throw new Error("The model was sent no result")
    return part
  })

const files = (output: ReadonlyArray<Prompt.ToolModelOutputPart> | undefined) =>
  (output ?? []).flatMap((part) => part.type === "file" ? [[part.mediaType, part.fileName, part.data]] : [])

const png = (name: string) => ["image/png", `${name}.png`, base64(name)]

describe("attachments through a LanguageModel", () => {
  it.effect("go to the model's next turn after the outcome", () =>
    Effect.gen(function*() {
      const part = yield* sentOf("console.log('hi')\nreturn tools.attach({ file: 'a' })")
      expect(part).toMatchObject({ isFailure: false })
      const outcome = { result: "[1 image attached: a.png]", logs: ["hi"] }
      expect(part.result).toEqual(outcome)
      const [first] = part.modelOutput!
      expect(first).toMatchObject({ type: "text" })
      expect(JSON.parse((first as Prompt.TextPart).text)).toEqual(outcome)
      expect(files(part.modelOutput)).toEqual([png("a")])
    }))

  it.effect("go to the model's next turn when the run failed, after the failure", () =>
    Effect.gen(function*() {
      const part = yield* sentOf("await tools.attach({ file: 'a' })\nthrow new Error('then this')")
      expect(part).toMatchObject({ isFailure: true, result: { code: "EXECUTION_ERROR" } })
      expect(JSON.parse((part.modelOutput![0] as Prompt.TextPart).text)).toEqual(part.result)
      expect(files(part.modelOutput)).toEqual([png("a")])
    }))

  it.effect("are not there for a run that has none: the result is sent as always", () =>
    Effect.gen(function*() {
      const part = yield* sentOf("return 1")
      expect("modelOutput" in part && part.modelOutput !== undefined).toBe(false)
    }))

  it.effect("survive the history written down and read again", () =>
    Effect.gen(function*() {
      const part = yield* sentOf("return tools.attach({ file: 'a' })")
      const prompt = Prompt.fromMessages([Prompt.makeMessage("tool", { content: [part] })])
      const codec = Schema.toCodecJson(Prompt.Prompt)
      const again = yield* Effect.flatMap(
        Schema.encodeEffect(codec)(prompt),
        (json) => Schema.decodeUnknownEffect(codec)(JSON.parse(JSON.stringify(json))),
      )
      const [message] = again.content
      const [read] = message!.role === "tool" ? message!.content : []
      expect(read?.type === "tool-result" && files(read.modelOutput)).toEqual([png("a")])
    }))

  it.effect("that are bytes go as bytes, and survive the history", () =>
    Effect.gen(function*() {
      const data = Uint8Array.from({ length: 300 }, (_, i) => i)
      const Camera = Toolkit.make(Tool.make("photo", { failure: ToolSource.Failure }))
      const presented = yield* Effect.provide(
        Camera,
        Camera.toLayer({ photo: () => ToolSource.attach({ mediaType: "image/png", data }) }),
      )
      const toolkit = yield* CodeMode.toolkit(presented, runtime)
      const { model } = yield* scripted([[call("c1", "execute", { code: "await tools.photo()" })], [text("Done.")]])
      const chat = yield* Chat.fromPrompt("Go")
      yield* Effect.provideService(
        Effect.repeat(chat.generateText({ prompt: [], toolkit }), { times: 1 }),
        LanguageModel.LanguageModel,
        model,
      )
      const again = yield* Chat.fromJson(yield* chat.exportJson)
      const { content } = yield* Ref.get(again.history)
      const parts = content.flatMap((message) => message.role === "tool" ? message.content : [])
      const sent = parts.flatMap((part) => part.type === "tool-result" ? files(part.modelOutput) : [])
      expect(sent).toEqual([["image/png", undefined, data]])
    }))

  it.effect("come with the result when the answer is streamed", () =>
    Effect.gen(function*() {
      const { model } = yield* scripted([[
        call("c1", "execute", { code: "return tools.attach({ file: 'a' })" }),
        {
          type: "finish",
          reason: "tool-calls",
          usage: {
            inputTokens: { uncached: 1, total: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
        },
      ]])
      const { presented } = yield* kit
      const toolkit = yield* CodeMode.toolkit(presented, runtime)
      const parts = yield* Stream.runCollect(LanguageModel.streamText({ prompt: "Go", toolkit })).pipe(
        Effect.provideService(LanguageModel.LanguageModel, model),
      )
      const result = parts.find((part) => part.type === "tool-result")
      expect(files(result?.modelOutput)).toEqual([png("a")])
    }))
})

describe("attachments of a run", () => {
  const attachments = ({ attachments }: CodeMode.Report) =>
    attachments.map(({ callId, data, fileName, mediaType }) => [callId, mediaType, fileName, data])

  it.effect("stand in the order of the calls, whichever ends first", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      const fiber = yield* Effect.forkChild(
        run("return Promise.all([30, 10, 20].map((ms, n) => tools.attach({ file: `f${n}`, ms })))", "run"),
      )
      yield* settle
      yield* TestClock.adjust(30)
      expect(attachments(yield* Fiber.join(fiber))).toEqual([
        ["run/1", ...png("f0")],
        ["run/2", ...png("f1")],
        ["run/3", ...png("f2")],
      ])
    }))

  it.effect("are kept of calls that failed, and of runs that were interrupted", () =>
    Effect.gen(function*() {
      const Half = Toolkit.make(
        Tool.make("half", { failure: ToolSource.Failure }),
        Tool.make("hang", { failure: ToolSource.Failure }),
      )
      const attach = (name: string) =>
        ToolSource.attach({ mediaType: "image/png", fileName: `${name}.png`, data: base64(name) })
      const presented = yield* Effect.provide(
        Half,
        Half.toLayer({
          half: () =>
            Effect.andThen(
              attach("half"),
              Effect.fail(new ToolSource.Failure({ code: "HALF", message: "Half done", retryable: false })),
            ),
          hang: () => Effect.andThen(attach("hang"), Effect.never),
        }),
      )
      const reports: Array<CodeMode.Report> = []
      const starts: Array<number> = []
      const { execute, run } = yield* CodeMode.make(presented, runtime, {
        onRunEnd: (report) => Effect.sync(() => void reports.push(report)),
        onToolCallStart: ({ index }) => Effect.sync(() => void starts.push(index)),
      })
      const failed = yield* run("await tools.half()", "run")
      expect(Exit.isFailure(failed.exit)).toBe(true)
      expect(attachments(failed)).toEqual([["run/1", ...png("half")]])
      const fiber = yield* Effect.forkChild(execute("await tools.hang()", "run"))
      yield* until(() => starts.length === 2)
      yield* settle
      yield* Fiber.interrupt(fiber)
      expect(attachments(reports[1]!)).toEqual([["run/1", ...png("hang")]])
    }))

  it.effect("are those of the run alone, also of runs at the same time", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      const reports = yield* Effect.all(
        ["a", "b", "c"].map((file) => run(`return tools.attach({ file: '${file}' })`, file)),
        { concurrency: "unbounded" },
      )
      expect(reports.map(attachments)).toEqual(["a", "b", "c"].map((file) => [[`${file}/1`, ...png(file)]]))
    }))

  it.effect("are at most as many as the option says: the call that gives one more fails", () =>
    Effect.gen(function*() {
      const { run } = yield* mode({ maxAttachments: 2 })
      const report = yield* run(
        `const got = []
for (const file of ['a', 'b', 'c']) got.push(await tools.attach({ file }).catch((error) => error.code + ': ' + error.message))
return got`,
        "run",
      )
      expect(attachments(report)).toHaveLength(2)
      expect(Exit.isSuccess(report.exit) && report.exit.value.result).toEqual([
        "[1 image attached: a.png]",
        "[1 image attached: b.png]",
        "LIMIT_EXCEEDED: The tool gave a file, and a run may give at most 2.",
      ])
      const uncaught = yield* run("for (const file of ['a', 'b', 'c']) await tools.attach({ file })")
      expect(errorOf(uncaught)?.code).toBe("LIMIT_EXCEEDED")
      const none = yield* mode({ maxAttachments: 0 })
      expect(errorOf(yield* none.run("await tools.attach({ file: 'a' })"))?.code).toBe("LIMIT_EXCEEDED")
    }))

  it.effect("have at most so many bytes together", () =>
    Effect.gen(function*() {
      const { run } = yield* mode({ maxAttachmentBytes: 10 })
      const report = yield* run(
        "return Promise.allSettled(['123456', '12345', '1234'].map((file) => tools.attach({ file })))",
        "run",
      )
      expect(attachments(report).map(([id]) => id)).toEqual(["run/1", "run/3"])
      expect(report.calls[1]).toMatchObject({
        outcome: "failure",
        code: "LIMIT_EXCEEDED",
        message: "The tool gave a file of 5 bytes, and the files of a run may have at most 10 bytes together.",
      })
    }))

  it.effect.each<[string, string | Uint8Array]>([
    ["in base64", Buffer.alloc(10 << 20, 1).toString("base64")],
    ["as bytes", new Uint8Array(10 << 20)],
  ])("may be large, and have the size of their bytes and not of their text: %s", ([, data]) =>
    Effect.gen(function*() {
      const Camera = Toolkit.make(Tool.make("photo", { failure: ToolSource.Failure }))
      const presented = yield* Effect.provide(
        Camera,
        Camera.toLayer({ photo: () => ToolSource.attach({ mediaType: "image/png", data }) }),
      )
      const exact = yield* CodeMode.make(presented, runtime, { maxAttachmentBytes: 10 << 20 })
      const report = yield* exact.run("return tools.photo()")
      expect(report.attachments[0]!.data).toBe(data)
      const less = yield* CodeMode.make(presented, runtime, { maxAttachmentBytes: (10 << 20) - 1 })
      expect(errorOf(yield* less.run("return tools.photo()"))?.code).toBe("LIMIT_EXCEEDED")
    }))

  it.effect.each<[string, ToolSource.Attachment]>([
    ["no base64", { mediaType: "image/png", data: "not base64!" }],
    ["base64 that is cut", { mediaType: "image/png", data: "QUJDRA" }],
    ["nothing", { mediaType: "image/png", data: "" }],
    ["no bytes", { mediaType: "image/png", data: new Uint8Array(0) }],
    ["a media type that is none", { mediaType: "picture", data: "QUJD" }],
    ["a media type with a line break", { mediaType: "image/png\nx: y", data: "QUJD" }],
  ])(
    "that are %s fail the call: a provider would refuse the conversation for them",
    ([, attachment]) =>
      Effect.gen(function*() {
        const Bad = Toolkit.make(Tool.make("bad", { failure: ToolSource.Failure }))
        const presented = yield* Effect.provide(Bad, Bad.toLayer({ bad: () => ToolSource.attach(attachment) }))
        const { run } = yield* CodeMode.make(presented, runtime)
        const report = yield* run("await tools.bad()")
        expect(report.attachments).toEqual([])
        expect(report.calls[0]).toMatchObject({ code: "INVALID_TOOL_OUTPUT" })
      }),
  )

  it.effect("are the files of a presented tool's own model output, too", () =>
    Effect.gen(function*() {
      const Screen = Toolkit.make(
        Tool.make("shot", {
          success: Schema.Struct({ width: Schema.Number, data: Schema.String }),
          toModelOutput: ({ data, width }) => [
            Prompt.textPart({ text: `${width} wide` }),
            Prompt.filePart({ mediaType: "image/png", fileName: "shot.png", data }),
            Prompt.filePart({ mediaType: "image/gif", data: new Uint8Array([1, 2, 3]) }),
          ],
        }),
      )
      const presented = yield* Effect.provide(
        Screen,
        Screen.toLayer({ shot: () => Effect.succeed({ width: 3, data: base64("shot") }) }),
      )
      const toolkit = yield* CodeMode.toolkit(presented, runtime)
      const [result] = yield* handle(toolkit, "execute", { code: "return (await tools.shot()).width" }, "run")
      expect(result!.encodedResult).toEqual({ result: 3, logs: [] })
      expect(files(result!.modelOutput)).toEqual([png("shot"), ["image/gif", undefined, new Uint8Array([1, 2, 3])]])
    }))

  it.effect("of `execute` go to whoever collects those of the fiber, one by one", () =>
    Effect.gen(function*() {
      const { execute } = yield* mode()
      const got: Array<string | undefined> = []
      yield* Effect.provideService(
        execute("await tools.attach({ file: 'a' }); await tools.attach({ file: 'b' })"),
        ToolSource.Attachments,
        { add: ({ fileName }) => Effect.sync(() => void got.push(fileName)) },
      )
      expect(got).toEqual(["a.png", "b.png"])
    }))

  it.effect("of a run inside a tool go to the run that called the tool", () =>
    Effect.gen(function*() {
      const inner = yield* mode({ maxAttachments: 2 })
      const Outer = Toolkit.make(
        Tool.make("agent", {
          parameters: Schema.Struct({ code: Schema.String }),
          success: Schema.Json,
          failure: CodeMode.CodeError,
        }),
        Tool.make("note", { failure: ToolSource.Failure }),
      )
      const presented = yield* Effect.provide(
        Outer,
        Outer.toLayer({
          agent: ({ code }, { toolCallId }) => Effect.map(inner.execute(code, toolCallId), ({ result }) => result),
          note: () => ToolSource.attach({ mediaType: "image/png", fileName: "note.png", data: base64("note") }),
        }),
      )
      const { run } = yield* CodeMode.make(presented, runtime, { maxAttachments: 3 })
      const code = (file: string) =>
        `await tools.attach({ file: '${file}' }); return tools.attach({ file: '${file}${file}' })`
      const report = yield* run(
        `await tools.note()
const first = await tools.agent({ code: ${JSON.stringify(code("a"))} })
const second = await tools.agent({ code: ${JSON.stringify(code("b"))} }).catch((error) => error.code)
return [first, second]`,
        "run",
      )
      expect(attachments(report)).toEqual([["run/1", ...png("note")], ["run/2", ...png("a")], ["run/2", ...png("aa")]])
      expect(Exit.isSuccess(report.exit) && report.exit.value.result).toEqual([
        "[1 image attached: aa.png]",
        "LIMIT_EXCEEDED",
      ])
      expect(report.calls.map(({ id, name }) => [id, name])).toEqual([
        ["run/1", "note"],
        ["run/2", "agent"],
        ["run/3", "agent"],
      ])
    }))

  it.effect("that come after the run is over are nobody's", () =>
    Effect.gen(function*() {
      const Late = Toolkit.make(Tool.make("late"))
      let late: ((attachment: ToolSource.Attachment) => Effect.Effect<void, ToolSource.Failure>) | undefined
      const presented = yield* Effect.provide(
        Late,
        Late.toLayer({
          late: () =>
            Effect.map(ToolSource.Attachments, (collector) => {
              late = collector.add
            }),
        }),
      )
      const { run } = yield* CodeMode.make(presented, InterpreterRuntime.make())
      const report = yield* run("await tools.late()")
      yield* late!({ mediaType: "image/png", data: "QUJD" })
      expect(report.attachments).toEqual([])
    }))
})
