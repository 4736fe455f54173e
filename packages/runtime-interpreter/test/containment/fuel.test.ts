import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { loadNative, withBundle } from "../native.ts"
import type * as Fuel from "./fuel.ts"
import { hoarders, programs } from "./fuel.ts"

const native = loadNative<typeof Fuel>("../test/containment/fuel.ts")

/** What the tests hold against other runs, made once for all of them. */
let taken: Promise<ReadonlyArray<string>> | undefined
const first = () => taken ??= native.then(({ fuels }) => fuels(() => 1_000_000))

const byProgram = (used: ReadonlyArray<string>) =>
  [...programs, ...hoarders].map((code, i) => [code, used[i]!] as const)

describe("a program takes the same number of steps, and as much memory", () => {
  it("on every run", { timeout: 120_000 }, async () => {
    expect(programs.length).toBeGreaterThan(50)
    expect(hoarders.length).toBeGreaterThan(150)
    const { fuels } = await native
    const used = await first()
    const again = await fuels(() => 1_000_000, false)
    expect(again).toEqual(used.slice(0, programs.length))
    expect(new Set(used).size).toBeGreaterThan(programs.length / 2)
    expect(used.filter((text) => text.startsWith("LIMIT_EXCEEDED")).length).toBeGreaterThan(100)
    expect(used).toContainEqual(expect.stringMatching(/^EXECUTION_BUDGET_EXCEEDED 1\d{6} /))
    expect(used).toContainEqual(expect.stringMatching(/^LIMIT_EXCEEDED/))
  })

  it("whatever slices it works in", { timeout: 120_000 }, async () => {
    const { fuels } = await native
    const expected = byProgram(await first())
    let turn = 0
    const used = await fuels(() => [3_000, 50_000, 1_000, 17_777][turn++ % 4]!, false)
    expect(programs.map((code, i) => [code, used[i]!])).toEqual(expected.slice(0, programs.length))
    // Ends of slices anywhere, the same ones in each run of the test.
    let state = 1
    const anywhere = () => 1 + (state = (state * 48_271) % 2_147_483_647) % 20_000
    expect(byProgram(await fuels(anywhere))).toEqual(expected)
  })

  it("in a process that has run nothing else", { timeout: 120_000 }, async () => {
    const { stdout } = await withBundle("../test/containment/fuel.ts", (file) =>
      promisify(execFile)(process.execPath, [
        ...process.execArgv,
        "--input-type=module",
        "--eval",
        `const { fuels } = await import(${
          JSON.stringify(`file://${file}`)
        }); console.log(JSON.stringify(await fuels(() => 1e6)))`,
      ]))
    expect(byProgram(JSON.parse(stdout) as ReadonlyArray<string>)).toEqual(byProgram(await first()))
  })
})
