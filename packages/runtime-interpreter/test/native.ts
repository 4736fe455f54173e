import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/**
 * Puts a module of the sources, with all that it imports of them, into one folder for as long as it is used. What it imports only
 * when it needs it is a file apart, unless all is to be `whole`.
 */
export const withBundle = async <A>(
  source: string,
  use: (file: string) => A | Promise<A>,
  { whole = false }: { readonly whole?: boolean } = {},
): Promise<A> => {
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
  mkdirSync(at("../build"), { recursive: true })
  const folder = mkdtempSync(at("../build/native-"))
  try {
    const { output } = await build.write({ dir: folder, format: "esm", codeSplitting: !whole })
    await build.close()
    return await use(join(folder, output[0].fileName))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Loads a module of the sources by Node itself. The test runner's way of loading makes every access to an import a call, which
 * slows the machine's loop down several times; what runs long is loaded like this. Its folder is gone by the time that it would
 * import something.
 */
export const loadNative = <Module>(source: string): Promise<Module> =>
  withBundle(source, (file) => createRequire(import.meta.url)(file) as Module, { whole: true })
