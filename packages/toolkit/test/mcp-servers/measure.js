/**
 * Calls a tool of the misbehaving server in a process of its own, and prints how far the memory of that process grew meanwhile and how
 * much is left: `node --expose-gc measure.js <tool> <input as JSON> <options as JSON>`.
 */
import * as Mcp from "@effect-codemode/toolkit/Mcp"
import * as ToolSource from "@effect-codemode/toolkit/ToolSource"
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Effect, Layer } from "effect"
import process from "node:process"
import { clearInterval, setInterval } from "node:timers"
import { fileURLToPath, URL } from "node:url"

const [tool, input, options] = process.argv.slice(2)
const platform = NodeChildProcessSpawner.layer.pipe(Layer.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer)))

const used = () => {
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

const program = Effect.gen(function*() {
  const source = yield* Mcp.stdio({
    name: "server",
    command: process.execPath,
    args: [fileURLToPath(new URL("server.js", import.meta.url))],
    ...JSON.parse(options ?? "{}"),
  })
  yield* source.list
  globalThis.gc()
  const before = used()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, used())
  }, 1)
  let attached = 0
  const result = yield* source.call(tool, JSON.parse(input ?? "{}")).pipe(
    Effect.match({
      onSuccess: (value) => ({ length: value.length }),
      onFailure: ({ code, message }) => ({ code, message }),
    }),
    Effect.provideService(ToolSource.Attachments, {
      add: ({ data }) =>
        Effect.sync(() => {
          attached += data.length
        }),
    }),
  )
  most = Math.max(most, used())
  clearInterval(timer)
  globalThis.gc()
  return { ...result, attached, grown: most - before, left: used() - before }
})

const measured = await Effect.runPromise(Effect.provide(Effect.scoped(program), platform))
process.stdout.write(JSON.stringify(measured))
