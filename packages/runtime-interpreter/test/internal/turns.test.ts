import { describe, expect, it } from "vitest"
import { inTurns } from "../../src/internal/turns.ts"

const SLICE = 5

/** Steps of which each takes a millisecond of the thread. */
function* work(count: number, onStep: () => void): Generator<undefined, number> {
  for (let i = 0; i < count; i++) {
    const end = performance.now() + 1
    while (performance.now() < end);
    onStep()
    yield
  }
  return count
}

describe("work in turns", () => {
  it("takes one slice of a turn, however much there is", async () => {
    let steps = 0
    const perTurn: Array<number> = []
    let before = 0
    let timer = setImmediate(function turn() {
      perTurn.push(steps - before)
      before = steps
      timer = setImmediate(turn)
    })
    const counts = [20, 30, 40, 50, 60]
    const results = await Promise.all(counts.map((count) => inTurns(work(count, () => steps++), SLICE)))
    clearImmediate(timer)
    expect(results).toEqual(counts)
    expect(steps).toBe(200)
    // The last of them begins before the slice is over; the turn before it may be counted with it.
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(2 * (SLICE + 1))
    expect(perTurn.length).toBeGreaterThan(15)
  })

  it("gives what the work throws", async () => {
    await expect(inTurns(
      (function*(): Generator<undefined, never> {
        yield
        throw new Error("no")
      })(),
      SLICE,
    )).rejects.toThrow("no")
    expect(await inTurns(work(3, () => {}), SLICE)).toBe(3)
  })
})
