/**
 * Something that has tools, whoever runs them: an `effect/ai` toolkit, a server, a description of an API. And what a call of a tool
 * can end in.
 *
 * @since 0.1.0
 */
import type * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import type * as Effect from "effect/Effect"
import type * as JsonSchema from "effect/JsonSchema"
import type * as Schema from "effect/Schema"
import * as OfToolkit from "./internal/source-of-toolkit.ts"
import type { Failure } from "./internal/tool-call.ts"

export {
  /**
   * Hands an attachment to whoever collects those of the call that is running.
   *
   * @since 0.1.0
   * @category attachments
   */
  attach,
  /**
   * An image, a sound or another blob that a tool gave.
   *
   * @since 0.1.0
   * @category models
   */
  type Attachment,
  /**
   * Where the attachments of a call go.
   *
   * @since 0.1.0
   * @category services
   */
  Attachments,
  /**
   * The id of the call that is running.
   *
   * @since 0.1.0
   * @category services
   */
  CallId,
  /**
   * Why a call of a tool did not give a result.
   *
   * @since 0.1.0
   * @category errors
   */
  Failure,
} from "./internal/tool-call.ts"

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
  /**
   * Whether the source itself wants a person asked before a call, always or for some inputs. A policy can ask for more, and not for
   * less.
   */
  readonly approval?: Tool.NeedsApproval<Schema.Unknown> | undefined
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
   * `ToolSource.attach`. Interrupting the effect cancels the call.
   */
  readonly call: (tool: string, input: Schema.JsonObject) => Effect.Effect<Schema.Json, Failure>
  /**
   * Whether it looks at inputs itself, and fails with `INVALID_TOOL_INPUT` for one that does not fit, naming what is wrong. Without it, whoever
   * assembles tools checks inputs against their JSON Schemas first.
   */
  readonly checksInput?: boolean | undefined
}

/**
 * Makes a source of a toolkit with handlers. Its tools are called as ever: inputs are decoded by their schemas, results are given
 * encoded, failures are what the tools say, and files of their model output are attached. `needsApproval` of a tool is kept.
 *
 * Tools stand under their names, or where `Catalog.Path` or `Catalog.Namespace` puts them. Those that a provider defines are left out: nobody
 * else can run them. The services of the handlers are taken here; those of the fiber that makes a call go before them.
 *
 * **Example** (A toolkit among other sources)
 *
 * ```ts
 * import { Assembly, ToolSource } from "@effect-codemode/toolkit"
 * import { Effect, Schema } from "effect"
 * import { Tool, Toolkit } from "effect/ai"
 *
 * const Notes = Toolkit.make(
 *   Tool.make("read", { parameters: Schema.Struct({ id: Schema.Int }), success: Schema.String }).annotate(Tool.Readonly, true),
 *   Tool.make("write", { parameters: Schema.Struct({ text: Schema.String }), success: Schema.Int })
 * )
 *
 * const presented = Effect.gen(function*() {
 *   const notes = yield* ToolSource.fromToolkit("notes", yield* Notes)
 *   return yield* Assembly.toolkit({ notes }, Assembly.readOnly)
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromToolkit: <Tools extends Record<string, Tool.Any>>(
  name: string,
  toolkit: Toolkit.WithHandler<Tools>,
) => Effect.Effect<ToolSource, never, Tool.HandlerServices<Tools[keyof Tools]>> = OfToolkit.make
