import { OpenApi, ToolSource } from "@effect-codemode/toolkit"
import { Effect, Exit, type Schema } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Server {
  readonly url: string
  readonly close: () => Promise<void>
}

/** A server on the loopback interface, with the bodies of requests read. */
export const serve = async (
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<Server> => {
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => handle(request, response, Buffer.concat(chunks).toString("utf8")))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(value))
}

/** What a server that echoes says it got. */
export interface Got {
  readonly method: string
  /** The path and the query, as they came. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const echo = (): Promise<Server> =>
  serve((request, response, body) =>
    json(response, { method: request.method, url: request.url, headers: request.headers, body })
  )

/** A document with nothing but what is given. */
export const document = (
  paths: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> => ({ openapi: "3.1.0", info: { title: "Test API", version: "1" }, paths, ...more })

export const make = (
  options: OpenApi.Options,
): Promise<OpenApi.OpenApiSource> => provided(OpenApi.source(options))

export const provided = <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient>): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, FetchHttpClient.layer))

/** Why a document is refused. */
export const refusal = async (options: OpenApi.Options): Promise<OpenApi.DocumentError> =>
  provided(Effect.flip(OpenApi.source(options)))

export const definitions = async (
  source: OpenApi.OpenApiSource,
): Promise<Readonly<Record<string, ToolSource.Definition>>> => {
  const listing = await Effect.runPromise(source.list)
  return Object.fromEntries(listing.definitions.map((definition) => [definition.name, definition]))
}

export const call = (source: OpenApi.OpenApiSource, tool: string, input: unknown = {}): Promise<Schema.Json> =>
  Effect.runPromise(source.call(tool, input as Schema.JsonObject))

export const echoed = async (source: OpenApi.OpenApiSource, tool: string, input: unknown = {}): Promise<Got> =>
  (await call(source, tool, input)) as unknown as Got

export const failing = (
  source: OpenApi.OpenApiSource,
  tool: string,
  input: unknown = {},
): Promise<ToolSource.Failure> => Effect.runPromise(Effect.flip(source.call(tool, input as Schema.JsonObject)))

/** What a call gives, and what it attaches. */
export const collecting = async (source: OpenApi.OpenApiSource, tool: string, input: unknown = {}) => {
  const attached: Array<ToolSource.Attachment> = []
  const exit = await Effect.runPromiseExit(
    Effect.provideService(source.call(tool, input as Schema.JsonObject), ToolSource.Attachments, {
      add: (attachment) => Effect.sync(() => void attached.push(attachment)),
    }),
  )
  return { attached, result: Exit.isSuccess(exit) ? exit.value : exit.cause }
}
