import { OpenApi, ToolSource } from "@effect-codemode/toolkit"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Logger, Redacted, References, type Schema, Tracer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { inspect } from "node:util"
import { document, type Got, json, make, serve, type Server } from "./openapi-fixtures.ts"

const canary = "s3cr3t/+ \"canary\" x"
const base64 = Buffer.from(`user:${canary}`).toString("base64")
/** All that a secret can look like. */
const forms = [canary, base64, encodeURIComponent(canary), JSON.stringify(canary).slice(1, -1), "s3cr3t"]

const reveals = (value: unknown): boolean => {
  const text = `${inspect(value, { depth: 20, showHidden: true, getters: true })}\n${
    attempt(() => JSON.stringify(value))
  }`
  return forms.some((form) => text.includes(form))
}

const attempt = (write: () => string | undefined): string => {
  try {
    return write() ?? ""
  } catch {
    return ""
  }
}

const schemes = {
  bearer: { type: "http", scheme: "bearer" },
  basic: { type: "http", scheme: "basic" },
  header: { type: "apiKey", in: "header", name: "X-Own-Key" },
  query: { type: "apiKey", in: "query", name: "own key" },
}

type Scheme = keyof typeof schemes

const secrets: Record<Scheme, OpenApi.Credential> = {
  bearer: Redacted.make(canary),
  basic: Effect.succeed({ username: "user", password: Redacted.make(canary) }),
  header: ({ scheme }) => Effect.succeed(Redacted.make(scheme === "header" ? canary : "")),
  query: Effect.succeed(Redacted.make(canary)),
}

const each = Object.keys(schemes) as Array<Scheme>

let answer: (request: IncomingMessage, response: ServerResponse, got: Got) => void
let server: Server
let away: Server
const elsewhere: Array<Got> = []
beforeAll(async () => {
  server = await serve((request, response, body) => answer(request, response, gotOf(request, body)))
  away = await serve((request, response, body) => {
    elsewhere.push(gotOf(request, body))
    json(response, "away")
  })
})
afterAll(() => Promise.all([server.close(), away.close()]))

const gotOf = (request: IncomingMessage, body: string): Got => ({
  method: request.method!,
  url: request.url!,
  headers: request.headers as Record<string, string>,
  body,
})

const sourceOf = (scheme: Scheme, options: Partial<OpenApi.Options> = {}, baseUrl = server.url) =>
  OpenApi.source({
    baseUrl,
    document: document({
      "/things/{id}": {
        get: {
          operationId: "get",
          security: [{ [scheme]: ["read"] }],
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "X-Own-Key", in: "header", schema: { type: "string" } },
            { name: "own key", in: "query", schema: { type: "string" } },
          ],
        },
      },
    }, { components: { securitySchemes: schemes } }),
    auth: { [scheme]: secrets[scheme] },
    ...options,
  })

/** A call, and all that anyone but the server is told of it. */
const watched = async (
  make: Effect.Effect<OpenApi.OpenApiSource, OpenApi.DocumentError, HttpClient.HttpClient>,
  input: Schema.JsonObject = { id: "visible" },
) => {
  const logged: Array<unknown> = []
  const attached: Array<ToolSource.Attachment> = []
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const observed = Layer.mergeAll(
    Logger.layer([Logger.make((options) => void logged.push({ ...options, fiber: undefined }))]),
    Layer.succeed(References.MinimumLogLevel, "All"),
    Layer.succeed(HttpClient.TracerHeaderFilter, () => true),
  )
  const program = Effect.gen(function*() {
    const source = yield* make
    const exit = yield* Effect.exit(Effect.withSpan(source.call("get", input), "around")).pipe(
      Effect.provideService(ToolSource.Attachments, {
        add: (attachment) => Effect.sync(() => void attached.push(attachment)),
      }),
    )
    return { source, exit, listing: yield* source.list }
  })
  const { exit, listing, source } = await Effect.runPromise(
    program.pipe(Effect.provide(observed), Effect.provide(FetchHttpClient.layer), Effect.withTracer(tracer)),
  )
  const told = spans.map(({ attributes, events, links, name, parent, status }) => ({
    name,
    attributes: Object.fromEntries(attributes),
    events,
    links,
    parent: parent._tag,
    status,
    pretty: status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : "",
  }))
  expect(reveals({ logged, told, listing, source, exit, attached })).toBe(false)
  expect(Exit.isFailure(exit) && reveals(Cause.pretty(exit.cause))).toBe(false)
  return {
    exit,
    attached,
    spans: told,
    logged,
    failure: Exit.isFailure(exit) ? exit.cause.reasons.find(Cause.isFailReason)?.error : undefined,
  }
}

describe("a secret reaches the server and nobody else", () => {
  it.each(each)("%s", async (scheme) => {
    let got: Got | undefined
    answer = (_, response, request) => {
      got = request
      json(response, { ok: true })
    }
    const { exit, spans } = await watched(sourceOf(scheme))
    expect(exit).toEqual(Exit.succeed({ ok: true }))
    const sent = {
      bearer: got!.headers["authorization"] === `Bearer ${canary}`,
      basic: got!.headers["authorization"] === `Basic ${base64}`,
      header: got!.headers["x-own-key"] === canary,
      query: new URL(got!.url, server.url).searchParams.get("own key") === canary,
    }
    expect(sent[scheme]).toBe(true)
    // The one span of the request tells what it is, and none of the input.
    const span = spans.find(({ attributes }) => "url.template" in attributes)!
    expect(span.name).toBe("GET /things/{id}")
    expect(span.attributes).toMatchObject({
      "http.request.method": "GET",
      "url.template": "/things/{id}",
      "http.response.status_code": 200,
      "server.address": "127.0.0.1",
    })
    expect(inspect(spans, { depth: 9 })).not.toContain("visible")
    expect(spans).toHaveLength(2)
    expect(got!.headers["traceparent"]).toMatch(/^00-/)
  })

  it.each(each)("%s, when the server repeats it in a result", async (scheme) => {
    answer = (_, response, got) =>
      json(response, {
        got,
        decoded: decodeURIComponent(got.url),
        [canary]: [scheme === "basic" ? base64 : "", `<${canary}>`],
      })
    const { exit } = await watched(sourceOf(scheme))
    expect(inspect(exit, { depth: 9 })).toContain("[redacted]")
  })

  it.each(each)("%s, when the server repeats it in a text or in an error", async (scheme) => {
    for (const status of [200, 401, 500]) {
      answer = (_, response, got) => {
        response.writeHead(status, { "content-type": "text/plain" })
        response.end(`${"x".repeat(1_980)} ${canary} ${JSON.stringify(got)}`)
      }
      const { exit } = await watched(sourceOf(scheme))
      expect(Exit.isSuccess(exit)).toBe(status === 200)
    }
  })

  it.each(each)("%s, when what should be JSON is not", async (scheme) => {
    answer = (_, response, got) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(`${canary} ${JSON.stringify(got)}`)
    }
    const { failure } = await watched(sourceOf(scheme))
    expect(failure).toMatchObject({ code: "INVALID_TOOL_OUTPUT" })
  })

  it.each(each)("%s, when the server is away, hangs or breaks off", async (scheme) => {
    const gone = await serve(() => {})
    await gone.close()
    expect((await watched(sourceOf(scheme, {}, gone.url))).failure).toMatchObject({ code: "TOOL_FAILURE" })
    answer = () => {}
    expect((await watched(sourceOf(scheme, { timeout: "50 millis" }))).failure).toMatchObject({ code: "TOOL_FAILURE" })
    answer = (request, response) => {
      response.writeHead(200, { "content-type": "text/plain" })
      response.write("x")
      setTimeout(() => request.socket.destroy(), 10)
    }
    expect((await watched(sourceOf(scheme))).failure).toMatchObject({ code: "TOOL_FAILURE" })
  })

  it.each(each)("%s, when the server repeats it in the name of a file", async (scheme) => {
    for (
      const name of [
        `filename="${canary.replaceAll("\"", "\\\"")}.png"`,
        `filename*=utf-8''${encodeURIComponent(`${canary}.png`)}`,
        `filename*=utf-8''${Array.from(canary, (char) => `%${char.charCodeAt(0).toString(16)}`).join("")}.png`,
      ]
    ) {
      answer = (_, response) => {
        response.writeHead(200, { "content-type": "image/png", "content-disposition": `attachment; ${name}` })
        response.end("x")
      }
      const { attached, exit } = await watched(sourceOf(scheme))
      expect(exit).toEqual(Exit.succeed("[1 image attached to the result: [redacted].png]"))
      expect(attached.map(({ fileName }) => fileName)).toEqual(["[redacted].png"])
    }
  })

  it("when the server repeats it in another header", async () => {
    const token = "s3cr3tToken"
    const answers: ReadonlyArray<readonly [status: number, headers: Record<string, string>, said: string]> = [
      [200, { "content-type": `image/${token}` }, "[1 file attached to the result]"],
      [200, { "content-type": `application/${token}+json` }, "[1 file attached to the result]"],
      [302, { location: `https://${token}.example.com/` }, "a redirect to another origin, which is not followed"],
      [429, { "retry-after": token }, "(retry after [redacted])"],
    ]
    for (const [status, headers, said] of answers) {
      answer = (_, response) => response.writeHead(status, headers).end("x")
      const { exit, failure } = await watched(sourceOf("bearer", { auth: { bearer: Redacted.make(token) } }))
      expect(Exit.isSuccess(exit) ? exit.value : failure!.message).toContain(said)
    }
  })

  it.each(each)("%s, on redirects", async (scheme) => {
    const to = (location: string): typeof answer => (request, response) =>
      request.url!.startsWith("/things") ? response.writeHead(302, { location }).end() : json(response, request.url)
    answer = to(`${away.url}/there?key=${encodeURIComponent(canary)}`)
    expect((await watched(sourceOf(scheme))).failure).toMatchObject({ code: "TOOL_FAILURE" })
    expect(elsewhere).toEqual([])
    answer = to(`${away.url}/there`)
    expect((await watched(sourceOf(scheme, { redirects: "follow" }))).exit).toEqual(Exit.succeed("away"))
    expect(reveals(elsewhere)).toBe(false)
    expect(elsewhere.splice(0)).toHaveLength(1)
    // The same host at another port, or by another name, is another origin.
    answer = to(`${away.url.replace("127.0.0.1", "localhost")}/there`)
    expect((await watched(sourceOf(scheme))).failure).toMatchObject({ code: "TOOL_FAILURE" })
    answer = to("/here")
    expect((await watched(sourceOf(scheme))).exit).toEqual(Exit.succeed("/here"))
  })
})

describe("a program cannot put itself in a secret's place", () => {
  it.each(each)("%s", async (scheme) => {
    answer = (_, response) => json(response, 1)
    for (const name of ["X-Own-Key", "x-own-key", "own key", "Authorization", "authorization", scheme]) {
      const { failure } = await watched(sourceOf(scheme), { id: "1", [name]: "mine" })
      expect(failure).toMatchObject({ code: "INVALID_TOOL_INPUT" })
    }
  })
})

describe("a secret that cannot be had", () => {
  const failing: ReadonlyArray<readonly [string, OpenApi.Credential]> = [
    ["fails", Effect.fail(new Error(canary))],
    ["dies", Effect.die(canary)],
    ["throws", () => {
      throw new Error(canary)
    }],
    ["is none", Effect.succeed(canary as never)],
    ["is no text", Effect.succeed(Redacted.make({ canary }) as never)],
    ["is empty", Redacted.make("")],
    ["has a line break", Redacted.make(`${canary}\r\nx-admin: 1`)],
    ["has half a character", Redacted.make(`${canary}\ud800`)],
    ["is a user with a colon", { username: `us:er`, password: Redacted.make(canary) }],
  ]
  it.each(failing)("because it %s", async (_, credential) => {
    answer = (_, response) => json(response, 1)
    const { failure } = await watched(sourceOf("bearer", { auth: { bearer: credential } }))
    expect(failure).toMatchObject({ code: "ACCESS_DENIED", retryable: false })
    expect(failure!.message).toContain("The host's credentials \"bearer\"")
  })

  it("is told as the host wants it told", async () => {
    const own = new ToolSource.Failure({ code: "LOGGED_OUT", message: "Log in first", retryable: false })
    expect((await watched(sourceOf("bearer", { auth: { bearer: Effect.fail(own) } }))).failure).toEqual(own)
  })
})

describe("a secret is asked for", () => {
  it("for each call, with what it is for, and with the services of the host", async () => {
    class Vault
      extends Context.Service<Vault, { readonly read: (path: string) => Effect.Effect<string> }>()("test/Vault")
    {}
    const asked: Array<OpenApi.SecretUse> = []
    answer = (_, response, { headers }) =>
      json(response, headers["authorization"] === `Bearer ${canary}${asked.length}`)
    const source = sourceOf("bearer", {})
    const own = OpenApi.source({
      baseUrl: server.url,
      document: document({ "/a": { get: { operationId: "get", security: [{ bearer: ["read", "write"] }] } } }, {
        components: { securitySchemes: schemes },
      }),
      auth: {
        bearer: (use) =>
          Effect.gen(function*() {
            asked.push(use)
            const vault = yield* Vault
            return Redacted.make(yield* vault.read("token"))
          }),
      },
    })
    const built = await Effect.runPromise(
      own.pipe(
        Effect.provideService(Vault, { read: () => Effect.sync(() => `${canary}${asked.length}`) }),
        Effect.provide(FetchHttpClient.layer),
      ),
    )
    expect(asked).toEqual([])
    expect(await Effect.runPromise(built.call("get", {}))).toBe(true)
    expect(await Effect.runPromise(built.call("get", {}))).toBe(true)
    expect(asked.map(({ operation, scheme, scopes }) => [operation.name, scheme, scopes])).toEqual([
      ["get", "bearer", ["read", "write"]],
      ["get", "bearer", ["read", "write"]],
    ])
    expect(source).toBeDefined()
  })

  it("not where the operation needs none", async () => {
    const source = await make({
      baseUrl: server.url,
      document: document({ "/a": { get: { operationId: "get", security: [] } } }, {
        components: { securitySchemes: schemes },
        security: [{ bearer: [] }],
      }),
      auth: { bearer: Effect.die("asked") },
    })
    answer = (_, response, { headers }) => json(response, headers["authorization"] ?? null)
    expect(await Effect.runPromise(source.call("get", {}))).toBeNull()
  })
})
