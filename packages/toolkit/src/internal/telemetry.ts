import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import type * as Schema from "effect/Schema"
import type * as Tracer from "effect/Tracer"
import { ErrorCode } from "./contract.ts"
import { count } from "./count.ts"
import { jsonSize } from "./json-size.ts"

// Spans

/** Whether a span that is opened here may be seen by anyone: a tracer is installed, or there is a span around. */
export const isTraced = ({ cache }: Fiber.Fiber<unknown, unknown>): boolean =>
  cache.tracerEnabled && (cache.tracer !== undefined || cache.span !== undefined)

/** The attributes of the execution of a tool, as the semantic conventions of OpenTelemetry for generative AI name them. */
export const toolAttributes = (
  name: string,
  callId: string,
  input: Schema.JsonObject | undefined,
): Record<string, string> => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  "gen_ai.tool.type": "function",
  "gen_ai.tool.call.id": callId,
  ...input === undefined ? undefined : { "gen_ai.tool.call.arguments": content(input) },
})

/** Adds to the span of a tool's execution how it ended: the code of a failure, and the result if the host asks for it. */
export const annotateEnd = (
  span: Tracer.Span,
  exit: Exit.Exit<Schema.Json, { readonly code: string }>,
  withContent: boolean,
): void => {
  if (Exit.isSuccess(exit)) {
    if (withContent) span.attribute("gen_ai.tool.call.result", content(exit.value))
  } else {
    const error = exit.cause.reasons.find(Cause.isFailReason)
    if (error !== undefined) span.attribute("error.type", error.error.code)
  }
}

/** The most characters of an input or a result that become an attribute. */
const MAX_CONTENT = 32_768

const content = (value: Schema.Json): string =>
  jsonSize(value, MAX_CONTENT) > MAX_CONTENT
    ? `[left out: more than ${count(MAX_CONTENT)} characters]`
    : JSON.stringify(value)

/**
 * Keeps an input out of a span: a toolkit's `handle` begins by writing it to the span around it, which is ours. The span is the same
 * object all along, so that its children know it.
 */
export const keepOut = (span: Tracer.Span, input: Schema.JsonObject): void => {
  const own = Object.getOwnPropertyDescriptor(span, "attribute")
  const { attribute } = span
  Reflect.defineProperty(span, "attribute", {
    configurable: true,
    enumerable: false,
    writable: true,
    value: (key: string, value: unknown) => {
      if (value !== input) return attribute.call(span, key, value)
      if (own === undefined) Reflect.deleteProperty(span, "attribute")
      else Reflect.defineProperty(span, "attribute", own)
    },
  })
}

// Metrics

/** The outcome of a run as a metric has it. Codes that tools declare are of any number, and count as one. */
const outcomeOf = (exit: Exit.Exit<unknown, { readonly code: string }>): string => {
  if (Exit.isSuccess(exit)) return "success"
  const error = exit.cause.reasons.find(Cause.isFailReason)
  if (error === undefined) return "interrupted"
  return (ErrorCode.literals as ReadonlyArray<string>).includes(error.error.code) ? error.error.code : "TOOL_FAILURE"
}

const counters = (id: string, description: string, outcomes: ReadonlyArray<string>) =>
  new Map(outcomes.map((outcome) => [
    outcome,
    Metric.counter(id, { description, attributes: { outcome, unit: "1" }, incremental: true }),
  ]))

const runs = counters("codemode.runs", "Runs of programs, by what they came to", [
  "success",
  "interrupted",
  ...ErrorCode.literals,
])

const calls = counters("codemode.calls", "Calls from programs, by what became of them", [
  "success",
  "failure",
  "interrupted",
])

const histogram = (id: string, description: string, unit: string, start: number, count: number) =>
  Metric.histogram(id, {
    description,
    attributes: { unit },
    boundaries: Metric.exponentialBoundaries({ start, factor: 4, count }),
  })

const duration = histogram("codemode.run.duration", "How long runs take, their calls included", "milliseconds", 1, 12)
const fuel = histogram("codemode.run.fuel", "Steps that programs take", "{step}", 64, 12)
const peakMemory = histogram("codemode.run.peak_memory", "The most live data of programs", "bytes", 4096, 10)

/** What the metrics hear of a run. */
export interface Measured {
  readonly exit: Exit.Exit<unknown, { readonly code: string }>
  /** Milliseconds. */
  readonly elapsed: number
  readonly fuel: number | undefined
  readonly peakMemory: number | undefined
  readonly calls: { readonly success: number; readonly failure: number; readonly interrupted: number }
}

/** Adds a run to the metrics. Once a run rather than once a call, for the sake of what a call costs. */
export const record = (context: Context.Context<never>, run: Measured): void => {
  runs.get(outcomeOf(run.exit))!.updateUnsafe(1, context)
  duration.updateUnsafe(run.elapsed, context)
  if (run.fuel !== undefined) fuel.updateUnsafe(run.fuel, context)
  if (run.peakMemory !== undefined) peakMemory.updateUnsafe(run.peakMemory, context)
  for (const outcome of ["success", "failure", "interrupted"] as const) {
    if (run.calls[outcome] > 0) calls.get(outcome)!.updateUnsafe(run.calls[outcome], context)
  }
}
