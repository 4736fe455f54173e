/**
 * What a host sees of a run: the spans of the model call, of the program and of each of its calls, on a time axis; their attributes;
 * the audit list; and the metrics afterwards. All of it is Effect's own, so that any exporter takes it.
 */
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Console, Duration, Effect, Metric, Ref, Tracer } from "effect"
import { Chat } from "effect/ai"
import { converse } from "../shared/agent.ts"
import * as ScriptedModel from "../shared/scripted-model.ts"
import { observe } from "../terminal/observe.ts"
import * as Spans from "../terminal/spans.ts"
import { bold, dim, heading, time } from "../terminal/text.ts"
import * as Timeline from "../terminal/timeline.ts"
import * as Transcript from "../terminal/transcript.ts"
import { script } from "./script.ts"
import { Weather, WeatherLive } from "./weather.ts"

const { spans, tracer } = Spans.collect()

const session = Effect.gen(function*() {
  const toolkit = observe(
    yield* CodeMode.toolkit(yield* Weather, yield* CodeMode.CodeRuntime, {
      // The audit list: every run, whatever came of it, with its calls in order.
      onRunEnd: ({ calls, code, duration, exit, id }) =>
        Console.log([
          `\n  ${bold("Audit")} of ${id}: ${exit._tag} in ${
            time(Duration.toMillis(duration))
          }, ${code.length} characters of code`,
          ...calls.map((call) =>
            `    ${call.id}  ${call.outcome.padEnd(11)} ${call.name} ${dim(JSON.stringify(call.input))} ${
              call.code ?? ""
            }`
              .trimEnd()
          ),
        ].join("\n")),
    }),
    { started: Transcript.started, ended: Transcript.ended },
  )
  const chat = yield* Chat.fromPrompt("Which of these cities is the warmest: Oslo, Rome, Cairo, Lima, Atlantis?")
  yield* Transcript.shown(toolkit.tools, yield* Ref.get(chat.history))
  yield* converse((prompt) => chat.generateText({ prompt, toolkit }), {
    said: Transcript.said,
    decide: () => Effect.succeed(false),
  })
}).pipe(Effect.withSpan("agent"), Effect.provideService(Tracer.Tracer, tracer))

const main = Effect.gen(function*() {
  yield* session

  yield* Console.log(heading("Spans"))
  for (const line of Timeline.render(Spans.rows(spans), 110)) yield* Console.log(`  ${line}`)

  yield* Console.log(
    `${heading("Attributes")}\n  Inputs and results are none of them, unless the host asks: \`traceContent: true\`.`,
  )
  // One span of each kind, and those that failed.
  const kinds = new Map(
    spans.filter(({ name }) => name.startsWith("codemode."))
      .map((span) => [`${span.name} ${String(span.attributes.get("error.type") ?? "")}`, span]),
  )
  for (const { attributes, name } of kinds.values()) {
    yield* Console.log(`  ${bold(name)}`)
    for (const [key, value] of attributes) yield* Console.log(`    ${key} ${dim("=")} ${String(value)}`)
  }

  yield* Console.log(heading("Metrics"))
  for (const metric of yield* Metric.snapshot) {
    const { outcome, unit } = metric.attributes as Readonly<Record<string, string>>
    const name = metric.id + (outcome === undefined ? "" : ` ${outcome}`)
    if (metric.type === "Counter" && metric.state.count > 0) {
      yield* Console.log(`  ${name.padEnd(32)} ${metric.state.count}`)
    }
    if (metric.type === "Histogram" && metric.state.count > 0) {
      yield* Console.log(
        `  ${name.padEnd(32)} ${dim(`${metric.state.count} of`)} ${
          (metric.state.sum / metric.state.count).toFixed(1)
        } ${unit} ${dim("on average")}`,
      )
    }
  }
})

main.pipe(
  Effect.provide(ScriptedModel.layer(script)),
  Effect.provide(InterpreterRuntime.layer()),
  Effect.provide(WeatherLive),
  NodeRuntime.runMain,
)
