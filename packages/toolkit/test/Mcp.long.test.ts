import { Mcp, type ToolSource } from "@effect-codemode/toolkit"
import { Effect, Exit, type Schema, type Scope } from "effect"
import type { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { called, failureOf, misbehaving, run } from "./mcp-fixtures.ts"

// Messages that are read as they come. Shorter ones are not.
const long = 400_000

const write = { name: "write", inputSchema: { type: "object" } }
let tools: ReadonlyArray<object> = [write]

/** A server over HTTP that answers a call with what it is given, the id in it: as JSON, or each line of it as an event. */
const http = (how: "json" | "events", options: Partial<Mcp.HttpOptions> = {}, shape = (events: string) => events) =>
  Effect.gen(function*() {
    const url = yield* Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
        const server = createServer((request, response) => {
          let body = ""
          request.setEncoding("utf8").on("data", (chunk) => body += chunk).on("end", () => {
            if (request.method !== "POST") return response.writeHead(405).end()
            const { id, method, params } = JSON.parse(body) as {
              readonly id?: number
              readonly method?: string
              readonly params: { readonly arguments: { readonly text: string }; readonly protocolVersion: string }
            }
            if (id === undefined || method === undefined) return response.writeHead(202).end()
            const answer = (result: object) => JSON.stringify({ jsonrpc: "2.0", id, result })
            const serverInfo = { name: "writing", version: "1" }
            const text = method === "initialize"
              ? answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo })
              : method === "tools/list"
              ? answer({ tools })
              : params.arguments.text.replaceAll("$id", String(id))
            response.writeHead(200, { "content-type": how === "json" ? "application/json" : "text/event-stream" })
            return response.end(
              how === "json"
                ? text
                : shape(text.split("\n").map((line) => `event: message\ndata: ${line}\n\n`).join("")),
            )
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          const close = () => {
            server.close()
            server.closeAllConnections()
          }
          resume(Effect.succeed({ close, url: `http://127.0.0.1:${port}/mcp` }))
        })
      }),
      ({ close }) => Effect.sync(close),
    )
    return yield* Mcp.http({ name: "server", url: url.url, ...options })
  })

type Services = ChildProcessSpawner.ChildProcessSpawner | HttpClient.HttpClient | Scope.Scope
const transports: Record<
  string,
  (options?: Partial<Mcp.ConnectOptions>) => Effect.Effect<ToolSource.ToolSource, never, Services>
> = {
  "over stdio": (options) => misbehaving([], options),
  "as JSON over HTTP": (options) => http("json", options),
  "as events over HTTP": (options) => http("events", options),
}

const message = (result: Schema.Json): string => `{"jsonrpc":"2.0","id":$id,"result":${JSON.stringify(result)}}`
const text = (text: string) => ({ content: [{ type: "text", text }] })
const bytes = Uint8Array.from({ length: long }, (_, i) => (i * 7919) >> 3)
const base64 = Buffer.from(bytes).toString("base64")
const image = { type: "image", mimeType: "image/png", data: base64 }
const attachment = { mediaType: "image/png", data: base64 }
const mark = "[1 image attached to the result]"

describe.each(Object.entries(transports))("a long message %s", (_, connect) => {
  const answered: Record<string, readonly [string, Schema.Json, ReadonlyArray<object>?]> = {
    "is a text": [message(text("x".repeat(long))), "x".repeat(long)],
    "is a text of all kinds of characters": [
      message(text("é\"\\\n😀\u2028\u0001€ ".repeat(long / 16))),
      "é\"\\\n😀\u2028\u0001€ ".repeat(long / 16),
    ],
    "has its id last": [
      `{"result":${JSON.stringify(text("x".repeat(long)))},"jsonrpc":"2.0","id":$id}`,
      "x".repeat(long),
    ],
    "is structured": [
      message({
        content: [],
        structuredContent: { list: Array.from({ length: 30_000 }, (_, i) => ({ i, s: `n${i}` })) },
      }),
      { list: Array.from({ length: 30_000 }, (_, i) => ({ i, s: `n${i}` })) },
    ],
    "is an image": [message({ content: [image] }), mark, [attachment]],
    "is an image with what it is after it": [
      message({ content: [{ data: base64, mimeType: "image/png", type: "image" }] }),
      mark,
      [attachment],
    ],
    "is an image with its slashes escaped": [message({ content: [image] }).replaceAll("/", "\\/"), mark, [attachment]],
    "is a file": [
      message({ content: [{ type: "resource", resource: { uri: "file:///a.bin", blob: base64 } }] }),
      "[1 file attached to the result: a.bin]",
      [{ mediaType: "application/octet-stream", fileName: "a.bin", data: base64 }],
    ],
    "is an image that its structured result repeats": [
      message({ content: [image], structuredContent: { shown: [image], length: 1 } }),
      { shown: [{ ...image, data: "[attached to the result]" }], length: 1 },
      [attachment],
    ],
    "has a text in base64 that is no image": [
      message({ content: [], structuredContent: { type: "text", data: base64, blob: { data: [base64] } } }),
      { type: "text", data: base64, blob: { data: [base64] } },
    ],
    "has a text in base64 beside an image": [
      message({ content: [], structuredContent: { ...image, blob: base64 } }),
      { ...image, data: "[attached to the result]", blob: base64 },
      [attachment],
    ],
  }
  for (const [name, [line, result, attached]] of Object.entries(answered)) {
    test(`that ${name} is what a short one would be`, () =>
      run(Effect.gen(function*() {
        const source = yield* connect()
        const seen = yield* called(source, "write", { text: line })
        expect(seen.exit).toEqual(Exit.succeed(result))
        expect(seen.attached).toEqual(attached ?? [])
        expect(yield* source.call("write", { text: message(text("short")) })).toBe("short")
      })))
  }

  test.each(["[],", "[", "{},", "{\"a\":"])(
    "that is of very many parts costs its call, and not the memory: %s",
    (part) =>
      run(Effect.gen(function*() {
        const source = yield* connect({ maxMessageBytes: 1_000_000 })
        const parts = part.repeat(450_000 / part.length)
        const line = `{"jsonrpc":"2.0","id":$id,"result":{"content":[],"structuredContent":{"all":[${parts}[]]}}}`
        expect(yield* failureOf(source.call("write", { text: line }))).toMatchObject({
          code: "LIMIT_EXCEEDED",
          message:
            "The tool \"write\" gave an answer that is too long: it is made of more parts than fit in the memory that it " +
            "may take. Ask it for less: filter, or go page by page.",
          retryable: true,
        })
        expect(yield* source.call("write", { text: message(text("short")) })).toBe("short")
      })),
  )

  const failed: Record<string, readonly [string, { readonly code: string; readonly message: unknown }]> = {
    "is an error": [
      `{"jsonrpc":"2.0","id":$id,"error":{"code":-32000,"message":${JSON.stringify("no ".repeat(long))}}}`,
      {
        code: "TOOL_FAILURE",
        message: expect.stringMatching(
          /^The tool "write" was refused with the error -32000: (?:no )+.*more characters\]$/,
        ),
      },
    ],
    "is the error of a tool": [
      message({ ...text("no ".repeat(long)), isError: true }),
      { code: "TOOL_FAILURE", message: expect.stringMatching(/^(?:no )+.*more characters\]$/) },
    ],
    "is an image that is not in base64": [
      message({ content: [{ ...image, data: `${base64}-` }] }),
      { code: "INVALID_TOOL_OUTPUT", message: expect.stringContaining("gave an image that is not in base64") },
    ],
    "is an image whose base64 has no end": [
      message({ content: [{ ...image, data: base64.slice(0, -3) }] }),
      { code: "INVALID_TOOL_OUTPUT", message: expect.stringContaining("gave an image that is not in base64") },
    ],
    "has a result that is none": [
      message({ content: "x".repeat(long) }),
      { code: "INVALID_TOOL_OUTPUT", message: expect.stringContaining("is not the protocol") },
    ],
  }
  for (const [name, [line, failure]] of Object.entries(failed)) {
    test(`that ${name} fails as a short one would`, () =>
      run(Effect.gen(function*() {
        const source = yield* connect()
        expect(yield* failureOf(source.call("write", { text: line }))).toMatchObject(failure)
        expect(yield* source.call("write", { text: message(text("short")) })).toBe("short")
      })))
  }

  test("of an image that is larger than the limit is refused with its size", () =>
    run(Effect.gen(function*() {
      const source = yield* connect({ maxAttachmentBytes: long - 1 })
      const { attached, exit } = yield* called(source, "write", { text: message({ content: [image] }) })
      expect(attached).toEqual([])
      expect(exit).toEqual(Exit.fail(expect.objectContaining({
        code: "LIMIT_EXCEEDED",
        message: expect.stringContaining("gave an image of 400,000 bytes; at most 399,999 are taken"),
      })))
    })))
})

test.each(["json", "events"] as const)(
  "a long list of tools as %s keeps their schemas as they are",
  (how) =>
    run(Effect.gen(function*() {
      const schema = { type: "object", data: base64, properties: { data: { default: base64 } } }
      tools = [write, { name: "long", inputSchema: schema }]
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          tools = [write]
        })
      )
      const { definitions } = yield* (yield* http(how)).list
      expect(definitions.find(({ name }) => name === "long")?.input).toEqual(schema)
    })),
)

test.each(["over stdio", "as events over HTTP"])(
  "a long message %s before an answer is no answer",
  (name) =>
    run(Effect.gen(function*() {
      const source = yield* transports[name]!()
      const told = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${base64}"}}`
      const asked = `{"jsonrpc":"2.0","id":"q","method":"sampling/createMessage","params":{"data":"${base64}"}}`
      expect(yield* source.call("write", { text: `${told}\n${asked}\n${message(text("after"))}` })).toBe("after")
    })),
)

test("a long line that is no message is passed over, and one to another call is no answer", () =>
  run(Effect.gen(function*() {
    const source = yield* misbehaving()
    const lines = [`{"jsonrpc":${"x".repeat(long)}`, `{"jsonrpc":"2.0","id":77777,"result":"${"x".repeat(long)}"}`]
    expect(yield* source.call("write", { text: [...lines, message(text("after"))].join("\n") })).toBe("after")
  })))

test("a long line without a result fails its call", () =>
  run(Effect.gen(function*() {
    const source = yield* misbehaving()
    expect(yield* failureOf(source.call("write", { text: `{"id":$id,"answer":"${base64}"}` }))).toMatchObject({
      code: "INVALID_TOOL_OUTPUT",
    })
  })))

test("a server that asks with an id that is none is passed over", () =>
  run(Effect.gen(function*() {
    const source = yield* misbehaving()
    const asked = "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}"
    expect(yield* source.call("write", { text: `${asked}\n${message(text("after"))}` })).toBe("after")
  })))

describe.each(["json", "events"] as const)("a long answer as %s that is none", (how) => {
  const wrong: Record<string, string> = {
    "is no JSON": `{"jsonrpc":"2.0","id":$id,"result":"${"x".repeat(long)}`,
    "is no message": `["${"x".repeat(long)}"]`,
    "is to another request": message(text("x".repeat(long))).replace("$id", "77777"),
  }
  for (const [name, line] of Object.entries(wrong)) {
    test(`because it ${name}`, () =>
      run(Effect.gen(function*() {
        const source = yield* http(how)
        expect(yield* failureOf(source.call("write", { text: line }))).toMatchObject({
          code: "INVALID_TOOL_OUTPUT",
          message: expect.stringContaining("is not the protocol"),
        })
      })))
  }
})

describe("events", () => {
  const long_ = message(text("x".repeat(long)))
  const shapes: Record<string, (events: string) => string> = {
    "with other ends of lines": (events) => events.replaceAll("\n", "\r\n"),
    "with ends of lines as they once were": (events) => events.replaceAll("\n", "\r"),
    "without spaces, and with what nobody reads": (events) =>
      `: hello\n\nretry: 5\n\nid\ndatum: no\n\ndata\n\n${events.replaceAll("data: ", "id: 7\ndata:")}`,
    "in several lines of data": (events) => events.replaceAll(",", ",\ndata:  "),
    "with a mark of their order of bytes": (events) => `\ufeff${events.replaceAll("event: message\n", "")}`,
  }
  for (const [name, shape] of Object.entries(shapes)) {
    test(`are read ${name}`, () =>
      run(Effect.gen(function*() {
        const source = yield* http("events", {}, shape)
        expect(yield* source.call("write", { text: message(text("short")) })).toBe("short")
        expect(yield* source.call("write", { text: long_ })).toBe("x".repeat(long))
        const { attached, exit } = yield* called(source, "write", { text: message({ content: [image] }) })
        expect(exit).toEqual(Exit.succeed(mark))
        expect(attached).toEqual([attachment])
      })))
  }

  test("that are too long end the call, and not one that has been answered before", () =>
    run(Effect.gen(function*() {
      const source = yield* http("events", { maxMessageBytes: 500_000 })
      const tooLong = message(text("x".repeat(600_000)))
      const input = { text: message(text("$long")) }
      expect(yield* source.call("write", input)).toBe("$long")
      const grown = yield* http("events", { maxMessageBytes: 500_000 }, (events) =>
        events.replaceAll("$long", "x".repeat(600_000)))
      expect(yield* failureOf(grown.call("write", input))).toMatchObject({
        code: "LIMIT_EXCEEDED",
        message: "The tool \"write\" gave an answer that is too long. Ask it for less: filter, or go page by page.",
      })
      const answering = yield* http("events", { maxMessageBytes: 500_000 }, (events) =>
        events.includes("first") ? `${events}data: ${tooLong}\n\n` : events)
      expect(yield* answering.call("write", { text: message(text("first")) })).toBe("first")
    })))
})

test("an answer that tells that it is too long is not read", () =>
  run(Effect.gen(function*() {
    const source = yield* Effect.acquireRelease(
      Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
        const server = createServer((request, response) => {
          let body = ""
          request.on("data", (chunk) => body += String(chunk)).on("end", () => {
            const { id, method } = JSON.parse(body === "" ? "{}" : body) as { id?: number; method?: string }
            if (id === undefined) return response.writeHead(202).end()
            if (method === "tools/call") {
              response.writeHead(200, { "content-type": "application/json", "content-length": "99999999" })
              return response.write("{")
            }
            const result = method === "tools/list"
              ? { tools: [write] }
              : { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
            return response.writeHead(200, { "content-type": "application/json" }).end(
              JSON.stringify({ jsonrpc: "2.0", id, result }),
            )
          })
        })
        server.listen(0, "127.0.0.1", () =>
          resume(Effect.succeed({
            port: (server.address() as AddressInfo).port,
            close: () => {
              server.close()
              server.closeAllConnections()
            },
          })))
      }),
      ({ close }) => Effect.sync(close),
    ).pipe(Effect.flatMap(({ port }) => Mcp.http({ name: "server", url: `http://127.0.0.1:${port}/` })))
    expect(yield* failureOf(source.call("write", {}))).toMatchObject({
      code: "LIMIT_EXCEEDED",
      message:
        "The tool \"write\" gave an answer that is too long: it has 99,999,999 bytes; at most 16,777,216 are taken. " +
        "Ask it for less: filter, or go page by page.",
    })
  })))
