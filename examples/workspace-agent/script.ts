// What the scripted model says: two programs, a call that needs approval, and an answer from what it read.
import { answer, call, type Conversation, program, result, type Turn } from "../shared/scripted-model.ts"

const longest = `\
const files = await tools.list_files({ extension: ".ts" })
const sources = await Promise.all(files.map((path) => tools.read_file({ path })))

const declaration = /^export (?:abstract |async )?(?:const enum|const|let|function\\*?|class|interface|type|enum) (\\w+)/gm
return {
  files: files.length,
  longest: sources
    .map(({ path, text }) => ({
      path,
      lines: text.split("\\n").length,
      exports: [...new Set([...text.matchAll(declaration)].map(([, name]) => name))],
    }))
    .sort((a, b) => b.lines - a.lines)
    .slice(0, 10),
}`

const outside = `\
const matches = await tools.search_text({ text: "needsApproval: true", extension: ".ts" })
const definitions = matches.filter(({ text }) => /(^|[ {])needsApproval: true/.test(text))

let outside
try {
  outside = await tools.read_file({ path: "../../etc/passwd" })
} catch (error) {
  console.warn("reading outside:", error.message)
  outside = error.code
}
return { needApproval: [...new Set(definitions.map(({ path }) => path))], outside }`

interface Longest {
  readonly files: number
  readonly longest: ReadonlyArray<
    { readonly path: string; readonly lines: number; readonly exports: ReadonlyArray<string> }
  >
}

interface Outside {
  readonly needApproval: ReadonlyArray<string>
  readonly outside: string
}

const list = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "nothing"
    : names.length <= 4
    ? names.join(", ")
    : `${names.slice(0, 4).join(", ")} and ${names.length - 4} more`

/** The turns, in order. Each is written from what came before, so the answer says what the programs found. */
export const script: ReadonlyArray<Turn> = [
  program("call-1", longest),
  program("call-2", outside),
  call(
    "call-3",
    "delete_file",
    ({ request }: Conversation) => ({ path: /Delete the file (\S+)\./.exec(request)?.[1] }),
  ),
  answer((conversation) => {
    const { files, longest } = result<Longest>(conversation, 0)
    const { needApproval, outside } = result<Outside>(conversation, 1)
    const { deleted } = result<{ readonly deleted: string }>(conversation, 2)
    return [
      `The ten longest of ${files} TypeScript files:`,
      ...longest.map(({ exports, lines, path }) => `- ${path}: ${lines} lines, exports ${list(exports)}`),
      `Tools that need approval are defined in ${
        list(needApproval)
      }. Reading outside the workspace fails with ${outside}.`,
      `I deleted ${deleted}.`,
    ].join("\n")
  }),
]
