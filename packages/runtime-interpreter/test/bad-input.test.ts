import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { Tool, Toolkit } from "effect/ai"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const Tools = Toolkit.make(
  Tool.make("list", { parameters: Schema.Struct({ count: Schema.Number }), success: Schema.Json }),
  Tool.make("github.list_issues", { parameters: Schema.Struct({ owner: Schema.String }), success: Schema.Json }),
  Tool.make("text", { parameters: Schema.Struct({}), success: Schema.String }),
  Tool.make("fails", {
    parameters: Schema.Struct({}),
    success: Schema.Json,
    failure: Schema.Struct({ code: Schema.String, message: Schema.String }),
  }),
  Tool.make("dies", { parameters: Schema.Struct({}), success: Schema.Json }),
  Tool.make("never", { parameters: Schema.Struct({}), success: Schema.Json }),
  Tool.make("stops", { parameters: Schema.Struct({}), success: Schema.Json }),
  Tool.make("wrong", { parameters: Schema.Struct({}), success: Schema.Struct({ n: Schema.Number }) }),
  Tool.make("remove", { parameters: Schema.Struct({}), success: Schema.Json, needsApproval: true }),
)

/** A toolkit whose handlers note what becomes of their calls: what the host knows. */
const host = () => {
  const notes: Array<string> = []
  const noted = <A, E>(name: string, effect: Effect.Effect<A, E>) =>
    Effect.onExit(
      Effect.andThen(Effect.sync(() => notes.push(`${name} started`)), effect),
      (exit) =>
        Effect.sync(() =>
          notes.push(
            `${name} ${Exit.isSuccess(exit) ? "succeeded" : Exit.hasInterrupts(exit) ? "interrupted" : "failed"}`,
          )
        ),
    )
  const layer = Tools.toLayer({
    list: ({ count }) => noted("list", Effect.succeed({ items: Array.from({ length: count }, (_, id) => ({ id })) })),
    "github.list_issues": () => noted("github.list_issues", Effect.succeed([])),
    text: () => noted("text", Effect.succeed("[1, 2]")),
    fails: () => noted("fails", Effect.fail({ code: "NOT_TODAY", message: "Come back tomorrow" })),
    dies: () => noted("dies", Effect.die(new Error("secret"))),
    never: () => noted("never", Effect.never),
    stops: () => noted("stops", Effect.interrupt),
    wrong: () => noted("wrong", Effect.succeed({ n: "secret" } as never)),
    remove: () => noted("remove", Effect.succeed(null)),
  })
  return { notes, layer }
}

const runtime = InterpreterRuntime.make({ limits: { fuel: 3_000_000 } })

interface Seen {
  /** What the model reads: a result with its logs, or a code and a message. */
  readonly model: unknown
  readonly notes: ReadonlyArray<string>
}

const attempt = (code: string, options: CodeMode.Options = { timeout: "10 seconds" }): Promise<Seen> => {
  const { layer, notes } = host()
  return Effect.runPromise(
    Effect.gen(function*() {
      const mode = yield* CodeMode.make(yield* Tools, runtime, options)
      const exit = yield* Effect.exit(mode.execute(code, "call"))
      if (Exit.isSuccess(exit)) return { model: exit.value, notes }
      const reason = exit.cause.reasons[0]!
      if (reason._tag === "Interrupt") return { model: "interrupted", notes }
      if (reason._tag === "Die") return { model: "died", notes }
      return { model: `${reason.error.code}: ${mode.explain(code, reason.error)}`, notes }
    }).pipe(Effect.provide(layer), Effect.withLogger(silent)),
  )
}

const silent = { log: () => {} } as never

describe("what the model reads of a program that goes wrong, and what the host knows", () => {
  it.each<[name: string, code: string, reads: string, notes?: ReadonlyArray<string>]>([
    [
      "does not parse",
      "const a = 1\nconst b = ;",
      "SYNTAX_ERROR: Unexpected token ';'\nat 2:11\n    const b = ;\n              ^",
    ],
    [
      "throws a text",
      "const list = []\nthrow 'no luck'",
      "EXECUTION_ERROR: Uncaught 'no luck'\nat 2:1\n    throw 'no luck'\n    ^",
    ],
    [
      "throws an object",
      "throw { reason: 'no luck' }",
      "EXECUTION_ERROR: Uncaught { reason: 'no luck' }\nat 1:1\n    throw { reason: 'no luck' }\n    ^",
    ],
    [
      "throws an error of its own class",
      "class NoLuck extends Error {\n  name = 'NoLuck'\n}\nthrow new NoLuck('really')",
      "EXECUTION_ERROR: NoLuck: really\nat 4:7\n    throw new NoLuck('really')\n          ^",
    ],
    [
      "throws from a function in a fence with types",
      "```ts\nconst f = (n: number): number => {\n  throw new RangeError(`not ${n}`)\n}\nf(1)\n```",
      "EXECUTION_ERROR: RangeError: not 1\nat 3:9\n      throw new RangeError(`not ${n}`)\n            ^",
    ],
    [
      "returns a function",
      "const answer = () => 42\nreturn answer",
      "INVALID_DATA: result is a function, which JSON cannot hold\nHint: Call the function and return what it gives.",
    ],
    [
      "returns a cycle",
      "const node = { children: [] }\nnode.children.push(node)\nreturn node",
      "INVALID_DATA: result.children[0] is a cycle: it is the same object as result\n" +
      "Hint: Return the parts that are needed, in new objects without the way back.",
    ],
    [
      "returns a promise that it did not await",
      "const list = tools.list({ count: 1 })\nreturn { list }",
      "INVALID_DATA: result.list is a promise: use `await` to get its value first\nat 1:20\n" +
      "    const list = tools.list({ count: 1 })\n                       ^\n" +
      "Hint: `tools.list(...)` gives a promise: write `await tools.list(...)`.",
      ["list started", "list succeeded"],
    ],
    [
      "uses a promise as its result",
      "const list = tools.list({ count: 1 })\nreturn list.items.map(({ id }) => id)",
      "EXECUTION_ERROR: TypeError: Cannot read properties of undefined (reading 'map'): list.items is undefined\nat 2:19\n" +
      "    return list.items.map(({ id }) => id)\n                      ^\n" +
      "Hint: `tools.list(...)` gives a promise: write `await tools.list(...)`.",
      ["list started", "list succeeded"],
    ],
    [
      "goes through a promise",
      "for (const item of tools.list({ count: 1 })) console.log(item)",
      "EXECUTION_ERROR: TypeError: tools.list({ count: 1 }) is not iterable\nat 1:20\n" +
      "    for (const item of tools.list({ count: 1 })) console.log(item)\n                       ^\n" +
      "Hint: `tools.list(...)` gives a promise: write `await tools.list(...)`.",
      ["list started", "list succeeded"],
    ],
    [
      "takes an object for an array",
      "const list = await tools.list({ count: 1 })\nreturn list.map(({ id }) => id)",
      "EXECUTION_ERROR: TypeError: list.map is not a function\nat 2:13\n" +
      "    return list.map(({ id }) => id)\n                ^\n" +
      "Hint: `list` is no array, but an object. Look at what it holds, `Object.keys(value)`: the list may be under one of its keys, " +
      "where `.map` works.",
      ["list started", "list succeeded"],
    ],
    [
      "parses data as text",
      "return JSON.parse(await tools.list({ count: 1 }))",
      "EXECUTION_ERROR: SyntaxError: \"[object Object]\" is not valid JSON\nat 1:13\n" +
      "    return JSON.parse(await tools.list({ count: 1 }))\n                ^\n" +
      "Hint: It is data already, not text: use it without `JSON.parse`. Tools give data.",
      ["list started", "list succeeded"],
    ],
    [
      "takes text for data",
      "const text = await tools.text()\nreturn text.map((n) => n + 1)",
      "EXECUTION_ERROR: TypeError: text.map is not a function\nat 2:13\n    return text.map((n) => n + 1)\n                ^\n" +
      "Hint: The value is text. If it holds JSON, take `JSON.parse(text)`; else work on it as text.",
      ["text started", "text succeeded"],
    ],
    [
      "calls a tool without `tools`",
      "return await list({ count: 1 })",
      "EXECUTION_ERROR: ReferenceError: list is not defined\nat 1:14\n    return await list({ count: 1 })\n                 ^\n" +
      "Hint: Tools are called on `tools`: `await tools.list(input)`.",
      [],
    ],
    [
      "calls a side tool",
      "await tools.remove()",
      "APPROVAL_REQUIRED: The tool \"remove\" may need the approval of a person, so code cannot call it. " +
      "Call the tool \"remove\" directly, as a tool of its own.\nat 1:13\n    await tools.remove()\n                ^",
      [],
    ],
    [
      "calls a tool that fails",
      "await tools.fails()",
      "NOT_TODAY: Come back tomorrow\nat 1:13\n    await tools.fails()\n                ^",
      ["fails started", "fails failed"],
    ],
    [
      "does not look at a call that fails",
      "tools.fails()\nreturn 1",
      "NOT_TODAY: Unhandled rejection of tools.fails: Come back tomorrow\nat 1:7\n    tools.fails()\n          ^\n" +
      "Hint: Await the call, in `try`/`catch` if it may fail.",
      ["fails started", "fails failed"],
    ],
    [
      "calls a tool that dies",
      "await tools.dies()",
      "TOOL_FAILURE: The tool \"dies\" broke. The fault is the tool's, not the call's.\nat 1:13\n    await tools.dies()\n                ^",
      ["dies started", "dies failed"],
    ],
    [
      "calls a tool that gives what it does not declare",
      "await tools.wrong()",
      "INVALID_TOOL_OUTPUT: The tool \"wrong\" gave a result that is not what it declares. The fault is the tool's, not the call's.\n" +
      "at 1:13\n    await tools.wrong()\n                ^",
      ["wrong started", "wrong succeeded"],
    ],
    [
      "throws while a call is under way",
      "const call = tools.never()\nawait tools.text()\nnull.x",
      "EXECUTION_ERROR: TypeError: Cannot read properties of null (reading 'x')\nat 3:6\n    null.x\n         ^\n" +
      "Hint: `null` is null here: check that it is there, `null?.x`, and compare the name with the data.",
      ["never started", "text started", "text succeeded", "never interrupted"],
    ],
    [
      "waits for what never happens",
      "await new Promise(() => {})",
      "EXECUTION_ERROR: The program waits for a promise that nothing will ever settle.\n" +
      "Hint: Every `new Promise(...)` must come to call `resolve` or `reject`.",
    ],
    [
      "loops for ever",
      "console.log('in')\nwhile (true) {}",
      "EXECUTION_BUDGET_EXCEEDED: The program took more than 3,000,000 steps, and was ended.\nat 2:1\n    while (true) {}\n    ^\n" +
      "Hint: Look for a loop that does not end; else do less work in one run, or let a tool filter.\n" +
      "Logged before it failed:\nin",
    ],
    [
      "recurses for ever",
      "const f = (n) => f(n + 1)\nreturn f(0)",
      "EXECUTION_ERROR: RangeError: Maximum call stack size exceeded\nat 1:18\n    const f = (n) => f(n + 1)\n                     ^\n" +
      "Hint: A function calls itself without end, or too deeply: check where it stops, or use a loop.",
    ],
    [
      "returns 10 MB",
      "return 'x'.repeat(10_000_000)",
      "RESULT_TOO_LARGE: The result is 10,000,002 characters of JSON; at most 50,000 may be returned.\n" +
      "Hint: Return less: filter, aggregate or count in code, and pick the fields you need.",
    ],
    [
      "asks for what programs do not have",
      "const fs = require('fs')",
      "EXECUTION_ERROR: ReferenceError: require is not defined. Programs have no `require`: nothing can be loaded. " +
      "Use JavaScript's own built-ins, and `tools` for everything else.\nat 1:12\n    const fs = require('fs')\n               ^",
    ],
    [
      "imports",
      "import fs from 'node:fs'",
      "UNSUPPORTED_SYNTAX: Programs have no modules: `import` is not available.\nat 1:1\n    import fs from 'node:fs'\n    ^\n" +
      "Hint: Leave the import out. Tools are on `tools`, as in `await tools.name(input)`; the rest is global.",
    ],
    [
      "assigns a constant twice",
      "const total = 1\ntotal += 1\nreturn total",
      "EXECUTION_ERROR: TypeError: Assignment to constant variable.\nat 2:1\n    total += 1\n    ^\n" +
      "Hint: Declare it with `let` if it changes, or give the new value another name.",
    ],
  ])("%s", async (_name, code, reads, notes) => {
    const seen = await attempt(code)
    expect(seen.model).toBe(reads)
    expect(seen.notes).toEqual(notes ?? [])
  })

  it.each([
    ["an unknown tool", "return await tools.github.list_isues({ owner: 'a' })", "github.list_isues"],
    ["a tool by brackets", "return await tools.github['list_' + 'isues']()", "github.list_isues"],
    ["a tool in an unknown namespace", "return await tools.gihub.list_issues({ owner: 'a' })", "gihub.list_issues"],
    ["a part of a tool", "return await tools.list.all()", "list.all"],
  ])("calls %s", async (_name, code, name) => {
    const { model, notes } = await attempt(code)
    expect(model).toMatch(/^UNKNOWN_TOOL: There is no tool ".*"\. Nearest: .*list.*\nat 1:\d+\n/)
    expect(model).toContain(`"${name}"`)
    expect(notes).toEqual([])
  })

  it("wrong parameters", async () => {
    const { model, notes } = await attempt("await tools.list({ n: 1 })")
    expect(model).toMatch(
      /^INVALID_TOOL_INPUT: Missing key\n {2}at \["count"\]\nMissing: count\.\nNot among its fields: .*\nIt is called as: .*\nat 1:13\n.*\n.*\nHint: Compare the input/,
    )
    expect(notes).toEqual([])
  })

  it("empty code gives null", async () => {
    expect(await attempt("")).toEqual({ model: { result: null, logs: [] }, notes: [] })
  })

  it("a tool that never answers is ended with the run", async () => {
    const { model, notes } = await attempt("console.log('calling')\nawait tools.never()", { timeout: 30 })
    expect(model).toMatch(
      /^TIMEOUT: The run took longer than 30ms.*\nat 2:13\n.*\n.*\nHint: .*\nLogged before it failed:\ncalling$/,
    )
    expect(notes).toEqual(["never started", "never interrupted"])
  })

  it("a program that never waits is ended in time", async () => {
    const unbounded = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })
    const { layer } = host()
    const error = await Effect.runPromise(
      Effect.gen(function*() {
        const mode = yield* CodeMode.make(yield* Tools, unbounded, { timeout: 50 })
        return yield* Effect.flip(mode.execute("try { while (true) {} } finally { while (true) {} }"))
      }).pipe(Effect.provide(layer)),
    )
    expect(error.code).toBe("TIMEOUT")
  })

  it("a tool that is interrupted interrupts the run", async () => {
    expect(await attempt("try { await tools.stops() } catch { return 'caught' }"))
      .toEqual({ model: "interrupted", notes: ["stops started", "stops interrupted"] })
  })

  it("a million lines of log are cut", async () => {
    const { model } = await attempt("for (let i = 0; i < 20000; i++) console.log(i)\nreturn 'done'")
    const { logs, result } = model as CodeMode.Outcome
    expect(result).toBe("done")
    expect(logs).toHaveLength(1001)
    expect(logs.at(-1)).toMatch(/^\[19,000 more lines were dropped/)
    const endless = await attempt("for (let i = 0; i < 1e6; i++) console.log(i)")
    expect(endless.model).toMatch(/^EXECUTION_BUDGET_EXCEEDED/)
  })
})

describe("a toolkit", () => {
  it("without tools runs programs all the same", async () => {
    const result = await Effect.runPromise(
      Effect.gen(function*() {
        const none = Toolkit.make()
        const mode = yield* CodeMode.make(yield* none, runtime)
        return [
          yield* mode.execute("return Object.keys(tools)"),
          (yield* Effect.flip(mode.execute("await tools.list()"))).message,
        ]
      }).pipe(Effect.provide(Toolkit.make().toLayer({}))),
    )
    expect(result).toEqual([
      { result: [], logs: [] },
      "There is no tool \"list\". There are no tools to call from code.",
    ])
  })

  it("with a tool called `execute` is refused, and the message names the option", async () => {
    const Own = Toolkit.make(Tool.make("execute", { success: Schema.Json }))
    const exit = await Effect.runPromise(
      Effect.gen(function*() {
        return yield* Effect.exit(CodeMode.make(yield* Own, runtime))
      }).pipe(Effect.provide(Own.toLayer({ execute: () => Effect.succeed(1) }))),
    )
    expect(Exit.isFailure(exit) && String(exit.cause)).toMatch(/`?name`?/)
    expect(Exit.isFailure(exit) && Exit.hasDies(exit)).toBe(true)
  })
})
