import { OpenApi } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as fc from "fast-check"
import { document } from "./openapi-fixtures.ts"

const base = "http://api.example/v1/base"

/** A source whose requests go nowhere and are looked at. */
const watched = async (paths: Record<string, unknown>) => {
  const seen: Array<Request> = []
  const client = FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, (input, init) => {
    seen.push(new Request(input, init))
    return Promise.resolve(new Response(null, { status: 204 }))
  })))
  const source = await Effect.runPromise(
    OpenApi.source({ baseUrl: base, document: document(paths) }).pipe(Effect.provide(client)),
  )
  /** What a server got, or why nothing was sent. */
  return async (input: Record<string, unknown>): Promise<Request | string> => {
    seen.length = 0
    const result = await Effect.runPromise(Effect.result(source.call("tool", input as never)))
    if (result._tag === "Success") return seen[0]!
    expect(result.failure.code).toBe("INVALID_TOOL_INPUT")
    expect(seen).toEqual([])
    return result.failure.message
  }
}

// Texts that are made of what has a meaning in addresses, and of anything.
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      ".",
      "/",
      "\\",
      "%",
      "2",
      "e",
      "E",
      "f",
      "#",
      "?",
      "&",
      "=",
      ";",
      ":",
      "@",
      "+",
      " ",
      "a",
      "\r",
      "\n",
      "\0",
      "\ud800",
      "é",
    ),
    maxLength: 10,
  }),
  fc.constantFrom(
    "..",
    ".",
    "%2e%2e",
    "..%2f",
    "%252e%252e%252f",
    "//evil.example",
    "\\\\evil.example",
    "http://evil.example",
  ),
)
const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean())

const parameter = (name: string, location: string, more: Record<string, unknown> = {}) => ({
  name,
  in: location,
  required: location === "path",
  schema: {},
  ...more,
})

describe("whatever a value is", () => {
  it("it stays a value of the path", async () => {
    const call = await watched({
      "/a/{x}/b/{y}.json": {
        get: { operationId: "tool", parameters: [parameter("x", "path"), parameter("y", "path")] },
      },
    })
    await fc.assert(
      fc.asyncProperty(scalar, scalar, async (x, y) => {
        const got = await call({ x, y })
        if (typeof got === "string") return
        const url = new URL(got.url)
        expect([url.origin, url.search, url.hash]).toEqual(["http://api.example", "", ""])
        const segments = url.pathname.split("/")
        expect(segments.slice(0, 4)).toEqual(["", "v1", "base", "a"])
        expect(segments.slice(4).map(decodeURIComponent)).toEqual([String(x), "b", `${String(y)}.json`])
      }),
      { numRuns: 500 },
    )
  })

  it("it stays a value of the query", async () => {
    const call = await watched({
      "/a": { get: { operationId: "tool", parameters: [parameter("x", "query"), parameter("y", "query")] } },
    })
    await fc.assert(
      fc.asyncProperty(scalar, fc.array(scalar, { maxLength: 4 }), async (x, y) => {
        const got = await call({ x, y })
        if (typeof got === "string") return
        const url = new URL(got.url)
        expect(url.pathname).toBe("/v1/base/a")
        expect(Array.from(url.searchParams)).toEqual([["x", String(x)], ...y.map((item) => ["y", String(item)])])
      }),
      { numRuns: 500 },
    )
  })

  it("it stays a value of a header", async () => {
    const call = await watched({ "/a": { get: { operationId: "tool", parameters: [parameter("x-a", "header")] } } })
    await fc.assert(
      fc.asyncProperty(scalar, async (x) => {
        const got = await call({ "x-a": x })
        if (typeof got === "string") return
        expect(got.headers.get("x-a")).toBe(String(x))
        const names = Array.from(got.headers.keys()).filter((name) => name !== "b3" && name !== "traceparent")
        expect(names).toEqual(["accept", "x-a"])
      }),
      { numRuns: 500 },
    )
  })

  it("a form, and JSON, bring it as it is", async () => {
    const schema = { type: "object", properties: { x: {}, y: {} } }
    const body = (type: string) => ({ requestBody: { required: true, content: { [type]: { schema } } } })
    const form = await watched({
      "/a": { post: { operationId: "tool", ...body("application/x-www-form-urlencoded") } },
    })
    const json = await watched({ "/a": { post: { operationId: "tool", ...body("application/json") } } })
    await fc.assert(
      fc.asyncProperty(scalar, fc.array(scalar, { maxLength: 4 }), async (x, y) => {
        const sent = await json({ x, y })
        expect(await (sent as Request).json()).toEqual(JSON.parse(JSON.stringify({ x, y })))
        const got = await form({ x, y })
        if (typeof got === "string") return
        expect(Array.from(new URLSearchParams(await got.text()))).toEqual([
          ["x", String(x)],
          ...y.map((item) => ["y", String(item)]),
        ])
      }),
      { numRuns: 300 },
    )
  })
})
