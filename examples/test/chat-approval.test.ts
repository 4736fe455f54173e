import { describe, expect, it } from "@effect/vitest"
import { type Cause, Effect, FileSystem, Layer, Option, Path, Queue, Terminal } from "effect"
import { answersOf, ask } from "../chat-approval/person.ts"
import { example, section } from "./run.ts"

describe("the chat with approval", () => {
  it("after yes, the calls are made, and the model goes on from their results", async () => {
    const output = await example("chat-approval", "--yes")
    expect(output.match(/waits for approval: approved/g)).toHaveLength(2)
    expect(output.indexOf("call-3 ")).toBeGreaterThan(output.indexOf("waits for approval: approved"))
    expect(section(output, "The model says")).toContain("Order 23: 1299.00 went back.")
    expect(section(output, "What happened").match(/went back/g)).toHaveLength(3)
  })

  it("after no, they are not, and the model goes on from that", async () => {
    const output = await example("chat-approval", "--no")
    expect(output.match(/waits for approval: denied/g)).toHaveLength(2)
    expect(section(output, "The model says")).toContain("Order 23: 1299.00 was not approved, so I left it alone.")
    // The small one needed no approval.
    expect(section(output, "What happened").match(/order \d+: .* went back/g)).toEqual(["order 9: 12.00 went back"])
  })

  it("where nobody can be asked, the answer is no", async () => {
    const output = await example("chat-approval")
    expect(output.match(/waits for approval: denied/g)).toHaveLength(2)
    expect(output).toContain("To be asked, start it in a terminal.")
  })

  it("flags win over whether someone is there, and no over yes", () => {
    expect([answersOf({}, true), answersOf({}, false)]).toEqual(["ask", "no"])
    expect([answersOf({ yes: true }, true), answersOf({ no: true }, true), answersOf({ yes: true, no: true }, false)])
      .toEqual(["yes", "no", "no"])
  })
})

describe("the question at the terminal", () => {
  const answered = (name: string, input = Option.some(name)) =>
    Effect.gen(function*() {
      const shown: Array<string> = []
      const terminal = Terminal.make({
        columns: Effect.succeed(80),
        rows: Effect.succeed(24),
        size: Effect.never,
        readLine: Effect.never,
        readInput: Effect.gen(function*() {
          const queue = yield* Queue.unbounded<Terminal.UserInput, Cause.Done>()
          if (name === "escape") yield* Queue.end(queue)
          else yield* Queue.offer(queue, { input, key: { name, ctrl: false, meta: false, shift: false } })
          return queue
        }),
        display: (text) => Effect.sync(() => shown.push(text)),
      })
      const answer = yield* ask("May it?", "ask").pipe(
        Effect.provide(Layer.mergeAll(
          Layer.succeed(Terminal.Terminal)(terminal),
          FileSystem.layerNoop({}),
          Path.layer,
        )),
      )
      return { answer, shown: shown.join("") }
    })

  it.live("is shown, and answered by a key", () =>
    Effect.gen(function*() {
      const yes = yield* answered("y")
      expect(yes.shown).toContain("May it?")
      expect(yes.answer).toBe(true)
      expect((yield* answered("n")).answer).toBe(false)
    }))

  it.live("is no for who presses Enter without a choice, or leaves", () =>
    Effect.gen(function*() {
      expect((yield* answered("enter", Option.none())).answer).toBe(false)
      expect((yield* answered("escape")).answer).toBe(false)
    }))
})
