import type { Realm } from "./realm.ts"
import type { JSObject, Value } from "./value.ts"

/** What a guest `throw` is while it passes through host code. Not an `Error`: making one must be cheap. */
export class Throw {
  constructor(readonly value: Value) {}
}

/** Whatever is done with a text up to this length costs about the same. */
export const LONG_TEXT = 256

/** What object operations need of the machine: guest calls, guest errors and the meters. */
export interface Agent {
  readonly realm: Realm
  /** The longest string, in UTF-16 code units. */
  readonly maxStringLength: number
  /** The most bits of a bigint. */
  readonly maxBigIntBits: number

  /** Calls a guest function and runs it to its end in a nested loop. Throws `Throw` for what it throws, and a `TypeError` if it is no function. */
  call(fn: Value, thisValue: Value, args: Array<Value>): Value
  construct(fn: JSObject, args: Array<Value>, newTarget?: JSObject): JSObject

  typeError(message: string): Throw
  rangeError(message: string): Throw
  syntaxError(message: string): Throw
  referenceError(message: string): Throw

  /** Pays fuel, in steps, before the work is done. */
  charge(steps: number): void
  /** Accounts for memory, in bytes, before it is taken. */
  allocate(bytes: number): void
  /** A text of more than `LONG_TEXT` units is to be looked into: the host may have to put it together of its pieces first. */
  touch(text: string): void
}
