import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, type Schema } from "effect"
import { Chat, LanguageModel, Prompt, Tool } from "effect/ai"
import { handle, hostLog } from "./fixtures.ts"
import { call, scripted, text } from "./model.ts"
import { failure, reading, sourceOf, tool } from "./sources.ts"

const runtime = InterpreterRuntime.make()

/** What a program over an assembled toolkit returns. */
const run = (assembled: Assembly.Assembled, code: string) =>
  Effect.flatMap(CodeMode.make(assembled, runtime), (mode) => Effect.map(mode.execute(code), ({ result }) => result))

/** What an assembled toolkit answers to a call that the model makes directly. */
const direct = (assembled: Assembly.Assembled, name: string, input: unknown) =>
  Effect.map(handle(assembled, name, input, "c1"), ([result]) => result!)

const defectOf = (exit: Exit.Exit<unknown, unknown>): string => {
  const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
  return reason !== undefined && Cause.isDieReason(reason) ? String(reason.defect) : `not a defect: ${String(exit)}`
}

const issues = [
  reading("list_issues", { description: "Lists issues", title: "List issues" }),
  tool("close_issue", { description: "Closes an issue" }),
  tool("delete_repository", { description: "Deletes a repository", annotations: { destructive: true } }),
]

describe("the policy", () => {
  it.effect("a tool is called by code, stands beside execute, or is not there", () =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf(issues)
      const assembled = yield* Assembly.toolkit(
        { github: source },
        (source, definition, path) =>
          path === "github.delete_repository" ? "deny" : Assembly.readOnly(source, definition, path),
      )
      const toolkit = yield* CodeMode.toolkit(assembled, runtime)
      expect(Object.keys(toolkit.tools).sort()).toEqual(["execute", "github__close_issue"])
      expect(toolkit.tools.github__close_issue!.needsApproval).toBe(true)
      const program = `
        const listed = await tools.github.list_issues({ state: "open" })
        const codes = []
        for (const name of ["close_issue", "delete_repository", "never_was"]) {
          try { await tools.github[name]({}) } catch (error) { codes.push([error.code, error.message]) }
        }
        return { listed, codes }
      `
      expect(yield* run(assembled, program)).toEqual({
        listed: { tool: "list_issues", input: { state: "open" } },
        codes: [
          ["APPROVAL_REQUIRED", expect.stringContaining(`Call the tool "github__close_issue" directly`)],
          ["UNKNOWN_TOOL", expect.stringContaining(`There is no tool "github.delete_repository".`)],
          ["UNKNOWN_TOOL", expect.stringContaining(`There is no tool "github.never_was".`)],
        ],
      })
      expect(calls).toEqual([{ tool: "list_issues", input: { state: "open" } }])
    }))

  it.effect("is asked with the source, the definition and the callable name, once for each tool", () =>
    Effect.gen(function*() {
      const { source } = sourceOf([tool("a"), tool("b.c"), tool("a", { description: "the last" })])
      const asked: Array<readonly [ToolSource.ToolSource, string | undefined, string]> = []
      yield* Assembly.toolkit({ "one.two": source }, (source, { description }, path) => {
        asked.push([source, description, path])
        return "allow"
      })
      expect(asked).toEqual([[source, "the last", "one.two.a"], [source, undefined, "one.two.b.c"]])
    }))

  it.effect("what reads is allowed by `readOnly`, and nothing that does not say so", () =>
    Effect.gen(function*() {
      const definitions = [
        reading("reads"),
        tool("says_nothing"),
        tool("writes", { annotations: { readOnly: false } }),
        tool("harmless", { annotations: { destructive: false, idempotent: true, openWorld: false } }),
      ]
      const assembled = yield* Assembly.toolkit({ m: sourceOf(definitions).source }, Assembly.readOnly)
      const approvals = Object.values(assembled.tools).map(({ name, needsApproval }) => [name, needsApproval === true])
      expect(approvals).toEqual([
        ["m__reads", false],
        ["m__says_nothing", true],
        ["m__writes", true],
        ["m__harmless", true],
      ])
    }))

  it.effect("cannot lift the approval that a source itself wants", () =>
    Effect.gen(function*() {
      const approval = (input: unknown) => (input as { readonly force?: boolean }).force === true
      const { source } = sourceOf([tool("always", { approval: true }), tool("sometimes", { approval }), tool("never")])
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      const toolkit = yield* CodeMode.toolkit(assembled, runtime)
      expect(Object.keys(toolkit.tools).sort()).toEqual(["execute", "m__always", "m__sometimes"])
      const needed = toolkit.tools.m__sometimes!.needsApproval as Tool.NeedsApprovalFunction<Schema.Unknown>
      const context = { toolCallId: "c1", messages: [] }
      expect([needed({ force: true }, context), needed({}, context)]).toEqual([true, false])
    }))

  it.effect("an answer that is none is a defect that names the tool", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(
        Assembly.toolkit({ m: sourceOf([tool("a")]).source }, () => undefined as never),
      )
      expect(defectOf(exit)).toContain(`undefined of the tool "m.a"`)
    }))
})

describe("the tools of an assembly", () => {
  it.effect("carry what their definitions say", () =>
    Effect.gen(function*() {
      const input = { type: "object", properties: { owner: { type: "string" } }, required: ["owner"] } as const
      const output = { type: "array", items: { type: "string" } } as const
      const { source } = sourceOf([
        reading("list", { title: "List", description: "Lists", input, output }),
        tool("odd name", {
          title: "Odd",
          input: { minProperties: 1 },
          annotations: { destructive: false, idempotent: true, openWorld: false },
        }),
      ], { notes: "Be\nkind." })
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      const { m__list } = assembled.tools
      expect(Object.keys(assembled.tools)).toEqual(["m__list", expect.stringMatching(/^m__odd_name___[a-z2-7]{13}$/)])
      expect(Tool.getJsonSchema(m__list!)).toBe(input)
      expect(Tool.getJsonSchema(Object.values(assembled.tools)[1]!)).toEqual({ minProperties: 1, type: "object" })
      expect(Tool.getStrictMode(m__list!)).toBe(false)
      const { catalog, instructions } = yield* CodeMode.make(assembled, runtime)
      expect(catalog.entries.map(({ compact, description, path, tool }) => ({ compact, description, path, tool })))
        .toEqual([
          {
            tool: "m.list",
            path: "tools.m.list",
            description: "Lists",
            compact: "tools.m.list(input: { owner: string }): Promise<Array<string>>",
          },
          {
            tool: "m.odd name",
            path: `tools.m["odd name"]`,
            description: "Odd",
            compact: `tools.m["odd name"](input?: Record<string, unknown>): Promise<unknown>`,
          },
        ])
      expect(instructions).toContain("Be kind.")
    }))
})

describe("approval of a tool beside execute", () => {
  const conversation = (approved: boolean) =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf(issues)
      const { model, requests } = yield* scripted([
        [call("c1", "execute", { code: "return tools.github.list_issues()" })],
        [call("c2", "github__close_issue", { number: 7 })],
        [text("Done.")],
      ])
      const answers = yield* Effect.gen(function*() {
        // Anew for each turn, as hosts do it to see tools that come and go.
        const assembled = Effect.flatMap(
          Assembly.toolkit({ github: source }, Assembly.readOnly),
          (assembled) => CodeMode.toolkit(assembled, runtime),
        )
        const chat = yield* Chat.fromPrompt("Close the oldest issue")
        const first = yield* chat.generateText({ prompt: [], toolkit: yield* assembled })
        const second = yield* chat.generateText({ prompt: [], toolkit: yield* assembled })
        const request = second.content.find((part) => part.type === "tool-approval-request")
        const before = [...calls]
        const third = yield* chat.generateText({
          prompt: Prompt.fromMessages([
            Prompt.makeMessage("tool", {
              content: [Prompt.toolApprovalResponsePart({ approvalId: request!.approvalId, approved })],
            }),
          ]),
          toolkit: yield* assembled,
        })
        return { first: first.toolResults, before, third: third.text }
      }).pipe(Effect.provideService(LanguageModel.LanguageModel, model))
      return { ...answers, calls, requests }
    })

  it.effect("nothing is called before a person says yes", () =>
    Effect.gen(function*() {
      const { before, calls, first, requests, third } = yield* conversation(true)
      expect(first[0]).toMatchObject({ name: "execute", result: { result: { tool: "list_issues" } } })
      expect(before).toEqual([{ tool: "list_issues", input: {} }])
      expect(calls.slice(1)).toEqual([{ tool: "close_issue", input: { number: 7 } }])
      expect(third).toBe("Done.")
      expect(requests[0]!.tools.map(({ name }) => name).sort())
        .toEqual(["execute", "github__close_issue", "github__delete_repository"])
    }))

  it.effect("nothing is called when a person says no", () =>
    Effect.gen(function*() {
      const { calls, third } = yield* conversation(false)
      expect(calls).toEqual([{ tool: "list_issues", input: {} }])
      expect(third).toBe("Done.")
    }))
})

describe("a call that the model makes directly", () => {
  it.effect("gives the failure of the source as a result that the model reads", () =>
    Effect.gen(function*() {
      const { source } = sourceOf([tool("a")], { call: () => Effect.fail(failure("Not today", "CLOSED")) })
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.readOnly)
      const result = yield* direct(assembled, "m__a", {})
      expect(result).toMatchObject({
        isFailure: true,
        failureOrigin: "handler",
        encodedResult: { code: "CLOSED", message: "Not today", retryable: false },
      })
      expect(result.encodedResult).toEqual(result.result)
    }))

  it.effect("a source that dies, throws, or gives no JSON is told without its cause, which the host's log has", () =>
    Effect.gen(function*() {
      const log = hostLog()
      const { source } = sourceOf([tool("dies"), tool("throws"), tool("gives a function"), tool("fails oddly")], {
        call: (name) => {
          if (name === "throws") throw new Error("secret one")
          if (name === "fails oddly") return Effect.fail({ message: "secret three" } as never)
          return name === "dies" ? Effect.die("secret two") : Effect.succeed((() => "secret") as never)
        },
      })
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      const names = Object.keys(assembled.tools)
      const results = yield* Effect.forEach(names, (name) => direct(assembled, name, {})).pipe(
        Effect.provide(log.layer),
      )
      expect(results.map(({ encodedResult }) => (encodedResult as { code: string }).code))
        .toEqual(["TOOL_FAILURE", "TOOL_FAILURE", "INVALID_TOOL_OUTPUT", "TOOL_FAILURE"])
      expect(JSON.stringify(results)).not.toContain("secret")
      expect(log.entries.join()).toContain("secret one")
      expect(log.entries.join()).toContain(`"m.fails oddly" failed`)
      expect(log.entries.join()).toContain("secret two")
    }))

  it.effect("that the model does not make with an object is refused", () =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf([tool("a")])
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.readOnly)
      for (const input of [[], "x", 1, true]) {
        expect(yield* direct(assembled, "m__a", input)).toMatchObject({
          isFailure: true,
          failureOrigin: "parameters",
          encodedResult: { code: "INVALID_TOOL_INPUT", message: expect.stringContaining("one object") },
        })
      }
      expect(yield* direct(assembled, "m__a", undefined)).toMatchObject({ isFailure: false })
      expect(calls).toEqual([{ tool: "a", input: {} }])
    }))

  it.effect("tells the source its id, as a call from code does", () =>
    Effect.gen(function*() {
      const ids: Array<string | undefined> = []
      const { source } = sourceOf([tool("a")], {
        call: () =>
          Effect.map(ToolSource.CallId, (id) => {
            ids.push(id)
            return null
          }),
      })
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      yield* direct(assembled, "m__a", {})
      const mode = yield* CodeMode.make(assembled, runtime)
      yield* mode.execute("await tools.m.a(); await tools.m.a()", "c2")
      expect(ids).toEqual(["c1", "c2/1", "c2/2"])
    }))

  const png: ToolSource.Attachment = { mediaType: "image/png", fileName: "a.png", data: "iVBORw0KGgo=" }
  const drawing = (result: Effect.Effect<Schema.Json, ToolSource.Failure>) =>
    sourceOf([tool("draw")], { call: () => Effect.andThen(ToolSource.attach(png), result) }).source

  it.effect("has what the tool attaches as its model output, beside the result or the failure", () =>
    Effect.gen(function*() {
      const drawn = yield* Assembly.toolkit({ m: drawing(Effect.succeed("drawn")) }, Assembly.readOnly)
      const file = { type: "file", mediaType: "image/png", fileName: "a.png", data: "iVBORw0KGgo=" }
      const result = yield* direct(drawn, "m__draw", {})
      expect(result.encodedResult).toBe("drawn")
      expect(result.modelOutput).toMatchObject([{ type: "text", text: `"drawn"` }, file])
      const failed = yield* direct(
        yield* Assembly.toolkit({ m: drawing(Effect.fail(failure("Ink ran out"))) }, Assembly.readOnly),
        "m__draw",
        {},
      )
      expect(failed).toMatchObject({ isFailure: true, encodedResult: { message: "Ink ran out" } })
      expect(failed.modelOutput).toMatchObject([{ type: "text", text: expect.stringContaining("Ink ran out") }, file])
      const plain = yield* direct(
        yield* Assembly.toolkit({ m: sourceOf([tool("a")]).source }, Assembly.readOnly),
        "m__a",
        {},
      )
      expect(plain).not.toHaveProperty("modelOutput")
    }))

  it.effect("and one from code leaves that to the run", () =>
    Effect.gen(function*() {
      const assembled = yield* Assembly.toolkit({ m: drawing(Effect.succeed("drawn")) }, Assembly.allowAll)
      const toolkit = yield* CodeMode.toolkit(assembled, runtime)
      const [result] = yield* handle(toolkit, "execute", { code: "return tools.m.draw()" })
      expect(result!.modelOutput).toMatchObject([{ type: "text" }, { type: "file", data: "iVBORw0KGgo=" }])
      // Who asks for them otherwise gets them, and nobody gets them twice.
      const kept: Array<ToolSource.Attachment> = []
      const add = (attachment: ToolSource.Attachment) => Effect.sync(() => void kept.push(attachment))
      const again = yield* Effect.provideService(direct(assembled, "m__draw", {}), ToolSource.Attachments, { add })
      expect(again).not.toHaveProperty("modelOutput")
      expect(kept).toEqual([png])
    }))

  it.effect("is told to the model in the next turn, files and failures included", () =>
    Effect.gen(function*() {
      const { source } = sourceOf([tool("draw"), tool("fail")], {
        call: (name) =>
          name === "draw" ? Effect.as(ToolSource.attach(png), "drawn") : Effect.fail(failure("Not today", "CLOSED")),
      })
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      const toolkit = yield* CodeMode.toolkit(assembled, runtime, { direct: ["m.draw", "m__fail"] })
      const { model, requests } = yield* scripted([
        [call("c1", "m__draw", {}), call("c2", "m__fail", {}), call("c3", "m__fail", [])],
        [text("Done.")],
      ])
      yield* Effect.gen(function*() {
        const chat = yield* Chat.fromPrompt("Draw")
        yield* chat.generateText({ prompt: [], toolkit })
        yield* chat.generateText({ prompt: [], toolkit })
      }).pipe(Effect.provideService(LanguageModel.LanguageModel, model))
      const results = requests[1]!.prompt.content.flatMap((message) => message.role === "tool" ? message.content : [])
      expect(results).toMatchObject([
        {
          id: "c1",
          isFailure: false,
          result: "drawn",
          modelOutput: [{ type: "text" }, { type: "file", mediaType: "image/png" }],
        },
        { id: "c2", isFailure: true, result: { code: "CLOSED", message: "Not today" } },
        { id: "c3", isFailure: true, result: { code: "INVALID_TOOL_INPUT" } },
      ])
    }))

  it.effect("of a name that is no tool fails as in any toolkit", () =>
    Effect.gen(function*() {
      const assembled = yield* Assembly.toolkit({ m: sourceOf([tool("a")]).source }, Assembly.readOnly)
      for (const name of ["m.a", "a", "", "__proto__", "constructor", "toString"]) {
        expect(yield* Effect.flip(direct(assembled, name, {})))
          .toMatchObject({ reason: { _tag: "ToolNotFoundError", toolName: name, availableTools: ["m__a"] } })
      }
    }))
})

describe("a call from code", () => {
  it.effect("is cancelled when the run is", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const { source } = sourceOf([tool("wait")], {
        call: () =>
          Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(stopped, undefined)),
          ),
      })
      const mode = yield* CodeMode.make(yield* Assembly.toolkit({ m: source }, Assembly.allowAll), runtime)
      const fiber = yield* Effect.forkChild(mode.execute("await tools.m.wait()"), { startImmediately: true })
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
    }))

  it.effect("fails as the source fails, and the program can catch it", () =>
    Effect.gen(function*() {
      const { source } = sourceOf([tool("a")], { call: () => Effect.fail(failure("Not today", "CLOSED")) })
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      expect(yield* run(assembled, "try { await tools.m.a() } catch (error) { return [error.code, error.message] }"))
        .toEqual(["CLOSED", "Not today"])
      const mode = yield* CodeMode.make(assembled, runtime)
      expect(yield* Effect.flip(mode.execute("return tools.m.a()"))).toMatchObject({ code: "CLOSED", retryable: false })
    }))
})
