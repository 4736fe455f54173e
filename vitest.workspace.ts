import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// Vitest sorts the failures that it prints with Map.groupBy, which came with Node 21.
if (!("groupBy" in Map)) {
  Object.defineProperty(Map, "groupBy", {
    configurable: true,
    writable: true,
    value: <K, T>(items: Iterable<T>, key: (item: T, index: number) => K): Map<K, Array<T>> => {
      const groups = new Map<K, Array<T>>()
      let index = 0
      for (const item of items) {
        const name = key(item, index++)
        const group = groups.get(name)
        if (group === undefined) groups.set(name, [item])
        else group.push(item)
      }
      return groups
    },
  })
}

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// Tests run against the sources, so that a failing line is a line of ours.
const alias = [
  { find: /^@effect-codemode\/toolkit\/(\w+)$/, replacement: source("packages/toolkit/src/$1.ts") },
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
  test: { name, root: source(root), include: ["test/**/*.test.ts"], testTimeout: 30_000, hookTimeout: 60_000 },
})

export default defineConfig({
  test: {
    // Without it one processor is left idle, which is half of a small machine.
    maxWorkers: "100%",
    projects: [
      project("toolkit", "packages/toolkit"),
      project("runtime-interpreter", "packages/runtime-interpreter"),
      project("examples", "examples"),
      project("docs", "docs"),
    ],
  },
})
