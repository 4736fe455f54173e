import type { Machine } from "../machine/machine.ts"
import { bigIntWords } from "../object/bigint-arithmetic.ts"
import { type Intrinsics, toNumber, toPrimitive, toString, type Value } from "../object/index.ts"
import { method } from "./define.ts"
import { boundFunction, defineService, toGuest } from "./intl-service.ts"
import {
  callHost,
  chargeNumber,
  digitOptions,
  HostCache,
  hostNumberFormat,
  known,
  numberFormatOptions,
  readOptions,
} from "./locale.ts"

/** The host reads the digits of a text exactly; of a longer text, what a number can hold. */
const MAX_DIGITS = 400

/** Parts of a number are many small objects of the host: no one looks at those of a bigint of so many words. */
const MAX_WORDS = 1024

/** https://tc39.es/ecma402/#sec-tointlmathematicalvalue, paid for. */
const toMathematical = (m: Machine, value: Value): number | bigint => {
  const primitive = toPrimitive(m, value, "number")
  if (typeof primitive === "bigint") {
    chargeNumber(m, primitive)
    return primitive
  }
  m.charge(100)
  // The host takes texts, although the language's own types do not say so.
  if (typeof primitive === "string" && primitive.length <= MAX_DIGITS) return primitive as unknown as number
  return toNumber(m, primitive)
}

/** The same for an operation that gives parts. */
const toSmall = (m: Machine, value: Value): number | bigint => {
  const x = toMathematical(m, value)
  if (typeof x === "bigint" && bigIntWords(x) > MAX_WORDS) {
    throw m.rangeError("The BigInt has too many digits for parts")
  }
  return x
}

/** Ranges of numbers, which the language's own types do not know yet. */
interface RangeFormat {
  formatRange(start: number | bigint, end: number | bigint): string
  formatRangeToParts(start: number | bigint, end: number | bigint): Array<object>
}

const range = (m: Machine, args: ReadonlyArray<Value>): [number | bigint, number | bigint] => {
  if (args[0] === undefined || args[1] === undefined) throw m.typeError("start or end cannot be undefined")
  m.charge(500)
  return [toSmall(m, args[0]), toSmall(m, args[1])]
}

/** https://tc39.es/ecma402/#numberformat-objects */
const numberFormat = defineService<Intl.NumberFormat>({
  name: "NumberFormat",
  callable: true,
  read: numberFormatOptions,
  host: hostNumberFormat,
  constructor_: () => Intl.NumberFormat,
  members: ({ data, host }) => [
    method("formatToParts", 1, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatToParts")
      const x = toSmall(m, args[0])
      m.charge(200)
      return toGuest(m, callHost(m, () => host(m, slots).formatToParts(x)))
    }),
    boundFunction("Intl.NumberFormat", "format", 1, data, (m, slots, args) => {
      const x = toMathematical(m, args[0])
      return callHost(m, () => host(m, slots).format(x))
    }),
    method("formatRange", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatRange")
      const [start, end] = range(m, args)
      return callHost(m, () => (host(m, slots) as unknown as RangeFormat).formatRange(start, end))
    }),
    method("formatRangeToParts", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatRangeToParts")
      const [start, end] = range(m, args)
      return toGuest(m, callHost(m, () => (host(m, slots) as unknown as RangeFormat).formatRangeToParts(start, end)))
    }),
  ],
})

const pluralRulesCache = new HostCache<Intl.PluralRules>(16)

/** https://tc39.es/ecma402/#pluralrules-objects */
const pluralRules = defineService<Intl.PluralRules>({
  name: "PluralRules",
  read: (m, options) =>
    readOptions(m, options, [["localeMatcher", "string"], ["type", "string"], ["notation", "string"], ...digitOptions]),
  host: (m, key, locales, options) =>
    pluralRulesCache.get(
      m,
      key,
      () => new Intl.PluralRules(known(m, Intl.PluralRules, locales), options as Intl.PluralRulesOptions),
    ),
  constructor_: () => Intl.PluralRules,
  members: ({ data, host }) => [
    method("select", 1, (m, thisValue, args) => {
      const slots = data(m, thisValue, "select")
      const n = toNumber(m, args[0])
      m.charge(100)
      return host(m, slots).select(n)
    }),
    method("selectRange", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "selectRange")
      if (args[0] === undefined || args[1] === undefined) throw m.typeError("start or end cannot be undefined")
      const start = toNumber(m, args[0])
      const end = toNumber(m, args[1])
      m.charge(300)
      const rules = host(m, slots) as unknown as { selectRange(start: number, end: number): string }
      return callHost(m, () => rules.selectRange(start, end))
    }),
  ],
})

const relativeTimeCache = new HostCache<Intl.RelativeTimeFormat>(16, 8000)

/** https://tc39.es/ecma402/#relativetimeformat-objects */
const relativeTimeFormat = defineService<Intl.RelativeTimeFormat>({
  name: "RelativeTimeFormat",
  read: (m, options) =>
    readOptions(m, options, [
      ["localeMatcher", "string"],
      ["numberingSystem", "string"],
      ["style", "string"],
      ["numeric", "string"],
    ]),
  host: (m, key, locales, options) =>
    relativeTimeCache.get(
      m,
      key,
      () =>
        new Intl.RelativeTimeFormat(
          known(m, Intl.RelativeTimeFormat, locales),
          options as Intl.RelativeTimeFormatOptions,
        ),
    ),
  constructor_: () => Intl.RelativeTimeFormat,
  members: ({ data, host }) => [
    method("format", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "format")
      const [value, unit] = amount(m, args)
      return callHost(m, () => host(m, slots).format(value, unit))
    }),
    method("formatToParts", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatToParts")
      const [value, unit] = amount(m, args)
      return toGuest(m, callHost(m, () => host(m, slots).formatToParts(value, unit)))
    }),
  ],
})

const amount = (m: Machine, args: ReadonlyArray<Value>): [number, Intl.RelativeTimeFormatUnit] => {
  const value = toNumber(m, args[0])
  const unit = toString(m, args[1])
  m.charge(300)
  if (unit.length > 64) throw m.rangeError(`Invalid unit argument for format() '${unit.slice(0, 64)}...'`)
  return [value, unit as Intl.RelativeTimeFormatUnit]
}

export const intlNumberIntrinsics: Intrinsics = {
  ...numberFormat.intrinsics,
  ...pluralRules.intrinsics,
  ...relativeTimeFormat.intrinsics,
}
