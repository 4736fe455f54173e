// Times the interpreter against QuickJS compiled to WebAssembly: npm run bench -- [--filter TEXT] [--json FILE]
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import { deepStrictEqual } from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { compare } from "./measure.ts"
import * as Peer from "./peer.ts"
import { head, render, type Row } from "./report.ts"
import * as Tools from "./tools.ts"

interface Program {
  readonly name: string
  readonly calls?: number
}

const programs: ReadonlyArray<Program> = [
  { name: "arithmetic" },
  { name: "fib" },
  { name: "properties" },
  { name: "closures" },
  { name: "strings" },
  { name: "maps" },
  { name: "sort" },
  { name: "classes" },
  { name: "generators" },
  { name: "promises" },
  { name: "json" },
  { name: "rows" },
  { name: "empty" },
  { name: "parallel", calls: 1000 },
  { name: "sequential", calls: 200 },
]

const readArguments = () => {
  try {
    return parseArgs({ options: { filter: { type: "string" }, json: { type: "string" } } })
  } catch (error) {
    console.error(`${(error as Error).message.split(". ")[0]}\nUsage: npm run bench -- [--filter NAME] [--json FILE]`)
    return process.exit(2)
  }
}

const { values: options } = readArguments()
const chosen = programs.filter(({ name }) => options.filter === undefined || name.includes(options.filter))
if (chosen.length === 0) {
  console.error(`No program matches "${options.filter}": ${programs.map(({ name }) => name).join(", ")}`)
  process.exit(2)
}

// Long programs run to their end: what is measured is speed, with all meters on.
const runtime = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })
const ours = (code: string): Promise<unknown> =>
  Effect.runPromise(
    Effect.map(runtime.run({ code, tools: Tools.names, call: Tools.call }), (outcome) => outcome.result),
  )
const peer = await Peer.load()

const rows: Array<Row> = []
console.log(head)
for (const { calls, name } of chosen) {
  // The build leaves the programs where they are.
  const code = readFileSync(new URL(`../../bench/programs/${name}.js`, import.meta.url), "utf8")
  deepStrictEqual(await ours(code), await peer(code, Tools.call), `The engines disagree on ${name}`)
  const comparison = await compare(() => ours(code), () => peer(code, Tools.call))
  const title = code.slice(3, code.indexOf("\n")).replace(/\.$/, "")
  const row: Row = { name, title, ...calls === undefined ? {} : { calls }, ...comparison }
  rows.push(row)
  console.log(render(row))
}
console.log("\nMedians, and of the ratio the 10th and 90th percentile, over rounds in which the two took turns.")
if (options.json !== undefined) {
  writeFileSync(options.json, `${JSON.stringify(rows, undefined, 2)}\n`)
}
