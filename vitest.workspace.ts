import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

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

/**
 * What V8 is told where tests run many programs, each for moments. It would go on compiling the interpreter anew for each kind of
 * program, its loop above all, which is one large function, and would collect garbage on more processors than there are: together
 * that takes as long as the tests. What they find does not depend on it. Some versions of V8 lack an option.
 */
const options = execFileSync(process.execPath, ["--v8-options"], { encoding: "utf8" })
const manyPrograms = [
  "--max-optimized-bytecode-size=8000",
  "--interrupt-budget=500000",
  "--single-threaded-gc",
  "--max-semi-space-size=32",
].filter((option) => options.includes(`\n  ${option.split("=")[0]} `))

type Project = TestProjectInlineConfiguration

const project = (name: string, root: string, test: Project["test"]): Project => ({
  resolve: { alias },
  test: { name, root: source(root), testTimeout: 30_000, hookTimeout: 60_000, execArgv: manyPrograms, ...test },
})

/**
 * The tests in a folder. Files share processes, so that what all of them import is loaded once and runs warm. Those named in `alone`
 * get one each: what they look at, or change, is the process's own, as its heap, its built-ins or its handles. Those in `asHosts` do,
 * too, and V8 is told nothing there: they look at the turns of the event loop, or run long.
 */
const projects = (
  name: string,
  root: string,
  { alone = [], asHosts = [] }: Partial<Record<"alone" | "asHosts", ReadonlyArray<string>>> = {},
): ReadonlyArray<Project> => [
  project(name, root, {
    include: ["test/**/*.test.ts"],
    exclude: [...alone, ...asHosts],
    isolate: false,
    setupFiles: [source("vitest.setup.ts")],
  }),
  ...alone.length === 0 ? [] : [project(`${name}, alone`, root, { include: [...alone] })],
  ...asHosts.length === 0 ? [] : [project(`${name}, as hosts`, root, { include: [...asHosts], execArgv: [] })],
]

/** Files that take long, longest first. */
const long = [
  "containment/exhaustion",
  "programs/programs",
  "Mcp.hostile",
  "differential/differential",
  "containment/fuel",
  "containment/sizes",
  "containment/escapes",
  "containment/redos",
  "containment/fuzz",
  "docs/test/pages",
  "engine/parse-pieces",
  "bench",
  "Mcp.memory",
  "Mcp.long",
  "engine/metering",
  "OpenApi.memory",
]

const rank = ({ moduleId }: TestSpecification): number => {
  const index = long.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return index < 0 ? long.length : index
}

/**
 * Begins with what takes long, so that at the end no processor is left without work. The runner itself goes project by project, and
 * by the size of files where it has not seen them run.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    // A process that is shared ends where another project goes on, so those files come last, and together.
    const shared = ({ project }: TestSpecification): number => project.config.isolate ? 0 : 1
    return sorted.sort((a, b) => shared(a) - shared(b) || rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    // Without it one processor is left idle, which is half of a small machine.
    maxWorkers: "100%",
    sequence: { sequencer: LongFirst },
    projects: [
      ...projects("toolkit", "packages/toolkit", { asHosts: ["test/Guest.test.ts", "test/Mcp.hostile.test.ts"] }),
      ...projects("runtime-interpreter", "packages/runtime-interpreter", {
        alone: ["test/containment/**/*.test.ts", "test/differential/**/*.test.ts", "test/programs/**/*.test.ts"],
        asHosts: ["test/InterpreterRuntime.test.ts", "test/Limits.test.ts"],
      }),
      ...projects("examples", "examples"),
      project("docs", "docs", { include: ["test/**/*.test.ts"] }),
    ],
  },
})
