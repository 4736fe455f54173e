import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode, type ToolSource } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { calling, stub } from "./fixtures.ts"
import { errorOf, kit, mode, runtime, settle, until } from "./session-fixtures.ts"

/** Keeps the reports of runs. */
const keeping = () => {
  const reports: Array<CodeMode.Report> = []
  const onRunEnd = (report: CodeMode.Report) => Effect.sync(() => void reports.push(report))
  return { reports, onRunEnd }
}

const brief = ({ calls }: CodeMode.Report) => calls.map(({ id, input, name, outcome }) => [id, name, input, outcome])

describe("the report of a run", () => {
  it.effect("tells the outcome, the calls in the order they started, and what was used", () =>
    Effect.gen(function*() {
      const { reports, onRunEnd } = keeping()
      const { execute } = yield* mode({ onRunEnd })
      const code = "return Promise.all([3, 1, 2].map((n) => tools.slow({ ms: n * 100 })))"
      const fiber = yield* Effect.forkChild(execute(code, "run"))
      yield* settle
      yield* TestClock.adjust(1000)
      const outcome = yield* Fiber.join(fiber)
      expect(reports).toHaveLength(1)
      const [report] = reports
      expect(report).toMatchObject({ id: "run", code, attachments: [] })
      expect(Exit.isSuccess(report!.exit) && report!.exit.value).toEqual(outcome)
      expect(brief(report!)).toEqual([
        ["run/1", "slow", { ms: 300 }, "success"],
        ["run/2", "slow", { ms: 100 }, "success"],
        ["run/3", "slow", { ms: 200 }, "success"],
      ])
      expect(report!.calls.map(({ duration }) => Duration.toMillis(duration))).toEqual([300, 100, 200])
      expect(Duration.toMillis(report!.duration)).toBe(300)
      expect(Duration.toMillis(report!.waited)).toBe(0)
      expect(report!.fuel).toBeGreaterThan(10)
      expect(report!.peakMemory).toBeGreaterThan(100)
    }))

  it.effect("tells why a run failed, and which calls it made", () =>
    Effect.gen(function*() {
      const { reports, onRunEnd } = keeping()
      const { execute } = yield* mode({ onRunEnd })
      const error = yield* Effect.flip(
        execute("tools.never(); await tools.echo({ n: 1 }); await tools.refuse()", "run"),
      )
      expect(errorOf(reports[0]!)).toEqual(error)
      expect(error.code).toBe("NO_SUCH_REPO")
      expect(brief(reports[0]!)).toEqual([
        ["run/1", "never", {}, "interrupted"],
        ["run/2", "echo", { n: 1 }, "success"],
        ["run/3", "refuse", {}, "failure"],
      ])
      expect(reports[0]!.calls[2]).toMatchObject({ code: "NO_SUCH_REPO", message: "No repository a/b" })
      expect(reports[0]!.fuel).toBeGreaterThan(10)
    }))

  it.effect("tells what a run did that was interrupted", () =>
    Effect.gen(function*() {
      const { reports, onRunEnd } = keeping()
      const { execute, started } = yield* mode({ onRunEnd })
      const fiber = yield* Effect.forkChild(execute("await tools.echo({ n: 1 }); await tools.never()", "run"))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      expect(Exit.hasInterrupts(reports[0]!.exit)).toBe(true)
      expect(brief(reports[0]!)).toEqual([
        ["run/1", "echo", { n: 1 }, "success"],
        ["run/2", "never", {}, "interrupted"],
      ])
      expect(reports[0]!.fuel).toBeGreaterThan(10)
    }))

  it.effect.each<[string, string, CodeMode.Options, string]>([
    ["whose time is over", "await tools.never()", { timeout: "1 second" }, "TIMEOUT"],
    ["whose result is too large", "return 'x'.repeat(100)", { maxResultLength: 10 }, "RESULT_TOO_LARGE"],
    ["that does not parse", "return (", {}, "SYNTAX_ERROR"],
    ["that throws", "throw new Error('no')", {}, "EXECUTION_ERROR"],
  ])("tells of a run %s", ([, code, options, expected]) =>
    Effect.gen(function*() {
      const { reports, onRunEnd } = keeping()
      const { execute } = yield* mode({ ...options, onRunEnd })
      const fiber = yield* Effect.forkChild(Effect.flip(execute(code)))
      yield* settle
      yield* TestClock.adjust("1 second")
      expect((yield* Fiber.join(fiber)).code).toBe(expected)
      expect(reports.map((report) => errorOf(report)?.code)).toEqual([expected])
    }))

  it.effect("is what `run` gives, for a program that succeeds and for one that does not", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      const good = yield* run("return tools.echo({ n: 1 })", "good")
      expect(Exit.isSuccess(good.exit) && good.exit.value).toEqual({ result: 1, logs: [] })
      expect(brief(good)).toEqual([["good/1", "echo", { n: 1 }, "success"]])
      const bad = yield* run("await tools.break()", "bad")
      expect(errorOf(bad)).toMatchObject({ code: "TOOL_FAILURE" })
      expect(brief(bad)).toEqual([["bad/1", "break", {}, "failure"]])
      expect((yield* run("return 1")).id).toBe("execute-1")
    }))

  it.effect("`run` is interrupted with its fiber", () =>
    Effect.gen(function*() {
      const { interrupted, run, started } = yield* mode()
      const fiber = yield* Effect.forkChild(run("await tools.never()"))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(interrupted)
      expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
    }))

  it.effect("of the same effect run twice is one for each", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      const effect = run("return tools.echo({ n: 1 })", "same")
      const reports = [yield* effect, yield* effect]
      expect(reports.map(({ calls }) => calls.length)).toEqual([1, 1])
    }))

  it.effect("leaves out inputs that would take more than 16 Mi characters, and still tells the calls", () =>
    Effect.gen(function*() {
      const Take = Toolkit.make(
        Tool.make("take", { parameters: Schema.Struct({ text: Schema.String }), success: Schema.Number }),
      )
      const presented = yield* Effect.provide(Take, Take.toLayer({ take: ({ text }) => Effect.succeed(text.length) }))
      const { run } = yield* CodeMode.make(presented, runtime)
      const report = yield* run(
        "const text = 'x'.repeat(4_000_000)\nfor (let i = 0; i < 6; i++) await tools.take({ text })\nawait tools.take({ text: 'y' })",
      )
      expect(report.calls.map(({ input, inputLeftOut, outcome }) => [
        outcome,
        inputLeftOut === true,
        String(input.text ?? "").length,
      ])).toEqual([
        ...Array.from({ length: 4 }, () => ["success", false, 4_000_000]),
        ...Array.from({ length: 3 }, () => ["success", true, 0]),
      ])
    }))

  it.effect("of a runtime that measures nothing has no fuel and no memory", () =>
    Effect.gen(function*() {
      const { presented } = yield* kit
      const { run } = yield* CodeMode.make(presented, stub(calling("echo", { n: 1 })))
      const report = yield* run("")
      expect(report.calls).toHaveLength(1)
      expect("fuel" in report || "peakMemory" in report).toBe(false)
    }))

  it.effect.each<[string, unknown]>([
    ["nothing", null],
    ["no numbers", { fuel: "many", peakMemory: Number.NaN, location: { line: 0, column: "a" } }],
  ])(
    "of a runtime that tells %s where it should tell what was used has none of it",
    ([, usage]) =>
      Effect.gen(function*() {
        const { presented } = yield* kit
        const { run } = yield* CodeMode.make(presented, {
          run: (execution) =>
            Effect.sync(() => {
              execution.usage!(usage as never)
              return { result: 1, logs: [] }
            }),
        })
        const report = yield* run("")
        expect(Exit.isSuccess(report.exit)).toBe(true)
        expect("fuel" in report || "peakMemory" in report).toBe(false)
      }),
  )

  it.effect("tells of a call that the runtime left behind that it was interrupted, and so it is", () =>
    Effect.gen(function*() {
      const { interrupted, presented, started } = yield* kit
      const careless = stub((execution) =>
        Effect.forkDetach(execution.call("never", {}), { startImmediately: true }).pipe(
          Effect.andThen(Deferred.await(started)),
          Effect.as(1),
        )
      )
      const { run } = yield* CodeMode.make(presented, careless)
      expect(brief(yield* run("", "run"))).toEqual([["run/1", "never", {}, "interrupted"]])
      yield* Deferred.await(interrupted)
    }))

  it.effect("tells all calls that there ever are: none begins when the run is over", () =>
    Effect.gen(function*() {
      const { handled, presented } = yield* kit
      const late: Array<Effect.Effect<Schema.Json, ToolSource.Failure>> = []
      const careless = stub(({ call, observe }) =>
        Effect.sync(() => {
          late.push(call("echo", { n: 1 }), observe!("$codemode.search", {}, Effect.succeed(1)), call("nope", {}))
          return 1
        })
      )
      const ends: Array<CodeMode.CallEnd> = []
      const { run } = yield* CodeMode.make(presented, careless, {
        onToolCallEnd: (end) => Effect.sync(() => void ends.push(end)),
      })
      const report = yield* run("")
      for (const call of late.slice(0, 2)) {
        expect(Exit.hasInterrupts(yield* Effect.exit(call))).toBe(true)
      }
      expect(yield* Effect.flip(late[2]!)).toMatchObject({ code: "UNKNOWN_TOOL" })
      expect([report.calls, ends, handled]).toEqual([[], [], []])
    }))
})

describe("fuel", () => {
  const programs: Record<string, string> = {
    "a loop": "let sum = 0\nfor (let i = 0; i < 10_000; i++) sum += i % 7\nreturn sum",
    "a sort with strings, maps and regular expressions":
      "const words = Array.from({ length: 500 }, (_, n) => `w${(n * 7919) % 503}`).sort()\nreturn words.filter((w) => /^w\\d\\d$/.test(w)).length",
    "calls one after the other":
      "let sum = 0\nfor (let i = 0; i < 20; i++) sum += await tools.slow({ ms: i % 3 })\nreturn sum",
    "calls together": "return Promise.all(Array.from({ length: 40 }, (_, n) => tools.slow({ ms: (n * 7) % 11 })))",
    "calls together with work after each": `let sum = 0
await Promise.all(Array.from({ length: 30 }, async (_, n) => {
  const got = await tools.slow({ ms: (n * 5) % 7 })
  for (let i = 0; i < n; i++) sum += got
}))
return sum`,
    "a failure": "await tools.echo({ n: 1 })\nfor (let i = 0; i < 100; i++);\nawait tools.refuse()",
    "a syntax error": "return (",
    "a program that is ended by its limit": "while (true) {}",
    "timers": "await new Promise((resolve) => setTimeout(resolve, 5))\nreturn 1",
  }

  const bounded = InterpreterRuntime.make({ limits: { fuel: 200_000 } })

  // The delays are another's each time, and so is the order in which calls end.
  const delayed = (seed: number) =>
    Effect.gen(function*() {
      const Slow = Toolkit.make(
        Tool.make("slow", { parameters: Schema.Struct({ ms: Schema.Number }), success: Schema.Number }),
        Tool.make("echo", { parameters: Schema.Struct({ n: Schema.Number }), success: Schema.Number }),
        Tool.make("refuse", { failure: Schema.String }),
      )
      let calls = 0
      return yield* Effect.provide(
        Slow,
        Slow.toLayer({
          slow: ({ ms }) =>
            Effect.suspend(() => Effect.as(Effect.sleep((++calls * 7919 + seed * 104_729) % (seed * 3 + 1)), ms)),
          echo: ({ n }) => Effect.succeed(n),
          refuse: () => Effect.fail("no"),
        }),
      )
    })

  it.live.each(Object.keys(programs))("is the same on every run: %s", (name) =>
    Effect.gen(function*() {
      const used = new Set<number>()
      for (let seed = 0; seed < 6; seed++) {
        const { run } = yield* CodeMode.make(yield* delayed(seed), bounded)
        const report = yield* run(programs[name]!)
        used.add(report.fuel!)
      }
      expect(used.size).toBe(1)
      expect([...used][0]! > 0).toBe(name !== "a syntax error")
    }))

  it.live("of a program whose path depends on which call ends first is that of its path", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      const race = (a: number, b: number) =>
        `const first = await Promise.race([tools.slow({ ms: ${a} }), tools.slow({ ms: ${b} })])
if (first === ${a}) for (let i = 0; i < 1000; i++);
return first`
      const left = [yield* run(race(1, 400)), yield* run(race(1, 400))].map(({ fuel }) => fuel)
      expect(left[0]).toBe(left[1])
    }))

  it.live("grows with the work, and memory with what is kept", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      const loop = (n: number) => run(`for (let i = 0; i < ${n}; i++);`)
      expect((yield* loop(10_000)).fuel! / (yield* loop(1000)).fuel!).toBeGreaterThan(5)
      const keep = (n: number) =>
        run(`const all = []\nfor (let i = 0; i < ${n}; i++) all.push({ i })\nreturn all.length`)
      const small = (yield* keep(1000)).peakMemory!
      const large = (yield* keep(50_000)).peakMemory!
      expect(large).toBeGreaterThan(50_000 * 50)
      expect(small).toBeLessThan(large / 20)
    }))
})

describe("a run that is ended from outside", () => {
  it.effect("tells where its program was: in a loop", () =>
    Effect.gen(function*() {
      const { execute } = yield* mode({ timeout: "1 second" }, { fuel: "unbounded" })
      const fiber = yield* Effect.forkChild(
        Effect.flip(execute("let n = 0\nconst f = () => {\n  while (true) n++\n}\nf()")),
      )
      yield* settle
      yield* TestClock.adjust("1 second")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ code: "TIMEOUT", location: { line: 3 } })
    }))

  it.effect("tells where its program was: at a call", () =>
    Effect.gen(function*() {
      const { execute, explain, started } = yield* mode({ timeout: "1 second" })
      const code = "const a = await tools.echo({ n: 1 })\nreturn a + await tools.never()"
      const fiber = yield* Effect.forkChild(Effect.flip(execute(code)))
      yield* Deferred.await(started)
      yield* TestClock.adjust("1 second")
      const error = yield* Fiber.join(fiber)
      expect(error).toMatchObject({ code: "TIMEOUT", location: { line: 2 } })
      expect(explain(code, error)).toContain("return a + await tools.never()")
    }))

  it.effect("tells it by the runtime's own limit, too", () =>
    Effect.gen(function*() {
      let calls = 0
      const { execute, started } = yield* mode({ onToolCallStart: () => Effect.sync(() => void calls++) }, {
        timeout: 500,
      })
      const fiber = yield* Effect.forkChild(Effect.flip(execute("\nawait tools.never()")))
      yield* Deferred.await(started)
      yield* until(() => calls === 1)
      yield* TestClock.adjust(500)
      expect(yield* Fiber.join(fiber)).toMatchObject({ code: "TIMEOUT", location: { line: 2 } })
    }))
})
