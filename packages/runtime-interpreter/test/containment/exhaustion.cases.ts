/** Programs that try to use up what a run, or its host, has: time, steps, memory, calls, logs, depth, by every route we know. */
import { calling } from "./exhaustion/calls.cases.ts"
import type { Exhaustion } from "./exhaustion/case.ts"
import { depth } from "./exhaustion/depth.cases.ts"
import { memory } from "./exhaustion/memory.cases.ts"
import { programs } from "./exhaustion/programs.cases.ts"
import { time } from "./exhaustion/time.cases.ts"

export const exhaustions: ReadonlyArray<Exhaustion> = [...time, ...programs, ...memory, ...calling, ...depth].map((
  one,
) => Object.assign({}, one, { name: `${one.tries.replace(/,? by .*/, "").toLowerCase()}: ${one.name}` }))
