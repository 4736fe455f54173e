import { type Agent, type Calls, Pause, toNumber, type Value } from "../object/index.ts"

/** So many comparisons of the host's own are made between two pauses. */
const BLOCK = 16_384

/**
 * A stable merge sort that stops wherever it needs two items compared: `left` and `right` are to be compared until `done`.
 * It merges the runs that it finds, so that what is sorted already costs one comparison an item.
 */
export class MergeSort<A> {
  left: A
  right: A
  done = false
  private source: Array<A>
  /** As long as the source: what is merged goes there, up to `to`. */
  private target: Array<A>
  private to = 0
  /** Where the runs of the source begin, and its length. */
  private runs: Array<number> = [0]
  private nextRuns: Array<number> = []
  /** While runs are being found: the end of what was looked at, and whether the current run descends. */
  private end = 1
  private descending = false
  private finding = true
  /** While two runs are merged: the number of the first, where the merge stands in both, and the end of the first; `end` is that of the second. */
  private run = 0
  private i = 0
  private j = 0
  private middle = 0

  /** Takes the items for its own. */
  constructor(items: Array<A>) {
    this.source = items
    this.target = []
    this.left = items[0]!
    this.right = items[1]!
    if (items.length < 2) this.done = true
  }

  /** The items in order, once it is done. */
  get items(): Array<A> {
    return this.source
  }

  /** Takes the answer: whether `right` belongs before `left`. */
  answer(rightFirst: boolean): void {
    if (this.finding) this.extendRun(rightFirst)
    else this.take(rightFirst)
  }

  private extendRun(rightFirst: boolean): void {
    const { end, runs, source } = this
    const start = runs[runs.length - 1]!
    if (end === start + 1) this.descending = rightFirst
    if (rightFirst === this.descending) this.end++
    else {
      if (this.descending) reverse(source, start, end)
      runs.push(end)
      this.end = end + 1
    }
    if (this.end < source.length) {
      this.left = source[this.end - 1]!
      this.right = source[this.end]!
      return
    }
    const last = runs[runs.length - 1]!
    if (this.descending && source.length - last > 1) reverse(source, last, source.length)
    runs.push(source.length)
    this.finding = false
    if (runs.length > 2) this.target = source.slice()
    this.beginPass()
  }

  private beginPass(): void {
    if (this.runs.length <= 2) {
      this.done = true
      return
    }
    this.nextRuns = [0]
    this.run = this.to = 0
    this.beginMerge()
  }

  private beginMerge(): void {
    const { runs, source, target } = this
    const remaining = runs.length - 1 - this.run
    if (remaining >= 2) {
      this.i = runs[this.run]!
      this.j = this.middle = runs[this.run + 1]!
      this.end = runs[this.run + 2]!
      this.left = source[this.i]!
      this.right = source[this.j]!
      return
    }
    if (remaining === 1) {
      for (let i = runs[this.run]!; i < source.length; i++) target[i] = source[i]!
      this.nextRuns.push(source.length)
    }
    this.source = target
    this.target = source
    this.runs = this.nextRuns
    this.beginPass()
  }

  private take(rightFirst: boolean): void {
    const { source, target } = this
    if (rightFirst) {
      target[this.to++] = this.right
      if (++this.j < this.end) {
        this.right = source[this.j]!
        return
      }
      for (let i = this.i; i < this.middle; i++) target[this.to++] = source[i]!
    } else {
      target[this.to++] = this.left
      if (++this.i < this.middle) {
        this.left = source[this.i]!
        return
      }
      for (let j = this.j; j < this.end; j++) target[this.to++] = source[j]!
    }
    this.nextRuns.push(this.end)
    this.run += 2
    this.beginMerge()
  }
}

const reverse = <A>(items: Array<A>, start: number, end: number): void => {
  for (let i = start, j = end - 1; i < j; i++, j--) {
    const item = items[i]!
    items[i] = items[j]!
    items[j] = item
  }
}

/** Pays for the tables of a sort. */
export const startSort = <A>(m: Agent, items: Array<A>): MergeSort<A> => {
  m.allocate(items.length * 24)
  return new MergeSort(items)
}

/** What a comparator of the program's answered, as `answer` takes it. */
export const isRightFirst = (m: Agent, order: Value): boolean =>
  (typeof order === "number" ? order : toNumber(m, order)) > 0

/** Sorts by an order of the host's, in blocks between which the run can be suspended; `cost` is that of a comparison, in steps. */
export function* sortBy<A>(
  m: Agent,
  items: Array<A>,
  isBefore: (a: A, b: A) => boolean,
  cost: number,
): Calls<Array<A>> {
  const sort = startSort(m, items)
  const block = Math.max(1, Math.floor(BLOCK / cost))
  while (!sort.done) {
    m.charge(block * cost)
    for (let i = 0; i < block && !sort.done; i++) sort.answer(isBefore(sort.right, sort.left))
    if (!sort.done) yield Pause
  }
  return sort.items
}
