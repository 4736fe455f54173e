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

/** Of each package the entries that a host loads together with what they need: a file for each line, and of what two need, the first has it. */
const together: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  "@effect-codemode/toolkit": [["CodeMode", "Catalog", "ToolSource"]],
  "@effect-codemode/runtime-interpreter": [["engine/index"], ["InterpreterRuntime", "Limits", "Search"]],
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest

// The modules that a package exports: `dist/engine/index.js` as `engine/index`.
const entriesOf = (folder: string): Record<string, string> => {
  const { exports } = manifestOf(folder)
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

const external = (id: string): boolean => !id.startsWith(".") && !id.startsWith("/")

/** What some entries load when they are loaded, themselves included. */
const reachedFrom = async (entries: ReadonlyArray<string>): Promise<ReadonlySet<string>> => {
  const build = await rolldown({ input: [...entries], platform: "neutral", external, treeshake: false })
  try {
    const { output } = await build.generate({ format: "esm" })
    return new Set(output.flatMap((file) => file.type === "chunk" && !file.isDynamicEntry ? file.moduleIds : []))
  } finally {
    await build.close()
  }
}

/** Which modules are put together. */
const groupsOf = async (folder: string, entries: Readonly<Record<string, string>>) => {
  const taken = new Set<string>()
  const groups: Array<{ readonly name: string; readonly test: (id: string) => boolean }> = []
  for (const names of together[manifestOf(folder).name] ?? []) {
    const reached = await reachedFrom(names.map((name) => {
      const path = entries[name]
      if (path === undefined) throw new Error(`There is no entry "${name}" in ${folder}`)
      return path
    }))
    const own = new Set([...reached].filter((id) => !taken.has(id)))
    for (const id of own) taken.add(id)
    groups.push({ name: names[0]!.split("/")[0]!, test: (id) => own.has(id) })
  }
  return groups
}

/**
 * What the compiler has made of a package, in few files that are to stand in a `dist`. Other packages stay imports; constants of
 * `const enum`s are in place already, which is why the compiler's scripts are bundled and not the sources.
 */
export const chunk = async (folder: string): Promise<ReadonlyArray<File>> => {
  const entries = entriesOf(folder)
  const groups = await groupsOf(folder, entries)
  const build = await rolldown({
    input: entries,
    platform: "neutral",
    external,
    plugins: [{ name: "maps of the compiler", load }],
  })
  try {
    const { output } = await build.generate({
      dir: join(folder, "dist"),
      format: "esm",
      sourcemap: true,
      comments: { legal: true, annotation: true, jsdoc: false },
      chunkFileNames: "chunks/[name].js",
      codeSplitting: { groups },
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
