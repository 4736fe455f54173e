import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, Catalog, CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Exit, Schema } from "effect"
import { AiError, Prompt, Tool, Toolkit } from "effect/ai"
import { hostLog } from "./fixtures.ts"

class Locked extends Schema.TaggedError<Locked>()("Locked", { code: Schema.String, message: Schema.String }) {}

class Disk extends Context.Service<Disk, string>()("test/Disk") {}

const Read = Tool.make("read", {
  description: "Reads a note",
  parameters: Schema.Struct({ id: Schema.FiniteFromString }),
  success: Schema.Struct({ text: Schema.String, at: Schema.Date }),
  failure: Locked,
}).annotate(Tool.Title, "Read a note").annotate(Tool.Readonly, true).annotate(Tool.Destructive, false)

const Write = Tool.make("write", {
  parameters: Schema.Struct({ text: Schema.String, copies: Schema.optionalKey(Schema.FiniteFromString) }),
  success: Schema.String,
  dependencies: [Disk],
  needsApproval: ({ copies = 1 }) => copies > 1,
})

const Wipe = Tool.make("wipe", { success: Schema.Void, needsApproval: true, failureMode: "return", failure: Locked })

const Elsewhere = Tool.providerDefined({
  id: "openai.web_search",
  customName: "OpenAiWebSearch",
  providerName: "web_search",
  args: Schema.Struct({ query: Schema.String }),
})({ query: "Effect" })

const Notes = Toolkit.make(Read, Write, Wipe, Elsewhere)

const notes = Effect.flatMap(
  Effect.provide(
    Notes,
    Notes.toLayer({
      read: ({ id }) =>
        id < 0
          ? Effect.fail(new Locked({ code: "LOCKED", message: `Note ${id} is locked` }))
          : Effect.succeed({ text: `note ${id * 2}`, at: new Date(0) }),
      write: ({ text }) => Effect.map(Disk, (disk) => `${text} on ${disk}`),
      wipe: () => Effect.fail(new Locked({ code: "LOCKED", message: "No" })),
    }),
  ),
  (toolkit) => ToolSource.fromToolkit("notes", toolkit),
).pipe(Effect.provideService(Disk, "a disk"))

describe("a source of a toolkit", () => {
  it.effect("lists its tools with what they say of themselves, and leaves open what they do not", () =>
    Effect.gen(function*() {
      const source = yield* notes
      expect(source.name).toBe("notes")
      const { definitions } = yield* source.list
      expect(definitions.map(({ annotations, approval, description, name, title }) => ({
        annotations,
        approval: typeof approval === "function" ? "sometimes" : approval,
        description,
        name,
        title,
      }))).toEqual([
        {
          name: "read",
          title: "Read a note",
          description: "Reads a note",
          annotations: { readOnly: true, destructive: false },
          approval: undefined,
        },
        { name: "write", annotations: {}, approval: "sometimes" },
        { name: "wipe", annotations: {}, approval: true },
      ])
      expect(definitions[0]!.input).toMatchObject({ properties: { id: { type: "string" } }, required: ["id"] })
      expect(definitions[0]!.output).toMatchObject({ properties: { text: { type: "string" } } })
    }))

  it.effect("calls a tool as ever: the input is decoded, the result is what the tool encodes", () =>
    Effect.gen(function*() {
      const { call } = yield* notes
      expect(yield* call("read", { id: "21" })).toEqual({ text: "note 42", at: "1970-01-01T00:00:00.000Z" })
      expect(yield* call("write", { text: "x" })).toBe("x on a disk")
    }))

  it.effect("fails as the tool fails", () =>
    Effect.gen(function*() {
      const { call } = yield* notes
      expect(yield* Effect.flip(call("read", { id: "-1" })))
        .toEqual(new ToolSource.Failure({ code: "LOCKED", message: "Note -1 is locked", retryable: false }))
      expect(yield* Effect.flip(call("wipe", {}))).toMatchObject({ code: "LOCKED", message: "No" })
      const invalid = yield* Effect.flip(Schema.decodeUnknownEffect(Read.parametersSchema)({ id: 1 }))
      expect(yield* Effect.flip(call("read", { id: 1 })))
        .toEqual(new ToolSource.Failure({ code: "INVALID_TOOL_INPUT", message: invalid.message, retryable: true }))
      for (const name of ["nope", "OpenAiWebSearch", "__proto__", "constructor", ""]) {
        expect(yield* Effect.flip(call(name, {}))).toMatchObject({ code: "UNKNOWN_TOOL" })
      }
    }))

  it.effect("keeps what a handler dies of from the caller, and stays interruptible", () =>
    Effect.gen(function*() {
      const log = hostLog()
      const tools = Toolkit.make(Tool.make("dies"), Tool.make("stops"))
      const source = yield* Effect.flatMap(
        Effect.provide(tools, tools.toLayer({ dies: () => Effect.die("secret"), stops: () => Effect.interrupt })),
        (toolkit) => ToolSource.fromToolkit("x", toolkit),
      )
      const error = yield* Effect.flip(source.call("dies", {})).pipe(Effect.provide(log.layer))
      expect(error).toMatchObject({ code: "TOOL_FAILURE", retryable: false })
      expect(error.message).not.toContain("secret")
      expect(log.entries.join()).toContain("secret")
      expect(Exit.hasInterrupts(yield* Effect.exit(source.call("stops", {})))).toBe(true)
    }))

  it.effect("stands where its tools are put, and of two with one name the last counts", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(
        Tool.make("a", { success: Schema.String }).annotate(Catalog.Namespace, { path: "one" }),
        Tool.make("b", { success: Schema.String }).annotate(Catalog.Path, "two.words here"),
        Tool.make("one.a", { success: Schema.String }),
        Tool.make("c", { success: Schema.Unknown }).annotate(Catalog.Output, { type: "number" }),
      )
      const handlers = tools.toLayer({
        a: () => Effect.succeed("a"),
        b: () => Effect.succeed("b"),
        "one.a": () => Effect.succeed("the last"),
        c: () => Effect.succeed(1),
      })
      const source = yield* Effect.flatMap(
        Effect.provide(tools, handlers),
        (toolkit) => ToolSource.fromToolkit("x", toolkit),
      )
      const { definitions } = yield* source.list
      expect(definitions.map(({ name }) => name)).toEqual(["one.a", "two.words here", "c"])
      expect(definitions[2]!.output).toEqual({ type: "number" })
      expect(yield* source.call("one.a", {})).toBe("the last")
      expect(yield* source.call("two.words here", {})).toBe("b")
    }))

  it.effect("hands on the id of the call, and attaches the files of a tool's model output", () =>
    Effect.gen(function*() {
      const ids: Array<string | undefined> = []
      const Draw = Tool.make("draw", {
        success: Schema.Struct({ image: Schema.String }),
        toModelOutput: ({ image }) => [
          Prompt.textPart({ text: "Here it is" }),
          Prompt.filePart({ mediaType: "image/png", fileName: "a.png", data: image }),
          Prompt.filePart({ mediaType: "image/png", data: new Uint8Array([1, 2, 3]) }),
          Prompt.filePart({ mediaType: "image/png", data: new URL("https://example.com/a.png") }),
        ],
      })
      const tools = Toolkit.make(Draw)
      const handlers = tools.toLayer({
        draw: (_, { toolCallId }) => {
          ids.push(toolCallId)
          return Effect.succeed({ image: "iVBORw0KGgo=" })
        },
      })
      const source = yield* Effect.flatMap(
        Effect.provide(tools, handlers),
        (toolkit) => ToolSource.fromToolkit("x", toolkit),
      )
      const kept: Array<ToolSource.Attachment> = []
      const result = yield* source.call("draw", {}).pipe(
        Effect.provideService(ToolSource.CallId, "c1/7"),
        Effect.provideService(ToolSource.Attachments, {
          add: (attachment) => Effect.sync(() => void kept.push(attachment)),
        }),
      )
      expect(result).toEqual({ image: "iVBORw0KGgo=" })
      expect(ids).toEqual(["c1/7"])
      expect(kept).toEqual([
        { mediaType: "image/png", fileName: "a.png", data: "iVBORw0KGgo=" },
        { mediaType: "image/png", fileName: undefined, data: Uint8Array.of(1, 2, 3) },
        { mediaType: "image/png", fileName: undefined, data: new URL("https://example.com/a.png") },
      ])
    }))

  it.effect("is read as any other source when it is assembled", () =>
    Effect.gen(function*() {
      const assembled = yield* Assembly.toolkit({ notes: yield* notes }, Assembly.allowAll)
      const approvals = Object.values(assembled.tools).map(({ name, needsApproval }) => [name, typeof needsApproval])
      expect(approvals).toEqual([
        ["notes__read", "undefined"],
        ["notes__write", "function"],
        ["notes__wipe", "boolean"],
      ])
      const needed = assembled.tools.notes__write!.needsApproval as Tool.NeedsApprovalFunction<Schema.Unknown>
      const asked = (input: unknown) => {
        const answer = needed(input, { toolCallId: "c1", messages: [] })
        return Effect.isEffect(answer) ? answer : Effect.succeed(answer)
      }
      // The tool decides on what it decodes; what it cannot decode it refuses anyway.
      expect(yield* asked({ text: "x", copies: "20" })).toBe(true)
      expect(yield* asked({ text: "x", copies: "1" })).toBe(false)
      expect(yield* asked({ text: "x" })).toBe(false)
      expect(yield* asked({ copies: "20" })).toBe(false)

      const mode = yield* CodeMode.make(assembled, InterpreterRuntime.make())
      expect(mode.catalog.entries.map(({ compact }) => compact))
        .toEqual([`tools.notes.read(input: { id: string }): Promise<{ text: string, at: string }>`])
      const program = `
        const note = await tools.notes.read({ id: "4" })
        const failed = await tools.notes.read({ id: "-3" }).catch((error) => [error.code, error.message])
        const wrong = await tools.notes.read({ id: 4 }).catch((error) => error.code)
        return [note.text, failed, wrong]
      `
      expect((yield* mode.execute(program)).result)
        .toEqual(["note 8", ["LOCKED", "Note -3 is locked"], "INVALID_TOOL_INPUT"])
    }))

  it.effect("keeps what a handler fails with and does not declare from the caller", () =>
    Effect.gen(function*() {
      const log = hostLog()
      const tools = Toolkit.make(Tool.make("asks"))
      const reason = new AiError.ToolConfigurationError({ toolName: "asks", description: "secret" })
      const source = yield* Effect.flatMap(
        Effect.provide(tools, tools.toLayer({ asks: () => Effect.fail(reason) })),
        (toolkit) => ToolSource.fromToolkit("x", toolkit),
      )
      const error = yield* Effect.flip(source.call("asks", {})).pipe(Effect.provide(log.layer))
      expect(error.code).toBe("TOOL_FAILURE")
      expect(error.message).not.toContain("secret")
      expect(log.entries.join()).toContain("secret")
    }))
})

describe("attaching", () => {
  it.effect("outside of a run is heard by nobody", () =>
    Effect.gen(function*() {
      expect(yield* ToolSource.attach({ mediaType: "image/png", data: "AAAA" })).toBe(undefined)
    }))
})
