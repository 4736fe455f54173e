import { CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { hostLog } from "./fixtures.ts"
import { kit, mode, runtime, settle, until } from "./session-fixtures.ts"

const denied = (message = "Not you") => new ToolSource.Failure({ code: "ACCESS_DENIED", message, retryable: false })

/** Asks a person, who answers when the test says so. */
const person = (asksAbout: (call: CodeMode.Call) => boolean = () => true) => {
  const asked: Array<CodeMode.Call> = []
  const answers = new Map<string, Deferred.Deferred<void, ToolSource.Failure>>()
  const interrupted: Array<string> = []
  const authorize = (call: CodeMode.Call): Effect.Effect<void, ToolSource.Failure> =>
    asksAbout(call)
      ? Effect.gen(function*() {
        const answer = yield* Deferred.make<void, ToolSource.Failure>()
        answers.set(call.id, answer)
        asked.push(call)
        yield* Effect.onInterrupt(Deferred.await(answer), () => Effect.sync(() => interrupted.push(call.id)))
      })
      : Effect.void
  return {
    asked,
    interrupted,
    authorize,
    yes: (id: string) => Effect.suspend(() => Deferred.succeed(answers.get(id)!, undefined)),
    no: (id: string) => Effect.suspend(() => Deferred.fail(answers.get(id)!, denied())),
  }
}

describe("authorize", () => {
  it.effect("sees each call before it is made, and lets it pass", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const { execute, handled } = yield* mode({
        authorize: (call) => Effect.sync(() => void seen.push(call, handled.length)),
      })
      const { result } = yield* execute("await tools.echo({ n: 1 })\nreturn tools.echo({ n: 2 })", "run")
      expect(result).toBe(2)
      expect(seen).toEqual([
        { index: 0, id: "run/1", name: "echo", input: { n: 1 } },
        0,
        { index: 1, id: "run/2", name: "echo", input: { n: 2 } },
        1,
      ])
    }))

  it.effect("denies a call, which the program catches, and which is not made", () =>
    Effect.gen(function*() {
      const ends: Array<CodeMode.CallEnd> = []
      const { execute, handled } = yield* mode({
        authorize: ({ input }) => input.n === 13 ? Effect.fail(denied("Not thirteen")) : Effect.void,
        onToolCallEnd: (end) => Effect.sync(() => void ends.push(end)),
      })
      const { result } = yield* execute(
        "try { await tools.echo({ n: 13 }) } catch (error) { return [error.code, error.message, await tools.echo({ n: 1 })] }",
      )
      expect(result).toEqual(["ACCESS_DENIED", "Not thirteen", 1])
      expect(handled).toEqual(["echo 1"])
      expect(ends.map(({ code, outcome }) => [outcome, code])).toEqual([["failure", "ACCESS_DENIED"], [
        "success",
        undefined,
      ]])
    }))

  it.effect("ends the run with its failure when the program does not catch it", () =>
    Effect.gen(function*() {
      const { execute } = yield* mode({ authorize: () => Effect.fail(denied()) })
      expect(yield* Effect.flip(execute("await tools.echo({ n: 1 })"))).toMatchObject({
        code: "ACCESS_DENIED",
        retryable: false,
        location: { line: 1 },
      })
    }))

  it.effect.each<[string, CodeMode.Options["authorize"]]>([
    ["dies", () => Effect.die(new Error("secret: hunter2"))],
    ["throws", () => {
      throw new Error("secret: hunter2")
    }],
    ["gives a promise", (async () => undefined) as never],
    ["gives nothing", (() => undefined) as never],
    ["fails with something else", () => Effect.fail("secret: hunter2") as never],
    ["interrupts itself", () => Effect.interrupt],
    ["waits for what is interrupted", () =>
      Effect.gen(function*() {
        const asking = yield* Effect.forkDetach(Effect.never)
        yield* Fiber.interrupt(asking)
        yield* Fiber.join(asking)
      })],
  ])("that %s denies, and only the host learns why", ([, authorize]) =>
    Effect.gen(function*() {
      const log = hostLog()
      const { execute, handled } = yield* mode({ authorize: authorize! })
      const error = yield* Effect.provide(Effect.flip(execute("await tools.echo({ n: 1 })")), log.layer)
      expect(error.code).toBe("ACCESS_DENIED")
      expect(error.message).not.toContain("hunter2")
      expect(log.entries.join()).toMatch(/hunter2|gave no effect|gave no answer \(call .*nterrupt/s)
      expect(handled).toEqual([])
    }))

  it.effect("is asked before the toolkit hears of the call, however it is made", () =>
    Effect.gen(function*() {
      const { presented } = yield* kit
      const heard: Array<string> = []
      const eager: typeof presented = {
        tools: presented.tools,
        handle: (name, ...rest) => {
          heard.push(`handle ${name}`)
          return presented.handle(name, ...rest)
        },
      }
      const { execute } = yield* CodeMode.make(eager, runtime, {
        onToolCallStart: ({ name }) => Effect.sync(() => void heard.push(`start ${name}`)),
        authorize: ({ input, name }) =>
          Effect.suspend(() => {
            heard.push(`authorize ${name}`)
            return input.n === 1 ? Effect.fail(denied()) : Effect.yieldNow
          }),
      })
      yield* execute("try { await tools.echo({ n: 1 }) } catch {}\nawait tools.echo({ n: 2 })")
      expect(heard).toEqual(["start echo", "authorize echo", "start echo", "authorize echo", "handle echo"])
    }))

  it.effect("is not asked about searches and names that are no tools", () =>
    Effect.gen(function*() {
      const { asked, authorize } = person()
      const { execute } = yield* mode({ authorize })
      yield* execute("await search({ query: 'echo' })\ntry { await tools.nope() } catch {}")
      expect(asked).toEqual([])
    }))

  it.effect("takes as long as a person needs: that time does not count", () =>
    Effect.gen(function*() {
      const { asked, authorize, yes } = person()
      const { run } = yield* mode({ authorize, timeout: "10 seconds" })
      const fiber = yield* Effect.forkChild(run("return tools.echo({ n: 1 })", "run"))
      yield* until(() => asked.length === 1)
      yield* TestClock.adjust("1 hour")
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* yes("run/1")
      const report = yield* Fiber.join(fiber)
      expect(Exit.isSuccess(report.exit) && report.exit.value.result).toBe(1)
      expect(Duration.toMillis(report.waited)).toBe(3_600_000)
      expect(Duration.toMillis(report.duration)).toBe(3_600_000)
    }))

  it.effect("the clock of the run goes on once the person has answered, from where it stood", () =>
    Effect.gen(function*() {
      const { asked, authorize, yes } = person(({ name }) => name === "echo")
      const { execute, started } = yield* mode({ authorize, timeout: "10 seconds" })
      const code = "await tools.slow({ ms: 4000 })\nawait tools.echo({ n: 1 })\nawait tools.never()"
      const fiber = yield* Effect.forkChild(Effect.flip(execute(code, "run")))
      yield* settle
      yield* TestClock.adjust("4 seconds")
      yield* until(() => asked.length === 1)
      yield* TestClock.adjust("1 day")
      yield* yes("run/2")
      yield* Deferred.await(started)
      yield* TestClock.adjust(5999)
      yield* settle
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1)
      expect((yield* Fiber.join(fiber)).code).toBe("TIMEOUT")
    }))

  it.effect("questions that are open together are counted once", () =>
    Effect.gen(function*() {
      const { asked, authorize, no, yes } = person()
      const { run } = yield* mode({ authorize, timeout: "10 seconds" })
      const fiber = yield* Effect.forkChild(
        run("return Promise.allSettled([tools.echo({ n: 1 }), tools.echo({ n: 2 })])", "run"),
      )
      yield* until(() => asked.length === 2)
      yield* TestClock.adjust("1 minute")
      yield* yes("run/1")
      yield* settle
      yield* TestClock.adjust("1 minute")
      yield* no("run/2")
      const report = yield* Fiber.join(fiber)
      expect(Duration.toMillis(report.waited)).toBe(120_000)
      expect(report.calls.map(({ outcome }) => outcome)).toEqual(["success", "failure"])
    }))

  it.effect("other calls of the program go on meanwhile, more of them than go on at once", () =>
    Effect.gen(function*() {
      const { asked, authorize, yes } = person(({ name }) => name === "github.list")
      const { execute, handled } = yield* mode({ authorize }, { concurrentCalls: 2 })
      const code = `const questions = Array.from({ length: 5 }, () => tools.github.list())
const all = await Promise.all(Array.from({ length: 20 }, (_, n) => tools.echo({ n })))
return [all.length, (await Promise.all(questions)).length]`
      const fiber = yield* Effect.forkChild(execute(code, "run"))
      yield* until(() => handled.length === 20)
      expect(asked).toHaveLength(5)
      for (let n = 1; n <= 5; n++) yield* yes(`run/${n}`)
      expect((yield* Fiber.join(fiber)).result).toEqual([20, 5])
    }))

  it.effect("a call that may go on waits for its turn", () =>
    Effect.gen(function*() {
      const { asked, authorize, yes } = person(({ name }) => name === "slow")
      const { execute } = yield* mode({ authorize }, { concurrentCalls: 2 })
      const code = "return (await Promise.all(Array.from({ length: 6 }, () => tools.slow({ ms: 1000 })))).length"
      const fiber = yield* Effect.forkChild(execute(code, "run"))
      yield* until(() => asked.length === 6)
      for (let n = 1; n <= 6; n++) yield* yes(`run/${n}`)
      yield* settle
      // Two at once take three times as long as one.
      for (let second = 1; second <= 3; second++) {
        expect(fiber.pollUnsafe()).toBe(undefined)
        yield* TestClock.adjust(1000)
        yield* settle
      }
      expect((yield* Fiber.join(fiber)).result).toBe(6)
    }))

  it.effect("a denied call gives its turn to nobody twice", () =>
    Effect.gen(function*() {
      const { asked, authorize, no } = person(({ input }) => input.n === 0)
      const { execute } = yield* mode({ authorize }, { concurrentCalls: 1 })
      const code = `const first = tools.echo({ n: 0 }).catch((error) => error.code)
const rest = await Promise.all([tools.slow({ ms: 10 }), tools.slow({ ms: 10 }), tools.slow({ ms: 10 })])
return [await first, rest.length]`
      const fiber = yield* Effect.forkChild(execute(code, "run"))
      yield* until(() => asked.length === 1)
      yield* no("run/1")
      yield* settle
      yield* TestClock.adjust(20)
      yield* settle
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(10)
      expect((yield* Fiber.join(fiber)).result).toEqual(["ACCESS_DENIED", 3])
    }))

  it.effect("cancelling the run cancels the question", () =>
    Effect.gen(function*() {
      const { asked, authorize, interrupted } = person()
      const ends: Array<string> = []
      const { execute, handled } = yield* mode({
        authorize,
        onToolCallEnd: ({ outcome }) => Effect.sync(() => void ends.push(outcome)),
      })
      const log = hostLog()
      const fiber = yield* Effect.forkChild(Effect.provide(execute("await tools.echo({ n: 1 })", "run"), log.layer))
      yield* until(() => asked.length === 1)
      yield* Fiber.interrupt(fiber)
      expect(interrupted).toEqual(["run/1"])
      expect(ends).toEqual(["interrupted"])
      expect(handled).toEqual([])
      expect(log.entries).toEqual([])
    }))

  it.effect("a program that ends otherwise cancels the question", () =>
    Effect.gen(function*() {
      const { authorize, interrupted } = person(({ name }) => name === "github.list")
      const { execute } = yield* mode({ authorize })
      const code = "return Promise.race([tools.github.list(), tools.echo({ n: 1 })])"
      expect((yield* execute(code, "run")).result).toBe(1)
      expect(interrupted).toEqual(["run/1"])
    }))

  it.effect("a busy program is ended by its fuel while a question is open", () =>
    Effect.gen(function*() {
      const { authorize, interrupted } = person()
      const { execute } = yield* mode({ authorize }, { fuel: 200_000 })
      const error = yield* Effect.flip(execute("tools.echo({ n: 1 })\nwhile (true) {}", "run"))
      expect(error.code).toBe("EXECUTION_BUDGET_EXCEEDED")
      expect(interrupted).toEqual(["run/1"])
    }))

  it.effect("a question of a run inside a tool stops the time of the run around it, too", () =>
    Effect.gen(function*() {
      const { asked, authorize, yes } = person()
      const inner = yield* mode({ authorize, timeout: "5 seconds" })
      const Agent = Toolkit.make(Tool.make("agent", { success: Schema.Json, failure: CodeMode.CodeError }))
      const presented = yield* Effect.provide(
        Agent,
        Agent.toLayer({
          agent: () => Effect.map(inner.execute("return tools.echo({ n: 3 })", "inner"), ({ result }) => result),
        }),
      )
      const { run } = yield* CodeMode.make(presented, runtime, { timeout: "10 seconds" })
      const fiber = yield* Effect.forkChild(run("return tools.agent()"))
      yield* until(() => asked.length === 1)
      yield* TestClock.adjust("1 hour")
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* yes("inner/1")
      const report = yield* Fiber.join(fiber)
      expect(Exit.isSuccess(report.exit) && report.exit.value.result).toBe(3)
      expect(Duration.toMillis(report.waited)).toBe(3_600_000)
    }))

  it.effect("a time limit of the runtime's own does not count the question either", () =>
    Effect.gen(function*() {
      const { asked, authorize, yes } = person(({ name }) => name === "echo")
      const { execute, started } = yield* mode({ authorize }, { timeout: 2000 })
      const fiber = yield* Effect.forkChild(
        Effect.flip(execute("await tools.echo({ n: 1 })\nawait tools.never()", "run")),
      )
      yield* until(() => asked.length === 1)
      yield* TestClock.adjust("10 minutes")
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* yes("run/1")
      yield* Deferred.await(started)
      yield* TestClock.adjust(1000)
      yield* settle
      expect(fiber.pollUnsafe()).toBe(undefined)
      yield* TestClock.adjust(1100)
      expect((yield* Fiber.join(fiber)).code).toBe("TIMEOUT")
    }))
})
