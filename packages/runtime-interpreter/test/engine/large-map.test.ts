import { expect, it } from "vitest"
import { LargeMap } from "../../src/engine/object/large-map.ts"

it("gives what was added to a large map last for a key", () => {
  const map = new LargeMap<number, number>()
  const count = 600_000
  for (let i = 0; i < count; i++) map.add(i, i * 2)
  for (let i = 0; i < count; i += 1000) map.add(i, -1)
  map.add(0, 7)
  let wrong = 0
  for (let i = 1; i < count; i++) if (map.get(i) !== (i % 1000 === 0 ? -1 : i * 2)) wrong++
  expect(wrong).toBe(0)
  expect([map.get(0), map.get(-1), map.get(count)]).toEqual([7, undefined, undefined])
})
