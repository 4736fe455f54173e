import type { CodeMode } from "@effect-codemode/toolkit"
import { encode } from "gpt-tokenizer/encoding/o200k_base"
import type { ServerCatalog } from "./catalogs.ts"

/** The length of a text in tokens: counted exactly, and estimated as a quarter of its characters. */
export interface Length {
  readonly exact: number
  readonly estimate: number
}

// Texts are counted as text, whatever they say.
export const lengthOf = (text: string): Length => ({
  exact: encode(text, { disallowedSpecial: new Set() }).length,
  estimate: Math.ceil(text.length / 4),
})

const sum = (lengths: ReadonlyArray<Length>): Length => ({
  exact: lengths.reduce((all, { exact }) => all + exact, 0),
  estimate: lengths.reduce((all, { estimate }) => all + estimate, 0),
})

/** What the model is sent, and what it would be sent without code mode. */
export interface Tokens {
  readonly description: Length
  /** The description without its catalog. */
  readonly fixed: Length
  readonly catalog: Length
  /** The tools as their servers list them. */
  readonly listed: Length
  /** Of these, what a provider is sent: name, description and input schema, in the form of OpenAI's API. */
  readonly provided: Length
}

export const tokensOf = (mode: CodeMode.CodeMode, catalogs: ReadonlyArray<ServerCatalog>): Tokens => {
  const tools = catalogs.flatMap(({ tools }) => tools)
  return {
    description: lengthOf(mode.instructions),
    fixed: lengthOf(mode.instructions.replace(mode.texts.catalog, "")),
    catalog: lengthOf(mode.texts.catalog),
    listed: sum(tools.map((tool) => lengthOf(JSON.stringify(tool)))),
    provided: sum(
      tools.map(({ description, inputSchema, name }) =>
        lengthOf(JSON.stringify({ type: "function", function: { name, description, parameters: inputSchema } }))
      ),
    ),
  }
}
