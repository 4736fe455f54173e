// Evaluates what the model is shown of its tools, and search: npm run bench:discovery -- PATH... [--json FILE] [--missed]
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { load } from "./discovery/catalogs.ts"
import { codeModeOf, definitionsOf } from "./discovery/presented.ts"
import { type Recall, recallOf } from "./discovery/recall.ts"
import { check, type Checked } from "./discovery/signatures.ts"
import { synthetic } from "./discovery/synthetic.ts"
import { isStable, type Times, timesOf } from "./discovery/times.ts"
import { type Length, lengthOf, type Tokens, tokensOf } from "./discovery/tokens.ts"

const refuse = (why: string): never => {
  console.error(`${why}\nUsage: npm run bench:discovery -- PATH... [--json FILE] [--missed]`)
  console.error("Each path is a folder or file of catalogs (`tools`) or of queries (`queries`).")
  return process.exit(2)
}

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { json: { type: "string" }, missed: { type: "boolean", default: false } },
    })
  } catch (error) {
    return refuse((error as Error).message.split(". ")[0]!)
  }
}

const { positionals, values: options } = readArguments()
if (positionals.length === 0) refuse("Nothing to evaluate.")
const readAll = () => {
  try {
    return load(positionals)
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const { catalogs, queries } = readAll()
if (catalogs.length === 0) refuse(`No catalogs in ${positionals.join(", ")}.`)

interface Report {
  readonly catalogs: number
  readonly tools: number
  readonly shown: string
  readonly tokens: Tokens
  /** How many times fewer tokens the description has than the tools themselves. */
  readonly times: { readonly listed: number; readonly provided: number }
  readonly signatures: Checked
  readonly recall: Recall | null
  readonly milliseconds: Times
  readonly stable: boolean
  readonly synthetic: {
    readonly tools: number
    readonly description: Length
    readonly milliseconds: Times
    readonly stable: boolean
  }
}

const definitions = definitionsOf(catalogs)
const mode = codeModeOf(definitions)
const tokens = tokensOf(mode, catalogs)
const many = synthetic()
const asked = [
  "list comments of tickets",
  "delete a webhook record",
  "export every invoice item as a file",
  "who changed a label",
]
const report: Report = {
  catalogs: catalogs.length,
  tools: definitions.length,
  shown: /^## .*\((.*)\)/m.exec(mode.texts.catalog)?.[1] ?? "",
  tokens,
  times: {
    listed: tokens.listed.exact / tokens.description.exact,
    provided: tokens.provided.exact / tokens.description.exact,
  },
  signatures: check(mode.catalog.entries),
  recall: queries.length === 0 ? null : recallOf(mode.catalog, queries),
  milliseconds: timesOf(definitions, queries.length === 0 ? asked : queries.map(([query]) => query)),
  stable: isStable(definitions),
  synthetic: {
    tools: many.length,
    description: lengthOf(codeModeOf(many).instructions),
    milliseconds: timesOf(many, asked),
    stable: isStable(many),
  },
}

const whole = (value: number): string => value.toLocaleString("en-US")
const row = (title: string, ...cells: ReadonlyArray<string>): void =>
  console.log([title.padEnd(44), ...cells.map((cell) => cell.padStart(10))].join("  ").trimEnd())
const length = (title: string, { estimate, exact }: Length, more = ""): void =>
  row(title, whole(exact), whole(estimate), more)
const times = (title: string, { description, index, query }: Times, stable: boolean): void => {
  const cells = [description, index, query].map((value) => value.toFixed(value < 10 ? 2 : 0))
  row(title, ...cells, stable ? "yes" : "NO")
}

row(`${report.tools} tools of ${report.catalogs} catalogs: tokens`, "exact", "estimate", "times")
length("as their servers list them", tokens.listed, report.times.listed.toFixed(1))
length("of these, what a provider is sent", tokens.provided, report.times.provided.toFixed(1))
length("the description of `execute`", tokens.description, "1.0")
length("  without the catalog", tokens.fixed)
length(`  the catalog, ${report.shown}`, tokens.catalog)
console.log()
const { refused, total, unparsed } = report.signatures
row("signatures", "of", "")
row("  that parse as TypeScript", whole(total - new Set(unparsed.map(({ path }) => path)).size), whole(total))
row("  that take a minimal valid input", whole(total - new Set(refused.map(({ path }) => path)).size), whole(total))
for (const { message, path } of [...unparsed, ...refused].slice(0, 10)) console.log(`    ${path}: ${message}`)
console.log()
if (report.recall !== null) {
  const { at1, at10, at5, missed } = report.recall
  row(`recall over ${report.recall.queries} queries`, "at 1", "at 5", "at 10")
  row("  search", at1.toFixed(3), at5.toFixed(3), at10.toFixed(3))
  if (options.missed) {
    for (const { found, query, rank } of missed) console.log(`    ${rank ?? "-"}: ${query} (${found.join(" ")})`)
  }
  console.log()
}
row("milliseconds", "text", "index", "query", "same text")
times(`  ${whole(report.tools)} tools`, report.milliseconds, report.stable)
times(`  ${whole(report.synthetic.tools)} tools, made up`, report.synthetic.milliseconds, report.synthetic.stable)
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, undefined, 2)}\n`)
