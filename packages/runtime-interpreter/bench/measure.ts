// Two ways to do one thing, timed in turns, so that both meet the same machine in the same state.

/** The middle and the edges of a set of measurements: the 10th, 50th and 90th percentile. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** Times in milliseconds, and the ratio of each pair of neighbouring ones. */
export interface Comparison {
  readonly ours: Spread
  readonly peer: Spread
  /** The peer's time divided by ours: how many times as fast we are. */
  readonly ratio: Spread
  readonly rounds: number
}

const spread = (values: ReadonlyArray<number>): Spread => {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  return { low: at(0.1), median: at(0.5), high: at(0.9) }
}

const time = async (work: () => Promise<unknown>, repeats: number): Promise<number> => {
  const start = performance.now()
  for (let i = 0; i < repeats; i++) await work()
  return (performance.now() - start) / repeats
}

// Long enough for the clock and the compiler's warm-up not to matter, short enough for many rounds.
const roundTime = 40
const minimumRounds = 9
const budget = 4000

/** Milliseconds: V8 needs about that long until the machine's loop is compiled for good. */
const warmUpTime = 1000

// How often to do it in one round. Only warm runs are compared: a host runs many programs in one process.
const calibrate = async (work: () => Promise<unknown>): Promise<number> => {
  const warmUp = performance.now()
  let once = Infinity
  do {
    once = Math.min(once, await time(work, 1))
  } while (performance.now() - warmUp < warmUpTime)
  return Math.max(1, Math.ceil(roundTime / once))
}

/** Compares two ways of doing something. */
export const compare = async (ours: () => Promise<unknown>, peer: () => Promise<unknown>): Promise<Comparison> => {
  const repeats = { ours: await calibrate(ours), peer: await calibrate(peer) }
  const times: { readonly ours: Array<number>; readonly peer: Array<number> } = { ours: [], peer: [] }
  const start = performance.now()
  while (times.ours.length < minimumRounds || (performance.now() - start < budget && times.ours.length < 40)) {
    times.ours.push(await time(ours, repeats.ours))
    times.peer.push(await time(peer, repeats.peer))
  }
  return {
    ours: spread(times.ours),
    peer: spread(times.peer),
    ratio: spread(times.peer.map((theirs, i) => theirs / times.ours[i]!)),
    rounds: times.ours.length,
  }
}
