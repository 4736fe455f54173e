// Calls one operation of a server and tells how much memory the call held at most: what is reachable of the heap and of buffers, seen
// between parts of the answer, and where the call hands something on.
// Usage: node --expose-gc openapi-memory.js <address> <path>
import { OpenApi, ToolSource } from "@effect-codemode/toolkit"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

const [address, path] = process.argv.slice(2)
const document = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: { [path]: { get: { operationId: "get" } }, "/json/3": { get: { operationId: "small" } } },
  components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
  security: [{ token: [] }],
}
const auth = { token: Redacted.make("a secret of some length") }
const source = await Effect.runPromise(
  Effect.provide(OpenApi.source({ document, baseUrl: address, auth, timeout: "2 minutes" }), FetchHttpClient.layer),
)
const alive = () => {
  // The memory of buffers that one collection found goes with the next.
  for (let i = 0; i < 2; i++) globalThis.gc()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}
// What is loaded on the first call does not count.
await Effect.runPromise(source.call("small", {}))
await new Promise((resolve) => setTimeout(resolve, 100))
const before = alive()
let last = before
let most = before
let looks = 0
const look = () => {
  last = alive()
  looks++
  most = Math.max(most, last)
}
// A collection takes a while.
const timer = setInterval(() => {
  const { external, heapUsed } = process.memoryUsage()
  if (heapUsed + external > last + 10_000_000) look()
}, 1)
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
process.stdout.write(JSON.stringify({ ...outcome, attached, looks, most: most - before, after: alive() - before }))
