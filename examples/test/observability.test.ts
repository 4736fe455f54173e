import { describe, expect, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as Spans from "../terminal/spans.ts"
import { example, section } from "./run.ts"

describe("the observability example", () => {
  it("shows spans on a time axis, attributes, the audit list and metrics", async () => {
    const output = await example("observability")

    const spans = section(output, "Spans")
    expect(spans).toMatch(/^ {2}agent +━+ +\d+\.\d ms$/m)
    expect(spans).toMatch(/^ {8}codemode\.execute +━+ +\d+\.\d ms$/m)
    expect(spans.match(/^ {10}codemode\.stations\.find +[━╳]+ +\d+\.\d ms$/gm)).toHaveLength(5)
    expect(spans.match(/^ {10}codemode\.stations\.find +╳+/gm)).toHaveLength(1)
    expect(spans.match(/^ {12}radio +━+/gm)).toHaveLength(4)

    expect(section(output, "Attributes")).toContain("gen_ai.operation.name = execute_tool")
    expect(section(output, "Attributes")).toContain("error.type = NO_STATION")
    expect(output).toMatch(/Audit of call-1: Success in .*\n(?: {4}call-1\/\d {2}(?:success|failure) .*\n){9}/)

    const metrics = section(output, "Metrics")
    expect(metrics).toMatch(/codemode\.runs success +1$/m)
    expect(metrics).toMatch(/codemode\.calls success +8$/m)
    expect(metrics).toMatch(/codemode\.calls failure +1$/m)
    expect(section(output, "The model says")).toContain("Cairo, with 22 degrees.")
  })
})

describe("spans as rows", () => {
  it.effect("each stands below the one around it, also when it began later or has not ended", () =>
    Effect.gen(function*() {
      const { spans, tracer } = Spans.collect()
      yield* Effect.all([
        Effect.withSpan(Effect.withSpan(Effect.void, "inner"), "first"),
        Effect.exit(Effect.withSpan(Effect.fail("no"), "second")),
        Effect.makeSpanScoped("open"),
      ]).pipe(
        Effect.withSpan("all"),
        Effect.tap(() =>
          Effect.sync(() => {
            expect(Spans.rows(spans).map(({ bars, label }) => [label, bars[0]!.state])).toEqual([
              ["all", "success"],
              ["  first", "success"],
              ["    inner", "success"],
              ["  second", "failure"],
              ["  open", "interrupted"],
            ])
          })
        ),
        Effect.scoped,
        Effect.provideService(Tracer.Tracer, tracer),
      )
    }))
})
