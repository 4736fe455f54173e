/** `then` and `Promise.resolve`, and when they are sure to run no code of the program. */
import type { Machine } from "../machine/machine.ts"
import { isPromise, newPromise, newPromiseCapabilityNested, performThen, promiseResolve } from "../machine/promise.ts"
import {
  Accessor,
  describe,
  get,
  getV,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  type Native,
  type NativeData,
  speciesConstructor,
  SymbolSpecies,
  type Value,
} from "../object/index.ts"

type PlainNative = Native<Machine>

/** https://tc39.es/ecma262/#sec-get-promise-%symbol.species% */
export const getSpecies: PlainNative = (_m, thisValue) => thisValue

/** https://tc39.es/ecma262/#sec-promise.prototype.then */
// Not named `then`: a module that exports that is taken for a thenable by `import()`.
export const promiseThen: PlainNative = (m, thisValue, args) => {
  if (!isPromise(thisValue)) {
    throw m.typeError(`Method Promise.prototype.then called on incompatible receiver ${describe(thisValue)}`)
  }
  m.charge(16)
  const species = isPlainPromise(m, thisValue) ? undefined : speciesConstructor(m, thisValue, "Promise")
  const capability = species === undefined ? { promise: newPromise(m) } : newPromiseCapabilityNested(m, species)
  performThen(m, thisValue, args[0], args[1], capability)
  return capability.promise
}

/** Calls `then` of a value; the built-in one without a nested loop. */
export const invokeThen = (m: Machine, value: Value, args: Array<Value>): Value => {
  const fn = getV(m, value, "then")
  if (isNativeOf(fn, promiseThen)) return promiseThen(m, value, args, undefined, fn as JSObject)
  if (!isCallable(fn)) throw m.typeError(`${describe(value)}.then is not a function`)
  return m.call(fn, value, args)
}

/** https://tc39.es/ecma262/#sec-promise-resolve */
export const resolveWith = (m: Machine, constructor: JSObject, value: Value): JSObject => {
  if (constructor === m.realm.intrinsic("Promise")) return promiseResolve(m, value)
  if (isPromise(value) && get(m, value, "constructor") === constructor) return value
  const capability = newPromiseCapabilityNested(m, constructor)
  m.call(capability.resolve, undefined, [value])
  return capability.promise
}

/** https://tc39.es/ecma262/#sec-promise.resolve */
export const resolve_: PlainNative = (m, thisValue, args) => {
  if (!isObject(thisValue)) throw m.typeError("PromiseResolve called on non-object")
  return resolveWith(m, thisValue, args[0])
}

/** Whether a value is the built-in function of this implementation, in whatever realm. */
const isNativeOf = (value: unknown, impl: unknown): boolean =>
  isObject(value) && value.kind === Kind.Native && (value.data as NativeData).definition.impl === impl

const slotOf = (o: JSObject, key: string | symbol): unknown => {
  const slot = o.shape.lookup(key)
  return slot < 0 ? undefined : o.slots[slot]
}

/**
 * Whether `then` of this promise is the built-in one and would derive a promise of the realm's own constructor, without
 * any code of the program taking part.
 */
export const isPlainPromise = (m: Machine, promise: JSObject): boolean => {
  const { shape } = promise
  if (promise.kind !== Kind.Promise || shape.count !== 0) return false
  const prototype = m.realm.intrinsic("PromisePrototype")
  if (shape.proto !== prototype || !isNativeOf(slotOf(prototype, "then"), promiseThen)) return false
  const own = m.realm.intrinsic("Promise")
  if (slotOf(prototype, "constructor") !== own) return false
  const species = slotOf(own, SymbolSpecies)
  return species instanceof Accessor && isNativeOf(species.get, getSpecies)
}

/** Whether `resolve` of this constructor is the built-in one, of the realm's own constructor. */
export const isPlainResolve = (m: Machine, constructor: Value, resolve: Value): boolean =>
  constructor === m.realm.intrinsic("Promise") && isNativeOf(resolve, resolve_)
