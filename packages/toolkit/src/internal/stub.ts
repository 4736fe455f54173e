import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type * as ToolSource from "../ToolSource.ts"
import { CodeError, type CodeRuntime, type Execution } from "./contract.ts"

/**
 * What a script is given: the execution, with a `log` that is always there.
 *
 * @since 0.1.0
 * @category models
 */
export interface StubExecution extends Execution {
  readonly log: (line: string) => void
}

/**
 * A runtime that runs a script of the host instead of the code, and remembers what it was asked to run.
 *
 * @since 0.1.0
 * @category models
 */
export interface StubRuntime extends CodeRuntime {
  /** Every execution so far, oldest first. */
  readonly executions: ReadonlyArray<Execution>
}

/**
 * Makes a runtime for tests of toolkits. The script stands for the program: it calls tools through `execution.call`, logs through
 * `execution.log`, and its value is the result (`undefined` is `null`). A failure of a call that it lets through ends the run
 * with that failure's code, as an uncaught error of a program does.
 *
 * @since 0.1.0
 * @category constructors
 */
export const stub = (
  script: (
    execution: StubExecution,
  ) => Effect.Effect<Schema.Json | undefined | void, CodeError | ToolSource.Failure>,
  options?: { readonly guide?: NonNullable<CodeRuntime["guide"]> },
): StubRuntime => {
  const executions: Array<Execution> = []
  return {
    ...options,
    executions,
    run: (execution) =>
      Effect.suspend(() => {
        executions.push(execution)
        const logs: Array<string> = []
        const log = (line: string) => {
          logs.push(line)
          execution.log?.(line)
        }
        return script({ ...execution, log }).pipe(
          Effect.map((result) => ({ result: result ?? null, logs })),
          Effect.catchCause((cause) => {
            const found = Cause.findError(cause)
            if (Cause.hasDies(cause) || Result.isFailure(found)) return Effect.failCause(cause as Cause.Cause<never>)
            const error = found.success
            return Effect.fail(
              new CodeError({
                code: error.code,
                message: error.message,
                retryable: error.retryable,
                logs: error._tag === "CodeError" && error.logs.length > 0 ? error.logs : logs,
                location: error._tag === "CodeError" ? error.location : undefined,
                hint: error._tag === "CodeError" ? error.hint : undefined,
              }),
            )
          }),
        )
      }),
  }
}
