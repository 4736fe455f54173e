// Several ways, measured in turns by the clock and by what the process uses of the processors, which tells the same on a busy machine.
import { type Spread, spread } from "../measure.ts"

/** Milliseconds by the clock, and of processors, of a way in one round. */
export interface Took {
  readonly clock: number
  readonly processor: number
}

/** A way to do it. */
export type Way = () => Promise<unknown>

const processor = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1000
}

const take = async (way: Way, repeats: number): Promise<Took> => {
  const processorBefore = processor()
  const start = performance.now()
  for (let i = 0; i < repeats; i++) await way()
  const clock = (performance.now() - start) / repeats
  return { clock, processor: (processor() - processorBefore) / repeats }
}

/** Measures the ways in turns, so that all meet the same machine: in each round each of them, several times in a row. */
export const inTurns = async <Name extends string>(
  ways: Readonly<Record<Name, Way>>,
  { repeats, rounds, warmUp }: { readonly repeats: number; readonly rounds: number; readonly warmUp: number },
): Promise<ReadonlyArray<Readonly<Record<Name, Took>>>> => {
  const all: Array<Readonly<Record<Name, Took>>> = []
  for (let round = -warmUp; round < rounds; round++) {
    const took = {} as Record<Name, Took>
    for (const name in ways) took[name] = await take(ways[name], repeats)
    if (round >= 0) all.push(took)
  }
  return all
}

/** The middle and the edges of what is counted of each round. */
export const over = <Round>(rounds: ReadonlyArray<Round>, count: (round: Round) => number): Spread =>
  spread(rounds.map(count))
