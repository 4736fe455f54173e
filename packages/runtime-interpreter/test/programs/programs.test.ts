import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import blankSpace from "ts-blank-space"
import { describe, expect, it, vi } from "vitest"
import { bundle, runInNode, runInside } from "./run.ts"
import { validators } from "./validators.ts"

/** The interpreter's own largest source file, without its types. */
const largestSource = (): string => {
  const folder = fileURLToPath(new URL("../../src/engine/", import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => readFileSync(`${folder}/${path}`, "utf8"))
  return blankSpace(sources.reduce((a, b) => b.length > a.length ? b : a))
}

type Table = ReadonlyArray<readonly [name: string, result: string]>

/** Libraries as people use them, each bundled with a table of cases as one program. */
const programs: ReadonlyArray<readonly [name: string, modules: () => Readonly<Record<string, string>>]> = [
  ["lodash", () => ({})],
  ["dayjs", () => ({})],
  ["marked", () => ({})],
  ["papaparse", () => ({})],
  ["ajv", validators],
  ["acorn", () => ({ "virtual:largest": `export const largest = ${JSON.stringify(largestSource())}` })],
  ["mathjs", () => ({})],
]

describe("real programs give in the interpreter what they give in Node", () => {
  it.each(programs)("%s", { timeout: 120_000 }, async (name, modules) => {
    vi.spyOn(console, "warn").mockReturnValue() // Papa Parse warns of its input.
    const code = await bundle(`${name}.js`, modules())
    const expected = await runInNode(code) as Table
    const actual = await runInside(code) as Table
    expect(expected.length).toBeGreaterThan(20)
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(expected))
  })
})
