import type { Agent } from "./agent.ts"
import { bigIntWords } from "./bigint-arithmetic.ts"
import { type BuiltinIterator, DONE, ENTRY_BYTES, IterationKind } from "./iterator.ts"
import { LONG_KEY } from "./shape.ts"
import { newElements, type Value } from "./value.ts"

/** The mark of a removed entry. Never a guest value. */
export const REMOVED: unique symbol = Symbol("removed")

/** Stands for the position of a key that was removed. */
const GONE = -1

/**
 * The host leaves a mark for each removal, in the chain of the keys of one hash, and goes through all of these to find one: in a large map,
 * adding and removing the same key again and again takes longer each time. From so many keys on they are kept, and found again.
 */
export const KEPT_FROM = 4096

/** Integers of more bits than this are hashed by their lowest ones alone. */
const LARGE = 2n ** 64n

/** The time between two renumberings of a collection's entries. */
class Era {
  next: Era | null = null
  /** The positions of the entries that the renumbering left out; null if it left out all. */
  removed: Array<number> | null = null
}

/**
 * The entries of a map, or the members of a set, in the order in which they came. Positions are stable between eras, and a
 * cursor that comes from an earlier era can find its place in the current one: removing entries while they are iterated
 * neither skips nor repeats any.
 */
export class Collection {
  /** Positions by key. */
  private readonly index = new Map<Value, number>()
  /** How many of these were removed. */
  private gone = 0
  private keys: Array<Value | typeof REMOVED> = []
  /** Empty for a set. */
  private values: Array<Value> = newElements()
  private first = 0
  /** Null until a cursor counts in it. */
  private era: Era | null = null
  /** How many long texts of a length are in the index. */
  private longKeys: Map<number, number> | null = null
  private largeIntegers = 0

  get size(): number {
    return this.index.size - this.gone
  }

  has(key: Value): boolean {
    const position = this.index.get(key)
    return position !== undefined && position !== GONE
  }

  get(key: Value): Value {
    const position = this.index.get(key)
    return position === undefined || position === GONE ? undefined : this.values[position]
  }

  /** Adds a member to a set, and says whether it was missing. */
  add(key: Value): boolean {
    const position = this.index.get(key)
    if (position !== undefined && position !== GONE) return false
    this.append(key, position)
    return true
  }

  /** Sets an entry of a map, and says whether its key is new. */
  set(key: Value, value: Value): boolean {
    const position = this.index.get(key)
    if (position !== undefined && position !== GONE) {
      this.values[position] = value
      return false
    }
    this.append(key, position)
    this.values.push(value)
    return true
  }

  private append(key: Value, position: typeof GONE | undefined): void {
    if (key === 0) key = 0
    this.index.set(key, this.keys.length)
    this.keys.push(key)
    if (position === GONE) this.gone--
    else this.count(key, 1)
  }

  delete(key: Value): boolean {
    const position = this.index.get(key)
    if (position === undefined || position === GONE) return false
    if (this.index.size < KEPT_FROM) this.forget(key)
    else {
      this.index.set(key, GONE)
      this.gone++
    }
    const keys = this.keys
    keys[position] = REMOVED
    if (position < this.values.length) this.values[position] = undefined
    if (position === this.first) {
      while (this.first < keys.length && keys[this.first] === REMOVED) this.first++
    }
    if (keys.length > 32 && this.size < keys.length >> 1) this.compact()
    return true
  }

  private forget(key: Value): void {
    this.index.delete(key)
    this.count(key, -1)
  }

  clear(): void {
    this.index.clear()
    this.gone = 0
    this.keys = []
    this.values = []
    this.first = 0
    this.longKeys = null
    this.largeIntegers = 0
    this.endEra(null)
  }

  private endEra(removed: Array<number> | null): void {
    const { era } = this
    if (era === null) return
    era.removed = removed
    this.era = era.next = new Era()
  }

  /** A set of the same members. */
  copyKeys(): Collection {
    const copy = new Collection()
    for (const position of this.positions()) copy.add(this.keys[position])
    return copy
  }

  /** Where the entries are, in the order in which they came. */
  *positions(): Generator<number> {
    for (let i = this.first; i < this.keys.length; i++) if (this.keys[i] !== REMOVED) yield i
  }

  /** The key of an entry that a cursor stands on. */
  keyAt(position: number): Value {
    return this.keys[position] as Value
  }

  valueAt(position: number): Value {
    return this.values[position]
  }

  /**
   * What finding this key can cost, in steps, beyond the usual. The host keeps keys of equal hashes in one chain, and some
   * kinds of keys can be made to have equal ones.
   */
  cost(key: Value): number {
    if (typeof key === "string") {
      if (key.length <= 64) return 0
      const same = key.length > LONG_KEY ? this.longKeys?.get(key.length) ?? 0 : 0
      return (key.length >> 5) + same * (key.length >> 7)
    }
    return typeof key === "bigint" && isLarge(key) ? this.largeIntegers * (1 + (bigIntWords(key) >> 6)) : 0
  }

  private count(key: Value, change: number): void {
    if (typeof key === "string") {
      if (key.length <= LONG_KEY) return
      const counts = this.longKeys ??= new Map()
      counts.set(key.length, (counts.get(key.length) ?? 0) + change)
    } else if (typeof key === "bigint" && isLarge(key)) this.largeIntegers += change
  }

  /** Lets go of removed keys. */
  tidy(): void {
    if (this.gone === 0) return
    for (const [key, position] of this.index) if (position === GONE) this.forget(key)
    this.gone = 0
  }

  private compact(): void {
    this.tidy()
    const removed: Array<number> = []
    const keys: Array<Value | typeof REMOVED> = []
    const values: Array<Value> = newElements()
    const hasValues = this.values.length > 0
    for (let i = 0; i < this.keys.length; i++) {
      const key = this.keys[i]
      if (key === REMOVED) {
        removed.push(i)
        continue
      }
      this.index.set(key as Value, keys.length)
      keys.push(key as Value)
      if (hasValues) values.push(this.values[i])
    }
    this.keys = keys
    this.values = values
    this.first = 0
    this.endEra(removed)
  }

  /** Moves a cursor to the next entry, whose position it gives; -1 where there is none. */
  advance(cursor: Cursor): number {
    cursor.era ??= this.era ??= new Era()
    while (cursor.era.next !== null) {
      const { next, removed }: Era = cursor.era
      cursor.position = removed === null ? 0 : cursor.position - countBelow(removed, cursor.position)
      cursor.era = next
    }
    const keys = this.keys
    let position = cursor.position < this.first ? this.first : cursor.position
    while (position < keys.length) {
      if (keys[position] !== REMOVED) {
        cursor.position = position + 1
        return position
      }
      position++
    }
    cursor.position = position
    return -1
  }
}

const isLarge = (n: bigint): boolean => n >= LARGE || n <= -LARGE

/** How many of these ascending numbers are below `limit`. */
const countBelow = (numbers: ReadonlyArray<number>, limit: number): number => {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** A place among the entries of one collection. */
export class Cursor {
  position = 0
  /** The era that `position` counts in; null before the first step. */
  era: Era | null = null
}

/** https://tc39.es/ecma262/#sec-createmapiterator and https://tc39.es/ecma262/#sec-createsetiterator */
export class CollectionIterator extends Cursor implements BuiltinIterator {
  constructor(
    readonly brand: "Map Iterator" | "Set Iterator",
    /** What is iterated; null once that is over. */
    public table: Collection | null,
    readonly kind: number,
  ) {
    super()
  }

  step(m: Agent): Value | typeof DONE {
    const table = this.table
    if (table === null) return DONE
    const position = table.advance(this)
    if (position < 0) {
      this.table = null
      return DONE
    }
    const key = table.keyAt(position)
    if (this.kind === IterationKind.Keys) return key
    const value = this.brand === "Map Iterator" ? table.valueAt(position) : key
    if (this.kind === IterationKind.Values) return value
    m.allocate(ENTRY_BYTES)
    return m.realm.newArray(newElements(key, value))
  }
}
