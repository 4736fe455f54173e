// Several ways to do one thing, timed in turns, so that all meet the same machine in the same state.

/** The middle and the edges of a set of measurements: the 10th, 50th and 90th percentile. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** Times in milliseconds. */
export interface Timed {
  readonly time: Spread
  /** This time divided by the first one's of the same round: how many times as fast the first is. */
  readonly ratio: Spread
  readonly rounds: number
}

/** The percentiles of some numbers. */
export const spread = (values: ReadonlyArray<number>): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  return { low: at(0.1), median: at(0.5), high: at(0.9) }
}

/** The geometric mean. */
export const mean = (values: ReadonlyArray<number>): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)

/** A way to do it. */
export type Way = () => Promise<unknown>

const time = async (work: Way, repeats: number): Promise<number> => {
  const start = performance.now()
  for (let i = 0; i < repeats; i++) await work()
  return (performance.now() - start) / repeats
}

/** How long to measure. */
export interface Effort {
  /** Milliseconds after which it is asked whether runs have become faster. V8 compiles the machine's loop in less. */
  readonly warmUp: number
  /** Milliseconds of one measurement, at least: long enough for the clock not to matter, short enough for many rounds. */
  readonly round: number
  /** Milliseconds of all rounds together, if the ways are not too slow for that. */
  readonly budget: number
  /** How often each way is measured, at least. */
  readonly rounds: number
}

/** What gives medians that can be told. */
export const thorough: Effort = { warmUp: 800, round: 25, budget: 4500, rounds: 5 }

/** What gives a first impression. */
export const quick: Effort = { warmUp: 150, round: 10, budget: 600, rounds: 3 }

/** So much of its time a run must lose for it to be still warming up, and so often that is asked. */
const FASTER = 0.03
const ASKED = 6

// How long the fastest run took within so many milliseconds.
const fastest = async (work: Way, milliseconds: number): Promise<number> => {
  const start = performance.now()
  let least = Infinity
  do {
    least = Math.min(least, await time(work, 1))
  } while (performance.now() - start < milliseconds)
  return least
}

// How often to do it in one round. Only warm runs are compared, since a host runs many programs in one process: first it is done until
// it becomes no faster.
const calibrate = async (work: Way, warmUp: number, round: number): Promise<number> => {
  let once = await fastest(work, warmUp)
  for (let asked = 0; asked < ASKED; asked++) {
    const next = await fastest(work, warmUp)
    const settled = next > once * (1 - FASTER)
    once = Math.min(once, next)
    if (settled) break
  }
  return Math.max(1, Math.ceil(round / once))
}

// None is to pay for what another one has left behind: the garbage of contexts of V8's, which is large, for one. It is called where Node is
// started with --expose-gc.
const collectYoung = (): void => {
  globalThis.gc?.({ type: "minor" })
}

/** Times the ways. One that is much slower than the others is measured in fewer rounds. */
export const compare = async (ways: ReadonlyArray<Way>, effort: Effort): Promise<ReadonlyArray<Timed>> => {
  const repeats: Array<number> = []
  for (const [i, way] of ways.entries()) {
    repeats.push(await calibrate(way, i === 0 ? effort.warmUp : effort.warmUp / 4, effort.round))
  }
  const times = ways.map((): Array<number> => [])
  const ratios = ways.map((): Array<number> => [])
  const spent = ways.map(() => 0)
  const share = effort.budget / ways.length
  const isDue = (i: number): boolean => spent[i]! < share || times[i]!.length < effort.rounds
  // The first way goes along as long as there is another one to compare with.
  for (let first = 0; ways.some((_, i) => (i > 0 || ways.length === 1) && isDue(i));) {
    for (const [i, way] of ways.entries()) {
      if (i > 0 && !isDue(i)) continue
      collectYoung()
      const start = performance.now()
      const took = await time(way, repeats[i]!)
      spent[i]! += performance.now() - start
      if (i === 0) first = took
      times[i]!.push(took)
      ratios[i]!.push(took / first)
    }
  }
  return ways.map((_, i) => ({ time: spread(times[i]!), ratio: spread(ratios[i]!), rounds: times[i]!.length }))
}
