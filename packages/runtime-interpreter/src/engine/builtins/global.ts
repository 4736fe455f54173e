import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  defineNative,
  type Intrinsics,
  Kind,
  type LazyGlobals,
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

/** Intrinsics whose global has another name. */
const renamed: Readonly<Record<string, string>> = {}

/** The names of globals that come into being on first use. Each is the name of its intrinsic, unless `renamed` says otherwise. */
const names = [
  "AggregateError",
  "Array",
  "ArrayBuffer",
  "AsyncDisposableStack",
  "BigInt",
  "BigInt64Array",
  "BigUint64Array",
  "Boolean",
  "DataView",
  "Date",
  "DisposableStack",
  "Error",
  "EvalError",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "Function",
  "Int16Array",
  "Int32Array",
  "Int8Array",
  "Intl",
  "Iterator",
  "JSON",
  "Map",
  "Math",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "RangeError",
  "ReferenceError",
  "Reflect",
  "RegExp",
  "Set",
  "String",
  "SuppressedError",
  "Symbol",
  "SyntaxError",
  "TextDecoder",
  "TextEncoder",
  "TypeError",
  "URIError",
  "URL",
  "URLSearchParams",
  "Uint16Array",
  "Uint32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "WeakMap",
  "WeakSet",
  "atob",
  "btoa",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "decodeURI",
  "decodeURIComponent",
  "encodeURI",
  "encodeURIComponent",
  "escape",
  "eval",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "structuredClone",
  "unescape",
]

/** Every lazily made global with the intrinsic that it holds. */
export const globals: ReadonlyMap<string, string> = new Map(names.map((name) => [name, renamed[name] ?? name]))

export const globalIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-global-object */
  Global: object({
    name: "globalThis",
    kind: Kind.Global,
    data: (): LazyGlobals => new Map(globals),
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
