import type { Verdict } from "./worker.ts"

/** Passed and judged tests. */
export interface Count {
  pass: number
  total: number
}

/** What `--json` writes. */
export interface Summary extends Count {
  /** Passed tests as a share of the judged ones, from 0 to 1. */
  readonly rate: number
  /** Tests left out, by reason. */
  readonly skipped: Record<string, number>
  /** By second-level folder: `language/expressions`. */
  readonly areas: Record<string, Count>
  readonly failures: ReadonlyArray<{ readonly file: string; readonly message: string }>
}

const share = ({ pass, total }: Count): number => total === 0 ? 1 : pass / total

/** Counts the verdicts. */
export const summarize = (verdicts: ReadonlyArray<Verdict>): Summary => {
  const count: Count = { pass: 0, total: 0 }
  const skipped: Record<string, number> = {}
  const areas: Record<string, Count> = {}
  const failures: Array<{ file: string; message: string }> = []
  for (const verdict of [...verdicts].sort((a, b) => a.file < b.file ? -1 : 1)) {
    if (verdict.skipped !== undefined) {
      skipped[verdict.skipped] = (skipped[verdict.skipped] ?? 0) + 1
      continue
    }
    const area = areas[verdict.file.split("/").slice(0, 2).join("/")] ??= { pass: 0, total: 0 }
    for (const each of [count, area]) {
      each.total += 1
      each.pass += verdict.failure === undefined ? 1 : 0
    }
    if (verdict.failure !== undefined) {
      failures.push({ file: verdict.file, message: verdict.failure })
    }
  }
  return { ...count, rate: share(count), skipped, areas, failures }
}

const percent = (count: Count): string => `${(100 * share(count)).toFixed(2)}%`.padStart(8)

const row = (name: string, count: Count): string =>
  `${name.padEnd(44)}${String(count.pass).padStart(7)} /${String(count.total).padStart(6)} ${percent(count)}`

// Messages that differ only in the values they quote have one cause.
const kind = (message: string): string =>
  message.split("\n")[0]!.replace(/«[^»]*»|"[^"]*"|'[^']*'|`[^`]*`/g, "…").replace(/\d+/g, "#").slice(0, 140)

/** Failures with one kind of message, most frequent first. */
export const group = (failures: Summary["failures"]): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const groups = new Map<string, Array<string>>()
  for (const { file, message } of failures) {
    const files = groups.get(kind(message))
    if (files === undefined) {
      groups.set(kind(message), [file])
    } else {
      files.push(file)
    }
  }
  return [...groups].sort((a, b) => b[1].length - a[1].length)
}

const folderTotals = (areas: Summary["areas"]): ReadonlyArray<readonly [string, Count]> => {
  const totals = new Map<string, Count>()
  for (const [area, { pass, total }] of Object.entries(areas)) {
    const folder = area.split("/")[0]!
    const sum = totals.get(folder) ?? { pass: 0, total: 0 }
    totals.set(folder, { pass: sum.pass + pass, total: sum.total + total })
  }
  return [...totals]
}

/** What the runner prints at the end. */
export const render = (summary: Summary, options: { readonly groups: number; readonly seconds: number }): string => {
  const lines: Array<string> = []
  if (summary.failures.length > 0) {
    lines.push("Failures by message", "")
    for (const [message, files] of group(summary.failures).slice(0, options.groups)) {
      lines.push(
        `${String(files.length).padStart(6)}  ${message}`,
        ...files.slice(0, 2).map((file) => `          ${file}`),
      )
    }
    lines.push("")
  }
  lines.push("Areas", "", ...Object.entries(summary.areas).map(([area, count]) => row(area, count)), "")
  lines.push("Left out", "")
  for (const [reason, count] of Object.entries(summary.skipped).sort((a, b) => b[1] - a[1])) {
    lines.push(`${reason.padEnd(44)}${String(count).padStart(7)}`)
  }
  lines.push("", ...folderTotals(summary.areas).map(([folder, count]) => row(folder, count)))
  lines.push(row("all", summary), "", `${options.seconds.toFixed(1)} s`)
  return lines.join("\n")
}
