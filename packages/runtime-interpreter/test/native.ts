import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Puts a module of the sources, with all that it imports of them, into one file, for as long as it is used. */
export const withBundle = async <A>(source: string, use: (file: string) => A | Promise<A>): Promise<A> => {
  const build = await rolldown({
    input: at(`../src/${source}`),
    platform: "node",
    external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@effect-codemode/"),
    resolve: {
      alias: {
        "@effect-codemode/toolkit/Catalog": at("../../toolkit/src/Catalog.ts"),
        "@effect-codemode/toolkit/CodeMode": at("../../toolkit/src/CodeMode.ts"),
        "@effect-codemode/toolkit/ToolSource": at("../../toolkit/src/ToolSource.ts"),
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
    return await use(file)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Loads a module of the sources by Node itself. The test runner's way of loading makes every access to an import a call, which
 * slows the machine's loop down several times; what runs long is loaded like this.
 */
export const loadNative = <Module>(source: string): Promise<Module> =>
  withBundle(source, (file) => createRequire(import.meta.url)(file) as Module)
