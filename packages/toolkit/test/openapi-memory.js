// Calls one operation of a server and tells how much memory the call held at most: what is alive, seen between parts of the answer.
// Usage: node --expose-gc openapi-memory.js <address> <path>
import { OpenApi, ToolSource } from "@effect-codemode/toolkit"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

const [address, path] = process.argv.slice(2)
const document = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: { [path]: { get: { operationId: "get" } } },
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  security: [{ token: [] }],
}
const auth = { token: Redacted.make("a secret of some length") }
const source = await Effect.runPromise(
  Effect.provide(OpenApi.source({ document, baseUrl: address, auth, timeout: "2 minutes" }), FetchHttpClient.layer),
)
const alive = () => {
  globalThis.gc()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return { heap: heapUsed, all: heapUsed + arrayBuffers }
}
// What is loaded on the first call does not count.
await Effect.runPromiseExit(source.call("nowhere", {}))
const before = alive()
const peak = { heap: 0, all: 0 }
const look = () => {
  const now = alive()
  peak.heap = Math.max(peak.heap, now.heap - before.heap)
  peak.all = Math.max(peak.all, now.all - before.all)
}
const timer = setInterval(look, 200)
let attached = 0
const call = Effect.provideService(source.call("get", {}), ToolSource.Attachments, {
  add: (attachment) =>
    Effect.sync(() => {
      attached = attachment.data.length
      look()
    }),
})
const outcome = await Effect.runPromise(Effect.match(call, {
  onFailure: (failure) => ({ code: failure.code, message: failure.message }),
  onSuccess: (value) => {
    look()
    return { length: typeof value === "string" ? value.length : JSON.stringify(value).length }
  },
}))
clearInterval(timer)
look()
// What ended in this turn of the event loop is let go in the next ones.
await new Promise((resolve) => setTimeout(resolve, 500))
process.stdout.write(JSON.stringify({ ...outcome, attached, ...peak, after: alive().all - before.all }))
