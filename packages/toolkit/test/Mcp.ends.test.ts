/** What ends a connection to a process becomes known in any order. Here every order is made, by a process that is none. */
import { Mcp, type ToolSource } from "@effect-codemode/toolkit"
import { Cause, Deferred, Effect, Exit, Fiber, PlatformError, Queue, type Scope, Sink, Stream } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { failureOf } from "./mcp-fixtures.ts"

const brokenPipe = PlatformError.systemError({
  _tag: "Unknown",
  module: "ChildProcess",
  method: "fromWritable(stdin)",
  cause: Object.assign(new Error("write EPIPE"), { code: "EPIPE" }),
})

/** A server whose ends the test makes. It answers what a client asks first, and calls when it is told to. */
class Server {
  readonly exited = Deferred.makeUnsafe<ChildProcessSpawner.ExitCode>()
  readonly unwritable = Deferred.makeUnsafe<never, PlatformError.PlatformError>()
  readonly called = Deferred.makeUnsafe<number>()
  readonly output = Effect.runSync(Queue.unbounded<Uint8Array, PlatformError.PlatformError | Cause.Done>())
  readonly answers: boolean

  constructor(answers = true) {
    this.answers = answers
  }

  readonly spawner = ChildProcessSpawner.make(() =>
    Effect.succeed(ChildProcessSpawner.makeHandle({
      pid: ChildProcessSpawner.ProcessId(1),
      exitCode: Deferred.await(this.exited),
      isRunning: Effect.map(Deferred.isDone(this.exited), (exited) => !exited),
      kill: () => Effect.asVoid(Deferred.succeed(this.exited, ChildProcessSpawner.ExitCode(143))),
      stdin: Sink.fromTransform((upstream) =>
        upstream.pipe(
          Effect.flatMap((pieces) => Effect.sync(() => pieces.forEach((piece) => this.read(piece)))),
          Effect.forever({ disableYield: true }),
          Effect.raceFirst(Deferred.await(this.unwritable)),
          Effect.catchIf(Cause.isDone, () => Effect.succeed([undefined] as const)),
        )
      ),
      stdout: Stream.fromQueue(this.output),
      stderr: Stream.empty,
      all: Stream.empty,
      getInputFd: () => Sink.drain,
      getOutputFd: () => Stream.empty,
      unref: Effect.succeed(Effect.void),
    }))
  )

  private read(piece: Uint8Array) {
    for (const line of new TextDecoder().decode(piece).trim().split("\n")) {
      const { id, method, params } = JSON.parse(line)
      if (method === "tools/call") Deferred.doneUnsafe(this.called, Exit.succeed(id))
      else if (!this.answers) continue
      else if (method === "tools/list") this.answer(id, { tools: [{ name: "last", inputSchema: { type: "object" } }] })
      else if (method === "initialize") {
        const { protocolVersion } = params
        this.answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "none", version: "1" } })
      }
    }
  }

  answer(id: number, result: unknown) {
    Queue.offerUnsafe(this.output, new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`))
  }
}

// What is known so far goes all the way before the next is.
const known = Effect.repeat(Effect.yieldNow, { times: 200 })

const events = {
  answer: (server: Server) =>
    Effect.map(
      Deferred.await(server.called),
      (id) => server.answer(id, { content: [{ type: "text", text: "my last" }] }),
    ),
  exit: (server: Server) => Deferred.succeed(server.exited, ChildProcessSpawner.ExitCode(7)),
  end: (server: Server) => Queue.end(server.output),
  unreadable: (server: Server) => Queue.fail(server.output, brokenPipe),
  unwritable: (server: Server) => Deferred.fail(server.unwritable, brokenPipe),
}
type Event = keyof typeof events

const happen = (server: Server, order: ReadonlyArray<Event>) =>
  Effect.forEach(order, (event) => Effect.andThen(events[event](server), known), { discard: true })

const orders = (rest: ReadonlyArray<Event>): ReadonlyArray<Array<Event>> =>
  rest.length === 0 ?
    [[]] :
    rest.flatMap((event) => orders(rest.filter((other) => other !== event)).map((order) => [event].concat(order)))

const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.scoped(effect), TestClock.layer()))

const stdio = (server: Server): Effect.Effect<ToolSource.ToolSource, never, Scope.Scope> =>
  Effect.provideService(
    Mcp.stdio({ name: "server", command: "none" }),
    ChildProcessSpawner.ChildProcessSpawner,
    server.spawner,
  )

/** What a call ends in, in which these things happen one after another: at once, or after a second and no sooner. */
const during = (order: ReadonlyArray<Event>, when: "at once" | "after a second") =>
  Effect.gen(function*() {
    const server = new Server()
    const source = yield* stdio(server)
    const call = yield* Effect.forkChild(source.call("last", {}))
    yield* Deferred.await(server.called)
    yield* happen(server, order)
    if (when === "after a second") {
      yield* TestClock.adjust("900 millis")
      expect(call.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust("100 millis")
    }
    const exit = yield* Fiber.await(call)
    // Whatever still runs would be waited for at the end of the scope.
    yield* events.exit(server)
    return exit
  })

const lost = (how: string) =>
  Exit.fail(expect.objectContaining({
    code: "TOOL_FAILURE",
    message: `The MCP server "server" was lost during the call: ${how}. Whether the call had an effect is not known.`,
  }) as ToolSource.Failure)

describe("whatever is known first", () => {
  for (const end of ["end", "unreadable"] as const) {
    for (const order of orders(["exit", end, "unwritable"])) {
      test(`${order.join(", ")}: the exit is the reason`, () =>
        run(Effect.map(during(order, "at once"), (exit) => expect(exit).toEqual(lost("it ended with exit code 7")))))

      test(`${order.join(", ")}: so it is for a server that never answered`, () =>
        run(Effect.gen(function*() {
          const server = new Server(false)
          const source = yield* stdio(server)
          const listing = yield* Effect.forkChild(failureOf(source.list))
          yield* known
          yield* happen(server, order)
          expect((yield* Fiber.join(listing)).message).toBe(
            "The MCP server \"server\" is not available: it ended with exit code 7. It can be tried again in 1s.",
          )
        })))
    }
  }

  for (const order of orders(["answer", "exit", "end", "unwritable"])) {
    if (order.indexOf("answer") > order.indexOf("end")) continue
    test(`${order.join(", ")}: the answer counts`, () =>
      run(Effect.map(during(order, "at once"), (exit) => expect(exit).toEqual(Exit.succeed("my last")))))
  }
})

describe("what never comes is waited for for a second", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<Event>, string]> = [
    [["exit"], "it ended with exit code 7"],
    [["exit", "unwritable"], "it ended with exit code 7"],
    [["unwritable", "exit"], "it ended with exit code 7"],
    [["end"], "it closed its output"],
    [["end", "unwritable"], "it closed its output"],
    [["unreadable"], "its output could not be read"],
    [["unwritable"], "it closed its input"],
    [["unwritable", "end"], "it closed its input"],
  ]
  for (const [order, how] of cases) {
    test(`only ${order.join(", ")}`, () =>
      run(Effect.map(during(order, "after a second"), (exit) => expect(exit).toEqual(lost(how)))))
  }
})
