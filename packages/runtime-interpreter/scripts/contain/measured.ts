// The corpora of which the clock and the heap matter: their cases run in a process of their own.
import { Limits } from "@effect-codemode/runtime-interpreter"
import { bounds } from "./bounds.ts"
import type { Child } from "./child.ts"
import { type Hold, largest, quantile } from "./watch.ts"
import type { Order, Report } from "./worker.ts"

export interface Wrong {
  readonly name: string
  readonly why: string
}

/** What is known of many runs. Times are in milliseconds. */
export interface Measured {
  readonly total: number
  readonly wrong: number
  /** How long the event loop was held, by the clock. */
  readonly loopP99Ms: number
  readonly loopMaxMs: number
  /** The same by what the loop's thread used of a processor, which does not count what else the machine does. */
  readonly usedP99Ms: number
  readonly usedMaxMs: number
  /** Host heap beyond 32 MiB, for each byte that a run may have: at most 2. */
  readonly heapMaxRatio: number
  readonly heapMaxMiB: number
  /** With garbage that the host had not collected yet. */
  readonly garbageMaxMiB: number
  /** The cases that did most of it. */
  readonly longest: string
  readonly largest: string
  readonly failures: ReadonlyArray<Wrong>
}

/** So many looks have a 99th percentile that says something. */
const ENOUGH = 500

const round = (value: number): number => Math.round(value * 10) / 10

/** Adds reports up. */
export class Tally {
  private total = 0
  private readonly clock: Array<number> = []
  private readonly used: Array<number> = []
  private heap = 0
  private withGarbage = 0
  private heapRatio = 0
  private longest = { name: "", held: 0 }
  private largest = ""
  private readonly failures: Array<Wrong> = []

  constructor(private readonly onWrong: (wrong: Wrong) => void = () => {}) {}

  /** `runs` is how many shared the process. */
  add(name: string, report: Report | string, runs = 1): void {
    if (typeof report === "string") {
      this.total += runs
      this.fail({ name, why: report })
      return
    }
    this.total += report.cases.length
    for (const { end, name, right } of report.cases) if (!right) this.fail({ name, why: `ended with ${end}` })
    this.addHolds(report.holds)
    const held = largest(report.holds.map(([, used]) => used))
    if (held > this.longest.held) this.longest = { name, held }
    if (held > bounds.max) this.fail({ name, why: `held the loop for ${Math.round(held)} ms` })
    const ratio = Math.max(0, report.heap - bounds.heapRest) / (Limits.defaults.memory * runs)
    this.heap = Math.max(this.heap, report.heap)
    this.withGarbage = Math.max(this.withGarbage, report.withGarbage)
    if (ratio > this.heapRatio) {
      this.heapRatio = ratio
      this.largest = name
    }
    if (ratio > bounds.heapRatio) this.fail({ name, why: `the heap grew by ${report.heap >> 20} MiB` })
  }

  private fail(wrong: Wrong): void {
    this.failures.push(wrong)
    this.onWrong(wrong)
  }

  private addHolds(holds: ReadonlyArray<Hold>): void {
    for (const [clock, used] of holds) {
      this.clock.push(clock)
      this.used.push(used)
    }
  }

  get result(): Measured {
    const usedP99Ms = round(quantile(this.used, 0.99))
    const failures = this.used.length >= ENOUGH && usedP99Ms > bounds.p99
      ? [...this.failures, { name: "all", why: `the loop is held for ${usedP99Ms} ms at the 99th percentile` }]
      : this.failures
    return {
      total: this.total,
      wrong: failures.length,
      loopP99Ms: round(quantile(this.clock, 0.99)),
      loopMaxMs: round(largest(this.clock)),
      usedP99Ms,
      usedMaxMs: round(largest(this.used)),
      heapMaxRatio: Math.round(this.heapRatio * 100) / 100,
      heapMaxMiB: Math.round(this.heap / 2 ** 20),
      garbageMaxMiB: Math.round(this.withGarbage / 2 ** 20),
      longest: this.longest.name,
      largest: this.largest,
      failures,
    }
  }
}

/** Milliseconds between two lines of progress, where the last one cannot be taken away. */
const SILENCE = 30_000

/** Takes the line of progress away, where there is one. */
const clear = process.stdout.isTTY ? "\r\u001b[K" : ""

/** Runs cases one after another. Between them, now and then, a program that does no harm, for what the machine itself is like. */
export const measure = async (
  child: Child,
  cases: ReadonlyArray<{ readonly name: string; readonly order: Order; readonly runs?: number }>,
  quiet: Tally,
  onReport: (name: string, report: Report | string) => void = () => {},
  onQuiet: (report: Report | string) => void = () => {},
): Promise<Measured> => {
  const tally = new Tally(({ name, why }) => console.log(`${clear}wrong: ${name}: ${why}`))
  let told = performance.now()
  for (const [index, { name, order, runs }] of cases.entries()) {
    const progress = `${index + 1} of ${cases.length}: ${name}`
    if (process.stdout.isTTY) process.stdout.write(`${clear}${progress}`.slice(0, 110))
    else if (performance.now() - told > SILENCE) {
      console.error(progress)
      told = performance.now()
    }
    const report = await child.ask(order)
    tally.add(name, report, runs)
    onReport(name, report)
    if (index % 20 === 0) {
      const still = await child.ask({ type: "quiet" })
      quiet.add("quiet", still)
      onQuiet(still)
    }
  }
  process.stdout.write(clear)
  return tally.result
}
