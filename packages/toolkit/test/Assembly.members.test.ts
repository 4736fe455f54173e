import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode, type ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { catching, execute, handle, hostLog } from "./fixtures.ts"
import { failure, reading, sourceOf, tool } from "./sources.ts"

const runtime = InterpreterRuntime.make()

const run = (assembled: Assembly.Assembled, code: string) =>
  Effect.flatMap(CodeMode.make(assembled, runtime), (mode) => Effect.map(mode.execute(code), ({ result }) => result))

const defectOf = (exit: Exit.Exit<unknown, unknown>): string => {
  const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
  return reason !== undefined && Cause.isDieReason(reason) ? String(reason.defect) : `not a defect: ${String(exit)}`
}

const github = sourceOf([reading("list_issues")]).source

describe("a member that cannot list its tools", () => {
  const broken: ReadonlyArray<readonly [string, Partial<ToolSource.ToolSource>, string]> = [
    ["fails", { list: Effect.fail(failure("Connection refused")) }, "Connection refused"],
    ["dies", { list: Effect.die(new Error("secret")) }, "It broke while it listed its tools."],
    ["is interrupted", { list: Effect.interrupt }, "It broke while it listed its tools."],
    [
      "fails with what is no failure",
      { list: Effect.fail({ message: "secret" } as never) },
      "It broke while it listed its tools.",
    ],
    ["gives nonsense", { list: Effect.succeed({ definitions: 7 } as never) }, "It broke while it listed its tools."],
    ["gives nothing", { list: Effect.succeed(undefined as never) }, "It broke while it listed its tools."],
    [
      "gives definitions that are none",
      { list: Effect.succeed({ definitions: [null] } as never) },
      "It broke while it listed its tools.",
    ],
    ["takes too long", { list: Effect.never }, "It did not list its tools within 30s."],
    ["cannot be interrupted", { list: Effect.uninterruptible(Effect.never) }, "It did not list its tools within 30s."],
  ]

  it.effect.each(broken)(
    "because it %s is left out, and the host and the model are told",
    ([, more, why]) =>
      Effect.gen(function*() {
        const log = hostLog()
        const members = { github, wiki: sourceOf([], more).source }
        const fiber = yield* Effect.forkChild(
          Effect.provide(Assembly.toolkit(members, Assembly.readOnly), log.layer),
        )
        yield* TestClock.adjust("30 seconds")
        const assembled = yield* Fiber.join(fiber)
        expect(Object.keys(assembled.tools)).toEqual(["github__list_issues"])
        expect(assembled.unavailable.map(({ failure, member, message }) => [member, failure.message, message]))
          .toEqual([["wiki", why, `The member "wiki" is not available: ${why}`]])
        expect(log.entries.join("\n")).toContain(`The member "wiki" is not available: ${why} Its tools are left out.`)
        const mode = yield* CodeMode.make(assembled, runtime)
        expect(mode.instructions).toContain("// wiki (not available now)")
        expect(mode.instructions).not.toContain("secret")
        expect((yield* mode.execute("return tools.github.list_issues()")).result).toMatchObject({ tool: "list_issues" })
        const error = yield* Effect.flip(mode.execute("return tools.wiki.read({ page: 1 })"))
        expect(error).toMatchObject({
          code: "UNKNOWN_TOOL",
          message: expect.stringContaining(`The tools of "wiki" are not available now`),
        })
      }),
  )

  it.effect("does not hold an assembly that cannot be interrupted, as where a resource is acquired", () =>
    Effect.gen(function*() {
      const members = { github, wiki: sourceOf([], { list: Effect.uninterruptible(Effect.never) }).source }
      const fiber = yield* Effect.forkChild(
        Effect.uninterruptible(Assembly.toolkit(members, Assembly.readOnly, { timeout: "2 seconds" })),
      )
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fiber.join(fiber)).unavailable).toMatchObject([{ member: "wiki", failure: { code: "TIMEOUT" } }])
    }))

  it.effect("fails the assembly where the host wants all of them", () =>
    Effect.gen(function*() {
      const wiki = sourceOf([], { list: Effect.fail(failure("Connection refused")) }).source
      const strict = Assembly.toolkit({ github, wiki, notes: wiki }, Assembly.readOnly, { strict: true })
      const error = yield* Effect.flip(strict)
      expect(error).toMatchObject({
        _tag: "MemberUnavailable",
        member: "wiki",
        message: `The member "wiki" is not available: Connection refused`,
      })
      const complete = yield* Assembly.toolkit({ github }, Assembly.readOnly, { strict: true })
      expect(complete.unavailable).toEqual([])
    }))

  it.effect("is asked again by the next assembly, and its tools are those it then has", () =>
    Effect.gen(function*() {
      let listing = 0
      const wiki = sourceOf([], {
        list: Effect.suspend(() => {
          listing++
          return listing === 1
            ? Effect.fail(failure("Not yet"))
            : Effect.succeed({ definitions: [reading(`page_${listing}`)] })
        }),
      }).source
      const keys = Effect.map(Assembly.toolkit({ wiki }, Assembly.readOnly), ({ tools }) => Object.keys(tools))
      expect(yield* keys).toEqual([])
      expect(yield* keys).toEqual(["wiki__page_2"])
      expect(yield* keys).toEqual(["wiki__page_3"])
    }))

  it.effect("does not keep its tools from being named in `direct`", () =>
    Effect.gen(function*() {
      const wiki = sourceOf([], { list: Effect.fail(failure("Not yet")) }).source
      const assembled = yield* Assembly.toolkit({ github, wiki }, Assembly.readOnly)
      for (const name of ["wiki.submit", "wiki__submit", "github.list_issues", "github__list_issues"]) {
        const { sideTools } = yield* CodeMode.make(assembled, runtime, { direct: [name] })
        expect(Object.keys(sideTools)).toEqual(name.startsWith("wiki") ? [] : ["github__list_issues"])
      }
      for (const name of ["wik.submit", "github.nope", "wiki"]) {
        expect(defectOf(yield* Effect.exit(CodeMode.make(assembled, runtime, { direct: [name] })))).toContain(name)
      }
    }))

  it.effect("does not make others wait: all are asked at once", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const waiting = sourceOf([], {
        list: Effect.as(Deferred.await(gate), { definitions: [reading("a")] }),
      }).source
      const opening = sourceOf([], {
        list: Effect.as(Deferred.succeed(gate, undefined), { definitions: [reading("b")] }),
      }).source
      const assembled = yield* Assembly.toolkit({ waiting, opening }, Assembly.readOnly)
      expect(Object.keys(assembled.tools)).toEqual(["waiting__a", "opening__b"])
    }))

  it.effect("is told to stop when the assembly is interrupted", () =>
    Effect.gen(function*() {
      const stopped = yield* Deferred.make<void>()
      const list = Effect.onInterrupt(Effect.never, () => Deferred.succeed(stopped, undefined))
      const fiber = yield* Effect.forkChild(
        Assembly.toolkit({ slow: sourceOf([], { list }).source }, Assembly.readOnly),
        { startImmediately: true },
      )
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(stopped)
    }))

  it.effect.each([0, -1, "never" as never])(
    "a time of %s to list them is a defect",
    (timeout) =>
      Effect.gen(function*() {
        expect(defectOf(yield* Effect.exit(Assembly.toolkit({ github }, Assembly.readOnly, { timeout })))).toContain(
          "timeout",
        )
      }),
  )
})

describe("the namespaces of members", () => {
  it.effect.each([
    ...["github", "context7", "a-b", "日本", "company.github", "constructor", "toString", "hasOwnProperty", "then"],
    ...["__proto__", "tools", "execute", "a$codemode", "x".repeat(100), "0", "if", `"quoted"`, "a/b", "`"],
  ])("%j works, in code and beside it", (namespace) =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf([reading("read"), tool("write")])
      const assembled = yield* Assembly.toolkit({ [namespace]: source }, Assembly.readOnly)
      const mode = yield* CodeMode.make(assembled, runtime)
      const { path } = mode.catalog.entries[0]!
      expect((yield* mode.execute(`return ${path}()`)).result).toEqual({ tool: "read", input: {} })
      const [beside] = Object.keys(mode.sideTools)
      yield* handle(assembled, beside!, {})
      expect(calls.map(({ tool }) => tool)).toEqual(["read", "write"])
    }))

  it.effect.each<readonly [namespace: string, named: string]>([
    ["", `""`],
    [".", `"."`],
    ["a.", `"a."`],
    [".a", `".a"`],
    ["a..b", `"a..b"`],
    ["a b", `"a b"`],
    ["a\nb", `"a b"`],
    ["a\u200bb", `a`],
    ["\ud800", `""`],
    ["$codemode", `"$codemode"`],
    ["$codemode.search", `"$codemode.search"`],
    ["x".repeat(10_000), "more than 100 characters"],
  ])("%j is refused by a defect that names it", ([namespace, named]) =>
    Effect.gen(function*() {
      const message = defectOf(yield* Effect.exit(Assembly.toolkit({ [namespace]: github }, Assembly.readOnly)))
      expect(message).toContain("The member ")
      expect(message).toContain(named)
      expect(message.length).toBeLessThan(400)
    }))

  it.effect("one that lies within another is refused, since tools of both could have one name", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Assembly.toolkit({ "a.b.c": github, ab: github, a: github }, Assembly.readOnly))
      expect(defectOf(exit)).toContain(`The member "a.b.c" lies within the member "a"`)
    }))

  it.effect("one that got lost in an object's prototype is refused", () =>
    Effect.gen(function*() {
      const lost = { __proto__: github, github } as never
      expect(defectOf(yield* Effect.exit(Assembly.toolkit(lost, Assembly.readOnly)))).toContain("__proto__")
      const none = Object.assign(Object.create(null), { github }) as Record<string, ToolSource.ToolSource>
      expect(Object.keys((yield* Assembly.toolkit(none, Assembly.readOnly)).tools)).toEqual(["github__list_issues"])
    }))

  it.effect("one of no source is refused", () =>
    Effect.gen(function*() {
      for (const nothing of [undefined, {}, { call: () => Effect.succeed(1) }]) {
        const exit = yield* Effect.exit(Assembly.toolkit({ odd: nothing as never }, Assembly.readOnly))
        expect(defectOf(exit)).toContain(`The member "odd" is no source`)
      }
    }))
})

describe("the names of tools", () => {
  it.effect.each([
    ...["read", "issues.list", "resolve-library-id", "__proto__", "constructor", "toString", "prototype", "then"],
    ...["", ".", "a.", ".a", "a..b", "...", "$codemode", "$codemode.search", "execute", "a b", "a\nb", "a\r\n\u2028b"],
    ...["日本", "\ud800", "a\u0000b", `"`, "'", "`", "```", "*/", "${x}", "\\", "</script>", "0", "-1", "1e3", "if"],
    ...["x".repeat(64), "x".repeat(512), "name", "length", "a\u202eb"],
  ])("%j works, in code and beside it", (name) =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf([reading(name)])
      const allowing = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      const mode = yield* CodeMode.make(allowing, runtime)
      const entry = mode.catalog.entries[0]!
      expect(entry.tool).toBe(`m.${name}`)
      expect((yield* mode.execute(`return ${entry.path}({ a: 1 })`)).result).toEqual({ tool: name, input: { a: 1 } })
      expect((yield* mode.execute(`return search({ query: ${JSON.stringify(entry.path)} })`)).result)
        .toMatchObject({ items: [{ path: entry.path }] })
      const asking = yield* Assembly.toolkit({ m: source }, () => "approve")
      const toolkit = yield* CodeMode.toolkit(asking, runtime)
      const beside = Object.keys(toolkit.tools).find((own) => own !== "execute")!
      expect(beside).toMatch(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/)
      yield* handle(toolkit, beside, { b: 2 })
      expect(calls).toEqual([{ tool: name, input: { a: 1 } }, { tool: name, input: { b: 2 } }])
      const refused = yield* Effect.map(execute(asking, catching(`m.${name}`)), ({ result }) => result)
      expect(refused).toMatchObject({ code: "APPROVAL_REQUIRED", message: expect.stringContaining(`"${beside}"`) })
    }))

  it.effect("of more than 512 characters are left out, which the host's log tells", () =>
    Effect.gen(function*() {
      const log = hostLog()
      const { source } = sourceOf([reading("a"), reading("x".repeat(513)), reading("y".repeat(1_000_000))])
      const assembled = yield* Effect.provide(Assembly.toolkit({ m: source }, Assembly.readOnly), log.layer)
      expect(Object.keys(assembled.tools)).toEqual(["m__a"])
      expect(log.entries).toEqual([expect.stringMatching(/^The member "m" has tools.* xxxxx.*…, yyyyy.*…/)])
    }))

  it.effect("that look the same to a provider stay apart", () =>
    Effect.gen(function*() {
      const names = ["a b", "a_b", "a  b", "a-b", "a.b", "a__b", "a\u00a0b", "a\u0301", "\u00e1", "A_b", "a_b_", "_a_b"]
      const { calls, source } = sourceOf(names.map((name) => reading(name)))
      const forward = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
      const spellings = Object.keys(forward.tools)
      expect(new Set(spellings).size).toBe(names.length)
      yield* Effect.forEach(spellings, (name) => handle(forward, name, {}))
      expect(calls.map(({ tool }) => tool)).toEqual(names)
      const alone = yield* Effect.forEach(names, (name) =>
        Assembly.toolkit({ m: sourceOf([reading(name)]).source }, Assembly.allowAll))
      expect(alone.flatMap(({ tools }) =>
        Object.keys(tools)
      )).toEqual(spellings)
    }))

  it.effect("may be those of others, in another member", () =>
    Effect.gen(function*() {
      const one = sourceOf([reading("read")])
      const two = sourceOf([reading("read")])
      const assembled = yield* Assembly.toolkit({ one: one.source, two: two.source }, Assembly.allowAll)
      yield* run(assembled, "await tools.one.read({ n: 1 }); await tools.two.read({ n: 2 })")
      expect([one.calls, two.calls]).toEqual([[{ tool: "read", input: { n: 1 } }], [{ tool: "read", input: { n: 2 } }]])
    }))

  it.effect("may be ten thousand", () =>
    Effect.gen(function*() {
      const definitions = Array.from({ length: 10_000 }, (_, i) =>
        (i % 10 === 0 ? tool : reading)(i % 3 === 0 ? `tool ${i}` : `tool_${i}`, { description: `Does number ${i}` }))
      const { calls, source } = sourceOf(definitions)
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.readOnly)
      expect(Object.keys(assembled.tools)).toHaveLength(10_000)
      const mode = yield* CodeMode.make(assembled, runtime)
      expect(Object.keys(mode.sideTools)).toHaveLength(1_000)
      expect(mode.instructions.length).toBeLessThan(16_000)
      yield* mode.execute(`return tools.m["tool 9999"]()`)
      expect(calls).toEqual([{ tool: "tool 9999", input: {} }])
    }))

  it.effect("and everything else may be nonsense of a stranger", () =>
    Effect.gen(function*() {
      const odd = {
        name: "odd",
        title: 1,
        description: ["x"],
        input: "string",
        output: 7,
        annotations: { readOnly: "yes", destructive: null },
        approval: "no",
      }
      const { source } = sourceOf([odd as never, { name: "bare" } as never, { name: 7 } as never, reading("well")])
      const assembled = yield* Assembly.toolkit({ m: source }, Assembly.readOnly)
      expect(
        Object.values(assembled.tools).map((
          { description, name, needsApproval },
        ) => [name, description, needsApproval]),
      )
        .toEqual([["m__odd", undefined, true], ["m__bare", undefined, true], ["m__well", undefined, undefined]])
      const { catalog } = yield* CodeMode.make(assembled, runtime)
      expect(catalog.entries.map(({ compact }) => compact))
        .toEqual(["tools.m.well(input?: Record<string, unknown>): Promise<unknown>"])
      expect(Result.isSuccess(yield* Effect.result(run(assembled, "return tools.m.well()")))).toBe(true)
    }))
})
