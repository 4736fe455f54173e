import type { Machine } from "../machine/machine.ts"
import {
  createFromConstructor,
  get,
  indexKey,
  type Intrinsics,
  Kind,
  lengthOfArrayLike,
  type Native,
  toNumber,
  toObject,
  toString,
  toUint32,
} from "../object/index.ts"
import { constructor, method, object } from "./define.ts"
import { stringIteratorIntrinsics } from "./string-iterator.ts"
import { stringPrototypeMembers } from "./string-prototype.ts"
import { fromUnits, reserveString } from "./text.ts"

export { getSubstitution } from "./string-substitution.ts"

/** https://tc39.es/ecma262/#sec-symboldescriptivestring */
const descriptiveString = (symbol: symbol): string => `Symbol(${symbol.description ?? ""})`

/** https://tc39.es/ecma262/#sec-string-constructor-string-value */
const StringConstructor: Native<Machine> = (m, _this, args, newTarget) => {
  const value = args[0]
  let text = ""
  if (args.length > 0) {
    if (newTarget === undefined && typeof value === "symbol") return descriptiveString(value)
    text = toString(m, value)
  }
  if (newTarget === undefined) return text
  return createFromConstructor(m, newTarget, "StringPrototype", Kind.String, text)
}

/** https://tc39.es/ecma262/#sec-string.fromcharcode */
const fromCharCode: Native<Machine> = (m, _this, args) => {
  if (args.length === 1) {
    const unit = args[0]
    return String.fromCharCode(typeof unit === "number" ? unit : toNumber(m, unit))
  }
  reserveString(m, args.length)
  m.charge(args.length)
  const units = new Uint16Array(args.length)
  for (let i = 0; i < args.length; i++) units[i] = toUint32(m, args[i])
  return fromUnits(units)
}

/** https://tc39.es/ecma262/#sec-string.fromcodepoint */
const fromCodePoint: Native<Machine> = (m, _this, args) => {
  reserveString(m, args.length * 2)
  m.charge(args.length)
  let text = ""
  for (const arg of args) {
    const point = toNumber(m, arg)
    if (!(point >= 0 && point <= 0x10ffff && Number.isInteger(point))) {
      throw m.rangeError(`Invalid code point ${toString(m, arg)}`)
    }
    text += String.fromCodePoint(point)
  }
  return text
}

/** https://tc39.es/ecma262/#sec-string.raw */
const raw: Native<Machine> = (m, _this, args) => {
  const cooked = toObject(m, args[0])
  const literals = toObject(m, get(m, cooked, "raw"))
  const count = lengthOfArrayLike(m, literals)
  let text = ""
  const append = (part: string): void => {
    m.charge(1)
    reserveString(m, text.length + part.length)
    text += part
  }
  for (let i = 0; i < count; i++) {
    append(toString(m, get(m, literals, indexKey(i))))
    if (i + 1 < count && i + 1 < args.length) append(toString(m, args[i + 1]))
  }
  return text
}

/** https://tc39.es/ecma262/#sec-string-objects */
export const stringIntrinsics: Intrinsics = {
  String: constructor({
    name: "String",
    length: 1,
    prototype: "StringPrototype",
    impl: StringConstructor,
    members: [
      method("fromCharCode", 1, fromCharCode),
      method("fromCodePoint", 1, fromCodePoint),
      method("raw", 1, raw),
    ],
  }),
  StringPrototype: object({
    name: "String.prototype",
    constructor_: "String",
    kind: Kind.String,
    data: () => "",
    members: stringPrototypeMembers,
  }),
  ...stringIteratorIntrinsics,
}
