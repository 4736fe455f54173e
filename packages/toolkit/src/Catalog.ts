/**
 * What can be said about the tools a program may call: how each is called, what it does, and as much of that as fits into a budget.
 *
 * @since 0.1.0
 */
import * as Tool from "effect/ai/Tool"
import * as Context from "effect/Context"
import type * as JsonSchema from "effect/JsonSchema"
import { attempt } from "./internal/attempt.ts"
import * as Text from "./internal/catalog-text.ts"
import { byPrefix, namespaceOf, toolPath } from "./internal/path.ts"
import * as Signature from "./internal/signature.ts"
import { finish } from "./internal/turns.ts"

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
  /** The part of the callable name before its last segment: `github`. Empty for a tool that stands at the top. */
  readonly namespace: string
  /** What the tool does, or the empty text. As the tool says it, of any length. */
  readonly description: string
  /**
   * How it is called, in TypeScript, with what is told of its fields as comments, on several lines:
   * `tools.github.list_issues(input: { owner: string }): Promise<Array<string>>`. At most 16,000 characters beside the path.
   */
  readonly signature: string
  /** The same on one line, the types alone. */
  readonly compact: string
  /** The JSON Schema of the input, if there is one. */
  readonly input: JsonSchema.JsonSchema | undefined
}

/**
 * All tools of a run, in the order of their names.
 *
 * @since 0.1.0
 * @category models
 */
export interface Catalog {
  readonly entries: ReadonlyArray<Entry>
  /** What is told of namespaces beside their tools, by namespace. */
  readonly notes?: ReadonlyMap<string, string>
  /** Namespaces whose tools cannot be called now, because who has them is not there. */
  readonly unavailable?: ReadonlyArray<string>
}

/**
 * What a catalog is made from, for whoever has tools in another form than those of `effect/ai`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Definition {
  /** The callable name. A dot separates namespaces: `github.list_issues`. */
  readonly tool: string
  readonly description?: string | undefined
  /** The JSON Schema of the input. Without one, any object can be sent. */
  readonly input?: JsonSchema.JsonSchema | undefined
  /** The JSON Schema of the result. Without one, it is `unknown`. */
  readonly output?: JsonSchema.JsonSchema | undefined
}

/**
 * The annotation that puts a tool into a namespace: with the path `github`, the tool `list_issues` is
 * `tools.github.list_issues`. A tool whose name begins with the path already stays where it is. `notes` is what the model is told of
 * the namespace, such as the instructions of a server, cut at 300 characters; the first tool that has some tells them.
 *
 * @since 0.1.0
 * @category annotations
 */
export class Namespace extends Context.Service<Namespace, {
  readonly path: string
  readonly notes?: string | undefined
}>()("@effect-codemode/toolkit/Catalog/Namespace") {}

/**
 * The annotation that tells the whole callable name of a tool, whatever its own name is: a provider takes fewer names than code
 * does. `Namespace` beside it tells whose notes the tool brings, and not where the tool stands.
 *
 * @since 0.1.0
 * @category annotations
 */
export class Path extends Context.Service<Path, string>()("@effect-codemode/toolkit/Catalog/Path") {}

/**
 * The annotation that tells the JSON Schema of a tool's result, for tools whose success schema does not: those of a server, whose
 * results are not decoded.
 *
 * @since 0.1.0
 * @category annotations
 */
export class Output
  extends Context.Service<Output, JsonSchema.JsonSchema>()("@effect-codemode/toolkit/Catalog/Output")
{}

/**
 * How tools get their callable names.
 *
 * @since 0.1.0
 * @category models
 */
export interface NameOptions {
  /**
   * Prefixes of flat names that are namespaces: with `["github"]`, `github_list_issues` is `tools.github.list_issues`. The longest
   * prefix wins; a name that begins with none, or has a dot or an annotated namespace, stays as it is.
   */
  readonly namespaces?: ReadonlyArray<string> | undefined
}

/**
 * Gives the callable name of a tool: the one of its annotation, or its own in the namespace of an annotation or of a prefix.
 *
 * @since 0.1.0
 * @category getters
 */
export const nameOf = (options: NameOptions = {}): (name: string, tool: Tool.Any) => string => {
  const flat = byPrefix(options.namespaces ?? [])
  return (name, tool) => {
    const path = annotation(tool, Path)
    if (path !== undefined) return path
    const namespace = annotation(tool, Namespace)?.path
    if (namespace === undefined || namespace === "") return flat(name)
    return name.startsWith(`${namespace}.`) ? name : `${namespace}.${name}`
  }
}

const annotation = <Identifier, Shape>(tool: Tool.Any, key: Context.Key<Identifier, Shape>): Shape | undefined =>
  Context.getOrUndefined(tool.annotations as Context.Context<never>, key)

/**
 * Describes tools, by the names they are called with, from the JSON Schemas that a provider would be sent. Total: a tool whose
 * schema has no JSON Schema is described with `unknown` in its place. The same tools give the same catalog. Signatures are rendered
 * when they are read. `unavailable` names the namespaces whose tools cannot be called now.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  tools: Iterable<readonly [name: string, tool: Tool.Any]>,
  unavailable: ReadonlyArray<string> = [],
): Catalog => {
  const notes = new Map<string, string>()
  const entries: Array<Entry> = []
  // In the order of their names, so that the same tools tell the same in whatever order they come.
  for (const [name, tool] of Array.from(tools).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)) {
    const namespace = annotation(tool, Namespace)
    if (namespace?.notes !== undefined) {
      const own = name.startsWith(`${namespace.path}.`) ? namespace.path : namespaceOf(name)
      if (!notes.has(own)) notes.set(own, namespace.notes)
    }
    entries.push(new OfTool(name, tool))
  }
  return { entries, notes, unavailable: unavailable.toSorted() }
}

/**
 * Describes tools that are given as JSON Schemas.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromDefinitions = (definitions: Iterable<Definition>): Catalog => ({
  entries: sorted(Array.from(definitions, (definition) => new OfDefinition(definition))),
})

/**
 * Writes a catalog as the model reads it: every namespace with its number of tools, and whole entries as far as the budget goes, those
 * of the namespaces by turns, the shortest first. The same catalog gives the same text.
 *
 * @since 0.1.0
 * @category rendering
 */
export const render = (catalog: Catalog, options: RenderOptions = {}): Rendered =>
  finish(Text.render(catalog, {
    budget: options.budget ?? defaultBudget,
    paths: options.paths ?? false,
    footer: options.footer ?? "",
  }))

/**
 * How a catalog is written.
 *
 * @since 0.1.0
 * @category models
 */
export interface RenderOptions {
  /** How long the text may be, in tokens, estimated as a quarter of its characters. 2,000 by default. Lines of namespaces are always there. */
  readonly budget?: number | undefined
  /** Whether the paths of tools that do not fit are listed, whatever the budget, so that no tool is out of reach. Not by default. */
  readonly paths?: boolean | undefined
  /** TypeScript that is written below the tools of a catalog that does not fit: how to search. Counts against the budget. */
  readonly footer?: string | undefined
}

/**
 * A catalog as text.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rendered {
  /** Markdown. */
  readonly text: string
  /** How many tools are shown with their signatures. */
  readonly shown: number
  /** How many tools there are. */
  readonly total: number
}

/**
 * The budget of a catalog's text where none is given, in estimated tokens.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaultBudget = 2000

const sorted = (entries: Array<Entry>): Array<Entry> =>
  entries.sort((a, b) => a.tool < b.tool ? -1 : a.tool > b.tool ? 1 : 0)

// Rendering thousands of signatures takes longer than most of them are worth: each is rendered when it is read.
abstract class Described implements Entry {
  readonly path: string
  readonly namespace: string
  private pretty: string | undefined = undefined
  private short: string | undefined = undefined

  readonly description: string

  constructor(readonly tool: string, description: unknown) {
    this.description = typeof description === "string" ? description : ""
    this.path = toolPath(tool)
    this.namespace = namespaceOf(tool)
  }

  abstract readonly input: JsonSchema.JsonSchema | undefined
  protected abstract readonly output: JsonSchema.JsonSchema | undefined

  get signature(): string {
    return this.pretty ??= Signature.render(this.path, this.input, this.output, "pretty")
  }

  get compact(): string {
    return this.short ??= Signature.render(this.path, this.input, this.output, "compact")
  }
}

class OfDefinition extends Described {
  readonly input: JsonSchema.JsonSchema | undefined
  protected readonly output: JsonSchema.JsonSchema | undefined

  constructor({ description, input, output, tool }: Definition) {
    super(tool, description)
    this.input = input
    this.output = output
  }
}

class OfTool extends Described {
  constructor(name: string, private readonly of: Tool.Any) {
    super(name, attempt(() => Tool.getDescription(of), undefined))
  }

  get input(): JsonSchema.JsonSchema | undefined {
    return remembered(inputs, this.of, Tool.getJsonSchema)
  }

  protected get output(): JsonSchema.JsonSchema | undefined {
    return annotation(this.of, Output) ?? remembered(outputs, this.of.successSchema, Tool.getJsonSchemaFromSchema)
  }
}

type Remembered<Key extends object> = WeakMap<Key, JsonSchema.JsonSchema | undefined>

// To write a schema as JSON Schema takes longer than all else about a tool, and a host that makes a toolkit for each request presents the
// same tools again and again.
const inputs: Remembered<Tool.Any> = new WeakMap()
const outputs: Remembered<Tool.Any["successSchema"]> = new WeakMap()

const remembered = <Key extends object>(
  known: Remembered<Key>,
  key: Key,
  write: (key: Key) => JsonSchema.JsonSchema,
): JsonSchema.JsonSchema | undefined => {
  if (known.has(key)) return known.get(key)
  // A schema that cannot be written as JSON Schema throws; the tool is still there to be called.
  const schema = attempt(() => write(key), undefined)
  known.set(key, schema)
  return schema
}
