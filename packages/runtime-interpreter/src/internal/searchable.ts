import type * as CodeMode from "@effect-codemode/toolkit/CodeMode"
import * as ToolSource from "@effect-codemode/toolkit/ToolSource"
import * as Effect from "effect/Effect"
import * as Search from "../Search.ts"

/** How many tools are told that a wrong name may mean. */
const MEANT = 3

/** A run's tools with search among them, answered here from the catalog; and names that are wrong told what they may mean. */
export const searchable = (execution: CodeMode.Execution): CodeMode.Execution => {
  const { callAside, observe } = execution
  const { known, withSearch } = namesOf(execution.tools)
  const searching: CodeMode.Execution = {
    ...execution,
    tools: withSearch,
    call: (tool, input) => {
      if (known.has(tool)) return execution.call(tool, input)
      if (tool !== Search.toolName) {
        return Effect.mapError(execution.call(tool, input), (failure) => explained(execution, tool, failure))
      }
      const answer = Effect.suspend(() => Search.answer(catalogOf(execution), input))
      return observe === undefined ? answer : observe(tool, input, answer)
    },
  }
  return callAside === undefined ? searching : {
    ...searching,
    callAside: (tool, input, aside) => known.has(tool) ? callAside(tool, input, aside) : searching.call(tool, input),
  }
}

const catalogOf = ({ catalog, tools }: CodeMode.Execution) => catalog ?? Search.catalogOf(tools)

const explained = (execution: CodeMode.Execution, tool: string, failure: ToolSource.Failure): ToolSource.Failure => {
  if (failure.code !== "UNKNOWN_TOOL") return failure
  const { code, message, retryable } = failure
  if (tool === "$codemode" || tool.startsWith("$codemode.")) {
    return new ToolSource.Failure({
      code,
      message: `There is no tool "${tool}". Nearest: tools.${Search.toolName}.`,
      retryable,
    })
  }
  const { catalog } = execution
  if (catalog === undefined) return failure
  const meant = Search.meant(catalog, tool, MEANT).filter((path) => !mentions(message, path))
  if (meant.length === 0) return failure
  return new ToolSource.Failure({
    code,
    message: `${message} These words are also those of: ${meant.join(", ")}.`,
    retryable,
  })
}

const mentions = (message: string, path: string): boolean =>
  message.split(/[\s,]+/).some((word) => word === path || word === `${path}.`)

interface Names {
  readonly count: number
  readonly known: ReadonlySet<string>
  /** Search comes first, where the engine looks for it. */
  readonly withSearch: ReadonlyArray<string>
}

// Hosts run many programs over one list of names, and the engine keeps what it made of a list.
const lists = new WeakMap<ReadonlyArray<string>, Names>()

const namesOf = (tools: ReadonlyArray<string>): Names => {
  let names = lists.get(tools)
  if (names === undefined || names.count !== tools.length) {
    names = { count: tools.length, known: new Set(tools), withSearch: [Search.toolName, ...tools] }
    lists.set(tools, names)
  }
  return names
}
