import type { Shape } from "./shape.ts"
import { JSObject, Kind, newElements, type PropertyKey } from "./value.ts"

/**
 * Where the arrays and objects inside of others stay as long as nobody looks at them: a copy of the host's data, without a guest
 * object for each. It is cut into chunks. What it has of an object is its `PartialData`, or its shape if nothing of it is left
 * behind in turn, and then its values; of an array its length, its shape, and then its elements. The length is negative (`~length`)
 * where all elements are places on the tape.
 */
export type Tape = Array<Array<unknown>>

/** How many values a chunk has at most. A place on the tape is the number of its chunk times this, and its index there. */
export const CHUNK = 1 << 11

/** What partial objects of one layout and one tape share: objects some of whose values are still on the tape. */
export class PartialData {
  constructor(
    readonly tape: Tape,
    /** The shape while they are partial: that of the complete ones, but another one, so that no inline cache takes one for the other. */
    readonly shape: Shape,
    /** The shape of complete ones. */
    readonly whole: Shape,
    /** Which slots have a place on the tape instead of a value. */
    readonly left: ReadonlyArray<number>,
  ) {}
}

/** Makes a guest value of what stands at a place on the tape. An object is partial if it has others in it. */
export const take = (tape: Tape, place: number): JSObject => {
  const chunk = tape[Math.floor(place / CHUNK)]!
  const at = place % CHUNK
  const head = chunk[at] as PartialData | Shape | number
  if (typeof head === "number") {
    const length = head < 0 ? ~head : head
    const elements = chunk.slice(at + 2, at + 2 + length)
    if (head < 0) { for (let i = 0; i < length; i++) elements[i] = take(tape, elements[i] as number) }
    return new JSObject(chunk[at + 1] as Shape, newElements(), Kind.Array, elements)
  }
  return head instanceof PartialData
    ? new JSObject(head.shape, chunk.slice(at + 1, at + 1 + head.shape.count), Kind.Partial, head)
    : new JSObject(head, chunk.slice(at + 1, at + 1 + head.count), Kind.Ordinary, undefined)
}

/** Makes an ordinary object of a partial one. Programs cannot see it, and it costs them nothing: all was paid for at the boundary. */
export const complete = (o: JSObject): void => {
  if (o.kind !== Kind.Partial) return
  const { left, tape, whole }: PartialData = o.data
  const { slots } = o
  for (const slot of left) slots[slot] = take(tape, slots[slot] as number)
  o.kind = Kind.Ordinary
  o.shape = whole
  o.data = undefined
}

/** Makes sure that a property of a partial object, if there is one of that key, has its value. */
export const completeFor = (o: JSObject, key: PropertyKey): void => {
  const { left, shape }: PartialData = o.data
  const slot = shape.lookup(key)
  if (slot >= 0 && left.includes(slot)) complete(o)
}

/** Makes sure that a property of a partial object can be assigned to: that it has one of that key with its value, or is complete. */
export const completeToSet = (o: JSObject, key: PropertyKey): void => {
  const { left, shape }: PartialData = o.data
  const slot = shape.lookup(key)
  if (slot < 0 || left.includes(slot)) complete(o)
}
