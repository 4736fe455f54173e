import { describe, expect, it } from "@effect/vitest"
import {
  type Agent,
  Collection,
  CollectionIterator,
  DONE,
  IterationKind,
  JSObject,
  type Value,
  WeakTable,
} from "../../src/engine/object/index.ts"

/** Numbers that look random, the same ones in each run. */
const numbers = (seed: number) => (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below

const entriesOf = (table: Collection): ReadonlyArray<readonly [Value, Value]> =>
  Array.from(table.positions(), (position) => [table.keyAt(position), table.valueAt(position)])

/** Keys of each kind that is hashed in its own way; of large integers few, since these have one hash. */
const keyOf = (n: number): Value =>
  n % 4 === 0 ? `key ${n}` : n % 4 === 1 ? BigInt(n) << (n < 1000 ? 70n : 0n) : n % 4 === 2 ? -n : n / 2

describe("a collection", () => {
  // Removed keys of large ones are kept for a while.
  it.each([50, 3000, 20_000])("is as the host's own, whatever is added and removed: up to %d keys", (count) => {
    const random = numbers(count)
    const table = new Collection()
    const host = new Map<Value, Value>()
    let wrong = 0
    for (let i = 0; i < 12 * count; i++) {
      const key = keyOf(random(count))
      const isThere = host.has(key)
      // It grows, shrinks, and grows again.
      if (random(6 * count) < i % (6 * count)) {
        if (table.delete(key) !== isThere) wrong++
        host.delete(key)
      } else {
        if (table.set(key, i) === isThere) wrong++
        host.set(key, i)
      }
      if (table.has(key) !== host.has(key) || table.get(key) !== host.get(key) || table.size !== host.size) wrong++
      if (i % (3 * count) === 7) table.tidy()
    }
    expect(wrong).toBe(0)
    expect(entriesOf(table)).toEqual(Array.from(host))
    expect(entriesOf(table.copyKeys()).map(([key]) => key)).toEqual(Array.from(host.keys()))
    table.clear()
    expect([table.size, entriesOf(table)]).toEqual([0, []])
  })

  it("is iterated in the order in which keys came, also where they come and go meanwhile", () => {
    const count = 10_000
    const table = new Collection()
    const host = new Set<Value>()
    for (let i = 0; i < count; i++) {
      table.add(i)
      host.add(i)
    }
    const random = numbers(3)
    const ours = new CollectionIterator("Set Iterator", table, IterationKind.Keys)
    const seen: Array<Value> = []
    const theirs: Array<Value> = []
    for (const key of host) {
      theirs.push(key)
      seen.push(ours.step(undefined as unknown as Agent))
      const removed = random(count)
      host.delete(removed)
      table.delete(removed)
      if (seen.length % 3 === 0) {
        host.add(removed)
        table.add(removed)
      }
    }
    expect(theirs.length).toBeGreaterThan(count / 2)
    expect(seen).toEqual(theirs)
    expect(ours.step(undefined as unknown as Agent)).toBe(DONE)
  })

  it("takes as long for a key that comes and goes again and again", () => {
    const table = new Collection()
    for (let i = 0; i < 100_000; i++) table.add(i)
    // What the host's own takes minutes for.
    for (let i = 0; i < 1_000_000; i++) {
      table.add(-1)
      table.delete(-1)
    }
    expect(table.size).toBe(100_000)
  })
})

describe("a weak table", () => {
  it.each([50, 10_000])("is as the host's own, whatever is added and removed: up to %d keys", (count) => {
    const random = numbers(count)
    const table = new WeakTable()
    const host = new Map<JSObject, Value>()
    const keys = Array.from({ length: count }, () => Object.create(JSObject.prototype) as JSObject)
    let wrong = 0
    for (let i = 0; i < 12 * count; i++) {
      const key = keys[random(count)]!
      const isThere = host.has(key)
      if (random(6 * count) < i % (6 * count)) {
        if (i % 11 === 0) table.forget(key)
        else if (table.delete(key) !== isThere) wrong++
        host.delete(key)
      } else {
        const value = i % 5 === 0 ? undefined : i
        if (table.set(key, value) === isThere) wrong++
        host.set(key, value)
      }
      if (table.has(key) !== host.has(key) || table.get(key) !== host.get(key)) wrong++
    }
    expect(wrong).toBe(0)
    expect(keys.filter((key) => table.has(key))).toEqual(keys.filter((key) => host.has(key)))
  })
})
