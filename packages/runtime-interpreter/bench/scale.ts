// What runs cost where there are many of them, or much in them: npm run bench:scale -- [--filter TEXT] [--quick] [--json FILE]
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Options from "./options.ts"
import { growths, holds, type Measure } from "./scale/measure.ts"
import { type Listed, parts } from "./scale/parts.ts"

const stop = (text: string, failed: boolean): never => {
  ;(failed ? console.error : console.log)(text)
  return process.exit(failed ? 2 : 0)
}

const options = Options.read(process.argv.slice(2), "bench:scale")
if ("text" in options) stop(options.text, options.failed)
const { filter, json, quick } = options as Options.Options
const chosen = Options.choose(parts, filter)
if (typeof chosen === "string") stop(chosen, true)

const run = promisify(execFile)
const worker = fileURLToPath(new URL("scale/worker.js", import.meta.url))

// A process of its own for each part: what one leaves on the heap is not the next one's.
const measure = async ({ heap, name }: Listed): Promise<ReadonlyArray<Measure>> => {
  const args = ["--expose-gc", `--max-old-space-size=${heap}`, worker, name, quick ? "quick" : "thorough"]
  const { stdout } = await run(process.execPath, args, { maxBuffer: 1024 ** 2 })
  return JSON.parse(stdout) as ReadonlyArray<Measure>
}

const number = (value: number): string =>
  Math.abs(value) < 10
    ? value.toFixed(3)
    : Math.abs(value) < 100
    ? value.toFixed(1)
    : Math.round(value).toLocaleString("en-US")

const line = (measure: Measure): string => {
  const { bound, name, spread, unit, value } = measure
  const from = spread === undefined ? "" : `  (${spread.map(number).join(" to ")})`
  const told = from + (bound === undefined ? "" : `  at ${bound.at} ${bound.value}: ${holds(measure) ? "yes" : "NO"}`)
  return `${name.padEnd(80)}${number(value).padStart(10)} ${unit.padEnd(6)}${told}`.trimEnd()
}

const all: Array<Measure> = []
for (const part of chosen as ReadonlyArray<Listed>) {
  const measures = await measure(part)
  all.push(...measures)
  for (const one of measures) console.log(line(one))
  console.log()
}
const grown = growths(all)
if (grown.length > 0) {
  console.log("What is grown to what, divided by the amounts: 1 where it grows as they do.")
  for (const one of grown) console.log(line(one))
  console.log()
}
all.push(...grown)
const bounded = all.filter(({ bound }) => bound !== undefined)
console.log(`${bounded.filter(holds).length} of ${bounded.length} are as they are to be.`)
if (json !== undefined) {
  writeFileSync(json, `${JSON.stringify(all.map((one) => Object.assign({ holds: holds(one) }, one)), undefined, 2)}\n`)
}
