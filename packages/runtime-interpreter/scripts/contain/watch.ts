// What a program does to the process it runs in: how long it holds the event loop, and by how much the heap grows.
import { getHeapStatistics } from "node:v8"
import { used as usedNow } from "../../bench/processor.ts"

/** How long the loop was held between two looks, in milliseconds: of the clock, and of what its thread used of a processor. */
export type Hold = readonly [clock: number, used: number]

export interface Watched {
  readonly holds: ReadonlyArray<Hold>
  /** Bytes of heap and of buffers beside it, at most, beyond what there was before; garbage counts as long as it is not too much. */
  readonly heap: number
  /** The same with all garbage that the host had not collected yet. */
  readonly withGarbage: number
}

/** Milliseconds between two looks. */
const PERIOD = 2

const heapNow = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** Lets the loop turn, so that what it was held by until now is seen. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PERIOD * 2))

/**
 * Watches some work. A busy machine holds a process up that holds nothing: what the thread used of a processor tells it apart, while
 * the clock also has what the thread waited for, be it the collector or another process. Where the system does not tell threads apart it
 * is what all of them used, which is too strict. When the heap has grown by more than `bound` bytes, the garbage in it is collected, to
 * tell it from what the program keeps: when to collect is the host's own affair, and it takes its time where it has much memory.
 */
export const watch = async <A>(work: () => Promise<A>, bound = Infinity): Promise<readonly [A, Watched]> => {
  globalThis.gc?.()
  globalThis.gc?.()
  await turn()
  const holds: Array<Hold> = []
  const before = heapNow()
  let heap = 0
  let withGarbage = 0
  let clock = performance.now()
  let used = usedNow()
  const look = (): void => {
    const now = performance.now()
    const usedBy = usedNow()
    holds.push([Math.max(0, now - clock - PERIOD), Math.max(0, Math.min(now - clock, usedBy - used) - PERIOD)])
    let grown = heapNow() - before
    withGarbage = Math.max(withGarbage, grown)
    if (grown > bound) {
      globalThis.gc?.()
      grown = heapNow() - before
    }
    heap = Math.max(heap, grown)
    // What looking took is not the program's.
    clock = performance.now()
    used = usedNow()
  }
  const timer = setInterval(look, PERIOD)
  try {
    const result = await work()
    await turn()
    look()
    return [result, { holds, heap, withGarbage }]
  } finally {
    clearInterval(timer)
  }
}

/** The value below which this share of values is. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
}

export const largest = (values: Iterable<number>): number => {
  let most = 0
  for (const value of values) if (value > most) most = value
  return most
}
