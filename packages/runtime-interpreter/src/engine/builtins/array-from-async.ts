import type { Machine } from "../machine/machine.ts"
import { newPromise, performThen, promiseResolve, rejectPromise, resolvePromise } from "../machine/promise.ts"
import {
  arrayCreate,
  call,
  type Calls,
  construct,
  createAt,
  defineGeneratorNative,
  describe,
  type GeneratorNative,
  get,
  getAt,
  getMethod,
  isConstructor,
  isObject,
  type JSObject,
  lengthOfArrayLike,
  requireCallable,
  set,
  SymbolAsyncIterator,
  SymbolIterator,
  Throw,
  toBoolean,
  toObject,
  type Value,
} from "../object/index.ts"
import { createAsyncFromSyncIterator } from "./async-from-sync-iterator.ts"
import { getIteratorFromMethod, type IteratorRecord, notIterable } from "./iteration.ts"

/** Where the work goes on. */
const Step = {
  Begin: 0,
  /** Asks for the next value. */
  Next: 1,
  /** Has what `next` answered. */
  Result: 2,
  /** Has an element of an array-like. */
  Element: 3,
  /** Has what the mapper made of a value. */
  Mapped: 4,
  /** Rejects with `error`, now that the iterator was told to close. */
  Closed: 5,
} as const

/** The async closure of https://tc39.es/ecma262/#sec-array.fromasync, between two awaits. */
class FromAsync {
  step: number = Step.Begin
  result: JSObject | null = null
  record: IteratorRecord | null = null
  source: JSObject | null = null
  length = 0
  k = 0
  error: Value = undefined
  onFulfilled: JSObject | null = null
  onRejected: JSObject | null = null

  constructor(
    readonly constructor_: Value,
    readonly items: Value,
    readonly mapper: Value,
    readonly thisArg: Value,
    readonly promise: JSObject,
  ) {}
}

const fulfilledDefinition = defineGeneratorNative(
  "ArrayFromAsyncFulfilled",
  1,
  function*(m: Machine, _self, args, _newTarget, callee) {
    yield* proceed(m, callee.data.state, args[0], false)
    return undefined
  },
  { name: "" },
)

const rejectedDefinition = defineGeneratorNative(
  "ArrayFromAsyncRejected",
  1,
  function*(m: Machine, _self, args, _newTarget, callee) {
    yield* proceed(m, callee.data.state, args[0], true)
    return undefined
  },
  { name: "" },
)

/** https://tc39.es/ecma262/#await — the work goes on at `step` with what the value turns out to be. */
const await_ = (m: Machine, state: FromAsync, value: Value, step: number): void => {
  const promise = promiseResolve(m, value)
  state.step = step
  state.onFulfilled ??= m.realm.newNative(fulfilledDefinition, state)
  state.onRejected ??= m.realm.newNative(rejectedDefinition, state)
  performThen(m, promise, state.onFulfilled, state.onRejected, undefined)
}

/** Works until the next await, or to the end. */
function* proceed(m: Machine, state: FromAsync, value: Value, rejected: boolean): Calls<void> {
  try {
    if (rejected) {
      if (state.step === Step.Mapped && state.record !== null) return yield* close(m, state, value)
      throw new Throw(state.step === Step.Closed ? state.error : value)
    }
    yield* advance(m, state, value)
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    rejectPromise(m, state.promise, error.value)
  }
}

function* advance(m: Machine, state: FromAsync, value: Value): Calls<void> {
  switch (state.step) {
    case Step.Begin:
      yield* begin(m, state)
      return yield* next(m, state)
    case Step.Result: {
      if (!isObject(value)) throw m.typeError(`Iterator result ${describe(value)} is not an object`)
      if (toBoolean(get(m, value, "done"))) return finish(m, state)
      return yield* map(m, state, get(m, value, "value"))
    }
    case Step.Element:
      return yield* map(m, state, value)
    case Step.Mapped:
      return yield* add(m, state, value)
    default:
      throw new Throw(state.error)
  }
}

function* begin(m: Machine, state: FromAsync): Calls<void> {
  const { constructor_, items, mapper } = state
  if (mapper !== undefined) requireCallable(m, mapper)
  if (items === undefined || items === null) throw notIterable(m, items)
  const async = getMethod(m, items, SymbolAsyncIterator)
  const sync = async === undefined ? getMethod(m, items, SymbolIterator) : undefined
  if (async !== undefined) state.record = yield* getIteratorFromMethod(m, items, async)
  else if (sync !== undefined) {
    const iterator = createAsyncFromSyncIterator(m, yield* getIteratorFromMethod(m, items, sync))
    state.record = { iterator, next: get(m, iterator, "next"), done: false }
  } else {
    state.source = toObject(m, items)
    state.length = lengthOfArrayLike(m, state.source)
  }
  const args = state.source === null ? [] : [state.length]
  state.result = isConstructor(constructor_)
    ? (yield construct(constructor_, args)) as JSObject
    : arrayCreate(m, state.length)
}

function* next(m: Machine, state: FromAsync): Calls<void> {
  m.charge(1)
  const { record, source } = state
  if (record !== null) {
    return await_(m, state, yield call(record.next, record.iterator, []), Step.Result)
  }
  if (state.k >= state.length) return finish(m, state)
  await_(m, state, getAt(m, source!, state.k), Step.Element)
}

const finish = (m: Machine, state: FromAsync): void => {
  set(m, state.result!, "length", state.k)
  resolvePromise(m, state.promise, state.result!)
}

function* map(m: Machine, state: FromAsync, value: Value): Calls<void> {
  if (state.mapper === undefined) return yield* add(m, state, value)
  try {
    return await_(m, state, yield call(state.mapper, state.thisArg, [value, state.k]), Step.Mapped)
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    return yield* close(m, state, error.value)
  }
}

function* add(m: Machine, state: FromAsync, value: Value): Calls<void> {
  try {
    createAt(m, state.result!, state.k, value)
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    return yield* close(m, state, error.value)
  }
  state.k++
  yield* next(m, state)
}

/** https://tc39.es/ecma262/#sec-asynciteratorclose for a throw completion, then rejects with `error`. */
function* close(m: Machine, state: FromAsync, error: Value): Calls<void> {
  state.error = error
  const { record } = state
  if (record !== null) {
    try {
      const fn = getMethod(m, record.iterator, "return")
      if (fn !== undefined) return await_(m, state, yield call(fn, record.iterator, []), Step.Closed)
    } catch (inner) {
      if (!(inner instanceof Throw)) throw inner
    }
  }
  throw new Throw(error)
}

/** https://tc39.es/ecma262/#sec-array.fromasync */
export const fromAsync: GeneratorNative<Machine> = function*(m, self, args) {
  const promise = newPromise(m)
  yield* proceed(m, new FromAsync(self, args[0], args[1], args[2], promise), undefined, false)
  return promise
}
