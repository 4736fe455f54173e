import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type * as Check from "../../scripts/fuzz/check.ts"
import type * as Corpus from "../../scripts/fuzz/corpus.ts"
import type * as Programs from "../../scripts/fuzz/programs.ts"
import { shrink } from "../../scripts/fuzz/shrink.ts"
import { loadNative } from "../native.ts"
import { found } from "./fuzz.cases.ts"

// Without the test runner's ways between: programs are held to the time they take.
const checks = loadNative<typeof Check>("../scripts/fuzz/check.ts")
const programs = loadNative<typeof Programs>("../scripts/fuzz/programs.ts")
const corpus = loadNative<typeof Corpus>("../scripts/fuzz/corpus.ts")

const sources = async (): Promise<Programs.Sources> => {
  const { functionsOf } = await checks
  return {
    functions: await functionsOf(),
    corpus: (await corpus).readCorpus(fileURLToPath(new URL("../../", import.meta.url))),
  }
}

describe("whatever a program is, nothing breaks", () => {
  it("for random programs: hostile ones, real ones that were changed, and noise", { timeout: 120_000 }, async () => {
    const { check, leftBehind } = await checks
    const { programOf, textOf } = await programs
    const all = await sources()
    expect(all.functions.length).toBeGreaterThan(500)
    expect(all.corpus.length).toBeGreaterThan(100)
    const kinds = new Set<string>()
    for (let number = 0; number < 400; number++) {
      const program = programOf(20_261_130, number, all)
      kinds.add(program.kind)
      const broken = await check(textOf(program), Infinity)
      expect(broken, `program ${number} of npm run fuzz -- --seed 20261130`).toBeUndefined()
    }
    expect([...kinds].sort()).toEqual(["damaged", "hostile", "mutated", "noise"])
    expect(leftBehind()).toBeUndefined()
  })

  it("the same seed gives the same programs", async () => {
    const { programOf, textOf } = await programs
    const all = await sources()
    for (let number = 0; number < 20; number++) {
      expect(textOf(programOf(1, number, all))).toBe(textOf(programOf(1, number, all)))
    }
    expect(textOf(programOf(1, 0, all))).not.toBe(textOf(programOf(2, 0, all)))
  })

  it.each(found)("$name", async ({ code }) => {
    expect(await (await checks).check(code, Infinity)).toBeUndefined()
  })
})

describe("what fails is made smaller", () => {
  it("to the parts that matter", async () => {
    const parts = Array.from({ length: 100 }, (_, i) => i)
    const isSo = (some: ReadonlyArray<number>) => Promise.resolve(some.includes(17) && some.includes(83))
    expect(await shrink(parts, isSo)).toEqual([17, 83])
  })

  it("with a bounded number of looks", async () => {
    let looks = 0
    await shrink(Array.from({ length: 1000 }, (_, i) => i), () => Promise.resolve(++looks < 0), 50)
    expect(looks).toBe(50)
  })
})
