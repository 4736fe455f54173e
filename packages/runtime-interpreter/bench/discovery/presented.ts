import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Catalog, CodeMode } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import type { ServerCatalog } from "./catalogs.ts"

/** Tools that are only looked at, as a toolkit. */
export const toolkitOf = (
  definitions: Iterable<Catalog.Definition>,
): Toolkit.WithHandler<Record<string, Tool.Any>> => ({
  tools: Object.fromEntries(Array.from(definitions, ({ description, input, output, tool }) => {
    const made = Tool.dynamic(tool, { description, parameters: input ?? { type: "object" } })
    return [tool, output === undefined ? made : made.annotate(Catalog.Output, output)]
  })),
  handle: (name) => Effect.die(new Error(`The tool "${String(name)}" is only looked at`)),
})

/** The tools of all servers, each in the namespace of its server. */
export const definitionsOf = (catalogs: ReadonlyArray<ServerCatalog>): Array<Catalog.Definition> =>
  catalogs.flatMap(({ name, tools }) =>
    tools.map((tool) => ({
      tool: `${name}.${tool.name}`,
      description: tool.description,
      input: tool.inputSchema,
      output: tool.outputSchema,
    }))
  )

/** Code mode over tools, as a host has it. */
export const codeModeOf = (definitions: Iterable<Catalog.Definition>): CodeMode.CodeMode =>
  Effect.runSync(
    // These tools need no services.
    CodeMode.make(toolkitOf(definitions), InterpreterRuntime.make()) as Effect.Effect<CodeMode.CodeMode>,
  )
