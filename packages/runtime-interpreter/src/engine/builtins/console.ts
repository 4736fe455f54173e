import { newError } from "../machine/errors.ts"
import type { LogLevel } from "../machine/host.ts"
import type { Machine } from "../machine/machine.ts"
import { bigIntToString } from "../object/bigint-arithmetic.ts"
import {
  type Intrinsics,
  isCallable,
  isObject,
  Kind,
  type Native,
  ownDataValue,
  SymbolToStringTag,
  type Value,
} from "../object/index.ts"
import { formatTable } from "./console-table.ts"
import { type Member, method, object, tag } from "./define.ts"
import { inspect } from "./inspect.ts"
import { stringifyPlain } from "./json-stringify.ts"
import { detach } from "./text.ts"

/** What a program's console remembers. */
class ConsoleState {
  readonly brand = "console"
  /** Spaces before each line, for groups. */
  indent = 0
  readonly counts = new Map<string, number>()
  /** When timers were started, in milliseconds of the host's monotonic clock. */
  readonly timers = new Map<string, number>()
}

const stateOf = (m: Machine): ConsoleState => m.realm.intrinsic("console").data

/** The longest text of one call, in characters. */
const MAX_TEXT = 65536

/** What is kept of a text: it must not hold on to the whole, as the parts of a text do in the host. */
const beginning = (text: string, length: number): string => text.length <= length ? text : detach(text.slice(0, length))

const print = (m: Machine, level: LogLevel, text: string): void => {
  if (text.length > MAX_TEXT) text = `${beginning(text, MAX_TEXT)}... ${text.length - MAX_TEXT} more characters`
  m.charge(text.length >> 2)
  const { indent } = stateOf(m)
  if (indent > 0) {
    const margin = " ".repeat(indent)
    text = margin + text.replaceAll("\n", `\n${margin}`)
  }
  m.host.log(level, text)
}

/** https://console.spec.whatwg.org/#logger, with values written as Node writes them. */
const format = (m: Machine, args: ReadonlyArray<Value>): string => {
  const first = args[0]
  let text = ""
  let next = 0
  if (typeof first === "string") {
    next = 1
    text = args.length === 1 ? first : first.slice(0, MAX_TEXT)
    if (args.length > 1 && text.includes("%")) {
      m.charge(text.length >> 2)
      text = text.replace(/%[sdifjoOc%]/g, (specifier) => {
        if (specifier === "%%") return "%"
        if (next >= args.length) return specifier
        return formatOne(m, specifier, args[next++])
      })
    }
  }
  for (; next < args.length && text.length <= MAX_TEXT; next++) {
    const arg = args[next]
    text += `${next > 0 ? " " : ""}${typeof arg === "string" ? arg.slice(0, MAX_TEXT) : inspect(m, arg)}`
  }
  return text
}

/** https://console.spec.whatwg.org/#formatter for one specifier. */
const formatOne = (m: Machine, specifier: string, value: Value): string => {
  switch (specifier) {
    case "%s":
      if (typeof value === "string") return value.slice(0, MAX_TEXT)
      return isObject(value) && !isCallable(value) ? inspect(m, value, { depth: 0 }) : inspect(m, value)
    case "%d":
      if (typeof value === "bigint") return `${bigIntToString(m, value)}n`
      return isObject(value) || typeof value === "symbol" ? "NaN" : inspect(m, Number(value))
    case "%i":
      if (typeof value === "bigint") return `${bigIntToString(m, value)}n`
      return isObject(value) || typeof value === "symbol"
        ? "NaN"
        : inspect(m, parseInt(String(value).slice(0, 1000), 10))
    case "%f":
      return isObject(value) || typeof value === "symbol" ? "NaN" : inspect(m, parseFloat(String(value).slice(0, 1000)))
    case "%j":
      return stringifyPlain(m, value) ?? inspect(m, value)
    case "%o":
      return inspect(m, value, { depth: 4 })
    case "%O":
      return inspect(m, value)
    default:
      return ""
  }
}

const logger = (name: string, level: LogLevel): Member =>
  method(name, 0, (m, _this, args) => {
    print(m, level, format(m, args))
    return undefined
  })

/** A label as text, found without running anything of the program. */
const labelOf = (m: Machine, value: Value): string => {
  if (value === undefined) return "default"
  return beginning(typeof value === "string" ? value : inspect(m, value, { depth: 0 }), 1000)
}

/** https://console.spec.whatwg.org/#assert */
const assert: Native<Machine> = (m, _this, args) => {
  if (args[0]) return undefined
  const [, first, ...rest] = args
  if (args.length <= 1) print(m, "error", "Assertion failed")
  else if (typeof first === "string") print(m, "error", format(m, [`Assertion failed: ${first}`, ...rest]))
  else print(m, "error", format(m, ["Assertion failed:", ...args.slice(1)]))
  return undefined
}

/** https://console.spec.whatwg.org/#dir */
const dir: Native<Machine> = (m, _this, args) => {
  const depth = isObject(args[1]) ? ownDataValue(args[1], "depth") : undefined
  const levels = depth === null ? Infinity : typeof depth === "number" && depth >= 0 ? depth : 2
  print(m, "log", inspect(m, args[0], { depth: levels }))
  return undefined
}

/** https://console.spec.whatwg.org/#table */
const table: Native<Machine> = (m, _this, args) => {
  print(m, "log", formatTable(m, args[0], args[1]) ?? format(m, args.slice(0, 1)))
  return undefined
}

/** https://console.spec.whatwg.org/#trace */
const trace: Native<Machine> = (m, _this, args) => {
  const message = format(m, args)
  const stack = ownDataValue(newError(m, "Error", ""), "stack")
  const lines = typeof stack === "string" ? stack.split("\n").slice(1) : []
  print(m, "error", [message === "" ? "Trace" : `Trace: ${message}`, ...lines].join("\n"))
  return undefined
}

/** https://console.spec.whatwg.org/#count */
const count: Native<Machine> = (m, _this, args) => {
  const label = labelOf(m, args[0])
  const { counts } = stateOf(m)
  m.allocate(64)
  const n = (counts.get(label) ?? 0) + 1
  counts.set(label, n)
  print(m, "log", `${label}: ${n}`)
  return undefined
}

/** https://console.spec.whatwg.org/#countreset */
const countReset: Native<Machine> = (m, _this, args) => {
  const label = labelOf(m, args[0])
  if (!stateOf(m).counts.delete(label)) print(m, "warn", `Count for '${label}' does not exist`)
  return undefined
}

const GROUP_INDENT = 2
const MAX_INDENT = 80

/** https://console.spec.whatwg.org/#group */
const group: Native<Machine> = (m, _this, args) => {
  if (args.length > 0) print(m, "log", format(m, args))
  const state = stateOf(m)
  state.indent = Math.min(state.indent + GROUP_INDENT, MAX_INDENT)
  return undefined
}

/** https://console.spec.whatwg.org/#groupend */
const groupEnd: Native<Machine> = (m) => {
  const state = stateOf(m)
  state.indent = Math.max(state.indent - GROUP_INDENT, 0)
  return undefined
}

/** https://console.spec.whatwg.org/#time */
const time: Native<Machine> = (m, _this, args) => {
  const label = labelOf(m, args[0])
  const { timers } = stateOf(m)
  m.allocate(64)
  if (timers.has(label)) print(m, "warn", `Label '${label}' already exists for console.time()`)
  else timers.set(label, m.host.monotonic())
  return undefined
}

/** A duration in milliseconds, in the largest unit that it reaches. */
const duration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${Number(milliseconds.toFixed(3))}ms`
  if (milliseconds < 60000) return `${(milliseconds / 1000).toFixed(3)}s`
  const minutes = Math.floor(milliseconds / 60000)
  return `${minutes}:${(milliseconds % 60000 / 1000).toFixed(3).padStart(6, "0")} (m:ss.mmm)`
}

const timeReport = (name: "timeLog" | "timeEnd"): Member =>
  method(name, 0, (m, _this, args) => {
    const label = labelOf(m, args[0])
    const { timers } = stateOf(m)
    const start = timers.get(label)
    if (start === undefined) {
      print(m, "warn", `No such label '${label}' for console.${name}()`)
      return undefined
    }
    const rest = name === "timeLog" && args.length > 1 ? ` ${format(m, args.slice(1))}` : ""
    print(m, "log", `${label}: ${duration(m.host.monotonic() - start)}${rest}`)
    if (name === "timeEnd") timers.delete(label)
    return undefined
  })

/** https://console.spec.whatwg.org/#console-namespace */
export const consoleIntrinsics: Intrinsics = {
  console: object({
    name: "console",
    kind: Kind.Internal,
    data: () => new ConsoleState(),
    members: [
      method("assert", 0, assert),
      logger("debug", "debug"),
      logger("error", "error"),
      logger("info", "info"),
      logger("log", "log"),
      method("table", 0, table),
      method("trace", 0, trace),
      logger("warn", "warn"),
      method("dir", 0, dir),
      logger("dirxml", "log"),
      method("count", 0, count),
      method("countReset", 0, countReset),
      method("group", 0, group),
      method("groupCollapsed", 0, group),
      method("groupEnd", 0, groupEnd),
      method("time", 0, time),
      timeReport("timeLog"),
      timeReport("timeEnd"),
      tag(SymbolToStringTag, "console"),
    ],
  }),
}
