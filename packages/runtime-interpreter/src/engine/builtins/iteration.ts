import {
  call,
  type Calls,
  get,
  getMethod,
  isObject,
  type JSObject,
  Kind,
  SymbolIterator,
  Throw,
  toBoolean,
  type Value,
} from "../object/index.ts"
import type { Machine } from "../machine/machine.ts"

/** https://tc39.es/ecma262/#sec-iterator-records */
export interface IteratorRecord {
  readonly iterator: JSObject
  readonly next: Value
  done: boolean
}

/** What a step gives after the last value. Never a guest value. */
export const DONE: unique symbol = Symbol("done")

/** https://tc39.es/ecma262/#sec-getiteratordirect */
export const getIteratorDirect = (m: Machine, iterator: JSObject): IteratorRecord => ({
  iterator,
  next: get(m, iterator, "next"),
  done: false,
})

/** https://tc39.es/ecma262/#sec-getiteratorfrommethod */
export function* getIteratorFromMethod(m: Machine, value: Value, fn: JSObject): Calls<IteratorRecord> {
  const iterator = yield call(fn, value, [])
  if (!isObject(iterator)) throw m.typeError("Result of the Symbol.iterator method is not an object")
  return getIteratorDirect(m, iterator)
}

/** https://tc39.es/ecma262/#sec-getiterator for the sync kind. */
export function* getIterator(m: Machine, value: Value): Calls<IteratorRecord> {
  const fn = value === undefined || value === null ? undefined : getMethod(m, value, SymbolIterator)
  if (fn === undefined) throw m.typeError(`${m.describe(value)} is not iterable`)
  return yield* getIteratorFromMethod(m, value, fn)
}

/** https://tc39.es/ecma262/#sec-iteratorstepvalue — `DONE` after the last value. */
export function* iteratorStepValue(m: Machine, record: IteratorRecord): Calls<Value | typeof DONE> {
  let result: Value
  try {
    result = yield call(record.next, record.iterator, [])
    if (!isObject(result)) throw m.typeError(`Iterator result ${m.describe(result)} is not an object`)
    if (toBoolean(get(m, result, "done"))) {
      record.done = true
      return DONE
    }
    return get(m, result, "value")
  } catch (error) {
    record.done = true
    throw error
  }
}

/** https://tc39.es/ecma262/#sec-iteratorclose for a normal completion: what `return` throws is thrown. */
export function* iteratorClose(m: Machine, record: IteratorRecord): Calls<void> {
  const fn = getMethod(m, record.iterator, "return")
  if (fn === undefined) return
  const result = yield call(fn, record.iterator, [])
  if (!isObject(result)) throw m.typeError(`${m.describe(result)} is not an object`)
}

/** https://tc39.es/ecma262/#sec-iteratorclose for a throw completion: rethrows `error` whatever `return` does. */
export function* iteratorCloseThrow(m: Machine, record: IteratorRecord, error: unknown): Calls<never> {
  if (error instanceof Throw) {
    try {
      const fn = getMethod(m, record.iterator, "return")
      if (fn !== undefined) yield call(fn, record.iterator, [])
    } catch (inner) {
      if (!(inner instanceof Throw)) throw inner
    }
  }
  throw error
}

/** Whether iterating this value is the same as reading an array's elements in order: nothing was patched. */
export const isPlainArrayIteration = (m: Machine, value: Value): value is JSObject =>
  isObject(value) && value.kind === Kind.Array && m.isArrayIterationPristine(value)

/**
 * Runs `step` for every value of an iterable and closes the iterator when `step` throws. `step` may itself make guest
 * calls. A plain array is read without the protocol.
 */
export function* forEachOf(m: Machine, iterable: Value, step: (value: Value) => Calls<void> | undefined): Calls<void> {
  if (isPlainArrayIteration(m, iterable)) {
    for (let i = 0; i < iterable.data.length; i++) {
      m.charge(1)
      const calls = step(get(m, iterable, i))
      if (calls !== undefined) yield* calls
    }
    return
  }
  const record = yield* getIterator(m, iterable)
  for (;;) {
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) return
    try {
      const calls = step(value)
      if (calls !== undefined) yield* calls
    } catch (error) {
      return yield* iteratorCloseThrow(m, record, error)
    }
  }
}

/** https://tc39.es/ecma262/#sec-iteratortolist */
export function* listFromIterable(m: Machine, iterable: Value): Calls<Array<Value>> {
  const list: Array<Value> = []
  yield* forEachOf(m, iterable, (value) => {
    m.allocate(8)
    list.push(value)
    return undefined
  })
  return list
}

