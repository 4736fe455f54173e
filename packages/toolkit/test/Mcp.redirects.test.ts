import { Mcp } from "@effect-codemode/toolkit"
import { Effect, Redacted } from "effect"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { expect, test } from "vitest"
import { failureOf, run } from "./mcp-fixtures.ts"
import { json, serve } from "./openapi-fixtures.ts"

interface Got {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server of one tool, that notes what it gets. What `instead` answers, it does not. */
const served = (got: Array<Got>, instead: (url: string, response: ServerResponse) => boolean = () => false) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() =>
        serve((request, response, body) => {
          const { headers, method, url } = request as { readonly method: string; readonly url: string } & typeof request
          got.push({ method, url, headers, body })
          if (instead(url, response)) return
          if (method !== "POST") return void response.writeHead(200).end()
          const { id, method: asked, params } = JSON.parse(body) as {
            readonly id?: number
            readonly method: string
            readonly params: { readonly protocolVersion: string }
          }
          if (id === undefined) return void response.writeHead(202).end()
          const results: Record<string, unknown> = {
            "initialize": {
              protocolVersion: params.protocolVersion,
              capabilities: { tools: {} },
              serverInfo: { name: "moved", version: "1" },
            },
            "tools/list": { tools: [{ name: "go", inputSchema: { type: "object" } }] },
            "tools/call": { content: [{ type: "text", text: "gone" }] },
          }
          if (asked === "initialize") response.setHeader("mcp-session-id", "one")
          json(response, { jsonrpc: "2.0", id, result: results[asked] })
        })
      ),
      (server) => Effect.promise(server.close),
    ),
    ({ url }) => url,
  )

const headers = {
  authorization: Redacted.make("Bearer of-some-length"),
  "x-api-key": Redacted.make("key-of-some-length"),
}

const redirect = (status: number, location: string, response: ServerResponse): true => {
  response.writeHead(status, { location }).end()
  return true
}

test.each([307, 308])(
  "a redirect to another path of the server is followed, with all that was sent: %s",
  (status) =>
    run(Effect.gen(function*() {
      const got: Array<Got> = []
      const url = yield* served(got, (url, response) => url === "/mcp" && redirect(status, "/v2/mcp?x=1#y", response))
      yield* Effect.scoped(Effect.gen(function*() {
        const source = yield* Mcp.http({ name: "moved", url: `${url}/mcp`, headers })
        expect(yield* source.call("go", { a: 1 })).toBe("gone")
      }))
      const moved = got.filter(({ url }) => url === "/v2/mcp?x=1")
      expect(moved.map(({ body, method }) => body === "" ? method : (JSON.parse(body) as { method: string }).method))
        .toEqual(
          ["initialize", "notifications/initialized", "tools/list", "tools/call", "DELETE"],
        )
      for (const { headers } of moved) {
        expect(headers).toMatchObject({ authorization: "Bearer of-some-length", "x-api-key": "key-of-some-length" })
      }
      expect(got).toHaveLength(2 * moved.length)
    })),
)

// `fetch` would send the header of a key along.
test.each([301, 302, 303, 307, 308])("nothing goes to another origin: %s", (status) =>
  run(Effect.gen(function*() {
    const got: Array<Got> = []
    const elsewhere = yield* served(got)
    const url = yield* served([], (_, response) => redirect(status, `${elsewhere}/mcp?token=abcdefgh`, response))
    const source = yield* Mcp.http({ name: "moved", url: `${url}/mcp`, headers })
    expect((yield* failureOf(source.call("go", {}))).message).toBe(
      "The MCP server \"moved\" is not available: it answers with a redirect that is not followed (HTTP status " +
        `${status}). It can be tried again in 1s.`,
    )
    expect(got).toEqual([])
  })))

test.each([[302, "/v2/mcp"], [307, "/mcp"], [307, undefined], [307, "http://"]])(
  "one that leads nowhere is told: %s to %s",
  (status, location) =>
    run(Effect.gen(function*() {
      const got: Array<Got> = []
      const url = yield* served(got, (_, response) => {
        response.writeHead(status, location === undefined ? {} : { location }).end()
        return true
      })
      const source = yield* Mcp.http({ name: "moved", url: `${url}/mcp` })
      expect((yield* failureOf(source.call("go", {}))).message).toContain(
        `it answers with a redirect that is not followed (HTTP status ${status})`,
      )
      expect(got.length).toBeLessThan(10)
    })),
)

test("one in the middle of the session fails the call, and no other", () =>
  run(Effect.gen(function*() {
    const got: Array<Got> = []
    const elsewhere = yield* served(got)
    let isMoved = false
    const url = yield* served([], (_, response) => isMoved && redirect(307, `${elsewhere}/mcp`, response))
    const source = yield* Mcp.http({ name: "moved", url: `${url}/mcp`, headers })
    expect(yield* source.call("go", {})).toBe("gone")
    isMoved = true
    expect(yield* failureOf(source.call("go", {}))).toMatchObject({
      code: "TOOL_FAILURE",
      message: "The tool \"go\" was answered with a redirect that is not followed (HTTP status 307).",
      retryable: false,
    })
    isMoved = false
    expect(yield* source.call("go", {})).toBe("gone")
    expect(got).toEqual([])
  })))
