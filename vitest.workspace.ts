import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Tests run against the sources, so that a failing line is a line of ours.
const alias = [
  { find: "@effect-codemode/toolkit/testing", replacement: source("packages/toolkit/src/testing.ts") },
  { find: "@effect-codemode/toolkit", replacement: source("packages/toolkit/src/index.ts") },
  {
    find: "@effect-codemode/runtime-interpreter/engine",
    replacement: source("packages/runtime-interpreter/src/engine/index.ts"),
  },
  {
    find: "@effect-codemode/runtime-interpreter",
    replacement: source("packages/runtime-interpreter/src/index.ts"),
  },
]

const project = (name: string, root: string) => ({
  resolve: { alias },
  test: { name, root: source(root), include: ["test/**/*.test.ts"], testTimeout: 30_000 },
})

export default defineConfig({
  test: {
    projects: [
      project("toolkit", "packages/toolkit"),
      project("runtime-interpreter", "packages/runtime-interpreter"),
      project("examples", "examples"),
    ],
  },
})
