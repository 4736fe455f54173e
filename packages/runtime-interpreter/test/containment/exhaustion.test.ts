import type { Limits } from "@effect-codemode/runtime-interpreter"
import { describe, expect, it } from "vitest"
import type * as Interpreter from "../../src/index.ts"
import { loadNative } from "../native.ts"
import { exhaustionsOf } from "./exhaustion.cases.ts"
import { endOf, isRight } from "./exhaustion.ts"
import type { Exhaustion } from "./exhaustion/case.ts"

const native = loadNative<typeof Interpreter>("index.ts")

/**
 * Small enough for all programs to meet one of them soon, and for what each is to meet to be the first; `npm run contain` takes the
 * defaults, and measures.
 */
const limitsOf = ({ expect, limits, tries }: Exhaustion): Limits.Limits => ({
  timeout: 20_000,
  ...!tries.startsWith("Memory")
    ? { fuel: tries.startsWith("Depth") ? 3_000_000 : 300_000 }
    // What a program makes is forgotten, or there already, so it takes all its steps.
    : expect === "EXECUTION_BUDGET_EXCEEDED"
    ? { fuel: 2_500_000, memory: 1 << 20 }
    : { fuel: 5_000_000, memory: 2 << 20 },
  ...limits,
})

// Long enough for each to take its way; `npm run contain` takes programs as long as they may be.
const exhaustions = exhaustionsOf(48 << 10)

describe("whatever a program tries to use up, its run ends as it should", () => {
  it("has a name for each case", () => {
    expect(new Set(exhaustions.map(({ name }) => name)).size).toBe(exhaustions.length)
    expect(exhaustions.length).toBeGreaterThan(120)
  })

  it.each(exhaustions)("$name", async (one) => {
    const { InterpreterRuntime } = await native
    const end = await endOf(InterpreterRuntime, one.code, limitsOf(one))
    expect(isRight(one, end), `It ended with ${end} instead of ${String(one.expect)}`).toBe(true)
  })
})
