// The benchmark's table, and what it comes to.
import { mean, type Timed } from "./measure.ts"
import type { Program } from "./programs.ts"

/** A measured program. */
export interface Row extends Pick<Program, "name" | "kind" | "calls" | "title"> {
  /** Times of the interpreter, in milliseconds. */
  readonly ours: Timed["time"]
  readonly rounds: number
  /** Of each peer its times, and its times divided by ours; or why it does not run the program. */
  readonly peers: Readonly<Record<string, Timed | { readonly reason: string }>>
}

/** What all rows come to. Each mean is a geometric one. */
export interface Summary {
  readonly programs: number
  /** QuickJS's time divided by ours. */
  readonly quickjs: number
  /** Our time divided by V8's. */
  readonly nodeVm: number
  /** The program of which QuickJS's time divided by ours is least. */
  readonly slowest: { readonly name: string; readonly ratio: number }
}

/** A time for people. */
export const duration = (value: number): string =>
  value < 0.1
    ? `${(value * 1000).toFixed(1)} µs`
    : value < 1
    ? `${(value * 1000).toFixed(0)} µs`
    : `${value.toFixed(1)} ms`

const ratio = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0)

const nameWidth = 21
const timeWidth = 9
const ratioWidth = 21

/** The table's first line. */
export const head = (peers: ReadonlyArray<string>): string =>
  [
    "program".padEnd(nameWidth),
    "ours".padStart(timeWidth),
    ...peers.map((peer) => `${peer.padStart(timeWidth)} ${"times as fast".padEnd(ratioWidth)}`),
  ].join("  ").trimEnd()

/** One line of the table. */
export const render = (row: Row): string => {
  const cells = Object.values(row.peers).map((peer) => {
    if ("reason" in peer) return `${"-".padStart(timeWidth)} ${"".padEnd(ratioWidth)}`
    const { high, low, median } = peer.ratio
    const spread = `${ratio(median)} (${ratio(low)} to ${ratio(high)})`
    return `${duration(peer.time.median).padStart(timeWidth)} ${spread.padEnd(ratioWidth)}`
  })
  return [row.name.padEnd(nameWidth), duration(row.ours.median).padStart(timeWidth), ...cells].join("  ").trimEnd()
}

/** What a call takes, and why peers have no time, below the table. */
export const notes = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.flatMap(({ calls, name, ours, peers }) => [
    ...calls === undefined ?
      [] :
      [`${name}: a call takes ours ${duration(ours.median / calls)}${
        Object.entries(peers).map(([peer, timed]) =>
          "reason" in timed ? "" : `, ${peer} ${duration(timed.time.median / calls)}`
        ).join("")
      }`],
    ...Object.entries(peers).flatMap(([peer, timed]) =>
      "reason" in timed ? [`${name}: ${peer} does not run it: ${timed.reason}`] : []
    ),
  ])

const ratiosTo = (rows: ReadonlyArray<Row>, peer: string) =>
  rows.flatMap(({ name, peers }) => {
    const timed = peers[peer]
    return timed === undefined || "reason" in timed ? [] : [{ name, ratio: timed.ratio.median }]
  })

/** Sums up, if there is something to sum up. */
export const summarise = (rows: ReadonlyArray<Row>): Summary | undefined => {
  if (rows.length === 0) return undefined
  const toQuickJs = ratiosTo(rows, "quickjs")
  const toVm = ratiosTo(rows, "node:vm")
  return {
    programs: rows.length,
    quickjs: mean(toQuickJs.map(({ ratio }) => ratio)),
    nodeVm: 1 / mean(toVm.map(({ ratio }) => ratio)),
    slowest: toQuickJs.reduce((a, b) => b.ratio < a.ratio ? b : a),
  }
}

/** A summary in a sentence. */
export const sentence = (what: string, { nodeVm, programs, quickjs, slowest }: Summary): string =>
  `${what} (${programs}): ${quickjs.toFixed(2)} times as fast as quickjs, ${
    nodeVm.toFixed(1)
  } times slower than node:vm; `
  + `slowest against quickjs: ${slowest.name}, ${slowest.ratio.toFixed(2)}`
