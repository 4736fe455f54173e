import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { betweenRuns } from "./between-runs.cases.ts"
import { escapes } from "./escapes.cases.ts"
import { exhaustions } from "./exhaustion.cases.ts"
import { entries, patterns } from "./redos.cases.ts"
import { secrets } from "./secrets.cases.ts"

const page = fileURLToPath(new URL("../../../../docs/containment.md", import.meta.url))
const text = readFileSync(page, "utf8")

const table = `| corpus | cases | what each is |
| --- | --- | --- |
| \`escapes\` | ${escapes.length} | a program that tries a way out |
| \`exhaustion\` | ${exhaustions.length} | a program that tries to use up time, memory, calls or depth |
| \`redos\` | ${patterns.length} patterns, ${
  Object.keys(entries).length
} ways each | a pattern with which a text keeps a matcher busy |
| \`between-runs\` | ${betweenRuns.length} | two programs, of which one must not notice the other |
| \`secrets\` | ${secrets.length} | a host with something to hide, and a mistake |`

it("docs/containment.md has the corpora's numbers: the test runner writes them anew with -u", async () => {
  const filled = text.replace(
    /(?<=<!-- begin corpora -->\n\n)[^]*?(?=\n\n<!-- end corpora -->)/,
    () => table,
  )
  expect(filled).toContain(table)
  await expect(filled).toMatchFileSnapshot(page)
  // What the project set out to have.
  expect(escapes.length).toBeGreaterThanOrEqual(150)
  expect(exhaustions.length).toBeGreaterThanOrEqual(120)
  expect(patterns.length).toBeGreaterThanOrEqual(60)
})
