// Runs one example by its name: `npm run example -- NAME`. Without one, lists them.
import { existsSync } from "node:fs"

const examples = {
  "workspace-agent": "An agent over this repository's files: programs, calls, approval, and what they saved.",
  "mcp-workspace": "Two MCP servers behind one tool: twenty calls at once, a failure, an image, an approved write.",
  "openapi": "An HTTP API on loopback, presented to the model through its own OpenAPI document.",
  "chat-approval": "A chat in which a tool stops for a person at the terminal. Flags: --yes, --no.",
  "observability": "The spans, attributes, audit list and metrics of a run, in the terminal.",
  "custom-loop": "An agent loop of one's own, without LanguageModel.",
  "quickjs-runtime": "Another JavaScript engine behind the same interface, held to its contract.",
}

const name = process.argv[2]
const width = Math.max(...Object.keys(examples).map((name) => name.length))
const list = Object.entries(examples).map(([name, line]) => `  ${name.padEnd(width)}  ${line}`).join("\n")
if (name === undefined) {
  console.log(`The examples, each to be run with npm run example -- NAME:\n${list}`)
  process.exit(0)
}
if (!Object.hasOwn(examples, name)) {
  console.error(`There is no example "${name}". There are:\n${list}`)
  process.exit(1)
}
const main = new URL(`./build/${name}/main.js`, import.meta.url)
if (!existsSync(main)) {
  console.error("The examples are not built. Run: npm run build")
  process.exit(1)
}
await import(main.href)
