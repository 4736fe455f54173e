/**
 * What can be said about the tools a program may call: one entry a tool.
 *
 * @since 0.1.0
 */
import * as Tool from "effect/ai/Tool"
import type * as JsonSchema from "effect/JsonSchema"
import { toolPath } from "./internal/path.ts"
import * as Signature from "./internal/signature.ts"

/**
 * A tool as the model reads about it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry {
  /** The callable name, as it stands in `Execution.tools`: `github.list_issues`. */
  readonly tool: string
  /** The JavaScript expression that reaches it, to be pasted as it is: `tools.github.list_issues`. */
  readonly path: string
  /** What the tool does, or the empty text. */
  readonly description: string
  /** How it is called, in TypeScript: `tools.github.list_issues(input: { owner: string }): Promise<Array<string>>`. */
  readonly signature: string
}

/**
 * All tools of a run, in the order of their names.
 *
 * @since 0.1.0
 * @category models
 */
export interface Catalog {
  readonly entries: ReadonlyArray<Entry>
}

/**
 * Describes tools, by the names they are called with, from the JSON Schemas that a provider would be sent. Total: a tool whose
 * schema has no JSON Schema is described with `unknown` in its place. The same tools give the same catalog.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (tools: Iterable<readonly [name: string, tool: Tool.Any]>): Catalog => ({
  entries: Array.from(tools, ([name, tool]) => ({
    tool: name,
    path: toolPath(name),
    description: Tool.getDescription(tool) ?? "",
    signature: Signature.render(
      name,
      attempt(() => Tool.getJsonSchema(tool)),
      attempt(() => Tool.getJsonSchemaFromSchema(tool.successSchema)),
    ),
  })).sort((a, b) => a.tool < b.tool ? -1 : 1),
})

// A schema that cannot be written as JSON Schema throws; the tool is still there to be called.
const attempt = (schema: () => JsonSchema.JsonSchema): JsonSchema.JsonSchema | undefined => {
  try {
    return schema()
  } catch {
    return undefined
  }
}
