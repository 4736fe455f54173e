import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"

/** A tool as a server lists it. */
export interface Definition {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: { readonly [key: string]: unknown }
  readonly outputSchema?: { readonly [key: string]: unknown }
}

/** What a server answered to `tools/list`. */
export interface ServerCatalog {
  /** The name of the file, which is the namespace of the tools. */
  readonly name: string
  readonly tools: ReadonlyArray<Definition>
}

/** What a model asks for, and the tools that answer it, any one of them. */
export type Query = readonly [query: string, answers: ReadonlyArray<string>]

export interface Loaded {
  readonly catalogs: ReadonlyArray<ServerCatalog>
  readonly queries: ReadonlyArray<Query>
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null

const jsonFiles = (path: string): Array<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path).toSorted().flatMap((name) => {
      const inside = join(path, name)
      return statSync(inside).isDirectory() || name.endsWith(".json") ? jsonFiles(inside) : []
    })
    : [path]

/**
 * Reads folders and files of JSON: a file with `tools` is the catalog of a server, one with `queries` an evaluation of search, and any
 * other is passed over.
 */
export const load = (paths: ReadonlyArray<string>): Loaded => {
  const catalogs: Array<ServerCatalog> = []
  const queries: Array<Query> = []
  for (const file of paths.flatMap(jsonFiles)) {
    const json: unknown = JSON.parse(readFileSync(file, "utf8"))
    if (!isRecord(json)) continue
    if (Array.isArray(json.tools)) {
      catalogs.push({ name: basename(file, ".json"), tools: json.tools as Array<Definition> })
    }
    if (Array.isArray(json.queries)) queries.push(...json.queries as Array<Query>)
  }
  return { catalogs, queries }
}
