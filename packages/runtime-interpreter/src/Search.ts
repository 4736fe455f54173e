/**
 * Finds tools in a catalog by what they do. Programs reach it as `tools.$codemode.search(...)` and as `search(...)`; hosts, and other
 * runtimes, call it here.
 *
 * @since 0.1.0
 */
import * as Catalog from "@effect-codemode/toolkit/Catalog"
import * as ToolSource from "@effect-codemode/toolkit/ToolSource"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { nameOfPath } from "./internal/search/paths.ts"
import { rank } from "./internal/search/ranking.ts"
import { SearchIndex } from "./internal/search/search-index.ts"

/**
 * The name under which programs call search, in a namespace that no toolkit may claim.
 *
 * @since 0.1.0
 * @category constants
 */
export const toolName = "$codemode.search"

/**
 * The name under which programs call search as a global function.
 *
 * @since 0.1.0
 * @category constants
 */
export const globalName = "search"

/** Models write `null` for what they leave out. */
const optional = <S extends Schema.Constraint>(schema: S) => Schema.optional(Schema.NullOr(schema))

/**
 * What is searched for. Everything may be left out, or be `null`.
 *
 * - `query`: words for what the tool should do, or its path in any form it may be written in. Without one, tools are browsed in the
 *   order of their names.
 * - `namespace`: only tools inside it.
 * - `limit`: how many tools are given at most; 10 by default, 100 at most.
 * - `offset`: how many are skipped; 0 by default.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Input = Schema.Struct({
  query: optional(Schema.String),
  namespace: optional(Schema.String),
  limit: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
  offset: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
}).annotate({ identifier: "SearchInput" })

/**
 * What is searched for; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Input = typeof Input.Type

/**
 * A found tool: the expression that reaches it, what it does, and how it is called.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Item = Schema.Struct({ path: Schema.String, description: Schema.String, signature: Schema.String })

/**
 * A found tool; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Item = typeof Item.Type

/**
 * Found tools, the best first: how many more there are, and where they begin.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Page = Schema.Struct({
  items: Schema.Array(Item),
  remaining: Schema.Int,
  next: Schema.NullOr(Schema.Struct({ offset: Schema.Int })),
}).annotate({ identifier: "SearchPage" })

/**
 * Found tools; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Page = typeof Page.Type

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 100
/** Characters of a description: of one tool among others, and of one that was asked for by its path. */
const MAX_DESCRIPTION = 300
const MAX_OWN_DESCRIPTION = 4000

/**
 * Searches a catalog. The first search builds an index of it, which serves as long as the catalog lives. The same catalog and input give
 * the same page.
 *
 * **Example** (Searching as a host)
 *
 * ```ts
 * import { Search } from "@effect-codemode/runtime-interpreter"
 * import { Catalog } from "@effect-codemode/toolkit"
 *
 * const catalog = Catalog.fromDefinitions([
 *   { tool: "github.create_issue", description: "Create a new issue" },
 *   { tool: "github.list_issues", description: "List issues of a repository" }
 * ])
 *
 * const paths = Search.find(catalog, { query: "open an issue" }).items.map(({ path }) => path)
 * // => ["tools.github.create_issue", "tools.github.list_issues"]
 * ```
 *
 * @since 0.1.0
 * @category searching
 */
export const find = (catalog: Catalog.Catalog, input: Input = {}): Page => {
  const { entries } = catalog
  const limit = Math.min(input.limit ?? DEFAULT_LIMIT, MAX_LIMIT)
  const offset = input.offset ?? 0
  const query = (input.query ?? "").trim()
  const admits = admitted(entries, input.namespace ?? "")
  const { byName, index } = known(catalog)
  const own = byName.get(nameOfPath(query))
  if (own !== undefined && admits(own)) {
    return page([entries[own]!], 1, offset, limit, MAX_OWN_DESCRIPTION)
  }
  const found = query === ""
    ? Array.from(entries.keys()).filter(admits)
    : rank(index(), query, admits, offset + limit).map(({ tool }) => tool)
  return page(
    found.slice(offset, offset + limit).map((tool) => entries[tool]!),
    found.length,
    offset,
    limit,
    MAX_DESCRIPTION,
  )
}

/**
 * Answers a call of search by a program, for runtimes: decodes the input, and fails with `INVALID_TOOL_INPUT` if it does not fit.
 *
 * @since 0.1.0
 * @category searching
 */
export const answer = (
  catalog: Catalog.Catalog,
  input: Schema.JsonObject,
): Effect.Effect<Schema.Json, ToolSource.Failure> =>
  Effect.matchEffect(decode(input), {
    onFailure: ({ message }) =>
      Effect.fail(
        new ToolSource.Failure({
          code: "INVALID_TOOL_INPUT",
          message: `${message}\nsearch takes { query?: string, namespace?: string, limit?: number, offset?: number }.`,
          retryable: true,
        }),
      ),
    onSuccess: (decoded) => Effect.sync(() => find(catalog, decoded)),
  })

const decode = Schema.decodeUnknownEffect(Input, { onExcessProperty: "error" })

/**
 * Gives the paths of the tools that a wrong name may mean, by the words in it: at most so many, the best first.
 *
 * @since 0.1.0
 * @category searching
 */
export const meant = (catalog: Catalog.Catalog, name: string, count: number): Array<string> =>
  rank(known(catalog).index(), name, () => true, count).slice(0, count).map(({ tool }) => catalog.entries[tool]!.path)

/**
 * Gives a catalog of names alone, for a run that was given no catalog.
 *
 * @since 0.1.0
 * @category constructors
 */
export const catalogOf = (names: ReadonlyArray<string>): Catalog.Catalog => {
  let catalog = catalogs.get(names)
  if (catalog === undefined) {
    catalog = Catalog.fromDefinitions(names.map((tool) => ({ tool })))
    catalogs.set(names, catalog)
  }
  return catalog
}

// Hosts run many programs over one list of names.
const catalogs = new WeakMap<ReadonlyArray<string>, Catalog.Catalog>()

interface Known {
  readonly byName: ReadonlyMap<string, number>
  readonly index: () => SearchIndex
}

const indexes = new WeakMap<Catalog.Catalog, Known>()

const known = (catalog: Catalog.Catalog): Known => {
  const found = indexes.get(catalog)
  if (found !== undefined) return found
  let index: SearchIndex | undefined
  const made: Known = {
    byName: new Map(catalog.entries.map(({ tool }, i) => [tool, i])),
    index: () => index ??= new SearchIndex(catalog.entries),
  }
  indexes.set(catalog, made)
  return made
}

const admitted = (entries: ReadonlyArray<Catalog.Entry>, namespace: string): (tool: number) => boolean => {
  const name = nameOfPath(namespace)
  if (name === "" || name === "tools") return () => true
  return (tool) => entries[tool]!.tool.startsWith(`${name}.`)
}

const page = (
  shown: ReadonlyArray<Catalog.Entry>,
  total: number,
  offset: number,
  limit: number,
  most: number,
): Page => {
  const items = shown.slice(0, limit).map(({ description, path, signature }) => ({
    path,
    description: cut(description, most),
    signature,
  }))
  const end = offset + items.length
  const remaining = Math.max(0, total - end)
  return { items, remaining, next: remaining === 0 ? null : { offset: end } }
}

const cut = (text: string, most: number): string => {
  const whole = text.slice(0, most * 2).trim()
  if (whole.length <= most) return whole
  return `${whole.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "").trimEnd()}…`
}
