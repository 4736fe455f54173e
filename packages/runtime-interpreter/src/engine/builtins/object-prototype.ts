import type { Machine } from "../machine/machine.ts"
import {
  call,
  definePropertyOrThrow,
  type GeneratorNative,
  get,
  getOwnProperty,
  getPrototypeOf,
  getV,
  type Intrinsics,
  isAccessorDescriptor,
  isArray,
  isCallable,
  isExtensible,
  isObject,
  type JSObject,
  Kind,
  type Native,
  objectTag,
  requireObjectCoercible,
  setPrototypeOf,
  SymbolToStringTag,
  toObject,
  toPropertyKey,
  type Value,
} from "../object/index.ts"
import { accessor, generatorMethod, method, object } from "./define.ts"

type PlainNative = Native<Machine>

/** Sets a prototype, or says why that is refused. */
export const setPrototypeOrThrow = (m: Machine, o: JSObject, proto: JSObject | null): void => {
  if (setPrototypeOf(m, o, proto)) return
  if (o.kind === Kind.Proxy) {
    throw m.typeError("'setPrototypeOf' on proxy: trap returned falsish for property 'undefined'")
  }
  if (o === m.realm.objectPrototype) {
    throw m.typeError("Immutable prototype object 'Object.prototype' cannot have their prototype set")
  }
  throw m.typeError(isExtensible(m, o) ? "Cyclic __proto__ value" : `${objectTag(o)} is not extensible`)
}

/** https://tc39.es/ecma262/#sec-object.prototype.hasownproperty */
const hasOwnProperty: PlainNative = (m, self, args) => {
  const key = toPropertyKey(m, args[0])
  return getOwnProperty(m, toObject(m, self), key) !== undefined
}

/** https://tc39.es/ecma262/#sec-object.prototype.isprototypeof */
const isPrototypeOf: PlainNative = (m, self, args) => {
  const value = args[0]
  if (!isObject(value)) return false
  const o = toObject(m, self)
  for (let proto = getPrototypeOf(m, value); proto !== null; proto = getPrototypeOf(m, proto)) {
    if (proto === o) return true
    m.charge(1)
  }
  return false
}

/** https://tc39.es/ecma262/#sec-object.prototype.propertyisenumerable */
const propertyIsEnumerable: PlainNative = (m, self, args) => {
  const key = toPropertyKey(m, args[0])
  return getOwnProperty(m, toObject(m, self), key)?.enumerable === true
}

/** https://tc39.es/ecma262/#sec-object.prototype.tolocalestring */
const toLocaleString: GeneratorNative<Machine> = function*(m, self) {
  return yield call(getV(m, self, "toString"), self, [])
}

/** https://tc39.es/ecma262/#sec-object.prototype.tostring */
export const toString: PlainNative = (m, self) => {
  if (self === undefined) return "[object Undefined]"
  if (self === null) return "[object Null]"
  const o = toObject(m, self)
  const builtin = builtinTag(m, o)
  const tag = get(m, o, SymbolToStringTag)
  const text = typeof tag === "string" ? tag : builtin
  if (text.length > m.maxStringLength - 9) throw m.rangeError("Invalid string length")
  return `[object ${text}]`
}

const builtinTag = (m: Machine, o: Value): string => {
  if (isArray(m, o)) return "Array"
  if (isCallable(o)) return "Function"
  return (isObject(o) ? builtinTags.get(o.kind) : undefined) ?? "Object"
}

const builtinTags = new Map<Kind, string>([
  [Kind.Arguments, "Arguments"],
  [Kind.Error, "Error"],
  [Kind.Boolean, "Boolean"],
  [Kind.Number, "Number"],
  [Kind.String, "String"],
  [Kind.Date, "Date"],
  [Kind.RegExp, "RegExp"],
])

/** https://tc39.es/ecma262/#sec-get-object.prototype.__proto__ */
const getProto: PlainNative = (m, self) => getPrototypeOf(m, toObject(m, self))

/** https://tc39.es/ecma262/#sec-set-object.prototype.__proto__ */
const setProto: PlainNative = (m, self, args) => {
  requireObjectCoercible(m, self, "Object.prototype.__proto__")
  const proto = args[0]
  if ((proto === null || isObject(proto)) && isObject(self)) setPrototypeOrThrow(m, self, proto)
  return undefined
}

/** https://tc39.es/ecma262/#sec-object.prototype.__defineGetter__ */
const legacyDefine = (field: "get" | "set", name: string): PlainNative => (m, self, args) => {
  const o = toObject(m, self)
  const fn = args[1]
  if (!isCallable(fn)) throw m.typeError(`Object.prototype.${name}: Expecting function`)
  const desc = { [field]: fn, enumerable: true, configurable: true }
  definePropertyOrThrow(m, o, toPropertyKey(m, args[0]), desc)
  return undefined
}

/** https://tc39.es/ecma262/#sec-object.prototype.__lookupGetter__ */
const legacyLookup = (field: "get" | "set"): PlainNative => (m, self, args) => {
  let o: JSObject | null = toObject(m, self)
  const key = toPropertyKey(m, args[0])
  for (; o !== null; o = getPrototypeOf(m, o)) {
    const desc = getOwnProperty(m, o, key)
    if (desc !== undefined) return isAccessorDescriptor(desc) ? desc[field] : undefined
    m.charge(1)
  }
  return undefined
}

export const objectPrototypeIntrinsics: Intrinsics = {
  ObjectPrototype: object({
    name: "Object.prototype",
    proto: null,
    constructor_: "Object",
    members: [
      method("__defineGetter__", 2, legacyDefine("get", "__defineGetter__")),
      method("__defineSetter__", 2, legacyDefine("set", "__defineSetter__")),
      method("hasOwnProperty", 1, hasOwnProperty),
      method("__lookupGetter__", 1, legacyLookup("get")),
      method("__lookupSetter__", 1, legacyLookup("set")),
      method("isPrototypeOf", 1, isPrototypeOf),
      method("propertyIsEnumerable", 1, propertyIsEnumerable),
      method("toString", 0, toString),
      method("valueOf", 0, (m, self) => toObject(m, self)),
      accessor("__proto__", getProto, setProto),
      generatorMethod("toLocaleString", 0, toLocaleString),
    ],
  }),
}
