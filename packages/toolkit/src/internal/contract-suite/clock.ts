import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Check, gives, rule, sleep } from "./check.ts"

/** The fiber's clock is the program's. */
export const checks: ReadonlyArray<Check> = [
  rule("`Date` follows the fiber's clock", (runtime) =>
    Effect.gen(function*() {
      yield* TestClock.setTime(86_400_000)
      yield* gives(
        runtime,
        "return [Date.now(), new Date().toISOString()]",
        [86_400_000, "1970-01-02T00:00:00.000Z"],
      )
    }).pipe(Effect.provide(TestClock.layer())), "clock"),
  rule("timers follow the fiber's clock", (runtime) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(gives(
        runtime,
        `const started = Date.now()
await new Promise((resolve) => setTimeout(resolve, 3600000))
return Date.now() - started`,
        3_600_000,
      ))
      // Real time, for the program to come to its timer.
      yield* sleep(50)
      yield* TestClock.adjust(Duration.hours(1))
      yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer())), "clock"),
]
