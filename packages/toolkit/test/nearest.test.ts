import type { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, type Schema } from "effect"
import { Tool, type Toolkit } from "effect/ai"
import { catching, execute } from "./fixtures.ts"

/** What a program is told that calls `asked`, in a toolkit with some names. */
const told = (names: ReadonlyArray<string>, asked: string) => {
  const presented: Toolkit.WithHandler<Record<string, Tool.Any>> = {
    tools: Object.fromEntries(names.map((name) => [name, Tool.make(name)])),
    handle: () => Effect.die(new Error("called")),
  }
  return Effect.map(
    execute(presented, catching(asked)) as Effect.Effect<CodeMode.Outcome, CodeMode.CodeError>,
    ({ result }) => String((result as Schema.JsonObject).message),
  )
}

describe("a program that calls a tool that is not there is told the nearest names", () => {
  const names = ["github.list_issues", "github.get_issue", "linear.list_issues", "files.read", "files.write"]

  it.effect.each([
    ["list_issues", "tools.linear.list_issues, tools.github.list_issues"],
    ["github.listIssues", "tools.github.list_issues"],
    ["github_get_issue", "tools.github.get_issue"],
    ["file.read", "tools.files.read"],
    ["FILES.WRITE", "tools.files.write"],
  ])("%s", ([asked, nearest]) =>
    Effect.gen(function*() {
      expect(yield* told(names, asked!)).toContain(`There is no tool "${asked}". Nearest: ${nearest}`)
    }))

  it.effect("no name is guessed that is not like it", () =>
    Effect.gen(function*() {
      for (const asked of ["xyz", ""]) {
        const message = yield* told(names, asked)
        expect(message).not.toContain("Nearest")
        expect(message).toContain("Use a name that the description lists")
      }
    }))

  it.effect("at most three names are told", () =>
    Effect.gen(function*() {
      const message = yield* told(Array.from({ length: 9 }, (_, n) => `read_file_${n}`), "read_file")
      expect(message.split(": ")[1]!.split(", ")).toHaveLength(3)
    }))

  it.effect("a name is found among ten thousand, and a long one is cut", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 10_000 }, (_, n) => `service${n % 100}.operation_${n}`)
      expect(yield* told(many, "service42.operaton_4242")).toContain("Nearest: tools.service42.operation_4242")
      expect((yield* told(many, "z".repeat(10_000))).length).toBeLessThan(400)
    }))
})
