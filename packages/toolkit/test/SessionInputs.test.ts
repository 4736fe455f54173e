import { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { runtime, until } from "./session-fixtures.ts"

const Text = Schema.Struct({ text: Schema.String, more: Schema.optionalKey(Schema.String) })
const Kit = Toolkit.make(Tool.make("take", { parameters: Text, success: Schema.Number }))

/** A tool that holds what it is given until `open`. */
const taking = (options?: CodeMode.Options) =>
  Effect.gen(function*() {
    const open = yield* Deferred.make<void>()
    let inside = 0
    const seen = { most: 0, calls: 0 }
    const presented = yield* Effect.provide(
      Kit,
      Kit.toLayer({
        take: ({ more = "", text }) =>
          Effect.gen(function*() {
            seen.calls++
            seen.most = Math.max(seen.most, ++inside)
            yield* Deferred.await(open)
            inside--
            return text.length + more.length
          }),
      }),
    )
    return { ...yield* CodeMode.make(presented, runtime, options), open, seen }
  })

const mega = 1 << 20
const watched: CodeMode.Options = { onToolCallStart: () => Effect.void }

// A program needs the memory for one text, and the host that for each input.
describe.each([["looked at", watched], ["not looked at", {}]] as const)(
  "large inputs of calls that are %s",
  (_, options) => {
    it.effect("go on at once as far as they have 16 Mi characters together", () =>
      Effect.gen(function*() {
        const { execute, open, seen } = yield* taking(options)
        const fiber = yield* Effect.forkChild(execute(`
        const text = "x".repeat(${6 * mega})
        return Promise.all(Array.from({ length: 5 }, () => tools.take({ text })))
      `))
        yield* until(() => seen.calls === 2)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 50)))
        expect(seen).toEqual({ most: 2, calls: 2 })
        yield* Deferred.succeed(open, undefined)
        expect((yield* Fiber.join(fiber)).result).toEqual(Array.from({ length: 5 }, () => 6 * mega))
        expect(seen).toEqual({ most: 2, calls: 5 })
      }))

    it.effect("keep no small one waiting", () =>
      Effect.gen(function*() {
        const { execute, open, seen } = yield* taking(options)
        const fiber = yield* Effect.forkChild(execute(`
        const text = "x".repeat(${10 * mega})
        const large = [tools.take({ text }), tools.take({ text })]
        const small = Array.from({ length: 10 }, (_, i) => tools.take({ text: String(i) }))
        return (await Promise.all([...large, ...small])).length
      `))
        yield* until(() => seen.calls === 11)
        yield* Deferred.succeed(open, undefined)
        expect((yield* Fiber.join(fiber)).result).toBe(12)
      }))

    it.effect("of more than that go alone", () =>
      Effect.gen(function*() {
        const { execute, open, seen } = yield* taking(options)
        yield* Deferred.succeed(open, undefined)
        const { result } = yield* execute(`
        const text = "x".repeat(${10 * mega})
        return Promise.all([tools.take({ text, more: text }), tools.take({ text, more: text })])
      `)
        expect(result).toEqual([20 * mega, 20 * mega])
        expect(seen).toEqual({ most: 1, calls: 2 })
      }))

    it.effect("that wait when the run is ended are not made", () =>
      Effect.gen(function*() {
        const { execute, open, seen } = yield* taking(options)
        const fiber = yield* Effect.forkChild(execute(`
        const text = "x".repeat(${10 * mega})
        await Promise.all([tools.take({ text }), tools.take({ text })])
      `))
        yield* until(() => seen.calls === 1)
        yield* Fiber.interrupt(fiber)
        expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
        yield* Deferred.succeed(open, undefined)
        expect(seen).toEqual({ most: 1, calls: 1 })
      }))
  },
)
