/**
 * Opens one connection to a server with the client of `effect/ai`, and hears what the client keeps to itself: that the server is
 * gone, that its tools changed, which revision of the protocol it speaks.
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
import * as Option from "effect/Option"
import type * as ChildProcess from "effect/process/ChildProcess"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import type * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import * as Lines from "./mcp-lines.ts"
import { count, hold } from "./mcp-result.ts"
import { TextEncoder } from "./web.ts"

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

/** A connection that somebody else has opened, of which nothing more is heard. */
export const plain = (client: McpClient.McpClient): Link => ({
  client,
  changes: () => undefined,
  lost: Effect.never,
  ended: () => undefined,
  noise: () => 0,
})

/** The revisions of the protocol that the client can be made to speak. */
export type Protocol = McpProtocol.ProtocolAdapter<McpClient.ProtocolVersion>

/** How a connection is opened. */
export interface Opening {
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
            heard(spawner, traffic, opening.maxMessageBytes),
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
          Effect.provideService(HttpClient.HttpClient, requesting(context)),
        )
      ),
  )

/** Opens a connection in a scope. */
export type Opener<R> = Effect.Effect<Link, McpClientError.McpClientError, R | Scope.Scope>

// The client sends each request in the fiber of the call, where what the host has set for its requests, such as another `fetch`, may
// not be there. And an address and a request that end up in a span or in its error would tell what the server was given.
const requesting = (host: Context.Context<HttpClient.HttpClient>): HttpClient.HttpClient =>
  HttpClient.transform(Context.get(host, HttpClient.HttpClient), (response) =>
    response.pipe(
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
      Effect.updateContext((call: Context.Context<never>) => Context.merge(host, call)),
    ))

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
  traffic: Traffic,
) => Effect.Effect<McpClient.Transport, McpClientError.McpClientError, R | Scope.Scope>

// The client takes no revision but the one that it asks for, so it is asked again with the one that the server has named. Which one
// that was is remembered for the next connection.
const negotiated = <R>(opening: Opening, connect: Connect<R>): Opener<R> => {
  let preferred = opening.protocol ?? McpProtocol.v2025_11_25
  const attempt = Effect.fnUntraced(function*(protocol: Protocol, traffic: Traffic) {
    const transport = yield* connect(protocol, traffic)
    // The time for the whole of it is bounded where both are put together.
    const client = yield* McpClient.make({ ...identity, timeout: "1 day" }).pipe(
      Effect.provideService(McpClient.Transport, watched(transport, traffic)),
    )
    preferred = protocol
    return toLink(client, traffic)
  })
  const open = Effect.fnUntraced(function*(heard: { traffic: Traffic }) {
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
    const again = attempt(other, heard.traffic = makeTraffic())
    // Where the other revision was a guess, what the server said to the first one is the better word.
    return yield* version === undefined ? Effect.mapError(again, () => error) : again
  })
  return Effect.suspend(() => {
    const heard = { traffic: makeTraffic() }
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

// ---------------------------------------------------------------------------------------------------------------------
// What passes
// ---------------------------------------------------------------------------------------------------------------------

interface Request {
  readonly refused: Deferred.Deferred<never, McpClientError.McpClientError>
  response: McpSchema.JsonRpcResponse | undefined
}

/** What is heard of a server beside what the client tells. */
interface Traffic {
  readonly pending: Map<McpSchema.RequestId, Request>
  readonly ended: Deferred.Deferred<string>
  end: string | undefined
  /** The revision that the server has named. */
  version: string | undefined
  /** The server has said that it tells when its tools change. */
  announces: boolean
  /** What the server writes beside its answers is heard. */
  hears: boolean
  changes: number
  noise: number
  /** How often the server has asked something since it last answered. */
  asked: number
}

const makeTraffic = (): Traffic => ({
  pending: new Map(),
  ended: Deferred.makeUnsafe(),
  end: undefined,
  version: undefined,
  announces: false,
  hears: false,
  changes: 0,
  noise: 0,
  asked: 0,
})

const toLink = (client: McpClient.McpClient, traffic: Traffic): Link => ({
  client,
  changes: () => traffic.announces && traffic.hears ? traffic.changes : undefined,
  lost: Deferred.await(traffic.ended),
  ended: () => traffic.end,
  noise: () => traffic.noise,
})

// A server that ends while it is asked who it is: how it ended says more than that it did.
const withEnd = (error: McpClientError.McpClientError, traffic: Traffic): McpClientError.McpClientError => {
  const { reason } = error
  if (reason._tag === "TransportError" && traffic.end !== undefined) {
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

/** Tells the traffic what answers say, and puts the answers in that the client has not seen. */
const watched = (transport: McpClient.Transport, traffic: Traffic): McpClient.Transport => ({
  ...transport,
  request: (message, tool) =>
    Effect.suspend(() => {
      const pending: Request = { refused: Deferred.makeUnsafe(), response: undefined }
      traffic.pending.set(message.id, pending)
      return transport.request(message, tool).pipe(
        Effect.raceFirst(Deferred.await(pending.refused)),
        Effect.ensuring(Effect.sync(() => traffic.pending.delete(message.id))),
        Effect.flatMap((stub): Effect.Effect<McpSchema.JsonRpcResponse> => {
          const response = pending.response ?? stub
          if (response.error !== undefined) return Effect.succeed(response)
          const { id, jsonrpc } = response
          const result = noted(message.method, response.result, transport.protocol, traffic)
          return Effect.map(result, (result) => ({ id, jsonrpc, result }))
        }),
      )
    }),
})

const noted = (
  method: string,
  result: unknown,
  protocol: Protocol,
  traffic: Traffic,
): Effect.Effect<unknown> => {
  if (method === "initialize" && isRecord(result)) {
    if (typeof result.protocolVersion === "string") traffic.version = result.protocolVersion
    const tools = isRecord(result.capabilities) ? result.capabilities.tools : undefined
    traffic.announces = isRecord(tools) && tools.listChanged === true
  }
  if (method === "tools/call") return Effect.succeed(hold(result))
  return method === "tools/list" ? wellFormed(result, protocol) : Effect.succeed(result)
}

// The client refuses a whole list for one tool that is not well-formed. Here that tool is left out, and the host told.
const wellFormed = (result: unknown, protocol: Protocol): Effect.Effect<unknown> => {
  const list = protocol.clientRpcs.requests.get("tools/list") as Rpc.AnyWithProps | undefined
  if (list === undefined || !isRecord(result) || !Array.isArray(result.tools)) return Effect.succeed(result)
  const decode = Schema.decodeUnknownOption(list.successSchema as unknown as Schema.ConstraintCodec<unknown, unknown>)
  if (Option.isSome(decode(result))) return Effect.succeed(result)
  const tools = result.tools.filter((tool) => Option.isSome(decode({ ...result, tools: [tool] })))
  const left = result.tools.length - tools.length
  return Effect.as(
    Effect.logWarning(`A server lists tools that are not well-formed: ${left} of ${result.tools.length} are left out`),
    { ...result, tools },
  )
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

// ---------------------------------------------------------------------------------------------------------------------
// Processes
// ---------------------------------------------------------------------------------------------------------------------

const encoder = new TextEncoder()

/** A spawner whose processes are heard: what they write, and how they end. */
const heard = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  traffic: Traffic,
  maxBytes: number,
): ChildProcessSpawner.ChildProcessSpawner["Service"] =>
  ChildProcessSpawner.make((command) =>
    Effect.flatMap(spawner.spawn(command), (handle) => {
      traffic.hears = true
      const ended = (how: string) => {
        traffic.end ??= how
        return Deferred.succeed(traffic.ended, traffic.end)
      }
      const end = handle.exitCode.pipe(
        Effect.match({ onSuccess: (code) => `it ended with exit code ${code}`, onFailure: signalled }),
        Effect.flatMap(ended),
      )
      const read = Lines.make(toTraffic(traffic, maxBytes), maxBytes)
      const stdout = handle.stdout.pipe(
        Stream.map((piece) => encoder.encode(read(piece))),
        Stream.filter((piece) => piece.length > 0),
        // The client takes the end of the output for the end of the server. How the server ended is known a moment later.
        Stream.concat(Stream.drain(Stream.fromEffect(Effect.andThen(
          Effect.timeoutOption(Deferred.await(traffic.ended), "1 second"),
          Effect.suspend(() => ended("it closed its output")),
        )))),
      )
      const stdin = Sink.ensuring(handle.stdin, Effect.forkDetach(endSoon(handle)))
      return Effect.as(Effect.forkScoped(end), ChildProcessSpawner.makeHandle({ ...handle, stdin, stdout }))
    })
  )

// Not every server ends with its input. The client gives them five seconds for it, which is long for a host that wants to end.
const endSoon = (handle: ChildProcessSpawner.ChildProcessHandle): Effect.Effect<void> =>
  Effect.raceFirst(
    Effect.ignore(handle.exitCode),
    Effect.delay(Effect.ignore(handle.kill({ killSignal: "SIGTERM", forceKillAfter: "2 seconds" })), "1 second"),
  )

// The error tells the command line beside the signal, so nothing else of it is kept.
const signalled = (error: { readonly message: string; readonly cause?: unknown }): string => {
  const told = error.cause instanceof Error ? error.cause.message : error.message
  const signal = /'(SIG[A-Z0-9]+)'/.exec(told)?.[1]
  return signal === undefined ? "it ended" : `it was ended by the signal ${signal}`
}

// The client keeps its replies until the server reads them. One that asks on and on without answering is not heard on and on.
const mostAsked = 1_000

const toTraffic = (traffic: Traffic, maxBytes: number): Lines.Listener => {
  const refuse = (id: McpSchema.RequestId, reason: McpClientError.McpClientErrorReason): boolean => {
    const request = traffic.pending.get(id)
    if (request === undefined) return false
    Deferred.doneUnsafe(request.refused, Exit.fail(new McpClientError.McpClientError({ reason })))
    return true
  }
  // What answers nothing that can be told is an answer to the one who waits, if there is one alone.
  const onlyPending = (): McpSchema.RequestId | undefined => {
    const [id, ...others] = traffic.pending.keys()
    return others.length === 0 ? id : undefined
  }
  return {
    response: (message, id) => {
      const request = traffic.pending.get(id)
      traffic.asked = 0
      if (request !== undefined) request.response = message
      return request !== undefined
    },
    malformed: (id) =>
      refuse(id, new McpClientError.ProtocolError({ description: "The response has neither a result nor an error" })),
    tooLong: (bytes, told) => {
      const id = told ?? onlyPending()
      const description = `it has ${count(bytes)} bytes; at most ${count(maxBytes)} are taken`
      if (id === undefined || !refuse(id, new McpClientError.LimitError({ description }))) traffic.noise++
    },
    uncorrelated: ({ code, message }) => {
      const id = onlyPending()
      const reason = new McpClientError.ProtocolError({ code, description: message })
      if (id === undefined || !refuse(id, reason)) traffic.noise++
    },
    told: (method, asks) => {
      if (method === "notifications/tools/list_changed") traffic.changes++
      return !asks || ++traffic.asked <= mostAsked
    },
    noise: () => {
      traffic.noise++
    },
  }
}
