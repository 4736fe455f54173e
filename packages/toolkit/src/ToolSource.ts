/**
 * What a call of a tool can end in, whoever has the tool: an `effect/ai` toolkit, a server, a description of an API.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * Why a call of a tool did not give a result. A program catches it as an `Error` with this `code` and `message`; uncaught,
 * it ends the run and its `code` becomes the run's.
 *
 * - `code`: what a program can branch on, in capitals: `UNKNOWN_TOOL`, `INVALID_TOOL_INPUT`, `TOOL_FAILURE`,
 *   `INVALID_TOOL_OUTPUT`, `ACCESS_DENIED`, `APPROVAL_REQUIRED`, or the code that the tool itself declared.
 * - `message`: what the model reads. It never holds what a tool did not declare.
 * - `retryable`: whether a changed program could succeed.
 *
 * @since 0.1.0
 * @category errors
 */
export class Failure extends Schema.TaggedError<Failure>("@effect-codemode/toolkit/ToolSource/Failure")("ToolFailure", {
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
}) {}
