// Runs random hostile programs and looks whether anything breaks: npm run fuzz -- [options]
import { type ChildProcess, fork } from "node:child_process"
import { readFileSync } from "node:fs"
import { parseArgs } from "node:util"
import type { Order, Word } from "./fuzz/worker.ts"

const usage = `npm run fuzz -- [options]

  --minutes N    how long, 1 by default; fractions are fine
  --seed S       the seed, a whole number; another one each time by default
  --program N    only the program of this number, which a failure names
  --failures N   how many different failures to look for before it stops, 10 by default

A program that keeps the process busy for more than half a minute is a failure, as is one that ends it.`

const refuse = (message: string): never => {
  console.error(`${message}\n\n${usage}`)
  return process.exit(2)
}

const read = () => {
  try {
    return parseArgs({
      options: {
        minutes: { type: "string" },
        seed: { type: "string" },
        program: { type: "string" },
        failures: { type: "string" },
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

const number = (name: "minutes" | "seed" | "program" | "failures", fallback: number): number => {
  const text = options[name]
  if (text === undefined) return fallback
  const value = Number(text)
  const fits = text.trim() !== "" &&
    (name === "minutes" ? value > 0 && value < Infinity : Number.isSafeInteger(value) && value >= 0)
  return fits
    ? value
    : refuse(`--${name} must be ${name === "minutes" ? "a number above 0" : "a whole number"}: ${text}`)
}

const minutes = number("minutes", 1)
const seed = number("seed", Date.now() % 2 ** 31)
const only = options.program === undefined ? undefined : number("program", 0)
const wanted = number("failures", 10)

/** Programs that the worker is asked for at a time. */
const BATCH = 200
/** How much of a processor the worker may use without a word, and how long it may be silent at all, in milliseconds. */
const SILENCE = 30_000
const PATIENCE = 600_000
/** Bytes by which the worker's heap may be larger after many programs than after the first ones. */
const GROWTH = 96 << 20

const start = performance.now()
const kinds: Record<string, number> = {}
const failures = new Map<string, number>()
let heaps: ReadonlyArray<number> = []

/** Tells of a failure; of those alike, only of the first. */
const tell = (number: number, kind: string, found: string, code: string | undefined): void => {
  const alike = found.split("\n", 1)[0]!.replace(/\d+/g, "#").slice(0, 100)
  failures.set(alike, (failures.get(alike) ?? 0) + 1)
  if (failures.get(alike)! > 1) return
  console.log(
    `\nseed ${seed}, program ${number} (${kind}): ${found}\n\n${
      code ?? "(npm run fuzz again with --program to see it)"
    }\n`,
  )
}

/** Milliseconds of processor that a process has used; those of the clock where the system does not tell. */
const usedBy = (pid: number | undefined): number => {
  try {
    // Behind the name, which may have spaces: the 12th and 13th fields, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ")
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return performance.now()
  }
}

/** Has a worker run these programs. Gives the number of the next one, and whether the worker is still good. */
const batch = (
  worker: ChildProcess,
  from: number,
  to: number,
): Promise<{ readonly next: number; readonly alive: boolean }> =>
  new Promise((resolve) => {
    let latest = from
    let heard = performance.now()
    let used = usedBy(worker.pid)
    const finish = (next: number, alive: boolean) => {
      clearInterval(watch)
      worker.removeAllListeners()
      if (!alive) worker.kill("SIGKILL")
      resolve({ next, alive })
    }
    const watch = setInterval(() => {
      const worked = usedBy(worker.pid) - used
      if (worked < SILENCE && performance.now() - heard < PATIENCE) return
      tell(
        latest,
        "?",
        `the process was held: it worked for ${Math.round(worked / 1000)} seconds without a word`,
        undefined,
      )
      finish(latest + 1, false)
    }, 1000)
    worker.on("message", (word: Word) => {
      heard = performance.now()
      used = usedBy(worker.pid)
      if (word.type === "started") latest = word.number
      else if (word.type === "failed") tell(word.number, word.kind, word.found, word.code)
      else if (word.type === "done") {
        for (const [kind, count] of Object.entries(word.kinds)) kinds[kind] = (kinds[kind] ?? 0) + count
        heaps = [...heaps, word.heap]
        finish(to, true)
      }
    })
    worker.on("exit", (code, signal) => {
      tell(latest, "?", `the process ended: ${code ?? signal}`, undefined)
      finish(latest + 1, false)
    })
    const order: Order = { seed, from, to, shrinks: true }
    worker.send(order)
  })

const open = (): ChildProcess =>
  fork(new URL("fuzz/worker.js", import.meta.url), { execArgv: ["--expose-gc", "--stack-trace-limit=30"] })

console.log(`seed ${seed}`)
let worker = open()
let next = only ?? 0
for (let line = 1; performance.now() - start < minutes * 60_000 && failures.size < wanted;) {
  const ended = await batch(worker, next, only === undefined ? next + BATCH : next + 1)
  if (!ended.alive) {
    worker = open()
    heaps = []
  }
  next = ended.next
  if (heaps.length > 10 && heaps.at(-1)! - heaps[4]! > GROWTH) {
    tell(next, "all", `the heap grew from ${heaps[4]! >> 20} to ${heaps.at(-1)! >> 20} MiB`, undefined)
    heaps = []
  }
  if (only !== undefined) break
  if (performance.now() - start > line * 60_000) {
    line++
    console.log(
      `${next} programs, ${Math.round((performance.now() - start) / 1000)} s, heap ${(heaps.at(-1) ?? 0) >> 20} MiB`,
    )
  }
}
worker.removeAllListeners()
worker.kill()
const counts = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`).join(", ")
console.log(
  `${counts === "" ? "no programs" : counts}; ${
    failures.size === 0 ? "no failure" : `${failures.size} different failures`
  }`,
)
for (const [found, times] of failures) console.log(`  ${times} times: ${found}`)
process.exit(failures.size === 0 ? 0 : 1)
