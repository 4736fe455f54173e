import type { Machine } from "../machine/machine.ts"
import { newPromise, performThen, promiseResolve, rejectPromise, resolvePromise } from "../machine/promise.ts"
import {
  call,
  type Calls,
  defineGeneratorNative,
  defineNative,
  describe,
  type GeneratorNative,
  get,
  getMethod,
  isObject,
  type JSObject,
  Kind,
  Throw,
  toBoolean,
  type Value,
} from "../object/index.ts"
import { generatorMethod, object } from "./define.ts"
import { iteratorClose, iteratorCloseThrow, type IteratorRecord } from "./iteration.ts"

/** https://tc39.es/ecma262/#sec-properties-of-async-from-sync-iterator-instances */
class AsyncFromSyncIterator {
  readonly brand = "Async-from-Sync Iterator"
  constructor(readonly record: IteratorRecord) {}
}

/** https://tc39.es/ecma262/#sec-createasyncfromsynciterator — the async iterator alone: its `next` is that of its prototype. */
export const createAsyncFromSyncIterator = (m: Machine, record: IteratorRecord): JSObject => {
  m.allocate(64)
  return m.realm.newObjectOf(Kind.Iterator, "AsyncFromSyncIteratorPrototype", new AsyncFromSyncIterator(record))
}

/** Whether the value ended the iteration is `callee.data.state`. */
const unwrapDefinition = defineNative(
  "AsyncFromSyncIteratorUnwrap",
  1,
  (m: Machine, _self, args, _newTarget, callee) => m.realm.newIteratorResult(args[0], callee.data.state),
  { name: "" },
)

/** Closes the sync iterator, which is `callee.data.state`, because a value it gave was rejected. */
const closeDefinition = defineGeneratorNative(
  "AsyncFromSyncIteratorClose",
  1,
  function*(m: Machine, _self, args, _newTarget, callee) {
    return yield* iteratorCloseThrow(m, callee.data.state, new Throw(args[0]))
  },
  { name: "" },
)

/** https://tc39.es/ecma262/#sec-asyncfromsynciteratorcontinuation */
function* continuation(
  m: Machine,
  result: JSObject,
  promise: JSObject,
  record: IteratorRecord,
  closes: boolean,
): Calls<void> {
  const done = toBoolean(get(m, result, "done"))
  const value = get(m, result, "value")
  let wrapper: JSObject
  try {
    wrapper = promiseResolve(m, value)
  } catch (error) {
    if (done || !closes) throw error
    return yield* iteratorCloseThrow(m, record, error)
  }
  const onFulfilled = m.realm.newNative(unwrapDefinition, done)
  const onRejected = done || !closes ? undefined : m.realm.newNative(closeDefinition, record)
  performThen(m, wrapper, onFulfilled, onRejected, { promise })
}

const recordOf = (m: Machine, self: Value): IteratorRecord => {
  if (!isObject(self) || self.kind !== Kind.Iterator || !(self.data instanceof AsyncFromSyncIterator)) {
    throw m.typeError("Method called on an object that is no async-from-sync iterator")
  }
  return self.data.record
}

/** A method whose promise is rejected with what its body throws. */
const promising = (
  name: string,
  body: (m: Machine, record: IteratorRecord, args: Array<Value>, promise: JSObject) => Calls<void>,
): GeneratorNative<Machine> =>
  function*(m, self, args) {
    const record = recordOf(m, self)
    const promise = newPromise(m)
    try {
      yield* body(m, record, args, promise)
    } catch (error) {
      if (!(error instanceof Throw)) throw error
      rejectPromise(m, promise, error.value)
    }
    return promise
  }

const requireResult = (m: Machine, result: Value): JSObject => {
  if (!isObject(result)) throw m.typeError(`Iterator result ${describe(result)} is not an object`)
  return result
}

/** https://tc39.es/ecma262/#sec-%asyncfromsynciteratorprototype%.next */
function* next(m: Machine, record: IteratorRecord, args: Array<Value>, promise: JSObject): Calls<void> {
  const result = requireResult(m, yield call(record.next, record.iterator, args.length > 0 ? [args[0]] : []))
  yield* continuation(m, result, promise, record, true)
}

/** https://tc39.es/ecma262/#sec-%asyncfromsynciteratorprototype%.return */
function* return_(m: Machine, record: IteratorRecord, args: Array<Value>, promise: JSObject): Calls<void> {
  const fn = getMethod(m, record.iterator, "return")
  if (fn === undefined) return resolvePromise(m, promise, m.realm.newIteratorResult(args[0], true))
  const result = requireResult(m, yield call(fn, record.iterator, args.length > 0 ? [args[0]] : []))
  yield* continuation(m, result, promise, record, false)
}

/** https://tc39.es/ecma262/#sec-%asyncfromsynciteratorprototype%.throw */
function* throw_(m: Machine, record: IteratorRecord, args: Array<Value>, promise: JSObject): Calls<void> {
  const fn = getMethod(m, record.iterator, "throw")
  if (fn === undefined) {
    // The iterator cannot be told: it is closed, and an error says why, unless closing it throws another.
    yield* iteratorClose(m, record)
    throw m.typeError("The iterator does not provide a 'throw' method.")
  }
  const result = requireResult(m, yield call(fn, record.iterator, args.length > 0 ? [args[0]] : []))
  yield* continuation(m, result, promise, record, true)
}

/** https://tc39.es/ecma262/#sec-%asyncfromsynciteratorprototype%-object */
export const asyncFromSyncIteratorPrototype = object({
  name: "%AsyncFromSyncIteratorPrototype%",
  proto: "AsyncIteratorPrototype",
  members: [
    generatorMethod("next", 1, promising("next", next)),
    generatorMethod("return", 1, promising("return", return_)),
    generatorMethod("throw", 1, promising("throw", throw_)),
  ],
})
