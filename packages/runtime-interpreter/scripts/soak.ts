// Runs random programs in the interpreter and in Node: npm run soak -- [options]
import * as engine from "@effect-codemode/runtime-interpreter/engine"
import * as fc from "fast-check"
import { parseArgs } from "node:util"
import { difference, textOf } from "./soak/compare.ts"
import { programs } from "./soak/generate.ts"

const usage = `npm run soak -- [options]

  --programs N   how many programs, 100000 by default
  --seed S       the seed, a whole number; another one each time by default
  --failures N   how many failing programs to look for, 1 by default`

const whole = (text: string | undefined, fallback: number): number => {
  const value = text === undefined ? fallback : Number(text)
  if (Number.isInteger(value)) return value
  console.error(usage)
  return process.exit(2)
}

const { values: options } = parseArgs({
  options: {
    programs: { type: "string" },
    seed: { type: "string" },
    failures: { type: "string" },
    help: { type: "boolean", default: false },
  },
})
if (options.help) {
  console.log(usage)
  process.exit(0)
}

const total = whole(options.programs, 100_000)
const wanted = whole(options.failures, 1)
let seed = whole(options.seed, Date.now() % 2 ** 31)
console.log(`${total} programs, seed ${seed}`)

const start = performance.now()
/** Programs between two lines of progress; each batch has a seed of its own, so that a failure is repeated in a moment. */
const batch = 1000
let failures = 0
for (let done = 0; done < total && failures < wanted; done += batch, seed++) {
  let latest = ""
  const result = await fc.check(
    fc.asyncProperty(programs, async (statements) => {
      const found = await difference(engine, statements)
      if (found !== undefined) latest = found
      return found === undefined
    }),
    { seed, numRuns: Math.min(batch, total - done), endOnFailure: false },
  )
  if (result.failed) {
    failures++
    const [statements] = result.counterexample!
    console.log(`\nseed ${seed}, path ${result.counterexamplePath}: shrunk ${result.numShrinks} times\n`)
    console.log(statements.join("\n"))
    console.log(`\n${await difference(engine, statements) ?? latest}`)
    if (wanted === 1) console.log(`\nThe whole program:\n\n${textOf(statements)}`)
  } else if ((done / batch) % 10 === 9) {
    console.log(`${done + batch} programs, ${Math.round((performance.now() - start) / 1000)} s`)
  }
}
console.log(failures === 0 ? "No difference." : `${failures} differences.`)
process.exit(failures === 0 ? 0 : 1)
