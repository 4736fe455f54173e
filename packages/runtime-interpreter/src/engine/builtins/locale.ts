// What goes to the host's `Intl`, and what comes back: plain data, both ways.
import type { Machine } from "../machine/machine.ts"
import { bigIntWords } from "../object/bigint-arithmetic.ts"
import {
  get,
  getV,
  hasProperty,
  isObject,
  Kind,
  lengthOfArrayLike,
  type Realm,
  toBoolean,
  toNumber,
  toObject,
  toString,
  type Value,
} from "../object/index.ts"

/** Runs an operation of the host's `Intl` and gives the program the host's complaint about its arguments as its own. */
export const callHost = <A>(m: Machine, operation: () => A): A => {
  try {
    return operation()
  } catch (error) {
    if (error instanceof RangeError) throw m.rangeError(error.message)
    if (error instanceof TypeError) throw m.typeError(error.message)
    throw error
  }
}

/** Locales asked for in one call: more are a mistake, or an attack. */
const MAX_LOCALES = 1000

/** The longest tag of a locale, and the longest text that can be the value of an option. */
const MAX_TAG = 1000
const MAX_OPTION = 256

/** What an `Intl.Locale` holds. */
export interface LocaleData {
  readonly brand: "Intl.Locale"
  tag: string
}

/** The tag of an `Intl.Locale`. */
const tagOf = (value: Value): string | undefined =>
  isObject(value) && value.kind === Kind.Internal && value.data.brand === "Intl.Locale"
    ? (value.data as LocaleData).tag
    : undefined

/** https://tc39.es/ecma402/#sec-canonicalizelocalelist */
export const canonicalLocales = (m: Machine, locales: Value): Array<string> => {
  if (locales === undefined) return []
  if (typeof locales === "string") return canonical(m, [locales])
  if (locales === null) throw m.typeError("Cannot convert undefined or null to object")
  const own = tagOf(locales)
  if (own !== undefined) return [own]
  const list = toObject(m, locales)
  const length = lengthOfArrayLike(m, list)
  if (length > MAX_LOCALES) throw m.rangeError("Too many locales")
  const tags: Array<string> = []
  for (let i = 0; i < length; i++) {
    if (!hasProperty(m, list, i)) continue
    const tag = get(m, list, i)
    if (typeof tag !== "string" && !isObject(tag)) {
      throw m.typeError("Language ID should be string or object.")
    }
    tags.push(tagOf(tag) ?? toString(m, tag))
  }
  return canonical(m, tags)
}

/** The locales that are asked for, or the run's own where there are none. */
export const localesOf = (m: Machine, locales: Value): Array<string> => {
  if (locales === undefined) return [m.locale]
  const tags = canonicalLocales(m, locales)
  return tags.length === 0 ? [m.locale] : tags
}

/** The canonical form of a locale's tag. */
export const canonicalTag = (m: Machine, tag: string): string => canonical(m, [tag])[0]!

const canonical = (m: Machine, tags: Array<string>): Array<string> => {
  for (const tag of tags) {
    m.charge(10 + tag.length)
    if (tag.length > MAX_TAG) throw m.rangeError("Incorrect locale information provided")
  }
  return callHost(m, () => Intl.getCanonicalLocales(tags))
}

type OptionType = "string" | "number" | "boolean" | "any"

/** Options for the host's `Intl`. */
export type PlainOptions = Record<string, string | number | boolean>

export type OptionNames = ReadonlyArray<readonly [name: string, type: OptionType]>

/** Reads the named options, in this order, as primitives of the host. */
export const readOptions = (
  m: Machine,
  options: Value,
  names: OptionNames,
): PlainOptions => {
  const plain: PlainOptions = {}
  if (options === undefined) return plain
  if (options === null) throw m.typeError("Cannot convert undefined or null to object")
  for (const [name, type] of names) {
    const value = getV(m, options, name)
    if (value === undefined) continue
    if (type === "number") plain[name] = toNumber(m, value)
    else if (type === "boolean" || (type === "any" && (typeof value === "boolean" || !toBoolean(value)))) {
      plain[name] = toBoolean(value)
    } else {
      const text = toString(m, value)
      if (text.length > MAX_OPTION) {
        throw m.rangeError(`Value ${text.slice(0, 64)}... out of range for options property ${name}`)
      }
      plain[name] = text
    }
  }
  return plain
}

/** https://tc39.es/ecma402/#sec-setnfdigitoptions */
export const digitOptions: OptionNames = [
  ["minimumIntegerDigits", "number"],
  ["minimumFractionDigits", "number"],
  ["maximumFractionDigits", "number"],
  ["minimumSignificantDigits", "number"],
  ["maximumSignificantDigits", "number"],
  ["roundingIncrement", "number"],
  ["roundingMode", "string"],
  ["roundingPriority", "string"],
  ["trailingZeroDisplay", "string"],
]

const numberOptions: OptionNames = [
  ["localeMatcher", "string"],
  ["numberingSystem", "string"],
  ["style", "string"],
  ["currency", "string"],
  ["currencyDisplay", "string"],
  ["currencySign", "string"],
  ["unit", "string"],
  ["unitDisplay", "string"],
  ["notation", "string"],
  ...digitOptions,
  ["compactDisplay", "string"],
  ["useGrouping", "any"],
  ["signDisplay", "string"],
]

/** https://tc39.es/ecma402/#sec-intl.numberformat */
export const numberFormatOptions = (m: Machine, options: Value): PlainOptions => readOptions(m, options, numberOptions)

const dateFields = ["weekday", "year", "month", "day"] as const
const timeFields = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"] as const

/**
 * https://tc39.es/ecma402/#sec-createdatetimeformat — the fields that are shown if none is asked for depend on whether
 * the date, the time or both are wanted. The time zone is the run's, unless one is asked for.
 */
export const dateTimeFormatOptions = (
  m: Machine,
  options: Value,
  required: "date" | "time" | "any",
  defaults: "date" | "time" | "all",
): PlainOptions => {
  const plain = readOptions(m, options, [
    ["localeMatcher", "string"],
    ["calendar", "string"],
    ["numberingSystem", "string"],
    ["hour12", "boolean"],
    ["hourCycle", "string"],
    ["timeZone", "string"],
    ["weekday", "string"],
    ["era", "string"],
    ["year", "string"],
    ["month", "string"],
    ["day", "string"],
    ["dayPeriod", "string"],
    ["hour", "string"],
    ["minute", "string"],
    ["second", "string"],
    ["fractionalSecondDigits", "number"],
    ["timeZoneName", "string"],
    ["formatMatcher", "string"],
    ["dateStyle", "string"],
    ["timeStyle", "string"],
  ])
  plain["timeZone"] ??= m.timeZone
  const { dateStyle, timeStyle } = plain
  if (required === "date" && timeStyle !== undefined) throw m.typeError("Invalid option : timeStyle")
  if (required === "time" && dateStyle !== undefined) throw m.typeError("Invalid option : dateStyle")
  if (dateStyle !== undefined || timeStyle !== undefined) return plain
  const asked = (names: ReadonlyArray<string>): boolean => names.some((name) => plain[name] !== undefined)
  const needed = !(required !== "time" && asked(dateFields)) && !(required !== "date" && asked(timeFields))
  if (needed && defaults !== "time") { for (const name of ["year", "month", "day"]) plain[name] = "numeric" }
  if (needed && defaults !== "date") { for (const name of ["hour", "minute", "second"]) plain[name] = "numeric" }
  return plain
}

/**
 * Formatters and collators of the host hold no state, but are costly to make: each run keeps some. What one run made is
 * nothing that another one could find out by its clock.
 */
export class HostCache<A> {
  private readonly runs = new WeakMap<Realm, Map<string, A>>()

  constructor(
    private readonly capacity: number,
    /** What making one costs, in steps. */
    private readonly cost = 5000,
  ) {}

  get(m: Machine, key: string, make: () => A): A {
    let entries = this.runs.get(m.realm)
    if (entries === undefined) this.runs.set(m.realm, entries = new Map())
    let entry = entries.get(key)
    if (entry === undefined) {
      m.charge(this.cost)
      m.allocate(16384)
      entry = callHost(m, make)
      if (entries.size >= this.capacity) entries.delete(entries.keys().next().value!)
      entries.set(key, entry)
    } else if (entries.size >= this.capacity) {
      // The one that was used last goes last.
      entries.delete(key)
      entries.set(key, entry)
    }
    return entry
  }
}

/** The locales that were asked for; the run's own if the host has none of them, for the host's default says where it runs. */
export const known = (
  m: Machine,
  host: { supportedLocalesOf(locales: Array<string>): Array<string> },
  locales: Array<string>,
): Array<string> => host.supportedLocalesOf(locales).length > 0 ? locales : [m.locale]

/** What a formatter of the host is looked up by; texts that differ stand for formatters that may. */
export const keyOf = (locales: ReadonlyArray<string>, options: PlainOptions): string =>
  JSON.stringify([locales, options])

const numberFormats = new HostCache<Intl.NumberFormat>(16)

export const hostNumberFormat = (m: Machine, key: string, locales: Array<string>, options?: PlainOptions) =>
  numberFormats.get(m, key, () => new Intl.NumberFormat(known(m, Intl.NumberFormat, locales), options))

/** https://tc39.es/ecma402/#sup-number.prototype.tolocalestring and its sibling for bigints. */
export const numberToLocaleString = (m: Machine, x: number | bigint, locales: Value, options: Value): string => {
  const tags = localesOf(m, locales)
  if (options === undefined) {
    chargeNumber(m, x)
    return hostNumberFormat(m, tags.join(), tags).format(x)
  }
  const plain = numberFormatOptions(m, options)
  chargeNumber(m, x)
  const format = hostNumberFormat(m, keyOf(tags, plain), tags, plain)
  return callHost(m, () => format.format(x))
}

/** Pays for writing a number; the time for the digits of a bigint is quadratic in their number. */
export const chargeNumber = (m: Machine, x: number | bigint): void => {
  m.charge(100)
  if (typeof x === "number") return
  const words = bigIntWords(x)
  if (words <= 4) return
  m.charge(words * 64 + Math.ceil(words * words / 16))
  m.allocate(words * 64)
}

const dateFormats = new HostCache<Intl.DateTimeFormat>(16, 10000)

export const hostDateTimeFormat = (m: Machine, key: string, locales: Array<string>, options: () => PlainOptions) =>
  dateFormats.get(
    m,
    key,
    () => new Intl.DateTimeFormat(known(m, Intl.DateTimeFormat, locales), options() as Intl.DateTimeFormatOptions),
  )

/** https://tc39.es/ecma402/#sec-intl.collator */
export const collatorOptions = (m: Machine, options: Value): PlainOptions =>
  readOptions(m, options, [
    ["usage", "string"],
    ["localeMatcher", "string"],
    ["collation", "string"],
    ["numeric", "boolean"],
    ["caseFirst", "string"],
    ["sensitivity", "string"],
    ["ignorePunctuation", "boolean"],
  ])

const collators = new HostCache<Intl.Collator>(16)

export const hostCollator = (m: Machine, key: string, locales: Array<string>, options: PlainOptions) =>
  collators.get(
    m,
    key,
    () => new Intl.Collator(known(m, Intl.Collator, locales), options as unknown as Intl.CollatorOptions),
  )

/** Texts are compared up to here. */
const MAX_COMPARED = 1 << 18

/** The host orders a run of combining marks in a time that is quadratic in its length; no text has so many for a reason. */
const MARKS = /(\p{M}{64})\p{M}+/gu

const comparable = (text: string): string => {
  if (text.length <= 128) return text
  return text.slice(0, MAX_COMPARED).replace(MARKS, "$1")
}

/** https://tc39.es/ecma402/#sec-collator-comparestrings */
export const collate = (m: Machine, collator: Intl.Collator, a: string, b: string): number => {
  const shorter = Math.min(a.length, b.length)
  const both = Math.min(a.length + b.length, MAX_COMPARED)
  // The longer one is looked through for marks, however short the other is.
  m.charge(10 + (shorter > 128 ? both * 8 : both >> 2) + shorter)
  return collator.compare(comparable(a), comparable(b))
}

/** https://tc39.es/ecma402/#sup-String.prototype.localeCompare */
export const compareTexts = (m: Machine, a: string, b: string, locales: Value, options: Value): number => {
  const tags = localesOf(m, locales)
  const plain = collatorOptions(m, options)
  const key = locales === undefined && options === undefined ? m.locale : keyOf(tags, plain)
  return collate(m, hostCollator(m, key, tags, plain), a, b)
}
