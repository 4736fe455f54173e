import { describe, expect, it } from "vitest"
import { compile, makeMachine } from "../../src/engine/index.ts"
import { parse } from "../../src/engine/parse/index.ts"
import { evaluate } from "./evaluate.ts"

/** Texts, and what they mean in UTC as V8 reads them; null for those that are no dates. */
const texts: ReadonlyArray<readonly [text: string, iso: string | null]> = [
  ["2022-03-01", "2022-03-01T00:00:00.000Z"],
  ["2022-03", "2022-03-01T00:00:00.000Z"],
  ["2022", "2022-01-01T00:00:00.000Z"],
  ["2022-03-01T10:00", "2022-03-01T10:00:00.000Z"],
  ["2022-03-01T10:00:00.123456Z", "2022-03-01T10:00:00.123Z"],
  ["2022-03-01T10:00:00+02:00", "2022-03-01T08:00:00.000Z"],
  ["2022-03-01T10:00:00-0530", "2022-03-01T15:30:00.000Z"],
  ["2022-03-01 10:00", "2022-03-01T10:00:00.000Z"],
  ["2022-02-30", "2022-03-02T00:00:00.000Z"],
  ["2022-13-01", null],
  ["2022-01-32", null],
  ["2022-01-01T24:00", "2022-01-02T00:00:00.000Z"],
  ["2022-01-01T24:01", null],
  ["2022-01-01T10", null],
  ["+012022-01-01T00:00Z", "+012022-01-01T00:00:00.000Z"],
  ["-000000-01-01T00:00Z", null],
  ["Tue Mar 01 2022 10:00:00 GMT+0100", "2022-03-01T09:00:00.000Z"],
  ["Tue Mar 01 2022 10:00:00 GMT+0100 (Central European Standard Time)", "2022-03-01T09:00:00.000Z"],
  ["Tue, 01 Mar 2022 10:00:00 GMT", "2022-03-01T10:00:00.000Z"],
  ["Tue, 01 Mar 2022 10:00:00 +0200", "2022-03-01T08:00:00.000Z"],
  ["Mar 1, 2022", "2022-03-01T00:00:00.000Z"],
  ["March 1, 2022 10:00 AM", "2022-03-01T10:00:00.000Z"],
  ["1 March 2022", "2022-03-01T00:00:00.000Z"],
  ["March 2022", "2022-03-01T00:00:00.000Z"],
  ["Mar 1", "2001-03-01T00:00:00.000Z"],
  ["2022/03/01", "2022-03-01T00:00:00.000Z"],
  ["3/1/22 5:00 PM", "2022-03-01T17:00:00.000Z"],
  ["3/1/70", "1970-03-01T00:00:00.000Z"],
  ["01-Jan-2020", "2020-01-01T00:00:00.000Z"],
  ["Sat May 05 10:00:00 EST 2020", "2020-05-05T15:00:00.000Z"],
  ["May 5 2021 13:30 pm", null],
  ["hello", null],
  ["hello 2020", "2020-01-01T00:00:00.000Z"],
  ["2020 hello", null],
  ["", null],
  ["1".repeat(5000), null],
]

describe("texts of dates", () => {
  it.each(texts)("%s", async (text, iso) => {
    expect(await evaluate(`const date = new Date(text); return isNaN(date) ? null : date.toISOString()`, { text }))
      .toBe(iso)
  })
})

const times = [0, -1, 1e12, 1646128800123, -62198755200000, -1e14, 8.64e15, -8.64e15, 951782400000, 1709164800000]

describe("components and texts of times in UTC", () => {
  it.each(times)("%d", async (t) => {
    const utc = new Date(t)
    const names = ["FullYear", "Month", "Date", "Day", "Hours", "Minutes", "Seconds", "Milliseconds"]
    const expected = names.map((name) => (utc as unknown as Record<string, () => number>)[`getUTC${name}`]!())
    const program = `
      const date = new Date(t)
      return [
        [${names.map((name) => `date.getUTC${name}()`).join()}],
        [${names.map((name) => `date.get${name}()`).join()}],
        date.toISOString(), date.toUTCString(), date.getTimezoneOffset(), date.toJSON(), +date,
      ]`
    expect(await evaluate(program, { t })).toEqual([
      expected,
      expected,
      utc.toISOString(),
      utc.toUTCString(),
      0,
      utc.toJSON(),
      t,
    ])
  })
})

const values: ReadonlyArray<readonly [expression: string, value: unknown]> = [
  [`String(new Date(0))`, "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)"],
  [`[new Date(0).toDateString(), new Date(0).toTimeString()]`, [
    "Thu Jan 01 1970",
    "00:00:00 GMT+0000 (Coordinated Universal Time)",
  ]],
  [`[String(new Date(NaN)), new Date(NaN).toJSON(), new Date(NaN).toUTCString()]`, [
    "Invalid Date",
    null,
    "Invalid Date",
  ]],
  [`[new Date(2020, 0), new Date(99, 0), new Date(2020, 12, 32, 25), new Date(2020, 1, 0)]`, [
    "2020-01-01T00:00:00.000Z",
    "1999-01-01T00:00:00.000Z",
    "2021-02-02T01:00:00.000Z",
    "2020-01-31T00:00:00.000Z",
  ]],
  [`[Date.UTC(2020), Date.UTC(2020, 1, 30), Date.UTC(1e9)]`, [1577836800000, 1583020800000, null]],
  [
    `(() => { const d = new Date(0); d.setMonth(13, 31); d.setHours(-1); d.setMinutes(90, 61, 1001); return [d, d.setDate(NaN), d.setFullYear(2000)] })()`,
    [
      "2000-01-01T00:00:00.000Z",
      null,
      946684800000,
    ],
  ],
  [`[typeof Date(), typeof Date.now(), new Date() - Date.now() <= 0, Date.length]`, ["string", "number", true, 7]],
  [`[new Date(0) + 1, new Date(5) - 1, \`\${new Date(0)}\`.length, new Date(5) == 5, new Date(5) > 4]`, [
    "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)1",
    4,
    62,
    false,
    true,
  ]],
  [
    `new Date(1e12).toLocaleDateString("en-US", { weekday: "long", month: "long", day: "numeric", year: "numeric" })`,
    "Sunday, September 9, 2001",
  ],
  [`new Date(1e12).toLocaleDateString("de-DE")`, "9.9.2001"],
  [`new Date(1e12).toLocaleTimeString("en-GB", { timeZone: "Asia/Tokyo" })`, "10:46:40"],
  [`new Date(1e12).toLocaleDateString("en-CA", { dateStyle: "short" })`, "2001-09-09"],
]

describe("dates", () => {
  it.each(values)("%s", async (expression, value) => {
    expect(await evaluate(`return ${expression}`)).toEqual(value)
  })

  it.each([
    [`new Date(NaN).toISOString()`, "RangeError: Invalid time value"],
    [`Date.prototype.getTime.call({})`, "TypeError: this is not a Date object."],
    [
      `new Date(0).toLocaleString("en", { timeZone: "Nowhere/Here" })`,
      "RangeError: Invalid time zone specified: Nowhere/Here",
    ],
    [`new Date(0)[Symbol.toPrimitive]("x")`, "TypeError: Invalid hint: "],
    [`new Date(1n)`, "TypeError: Cannot convert a BigInt value to a number"],
  ])("%s throws", async (expression, message) => {
    await expect(evaluate(expression)).rejects.toThrow(message)
  })
})

/** What a program logs in a run whose clock and time zone are given. */
const logged = async (code: string, timeZone: string, now: number): Promise<Array<string>> => {
  const program = await parse(code)
  const lines: Array<string> = []
  const machine = makeMachine({
    timeZone,
    host: {
      now: () => now,
      monotonic: () => 0,
      random: () => 0.5,
      log: (_level, text) => lines.push(text),
      setTimer: () => {},
      clearTimer: () => {},
      startCall: () => {},
    },
  })
  const template = compile(program.ast, { code: program.code, name: "program" }, { isAsync: true, completion: true })
  machine.enqueue({ type: "callback", fn: machine.link(template), args: [] })
  while (machine.advance(1_000_000) === "running");
  return lines
}

describe("the run's clock and time zone", () => {
  it("are those of the machine, not of the process", async () => {
    const code = `
      console.log(new Date().toISOString(), Date.now(), Math.random())
      console.log(String(new Date()), new Date().getHours(), new Date().getTimezoneOffset())
      console.log(new Date(2024, 6, 1).toISOString(), new Date("2024-07-01T00:00").toISOString(), new Date("2024-07-01").toISOString())
      console.log(new Date(2024, 6, 1, 9).toLocaleString(), Math.random())
    `
    expect(await logged(code, "America/New_York", Date.UTC(2024, 0, 15, 12))).toEqual([
      "2024-01-15T12:00:00.000Z 1705320000000 0.5",
      "Mon Jan 15 2024 07:00:00 GMT-0500 (Eastern Standard Time) 7 300",
      "2024-07-01T04:00:00.000Z 2024-07-01T04:00:00.000Z 2024-07-01T00:00:00.000Z",
      "7/1/2024, 9:00:00 AM 0.5",
    ])
  })

  it("go over the changes of the clocks as the standard says", async () => {
    const code = `
      const at = (...parts) => { const date = new Date(...parts); return date.toISOString().slice(5, 16) + " " + date.getHours() }
      // 2024-03-10 02:30 does not exist, 2024-11-03 01:30 comes twice.
      console.log(at(2024, 2, 10, 2, 30), at(2024, 10, 3, 1, 30), at(2024, 10, 3, 0, 59), at(2024, 10, 3, 2, 0))
      const date = new Date(2024, 2, 10, 1, 59)
      date.setMinutes(60)
      console.log(date.getHours(), date.toISOString().slice(11, 16))
      date.setDate(11)
      console.log(date.getHours(), date.getTimezoneOffset())
    `
    expect(await logged(code, "America/New_York", 0)).toEqual([
      "03-10T07:30 3 11-03T05:30 1 11-03T04:59 0 11-03T07:00 2",
      "3 07:00",
      "3 240",
    ])
    expect(await logged(`console.log(new Date(0).getHours(), new Date(0).getMinutes())`, "Asia/Kolkata", 0)).toEqual([
      "5 30",
    ])
  })
})
