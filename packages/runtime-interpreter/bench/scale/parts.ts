// The parts of the benchmark of costs, each of which has a process of its own.
import type { Part } from "./measure.ts"

/** A part, and the heap that its process has, in megabytes. */
export interface Listed {
  readonly name: string
  readonly heap: number
  readonly part: Part
}

/** All parts, in the order in which they are printed. A process loads its own alone. */
export const parts: ReadonlyArray<Listed> = [
  { name: "empty", heap: 2048, part: async (isQuick) => (await import("./empty.ts")).empty(isQuick) },
  { name: "calls", heap: 2048, part: async (isQuick) => (await import("./calls.ts")).calls(isQuick) },
  { name: "toolkit", heap: 2048, part: async (isQuick) => (await import("./toolkit.ts")).throughToolkit(isQuick) },
  { name: "waiting-1000", heap: 1024, part: async () => (await import("./waiting.ts")).waiting(1000, "small") },
  { name: "waiting-10000", heap: 1024, part: async () => (await import("./waiting.ts")).waiting(10_000, "small") },
  { name: "waiting-larger", heap: 1024, part: async () => (await import("./waiting.ts")).waiting(10_000, "larger") },
  {
    name: "waiting-toolkit",
    heap: 1024,
    part: async () => (await import("./waiting.ts")).waiting(1000, "small", "toolkit"),
  },
  { name: "catalog", heap: 2048, part: async () => (await import("./catalog.ts")).catalog() },
  { name: "results", heap: 4096, part: async (isQuick) => (await import("./results.ts")).results(isQuick) },
  { name: "cold", heap: 2048, part: async (isQuick) => (await import("./cold.ts")).cold(isQuick) },
]
