interface Timer {
  readonly id: number
  /** When its time comes, on the run's monotonic clock. */
  readonly due: number
  cleared: boolean
}

const isBefore = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.id < b.id)

/** The timers of a run, of which the host only ever sees the next one: they cost it no more than a program pays for. */
export class Timers {
  /** A binary heap: each is before those at `2 i + 1` and `2 i + 2`. */
  private heap: Array<Timer> = []
  private readonly byId = new Map<number, Timer>()

  add(id: number, due: number): void {
    const timer: Timer = { id, due, cleared: false }
    this.byId.set(id, timer)
    this.push(timer)
  }

  remove(id: number): void {
    const timer = this.byId.get(id)
    if (timer === undefined) return
    timer.cleared = true
    this.byId.delete(id)
    // A program may start and clear them without end.
    if (this.heap.length > 64 && this.heap.length > this.byId.size * 2) {
      const rest = this.heap.filter(({ cleared }) => !cleared)
      this.heap = []
      for (const timer of rest) this.push(timer)
    }
  }

  /** When the next one is due. */
  get next(): number | undefined {
    while (this.heap[0]?.cleared) this.pop()
    return this.heap[0]?.due
  }

  /** Takes the next one, if it is due. */
  take(now: number): number | undefined {
    const due = this.next
    if (due === undefined || due > now) return undefined
    const { id } = this.pop()
    this.byId.delete(id)
    return id
  }

  private push(timer: Timer): void {
    const { heap } = this
    let i = heap.push(timer) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!isBefore(timer, heap[parent]!)) break
      heap[i] = heap[parent]!
      i = parent
    }
    heap[i] = timer
  }

  private pop(): Timer {
    const { heap } = this
    const first = heap[0]!
    const last = heap.pop()!
    const { length } = heap
    if (length === 0) return first
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= length) break
      if (child + 1 < length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[i] = heap[child]!
      i = child
    }
    heap[i] = last
    return first
  }
}
