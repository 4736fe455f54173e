import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import type { CodeMode } from "@effect-codemode/toolkit"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type { Between } from "./between-runs.cases.ts"
import { changesOfHost } from "./host-state.ts"

const makeRuntime = () =>
  InterpreterRuntime.make({
    limits: { fuel: 400_000, memory: 4 << 20, toolCalls: 20, callDepth: 2000 },
    globals: { settings: { a: { b: 1 }, list: [0] } },
  })

const names = ["echo", "nope.there", "pause", "same", "slow"]

/** A result that the host hands to all runs. */
const same = { a: { b: 1 }, list: [1] }

/** Runs a program, and what is to be done where it pauses. What it logs is a part of what it gives. */
const run = (runtime: CodeMode.CodeRuntime, code: string, pause: Effect.Effect<void> = Effect.void) => {
  const call = (tool: string, input: unknown): Effect.Effect<never> => {
    switch (tool) {
      case "pause":
        return Effect.as(pause, null) as Effect.Effect<never>
      case "same":
        return Effect.succeed(same) as Effect.Effect<never>
      case "slow":
        return Effect.as(Effect.sleep(5), input) as Effect.Effect<never>
      case "nope":
        return Effect.die(new Error("no such tool"))
      default:
        return Effect.succeed(input) as Effect.Effect<never>
    }
  }
  return Effect.map(
    Effect.exit(runtime.run({ code, tools: names, call })),
    (exit) =>
      JSON.stringify(
        Exit.isSuccess(exit)
          ? exit.value
          : exit.cause.reasons.map((reason) => Cause.isFailReason(reason) ? reason.error : String(reason)),
      ),
  )
}

/** Both in one program, the first part in a block of its own. */
const together = ({ first, second }: Between): string =>
  `await (async () => { ${first} })().catch(() => {}); return await (async () => { ${second} })()`

/**
 * Runs the second program alone; after the first one; in the midst of it; and both at once. Gives where it was not the same, or where
 * it would not have noticed.
 */
export const runBetween = async (one: Between): Promise<ReadonlyArray<string>> => {
  const { first, noticed, second } = one
  const told = await Effect.runPromise(Effect.gen(function*() {
    const alone = yield* run(makeRuntime(), second)
    const runtime = makeRuntime()
    // Whatever is kept by a program's text is kept now.
    yield* run(runtime, second)
    yield* run(runtime, first)
    const after = yield* run(runtime, second)

    const paused = yield* Deferred.make<void>()
    const goOn = yield* Deferred.make<void>()
    const holding = yield* Effect.forkChild(
      run(runtime, first, Effect.andThen(Deferred.succeed(paused, undefined), Deferred.await(goOn))),
    )
    const ended = yield* Effect.raceFirst(Effect.as(Deferred.await(paused), undefined), Fiber.join(holding))
    if (ended !== undefined) return yield* Effect.die(new Error(`The first program did not pause: ${ended}`))
    const amidst = yield* run(runtime, second)
    yield* Deferred.succeed(goOn, undefined)
    yield* Fiber.join(holding)

    const [, beside] = yield* Effect.all([run(runtime, first), run(runtime, second), run(runtime, first)], {
      concurrency: "unbounded",
    })
    return { alone, after, amidst, beside, together: yield* run(makeRuntime(), together(one)) }
  }))
  return [
    ...(["after", "amidst", "beside"] as const).filter((how) => told[how] !== told.alone).map((how) =>
      `${how} the other run: ${told[how]}, and alone: ${told.alone}`
    ),
    ...noticed !== false && told.together === told.alone ? [`would notice nothing: ${told.alone}`] : [],
    ...changesOfHost(),
  ]
}
