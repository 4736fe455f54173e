// A process in which hostile programs run, and are watched. It ends with them if they end it, which its parent sees.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { exhaustions } from "../../test/containment/exhaustion.cases.ts"
import { endOf, isRight, prepare } from "../../test/containment/exhaustion.ts"
import { redosCases } from "../../test/containment/redos.cases.ts"
import { endOfMatch } from "../../test/containment/redos.ts"
import { heapBound } from "./bounds.ts"
import { type Hold, watch } from "./watch.ts"

/** What the parent asks for: a case, or several at once, by their numbers in their table. */
export type Order =
  | { readonly type: "exhaustion" | "redos"; readonly number: number }
  | { readonly type: "together"; readonly numbers: ReadonlyArray<number> }
  | { readonly type: "quiet" }

/** What came of one case. */
export interface Ended {
  readonly name: string
  readonly end: string
  readonly right: boolean
}

/** What came of an order. */
export interface Report {
  readonly cases: ReadonlyArray<Ended>
  readonly holds: ReadonlyArray<Hold>
  readonly heap: number
  readonly withGarbage: number
  /** Milliseconds. */
  readonly time: number
  /** Milliseconds that a program took that does a little, alone or beside the others. */
  readonly benign?: number
}

/** A run has all limits' defaults, and more time than a toolkit gives it: a busy machine is not to end it before its own doing does. */
const limits = { timeout: 300_000 }

/** Steps for an attack: dozens of slices, each of which would be held if it were not one. */
const MANY = 10_000_000
/** The same for all ways into a matcher but one: that each is metered is seen in a few slices. */
const FEW = 2_000_000

/** A program as models write them: it calls, filters and adds up. */
const benign = `let sum = 0
for (let i = 0; i < 20; i++) {
  const { n } = await tools.late({ n: i })
  for (let j = 0; j < 5000; j++) sum += (n * j) % 7
}
return sum > 0 ? "ok" : sum`

const runBenign = async (): Promise<number> => {
  const start = performance.now()
  const end = await endOf(InterpreterRuntime, benign, limits)
  return end === "ok" ? performance.now() - start : Infinity
}

const exhaust = async (number: number): Promise<Ended> => {
  const one = exhaustions[number]!
  const end = await endOf(InterpreterRuntime, one.code, { ...limits, ...one.limits })
  return { name: one.name, end, right: isRight(one, end) }
}

interface Work {
  readonly cases: ReadonlyArray<Ended>
  readonly benign?: number
}

/** `runs` is how many share the process. */
const timed = async (work: () => Promise<Work>, runs = 1): Promise<Report> => {
  const start = performance.now()
  const [result, watched] = await watch(work, heapBound(runs))
  return { ...result, ...watched, time: performance.now() - start }
}

/** As a host does when it starts: the compiler of typed programs is loaded before anything is measured. Tools have what they give. */
let ready: Promise<unknown> | undefined
const getReady = (): Promise<unknown> => {
  prepare()
  return ready ??= Effect.runPromise(InterpreterRuntime.preload)
}

const obey = async (order: Order): Promise<Report> => {
  switch (order.type) {
    case "exhaustion":
      await getReady()
      return timed(async () => ({ cases: [await exhaust(order.number)] }))
    case "together":
      await getReady()
      return timed(async () => {
        const [benign, ...cases] = await Promise.all([runBenign(), ...order.numbers.map(exhaust)])
        return { cases, benign }
      }, order.numbers.length)
    case "redos":
      return timed(async () => {
        const one = redosCases[order.number]!
        const end = await endOfMatch(InterpreterRuntime, one, { ...limits, fuel: one.entry === "exec" ? MANY : FEW })
        return { cases: [{ name: one.name, ...end }] }
      })
    case "quiet":
      return timed(async () => {
        const benign = await runBenign()
        await new Promise((resolve) => setTimeout(resolve, 200))
        return { cases: [], benign }
      })
  }
}

if (process.send !== undefined) {
  // Whoever watches is gone.
  process.on("disconnect", () => process.exit(1))
  // What escapes ends the process, as it would end a host.
  process.on("unhandledRejection", (reason) => {
    throw reason
  })
  process.on("message", (order: Order) => void obey(order).then((report) => process.send!(report)))
}
