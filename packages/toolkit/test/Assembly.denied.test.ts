import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { AiError } from "effect/ai"
import { providerName } from "../src/internal/provider-name.ts"
import { handle } from "./fixtures.ts"
import { reading, sourceOf, tool } from "./sources.ts"

const runtime = InterpreterRuntime.make()

const input = { type: "object", properties: { target: { type: "string", description: "What to obliterate" } } }

/** What there is to see. */
const visible = [
  reading("list_repositories", { description: "Lists repositories" }),
  reading("admin.audit", { description: "Reads the audit log" }),
  tool("rename_repository", { description: "Renames a repository" }),
]

/** What nobody is to find. */
const hidden = [
  tool("delete_repository", { description: "Obliterates a repository", input }),
  reading("admin.purge", { description: "Obliterates the audit log", input }),
  reading("wipe everything!", { description: "Obliterates all", input }),
  reading("__proto__", { description: "Obliterates a prototype", input }),
]

const isHidden = new Set(hidden.map(({ name }) => name))

/** The same host three times: it denies the tools, it never had them, and, to see that a guess is one, it has them. */
const hosts = Effect.gen(function*() {
  const host = (definitions: ReadonlyArray<(typeof visible)[number]>, denies: boolean) =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf(definitions, { notes: "Handle with care." })
      const assembled = yield* Assembly.toolkit(
        { github: source },
        (source, definition, path) =>
          denies && isHidden.has(definition.name)
            ? "deny"
            : denies
            ? Assembly.readOnly(source, definition, path)
            : definition.name === "rename_repository"
            ? "approve"
            : "allow",
      )
      const mode = yield* CodeMode.make(assembled, runtime)
      return { assembled, calls, mode, toolkit: yield* CodeMode.toolkit(assembled, runtime) }
    })
  return {
    denying: yield* host([...visible, ...hidden], true),
    without: yield* host(visible, true),
    having: yield* host([...visible, ...hidden], false),
  }
})

const spelled = hidden.map(({ name }) => providerName(`github.${name}`))

/** Programs that look for a hidden tool; marked are those that do reach one where it is there. */
const guesses: ReadonlyArray<readonly [code: string, reaches?: "reaches"]> = [
  // By name, as it stands.
  ["return tools.github.delete_repository({ target: 'x' })", "reaches"],
  [`return tools["github"]["delete_repository"]({})`, "reaches"],
  [`return tools.github["delete" + "_repository"]()`, "reaches"],
  ["return tools.github?.delete_repository?.()", "reaches"],
  ["const { github: { delete_repository: f } } = tools; return f()", "reaches"],
  ["const { delete_repository: f = () => 'nothing' } = tools.github; return f()", "reaches"],
  ["return tools.github.admin.purge()", "reaches"],
  [`return tools["github"]["admin"]["purge"]()`, "reaches"],
  [`return tools.github["wipe everything!"]()`, "reaches"],
  [`return tools.github["__proto__"]()`, "reaches"],
  ["return tools.github.__proto__({})", "reaches"],
  // By a path that names do not have.
  [`return tools["github.delete_repository"]({})`],
  [`return tools.github["admin.purge"]()`],
  ["return tools.delete_repository()"],
  ["return tools.admin.purge()"],
  ["return tools.github.github.delete_repository()"],
  ["return tools.github.delete_repository.delete_repository()"],
  ["return tools.github.admin.purge.call(null, {})", "reaches"],
  ["return tools.github.delete_repository.bind(tools)({})", "reaches"],
  ["return Reflect.apply(tools.github.delete_repository, undefined, [{}])", "reaches"],
  // By the spelling that a provider would have.
  ...spelled.map((name) => [`return tools[${JSON.stringify(name)}]({})`] as const),
  ...spelled.map((name) => [`return tools.github[${JSON.stringify(name)}]({})`] as const),
  ["return tools.github_delete_repository()"],
  ["return tools.github__delete_repository()"],
  ["return github__delete_repository()"],
  ["return delete_repository()"],
  // By another spelling.
  ["return tools.github.Delete_Repository()"],
  ["return tools.GitHub.delete_repository()"],
  ["return tools.github.DELETE_REPOSITORY()"],
  ["return tools.github.deleteRepository()"],
  [`return tools.github["delete-repository"]()`],
  [`return tools.github["delete_repository "]()`],
  [`return tools.github["delete_repository\\u0000"]()`],
  [`return tools.github["delete_repository."]()`],
  [`return tools.github["delete\\u200b_repository"]()`],
  // Look-alikes: a Cyrillic e, a full-width d, combined characters.
  [`return tools.github["d\\u0435lete_repository"]()`],
  [`return tools.github["\\uff44elete_repository"]()`],
  [`return tools.github["\\uff44elete_repository".normalize("NFKC")]()`, "reaches"],
  ["return tools.github.delete_repo()"],
  ["return tools.github.delete_repositorie()"],
  ["return tools.github.remove_repository()"],
  // By enumeration.
  ["return Object.keys(tools.github)"],
  ["return [Object.keys(tools), Object.keys(tools.github.admin)]"],
  ["const all = []; for (const a in tools) for (const b in tools[a]) all.push(a, b); return all"],
  ["return Reflect.ownKeys(tools.github).map(String)"],
  ["return Object.getOwnPropertyNames(tools.github)"],
  ["return Object.entries(tools.github).map(([name, value]) => [name, typeof value])"],
  ["return JSON.stringify(Object.keys(Object.getOwnPropertyDescriptors(tools.github)))"],
  ["return [...Object.keys({ ...tools.github })]"],
  [
    "return ['delete_repository', 'wipe everything!', '__proto__'].map((name) => [name in tools.github, Object.hasOwn(tools.github, name), typeof tools.github[name]])",
  ],
  ["return ['purge' in tools.github.admin, typeof tools.github.admin.purge, String(tools.github.admin.purge)]"],
  ["return String(tools.github.delete_repository)"],
  // By the prototype.
  ["return Object.getPrototypeOf(tools.github) === Object.prototype"],
  ["return Object.getPrototypeOf(tools.github).delete_repository?.()"],
  ["return ({}).__proto__.delete_repository?.()"],
  ["return tools.github.constructor.delete_repository?.()"],
  ["const o = Object.create(tools.github); return o.delete_repository()"],
  ["const o = Object.create(tools.github); return typeof o.delete_repository"],
  ["class A extends null { static f() { return Reflect.get(tools.github, 'delete_repository', {}) } } return typeof A.f()"],
  ["return Object.assign(tools.github, { delete_repository: () => 'mine' }) && tools.github.delete_repository()"],
  ["return new Proxy(tools.github, {}).delete_repository()"],
  ["return typeof new Proxy(tools.github, {}).delete_repository"],
  // By search.
  ["return search({ query: 'delete repository' })"],
  ["return search({ query: 'github.delete_repository' })"],
  ["return search({ query: 'tools.github.delete_repository' })"],
  [`return search({ query: 'tools.github["wipe everything!"]' })`],
  ["return search({ query: 'obliterate' })"],
  ["return search({ query: 'purge' })"],
  ["return search({ query: 'github__delete_repository' })"],
  ["return search({ query: '' , limit: 50 })"],
  ["return search({ namespace: 'github', limit: 50 })"],
  ["return search({ namespace: 'github.admin' })"],
  ["return search({ query: 'target' })"],
  ["return tools.$codemode.search({ query: 'wipe everything' })"],
  // By what an error tells.
  ["try { await tools.github.delete_repositry() } catch (error) { return [error.name, error.code, error.message, error.stack] }"],
  ["try { await tools.github.admin.purg() } catch (error) { return error.message }"],
  ["try { await tools.github.delete_repository(1) } catch (error) { return [error.code, error.message] }"],
  ["try { await tools.github.delete_repository({ target: 1 }) } catch (error) { return [error.code, error.message] }"],
  [
    "const all = await Promise.allSettled(['delete_repository', 'x', 'admin.purge'].map((name) => tools.github[name]({}))); return all.map(({ reason }) => String(reason))",
  ],
]

describe("a denied tool", () => {
  it("is looked for in more than forty ways", () => {
    expect(guesses.length).toBeGreaterThan(40)
    expect(new Set(guesses.map(([code]) => code)).size).toBe(guesses.length)
  })

  it.effect("is not told of", () =>
    Effect.gen(function*() {
      const { denying, without } = yield* hosts
      expect(denying.mode.instructions).toBe(without.mode.instructions)
      expect(Object.keys(denying.assembled.tools)).toEqual(Object.keys(without.assembled.tools))
      expect(Object.keys(denying.toolkit.tools)).toEqual(Object.keys(without.toolkit.tools))
      expect(Object.keys(denying.mode.sideTools)).toEqual(["github__rename_repository"])
      expect(denying.mode.catalog).toEqual(without.mode.catalog)
      expect(JSON.stringify(Object.values(denying.assembled.tools))).not.toMatch(/obliterate|purge|wipe/i)
    }))

  it.effect.each(guesses)("is as if it never was: %s", ([code, reaches]) =>
    Effect.gen(function*() {
      const { denying, having, without } = yield* hosts
      const told = (mode: CodeMode.CodeMode) =>
        Effect.map(Effect.result(mode.execute(code, "run")), (result) =>
          Result.isSuccess(result)
            ? { result: result.success.result }
            : { code: result.failure.code, message: mode.explain(code, result.failure) })
      const answer = yield* told(denying.mode)
      expect(answer).toEqual(yield* told(without.mode))
      const text = JSON.stringify(answer)
      // What the program itself says may come back to it; what tools say of themselves may not.
      expect(text).not.toMatch(/Obliterates/)
      expect(denying.calls.filter(({ tool }) => isHidden.has(tool))).toEqual([])
      if (reaches === undefined) return
      yield* told(having.mode)
      expect(having.calls.some(({ tool }) => isHidden.has(tool))).toBe(true)
    }))

  it.effect.each([
    ...hidden.map(({ name }) => `github.${name}`),
    ...hidden.map(({ name }) => name),
    ...spelled,
    "GITHUB__DELETE_REPOSITORY",
    "github__delete_repository ",
    "github_delete_repository",
    "constructor",
    "hasOwnProperty",
    "__proto__",
    "",
  ])("is as if it never was for a call that the model makes directly: %j", (name) =>
    Effect.gen(function*() {
      const { denying, without } = yield* hosts
      const told = (toolkit: Parameters<typeof handle>[0]) =>
        Effect.map(Effect.flip(handle(toolkit, name as never, {})), (error) =>
          AiError.isAiError(error) ? { method: error.method, reason: error.reason, message: error.message } : error)
      for (const which of ["assembled", "toolkit"] as const) {
        const error = yield* told(denying[which] as never)
        expect(error).toEqual(yield* told(without[which] as never))
        expect(error).toMatchObject({ reason: { _tag: "ToolNotFoundError" } })
      }
      expect(denying.calls).toEqual([])
    }))

  it.effect("is decided on by its last definition alone", () =>
    Effect.gen(function*() {
      const { calls, source } = sourceOf([reading("a"), tool("a"), tool("b"), reading("b")])
      const assembled = yield* Assembly.toolkit(
        { m: source },
        (_, { annotations }) => annotations.readOnly === true ? "allow" : "deny",
      )
      expect(Object.keys(assembled.tools)).toEqual(["m__b"])
      const mode = yield* CodeMode.make(assembled, runtime)
      expect(yield* Effect.flip(mode.execute("return tools.m.a()"))).toMatchObject({ code: "UNKNOWN_TOOL" })
      yield* mode.execute("return tools.m.b()")
      expect(calls).toEqual([{ tool: "b", input: {} }])
    }))

  it.effect("takes the notes of its member along, if it has no other", () =>
    Effect.gen(function*() {
      const { source } = sourceOf(hidden, { notes: "Call delete_repository to obliterate." })
      const assembled = yield* Assembly.toolkit({ github: source }, () => "deny")
      const { instructions } = yield* CodeMode.make(assembled, runtime)
      expect(instructions).not.toMatch(/github|obliterate/)
      expect(instructions).toContain("There are no tools to call from code.")
    }))
})
