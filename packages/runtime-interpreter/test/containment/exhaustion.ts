import type { InterpreterRuntime, Limits } from "@effect-codemode/runtime-interpreter"
import { type CodeMode, ToolSource } from "@effect-codemode/toolkit"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type { Exhaustion } from "./exhaustion/case.ts"

const declared = new ToolSource.Failure({ code: "DECLARED", message: "declared", retryable: false })

/** A list in a list, and so on. */
const nested = (depth: number): Array<never> => {
  let list: Array<never> = []
  for (let i = 0; i < depth; i++) list = [list as never]
  return list
}

/** Made once: a host's tool may give what it has. */
const tables = new Map<number, Schema.Json>()
const rows = (count: number): Schema.Json => {
  let table = tables.get(count)
  if (table === undefined) {
    table = Array.from({ length: count }, (_, id) => ({ id, name: `name ${id}`, tags: ["a", "b"] }))
    tables.set(count, table)
  }
  return table
}

let keyed: Schema.Json | undefined
const keys = (): Schema.Json => keyed ??= Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`key ${i}`, i]))

/** Makes what the tools give ahead of the first call, where time is measured: 250 MB that each collection looks through. */
export const prepare = (): void => {
  for (const count of [1000, 2000, 1_000_000]) rows(count)
  keys()
}

/** The tools that the programs have. */
export const call: CodeMode.Execution["call"] = (tool, input) => {
  switch (tool) {
    case "fail":
      return Effect.fail(declared)
    case "never":
      return Effect.never
    case "late":
      return Effect.delay(Effect.succeed(input), 1)
    case "rows":
      return Effect.sync(() => rows(Number(input.count)))
    case "keyed":
      return Effect.succeed(keys())
    case "deep":
      return Effect.sync(() => nested(100_000))
    default:
      return Effect.succeed(input)
  }
}

export const tools: ReadonlyArray<string> = ["echo", "fail", "never", "late", "rows", "keyed", "deep"]

/** What a run came to: "ok", a code, or a text that says what else. */
export const endOf = (interpreter: typeof InterpreterRuntime, code: string, limits: Limits.Limits): Promise<string> =>
  Effect.runPromise(
    Effect.map(Effect.result(interpreter.make({ limits }).run({ code, tools, call })), (result) => {
      if (Result.isFailure(result)) return result.failure.code
      return result.success.result === "ok" ? "ok" : `gives ${JSON.stringify(result.success.result).slice(0, 200)}`
    }),
  )

/** Whether a case may end like this. */
export const isRight = ({ expect }: Exhaustion, end: string): boolean =>
  typeof expect === "string" ? end === expect : expect.some((code) => code === end)
