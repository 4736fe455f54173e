import { Mcp, ToolSource } from "@effect-codemode/toolkit"
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Cause, Effect, Exit, Layer, type Schema, Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
import { expect } from "vitest"

/** What a host on Node provides. */
export const platform: Layer.Layer<ChildProcessSpawner.ChildProcessSpawner | HttpClient.HttpClient> = Layer.merge(
  NodeChildProcessSpawner.layer.pipe(Layer.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer))),
  FetchHttpClient.layer,
)

type Platform = ChildProcessSpawner.ChildProcessSpawner | HttpClient.HttpClient

export const run = <A, E>(effect: Effect.Effect<A, E, Platform | Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.scoped(effect), platform))

/** A source that several tests share. */
export const shared = async (
  make: Effect.Effect<ToolSource.ToolSource, never, Platform | Scope.Scope>,
): Promise<{ readonly source: ToolSource.ToolSource; readonly close: () => Promise<void> }> => {
  const scope = Scope.makeUnsafe()
  const source = await Effect.runPromise(Effect.provide(Scope.provide(make, scope), platform))
  return { source, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** The file of the server that misbehaves on request. */
export const serverFile = fileURLToPath(new URL("mcp-servers/server.js", import.meta.url))

/** The server that misbehaves on request, with its options as `name=value`. */
export const misbehaving = (
  args: ReadonlyArray<string> = [],
  options: Partial<Mcp.StdioOptions> = {},
): ReturnType<typeof Mcp.stdio> =>
  Mcp.stdio({ name: "server", command: process.execPath, args: [serverFile, ...args], ...options })

/** What a call ends in, with what it attached: bytes, which are told in base64. */
export const called = (
  source: ToolSource.ToolSource,
  tool: string,
  input: Schema.JsonObject = {},
): Effect.Effect<
  { readonly exit: Exit.Exit<Schema.Json, ToolSource.Failure>; readonly attached: ReadonlyArray<ToolSource.Attachment> }
> =>
  Effect.suspend(() => {
    const attached: Array<ToolSource.Attachment> = []
    return source.call(tool, input).pipe(
      Effect.exit,
      Effect.map((exit) => ({ exit, attached })),
      Effect.provideService(ToolSource.Attachments, {
        add: (attachment) =>
          Effect.sync(() => {
            expect(attachment.data).toBeInstanceOf(Uint8Array)
            const data = Buffer.from(attachment.data as Uint8Array).toString("base64")
            attached.push({ ...attachment, data })
          }),
      }),
    )
  })

/** The failure that an effect ends in. */
export const failureOf = <A, R>(
  effect: Effect.Effect<A, ToolSource.Failure, R>,
): Effect.Effect<ToolSource.Failure, never, R> =>
  Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.die(new Error(`It did not fail, but gave ${JSON.stringify(exit.value)}`))
    const reason = exit.cause.reasons.find(Cause.isFailReason)
    return reason === undefined ? Effect.failCause(exit.cause as Cause.Cause<never>) : Effect.succeed(reason.error)
  })
