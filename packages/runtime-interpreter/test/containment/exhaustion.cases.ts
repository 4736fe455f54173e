/** Programs that try to use up what a run, or its host, has: time, steps, memory, calls, logs, depth, by every route we know. */
import { calling } from "./exhaustion/calls.cases.ts"
import type { Exhaustion } from "./exhaustion/case.ts"
import { depth } from "./exhaustion/depth.cases.ts"
import { memory } from "./exhaustion/memory.cases.ts"
import { programsOf } from "./exhaustion/programs.cases.ts"
import { time } from "./exhaustion/time.cases.ts"

const named = (one: Exhaustion): Exhaustion =>
  Object.assign({}, one, { name: `${one.tries.replace(/,? by .*/, "").toLowerCase()}: ${one.name}` })

/** With programs of so many characters where the length is what they try. */
export const exhaustionsOf = (length: number): ReadonlyArray<Exhaustion> =>
  [...time, ...programsOf(length), ...memory, ...calling, ...depth].map(named)

/** With programs as long as they may be. */
export const exhaustions = exhaustionsOf(256 << 10)
