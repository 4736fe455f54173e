import { type Agent, LONG_TEXT } from "./agent.ts"
import { chargeSame } from "./bigint-arithmetic.ts"
import type { Value } from "./value.ts"

/** Pays for finding out whether two values are equal, where that takes long: both are long texts, or large bigints. */
export const chargeEquality = (m: Agent, a: Value, b: Value): void => {
  if (typeof a === "string") {
    if (a.length <= LONG_TEXT || typeof b !== "string" || b.length !== a.length) return
    m.charge(a.length >> 7)
    m.touch(a)
    m.touch(b)
  } else if (typeof a === "bigint" && typeof b === "bigint") chargeSame(m, a, b)
}
