import { KEPT_FROM, REMOVED } from "./collection.ts"
import type { JSObject, Value } from "./value.ts"

type Key = JSObject | symbol

/**
 * The entries of a weak map, or the members of a weak set. A table of ours rather than the host's weak one, so that it can
 * be listed: what an entry holds counts as live only if its key is, and entries whose keys are not can be dropped when the
 * live values are traced.
 */
export class WeakTable {
  readonly entries = new Map<Key, Value | typeof REMOVED>()
  /** How many of these were removed. */
  private gone = 0

  has(key: Key): boolean {
    const value = this.entries.get(key)
    return value === undefined ? this.entries.has(key) : value !== REMOVED
  }

  get(key: Key): Value {
    const value = this.entries.get(key)
    return value === REMOVED ? undefined : value
  }

  /** Sets an entry, and says whether its key is new. */
  set(key: Key, value: Value): boolean {
    const isNew = !this.has(key)
    if (isNew && this.gone > 0 && this.entries.has(key)) this.gone--
    this.entries.set(key, value)
    return isNew
  }

  /** Says whether there was such an entry. Of a large table its key is kept for a while, as in collections. */
  delete(key: Key): boolean {
    if (!this.has(key)) return false
    if (this.entries.size < KEPT_FROM) return this.entries.delete(key)
    this.entries.set(key, REMOVED)
    this.gone++
    if (this.gone > this.entries.size >> 1) {
      for (const [other, value] of this.entries) if (value === REMOVED) this.entries.delete(other)
      this.gone = 0
    }
    return true
  }

  /** Lets go of an entry, whether it was removed or not. */
  forget(key: Key): void {
    if (this.entries.get(key) === REMOVED) this.gone--
    this.entries.delete(key)
  }
}
