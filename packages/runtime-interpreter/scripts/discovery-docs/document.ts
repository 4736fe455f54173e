import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import { lengthOf } from "../../bench/discovery/tokens.ts"
import { large, small, withNotes } from "./toolkits.ts"

const modeOf = (
  presented: Toolkit.WithHandler<Record<string, Tool.Any>>,
  options?: CodeMode.Options,
): Promise<CodeMode.CodeMode> =>
  Effect.runPromise(
    // These tools need no services.
    CodeMode.make(presented, InterpreterRuntime.make(), options) as Effect.Effect<CodeMode.CodeMode>,
  )

const quoted = (text: string): string => text.split("\n").map((line) => `    ${line}`.trimEnd()).join("\n")

const answerOf = (mode: CodeMode.CodeMode, code: string): Promise<string> =>
  Effect.runPromise(Effect.match(mode.execute(code), {
    onFailure: (error) => mode.explain(code, error),
    onSuccess: ({ result }) => JSON.stringify(result, undefined, 2),
  }))

const ran = async (mode: CodeMode.CodeMode, code: string): Promise<string> =>
  `\`\`\`js\n${code}\n\`\`\`\n\ngives\n\n${quoted(await answerOf(mode, code))}`

const tokens = (count: number): string => `${count.toLocaleString("en-US")} tokens`

const shown = ({ instructions }: CodeMode.CodeMode): string =>
  `${tokens(lengthOf(instructions).exact)}:\n\n${quoted(instructions)}`

/** What a provider would be sent of tools without code mode: name, description and input schema, in the form of OpenAI's API. */
const provided = (tools: Readonly<Record<string, Tool.Any>>): number =>
  Object.entries(tools).reduce((sum, [name, tool]) => {
    const described = { name, description: tool.description, parameters: Tool.getJsonSchema(tool) }
    return sum + lengthOf(JSON.stringify({ type: "function", function: described })).exact
  }, 0)

/** The page: what a model sees of a small and of a large toolkit. */
export const document = async (): Promise<string> => {
  const few = await modeOf(await Effect.runPromise(small) as unknown as Toolkit.WithHandler<Record<string, Tool.Any>>)
  const many = await modeOf(large)
  const named = await modeOf(withNotes, { namespaces: ["github"] })
  return `# What a model sees

<!-- Written by \`npm run docs:discovery\`. A test fails when it is out of date. -->

The description of \`execute\` is all that a model knows of your tools. It is \`instructions\` of \`CodeMode.make\`; \`texts\` has its parts, for a text
of your own. Its length does not grow with the toolkit: the catalog has a budget, \`catalogBudget\`, 2,000 estimated tokens by default, and the
model finds in code what is not shown. The same toolkit gives the same text, byte for byte.

## A small toolkit

All tools are shown. A tool that may need approval stays a tool of its own.

${shown(few)}

## A large toolkit

${
    Object.keys(large.tools).length
  } tools. Every namespace is listed. Whole signatures are placed by turns, each namespace's shortest first, while the budget lasts.
As definitions of ${Object.keys(large.tools).length} tools of their own, they would be ${
    tokens(provided(large.tools))
  }. Tokens are counted with \`gpt-tokenizer\` (o200k_base).

${shown(many)}

## Finding the rest

Search is a call like any other: it counts, and is observed. It is answered inside the runtime.

${await ran(
    many,
    `const { items, remaining } = await search({ query: "export an invoice's notes", limit: 2 })\nreturn { items, remaining }`,
  )}

A path, as it stands, finds its tool alone. Without a query, tools are browsed in the order of their names; \`namespace\` restricts.

${await ran(
    many,
    `return (await tools.$codemode.search({ namespace: "mail", limit: 3 })).items.map((item) => item.path)`,
  )}

A name that is not there fails, and tells the nearest ones.

${await ran(many, "return await tools.tickets.fetch_comments({})")}

Hosts call \`Search.find(catalog, { query })\` of \`@effect-codemode/runtime-interpreter\`, which any runtime may use to answer
\`$codemode.search\` from \`execution.catalog\`.

## Namespaces

A dot in a tool's name separates namespaces. Flat names get theirs by the option \`namespaces\`, a list of prefixes, or by the annotation
\`Catalog.Namespace\`, which may carry what a server says of itself.

${quoted(named.texts.catalog)}
`
}
