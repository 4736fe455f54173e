import { OpenApi } from "@effect-codemode/toolkit"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import {
  call,
  collecting,
  document,
  echo,
  echoed,
  failing,
  json,
  make,
  serve,
  type Server,
} from "./openapi-fixtures.ts"

const string = { type: "string" }
const isJson = { responses: { "200": { description: "", content: { "application/json": { schema: {} } } } } }

let answer: (request: IncomingMessage, response: ServerResponse) => void
let server: Server
let echoing: Server
beforeAll(async () => {
  server = await serve((request, response) => answer(request, response))
  echoing = await echo()
})
afterAll(() => Promise.all([server.close(), echoing.close()]))

/** A source with one operation, `get`, whose answer is given. */
const answering = (
  respond: typeof answer,
  options: Partial<OpenApi.Options> = {},
  operation: Record<string, unknown> = {},
  method = "get",
): Promise<OpenApi.OpenApiSource> => {
  answer = respond
  return make({
    baseUrl: server.url,
    document: document({
      "/things/{id}": {
        [method]: {
          operationId: "get",
          parameters: [{ name: "id", in: "path", required: true, schema: string }],
          ...operation,
        },
      },
    }),
    ...options,
  })
}

const get = { id: "1" }

const sending =
  (type: string, body: string | Uint8Array, headers: Record<string, string> = {}, status = 200): typeof answer =>
  (_, response) => {
    response.writeHead(status, { ...type === "" ? {} : { "content-type": type }, ...headers })
    response.end(body)
  }

describe("results", () => {
  it.each([
    ["application/json", "{\"a\":[1,null,\"ü\"]}", { a: [1, null, "ü"] }],
    ["application/problem+json; charset=utf-8", "1", 1],
    ["application/json", "", null],
    ["text/plain; charset=iso-8859-1", Buffer.from("fa\xe7ade", "latin1"), "façade"],
    ["text/plain; charset=unheard-of", "ü", "ü"],
    ["text/csv", "a,b\n1,2", "a,b\n1,2"],
    ["application/xml", "<a/>", "<a/>"],
    ["application/x-ndjson", "1\n2", "1\n2"],
    ["application/x-www-form-urlencoded", "a=1", "a=1"],
    ["text/plain", "", ""],
  ])("%s %j", async (type, body, expected) => {
    const source = await answering(sending(type, body))
    expect(await call(source, "get", get)).toEqual(expected)
  })

  it("of 204, and of HEAD, are null", async () => {
    expect(await call(await answering(sending("application/json", "", {}, 204)), "get", get)).toBeNull()
    expect(await call(await answering(sending("application/json", "1"), {}, isJson, "head"), "get", get)).toBeNull()
  })

  it("that are compressed are read", async () => {
    const source = await answering(sending("application/json", gzipSync("[1]"), { "content-encoding": "gzip" }))
    expect(await call(source, "get", get)).toEqual([1])
  })

  it("that are JSON by the description may come as text, or without a type", async () => {
    expect(await call(await answering(sending("text/plain", "[1]"), {}, isJson), "get", get)).toEqual([1])
    expect(await call(await answering(sending("", "[1]"), {}, isJson), "get", get)).toEqual([1])
  })

  const png = Uint8Array.from({ length: 100_001 }, (_, i) => i * 7)
  it.each([
    ["image/png", {}, "[1 image attached to the result]", undefined],
    ["image/svg+xml", {}, "[1 image attached to the result]", undefined],
    ["audio/mpeg", {}, "[1 sound attached to the result]", undefined],
    [
      "application/pdf",
      { "content-disposition": "attachment; filename=\"a \\\"b\\\".pdf\"" },
      "[1 file attached to the result: a \"b\".pdf]",
      "a \"b\".pdf",
    ],
    [
      "application/zip",
      { "content-disposition": "attachment; filename=x; filename*=UTF-8''%C3%BC%2F..%2F%E2%82%AC.zip" },
      "[1 file attached to the result: €.zip]",
      "€.zip",
    ],
    ["", {}, "[1 file attached to the result]", undefined],
  ])("that are files are attached: %s", async (type, headers, note, fileName) => {
    const { attached, result } = await collecting(await answering(sending(type, png, headers)), "get", get)
    expect(result).toBe(note)
    expect(attached).toEqual([{
      mediaType: type === "" ? "application/octet-stream" : type,
      data: png,
      ...fileName === undefined ? {} : { fileName },
    }])
  })

  it("that are empty files are null", async () => {
    expect(await collecting(await answering(sending("image/png", "")), "get", get)).toEqual({
      attached: [],
      result: null,
    })
  })
})

describe("requests", () => {
  it("ask for what is described, and send what is described", async () => {
    const body = (type: string, schema: unknown) => ({
      requestBody: { required: true, content: { [type]: { schema } } },
      responses: { "200": { content: { "text/csv": {}, "application/json": {}, "application/x+json": {} } } },
    })
    const source = await make({
      baseUrl: `${echoing.url}/v1/`,
      document: document({
        "/json": {
          post: { operationId: "json", ...body("application/json", { type: "object", properties: { a: {} } }) },
        },
        "/merge": { patch: { operationId: "merge", ...body("application/merge-patch+json", { type: "object" }) } },
        "/any": { put: { operationId: "any", ...body("*/*", { type: "array" }) } },
        "/text": { post: { operationId: "text", ...body("text/markdown", string) } },
        "/delete": { delete: { operationId: "delete", ...body("application/json", { type: "array" }) } },
        "/none": { post: { operationId: "none" } },
      }),
    })
    const sent = async (tool: string, input: unknown) => {
      const { body, headers, method, url } = await echoed(source, tool, input)
      return [method, url, headers["content-type"], body]
    }
    expect(await sent("json", { a: null })).toEqual(["POST", "/v1/json", "application/json", "{\"a\":null}"])
    expect(await sent("json", {})).toEqual(["POST", "/v1/json", "application/json", "{}"])
    expect(await sent("merge", { body: { a: 1 } })).toEqual([
      "PATCH",
      "/v1/merge",
      "application/merge-patch+json",
      "{\"a\":1}",
    ])
    expect(await sent("any", { body: ["ü"] })).toEqual(["PUT", "/v1/any", "application/json", "[\"ü\"]"])
    expect(await sent("text", { body: "# ü" })).toEqual(["POST", "/v1/text", "text/markdown", "# ü"])
    expect(await sent("delete", { body: [1] })).toEqual(["DELETE", "/v1/delete", "application/json", "[1]"])
    expect(await sent("none", {})).toEqual(["POST", "/v1/none", undefined, ""])
    expect((await echoed(source, "json", {})).headers["accept"]).toBe(
      "application/json, text/csv;q=0.5, application/x+json;q=0.5, */*;q=0.1",
    )
    expect((await failing(source, "text", { body: 1 })).message).toContain("body has to be a text")
  })

  it("need what is required, and nothing that is not there", async () => {
    const source = await make({
      baseUrl: echoing.url,
      document: document({
        "/a/{owner}": {
          post: {
            operationId: "post",
            parameters: [{ name: "owner", in: "path", required: true, schema: string }, {
              name: "per_page",
              in: "query",
              required: true,
              schema: string,
            }],
            requestBody: {
              required: true,
              content: {
                "application/json": {
                  schema: {
                    type: "object",
                    properties: { title: string, body: { type: ["string", "null"] } },
                    required: ["title", "body"],
                  },
                },
              },
            },
          },
        },
        "/b": { get: { operationId: "get" } },
      }),
    })
    const missing = await failing(source, "post", { owner: null, body: null })
    expect(missing).toMatchObject({
      code: "INVALID_TOOL_INPUT",
      message: "The input of post needs owner, per_page and title.",
      retryable: true,
    })
    expect((await failing(source, "post", { perPage: 1 })).message).toBe(
      "There is no field perPage in the input of post. Nearest: per_page.",
    )
    expect((await failing(source, "get", { a: 1 })).message).toContain("It takes no input.")
    expect(await failing(source, "nowhere")).toMatchObject({ code: "UNKNOWN_TOOL" })
  })

  it("keep what the host gave the client", async () => {
    const sent: Array<RequestInit> = []
    const client = FetchHttpClient.layer.pipe(
      Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { credentials: "include", headers: { "x-host": "1" } })),
      Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => {
        sent.push(init!)
        return fetch(input, init)
      })),
    )
    const source = await Effect.runPromise(
      Effect.provide(
        OpenApi.source({ baseUrl: echoing.url, document: document({ "/a": { get: { operationId: "get" } } }) }),
        client,
      ),
    )
    expect(sent).toEqual([])
    expect((await echoed(source, "get")).headers["x-host"]).toBe("1")
    const own = Effect.provideService(source.call("get", {}), FetchHttpClient.RequestInit, { credentials: "omit" })
    expect(await Effect.runPromise(own)).toMatchObject({ method: "GET" })
    expect(sent).toMatchObject([{ credentials: "include", redirect: "manual" }, {
      credentials: "omit",
      redirect: "manual",
    }])
  })
})

describe("failures", () => {
  it.each([
    [400, "TOOL_FAILURE", true],
    [401, "ACCESS_DENIED", false],
    [403, "ACCESS_DENIED", false],
    [404, "TOOL_FAILURE", true],
    [405, "TOOL_FAILURE", false],
    [409, "TOOL_FAILURE", true],
    [422, "TOOL_FAILURE", true],
    [429, "TOOL_FAILURE", true],
    [500, "TOOL_FAILURE", true],
    [501, "TOOL_FAILURE", false],
    [503, "TOOL_FAILURE", true],
    [304, "TOOL_FAILURE", false],
  ])("status %s", async (status, code, retryable) => {
    const source = await answering(
      sending("application/json", status === 304 ? "" : "{\"message\":\"No\"}", {}, status),
    )
    const failure = await failing(source, "get", get)
    expect(failure).toMatchObject({ code, retryable })
    expect(failure.message).toBe(
      `get (GET /things/{id}) answered ${status}${status === 304 ? "." : ": {\"message\":\"No\"}"}`,
    )
  })

  it("are the same with a client that takes them for errors", async () => {
    answer = sending("text/plain", "No", {}, 404)
    const source = await Effect.runPromise(
      OpenApi.source({ baseUrl: server.url, document: document({ "/a": { get: { operationId: "get" } } }) }).pipe(
        Effect.updateService(HttpClient.HttpClient, HttpClient.filterStatusOk),
        Effect.provide(FetchHttpClient.layer),
      ),
    )
    expect((await failing(source, "get")).message).toBe("get (GET /a) answered 404: No")
  })

  it("tell when to try again", async () => {
    const limited = await failing(
      await answering(sending("text/plain", "slow down", { "retry-after": "30" }, 403)),
      "get",
      get,
    )
    expect(limited).toMatchObject({ code: "TOOL_FAILURE", retryable: true })
    expect(limited.message).toBe("get (GET /things/{id}) answered 403 (retry after 30 s): slow down")
  })

  it("tell the beginning of a long answer, and nothing of a file", async () => {
    const long = await failing(await answering(sending("text/html", "é".repeat(200_000), {}, 500)), "get", get)
    expect(long.message.length).toBeLessThan(2_100)
    expect(long.message).toMatch(/é…$/)
    const file = await failing(await answering(sending("image/png", "xxx", {}, 500)), "get", get)
    expect(file.message).toBe("get (GET /things/{id}) answered 500.")
  })

  it("are what is not what it should be", async () => {
    const broken = await failing(await answering(sending("application/json", "{\"a\":")), "get", get)
    expect(broken).toMatchObject({ code: "INVALID_TOOL_OUTPUT", retryable: false })
    expect(broken.message).toContain("answered with application/json that is not JSON: {\"a\":")
    const page = await failing(await answering(sending("text/html", "<h1>Log in</h1>\n"), {}, isJson), "get", get)
    expect(page.message).toContain("answered with text/html that is not JSON: <h1>Log in</h1>")
    const file = await failing(await answering(sending("image/png", "x"), {}, isJson), "get", get)
    expect(file).toMatchObject({ code: "INVALID_TOOL_OUTPUT" })
    expect(file.message).toContain("answered with image/png in place of JSON")
  })

  it("of the network", async () => {
    const closed = await serve(() => {})
    await closed.close()
    const none = await failing(
      await make({ baseUrl: closed.url, document: document({ "/a": { get: { operationId: "get" } } }) }),
      "get",
    )
    expect(none).toMatchObject({ code: "TOOL_FAILURE", retryable: true })
    expect(none.message).toBe("get (GET /a) got no answer from the server (ECONNREFUSED).")
    const reset = await failing(await answering((request) => request.socket.destroy()), "get", get)
    expect(reset.message).toMatch(/got no answer from the server/)
    const half = await failing(
      await answering((request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" })
        response.write("{\"a\":")
        setTimeout(() => request.socket.destroy(), 20)
      }),
      "get",
      get,
    )
    expect(half.message).toMatch(/got an answer that broke off/)
  })

  it("of time", async () => {
    const silent = await failing(await answering(() => {}, { timeout: "100 millis" }), "get", get)
    expect(silent).toMatchObject({
      code: "TOOL_FAILURE",
      retryable: true,
      message: "get (GET /things/{id}) took longer than 100ms.",
    })
    const slow = await failing(
      await answering((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        response.write("data: 1\n\n")
      }, { timeout: "100 millis" }),
      "get",
      get,
    )
    expect(slow.message).toContain("took longer than 100ms")
  })

  it("of options are defects of the host", async () => {
    const wrong = [{ timeout: 0 }, { maxResponseBytes: 0 }, { maxResponseBytes: Number.NaN }, { maxInputLength: -1 }]
    for (const options of wrong) {
      const exit = await Effect.runPromiseExit(
        Effect.provide(OpenApi.source({ document: document({}), ...options }), FetchHttpClient.layer),
      )
      expect(Exit.isFailure(exit) && Cause.hasDies(exit.cause)).toBe(true)
    }
  })
})

describe("limits", () => {
  const limited = (respond: typeof answer, operation: Record<string, unknown> = {}) =>
    answering(respond, { maxResponseBytes: 1_000 }, operation)

  it("of what is announced are kept before anything is read", async () => {
    let written = 0
    const source = await limited((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100000000" })
      const write = () => {
        while (!response.destroyed && response.write("x".repeat(65_536))) written += 65_536
      }
      response.on("drain", write)
      write()
    })
    const failure = await failing(source, "get", get)
    expect(failure).toMatchObject({ code: "LIMIT_EXCEEDED", retryable: true })
    expect(failure.message).toContain("answered with 100,000,000 bytes, over the limit of 1,000")
    expect(written).toBeLessThan(20_000_000)
  })

  it.each(["application/json", "text/plain", "image/png"])(
    "of %s are kept while it is read, and the request is ended",
    async (type) => {
      const ended = Deferred.makeUnsafe<void>()
      const source = await limited((_, response) => {
        response.writeHead(200, { "content-type": type })
        const timer = setInterval(() => response.write("x".repeat(400)), 1)
        response.on("close", () => {
          clearInterval(timer)
          Deferred.doneUnsafe(ended, Effect.void)
        })
      })
      const failure = await failing(source, "get", get)
      expect(failure.code).toBe("LIMIT_EXCEEDED")
      expect(failure.message).toContain("answered with more than 1,000 bytes")
      await Effect.runPromise(Deferred.await(ended))
    },
  )

  it.each(["[],", "[", "{},", "{\"a\":", "1,"])("hold for the memory that JSON takes, too: %s", async (part) => {
    const source = await answering(sending("application/json", `[${part.repeat(900_000 / part.length)}`), {
      maxResponseBytes: 1_000_000,
    })
    expect(await failing(source, "get", get)).toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: expect.stringContaining(
        "answered with JSON of more parts than fit in 4,000,000 bytes of memory, four times the limit of an answer. Ask for less",
      ),
      retryable: true,
    })
  })

  it("of inputs are kept before anything is sent", async () => {
    let asked = 0
    const respond: typeof answer = (_, response) => {
      asked++
      response.writeHead(204).end()
    }
    const body = { requestBody: { content: { "application/json": { schema: {} } } } }
    const source = await answering(respond, { maxInputLength: 1_000 }, body, "post")
    expect(await failing(source, "get", { id: "1", body: ["x".repeat(500), "x".repeat(500)] })).toMatchObject({
      code: "LIMIT_EXCEEDED",
      message: "get (POST /things/{id}) was given an input of more than 1,000 characters. Send less.",
      retryable: true,
    })
    expect(await call(source, "get", { id: "1", body: ["x".repeat(500), "x".repeat(450)] })).toBe(null)
    expect(asked).toBe(1)
  })

  it("count what is decompressed", async () => {
    const bomb = gzipSync("x".repeat(1_000_000))
    const failure = await failing(
      await limited(sending("text/plain", bomb, { "content-encoding": "gzip" })),
      "get",
      get,
    )
    expect(failure.code).toBe("LIMIT_EXCEEDED")
  })

  it("let through what is just within", async () => {
    expect(await call(await limited(sending("text/plain", "x".repeat(1_000))), "get", get)).toHaveLength(1_000)
    expect((await failing(await limited(sending("text/plain", "x".repeat(1_001))), "get", get)).code).toBe(
      "LIMIT_EXCEEDED",
    )
  })
})

describe("redirects", () => {
  const chain: typeof answer = (request, response) => {
    const path = request.url!
    if (path === "/things/loop") response.writeHead(302, { location: "/things/loop" }).end()
    else if (path.startsWith("/things/")) response.writeHead(Number(path.slice(8)), { location: "../else?x=1#y" }).end()
    else json(response, { method: request.method, url: path })
  }

  it.each([
    [301, "get", "GET"],
    [302, "post", "GET"],
    [303, "put", "GET"],
    [307, "post", "POST"],
    [308, "put", "PUT"],
  ])("within the origin are followed: %s of %s becomes %s", async (status, method, expected) => {
    const source = await answering(chain, {}, {}, method)
    expect(await call(source, "get", { id: String(status) })).toEqual({ method: expected, url: "/else?x=1" })
  })

  it("that go round are ended", async () => {
    expect((await failing(await answering(chain), "get", { id: "loop" })).message).toContain("more than 5 redirects")
  })

  it("to another origin are not followed, or without what was meant for the first", async () => {
    const away: typeof answer = (_, response) =>
      response.writeHead(302, { location: `${echoing.url}/there?token=abc` }).end()
    const operation = {
      parameters: [{ name: "id", in: "path", required: true, schema: string }, {
        name: "X-Own",
        in: "header",
        schema: string,
      }],
    }
    const failure = await failing(await answering(away, {}, operation), "get", get)
    expect(failure.message).toBe(
      `get (GET /things/{id}) answered 302 with a redirect to another origin, ${echoing.url}, which is not followed.`,
    )
    const followed = await echoed(await answering(away, { redirects: "follow" }, operation), "get", {
      ...get,
      "X-Own": "1",
    })
    expect(followed.url).toBe("/there?token=abc")
    expect(followed.headers["x-own"]).toBeUndefined()
    const posted = await failing(
      await answering(
        (_, response) => response.writeHead(307, { location: echoing.url }).end(),
        { redirects: "follow" },
        {},
        "post",
      ),
      "get",
      get,
    )
    expect(posted.message).toContain("which is not followed")
    for (const location of ["javascript:1", "file:///etc/passwd", "http://"]) {
      const odd = await failing(
        await answering((_, response) => response.writeHead(302, { location }).end(), { redirects: "follow" }),
        "get",
        get,
      )
      expect(odd.message).toContain("answered 302 with a redirect")
    }
  })
})

describe("interruption", () => {
  const until = (): { readonly promise: Promise<void>; readonly done: () => void } => {
    const deferred = Deferred.makeUnsafe<void>()
    return {
      promise: Effect.runPromise(Deferred.await(deferred)),
      done: () => void Deferred.doneUnsafe(deferred, Effect.void),
    }
  }

  it.each(["before the answer", "in its middle"])("ends the request %s", async (when) => {
    const started = until()
    const closed = until()
    const source = await answering((_, response) => {
      if (when !== "before the answer") {
        response.writeHead(200, { "content-type": "application/json" })
        response.write("[1,")
      }
      response.on("close", closed.done)
      setTimeout(started.done, 30)
    })
    const fiber = Effect.runFork(source.call("get", get))
    await started.promise
    const exit = await Effect.runPromise(Effect.andThen(Fiber.interrupt(fiber), Fiber.await(fiber)))
    expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
    await closed.promise
  })
})
