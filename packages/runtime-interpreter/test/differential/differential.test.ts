import type * as Engine from "@effect-codemode/runtime-interpreter/engine"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { difference, runInHost, textOf } from "../../scripts/soak/compare.ts"
import { programs } from "../../scripts/soak/generate.ts"
import { loadNative } from "../native.ts"

// Once for all, so that what V8 has learned of it serves all seeds.
const native = loadNative<typeof Engine>("engine/index.ts")

/** Seeds of batches: the same each time, so that a failure is one of the change at hand. `npm run soak` goes on from others. */
const seeds = [1, 2]
const batch = 400

/** What random programs found, in short. */
const found: ReadonlyArray<readonly [name: string, statement: string]> = [
  [
    "a regular expression after yield",
    "log([...(class { static *g() { yield /a/.source; yield /b/g.flags } }).g(), ...({ *g() { yield /c/ / 2 } }).g()]); const g = (async function* () { yield /d/g.exec('d') })(); log(await g.next())",
  ],
  [
    "assigning a parameter in its own default",
    "const tried = (f) => { try { return f() } catch (e) { return e } }; log(tried(() => ((q = 1 + (q = 2)) => q)()), tried(() => (([p, q = 1 + (q = 0)]) => q)('b')), ((q = 1, r = 1 + (q = 2)) => [q, r])())",
  ],
  [
    "a default that assigns the variable whose property it is for",
    "const kept = d; ({ y: d.x = String((d = 0)) } = {}); [kept.z = (d = 1)] = []; log(kept, d)",
  ],
  [
    "the order of an error's properties",
    "log(Reflect.ownKeys(new Error('m', { cause: 1 }))); log(Object.getOwnPropertyNames(new AggregateError([], 'm')))",
  ],
  [
    "a sort of one value, which makes it no text",
    "log([Symbol.iterator, undefined].slice().sort().length, [Object.create(null)].sort())",
  ],
  [
    "the words of a date",
    "log(['\\\\1', 'g,\\\\1', '~1', 'g 1', 'a_b 1', 'é1', '[1', '1]'].map((text) => Date.parse(text)))",
  ],
]

describe("random programs give what they give in the host's engine", () => {
  it.each(seeds)("seed %i", { timeout: 120_000 }, async (seed) => {
    const engine = await native
    await fc.assert(
      fc.asyncProperty(programs, async (statements) => {
        expect(await difference(engine, statements)).toBe(undefined)
      }),
      { seed, numRuns: batch },
    )
  })

  it.each(found)("%s", async (_name, statement) => {
    expect(await runInHost(textOf([statement]))).toHaveProperty("log")
    expect(await difference(await native, [statement])).toBe(undefined)
  })

  it("and nearly all of them are programs that run", async () => {
    const outcomes = await Promise.all(
      fc.sample(programs, { seed: 4, numRuns: 200 }).map((sample) => runInHost(textOf(sample))),
    )
    expect(outcomes.filter((outcome) => "log" in outcome).length).toBeGreaterThan(190)
  })
})
