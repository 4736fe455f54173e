// What goes to the host's `Intl`, and what comes back: plain data, both ways.
import type { Machine } from "../machine/machine.ts"
import {
  get,
  getV,
  hasProperty,
  isObject,
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
const MAX_LOCALES = 100

/** https://tc39.es/ecma402/#sec-canonicalizelocalelist — the run's own locale where none is asked for. */
export const localesOf = (m: Machine, locales: Value): Array<string> => {
  if (locales === undefined) return [m.locale]
  if (typeof locales === "string") return canonical(m, [locales])
  if (locales === null) throw m.typeError("Cannot convert undefined or null to object")
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
    tags.push(toString(m, tag))
  }
  return tags.length === 0 ? [m.locale] : canonical(m, tags)
}

const canonical = (m: Machine, tags: Array<string>): Array<string> => {
  for (const tag of tags) m.charge(10 + tag.length)
  return callHost(m, () => Intl.getCanonicalLocales(tags))
}

type OptionType = "string" | "number" | "boolean" | "any"

/** Reads the named options, in this order, as primitives of the host. */
export const readOptions = (
  m: Machine,
  options: Value,
  names: ReadonlyArray<readonly [name: string, type: OptionType]>,
): Record<string, string | number | boolean> => {
  const plain: Record<string, string | number | boolean> = {}
  if (options === undefined) return plain
  if (options === null) throw m.typeError("Cannot convert undefined or null to object")
  for (const [name, type] of names) {
    const value = getV(m, options, name)
    if (value === undefined) continue
    if (type === "number") plain[name] = toNumber(m, value)
    else if (type === "boolean" || (type === "any" && typeof value === "boolean")) plain[name] = toBoolean(value)
    else plain[name] = toString(m, value)
  }
  return plain
}

/** https://tc39.es/ecma402/#sec-intl.numberformat */
export const numberFormatOptions = (m: Machine, options: Value): Intl.NumberFormatOptions =>
  readOptions(m, options, [
    ["localeMatcher", "string"],
    ["numberingSystem", "string"],
    ["style", "string"],
    ["currency", "string"],
    ["currencyDisplay", "string"],
    ["currencySign", "string"],
    ["unit", "string"],
    ["unitDisplay", "string"],
    ["notation", "string"],
    ["minimumIntegerDigits", "number"],
    ["minimumFractionDigits", "number"],
    ["maximumFractionDigits", "number"],
    ["minimumSignificantDigits", "number"],
    ["maximumSignificantDigits", "number"],
    ["roundingIncrement", "number"],
    ["roundingMode", "string"],
    ["roundingPriority", "string"],
    ["trailingZeroDisplay", "string"],
    ["compactDisplay", "string"],
    ["useGrouping", "any"],
    ["signDisplay", "string"],
  ]) as Intl.NumberFormatOptions

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
): Intl.DateTimeFormatOptions => {
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
  if (dateStyle !== undefined || timeStyle !== undefined) return plain as Intl.DateTimeFormatOptions
  const asked = (names: ReadonlyArray<string>): boolean => names.some((name) => plain[name] !== undefined)
  const needed = !(required !== "time" && asked(dateFields)) && !(required !== "date" && asked(timeFields))
  if (needed && defaults !== "time") { for (const name of ["year", "month", "day"]) plain[name] = "numeric" }
  if (needed && defaults !== "date") { for (const name of ["hour", "minute", "second"]) plain[name] = "numeric" }
  return plain as Intl.DateTimeFormatOptions
}

/**
 * Formatters and collators of the host hold no state, but are costly to make: each run keeps some. What one run made is
 * nothing that another one could find out by its clock.
 */
export class HostCache<A> {
  private readonly runs = new WeakMap<Realm, Map<string, A>>()
  constructor(private readonly capacity: number) {}

  get(m: Machine, key: string, make: () => A): A {
    let entries = this.runs.get(m.realm)
    if (entries === undefined) this.runs.set(m.realm, entries = new Map())
    let entry = entries.get(key)
    if (entry === undefined) {
      m.charge(5000)
      m.allocate(16384)
      entry = callHost(m, make)
      if (entries.size >= this.capacity) entries.delete(entries.keys().next().value!)
      entries.set(key, entry)
    }
    return entry
  }
}

const collators = new HostCache<Intl.Collator>(16)

/** https://tc39.es/ecma402/#sup-String.prototype.localeCompare */
export const compareTexts = (m: Machine, a: string, b: string, locales: Value, options: Value): number => {
  const tags = localesOf(m, locales)
  const plain = readOptions(m, options, [
    ["usage", "string"],
    ["localeMatcher", "string"],
    ["collation", "string"],
    ["numeric", "boolean"],
    ["caseFirst", "string"],
    ["sensitivity", "string"],
    ["ignorePunctuation", "boolean"],
  ])
  const key = locales === undefined && options === undefined ? m.locale : JSON.stringify([tags, plain])
  const collator = collators.get(m, key, () => new Intl.Collator(tags, plain as unknown as Intl.CollatorOptions))
  m.charge(10 + Math.min(a.length, b.length))
  return collator.compare(a, b)
}
