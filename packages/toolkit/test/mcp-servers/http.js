/**
 * A server of the Model Context Protocol over streamable HTTP with large answers, without a library. It prints its port. What it is asked
 * under `/json` it answers as JSON, what under `/events` as server-sent events; under `/bytes/<n>` it gives so many bytes of no meaning.
 * With a number as its argument it is no server, but writes so many bytes.
 */
import { Buffer } from "node:buffer"
import { createServer } from "node:http"
import process from "node:process"

const schema = { type: "object" }
const results = {
  "initialize": ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "large", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: ["huge", "image"].map((name) => ({ name, inputSchema: schema })) }),
  "tools/call": ({ arguments: input, name }) => ({
    content: [
      name === "image"
        ? { type: "image", mimeType: "image/png", data: Buffer.alloc(input.bytes, 7).toString("base64") }
        : { type: "text", text: "x".repeat(input.megabytes * 1_000_000) },
    ],
  }),
}

// In pieces, so that it is the reader that has to hold the whole.
const pour = (text, output) => {
  for (let at = 0; at < text.length; at += 1_000_000) output.write(text.slice(at, at + 1_000_000))
}

const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => body += String(chunk)).on("end", () => {
    const [, path, bytes] = request.url.split("/")
    if (path === "bytes") {
      pour("x".repeat(Number(bytes)), response)
      return response.end()
    }
    if (request.method !== "POST") return response.writeHead(request.method === "DELETE" ? 200 : 405).end()
    const { id, method, params } = JSON.parse(body)
    if (id === undefined) return response.writeHead(202).end()
    const message = JSON.stringify({ jsonrpc: "2.0", id, result: results[method](params) })
    const isEvents = path === "events"
    response.writeHead(200, { "content-type": isEvents ? "text/event-stream" : "application/json" })
    if (isEvents) response.write("event: message\ndata: ")
    pour(message, response)
    return response.end(isEvents ? "\n\n" : "")
  })
})

if (process.argv[2] === undefined) {
  server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
  process.on("SIGTERM", () => process.exit(0))
} else pour("x".repeat(Number(process.argv[2])), process.stdout)
