// The programs that are measured, in the order in which they are printed.
import { readFileSync } from "node:fs"

/**
 * What a program is about.
 *
 * - `cpu`: it only computes. The means are over these.
 * - `tools`: it does with tools' results what models do with them.
 * - `calls`: next to nothing but so many calls, or nothing at all.
 */
export type Kind = "cpu" | "tools" | "calls"

/** A program of the benchmark. */
export interface Program {
  readonly name: string
  readonly kind: Kind
  /** Tool calls in one run, if these are what is measured. */
  readonly calls?: number
  /** What it is, in a sentence. */
  readonly title: string
  readonly code: string
}

const names: Readonly<Record<Kind, ReadonlyArray<string>>> = {
  cpu: [
    "arithmetic",
    "fib",
    "properties",
    "closures",
    "strings",
    "maps",
    "sort",
    "classes",
    "generators",
    "promises",
    "json",
    "richards",
    "deltablue",
    "ray-tracer",
    "navier-stokes",
    "n-body",
    "spectral-norm",
    "fannkuch",
    "binary-trees",
    "patterns",
    "documents",
    "string-building",
    "collections",
    "sorting",
    "ping-pong",
    "merge-configurations",
    "diff-lists",
    "dependency-order",
  ],
  tools: [
    "rows",
    "join-results",
    "paginate",
    "retry",
    "aggregate-dates",
    "parse-logs",
    "markdown-report",
    "group-and-rank",
    "csv-summary",
    "score-texts",
  ],
  calls: ["empty", "parallel", "sequential"],
}

const calls: Readonly<Record<string, number>> = { parallel: 1000, sequential: 200 }

const read = (name: string, kind: Kind): Program => {
  // From `bench` or from `build/bench`: the build leaves the programs where they are.
  const folder = import.meta.url.includes("/build/") ? "../../bench/programs/" : "./programs/"
  const code = readFileSync(new URL(`${folder}${name}.js`, import.meta.url), "utf8")
  const title = code.slice(3, code.indexOf("\n")).replace(/\.$/, "")
  const count = calls[name]
  return { name, kind, ...count === undefined ? {} : { calls: count }, title, code }
}

/** All programs. The first line of each file is its title. */
export const load = (): ReadonlyArray<Program> =>
  (["cpu", "tools", "calls"] as const).flatMap((kind) => names[kind].map((name) => read(name, kind)))
