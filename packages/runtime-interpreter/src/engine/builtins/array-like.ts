import type { Machine } from "../machine/machine.ts"
import { isObject, type JSObject, set, toIntegerOrInfinity, toObject, type Value } from "../object/index.ts"

// Most methods have two bodies: one over the host array that holds the elements of a plain array, and the standard's steps
// over properties. Arguments are converted before the first is chosen, since a conversion may change the array. The second is
// done in blocks between which the machine may stop: an array-like can say that it is of any length.

/** After how many elements of a longer work the machine may stop. */
export const BLOCK = 512

export const isBlock = (k: number): boolean => k % BLOCK === BLOCK - 1

export const MAX_LENGTH = Number.MAX_SAFE_INTEGER

/** The object that a method of `Array.prototype` works on. */
export const arrayLike = (m: Machine, self: Value, name: string): JSObject => {
  if (isObject(self)) return self
  if (self === undefined || self === null) throw m.typeError(`Array.prototype.${name} called on null or undefined`)
  return toObject(m, self)
}

/** Pays for moving so many elements. */
export const moves = (m: Machine, count: number): void => m.charge(1 + (count >> 3))

/** Pays for a copy of so many elements. */
export const copies = (m: Machine, count: number): void => {
  m.charge(1 + (count >> 2))
  m.allocate(64 + count * 8)
}

export const setLength = (m: Machine, o: JSObject, length: number): void => set(m, o, "length", length)

export const requireLength = (m: Machine, length: number): void => {
  if (length > MAX_LENGTH) throw m.typeError("Pushing elements past the maximum array-like length (2^53 - 1)")
}

/** How many elements `splice` and `toSpliced` take away, from an index on. */
export const removedBySplice = (m: Machine, args: ReadonlyArray<Value>, start: number, length: number): number =>
  args.length === 0
    ? 0
    : args.length === 1
    ? length - start
    : Math.min(Math.max(toIntegerOrInfinity(m, args[1]), 0), length - start)
