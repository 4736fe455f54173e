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
    for (const map of this.full!) {
      const value = map.get(key)
      if (value !== undefined) return value
    }
    return undefined
  }

  /** Adds a key that is not in it. */
  add(key: Key, value: Value): void {
    if (this.last.size >= FULL) {
      ;(this.full ??= []).push(this.last)
      this.last = new Map()
    }
    this.last.set(key, value)
  }

  delete(key: Key): void {
    if (!this.last.delete(key)) this.full?.some((map) => map.delete(key))
  }
}
