/**
 * Makes calls of servers in a process of its own, and prints for each how far the memory of that process grew meanwhile: `node --expose-gc
 * measure.js <calls as JSON>`. Memory is the heap of JavaScript and what is outside of it for buffers, in bytes.
 *
 * A call has `over`, which is `stdio`, `json` or `events`, the last two over HTTP; `tool`, `input`, `options`; and `how` it is looked at:
 *
 * - `live`: what is reachable. Where `every` more bytes have been allocated, and where the call hands something on, it is looked after
 *   garbage was collected
 * - `all`: with garbage that is not collected yet. It is looked every millisecond and right before every collection, of which none is asked
 *   for
 *
 * The tool `read` stands for none: so many bytes are read from a process, or over HTTP, and dropped.
 */
import * as Mcp from "@effect-codemode/toolkit/Mcp"
import * as ToolSource from "@effect-codemode/toolkit/ToolSource"
import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import { Effect, Layer, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { spawn } from "node:child_process"
import { once } from "node:events"
import process from "node:process"
import { clearInterval, setInterval } from "node:timers"
import { fileURLToPath, URL } from "node:url"
import { GCProfiler } from "node:v8"

const platform = Layer.merge(
  NodeChildProcessSpawner.layer.pipe(Layer.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer))),
  FetchHttpClient.layer,
)

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const serve = Effect.fnUntraced(function*() {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [file("http.js")], { stdio: ["ignore", "pipe", "inherit"] })),
    (server) => Effect.sync(() => server.kill()),
  )
  const [port] = yield* Effect.promise(() => once(server.stdout, "data"))
  return `http://127.0.0.1:${String(port).trim()}`
})

/** What makes the call, given its input. */
const calling = Effect.fnUntraced(function*({ options, over, tool }, address) {
  if (tool === "read") return (input) => Effect.as(read(over, input.bytes, address), "")
  const own = { name: "server", ...options }
  const source = yield* over === "stdio"
    ? Mcp.stdio({ ...own, command: process.execPath, args: [file("server.js")] })
    : Mcp.http({ ...own, url: `${address}/${over}` })
  return (input) => source.call(tool, input)
})

const read = (over, bytes, address) =>
  over === "stdio"
    ? Effect.scoped(Effect.gen(function*() {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const { stdout } = yield* spawner.spawn(ChildProcess.make(process.execPath, [file("http.js"), String(bytes)]))
      yield* Stream.runDrain(stdout)
    }))
    : Effect.flatMap(
      HttpClient.get(`${address}/bytes/${bytes}`),
      ({ stream }) => Stream.runDrain(stream),
    )

const used = () => {
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

// What ended in a turn of the event loop is let go in the next ones, and the memory of buffers after the collection that found it.
const settled = Effect.repeat(
  Effect.andThen(Effect.sleep("50 millis"), Effect.sync(() => globalThis.gc())),
  { times: 2 },
)

const measure = Effect.fnUntraced(function*(call, address) {
  const { every, how, input, tool } = call
  const make = yield* calling(call, address)
  // What is loaded, and what is compiled, on the first call does not count.
  yield* Effect.ignore(make(tool === "huge" ? { megabytes: 1 } : { bytes: 600_000 }))
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
  const result = yield* make(input).pipe(
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
  Effect.provide(
    Effect.scoped(Effect.gen(function*() {
      const address = yield* serve()
      return yield* Effect.forEach(JSON.parse(process.argv[2]), (call) => Effect.scoped(measure(call, address)))
    })),
    platform,
  ),
)
process.stdout.write(JSON.stringify(measured))
