import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const filesIn = (folder: string, pattern: RegExp): ReadonlyArray<string> => {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => pattern.test(path) && !/node_modules|build|dist|\.d\.ts/.test(path))
      .sort()
      .map((path) => readFileSync(join(folder, path), "utf8"))
  } catch {
    return []
  }
}

/** Programs that stand as texts in a module: what is between backticks. */
const textsIn = (module: string): ReadonlyArray<string> =>
  Array.from(module.matchAll(/`((?:[^`\\]|\\.){12,})`/g), ([, text]) => text!.replace(/\\([`\\$])/g, "$1"))

/** A module as a program: without what only modules have. */
const withoutModules = (module: string): string =>
  module.replace(/^import[^;"]*?"[^"\n]*"$/gm, "").replace(/^export (?=\w)(?!default)/gm, "")

/**
 * Real programs: those that the tests, the benchmark and the examples run, and the package's own sources, which are TypeScript.
 * `folder` is that of the package.
 */
export const readCorpus = (folder: string): ReadonlyArray<string> => [
  ...filesIn(join(folder, "bench/programs"), /\.js$/),
  ...filesIn(join(folder, "test"), /\.js$/),
  ...filesIn(join(folder, "test"), /(cases|programs|test)\.ts$/).flatMap(textsIn),
  ...filesIn(join(folder, "../../examples"), /\.ts$/).map(withoutModules),
  ...filesIn(join(folder, "src"), /\.ts$/).map(withoutModules),
]
