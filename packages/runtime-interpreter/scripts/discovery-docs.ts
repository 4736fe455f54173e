// Writes docs/discovery.md, with the text that a model sees: npm run docs:discovery
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { document } from "./discovery-docs/document.ts"

// The script is run from where it is built.
writeFileSync(fileURLToPath(new URL("../../../../docs/discovery.md", import.meta.url)), await document())
