/**
 * The contract suite's harness: what a rule is, the tools its programs call, and how it is judged. The other files of this folder
 * are the rules, one subject a file.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as ToolSource from "../../ToolSource.ts"
import { CodeError, type CodeRuntime, type Execution, type Outcome } from "../contract.ts"

/**
 * A rule of `CodeRuntime` that a runtime breaks: which, and what was seen instead.
 *
 * @since 0.1.0
 * @category errors
 */
export class ContractViolation
  extends Schema.TaggedError<ContractViolation>("@effect-codemode/toolkit/testing/ContractViolation")(
    "ContractViolation",
    { message: Schema.String },
  )
{}

/**
 * What a runtime may do beyond the rules that hold for all:
 *
 * - `typescript`: programs may have types.
 * - `clock`: `Date` and timers follow the `Clock` of the fiber.
 * - `preemption`: interrupting the fiber ends a program that never waits, and other fibers go on meanwhile.
 * - `unhandledRejections`: a rejection that nobody handles fails the run, wherever the promise came from.
 * - `catchableUnknownTools`: calling a tool that is not there throws its failure at the place of the call, so that the program
 *   can catch it. For all runtimes, it is the code of the run when the program does not.
 *
 * @since 0.1.0
 * @category models
 */
export type Capability = "typescript" | "clock" | "preemption" | "unhandledRejections" | "catchableUnknownTools"

/**
 * One rule, and how to check that a runtime keeps it. A check needs nothing and can be run by any test runner.
 *
 * @since 0.1.0
 * @category models
 */
export interface Check {
  /** The rule, as a sentence. */
  readonly name: string
  /** The capability that the rule belongs to; without one, the rule holds for every runtime. */
  readonly capability?: Capability
  /** Runs programs in a runtime, and fails where the rule does not hold. */
  readonly check: (runtime: CodeRuntime) => Effect.Effect<void, ContractViolation>
}

/** A tool of a rule's programs. */
type TestTool = (input: Schema.JsonObject) => Effect.Effect<Schema.Json, ToolSource.Failure>

export type TestTools = Readonly<Record<string, TestTool>>

/** Longer than any check takes in a runtime that keeps the rule, in milliseconds. */
const guard = 15_000

const violation = (message: string) => new ContractViolation({ message })

const liveClock = Context.get(Context.empty(), Clock.Clock)

/** Waits in real time, whatever the clock of the test runner. */
export const sleep = (millis: number): Effect.Effect<void> => liveClock.sleep(Duration.millis(millis))

export const rule = (
  name: string,
  check: (runtime: CodeRuntime) => Effect.Effect<void, ContractViolation>,
  capability?: Capability,
): Check => ({
  name,
  ...(capability === undefined ? {} : { capability }),
  check: (runtime) =>
    Effect.raceFirst(
      check(runtime),
      Effect.andThen(sleep(guard), Effect.fail(violation(`The run did not end in ${guard / 1000} seconds`))),
    ).pipe(Effect.provideService(Clock.Clock, liveClock)),
})

/** The execution of a program over tools. A name that is not among them fails as a toolkit's `call` does. */
export const execution = (code: string, tools: TestTools = {}): Execution => ({
  code,
  tools: Object.keys(tools),
  call: (name, input) =>
    Object.hasOwn(tools, name)
      ? Effect.suspend(() => tools[name]!(input))
      : Effect.fail(
        new ToolSource.Failure({ code: "UNKNOWN_TOOL", message: `There is no tool "${name}".`, retryable: true }),
      ),
})

export const run = (
  runtime: CodeRuntime,
  code: string,
  tools?: TestTools,
): Effect.Effect<Exit.Exit<Outcome, CodeError>> =>
  Effect.exit(Effect.suspend(() => runtime.run(execution(code, tools))))

export const show = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

const showExit = (exit: Exit.Exit<Outcome, CodeError>): string => {
  if (Exit.isSuccess(exit)) return `the result ${show(exit.value.result)}`
  const reason = exit.cause.reasons[0]
  return reason?._tag === "Fail" && reason.error instanceof CodeError
    ? `${reason.error.code}: ${reason.error.message}`
    : `the cause ${String(exit.cause)}`
}

export const require = (condition: boolean, message: () => string): Effect.Effect<void, ContractViolation> =>
  condition ? Effect.void : Effect.fail(violation(message()))

/** The program's outcome, or a violation when it did not finish. */
export const finish = (
  runtime: CodeRuntime,
  code: string,
  tools?: TestTools,
): Effect.Effect<Outcome, ContractViolation> =>
  Effect.flatMap(run(runtime, code, tools), (exit) =>
    Exit.isSuccess(exit)
      ? Effect.succeed(exit.value)
      : Effect.fail(violation(`The program did not finish, but ended in ${showExit(exit)}\n${code}`)))

/** Requires that the program gives a result. */
export const gives = (
  runtime: CodeRuntime,
  code: string,
  expected: Schema.Json,
  tools?: TestTools,
): Effect.Effect<void, ContractViolation> =>
  Effect.flatMap(finish(runtime, code, tools), ({ result }) =>
    require(
      Equal.equals(result, expected),
      () => `Expected the result ${show(expected)}, got ${show(result)}\n${code}`,
    ))

/** Requires that the program fails with one of some codes, and gives the error. */
export const fails = (
  runtime: CodeRuntime,
  code: string,
  codes: string | ReadonlyArray<string>,
  tools?: TestTools,
): Effect.Effect<CodeError, ContractViolation> =>
  Effect.flatMap(run(runtime, code, tools), (exit) => {
    const expected = typeof codes === "string" ? [codes] : codes
    const reason = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
    return reason?._tag === "Fail" && reason.error instanceof CodeError && expected.includes(reason.error.code)
      ? Effect.succeed(reason.error)
      : Effect.fail(violation(`Expected a failure with ${expected.join(" or ")}, got ${showExit(exit)}\n${code}`))
  })

export const contains = (text: string, part: string): Effect.Effect<void, ContractViolation> =>
  require(text.includes(part), () => `Expected ${show(text)} to contain ${show(part)}`)

/** Starts a program and interrupts it when `when` is done; gives how it ended. */
export const interrupt = (
  runtime: CodeRuntime,
  code: string,
  tools: TestTools,
  when: Effect.Effect<void>,
): Effect.Effect<Exit.Exit<Outcome, CodeError>> =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(Effect.suspend(() => runtime.run(execution(code, tools))))
    yield* Effect.raceFirst(when, Effect.asVoid(Fiber.await(fiber)))
    yield* Fiber.interrupt(fiber)
    return yield* Fiber.await(fiber)
  })

export const each = <A>(
  items: ReadonlyArray<A>,
  check: (item: A) => Effect.Effect<void, ContractViolation>,
): Effect.Effect<void, ContractViolation> => Effect.forEach(items, check, { discard: true })
