import type { Machine } from "../machine/machine.ts"
import { bigIntToString, bigIntWords } from "../object/bigint-arithmetic.ts"
import {
  type Intrinsics,
  isObject,
  type JSObject,
  Kind,
  type Native,
  SymbolToStringTag,
  toBigInt,
  toIntegerOrInfinity,
  toPrimitive,
  type Value,
} from "../object/index.ts"
import { constructor, method, object, tag } from "./define.ts"
import { numberToLocaleString } from "./locale.ts"

export * from "../object/bigint-arithmetic.ts"

/** https://tc39.es/ecma262/#sec-bigint-constructor-number-value */
const BigIntConstructor: Native<Machine> = (m, _this, args, newTarget) => {
  if (newTarget !== undefined) throw m.typeError("BigInt is not a constructor")
  const primitive = toPrimitive(m, args[0], "number")
  if (typeof primitive !== "number") return toBigInt(m, primitive)
  if (!Number.isInteger(primitive)) {
    throw m.rangeError(
      `The number ${primitive} cannot be converted to a BigInt because it is not an integer`,
    )
  }
  return BigInt(primitive)
}

/** https://tc39.es/ecma262/#sec-toindex, in V8's words. */
const toBits = (m: Machine, value: Value): number => {
  const bits = toIntegerOrInfinity(m, value)
  if (bits >= 0 && bits <= Number.MAX_SAFE_INTEGER) return bits
  throw m.rangeError("Invalid value: not (convertible to) a safe integer")
}

/** https://tc39.es/ecma262/#sec-bigint.asintn */
const asIntN: Native<Machine> = (m, _this, args) => {
  const bits = toBits(m, args[0])
  const value = toBigInt(m, args[1])
  const words = bigIntWords(value)
  m.charge(words >> 2)
  return bits > words * 64 ? value : BigInt.asIntN(bits, value)
}

/** https://tc39.es/ecma262/#sec-bigint.asuintn */
const asUintN: Native<Machine> = (m, _this, args) => {
  const bits = toBits(m, args[0])
  const value = toBigInt(m, args[1])
  const words = bigIntWords(value)
  m.charge(words >> 2)
  if (value >= 0n && bits > words * 64) return value
  if (value < 0n && bits > m.maxBigIntBits) throw m.rangeError("Maximum BigInt size exceeded")
  if (value < 0n) m.charge(bits >> 8)
  return BigInt.asUintN(bits, value)
}

/** https://tc39.es/ecma262/#sec-thisbigintvalue */
const thisBigInt = (m: Machine, value: Value, name: string): bigint => {
  if (typeof value === "bigint") return value
  if (isObject(value) && (value as JSObject).kind === Kind.BigInt) return (value as JSObject).data
  throw m.typeError(`BigInt.prototype.${name} requires that 'this' be a BigInt`)
}

/** https://tc39.es/ecma262/#sec-bigint.prototype.tostring */
const toStringMethod: Native<Machine> = (m, thisValue, args) => {
  const value = thisBigInt(m, thisValue, "toString")
  const radix = args[0] === undefined ? 10 : toIntegerOrInfinity(m, args[0])
  if (radix < 2 || radix > 36) throw m.rangeError("toString() radix argument must be between 2 and 36")
  return bigIntToString(m, value, radix)
}

/** https://tc39.es/ecma402/#sup-bigint.prototype.tolocalestring */
const toLocaleString: Native<Machine> = (m, thisValue, args) =>
  numberToLocaleString(m, thisBigInt(m, thisValue, "toLocaleString"), args[0], args[1])

/** https://tc39.es/ecma262/#sec-bigint-objects */
export const bigintIntrinsics: Intrinsics = {
  BigInt: constructor({
    name: "BigInt",
    length: 1,
    prototype: "BigIntPrototype",
    impl: BigIntConstructor,
    members: [method("asIntN", 2, asIntN), method("asUintN", 2, asUintN)],
  }),
  BigIntPrototype: object({
    name: "BigInt.prototype",
    constructor_: "BigInt",
    members: [
      method("toLocaleString", 0, toLocaleString),
      method("toString", 0, toStringMethod),
      method("valueOf", 0, (m, thisValue) => thisBigInt(m, thisValue, "valueOf")),
      tag(SymbolToStringTag, "BigInt"),
    ],
  }),
}
