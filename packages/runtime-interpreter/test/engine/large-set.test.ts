import { expect, it } from "vitest"
import { LargeSet } from "../../src/engine/machine/large-set.ts"

it("has all that was added to a large set, and nothing else", () => {
  const set = new LargeSet<number>()
  const count = 600_000
  for (let i = 0; i < count; i++) set.add(i)
  let has = 0
  for (let i = 0; i < count; i++) if (set.has(i)) has++
  expect(has).toBe(count)
  expect([-1, count, 0.5].map((value) => set.has(value))).toEqual([false, false, false])
})
