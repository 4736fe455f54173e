import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Schema from "effect/Schema"
import type { CodeError, CodeRuntime, Execution, Outcome, Usage } from "../contract.ts"
import { type Check, execution, require, rule, show, sleep, type TestTools } from "./check.ts"

interface Told {
  readonly exit: Exit.Exit<Outcome, CodeError>
  readonly usages: ReadonlyArray<Usage>
}

/** Runs a program and gives how it ended, and all that was told of what it used. */
const told = (runtime: CodeRuntime, code: string, tools: TestTools = {}): Effect.Effect<Told> =>
  Effect.suspend(() => {
    const usages: Array<Usage> = []
    const run = runtime.run({ ...execution(code, tools), usage: (usage) => usages.push(usage) })
    return Effect.map(Effect.exit(run), (exit) => ({ exit, usages }))
  })

const gave = ({ exit }: Told, result: Schema.Json) =>
  require(
    Exit.isSuccess(exit) && show(exit.value.result) === show(result),
    () => `Expected the result ${show(result)}, got ${String(exit)}`,
  )

const isCount = (value: number | undefined): boolean => value === undefined || Number.isFinite(value) && value >= 0

const toldTimes = (usages: ReadonlyArray<Usage>, times: number, code: string) =>
  require(
    usages.length === times && usages.every(({ fuel, peakMemory }) => isCount(fuel) && isCount(peakMemory)),
    () =>
      `Expected to be told ${times === 0 ? "never" : "once"}, in numbers, what was used, got ${show(usages)}\n${code}`,
  )

const delayed = (millis: (n: number) => number): TestTools => ({
  slow: (input) => Effect.as(sleep(millis(Number(input.n))), input.n ?? null),
})

/** What a runtime tells of what a run used, if it does, and that a call that waits for a person keeps nobody else waiting. */
export const checks: ReadonlyArray<Check> = [
  rule("a runtime that tells what a run used tells it once, however the run ends", (runtime) =>
    Effect.gen(function*() {
      const first = yield* told(runtime, "return 1")
      yield* gave(first, 1)
      const times = Math.min(first.usages.length, 1)
      yield* toldTimes(first.usages, times, "return 1")
      for (const code of ["throw new Error('no')", "return (", "await tools.ok()\nreturn 1"]) {
        yield* toldTimes((yield* told(runtime, code, { ok: Effect.succeed })).usages, times, code)
      }
      const usages: Array<Usage> = []
      const started = yield* Deferred.make<void>()
      const code = "await tools.wait()"
      const waiting = execution(code, {
        wait: () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never),
      })
      const fiber = yield* Effect.forkChild(
        Effect.suspend(() => runtime.run({ ...waiting, usage: (usage) => usages.push(usage) })),
      )
      yield* Effect.raceFirst(Deferred.await(started), Effect.asVoid(Fiber.await(fiber)))
      yield* Fiber.interrupt(fiber)
      yield* toldTimes(usages, times, code)
    })),
  rule(
    "a runtime that tells fuel tells the same for the same program, in whatever order its calls end",
    (runtime) =>
      Effect.gen(function*() {
        const programs = [
          ["let sum = 0\nfor (let i = 0; i < 1000; i++) sum += i\nreturn sum", 499_500],
          ["return (await Promise.all(Array.from({ length: 10 }, (_, n) => tools.slow({ n })))).length", 10],
        ] as const
        for (const [code, result] of programs) {
          const runs = [
            yield* told(runtime, code, delayed((n) => n * 2)),
            yield* told(runtime, code, delayed((n) => 20 - n * 2)),
          ]
          for (const run of runs) yield* gave(run, result)
          const [left, right] = runs.map(({ usages }) => usages[0]?.fuel)
          yield* require(left === right, () => `Expected the same fuel twice, got ${left} and ${right}\n${code}`)
        }
      }),
  ),
  rule("a call that waits for a person keeps no other from starting", (runtime) =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      let waiting = 0
      const plain = execution(
        `const asked = Array.from({ length: 40 }, (_, n) => tools.ask({ n }))
const others = await Promise.all(Array.from({ length: 40 }, (_, n) => tools.other({ n })))
await tools.answer()
return [others.length, (await Promise.all(asked)).length]`,
        {
          ask: Effect.succeed,
          other: Effect.succeed,
          answer: () => Effect.as(Effect.andThen(Deferred.await(asked), Deferred.succeed(answered, undefined)), null),
        },
      )
      const question = Effect.suspend(() =>
        Effect.andThen(
          ++waiting === 40 ? Deferred.succeed(asked, undefined) : Effect.void,
          Deferred.await(answered),
        )
      )
      const callAside: NonNullable<Execution["callAside"]> = (tool, input, aside) =>
        tool === "ask" ? Effect.andThen(aside(question), plain.call(tool, input)) : plain.call(tool, input)
      const exit = yield* Effect.exit(
        Effect.suspend(() =>
          runtime.run({ ...plain, call: (tool, input) => callAside(tool, input, (wait) => wait), callAside })
        ),
      )
      yield* gave({ exit, usages: [] }, [40, 40])
    })),
]
