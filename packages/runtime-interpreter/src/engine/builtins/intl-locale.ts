import type { Machine } from "../machine/machine.ts"
import {
  createFromConstructor,
  describe,
  type Intrinsics,
  isObject,
  Kind,
  type Native,
  SymbolToStringTag,
  toString,
  type Value,
} from "../object/index.ts"
import { accessor, constructor, type Member, method, object, tag } from "./define.ts"
import { toGuest } from "./intl-service.ts"
import { callHost, canonicalTag, HostCache, type LocaleData, readOptions } from "./locale.ts"

const locales = new HostCache<Intl.Locale>(16)

const hostLocale = (m: Machine, tag: string): Intl.Locale => locales.get(m, tag, () => new Intl.Locale(tag))

const dataOf = (m: Machine, value: Value, name: string): LocaleData => {
  if (isObject(value) && value.kind === Kind.Internal && value.data.brand === "Intl.Locale") return value.data
  throw m.typeError(`Method Intl.Locale.prototype.${name} called on incompatible receiver ${describe(value)}`)
}

/** https://tc39.es/ecma402/#sec-Intl.Locale */
const construct: Native<Machine> = (m, _this, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Constructor Intl.Locale requires 'new'")
  const value = args[0]
  m.charge(100)
  m.allocate(160)
  const data: LocaleData = { brand: "Intl.Locale", tag: "" }
  const locale = createFromConstructor(m, newTarget, "IntlLocalePrototype", Kind.Internal, data)
  if (typeof value !== "string" && !isObject(value)) {
    throw m.typeError("First argument to Intl.Locale constructor can't be empty or missing")
  }
  const isLocale = isObject(value) && value.kind === Kind.Internal && value.data.brand === "Intl.Locale"
  const asked = isLocale ? (value.data as LocaleData).tag : toString(m, value)
  const options = readOptions(m, args[1], [
    ["language", "string"],
    ["script", "string"],
    ["region", "string"],
    ["calendar", "string"],
    ["collation", "string"],
    ["firstDayOfWeek", "string"],
    ["hourCycle", "string"],
    ["caseFirst", "string"],
    ["numeric", "boolean"],
    ["numberingSystem", "string"],
  ])
  const canonical = canonicalTag(m, asked)
  m.charge(4000)
  data.tag = callHost(m, () => new Intl.Locale(canonical, options as Intl.LocaleOptions).toString())
  return locale
}

/** The parts of a locale that are texts, or flags. */
const parts = [
  "language",
  "script",
  "region",
  "baseName",
  "calendar",
  "caseFirst",
  "collation",
  "hourCycle",
  "numeric",
  "numberingSystem",
] as const

const likely = (name: "maximize" | "minimize"): Member =>
  method(name, 0, (m, thisValue) => {
    const host = hostLocale(m, dataOf(m, thisValue, name).tag)
    m.charge(1000)
    m.allocate(160)
    const data: LocaleData = { brand: "Intl.Locale", tag: callHost(m, () => host[name]().toString()) }
    return m.realm.newObjectOf(Kind.Internal, "IntlLocalePrototype", data)
  })

/** What is customary in a locale. A host has either a method for it or, from before that was agreed upon, a property. */
const custom = (name: string, property: string): Member =>
  method(name, 0, (m, thisValue) => {
    const host = hostLocale(m, dataOf(m, thisValue, name).tag) as unknown as Record<string, unknown>
    m.charge(1000)
    const read = host[name]
    return toGuest(m, callHost(m, () => typeof read === "function" ? read.call(host) : host[property]))
  })

export const intlLocaleIntrinsics: Intrinsics = {
  IntlLocale: constructor({ name: "Intl.Locale", length: 1, prototype: "IntlLocalePrototype", impl: construct }),
  /** https://tc39.es/ecma402/#sec-properties-of-intl-locale-prototype-object */
  IntlLocalePrototype: object({
    name: "Intl.Locale.prototype",
    constructor_: "IntlLocale",
    members: [
      method("toString", 0, (m, thisValue) => dataOf(m, thisValue, "toString").tag),
      likely("maximize"),
      likely("minimize"),
      ...parts.map((name) =>
        accessor(name, (m, thisValue) => toGuest(m, hostLocale(m, dataOf(m, thisValue, name).tag)[name]))
      ),
      custom("getCalendars", "calendars"),
      custom("getCollations", "collations"),
      custom("getHourCycles", "hourCycles"),
      custom("getNumberingSystems", "numberingSystems"),
      custom("getTextInfo", "textInfo"),
      custom("getTimeZones", "timeZones"),
      custom("getWeekInfo", "weekInfo"),
      tag(SymbolToStringTag, "Intl.Locale"),
    ],
  }),
}
