import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { LanguageModel, Tool, Toolkit } from "effect/ai"
import { call, scripted } from "./model.ts"
import { errorOf, kit, mode, until } from "./session-fixtures.ts"

const unbounded = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })

/** A model that sends one program, and what becomes of the run. */
const session = (code: string) =>
  Effect.gen(function*() {
    const own = yield* kit
    const reports: Array<CodeMode.Report> = []
    const starts: Array<string> = []
    const ends: Array<string> = []
    const toolkit = yield* CodeMode.toolkit(own.presented, unbounded, {
      timeout: Infinity,
      onRunEnd: (report) => Effect.sync(() => void reports.push(report)),
      onToolCallStart: ({ name }) => Effect.sync(() => void starts.push(name)),
      onToolCallEnd: ({ name }) => Effect.sync(() => void ends.push(name)),
    })
    const { model, requests } = yield* scripted([[call("c1", "execute", { code })]])
    const generate = Effect.provideService(
      LanguageModel.generateText({ prompt: "Go", toolkit }),
      LanguageModel.LanguageModel,
      model,
    )
    return { ...own, ends, generate, reports, requests, starts }
  })

const programs: Record<string, string> = {
  "a busy loop": "await tools.echo({ n: 1 })\nwhile (true) {}",
  "a busy loop that catches everything":
    "await tools.echo({ n: 1 })\nfor (;;) { try { while (true) {} } catch {} finally { while (true) {} } }",
  "a chain of promises": "await tools.echo({ n: 1 })\nfor (;;) await null",
  "a sort":
    "await tools.echo({ n: 1 })\nfor (;;) Array.from({ length: 10_000 }, (_, n) => n * 7919 % 10_007).sort((a, b) => a - b)",
  "a call": "await tools.echo({ n: 1 })\nawait tools.never()",
  "calls together": "await tools.echo({ n: 1 })\nawait Promise.all(Array.from({ length: 40 }, () => tools.never()))",
  "a timer": "await tools.echo({ n: 1 })\nawait new Promise((resolve) => setTimeout(resolve, 1e6))",
}

describe("cancelling", () => {
  it.live.each(Object.keys(programs))(
    "by the signal that the model call was given ends %s",
    (name) =>
      Effect.gen(function*() {
        const { ends, generate, reports, starts } = yield* session(programs[name]!)
        const controller = new AbortController()
        const exit = Effect.runPromiseExit(generate, { signal: controller.signal })
        yield* until(() => ends.length > 0)
        yield* Effect.sleep(20)
        const aborted = performance.now()
        controller.abort()
        expect(Exit.hasInterrupts(yield* Effect.promise(() => exit))).toBe(true)
        // Far more than a slice, for the sake of a busy machine, and far less than any of these takes.
        expect(performance.now() - aborted).toBeLessThan(2000)
        expect(reports).toHaveLength(1)
        expect(Exit.hasInterrupts(reports[0]!.exit)).toBe(true)
        expect(reports[0]!.calls[0]).toMatchObject({ name: "echo", outcome: "success" })
        expect(reports[0]!.calls.slice(1).every(({ outcome }) => outcome === "interrupted")).toBe(true)
        // Nothing goes on afterwards.
        const calls = starts.length
        yield* Effect.sleep(20)
        expect(starts).toHaveLength(calls)
      }),
  )

  it.live.each(Object.keys(programs))(
    "by interrupting the fiber of `execute` ends %s",
    (name) =>
      Effect.gen(function*() {
        const starts: Array<string> = []
        const { execute } = yield* mode(
          { timeout: Infinity, onToolCallStart: ({ name }) => Effect.sync(() => void starts.push(name)) },
          { fuel: "unbounded" },
        )
        const fiber = yield* Effect.forkChild(execute(programs[name]!))
        yield* until(() => starts.length > 0)
        yield* Effect.sleep(5)
        yield* Fiber.interrupt(fiber)
        expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
      }),
  )

  it.live("a signal that was aborted before starts nothing", () =>
    Effect.gen(function*() {
      const { generate, handled, reports, starts } = yield* session("await tools.echo({ n: 1 })")
      const exit = yield* Effect.promise(() => Effect.runPromiseExit(generate, { signal: AbortSignal.abort() }))
      yield* Effect.sleep(20)
      expect(Exit.hasInterrupts(exit)).toBe(true)
      expect([handled, starts]).toEqual([[], []])
      expect(reports.flatMap(({ calls }) => calls)).toEqual([])
      expect(reports.every(({ fuel }) => fuel === undefined)).toBe(true)
    }))

  it.live("a fiber that is interrupted as it starts runs nothing", () =>
    Effect.gen(function*() {
      const { execute, handled } = yield* mode()
      const fiber = Effect.runFork(execute("await tools.echo({ n: 1 })"))
      fiber.interruptUnsafe()
      expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
      yield* Effect.sleep(20)
      expect(handled).toEqual([])
    }))

  it.live("waits for a call that cleans up, and the run is over then", () =>
    Effect.gen(function*() {
      const { interrupted, run, started } = yield* mode()
      const fiber = yield* Effect.forkChild(run("await tools.never()"))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      expect(yield* Deferred.isDone(interrupted)).toBe(true)
    }))

  describe("does not wait for ever for a call that cannot be interrupted", () => {
    const Kit = Toolkit.make(Tool.make("stuck"), Tool.make("echo"))
    const stuck = (options: CodeMode.Options) =>
      Effect.gen(function*() {
        const started = yield* Deferred.make<void>()
        const end = yield* Deferred.make<void>()
        const ends: Array<string> = []
        let echoed = 0
        const presented = yield* Effect.provide(
          Kit,
          Kit.toLayer({
            stuck: () =>
              Effect.uninterruptible(Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(end))),
            echo: () => Effect.sync(() => void echoed++),
          }),
        )
        const { run } = yield* CodeMode.make(presented, InterpreterRuntime.make(), {
          ...options,
          onToolCallEnd: ({ name, outcome }) => Effect.sync(() => void ends.push(`${name} ${outcome}`)),
        })
        return { run, started, end, ends, echoed: () => echoed }
      })
    const code = "await tools.stuck()\nawait tools.echo()"
    const calls = [{ name: "stuck", outcome: "interrupted" }]

    it.live("when the time is over", () =>
      Effect.gen(function*() {
        const { echoed, end, ends, run } = yield* stuck({ timeout: 50 })
        const report = yield* run(code)
        expect(errorOf(report)?.code).toBe("TIMEOUT")
        expect(report.calls).toMatchObject(calls)
        // What it comes to is nothing to the run any more.
        yield* Deferred.succeed(end, undefined)
        yield* until(() => ends.length > 0)
        yield* Effect.sleep(20)
        expect(report.calls).toMatchObject(calls)
        expect([ends, echoed()]).toEqual([["stuck interrupted"], 0])
      }))

    it.live("when the run is interrupted", () =>
      Effect.gen(function*() {
        const reports: Array<CodeMode.Report> = []
        const { end, run, started } = yield* stuck({
          timeout: Infinity,
          onRunEnd: (report) => Effect.sync(() => void reports.push(report)),
        })
        const fiber = yield* Effect.forkChild(run(code))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
        expect(reports).toHaveLength(1)
        expect(Exit.hasInterrupts(reports[0]!.exit)).toBe(true)
        expect(reports[0]!.calls).toMatchObject(calls)
        yield* Deferred.succeed(end, undefined)
      }))
  })

  it.live("one of two runs leaves the other alone", () =>
    Effect.gen(function*() {
      const { execute } = yield* mode(undefined, { fuel: "unbounded" })
      const busy = yield* Effect.forkChild(execute("while (true) {}"))
      const other = yield* Effect.forkChild(
        execute("let sum = 0\nfor (let i = 0; i < 200; i++) sum += await tools.echo({ n: i })\nreturn sum"),
      )
      yield* Effect.sleep(10)
      yield* Fiber.interrupt(busy)
      expect((yield* Fiber.join(other)).result).toBe(19_900)
    }))
})
