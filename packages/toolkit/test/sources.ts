import { ToolSource } from "@effect-codemode/toolkit"
import { Effect, type Schema } from "effect"

/** A definition from its name, with what else is said of it. */
export const tool = (name: string, more: Partial<ToolSource.Definition> = {}): ToolSource.Definition => ({
  name,
  input: { type: "object" },
  annotations: {},
  ...more,
})

/** A tool that says it changes nothing. */
export const reading = (name: string, more: Partial<ToolSource.Definition> = {}): ToolSource.Definition =>
  tool(name, { annotations: { readOnly: true }, ...more })

/** A source of tools that remembers its calls, and answers each with the tool's name and the input. */
export const sourceOf = (
  definitions: ReadonlyArray<ToolSource.Definition>,
  more: Partial<ToolSource.ToolSource> & { readonly notes?: string } = {},
) => {
  const calls: Array<{ readonly tool: string; readonly input: Schema.JsonObject }> = []
  const { notes, ...rest } = more
  const source: ToolSource.ToolSource = {
    name: "test",
    list: Effect.succeed({ definitions, ...notes === undefined ? undefined : { notes } }),
    call: (tool, input) =>
      Effect.sync(() => {
        calls.push({ tool, input })
        return { tool, input }
      }),
    ...rest,
  }
  return { source, calls }
}

/** A failure of a source. */
export const failure = (message: string, code = "TOOL_FAILURE") =>
  new ToolSource.Failure({ code, message, retryable: false })
