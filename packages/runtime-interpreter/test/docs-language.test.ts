import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { fill } from "../scripts/docs-language/fill.ts"
import { explain } from "../scripts/test262/explained.ts"
import type { Summary } from "../scripts/test262/report.ts"

const text = readFileSync(fileURLToPath(new URL("../../../docs/language.md", import.meta.url)), "utf8")

describe("docs/language.md", () => {
  it("says what the code does: `npm run docs:language` writes it anew", async () => {
    expect(await fill(text)).toBe(text)
  })

  it("has the numbers of a run of the specification's suite, with each failure explained", () => {
    expect(text).toMatch(/^Of the 3\d,\d{3} tests in scope, 3\d,\d{3} pass: \d+\.\d\d%\.$/m)
    expect(text).not.toContain("not explained")
  })
})

describe("numbers of a run", () => {
  const summary: Summary = {
    pass: 19_998,
    total: 20_001,
    rate: 19_998 / 20_001,
    skipped: { modules: 5, eval: 1234 },
    areas: { "built-ins/Map": { pass: 9999, total: 9999 }, "language/types": { pass: 9999, total: 10_002 } },
    failures: [
      { file: "language/types/a.js", message: "timeout: the process hung" },
      { file: "language/types/b.js", message: "Test262Error: no" },
      { file: "language/types/c.js", message: "timeout: the process hung" },
    ],
  }
  const filled = (block: string) =>
    fill(`before\n<!-- begin ${block} -->\n\nold\n\n<!-- end ${block} -->\nafter\n`, summary)

  it("are never rounded up", async () => {
    expect(await filled("result")).toBe(
      "before\n<!-- begin result -->\n\nOf the 20,001 tests in scope, 19,998 pass: 99.98%.\n\n<!-- end result -->\nafter\n",
    )
  })

  it("are given by area, and by what is left out", async () => {
    expect(await filled("areas")).toContain("| **language** | 9,999 | 10,002 | 99.97% |\n")
    expect(await filled("areas")).toContain("| built-ins/Map | 9,999 | 9,999 | 100.00% |\n")
    expect(await filled("left-out")).toContain("| eval | 1,234 |\n| modules | 5 |\n")
  })

  it("name the causes of failures, and the files that none explains", async () => {
    const rows = (await filled("failures")).split("\n").filter((line) =>
      line.startsWith("| 1") || line.startsWith("| 2")
    )
    expect(rows).toEqual([
      expect.stringMatching(
        /^\| 2 \| .*longer than the runner waits \| `language\/types\/a\.js`, `language\/types\/c\.js` \|$/,
      ),
      "| 1 | **not explained** | `language/types/b.js` |",
    ])
    expect(explain([])).toEqual([])
  })

  it("stay as they are without a run", async () => {
    const text = "<!-- begin areas -->\n\nold\n\n<!-- end areas -->\n"
    expect(await fill(text)).toBe(text)
  })

  it("stand in blocks that are known", async () => {
    await expect(fill("<!-- begin nothing -->\n<!-- end nothing -->")).rejects.toThrow("There is no block \"nothing\"")
  })
})
