import { type Agent, LONG_TEXT, Throw } from "./agent.ts"
import { bigIntToString, checkBigInt } from "./bigint-arithmetic.ts"
import { describe, shortText } from "./describe.ts"
import { chargeEquality } from "./equality.ts"
import { get } from "./internal-methods.ts"
import { getMethod } from "./operations.ts"
import { LONG_KEY } from "./shape.ts"
import { SymbolToPrimitive } from "./symbols.ts"
import {
  HOLE,
  indexKey,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  newElements,
  type PropertyKey,
  toKey,
  type Value,
} from "./value.ts"

/** How many arguments a list of them gives at most. */
const MAX_ARGUMENTS = 1 << 20

type Primitive = Exclude<Value, JSObject>

/** https://tc39.es/ecma262/#sec-toprimitive */
export const toPrimitive = (m: Agent, value: Value, hint: "default" | "number" | "string" = "default"): Primitive => {
  if (typeof value !== "object" || value === null) return value
  const exotic = getMethod(m, value, SymbolToPrimitive)
  if (exotic !== undefined) {
    const result = m.call(exotic, value, [hint])
    if (typeof result !== "object" || result === null) return result
    throw m.typeError("Cannot convert object to primitive value")
  }
  for (const name of hint === "string" ? ["toString", "valueOf"] : ["valueOf", "toString"]) {
    const fn = get(m, value, name)
    if (isCallable(fn)) {
      const result = m.call(fn, value, [])
      if (typeof result !== "object" || result === null) return result
    }
  }
  throw m.typeError("Cannot convert object to primitive value")
}

/** https://tc39.es/ecma262/#sec-toboolean */
export const toBoolean = (value: Value): boolean => Boolean(value)

/** https://tc39.es/ecma262/#sec-tonumber */
export const toNumber = (m: Agent, value: Value): number => {
  if (typeof value === "number") return value
  if (typeof value === "object" && value !== null) value = toPrimitive(m, value, "number")
  if (typeof value === "symbol") throw m.typeError("Cannot convert a Symbol value to a number")
  if (typeof value === "bigint") throw m.typeError("Cannot convert a BigInt value to a number")
  if (typeof value === "string" && value.length > 64) {
    m.charge(value.length >> 3)
    if (value.length > LONG_TEXT) m.touch(value)
  }
  return Number(value)
}

/** https://tc39.es/ecma262/#sec-tonumeric */
export const toNumeric = (m: Agent, value: Value): number | bigint => {
  if (typeof value === "number" || typeof value === "bigint") return value
  const primitive = toPrimitive(m, value, "number")
  return typeof primitive === "bigint" ? primitive : toNumber(m, primitive)
}

/** https://tc39.es/ecma262/#sec-tobigint */
export const toBigInt = (m: Agent, value: Value): bigint => {
  const primitive = toPrimitive(m, value, "number")
  switch (typeof primitive) {
    case "bigint":
      return primitive
    case "boolean":
      return primitive ? 1n : 0n
    case "string": {
      const parsed = stringToBigInt(m, primitive)
      if (parsed === undefined) throw m.syntaxError(`Cannot convert ${shortText(primitive)} to a BigInt`)
      return parsed
    }
    default:
      throw m.typeError(`Cannot convert ${String(primitive)} to a BigInt`)
  }
}

/** https://tc39.es/ecma262/#sec-stringtobigint — undefined where the text is no integer. */
export const stringToBigInt = (m: Agent, text: string): bigint | undefined => {
  if (text.length > LONG_TEXT) {
    m.touch(text)
    refuseTooManyDigits(m, text)
  }
  // The host's conversion is quadratic in the number of digits.
  m.charge(text.length + Math.floor((text.length * text.length) / 16384))
  try {
    return checkBigInt(m, BigInt(text))
  } catch (error) {
    if (error instanceof Throw) throw error
    return undefined
  }
}

/** Refuses a text of more digits than a bigint may have, before it is read. */
const refuseTooManyDigits = (m: Agent, text: string): void => {
  if (text.length <= m.maxBigIntBits / 4) return
  m.charge(text.length >> 1)
  const digits = text.trim().replace(/^[+-]/, "")
  const perDigit = { "0x": 4, "0X": 4, "0o": 3, "0O": 3, "0b": 1, "0B": 1 }[digits.slice(0, 2)] ?? Math.log2(10)
  // The first digit that is no leading zero is worth a bit, each of the others this many.
  const significant = digits.replace(/^0[xXoObB]/, "").replace(/^0+/, "").length
  if ((significant - 1) * perDigit >= m.maxBigIntBits) throw m.rangeError("Maximum BigInt size exceeded")
}

/** https://tc39.es/ecma262/#sec-tostring */
export const toString = (m: Agent, value: Value): string => {
  if (typeof value === "string") {
    if (value.length > LONG_TEXT) m.touch(value)
    return value
  }
  if (typeof value === "object" && value !== null) value = toPrimitive(m, value, "string")
  if (typeof value === "symbol") throw m.typeError("Cannot convert a Symbol value to a string")
  return typeof value === "bigint" ? bigIntToString(m, value) : String(value)
}

/** https://tc39.es/ecma262/#sec-topropertykey */
export const toPropertyKey = (m: Agent, value: Value): PropertyKey => {
  if (typeof value === "string") {
    if (value.length > LONG_TEXT) {
      m.touch(value)
      if (value.length > LONG_KEY) chargeLongKey(m, value.length)
    }
    return toKey(value)
  }
  if (typeof value === "number") {
    return value >= 0 && value <= 4294967294 && Number.isInteger(value) ? value === 0 ? 0 : value : String(value)
  }
  const primitive = toPrimitive(m, value, "string")
  return typeof primitive === "symbol" ? primitive : toPropertyKey(m, toString(m, primitive))
}

/** Long keys of one length have one hash, so that finding one among them compares it with each. */
const chargeLongKey = (m: Agent, length: number): void =>
  m.charge((length >> 5) + (m.realm.space.longKeys.get(length) ?? 0) * (length >> 7))

/** https://tc39.es/ecma262/#sec-toobject */
export const toObject = (m: Agent, value: Value): JSObject => {
  switch (typeof value) {
    case "object":
      if (value === null) break
      return value
    case "undefined":
      break
    case "string":
      return m.realm.newObjectOf(Kind.String, "StringPrototype", value)
    case "number":
      return m.realm.newObjectOf(Kind.Number, "NumberPrototype", value)
    case "boolean":
      return m.realm.newObjectOf(Kind.Boolean, "BooleanPrototype", value)
    case "symbol":
      return m.realm.newObjectOf(Kind.Symbol, "SymbolPrototype", value)
    default:
      return m.realm.newObjectOf(Kind.BigInt, "BigIntPrototype", value)
  }
  throw m.typeError("Cannot convert undefined or null to object")
}

/** https://tc39.es/ecma262/#sec-tointegerorinfinity */
export const toIntegerOrInfinity = (m: Agent, value: Value): number => {
  const n = toNumber(m, value)
  return Number.isNaN(n) ? 0 : Math.trunc(n) + 0
}

/** https://tc39.es/ecma262/#sec-toint32 */
export const toInt32 = (m: Agent, value: Value): number => toNumber(m, value) | 0

/** https://tc39.es/ecma262/#sec-touint32 */
export const toUint32 = (m: Agent, value: Value): number => toNumber(m, value) >>> 0

/** https://tc39.es/ecma262/#sec-tolength */
export const toLength = (m: Agent, value: Value): number => {
  const n = toIntegerOrInfinity(m, value)
  return n <= 0 ? 0 : Math.min(n, Number.MAX_SAFE_INTEGER)
}

/** https://tc39.es/ecma262/#sec-toindex */
export const toIndex = (m: Agent, value: Value): number => {
  if (value === undefined) return 0
  const n = toIntegerOrInfinity(m, value)
  if (n < 0 || n > Number.MAX_SAFE_INTEGER) throw m.rangeError("Invalid index")
  return n
}

/** https://tc39.es/ecma262/#sec-lengthofarraylike */
export const lengthOfArrayLike = (m: Agent, o: JSObject): number =>
  o.kind === Kind.Array ? o.data.length : toLength(m, get(m, o, "length"))

/** https://tc39.es/ecma262/#sec-createlistfromarraylike for elements of any type, as arguments: there may be no more of them than a call can have. */
export const listFromArrayLike = (m: Agent, value: Value): Array<Value> => {
  if (!isObject(value)) throw m.typeError("CreateListFromArrayLike called on non-object")
  const length = lengthOfArrayLike(m, value)
  m.charge(length)
  if (length > MAX_ARGUMENTS) throw m.rangeError("Too many arguments in function call")
  m.allocate(length * 8)
  if (value.kind === Kind.Array && !(value.data as Array<unknown>).includes(HOLE)) {
    return (value.data as Array<Value>).slice()
  }
  const list: Array<Value> = newElements()
  for (let i = 0; i < length; i++) list.push(get(m, value, indexKey(i)))
  return list
}

/** A relative index, as `slice` and others take it, clamped to 0..length. */
export const toRelativeIndex = (m: Agent, value: Value, length: number, absent: number): number => {
  if (value === undefined) return absent
  const n = toIntegerOrInfinity(m, value)
  return n < 0 ? Math.max(length + n, 0) : Math.min(n, length)
}

/** Refuses what is no function. */
export const requireCallable: (m: Agent, value: Value) => asserts value is JSObject = (m, value) => {
  if (!isCallable(value)) throw m.typeError(`${describe(value)} is not a function`)
}

/** https://tc39.es/ecma262/#sec-requireobjectcoercible */
export const requireObjectCoercible = (m: Agent, value: Value, method: string): void => {
  if (value === undefined || value === null) throw m.typeError(`${method} called on null or undefined`)
}

/** https://tc39.es/ecma262/#sec-samevaluezero */
export const sameValueZero = (a: Value, b: Value): boolean => a === b || (a !== a && b !== b)

/** https://tc39.es/ecma262/#sec-islooselyequal */
export const looselyEqual = (m: Agent, a: Value, b: Value): boolean => {
  for (;;) {
    const aObject = typeof a === "object" && a !== null
    const bObject = typeof b === "object" && b !== null
    if (aObject && bObject) return a === b
    if (aObject) {
      if (b === undefined || b === null) return false
      a = toPrimitive(m, a)
    } else if (bObject) {
      if (a === undefined || a === null) return false
      b = toPrimitive(m, b)
    } else {
      if (typeof a === "bigint" && typeof b === "string") return stringToBigInt(m, b) === a
      if (typeof a === "string" && typeof b === "bigint") return stringToBigInt(m, a) === b
      if (typeof a === "string") {
        if (typeof b === "string") {
          if (a.length > LONG_TEXT) chargeEquality(m, a, b)
        } else if (a.length > 64) a = toNumber(m, a)
      } else if (typeof b === "string") {
        if (b.length > 64) b = toNumber(m, b)
      } else if (typeof a === "bigint") chargeEquality(m, a, b)
      // Between other primitives the host's equality is the guest's.
      return a == b // oxlint-disable-line eqeqeq
    }
  }
}

/** https://tc39.es/ecma262/#sec-typeof-operator */
export const typeOf = (value: Value): string =>
  typeof value === "object" ? value === null ? "object" : isCallable(value) ? "function" : "object" : typeof value
