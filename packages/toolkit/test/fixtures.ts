import { CodeMode } from "@effect-codemode/toolkit"
import { stub, type StubExecution, type StubRuntime } from "@effect-codemode/toolkit/testing"
import { Cause, Effect, Logger, type Schema, Stream } from "effect"
import type { Tool, Toolkit } from "effect/ai"

/** A program of the host: calls `tools` by name. */
export type Script = Parameters<typeof stub>[0]

/** Calls one tool and gives its result. */
export const calling = (tool: string, input: Schema.JsonObject = {}): Script => (execution) =>
  execution.call(tool, input)

/** Calls one tool and gives what its failure says, as a program that catches it sees it. */
export const catching = (tool: string, input: Schema.JsonObject = {}): Script => (execution) =>
  Effect.match(execution.call(tool, input), {
    onFailure: ({ code, message, retryable }) => ({ code, message, retryable }),
    onSuccess: (result) => ({ result }),
  })

/** Runs a script over a toolkit through `CodeMode.make`. */
export const execute = <Tools extends Record<string, Tool.Any>>(
  presented: Toolkit.WithHandler<Tools>,
  script: Script,
  options?: CodeMode.Options,
) => Effect.flatMap(CodeMode.make(presented, stub(script), options), (mode) => mode.execute("program", "call"))

/** The results of one direct call of a tool, preliminary ones included. */
export const handle = <Tools extends Record<string, Tool.Any>>(
  toolkit: Toolkit.WithHandler<Tools>,
  name: keyof Tools,
  params: unknown,
  id?: string,
) => Effect.flatMap(toolkit.handle(name, params as never, id), Stream.runCollect)

/** Collects what is logged for the host, as text. */
export const hostLog = () => {
  const entries: Array<string> = []
  return {
    entries,
    layer: Logger.layer([
      Logger.make(({ cause, message }) => {
        const parts = Array.isArray(message) ? message : [message]
        entries.push([...parts.map(String), Cause.pretty(cause)].join(" "))
      }),
    ]),
  }
}

export { stub, type StubExecution, type StubRuntime }
