import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { difference, runInHost, textOf } from "../../scripts/soak/compare.ts"
import { programs } from "../../scripts/soak/generate.ts"
import type * as Engine from "../../src/engine/index.ts"
import { loadNative } from "../native.ts"

/** Seeds of batches: the same each time, so that a failure is one of the change at hand. `npm run soak` goes on from others. */
const seeds = [1, 2, 3]
const batch = 700

describe("random programs give what they give in the host's engine", () => {
  it.each(seeds)("seed %i", { timeout: 120_000 }, async (seed) => {
    const engine = await loadNative<typeof Engine>("engine/index.ts")
    await fc.assert(
      fc.asyncProperty(programs, async (statements) => {
        expect(await difference(engine, statements)).toBe(undefined)
      }),
      { seed, numRuns: batch },
    )
  })

  it("and nearly all of them are programs that run", async () => {
    const outcomes = await Promise.all(
      fc.sample(programs, { seed: 4, numRuns: 200 }).map((sample) => runInHost(textOf(sample))),
    )
    expect(outcomes.filter((outcome) => "log" in outcome).length).toBeGreaterThan(190)
  })
})
