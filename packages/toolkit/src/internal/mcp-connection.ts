/**
 * One connection that its users share: opened when it is first needed, and again when it has died, after a time that doubles with
 * every failure.
 */
import { isMcpClientError, type McpClientError } from "effect/ai/McpClientError"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as ToolSource from "../ToolSource.ts"
import type { Link } from "./mcp-link.ts"

export interface Options<R> {
  /** The name of the source. */
  readonly name: string
  readonly open: Effect.Effect<Link, unknown, R>
  /** How long a server that let a call wait too long may take to list its tools before it counts as dead. */
  readonly probeTimeout: Duration.Duration
  /** How long no connection is opened after the first failure, and after many. */
  readonly backoff: { readonly first: Duration.Duration; readonly most: Duration.Duration }
  /** Says in half a sentence what has gone wrong: nothing that is secret, nothing of the host. */
  readonly describe: (error: unknown, link: Link | undefined) => string
}

export interface Connection {
  /**
   * Does something with an open connection. A connection that dies of it is given up; `failure` says what an error of the client is
   * that it outlives.
   */
  readonly use: <A>(
    f: (link: Link) => Effect.Effect<A, McpClientError | ToolSource.Failure>,
    failure: (error: McpClientError, link: Link) => ToolSource.Failure,
  ) => Effect.Effect<A, ToolSource.Failure>
}

interface Live {
  readonly link: Link
  readonly scope: Scope.Closeable
  readonly since: number
  users: number
  retired: boolean
  probed: boolean
}

/** Makes a connection that is closed with the scope. Opens nothing yet. */
export const make = <R>(
  options: Options<R>,
): Effect.Effect<Connection, never, Exclude<R, Scope.Scope> | Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    // A connection outlives the call that opens it, so it is opened outside of that call: in no span of it, with no service of it.
    const context = yield* Effect.context<Exclude<R, Scope.Scope>>()
    const { backoff, describe, name } = options

    let current: Deferred.Deferred<Live, ToolSource.Failure> | undefined
    let failures = 0
    let retryAt = 0
    let why = ""

    const isClosed = () => scope.state._tag === "Closed"

    const outside = <A, E>(effect: Effect.Effect<A, E, Exclude<R, Scope.Scope>>) =>
      Effect.forkIn(Effect.updateContext(effect, (_: Context.Context<never>) => context), scope)

    // Ending a process may take seconds, for which nobody waits but the scope.
    const close = (inner: Scope.Closeable) => outside(Effect.uninterruptible(Scope.close(inner, Exit.void)))

    const failed = (reason: string, delay: number, now: number) => {
      why = reason
      retryAt = now + delay
      failures++
    }

    const delay = (exponent: number): number =>
      Math.min(Duration.toMillis(backoff.first) * 2 ** exponent, Duration.toMillis(backoff.most))

    const retire = (live: Live, reason: string, isDeath: boolean): Effect.Effect<void> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (live.retired) return Effect.void
        live.retired = true
        current = undefined
        if (isDeath) {
          // A server that lived long may start again at once, and so may one that never died before.
          if (now - live.since >= Duration.toMillis(backoff.most)) failures = 0
          failed(reason, failures === 0 ? 0 : delay(failures - 1), now)
        }
        return live.users === 0 ? Effect.asVoid(close(live.scope)) : Effect.void
      })

    const start = (opened: Deferred.Deferred<Live, ToolSource.Failure>) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const inner = yield* Scope.fork(scope)
          const exit = yield* Effect.exit(restore(Scope.provide(options.open, inner)))
          const now = yield* Clock.currentTimeMillis
          if (Exit.isSuccess(exit)) {
            const live: Live = { link: exit.value, scope: inner, since: now, users: 0, retired: false, probed: false }
            yield* Effect.forkIn(Effect.flatMap(live.link.lost, (how) => retire(live, how, true)), inner)
            return yield* Deferred.succeed(opened, live)
          }
          const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
          current = undefined
          failed(describe(error, undefined), delay(failures), now)
          yield* Deferred.fail(opened, isClosed() ? closedFailure(name) : unavailable(name, why, retryAt - now))
          return yield* close(inner)
        })
      )

    const ready: Effect.Effect<Live, ToolSource.Failure> = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (isClosed()) return Effect.fail(closedFailure(name))
      if (current !== undefined) return Deferred.await(current)
      if (now < retryAt) return Effect.fail(unavailable(name, why, retryAt - now))
      const opened = current = Deferred.makeUnsafe()
      return Effect.flatMap(outside(start(opened)), (fiber) => {
        // Where the scope is closed before it has begun, it tells nobody.
        fiber.addObserver(() => Deferred.doneUnsafe(opened, Exit.fail(closedFailure(name))))
        return Deferred.await(opened)
      })
    })

    // Whether a server that let a call wait too long is there at all. One that lists no tools either is given up for new calls.
    const probe = (live: Live): Effect.Effect<void> => {
      if (live.probed) return Effect.void
      live.probed = true
      return Effect.matchEffect(live.link.client.listTools({ timeout: options.probeTimeout }), {
        onSuccess: () =>
          Effect.sync(() => {
            live.probed = false
          }),
        onFailure: ({ reason }) =>
          reason._tag === "TimeoutError" ? retire(live, "it stopped answering", true) : Effect.void,
      })
    }

    const use = <A>(
      f: (link: Link) => Effect.Effect<A, McpClientError | ToolSource.Failure>,
      failure: (error: McpClientError, link: Link) => ToolSource.Failure,
      again = true,
    ): Effect.Effect<A, ToolSource.Failure> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(ready), (live) => {
          if (live.retired) return restore(use(f, failure, again))
          live.users++
          const release = Effect.suspend(() =>
            --live.users === 0 && live.retired ? Effect.asVoid(close(live.scope)) : Effect.void
          )
          const used = Effect.catchIf(f(live.link), isMcpClientError, (error): Effect.Effect<A, ToolSource.Failure> => {
            const { reason } = error
            switch (reason._tag) {
              case "ClosedError":
                // The server has not looked at what was sent.
                if (reason.sessionExpired === true && again) {
                  return Effect.andThen(retire(live, "its session expired", false), use(f, failure, false))
                }
                if (isClosed()) return Effect.fail(closedFailure(name))
                break
              case "TransportError":
                break
              case "TimeoutError":
                return Effect.andThen(outside(probe(live)), Effect.fail(failure(error, live.link)))
              default:
                return Effect.fail(failure(error, live.link))
            }
            const how = describe(error, live.link)
            return Effect.andThen(retire(live, how, true), Effect.fail(lost(name, how)))
          })
          return Effect.ensuring(restore(used as Effect.Effect<A, ToolSource.Failure>), release)
        })
      )

    return { use: (f, failure) => use(f, failure) }
  })

const unavailable = (name: string, why: string, millis: number): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "TOOL_FAILURE",
    message: `The MCP server "${name}" is not available: ${why}. It can be tried again in ${
      Duration.format(Duration.seconds(Math.max(1, Math.ceil(millis / 1000))))
    }.`,
    retryable: true,
  })

const lost = (name: string, how: string): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "TOOL_FAILURE",
    message: `The MCP server "${name}" was lost during the call: ${how}. Whether the call had an effect is not known.`,
    retryable: true,
  })

const closedFailure = (name: string): ToolSource.Failure =>
  new ToolSource.Failure({
    code: "TOOL_FAILURE",
    message: `The connection to the MCP server "${name}" is closed.`,
    retryable: false,
  })
