import { Search } from "@effect-codemode/runtime-interpreter"
import { Catalog } from "@effect-codemode/toolkit"
import { codeModeOf } from "./presented.ts"

/** Milliseconds, each the median of several times. */
export interface Times {
  /** From the tools to the text the model reads. */
  readonly description: number
  readonly index: number
  readonly query: number
}

const ROUNDS = 7

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

const timed = (work: () => void): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const rounds = (work: () => number): number => median(Array.from({ length: ROUNDS }, work))

export const timesOf = (definitions: ReadonlyArray<Catalog.Definition>, queries: ReadonlyArray<string>): Times => {
  const catalog = Catalog.fromDefinitions(definitions)
  Search.find(catalog, { query: queries[0] })
  return {
    description: rounds(() => timed(() => void Catalog.render(Catalog.fromDefinitions(definitions)))),
    index: rounds(() => {
      const fresh = Catalog.fromDefinitions(definitions)
      return timed(() => void Search.find(fresh, { query: queries[0] }))
    }),
    query: rounds(() => median(queries.map((query) => timed(() => void Search.find(catalog, { query }))))),
  }
}

/** Whether the text is the same, byte for byte, however often and in whatever order it is built. */
export const isStable = (definitions: ReadonlyArray<Catalog.Definition>): boolean =>
  codeModeOf(definitions).instructions === codeModeOf(definitions.toReversed()).instructions
