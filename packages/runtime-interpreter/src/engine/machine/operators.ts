import { Op } from "../compile/opcodes.ts"
import {
  addBigInt,
  chargeBitwise,
  divideBigInt,
  exponentiateBigInt,
  leftShiftBigInt,
  multiplyBigInt,
  remainderBigInt,
  rightShiftBigInt,
  subtractBigInt,
} from "../object/bigint-arithmetic.ts"
import { LONG_TEXT, stringToBigInt, toNumber, toNumeric, toPrimitive, toString, type Value } from "../object/index.ts"
import type { Machine } from "./machine.ts"

/** https://tc39.es/ecma262/#sec-applystringornumericbinaryoperator for `+`, beyond two numbers. */
export const add = (m: Machine, a: Value, b: Value): Value => {
  if (typeof a === "string") {
    if (typeof b === "string") return concat(m, a, b)
    if (typeof b === "number") return concat(m, a, String(b))
  }
  a = toPrimitive(m, a)
  b = toPrimitive(m, b)
  if (typeof a === "string" || typeof b === "string") {
    const left = toString(m, a)
    return concat(m, left, toString(m, b))
  }
  const x = toNumeric(m, a)
  const y = toNumeric(m, b)
  if (typeof x === "number" && typeof y === "number") return x + y
  if (typeof x === "bigint" && typeof y === "bigint") return addBigInt(m, x, y)
  throw mixed(m)
}

const concat = (m: Machine, a: string, b: string): string => {
  const length = a.length + b.length
  if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
  // The host joins long texts by reference; short ones are copied.
  m.allocate(length <= LONG_TEXT ? 32 + length : 32)
  if (length > LONG_TEXT) m.join(length)
  return a + b
}

const mixed = (m: Machine) => m.typeError("Cannot mix BigInt and other types, use explicit conversions")

/** The other operators, beyond two numbers. */
export const arithmetic = (m: Machine, op: Op, a: Value, b: Value): Value => {
  const x = toNumeric(m, a)
  const y = toNumeric(m, b)
  if (typeof x === "number" && typeof y === "number") {
    switch (op) {
      case Op.Subtract:
        return x - y
      case Op.Multiply:
        return x * y
      case Op.Divide:
        return x / y
      case Op.Remainder:
        return x % y
      case Op.Exponentiate:
        return x ** y
      case Op.BitAnd:
        return x & y
      case Op.BitOr:
        return x | y
      case Op.BitXor:
        return x ^ y
      case Op.ShiftLeft:
        return x << y
      case Op.ShiftRight:
        return x >> y
      default:
        return x >>> y
    }
  }
  if (typeof x !== "bigint" || typeof y !== "bigint") throw mixed(m)
  switch (op) {
    case Op.Subtract:
      return subtractBigInt(m, x, y)
    case Op.Multiply:
      return multiplyBigInt(m, x, y)
    case Op.Divide:
      return divideBigInt(m, x, y)
    case Op.Remainder:
      return remainderBigInt(m, x, y)
    case Op.Exponentiate:
      return exponentiateBigInt(m, x, y)
    case Op.BitAnd:
      chargeBitwise(m, x, y)
      return x & y
    case Op.BitOr:
      chargeBitwise(m, x, y)
      return x | y
    case Op.BitXor:
      chargeBitwise(m, x, y)
      return x ^ y
    case Op.ShiftLeft:
      return leftShiftBigInt(m, x, y)
    case Op.ShiftRight:
      return rightShiftBigInt(m, x, y)
    default:
      throw m.typeError("BigInts have no unsigned right shift, use >> instead")
  }
}

export const unary = (m: Machine, op: Op, a: Value): Value => {
  const x = toNumeric(m, a)
  if (typeof x === "number") {
    return op === Op.Negate ? -x : op === Op.BitNot ? ~x : op === Op.Increment ? x + 1 : op === Op.Decrement ? x - 1 : x
  }
  if (op === Op.ToNumeric) return x
  if (op === Op.Increment) return addBigInt(m, x, 1n)
  if (op === Op.Decrement) return subtractBigInt(m, x, 1n)
  chargeBitwise(m, x, x)
  return op === Op.Negate ? -x : ~x
}

/** What a text is compared as with a value that is none; nothing compares with NaN. */
const numberFrom = (m: Machine, text: string, other: Value): number | bigint =>
  typeof other === "bigint" ? stringToBigInt(m, text) ?? NaN : toNumber(m, text)

/** https://tc39.es/ecma262/#sec-islessthan for `<`, `<=`, `>` and `>=`, beyond two numbers. */
export const compare = (m: Machine, op: Op, a: Value, b: Value): boolean => {
  let x = toPrimitive(m, a, "number")
  let y = toPrimitive(m, b, "number")
  if (typeof x === "string" && typeof y === "string") {
    m.charge((x.length < y.length ? x.length : y.length) >> 5)
    if (x.length > LONG_TEXT) m.touch(x)
    if (y.length > LONG_TEXT) m.touch(y)
  } else if (typeof x === "bigint" && typeof y === "bigint") chargeBitwise(m, x, y)
  else if (typeof x === "symbol" || typeof y === "symbol") {
    throw m.typeError("Cannot convert a Symbol value to a number")
  } else if (typeof x === "string") x = numberFrom(m, x, y)
  else if (typeof y === "string") y = numberFrom(m, y, x)
  // Both are primitives now, and the host compares primitives as the guest does.
  switch (op) {
    case Op.Less:
      return x! < y!
    case Op.LessEqual:
      return x! <= y!
    case Op.Greater:
      return x! > y!
    default:
      return x! >= y!
  }
}
