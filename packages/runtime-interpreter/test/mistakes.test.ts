import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { Tool, Toolkit } from "effect/ai"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { absences, absent, foreign } from "../src/engine/builtins/absent.ts"
import { globals } from "../src/engine/builtins/index.ts"
import { mistakes } from "./mistakes.cases.ts"

const Tools = Toolkit.make(
  Tool.make("github.list_issues", { parameters: Schema.Struct({ owner: Schema.String }), success: Schema.Json }),
  Tool.make("weather", { parameters: Schema.Struct({ city: Schema.String }), success: Schema.Json }),
  Tool.make("read-file", { parameters: Schema.Struct({ path: Schema.String }), success: Schema.String }),
)
const handlers = Tools.toLayer({
  "github.list_issues": () =>
    Effect.succeed({ items: [{ id: 1, title: "One", user: null }, { id: 2, title: "Two", user: { login: "ada" } }] }),
  weather: ({ city }) => Effect.succeed({ city, degrees: 21 }),
  "read-file": () => Effect.succeed("{\"name\":\"x\",\"tags\":[\"a\"]}"),
})
const runtime = InterpreterRuntime.make({ limits: { fuel: 3_000_000 } })

/** The code of a failed run, and the message that the model reads. */
const failure = (program: string): Promise<readonly [code: string, message: string]> =>
  Effect.runPromise(
    Effect.gen(function*() {
      const mode = yield* CodeMode.make(yield* Tools, runtime)
      const error = yield* Effect.flip(mode.execute(program))
      return [error.code, mode.explain(program, error)] as const
    }).pipe(Effect.provide(handlers)),
  )

/** The lines that show a place. It is one of the program as it was written, and the word that it names stands there. */
const shown = (program: string, place: string): ReadonlyArray<string> => {
  const [, line, column, word] = /^(\d+):(\d+) (.+)$/.exec(place)!
  const source = program.split("\n")[Number(line) - 1]!
  const before = Number(column) - 1
  if (!source.startsWith(word!, before)) throw new Error(`There is no ${word} at ${line}:${column}`)
  return [`at ${line}:${column}`, `    ${source}`, `    ${" ".repeat(before)}^`]
}

describe("what a model reads of the mistakes that models make", () => {
  it.each(mistakes.map((mistake) => [mistake[0], mistake] as const))("%s", async (_name, mistake) => {
    const [, program, code, message, place, hint] = mistake
    const lines = [
      message,
      ...place === null ? [] : shown(program, place),
      ...hint === undefined ? [] : [`Hint: ${hint}`],
    ]
    expect(await failure(program)).toEqual([code, lines.join("\n")])
  })
})

describe("names that programs do not have", () => {
  const names = absences.flatMap((absence) => absence.names)

  it("stand in the table once, and programs really do not have them", () => {
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(absent)).toEqual(names)
    expect([...names, ...Object.keys(foreign)].filter((name) => globals.has(name))).toEqual([])
    expect(names.filter((name) => Object.hasOwn(foreign, name))).toEqual([])
  })

  it("are told apart from variables: each says what to do instead, also to a program that catches the error", async () => {
    const program = (name: string) => `try { ${name} } catch (error) { return String(error) }`
    const run = (code: string) => Effect.runPromise(runtime.run({ code, tools: [], call: () => Effect.never }))
    for (const name of names) {
      const { result } = await run(program(name))
      expect(result).toBe(`ReferenceError: ${name} is not defined. ${absent[name]}`)
      expect(result).toMatch(/\. Programs have no `.+`.+\.$/)
    }
    expect((await run("typeof fetch")).result).toBe("undefined")
  })

  it("are tools where a tool has the name", async () => {
    const run = (code: string) =>
      Effect.runPromise(Effect.flip(runtime.run({ code, tools: ["http.fetch", "path"], call: () => Effect.never })))
    expect(await run("await fetch({ url: 'a' })")).toMatchObject({
      hint: "Tools are called on `tools`: `await tools.http.fetch(input)`.",
    })
    expect(await run("await path()")).toMatchObject({ hint: "Tools are called on `tools`: `await tools.path(input)`." })
  })
})
