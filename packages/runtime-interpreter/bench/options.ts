// The arguments of the benchmark.
import { parseArgs } from "node:util"

/** What is asked of the benchmark. */
export interface Options {
  /** Only programs with this in their names. */
  readonly filter: string
  /** The file to write the numbers to. */
  readonly json: string | undefined
  /** Fewer rounds: a first impression. */
  readonly quick: boolean
}

/** What the arguments may be. */
export const usage = (script: string): string =>
  `Usage: npm run ${script} -- [options]

  --filter TEXT   only what has this text in its name
  --quick         fewer rounds, for a first impression
  --json FILE     write the numbers to a file, too
  --help          print this`

/** Reads the arguments; a text is what is to be printed instead of a run. */
export const read = (
  args: ReadonlyArray<string>,
  script: string,
): Options | { readonly text: string; readonly failed: boolean } => {
  try {
    const { filter, help, json, quick } = parseArgs({
      args: [...args],
      options: {
        filter: { type: "string", default: "" },
        json: { type: "string" },
        quick: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values
    if (help) return { text: usage(script), failed: false }
    if (json === "") return { text: `--json needs the name of a file\n\n${usage(script)}`, failed: true }
    return { filter, json, quick }
  } catch (error) {
    return { text: `${(error as Error).message.split(". ")[0]}\n\n${usage(script)}`, failed: true }
  }
}

/** Those whose names have the text, or what to say if there are none. */
export const choose = <A extends { readonly name: string }>(
  all: ReadonlyArray<A>,
  filter: string,
): ReadonlyArray<A> | string => {
  const chosen = all.filter(({ name }) => name.includes(filter))
  return chosen.length > 0
    ? chosen
    : `Nothing here is named like "${filter}": ${all.map(({ name }) => name).join(", ")}`
}
