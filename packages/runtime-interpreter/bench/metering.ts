// What metering costs: npm run bench:metering -- [--filter NAME] [--processes N]
import { execFile } from "node:child_process"
import { cpSync, readdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs, promisify } from "node:util"
import { copyWithoutMeters } from "./metering/strip.ts"
import type { Task } from "./metering/worker.ts"

const usage = `npm run bench:metering -- [options]

  --filter NAME    only the benchmark programs whose name has this text
  --processes N    how many processes measure each program, 3 by default
  --time MS        milliseconds of processor for each build of a process, 600 by default

Runs the benchmark's programs with the interpreter as it is, with a copy of it, and with a copy out of which everything is taken
that meters: fuel, slices and memory. Prints what metering costs, and what the copy that is the same seems to cost: the noise.`

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
const copies = { same: at("build/metering-same"), none: at("build/metering-none") }
rmSync(copies.same, { recursive: true, force: true })
cpSync(at("dist"), copies.same, { recursive: true })
const places = copyWithoutMeters(at("dist"), copies.none)
const builds = [at("dist"), copies.same, copies.none].map((folder) => `file://${folder}/index.js`)

const run = promisify(execFile)

/** Fails unless the stripped build really meters nothing. */
const proof = `import { InterpreterRuntime } from ${JSON.stringify(builds[2])}
import * as Effect from "effect/Effect"
const run = (code) => Effect.runPromise(InterpreterRuntime.make({ limits: { fuel: 1, memory: 1 << 20 } }).run({ code, tools: [], call: () => Effect.never }))
const { result } = await run("const all = []; for (let i = 0; i < 100000; i++) all.push([i]); return /(a|b)*c/.test('ab'.repeat(999)) ? 0 : all.length")
if (result !== 100000) throw new Error("The copy still meters something")`
await run(process.execPath, ["--input-type=module", "-e", proof], { cwd: at(".") })

const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))]!
}
const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)
const mean = (values: ReadonlyArray<number>): number =>
  Math.exp(values.reduce((sum, x) => sum + Math.log(x), 0) / values.length)
const percent = (ratio: number): string => `${ratio >= 1 ? "+" : ""}${((ratio - 1) * 100).toFixed(1)} %`

const costs: Array<number> = []
const noises: Array<number> = []
console.log(`Meters were taken out at ${places} places.\n`)
console.log(
  `${"program".padEnd(14)}${"metered".padStart(12)}${"unmetered".padStart(12)}${"cost".padStart(10)}${
    "noise".padStart(10)
  }`,
)
for (const name of names) {
  const rows: Array<{ readonly metered: number; readonly same: number; readonly none: number }> = []
  for (let i = 0; i < processes; i++) {
    // The builds are loaded in another order each time: who comes first is compiled first.
    const order = [0, 1, 2].map((place) => (place + i) % 3)
    const task: Task = { program: at(`bench/programs/${name}.js`), builds: order.map((build) => builds[build]!), time }
    const worker = fileURLToPath(new URL("metering/worker.js", import.meta.url))
    const { stdout } = await run(process.execPath, [worker, JSON.stringify(task)])
    const times = JSON.parse(stdout) as ReadonlyArray<ReadonlyArray<number>>
    // The fast ones: what disturbs a measurement makes it slower only.
    const of = (build: number): number => quantile(times[order.indexOf(build)]!, 0.2)
    rows.push({ metered: of(0), same: of(1), none: of(2) })
  }
  // Both builds with meters are the same: their mean is compared, which halves the chance in it.
  const cost = median(rows.map(({ metered, none, same }) => Math.sqrt(metered * same) / none))
  const noise = median(rows.map(({ metered, same }) => same / metered))
  costs.push(cost)
  noises.push(noise)
  const show = (value: number): string => `${value.toFixed(value < 1 ? 4 : 2)} ms`.padStart(12)
  const metered = median(rows.map((row) => row.metered))
  const none = median(rows.map((row) => row.none))
  console.log(
    `${name.padEnd(14)}${show(metered)}${show(none)}${percent(cost).padStart(10)}${percent(noise).padStart(10)}`,
  )
}
console.log(`\nMetering costs ${percent(mean(costs))} in the geometric mean; noise: ${percent(mean(noises))}.`)
for (const folder of Object.values(copies)) rmSync(folder, { recursive: true, force: true })
