// Reads the specification's suite from disk: which files there are, and what each says about itself.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join, sep } from "node:path"
import { parse } from "yaml"

/** A test file with its frontmatter read. */
export interface Test {
  /** Path below `test/`, with forward slashes: `language/expressions/yield/rhs.js`. */
  readonly file: string
  readonly source: string
  /** The source without comments, which is what a skip rule may look at. */
  readonly code: string
  readonly flags: ReadonlyArray<string>
  readonly features: ReadonlyArray<string>
  readonly includes: ReadonlyArray<string>
  readonly negative: { readonly phase: string; readonly type: string } | undefined
}

/** The folders of the suite that define the language and its built-ins. */
export const directories = ["language", "built-ins"] as const

const missing = (directory: string | undefined): string =>
  [
    directory === undefined
      ? "TEST262_DIR is not set: the specification's suite is not part of this repository."
      : `TEST262_DIR is ${directory}, which has no "test" and "harness" folder.`,
    "",
    "  git clone --depth 1 https://github.com/tc39/test262",
    "  TEST262_DIR=$PWD/test262 npm run test262",
  ].join("\n")

/** Where the suite is, or a message that says how to get it. */
export const locate = (): { readonly root: string } | { readonly problem: string } => {
  const root = process.env["TEST262_DIR"]
  return root !== undefined && root !== "" && existsSync(join(root, "test")) && existsSync(join(root, "harness"))
    ? { root }
    : { problem: missing(root === "" ? undefined : root) }
}

/** Every test of the given folders, sorted, so that two runs report in one order. */
export const list = (root: string, folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  folders.flatMap((folder) =>
    (readdirSync(join(root, "test", folder), { recursive: true }) as ReadonlyArray<string>)
      .filter((path) => path.endsWith(".js") && !path.includes("_FIXTURE"))
      .map((path) => `${folder}/${path.split(sep).join("/")}`)
      .sort()
  )

const comments = /\/\*[^]*?\*\/|\/\/.*/g
const frontmatter = /\/\*---([^]*?)---\*\//

// One harness file makes classes from text, for engines without `class`. Programs have no functions from text, and do
// have classes, so the classes are written out and the tests of resizable buffers stay in.
const subclasses = ["Uint8Array", "Float32Array", "BigInt64Array"]
  .map((type) => `${type}: class My${type} extends ${type} {}`)
const adapt = (text: string): string =>
  text.replace(/new Function\('return class My' \+ type .*\(\)/, `({ ${subclasses.join(", ")} })[type]`)

const cache = new Map<string, string>()

/** The text of a harness file. */
export const harness = (root: string, name: string): string => {
  let text = cache.get(name)
  if (text === undefined) {
    text = adapt(readFileSync(join(root, "harness", name), "utf8"))
    cache.set(name, text)
  }
  return text
}

/** Reads one test. */
export const read = (root: string, file: string): Test => {
  const source = readFileSync(join(root, "test", file), "utf8")
  // A few tests of line terminators have bare carriage returns in their frontmatter too.
  const header = (frontmatter.exec(source)?.[1] ?? "").replace(/\r\n?/g, "\n")
  const fields: Partial<Test> = parse(header) ?? {}
  return {
    file,
    source,
    code: source.replace(comments, " "),
    flags: fields.flags ?? [],
    features: fields.features ?? [],
    includes: fields.includes ?? [],
    negative: fields.negative,
  }
}
