// Times the interpreter against others: npm run bench -- [--filter TEXT] [--quick] [--json FILE]
import { deepStrictEqual } from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { isDeepStrictEqual } from "node:util"
import type { Engine } from "./engines/engine.ts"
import * as Interpreter from "./engines/interpreter.ts"
import * as NodeVm from "./engines/node-vm.ts"
import * as QuickJs from "./engines/quickjs.ts"
import * as Sval from "./engines/sval.ts"
import { compare, quick, thorough, type Timed } from "./measure.ts"
import * as Options from "./options.ts"
import * as Programs from "./programs.ts"
import { head, notes, render, type Row, sentence, summarise } from "./report.ts"

const stop = (text: string, failed: boolean): never => {
  ;(failed ? console.error : console.log)(text)
  return process.exit(failed ? 2 : 0)
}

const options = Options.read(process.argv.slice(2), "bench")
if ("text" in options) stop(options.text, options.failed)
const { filter, json, quick: isQuick } = options as Options.Options
const chosen = Options.choose(Programs.load(), filter)
if (typeof chosen === "string") stop(chosen, true)

const ours = Interpreter.load()
const strict = [await QuickJs.load(), NodeVm.load()]
const lenient = Sval.load()
const peers = [strict[0]!, lenient, strict[1]!]

// Why an engine does not run a program, if it does not.
const reasonOf = async (engine: Engine, code: string, expected: unknown): Promise<string | undefined> => {
  try {
    return isDeepStrictEqual(await engine.run(code), expected) ? undefined : "it gives another result"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const measure = async ({ calls, code, kind, name, title }: Programs.Program): Promise<Row> => {
  const expected = await ours.run(code)
  for (const engine of strict) {
    deepStrictEqual(await engine.run(code), expected, `${engine.name} gives another result for ${name}`)
  }
  const reason = await reasonOf(lenient, code, expected)
  const able = peers.filter((engine) => engine !== lenient || reason === undefined)
  const timed = await compare([ours, ...able].map((engine) => () => engine.run(code)), isQuick ? quick : thorough)
  const own = timed[0]!
  return {
    name,
    title,
    kind,
    ...calls === undefined ? {} : { calls },
    ours: own.time,
    rounds: own.rounds,
    peers: Object.fromEntries(peers.map((engine): [string, Timed | { readonly reason: string }] => {
      const at = able.indexOf(engine)
      return [engine.name, at < 0 ? { reason: reason! } : timed[at + 1]!]
    })),
  }
}

const rows: Array<Row> = []
console.log(head(peers.map(({ name }) => name)))
for (const program of chosen as ReadonlyArray<Programs.Program>) {
  const row = await measure(program)
  rows.push(row)
  console.log(render(row))
}
const cpu = summarise(rows.filter(({ kind }) => kind === "cpu"))
const withTools = summarise(rows.filter(({ kind }) => kind === "tools"))
console.log("\nMedians, and of the ratios the 10th and 90th percentile, over rounds in which all took turns.")
console.log("A run is a realm of its own, from source text to result, in an engine that is warm.")
for (const note of notes(rows)) console.log(note)
console.log()
if (cpu !== undefined) console.log(sentence("Programs that compute", cpu))
if (withTools !== undefined) console.log(sentence("Programs over tools' results", withTools))
if (json !== undefined) {
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length }
  writeFileSync(
    json,
    `${JSON.stringify({ machine, summary: { cpu, tools: withTools }, programs: rows }, undefined, 2)}\n`,
  )
}
