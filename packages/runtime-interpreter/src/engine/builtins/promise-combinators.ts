import { newError } from "../machine/errors.ts"
import type { Machine } from "../machine/machine.ts"
import { type FullCapability, newPromiseCapability, performThen, promiseResolve } from "../machine/promise.ts"
import {
  call,
  type Calls,
  createDataPropertyOrThrow,
  defineNative,
  definePropertyOrThrow,
  type GeneratorNative,
  get,
  getV,
  isCallable,
  type JSObject,
  type NativeDefinition,
  Pause,
  Throw,
  type Value,
} from "../object/index.ts"
import { forEachOf } from "./iteration.ts"
import { isPlainPromise, isPlainResolve } from "./promise-then.ts"

/** What the element functions of one combinator share. */
interface Shared {
  readonly capability: FullCapability
  readonly values: Array<Value>
  remaining: number
}

/** What one element's function keeps; both functions of an element of `allSettled` keep the same one. */
interface ElementState {
  readonly shared: Shared
  readonly index: number
  called: boolean
}

type Handlers = (index: number) => readonly [onFulfilled: Value, onRejected: Value]

/** Calls a settling function of the capability: the last thing an element function does, so its result is passed on. */
const settle = (m: Machine, fn: Value, value: Value): Value => m.call(fn, undefined, [value])

const element = (id: string, take: (m: Machine, state: ElementState, value: Value) => Value): NativeDefinition =>
  defineNative(id, 1, (m: Machine, _this, args, _newTarget, callee) => {
    const state: ElementState = callee.data.state
    if (state.called) return undefined
    state.called = true
    m.charge(8)
    return take(m, state, args[0])
  }, { name: "" })

/** Stores an element's value, and fulfills the whole once it was the last one. */
const store = (m: Machine, { index, shared }: ElementState, value: Value): Value => {
  shared.values[index] = value
  return --shared.remaining === 0 ? settle(m, shared.capability.resolve, m.realm.newArray(shared.values)) : undefined
}

/** https://tc39.es/ecma262/#sec-promise.all-resolve-element-functions */
const allResolveElement = element("PromiseAllResolveElement", store)

const record = (m: Machine, status: string, key: string, value: Value): JSObject => {
  m.allocate(64)
  const o = m.realm.newObject()
  createDataPropertyOrThrow(m, o, "status", status)
  createDataPropertyOrThrow(m, o, key, value)
  return o
}

/** https://tc39.es/ecma262/#sec-promise.allsettled-resolve-element-functions */
const allSettledResolveElement = element(
  "PromiseAllSettledResolveElement",
  (m, state, value) => store(m, state, record(m, "fulfilled", "value", value)),
)

/** https://tc39.es/ecma262/#sec-promise.allsettled-reject-element-functions */
const allSettledRejectElement = element(
  "PromiseAllSettledRejectElement",
  (m, state, value) => store(m, state, record(m, "rejected", "reason", value)),
)

/** https://tc39.es/ecma262/#sec-promise.any-reject-element-functions */
const anyRejectElement = element("PromiseAnyRejectElement", (m, { index, shared }, value) => {
  shared.values[index] = value
  return --shared.remaining === 0 ? settle(m, shared.capability.reject, aggregate(m, shared)) : undefined
})

const aggregate = (m: Machine, shared: Shared): JSObject => {
  const error = newError(m, "AggregateError", "All promises were rejected")
  definePropertyOrThrow(m, error, "errors", {
    value: m.realm.newArray(shared.values),
    writable: true,
    enumerable: false,
    configurable: true,
  })
  return error
}

/** So many elements are subscribed to between two pauses. */
const BLOCK = 1024

function* pause(): Calls<void> {
  yield Pause
}

/** The part that all combinators have in common: `handlers` gives what each element's `then` is called with. */
function* subscribe(m: Machine, constructor: Value, resolve: Value, iterable: Value, handlers: Handlers): Calls<void> {
  let index = 0
  yield* forEachOf(m, iterable, (value) => {
    m.charge(40)
    m.allocate(400)
    if (isPlainResolve(m, constructor, resolve)) {
      const promise = promiseResolve(m, value)
      if (isPlainPromise(m, promise)) {
        // Nobody can see the promise that this `then` would return: its handlers are ours and do not throw.
        const [onFulfilled, onRejected] = handlers(index++)
        performThen(m, promise, onFulfilled, onRejected, undefined)
        return index % BLOCK === 0 ? pause() : undefined
      }
      return follow(m, promise, handlers(index++))
    }
    return resolveAndFollow(m, constructor, resolve, value, () => handlers(index++))
  })
}

function* follow(m: Machine, promise: Value, args: ReturnType<Handlers>): Calls<void> {
  yield call(getV(m, promise, "then"), promise, [...args])
}

function* resolveAndFollow(
  m: Machine,
  constructor: Value,
  resolve: Value,
  value: Value,
  args: () => ReturnType<Handlers>,
): Calls<void> {
  const promise = yield call(resolve, constructor, [value])
  yield* follow(m, promise, args())
}

/** A combinator: `run` subscribes to the elements; what it throws rejects the promise. */
const combinator = (
  run: (m: Machine, constructor: Value, resolve: Value, iterable: Value, capability: FullCapability) => Calls<void>,
): GeneratorNative<Machine> =>
  function*(m, thisValue, args) {
    const capability = yield* newPromiseCapability(m, thisValue)
    try {
      // https://tc39.es/ecma262/#sec-getpromiseresolve
      const resolve = get(m, thisValue as JSObject, "resolve")
      if (!isCallable(resolve)) throw m.typeError(`Promise resolve or reject function is not callable`)
      yield* run(m, thisValue, resolve, args[0], capability)
    } catch (error) {
      if (!(error instanceof Throw)) throw error
      yield call(capability.reject, undefined, [error.value])
    }
    return capability.promise
  }

const newShared = (capability: FullCapability): Shared => ({ capability, values: [], remaining: 1 })

/** Makes room for one more element. */
const newElement = (shared: Shared, index: number): ElementState => {
  shared.values.push(undefined)
  shared.remaining++
  return { shared, index, called: false }
}

/** https://tc39.es/ecma262/#sec-promise.all */
export const promiseAll = combinator(function*(m, constructor, resolve, iterable, capability) {
  const shared = newShared(capability)
  yield* subscribe(m, constructor, resolve, iterable, (index) => [
    m.realm.newNative(allResolveElement, newElement(shared, index)),
    capability.reject,
  ])
  if (--shared.remaining === 0) yield call(capability.resolve, undefined, [m.realm.newArray(shared.values)])
})

/** https://tc39.es/ecma262/#sec-promise.allsettled */
export const promiseAllSettled = combinator(function*(m, constructor, resolve, iterable, capability) {
  const shared = newShared(capability)
  yield* subscribe(m, constructor, resolve, iterable, (index) => {
    const state = newElement(shared, index)
    return [m.realm.newNative(allSettledResolveElement, state), m.realm.newNative(allSettledRejectElement, state)]
  })
  if (--shared.remaining === 0) yield call(capability.resolve, undefined, [m.realm.newArray(shared.values)])
})

/** https://tc39.es/ecma262/#sec-promise.any */
export const promiseAny = combinator(function*(m, constructor, resolve, iterable, capability) {
  const shared = newShared(capability)
  yield* subscribe(m, constructor, resolve, iterable, (index) => [
    capability.resolve,
    m.realm.newNative(anyRejectElement, newElement(shared, index)),
  ])
  if (--shared.remaining === 0) throw new Throw(aggregate(m, shared))
})

/** https://tc39.es/ecma262/#sec-promise.race */
export const promiseRace = combinator(function*(m, constructor, resolve, iterable, capability) {
  yield* subscribe(m, constructor, resolve, iterable, () => [capability.resolve, capability.reject])
})
