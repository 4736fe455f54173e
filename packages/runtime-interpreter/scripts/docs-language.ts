// Writes the parts of docs/language.md that come from the code, and from a run of the specification's suite:
//   npm run test262 -- --json report.json && npm run docs:language -- --report report.json
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { fill } from "./docs-language/fill.ts"
import type { Summary } from "./test262/report.ts"

const file = fileURLToPath(new URL("../../../../docs/language.md", import.meta.url))
const { report } = parseArgs({ options: { report: { type: "string" } } }).values
const summary = report === undefined ? undefined : JSON.parse(readFileSync(report, "utf8")) as Summary

const before = readFileSync(file, "utf8")
const after = await fill(before, summary)
writeFileSync(file, after)
console.log(before === after ? "docs/language.md is up to date" : "docs/language.md is written")
