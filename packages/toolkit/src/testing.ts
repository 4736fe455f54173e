/**
 * For tests: the rules of `CodeRuntime` as checks that any test runner can run, and a runtime that runs a script of the host
 * instead of code.
 *
 * ```ts
 * import { contract } from "@effect-codemode/toolkit/testing"
 *
 * for (const { check, name } of contract) test(name, () => Effect.runPromise(check(runtime)))
 * ```
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { CodeRuntime } from "./CodeMode.ts"
import type { Capability, Check } from "./internal/contract-suite/check.ts"
import * as ClockRules from "./internal/contract-suite/clock.ts"
import * as Data from "./internal/contract-suite/data.ts"
import * as Diagnostics from "./internal/contract-suite/diagnostics.ts"
import * as Ending from "./internal/contract-suite/ending.ts"
import * as Forms from "./internal/contract-suite/forms.ts"
import * as Tools from "./internal/contract-suite/tools.ts"
import * as UsageRules from "./internal/contract-suite/usage.ts"

export {
  /**
   * What a runtime may do beyond the rules that hold for all.
   *
   * @since 0.1.0
   * @category models
   */
  type Capability,
  /**
   * One rule, and how to check that a runtime keeps it.
   *
   * @since 0.1.0
   * @category models
   */
  type Check,
  /**
   * A rule of `CodeRuntime` that a runtime breaks.
   *
   * @since 0.1.0
   * @category errors
   */
  ContractViolation,
} from "./internal/contract-suite/check.ts"

export {
  /**
   * Makes a runtime for tests of toolkits.
   *
   * @since 0.1.0
   * @category constructors
   */
  stub,
  /**
   * What a script is given.
   *
   * @since 0.1.0
   * @category models
   */
  type StubExecution,
  /**
   * A runtime that runs a script of the host instead of the code.
   *
   * @since 0.1.0
   * @category models
   */
  type StubRuntime,
} from "./internal/stub.ts"

/**
 * Every rule of `CodeRuntime`. Those with a `capability` hold only for the runtimes that have it.
 *
 * @since 0.1.0
 * @category contract
 */
export const contract: ReadonlyArray<Check> = [
  ...Forms.checks,
  ...Data.checks,
  ...Tools.checks,
  ...Ending.checks,
  ...Diagnostics.checks,
  ...ClockRules.checks,
  ...UsageRules.checks,
]

/**
 * The rules that hold for a runtime with some capabilities, none by default: all those without one, and those of the ones named.
 *
 * @since 0.1.0
 * @category contract
 */
export const contractFor = (capabilities: ReadonlyArray<Capability> = []): ReadonlyArray<Check> =>
  contract.filter(({ capability }) => capability === undefined || capabilities.includes(capability))

/**
 * What became of each rule.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  /** The rules that the runtime keeps. */
  readonly kept: ReadonlyArray<string>
  /** The rules that it breaks, and what was seen. */
  readonly broken: ReadonlyArray<{ readonly name: string; readonly reason: string }>
  /** The rules of capabilities that it was not said to have. */
  readonly skipped: ReadonlyArray<{ readonly name: string; readonly capability: Capability }>
}

/**
 * Checks a runtime with some capabilities, none by default, against the contract, one rule after the other, and reports. A rule that breaks
 * does not end the check.
 *
 * @since 0.1.0
 * @category contract
 */
export const verify = (runtime: CodeRuntime, capabilities: ReadonlyArray<Capability> = []): Effect.Effect<Report> =>
  Effect.gen(function*() {
    const kept: Array<string> = []
    const broken: Array<{ readonly name: string; readonly reason: string }> = []
    const skipped: Array<{ readonly name: string; readonly capability: Capability }> = []
    for (const { capability, check, name } of contract) {
      if (capability !== undefined && !capabilities.includes(capability)) {
        skipped.push({ name, capability })
        continue
      }
      const exit = yield* Effect.exit(check(runtime))
      if (Exit.isSuccess(exit)) kept.push(name)
      else {
        const reason = exit.cause.reasons[0]
        broken.push({
          name,
          reason: reason?._tag === "Fail" ? reason.error.message : Cause.pretty(exit.cause),
        })
      }
    }
    return { kept, broken, skipped }
  })
