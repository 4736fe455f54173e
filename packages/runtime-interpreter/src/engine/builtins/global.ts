import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  defineNative,
  type Intrinsics,
  Kind,
  LazyGlobals,
  type Native,
  toInt32,
  toNumber,
  toString,
} from "../object/index.ts"
import { intrinsic, intrinsicFunction, object, value } from "./define.ts"
import { refuseText } from "./function.ts"

type PlainNative = Native<Machine>

/** https://tc39.es/ecma262/#sec-eval-x for what programs can do of it: anything but text is its own value. */
const eval_: PlainNative = (m, _this, args) => {
  if (typeof args[0] === "string") throw refuseText(m)
  return args[0]
}

/** https://tc39.es/ecma262/#sec-parsefloat-string */
const parseFloat_: PlainNative = (m, _this, args) => {
  const text = toString(m, args[0])
  m.charge(text.length >> 3)
  return parseFloat(text)
}

/** https://tc39.es/ecma262/#sec-parseint-string-radix */
const parseInt_: PlainNative = (m, _this, args) => {
  const text = toString(m, args[0])
  const radix = toInt32(m, args[1])
  m.charge(text.length >> 3)
  return parseInt(text, radix)
}

export const globalIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-global-object */
  Global: object({
    name: "globalThis",
    kind: Kind.Global,
    data: () => new LazyGlobals(),
    members: [
      value("Infinity", Infinity),
      value("NaN", NaN),
      value("undefined", undefined),
      intrinsic("globalThis", "Global", Attribute.Hidden),
    ],
  }),
  eval: intrinsicFunction(defineNative("eval", 1, eval_)),
  /** https://tc39.es/ecma262/#sec-isfinite-number */
  isFinite: intrinsicFunction(defineNative("isFinite", 1, (m, _this, args) => Number.isFinite(toNumber(m, args[0])))),
  /** https://tc39.es/ecma262/#sec-isnan-number */
  isNaN: intrinsicFunction(defineNative("isNaN", 1, (m, _this, args) => Number.isNaN(toNumber(m, args[0])))),
  parseFloat: intrinsicFunction(defineNative("parseFloat", 1, parseFloat_)),
  parseInt: intrinsicFunction(defineNative("parseInt", 2, parseInt_)),
}
