import type { Machine } from "../machine/machine.ts"
import {
  createFromConstructor,
  type Intrinsics,
  isObject,
  Kind,
  type Native,
  toIntegerOrInfinity,
  toNumeric,
  type Value,
} from "../object/index.ts"
import { constructor, intrinsic, method, object, value } from "./define.ts"
import { numberToLocaleString } from "./locale.ts"

/** https://tc39.es/ecma262/#sec-number-constructor-number-value */
const NumberConstructor: Native<Machine> = (m, _this, args, newTarget) => {
  let n = 0
  if (args.length > 0) {
    const primitive = toNumeric(m, args[0])
    n = Number(primitive)
  }
  return newTarget === undefined ? n : createFromConstructor(m, newTarget, "NumberPrototype", Kind.Number, n)
}

/** https://tc39.es/ecma262/#sec-thisnumbervalue */
const thisNumber = (m: Machine, value: Value, name: string): number => {
  if (typeof value === "number") return value
  if (isObject(value) && value.kind === Kind.Number) return value.data
  throw m.typeError(`Number.prototype.${name} requires that 'this' be a Number`)
}

/** https://tc39.es/ecma262/#sec-number.prototype.tostring */
const toStringMethod: Native<Machine> = (m, thisValue, args) => {
  const x = thisNumber(m, thisValue, "toString")
  const radix = args[0] === undefined ? 10 : toIntegerOrInfinity(m, args[0])
  if (radix < 2 || radix > 36) throw m.rangeError("toString() radix argument must be between 2 and 36")
  if (radix === 10) return String(x)
  // A fraction, or a large number, is written digit by digit.
  const digits = Number.isSafeInteger(x) || !Number.isFinite(x) ? 0 : 100 + Math.abs(Math.log2(Math.abs(x)))
  m.charge(20 + Math.ceil(digits * 1.5))
  m.allocate(16 + Math.ceil(digits))
  return x.toString(radix)
}

/** https://tc39.es/ecma262/#sec-number.prototype.tofixed */
const toFixed: Native<Machine> = (m, thisValue, args) => {
  const x = thisNumber(m, thisValue, "toFixed")
  const digits = toIntegerOrInfinity(m, args[0])
  if (digits < 0 || digits > 100) throw m.rangeError("toFixed() digits argument must be between 0 and 100")
  m.charge(20 + digits)
  m.allocate(32 + digits)
  return x.toFixed(digits)
}

/** https://tc39.es/ecma262/#sec-number.prototype.toexponential */
const toExponential: Native<Machine> = (m, thisValue, args) => {
  const x = thisNumber(m, thisValue, "toExponential")
  const digits = toIntegerOrInfinity(m, args[0])
  if (!Number.isFinite(x)) return String(x)
  if (digits < 0 || digits > 100) throw m.rangeError("toExponential() argument must be between 0 and 100")
  m.charge(40)
  m.allocate(64)
  return args[0] === undefined ? x.toExponential() : x.toExponential(digits)
}

/** https://tc39.es/ecma262/#sec-number.prototype.toprecision */
const toPrecision: Native<Machine> = (m, thisValue, args) => {
  const x = thisNumber(m, thisValue, "toPrecision")
  if (args[0] === undefined) return String(x)
  const precision = toIntegerOrInfinity(m, args[0])
  if (!Number.isFinite(x)) return String(x)
  if (precision < 1 || precision > 100) throw m.rangeError("toPrecision() argument must be between 1 and 100")
  m.charge(20 + precision)
  m.allocate(32 + precision)
  return x.toPrecision(precision)
}

/** https://tc39.es/ecma402/#sup-number.prototype.tolocalestring */
const toLocaleString: Native<Machine> = (m, thisValue, args) =>
  numberToLocaleString(m, thisNumber(m, thisValue, "toLocaleString"), args[0], args[1])

/** https://tc39.es/ecma262/#sec-number-objects */
export const numberIntrinsics: Intrinsics = {
  Number: constructor({
    name: "Number",
    length: 1,
    prototype: "NumberPrototype",
    impl: NumberConstructor,
    members: [
      value("EPSILON", Number.EPSILON),
      method("isFinite", 1, (_m, _this, args) => Number.isFinite(args[0])),
      method("isInteger", 1, (_m, _this, args) => Number.isInteger(args[0])),
      method("isNaN", 1, (_m, _this, args) => Number.isNaN(args[0])),
      method("isSafeInteger", 1, (_m, _this, args) => Number.isSafeInteger(args[0])),
      value("MAX_SAFE_INTEGER", Number.MAX_SAFE_INTEGER),
      value("MAX_VALUE", Number.MAX_VALUE),
      value("MIN_SAFE_INTEGER", Number.MIN_SAFE_INTEGER),
      value("MIN_VALUE", Number.MIN_VALUE),
      value("NaN", NaN),
      value("NEGATIVE_INFINITY", -Infinity),
      intrinsic("parseFloat", "parseFloat"),
      intrinsic("parseInt", "parseInt"),
      value("POSITIVE_INFINITY", Infinity),
    ],
  }),
  NumberPrototype: object({
    name: "Number.prototype",
    constructor_: "Number",
    kind: Kind.Number,
    data: () => 0,
    members: [
      method("toExponential", 1, toExponential),
      method("toFixed", 1, toFixed),
      method("toLocaleString", 0, toLocaleString),
      method("toPrecision", 1, toPrecision),
      method("toString", 1, toStringMethod),
      method("valueOf", 0, (m, thisValue) => thisNumber(m, thisValue, "valueOf")),
    ],
  }),
}
