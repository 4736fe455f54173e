/**
 * What the host is told of a run and of its calls. Public as part of `CodeMode`.
 */
import type * as Duration from "effect/Duration"
import type * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import type { CodeError, Outcome } from "./contract.ts"
import type * as ToolSource from "./tool-call.ts"

/**
 * A call that a program makes, as it starts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Call {
  /** Its place among the calls of the run, in the order in which they start, from 0. */
  readonly index: number
  /** `<id of the run>/<index + 1>`: the id that the tool's handler sees. */
  readonly id: string
  /** The name it is called by: `github.list_issues`; `$codemode.search` for a search of the runtime's. */
  readonly name: string
  /** The input as the program sent it, not yet decoded. */
  readonly input: Schema.JsonObject
}

/**
 * What became of a call.
 *
 * @since 0.1.0
 * @category models
 */
export interface CallEnd extends Call {
  /** From its start to its end, the time that a person took to answer included. */
  readonly duration: Duration.Duration
  /** `"interrupted"`: the run ended before the call did, or the call was interrupted by itself. */
  readonly outcome: "success" | "failure" | "interrupted"
  /** The code of a failure, as the program sees it. */
  readonly code?: string
  /** The message of a failure, as the program sees it; at most 4,000 characters. */
  readonly message?: string
}

/**
 * A call as a report tells it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReportedCall extends CallEnd {
  /** The input is told as `{}`, because those of the calls before took all that a report keeps: some 16 Mi characters. */
  readonly inputLeftOut?: true
}

/**
 * An attachment, and the call that gave it.
 *
 * @since 0.1.0
 * @category models
 */
export interface RunAttachment extends ToolSource.Attachment {
  /** The id of the call. */
  readonly callId: string
}

/**
 * One run: what it came to, what it called, what it used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Report {
  /** The id of the run: that of the call that sent the code, or one of ours. */
  readonly id: string
  /** The program. */
  readonly code: string
  /** The outcome, or why there is none; a cause without an error is an interruption. */
  readonly exit: Exit.Exit<Outcome, CodeError>
  /** Every call, in the order in which they started. A name that is no tool is no call. */
  readonly calls: ReadonlyArray<ReportedCall>
  /** What tools attached, in the order of their calls. */
  readonly attachments: ReadonlyArray<RunAttachment>
  /** From the start to the end, everything included. */
  readonly duration: Duration.Duration
  /** How much of that the run stood still because a person was asked. */
  readonly waited: Duration.Duration
  /**
   * Steps that the program took, if the runtime counts them. The same program with the same inputs and results takes the same number on
   * every run, on every machine and in whatever order its calls end, unless it looks at that order or at the time, or is ended from
   * outside.
   */
  readonly fuel?: number
  /** The most live data that the runtime saw, in bytes, if it looks. */
  readonly peakMemory?: number
}
