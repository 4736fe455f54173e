import type { Machine } from "../machine/machine.ts"
import { type Intrinsics, toNumber, type Value } from "../object/index.ts"
import { timeClip } from "./date-time.ts"
import { method } from "./define.ts"
import { boundFunction, defineService, toGuest } from "./intl-service.ts"
import { callHost, dateTimeFormatOptions, hostDateTimeFormat } from "./locale.ts"

/** A time that can be shown. */
const timeOf = (m: Machine, value: Value): number => {
  const t = timeClip(toNumber(m, value))
  if (Number.isNaN(t)) throw m.rangeError("Invalid time value")
  return t
}

/** The time to show: now, unless one is given. */
const timeOrNow = (m: Machine, value: Value): number =>
  value === undefined ? timeClip(Math.floor(m.host.now())) : timeOf(m, value)

const range = (m: Machine, args: ReadonlyArray<Value>): [number, number] => {
  if (args[0] === undefined || args[1] === undefined) throw m.typeError("startDate or endDate cannot be undefined")
  m.charge(8000)
  return [timeOf(m, args[0]), timeOf(m, args[1])]
}

/** https://tc39.es/ecma402/#datetimeformat-objects */
const dateTimeFormat = defineService<Intl.DateTimeFormat>({
  name: "DateTimeFormat",
  callable: true,
  read: (m, options) => dateTimeFormatOptions(m, options, "any", "date"),
  host: (m, key, locales, options) => hostDateTimeFormat(m, key, locales, () => options),
  constructor_: () => Intl.DateTimeFormat,
  members: ({ data, host }) => [
    method("formatToParts", 1, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatToParts")
      const t = timeOrNow(m, args[0])
      m.charge(400)
      return toGuest(m, host(m, slots).formatToParts(t))
    }),
    boundFunction("Intl.DateTimeFormat", "format", 1, data, (m, slots, args) => {
      const t = timeOrNow(m, args[0])
      m.charge(200)
      return host(m, slots).format(t)
    }),
    method("formatRange", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatRange")
      const [start, end] = range(m, args)
      return callHost(m, () => host(m, slots).formatRange(start, end))
    }),
    method("formatRangeToParts", 2, (m, thisValue, args) => {
      const slots = data(m, thisValue, "formatRangeToParts")
      const [start, end] = range(m, args)
      return toGuest(m, callHost(m, () => host(m, slots).formatRangeToParts(start, end)))
    }),
  ],
})

export const intlDateIntrinsics: Intrinsics = dateTimeFormat.intrinsics
