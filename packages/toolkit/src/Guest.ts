/**
 * For authors of runtimes over another JavaScript engine: an isolate, a worker, an engine compiled to WebAssembly. What such a
 * runtime needs beside the engine is here: the JavaScript that gives a program its `tools` and `console`, the reading of what a model
 * wrote, and the way of a run from its start to its outcome. What is left is an {@link Engine}: some functions over texts and numbers.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberMap from "effect/FiberMap"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { CodeError, type ErrorCode, type Execution, type Location, type Outcome } from "./internal/contract.ts"
import { Logs } from "./internal/guest/logs.ts"
import { read, type Refusal } from "./internal/guest/reading.ts"
import { text } from "./internal/guest/text.ts"
import * as ToolSource from "./internal/tool-call.ts"

export {
  /**
   * The name under which an engine evaluates programs.
   *
   * @since 0.1.0
   * @category protocol
   */
  file,
  /**
   * Reads a program as a model wrote it.
   *
   * @since 0.1.0
   * @category protocol
   */
  read,
  /**
   * A program as an engine takes it.
   *
   * @since 0.1.0
   * @category models
   */
  type Reading,
  /**
   * Why a text does not parse.
   *
   * @since 0.1.0
   * @category models
   */
  type Refusal,
  /**
   * A program that does not parse.
   *
   * @since 0.1.0
   * @category models
   */
  type Unreadable,
} from "./internal/guest/reading.ts"

/**
 * The guest: an expression whose value is a function `(names, call, log) => guest`, to be evaluated in an engine before any program,
 * once for each run. It defines `tools` and `console`.
 *
 * - `names` is the JSON text of {@link Host} `names`; `call(id, name, input)` and `log(line)` are the functions of the host of the same
 *   names.
 * - `guest.start(program)` calls the function that is the value of a program's text.
 * - `guest.resolve(id, json)` and `guest.reject(id, json)` settle a call.
 * - `guest.look()` gives what {@link Engine} `advance` tells.
 *
 * It takes nothing of the host but these two functions, and hands neither to the program. A program may spoil what it runs on, such as
 * `Array.prototype`: that is its own harm, and no other's, as long as no two runs share globals.
 *
 * @since 0.1.0
 * @category protocol
 */
export const source: string = text

/**
 * The engine has ended a program: it ran for too long, took too much memory, or broke. No program can catch it.
 *
 * @since 0.1.0
 * @category errors
 */
export class Stopped extends Schema.TaggedError<Stopped>("@effect-codemode/toolkit/Guest/Stopped")("EngineStopped", {
  /** One of the codes of `CodeMode.ErrorCode`, such as `EXECUTION_BUDGET_EXCEEDED` or `LIMIT_EXCEEDED`. */
  code: Schema.String,
  /** Why, in one line, for the model. */
  message: Schema.String,
}) {
  /** Makes one of a code and a message. */
  static of(code: ErrorCode, message: string): Stopped {
    return new Stopped({ code, message })
  }
}

/**
 * What an engine is opened with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Host {
  /** The names of the tools, as the JSON text of an array. */
  readonly names: string
  /** The guest calls it for each call that the program makes: the number of the call, the tool, the input as JSON. */
  readonly call: (id: number, tool: string, input: string) => void
  /** The guest calls it for each line that the program logs. */
  readonly log: (line: string) => void
}

/**
 * An engine with one guest in it, for one run. Each function enters the engine, and fails with {@link Stopped} where the engine ended what
 * ran in it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Engine {
  /** Tells why a text does not parse, or nothing if it does. Runs nothing. */
  readonly parse: (text: string) => Effect.Effect<Refusal | undefined, Stopped>
  /** Evaluates a text under the name {@link file}, and gives its value to `guest.start`. */
  readonly start: (text: string) => Effect.Effect<void, Stopped>
  /** Calls `guest.resolve` or `guest.reject`. */
  readonly settle: (how: "resolve" | "reject", id: number, json: string) => Effect.Effect<void, Stopped>
  /**
   * Runs the jobs that are ready, at least some: gives `undefined` when there are more, and what `guest.look` gives when there are none.
   * The host's event loop has its turn in between.
   */
  readonly advance: Effect.Effect<string | undefined, Stopped>
}

const Thrown = Schema.Struct({
  failure: Schema.optional(Schema.Struct({ code: Schema.String, message: Schema.String, retryable: Schema.Boolean })),
  missing: Schema.optional(Schema.String),
  name: Schema.String,
  message: Schema.String,
  stack: Schema.String,
})

const State = Schema.Struct({
  result: Schema.optional(Schema.String),
  error: Schema.optional(Thrown),
  open: Schema.Int,
  lost: Schema.Array(Schema.Int),
  unhandled: Schema.optional(Thrown),
})

const decodeState = Schema.decodeUnknownEffect(Schema.fromJsonString(State))
const decodeInput = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json)))
const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))

type Settled = readonly [id: number, exit: Exit.Exit<Schema.Json, ToolSource.Failure>]

/**
 * Runs a program in an engine: the `run` of a `CodeRuntime`, whose rules it keeps as far as the engine lets it. `open` makes the engine, in
 * a scope that closes when the run is over; the calls that are still going on are interrupted then.
 *
 * **Example** (The whole of a runtime, but for the engine)
 *
 * ```ts
 * import { type CodeMode, Guest } from "@effect-codemode/toolkit"
 * import type { Effect, Scope } from "effect"
 *
 * declare const open: (host: Guest.Host) => Effect.Effect<Guest.Engine, never, Scope.Scope>
 *
 * const runtime: CodeMode.CodeRuntime = {
 *   guide: { language: "JavaScript, strict. `await` and `return` work at the top level.", search: false },
 *   run: (execution) => Guest.run(execution, open)
 * }
 * ```
 *
 * @since 0.1.0
 * @category protocol
 */
export const run = <R = never>(
  execution: Execution,
  open: (host: Host) => Effect.Effect<Engine, Stopped, R>,
): Effect.Effect<Outcome, CodeError, Exclude<R, Scope.Scope>> =>
  Effect.suspend(() => {
    const logs = new Logs(execution.log)
    return drive(execution, open, logs).pipe(
      Effect.catchTag("EngineStopped", ({ code, message }) =>
        Effect.fail(new CodeError({ code, message, retryable: code !== "RUNTIME_FAILURE", logs: logs.lines }))),
      Effect.scoped,
    )
  })

const drive = <R>(
  execution: Execution,
  open: (host: Host) => Effect.Effect<Engine, Stopped, R>,
  logs: Logs,
) =>
  Effect.gen(function*() {
    const error: MakeError = (code, message, retryable = true, location) =>
      new CodeError({ code, message, retryable, logs: logs.lines, location })
    const settled = yield* Queue.unbounded<Settled>()
    const calls = yield* FiberMap.make<number>()
    const fork = yield* FiberMap.runtime(calls)<never>()
    const engine = yield* open({
      names: JSON.stringify(execution.tools),
      log: (line) => logs.add(line),
      call: (id, tool, input) => {
        const made = Effect.flatMap(inputOf(tool, input), (input) => execution.call(tool, input))
        fork(id, Effect.flatMap(Effect.exit(made), (exit) => Queue.offer(settled, [id, exit])))
      },
    })
    const program = yield* Effect.mapError(
      read(execution.code, engine.parse),
      (failed) => "refusal" in failed ? error("SYNTAX_ERROR", failed.refusal.message, true, failed.location) : failed,
    )
    yield* engine.start(program.text)

    while (true) {
      const told = yield* engine.advance
      if (told === undefined) {
        yield* Effect.yieldNow
        continue
      }
      // What the guest tells went through a program's hands if the program meddled with what the guest stands on.
      const state = yield* Effect.mapError(decodeState(told), () => spoiled(error))
      for (const id of state.lost) yield* FiberMap.remove(calls, id)
      if (state.error !== undefined) return yield* uncaught(execution, state.error, error, program.locate)
      if (state.open === 0) {
        if (state.result === undefined) {
          return yield* Effect.fail(
            error("EXECUTION_ERROR", "The program waits for a promise that nothing can settle."),
          )
        }
        if (state.unhandled !== undefined) {
          const { failure, message, name } = state.unhandled
          const told = `Unhandled rejection of tools.${name}: ${message}`
          return yield* Effect.fail(error(failure?.code ?? "EXECUTION_ERROR", told, failure?.retryable))
        }
        return { result: yield* Effect.mapError(decodeResult(state.result), () => spoiled(error)), logs: logs.lines }
      }
      for (const [id, exit] of yield* Queue.takeAll(settled)) {
        if (Exit.isSuccess(exit)) {
          yield* engine.settle("resolve", id, JSON.stringify(exit.value))
          continue
        }
        const failure = exit.cause.reasons.find(Cause.isFailReason)
        // An interruption, or a defect: the run's, and nothing that a program could catch.
        if (failure === undefined) return yield* Effect.failCause(exit.cause as Cause.Cause<never>)
        const { code, message, retryable } = failure.error
        yield* engine.settle("reject", id, JSON.stringify({ code, message, retryable }))
      }
    }
  })

type MakeError = (code: string, message: string, retryable?: boolean, location?: Location) => CodeError

const spoiled = (error: MakeError): CodeError =>
  error("EXECUTION_ERROR", "The program changed built-ins that its own run stands on, and cannot be finished.")

const inputOf = (tool: string, json: string): Effect.Effect<Schema.JsonObject, ToolSource.Failure> =>
  Effect.mapError(decodeInput(json), () =>
    new ToolSource.Failure({
      code: "INVALID_TOOL_INPUT",
      message: `The input of tools.${tool} is not an object of JSON`,
      retryable: true,
    }))

/** What a run fails with that a program's error ended. */
const uncaught = (
  execution: Execution,
  thrown: typeof Thrown.Type,
  error: MakeError,
  locate: (stack: string) => Location | undefined,
): Effect.Effect<never, CodeError> => {
  const location = locate(thrown.stack)
  if (thrown.failure !== undefined) {
    const { code, message, retryable } = thrown.failure
    return Effect.fail(error(code, message, retryable, location))
  }
  if (thrown.missing === undefined) {
    return Effect.fail(error("EXECUTION_ERROR", `${thrown.name}: ${thrown.message}`, true, location))
  }
  // The host knows best what to say of a tool that is not there.
  return Effect.matchEffect(execution.call(thrown.missing, {}), {
    onFailure: ({ code, message, retryable }) => Effect.fail(error(code, message, retryable, location)),
    onSuccess: () => Effect.fail(error("EXECUTION_ERROR", `${thrown.name}: ${thrown.message}`, true, location)),
  })
}
