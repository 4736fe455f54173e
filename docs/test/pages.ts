// The pages of this repository that people read, and the code on them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../", import.meta.url))

export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly text: string
}

const read = (path: string): Page => ({ path, text: readFileSync(join(root, path), "utf8") })

const list = (folder: string, extension: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith(extension)).map((name) => `${folder}/${name}`)

/** Whether the code of a page is programs for the interpreter. Another test runs those. */
const hasPrograms = ({ path }: Page): boolean => ["docs/language.md", "docs/discovery.md"].includes(path)

/** The pages that are not written from docstrings. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  "CONTRIBUTING.md",
  ...["SECURITY.md"].filter((path) => existsSync(join(root, path))),
  "packages/toolkit/README.md",
  "packages/runtime-interpreter/README.md",
  ...list("docs", ".md"),
].map(read)

/** The pages that are written from docstrings. */
export const reference: ReadonlyArray<Page> = existsSync(join(root, "docs/api"))
  ? ["docs/api", "docs/api/toolkit", "docs/api/runtime-interpreter"].flatMap((folder) => list(folder, ".md")).map(read)
  : []

/** The public modules, whose docstrings have examples. */
export const modules: ReadonlyArray<Page> = ["toolkit", "runtime-interpreter"]
  .flatMap((name) => list(`packages/${name}/src`, ".ts")).map(read)

/** TypeScript that stands on a page. */
export interface Block {
  readonly page: string
  /** The line of the page that it begins in. */
  readonly line: number
  readonly code: string
  /** Where it is written to, so that it can be checked and run. */
  readonly file: string
  /** What the page says that it prints. */
  readonly prints: string | undefined
}

// A block, and what is printed if the page says so right after it.
const fence = /^```ts\n([^]*?)^```$(?:\n\n(?!#)[^\n]*\bprints\b[^\n]*:\n\n```text\n([^]*?)\n```$)?/gm

/**
 * The blocks of a page. A block whose first line is a comment with the name of a file is that file, and the others of the page can
 * import it.
 */
export const blocks = (page: Page): ReadonlyArray<Block> => {
  if (hasPrograms(page)) return []
  const { path, text } = page
  const folder = join(root, "docs/build/pages", path.replace(/\W/g, "-"))
  return Array.from(text.matchAll(fence), ({ 1: code, 2: prints, index }) => {
    const line = text.slice(0, index).split("\n").length + 1
    const name = /^\/\/ ([\w-]+)\.(?:ts|js)\n/.exec(code!)?.[1] ?? `line-${line}`
    return { page: path, line, code: code!, file: join(folder, `${name}.ts`), prints }
  })
}

/** The examples in the docstrings of a module. */
export const examples = ({ path, text }: Page): ReadonlyArray<Block> =>
  Array.from(text.matchAll(/^ \*\/$|^ \* \*\*Example\*\*[^]*?^ \* ```ts\n([^]*?)^ \* ```$/gm))
    .flatMap(({ 1: code, index }) => {
      if (code === undefined) return []
      const line = text.slice(0, index).split("\n").length
      const file = join(root, "docs/build/modules", path.replace(/\W/g, "-"), `line-${line}.ts`)
      return [{ page: path, line, code: code.replaceAll(/^ \* ?/gm, ""), file, prints: undefined }]
    })

/** Writes blocks where they can be checked and run. A file that is as it should be is left alone. */
export const write = (blocks: ReadonlyArray<Block>): void => {
  for (const { code, file } of blocks) {
    if (existsSync(file) && readFileSync(file, "utf8") === code) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  }
}

const withoutFences = (text: string): string => text.replaceAll(/^(`{3,})[^]*?^\1$/gm, "")

/** The anchors of a page, as GitHub makes them of its headings. */
export const anchors = ({ text }: Page): ReadonlySet<string> => {
  const seen = new Map<string, number>()
  const prose = withoutFences(text)
  return new Set(Array.from(prose.matchAll(/^#+ (.*)$/gm), ([, heading]) => {
    const slug = heading!.toLowerCase().replaceAll(/<[^>]*>|[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(" ", "-")
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    return times === 0 ? slug : `${slug}-${times}`
  }))
}

/** The links of a page that lead into this repository, as the paths and anchors that they name. */
export const links = ({ path, text }: Page): ReadonlyArray<{ readonly path: string; readonly anchor: string }> => {
  const prose = withoutFences(text).replaceAll(/`[^`\n]*`/g, "")
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file, anchor = ""] = target.split("#", 2)
      return { path: file === "" ? path : join(dirname(path), decodeURIComponent(file!)), anchor }
    })
}
