// A language model without a key or a network: it says what it was written to say, and everything around it is real. It is an
// ordinary `LanguageModel` layer, which is why a provider's layer can take its place.
import { Effect, Layer, Stream } from "effect"
import { LanguageModel, type Prompt, type Response } from "effect/ai"

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

/** What a turn is written from: the user's text, and the results that the model has read so far. */
interface Conversation {
  readonly request: string
  readonly results: ReadonlyArray<Prompt.ToolResultPart>
}

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

// The script ends here when a result is not what it was written for: a real model would read the failure and try again.
const result = <A>({ results }: Conversation, index: number): A => {
  const { isFailure, name, result } = results[index]!
  if (isFailure) throw new Error(`${name} failed, which is not in the script: ${JSON.stringify(result)}`)
  return (name === "execute" ? (result as { readonly result: A }).result : result) as A
}

/** The turns, in order. Each is written from what came before, so the answer says what the programs found. */
const turns: ReadonlyArray<(conversation: Conversation) => Array<Response.PartEncoded>> = [
  () => [{ type: "tool-call", id: "call-1", name: "execute", params: { code: longest } }],
  () => [{ type: "tool-call", id: "call-2", name: "execute", params: { code: outside } }],
  ({ request }) => {
    const path = /Delete the file (\S+)\./.exec(request)?.[1]
    return [{ type: "tool-call", id: "call-3", name: "delete_file", params: { path } }]
  },
  (conversation) => {
    const { files, longest } = result<Longest>(conversation, 0)
    const { needApproval, outside } = result<Outside>(conversation, 1)
    const { deleted } = result<{ readonly deleted: string }>(conversation, 2)
    const lines = longest.map(({ exports, lines, path }) => `- ${path}: ${lines} lines, exports ${list(exports)}`)
    return [{
      type: "text",
      text: [
        `The ten longest of ${files} TypeScript files:`,
        ...lines,
        `Tools that need approval are defined in ${
          list(needApproval)
        }. Reading outside the workspace fails with ${outside}.`,
        `I deleted ${deleted}.`,
      ].join("\n"),
    }]
  },
]

const list = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "nothing"
    : names.length <= 4
    ? names.join(", ")
    : `${names.slice(0, 4).join(", ")} and ${names.length - 4} more`

const read = (prompt: Prompt.Prompt): Conversation => {
  const request: Array<string> = []
  const results: Array<Prompt.ToolResultPart> = []
  for (const message of prompt.content) {
    if (message.role === "user") {
      for (const part of message.content) if (part.type === "text") request.push(part.text)
    }
    if (message.role === "tool") {
      for (const part of message.content) if (part.type === "tool-result") results.push(part)
    }
  }
  return { request: request.join("\n"), results }
}

/** The model. One turn for each result it has read. */
export const layer = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({
    generateText: ({ prompt }) =>
      Effect.sync(() => {
        const conversation = read(prompt)
        return turns[conversation.results.length]!(conversation)
      }),
    streamText: () => Stream.die(new Error("The scripted model does not stream")),
  }),
)
