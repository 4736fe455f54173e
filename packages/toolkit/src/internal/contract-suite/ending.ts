import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as ToolSource from "../../ToolSource.ts"
import { CodeError } from "../contract.ts"
import {
  type Check,
  contains,
  each,
  execution,
  fails,
  finish,
  gives,
  interrupt,
  require,
  rule,
  run,
  show,
  sleep,
  type TestTools,
} from "./check.ts"

/** Tools that note what becomes of their calls. */
const noting = (): { readonly notes: Array<string>; readonly tools: TestTools } => {
  const notes: Array<string> = []
  return {
    notes,
    tools: {
      ok: Effect.succeed,
      slow: () => Effect.as(Effect.andThen(sleep(20), Effect.sync(() => notes.push("slow done"))), "slow"),
      never: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => notes.push("never interrupted"))),
      fail: () => Effect.fail(new ToolSource.Failure({ code: "BROKEN", message: "It is broken", retryable: false })),
    },
  }
}

const noted = (notes: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
  require(show(notes) === show(expected), () => `Expected ${show(expected)} to have happened, got ${show(notes)}`)

const ownLimit = ["TIMEOUT", "EXECUTION_BUDGET_EXCEEDED", "LIMIT_EXCEEDED"]

/** How a run ends: what is awaited, what is interrupted, and that it always ends. */
export const checks: ReadonlyArray<Check> = [
  rule("a call that the program never observed is awaited before the run ends", (runtime) =>
    Effect.gen(function*() {
      const { notes, tools } = noting()
      yield* gives(runtime, "tools.slow()\nreturn 1", 1, tools)
      yield* noted(notes, ["slow done"])
    })),
  rule(
    "a function that was started and not awaited goes on with its calls before the run ends",
    (runtime) =>
      Effect.gen(function*() {
        const { notes, tools } = noting()
        yield* gives(
          runtime,
          "const work = async () => { await tools.slow(); await tools.slow() }\nwork()\nreturn 1",
          1,
          tools,
        )
        yield* noted(notes, ["slow done", "slow done"])
      }),
  ),
  rule("a call that lost a race is interrupted, and not waited for", (runtime) =>
    Effect.gen(function*() {
      const { notes, tools } = noting()
      yield* gives(runtime, "return Promise.race([tools.never(), tools.ok({ n: 1 })])", { n: 1 }, tools)
      yield* noted(notes, ["never interrupted"])
    })),
  rule("when the program fails, its calls are interrupted", (runtime) =>
    Effect.gen(function*() {
      const { notes, tools } = noting()
      yield* fails(runtime, "tools.never()\nawait tools.ok()\nthrow new Error('no')", "EXECUTION_ERROR", tools)
      yield* noted(notes, ["never interrupted"])
    })),
  rule(
    "a failed call that nobody could have handled fails the run, and the message names the tool",
    (runtime) =>
      Effect.gen(function*() {
        const { tools } = noting()
        const error = yield* fails(runtime, "tools.fail()\nreturn 1", "BROKEN", tools)
        yield* contains(error.message, "tools.fail")
        yield* contains(error.message, "It is broken")
      }),
  ),
  rule("a failed call that is handled later is no failure of the run", (runtime) =>
    gives(
      runtime,
      "const failing = tools.fail()\nawait tools.slow()\ntry { await failing } catch (error) { return error.code }",
      "BROKEN",
      noting().tools,
    )),
  rule("a rejection that nobody handles fails the run", (runtime) =>
    each(
      [
        ["Promise.reject(new Error('lost'))\nreturn 1", "EXECUTION_ERROR"],
        ["const work = async () => { await tools.fail() }\nwork()\nreturn 1", "BROKEN"],
      ] as const,
      ([code, expected]) => Effect.asVoid(fails(runtime, code, expected, noting().tools)),
    ), "unhandledRejections"),
  rule(
    "a program that waits for what can never happen fails",
    (runtime) => Effect.asVoid(fails(runtime, "await new Promise(() => {})\nreturn 1", "EXECUTION_ERROR")),
  ),
  rule("interrupting the fiber ends a waiting program and interrupts its calls", (runtime) =>
    Effect.gen(function*() {
      const { notes, tools } = noting()
      const started = yield* Deferred.make<void>()
      const exit = yield* interrupt(
        runtime,
        "try { await Promise.all([tools.start(), tools.never()]) } finally { await tools.slow() }",
        { ...tools, start: () => Effect.andThen(Deferred.succeed(started, undefined), Effect.never) },
        Effect.andThen(Deferred.await(started), sleep(10)),
      )
      yield* require(
        Exit.isFailure(exit) && Exit.hasInterrupts(exit),
        () => `Expected an interruption, got ${String(exit)}`,
      )
      yield* noted(notes, ["never interrupted"])
    })),
  rule(
    "a program that never waits ends by interruption or by a limit of the runtime's own",
    (runtime) =>
      each([
        "while (true) {}",
        "await null\nfor (;;) {}",
        "const f = async () => { while (true) await null }\nawait f()",
      ], (code) =>
        Effect.flatMap(interrupt(runtime, code, {}, sleep(100)), (exit) => {
          const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
          return require(
            reason?._tag === "Interrupt" ||
              reason?._tag === "Fail" && reason.error instanceof CodeError && ownLimit.includes(reason.error.code),
            () => `Expected an interruption or a limit, got ${String(exit)}`,
          )
        })),
  ),
  rule(
    "interrupting the fiber ends a program that never waits, and other fibers go on meanwhile",
    (runtime) =>
      each(
        ["while (true) {}", "try { while (true) {} } finally { while (true) {} }"],
        (code) =>
          Effect.gen(function*() {
            let ticks = 0
            const tick = Effect.forever(Effect.andThen(
              sleep(5),
              Effect.sync(() => ticks++),
            ))
            const exit = yield* Effect.raceFirst(interrupt(runtime, code, {}, sleep(200)), tick)
            yield* require(
              Exit.isFailure(exit) && Exit.hasInterrupts(exit),
              () => `Expected an interruption, got ${String(exit)}`,
            )
            yield* require(ticks >= 3, () => `Another fiber woke ${ticks} times in 200 ms of a busy loop`)
          }),
      ),
    "preemption",
  ),
  rule("recursion without end fails, and the host goes on", (runtime) =>
    Effect.gen(function*() {
      yield* fails(runtime, "const f = () => f() + 1\nreturn f()", ["EXECUTION_ERROR", ...ownLimit])
      yield* gives(runtime, "const f = () => f() + 1\ntry { f() } catch { return 'caught' }", "caught")
    })),
  rule("two runs share nothing that a program can change", (runtime) =>
    Effect.gen(function*() {
      yield* finish(
        runtime,
        `globalThis.left = 1
Object.prototype.polluted = 1
Array.prototype.map = () => 'changed'
JSON.stringify = () => 'changed'
return 1`,
      )
      yield* gives(
        runtime,
        "return [typeof left, typeof {}.polluted, [1].map((x) => x + 1), JSON.stringify([1])]",
        ["undefined", "undefined", [2], "[1]"],
      )
      yield* require(
        !("polluted" in {}) && [1].map((x) => x + 1)[0] === 2,
        () => "A program changed the prototypes of the host",
      )
    })),
  rule("two runs go on at the same time", (runtime) =>
    Effect.gen(function*() {
      const left = yield* Deferred.make<void>()
      const right = yield* Deferred.make<void>()
      const tools: TestTools = {
        left: () => Effect.as(Effect.andThen(Deferred.succeed(left, undefined), Deferred.await(right)), "left"),
        right: () => Effect.as(Effect.andThen(Deferred.succeed(right, undefined), Deferred.await(left)), "right"),
      }
      yield* Effect.all([
        gives(runtime, "globalThis.x = 1\nconst a = await tools.left()\nreturn [a, x]", ["left", 1], tools),
        gives(runtime, "globalThis.x = 2\nconst a = await tools.right()\nreturn [a, x]", ["right", 2], tools),
      ], { concurrency: "unbounded" })
    })),
  rule("running the same execution twice runs it twice", (runtime) =>
    Effect.gen(function*() {
      const effect = runtime.run(execution("globalThis.n = (globalThis.n ?? 0) + 1\nreturn n"))
      const exits = [yield* Effect.exit(effect), yield* Effect.exit(effect)]
      yield* require(
        exits.every((exit) => Exit.isSuccess(exit) && exit.value.result === 1),
        () => `Expected 1 twice, got ${exits.map(String).join(", ")}`,
      )
    })),
  rule("a program has no way to the host's authority", (runtime) =>
    gives(
      runtime,
      "return ['process', 'require', 'fetch', 'module', 'Deno', 'Bun', 'window', 'XMLHttpRequest'].filter((name) => name in globalThis)",
      [],
    )),
  rule("a run that is over leaves the runtime ready for the next", (runtime) =>
    Effect.gen(function*() {
      yield* run(runtime, "throw new Error('first')")
      yield* run(runtime, "const = ")
      yield* gives(runtime, "return 1", 1)
    })),
]
