// A cold start: a process that imports the runtime as it is published and runs its first program.
import { execFile } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { isCode, publish } from "../../scripts/bundle/chunk.ts"
import { spread } from "../measure.ts"
import { atMost, type Measure, median, type Part } from "./measure.ts"

// From `build/bench/scale`.
const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

const baseline = `
import { Effect } from "effect"
import "effect/ai"
const imported = performance.now()
`

const withRuntime = `
const { InterpreterRuntime } = await import("@effect-codemode/runtime-interpreter")
const { result } = await Effect.runPromise(
  InterpreterRuntime.make().run({ code: "return 6 * 7", tools: [], call: () => Effect.succeed(null) }),
)
if (result !== 42) throw new Error("The first program gives " + result)
`

const report = `
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ wall: performance.now(), more: performance.now() - imported, processor: (user + system) / 1000 }))
`

interface Start {
  /** Milliseconds since the process began, and of these after Effect was there. */
  readonly wall: number
  readonly more: number
  readonly processor: number
}

// The packages as npm would install them, so that what is found and loaded is what users find and load.
const install = async (folder: string): Promise<number> => {
  rmSync(folder, { recursive: true, force: true })
  const installed = (name: string) => publish(at(`../${name}`), `${folder}/node_modules/@effect-codemode/${name}`)
  await installed("toolkit")
  const files = await installed("runtime-interpreter")
  writeFileSync(`${folder}/package.json`, `{ "private": true, "type": "module" }\n`)
  writeFileSync(`${folder}/baseline.js`, baseline + report)
  writeFileSync(`${folder}/runtime.js`, baseline + withRuntime + report)
  return files.filter(isCode).length
}

const run = promisify(execFile)

const start = async (file: string): Promise<Start> => JSON.parse((await run(process.execPath, [file])).stdout) as Start

// What an application that bundles has of it: one file with the parser and all, without Effect and without TypeScript.
const sizes = async (): Promise<Array<Measure>> => {
  const build = await rolldown({
    input: at("dist/index.js"),
    platform: "browser",
    external: [/^effect(?:\/|$)/, "typescript", "ts-blank-space"],
    logLevel: "silent",
  })
  const { output } = await build.generate({ format: "esm", minify: true })
  await build.close()
  const code = output.flatMap((file) => file.type === "chunk" ? [file.code] : []).join("")
  return [
    { name: "the runtime with the parser, minified", value: code.length / 1024, unit: "KB" },
    { name: "the runtime with the parser, minified and compressed", value: gzipSync(code).length / 1024, unit: "KB" },
  ]
}

/** What importing the runtime and running a first program adds to importing Effect. */
export const cold: Part = async (isQuick) => {
  const folder = at("build/published")
  const files = await install(folder)
  const starts: Record<"baseline" | "runtime", Array<Start>> = { baseline: [], runtime: [] }
  for (let i = 0; i < (isQuick ? 5 : 25); i++) {
    for (const kind of ["baseline", "runtime"] as const) starts[kind].push(await start(`${folder}/${kind}.js`))
  }
  const middle = (kind: "baseline" | "runtime", what: keyof Start) => median(starts[kind].map((start) => start[what]))
  // Each against the baseline of the same round.
  const more = (what: keyof Start) => {
    const { high, low } = spread(starts.runtime.map((start, i) => start[what] - starts.baseline[i]![what]))
    return { value: middle("runtime", what) - middle("baseline", what), spread: [low, high] as const }
  }
  const { high, low, median: own } = spread(starts.runtime.map((start) => start.more))
  const measured: Array<Measure> = [
    { name: "importing effect and effect/ai", value: middle("baseline", "wall"), unit: "ms" },
    { name: "the same, the runtime and a first run", value: middle("runtime", "wall"), unit: "ms" },
    { name: "a first run with the import: more", ...more("wall"), unit: "ms", ...atMost(80) },
    {
      name: "a first run with the import: more, by the clock of the process",
      value: own,
      spread: [low, high],
      unit: "ms",
      ...atMost(80),
    },
    {
      name: "a first run with the import: more time of processors",
      ...more("processor"),
      unit: "ms",
      ...atMost(80),
    },
    { name: "the runtime as it is published", value: files, unit: "files" },
    ...await sizes(),
  ]
  rmSync(folder, { recursive: true, force: true })
  return measured
}
