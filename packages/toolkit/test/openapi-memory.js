// Calls operations of a server, one after the other, and tells how far the memory grew with each: the heap of JavaScript and what is outside
// of it for buffers, in bytes.
// Usage: node --expose-gc openapi-memory.js <address> <most bytes of an answer> <calls as JSON>
//
// A call is a path, and `how` it is looked at:
// - `live`: what is reachable. Where `every` more bytes have been allocated, and where the call hands something on, it is looked after garbage
//   was collected
// - `all`: with garbage that is not collected yet. It is looked every millisecond and right before every collection, of which none is asked for
// - `dropped`: the same, of an answer that is only read
import { OpenApi, ToolSource } from "@effect-codemode/toolkit"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import process from "node:process"
import { clearInterval, setInterval, setTimeout } from "node:timers"
import { GCProfiler } from "node:v8"

const [address, most, json] = process.argv.slice(2)
const calls = JSON.parse(json)
const paths = Array.from(new Set(["/json/3", ...calls.map(({ path }) => path)]))
const tool = (path) => `get${paths.indexOf(path)}`
const document = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: Object.fromEntries(paths.map((path) => [path, { get: { operationId: tool(path) } }])),
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  security: [{ token: [] }],
}
const run = (effect) => Effect.runPromise(Effect.provide(effect, FetchHttpClient.layer))
const source = await run(OpenApi.source({
  document,
  baseUrl: address,
  auth: { token: Redacted.make("a secret of some length") },
  timeout: "2 minutes",
  maxResponseBytes: Number(most),
}))

const used = () => {
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

// What ended in a turn of the event loop is let go in the next ones, and the memory of buffers after the collection that found it.
const settle = async () => {
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    globalThis.gc()
  }
}

const measure = async ({ every, how, path }) => {
  await settle()
  const before = used()
  let last = before
  let grown = 0
  let looks = 0
  let attached = 0
  const look = () => {
    // The memory of buffers that one collection found goes with the next.
    if (how === "live") { for (let i = 0; i < 2; i++) globalThis.gc() }
    looks++
    last = used()
    grown = Math.max(grown, last - before)
  }
  const profiler = new GCProfiler()
  if (how !== "live") profiler.start()
  // A collection takes a while.
  const timer = setInterval(() => {
    if (how !== "live" || used() > last + every) look()
  }, 1)
  const call = how === "dropped"
    ? Effect.as(Effect.flatMap(HttpClient.get(address + path), ({ stream }) => Stream.runDrain(stream)), "")
    : Effect.provideService(source.call(tool(path), {}), ToolSource.Attachments, {
      add: ({ data }) =>
        Effect.sync(() => {
          attached = data.length
          look()
        }),
    })
  const outcome = await run(Effect.match(call, {
    onFailure: ({ code }) => ({ code }),
    onSuccess: (value) => {
      look()
      return { length: typeof value === "string" ? value.length : JSON.stringify(value).length }
    },
  }))
  clearInterval(timer)
  look()
  for (const { beforeGC } of how === "live" ? [] : profiler.stop().statistics) {
    grown = Math.max(grown, beforeGC.heapStatistics.usedHeapSize + beforeGC.heapStatistics.externalMemory - before)
  }
  await settle()
  return { ...outcome, attached, looks, grown, left: used() - before }
}

// What is loaded, and what is compiled, on the first call does not count.
await run(source.call(tool("/json/3"), {}))
const measured = []
for (const call of calls) measured.push(await measure(call))
process.stdout.write(JSON.stringify(measured))
