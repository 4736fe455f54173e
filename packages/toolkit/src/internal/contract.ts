/**
 * What a toolkit and a runtime agree on. Public as part of `CodeMode`; it stands here so that the parts of `CodeMode` can
 * import it without a cycle.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Catalog from "../Catalog.ts"
import type * as ToolSource from "./tool-call.ts"

/**
 * What a run gave: the value of the program as JSON (`undefined` is `null`), and the lines it logged, in order.
 *
 * @since 0.1.0
 * @category models
 */
export const Outcome = Schema.Struct({
  result: Schema.Json,
  logs: Schema.Array(Schema.String),
}).annotate({ identifier: "CodeModeOutcome" })

/**
 * What a run gave: the value of the program as JSON (`undefined` is `null`), and the lines it logged, in order.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome = typeof Outcome.Type

/**
 * The codes with which a run fails by itself. An uncaught failure of a tool that declared a code of its own adds that one.
 *
 * @since 0.1.0
 * @category errors
 */
export const ErrorCode = Schema.Literals([
  "SYNTAX_ERROR",
  "UNSUPPORTED_SYNTAX",
  "EXECUTION_ERROR",
  "UNKNOWN_TOOL",
  "INVALID_TOOL_INPUT",
  "TOOL_FAILURE",
  "INVALID_TOOL_OUTPUT",
  "ACCESS_DENIED",
  "APPROVAL_REQUIRED",
  "INVALID_DATA",
  "EXECUTION_BUDGET_EXCEEDED",
  "TIMEOUT",
  "LIMIT_EXCEEDED",
  "RESULT_TOO_LARGE",
  "RUNTIME_FAILURE",
])

/**
 * The codes with which a run fails by itself. An uncaught failure of a tool that declared a code of its own adds that one.
 *
 * @since 0.1.0
 * @category errors
 */
export type ErrorCode = typeof ErrorCode.Type

/**
 * A place in a program as the model wrote it, fences and types included. Lines and columns count from 1; a column is in
 * UTF-16 code units.
 *
 * @since 0.1.0
 * @category models
 */
export const Location = Schema.Struct({ line: Schema.Int, column: Schema.Int })

/**
 * A place in a program as the model wrote it, fences and types included. Lines and columns count from 1; a column is in
 * UTF-16 code units.
 *
 * @since 0.1.0
 * @category models
 */
export type Location = typeof Location.Type

/**
 * Why a program did not finish. A runtime gives the parts, and what the model reads is put together from them. Its tag is `CodeError`.
 *
 * - `code`: one of {@link ErrorCode}, or the code that an uncaught failure of a tool declared.
 * - `message`: the reason in one line, without place, hint or logs.
 * - `retryable`: whether a changed program could succeed.
 * - `logs`: what the program logged before it failed.
 * - `location`: where in the code, if it has a place.
 * - `hint`: what to write instead, if there is a likely fix.
 *
 * @since 0.1.0
 * @category errors
 */
export class CodeError
  extends Schema.TaggedError<CodeError>("@effect-codemode/toolkit/CodeMode/CodeError")("CodeError", {
    code: Schema.String,
    message: Schema.String,
    retryable: Schema.Boolean,
    logs: Schema.Array(Schema.String),
    location: Schema.optional(Location),
    hint: Schema.optional(Schema.String),
  })
{}

/**
 * What a run used of its runtime. A runtime leaves out what it does not measure.
 *
 * @since 0.1.0
 * @category models
 */
export interface Usage {
  /** Steps that the program took. The same program with the same inputs takes the same number on every run that is not interrupted. */
  readonly fuel?: number | undefined
  /** The most live data of the program that the runtime saw, in bytes. */
  readonly peakMemory?: number | undefined
  /** Where the program was when it was ended from outside, if that is known: in a loop, or at a call that it waited for. */
  readonly location?: Location | undefined
}

/**
 * Waits for something during which a call does not count among those that a runtime lets go on at once, such as the answer of a person.
 *
 * @since 0.1.0
 * @category models
 */
export type Aside = <A, E>(wait: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * One program to run, and what it may do.
 *
 * @since 0.1.0
 * @category models
 */
export interface Execution {
  /** The body of an async function; `return` gives the result. */
  readonly code: string
  /** The names a program may call. A dot separates namespaces: `github.list_issues` is `tools.github.list_issues`. */
  readonly tools: ReadonlyArray<string>
  /**
   * Calls a tool and gives its result as JSON. A name outside `tools` can be asked for too: it fails with `UNKNOWN_TOOL` and
   * the nearest names, or says why the tool cannot be called from code. Interrupting the effect cancels the call.
   */
  readonly call: (tool: string, input: Schema.JsonObject) => Effect.Effect<Schema.Json, ToolSource.Failure>
  /**
   * There if calls may wait for a person: the same as `call`, for a runtime that lets only so many calls go on at once. What a call waits
   * for with `aside` takes no turn from the others.
   */
  readonly callAside?: (
    tool: string,
    input: Schema.JsonObject,
    aside: Aside,
  ) => Effect.Effect<Schema.Json, ToolSource.Failure>
  /** What search answers from. A runtime may ignore it. */
  readonly catalog?: Catalog.Catalog
  /**
   * Has the host see a call that the runtime answers by itself, such as search, as it sees those that go through `call`. What it gives
   * back is run in place of the answer.
   */
  readonly observe?: (
    tool: string,
    input: Schema.JsonObject,
    answer: Effect.Effect<Schema.Json, ToolSource.Failure>,
  ) => Effect.Effect<Schema.Json, ToolSource.Failure>
  /**
   * Hears each line when the program logs it. So the lines are known of a run that is ended from outside, by its deadline,
   * which has no other way to give them.
   */
  readonly log?: (line: string) => void
  /** Hears what the run used, once, when it is over in one way or another, before its fiber ends; an interrupted run too. */
  readonly usage?: (usage: Usage) => void
  /**
   * How long the run has stood still so far because a person is asked whether a call may go on, in milliseconds. A runtime with a time
   * limit of its own does not count that time.
   */
  readonly waited?: () => number
}

/**
 * Runs code. A plain object with a `run` function is a runtime; so is what a `Layer` provides under the key of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export interface CodeRuntime {
  /**
   * Runs the code, and ends the run when the fiber is interrupted. What else it must keep is in the contract suite of
   * `@effect-codemode/toolkit/testing`, a check for each rule.
   */
  readonly run: (execution: Execution) => Effect.Effect<Outcome, CodeError>
  /**
   * What the model is told about this runtime. Without it, that programs are JavaScript and cannot search.
   */
  readonly guide?: {
    /** The language of programs, in a few lines of Markdown: what there is beside the standard, and what is missing. */
    readonly language: string
    /** Whether programs can search their tools, by `$codemode.search` and `search`. If not, every tool is listed by its path. */
    readonly search: boolean
  }
}

/**
 * The key under which a `Layer` provides a runtime, and with which a test replaces it.
 *
 * @since 0.1.0
 * @category services
 */
export const CodeRuntime = Context.Service<CodeRuntime>("@effect-codemode/toolkit/CodeMode/CodeRuntime")
