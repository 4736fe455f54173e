import { Assembly, CodeMode } from "@effect-codemode/toolkit"
import { Cause, Deferred, Effect, Exit, Fiber, Schema, Stream } from "effect"
import { Tool, type Toolkit } from "effect/ai"
import { describe, expect, it } from "vitest"
import { calling, catching, execute, hostLog, stub } from "./fixtures.ts"
import { sourceOf, tool } from "./sources.ts"

const work = Tool.make("work", { success: Schema.Json })

type Result = Tool.HandlerResult<typeof work>

const given = (value: Schema.Json, preliminary = false): Result => ({
  result: value,
  encodedResult: value,
  isFailure: false,
  preliminary,
})

/** A toolkit of somebody's own, whose `handle` gives this stream. */
const giving = (
  handle: () => Effect.Effect<Stream.Stream<Result, unknown>>,
): Toolkit.WithHandler<{ work: typeof work }> => ({
  tools: { work },
  handle: handle as never,
})

const broke = {
  code: "TOOL_FAILURE",
  message: `The tool "work" broke. The fault is the tool's, not the call's.`,
  retryable: false,
}

describe("the result of a tool of an assembly", () => {
  const counted = () => {
    let reads = 0
    const row = Object.defineProperty({}, "n", {
      enumerable: true,
      get: () => {
        reads++
        return 1
      },
    })
    return { row, reads: () => reads }
  }

  it("is looked through once", async () => {
    const { reads, row } = counted()
    const { source } = sourceOf([tool("rows")], { call: () => Effect.succeed([row] as never) })
    const program = Effect.gen(function*() {
      const assembled = yield* Assembly.toolkit({ own: source }, Assembly.allowAll)
      yield* execute(assembled, (execution) => Effect.as(execution.call("own.rows", {}), null))
    })
    await Effect.runPromise(Effect.scoped(program))
    expect(reads()).toBe(1)
  })

  it("is looked through again where somebody changed it on its way", async () => {
    const { source } = sourceOf([tool("rows")])
    const { layer } = hostLog()
    const program = Effect.gen(function*() {
      const assembled = yield* Assembly.toolkit({ own: source }, Assembly.allowAll)
      const changed: typeof assembled = {
        ...assembled,
        handle: (name, input, id) =>
          Effect.map(
            assembled.handle(name, input, id),
            Stream.map((result) => ({ ...result, result: 1n, encodedResult: 1n }) as never),
          ),
      }
      return yield* execute(changed, catching("own.rows"))
    })
    const { result } = await Effect.runPromise(Effect.provide(Effect.scoped(program), layer))
    expect(result).toMatchObject({ code: "INVALID_TOOL_OUTPUT" })
  })
})

describe("what a call makes of the stream that a toolkit gives", () => {
  it.each<[string, Stream.Stream<Result, unknown>, unknown]>([
    ["the last result counts", Stream.make(given(1), given(2)), { result: 2 }],
    ["in whichever pieces they come", Stream.rechunk(Stream.make(given(1, true), given(2), given(3, true)), 1), {
      result: 2,
    }],
    ["preliminary ones are none", Stream.make(given(1, true)), broke],
    ["nothing is none", Stream.empty, broke],
    ["a failure after a result is one", Stream.concat(Stream.make(given(1)), Stream.fail("secret")), broke],
    ["a defect after a result is one", Stream.concat(Stream.make(given(1)), Stream.die("secret")), broke],
    ["what ends it may break", Stream.ensuring(Stream.make(given(1)), Effect.die("secret")), broke],
    [
      "it may be released after its end",
      Stream.scoped(Stream.unwrap(Effect.as(
        Effect.addFinalizer(() => Effect.die("secret")),
        Stream.make(given(1)),
      ))),
      broke,
    ],
  ])("%s", async (_name, stream, expected) => {
    const { layer } = hostLog()
    const run = execute(giving(() => Effect.succeed(stream)), catching("work"))
    const { result } = await Effect.runPromise(Effect.provide(run, layer))
    expect(result).toEqual(expected)
  })

  it.each<[string, () => Effect.Effect<never>]>([
    ["dies", () => Effect.die(new Error("secret"))],
    ["throws", () => {
      throw new Error("secret")
    }],
  ])("a toolkit that %s is a tool that broke, and the host is told why", async (_name, handle) => {
    const { entries, layer } = hostLog()
    const run = execute(giving(handle), catching("work"))
    expect((await Effect.runPromise(Effect.provide(run, layer))).result).toEqual(broke)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toContain("secret")
  })

  const odd = (result: unknown) => () => Effect.succeed(Stream.succeed(result))
  it.each<[string, () => unknown]>([
    ["gives no effect", () => 42],
    ["gives a promise", () => Promise.resolve(Stream.make(given(1)))],
    ["gives no stream", () => Effect.succeed(42)],
    ["gives no result", odd(null)],
    ["gives files that are no list", odd({ ...given(1), modelOutput: 5 })],
    ["gives a file that is none", odd({ ...given(1), modelOutput: [null] })],
    ["gives a file without data", odd({ ...given(1), modelOutput: [{ type: "file", mediaType: "image/png" }] })],
  ])("a toolkit that %s is a tool that broke, which the report tells as well", async (_name, handle) => {
    const { entries, layer } = hostLog()
    const run = Effect.flatMap(
      CodeMode.make(giving(handle as never), stub(catching("work"))),
      (mode) => mode.run("program", "call"),
    )
    const { calls, exit } = await Effect.runPromise(Effect.provide(run, layer))
    expect(Exit.isSuccess(exit) && exit.value.result).toEqual(broke)
    expect(calls.map(({ code, outcome }) => [outcome, code])).toEqual([["failure", "TOOL_FAILURE"]])
    expect(entries).toHaveLength(1)
  })

  it("is ended when the call is interrupted, before the call is over", async () => {
    const events: Array<string> = []
    const waiting = Deferred.makeUnsafe<void>()
    const stream = Stream.make(given(1)).pipe(
      Stream.concat(Stream.fromEffect(Effect.andThen(Deferred.succeed(waiting, undefined), Effect.never))),
      Stream.ensuring(Effect.andThen(Effect.yieldNow, Effect.sync(() => void events.push("ended")))),
    )
    const fiber = Effect.runFork(Effect.onExit(
      execute(giving(() => Effect.succeed(stream)), calling("work")),
      (exit) =>
        Effect.sync(() => {
          events.push(exit._tag === "Failure" && Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : exit._tag)
        }),
    ))
    await Effect.runPromise(Deferred.await(waiting))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(events).toEqual(["ended", "interrupted"])
  })
})
