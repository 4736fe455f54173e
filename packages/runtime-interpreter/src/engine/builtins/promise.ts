import type { Machine } from "../machine/machine.ts"
import {
  createResolvingFunctions,
  newPromise,
  newPromiseCapability,
  newPromiseCapabilityNested,
  PromiseData,
  rejectPromise,
} from "../machine/promise.ts"
import {
  call,
  type Calls,
  createDataPropertyOrThrow,
  createFromConstructor,
  defineGeneratorNative,
  defineNative,
  describe,
  type GeneratorNative,
  getV,
  type Intrinsics,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  type Native,
  speciesConstructor,
  SymbolSpecies,
  SymbolToStringTag,
  Throw,
  type Value,
} from "../object/index.ts"
import { accessor, constructor, generatorMethod, method, object, tag } from "./define.ts"
import { promiseAll, promiseAllSettled, promiseAny, promiseRace } from "./promise-combinators.ts"
import { getSpecies, invokeThen, promiseThen, resolve_, resolveWith } from "./promise-then.ts"

type PlainNative = Native<Machine>

/** https://tc39.es/ecma262/#sec-promise-executor */
const construct: GeneratorNative<Machine> = function*(m, _this, args, newTarget) {
  if (newTarget === undefined) throw m.typeError("Promise constructor cannot be invoked without 'new'")
  const executor = args[0]
  if (!isCallable(executor)) throw m.typeError(`Promise resolver ${describe(executor)} is not a function`)
  const promise = newTarget === m.realm.intrinsic("Promise")
    ? newPromise(m)
    : createFromConstructor(m, newTarget, "PromisePrototype", Kind.Promise, new PromiseData())
  const { reject, resolve } = createResolvingFunctions(m, promise)
  try {
    yield call(executor, undefined, [resolve, reject])
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    yield call(reject, undefined, [error.value])
  }
  return promise
}

/** https://tc39.es/ecma262/#sec-promise.prototype.catch */
const catch_: PlainNative = (m, thisValue, args) => invokeThen(m, thisValue, [undefined, args[0]])

interface FinallyState {
  readonly constructor_: JSObject
  readonly onFinally: JSObject
}

const valueThunk = defineNative(
  "PromiseValueThunk",
  0,
  (_m, _this, _args, _newTarget, callee) => callee.data.state.value,
  { name: "" },
)

const thrower = defineNative("PromiseThrower", 0, (_m, _this, _args, _newTarget, callee) => {
  throw new Throw(callee.data.state.value)
}, { name: "" })

function* runFinally(m: Machine, callee: JSObject, value: Value, after: typeof valueThunk): Calls {
  const { constructor_, onFinally }: FinallyState = callee.data.state
  const result = yield call(onFinally, undefined, [])
  const promise = resolveWith(m, constructor_, result)
  return yield call(getV(m, promise, "then"), promise, [m.realm.newNative(after, { value })])
}

/** https://tc39.es/ecma262/#sec-promise.prototype.finally, step 5.a */
const thenFinally = defineGeneratorNative(
  "PromiseThenFinally",
  1,
  (m, _this, args, _newTarget, callee) => runFinally(m, callee, args[0], valueThunk),
  { name: "" },
)

/** https://tc39.es/ecma262/#sec-promise.prototype.finally, step 5.c */
const catchFinally = defineGeneratorNative(
  "PromiseCatchFinally",
  1,
  (m, _this, args, _newTarget, callee) => runFinally(m, callee, args[0], thrower),
  { name: "" },
)

/** https://tc39.es/ecma262/#sec-promise.prototype.finally */
const finally_: PlainNative = (m, thisValue, [onFinally]) => {
  if (!isObject(thisValue)) throw m.typeError(`Promise.prototype.finally called on a non-object`)
  const constructor_ = speciesConstructor(m, thisValue, "Promise") ?? m.realm.intrinsic("Promise")
  if (!isCallable(onFinally)) return invokeThen(m, thisValue, [onFinally, onFinally])
  const state: FinallyState = { constructor_, onFinally }
  return invokeThen(m, thisValue, [m.realm.newNative(thenFinally, state), m.realm.newNative(catchFinally, state)])
}

/** https://tc39.es/ecma262/#sec-promise.reject */
const reject_: PlainNative = (m, thisValue, args) => {
  if (thisValue === m.realm.intrinsic("Promise")) {
    const promise = newPromise(m)
    rejectPromise(m, promise, args[0])
    return promise
  }
  if (!isObject(thisValue)) throw m.typeError("PromiseReject called on non-object")
  const capability = newPromiseCapabilityNested(m, thisValue)
  m.call(capability.reject, undefined, [args[0]])
  return capability.promise
}

/** https://tc39.es/ecma262/#sec-promise.try */
const try_: GeneratorNative<Machine> = function*(m, thisValue, args) {
  if (!isObject(thisValue)) throw m.typeError("Promise.try called on non-object")
  const capability = yield* newPromiseCapability(m, thisValue)
  const [callback, ...rest] = args
  let value: Value
  try {
    value = yield call(callback, undefined, rest)
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    yield call(capability.reject, undefined, [error.value])
    return capability.promise
  }
  yield call(capability.resolve, undefined, [value])
  return capability.promise
}

/** https://tc39.es/ecma262/#sec-promise.withResolvers */
const withResolvers: GeneratorNative<Machine> = function*(m, thisValue) {
  const { promise, reject, resolve } = yield* newPromiseCapability(m, thisValue)
  const result = m.realm.newObject()
  for (const [key, member] of [["promise", promise], ["resolve", resolve], ["reject", reject]] as const) {
    createDataPropertyOrThrow(m, result, key, member)
  }
  return result
}

export const promiseIntrinsics: Intrinsics = {
  Promise: constructor({
    name: "Promise",
    length: 1,
    prototype: "PromisePrototype",
    generatorImpl: construct,
    members: [
      generatorMethod("all", 1, promiseAll),
      generatorMethod("allSettled", 1, promiseAllSettled),
      generatorMethod("any", 1, promiseAny),
      generatorMethod("race", 1, promiseRace),
      method("reject", 1, reject_),
      method("resolve", 1, resolve_),
      generatorMethod("try", 1, try_),
      generatorMethod("withResolvers", 0, withResolvers),
      accessor(SymbolSpecies, getSpecies),
    ],
  }),
  PromisePrototype: object({
    name: "Promise.prototype",
    constructor_: "Promise",
    members: [
      method("catch", 1, catch_),
      method("finally", 1, finally_),
      method("then", 2, promiseThen),
      tag(SymbolToStringTag, "Promise"),
    ],
  }),
}
