import * as LanguageModel from "effect/ai/LanguageModel"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { outcome } from "./runtime-interpreter.ts"
import { answer, Handlers } from "./toolkit.ts"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

describe("the examples of the packages' READMEs", () => {
  it.each(["toolkit", "runtime-interpreter"])("%s: is what is run here", (name) => {
    const [, example] = /```ts\n([^]*?)```/.exec(read(`../../../${name}/README.md`))!
    expect(example).toBe(read(`./${name}.ts`))
  })

  it("runtime-interpreter: gives what its comment says", async () => {
    expect(await Effect.runPromise(outcome)).toEqual({
      result: [{ city: "Rome", degrees: 21 }],
      logs: ["asked for 2"],
    })
  })

  it("toolkit: lets a model run a program", async () => {
    const code = "const orders = await tools.orders.list({ month: '2025-05' })\n"
      + "return orders.toSorted((a, b) => b.total - a.total)[0].customer"
    const scripted = LanguageModel.make({
      generateText: () => Effect.succeed([{ type: "tool-call", id: "1", name: "execute", params: { code } }]),
      streamText: () => Stream.empty,
    })
    const { toolResults } = await Effect.runPromise(
      answer.pipe(Effect.provideServiceEffect(LanguageModel.LanguageModel, scripted), Effect.provide(Handlers)),
    )
    expect(toolResults.map(({ encodedResult }) => encodedResult)).toEqual([{ result: "Bob", logs: [] }])
  })
})
