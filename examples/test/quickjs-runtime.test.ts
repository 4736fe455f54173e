import { contractFor } from "@effect-codemode/toolkit/testing"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as QuickJsRuntime from "../quickjs-runtime/QuickJsRuntime.ts"
import { example } from "./run.ts"

// The first program waits for V8 to compile the engine, which takes longer than a program may.
beforeAll(() => Effect.runPromise(QuickJsRuntime.make({ busy: 10_000 }).run(one("return 1"))))

const one = (code: string) => ({ code, tools: [], call: () => Effect.die(new Error("no tools")) })

describe("QuickJsRuntime keeps the contract", () => {
  const runtime = QuickJsRuntime.make({ busy: 300 })
  for (const { check, name } of contractFor([])) it.live(name, () => check(runtime))
})

describe("QuickJsRuntime ends a program that takes more than it may, and runs the next", () => {
  const runtime = QuickJsRuntime.make({ busy: 1_000, memory: 16 << 20 })
  const run = (code: string) => runtime.run(one(code))
  const greedy: ReadonlyArray<string> = [
    "const rows = []\nwhile (true) rows.push(new Array(1000).fill(rows.length))",
    "const rows = []\ntry { while (true) rows.push([rows.length]) } catch {}\nwhile (true) rows.push([1])",
    "let text = 'x'\nwhile (true) text += text",
    "try { while (true) {} } finally { return 1 }",
  ]
  for (const code of greedy) {
    it.live(JSON.stringify(code), () =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(run(code))
        expect(["EXECUTION_ERROR", "LIMIT_EXCEEDED", "EXECUTION_BUDGET_EXCEEDED"]).toContain(error.code)
        expect(yield* run("return 1")).toEqual({ result: 1, logs: [] })
      }))
  }
})

it("the example runs a program and reports the contract", async () => {
  const stdout = await example("quickjs-runtime")
  expect(stdout).toContain(`Its result: {"city":"Cairo","celsius":22}\nIts logs: asked for 3 cities`)
  expect(stdout).toContain(`The contract: ${contractFor([]).length} rules kept, 0 broken`)
})
