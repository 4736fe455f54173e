// Keeps the spans of Effect's own tracer in memory, and shows them as a tree over time. A real exporter is another `Tracer`.
import { Exit, Tracer } from "effect"
import type { Row, State } from "./timeline.ts"

/** A tracer, and the spans that it has seen, in the order in which they started. */
export const collect = (): { readonly tracer: Tracer.Tracer; readonly spans: ReadonlyArray<Tracer.NativeSpan> } => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    },
  })
  return { tracer, spans }
}

const millis = (nanos: bigint) => Number(nanos) / 1e6

/** Spans as the rows of a timeline: each below the one around it, and moved to the right of it. */
export const rows = (spans: ReadonlyArray<Tracer.NativeSpan>): ReadonlyArray<Row> => {
  const children = new Map<string | undefined, Array<Tracer.NativeSpan>>()
  const known = new Set(spans.map(({ spanId }) => spanId))
  for (const span of spans) {
    const parent = span.parent._tag === "Some" && known.has(span.parent.value.spanId)
      ? span.parent.value.spanId
      : undefined
    children.set(parent, [...children.get(parent) ?? [], span])
  }
  const found: Array<Row> = []
  const add = (parent: string | undefined, depth: number): void => {
    for (const span of children.get(parent) ?? []) {
      const { status } = span
      const start = millis(status.startTime)
      const end = status._tag === "Ended" ? millis(status.endTime) : start
      found.push({
        label: "  ".repeat(depth) + span.name,
        bars: [{ start, end, state: stateOf(status) }],
        note: `${(end - start).toFixed(1)} ms`,
      })
      add(span.spanId, depth + 1)
    }
  }
  add(undefined, 0)
  return found
}

const stateOf = (status: Tracer.SpanStatus): State =>
  status._tag === "Started" || Exit.isFailure(status.exit) && Exit.hasInterrupts(status.exit)
    ? "interrupted"
    : Exit.isFailure(status.exit)
    ? "failure"
    : "success"
