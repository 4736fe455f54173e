import type { InterpreterRuntime, Limits } from "@effect-codemode/runtime-interpreter"
import { endOf } from "./exhaustion.ts"
import type { Attack } from "./redos.cases.ts"

/** What may come of an attack: an end by match or no match, or a halt. */
const right = new Set(["ok", "EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"])

export const endOfMatch = async (
  interpreter: typeof InterpreterRuntime,
  { code }: Attack,
  limits: Limits.Limits,
): Promise<{ readonly end: string; readonly right: boolean }> => {
  const end = await endOf(interpreter, code, limits)
  return { end, right: right.has(end) }
}
