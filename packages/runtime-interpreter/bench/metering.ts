// What metering costs: npm run bench:metering -- [--filter NAME] [--processes N]
import { deepStrictEqual } from "node:assert/strict"
import { execFile } from "node:child_process"
import { readdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { copyWithoutMeters } from "./metering/strip.ts"
import type { Task, Timed } from "./metering/worker.ts"

const usage = `npm run bench:metering -- [options]

  --filter NAME    only the benchmark programs whose name has this text
  --processes N    how many processes measure each program with each build, 3 by default
  --time MS        milliseconds of processor that each of them measures, 600 by default

Runs the benchmark's programs with the interpreter as it is, again as it is, and with a copy out of which everything is taken that
meters: fuel, slices and memory. Each run of a program is in a process of its own, under the default limits. Prints what metering
costs, and by how much what is the same seems to differ: the noise.`

const refuse = (message: string): never => {
  console.error(`${message}\n\n${usage}`)
  return process.exit(2)
}

const read = () => {
  try {
    return parseArgs({
      options: {
        filter: { type: "string", default: "" },
        processes: { type: "string", default: "3" },
        time: { type: "string", default: "600" },
        help: { type: "boolean", default: false },
      },
    }).values
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const options = read()
if (options.help) {
  console.log(usage)
  process.exit(0)
}
const whole = (name: "processes" | "time"): number => {
  const value = Number(options[name])
  return Number.isInteger(value) && value > 0
    ? value
    : refuse(`--${name} must be a whole number above 0: ${options[name]}`)
}
const processes = whole("processes")
const time = whole("time")

// The build leaves the programs where they are.
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const names = readdirSync(at("bench/programs")).map((file) => file.replace(/\.js$/, "")).filter((name) =>
  name.includes(options.filter)
)
if (names.length === 0) refuse(`No program has "${options.filter}" in its name`)

// Where imports of the package's own dependencies are found, unlike in a temporary folder.
const stripped = at("build/metering-none")
const places = copyWithoutMeters(at("dist"), stripped)
const entry = (folder: string): string => `file://${folder}/index.js`

const run = promisify(execFile)

/** Fails unless the stripped build really meters nothing. */
const proof = `import { InterpreterRuntime } from ${JSON.stringify(entry(stripped))}
import * as Effect from "effect/Effect"
const run = (code) => Effect.runPromise(InterpreterRuntime.make({ limits: { fuel: 1, memory: 1 << 20 } }).run({ code, tools: [], call: () => Effect.never }))
const { result } = await run("const all = []; for (let i = 0; i < 100000; i++) all.push([i]); return /(a|b)*c/.test('ab'.repeat(999)) ? 0 : all.length")
if (result !== 100000) throw new Error("The copy still meters something")`
await run(process.execPath, ["--input-type=module", "-e", proof], { cwd: at(".") })

const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))]!
}
const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
const mean = (values: ReadonlyArray<number>): number =>
  Math.exp(values.reduce((sum, x) => sum + Math.log(x), 0) / values.length)
const percent = (ratio: number): string => `${ratio >= 1 ? "+" : ""}${((ratio - 1) * 100).toFixed(1)} %`

const costs: Array<number> = []
const noises: Array<number> = []
console.log(`Meters were taken out at ${places} places.\n`)
console.log(
  `${"program".padEnd(22)}${"metered".padStart(12)}${"unmetered".padStart(12)}${"cost".padStart(10)}${
    "noise".padStart(10)
  }`,
)
const worker = fileURLToPath(new URL("metering/worker.js", import.meta.url))
const measure = async (program: string, folder: string): Promise<Timed> => {
  const task: Task = { program: at(`bench/programs/${program}.js`), build: entry(folder), time }
  const { stdout } = await run(process.execPath, [worker, JSON.stringify(task)])
  return JSON.parse(stdout) as Timed
}

const builds = { metered: at("dist"), again: at("dist"), unmetered: stripped }
type Build = keyof typeof builds

for (const name of names) {
  const found: Record<Build, Array<number>> = { metered: [], again: [], unmetered: [] }
  const results: Array<unknown> = []
  for (let i = 0; i < processes; i++) {
    for (const build of Object.keys(builds) as Array<Build>) {
      const { result, times } = await measure(name, builds[build])
      // The fast ones: what disturbs a measurement makes it slower only.
      found[build].push(quantile(times, 0.2))
      results.push(result)
    }
  }
  for (const result of results) deepStrictEqual(result, results[0], `the builds disagree on ${name}`)
  const metered = median([...found.metered, ...found.again])
  const unmetered = median(found.unmetered)
  const cost = metered / unmetered
  const noise = median(found.again) / median(found.metered)
  costs.push(cost)
  noises.push(noise)
  const show = (value: number): string => `${value.toFixed(value < 1 ? 4 : 2)} ms`.padStart(12)
  console.log(
    `${name.padEnd(22)}${show(metered)}${show(unmetered)}${percent(cost).padStart(10)}${percent(noise).padStart(10)}`,
  )
}
console.log(`\nMetering costs ${percent(mean(costs))} in the geometric mean; noise: ${percent(mean(noises))}.`)
rmSync(stripped, { recursive: true, force: true })
