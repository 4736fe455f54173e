/**
 * What a call of a tool fails with, and what is around it. Public as part of `ToolSource`; it stands here so that the parts of
 * `ToolSource` can import it without a cycle.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/**
 * Why a call of a tool did not give a result. A program catches it as an `Error` with this `code` and `message`; uncaught,
 * it ends the run and its `code` becomes the run's. Its tag is `ToolFailure`.
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

/**
 * An image, a sound or another blob that a tool gave. It never enters a program: it goes to the model beside what the program
 * returns.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attachment {
  /** The IANA media type: `image/png`. */
  readonly mediaType: string
  /** The name of the file, if it has one. */
  readonly fileName?: string | undefined
  /** The bytes, as they are or in base64, or the `URL` where they are. */
  readonly data: Uint8Array | string | { readonly href: string }
}

/**
 * Where the attachments of a call go: the run that made the call collects them, and so does an assembled toolkit for a call that the model
 * makes directly. Elsewhere nobody does, and they are dropped.
 *
 * @since 0.1.0
 * @category services
 */
export const Attachments = Context.Reference<
  { readonly add: (attachment: Attachment) => Effect.Effect<void, Failure> }
>(
  "@effect-codemode/toolkit/ToolSource/Attachments",
  { defaultValue: () => nobody },
)

/** Stands where nobody collects. */
export const nobody = { add: (_: Attachment): Effect.Effect<void, Failure> => Effect.void }

/**
 * Hands an attachment to whoever collects those of the call that is running. Fails with `LIMIT_EXCEEDED` where the collector takes no
 * more.
 *
 * @since 0.1.0
 * @category attachments
 */
export const attach = (attachment: Attachment): Effect.Effect<void, Failure> =>
  Effect.flatMap(Attachments, (attachments) => attachments.add(attachment))

/**
 * The id of the call that is running, for a source that tells it on: `<id of the run>/<number of the call>` for a call from code, and
 * the provider's for a call that the model makes directly.
 *
 * @since 0.1.0
 * @category services
 */
export const CallId = Context.Reference<string | undefined>("@effect-codemode/toolkit/ToolSource/CallId", {
  defaultValue: () => undefined,
})
