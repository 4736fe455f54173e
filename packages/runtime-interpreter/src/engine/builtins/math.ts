import type { Machine } from "../machine/machine.ts"
import {
  type Calls,
  describe,
  type Intrinsics,
  isObject,
  type Native,
  SymbolToStringTag,
  toNumber,
  toUint32,
  type Value,
} from "../object/index.ts"
import { generatorMethod, type Member, method, object, tag, value } from "./define.ts"
import { forEachOf } from "./iteration.ts"

/** A function of one number that is the host's own. */
const unary = (name: string, fn: (x: number) => number): Member => {
  const impl: Native<Machine> = (m, _this, args) => {
    const x = args[0]
    return fn(typeof x === "number" ? x : toNumber(m, x))
  }
  return method(name, 1, impl)
}

/** https://tc39.es/ecma262/#sec-math.max and https://tc39.es/ecma262/#sec-math.min */
const extreme = (name: "max" | "min", fn: (a: number, b: number) => number, empty: number): Member =>
  method(name, 2, (m, _this, args) => {
    const count = args.length
    m.charge(count >> 2)
    if (count === 2) {
      const a = toNumber(m, args[0])
      return fn(a, toNumber(m, args[1]))
    }
    let result = empty
    for (let i = 0; i < count; i++) {
      const x = args[i]
      result = fn(result, typeof x === "number" ? x : toNumber(m, x))
    }
    return result
  })

/** https://tc39.es/ecma262/#sec-math.hypot */
const hypot: Native<Machine> = (m, _this, args) => {
  m.charge(args.length * 8)
  const numbers = args.map((arg) => toNumber(m, arg))
  let infinite = false
  let nan = false
  let largest = 0
  for (const n of numbers) {
    if (n === Infinity || n === -Infinity) infinite = true
    else if (Number.isNaN(n)) nan = true
    else largest = Math.max(largest, Math.abs(n))
  }
  if (infinite) return Infinity
  if (nan) return NaN
  if (largest === 0) return 0
  // Scaled, so that no square overflows, and summed with compensation for what rounding loses.
  let sum = 0
  let lost = 0
  for (const n of numbers) {
    const scaled = n / largest
    const term = scaled * scaled - lost
    const next = sum + term
    lost = next - sum - term
    sum = next
  }
  return Math.sqrt(sum) * largest
}

const doubleView = new DataView(new ArrayBuffer(8))

/** https://tc39.es/ecma262/#sec-math.f16round */
const f16round = (x: number): number => {
  const magnitude = Math.abs(x)
  if (!(magnitude < 65520)) return Number.isNaN(x) ? NaN : x < 0 ? -Infinity : Infinity
  doubleView.setFloat64(0, magnitude)
  const exponent = Math.max((doubleView.getUint16(0) >> 4) - 1023, -14)
  // Adding a number whose last place is the last place wanted rounds to it, ties to even.
  const shift = 2 ** (exponent - 10 + 52)
  const rounded = magnitude + shift - shift
  return x < 0 || Object.is(x, -0) ? -rounded : rounded
}

/** The exponent of a double's last place, and its significand as an integer with its sign. */
const decompose = (x: number): { readonly significand: bigint; readonly exponent: number } => {
  doubleView.setFloat64(0, x)
  const bits = doubleView.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const significand = biased === 0 ? fraction : fraction | 0x10000000000000n
  return { significand: x < 0 ? -significand : significand, exponent: Math.max(biased, 1) - 1 }
}

/** The double nearest to `sum` units of 2^-1074, ties to even. */
const toDouble = (sum: bigint): number => {
  const negative = sum < 0n
  const magnitude = negative ? -sum : sum
  const excess = magnitude.toString(16).length * 4 - 64
  let result: number
  if (excess <= 0) {
    // Up to 2^64 units the conversion rounds as it should: the results that are not normal are exact.
    result = magnitude < 1n << 53n ? Number(magnitude) * 2 ** -1074 : Number(magnitude) * 2 ** -60 * 2 ** -1014
  } else {
    const shift = BigInt(excess)
    const top = magnitude >> shift
    const sticky = top << shift === magnitude ? 0n : 1n
    result = Number(top | sticky) * 2 ** -60 * 2 ** (excess - 1014)
  }
  return negative ? -result : result
}

/** https://tc39.es/ecma262/#sec-math.sumprecise */
function* sumPrecise(m: Machine, _this: Value, args: Array<Value>): Calls {
  const items = args[0]
  if (items === undefined || items === null) throw m.typeError(`${describe(items)} is not iterable`)
  let state: "minus-zero" | "finite" | "plus-infinity" | "minus-infinity" | "not-a-number" = "minus-zero"
  let sum = 0n
  let count = 0
  yield* forEachOf(m, items, (item) => {
    if (++count > Number.MAX_SAFE_INTEGER) throw m.rangeError("Too many values to sum")
    if (typeof item !== "number") throw m.typeError(`${isObject(item) ? "object" : describe(item)} is not a number`)
    m.charge(40)
    if (state === "not-a-number") return undefined
    if (Number.isNaN(item)) state = "not-a-number"
    else if (item === Infinity) state = state === "minus-infinity" ? "not-a-number" : "plus-infinity"
    else if (item === -Infinity) state = state === "plus-infinity" ? "not-a-number" : "minus-infinity"
    else if (!Object.is(item, -0) && (state === "minus-zero" || state === "finite")) {
      state = "finite"
      const { significand, exponent } = decompose(item)
      sum += significand << BigInt(exponent)
    }
    return undefined
  })
  switch (state as string) {
    case "not-a-number":
      return NaN
    case "plus-infinity":
      return Infinity
    case "minus-infinity":
      return -Infinity
    case "minus-zero":
      return -0
    default:
      return toDouble(sum)
  }
}

/** https://tc39.es/ecma262/#sec-math-object */
export const mathIntrinsics: Intrinsics = {
  Math: object({
    name: "Math",
    members: [
      value("E", Math.E),
      value("LN10", Math.LN10),
      value("LN2", Math.LN2),
      value("LOG10E", Math.LOG10E),
      value("LOG2E", Math.LOG2E),
      value("PI", Math.PI),
      value("SQRT1_2", Math.SQRT1_2),
      value("SQRT2", Math.SQRT2),
      tag(SymbolToStringTag, "Math"),
      unary("abs", Math.abs),
      unary("acos", Math.acos),
      unary("acosh", Math.acosh),
      unary("asin", Math.asin),
      unary("asinh", Math.asinh),
      unary("atan", Math.atan),
      unary("atanh", Math.atanh),
      method("atan2", 2, (m, _this, args) => {
        const y = toNumber(m, args[0])
        return Math.atan2(y, toNumber(m, args[1]))
      }),
      unary("cbrt", Math.cbrt),
      unary("ceil", Math.ceil),
      unary("clz32", Math.clz32),
      unary("cos", Math.cos),
      unary("cosh", Math.cosh),
      unary("exp", Math.exp),
      unary("expm1", Math.expm1),
      unary("floor", Math.floor),
      unary("fround", Math.fround),
      unary("f16round", f16round),
      method("hypot", 2, hypot),
      method("imul", 2, (m, _this, args) => {
        const a = toUint32(m, args[0])
        return Math.imul(a, toUint32(m, args[1]))
      }),
      unary("log", Math.log),
      unary("log1p", Math.log1p),
      unary("log10", Math.log10),
      unary("log2", Math.log2),
      extreme("max", Math.max, -Infinity),
      extreme("min", Math.min, Infinity),
      method("pow", 2, (m, _this, args) => {
        const base = toNumber(m, args[0])
        return base ** toNumber(m, args[1])
      }),
      method("random", 0, (m) => m.host.random()),
      unary("round", Math.round),
      unary("sign", Math.sign),
      unary("sin", Math.sin),
      unary("sinh", Math.sinh),
      unary("sqrt", Math.sqrt),
      generatorMethod("sumPrecise", 1, sumPrecise),
      unary("tan", Math.tan),
      unary("tanh", Math.tanh),
      unary("trunc", Math.trunc),
    ],
  }),
}
