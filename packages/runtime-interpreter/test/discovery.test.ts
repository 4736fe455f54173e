import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { load } from "../bench/discovery/catalogs.ts"
import { minimalInput } from "../bench/discovery/minimal-input.ts"
import { codeModeOf, definitionsOf } from "../bench/discovery/presented.ts"
import { recallOf } from "../bench/discovery/recall.ts"
import { check } from "../bench/discovery/signatures.ts"
import { synthetic } from "../bench/discovery/synthetic.ts"
import { isStable } from "../bench/discovery/times.ts"
import { lengthOf, tokensOf } from "../bench/discovery/tokens.ts"
import { document } from "../scripts/discovery-docs/document.ts"

const root = new URL("../../../", import.meta.url)

const pathOf = (path: string): string => fileURLToPath(new URL(path, root))

describe("what a model sees", () => {
  it("is in docs/discovery.md as it is now; npm run docs:discovery writes it", async () => {
    expect(readFileSync(pathOf("docs/discovery.md"), "utf8")).toBe(await document())
  })

  it("of ten thousand tools is no longer than the budget, and the same on every build", () => {
    const many = synthetic()
    expect(many).toHaveLength(10_000)
    const mode = codeModeOf(many)
    expect(mode.texts.catalog.length).toBeLessThanOrEqual(8000)
    expect(lengthOf(mode.instructions).exact).toBeLessThan(2900)
    expect(isStable(many)).toBe(true)
  })

  it("signatures of made-up tools type-check", () => {
    const checked = check(codeModeOf(synthetic().filter((_, i) => i % 97 === 0)).catalog.entries)
    expect(checked).toEqual({ total: 104, unparsed: [], refused: [] })
  })

  it("a signature that does not parse, or refuses a valid input, would be found", () => {
    const entry = codeModeOf(synthetic().slice(0, 1)).catalog.entries[0]!
    const broken = (signature: string) =>
      check([{ ...entry, path: entry.path, signature, compact: signature, input: entry.input }])
    expect(broken(`${entry.path}(input: {): Promise<unknown>`).unparsed.length).toBeGreaterThan(0)
    expect(broken(`${entry.path}(input: { other: string }): Promise<unknown>`).refused.length).toBeGreaterThan(0)
    expect(minimalInput(entry.input)).toEqual({ account_id: "x" })
  })
})

// Data of other projects, which is not part of this repository.
const catalogs = pathOf("../shared/catalogs")
const queries = pathOf("../shared/cases/search.json")
const isThere = existsSync(catalogs) && existsSync(queries)

describe.runIf(isThere)("on catalogs of public servers", () => {
  const loaded = isThere ? load([catalogs, queries]) : { catalogs: [], queries: [] }
  const mode = codeModeOf(definitionsOf(loaded.catalogs))

  it("every signature parses, and takes a minimal valid input", () => {
    const { refused, total, unparsed } = check(mode.catalog.entries)
    expect({ refused, unparsed }).toEqual({ refused: [], unparsed: [] })
    expect(total).toBeGreaterThan(100)
  })

  it("the description is at least 20 times shorter than the tools, and no longer than 2,900 tokens", () => {
    const { description, fixed, listed, provided } = tokensOf(mode, loaded.catalogs)
    expect(description.exact).toBeLessThanOrEqual(2900)
    expect(fixed.exact).toBeLessThanOrEqual(700)
    expect(Math.min(listed.exact, provided.exact) / description.exact).toBeGreaterThanOrEqual(20)
  })

  it("search finds what is asked for", () => {
    const { at1, at5 } = recallOf(mode.catalog, loaded.queries)
    expect(at1).toBeGreaterThanOrEqual(0.88)
    expect(at5).toBeGreaterThanOrEqual(0.97)
  })
})
