/** What a number may be at most, or is to be at least. */
export interface Bound {
  readonly at: "most" | "least"
  readonly value: number
}

/** One number of the benchmark of costs. */
export interface Measure {
  readonly name: string
  readonly value: number
  /** The 10th and the 90th percentile, where the value is the median of several. */
  readonly spread?: readonly [number, number]
  readonly unit: "ms" | "µs" | "KB" | "MB" | "%" | "times" | "files" | "tokens"
  readonly bound?: Bound
  /** Where the same is measured of several amounts: what it is, and of how much this is. */
  readonly growth?: { readonly of: string; readonly amount: number; readonly each: number }
}

/** Whether a number is as it is to be. */
export const holds = ({ bound, value }: Measure): boolean =>
  bound === undefined || (bound.at === "most" ? value <= bound.value : value >= bound.value)

/**
 * The same of the largest amount against the smallest, each divided by its amount: 1 where it grows as the amount does. What grows as
 * its square would have the amounts' ratio; some more than 1 is what large heaps cost the collector.
 */
export const growths = (measures: ReadonlyArray<Measure>): ReadonlyArray<Measure> => {
  const series = new Map<string, Array<NonNullable<Measure["growth"]>>>()
  for (const { growth } of measures) {
    if (growth !== undefined) series.set(growth.of, [...series.get(growth.of) ?? [], growth])
  }
  return Array.from(series).flatMap(([of, all]): ReadonlyArray<Measure> => {
    const sorted = all.toSorted((a, b) => a.amount - b.amount)
    const [least, most] = [sorted[0]!, sorted.at(-1)!]
    if (least.amount === most.amount) return []
    const amounts = `${most.amount.toLocaleString("en-US")} against ${least.amount.toLocaleString("en-US")}`
    return [{ name: `${of}: ${amounts}`, value: most.each / least.each, unit: "times", ...atMost(3) }]
  })
}

/** A part of the benchmark, which has a process of its own. */
export type Part = (isQuick: boolean) => Promise<ReadonlyArray<Measure>>

/** A measure with a most. */
export const atMost = (value: number): { readonly bound: Bound } => ({ bound: { at: "most", value } })

/** A measure with a least. */
export const atLeast = (value: number): { readonly bound: Bound } => ({ bound: { at: "least", value } })

/** Milliseconds that some work takes. */
export const timeOf = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The median of some numbers. */
export const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Bytes of the heap that are in use once garbage is gone. */
export const heap = async (): Promise<number> => {
  const { gc } = globalThis
  if (gc === undefined) throw new Error("The heap is measured with --expose-gc")
  for (let i = 0; i < 3; i++) {
    gc()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  gc()
  return process.memoryUsage().heapUsed
}

/** Waits until something holds that other work brings about. */
export const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
