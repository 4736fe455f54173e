/** With so many entries a host's map takes some milliseconds to make room for as many more, and with twice as many four times as long. */
const FULL = 1 << 18

/** A map of any size, which makes room for more without holding anything up: one that is full is left, and another one is begun. */
export class LargeMap<Key, Value extends object | number | string> {
  private last = new Map<Key, Value>()
  private full: Array<Map<Key, Value>> | null = null

  get(key: Key): Value | undefined {
    const value = this.last.get(key)
    return value !== undefined || this.full === null ? value : this.getOld(key)
  }

  private getOld(key: Key): Value | undefined {
    // What was added last counts.
    for (let i = this.full!.length - 1; i >= 0; i--) {
      const value = this.full![i]!.get(key)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Adds a key, or gives it another value. */
  add(key: Key, value: Value): void {
    if (this.last.size >= FULL) {
      ;(this.full ??= []).push(this.last)
      this.last = new Map()
    }
    this.last.set(key, value)
  }
}
