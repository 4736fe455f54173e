import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Assembly, CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { Context, Deferred, Effect, Exit, Fiber, Option, Scheduler, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { describe, expect, it } from "vitest"
import { execute, stub } from "./fixtures.ts"

type Handler = (input: { readonly n: number }) => Effect.Effect<number>

const Kit = Toolkit.make(
  Tool.make("work", { parameters: Schema.Struct({ n: Schema.Number }), success: Schema.Number }),
)

const kit = (work: Handler) => Effect.provide(Kit, Kit.toLayer({ work }))

/** What a call has come to when the fiber that makes it has waited for nothing. */
const atOnce = <Tools extends Record<string, Tool.Any>>(presented: Toolkit.WithHandler<Tools>, tool: string) =>
  Effect.gen(function*() {
    let seen: unknown = "the runtime was not asked"
    const runtime = stub((execution) =>
      Effect.gen(function*() {
        const context = yield* Effect.context<never>()
        const fiber = Effect.runForkWith(context)(execution.call(tool, { n: 1 }))
        seen = fiber.pollUnsafe()
        return yield* Fiber.join(fiber)
      })
    )
    const mode = yield* CodeMode.make(presented, runtime)
    const { result } = yield* mode.execute("program", "call")
    return [seen, result]
  })

describe("a tool that answers at once", () => {
  it("has answered when the call has begun", () =>
    Effect.runPromise(Effect.gen(function*() {
      const presented = yield* kit(({ n }) => Effect.succeed(n + 1))
      expect(yield* atOnce(presented, "work")).toEqual([Exit.succeed(2), 2])
    })))

  it("has answered when it is one of a source, and of a run inside a tool", () =>
    Effect.runPromise(
      Effect.gen(function*() {
        const source = yield* ToolSource.fromToolkit("own", yield* kit(({ n }) => Effect.succeed(n + 1)))
        const assembled = yield* Assembly.toolkit({ own: source }, Assembly.allowAll)
        expect(yield* atOnce(assembled, "own.work")).toEqual([Exit.succeed(2), 2])
        const inner = yield* kit(({ n }) => Effect.succeed(n + 1))
        const outer = yield* kit(() =>
          Effect.orDie(Effect.map(atOnce(inner, "work"), ([seen]) => Exit.isExit(seen) && Exit.isSuccess(seen) ? 7 : 0))
        )
        const { result } = yield* execute(outer, (execution) => execution.call("work", { n: 1 }))
        expect(result).toBe(7)
      }).pipe(Effect.scoped),
    ))

  it("sees what it has forked go on after it", () =>
    Effect.runPromise(Effect.gen(function*() {
      const done = yield* Deferred.make<string>()
      const presented = yield* kit(({ n }) =>
        Effect.as(
          Effect.forkDetach(Effect.andThen(Effect.yieldNow, Deferred.succeed(done, `${n}`))),
          n,
        )
      )
      const { result } = yield* execute(presented, (execution) =>
        Effect.forEach([1, 2, 3], (n) => execution.call("work", { n })))
      expect(result).toEqual([1, 2, 3])
      expect(yield* Deferred.await(done)).toBe("1")
    })))
})

describe("what does not answer at once", () => {
  // Lets others have their turn until the event loop has turned.
  const polite: Handler = ({ n }) =>
    Effect.suspend(() => {
      let hasTurned = false
      setTimeout(() => {
        hasTurned = true
      }, 0)
      const wait: Effect.Effect<number> = Effect.suspend(() =>
        hasTurned ? Effect.succeed(n) : Effect.andThen(Effect.yieldNow, wait)
      )
      return wait
    })

  it("has its turns with the others", () =>
    Effect.runPromise(Effect.gen(function*() {
      const presented = yield* kit(polite)
      const code = "return Promise.all(Array.from({ length: 40 }, (_, n) => tools.work({ n })))"
      const mode = yield* CodeMode.make(presented, InterpreterRuntime.make())
      expect((yield* mode.execute(code)).result).toEqual(Array.from({ length: 40 }, (_, n) => n))
    })))

  it("may be the toolkit itself, before it has begun the handler or while it gives results", () =>
    Effect.runPromise(Effect.gen(function*() {
      const inner = yield* kit(({ n }) => Effect.succeed(n))
      const presented: typeof inner = {
        ...inner,
        handle: (name, params, id) =>
          Effect.andThen(
            polite({ n: 0 }),
            Effect.tap(inner.handle(name, params, id), () => polite({ n: 0 })),
          ),
      }
      const { result } = yield* execute(
        presented,
        (execution) => Effect.forEach([1, 2, 3], (n) => execution.call("work", { n }), { concurrency: 2 }),
      )
      expect(result).toEqual([1, 2, 3])
    })))

  it("is interrupted with its call", () =>
    Effect.runPromise(Effect.gen(function*() {
      const ended: Array<number> = []
      const presented = yield* kit(({ n }) =>
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => void ended.push(n)))
      )
      const { result } = yield* execute(presented, (execution) =>
        Effect.gen(function*() {
          const fiber = yield* Effect.forkChild(execution.call("work", { n: 5 }), { startImmediately: true })
          yield* Fiber.interrupt(fiber)
          return Option.isNone(Exit.getSuccess(yield* Fiber.await(fiber)))
        }))
      expect([result, ended]).toEqual([true, [5]])
    })))
})

it("a scheduler of the host's own decides when a handler begins", () =>
  Effect.runPromise(Effect.gen(function*() {
    const usual = new Scheduler.MixedScheduler()
    const order: Array<string> = []
    const own: Scheduler.Scheduler = {
      executionMode: "async",
      shouldYield: (fiber) => usual.shouldYield(fiber),
      makeDispatcher: () => {
        const dispatcher = usual.makeDispatcher()
        return {
          scheduleTask: (task, priority) => {
            order.push("scheduled")
            dispatcher.scheduleTask(task, priority)
          },
          flush: () => dispatcher.flush(),
        }
      },
    }
    const presented = yield* kit(({ n }) =>
      Effect.sync(() => {
        order.push("begun")
        return n
      })
    )
    const program = execute(presented, (execution) =>
      Effect.suspend(() => {
        order.length = 0
        return execution.call("work", { n: 1 })
      }))
    const { result } = yield* Effect.provideContext(program, Context.make(Scheduler.Scheduler, own))
    expect([result, order.slice(0, 2)]).toEqual([1, ["scheduled", "begun"]])
  })))
