// A process that runs random programs, one after another, and tells what it found to the one that watches it.
import { fileURLToPath } from "node:url"
import { check, functionsOf, leftBehind } from "./check.ts"
import { readCorpus } from "./corpus.ts"
import { type Fuzzed, programOf, type Sources, textOf } from "./programs.ts"
import { shrink } from "./shrink.ts"

/** What the watcher asks for: programs of these numbers. */
export interface Order {
  readonly seed: number
  readonly from: number
  readonly to: number
  /** Whether failures are made smaller. */
  readonly shrinks: boolean
}

/** What the worker tells. */
export type Word =
  | { readonly type: "started"; readonly number: number }
  | {
    readonly type: "failed"
    readonly number: number
    readonly kind: string
    readonly found: string
    readonly code: string
  }
  /** It is still at work on a failure. */
  | { readonly type: "shrinking" }
  | { readonly type: "done"; readonly kinds: Readonly<Record<string, number>>; readonly heap: number }

const say = (word: Word): void => void process.send?.(word)

/** The same failure, whatever the numbers and places in it. */
const gist = (found: string): string => found.replace(/\d+/g, "").slice(0, 40)

/** What does not hold; of what takes long, only if it does so again: the first time, a host may have had something to load. */
const surely = async (code: string): Promise<string | undefined> => {
  const found = await check(code)
  return found?.includes("was held") === true ? check(code) : found
}

const smaller = async (program: Fuzzed, found: string): Promise<string> => {
  const parts = await shrink(
    program.parts,
    async (parts) => {
      say({ type: "shrinking" })
      const now = await check(textOf({ ...program, parts }))
      return now !== undefined && gist(now) === gist(found)
    },
    found.includes("held") ? 60 : 300,
  )
  return textOf({ ...program, parts })
}

export const readSources = async (): Promise<Sources> => {
  // TypeScript's compiler is loaded once in a process, which takes a while.
  await check("let x: number = 1; return x")
  return {
    functions: await functionsOf(),
    // The build leaves the programs where they are.
    corpus: readCorpus(fileURLToPath(new URL("../../../", import.meta.url))),
  }
}

const collect = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const obey = async (sources: Sources, { from, seed, shrinks, to }: Order): Promise<void> => {
  const kinds: Record<string, number> = {}
  for (let number = from; number < to; number++) {
    say({ type: "started", number })
    const program = programOf(seed, number, sources)
    kinds[program.kind] = (kinds[program.kind] ?? 0) + 1
    const found = await surely(textOf(program)) ?? leftBehind()
    if (found !== undefined) {
      say({
        type: "failed",
        number,
        kind: program.kind,
        found,
        code: shrinks ? await smaller(program, found) : textOf(program),
      })
    }
  }
  say({ type: "done", kinds, heap: collect() })
}

if (process.send !== undefined) {
  // Whoever watches is gone.
  process.on("disconnect", () => process.exit(1))
  const sources = readSources()
  process.on("message", (order: Order) => void sources.then((sources) => obey(sources, order)))
}
