// Texts of dates: the standard's own format, and whatever else V8 reads.
import type { Machine } from "../machine/machine.ts"
import { makeDate, makeDay, makeTime, MONTHS, timeClip, utc } from "./date-time.ts"

/** https://tc39.es/ecma262/#sec-date.parse — NaN where the text is no date. */
export const parseDate = (m: Machine, text: string): number => {
  m.charge(20 + text.length)
  // No date is that long, and what follows takes time by the length.
  if (text.length > 4096) return NaN
  return parseIso(m, text) ?? parseLegacy(m, text)
}

const ISO =
  /^([+-]\d{6}|\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|([+-])(\d\d):(\d\d))?)?$/

/** https://tc39.es/ecma262/#sec-date-time-string-format — undefined where the text does not have this form. */
const parseIso = (m: Machine, text: string): number | undefined => {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month = "01", date = "01", hour, minute = "0", second = "0", fraction = "", zone, sign, hours, minutes] =
    match
  if (year === "-000000") return undefined
  const time = timeOf(Number(hour ?? 0), Number(minute), Number(second), milliseconds(fraction))
  const t = makeDate(dayOf(Number(year), Number(month), Number(date)), time)
  if (Number.isNaN(t)) return NaN
  // A date alone is in UTC, a date with a time is local.
  if (hour === undefined || zone === "Z") return timeClip(t)
  if (zone === undefined) return timeClip(utc(m, t))
  if (Number(hours) > 23 || Number(minutes) > 59) return NaN
  const offset = (Number(hours) * 60 + Number(minutes)) * 60000
  return timeClip(sign === "-" ? t + offset : t - offset)
}

/** The first three digits of a fraction of a second. */
const milliseconds = (digits: string): number => Number(digits.slice(0, 3).padEnd(3, "0"))

/** A time of day, NaN if there is none like it. */
const timeOf = (hour: number, minute: number, second: number, millisecond: number): number => {
  const isMidnight = hour === 24 && minute === 0 && second === 0 && millisecond === 0
  const isValid = (hour <= 23 && minute <= 59 && second <= 59) || isMidnight
  return isValid ? makeTime(hour, minute, second, millisecond) : NaN
}

/** A day; as V8 does it, the 31st of a shorter month is a day of the next. */
const dayOf = (year: number, month: number, date: number): number =>
  month >= 1 && month <= 12 && date >= 1 && date <= 31 ? makeDay(year, month - 1, date) : NaN

const ZONES = new Map<string, number>([
  ["z", 0],
  ["ut", 0],
  ["utc", 0],
  ["gmt", 0],
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
])

const TOKEN = /(\d+)|([A-Za-z]+)|(\s+)|([^])/y

type Token =
  | { readonly type: "number"; readonly value: number; readonly text: string }
  | { readonly type: "word"; readonly text: string }
  | { readonly type: "space" }
  | { readonly type: "symbol"; readonly text: string }

/** Numbers, words, runs of white space and single symbols; parenthesized text is left out. */
const tokenize = (text: string): Array<Token> => {
  const tokens: Array<Token> = []
  let depth = 0
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const [all, digits, word, space] = match
    if (all === "(") depth++
    else if (all === ")" && depth > 0) depth--
    else if (depth > 0) continue
    // More digits make no difference to what is out of range.
    else if (digits !== undefined) tokens.push({ type: "number", value: Number(digits.replace(/^0+(?=\d)/, "").slice(0, 9)), text: digits })
    else if (word !== undefined) tokens.push({ type: "word", text: word.toLowerCase() })
    else if (space !== undefined) tokens.push({ type: "space" })
    else tokens.push({ type: "symbol", text: all })
  }
  return tokens
}

/** What was read so far of a text in no fixed format. */
class Reading {
  /** Numbers that are the day, the month or the year. */
  readonly days: Array<number> = []
  /** Hours, minutes, seconds, milliseconds. */
  readonly times: Array<number> = []
  month: number | undefined
  /** Hours to add to those of twelve: 0 or 12. */
  half: number | undefined
  /** The time zone: a sign, hours, minutes. */
  sign: number | undefined
  zoneHour: number | undefined
  zoneMinute: number | undefined
  seenNumber = false
}

/**
 * What V8 reads beside the standard's format: numbers with a colon after them are the time, signed numbers after the time
 * are the zone, other numbers and the name of a month make the day; unknown words are ignored before the first number.
 */
const parseLegacy = (m: Machine, text: string): number => {
  const tokens = tokenize(text)
  const r = new Reading()
  const isSymbol = (index: number, symbol: string): boolean => {
    const token = tokens[index]
    return token !== undefined && token.type === "symbol" && token.text === symbol
  }
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i++]!
    if (token.type === "number") {
      r.seenNumber = true
      const { value } = token
      if (isSymbol(i, ":")) {
        if (isSymbol(i + 1, ":")) {
          if (r.times.length > 0) return NaN
          r.times.push(value, 0)
          i += 2
        } else if (isZoneHour(r)) {
          r.zoneHour = value
          r.zoneMinute = undefined
          i++
        } else {
          if (r.times.length >= 3) return NaN
          r.times.push(value)
          i++
        }
      } else if (isSymbol(i, ".") && isTimeExpected(r)) {
        r.times.push(value)
        const fraction = tokens[i + 1]
        if (fraction?.type !== "number") return NaN
        while (r.times.length < 3) r.times.push(0)
        r.times.push(milliseconds(fraction.text))
        i += 2
      } else if (isZoneHour(r)) {
        // hhmm, or hours alone
        if (token.text.length > 2) {
          r.zoneHour = Math.floor(value / 100)
          r.zoneMinute = value % 100
        } else {
          r.zoneHour = value
          r.zoneMinute = 0
        }
      } else if (r.sign !== undefined && r.zoneHour !== undefined && r.zoneMinute === undefined) r.zoneMinute = value
      else if (isTimeExpected(r)) {
        r.times.push(value)
        // What follows a time must be apart from it.
        const after = tokens[i]
        if (after !== undefined && after.type === "symbol" && after.text !== "+" && after.text !== "-" && after.text !== ",") {
          return NaN
        }
      } else {
        if (r.days.length >= 3) return NaN
        r.days.push(value)
        if (isSymbol(i, "-")) i++
      }
    } else if (token.type === "word") {
      const month = MONTHS.findIndex((name) => token.text.startsWith(name.toLowerCase()))
      const zone = ZONES.get(token.text)
      if ((token.text === "am" || token.text === "pm") && r.times.length > 0) {
        r.half = token.text === "am" ? 0 : 12
        if (r.times.length < 2) r.times.push(0)
      } else if (month >= 0) {
        r.month = month + 1
        if (isSymbol(i, "-")) i++
      } else if (zone !== undefined && r.seenNumber) {
        r.sign = zone < 0 ? -1 : 1
        r.zoneHour = Math.abs(zone)
        r.zoneMinute = 0
      } else {
        // Garbage words are illegal if a number was read, except for the T between date and time.
        if (r.seenNumber && !(token.text === "t" && r.times.length === 0)) return NaN
        if (token.text.length === 1 && token.text !== "t" && tokens[i]?.type === "number" && r.seenNumber) return NaN
      }
    } else if (token.type === "symbol") {
      if ((token.text === "+" || token.text === "-") && (r.sign !== undefined || r.times.length > 0)) {
        r.sign = token.text === "+" ? 1 : -1
        r.zoneHour = undefined
        r.zoneMinute = undefined
      } else if ((token.text === "+" || token.text === "-" || token.text === ")") && r.seenNumber) return NaN
    }
  }
  return finish(m, r)
}

/** Whether a sign was read, so that a number is the hours of the time zone. */
const isZoneHour = (r: Reading): boolean => r.sign !== undefined && r.zoneHour === undefined

/** Whether a time was begun, so that a number ends it. */
const isTimeExpected = (r: Reading): boolean => r.times.length > 0 && r.times.length < 3 && r.half === undefined && r.sign === undefined

const finish = (m: Machine, r: Reading): number => {
  const date = composeDay(r)
  if (Number.isNaN(date)) return NaN
  const [first = 0, minute = 0, second = 0, millisecond = 0] = r.times
  let hour = first
  if (r.half !== undefined) {
    if (hour > 12) return NaN
    hour = hour % 12 + r.half
  }
  const t = makeDate(date, timeOf(hour, minute, second, millisecond))
  if (Number.isNaN(t)) return NaN
  if (r.sign === undefined) return timeClip(utc(m, t))
  const offset = r.sign * ((r.zoneHour ?? 0) * 60 + (r.zoneMinute ?? 0)) * 60000
  return timeClip(t - offset)
}

const isDay = (n: number): boolean => n >= 1 && n <= 31

/** Which numbers are the day, the month and the year, by how many there are, their sizes, and whether the month has a name. */
const composeDay = (r: Reading): number => {
  const [a, b = 1, c] = r.days
  if (a === undefined) return NaN
  let year = 2001
  let month: number
  let date: number
  if (r.month === undefined) {
    if (c !== undefined && !isDay(a)) [year, month, date] = [a, b, c]
    else [month, date, year] = [a, b, c ?? 2001]
  } else {
    month = r.month
    if (r.days.length === 1) date = a
    else if (!isDay(a)) [year, date] = [a, b]
    else [date, year] = [a, b]
  }
  if (year >= 0 && year <= 49) year += 2000
  else if (year >= 50 && year <= 99) year += 1900
  return dayOf(year, month, date)
}
