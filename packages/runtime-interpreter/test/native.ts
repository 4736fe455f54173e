import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Loads a module of the sources, with all that it imports of them, by Node itself. The test runner's way of loading makes
 * every access to an import a call, which slows the machine's loop down several times; what runs long is loaded like this.
 */
export const loadNative = async <Module>(source: string): Promise<Module> => {
  const build = await rolldown({
    input: at(`../src/${source}`),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@effect-codemode/"),
    resolve: {
      alias: {
        "@effect-codemode/toolkit": at("../../toolkit/src/index.ts"),
        "@effect-codemode/runtime-interpreter/engine": at("../src/engine/index.ts"),
        "@effect-codemode/runtime-interpreter": at("../src/index.ts"),
      },
    },
    logLevel: "silent",
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false })
  await build.close()
  mkdirSync(at("../build"), { recursive: true })
  const folder = mkdtempSync(at("../build/native-"))
  try {
    const file = join(folder, "module.js")
    writeFileSync(file, output[0].code)
    return createRequire(import.meta.url)(file) as Module
  } finally {
    rmSync(folder, { recursive: true })
  }
}
