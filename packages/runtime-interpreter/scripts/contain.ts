// Runs all hostile programs of the tests, and measures what they do to the process: npm run contain -- [options]
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { exhaustions } from "../test/containment/exhaustion.cases.ts"
import { redosCases } from "../test/containment/redos.cases.ts"
import { bounds } from "./contain/bounds.ts"
import { Child } from "./contain/child.ts"
import { corpora } from "./contain/corpora.ts"
import { measure, type Measured, Tally, type Wrong } from "./contain/measured.ts"
import { largest, quantile } from "./contain/watch.ts"

const parts = [...Object.keys(corpora), "exhaustion", "eightAtOnce", "redos"]

const usage = `npm run contain -- [options]

  --json FILE     write the counts, the longest delays and the largest heaps there as JSON
  --corpus NAME   only this corpus: ${parts.join(", ")}
  --filter TEXT   only cases whose name has this text
  --help          this text

Each case of a corpus is a program with a name, what it tries, and what must come of it. Exhaustion and redos run in a
process of their own under the default limits; it tells how long its event loop was held, and by how much its heap grew.
Ends with 1 if anything is not as it must be: a case is wrong, the loop was held for more than ${bounds.p99} ms at the 99th
percentile or ${bounds.max} ms at all (by what the loop's thread used of a processor, so that a busy machine is no failure),
or the heap grew by more than ${bounds.heapRatio} times a run's memory and ${
  bounds.heapRest >> 20
} MiB, once the garbage in it is collected.`

const refuse = (message: string): never => {
  console.error(`${message}\n\n${usage}`)
  return process.exit(2)
}

const read = () => {
  try {
    return parseArgs({
      options: {
        json: { type: "string" },
        corpus: { type: "string" },
        filter: { type: "string", default: "" },
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
if (options.corpus !== undefined && !parts.includes(options.corpus)) {
  refuse(`There is no corpus "${options.corpus}"`)
}
if (options.json !== undefined) {
  // Better now than after many minutes.
  try {
    writeFileSync(options.json, "", { flag: "a" })
  } catch (error) {
    refuse(`--json: ${(error as Error).message}`)
  }
}

const wants = (part: string): boolean => options.corpus === undefined || options.corpus === part
const chosen = <Case extends { readonly name: string }>(cases: ReadonlyArray<Case>): ReadonlyArray<Case> =>
  cases.filter(({ name }) => name.includes(options.filter))

const results: Record<string, Record<string, unknown>> = {}
const failures: Array<Wrong & { readonly corpus: string }> = []
let total = 0

const line = (cells: ReadonlyArray<string | number>): void =>
  console.log(
    cells.map((cell, i) => i === 0 ? String(cell).padEnd(14) : String(cell).padStart(i < 3 ? 7 : 12)).join(" ")
      .trimEnd(),
  )
line(["corpus", "cases", "wrong", "loop p99", "longest", "used p99", "longest", "heap MiB", "ratio"])

const row = (corpus: string, measured: Measured): void =>
  line([
    corpus,
    measured.total,
    measured.wrong,
    `${measured.loopP99Ms} ms`,
    `${measured.loopMaxMs} ms`,
    `${measured.usedP99Ms} ms`,
    `${measured.usedMaxMs} ms`,
    measured.heapMaxMiB,
    measured.heapMaxRatio,
  ])

const keep = (corpus: string, measured: Measured, more: Record<string, unknown> = {}): void => {
  total += measured.total
  results[corpus] = { ...measured, ...more }
  for (const wrong of measured.failures) failures.push({ corpus, ...wrong })
  row(corpus, measured)
}

for (const [name, { cases, wrong }] of Object.entries(corpora)) {
  if (!wants(name)) continue
  const found: Array<Wrong> = []
  const selected = chosen(cases)
  for (const one of selected) {
    const problems = await one.run().catch((error: unknown) => [String(error)])
    if (problems.length > 0) found.push({ name: one.name, why: problems.join("; ") })
  }
  total += selected.length
  results[name] = { total: selected.length, [wrong]: found.length, failures: found }
  for (const one of found) failures.push({ corpus: name, ...one })
  line([name, selected.length, found.length])
}

const child = new Child()
const quiet = new Tally()
const benign: { readonly alone: Array<number>; readonly beside: Array<number> } = { alone: [], beside: [] }
/** How many times as long as alone a small program may take beside eight that are hostile: fair would be nine. */
const FAIR = 40

if (wants("exhaustion")) {
  const cases = exhaustions.map(({ name }, number) => ({ name, order: { type: "exhaustion", number } as const }))
  keep("exhaustion", await measure(child, chosen(cases), quiet))
}
if (wants("eightAtOnce")) {
  const numbers = chosen(exhaustions.map(({ name }, number) => ({ name, number }))).map(({ number }) => number)
  // Neighbours in the table are alike: eight at once are to be of all kinds.
  const groups = Math.ceil(numbers.length / 8)
  const cases = Array.from({ length: groups }, (_, group) => {
    const its = numbers.filter((_number, index) => index % groups === group)
    return {
      name: its.map((number) => exhaustions[number]!.name).join(" + "),
      order: { type: "together", numbers: its } as const,
      runs: its.length,
    }
  })
  const measured = await measure(
    child,
    cases,
    quiet,
    (_name, report) => {
      if (typeof report !== "string" && report.benign !== undefined) benign.beside.push(report.benign)
    },
    (report) => {
      if (typeof report !== "string" && report.benign !== undefined) benign.alone.push(report.benign)
    },
  )
  const aloneMs = quantile(benign.alone, 0.5)
  const besideMs = largest(benign.beside)
  const unfair = besideMs <= aloneMs * FAIR ? [] : [{
    name: "all",
    why: `a small program beside them took ${Math.round(besideMs)} ms, and ${Math.round(aloneMs)} ms alone`,
  }]
  keep(
    "eightAtOnce",
    { ...measured, wrong: measured.wrong + unfair.length, failures: [...measured.failures, ...unfair] },
    { groups, aloneMs: Math.round(aloneMs), besideMaxMs: Math.round(besideMs) },
  )
}
if (wants("redos")) {
  const cases = redosCases.map(({ name }, number) => ({ name, order: { type: "redos", number } as const }))
  keep("redos", await measure(child, chosen(cases), quiet))
}
child.close()
if (total === 0) refuse(`No case has "${options.filter}" in its name`)

const still = quiet.result
if (still.loopMaxMs > 0) {
  line([
    "(harmless)",
    "",
    "",
    `${still.loopP99Ms} ms`,
    `${still.loopMaxMs} ms`,
    `${still.usedP99Ms} ms`,
    `${still.usedMaxMs} ms`,
    still.heapMaxMiB,
  ])
  results.harmless = {
    loopP99Ms: still.loopP99Ms,
    loopMaxMs: still.loopMaxMs,
    usedP99Ms: still.usedP99Ms,
    usedMaxMs: still.usedMaxMs,
  }
}
if (benign.beside.length > 0) {
  const alone = Math.round(quantile(benign.alone, 0.5))
  const beside = Math.round(largest(benign.beside))
  console.log(`\nA small program takes ${alone} ms alone, and ${beside} ms at most beside eight that are hostile.`)
}
console.log(failures.length === 0 ? "\nNothing is wrong." : `\n${failures.length} wrong:`)
for (const { corpus, name, why } of failures) console.log(`  ${corpus}: ${name}: ${why}`)
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, undefined, 2)}\n`)
process.exit(failures.length === 0 ? 0 : 1)
