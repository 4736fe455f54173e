/**
 * Something that has tools, whoever runs them: an `effect/ai` toolkit, a server, a description of an API. And what a call of a tool
 * can end in.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
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

/**
 * What a tool says of itself, for a policy to decide on. What it does not say is absent, and the careful reading is then right: it may
 * write, may destroy, may not be repeated, may reach out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Annotations {
  /** It changes nothing. */
  readonly readOnly?: boolean | undefined
  /** It may destroy what was there. Says something only of a tool that is not read-only. */
  readonly destructive?: boolean | undefined
  /** Calling it again with the same input changes nothing more. */
  readonly idempotent?: boolean | undefined
  /** It deals with an open world, such as the web, rather than with things of its own. */
  readonly openWorld?: boolean | undefined
}

/**
 * One tool of a source.
 *
 * @since 0.1.0
 * @category models
 */
export interface Definition {
  /** Its name within the source, of any spelling. A dot separates namespaces: `issues.list`. */
  readonly name: string
  /** A name for people to read. */
  readonly title?: string | undefined
  /** What it does, for the model. */
  readonly description?: string | undefined
  /** The JSON Schema of its input, which is an object. */
  readonly input: JsonSchema.JsonSchema
  /** The JSON Schema of its result, if it is told. */
  readonly output?: JsonSchema.JsonSchema | undefined
  readonly annotations: Annotations
}

/**
 * What a source has, now.
 *
 * @since 0.1.0
 * @category models
 */
export interface Listing {
  /** Its tools. Of two with one name the last counts. */
  readonly definitions: ReadonlyArray<Definition>
  /** What the model is told of the source as a whole, such as the instructions of a server. */
  readonly notes?: string | undefined
}

/**
 * Something that has tools.
 *
 * @since 0.1.0
 * @category models
 */
export interface ToolSource {
  /** Who it is, for people and for logs: `github`. */
  readonly name: string
  /** Its tools as they are now. A source that is not there fails, and is asked again the next time. */
  readonly list: Effect.Effect<Listing, Failure>
  /**
   * Calls a tool by its name within the source and gives its result as JSON. What is not JSON, such as an image, is handed to
   * {@link attach}. Interrupting the effect cancels the call.
   */
  readonly call: (tool: string, input: Schema.JsonObject) => Effect.Effect<Schema.Json, Failure>
}

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
  /** The bytes, in base64. */
  readonly data: string
}

/**
 * Where the attachments of a call go: the run that made the call collects them. Outside of a run nobody does, and they are dropped.
 *
 * @since 0.1.0
 * @category services
 */
export const Attachments = Context.Reference<{ readonly add: (attachment: Attachment) => Effect.Effect<void, Failure> }>(
  "@effect-codemode/toolkit/ToolSource/Attachments",
  { defaultValue: () => ({ add: () => Effect.void }) },
)

/**
 * Hands an attachment to whoever collects those of the call that is running. Fails with `LIMIT_EXCEEDED` where the collector takes no
 * more.
 *
 * @since 0.1.0
 * @category attachments
 */
export const attach = (attachment: Attachment): Effect.Effect<void, Failure> =>
  Effect.flatMap(Attachments, (attachments) => attachments.add(attachment))
