/**
 * Calls tools of servers in a process of its own, and prints for each call how far the memory of that process grew meanwhile, and how much
 * is left: `node --expose-gc measure.js <how> <calls as JSON>`. Memory is the heap of JavaScript and what is outside of it for buffers.
 * A call has `over`, which is `stdio`, `json` or `events`, the last two over HTTP; `tool`, `input`, `options` and `every`. `how` is
 *
 * - `live`: what is reachable. Where `every` more bytes have been allocated, and where the call hands something on, it is looked after garbage was collected
 * - `all`: garbage that is not collected yet as well. It is looked every millisecond and right before every collection, of which none is
 *   asked for
 */
import * as Mcp from "@effect-codemode/toolkit/Mcp"
import * as ToolSource from "@effect-codemode/toolkit/ToolSource"
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { clearInterval, setInterval } from "node:timers"
import { fileURLToPath, URL } from "node:url"
import { GCProfiler } from "node:v8"

const [how, calls] = process.argv.slice(2)
const platform = Layer.merge(
  NodeChildProcessSpawner.layer.pipe(Layer.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer))),
  FetchHttpClient.layer,
)

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const connect = Effect.fnUntraced(function*({ options, over }) {
  const own = { name: "server", ...options }
  if (over === "stdio") return yield* Mcp.stdio({ ...own, command: process.execPath, args: [file("server.js")] })
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [file("http.js")], { stdio: ["ignore", "pipe", "inherit"] })),
    (server) => Effect.sync(() => server.kill()),
  )
  const [port] = yield* Effect.promise(() => once(server.stdout, "data"))
  return yield* Mcp.http({ ...own, url: `http://127.0.0.1:${String(port).trim()}/${over}` })
})

const used = () => {
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

// What ended in a turn of the event loop is let go in the next ones, and the memory of buffers after the collection that found it.
const settled = Effect.repeat(
  Effect.andThen(Effect.sleep("100 millis"), Effect.sync(() => globalThis.gc())),
  { times: 2 },
)

const measure = Effect.fnUntraced(function*(call) {
  const { every, input, tool } = call
  const source = yield* connect(call)
  // What is loaded, and what is compiled, on the first call does not count.
  yield* Effect.ignore(source.call(tool, tool === "image" ? { bytes: 600_000 } : { megabytes: 1 }))
  yield* settled
  const before = used()
  let most = before
  let last = before
  let looks = 0
  const look = () => {
    // The memory of buffers that one collection found goes with the next.
    if (how === "live") { for (let i = 0; i < 2; i++) globalThis.gc() }
    looks++
    last = used()
    most = Math.max(most, last)
  }
  const profiler = new GCProfiler()
  if (how === "all") profiler.start()
  // A collection takes a while.
  const timer = setInterval(() => {
    if (how === "all" || used() > last + every) look()
  }, 1)
  let attached = 0
  const result = yield* source.call(tool, input).pipe(
    Effect.match({
      onSuccess: (value) => {
        look()
        return { length: value.length }
      },
      onFailure: ({ code, message }) => ({ code, message }),
    }),
    Effect.provideService(ToolSource.Attachments, {
      add: ({ data }) =>
        Effect.sync(() => {
          attached += data.length
          look()
        }),
    }),
  )
  look()
  clearInterval(timer)
  for (const { beforeGC } of how === "all" ? profiler.stop().statistics : []) {
    most = Math.max(most, beforeGC.heapStatistics.usedHeapSize + beforeGC.heapStatistics.externalMemory)
  }
  yield* settled
  return { ...result, attached, looks, grown: most - before, left: used() - before }
})

const measured = await Effect.runPromise(
  Effect.provide(Effect.forEach(JSON.parse(calls), (call) => Effect.scoped(measure(call))), platform),
)
process.stdout.write(JSON.stringify(measured))
