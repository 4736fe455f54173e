import type { Machine } from "../machine/machine.ts"
import {
  type BuiltinIterator,
  call,
  type Calls,
  type Collection,
  CollectionIterator,
  describe,
  DONE,
  get,
  getMethod,
  HOLE,
  isBuiltin,
  isObject,
  IterationKind,
  type JSObject,
  Kind,
  type NativeData,
  newElements,
  Pause,
  SymbolIterator,
  Throw,
  toBoolean,
  typeOf,
  type Value,
} from "../object/index.ts"

/** How many values are gone through between two chances for the machine to stop. */
const BLOCK = 1024

/** Whether a block of work ends with the value of this number. */
export const isBlock = (i: number): boolean => i % BLOCK === BLOCK - 1

/** https://tc39.es/ecma262/#sec-iterator-records */
export interface IteratorRecord {
  readonly iterator: JSObject
  readonly next: Value
  done: boolean
}

export { DONE }

/**
 * Shows the meter what a generator native gathers while it calls the program: nobody can look into a host generator, and
 * what is not seen is not counted. For the native that runs now, until it ends.
 */
export const hold = (m: Machine, value: unknown): void => {
  const { frame } = m
  if (frame.held === null) frame.held = [value]
  else frame.held.push(value)
}

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

/** The error for an argument that had to be iterable. */
export const notIterable = (m: Machine, value: Value): Throw => {
  const shown = typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null
    ? `${typeof value} ${describe(value)}`
    : typeOf(value)
  return m.typeError(`${shown} is not iterable (cannot read property Symbol(Symbol.iterator))`)
}

/** https://tc39.es/ecma262/#sec-getiterator for the sync kind. */
export function* getIterator(m: Machine, value: Value): Calls<IteratorRecord> {
  const fn = value === undefined || value === null ? undefined : getMethod(m, value, SymbolIterator)
  if (fn === undefined) throw notIterable(m, value)
  return yield* getIteratorFromMethod(m, value, fn)
}

/** The state behind a built-in iterator whose `next` is the built-in one: stepping it needs neither call nor result object. */
export const builtinIterator = ({ iterator, next }: IteratorRecord): BuiltinIterator | null => {
  if (iterator.kind !== Kind.Iterator || !isObject(next) || next.kind !== Kind.Native) return null
  const state: BuiltinIterator = iterator.data
  return (next.data as NativeData).definition.stepper === state.brand ? state : null
}

/** https://tc39.es/ecma262/#sec-iteratorstepvalue — `DONE` after the last value. */
export function* iteratorStepValue(m: Machine, record: IteratorRecord): Calls<Value | typeof DONE> {
  try {
    const builtin = builtinIterator(record)
    if (builtin !== null) {
      m.charge(2)
      const value = builtin.step(m)
      if (value === DONE) record.done = true
      return value
    }
    const result = yield call(record.next, record.iterator, [])
    if (!isObject(result)) throw m.typeError(`Iterator result ${describe(result)} is not an object`)
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
  if (!isObject(result)) throw m.typeError(`${describe(result)} is not an object`)
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
  isObject(value) && value.kind === Kind.Array && m.arrayIteration.isPristine(value)

/** Whether iterating a map or a set of no more than a block is the same as going through its entries: nothing was patched. */
const isFewPlain = (m: Machine, o: JSObject, name: "Map" | "Set", method: string): boolean => {
  if ((o.data as Collection).size > BLOCK) return false
  const { realm } = m
  const proto = realm.peek(`${name}Prototype`)
  if (proto === undefined || o.shape.proto !== proto || o.shape.count > 0) return false
  const iterators = realm.intrinsic(`${name}IteratorPrototype`)
  const next: unknown = iterators.slots[iterators.shape.lookup("next")]
  const fn: unknown = proto.slots[proto.shape.lookup(SymbolIterator)]
  return isObject(fn) && isBuiltin(fn, method) && isObject(next) && next.kind === Kind.Native &&
    (next.data as NativeData).definition.stepper === `${name} Iterator`
}

/** Whether a value is a map of no more than a block of entries, of which iterating it gives one after the other. */
export const isMapOfFew = (m: Machine, value: Value): value is JSObject =>
  isObject(value) && value.kind === Kind.Map && isFewPlain(m, value, "Map", "Map.prototype.entries")

/**
 * The values of an array, a set or a map in the order of its iteration, if that runs nothing of the program and there are no
 * more than a block of them. They are paid for, and not to be changed.
 */
export const fewValues = (m: Machine, iterable: Value): ReadonlyArray<Value> | undefined => {
  if (!isObject(iterable)) return undefined
  const { data, kind } = iterable
  if (kind === Kind.Array) {
    const elements: Array<Value | typeof HOLE> = data
    if (elements.length > BLOCK || !m.arrayIteration.isPristine(iterable) || elements.includes(HOLE)) return undefined
    m.charge(elements.length)
    return elements as Array<Value>
  }
  let iterator: CollectionIterator
  if (kind === Kind.Map && isMapOfFew(m, iterable)) {
    iterator = new CollectionIterator("Map Iterator", data, IterationKind.Entries)
  } else if (kind === Kind.Set && isFewPlain(m, iterable, "Set", "Set.prototype.values")) {
    iterator = new CollectionIterator("Set Iterator", data, IterationKind.Values)
  } else return undefined
  m.charge(data.size)
  m.allocate(data.size * 8)
  const values: Array<Value> = newElements()
  for (let value = iterator.step(m); value !== DONE; value = iterator.step(m)) values.push(value)
  return values
}

/** The same where each value is an array of a key and a value, which can be read without running anything either. */
export const fewEntries = (m: Machine, iterable: Value): ReadonlyArray<JSObject> | undefined => {
  if (isObject(iterable) && iterable.kind !== Kind.Array && iterable.kind !== Kind.Map) return undefined
  const entries = fewValues(m, iterable) as ReadonlyArray<JSObject> | undefined
  if (entries === undefined) return undefined
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i]!
    if (!isObject(entry) || entry.kind !== Kind.Array) return undefined
    const { data } = entry
    if (data.length < 2 || data[0] === HOLE || data[1] === HOLE) return undefined
  }
  return entries
}

/**
 * Runs `step` for every value of an iterable and closes the iterator when `step` throws. `step` may itself make guest
 * calls. A plain array is read without the protocol.
 */
export function* forEachOf(m: Machine, iterable: Value, step: (value: Value) => Calls<void> | undefined): Calls<void> {
  if (isPlainArrayIteration(m, iterable)) {
    hold(m, iterable)
    for (let i = 0; i < iterable.data.length; i++) {
      m.charge(1)
      const calls = step(get(m, iterable, i))
      if (calls !== undefined) yield* calls
      if (isBlock(i)) yield Pause
    }
    return
  }
  const record = yield* getIterator(m, iterable)
  hold(m, record)
  const builtin = builtinIterator(record)
  for (let i = 0;; i++) {
    m.charge(1)
    if (isBlock(i)) yield Pause
    const value = builtin === null ? yield* iteratorStepValue(m, record) : builtin.step(m)
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
  const list: Array<Value> = newElements()
  hold(m, list)
  yield* forEachOf(m, iterable, (value) => {
    m.allocate(8)
    list.push(value)
    return undefined
  })
  return list
}

/** https://tc39.es/ecma262/#sec-iteratorstep — the result object, not its value; `DONE` after the last one. */
export function* iteratorStep(m: Machine, record: IteratorRecord): Calls<Value | typeof DONE> {
  try {
    const result = yield call(record.next, record.iterator, [])
    if (!isObject(result)) throw m.typeError(`Iterator result ${describe(result)} is not an object`)
    if (!toBoolean(get(m, result, "done"))) return result
    record.done = true
    return DONE
  } catch (error) {
    record.done = true
    throw error
  }
}

/** https://tc39.es/ecma262/#sec-iteratorcloseall for a throw completion. */
export function* iteratorCloseAllThrow(
  m: Machine,
  records: ReadonlyArray<IteratorRecord>,
  error: unknown,
): Calls<never> {
  for (let i = records.length - 1; i >= 0; i--) {
    try {
      yield* iteratorCloseThrow(m, records[i]!, error)
    } catch (thrown) {
      if (!(thrown instanceof Throw)) throw thrown
    }
  }
  throw error
}

/** https://tc39.es/ecma262/#sec-iteratorcloseall for a normal completion. */
export function* iteratorCloseAll(m: Machine, records: ReadonlyArray<IteratorRecord>): Calls<void> {
  for (let i = records.length - 1; i >= 0; i--) {
    try {
      yield* iteratorClose(m, records[i]!)
    } catch (error) {
      return yield* iteratorCloseAllThrow(m, records.slice(0, i), error)
    }
  }
}

/** https://tc39.es/ecma262/#sec-getiteratorflattenable */
export function* getIteratorFlattenable(m: Machine, value: Value, acceptStrings: boolean): Calls<IteratorRecord> {
  if (!isObject(value) && !(acceptStrings && typeof value === "string")) {
    throw m.typeError(`${describe(value)} is not an object`)
  }
  const fn = getMethod(m, value, SymbolIterator)
  const iterator = fn === undefined ? value : yield call(fn, value, [])
  if (!isObject(iterator)) throw m.typeError(`${describe(iterator)} is not an object`)
  return getIteratorDirect(m, iterator)
}
