/**
 * Hears what passes between the client and a server, and what the client keeps to itself: that the server is gone, that its tools
 * changed, which revision of the protocol it names. And stands between both where one bad message would end the whole connection.
 */
import type * as McpClient from "effect/ai/McpClient"
import * as McpClientError from "effect/ai/McpClientError"
import type * as McpSchema from "effect/ai/McpSchema"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import type * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import { count } from "./count.ts"
import type { Options } from "./json-reader.ts"
import { isRecord } from "./json-schema.ts"
import { jsonSize } from "./json-size.ts"
import type { Waiting } from "./mcp-bodies.ts"
import * as Lines from "./mcp-lines.ts"
import { hold, restore, tooManyBlocks } from "./mcp-result.ts"
import { inTurn } from "./reading.ts"
import { TextEncoder } from "./web.ts"

interface Request extends Waiting {
  response: McpSchema.JsonRpcResponse | undefined
}

/** The request that the fiber sends. */
export const Sent = Context.Reference<Waiting | undefined>("@effect-codemode/toolkit/mcp-traffic/Sent", {
  defaultValue: () => undefined,
})

/** How many tools the pages of their list have that the fiber reads, and how many characters of JSON. */
export const Listed = Context.Reference<{ tools: number; size: number } | undefined>(
  "@effect-codemode/toolkit/mcp-traffic/Listed",
  {
    defaultValue: () => undefined,
  },
)

/** What is heard of a server beside what the client tells. */
export interface Traffic {
  /** The name of the source. */
  readonly name: string
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

export const make = (name: string): Traffic => ({
  name,
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

/** Tells the traffic what answers say, and puts the answers in that the client has not seen. */
export const watched = (transport: McpClient.Transport, traffic: Traffic, maxBytes: number): McpClient.Transport => ({
  ...transport,
  request: (message, tool) =>
    inTurn((read) => {
      const refused = Deferred.makeUnsafe<never, McpClientError.McpClientError>()
      const pending: Request = {
        id: message.id,
        response: undefined,
        answer: (response) => {
          pending.response = response
        },
        refuse: (reason) => {
          Deferred.doneUnsafe(refused, Exit.fail(new McpClientError.McpClientError({ reason })))
        },
        read,
      }
      traffic.pending.set(message.id, pending)
      return transport.request(message, tool).pipe(
        Effect.provideService(Sent, pending),
        Effect.raceFirst(Deferred.await(refused)),
        Effect.ensuring(Effect.sync(() => traffic.pending.delete(message.id))),
        Effect.flatMap((stub): Effect.Effect<McpSchema.JsonRpcResponse, McpClientError.McpClientError> => {
          const response = pending.response ?? stub
          if (response.error !== undefined) return Effect.succeed(response)
          const { id, jsonrpc } = response
          const result = noted(message.method, response.result, transport.protocol, traffic, maxBytes)
          return Effect.map(result, (result) => ({ id, jsonrpc, result }))
        }),
      )
    }),
})

const noted = (
  method: string,
  result: unknown,
  protocol: McpClient.Transport["protocol"],
  traffic: Traffic,
  maxBytes: number,
): Effect.Effect<unknown, McpClientError.McpClientError> => {
  if (method === "initialize" && isRecord(result)) {
    if (typeof result.protocolVersion === "string") traffic.version = result.protocolVersion
    const tools = isRecord(result.capabilities) ? result.capabilities.tools : undefined
    traffic.announces = isRecord(tools) && tools.listChanged === true
  }
  if (method === "tools/call") {
    const description = tooManyBlocks(result)
    return description === undefined
      ? Effect.succeed(hold(result))
      : Effect.fail(new McpClientError.McpClientError({ reason: new McpClientError.LimitError({ description }) }))
  }
  restore(result)
  return method === "tools/list"
    ? Effect.andThen(within(result, maxBytes), wellFormed(result, protocol, traffic.name))
    : Effect.succeed(result)
}

// A list may come in a hundred pages, each as long as a message may be. All of it is held to what one may have.
const within = (page: unknown, maxBytes: number): Effect.Effect<void, McpClientError.McpClientError> =>
  Effect.flatMap(Listed, (listed) => {
    if (listed === undefined) return Effect.void
    listed.size += jsonSize(page as Schema.Json, maxBytes)
    if (isRecord(page) && Array.isArray(page.tools)) listed.tools += page.tools.length
    const description = listed.size > maxBytes
      ? tooManyCharacters(maxBytes)
      : listed.tools > mostTools
      ? `${tooManyTools}${count(mostTools)} of them`
      : undefined
    if (description === undefined) return Effect.void
    const reason = new McpClientError.LimitError({ description })
    return Effect.fail(new McpClientError.McpClientError({ reason }))
  })

// What the client takes, too, but only after it has decoded all of them.
const mostTools = 10_000

/** What the description of an error begins with that tells that a list of tools is too long. */
export const tooManyTools = "the list of tools: at most "

/** The description of the error of a list that is too long. */
export const tooManyCharacters = (most: number): string => `${tooManyTools}${count(most)} characters`

// The client refuses a whole list for one tool that is not well-formed. Here that tool is left out, and the host told.
const wellFormed = (
  result: unknown,
  protocol: McpClient.Transport["protocol"],
  name: string,
): Effect.Effect<unknown> => {
  const list = protocol.clientRpcs.requests.get("tools/list") as Rpc.AnyWithProps | undefined
  if (list === undefined || !isRecord(result) || !Array.isArray(result.tools)) return Effect.succeed(result)
  const decode = Schema.decodeUnknownOption(list.successSchema as unknown as Schema.ConstraintCodec<unknown, unknown>)
  if (Option.isSome(decode(result))) return Effect.succeed(result)
  const tools = result.tools.filter((tool) => Option.isSome(decode({ ...result, tools: [tool] })))
  const left = result.tools.length - tools.length
  return Effect.as(
    Effect.logWarning(
      `The MCP server "${name}" lists tools that are not well-formed: ${left} of ${result.tools.length} are left out`,
    ),
    { ...result, tools },
  )
}

// ---------------------------------------------------------------------------------------------------------------------
// Processes
// ---------------------------------------------------------------------------------------------------------------------

const encoder = new TextEncoder()

/** A spawner whose processes are heard: what they write, and how they end. */
export const heard = (
  spawner: ChildProcessSpawner.ChildProcessSpawner["Service"],
  traffic: Traffic,
  maxBytes: number,
  json: Options,
): ChildProcessSpawner.ChildProcessSpawner["Service"] =>
  ChildProcessSpawner.make((command) =>
    Effect.gen(function*() {
      const handle = yield* spawner.spawn(command)
      traffic.hears = true
      const ending = yield* settling(handle, traffic)
      const read = Lines.make(toTraffic(traffic), maxBytes, json)
      // An output that outlives its process, or its input, is not read for ever.
      const output = Stream.transformPull(
        handle.stdout,
        (pull) => Effect.succeed(Effect.raceFirst(pull, Effect.flatMap(ending.settled, () => Cause.done()))),
      )
      const stdout = output.pipe(
        Stream.map((piece) => encoder.encode(read(piece))),
        Stream.filter((piece) => piece.length > 0),
        // The client takes the end of the output for the end of the server. By now it has taken in all that came before.
        Stream.concat(Stream.drain(Stream.fromEffect(ending.outputEnds("it closed its output")))),
        Stream.catch((error) =>
          Stream.fromEffect(Effect.andThen(ending.outputEnds("its output could not be read"), Effect.fail(error)))
        ),
      )
      const stdin = handle.stdin.pipe(
        // The client ends the connection at the first write that fails, where answers may wait to be read.
        Sink.catch((error) => Effect.andThen(ending.inputFails, Effect.fail(error))),
        Sink.ensuring(Effect.forkDetach(endSoon(handle))),
      )
      return ChildProcessSpawner.makeHandle({ ...handle, stdin, stdout })
    })
  )

/** What is waited for before a connection counts as ended. */
interface Ending {
  /** Ends when nothing more is to be read and why is known as well as it will be. */
  readonly settled: Effect.Effect<void>
  /** Tells that all output has been read, and waits until it is settled. */
  readonly outputEnds: (how: string) => Effect.Effect<void>
  /** Tells that nothing more can be written, and waits until it is settled. */
  readonly inputFails: Effect.Effect<void>
}

// That a process has exited, that its output has ended and that a write has failed become known in any order. The exit says best why,
// and what is still in the output counts, so the first of them waits for both. Not for long: a process may go on without its output
// or its input, and what it has started may keep its output open.
const settling = (
  handle: ChildProcessSpawner.ChildProcessHandle,
  traffic: Traffic,
): Effect.Effect<Ending, never, Scope.Scope> =>
  Effect.gen(function*() {
    const first = Deferred.makeUnsafe<string>()
    const output = Deferred.makeUnsafe<void>()
    const settled = Deferred.makeUnsafe<void>()
    const ended = (how: string) =>
      Effect.suspend(() => {
        traffic.end ??= how
        return Deferred.succeed(traffic.ended, traffic.end)
      })
    // No new call is for a process that has exited, so that is told at once.
    yield* handle.exitCode.pipe(
      Effect.match({ onSuccess: (code) => `it ended with exit code ${code}`, onFailure: signalled }),
      Effect.tap(ended),
      Effect.flatMap((how) => Deferred.succeed(first, how)),
      Effect.forkScoped,
    )
    yield* Effect.gen(function*() {
      const how = yield* Deferred.await(first)
      yield* Effect.timeoutOption(Effect.andThen(Deferred.await(traffic.ended), Deferred.await(output)), "1 second")
      yield* ended(how)
      yield* Deferred.succeed(settled, undefined)
    }).pipe(Effect.forkScoped)
    return {
      settled: Deferred.await(settled),
      outputEnds: (how) =>
        Deferred.succeed(first, how).pipe(
          Effect.andThen(Deferred.succeed(output, undefined)),
          Effect.andThen(Deferred.await(settled)),
        ),
      inputFails: Effect.andThen(Deferred.succeed(first, "it closed its input"), Deferred.await(settled)),
    }
  })

// Not every server ends with its input, nor does all that it has started. The client gives them five seconds and five more, which is
// long for a host that wants to end.
const endSoon = (handle: ChildProcessSpawner.ChildProcessHandle): Effect.Effect<void> =>
  Effect.andThen(
    Effect.timeoutOption(Effect.ignore(handle.exitCode), "1 second"),
    Effect.ignore(handle.kill({ killSignal: "SIGTERM", forceKillAfter: "2 seconds" })),
  )

// The error tells the command line beside the signal, so nothing else of it is kept.
const signalled = (error: { readonly message: string; readonly cause?: unknown }): string => {
  const told = error.cause instanceof Error ? error.cause.message : error.message
  const signal = /'(SIG[A-Z0-9]+)'/.exec(told)?.[1]
  return signal === undefined ? "it ended" : `it was ended by the signal ${signal}`
}

// The client keeps its replies until the server reads them. One that asks on and on without answering is not heard on and on.
const mostAsked = 1_000

const toTraffic = (traffic: Traffic): Lines.Listener => {
  const refuse = (id: McpSchema.RequestId, reason: McpClientError.McpClientErrorReason): boolean => {
    const request = traffic.pending.get(id)
    if (request === undefined) return false
    request.refuse(reason)
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
    tooLong: (description, told) => {
      const id = told ?? onlyPending()
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
