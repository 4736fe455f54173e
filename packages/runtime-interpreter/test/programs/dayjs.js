import dayjs from "dayjs"
import ar from "dayjs/locale/ar.js"
import de from "dayjs/locale/de.js"
import ja from "dayjs/locale/ja.js"
import advancedFormat from "dayjs/plugin/advancedFormat.js"
import calendar from "dayjs/plugin/calendar.js"
import customParseFormat from "dayjs/plugin/customParseFormat.js"
import dayOfYear from "dayjs/plugin/dayOfYear.js"
import duration from "dayjs/plugin/duration.js"
import isBetween from "dayjs/plugin/isBetween.js"
import isoWeek from "dayjs/plugin/isoWeek.js"
import localizedFormat from "dayjs/plugin/localizedFormat.js"
import minMax from "dayjs/plugin/minMax.js"
import quarterOfYear from "dayjs/plugin/quarterOfYear.js"
import relativeTime from "dayjs/plugin/relativeTime.js"
import timezone from "dayjs/plugin/timezone.js"
import toObject from "dayjs/plugin/toObject.js"
import updateLocale from "dayjs/plugin/updateLocale.js"
import utc from "dayjs/plugin/utc.js"
import weekOfYear from "dayjs/plugin/weekOfYear.js"
import { table } from "./show.js"

for (const locale of [de, ja, ar]) dayjs.locale(locale, undefined, true)
for (
  const plugin of [
    utc,
    timezone,
    advancedFormat,
    calendar,
    customParseFormat,
    dayOfYear,
    duration,
    isBetween,
    isoWeek,
    localizedFormat,
    minMax,
    quarterOfYear,
    relativeTime,
    toObject,
    updateLocale,
    weekOfYear,
  ]
) dayjs.extend(plugin)

const inputs = [
  "2024-02-29T23:59:59.999Z",
  "2024-02-29",
  "2018-08-16 10:11:12",
  "20180816",
  "2018-1",
  "2021-12-31T23:30:00+05:30",
  "not a date",
  "",
  0,
  1e12,
  -1,
  8.64e15,
  NaN,
  null,
  new Date(86400000),
  new Date(NaN),
  [2020, 1, 29, 12],
  "2024-13-45",
  "1969-12-31T00:00:00.000Z",
]
const units = ["millisecond", "second", "minute", "hour", "day", "week", "isoWeek", "month", "quarter", "year"]
const zones = ["UTC", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Berlin", "Asia/Tokyo"]
const base = dayjs.utc("2024-03-31T01:23:45.678Z")
const iso = (d) => d.isValid() ? d.toISOString() : "invalid"

const cases = {
  parse: () => inputs.map((input) => iso(dayjs(input))),
  "parse, UTC": () => inputs.map((input) => iso(dayjs.utc(input))),
  json: () => inputs.map((input) => JSON.stringify({ d: dayjs(input) })),
  getters: () =>
    inputs.map((input) => {
      const d = dayjs(input)
      return [
        d.year(),
        d.month(),
        d.date(),
        d.day(),
        d.hour(),
        d.minute(),
        d.second(),
        d.millisecond(),
        d.unix(),
        d.daysInMonth(),
        d.utcOffset(),
      ]
    }),
  format: () => inputs.map((input) => dayjs(input).format()),
  "format, tokens": () =>
    [
      "YY",
      "YYYY",
      "M",
      "MM",
      "MMM",
      "MMMM",
      "D",
      "DD",
      "d",
      "dd",
      "ddd",
      "dddd",
      "H",
      "HH",
      "h",
      "hh",
      "m",
      "mm",
      "s",
      "ss",
      "SSS",
      "Z",
      "ZZ",
      "A",
      "a",
      "Q",
      "Do",
      "k",
      "kk",
      "X",
      "x",
      "w",
      "ww",
      "W",
      "WW",
      "gggg",
      "GGGG",
      "[literal] YYYY",
      "L",
      "LL",
      "LLL",
      "LLLL",
      "LT",
      "LTS",
      "l",
      "ll",
      "z",
    ].map((token) => [token, base.format(token)]),
  "format, locales": () => ["en", "de", "ja", "ar"].map((l) => base.locale(l).format("dddd, LL LT MMM ddd A Do")),
  add: () => units.flatMap((unit) => [1, -1, 13, 0, 100].map((n) => iso(base.add(n, unit)))),
  subtract: () => units.map((unit) => iso(base.subtract(5, unit))),
  "add fractions": () => [0.5, 1.5, -2.25].map((n) => units.map((unit) => iso(base.add(n, unit)))),
  startOf: () => units.map((unit) => [iso(base.startOf(unit)), iso(base.endOf(unit))]),
  set: () =>
    ["date", "day", "month", "year", "hour", "minute", "second", "millisecond"].flatMap((unit) =>
      [0, 1, 31, -1].map((n) => iso(base.set(unit, n)))
    ),
  diff: () =>
    units.flatMap((unit) =>
      inputs.slice(0, 6).map((input) => [base.diff(dayjs.utc(input), unit), base.diff(dayjs.utc(input), unit, true)])
    ),
  compare: () =>
    inputs.map((a) =>
      inputs.map((b) =>
        [dayjs(a).isBefore(b), dayjs(a).isSame(b), dayjs(a).isAfter(b, "month"), dayjs(a).isSame(b, "year")].map(Number)
          .join("")
      ).join(" ")
    ),
  isBetween: () =>
    ["()", "[]", "[)", "(]"].map((b) => base.isBetween("2024-03-31T01:23:45.678Z", "2024-04-01", null, b)),
  weeks: () =>
    ["2020-12-31", "2021-01-01", "2021-01-04", "2024-12-30", "2016-01-03"].map((t) => {
      const d = dayjs.utc(t)
      return [d.week(), d.isoWeek(), d.isoWeekYear(), d.isoWeekday(), d.dayOfYear(), d.quarter(), d.isoWeeksInYear?.()]
    }),
  "custom formats": () =>
    [
      ["05/02/69 1:02:03 PM -05:00", "MM/DD/YY H:mm:ss A Z"],
      ["12-25-1995", "MM-DD-YYYY"],
      ["1st March 2020", "Do MMMM YYYY"],
      ["2020-02-30", "YYYY-MM-DD", true],
      ["2020-02-28", "YYYY-MM-DD", true],
      ["5:7", "H:m"],
      ["1318874398", "X"],
      ["März 2020", "MMMM YYYY", "de"],
      ["nonsense", "YYYY"],
    ].map((args) => {
      const d = dayjs.utc(...args)
      return d.isValid() ? d.format("HH:mm:ss") + (args[1] === "H:m" ? "" : iso(d)) : "invalid"
    }),
  "relative time": () =>
    [1, 44, 45, 90, 2700, 5400, 79200, 129600, 1e6, 2.6e6, 4e6, 3e7, 5e7, 1e9].flatMap((s) =>
      ["en", "de", "ja"].map((
        l,
      ) => [base.locale(l).from(base.add(s, "second")), base.locale(l).to(base.add(s, "second"), true)])
    ),
  calendar: () => [-10, -3, -1, 0, 1, 3, 10].map((n) => base.add(n, "day").calendar(base)),
  duration: () =>
    [
      dayjs.duration(100),
      dayjs.duration(2, "minutes"),
      dayjs.duration({ years: 2, months: 3, weeks: 1, days: 4, hours: 5 }),
      dayjs.duration("P1Y2M3DT4H5M6S"),
      dayjs.duration(-1e9),
    ].map((
      d,
    ) => [
      d.toISOString(),
      d.humanize(),
      d.humanize(true),
      d.asHours(),
      d.asMonths(),
      d.format(),
      d.format("D [d] HH:mm:ss.SSS"),
      d.add(5, "days").asDays(),
      JSON.stringify(d),
    ]),
  zones: () =>
    zones.map((
      z,
    ) => [
      base.tz(z).format(),
      base.tz(z).format("z"),
      base.tz(z).utcOffset(),
      iso(base.tz(z).startOf("day")),
      base.tz(z).add(1, "day").format(),
    ]),
  "parse in zones": () =>
    zones.flatMap((z) =>
      ["2024-03-10 02:30", "2024-11-03 01:30", "2024-03-31 02:30", "2024-07-01 00:00"].map((t) => iso(dayjs.tz(t, z)))
    ),
  "parse in zones by format": () => zones.map((z) => iso(dayjs.tz("12-25-1995 3PM", "MM-DD-YYYY hA", z))),
  "keep local time": () => zones.map((z) => base.tz(z, true).format()),
  utcOffset: () => [-8, 90, "+05:30", "-0330", 0].map((o) => base.utcOffset(o).format()),
  "min, max": () => [iso(dayjs.min(dayjs(3), dayjs(1), dayjs(2))), iso(dayjs.max([dayjs(3), dayjs(1)]))],
  toObject:
    () => [base.toObject(), base.toArray?.(), base.toDate(), base.valueOf(), String(base), base.toString(), +base],
  immutability: () => {
    const d = dayjs(0)
    d.add(1, "year")
    d.set("month", 5)
    return [iso(d), d.clone() !== d, dayjs.isDayjs(d), dayjs.isDayjs(new Date())]
  },
  locale: () => {
    const d = dayjs(0)
    return [d.locale(), d.locale("de").locale(), dayjs.locale(), dayjs.locale("nope"), dayjs.Ls.de.weekdays]
  },
  updateLocale: () => {
    dayjs.updateLocale("ja", { months: Array.from({ length: 12 }, (_, i) => `m${i}`) })
    return base.locale("ja").format("MMMM")
  },
  "a calendar page": () => {
    const rows = []
    let d = dayjs.utc("2024-02-01").startOf("week")
    for (let w = 0; w < 6; w++) {
      rows.push(
        Array.from({ length: 7 }, () => {
          const cell = d.month() === 1 ? d.format("D") : "."
          d = d.add(1, "day")
          return cell
        }).join(" "),
      )
    }
    return rows
  },
  "every day of some years": () => {
    let sum = 0
    for (let d = dayjs.utc("2023-01-01"); d.isBefore("2025-01-01"); d = d.add(1, "day")) {
      sum = (sum * 31 + d.isoWeek() * 7 + d.dayOfYear() + d.day()) % 1000003
    }
    return sum
  },
}

export const rows = table(cases)
