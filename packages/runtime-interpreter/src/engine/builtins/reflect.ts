import type { Machine } from "../machine/machine.ts"
import {
  defineOwnProperty,
  deleteProperty,
  describe,
  fromPropertyDescriptor,
  getOwnProperty,
  getPrototypeOf,
  getWithReceiver,
  hasProperty,
  type Intrinsics,
  isCallable,
  isConstructor,
  isExtensible,
  isObject,
  type JSObject,
  keyToValue,
  listFromArrayLike,
  type Native,
  ownKeys,
  preventExtensions,
  setPrototypeOf,
  setWithReceiver,
  Special,
  SymbolToStringTag,
  toPropertyDescriptor,
  toPropertyKey,
  type Value,
} from "../object/index.ts"
import { method, object, tag } from "./define.ts"

type PlainNative = Native<Machine>

const requireTarget = (m: Machine, value: Value, name: string): JSObject => {
  if (isObject(value)) return value
  throw m.typeError(`Reflect.${name} called on non-object`)
}

/** https://tc39.es/ecma262/#sec-reflect.apply */
const apply: PlainNative = (m, _this, args) => {
  const target = args[0]
  if (!isCallable(target)) {
    throw m.typeError(`Function.prototype.apply was called on ${describe(target)}, which is not a function`)
  }
  return m.call(target, args[1], listFromArrayLike(m, args[2]))
}

/** https://tc39.es/ecma262/#sec-reflect.construct */
const construct: PlainNative = (m, _this, args) => {
  const target = args[0]
  if (!isConstructor(target)) throw m.typeError(`${describe(target)} is not a constructor`)
  const newTarget = args.length > 2 ? args[2] : target
  if (!isConstructor(newTarget)) throw m.typeError(`${describe(newTarget)} is not a constructor`)
  return m.construct(target, listFromArrayLike(m, args[1]), newTarget)
}

/** https://tc39.es/ecma262/#sec-reflect.defineproperty */
const defineProperty: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "defineProperty")
  const key = toPropertyKey(m, args[1])
  return defineOwnProperty(m, target, key, toPropertyDescriptor(m, args[2]))
}

/** https://tc39.es/ecma262/#sec-reflect.deleteproperty */
const deleteProperty_: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "deleteProperty")
  return deleteProperty(m, target, toPropertyKey(m, args[1]))
}

/** https://tc39.es/ecma262/#sec-reflect.get */
const get: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "get")
  return getWithReceiver(m, target, toPropertyKey(m, args[1]), args.length > 2 ? args[2] : target)
}

/** https://tc39.es/ecma262/#sec-reflect.getownpropertydescriptor */
const getOwnPropertyDescriptor: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "getOwnPropertyDescriptor")
  const key = toPropertyKey(m, args[1])
  m.allocate(96)
  return fromPropertyDescriptor(m, getOwnProperty(m, target, key))
}

/** https://tc39.es/ecma262/#sec-reflect.has */
const has: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "has")
  return hasProperty(m, target, toPropertyKey(m, args[1]))
}

/** https://tc39.es/ecma262/#sec-reflect.ownkeys */
const ownKeys_: PlainNative = (m, _this, args) => {
  const keys = ownKeys(m, requireTarget(m, args[0], "ownKeys"))
  m.charge(keys.length)
  m.allocate(96 + keys.length * 8)
  return m.realm.newArray(keys.map(keyToValue))
}

/** https://tc39.es/ecma262/#sec-reflect.set */
const set: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "set")
  return setWithReceiver(m, target, toPropertyKey(m, args[1]), args[2], args.length > 3 ? args[3] : target)
}

/** https://tc39.es/ecma262/#sec-reflect.setprototypeof */
const setPrototypeOf_: PlainNative = (m, _this, args) => {
  const target = requireTarget(m, args[0], "setPrototypeOf")
  const proto = args[1]
  if (proto !== null && !isObject(proto)) {
    throw m.typeError(`Object prototype may only be an Object or null: ${describe(proto)}`)
  }
  return setPrototypeOf(m, target, proto)
}

export const reflectIntrinsics: Intrinsics = {
  Reflect: object({
    name: "Reflect",
    members: [
      method("apply", 3, apply, { special: Special.ReflectApply }),
      method("construct", 2, construct, { special: Special.ReflectConstruct }),
      method("defineProperty", 3, defineProperty),
      method("deleteProperty", 2, deleteProperty_),
      method("get", 2, get),
      method("getOwnPropertyDescriptor", 2, getOwnPropertyDescriptor),
      method("getPrototypeOf", 1, (m, _this, args) => getPrototypeOf(m, requireTarget(m, args[0], "getPrototypeOf"))),
      method("has", 2, has),
      method("isExtensible", 1, (m, _this, args) => isExtensible(m, requireTarget(m, args[0], "isExtensible"))),
      method("ownKeys", 1, ownKeys_),
      method(
        "preventExtensions",
        1,
        (m, _this, args) => preventExtensions(m, requireTarget(m, args[0], "preventExtensions")),
      ),
      method("set", 3, set),
      method("setPrototypeOf", 2, setPrototypeOf_),
      tag(SymbolToStringTag, "Reflect"),
    ],
  }),
}
