// Time values, calendar days and time zones: https://tc39.es/ecma262/#sec-overview-of-date-objects-and-definitions-of-abstract-operations
import type { Machine } from "../machine/machine.ts"
import { HostCache } from "./locale.ts"

const MS_PER_DAY = 86400000

/** https://tc39.es/ecma262/#sec-day */
export const day = (t: number): number => Math.floor(t / MS_PER_DAY)

/** https://tc39.es/ecma262/#sec-timewithinday */
export const timeWithinDay = (t: number): number => {
  const rest = t % MS_PER_DAY
  return rest < 0 ? rest + MS_PER_DAY : rest + 0
}

/** Days from 1970-01-01 to the first of a month, counted from 0, of the proleptic Gregorian calendar. */
const daysToMonth = (year: number, month: number): number => {
  // Years are taken to begin in March, so that the leap day is the last.
  const y = month < 2 ? year - 1 : year
  const m = (month + 10) % 12
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * m + 2) / 5)
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468
}

/** A day of the proleptic Gregorian calendar; the month counts from 0. */
export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly date: number
}

/** https://tc39.es/ecma262/#sec-yearfromtime, https://tc39.es/ecma262/#sec-monthfromtime, https://tc39.es/ecma262/#sec-datefromtime */
export const civilDate = (t: number): CivilDate => {
  const days = day(t) + 719468
  const era = Math.floor(days / 146097)
  const dayOfEra = days - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const m = Math.floor((5 * dayOfYear + 2) / 153)
  const month = m < 10 ? m + 2 : m - 10
  return {
    year: yearOfEra + era * 400 + (month < 2 ? 1 : 0),
    month,
    date: dayOfYear - Math.floor((153 * m + 2) / 5) + 1,
  }
}

/** https://tc39.es/ecma262/#sec-weekday */
export const weekDay = (t: number): number => ((day(t) + 4) % 7 + 7) % 7

export const hourOf = (t: number): number => Math.floor(timeWithinDay(t) / 3600000)
export const minuteOf = (t: number): number => Math.floor(timeWithinDay(t) / 60000) % 60
export const secondOf = (t: number): number => Math.floor(timeWithinDay(t) / 1000) % 60
export const millisecondOf = (t: number): number => timeWithinDay(t) % 1000

/** https://tc39.es/ecma262/#sec-maketime */
export const makeTime = (hour: number, minute: number, second: number, millisecond: number): number => {
  if (!Number.isFinite(hour + minute + second + millisecond)) return NaN
  return Math.trunc(hour) * 3600000 + Math.trunc(minute) * 60000 + Math.trunc(second) * 1000 + Math.trunc(millisecond)
}

/** Years that no day can bring back into the range of time values. */
const MAX_YEAR = 1000000

/** https://tc39.es/ecma262/#sec-makeday */
export const makeDay = (year: number, month: number, date: number): number => {
  if (!Number.isFinite(year) || !Number.isFinite(month) || !Number.isFinite(date)) return NaN
  const months = Math.trunc(month)
  const y = Math.trunc(year) + Math.floor(months / 12)
  if (Math.abs(y) > MAX_YEAR) return NaN
  return daysToMonth(y, ((months % 12) + 12) % 12) + Math.trunc(date) - 1
}

/** https://tc39.es/ecma262/#sec-makedate */
export const makeDate = (day: number, time: number): number => {
  if (!Number.isFinite(day) || !Number.isFinite(time)) return NaN
  const t = day * MS_PER_DAY + time
  return Number.isFinite(t) ? t : NaN
}

/** https://tc39.es/ecma262/#sec-makefullyear */
export const makeFullYear = (year: number): number => {
  if (Number.isNaN(year)) return NaN
  const truncated = Math.trunc(year)
  return truncated >= 0 && truncated <= 99 ? 1900 + truncated : truncated
}

/** https://tc39.es/ecma262/#sec-timeclip */
export const timeClip = (t: number): number => Number.isFinite(t) && Math.abs(t) <= 8.64e15 ? Math.trunc(t) + 0 : NaN

// ---------------------------------------------------------------------------------------------------------------------
// Time zones
// ---------------------------------------------------------------------------------------------------------------------

/** Offsets of one zone, from the host's data. */
class Zone {
  private readonly offsets: Intl.DateTimeFormat
  private readonly names = new Map<number, string>()
  /** The offset of a whole day of UTC, NaN for a day on which it changes. */
  private readonly days = new Map<number, number>()

  constructor(readonly timeZone: string, readonly locale: string) {
    this.offsets = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  }

  /** https://tc39.es/ecma262/#sec-getnamedtimezoneoffsetnanoseconds in milliseconds, for a time in UTC. */
  offset(t: number): number {
    const d = day(t)
    let offset = this.days.get(d)
    if (offset === undefined) {
      const start = this.read(d * MS_PER_DAY)
      offset = start === this.read((d + 1) * MS_PER_DAY) ? start : NaN
      if (this.days.size >= 4096) this.days.clear()
      this.days.set(d, offset)
    }
    return Number.isNaN(offset) ? this.read(t) : offset
  }

  private read(t: number): number {
    const clipped = Math.max(-8.64e15, Math.min(8.64e15, t))
    const name = partOf(this.offsets, clipped, "timeZoneName")
    const match = /([+\u2212-])(\d\d):?(\d\d)(?::?(\d\d))?/.exec(name)
    if (match === null) return 0
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
    return (match[1] === "+" ? seconds : -seconds) * 1000
  }

  /** The zone's name at a time, as people write it: for the offsets of today, what they are called today. */
  name(t: number): string {
    const offset = this.offset(t)
    let name = this.names.get(offset)
    if (name === undefined) {
      const example = [WINTER, SUMMER].find((time) => this.offset(time) === offset) ?? t
      const format = new Intl.DateTimeFormat(this.locale, { timeZone: this.timeZone, timeZoneName: "long" })
      name = partOf(format, example, "timeZoneName")
      if (this.names.size < 64) this.names.set(offset, name)
    }
    return name
  }
}

const WINTER = Date.UTC(2024, 0, 1)
const SUMMER = Date.UTC(2024, 6, 1)

const partOf = (format: Intl.DateTimeFormat, t: number, type: string): string =>
  format.formatToParts(t).find((part) => part.type === type)?.value ?? ""

const zones = new HostCache<Zone>(4)

const zoneOf = (m: Machine): Zone => {
  m.charge(200)
  return zones.get(m, m.timeZone, () => new Zone(m.timeZone, m.locale))
}

const isUtc = (m: Machine): boolean => m.timeZone === "UTC"

/** The run's local time less UTC, in milliseconds, at a time in UTC. */
export const localOffset = (m: Machine, t: number): number => isUtc(m) ? 0 : zoneOf(m).offset(t)

/** https://tc39.es/ecma262/#sec-localtime */
export const localTime = (m: Machine, t: number): number => isUtc(m) ? t : t + localOffset(m, t)

/** https://tc39.es/ecma262/#sec-utc-t — a time that a change of the clocks skips or repeats is read as before the change. */
export const utc = (m: Machine, t: number): number => {
  if (isUtc(m) || !Number.isFinite(t) || Math.abs(t) > 8.65e15) return t
  const zone = zoneOf(m)
  const before = zone.offset(t - MS_PER_DAY)
  if (zone.offset(t - before) === before) return t - before
  const after = zone.offset(t + MS_PER_DAY)
  return zone.offset(t - after) === after ? t - after : t - before
}

// ---------------------------------------------------------------------------------------------------------------------
// Texts
// ---------------------------------------------------------------------------------------------------------------------

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const TWO_DIGITS: ReadonlyArray<string> = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, "0"))

const pad = (n: number, length: number): string => length === 2 ? TWO_DIGITS[n]! : String(n).padStart(length, "0")

const yearText = (year: number): string => (year < 0 ? "-" : "") + pad(Math.abs(year), 4)

/** https://tc39.es/ecma262/#sec-datestring for a local time. */
const dateString = (t: number): string => {
  const { date, month, year } = civilDate(t)
  return `${WEEKDAYS[weekDay(t)]} ${MONTHS[month]} ${pad(date, 2)} ${yearText(year)}`
}

const clock = (t: number): string => `${pad(hourOf(t), 2)}:${pad(minuteOf(t), 2)}:${pad(secondOf(t), 2)}`

/** https://tc39.es/ecma262/#sec-timezoneestring for a time in UTC. */
const timeZoneString = (m: Machine, t: number): string => {
  const offset = localOffset(m, t)
  const minutes = Math.trunc(Math.abs(offset) / 60000)
  const name = isUtc(m) ? "Coordinated Universal Time" : zoneOf(m).name(t)
  const sign = offset < 0 ? "-" : "+"
  return `GMT${sign}${pad(Math.trunc(minutes / 60), 2)}${pad(minutes % 60, 2)} (${name})`
}

/** https://tc39.es/ecma262/#sec-todatestring */
export const toDateString = (m: Machine, t: number, parts: "date" | "time" | "both" = "both"): string => {
  if (Number.isNaN(t)) return "Invalid Date"
  m.charge(40)
  const local = localTime(m, t)
  if (parts === "date") return dateString(local)
  const time = `${clock(local)} ${timeZoneString(m, t)}`
  return parts === "time" ? time : `${dateString(local)} ${time}`
}

/** https://tc39.es/ecma262/#sec-date.prototype.toutcstring */
export const toUtcString = (t: number): string => {
  if (Number.isNaN(t)) return "Invalid Date"
  const { date, month, year } = civilDate(t)
  return `${WEEKDAYS[weekDay(t)]}, ${pad(date, 2)} ${MONTHS[month]} ${yearText(year)} ${clock(t)} GMT`
}

/** https://tc39.es/ecma262/#sec-date.prototype.toisostring for a valid time. */
export const toIsoString = (t: number): string => {
  const { date, month, year } = civilDate(t)
  const y = year >= 0 && year <= 9999 ? pad(year, 4) : `${year < 0 ? "-" : "+"}${pad(Math.abs(year), 6)}`
  return `${y}-${pad(month + 1, 2)}-${pad(date, 2)}T${clock(t)}.${pad(millisecondOf(t), 3)}Z`
}
