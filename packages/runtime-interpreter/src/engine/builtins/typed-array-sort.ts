import type { Machine } from "../machine/machine.ts"
import { type Calls, type HostView, Pause } from "../object/index.ts"

/** The host sorts this many numbers at once; longer arrays are merged from such blocks, with pauses. */
const BLOCK = 1 << 14

/** Whether `a` comes before `b`: ascending, -0 before 0, NaN last. */
const precedes = (a: any, b: any): boolean =>
  a < b || (a === b ? a === 0 && Object.is(a, -0) && !Object.is(b, -0) : b !== b && a === a)

/** What sorting so many numbers takes, in steps. */
const cost = (length: number): number => 1 + length * Math.ceil(Math.log2(length + 1))

/** Sorts the host's view of elements by https://tc39.es/ecma262/#sec-comparetypedarrayelements without a comparator. */
export function* sortNumbers(m: Machine, view: HostView): Calls<void> {
  const { length } = view
  if (length <= BLOCK) {
    m.charge(cost(length))
    view.sort()
    return
  }
  // No code of the program runs in a pause.
  let from: HostView = view.slice(0, length)
  m.allocate(length * 16)
  for (let start = 0; start < length; start += BLOCK) {
    m.charge(cost(BLOCK))
    from.subarray(start, Math.min(start + BLOCK, length)).sort()
    yield Pause
  }
  let to: HostView = from.slice(0, length)
  for (let width = BLOCK; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const middle = Math.min(start + width, length)
      const end = Math.min(start + 2 * width, length)
      let left = start
      let right = middle
      for (let i = start; i < end; i++) {
        if (i % BLOCK === BLOCK - 1) {
          m.charge(BLOCK)
          yield Pause
        }
        to[i] = left < middle && (right >= end || !precedes(from[right], from[left])) ? from[left++] : from[right++]
      }
    }
    const swap = from
    from = to
    to = swap
  }
  view.set(from)
}
