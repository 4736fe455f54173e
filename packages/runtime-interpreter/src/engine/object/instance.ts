import type { Agent } from "./agent.ts"
import type { BoundData } from "./bound.ts"
import { CHAIN_STEP, get, getPrototypeOf } from "./internal-methods.ts"
import type { NativeData } from "./native.ts"
import { getMethod } from "./operations.ts"
import { SymbolHasInstance } from "./symbols.ts"
import { isCallable, isObject, type JSObject, Kind, type Value } from "./value.ts"

/** https://tc39.es/ecma262/#sec-instanceofoperator */
export const instanceOf = (m: Agent, value: Value, target: Value): boolean => {
  if (!isObject(target)) throw m.typeError("Right-hand side of 'instanceof' is not an object")
  const method = getMethod(m, target, SymbolHasInstance)
  if (method !== undefined) return Boolean(m.call(method, target, [value]))
  if (!isCallable(target)) throw m.typeError("Right-hand side of 'instanceof' is not callable")
  return ordinaryHasInstance(m, target, value)
}

/** The name of the built-in that every function inherits for `Symbol.hasInstance`. */
export const HAS_INSTANCE = "Function.prototype[Symbol.hasInstance]"

const isDefaultHasInstance = (method: JSObject): boolean =>
  method.kind === Kind.Native && (method.data as NativeData).definition.id === HAS_INSTANCE

/** https://tc39.es/ecma262/#sec-ordinaryhasinstance */
export const ordinaryHasInstance = (m: Agent, constructor: Value, value: Value): boolean => {
  if (!isCallable(constructor)) return false
  let target: JSObject = constructor
  while (target.kind === Kind.Bound) {
    // A chain of bound functions is as long as the program likes, so that this is a loop where the standard recurses.
    m.charge(16)
    target = (target.data as BoundData).target
    const method = getMethod(m, target, SymbolHasInstance)
    if (method !== undefined && !isDefaultHasInstance(method)) return Boolean(m.call(method, target, [value]))
  }
  if (!isObject(value)) return false
  const proto = get(m, target, "prototype")
  if (!isObject(proto)) {
    throw m.typeError(`Function has non-object prototype '${String(proto)}' in instanceof check`)
  }
  for (let o = getPrototypeOf(m, value); o !== null; o = getPrototypeOf(m, o)) {
    if (o === proto) return true
    m.charge(CHAIN_STEP)
  }
  return false
}
