import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Console, Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { PassThrough } from "node:stream"
import { stripVTControlCharacters } from "node:util"
import * as Progress from "../terminal/progress.ts"
import * as Timeline from "../terminal/timeline.ts"

const Slow = Toolkit.make(
  Tool.make("slow", { parameters: Schema.Struct({ millis: Schema.Int }), success: Schema.Int }),
  Tool.make("broken", {
    failure: Schema.Struct({ code: Schema.String, message: Schema.String }),
  }),
)

const handlers = Slow.toLayer({
  slow: ({ millis }) => Effect.as(Effect.sleep(millis), millis),
  broken: () => Effect.fail({ code: "NO_LUCK", message: "It is broken" }),
})

const program = `
const slow = await Promise.all([1, 2, 3, 4].map((n) => tools.slow({ millis: 400 + n })))
try { await tools.broken() } catch {}
await Promise.race([tools.slow({ millis: 1 }), tools.slow({ millis: 60000 })])
return slow`

/** Runs the program with its progress shown, and gives what a terminal and the console were sent. */
const shown = (live: boolean) =>
  Effect.gen(function*() {
    const sent: Array<string> = []
    const lines: Array<string> = []
    const output = Object.assign(new PassThrough(), { columns: 90, rows: 24, isTTY: true })
    output.on("data", (chunk: Buffer) => sent.push(stripVTControlCharacters(chunk.toString())))
    const console = { ...globalThis.console, log: (text: string) => lines.push(text) }
    yield* Effect.gen(function*() {
      const progress = yield* Progress.make({ live, output })
      const mode = yield* CodeMode.make(yield* Slow, InterpreterRuntime.make(), { ...progress })
      yield* mode.execute(program, "call")
    }).pipe(Effect.scoped, Effect.provideService(Console.Console, console), Effect.provide(handlers))
    return { sent: sent.join("\n"), lines }
  })

describe("the progress of a run", () => {
  it.live("in a terminal is drawn in place, with what runs, what ended and how", () =>
    Effect.gen(function*() {
      const { lines, sent } = yield* shown(true)
      expect(sent).toMatch(/0 of 4 calls done · 4 running/)
      expect(sent).toMatch(/[⠋-⠿] slow +\d+\.\d ms {2}\{"millis":401\}/)
      // The timeline stays, and what failed.
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain("Timeline: 7 calls in")
      expect(lines[0]!.split("\n").at(-1)).toBe("  ✖ broken {} NO_LUCK: It is broken")
    }))

  it.live("elsewhere is a line for each call that ended, and no control codes", () =>
    Effect.gen(function*() {
      const { lines, sent } = yield* shown(false)
      expect(sent).toBe("")
      const calls = lines.slice(0, -1)
      expect(calls).toHaveLength(7)
      expect(calls[0]).toMatch(/^ {2}call\/\d +\d+\.\d ms {2}slow +\{"millis":40\d\}$/)
      expect(calls[4]).toMatch(/broken +\{\} +NO_LUCK: It is broken$/)
      expect(calls[6]).toMatch(/slow +\{"millis":60000\} +interrupted$/)
    }))

  it.live("the timeline shows side by side what ran side by side", () =>
    Effect.gen(function*() {
      const { lines } = yield* shown(false)
      const [title, ...rows] = lines.at(-1)!.trim().split("\n")
      expect(title).toMatch(/^Timeline: 7 calls in \d+\.\d ms, at most 4 at once$/)
      const bars = rows.filter((row) => row.includes("━"))
      expect(bars).toHaveLength(4)
      const starts = bars.map((row) => row.indexOf("━"))
      const ends = bars.map((row) => row.indexOf("━") + /━+/.exec(row)![0].length)
      expect(Math.max(...starts)).toBeLessThan(Math.min(...ends))
      expect(rows.filter((row) => /^ *broken .*╳/.test(row))).toHaveLength(1)
      expect(rows.at(-1)).toMatch(/^ +0 ─+ \d+\.\d ms$/)
    }))
})

describe("a timeline", () => {
  const call = (name: string, start: number, end: number, state: Timeline.State = "success") => ({
    name,
    start,
    end,
    state,
  })

  it("puts calls of a tool that did not overlap into one row", () => {
    const rows = Timeline.lanes([call("a", 0, 10), call("a", 10, 20), call("a", 5, 15), call("b", 0, 1, "failure")])
    expect(rows.map(({ bars, label }) => [label, bars.length])).toEqual([["a", 2], ["", 1], ["b", 1]])
    expect(rows[0]!.note).toBe("3 calls, 10.0 ms to 10.0 ms")
    expect(Timeline.most([call("a", 0, 10), call("a", 10, 20), call("a", 5, 15)])).toBe(2)
  })

  it("keeps to its width, whatever the labels, and draws even the shortest call", () => {
    const lines = Timeline.render([
      { label: "x".repeat(80), bars: [{ start: 0, end: 1_000, state: "success" }], note: "y".repeat(80) },
      { label: "short", bars: [{ start: 999.9, end: 1_000, state: "interrupted" }], note: "" },
    ], 100)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    expect(lines[1]).toMatch(/^short +┄$/)
    expect(lines.at(-1)).toContain("1.00 s")
    expect(Timeline.render([], 100)).toEqual([])
  })
})
