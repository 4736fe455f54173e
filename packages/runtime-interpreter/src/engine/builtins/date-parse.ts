// Texts of dates: the standard's own format, and whatever else V8 reads.
import type { Machine } from "../machine/machine.ts"
import { makeDate, makeDay, makeTime, MONTHS, timeClip, utc } from "./date-time.ts"

/** https://tc39.es/ecma262/#sec-date.parse — NaN where the text is no date. */
export const parseDate = (m: Machine, text: string): number => {
  m.charge(20 + text.length)
  // No date is that long, and what follows takes time by the length.
  if (text.length > 4096) return NaN
  const calendar = CALENDAR.exec(text)
  if (calendar === null) return parseLegacy(m, text, [])
  const [all, year, month, date] = calendar
  const time = text.slice(all.length)
  // A date alone is in UTC; what follows a `T` must be a time in the standard's format.
  if (time === "") return timeClip(makeDate(dayOf(Number(year), Number(month ?? 1), Number(date ?? 1)), 0))
  if (/^T(?![A-Z])/i.test(time)) return parseTime(m, dayOf(Number(year), Number(month ?? 1), Number(date ?? 1)), time)
  const days = [year, month, date].filter((part) => part !== undefined).map(Number)
  return parseLegacy(m, time.replace(/^-/, ""), days)
}

const CALENDAR =
  /^([+-](?!0{6})\d{6}(?!\d)|(?!-)\d{4}(?!\d))(?:-(0[1-9]|1[0-2])(?!\d)(?:-(0[1-9]|[12]\d|3[01])(?!\d))?)?/

const TIME = /^T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|([+-])(\d\d):?(\d\d))?$/i

/** https://tc39.es/ecma262/#sec-date-time-string-format — the time on a day; local where it names no zone. */
const parseTime = (m: Machine, day: number, text: string): number => {
  const match = TIME.exec(text)
  if (match === null) return NaN
  const [, hour, minute, second = "0", fraction = "", zone, sign, hours, minutes] = match
  const t = makeDate(day, timeOf(Number(hour), Number(minute), Number(second), milliseconds(fraction)))
  if (Number.isNaN(t)) return NaN
  if (zone === undefined) return timeClip(utc(m, t))
  if (sign === undefined) return timeClip(t)
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

/** To V8 every character from `A` on is a letter, unless it is white space. */
const TOKEN = /(\d+)|((?:(?!\s)[A-\uffff])+)|(\s+)|([^])/y

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
    else if (digits !== undefined) {
      tokens.push({ type: "number", value: Number(digits.replace(/^0+(?=\d)/, "").slice(0, 9)), text: digits })
    } else if (word !== undefined) tokens.push({ type: "word", text: word.toLowerCase() })
    else if (space !== undefined) tokens.push({ type: "space" })
    else tokens.push({ type: "symbol", text: all })
  }
  return tokens
}

/** The tokens that are left. */
class Tokens {
  private next = 0
  constructor(private readonly all: ReadonlyArray<Token>) {}

  peek(): Token | undefined {
    return this.all[this.next]
  }

  take(): Token | undefined {
    return this.all[this.next++]
  }

  /** Passes over this symbol, if it comes next. */
  skip(symbol: string): boolean {
    const token = this.peek()
    const found = token !== undefined && token.type === "symbol" && token.text === symbol
    if (found) this.next++
    return found
  }
}

/** What was read so far of a text in no fixed format. */
class Reading {
  /** Hours, minutes, seconds, milliseconds. */
  readonly times: Array<number> = []
  month: number | undefined
  /** Hours to add to those of twelve: 0 or 12. */
  half: number | undefined
  /** The time zone: a sign, hours, minutes. */
  sign = 1
  zoneHour: number | undefined
  zoneMinute: number | undefined

  /** `days` are numbers that are the day, the month or the year. */
  constructor(readonly days: Array<number>) {}

  /** Whether this number can be the last part of a time that was begun. */
  expectsTime(n: number): boolean {
    const { length } = this.times
    return (length > 0 && length < 3 && n <= 59) || (length === 3 && n <= 999)
  }

  endTime(n: number): void {
    this.times.push(n)
    while (this.times.length < 4) this.times.push(0)
  }
}

/**
 * What V8 reads beside the standard's format: numbers with a colon after them are the time, signed numbers after a time or
 * the name of UTC are the zone, other numbers and the name of a month make the day; unknown words are ignored before the
 * first number.
 */
const parseLegacy = (m: Machine, text: string, days: Array<number>): number => {
  const tokens = new Tokens(tokenize(text))
  const r = new Reading(days)
  let seenNumber = days.length > 0
  while (tokens.peek() !== undefined) {
    const token = tokens.take()!
    switch (token.type) {
      case "number":
        seenNumber = true
        if (!readNumber(r, token.value, tokens)) return NaN
        break
      case "word":
        if (isHalf(token.text) && r.times.length > 0) r.half = token.text === "am" ? 0 : 12
        else if (monthOf(token.text) > 0) {
          r.month = monthOf(token.text)
          tokens.skip("-")
        } else if (ZONES.has(token.text) && seenNumber) {
          const zone = ZONES.get(token.text)!
          r.sign = zone < 0 ? -1 : 1
          r.zoneHour = Math.abs(zone)
          r.zoneMinute = 0
        } else if (seenNumber || tokens.peek()?.type === "number") return NaN
        break
      case "symbol": {
        const isSign = token.text === "+" || token.text === "-"
        const isUtc = r.zoneHour === 0 && r.zoneMinute === 0
        if (isSign && (isUtc || r.times.length > 0)) {
          seenNumber = true
          r.sign = token.text === "+" ? 1 : -1
          const zone = tokens.peek()
          if (zone?.type !== "number") {
            if (!isColon(zone)) return NaN
            r.zoneHour = 0
            r.zoneMinute = undefined
            break
          }
          tokens.take()
          const { length } = zone.text
          const hasColon = isColon(tokens.peek())
          if (!hasColon && length > 4) return NaN
          // Hours alone, or hhmm; after a colon, the minutes are a number of their own.
          const together = !hasColon && length > 2
          r.zoneHour = together ? Math.floor(zone.value / 100) : zone.value
          r.zoneMinute = hasColon ? undefined : together ? zone.value % 100 : 0
        } else if ((isSign || token.text === ")") && seenNumber) return NaN
      }
    }
  }
  return finish(m, r)
}

const isColon = (token: Token | undefined): boolean =>
  token !== undefined && token.type === "symbol" && token.text === ":"

const isHalf = (word: string): boolean => word === "am" || word === "pm"

/** The month, from 1, that a word begins with; 0 if there is none. */
const monthOf = (word: string): number => MONTHS.findIndex((name) => word.startsWith(name.toLowerCase())) + 1

/** Puts a number where it belongs by what was read before and what follows; false where it belongs nowhere. */
const readNumber = (r: Reading, n: number, tokens: Tokens): boolean => {
  if (tokens.skip(":")) {
    if (tokens.skip(":")) {
      if (r.times.length > 0) return false
      r.times.push(n, 0)
      return true
    }
    if (r.times.length >= 4) return false
    r.times.push(n)
    tokens.skip(".")
    return true
  }
  if (tokens.skip(".") && r.expectsTime(n)) {
    r.times.push(n)
    const fraction = tokens.take()
    if (fraction?.type !== "number" || r.times.length >= 4) return false
    r.endTime(milliseconds(fraction.text))
    return true
  }
  if (r.zoneHour !== undefined && r.zoneMinute === undefined && n <= 59) {
    r.zoneMinute = n
    return true
  }
  if (r.expectsTime(n)) {
    r.endTime(n)
    // What follows a time must be apart from it.
    const after = tokens.peek()
    return after === undefined || after.type === "space" || (after.type === "word" && after.text === "z") ||
      (after.type === "symbol" && (after.text === "+" || after.text === "-"))
  }
  if (r.days.length >= 3) return false
  r.days.push(n)
  tokens.skip("-")
  return true
}

const finish = (m: Machine, r: Reading): number => {
  const date = composeDay(r)
  const [first = 0, minute = 0, second = 0, millisecond = 0] = r.times
  let hour = first
  if (r.half !== undefined) {
    if (hour > 12) return NaN
    hour = hour % 12 + r.half
  }
  const t = makeDate(date, timeOf(hour, minute, second, millisecond))
  if (Number.isNaN(t)) return NaN
  if (r.zoneHour === undefined) return timeClip(utc(m, t))
  return timeClip(t - r.sign * (r.zoneHour * 60 + (r.zoneMinute ?? 0)) * 60000)
}

const isDay = (n: number): boolean => n >= 1 && n <= 31

/** Which numbers are the day, the month and the year, by their sizes and whether the month has a name; absent ones are 1. */
const composeDay = (r: Reading): number => {
  const [a, b = 1, c = 1] = r.days
  if (a === undefined) return NaN
  let year: number
  let month: number
  let date: number
  if (r.month === undefined) [year, month, date] = isDay(a) ? [c, a, b] : [a, b, c]
  else [year, month, date] = isDay(a) ? [b, r.month, a] : [a, r.month, b]
  if (year >= 0 && year <= 49) year += 2000
  else if (year >= 50 && year <= 99) year += 1900
  return dayOf(year, month, date)
}
