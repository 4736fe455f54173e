import type { Comparison } from "./measure.ts"

/** A measured program. */
export interface Row extends Comparison {
  readonly name: string
  /** What the program is, in a few words. */
  readonly title: string
  /** Tool calls in one run, if that is what is measured. */
  readonly calls?: number
}

const milliseconds = (value: number): string => value < 1 ? `${(value * 1000).toFixed(0)} µs` : `${value.toFixed(1)} ms`

const columns = [
  { title: "program", width: 14 },
  { title: "ours", width: 10 },
  { title: "quickjs", width: 10 },
  { title: "times as fast", width: 22 },
  { title: "", width: 0 },
]

const line = (cells: ReadonlyArray<string>): string =>
  cells.map((cell, i) => i === 0 || i === 4 ? cell.padEnd(columns[i]!.width) : cell.padStart(columns[i]!.width)).join(
    "  ",
  )
    .trimEnd()

/** The table's first line. */
export const head = line(columns.map((column) => column.title))

/** One line of the table. */
export const render = (row: Row): string => {
  const { high, low, median } = row.ratio
  const perCall = row.calls === undefined
    ? ""
    : `; a call ${((row.ours.median * 1000) / row.calls).toFixed(1)} µs, quickjs ${
      ((row.peer.median * 1000) / row.calls).toFixed(1)
    } µs`
  return line([
    row.name,
    milliseconds(row.ours.median),
    milliseconds(row.peer.median),
    `${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
    `${row.title}${perCall}`,
  ])
}
