// A timeline in text: a row for each thing, a bar for the time that it took, and the axis below.
import { cyan, dim, green, many, red, time, yellow } from "./text.ts"

/** How something ended. */
export type State = "success" | "failure" | "interrupted"

/** A stretch of time, in milliseconds. */
export interface Bar {
  readonly start: number
  readonly end: number
  readonly state: State
}

/** One row. */
export interface Row {
  readonly label: string
  readonly bars: ReadonlyArray<Bar>
  /** What stands to the right of the bars. */
  readonly note: string
}

/** A call, as the hooks tell it. */
export interface TimedCall extends Bar {
  readonly name: string
}

// Told apart by their shapes too, where there are no colours.
const glyphs: Record<State, { readonly glyph: string; readonly style: (text: string) => string }> = {
  success: { glyph: "━", style: green },
  failure: { glyph: "╳", style: red },
  interrupted: { glyph: "┄", style: yellow },
}

/** The lines of a timeline. */
export const render = (rows: ReadonlyArray<Row>, width = 100): ReadonlyArray<string> => {
  const bars = rows.flatMap(({ bars }) => bars)
  if (bars.length === 0) return []
  const from = Math.min(...bars.map(({ start }) => start))
  const to = Math.max(...bars.map(({ end }) => end), from + 0.001)
  const labels = Math.min(32, Math.max(...rows.map(({ label }) => label.length)))
  const notes = Math.min(40, Math.max(...rows.map(({ note }) => note.length)))
  const cells = Math.max(20, width - labels - notes - 4)
  const cell = (at: number) => Math.min(cells - 1, Math.floor((at - from) / (to - from) * cells))

  const lines = rows.map(({ bars, label, note }) => {
    const line = Array.from({ length: cells }, () => " ")
    for (const { end, start, state } of bars) {
      const { glyph, style } = glyphs[state]
      for (let i = cell(start); i <= Math.max(cell(start), cell(end)); i++) line[i] = style(glyph)
    }
    return `${cut(label, labels).padEnd(labels)}  ${line.join("")}  ${dim(cut(note, notes))}`.trimEnd()
  })
  const end = time(to - from)
  const axis = `0 ${"─".repeat(Math.max(1, cells - end.length - 3))} ${end}`
  return [...lines, `${" ".repeat(labels)}  ${cyan(axis)}`]
}

// Blanks at the beginning say how deep a label is.
const cut = (text: string, width: number) => text.length <= width ? text : `${text.slice(0, width - 1)}…`

/**
 * Calls as rows: by tool, and as many rows for a tool as it had calls going on at the same time, so that one sees what ran side by
 * side.
 */
export const lanes = (calls: ReadonlyArray<TimedCall>): ReadonlyArray<Row> => {
  const byName = new Map<string, Array<TimedCall>>()
  for (const call of calls.toSorted((a, b) => a.start - b.start)) {
    const same = byName.get(call.name)
    if (same === undefined) byName.set(call.name, [call])
    else same.push(call)
  }
  return Array.from(byName).flatMap(([name, calls]) => {
    const lanes: Array<Array<TimedCall>> = []
    for (const call of calls) {
      const free = lanes.find((lane) => lane.at(-1)!.end <= call.start)
      if (free === undefined) lanes.push([call])
      else free.push(call)
    }
    const times = calls.map(({ end, start }) => end - start)
    const least = time(Math.min(...times))
    const note = calls.length === 1
      ? least
      : `${many(calls.length, "call")}, ${least} to ${time(Math.max(...times))}`
    return lanes.map((bars, i) => ({ label: i === 0 ? name : "", bars, note: i === 0 ? note : "" }))
  })
}

/** How many of the calls went on at the same time, at most. */
export const most = (calls: ReadonlyArray<Bar>): number =>
  Math.max(0, ...calls.map((call) => calls.filter(({ end, start }) => start <= call.start && end > call.start).length))
