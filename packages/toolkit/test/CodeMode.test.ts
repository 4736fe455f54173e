import { CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, Deferred, Duration, Effect, Exit, Fiber, Layer, Schema } from "effect"
import { AiError, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { calling, catching, execute, handle, hostLog, type Script, stub } from "./fixtures.ts"

class NoSuchRepository extends Schema.TaggedError<NoSuchRepository>()("NoSuchRepository", {
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
}) {}

class Unexplained extends Schema.TaggedError<Unexplained>()("Unexplained", { repository: Schema.String }) {}

const ListIssues = Tool.make("github.list_issues", {
  description: "Lists issues",
  parameters: Schema.Struct({ owner: Schema.String, perPage: Schema.optionalKey(Schema.FiniteFromString) }),
  success: Schema.Array(Schema.Struct({ title: Schema.String, at: Schema.Date })),
})

const DeleteFile = Tool.make("delete_file", {
  description: "Deletes a file",
  parameters: Schema.Struct({ path: Schema.String }),
  success: Schema.String,
  needsApproval: true,
})

const MoveFile = Tool.make("move_file", {
  parameters: Schema.Struct({ path: Schema.String }),
  success: Schema.String,
  needsApproval: ({ path }) => path.startsWith("/"),
})

const WebSearch = Tool.providerDefined({
  id: "openai.web_search",
  customName: "OpenAiWebSearch",
  providerName: "web_search",
  args: Schema.Struct({ query: Schema.String }),
})({ query: "Effect" })

const SubmitReport = Tool.make("submit_report", { success: Schema.String })

const Workspace = Toolkit.make(ListIssues, DeleteFile, MoveFile, WebSearch, SubmitReport)

const issues = [{ title: "one", at: new Date(0) }]

const workspace = Effect.provide(
  Workspace,
  Workspace.toLayer({
    "github.list_issues": () => Effect.succeed(issues),
    delete_file: ({ path }) => Effect.succeed(`deleted ${path}`),
    move_file: ({ path }) => Effect.succeed(`moved ${path}`),
    submit_report: () => Effect.succeed("submitted"),
  }),
)

const nothing: Script = () => Effect.succeed(null)

const defectOf = (exit: Exit.Exit<unknown, unknown>): string => {
  const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
  return reason?._tag === "Die" ? String(reason.defect) : `not a defect: ${String(exit)}`
}

describe("what is presented", () => {
  it.effect("building calls no tool and runs no code", () =>
    Effect.gen(function*() {
      let touched = 0
      const presented: Toolkit.WithHandler<{}> = {
        tools: { a: SubmitReport },
        handle: () => Effect.die(++touched) as never,
      }
      const runtime = stub(nothing)
      yield* CodeMode.toolkit(presented, runtime)
      yield* CodeMode.make(presented, runtime)
      expect(touched).toBe(0)
      expect(runtime.executions).toEqual([])
    }))

  it.effect("execute stands beside the tools that may need approval and those of a provider, unchanged", () =>
    Effect.gen(function*() {
      const toolkit = yield* CodeMode.toolkit(yield* workspace, stub(nothing))
      expect(Object.keys(toolkit.tools).sort()).toEqual(["OpenAiWebSearch", "delete_file", "execute", "move_file"])
      expect(toolkit.tools.delete_file).toBe(DeleteFile)
      expect(toolkit.tools.move_file).toBe(MoveFile)
      expect(toolkit.tools.OpenAiWebSearch).toBe(WebSearch)
      const results = yield* handle(toolkit, "delete_file", { path: "a.txt" }, "id-1")
      expect(results.map(({ encodedResult }) => encodedResult)).toEqual(["deleted a.txt"])
    }))

  it.effect("the program sees the other tools", () =>
    Effect.gen(function*() {
      const runtime = stub(nothing)
      const mode = yield* CodeMode.make(yield* workspace, runtime)
      yield* mode.execute("return null")
      expect(runtime.executions[0]!.tools).toEqual(["github.list_issues", "submit_report"])
      expect(runtime.executions[0]!.code).toBe("return null")
      expect(Object.keys(mode.sideTools)).toEqual(["delete_file", "move_file", "OpenAiWebSearch"])
    }))

  it.effect("`direct` keeps a tool beside execute and out of code", () =>
    Effect.gen(function*() {
      const presented = yield* workspace
      const toolkit = yield* CodeMode.toolkit(presented, stub(nothing), { direct: ["submit_report"] })
      expect(Object.keys(toolkit.tools)).toContain("submit_report")
      const results = yield* handle(toolkit, "submit_report", {})
      expect(results[0]!.encodedResult).toBe("submitted")
      const caught = yield* execute(presented, catching("submit_report"), { direct: ["submit_report"] })
      expect(caught.result).toMatchObject({ code: "APPROVAL_REQUIRED", message: expect.stringContaining("directly") })
    }))

  it.effect("a tool that only code can call is not found when the model calls it directly", () =>
    Effect.gen(function*() {
      const toolkit = yield* CodeMode.toolkit(yield* workspace, stub(nothing))
      const error = yield* Effect.flip(handle(toolkit, "github.list_issues", { owner: "a" }))
      expect(error).toMatchObject({ reason: { _tag: "ToolNotFoundError", toolName: "github.list_issues" } })
    }))

  it.effect("a toolkit with no tools still runs code, and says so", () =>
    Effect.gen(function*() {
      const mode = yield* CodeMode.make(
        yield* Toolkit.empty,
        stub(catching("anything")),
      )
      expect(mode.instructions).toContain("There are no tools to call from code.")
      const { result } = yield* mode.execute("return 1")
      expect(result).toMatchObject({
        code: "UNKNOWN_TOOL",
        message: `There is no tool "anything". There are no tools to call from code.`,
      })
    }))

  it.effect("a presented tool named execute is a defect that names the option", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("execute", { success: Schema.String }))
      const presented = yield* Effect.provide(tools, tools.toLayer({ execute: () => Effect.succeed("theirs") }))
      const message = defectOf(yield* Effect.exit(CodeMode.toolkit(presented, stub(nothing))))
      expect(message).toContain(`a tool named "execute"`)
      expect(message).toContain("`name`")

      const renamed = (yield* CodeMode.toolkit(presented, stub(calling("execute")), {
        name: "run_code",
      })) as unknown as Toolkit.WithHandler<{ readonly run_code: CodeMode.ExecuteTool }>
      expect(Object.keys(renamed.tools)).toEqual(["run_code"])
      const [result] = yield* handle(renamed, "run_code", { code: "" })
      expect(result!.encodedResult).toEqual({ result: "theirs", logs: [] })
    }))

  it.effect.each<[string, CodeMode.Options, string]>([
    ["an unknown tool in `direct`", { direct: ["submit_reprot"] }, "submit_reprot"],
    ["a timeout of nothing", { timeout: 0 }, "timeout"],
    ["a result limit that is not whole", { maxResultLength: 1.5 }, "maxResultLength"],
    ["a negative result limit", { maxResultLength: -1 }, "maxResultLength"],
    ["a timeout that is no duration", { timeout: "soon" as never }, "timeout"],
    ["another way with results that are too long", { oversize: "cut" as never }, "oversize"],
    ["a name that providers refuse", { name: "run code" }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["a name that is too long", { name: "x".repeat(65) }, "name"],
    ["`direct` that is no list", { direct: "submit_report" as never }, "direct"],
    ["`namespaces` that are no texts", { namespaces: [1] as never }, "namespaces"],
    ["a budget that is no number", { catalogBudget: Number.NaN }, "catalogBudget"],
    ["a number of attachments that is not whole", { maxAttachments: 0.5 }, "maxAttachments"],
    ["a negative size of attachments", { maxAttachmentBytes: -1 }, "maxAttachmentBytes"],
    ["a hook that is an effect", { onToolCallStart: Effect.void as never }, "onToolCallStart"],
    ["a hook that is no function", { onToolCallEnd: "log" as never }, "onToolCallEnd"],
    ["an audit that is no function", { onRunEnd: {} as never }, "onRunEnd"],
    ["an authorization that is no function", { authorize: true as never }, "authorize"],
    ["a flag that is none", { traceContent: "yes" as never }, "traceContent"],
    ["an option that there is not", { timeOut: "1 second" } as never, "timeOut"],
  ])("%s is a defect that names it", ([, options, named]) =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(CodeMode.toolkit(yield* workspace, stub(nothing), options))
      expect(defectOf(exit)).toContain(named)
    }))

  it.effect("the namespace of search is reserved", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("$codemode.search"))
      const presented = yield* Effect.provide(tools, tools.toLayer({ "$codemode.search": () => Effect.void }))
      expect(defectOf(yield* Effect.exit(CodeMode.make(presented, stub(nothing))))).toContain("reserved")
    }))
})

describe("a call from code is the same call", () => {
  const Echo = Tool.make("echo", {
    parameters: Schema.Struct({ at: Schema.FiniteFromString }),
    success: Schema.Struct({ doubled: Schema.FiniteFromString }),
  })

  it.effect("parameters are decoded and the result is encoded", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Echo)
      const seen: Array<unknown> = []
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({
          echo: ({ at }, { toolCallId }) => {
            seen.push(at, toolCallId)
            return Effect.succeed({ doubled: at * 2 })
          },
        }),
      )
      const { result } = yield* execute(presented, calling("echo", { at: "21" }))
      expect(result).toEqual({ doubled: "42" })
      expect(seen).toEqual([21, "call/1"])
    }))

  it.effect("ids count the calls of a run, and a call that goes nowhere has none", () =>
    Effect.gen(function*() {
      const ids: Array<string | undefined> = []
      const tools = Toolkit.make(Tool.make("note"))
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({ note: (_, { toolCallId }) => Effect.sync(() => void ids.push(toolCallId)) }),
      )
      const script: Script = (execution) =>
        Effect.gen(function*() {
          yield* execution.call("note", {})
          yield* Effect.ignore(execution.call("nope", {}))
          yield* Effect.all([execution.call("note", {}), execution.call("note", {})], { concurrency: 2 })
        })
      const mode = yield* CodeMode.make(presented, stub(script))
      yield* mode.execute("", "toolu_1")
      yield* mode.execute("")
      yield* mode.execute("")
      expect(ids).toEqual([
        ...["toolu_1/1", "toolu_1/2", "toolu_1/3"],
        ...["execute-1/1", "execute-1/2", "execute-1/3"],
        ...["execute-2/1", "execute-2/2", "execute-2/3"],
      ])
    }))

  it.effect("preliminary results are skipped and the final one counts", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("progress", { success: Schema.Number }))
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({
          progress: Effect.fnUntraced(function*(_, { preliminary }) {
            yield* preliminary(1)
            yield* preliminary(2)
            return 3
          }),
        }),
      )
      expect((yield* execute(presented, calling("progress"))).result).toBe(3)
    }))

  it.effect("what has no JSON form of its own is given the one that its schema has", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("rich", {
        success: Schema.Struct({
          at: Schema.Date,
          counts: Schema.ReadonlyMap(Schema.String, Schema.Number),
          big: Schema.BigInt,
          left: Schema.optional(Schema.String),
        }),
      }))
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({
          rich: () => Effect.succeed({ at: new Date(0), counts: new Map([["a", 1]]), big: 10n, left: undefined }),
        }),
      )
      const { result } = yield* execute(presented, calling("rich"))
      expect(result).toMatchObject({ at: "1970-01-01T00:00:00.000Z", counts: [["a", 1]], big: "10" })
    }))

  it.effect("a tool without a result gives null", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("quiet"))
      const presented = yield* Effect.provide(tools, tools.toLayer({ quiet: () => Effect.void }))
      expect((yield* execute(presented, calling("quiet"))).result).toBe(null)
    }))

  class Greeting extends Context.Service<Greeting, string>()("test/Greeting") {}

  it.effect("handlers find their services, also when the runtime makes the call on a fiber of its own", () =>
    Effect.gen(function*() {
      const tools = Toolkit.make(Tool.make("greet", { success: Schema.String, dependencies: [Greeting] }))
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({ greet: () => Effect.map(Greeting, (word) => word) }),
      )
      const mode = yield* CodeMode.make(
        presented,
        stub((execution) =>
          Effect.gen(function*() {
            const here = yield* execution.call("greet", {})
            const elsewhere = yield* Effect.promise(() => Effect.runPromise(execution.call("greet", {})))
            return [here, elsewhere]
          })
        ),
      ).pipe(Effect.provideService(Greeting, "hello"))
      expect((yield* mode.execute("")).result).toEqual(["hello", "hello"])
    }))
})

describe("the failure of a call", () => {
  const failing = <Failure extends Schema.Top>(
    failure: Failure,
    error: Effect.Effect<never, Failure["Type"] | AiError.AiErrorReason>,
    failureMode: "error" | "return",
  ) => {
    const tools = Toolkit.make(Tool.make("fail", { failure, failureMode, success: Schema.String }))
    return Effect.provide(tools, tools.toLayer({ fail: () => error } as never))
  }

  describe.each(["error", "return"] as const)("with the failure mode %s", (mode) => {
    it.effect("bad parameters are INVALID_TOOL_INPUT with the schema's own message, the fields and the signature", () =>
      Effect.gen(function*() {
        const tools = Toolkit.make(Tool.make("list", {
          parameters: Schema.Struct({ owner: Schema.String }),
          failureMode: mode,
        }))
        const presented = yield* Effect.provide(tools, tools.toLayer({ list: () => Effect.void }))
        const expected = yield* Effect.flip(Schema.decodeUnknownEffect(Schema.Struct({ owner: Schema.String }))({}))
        const { result } = yield* execute(presented, catching("list", { name: "effect" }))
        expect(result).toEqual({
          code: "INVALID_TOOL_INPUT",
          message: [
            expected.message,
            "Missing: owner.",
            "Not among its fields: name.",
            "It is called as: tools.list(input: { owner: string }): Promise<null>",
          ].join("\n"),
          retryable: true,
        })
      }))

    it.effect("a declared failure keeps its code, message and retryability", () =>
      Effect.gen(function*() {
        const presented = yield* failing(
          NoSuchRepository,
          Effect.fail(new NoSuchRepository({ code: "NO_SUCH_REPO", message: "No repository a/b", retryable: true })),
          mode,
        )
        expect((yield* execute(presented, catching("fail"))).result)
          .toEqual({ code: "NO_SUCH_REPO", message: "No repository a/b", retryable: true })
      }))

    it.effect("a declared failure without a code is TOOL_FAILURE with its message", () =>
      Effect.gen(function*() {
        const long = yield* failing(
          NoSuchRepository,
          Effect.fail(new NoSuchRepository({ code: "NO".repeat(51), message: "No repository a/b", retryable: true })),
          mode,
        )
        expect((yield* execute(long, catching("fail"))).result).toMatchObject({ code: "TOOL_FAILURE" })
        const plain = yield* failing(
          Schema.Struct({ message: Schema.String }),
          Effect.fail({ message: "Not now" }),
          mode,
        )
        expect((yield* execute(plain, catching("fail"))).result)
          .toEqual({ code: "TOOL_FAILURE", message: "Not now", retryable: false })
        const text = yield* failing(Schema.String, Effect.fail("Just a text"), mode)
        expect((yield* execute(text, catching("fail"))).result).toMatchObject({ message: "Just a text" })
      }))

    it.effect("a declared failure without a message is told by its data", () =>
      Effect.gen(function*() {
        const presented = yield* failing(Unexplained, Effect.fail(new Unexplained({ repository: "a/b" })), mode)
        const { result } = yield* execute(presented, catching("fail"))
        expect(result).toMatchObject({
          code: "TOOL_FAILURE",
          message: `The tool "fail" failed: {"_tag":"Unexplained","repository":"a/b"}`,
        })
      }))

    it.effect("a failure of effect/ai is TOOL_FAILURE with its message", () =>
      Effect.gen(function*() {
        const presented = yield* failing(
          Schema.Never,
          Effect.fail(new AiError.RateLimitError({})) as Effect.Effect<never>,
          mode,
        )
        const { result } = yield* execute(presented, catching("fail"))
        expect(result).toMatchObject({ code: "TOOL_FAILURE", retryable: true })
      }))

    it.effect("a defect is TOOL_FAILURE with a fixed message, and only the host learns the cause", () =>
      Effect.gen(function*() {
        const log = hostLog()
        const presented = yield* failing(Schema.String, Effect.die(new Error("secret: hunter2")), mode)
        const { result } = yield* Effect.provide(execute(presented, catching("fail")), log.layer)
        expect(result).toEqual({
          code: "TOOL_FAILURE",
          message: `The tool "fail" broke. The fault is the tool's, not the call's.`,
          retryable: false,
        })
        expect(log.entries.join()).toContain("hunter2")
        expect(log.entries.join()).toContain("call/1")
      }))

    it.effect("a result that its schema cannot encode is INVALID_TOOL_OUTPUT, and only the host learns why", () =>
      Effect.gen(function*() {
        const log = hostLog()
        const tools = Toolkit.make(Tool.make("wrong", { success: Schema.Number, failureMode: mode }))
        const presented = yield* Effect.provide(
          tools,
          tools.toLayer({ wrong: () => Effect.succeed("secret: hunter2" as never) }),
        )
        const { result } = yield* Effect.provide(execute(presented, catching("wrong")), log.layer)
        expect(result).toMatchObject({ code: "INVALID_TOOL_OUTPUT", retryable: false })
        expect(JSON.stringify(result)).not.toContain("hunter2")
        expect(log.entries.join()).toContain(`"wrong"`)
      }))

    it.effect.each([
      ["a function", () => 1],
      ["a map", new Map([["a", 1]])],
      ["a bigint", { big: 1n }],
      [
        "a cycle",
        (() => {
          const cycle: Record<string, unknown> = {}
          cycle.self = cycle
          return cycle
        })(),
      ],
    ])("a result that is not JSON is INVALID_TOOL_OUTPUT: %s", ([, value]) =>
      Effect.gen(function*() {
        const tools = Toolkit.make(Tool.make("odd", { success: Schema.Unknown, failureMode: mode }))
        const presented = yield* Effect.provide(tools, tools.toLayer({ odd: () => Effect.succeed(value) }))
        const { result } = yield* Effect.provide(execute(presented, catching("odd")), hostLog().layer)
        expect(result).toMatchObject({ code: "INVALID_TOOL_OUTPUT" })
      }))

    it.effect("an interrupted call interrupts the run", () =>
      Effect.gen(function*() {
        const presented = yield* failing(Schema.String, Effect.interrupt, mode)
        const exit = yield* Effect.exit(execute(presented, catching("fail")))
        expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
      }))
  })

  it.effect("a tool that is not there is UNKNOWN_TOOL with the nearest names", () =>
    Effect.gen(function*() {
      const { result } = yield* execute(yield* workspace, catching("github.list_issue"))
      expect(result).toEqual({
        code: "UNKNOWN_TOOL",
        message: `There is no tool "github.list_issue". Nearest: tools.github.list_issues.`,
        retryable: true,
      })
    }))

  it.effect("search is named as the way to find a tool where there is one and not every tool is listed", () =>
    Effect.gen(function*() {
      const runtime = stub(catching("nothing_like_it"), { guide: { language: "JavaScript", search: true } })
      const partial = yield* CodeMode.make(yield* workspace, runtime, { catalogBudget: 0 })
      expect(JSON.stringify((yield* partial.execute("")).result)).toContain("$codemode.search")
      const complete = yield* CodeMode.make(yield* workspace, runtime)
      expect(JSON.stringify((yield* complete.execute("")).result)).not.toContain("search")
    }))

  it.effect.each(["delete_file", "move_file", "OpenAiWebSearch"])(
    "a side tool called from code is APPROVAL_REQUIRED, and does not run: %s",
    (name) =>
      Effect.gen(function*() {
        const { result } = yield* execute(yield* workspace, catching(name, { path: "a" }))
        expect(result).toMatchObject({ code: "APPROVAL_REQUIRED", retryable: true })
        expect(JSON.stringify(result)).toContain(`Call the tool \\"${name}\\" directly`)
      }),
  )
})

describe("the run", () => {
  const failure = (
    error: Partial<CodeMode.CodeError> & { readonly code: string; readonly message: string },
  ) => new CodeMode.CodeError({ retryable: true, logs: [], ...error })

  it.effect("the model reads the reason, the place with a caret, the hint, and the logs", () =>
    Effect.gen(function*() {
      const toolkit = yield* CodeMode.toolkit(
        yield* workspace,
        stub(() =>
          Effect.fail(failure({
            code: "EXECUTION_ERROR",
            message: "TypeError: Cannot read properties of undefined (reading 'login')",
            location: { line: 2, column: 19 },
            hint: "Check that `issue.user` is there.",
            logs: ["first", "second"],
          }))
        ),
      )
      const [result] = yield* handle(toolkit, "execute", { code: "const issue = {}\n\treturn issue.user.login" })
      expect(result).toMatchObject({ isFailure: true, failureOrigin: "handler", preliminary: false })
      expect(result!.encodedResult).toEqual({
        code: "EXECUTION_ERROR",
        message: [
          "TypeError: Cannot read properties of undefined (reading 'login')",
          "at 2:19",
          "    \treturn issue.user.login",
          "    \t                 ^",
          "Hint: Check that `issue.user` is there.",
          "Logged before it failed:",
          "first",
          "second",
        ].join("\n"),
        retryable: true,
      })
    }))

  it.effect("a long source line is cut around the place, and logs lose their beginning before their end", () =>
    Effect.gen(function*() {
      const mode = yield* CodeMode.make(yield* workspace, stub(nothing), { maxResultLength: 20 })
      const code = `${"x".repeat(300)}HERE${"y".repeat(300)}`
      const lines = mode.explain(
        code,
        failure({
          code: "EXECUTION_ERROR",
          message: "No",
          location: { line: 1, column: 301 },
          logs: ["a".repeat(15), "b".repeat(10), "c".repeat(5)],
        }),
      ).split("\n")
      expect(lines[2]!.length).toBeLessThan(130)
      expect(lines[2]!.slice(lines[3]!.indexOf("^"))).toMatch(/^HERE/)
      expect(lines.slice(4)).toEqual([
        "Logged before it failed:",
        "[1 earlier line left out]",
        "b".repeat(10),
        "c".repeat(5),
      ])
    }))

  it.effect("a place outside the code is told without a line", () =>
    Effect.gen(function*() {
      const mode = yield* CodeMode.make(yield* workspace, stub(nothing))
      const error = failure({ code: "SYNTAX_ERROR", message: "Unexpected end", location: { line: 9, column: 1 } })
      expect(mode.explain("a", error)).toBe("Unexpected end\nat 9:1")
    }))

  it.effect("an uncaught failure of a call ends the run with its code", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(execute(yield* workspace, calling("github.list_issues", { name: "x" })))
      expect(error).toBeInstanceOf(CodeMode.CodeError)
      expect(error).toMatchObject({ code: "INVALID_TOOL_INPUT", retryable: true })
    }))

  it.effect("parameters of execute that do not fit are told as every failure", () =>
    Effect.gen(function*() {
      const runtime = stub(nothing)
      const toolkit = yield* CodeMode.toolkit(yield* workspace, runtime)
      const [result] = yield* handle(toolkit, "execute", { program: "return 1" })
      expect(result).toMatchObject({
        isFailure: true,
        failureOrigin: "parameters",
        encodedResult: { code: "INVALID_TOOL_INPUT", message: expect.stringContaining("code"), retryable: true },
      })
      expect(runtime.executions).toEqual([])
    }))

  it.effect("undefined becomes null, and logs are given", () =>
    Effect.gen(function*() {
      const outcome = yield* execute(yield* workspace, ({ log }) => Effect.sync(() => log("a line")))
      expect(outcome).toEqual({ result: null, logs: ["a line"] })
    }))

  it.effect("a result over the limit fails with RESULT_TOO_LARGE, its size and the limit", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(execute(yield* workspace, () => Effect.succeed("x".repeat(60_000))))
      expect(error).toMatchObject({
        code: "RESULT_TOO_LARGE",
        retryable: true,
        hint: expect.stringContaining("Return less"),
      })
      expect(error.message).toContain("60,002")
      expect(error.message).toContain("50,000")
      const ten = yield* execute(yield* workspace, () => Effect.succeed("x".repeat(8)), { maxResultLength: 10 })
      expect(ten.result).toBe("x".repeat(8))
      const eleven = yield* Effect.flip(
        execute(yield* workspace, () => Effect.succeed("x".repeat(9)), { maxResultLength: 10 }),
      )
      expect(eleven.code).toBe("RESULT_TOO_LARGE")
    }))

  it.effect.each<[string, Schema.Json]>([
    ["a text", "x\"😀".repeat(1_000)],
    ["data", Array.from({ length: 1_000 }, (_, n) => ({ name: `"${n}"` }))],
  ])(
    "with `oversize: truncate`, %s over the limit is cut to a marked text within it",
    ([, value]) =>
      Effect.gen(function*() {
        const { result } = yield* execute(yield* workspace, () => Effect.succeed(value), {
          maxResultLength: 500,
          oversize: "truncate",
        })
        expect(result).toMatch(/\n\[cut here: the whole result is [\d,]+ characters of JSON; return less\]$/)
        const length = JSON.stringify(result).length
        expect(length).toBeLessThanOrEqual(500)
        expect(length).toBeGreaterThan(480)
        const text = typeof value === "string" ? value : JSON.stringify(value)
        expect(text.startsWith(String(result).split("\n[cut")[0]!)).toBe(true)
        expect(result).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
      }),
  )

  it.effect("a run over its time fails with TIMEOUT, its calls are interrupted, and its logs are kept", () =>
    Effect.gen(function*() {
      const interrupted = yield* Deferred.make<void>()
      const tools = Toolkit.make(Tool.make("never"))
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({
          never: () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
        }),
      )
      const script: Script = (execution) => {
        execution.log("before the call")
        return execution.call("never", {})
      }
      const fiber = yield* Effect.forkChild(Effect.flip(execute(presented, script)))
      yield* TestClock.adjust(Duration.millis(59_999))
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(Duration.millis(1))
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ code: "TIMEOUT", retryable: true, logs: ["before the call"] })
      expect(error.message).toContain("1m")
      yield* Deferred.await(interrupted)
    }))

  it.effect("the timeout is an option, and may be infinite", () =>
    Effect.gen(function*() {
      const presented = yield* workspace
      const slow: Script = () => Effect.as(Effect.sleep("2 hours"), "done")
      const short = yield* Effect.forkChild(Effect.flip(execute(presented, slow, { timeout: "2 seconds" })))
      const endless = yield* Effect.forkChild(execute(presented, slow, { timeout: Infinity }))
      yield* TestClock.adjust("2 hours")
      expect((yield* Fiber.join(short)).code).toBe("TIMEOUT")
      expect((yield* Fiber.join(endless)).result).toBe("done")
    }))

  it.effect("interrupting execute ends the run and its calls", () =>
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const tools = Toolkit.make(Tool.make("never"))
      const presented = yield* Effect.provide(
        tools,
        tools.toLayer({
          never: () =>
            Effect.onInterrupt(
              Effect.andThen(Deferred.succeed(started, undefined), Effect.never),
              () => Deferred.succeed(interrupted, undefined),
            ),
        }),
      )
      const toolkit = yield* CodeMode.toolkit(presented, stub(calling("never")))
      const fiber = yield* Effect.forkChild(handle(toolkit, "execute", { code: "" }))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(interrupted)
      const exit = yield* Fiber.await(fiber)
      expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
    }))

  it.effect.each<[string, CodeMode.CodeRuntime["run"]]>([
    ["dies", () => Effect.die(new Error("secret: hunter2"))],
    ["throws", () => {
      throw new Error("secret: hunter2")
    }],
  ])(
    "a runtime that %s is RUNTIME_FAILURE with a fixed text, and only the host learns the cause",
    ([, run]) =>
      Effect.gen(function*() {
        const log = hostLog()
        const mode = yield* CodeMode.make(yield* workspace, { run })
        const error = yield* Effect.provide(Effect.flip(mode.execute("")), log.layer)
        expect(error).toMatchObject({ code: "RUNTIME_FAILURE", retryable: false })
        expect(error.message).not.toContain("hunter2")
        expect(log.entries.join()).toContain("hunter2")
      }),
  )

  it.effect.each<[string, unknown]>([
    ["nothing", undefined],
    ["a result alone", { result: 1 }],
    ["logs alone", { logs: [] }],
    ["logs that are no texts", { result: 1, logs: [1] }],
  ])(
    "a runtime that gives %s is RUNTIME_FAILURE, and the host is told what it should give",
    ([, outcome]) =>
      Effect.gen(function*() {
        const log = hostLog()
        const mode = yield* CodeMode.make(yield* workspace, { run: () => Effect.succeed(outcome as never) })
        const error = yield* Effect.provide(Effect.flip(mode.execute("")), log.layer)
        expect(error).toMatchObject({ code: "RUNTIME_FAILURE", retryable: false })
        expect(log.entries.join()).toContain("The runtime gave no outcome: `{ result, logs }`")
      }),
  )

  it.effect.each([undefined, null, 5, { code: "return 1" }])(
    "code that is no text is not run: %s",
    (code) =>
      Effect.gen(function*() {
        const runtime = stub(() => Effect.succeed(1))
        const mode = yield* CodeMode.make(yield* workspace, runtime)
        const error = yield* Effect.flip(mode.execute(code as never))
        expect(error).toMatchObject({ code: "INVALID_TOOL_INPUT", retryable: true })
        expect(mode.explain(code as never, error)).toBe("The input has no `code`: the program to run, as a text.")
        expect((yield* mode.run(code as never)).exit).toMatchObject({ _tag: "Failure" })
        expect(runtime.executions).toEqual([])
      }),
  )

  it.effect("a runtime whose result is not JSON fails the run with INVALID_DATA", () =>
    Effect.gen(function*() {
      const mode = yield* CodeMode.make(yield* workspace, {
        run: () => Effect.succeed({ result: new Map() as never, logs: ["kept"] }),
      })
      expect(yield* Effect.flip(mode.execute(""))).toMatchObject({ code: "INVALID_DATA", logs: ["kept"] })
    }))

  it.effect("a runtime can be provided and replaced as a service", () =>
    Effect.gen(function*() {
      const program = Effect.gen(function*() {
        const mode = yield* CodeMode.make(yield* workspace, yield* CodeMode.CodeRuntime)
        return (yield* mode.execute("")).result
      })
      const layer = Layer.succeed(CodeMode.CodeRuntime, stub(() => Effect.succeed("from the layer")))
      expect(yield* Effect.provide(program, layer)).toBe("from the layer")
    }))

  it("every code in the table is a code", () => {
    expect(CodeMode.ErrorCode.literals).toHaveLength(15)
  })
})

describe("what the model is told", () => {
  it.effect("the description of execute has the guide, the signatures and the side tools", () =>
    Effect.gen(function*() {
      const runtime = stub(nothing, { guide: { language: "Only the JavaScript of this test.", search: false } })
      const presented = yield* workspace
      const mode = yield* CodeMode.make(presented, runtime)
      const toolkit = yield* CodeMode.toolkit(presented, runtime)
      expect(Tool.getDescription(toolkit.tools.execute)).toBe(mode.instructions)
      expect(mode.instructions).toContain("Only the JavaScript of this test.")
      expect(mode.instructions).toContain("tools.github.list_issues(input: { owner: string, perPage?: string })")
      expect(mode.instructions).toContain("`OpenAiWebSearch`, `delete_file`, `move_file`")
      expect(mode.instructions).not.toContain("Deletes a file")
      expect((yield* CodeMode.make(presented, runtime)).instructions).toBe(mode.instructions)
    }))

  it("a failure of a tool is a tagged error", () => {
    const failure = new ToolSource.Failure({ code: "ACCESS_DENIED", message: "No", retryable: false })
    expect(failure._tag).toBe("ToolFailure")
    expect(failure).toBeInstanceOf(Error)
  })
})
