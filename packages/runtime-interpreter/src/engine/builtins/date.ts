import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  call,
  type Calls,
  createFromConstructor,
  describe,
  get,
  getV,
  type Intrinsics,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  type Native,
  SymbolToPrimitive,
  toNumber,
  toObject,
  toPrimitive,
  type Value,
} from "../object/index.ts"
import { parseDate } from "./date-parse.ts"
import {
  civilDate,
  day,
  hourOf,
  localOffset,
  localTime,
  makeDate,
  makeDay,
  makeFullYear,
  makeTime,
  millisecondOf,
  minuteOf,
  secondOf,
  timeClip,
  timeWithinDay,
  toDateString,
  toIsoString,
  toUtcString,
  utc,
  weekDay,
} from "./date-time.ts"
import { alias, constructor, generatorMethod, type Member, method, object } from "./define.ts"
import { dateTimeFormatOptions, hostDateTimeFormat, keyOf, localesOf } from "./locale.ts"

/** The object of `this`, whose `data` is its time value. */
const thisDate = (m: Machine, value: Value): JSObject => {
  if (isObject(value) && value.kind === Kind.Date) return value
  throw m.typeError("this is not a Date object.")
}

/** The time of components as `new Date(y, m, ...)` and `Date.UTC` take them, without a zone. */
const timeOfComponents = (m: Machine, args: ReadonlyArray<Value>): number => {
  const component = (index: number, absent: number): number => index < args.length ? toNumber(m, args[index]) : absent
  const year = toNumber(m, args[0])
  const month = component(1, 0)
  const date = component(2, 1)
  const hour = component(3, 0)
  const minute = component(4, 0)
  const second = component(5, 0)
  const millisecond = component(6, 0)
  return makeDate(makeDay(makeFullYear(year), month, date), makeTime(hour, minute, second, millisecond))
}

/** https://tc39.es/ecma262/#sec-date */
const DateConstructor: Native<Machine> = (m, _this, args, newTarget) => {
  if (newTarget === undefined) return toDateString(m, timeClip(m.host.now()))
  let t: number
  if (args.length === 0) t = timeClip(Math.floor(m.host.now()))
  else if (args.length === 1) {
    const value = args[0]
    if (isObject(value) && value.kind === Kind.Date) t = value.data
    else {
      const primitive = toPrimitive(m, value)
      t = typeof primitive === "string" ? parseDate(m, primitive) : timeClip(toNumber(m, primitive))
    }
  } else t = timeClip(utc(m, timeOfComponents(m, args)))
  m.allocate(64)
  return createFromConstructor(m, newTarget, "DatePrototype", Kind.Date, t)
}

// ---------------------------------------------------------------------------------------------------------------------
// Components
// ---------------------------------------------------------------------------------------------------------------------

/** `getHours` and `getUTCHours`: a component of the local time and of UTC. */
const getters = (name: string, component: (t: number) => number): ReadonlyArray<Member> => [
  method(`get${name}`, 0, (m, thisValue) => {
    const t: number = thisDate(m, thisValue).data
    return Number.isNaN(t) ? NaN : component(localTime(m, t))
  }),
  method(`getUTC${name}`, 0, (m, thisValue) => {
    const t: number = thisDate(m, thisValue).data
    return Number.isNaN(t) ? NaN : component(t)
  }),
]

/** Puts numbers into a time in place of its components; absent ones stay. */
type Change = (t: number, numbers: ReadonlyArray<number>) => number

/**
 * `setHours` and `setUTCHours`. All arguments are converted before the date is looked at again; of an invalid date only
 * the year can be set.
 */
const setters = (name: string, length: number, change: Change, invalidBegins = false): ReadonlyArray<Member> => {
  const set = (isLocal: boolean): Native<Machine> => (m, thisValue, args) => {
    const date = thisDate(m, thisValue)
    let t: number = date.data
    const numbers: Array<number> = [toNumber(m, args[0])]
    for (let i = 1; i < length && i < args.length; i++) numbers.push(toNumber(m, args[i]))
    if (Number.isNaN(t)) {
      if (!invalidBegins) return NaN
      t = 0
    } else if (isLocal) t = localTime(m, t)
    const changed = change(t, numbers)
    return date.data = timeClip(isLocal ? utc(m, changed) : changed)
  }
  return [method(`set${name}`, length, set(true)), method(`setUTC${name}`, length, set(false))]
}

const setMilliseconds: Change = (t, [ms]) => makeDate(day(t), makeTime(hourOf(t), minuteOf(t), secondOf(t), ms!))

const setSeconds: Change = (t, [second, ms = millisecondOf(t)]) =>
  makeDate(day(t), makeTime(hourOf(t), minuteOf(t), second!, ms))

const setMinutes: Change = (t, [minute, second = secondOf(t), ms = millisecondOf(t)]) =>
  makeDate(day(t), makeTime(hourOf(t), minute!, second, ms))

const setHours: Change = (t, [hour, minute = minuteOf(t), second = secondOf(t), ms = millisecondOf(t)]) =>
  makeDate(day(t), makeTime(hour!, minute, second, ms))

const setDate: Change = (t, [date]) => {
  const { month, year } = civilDate(t)
  return makeDate(makeDay(year, month, date!), timeWithinDay(t))
}

const setMonth: Change = (t, [month, date]) => {
  const civil = civilDate(t)
  return makeDate(makeDay(civil.year, month!, date ?? civil.date), timeWithinDay(t))
}

const setFullYear: Change = (t, [year, month, date]) => {
  const civil = civilDate(t)
  return makeDate(makeDay(year!, month ?? civil.month, date ?? civil.date), timeWithinDay(t))
}

/** https://tc39.es/ecma262/#sec-date.prototype.settime */
const setTime: Native<Machine> = (m, thisValue, args) => {
  const date = thisDate(m, thisValue)
  return date.data = timeClip(toNumber(m, args[0]))
}

/** https://tc39.es/ecma262/#sec-date.prototype.gettimezoneoffset */
const getTimezoneOffset: Native<Machine> = (m, thisValue) => {
  const t: number = thisDate(m, thisValue).data
  return Number.isNaN(t) ? NaN : -localOffset(m, t) / 60000 + 0
}

/** https://tc39.es/ecma262/#sec-date.prototype.getyear */
const getYear: Native<Machine> = (m, thisValue) => {
  const t: number = thisDate(m, thisValue).data
  return Number.isNaN(t) ? NaN : civilDate(localTime(m, t)).year - 1900
}

/** https://tc39.es/ecma262/#sec-date.prototype.setyear */
const setYear: Native<Machine> = (m, thisValue, args) => {
  const date = thisDate(m, thisValue)
  let t: number = date.data
  const year = makeFullYear(toNumber(m, args[0]))
  t = Number.isNaN(t) ? 0 : localTime(m, t)
  return date.data = timeClip(utc(m, setFullYear(t, [year])))
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------------------------------------------------

const text = (name: string, write: (m: Machine, t: number) => string): Member =>
  method(name, 0, (m, thisValue) => {
    m.charge(20)
    return write(m, thisDate(m, thisValue).data)
  })

/** https://tc39.es/ecma262/#sec-date.prototype.toisostring */
const toISOString: Native<Machine> = (m, thisValue) => {
  const t: number = thisDate(m, thisValue).data
  if (Number.isNaN(t)) throw m.rangeError("Invalid time value")
  m.charge(20)
  return toIsoString(t)
}

/** https://tc39.es/ecma262/#sec-date.prototype.tojson */
function* toJson(m: Machine, thisValue: Value): Calls {
  const o = toObject(m, thisValue)
  const primitive = toPrimitive(m, o, "number")
  if (typeof primitive === "number" && !Number.isFinite(primitive)) return null
  const toIso = getV(m, o, "toISOString")
  if (!isCallable(toIso)) throw m.typeError("toISOString is not a function")
  return yield call(toIso, o, [])
}

/** https://tc39.es/ecma402/#sup-date.prototype.tolocalestring and its siblings. */
const locale = (name: string, required: "date" | "time" | "any", defaults: "date" | "time" | "all"): Member =>
  method(name, 0, (m, thisValue, args) => {
    const t: number = thisDate(m, thisValue).data
    const locales = localesOf(m, args[0])
    const options = args[1] === undefined ? undefined : dateTimeFormatOptions(m, args[1], required, defaults)
    m.charge(300)
    const key = options === undefined ? `${defaults} ${locales.join()}` : keyOf(locales, options)
    const format = hostDateTimeFormat(
      m,
      key,
      locales,
      () => options ?? dateTimeFormatOptions(m, undefined, required, defaults),
    )
    return Number.isNaN(t) ? "Invalid Date" : format.format(t)
  })

/** https://tc39.es/ecma262/#sec-date.prototype-@@toprimitive */
const toPrimitiveMethod: Native<Machine> = (m, thisValue, args) => {
  if (!isObject(thisValue)) {
    throw m.typeError(`Date.prototype [ @@toPrimitive ] called on non-object ${describe(thisValue)}`)
  }
  const hint = args[0]
  if (hint !== "string" && hint !== "default" && hint !== "number") {
    throw m.typeError(`Invalid hint: ${describe(hint)}`)
  }
  // https://tc39.es/ecma262/#sec-ordinarytoprimitive
  for (const name of hint === "number" ? ["valueOf", "toString"] : ["toString", "valueOf"]) {
    const fn = get(m, thisValue, name)
    if (!isCallable(fn)) continue
    const result = m.call(fn, thisValue, [])
    if (!isObject(result)) return result
  }
  throw m.typeError("Cannot convert object to primitive value")
}

/** https://tc39.es/ecma262/#sec-date-objects */
export const dateIntrinsics: Intrinsics = {
  Date: constructor({
    name: "Date",
    length: 7,
    prototype: "DatePrototype",
    impl: DateConstructor,
    members: [
      method("now", 0, (m) => Math.floor(m.host.now())),
      method("parse", 1, (m, _this, args) => {
        const text = toPrimitive(m, args[0], "string")
        if (typeof text === "symbol") throw m.typeError("Cannot convert a Symbol value to a string")
        return parseDate(m, String(text))
      }),
      method("UTC", 7, (m, _this, args) => timeClip(timeOfComponents(m, args))),
    ],
  }),
  DatePrototype: object({
    name: "Date.prototype",
    constructor_: "Date",
    members: [
      ...getters("Date", (t) => civilDate(t).date),
      ...getters("Day", weekDay),
      ...getters("FullYear", (t) => civilDate(t).year),
      ...getters("Hours", hourOf),
      ...getters("Milliseconds", millisecondOf),
      ...getters("Minutes", minuteOf),
      ...getters("Month", (t) => civilDate(t).month),
      ...getters("Seconds", secondOf),
      method("getTime", 0, (m, thisValue) => thisDate(m, thisValue).data),
      method("getTimezoneOffset", 0, getTimezoneOffset),
      ...setters("Date", 1, setDate),
      ...setters("FullYear", 3, setFullYear, true),
      ...setters("Hours", 4, setHours),
      ...setters("Milliseconds", 1, setMilliseconds),
      ...setters("Minutes", 3, setMinutes),
      ...setters("Month", 2, setMonth),
      ...setters("Seconds", 2, setSeconds),
      method("setTime", 1, setTime),
      text("toDateString", (m, t) => toDateString(m, t, "date")),
      method("toISOString", 0, toISOString),
      generatorMethod("toJSON", 1, toJson),
      locale("toLocaleDateString", "date", "date"),
      locale("toLocaleString", "any", "all"),
      locale("toLocaleTimeString", "time", "time"),
      text("toString", (m, t) => toDateString(m, t)),
      text("toTimeString", (m, t) => toDateString(m, t, "time")),
      text("toUTCString", (_m, t) => toUtcString(t)),
      method("valueOf", 0, (m, thisValue) => thisDate(m, thisValue).data),
      method(SymbolToPrimitive, 1, toPrimitiveMethod, { name: "[Symbol.toPrimitive]", flags: Attribute.Configurable }),
      // https://tc39.es/ecma262/#sec-additional-properties-of-the-date.prototype-object
      method("getYear", 0, getYear),
      method("setYear", 1, setYear),
      alias("toGMTString", "toUTCString"),
    ],
  }),
}
