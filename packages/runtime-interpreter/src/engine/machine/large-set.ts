/** With so many values a host's set takes some milliseconds to make room for as many more, and with twice as many four times as long. */
const FULL = 1 << 18

/** A set of any size, which makes room for more without holding anything up: one that is full is left, and another one is begun. */
export class LargeSet<Value> {
  private last = new Set<Value>()
  private readonly full: Array<Set<Value>> = []

  has(value: Value): boolean {
    return this.last.has(value) || (this.full.length > 0 && this.full.some((set) => set.has(value)))
  }

  /** Adds a value that is not in it. */
  add(value: Value): void {
    if (this.last.size >= FULL) {
      this.full.push(this.last)
      this.last = new Set()
    }
    this.last.add(value)
  }
}
