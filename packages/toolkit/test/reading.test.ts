import { Assembly, CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { inTurn, Reading, RunReading } from "../src/internal/reading.ts"
import { runtime, settle } from "./session-fixtures.ts"
import { sourceOf, tool } from "./sources.ts"

const MiB = 1024 * 1024

/** Answers of which pieces of 4 MiB are read, as many as are let through, and what is held of them. */
const answers = () => {
  const held = new Map<string, number>()
  const ended: Array<string> = []
  const seen = { most: 0 }
  const read = (name: string, pieces: number, end: Effect.Effect<unknown> = Effect.void) =>
    Effect.onExit(
      inTurn((turn) =>
        Effect.andThen(
          Effect.forEach(Array.from({ length: pieces }), () =>
            Effect.suspend(() => {
              held.set(name, (held.get(name) ?? 0) + 4 * MiB)
              seen.most = Math.max(seen.most, Array.from(held.values()).reduce((a, b) => a + b, 0))
              return Effect.andThen(turn(4 * MiB), Effect.yieldNow)
            })),
          end,
        )
      ),
      () =>
        Effect.sync(() => {
          held.delete(name)
          ended.push(name)
        }),
    )
  return { read, held, ended, seen }
}

const names = ["a", "b", "c", "d"]
const inOneRun = Effect.provideServiceEffect(RunReading, Effect.sync(() => new Reading()))

describe("answers that the calls of a run read", () => {
  it.effect("are held up to 32 MiB, and beyond that the first goes on alone", () =>
    Effect.gen(function*() {
      const { ended, read, seen } = answers()
      yield* inOneRun(Effect.forEach(names, (name) => read(name, 10), { concurrency: "unbounded" }))
      expect(ended).toEqual(names)
      // What each has read when it is held up, the first beside it.
      expect(seen.most).toBeLessThanOrEqual((32 + 4 * names.length + 40) * MiB)
      expect(seen.most).toBeGreaterThan(40 * MiB)
    }))

  it.effect("end in their own time where they have room", () =>
    Effect.gen(function*() {
      const { ended, read } = answers()
      yield* inOneRun(Effect.forEach(names, (name, i) => read(name, 2 - (i >> 1)), { concurrency: "unbounded" }))
      expect(ended).toEqual(["c", "d", "a", "b"])
    }))

  it.effect("wait for the first even if it hangs, and go on however it ends", () =>
    Effect.gen(function*() {
      for (const way of ["succeeds", "dies", "is interrupted"] as const) {
        const { ended, held, read } = answers()
        const end = yield* Deferred.make<void>()
        const after = way === "dies" ? Effect.die("odd") : Effect.void
        const run = yield* inOneRun(Effect.forkChild(Effect.gen(function*() {
          const first = yield* Effect.forkChild(read("first", 6, Effect.andThen(Deferred.await(end), after)))
          yield* Effect.yieldNow
          const others = yield* Effect.forkChild(
            Effect.forEach(names, (name) => read(name, 6), { concurrency: "unbounded" }),
          )
          yield* settle
          expect(ended).toEqual([])
          expect(held.get("first")).toBe(24 * MiB)
          if (way === "is interrupted") yield* Fiber.interrupt(first)
          else yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(others)
        })))
        yield* Fiber.join(run)
        expect(ended).toEqual(["first", ...names])
      }
    }))

  it.effect("that wait can be interrupted, and others go on in their place", () =>
    Effect.gen(function*() {
      const { ended, read } = answers()
      const end = yield* Deferred.make<void>()
      yield* inOneRun(Effect.gen(function*() {
        const first = yield* Effect.forkChild(read("first", 8, Deferred.await(end)))
        yield* settle
        const second = yield* Effect.forkChild(read("second", 8))
        yield* settle
        const third = yield* Effect.forkChild(read("third", 8))
        yield* settle
        yield* Fiber.interrupt(second)
        expect(ended).toEqual(["second"])
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(third)
        yield* Fiber.join(first)
      }))
      expect(ended).toEqual(["second", "first", "third"])
    }))

  it.effect.each([["in a run", new Reading()], ["outside of runs", undefined]] as const)(
    "let the event loop turn between long pieces: %s",
    ([, reading]) =>
      Effect.gen(function*() {
        let turns = 0
        let timer = setImmediate(function count() {
          turns++
          timer = setImmediate(count)
        })
        const pieces = inTurn((turn) => Effect.forEach(Array.from({ length: 20 }), () => turn(64 * 1024)))
        yield* Effect.provideService(pieces, RunReading, reading)
        clearImmediate(timer)
        expect(turns).toBeGreaterThan(10)
      }),
  )

  it.effect("are those of one run, and of none outside of runs", () =>
    Effect.gen(function*() {
      const end = yield* Deferred.make<void>()
      const { ended, read, seen } = answers()
      const { source } = sourceOf([tool("read")], {
        call: (_, { name }) =>
          Effect.as(
            read(name as string, 8, (name as string).startsWith("stays") ? Deferred.await(end) : Effect.void),
            1,
          ),
      })
      const assembled = yield* Assembly.toolkit({ own: source }, Assembly.allowAll)
      const { execute } = yield* CodeMode.make(assembled, runtime)
      const run = (...names: ReadonlyArray<string>) =>
        execute(`return Promise.all(${JSON.stringify(names)}.map((name) => tools.own.read({ name })))`)
      const held = yield* Effect.forkChild(run("stays", "a"))
      yield* settle
      expect(ended).toEqual([])
      yield* run("b")
      yield* Effect.forEach(["c", "d"], (name) => source.call("read", { name }))
      expect(ended).toEqual(["b", "c", "d"])
      yield* Deferred.succeed(end, undefined)
      expect((yield* Fiber.join(held)).result).toEqual([1, 1])
      expect(ended).toEqual(["b", "c", "d", "stays", "a"])
      expect(seen.most).toBeLessThan(110 * MiB)
    }))
})
