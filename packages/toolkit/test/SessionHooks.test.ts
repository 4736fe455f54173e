import type { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { hostLog } from "./fixtures.ts"
import { mode, settle, until } from "./session-fixtures.ts"

/** Hooks that write down what they hear. */
const noting = () => {
  const starts: Array<CodeMode.Call> = []
  const ends: Array<CodeMode.CallEnd> = []
  const order: Array<string> = []
  const options: CodeMode.Options = {
    onToolCallStart: (call) =>
      Effect.sync(() => {
        starts.push(call)
        order.push(`start ${call.index}`)
      }),
    onToolCallEnd: (call) =>
      Effect.sync(() => {
        ends.push(call)
        order.push(`end ${call.index} ${call.outcome}`)
      }),
  }
  return { starts, ends, order, options }
}

describe("hooks", () => {
  it.effect("hear each call with its place, id, name, input, and what became of it", () =>
    Effect.gen(function*() {
      const { ends, options, starts } = noting()
      const { execute } = yield* mode(options)
      const fiber = yield* Effect.forkChild(execute(
        `await tools.echo({ n: 1 })
await tools.slow({ ms: 250 })
try { await tools.refuse() } catch {}
try { await tools.break() } catch {}
await tools.github.list()`,
        "run",
      ))
      yield* until(() => starts.length === 2)
      yield* settle
      yield* TestClock.adjust(250)
      yield* Fiber.join(fiber)
      expect(starts).toEqual([
        { index: 0, id: "run/1", name: "echo", input: { n: 1 } },
        { index: 1, id: "run/2", name: "slow", input: { ms: 250 } },
        { index: 2, id: "run/3", name: "refuse", input: {} },
        { index: 3, id: "run/4", name: "break", input: {} },
        { index: 4, id: "run/5", name: "github.list", input: {} },
      ])
      const zero = Duration.nanos(0n)
      const broke = `The tool "break" broke. The fault is the tool's, not the call's.`
      expect(ends).toEqual([
        { ...starts[0], outcome: "success", duration: zero },
        { ...starts[1], outcome: "success", duration: Duration.nanos(250_000_000n) },
        { ...starts[2], outcome: "failure", duration: zero, code: "NO_SUCH_REPO", message: "No repository a/b" },
        { ...starts[3], outcome: "failure", duration: zero, code: "TOOL_FAILURE", message: broke },
        { ...starts[4], outcome: "success", duration: zero },
      ])
    }))

  it.effect("run before the handler and after it", () =>
    Effect.gen(function*() {
      const order: Array<string> = []
      const own = yield* mode({
        onToolCallStart: () => Effect.andThen(Effect.yieldNow, Effect.sync(() => void order.push(`start`, ...made()))),
        onToolCallEnd: () => Effect.sync(() => void order.push(`end`, ...made())),
      })
      const made = () => own.handled.splice(0)
      yield* own.execute("await tools.echo({ n: 1 }); await tools.echo({ n: 2 })")
      expect(order).toEqual(["start", "end", "echo 1", "start", "end", "echo 2"])
    }))

  it.effect("hear of a call that lost a race that it was interrupted", () =>
    Effect.gen(function*() {
      const { options, order } = noting()
      const { execute } = yield* mode(options)
      yield* execute("return Promise.race([tools.never(), tools.echo({ n: 1 })])")
      expect(order.toSorted()).toEqual(["end 0 interrupted", "end 1 success", "start 0", "start 1"])
    }))

  it.effect.each<[string, string]>([
    ["a program that fails", "tools.never(); await tools.echo({ n: 1 }); throw new Error('no')"],
    ["a program that runs out of steps", "tools.never(); await tools.echo({ n: 1 }); while (true) {}"],
  ])("hear that the calls of %s were interrupted", ([, code]) =>
    Effect.gen(function*() {
      const { options, order } = noting()
      const { execute } = yield* mode(options, { fuel: 100_000 })
      yield* Effect.flip(execute(code))
      expect(order).toContain("end 0 interrupted")
      expect(order).toContain("end 1 success")
    }))

  it.effect("hear it when the time of the run is over", () =>
    Effect.gen(function*() {
      const { ends, options } = noting()
      const { execute, started } = yield* mode({ ...options, timeout: "5 seconds" })
      const fiber = yield* Effect.forkChild(Effect.flip(execute("await tools.never()")))
      yield* Deferred.await(started)
      yield* TestClock.adjust("5 seconds")
      expect((yield* Fiber.join(fiber)).code).toBe("TIMEOUT")
      expect(ends.map(({ duration, outcome }) => [outcome, Duration.toMillis(duration)])).toEqual([[
        "interrupted",
        5000,
      ]])
    }))

  it.effect("hear it when the run is interrupted", () =>
    Effect.gen(function*() {
      const { options, order } = noting()
      const { execute, started } = yield* mode(options)
      const fiber = yield* Effect.forkChild(execute("await tools.never()"))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      expect(order).toEqual(["start 0", "end 0 interrupted"])
    }))

  it.effect("a call that is interrupted while its start is told ends, too, and is not made", () =>
    Effect.gen(function*() {
      const asked = yield* Deferred.make<void>()
      const { ends, options } = noting()
      const { execute, handled } = yield* mode({
        ...options,
        onToolCallStart: () => Effect.andThen(Deferred.succeed(asked, undefined), Effect.never),
      })
      const fiber = yield* Effect.forkChild(execute("await tools.echo({ n: 1 })"))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      expect(ends.map(({ outcome }) => outcome)).toEqual(["interrupted"])
      expect(handled).toEqual([])
    }))

  it.effect("hear of searches as of other calls", () =>
    Effect.gen(function*() {
      const { ends, options } = noting()
      const { execute } = yield* mode(options)
      yield* execute("await search({ query: 'list' }); await tools.echo({ n: 1 })", "run")
      expect(ends.map(({ id, input, name, outcome }) => ({ id, input, name, outcome }))).toEqual([
        { id: "run/1", name: "$codemode.search", input: { query: "list" }, outcome: "success" },
        { id: "run/2", name: "echo", input: { n: 1 }, outcome: "success" },
      ])
    }))

  it.effect("do not hear of names that are no tools", () =>
    Effect.gen(function*() {
      const { options, order } = noting()
      const { execute } = yield* mode(options)
      yield* execute("for (const name of ['nope', 'ask_person']) { try { await tools[name]() } catch {} }")
      expect(order).toEqual([])
    }))

  const die = () => Effect.die(new Error("the hook broke"))
  it.effect.each<[string, CodeMode.Options, boolean]>([
    ["dies at the start", { onToolCallStart: die }, true],
    ["dies at the end", { onToolCallEnd: die }, true],
    ["dies after the run", { onRunEnd: die }, true],
    [
      "throws",
      {
        onToolCallStart: () => {
          throw new Error("the hook broke")
        },
      },
      true,
    ],
    ["fails against its type", { onToolCallEnd: () => Effect.fail("the hook broke") as never }, true],
    ["gives no effect", { onToolCallEnd: (() => undefined) as never }, false],
    ["gives a promise", { onToolCallStart: (() => Promise.resolve(1)) as never }, true],
    [
      "gives a promise that is rejected",
      { onRunEnd: (() => Promise.reject(new Error("the hook broke"))) as never },
      true,
    ],
    ["interrupts itself", { onToolCallStart: () => Effect.interrupt }, false],
  ])("that %s changes nothing of the run", ([, options, logged]) =>
    Effect.gen(function*() {
      const log = hostLog()
      const { execute } = yield* mode(options)
      const outcome = yield* Effect.provide(
        execute("const [a, b] = await Promise.all([tools.echo({ n: 1 }), tools.echo({ n: 2 })])\nreturn a + b"),
        log.layer,
      )
      expect(outcome.result).toBe(3)
      if (logged) expect(log.entries.join()).toContain(Object.keys(options)[0])
      else expect(log.entries).toEqual([])
    }))

  it.effect("that dies when a call is interrupted does not keep the run from ending", () =>
    Effect.gen(function*() {
      const log = hostLog()
      const { execute, started } = yield* mode({ onToolCallEnd: die })
      const fiber = yield* Effect.forkChild(Effect.provide(execute("await tools.never()"), log.layer))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
      expect(log.entries.join()).toContain("the hook broke")
    }))

  it.effect("hear one end for each of 1,000 calls together", () =>
    Effect.gen(function*() {
      const { ends, options, starts } = noting()
      const { execute } = yield* mode(options)
      const code = `const all = await Promise.allSettled(Array.from({ length: 1000 }, (_, n) =>
  n % 10 === 0 ? tools.refuse() : tools.echo({ n })))
return all.filter((each) => each.status === "rejected").length`
      expect((yield* execute(code, "run")).result).toBe(100)
      expect(starts.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 1000 }, (_, n) => n),
      )
      expect(new Set(ends.map(({ id }) => id)).size).toBe(1000)
      expect(ends).toHaveLength(1000)
      expect(ends.filter(({ outcome }) => outcome === "failure")).toHaveLength(100)
    }))
})
