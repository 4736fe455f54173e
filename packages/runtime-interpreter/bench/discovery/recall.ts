import { Search } from "@effect-codemode/runtime-interpreter"
import type { Catalog } from "@effect-codemode/toolkit"
import type { Query } from "./catalogs.ts"

/** How often search finds what answers a query, among the first so many. */
export interface Recall {
  readonly queries: number
  readonly at1: number
  readonly at5: number
  readonly at10: number
  /** Those that are not answered by the first tool found. */
  readonly missed: ReadonlyArray<
    { readonly query: string; readonly rank: number | null; readonly found: ReadonlyArray<string> }
  >
}

export const recallOf = (catalog: Catalog.Catalog, queries: ReadonlyArray<Query>): Recall => {
  const pathOf = new Map(catalog.entries.map(({ path, tool }) => [tool, path]))
  const ranks = queries.map(([query, answers]) => {
    const found = Search.find(catalog, { query, limit: 10 }).items.map(({ path }) => path)
    const at = answers.map((tool) => found.indexOf(pathOf.get(tool) ?? "")).filter((i) => i >= 0)
    return { query, rank: at.length === 0 ? null : Math.min(...at) + 1, found: found.slice(0, 3) }
  })
  const share = (most: number) => ranks.filter(({ rank }) => rank !== null && rank <= most).length / queries.length
  return {
    queries: queries.length,
    at1: share(1),
    at5: share(5),
    at10: share(10),
    missed: ranks.filter(({ rank }) => rank !== 1),
  }
}
