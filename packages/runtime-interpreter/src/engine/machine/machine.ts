import type { Agent, JSObject, Realm, Throw, Value } from "../object/index.ts"
import type { Host } from "./host.ts"
import type { Job } from "./promise.ts"

/** What the builtins see of the machine. */
export declare class Machine implements Agent {
  readonly realm: Realm
  readonly maxStringLength: number
  /** In bits. */
  readonly maxBigIntBits: number
  readonly host: Host
  /** For `Intl` and dates. */
  readonly locale: string
  readonly timeZone: string

  call(fn: Value, thisValue: Value, args: Array<Value>): Value
  construct(fn: JSObject, args: Array<Value>, newTarget?: JSObject): JSObject

  typeError(message: string): Throw
  rangeError(message: string): Throw
  syntaxError(message: string): Throw
  referenceError(message: string): Throw
  /** An error object of an intrinsic constructor (`TypeError`, `RangeError`, ...), with its stack. */
  newError(type: string, message: string): JSObject
  /** Gives an error object its own `stack`, from the frames that run now. */
  captureStack(error: JSObject): void

  charge(steps: number): void
  allocate(bytes: number): void

  /** A value in a message: `undefined`, `"text"`, `#<Object>`, `[object Array]`, `(intermediate value)`. */
  describe(value: Value): string
  /** Whether iterating this dense array is the same as reading its elements in order: its iterator was not patched. */
  isArrayIterationPristine(array: JSObject): boolean

  enqueue(job: Job): void
  /** A promise was rejected with nothing to notice it. */
  trackRejection(promise: JSObject): void
  /** Something notices the rejection after all. */
  untrackRejection(promise: JSObject): void
  /** A promise got its first reaction. */
  onHandled(promise: JSObject): void

  /** Calls `fn` after `delay` milliseconds, again and again if it repeats. Answers the timer's number. */
  startTimer(fn: JSObject, args: Array<Value>, delay: number, repeat: boolean): number
  clearTimer(id: number): void
}
