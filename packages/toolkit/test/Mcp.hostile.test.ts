import type { Mcp, ToolSource } from "@effect-codemode/toolkit"
import { Duration, Effect, Exit, Fiber, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { failureOf, misbehaving, run, serverFile, shared } from "./mcp-fixtures.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mcp-"))
})
afterAll(() => rm(folder, { recursive: true }))

const Pid = Schema.Struct({ pid: Schema.Number })
const pidOf = (source: ToolSource.ToolSource): Effect.Effect<number, ToolSource.Failure> =>
  Effect.map(source.call("pid", {}), (value) => Schema.decodeUnknownSync(Pid)(value).pid)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const gone = (pid: number): Effect.Effect<void> =>
  Effect.suspend(() => isAlive(pid) ? Effect.andThen(Effect.sleep("10 millis"), gone(pid)) : Effect.void)

describe("a server that answers nonsense", () => {
  let server: Awaited<ReturnType<typeof shared>>
  beforeAll(async () => {
    server = await shared(misbehaving())
  })
  afterAll(() => server.close())

  // Each fails, or not, while a call that has nothing to do with it goes on; and the connection lives.
  const during = (tool: string, input: Schema.JsonObject = {}) =>
    Effect.gen(function*() {
      const { source } = server
      const pid = yield* pidOf(source)
      const called = yield* Effect.forkChild(source.call(tool, input))
      expect(yield* source.call("wait", { millis: 100 })).toBe("waited")
      yield* TestClock.adjust("1 minute")
      const exit = yield* Fiber.await(called)
      expect(yield* pidOf(source)).toBe(pid)
      return exit
    }).pipe(Effect.provide(TestClock.layer()))

  const failed = (code: string, message: unknown, retryable: boolean) =>
    Exit.fail(expect.objectContaining({ code, message, retryable }) as ToolSource.Failure)

  test("lines that are no messages are passed over", () =>
    run(Effect.gen(function*() {
      expect(yield* during("noise")).toEqual(Exit.succeed("after the noise"))
    })))

  test("messages and questions in the middle of a call are no answers", () =>
    run(Effect.gen(function*() {
      expect(yield* during("chatter")).toEqual(Exit.succeed("after the chatter"))
    })))

  test("half a message is no answer, and the noise is told", () =>
    run(Effect.gen(function*() {
      expect(yield* during("partial")).toEqual(failed(
        "TOOL_FAILURE",
        expect.stringMatching(
          /^The tool "partial" gave no answer within 1m\. Its server wrote \d+ lines? that answers? nothing\.$/,
        ),
        true,
      ))
    })))

  test("an answer to another call is no answer", () =>
    run(Effect.gen(function*() {
      expect(yield* during("wrong-id")).toEqual(
        failed("TOOL_FAILURE", expect.stringContaining("gave no answer within 1m"), true),
      )
    })))

  test("a response with neither a result nor an error", () =>
    run(Effect.gen(function*() {
      expect(yield* during("no-result")).toEqual(
        failed(
          "INVALID_TOOL_OUTPUT",
          "The tool \"no-result\" gave an answer that is not the protocol. The fault is its server's.",
          false,
        ),
      )
    })))

  test("an error that tells no call belongs to the only one that waits", () =>
    run(Effect.gen(function*() {
      expect(yield* during("no-id")).toEqual(
        failed("TOOL_FAILURE", expect.stringContaining("gave no answer within 1m"), true),
      )
      // Alone, also without what looks whether a server that did not answer is there.
      const source = yield* misbehaving()
      expect(yield* failureOf(source.call("no-id", {}))).toMatchObject({
        code: "TOOL_FAILURE",
        message: "The tool \"no-id\" was refused with the error -32700: Parse error",
      })
    })))

  test("an answer that is too long costs its call alone", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving([], { maxMessageBytes: 100_000 })
      const pid = yield* pidOf(source)
      const [exit, other] = yield* Effect.all([
        Effect.exit(source.call("huge", { megabytes: 3 })),
        source.call("wait", { millis: 100 }),
      ], { concurrency: "unbounded" })
      expect(exit).toEqual(failed(
        "LIMIT_EXCEEDED",
        "The tool \"huge\" gave an answer that is too long: it has 3,000,073 bytes; at most 100,000 are taken. " +
          "Ask it for less: filter, or go page by page.",
        true,
      ))
      expect([other, yield* pidOf(source)]).toEqual(["waited", pid])
      expect(yield* source.call("long-notification", { length: 200_000 })).toBe("after it")
      // The input that is too long to send, too.
      expect(yield* failureOf(source.call("echo", { text: "x".repeat(100_000) }))).toMatchObject({
        code: "LIMIT_EXCEEDED",
        message: "The tool \"echo\" was given an input that is too large to send. Send less.",
      })
      expect(yield* pidOf(source)).toBe(pid)
    })))

  // Each of these once took up to 180 bytes of memory for a byte.
  test.each(["[", "{\"a\":", "1", "\"a\":1,", "[],", "\\\""])(
    "an answer that goes on and on is not kept: %s",
    (part) =>
      run(Effect.gen(function*() {
        const source = yield* misbehaving([], { maxMessageBytes: 1_000_000 })
        const pid = yield* pidOf(source)
        for (const begin of ["{\"id\":$id,\"result\":", "{\"id\":$id,\"result\":[", "{\"id\":$id,"]) {
          const before = process.memoryUsage().heapUsed
          const text = part.repeat(200_000 / part.length)
          expect(yield* failureOf(source.call("flood", { begin, text, times: 50 }))).toMatchObject({
            code: "LIMIT_EXCEEDED",
            message: expect.stringContaining("gave an answer that is too long: it has "),
          })
          expect(process.memoryUsage().heapUsed - before).toBeLessThan(500_000_000)
        }
        expect(yield* pidOf(source)).toBe(pid)
      })),
  )

  test("a server that asks on and on is answered, up to a thousand times", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      expect(yield* source.call("ask", { times: 900, replies: 900 })).toBe("900")
      expect(yield* source.call("ask", { times: 5_000, replies: 1_000 })).toBe("1000")
      expect(yield* source.call("ask", { times: 10, replies: 10 })).toBe("10")
    })))

  test("a call that nobody waits for any more is cancelled, one that was answered is not", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      yield* source.call("echo", {})
      expect(yield* source.call("cancelled", {})).toBe("0")
      yield* Effect.timeoutOption(source.call("wait", { millis: 5_000 }), "50 millis")
      expect(yield* source.call("cancelled", {})).toBe("1")
    })))

  test("a tool that is not there, before and after it was", () =>
    run(Effect.gen(function*() {
      expect(yield* failureOf(server.source.call("nope", {}))).toMatchObject({
        code: "UNKNOWN_TOOL",
        message: "The MCP server \"server\" has no tool \"nope\".",
      })
    })))

  test("one tool that is not well-formed is left out, and the others are there", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      const before = (yield* source.list).definitions.length
      yield* source.call("add-tool", { tool: { name: "broken", inputSchema: "none" } })
      yield* source.call("add-tool", { name: "fine" })
      const names = (yield* source.list).definitions.map(({ name }) => name)
      expect(names).toHaveLength(before + 1)
      expect(names).toContain("fine")
    })))
})

describe("the list of tools", () => {
  test("is read again when the server says that it changed", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      const first = yield* source.list
      expect(yield* source.list).toBe(first)
      expect(first.notes).toBe(
        "Call echo first.",
      )
      yield* source.call("add-tool", { name: "new" })
      const second = yield* source.list
      expect(second.definitions.map(({ name }) => name)).toEqual([...first.definitions.map(({ name }) => name), "new"])
      expect(yield* source.list).toBe(second)
    })))

  test("is read each time from a server that does not say so", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving(["announce=no"])
      const first = yield* source.list
      const second = yield* source.list
      expect(second).toEqual(first)
      expect(second).not.toBe(first)
    })))
})

describe.concurrent("a server that dies", () => {
  test("in the middle of calls: they fail, those of other servers go on, the next call works again", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      const other = yield* misbehaving([], { name: "other" })
      const [pid] = yield* Effect.all([pidOf(source), pidOf(other)])
      const [first, second, third] = yield* Effect.all([
        failureOf(source.call("wait", { millis: 5_000 })),
        failureOf(source.call("wait", { millis: 5_000 })),
        other.call("wait", { millis: 200 }),
        Effect.delay(Effect.sync(() => process.kill(pid, "SIGKILL")), "50 millis"),
      ], { concurrency: "unbounded" })
      const lost = {
        code: "TOOL_FAILURE",
        message: "The MCP server \"server\" was lost during the call: it was ended by the signal SIGKILL. " +
          "Whether the call had an effect is not known.",
        retryable: true,
      }
      expect([first, second, third]).toMatchObject([lost, lost, "waited"])
      const again = yield* pidOf(source)
      expect(again).not.toBe(pid)
      expect(yield* pidOf(source)).toBe(again)
    })))

  test("by itself, with its exit code", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      expect((yield* failureOf(source.call("crash", {}))).message).toContain("it ended with exit code 7")
      expect(yield* source.call("echo", {})).toBe("{}")
    })))

  test("right after an answer: the answer counts", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      const pid = yield* pidOf(source)
      expect(yield* source.call("answer-and-end", {})).toBe("my last")
      yield* gone(pid)
      yield* Effect.sleep("50 millis")
      expect(yield* source.call("echo", {})).toBe("{}")
    })))

  test("by closing its output", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving([], { callTimeout: "10 seconds" })
      const pid = yield* pidOf(source)
      expect((yield* failureOf(source.call("close-output", {}))).message).toContain("it closed its output")
      expect(yield* pidOf(source)).not.toBe(pid)
      yield* gone(pid)
    })))

  test("between two calls: the second works", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving()
      const pid = yield* pidOf(source)
      process.kill(pid, "SIGKILL")
      yield* gone(pid)
      yield* Effect.sleep("50 millis")
      expect(yield* pidOf(source)).not.toBe(pid)
    })))

  test("again and again: it is left alone for longer and longer, and calls say how long", () =>
    run(
      Effect.gen(function*() {
        const starts = join(folder, "starts")
        const source = yield* misbehaving([`starts=${starts}`, "dies=2,3,4"], {
          backoff: { first: "2 seconds", most: "8 seconds" },
        })
        const started = Effect.promise(() => readFile(starts, "utf8").then(({ length }) => length))
        const unavailable = (seconds: number) => ({
          code: "TOOL_FAILURE",
          message:
            `The MCP server "server" is not available: it ended with exit code 4. It can be tried again in ${seconds}s.`,
          retryable: true,
        })
        expect((yield* failureOf(source.call("crash", {}))).message).toContain("exit code 7")
        // It may start again at once, and dies, and is left alone for twice as long each time, up to a bound.
        for (const [n, seconds] of [[2, 4], [3, 8], [4, 8]] as const) {
          expect(yield* failureOf(source.call("echo", {}))).toMatchObject(unavailable(seconds))
          expect(yield* started).toBe(n)
          yield* TestClock.adjust(Duration.seconds(seconds - 1))
          expect(yield* failureOf(source.list)).toMatchObject(unavailable(1))
          expect(yield* failureOf(source.call("echo", {}))).toMatchObject(unavailable(1))
          expect(yield* started).toBe(n)
          yield* TestClock.adjust("1 second")
        }
        expect(yield* source.call("echo", {})).toBe("{}")
        // One that lived long is not held to its past.
        yield* TestClock.adjust("8 seconds")
        yield* failureOf(source.call("crash", {}))
        expect(yield* source.call("echo", {})).toBe("{}")
        expect(yield* started).toBe(6)
      }).pipe(Effect.provide(TestClock.layer())),
    ))
})

describe.concurrent("a server that does not start", () => {
  const refusal = (args: ReadonlyArray<string>, options: Partial<Mcp.StdioOptions> = {}) =>
    Effect.flatMap(misbehaving(args, { connectTimeout: "2 seconds", ...options }), (source) => failureOf(source.list))

  test("because its command is not there", () =>
    run(Effect.gen(function*() {
      expect((yield* refusal([], { command: "/nowhere/at-all" })).message).toBe(
        "The MCP server \"server\" is not available: its command could not be started (ENOENT). It can be tried again in 1s.",
      )
    })))

  test("because it ends at once", () =>
    run(Effect.gen(function*() {
      expect((yield* refusal(["start=exit"], { connectTimeout: "10 seconds" })).message).toContain(
        "it ended with exit code 3.",
      )
    })))

  test("because it says nothing, or nothing that answers", () =>
    run(Effect.gen(function*() {
      const [silent, noisy] = yield* Effect.all([refusal(["start=silent"]), refusal(["start=noise"])], {
        concurrency: "unbounded",
      })
      expect(silent.message).toContain("is not available: it did not answer in time.")
      expect(noisy.message).toContain("is not available: it wrote to its output, but nothing that answers.")
    })))

  test("but only late: all that wait for it share one start", () =>
    run(Effect.gen(function*() {
      const starts = join(folder, "slow")
      const source = yield* misbehaving(["start=slow", `starts=${starts}`])
      const interrupted = yield* Effect.timeoutOption(source.list, "50 millis")
      const pids = yield* Effect.forEach([1, 2, 3], () => pidOf(source), { concurrency: "unbounded" })
      expect(interrupted._tag).toBe("None")
      expect(new Set(pids).size).toBe(1)
      expect(yield* Effect.promise(() => readFile(starts, "utf8"))).toBe("x")
    })))
})

describe.concurrent("revisions of the protocol", () => {
  for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]) {
    test(`a server that speaks ${version} alone`, () =>
      run(Effect.gen(function*() {
        const starts = join(folder, version)
        const source = yield* misbehaving([`version=${version}`, `starts=${starts}`])
        expect(yield* source.call("echo", { a: 1 })).toBe("{\"a\":1}")
        // It is asked for the newest once, and never again.
        yield* failureOf(source.call("crash", {}))
        yield* source.call("echo", {})
        const expected = version === "2025-11-25" ? 2 : 3
        expect(yield* Effect.promise(() => readFile(starts, "utf8"))).toHaveLength(expected)
      })))
  }

  test("a server that speaks what nobody knows", () =>
    run(Effect.gen(function*() {
      const source = yield* misbehaving(["version=1999-01-01"])
      expect((yield* failureOf(source.list)).message).toContain(
        "it speaks no revision of the protocol that is known here.",
      )
    })))
})

describe("a server that hangs", () => {
  test("fails the call after its time, and is given up when it answers nothing at all", () =>
    run(
      Effect.gen(function*() {
        const source = yield* misbehaving()
        const pid = yield* pidOf(source)
        // A tool that takes its time: the server is there.
        const slow = yield* Effect.forkChild(failureOf(source.call("wait", { millis: 60_000 })))
        yield* TestClock.adjust("1 minute")
        expect(yield* Fiber.join(slow)).toMatchObject({
          code: "TOOL_FAILURE",
          message: "The tool \"wait\" gave no answer within 1m.",
          retryable: true,
        })
        expect(yield* pidOf(source)).toBe(pid)
        // A server that is busy for good.
        const busy = yield* Effect.forkChild(failureOf(source.call("block", { millis: 60_000 })))
        yield* TestClock.withLive(Effect.sleep("200 millis"))
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(busy)
        yield* TestClock.adjust("5 seconds")
        expect(yield* pidOf(source)).not.toBe(pid)
        // It is not asked for long to end.
        yield* TestClock.withLive(Effect.sleep("50 millis"))
        yield* TestClock.adjust("1 second")
        yield* TestClock.withLive(gone(pid))
      }).pipe(Effect.provide(TestClock.layer())),
    ))
})

describe("the end of the scope", () => {
  const resources = () => process.getActiveResourcesInfo().filter((name) => /Process|Pipe|TCP/.test(name)).toSorted()

  test("ends processes, also those that do not want to, and leaves no handle", () =>
    run(Effect.gen(function*() {
      yield* Effect.sleep("50 millis")
      const before = resources()
      const scope = yield* Scope.make()
      const open = (args: ReadonlyArray<string>) => Scope.provide(misbehaving(args), scope)
      const sources = yield* Effect.forEach([[], ["end=ignore"]], open)
      const pids = yield* Effect.forEach(sources, pidOf, { concurrency: "unbounded" })
      const waiting = yield* Effect.forkChild(failureOf(sources[0]!.call("wait", { millis: 60_000 })))
      yield* Effect.sleep("50 millis")
      expect(pids.map(isAlive)).toEqual([true, true])
      yield* Scope.close(scope, Exit.void)
      expect(pids.map(isAlive)).toEqual([false, false])
      const closed = {
        code: "TOOL_FAILURE",
        message: "The connection to the MCP server \"server\" is closed.",
        retryable: false,
      }
      expect(yield* Fiber.await(waiting)).toEqual(Exit.succeed(expect.objectContaining(closed)))
      expect(yield* failureOf(sources[0]!.list)).toMatchObject(closed)
      yield* Effect.sleep("50 millis")
      expect(resources()).toEqual(before)
    })), 20_000)

  test("also ends what a process has started, and what only waits for it", () =>
    run(Effect.gen(function*() {
      const scope = yield* Scope.make()
      const script = `"${process.execPath}" "${serverFile}" end=ignore; true`
      const source = yield* Scope.provide(misbehaving([], { command: "/bin/sh", args: ["-c", script] }), scope)
      const pid = yield* pidOf(source)
      expect(isAlive(pid)).toBe(true)
      yield* Scope.close(scope, Exit.void)
      expect(isAlive(pid)).toBe(false)
    })), 20_000)

  test.each([true, false])("also before a server starts: %s", (startImmediately) =>
    run(Effect.gen(function*() {
      const scope = yield* Scope.make()
      const starts = join(folder, `never-${startImmediately}`)
      const source = yield* Scope.provide(misbehaving([`starts=${starts}`]), scope)
      const waiting = yield* Effect.forkChild(failureOf(source.list), { startImmediately })
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.join(waiting)).toMatchObject({ message: expect.stringContaining("is closed") })
      expect(existsSync(starts)).toBe(false)
    })))

  test("also while a server starts, and of a source that was never used", () =>
    run(Effect.gen(function*() {
      const scope = yield* Scope.make()
      const starts = join(folder, "ended")
      const source = yield* Scope.provide(misbehaving(["start=silent", `starts=${starts}`]), scope)
      yield* Scope.provide(misbehaving([]), scope)
      const waiting = yield* Effect.forkChild(failureOf(source.list))
      yield* Effect.sleep("300 millis")
      yield* Scope.close(scope, Exit.void)
      expect(yield* Fiber.await(waiting)).toMatchObject({ value: { message: expect.stringContaining("is closed") } })
    })))
})

test("a time that never ends is one", () =>
  run(Effect.gen(function*() {
    const source = yield* misbehaving([], { callTimeout: Infinity, listTimeout: Infinity, connectTimeout: Infinity })
    expect(yield* source.call("wait", { millis: 20 })).toBe("waited")
  })))

test("options that make no sense are refused", () =>
  run(Effect.gen(function*() {
    const died = (options: Partial<Mcp.StdioOptions>) =>
      Effect.map(Effect.exit(misbehaving([], options)), (exit) => String(Exit.isFailure(exit) ? exit.cause : exit))
    expect(yield* died({ callTimeout: 0 })).toContain("The option `callTimeout` is not a positive duration: 0")
    expect(yield* died({ maxTextLength: 1.5 })).toContain(
      "The option `maxTextLength` is not a positive whole number: 1.5",
    )
    expect(yield* died({ backoff: { most: "-1 second" } })).toContain(
      "The option `backoff` is not an object with the positive durations `first` and `most`: {\"most\":\"-1 second\"}",
    )
  })))
