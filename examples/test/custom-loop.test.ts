import { describe, expect, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { loop, ShopLive } from "../custom-loop/loop.ts"
import { script } from "../custom-loop/script.ts"
import * as QuickJsRuntime from "../quickjs-runtime/QuickJsRuntime.ts"
import { example } from "./run.ts"

const answer = /(Ada from GB|Grace from US|Edsger from NL) spent the most\./

describe("the custom loop", () => {
  it.live("a model repairs its program from what it reads, and answers, over any runtime", () =>
    Effect.gen(function*() {
      const printed: Array<string> = []
      const console = {
        ...globalThis.console,
        log: (...values: ReadonlyArray<unknown>) => printed.push(values.join(" ")),
      }
      const given = yield* loop(script, QuickJsRuntime.make(), "Who spent the most?").pipe(
        Effect.provide(ShopLive),
        Effect.provideService(Console.Console, console),
      )
      expect(given).toMatch(answer)
      const text = printed.join("\n")
      expect(text).toContain("INVALID_TOOL_INPUT")
      expect(text).toContain("Logged before it failed:\nthe largest order is")
      expect(text).toContain("tools.shop.list_orders(): Promise<Array<")
      expect(printed.filter((line) => line.includes("The model sends"))).toHaveLength(2)
    }))

  it("the example runs with the interpreter, from the first program to the answer", async () => {
    const stdout = await example("custom-loop")
    expect(stdout).toContain("Step 1. The model sends")
    expect(stdout).toContain("INVALID_TOOL_INPUT")
    expect(stdout).toContain("Step 2. The model sends")
    expect(stdout).toMatch(answer)
  })
})
