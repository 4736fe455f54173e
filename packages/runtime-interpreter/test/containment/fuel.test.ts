import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { loadNative, withBundle } from "../native.ts"
import type * as Fuel from "./fuel.ts"
import { programs } from "./fuel.ts"

const native = loadNative<typeof Fuel>("../test/containment/fuel.ts")

const byProgram = (used: ReadonlyArray<string>) => programs.map((code, i) => [code, used[i]!] as const)

describe("a program takes the same number of steps", () => {
  it("on every run", { timeout: 120_000 }, async () => {
    expect(programs.length).toBeGreaterThan(50)
    const { fuels } = await native
    const first = await fuels(() => 1_000_000)
    expect(byProgram(await fuels(() => 1_000_000))).toEqual(byProgram(first))
    expect(new Set(first).size).toBeGreaterThan(programs.length / 2)
    expect(first).toContainEqual(expect.stringMatching(/^EXECUTION_BUDGET_EXCEEDED 2\d{6}$/))
    expect(first).toContainEqual(expect.stringMatching(/^LIMIT_EXCEEDED/))
  })

  it("whatever slices it works in", { timeout: 120_000 }, async () => {
    const { fuels } = await native
    let turn = 0
    const uneven = () => [3_000, 50_000, 1_000, 17_777][turn++ % 4]!
    // What is alive is counted between slices, so that they have a say in when it is too much; not in whether.
    const steps = (used: ReadonlyArray<string>) =>
      byProgram(used.map((text) => text.replace(/(?<=LIMIT_EXCEEDED) .*/, "")))
    expect(steps(await fuels(uneven))).toEqual(steps(await fuels(() => 1_000_000)))
  })

  it("in a process that has run nothing else", { timeout: 120_000 }, async () => {
    const { stdout } = await withBundle("../test/containment/fuel.ts", (file) =>
      promisify(execFile)(process.execPath, [
        "--input-type=module",
        "--eval",
        `const { fuels } = await import(${
          JSON.stringify(`file://${file}`)
        }); console.log(JSON.stringify(await fuels(() => 1e6)))`,
      ]))
    expect(byProgram(JSON.parse(stdout) as ReadonlyArray<string>)).toEqual(
      byProgram(await (await native).fuels(() => 1_000_000)),
    )
  })
})
