/**
 * Opens one connection to a server with the client of `effect/ai`, in the revision of the protocol that the server speaks.
 */
import * as McpClient from "effect/ai/McpClient"
import * as McpClientError from "effect/ai/McpClientError"
import * as McpProtocol from "effect/ai/McpProtocol"
import type * as McpSchema from "effect/ai/McpSchema"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpClient from "effect/http/HttpClient"
import type * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import type * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import type { Options } from "./json-reader.ts"
import { jsonSize } from "./json-size.ts"
import * as Bodies from "./mcp-bodies.ts"
import * as Redirects from "./mcp-redirects.ts"
import { tooManyBlocks } from "./mcp-result.ts"
import * as Traffic from "./mcp-traffic.ts"

/** An open connection. */
export interface Link {
  readonly client: McpClient.McpClient
  /** How often the server has told that its tools changed. `undefined` where it does not tell, or cannot be heard. */
  readonly changes: () => number | undefined
  /** Ends when the server does, with how; goes on for ever where that is not heard. */
  readonly lost: Effect.Effect<string>
  /** How the server ended, if it did. */
  readonly ended: () => string | undefined
  /** How many lines of its output answered nothing. */
  readonly noise: () => number
}

/**
 * A connection that somebody else has opened, of which nothing more is heard. What a message may take is up to whoever opened it; a list
 * of tools and a result are held to what they may be for everyone, before anything is made of them.
 */
export const plain = (client: McpClient.McpClient, maxCharacters: number): Link => ({
  client: {
    ...client,
    listTools: (options) =>
      Effect.filterOrFail(
        client.listTools(options),
        (tools) => jsonSize(tools as unknown as Schema.Json, maxCharacters) <= maxCharacters,
        () => limited(Traffic.tooManyCharacters(maxCharacters)),
      ),
    callTool:
      ((call: { readonly tool: McpSchema.Tool }, options?: { readonly timeout?: Duration.Input | undefined }) =>
        Effect.flatMap(client.callTool(call, options), (result) => {
          const description = tooManyBlocks(result)
          return description === undefined ? Effect.succeed(result) : Effect.fail(limited(description))
        })) as McpClient.McpClient["callTool"],
  },
  changes: () => undefined,
  lost: Effect.never,
  ended: () => undefined,
  noise: () => 0,
})

const limited = (description: string): McpClientError.McpClientError =>
  new McpClientError.McpClientError({ reason: new McpClientError.LimitError({ description }) })

/** The revisions of the protocol that the client can be made to speak. */
export type Protocol = McpProtocol.ProtocolAdapter<McpClient.ProtocolVersion>

/** How a connection is opened. */
export interface Opening {
  /** The name of the source. */
  readonly name: string
  readonly protocol: Protocol | undefined
  readonly maxMessageBytes: number
  readonly connectTimeout: Duration.Duration
}

/** Opens connections over the standard input and output of a process. */
export const stdio = (
  command: ChildProcess.Command,
  opening: Opening,
): Opener<ChildProcessSpawner.ChildProcessSpawner> =>
  negotiated(
    opening,
    (protocol, traffic) =>
      Effect.flatMap(ChildProcessSpawner.ChildProcessSpawner, (spawner) =>
        McpClient.stdio({ command, protocol, maxMessageBytes: opening.maxMessageBytes }).pipe(
          Effect.provideService(
            ChildProcessSpawner.ChildProcessSpawner,
            Traffic.heard(spawner, traffic, opening.maxMessageBytes, json(opening)),
          ),
        )),
  )

/** Opens connections over streamable HTTP. What the server tells beside its answers, the client does not ask for. */
export const http = (
  url: string,
  headers: Readonly<Record<string, string>>,
  opening: Opening,
): Opener<HttpClient.HttpClient> =>
  negotiated(
    opening,
    (protocol) =>
      Effect.contextWith((context: Context.Context<HttpClient.HttpClient>) =>
        McpClient.http({ url, headers, protocol, maxMessageBytes: opening.maxMessageBytes }).pipe(
          Effect.provideService(HttpClient.HttpClient, requesting(context, opening)),
        )
      ),
  )

/** Opens a connection in a scope. */
export type Opener<R> = Effect.Effect<Link, McpClientError.McpClientError, R | Scope.Scope>

// The client sends each request in the fiber of the call, where what the host has set for its requests, such as another `fetch`, may
// not be there. And an address and a request that end up in a span or in its error would tell what the server was given.
const requesting = (host: Context.Context<HttpClient.HttpClient>, opening: Opening): HttpClient.HttpClient =>
  HttpClient.transform(Redirects.within(Context.get(host, HttpClient.HttpClient)), (response) =>
    response.pipe(
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.updateContext((call: Context.Context<never>) => Context.merge(host, call)),
      Effect.flatMap((response) =>
        Effect.map(Traffic.Sent, (sent) =>
          sent === undefined ? response : Bodies.heard(response, sent, opening.maxMessageBytes, json(opening)))
      ),
    ))

// The media of a message are kept as bytes. The rest of it may take up some memory more than its text.
const json = ({ maxMessageBytes }: Opening): Options => ({ base64: mediaMembers, mostMemory: 4 * maxMessageBytes })

const mediaMembers = new Set(["data", "blob"])

// ---------------------------------------------------------------------------------------------------------------------
// Revisions of the protocol
// ---------------------------------------------------------------------------------------------------------------------

// The client types two revisions and speaks whatever revision with sessions it is given: the adapter alone makes the difference.
const older = [McpProtocol.v2025_06_18, McpProtocol.v2025_03_26, McpProtocol.v2024_11_05] as const
const adapters: ReadonlyMap<string, Protocol> = new Map(
  [McpProtocol.v2025_11_25, ...older, McpProtocol.v2026_07_28].map((
    adapter,
  ) => [adapter.protocolVersion, adapter as unknown as Protocol]),
)

type Connect<R> = (
  protocol: Protocol,
  traffic: Traffic.Traffic,
) => Effect.Effect<McpClient.Transport, McpClientError.McpClientError, R | Scope.Scope>

// The client takes no revision but the one that it asks for, so it is asked again with the one that the server has named. Which one
// that was is remembered for the next connection.
const negotiated = <R>(opening: Opening, connect: Connect<R>): Opener<R> => {
  let preferred = opening.protocol ?? McpProtocol.v2025_11_25
  const attempt = Effect.fnUntraced(function*(protocol: Protocol, traffic: Traffic.Traffic) {
    const transport = yield* connect(protocol, traffic)
    // The time for the whole of it is bounded where both are put together.
    const client = yield* McpClient.make({ ...identity, timeout: "1 day" }).pipe(
      Effect.provideService(McpClient.Transport, Traffic.watched(transport, traffic, opening.maxMessageBytes)),
    )
    preferred = protocol
    return toLink(client, traffic)
  })
  const open = Effect.fnUntraced(function*(heard: { traffic: Traffic.Traffic }) {
    const first = preferred
    const scope = yield* Scope.fork(yield* Effect.scope)
    const exit = yield* Effect.exit(Scope.provide(attempt(first, heard.traffic), scope))
    if (Exit.isSuccess(exit)) return exit.value
    const error = exit.cause.reasons.find(Cause.isFailReason)?.error
    if (error === undefined || opening.protocol !== undefined) return yield* exit
    const { version } = heard.traffic
    const other = version === undefined ? guess(first, error) : adapters.get(version)
    if (other === undefined || other === first) return yield* exit
    yield* Scope.close(scope, exit)
    const again = attempt(other, heard.traffic = Traffic.make(opening.name))
    // Where the other revision was a guess, what the server said to the first one is the better word.
    return yield* version === undefined ? Effect.mapError(again, () => error) : again
  })
  return Effect.suspend(() => {
    const heard = { traffic: Traffic.make(opening.name) }
    return Effect.mapError(inTime(open(heard), opening.connectTimeout), (error) => withEnd(error, heard.traffic))
  })
}

/** Ends an opening after its time. */
export const inTime = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Duration,
): Effect.Effect<A, E | McpClientError.McpClientError, R> =>
  Effect.timeoutOrElse(effect, {
    duration,
    orElse: () => {
      const reason = new McpClientError.TimeoutError({ operation: "initialization" })
      return Effect.fail(new McpClientError.McpClientError({ reason }))
    },
  })

/** Who the client says it is. */
export const identity = { name: "effect-codemode", version: "0.1.0" }

// Servers of the revision without sessions know no initialization, and the others know no discovery: they say that there is no such
// method, that it is not to be used so, or that they do not speak so.
const unknownMethod: ReadonlySet<number | undefined> = new Set([-32600, -32601, -32602, -32022])
const unknownRequest: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 422])

const guess = (first: Protocol, { reason }: McpClientError.McpClientError): Protocol | undefined => {
  const isUnknown = reason._tag === "ProtocolError" && unknownMethod.has(reason.code) ||
    reason._tag === "HttpError" && unknownRequest.has(reason.status)
  if (!isUnknown) return undefined
  return first === McpProtocol.v2026_07_28 ? McpProtocol.v2025_11_25 : McpProtocol.v2026_07_28
}

const toLink = (client: McpClient.McpClient, traffic: Traffic.Traffic): Link => ({
  client: {
    ...client,
    listTools: (options) =>
      Effect.suspend(() => Effect.provideService(client.listTools(options), Traffic.Listed, { tools: 0, size: 0 })),
  },
  changes: () => traffic.announces && traffic.hears ? traffic.changes : undefined,
  lost: Deferred.await(traffic.ended),
  ended: () => traffic.end,
  noise: () => traffic.noise,
})

// A server that ends while it is asked who it is: how it ended says more than that it did, or that it did not answer.
const withEnd = (error: McpClientError.McpClientError, traffic: Traffic.Traffic): McpClientError.McpClientError => {
  const { reason } = error
  if ((reason._tag === "TransportError" || reason._tag === "TimeoutError") && traffic.end !== undefined) {
    return new McpClientError.McpClientError({
      reason: new McpClientError.TransportError({ description: `${endPrefix}${traffic.end}` }),
    })
  }
  return reason._tag === "TimeoutError" && traffic.noise > 0
    ? new McpClientError.McpClientError({ reason: new McpClientError.ProtocolError({ description: silentButNoisy }) })
    : error
}

/** What the description of an error begins with that tells how a server ended. */
export const endPrefix = "ended: "

/** The description of the error of a server that wrote a lot and said nothing. */
export const silentButNoisy = "nothing but noise"
