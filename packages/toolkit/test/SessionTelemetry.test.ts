import { CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Metric, Schema, Tracer } from "effect"
import { Tool, Toolkit } from "effect/ai"
import { handle, hostLog } from "./fixtures.ts"
import { mode, runtime, secret, until } from "./session-fixtures.ts"

/** A tracer that keeps its spans. */
const tracing = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  const named = (name: string) => {
    const found = spans.filter((span) => span.name === name)
    expect(found).toHaveLength(1)
    return found[0]!
  }
  return { spans, named, provide: Effect.provideService(Tracer.Tracer, tracer) }
}

const attributesOf = (span: Tracer.NativeSpan) => Object.fromEntries(span.attributes)

const parentOf = ({ parent }: Tracer.NativeSpan): unknown => parent._tag === "Some" ? parent.value : undefined

const exitOf = ({ status }: Tracer.NativeSpan): Exit.Exit<unknown, unknown> => {
  if (status._tag !== "Ended") throw new Error("The span has not ended")
  return status.exit
}

/** All that a tracer could send somewhere, as text. */
const everything = (spans: ReadonlyArray<Tracer.NativeSpan>): string =>
  spans.map((span) => {
    const exit = exitOf(span)
    return [
      span.name,
      JSON.stringify([...span.attributes]),
      JSON.stringify(span.events, (_, value: unknown) => typeof value === "bigint" ? String(value) : value),
      Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "",
    ].join("\n")
  }).join("\n")

describe("spans", () => {
  it.effect("one for the run, below it one for each call, below the span around the run", () =>
    Effect.gen(function*() {
      const { named, provide, spans } = tracing()
      const { execute } = yield* mode()
      yield* execute(
        "await Promise.all([tools.echo({ n: 1 }), tools.github.list()])\nawait search({ query: 'list' })",
        "toolu_1",
      ).pipe(Effect.withSpan("agent"), provide)
      expect(spans.map(({ name }) => name)).toEqual([
        "agent",
        "codemode.execute",
        "codemode.echo",
        "codemode.github.list",
        "codemode.$codemode.search",
      ])
      const run = named("codemode.execute")
      expect(parentOf(run)).toBe(named("agent"))
      for (const name of ["echo", "github.list", "$codemode.search"]) {
        expect(parentOf(named(`codemode.${name}`))).toBe(run)
      }
      expect(spans.every((span) => Exit.isSuccess(exitOf(span)))).toBe(true)
      expect(attributesOf(run)).toEqual({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "execute",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "toolu_1",
        "codemode.calls": 3,
        "codemode.fuel": expect.any(Number),
        "codemode.peak_memory": expect.any(Number),
      })
      expect(attributesOf(named("codemode.github.list"))).toMatchObject({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "github.list",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "toolu_1/2",
      })
    }))

  it.effect("inputs and results are in no span", () =>
    Effect.gen(function*() {
      const { provide, spans } = tracing()
      const Notes = Toolkit.make(
        Tool.make("note", { parameters: Schema.Struct({ text: Schema.String }), success: Schema.String }),
      )
      const presented = yield* Effect.provide(
        Notes,
        Notes.toLayer({ note: ({ text }) => Effect.succeed(`canary-result for ${text}`) }),
      )
      const toolkit = yield* CodeMode.toolkit(presented, runtime)
      yield* handle(
        toolkit,
        "execute",
        { code: "/* canary-code */ return tools.note({ text: 'canary-input' })" },
        "run",
      ).pipe(Effect.withSpan("agent"), provide)
      expect(spans).toHaveLength(3)
      expect(everything(spans)).not.toContain("canary")
    }))

  it.effect("they are, as the conventions name them, where the host asks for it", () =>
    Effect.gen(function*() {
      const { named, provide } = tracing()
      const { execute } = yield* mode({ traceContent: true })
      const code = "return tools.echo({ n: 7 })"
      yield* provide(execute(code))
      expect(attributesOf(named("codemode.execute"))).toMatchObject({
        "gen_ai.tool.call.arguments": JSON.stringify({ code }),
        "gen_ai.tool.call.result": `{"result":7,"logs":[]}`,
      })
      expect(attributesOf(named("codemode.echo"))).toMatchObject({
        "gen_ai.tool.call.arguments": `{"n":7}`,
        "gen_ai.tool.call.result": "7",
      })
    }))

  it.effect("those that are large are left out", () =>
    Effect.gen(function*() {
      const { named, provide } = tracing()
      const { execute } = yield* mode({ traceContent: true })
      yield* provide(execute("return 'x'.repeat(40_000)"))
      expect(attributesOf(named("codemode.execute"))["gen_ai.tool.call.result"])
        .toBe("[left out: more than 32,768 characters]")
    }))

  it.effect("a failed call fails its span with the failure that the program sees, and its code", () =>
    Effect.gen(function*() {
      const { named, provide } = tracing()
      const { execute } = yield* mode()
      yield* provide(execute("try { await tools.refuse() } catch {}"))
      const exit = exitOf(named("codemode.refuse"))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toMatchObject({ code: "NO_SUCH_REPO" })
      expect(attributesOf(named("codemode.refuse"))["error.type"]).toBe("NO_SUCH_REPO")
      expect(Exit.isSuccess(exitOf(named("codemode.execute")))).toBe(true)
    }))

  it.effect("a failed run fails its span with the error that the host gets, and its code", () =>
    Effect.gen(function*() {
      const { named, provide } = tracing()
      const { execute } = yield* mode()
      const error = yield* provide(Effect.flip(execute("throw new Error('no')")))
      const exit = exitOf(named("codemode.execute"))
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBe(error)
      expect(attributesOf(named("codemode.execute"))["error.type"]).toBe("EXECUTION_ERROR")
    }))

  it.effect("a defect's words are in no span", () =>
    Effect.gen(function*() {
      const { provide, spans } = tracing()
      const log = hostLog()
      const { execute } = yield* mode({ authorize: ({ name }) => name === "echo" ? Effect.die(secret) : Effect.void })
      yield* execute("try { await tools.break() } catch {}\nawait tools.echo({ n: 1 })").pipe(
        Effect.exit,
        provide,
        Effect.provide(log.layer),
      )
      const broken = yield* CodeMode.make(yield* Toolkit.empty, { run: () => Effect.die(new Error(secret)) })
      yield* broken.execute("").pipe(Effect.exit, provide, Effect.provide(log.layer))
      expect(log.entries.join().split("hunter2").length).toBeGreaterThanOrEqual(4)
      expect(spans.map(({ name }) => name)).toEqual([
        "codemode.execute",
        "codemode.break",
        "codemode.echo",
        "codemode.execute",
      ])
      expect(everything(spans)).not.toContain("hunter2")
      expect(spans.map((span) => span.attributes.get("error.type"))).toEqual([
        "ACCESS_DENIED",
        "TOOL_FAILURE",
        "ACCESS_DENIED",
        "RUNTIME_FAILURE",
      ])
    }))

  it.effect("an interrupted run interrupts its spans", () =>
    Effect.gen(function*() {
      const { provide, spans } = tracing()
      const { execute, started } = yield* mode()
      const fiber = yield* Effect.forkChild(provide(execute("await tools.never()")))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      expect(spans.map(({ name }) => name)).toEqual(["codemode.execute", "codemode.never"])
      expect(spans.every((span) => Exit.hasInterrupts(exitOf(span)))).toBe(true)
    }))

  const Inside = Toolkit.make(
    Tool.make("inside", { parameters: Schema.Struct({ n: Schema.Number }), success: Schema.String }),
  )
  const inside = Effect.provide(
    Inside,
    Inside.toLayer({
      inside: ({ n }) =>
        Effect.gen(function*() {
          yield* Effect.annotateCurrentSpan({ mine: n })
          yield* Effect.withSpan(Effect.void, "query")
          return (yield* Effect.currentSpan).name
        }).pipe(Effect.orDie),
    }),
  )

  it.effect("the handler runs in the span of its call: its attributes and its own spans are there", () =>
    Effect.gen(function*() {
      const { named, provide } = tracing()
      const { execute } = yield* CodeMode.make(yield* inside, runtime)
      const { result } = yield* provide(execute("return tools.inside({ n: 5 })"))
      expect(result).toBe("codemode.inside")
      expect(attributesOf(named("codemode.inside"))).toMatchObject({ mine: 5 })
      expect(parentOf(named("query"))).toBe(named("codemode.inside"))
    }))

  it.effect("with the default tracer, too, where there is a span around", () =>
    Effect.gen(function*() {
      const { execute } = yield* CodeMode.make(yield* inside, runtime)
      const { result } = yield* Effect.withSpan(execute("return tools.inside({ n: 5 })"), "agent")
      expect(result).toBe("codemode.inside")
    }))

  it.effect("none where tracing is switched off", () =>
    Effect.gen(function*() {
      const { provide, spans } = tracing()
      const { execute } = yield* mode()
      yield* provide(Effect.withTracerEnabled(execute("await tools.echo({ n: 1 })"), false))
      expect(spans).toEqual([])
    }))

  it.effect("a run inside a tool is below the call of the tool", () =>
    Effect.gen(function*() {
      const { named, provide, spans } = tracing()
      const inner = yield* mode()
      const Agent = Toolkit.make(Tool.make("agent", { success: Schema.Json, failure: CodeMode.CodeError }))
      const presented = yield* Effect.provide(
        Agent,
        Agent.toLayer({
          agent: (_, { toolCallId }) =>
            Effect.map(inner.execute("return tools.echo({ n: 3 })", toolCallId), ({ result }) => result),
        }),
      )
      const { execute } = yield* CodeMode.make(presented, runtime)
      expect((yield* provide(execute("return tools.agent()", "run"))).result).toBe(3)
      const [outer, innerRun] = spans.filter(({ name }) => name === "codemode.execute")
      expect(parentOf(named("codemode.agent"))).toBe(outer)
      expect(parentOf(innerRun!)).toBe(named("codemode.agent"))
      expect(parentOf(named("codemode.echo"))).toBe(innerRun)
      expect(attributesOf(named("codemode.echo"))["gen_ai.tool.call.id"]).toBe("run/1/1")
    }))

  it.effect("hooks and the question run in the span of the call", () =>
    Effect.gen(function*() {
      const { provide } = tracing()
      const seen: Array<string> = []
      const see = Effect.map(Effect.orDie(Effect.currentSpan), ({ name }) => void seen.push(name))
      const { execute } = yield* mode({
        onToolCallStart: () => see,
        onToolCallEnd: () => see,
        authorize: () => see,
      })
      yield* provide(execute("await tools.echo({ n: 1 })"))
      expect(seen).toEqual(["codemode.echo", "codemode.echo", "codemode.echo"])
    }))
})

describe("metrics", () => {
  /** Runs with a registry of its own, and gives the metrics by id and outcome. */
  const measured = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.gen(function*() {
      const registry: Metric.MetricRegistry = new Map()
      yield* Effect.provideService(effect, Metric.MetricRegistry, registry)
      const snapshot = yield* Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry)
      const counts: Record<string, number> = {}
      const histograms: Record<string, { count: number; sum: number }> = {}
      for (const { attributes, id, state, type } of snapshot) {
        if (type === "Counter") counts[`${id} ${attributes?.outcome}`] = Number(state.count)
        if (type === "Histogram") histograms[id] = { count: state.count, sum: state.sum }
      }
      return { counts, histograms }
    })

  it.effect("count runs by what they came to and calls by what became of them", () =>
    Effect.gen(function*() {
      const { execute } = yield* mode()
      const other = yield* mode()
      const cancelled = Effect.gen(function*() {
        const { execute, started } = other
        const fiber = yield* Effect.forkChild(execute("await tools.never()"))
        yield* Deferred.await(started)
        yield* Fiber.interrupt(fiber)
      })
      const { counts, histograms } = yield* measured(Effect.gen(function*() {
        yield* execute("for (let n = 0; n < 5; n++) await tools.echo({ n })")
        yield* execute("return Promise.race([tools.never(), tools.echo({ n: 1 })])")
        yield* Effect.flip(execute("throw new Error('no')"))
        yield* Effect.flip(execute("await tools.refuse()"))
        yield* Effect.flip(execute("return ("))
        yield* cancelled
      }))
      expect(counts).toEqual({
        "codemode.runs success": 2,
        "codemode.runs EXECUTION_ERROR": 1,
        // A code that a tool declares is one of any number.
        "codemode.runs TOOL_FAILURE": 1,
        "codemode.runs SYNTAX_ERROR": 1,
        "codemode.runs interrupted": 1,
        "codemode.calls success": 6,
        "codemode.calls failure": 1,
        "codemode.calls interrupted": 2,
      })
      expect(Object.keys(histograms).sort()).toEqual([
        "codemode.run.duration",
        "codemode.run.fuel",
        "codemode.run.peak_memory",
      ])
      expect(histograms["codemode.run.duration"]!.count).toBe(6)
      expect(histograms["codemode.run.fuel"]!.count).toBe(6)
      expect(histograms["codemode.run.fuel"]!.sum).toBeGreaterThan(50)
    }))

  it.effect("are the same whether calls are looked at one by one or not", () =>
    Effect.gen(function*() {
      const code = "await Promise.allSettled([tools.echo({ n: 1 }), tools.refuse(), search({ query: 'echo' })])"
      const plain = yield* mode()
      const hooked = yield* mode({ onToolCallEnd: () => Effect.void })
      const counts = (yield* measured(plain.execute(code))).counts
      expect(counts).toMatchObject({ "codemode.calls success": 2, "codemode.calls failure": 1 })
      expect((yield* measured(hooked.execute(code))).counts).toEqual(counts)
    }))

  it.effect("have the fuel that the report has", () =>
    Effect.gen(function*() {
      const { run } = yield* mode()
      let report: CodeMode.Report | undefined
      const { histograms } = yield* measured(
        Effect.map(run("for (let i = 0; i < 100; i++);"), (told) => {
          report = told
        }),
      )
      yield* until(() => report !== undefined)
      expect(histograms["codemode.run.fuel"]).toEqual({ count: 1, sum: report!.fuel })
      expect(histograms["codemode.run.peak_memory"]).toEqual({ count: 1, sum: report!.peakMemory })
    }))
})
