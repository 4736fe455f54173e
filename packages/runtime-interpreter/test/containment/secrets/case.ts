import { InterpreterRuntime, type Limits } from "@effect-codemode/runtime-interpreter"
import type { CodeMode } from "@effect-codemode/toolkit"
import { CodeMode as Mode } from "@effect-codemode/toolkit"
import { Tool, Toolkit } from "effect/ai"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The word that stands for all that a host keeps to itself: a password, an address, a person's data. */
export const canary = "canary-4711"

/** Runs a program on a host that has something to hide, and gives or fails with what the model reads. */
export type Host = (code: string) => Effect.Effect<unknown, unknown>

/** A way in which a host's secrets may come out. */
export interface Secret {
  readonly name: string
  /** Where the secret is, and how it may get out, in a sentence. */
  readonly tries: string
  readonly host: Host
  /** What the program runs, where the usual ones that call `tools.read` are not enough. */
  readonly code?: string
  /** The code that the program catches, and that it fails with where it does not catch; null for a call that succeeds. */
  readonly expect: string | null
  /** Whether the host's own log has to have the secret, so that somebody learns of it. */
  readonly logged: boolean
}

export const secret = (
  name: string,
  tries: string,
  host: Host,
  expect: string | null,
  options: { readonly code?: string; readonly logged?: boolean } = {},
): Secret => ({
  name,
  tries,
  host,
  expect,
  logged: options.logged ?? expect !== null,
  ...options.code === undefined ? undefined : { code: options.code },
})

/** An error as hosts throw them: a message with a secret, a stack with files, a cause, properties. */
export const hostError = (message = `password ${canary} at /srv/app/db.ts:1:1`): Error =>
  Object.assign(new TypeError(message, { cause: new Error(`the cause ${canary}`) }), {
    code: `E_${canary}`,
    path: `/srv/${canary}`,
    config: { headers: { authorization: canary } },
  })

const runtime = InterpreterRuntime.make()

/** What the model reads of a run in code mode. */
const told = (mode: Mode.CodeMode, code: string): Effect.Effect<unknown, unknown> =>
  Effect.mapError(mode.execute(code), (error) => ({ code: error.code, message: mode.explain(code, error), error }))

/** The tool `read` of most cases. */
export const Read = Tool.make("read", {
  parameters: Schema.Struct({ id: Schema.Number }),
  success: Schema.Struct({ name: Schema.String }),
})

/** A host whose one tool, `read` or another of that name, does as the handler says, whatever its types promise. */
export const ofTool = (
  handler: (input: unknown, context: Toolkit.HandlerContext<Tool.Any>) => unknown,
  tool: Tool.Any = Read,
  options?: Mode.Options,
  over: CodeMode.CodeRuntime = runtime,
): Host =>
(code) => {
  const toolkit = Toolkit.make(tool)
  return Effect.gen(function*() {
    const presented = yield* Effect.provide(toolkit, toolkit.toLayer({ read: handler } as never))
    return yield* told(yield* Mode.make(presented, over, options), code)
  }) as Effect.Effect<unknown, unknown>
}

/** A host over another runtime, which breaks its word. */
export const ofRuntime = (run: (execution: CodeMode.Execution) => unknown): Host =>
  ofTool(() => Effect.succeed({ name: "Ada" }), Read, undefined, { run: run as CodeMode.CodeRuntime["run"] })

/** The runtime alone, under a caller who breaks its word. */
export const ofExecution = (
  execution: Readonly<Record<string, unknown>>,
  limits: Limits.Limits = {},
): Host =>
(code) =>
  InterpreterRuntime.make({ limits }).run({
    tools: ["read"],
    call: () => Effect.succeed({ name: "Ada" }),
    ...execution,
    code,
  } as CodeMode.Execution)

/** The same for what its calls do. */
export const ofCall = (call: () => unknown): Host => ofExecution({ call })
