import { Mcp } from "@effect-codemode/toolkit"
import { Cause, Effect, Exit, Logger, Redacted, type Scope, Tracer } from "effect"
import type { HttpClient } from "effect/http"
import type { ChildProcessSpawner } from "effect/process"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { called, misbehaving, run } from "./mcp-fixtures.ts"

// Each is found wherever it turns up.
const token = "canary-token-1f9c"
const marked = "canary-marked-33ee"
const plain = "canary-plain-77aa"
const argument = "canary-argument-5b5b"
const bearer = "canary-bearer-0d0d"
const header = "canary-header-4c4c"
const query = "canary-query-9e9e"

const env = { GITHUB_TOKEN: token, SETTING: plain, HIDDEN: Redacted.make(marked) }

type Services = ChildProcessSpawner.ChildProcessSpawner | HttpClient.HttpClient | Scope.Scope

/** All that an effect lets anybody see: what it ends in, its logs, its spans. */
const seen = (effect: Effect.Effect<unknown, unknown, Services>): Effect.Effect<string, never, Services> =>
  Effect.gen(function*() {
    const all: Array<unknown> = []
    const logger = Logger.make(({ cause, fiber, message }) => {
      all.push(message, cause, Cause.pretty(cause), fiber.context)
    })
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        all.push(span)
        return span
      },
    })
    const exit = yield* effect.pipe(
      Effect.withSpan("call"),
      Effect.exit,
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provide(Logger.layer([logger])),
    )
    all.push(exit, String(exit), JSON.stringify(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
    return all.map((value) => inspect(value, { depth: 20, maxArrayLength: null, maxStringLength: null })).join("\n")
  })

const server = fileURLToPath(new URL("mcp-servers/server.js", import.meta.url))

const start = (own: ReadonlyArray<string> = [], options: Partial<Mcp.StdioOptions> = {}) =>
  Mcp.stdio({
    name: "server",
    command: process.execPath,
    args: [server, ...own, Redacted.make(`key=${argument}`)],
    env,
    ...options,
  })

describe("what a process was given", () => {
  const call = (tool: string, own: ReadonlyArray<string> = [], options: Partial<Mcp.StdioOptions> = {}) =>
    run(Effect.flatMap(start(own, options), (source) => seen(source.call(tool, { millis: 300 }))))

  const nowhere: Record<string, () => Promise<string>> = {
    "a server that prints it to its standard error, and works": () => call("echo"),
    "a server that ends, having printed it": () => call("crash"),
    "a server that ends at its start": () => call("echo", ["start=exit"]),
    "a server that says it when it refuses to start": () => call("echo", ["start=refuse"]),
    "a server that says it in an error": () => call("fail-with-environment"),
    "a server that does not answer": () => call("wait", [], { callTimeout: "100 millis" }),
    "a command that is not there": () => call("echo", [], { command: `/nowhere/${process.pid}` }),
    "a folder that is not there": () => call("echo", [], { cwd: `/nowhere/${process.pid}` }),
    "a value that no process can be given": () => call("echo", [], { env: { ...env, BROKEN: `${token}\0` } }),
    "too long an input": () => call("echo", [], { maxMessageBytes: 10 }),
  }
  for (const [name, all] of Object.entries(nowhere)) {
    test(`is nowhere to be seen: ${name}`, async () => {
      const text = await all()
      expect(text).toMatch(/Success|MCP server|The tool/)
      for (const secret of [token, marked, plain, argument]) expect(text).not.toContain(secret)
    })
  }

  test("is taken out of what the server says of itself", () =>
    run(Effect.gen(function*() {
      const source = yield* start(["tell=environment"])
      const listing = yield* source.list
      const { description, title } = listing.definitions.find(({ name }) => name === "telling")!
      for (const text of [listing.notes, description, title]) {
        expect(text).toContain("[redacted]")
        for (const secret of [token, marked, plain, argument]) expect(text).not.toContain(secret)
      }
    })))

  test("is taken out of results", () =>
    run(Effect.gen(function*() {
      const source = yield* start()
      const told = yield* source.call("tell-environment", {})
      for (const secret of [token, marked, plain, argument]) expect(told).not.toContain(secret)
      expect(told).toContain("\"GITHUB_TOKEN\":\"[redacted]\"")
      expect(told).toContain("\"SETTING\":\"[redacted]\"")
      expect(told).toContain("server.js [redacted]")
      const structured = yield* source.call("give", {
        result: { content: [], structuredContent: { [token]: [`a ${marked} b`, plain], kept: "plain" } },
      })
      expect(structured).toEqual({ "[redacted]": ["a [redacted] b", "[redacted]"], kept: "plain" })
      const failed = yield* Effect.flip(source.call("give", {
        result: { isError: true, content: [{ type: "text", text: `no access with ${token}` }] },
      }))
      expect(failed.message).toBe("no access with [redacted]")
    })))

  test("is taken out of the names and the media types of files", () =>
    run(Effect.gen(function*() {
      const source = yield* start()
      const file = (uri: string, mimeType: string) => ({ type: "resource", resource: { uri, mimeType, blob: "QUJD" } })
      const escaped = Array.from(token, (char) => `%${char.charCodeAt(0).toString(16)}`).join("")
      const { attached, exit } = yield* called(source, "give", {
        result: {
          content: [
            file(`file:///${token}.png`, "image/png"),
            file(`file:///${escaped}.png`, "image/png"),
            { type: "image", data: "QUJD", mimeType: `image/${marked}` },
          ],
        },
      })
      expect(exit).toEqual(
        Exit.succeed("[2 images and 1 file attached to the result: [redacted].png, [redacted].png]"),
      )
      expect(attached.map(({ fileName, mediaType }) => [fileName, mediaType])).toEqual([
        ["[redacted].png", "image/png"],
        ["[redacted].png", "image/png"],
        [undefined, "application/octet-stream"],
      ])
    })))

  test("is taken out of the names of tools, which can be called by what is left", () =>
    run(Effect.gen(function*() {
      const source = yield* start()
      yield* source.call("add-tool", { tool: { name: `search_${plain}`, inputSchema: { type: "object" } } })
      const names = (yield* source.list).definitions.map(({ name }) => name)
      expect(names).toContain("search_[redacted]")
      expect(names.join(" ")).not.toContain(plain)
      expect((yield* Effect.flip(source.call("search_[redacted]", {}))).message).toBe(
        "The tool \"search_[redacted]\" was refused with the error -32602: Unknown tool: search_[redacted]",
      )
    })))

  // The names say nothing, and the values are told whole and in part.
  const ordinary: Record<string, readonly [env: Record<string, string>, secrets: ReadonlyArray<string>]> = {
    "an account": [{ ACCOUNT: "canary-1f9c" }, ["canary-1f9c"]],
    "an address with a password": [
      { SERVICE_URL: "https://user:canary-pw@service.example.com/v1" },
      ["https://user:canary-pw@service.example.com/v1", "user:canary-pw", "canary-pw", btoa("user:canary-pw")],
    ],
    "an address with a password in escapes": [
      { SERVICE_URL: "postgres://postgres:c%40nary@db.example.com/data" },
      ["c%40nary", "c@nary", "postgres:c@nary"],
    ],
    "an address with a token for a user": [
      { REMOTE: "https://canary-user-77:x-oauth-basic@git.example.com/a.git" },
      ["canary-user-77"],
    ],
    "an address with a key in its query": [
      { SERVICE_URL: "https://service.example.com/v1?k=canary-query&size=20" },
      ["canary-query", "https://service.example.com/v1?k=canary-query&size=20"],
    ],
    "an address that is a key": [
      { HOOK: "https://hooks.example.com/services/T0/B0/XXXXCANARYXXXXXXXXXX1234" },
      ["XXXXCANARYXXXXXXXXXX1234"],
    ],
    "pairs": [{ STORE: "Server=db;Pwd=canary;User=sa" }, ["Server=db;Pwd=canary;User=sa", "canary"]],
    "JSON": [{ STORE: "{\"at\":\"db\",\"with\":{\"token\":\"canary\",\"who\":[\"canary-who\"]}}" }, [
      "canary",
      "canary-who",
    ]],
    "lines": [{ CERTIFICATE: "-----BEGIN CANARY-----\nMIIcanary\n-----END-----" }, [
      "-----BEGIN CANARY-----\nMIIcanary\n-----END-----",
    ]],
    "a long number": [{ ACCOUNT: "4012888888881881" }, ["4012888888881881"]],
    "a path that is none": [{ SALT: "/bPxRfiCYEXAMPLEKEY7bPxRfi1" }, ["/bPxRfiCYEXAMPLEKEY7bPxRfi1"]],
    "a word": [{ WORKSPACE: "swordfish" }, ["swordfish"]],
  }
  for (const [name, [env, secrets]] of Object.entries(ordinary)) {
    test(`is taken out without being marked: ${name}`, () =>
      run(Effect.gen(function*() {
        const source = yield* misbehaving(["tell=environment"], { env })
        const listing = JSON.stringify(yield* source.list)
        const told = String(yield* source.call("tell-environment", {}))
        const text = secrets.map((secret) => `<${secret}>`).join(" ")
        expect(yield* source.call("give", { result: { content: [{ type: "text", text }] } })).toBe(
          secrets.map(() => "<[redacted]>").join(" "),
        )
        const error = yield* Effect.flip(
          source.call("give", { result: { isError: true, content: [{ type: "text", text }] } }),
        )
        for (const secret of secrets) {
          for (const text of [listing, told, error.message]) expect(text).not.toContain(secret)
        }
      })))
  }

  const visible: Record<string, string> = {
    FOLDER: "/home/somebody/projects",
    FOLDERS: "/home/a/projects:/home/b/projects",
    DRIVE: "C:\\Users\\somebody\\Projects",
    NEAR: "./projects/one",
    SERVICE_URL: "https://service.example.com:8443/v1/items",
    STORE: "postgres://db.example.com/data",
    HOST: "service.example.com",
    LISTEN: "localhost:8080",
    ADDRESS: "192.168.100.17:5432",
    LIMIT: "10485760",
    WAIT: "30 seconds",
    LEVEL: "critical",
    MODE: "production",
    REGION: "eu-central-1",
    ZONE: "Europe/Berlin",
    LOCALE: "en_US.UTF-8",
    VERSION: "12.14.1-rc.1",
    DAY: "2026-12-01",
    TYPE: "application/json",
    SHORT: "canary",
    API_KEYS_ARE_USED: "true",
    TOKEN_MODE: "disabled",
    PWD: "/home/somebody",
    AUTHOR: "Jo Do",
  }
  test("is the tool's word, where it is ordinary", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving([], { env: visible })
      const told = String(yield* source.call("tell-environment", {}))
      for (const [name, value] of Object.entries(visible)) {
        expect(told).toContain(`${JSON.stringify(name)}:${JSON.stringify(value)}`)
      }
    })))

  test("is the tool's word, where it is said to be public, also in errors", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving([], { env: { ...env, WORKSPACE: "marketing-team" }, publicEnv: ["WORKSPACE"] })
      expect(yield* source.call("tell-environment", {})).toContain("\"WORKSPACE\":\"marketing-team\"")
      const { message } = yield* Effect.flip(source.call("fail-with-environment", {}))
      expect(message).toContain("marketing-team")
      expect(message).not.toContain(token)
    })))

  test("is taken out of what it was started with, where a name or an address says that it is secret", () =>
    run(Effect.gen(function*() {
      const own = [
        "--api-key=canary-one",
        "--password",
        "canary-two",
        "redis://:canary-three@db.example.com",
        "--port",
        "8080",
      ]
      const source = yield* misbehaving(own)
      const told = String(yield* source.call("tell-environment", {}))
      expect(told).toMatch(/--password \[redacted\] \[redacted\] --port 8080$/)
      expect(told).not.toContain("canary")
    })))

  test("is all that the process gets of the host's environment, beside what every process needs", () =>
    run(Effect.gen(function*() {
      process.env.MCP_CANARY_OF_THE_HOST = "canary-host"
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          delete process.env.MCP_CANARY_OF_THE_HOST
        })
      )
      const source = yield* misbehaving([], { env: { OWN: "own-value" }, publicEnv: ["OWN"] })
      const told = String(yield* source.call("tell-environment", {}))
      expect(told).not.toContain("canary-host")
      expect(told).toContain("\"OWN\":\"own-value\"")
      expect(told).toContain(`"PATH":${JSON.stringify(process.env.PATH)}`)
    })))
})

describe("what a server over HTTP was given", () => {
  /** Tells whoever asks what it was sent. */
  const telling = (status: number, method: string) =>
    Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
        const server = createServer((request, response) => {
          let body = ""
          request.on("data", (chunk) => body += String(chunk)).on("end", () => {
            if (body === "") return response.writeHead(405).end()
            const message = JSON.parse(body) as { readonly id?: number; readonly method: string }
            const sent = `${JSON.stringify(request.headers)} ${request.url}`
            const send = (status: number, answer: object) =>
              response.writeHead(status, { "content-type": "application/json", "x-sent": bearer }).end(
                JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }),
              )
            if (message.id === undefined) return response.writeHead(202).end()
            if (message.method === method) return send(status, { error: { code: -32000, message: sent } })
            if (message.method === "initialize") {
              return send(200, {
                result: {
                  protocolVersion: "2025-11-25",
                  capabilities: { tools: {} },
                  serverInfo: { name: "telling", version: "1" },
                },
              })
            }
            return message.method === "tools/list"
              ? send(200, { result: { tools: [{ name: "go", description: sent, inputSchema: { type: "object" } }] } })
              : send(200, { result: { content: [{ type: "text", text: sent }] } })
          })
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          resume(Effect.succeed({
            url: `http://127.0.0.1:${port}/mcp?token=${query}`,
            close: () => {
              server.close()
              server.closeAllConnections()
            },
          }))
        })
      }),
      ({ close }) => Effect.sync(close),
    )

  const headers = { "authorization": `Bearer ${bearer}`, "x-region": Redacted.make(header) }
  const everything = (url: string) =>
    Effect.flatMap(
      Mcp.http({ name: "telling", url, headers }),
      (source) => seen(Effect.andThen(source.list, source.call("go", {}))),
    )

  const cases: Record<string, Effect.Effect<string, never, Services>> = {
    "a server that works, and tells it": Effect.flatMap(telling(200, "none"), ({ url }) => everything(url)),
    "a server that tells it when it refuses to start": Effect.flatMap(
      telling(403, "initialize"),
      ({ url }) => everything(url),
    ),
    "a server that tells it when it refuses to list": Effect.flatMap(
      telling(200, "tools/list"),
      ({ url }) => everything(url),
    ),
    "a server that tells it when it refuses a call": Effect.flatMap(
      telling(500, "tools/call"),
      ({ url }) => everything(url),
    ),
    "a server that is not there": Effect.flatMap(Effect.scoped(telling(200, "none")), ({ url }) => everything(url)),
  }
  for (const [name, effect] of Object.entries(cases)) {
    test(`is nowhere to be seen: ${name}`, () =>
      run(Effect.gen(function*() {
        const text = yield* effect
        expect(text).toMatch(/Success|MCP server|The tool/)
        for (const secret of [bearer, header, query]) expect(text).not.toContain(secret)
      })))
  }
})
