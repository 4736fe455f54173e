// Runs the specification's suite in the interpreter: npm run test262 -- [options]
import { writeFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { parseArgs } from "node:util"
import { engines, isEngine } from "./test262/host.ts"
import { runAll } from "./test262/pool.ts"
import { render, summarize } from "./test262/report.ts"
import { directories, list, locate } from "./test262/suite.ts"
import type { Verdict } from "./test262/worker.ts"

const usage = `npm run test262 -- [options]

  --filter TEXT      only files whose path contains TEXT, or matches it as a regular expression
  --dir DIR          only ${directories.join(" or ")}
  --json FILE        write { pass, total, rate, skipped, areas, failures } to FILE
  --verbose          print each failure as it happens
  --jobs N           processes, one for each core by default
  --engine NAME      ${engines.join(", ")}: what runs the tests; ours by default

The suite is read from the folder that TEST262_DIR names. Tests run once, in strict mode.`

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        filter: { type: "string" },
        dir: { type: "string" },
        json: { type: "string" },
        verbose: { type: "boolean", default: false },
        jobs: { type: "string" },
        engine: { type: "string", default: "ours" },
        help: { type: "boolean", default: false },
      },
    }).values
  } catch (error) {
    return fail(`${(error as Error).message}\n\n${usage}`)
  }
}

// A reader such as `head` may have seen enough.
process.stdout.on("error", () => process.exit(0))

const options = readOptions()
if (options.help) {
  console.log(usage)
  process.exit(0)
}
const suite = locate()
if ("problem" in suite) {
  fail(suite.problem)
} else {
  const engine = isEngine(options.engine) ? options.engine : fail(`There is no engine "${options.engine}"\n\n${usage}`)
  const jobs = options.jobs === undefined ? availableParallelism() : Number(options.jobs)
  if (!Number.isInteger(jobs) || jobs < 1) {
    fail(`--jobs takes a whole number from 1, not ${options.jobs}`)
  }
  const folders = options.dir === undefined ? directories : directories.filter((it) => it === options.dir)
  if (folders.length === 0) {
    fail(`--dir takes ${directories.join(" or ")}, not ${options.dir}`)
  }
  const { filter } = options
  const pattern = filter === undefined ? undefined : new RegExp(filter)
  const files = list(suite.root, folders)
    .filter((file) => filter === undefined || file.includes(filter) || pattern!.test(file))
  if (files.length === 0) {
    fail(`No test matches ${filter}`)
  }

  const started = performance.now()
  const verdicts: Array<Verdict> = []
  let failures = 0
  await runAll({
    root: suite.root,
    engine,
    files,
    jobs: Math.min(jobs, Math.ceil(files.length / 50)),
    onVerdict: (verdict) => {
      verdicts.push(verdict)
      failures += verdict.failure === undefined ? 0 : 1
      if (options.verbose && verdict.failure !== undefined) {
        console.log(`${verdict.file}\n    ${verdict.failure.replaceAll("\n", "\n    ")}`)
      }
      if (process.stderr.isTTY && verdicts.length % 100 === 0) {
        process.stderr.write(`\r${verdicts.length} / ${files.length}, ${failures} failed `)
      }
    },
  })
  if (process.stderr.isTTY) {
    process.stderr.write("\r")
  }
  const summary = summarize(verdicts)
  console.log(render(summary, { groups: 40, seconds: (performance.now() - started) / 1000 }))
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify(summary, undefined, 2)}\n`)
  }
}
