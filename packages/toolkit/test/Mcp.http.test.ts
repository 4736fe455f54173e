import { Mcp } from "@effect-codemode/toolkit"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { Cause, Effect, Exit, Layer, Logger, Schema, Scope } from "effect"
import { McpClient, McpProtocol, McpServer, Tool, Toolkit } from "effect/ai"
import { FetchHttpClient, HttpRouter, HttpServer } from "effect/http"
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { type AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { called, failureOf, run } from "./mcp-fixtures.ts"

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Serves on loopback as long as the scope lives. */
const serve = (
  handler: Handler,
): Effect.Effect<{ readonly url: string; readonly server: Server }, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly server: Server }>((resume) => {
      const server = createServer((request, response) => void handler(request, response))
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })))
    }),
    ({ server }) =>
      Effect.callback<void>((resume) => {
        server.close(() =>
          resume(Effect.void)
        )
        server.closeAllConnections()
      }),
  )

const body = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

/** The reference server of everything, over HTTP. Forgets its sessions on request. */
const everything = Effect.gen(function*() {
  const path = new URL("server/index.js", import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"))
  const module = yield* Effect.promise(() =>
    import(path.href) as Promise<{
      readonly createServer: () => {
        readonly server: { readonly connect: (transport: unknown) => Promise<void> }
        readonly cleanup: () => void
      }
    }>
  )
  const sessions = new Map<string, { transport: StreamableHTTPServerTransport; cleanup: () => void }>()
  const seen: Array<{ readonly method: string; readonly headers: IncomingMessage["headers"] }> = []
  const { url } = yield* serve(async (request, response) => {
    seen.push({ method: request.method ?? "", headers: request.headers })
    const id = request.headers["mcp-session-id"]
    const known = typeof id === "string" ? sessions.get(id) : undefined
    if (known !== undefined) return known.transport.handleRequest(request, response)
    if (id !== undefined) return response.writeHead(404).end()
    const { cleanup, server } = module.createServer()
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { transport, cleanup }),
      onsessionclosed: (id) => {
        sessions.get(id)?.cleanup()
        sessions.delete(id)
      },
    })
    await server.connect(transport)
    return transport.handleRequest(request, response)
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const { cleanup } of sessions.values()) cleanup()
    })
  )
  return { url, sessions, seen }
})

describe("the reference server of everything over HTTP", () => {
  test("lists, calls, attaches, and ends its session with the scope", () =>
    run(Effect.gen(function*() {
      const { seen, sessions, url } = yield* everything
      const scope = yield* Scope.make()
      const source = yield* Scope.provide(
        Mcp.http({ name: "everything", url: new URL(url), headers: { "x-team": "core" } }),
        scope,
      )
      expect(seen).toEqual([])
      const { definitions, notes } = yield* source.list
      expect(definitions.map(({ name }) => name)).toContain("get-sum")
      expect(notes).toContain("Everything Server")
      const sums = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => i),
        (i) => source.call("get-sum", { a: i, b: 1 }),
        { concurrency: "unbounded" },
      )
      expect(sums).toEqual(Array.from({ length: 20 }, (_, i) => `The sum of ${i} and 1 is ${i + 1}.`))
      expect((yield* called(source, "get-tiny-image")).attached).toHaveLength(1)
      expect(sessions.size).toBe(1)
      expect(seen.every(({ headers }) => headers["x-team"] === "core")).toBe(true)
      // The server is asked again, because it cannot say over HTTP that its tools changed.
      expect(yield* source.list).not.toBe(yield* source.list)
      yield* Scope.close(scope, Exit.void)
      expect(sessions.size).toBe(0)
    })))

  test("a session that the server has forgotten is opened again within the call", () =>
    run(Effect.gen(function*() {
      const { sessions, url } = yield* everything
      const source = yield* Mcp.http({ name: "everything", url })
      expect(yield* source.call("echo", { message: "one" })).toBe("Echo: one")
      for (const { cleanup } of sessions.values()) cleanup()
      sessions.clear()
      const echoed = yield* Effect.forEach(["two", "three"], (message) => source.call("echo", { message }), {
        concurrency: "unbounded",
      })
      expect(echoed).toEqual(["Echo: two", "Echo: three"])
      expect(sessions.size).toBe(1)
    })))
})

/** A server of Effect's own, without a network, that speaks one revision alone. */
const effectServer = (protocol: McpProtocol.ProtocolAdapter) => {
  const Shout = Toolkit.make(
    Tool.make("shout", {
      description: "Says it loud",
      parameters: Schema.Struct({ text: Schema.String }),
      success: Schema.Struct({ loud: Schema.String }),
    }).annotate(Tool.Readonly, true),
  )
  const app = McpServer.toolkit(Shout).pipe(
    Layer.provide(Shout.toLayer({ shout: ({ text }) => Effect.succeed({ loud: text.toUpperCase() }) })),
    Layer.provideMerge(
      McpServer.layerHttp({ name: "shouting", version: "1.0.0", path: "/mcp", protocols: [protocol] }),
    ),
  )
  return HttpRouter.toWebHandler(app.pipe(Layer.provide(HttpServer.layerServices)) as never, { disableLogger: true })
}

describe("servers of each revision over HTTP", () => {
  for (
    const protocol of [
      McpProtocol.v2026_07_28,
      McpProtocol.v2025_11_25,
      McpProtocol.v2025_06_18,
      McpProtocol.v2025_03_26,
    ]
  ) {
    test(protocol.protocolVersion, () =>
      run(Effect.gen(function*() {
        const { dispose, handler } = effectServer(protocol)
        yield* Effect.addFinalizer(() => Effect.promise(dispose))
        const answer = (input: string | URL | Request, init?: RequestInit) =>
          (handler as (request: Request) => Promise<Response>)(new Request(input, init))
        const source = yield* Mcp.http({ name: "shouting", url: "http://shouting.local/mcp" }).pipe(
          Effect.provideService(FetchHttpClient.Fetch, answer as typeof fetch),
        )
        const { definitions } = yield* source.list
        expect(definitions).toMatchObject([{
          name: "shout",
          description: "Says it loud",
          annotations: { readOnly: true },
        }])
        // The oldest of them knows no structured results.
        const loud = protocol.protocolVersion === "2025-03-26" ? "{\"loud\":\"HEY\"}" : { loud: "HEY" }
        expect(yield* source.call("shout", { text: "hey" })).toEqual(loud)
      })))
  }
})

describe("a server over HTTP that goes wrong", () => {
  const initialized = (request: { readonly id?: number; readonly method: string }) =>
    request.method === "initialize"
      ? {
        jsonrpc: "2.0",
        id: request.id,
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "bad", version: "1" },
        },
      }
      : request.method === "tools/list"
      ? { jsonrpc: "2.0", id: request.id, result: { tools: [{ name: "go", inputSchema: { type: "object" } }] } }
      : undefined

  /** Answers as it should until a tool is called. */
  const until = (answer: (id: number, request: IncomingMessage, response: ServerResponse) => unknown) =>
    serve(async (request, response) => {
      if (request.method !== "POST") return response.writeHead(405).end()
      const message = JSON.parse(await body(request)) as { readonly id?: number; readonly method: string }
      const result = initialized(message)
      if (message.method === "tools/call") return answer(message.id!, request, response)
      if (result === undefined) return response.writeHead(202).end()
      return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(result))
    })

  const cases: Record<string, {
    readonly answer: Parameters<typeof until>[0]
    readonly expected: { readonly code: string; readonly message: unknown; readonly retryable: boolean }
  }> = {
    "refuses with a status": {
      answer: (_, __, response) => response.writeHead(401, { "www-authenticate": "Bearer" }).end("no"),
      expected: {
        code: "ACCESS_DENIED",
        message: "The tool \"go\" was refused with the HTTP status 401.",
        retryable: false,
      },
    },
    "breaks with a status and words": {
      answer: (_, __, response) =>
        response.writeHead(503, { "content-type": "application/json" }).end(
          JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message: "Down for repairs" } }),
        ),
      expected: {
        code: "TOOL_FAILURE",
        message: "The tool \"go\" was refused with the HTTP status 503: Down for repairs",
        retryable: true,
      },
    },
    "breaks with a status and very many words": {
      answer: (_, __, response) =>
        response.writeHead(503, { "content-type": "application/json" }).end(
          JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message: "Down ".repeat(400_000) } }),
        ),
      expected: {
        code: "TOOL_FAILURE",
        message: "The tool \"go\" was refused with the HTTP status 503.",
        retryable: true,
      },
    },
    "answers with a page": {
      answer: (_, __, response) => response.writeHead(200, { "content-type": "text/html" }).end("<html>"),
      expected: {
        code: "INVALID_TOOL_OUTPUT",
        message: expect.stringContaining("is not the protocol"),
        retryable: false,
      },
    },
    "answers with half of a message": {
      answer: (_, __, response) => response.writeHead(200, { "content-type": "application/json" }).end("{\"jsonrpc\":"),
      expected: {
        code: "INVALID_TOOL_OUTPUT",
        message: expect.stringContaining("is not the protocol"),
        retryable: false,
      },
    },
    "answers another call": {
      answer: (id, __, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({ jsonrpc: "2.0", id: id + 1, result: { content: [] } }),
        ),
      expected: {
        code: "INVALID_TOOL_OUTPUT",
        message: expect.stringContaining("is not the protocol"),
        retryable: false,
      },
    },
    "breaks off in the middle": {
      answer: (_, request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
        response.write("{\"jsonrpc\":")
        setTimeout(() => request.socket.destroy(), 20)
      },
      expected: {
        code: "TOOL_FAILURE",
        message: expect.stringContaining("was lost during the call: the connection broke"),
        retryable: true,
      },
    },
    "answers too much": {
      answer: (id, __, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.end(JSON.stringify({
          jsonrpc: "2.0",
          id,
          result: { content: [{ type: "text", text: "x".repeat(200_000) }] },
        }))
      },
      expected: {
        code: "LIMIT_EXCEEDED",
        message: "The tool \"go\" gave an answer that is too long. Ask it for less: filter, or go page by page.",
        retryable: true,
      },
    },
    "streams too much": {
      answer: (id, __, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        const result = { content: [{ type: "text", text: "x".repeat(200_000) }] }
        response.end(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`)
      },
      expected: { code: "LIMIT_EXCEEDED", message: expect.stringContaining("is too long"), retryable: true },
    },
    "never answers": {
      answer: () => {},
      expected: { code: "TOOL_FAILURE", message: "The tool \"go\" gave no answer within 1s.", retryable: true },
    },
  }

  for (const [name, { answer, expected }] of Object.entries(cases)) {
    test(name, () =>
      run(Effect.gen(function*() {
        let bad = true
        const { url } = yield* until((id, request, response) => {
          if (bad) return answer(id, request, response)
          return response.writeHead(200, { "content-type": "application/json" }).end(
            JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "good" }] } }),
          )
        })
        const source = yield* Mcp.http({
          name: "bad",
          url,
          callTimeout: name === "never answers" ? "1 second" : "30 seconds",
          maxMessageBytes: name === "breaks with a status and very many words" ? 10_000_000 : 100_000,
        })
        expect(yield* failureOf(source.call("go", {}))).toMatchObject(expected)
        bad = false
        expect(yield* source.call("go", {})).toBe("good")
      })))
  }

  /** Lists its tools in so many pages of 4,000 characters each, on and on. */
  const paged = (pages: number, asked: Array<string | undefined>) =>
    serve(async (request, response) => {
      if (request.method !== "POST") return response.writeHead(405).end()
      const message = JSON.parse(await body(request)) as {
        readonly id?: number
        readonly method: string
        readonly params?: { readonly cursor?: string }
      }
      const page = Number(message.params?.cursor ?? 0)
      if (message.method === "tools/list") asked.push(message.params?.cursor)
      const tool = { name: `tool${page}`, description: "x".repeat(4_000), inputSchema: { type: "object" } }
      const result = message.method === "tools/list"
        ? { tools: [tool], ...page + 1 < pages && { nextCursor: String(page + 1) } }
        : message.method === "tools/call"
        ? { content: [] }
        : initialized(message)?.result
      if (result === undefined) return response.writeHead(202).end()
      return response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({ jsonrpc: "2.0", id: message.id, result }),
      )
    })

  test("lists on and on: no more is taken of all pages than one message may have", () =>
    run(Effect.gen(function*() {
      const asked: Array<string | undefined> = []
      const { url } = yield* paged(100, asked)
      const source = yield* Mcp.http({ name: "endless", url, maxMessageBytes: 20_000 })
      const expected = {
        code: "LIMIT_EXCEEDED",
        message: "The MCP server \"endless\" lists more tools than are taken: at most 20,000 characters.",
        retryable: false,
      }
      expect(yield* failureOf(source.list)).toMatchObject(expected)
      expect(asked).toEqual([undefined, "1", "2", "3", "4"])
      expect(yield* failureOf(source.call("tool1", {}))).toMatchObject(expected)
    })))

  test("lists very many tools: they are not looked at one by one", () =>
    run(Effect.gen(function*() {
      const { url } = yield* serve(async (request, response) => {
        if (request.method !== "POST") return response.writeHead(405).end()
        const message = JSON.parse(await body(request)) as { readonly id?: number; readonly method: string }
        const result = message.method === "tools/list"
          ? { tools: Array.from({ length: 10_001 }, () => ({})) }
          : initialized(message)?.result
        if (result === undefined) return response.writeHead(202).end()
        return response.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({ jsonrpc: "2.0", id: message.id, result }),
        )
      })
      const source = yield* Mcp.http({ name: "many", url })
      expect(yield* failureOf(source.list)).toMatchObject({
        code: "LIMIT_EXCEEDED",
        message: "The MCP server \"many\" lists more tools than are taken: at most 10,000 of them.",
      })
    })))

  test("lists in pages: those of several readings at once are counted for each", () =>
    run(Effect.gen(function*() {
      const { url } = yield* paged(4, [])
      const source = yield* Mcp.http({ name: "paged", url, maxMessageBytes: 20_000 })
      const listings = yield* Effect.all([source.list, source.list, source.list], { concurrency: "unbounded" })
      expect(listings.map(({ definitions }) => definitions.length)).toEqual([4, 4, 4])
      expect(yield* source.call("tool3", {})).toBe(null)
    })))

  test("is not there: calls say so, and nothing is tried again too soon", () =>
    run(Effect.gen(function*() {
      const { url } = yield* Effect.scoped(serve(() => {}))
      const source = yield* Mcp.http({ name: "absent", url })
      const failure = yield* failureOf(source.call("go", {}))
      expect(failure.message).toBe(
        "The MCP server \"absent\" is not available: it could not be reached (ECONNREFUSED). It can be tried again in 1s.",
      )
      expect(yield* failureOf(source.list)).toEqual(failure)
    })))

  test("an address that is none is refused when the source is made", () =>
    run(Effect.gen(function*() {
      const exit = yield* Effect.exit(Mcp.http({ name: "none", url: "not an address" }))
      expect(String(Exit.isFailure(exit) ? Cause.squash(exit.cause) : exit)).toContain(
        "The option `url` is not an address",
      )
    })))
})

describe("a client that the host makes", () => {
  test("is made when it is needed, shared, and made again after it died", () =>
    run(Effect.gen(function*() {
      const { sessions, url } = yield* everything
      let made = 0
      const connect = Effect.gen(function*() {
        made++
        const transport = yield* McpClient.http({ url, protocol: McpProtocol.v2025_11_25 })
        return yield* McpClient.make({ name: "host", version: "1.0.0" }).pipe(
          Effect.provideService(McpClient.Transport, transport),
        )
      })
      const source = yield* Mcp.source({ name: "own", connect })
      expect(made).toBe(0)
      const image = yield* called(source, "get-tiny-image")
      expect(image.attached).toEqual([{ mediaType: "image/png", data: expect.stringMatching(/^iVBORw0KGgo/) }])
      expect(yield* source.call("echo", { message: "x" })).toBe("Echo: x")
      expect(made).toBe(1)
      for (const { cleanup } of sessions.values()) cleanup()
      sessions.clear()
      expect(yield* source.call("echo", { message: "y" })).toBe("Echo: y")
      expect(made).toBe(2)
    })))

  test("that cannot be made tells the program nothing of why, and the host all", () =>
    run(Effect.gen(function*() {
      const logged: Array<string> = []
      const logger = Logger.make((entry) => {
        logged.push(`${String(entry.message)} ${Cause.pretty(entry.cause)}`)
      })
      const source = yield* Mcp.source({ name: "own", connect: Effect.fail(new Error("the vault is locked")) }).pipe(
        Effect.provide(Logger.layer([logger])),
      )
      const failure = yield* failureOf(source.list)
      expect(failure.message).toBe(
        "The MCP server \"own\" is not available: it could not be connected to. It can be tried again in 1s.",
      )
      expect(logged.join("\n")).toContain("the vault is locked")
    })))

  // Answers as a server without sessions does.
  const answering = (results: Readonly<Record<string, unknown>>) =>
    Effect.gen(function*() {
      const { url } = yield* serve(async (request, response) => {
        if (request.method !== "POST") return response.writeHead(405).end()
        const { id, method } = JSON.parse(await body(request)) as { readonly id?: number; readonly method: string }
        if (id === undefined) return response.writeHead(202).end()
        return response.writeHead(200, { "content-type": "application/json" }).end(
          JSON.stringify({ jsonrpc: "2.0", id, result: { ...initial, ...results }[method] }),
        )
      })
      return Effect.provideServiceEffect(
        McpClient.make({ name: "host", version: "1.0.0" }),
        McpClient.Transport,
        McpClient.http({ url, protocol: McpProtocol.v2025_11_25 }),
      )
    })
  const initial = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "answering", version: "1" },
    },
    "tools/list": { tools: [{ name: "go", inputSchema: { type: "object" } }] },
  }

  test("is held to as long a list of tools as others are", () =>
    run(Effect.gen(function*() {
      const tool = { name: "go", description: "x".repeat(30_000), inputSchema: { type: "object" } }
      const connect = yield* answering({ "tools/list": { tools: [tool] } })
      const within = yield* Mcp.source({ name: "own", connect })
      expect((yield* within.list).definitions).toHaveLength(1)
      const beyond = yield* Mcp.source({ name: "own", connect, maxMessageBytes: 20_000 })
      const expected = {
        code: "LIMIT_EXCEEDED",
        message: "The MCP server \"own\" lists more tools than are taken: at most 20,000 characters.",
        retryable: false,
      }
      expect(yield* failureOf(beyond.list)).toMatchObject(expected)
      expect(yield* failureOf(beyond.call("go", {}))).toMatchObject(expected)
    })))

  test("is held to results of as many blocks and of as much text as others are", () =>
    run(Effect.gen(function*() {
      const blocks = (count: number, text = "") => ({
        content: Array.from({ length: count }, () => ({ type: "text", text })),
      })
      const many = yield* Mcp.source({ name: "own", connect: yield* answering({ "tools/call": blocks(10_001) }) })
      expect(yield* failureOf(many.call("go", {}))).toMatchObject({
        code: "LIMIT_EXCEEDED",
        message: expect.stringContaining("it has 10,001 blocks of content; at most 10,000 are taken"),
      })
      const connect = yield* answering({ "tools/call": blocks(3, "x".repeat(400)) })
      const long = yield* Mcp.source({ name: "own", connect, maxTextLength: 1000 })
      expect(yield* failureOf(long.call("go", {}))).toMatchObject({ code: "LIMIT_EXCEEDED" })
      const enough = yield* Mcp.source({ name: "own", connect, maxTextLength: 2000 })
      expect(yield* enough.call("go", {})).toHaveLength(1202)
    })))
})
