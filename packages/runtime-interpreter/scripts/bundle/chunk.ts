// Puts the modules of a package into a file for each entry, and files for what they share.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { type ExistingRawSourceMap, rolldown } from "rolldown"

/** A file of a bundle: code, or the source map of one. */
export interface File {
  readonly name: string
  readonly text: string
}

/** Whether a file is code. */
export const isCode = ({ name }: File): boolean => name.endsWith(".js")

type Exports = Readonly<Record<string, string | { readonly default: string }>>

// The modules that a package exports: `dist/engine/index.js` as `engine/index`.
const entriesOf = (folder: string): Record<string, string> => {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { readonly exports: Exports }
  const entries: Record<string, string> = {}
  for (const target of Object.values(exports)) {
    if (typeof target === "string") continue
    const name = /^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1]
    if (name === undefined) throw new Error(`What is exported is no script in dist: ${target.default}`)
    entries[name] = join(folder, target.default)
  }
  return entries
}

// With the map of the compiler, so that a stack leads to the sources.
const load = (id: string) => {
  if (!existsSync(`${id}.map`)) throw new Error(`Nothing of the compiler's: ${id} has no source map`)
  return {
    code: readFileSync(id, "utf8").replace(/\n\/\/# sourceMappingURL=.*\s*$/, "\n"),
    map: JSON.parse(readFileSync(`${id}.map`, "utf8")) as ExistingRawSourceMap,
  }
}

/**
 * What the compiler has made of a package, in few files that are to stand in a `dist`. Other packages stay imports; constants of
 * `const enum`s are in place already, which is why the compiler's scripts are bundled and not the sources.
 */
export const chunk = async (folder: string): Promise<ReadonlyArray<File>> => {
  const build = await rolldown({
    input: entriesOf(folder),
    platform: "neutral",
    external: (id) => !id.startsWith(".") && !id.startsWith("/"),
    plugins: [{ name: "maps of the compiler", load }],
  })
  try {
    const { output } = await build.generate({
      dir: join(folder, "dist"),
      format: "esm",
      sourcemap: true,
      comments: { legal: true, annotation: true, jsdoc: false },
      chunkFileNames: "chunks/[name].js",
    })
    return output.map((file) => ({
      name: file.fileName,
      text: file.type === "chunk" ? file.code : Buffer.from(file.source).toString(),
    }))
  } finally {
    await build.close()
  }
}

/**
 * Writes what is published of a package to a folder: its manifest, sources, declarations, and its scripts in few files. Gives these.
 */
export const publish = async (folder: string, to: string): Promise<ReadonlyArray<File>> => {
  const files = await chunk(folder)
  rmSync(to, { recursive: true, force: true })
  for (const name of ["package.json", "LICENSE", "README.md", "src"]) {
    cpSync(join(folder, name), join(to, name), { recursive: true })
  }
  for (const name of readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" })) {
    if (/\.d\.ts(?:\.map)?$/.test(name)) cpSync(join(folder, "dist", name), join(to, "dist", name))
  }
  for (const { name, text } of files) {
    const path = join(to, "dist", name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return files
}
