import type { Agent } from "./agent.ts"
import { toLength } from "./convert.ts"
import { describe, describeKey, unquoted } from "./describe.ts"
import { isAccessorDescriptor, isCompatible, isDataDescriptor, sameValue } from "./descriptor.ts"
import { chargeEquality } from "./equality.ts"
import {
  defineOwnProperty,
  deleteProperty,
  enter,
  get,
  getOwnProperty,
  getPrototypeOf,
  getWithReceiver,
  hasProperty,
  type InternalMethods,
  isExtensible,
  ordinaryDefineOwnProperty,
  ordinaryGetOwnProperty,
  ordinarySet,
  ownKeys,
  preventExtensions,
  setPrototypeOf,
  setWithReceiver,
} from "./internal-methods.ts"
import { fromPropertyDescriptor, getMethod, toPropertyDescriptor } from "./operations.ts"
import { indexKey, type JSObject, keyToValue, PrivateName, type PropertyKey, toKey, type Value } from "./value.ts"

/** The internal slots of a proxy; both objects are null once it is revoked. */
export class ProxyData {
  constructor(
    public target: JSObject | null,
    public handler: JSObject | null,
    readonly callable: boolean,
    readonly constructor_: boolean,
  ) {}
}

const slotsOf = (
  m: Agent,
  o: JSObject,
  trap: string,
): { target: JSObject; handler: JSObject; fn: JSObject | undefined } => {
  const { target, handler } = o.data as ProxyData
  if (target === null || handler === null) {
    throw m.typeError(`Cannot perform '${trap}' on a proxy that has been revoked`)
  }
  m.charge(4)
  const fn = getMethod(m, handler, trap)
  return { target, handler, fn }
}

const invariant = (m: Agent, trap: string, detail: string) => m.typeError(`'${trap}' on proxy: ${detail}`)

const traps: Required<Omit<InternalMethods, "ownValue">> = {
  getPrototypeOf(m, o) {
    const { fn, handler, target } = slotsOf(m, o, "getPrototypeOf")
    if (fn === undefined) return getPrototypeOf(m, target)
    const proto = m.call(fn, handler, [target])
    if (proto !== null && typeof proto !== "object") {
      throw invariant(m, "getPrototypeOf", "trap returned neither object nor null")
    }
    if (!isExtensible(m, target) && getPrototypeOf(m, target) !== proto) {
      throw invariant(
        m,
        "getPrototypeOf",
        "proxy target is non-extensible but the trap did not return its actual prototype",
      )
    }
    return proto as JSObject | null
  },
  setPrototypeOf(m, o, proto) {
    const { fn, handler, target } = slotsOf(m, o, "setPrototypeOf")
    if (fn === undefined) return setPrototypeOf(m, target, proto)
    if (!m.call(fn, handler, [target, proto])) return false
    if (!isExtensible(m, target) && getPrototypeOf(m, target) !== proto) {
      throw invariant(
        m,
        "setPrototypeOf",
        "trap returned truish for setting a new prototype on the non-extensible proxy target",
      )
    }
    return true
  },
  isExtensible(m, o) {
    const { fn, handler, target } = slotsOf(m, o, "isExtensible")
    if (fn === undefined) return isExtensible(m, target)
    const result = Boolean(m.call(fn, handler, [target]))
    if (result !== isExtensible(m, target)) {
      throw invariant(
        m,
        "isExtensible",
        `trap result does not reflect extensibility of proxy target (which is '${!result}')`,
      )
    }
    return result
  },
  preventExtensions(m, o) {
    const { fn, handler, target } = slotsOf(m, o, "preventExtensions")
    if (fn === undefined) return preventExtensions(m, target)
    const result = Boolean(m.call(fn, handler, [target]))
    if (result && isExtensible(m, target)) {
      throw invariant(m, "preventExtensions", "the proxy target is extensible")
    }
    return result
  },
  getOwnProperty(m, o, key) {
    if (key instanceof PrivateName) return ordinaryGetOwnProperty(o, key)
    const trap = "getOwnPropertyDescriptor"
    const { fn, handler, target } = slotsOf(m, o, trap)
    if (fn === undefined) return getOwnProperty(m, target, key)
    const result = m.call(fn, handler, [target, keyToValue(key)])
    if (result !== undefined && (typeof result !== "object" || result === null)) {
      throw invariant(m, trap, `trap returned neither object nor undefined for property '${describeKey(key)}'`)
    }
    const own = getOwnProperty(m, target, key)
    if (result === undefined) {
      if (own === undefined) return undefined
      if (own.configurable === false || !isExtensible(m, target)) {
        throw invariant(
          m,
          trap,
          `trap returned undefined for property '${
            describeKey(key)
          }' which exists in the proxy target and cannot be hidden`,
        )
      }
      return undefined
    }
    const extensible = isExtensible(m, target)
    const desc = toPropertyDescriptor(m, result)
    completeDescriptor(desc)
    if (!isCompatible(extensible, desc, own)) {
      throw invariant(
        m,
        trap,
        `trap returned descriptor for property '${
          describeKey(key)
        }' that is incompatible with the existing property in the proxy target`,
      )
    }
    if (desc.configurable === false) {
      if (own === undefined || own.configurable === true || (desc.writable === false && own.writable === true)) {
        throw invariant(
          m,
          trap,
          `trap reported non-configurability for property '${
            describeKey(key)
          }' which is either non-existent or configurable in the proxy target`,
        )
      }
    }
    return desc
  },
  defineOwnProperty(m, o, key, desc) {
    if (key instanceof PrivateName) return ordinaryDefineOwnProperty(o, key, desc)
    const trap = "defineProperty"
    const { fn, handler, target } = slotsOf(m, o, trap)
    if (fn === undefined) return defineOwnProperty(m, target, key, desc)
    if (!m.call(fn, handler, [target, keyToValue(key), fromPropertyDescriptor(m, desc)])) return false
    const own = getOwnProperty(m, target, key)
    const extensible = isExtensible(m, target)
    const settingNonConfigurable = desc.configurable === false
    if (own === undefined) {
      if (!extensible) {
        throw invariant(
          m,
          trap,
          `trap returned truish for adding property '${describeKey(key)}' to the non-extensible proxy target`,
        )
      }
      if (settingNonConfigurable) {
        throw invariant(
          m,
          trap,
          `trap returned truish for defining non-configurable property '${
            describeKey(key)
          }' which is non-existent in the proxy target`,
        )
      }
      return true
    }
    if (
      !isCompatible(extensible, desc, own) || (settingNonConfigurable && own.configurable === true) ||
      (isDataDescriptor(own) && own.configurable === false && own.writable === true && desc.writable === false)
    ) {
      throw invariant(
        m,
        trap,
        `trap returned truish for defining property '${
          describeKey(key)
        }' in a way that is incompatible with the proxy target`,
      )
    }
    return true
  },
  has(m, o, key) {
    if (key instanceof PrivateName) return ordinaryGetOwnProperty(o, key) !== undefined
    const { fn, handler, target } = slotsOf(m, o, "has")
    if (fn === undefined) return hasProperty(m, target, key)
    const result = Boolean(m.call(fn, handler, [target, keyToValue(key)]))
    if (!result) {
      const own = getOwnProperty(m, target, key)
      if (own !== undefined && (own.configurable === false || !isExtensible(m, target))) {
        throw invariant(
          m,
          "has",
          `trap returned falsish for property '${
            describeKey(key)
          }' which exists in the proxy target and cannot be hidden`,
        )
      }
    }
    return result
  },
  get(m, o, key, receiver) {
    if (key instanceof PrivateName) return ordinaryGetOwnProperty(o, key)?.value
    const { fn, handler, target } = slotsOf(m, o, "get")
    if (fn === undefined) return getWithReceiver(m, target, key, receiver)
    const value = m.call(fn, handler, [target, keyToValue(key), receiver])
    checkGet(m, target, key, value)
    return value
  },
  set(m, o, key, value, receiver) {
    if (key instanceof PrivateName) return ordinarySet(m, o, key, value, receiver)
    const { fn, handler, target } = slotsOf(m, o, "set")
    if (fn === undefined) return setWithReceiver(m, target, key, value, receiver)
    if (!m.call(fn, handler, [target, keyToValue(key), value, receiver])) return false
    checkSet(m, target, key, value)
    return true
  },
  delete(m, o, key) {
    const { fn, handler, target } = slotsOf(m, o, "deleteProperty")
    if (fn === undefined) return deleteProperty(m, target, key)
    if (!m.call(fn, handler, [target, keyToValue(key)])) return false
    const own = getOwnProperty(m, target, key)
    if (own !== undefined && (own.configurable === false || !isExtensible(m, target))) {
      throw invariant(
        m,
        "deleteProperty",
        `trap returned truish for property '${describeKey(key)}' which cannot be deleted from the proxy target`,
      )
    }
    return true
  },
  ownKeys(m, o) {
    const { fn, handler, target } = slotsOf(m, o, "ownKeys")
    if (fn === undefined) return ownKeys(m, target)
    const list = m.call(fn, handler, [target])
    if (typeof list !== "object" || list === null) throw m.typeError("CreateListFromArrayLike called on non-object")
    const length = toLength(m, get(m, list, "length"))
    const keys: Array<PropertyKey> = []
    for (let i = 0; i < length; i++) {
      m.charge(1)
      const value = get(m, list, indexKey(i))
      if (typeof value !== "string" && typeof value !== "symbol") {
        throw m.typeError(`${describe(value)} is not a valid property name`)
      }
      m.allocate(8)
      keys.push(typeof value === "string" ? toKey(value) : value)
    }
    const unchecked = new Set(keys)
    if (unchecked.size < keys.length) throw invariant(m, "ownKeys", "trap returned duplicate entries")
    const extensible = isExtensible(m, target)
    const configurable: Array<PropertyKey> = []
    const fixed: Array<PropertyKey> = []
    for (const key of ownKeys(m, target)) {
      if (getOwnProperty(m, target, key)?.configurable === false) fixed.push(key)
      else configurable.push(key)
    }
    if (extensible && fixed.length === 0) return keys
    for (const key of fixed) {
      if (!unchecked.delete(key)) throw invariant(m, "ownKeys", `trap result did not include '${describeKey(key)}'`)
    }
    if (extensible) return keys
    for (const key of configurable) {
      if (!unchecked.delete(key)) throw invariant(m, "ownKeys", `trap result did not include '${describeKey(key)}'`)
    }
    if (unchecked.size > 0) throw invariant(m, "ownKeys", "trap returned extra keys but proxy target is non-extensible")
    return keys
  },
}

/** An internal method under the limit of how deep proxies may lead to each other. */
const limited = <Args extends Array<any>, A>(run: (m: Agent, ...args: Args) => A) => (m: Agent, ...args: Args): A => {
  enter(m)
  try {
    return run(m, ...args)
  } finally {
    m.realm.nesting--
  }
}

/** https://tc39.es/ecma262/#sec-proxy-object-internal-methods-and-internal-slots */
export const proxyMethods: InternalMethods = {
  getPrototypeOf: limited(traps.getPrototypeOf),
  setPrototypeOf: limited(traps.setPrototypeOf),
  isExtensible: limited(traps.isExtensible),
  preventExtensions: limited(traps.preventExtensions),
  getOwnProperty: limited(traps.getOwnProperty),
  defineOwnProperty: limited(traps.defineOwnProperty),
  has: limited(traps.has),
  get: limited(traps.get),
  set: limited(traps.set),
  delete: limited(traps.delete),
  ownKeys: limited(traps.ownKeys),
}

const isSame = (m: Agent, a: Value, b: Value): boolean => {
  chargeEquality(m, a, b)
  return sameValue(a, b)
}

/** What a `get` trap may say of a property that the target cannot change. */
const checkGet = (m: Agent, target: JSObject, key: PropertyKey, value: Value): void => {
  const own = getOwnProperty(m, target, key)
  if (own === undefined || own.configurable === true) return
  if (isDataDescriptor(own) && own.writable === false && !isSame(m, value, own.value)) {
    throw invariant(
      m,
      "get",
      `property '${
        describeKey(key)
      }' is a read-only and non-configurable data property on the proxy target but the proxy did not return its actual value (expected '${
        unquoted(own.value)
      }' but got '${unquoted(value)}')`,
    )
  }
  if (isAccessorDescriptor(own) && own.get === undefined && value !== undefined) {
    throw invariant(
      m,
      "get",
      `property '${
        describeKey(key)
      }' is a non-configurable accessor property on the proxy target and does not have a getter function, but the trap did not return 'undefined' (got '${
        unquoted(value)
      }')`,
    )
  }
}

/** What a `set` trap may say of a property that the target cannot change. */
const checkSet = (m: Agent, target: JSObject, key: PropertyKey, value: Value): void => {
  const own = getOwnProperty(m, target, key)
  if (own === undefined || own.configurable === true) return
  if (isDataDescriptor(own) && own.writable === false && !isSame(m, value, own.value)) {
    throw invariant(
      m,
      "set",
      `trap returned truish for property '${
        describeKey(key)
      }' which exists in the proxy target as a non-configurable and non-writable data property with a different value`,
    )
  }
  if (isAccessorDescriptor(own) && own.set === undefined) {
    throw invariant(
      m,
      "set",
      `trap returned truish for property '${
        describeKey(key)
      }' which exists in the proxy target as a non-configurable and non-writable accessor property without a setter`,
    )
  }
}

/** https://tc39.es/ecma262/#sec-completepropertydescriptor */
const completeDescriptor = (desc: ReturnType<typeof toPropertyDescriptor>): void => {
  if (isAccessorDescriptor(desc)) {
    if (!("get" in desc)) desc.get = undefined
    if (!("set" in desc)) desc.set = undefined
  } else {
    if (!("value" in desc)) desc.value = undefined
    desc.writable ??= false
  }
  desc.enumerable ??= false
  desc.configurable ??= false
}
