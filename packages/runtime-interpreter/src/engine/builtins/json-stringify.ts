import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  constructorName,
  createDataProperty,
  enumerableOwnKeys,
  get,
  getV,
  indexKey,
  isArray,
  isCallable,
  isObject,
  type JSObject,
  keyToValue,
  Kind,
  lengthOfArrayLike,
  Pause,
  type PropertyKey,
  toNumber,
  toString,
  type Value,
} from "../object/index.ts"
import { hold } from "./iteration.ts"
import { MAX_VALUES, PlainWriter } from "./json-plain.ts"
import { PIECE, quote, quoteLong } from "./json-quote.ts"
import { isRawJson } from "./json-raw.ts"
import { TextBuilder } from "./text.ts"

/** What `JSON.stringify` was asked for beside the value. */
export interface StringifyOptions {
  readonly replacer: JSObject | undefined
  /** The keys that objects are reduced to. */
  readonly keys: ReadonlyArray<string | number> | undefined
  readonly gap: string
}

/** How many values, each of which may call something of the program's, are written between two chances to pause. */
const PAUSE_VALUES = 500

/** The text of a few plain values; undefined where they are not plain, or not few. */
export const stringifyPlain = (m: Machine, value: Value): string | undefined => new PlainWriter(m, "").text(value, "")

/** An array or object that is being written. */
interface Level {
  readonly value: JSObject
  /** The key under which it stands in the one before. */
  readonly key: PropertyKey
  /** An object's keys; undefined for an array. */
  readonly keys: ReadonlyArray<string | number> | undefined
  readonly count: number
  readonly indent: string
  index: number
  empty: boolean
}

/**
 * https://tc39.es/ecma262/#sec-serializejsonproperty, with a stack of its own in place of recursion. The writer has given up the
 * whole.
 */
export function* stringify(
  m: Machine,
  root: Value,
  options: StringifyOptions,
  writer: PlainWriter,
): Calls<string | undefined> {
  const { gap, keys, replacer } = options
  const simple = replacer === undefined && keys === undefined
  const wrapper = m.realm.newObject()
  createDataProperty(m, wrapper, "", root)
  const levels: Array<Level> = []
  const open = new Set<JSObject>()
  const out = new TextBuilder()
  hold(m, levels)
  hold(m, out)
  let pauseAt = PAUSE_VALUES
  let holder = wrapper
  let key: PropertyKey = ""
  let value: Value = root
  const append = (text: string): void => {
    if (out.length + text.length > m.maxStringLength) throw m.rangeError("Invalid string length")
    m.charge(text.length >> 3)
    m.allocate(text.length * 2 + 16)
    out.append(text)
  }
  for (;;) {
    // Here `value` was just read from `holder` under `key`.
    m.charge(8)
    if (++writer.written + writer.wasted > pauseAt) {
      pauseAt = writer.written + writer.wasted + PAUSE_VALUES
      yield Pause
    }
    if (isObject(value) || typeof value === "bigint") {
      const toJson = getV(m, value, "toJSON")
      if (isCallable(toJson)) value = yield call(toJson, value, [keyToValue(key)])
    }
    if (replacer !== undefined) value = yield call(replacer, holder, [keyToValue(key), value])
    const level = levels.at(-1)
    let text: string | undefined
    let opened: Level | undefined
    if (isObject(value) && isRawJson(value)) text = toString(m, get(m, value, "rawJSON"))
    else if (isObject(value)) value = unwrap(m, value)
    if (typeof value === "string") text = value.length <= PIECE ? quote(m, value) : yield* quoteLong(m, value)
    else if (!isObject(value)) text = primitiveText(m, value)
    else if (text === undefined && !isCallable(value)) {
      const indent = level === undefined ? "" : level.indent + gap
      // Inner values are tried as plain data, as long as that pays off.
      if (simple && level !== undefined && writer.wasted <= writer.written + 10 * MAX_VALUES) {
        text = writer.text(value, indent)
      }
      if (text === undefined) {
        if (open.has(value)) throw m.typeError(circularMessage(m, levels, value, key))
        opened = openLevel(m, value, key, keys, indent)
      }
    }
    if (opened !== undefined) text = opened.keys === undefined ? "[" : "{"
    if (level === undefined) {
      if (opened === undefined) return text
      append(text!)
    } else if (level.keys === undefined || text !== undefined) {
      const head = level.keys === undefined ? "" : quote(m, String(key)) + (gap === "" ? ":" : ": ")
      const before = gap === "" ? level.empty ? "" : "," : `${level.empty ? "" : ","}\n${level.indent}${gap}`
      append(before + head + (text ?? "null"))
      level.empty = false
    }
    if (opened !== undefined) {
      levels.push(opened)
      open.add(opened.value)
      m.allocate(128)
    }
    // On to the next value, closing what is complete.
    for (;;) {
      const top = levels.at(-1)!
      if (top.index < top.count) {
        holder = top.value
        key = top.keys === undefined ? indexKey(top.index) : top.keys[top.index]!
        top.index++
        value = get(m, holder, key)
        break
      }
      const end = top.keys === undefined ? "]" : "}"
      append(top.empty || gap === "" ? end : `\n${top.indent}${end}`)
      levels.pop()
      open.delete(top.value)
      if (levels.length === 0) return out.text
    }
  }
}

/** The primitive in a wrapper object, or the object itself. */
const unwrap = (m: Machine, o: JSObject): Value => {
  switch (o.kind) {
    case Kind.Number:
      return toNumber(m, o)
    case Kind.String:
      return toString(m, o)
    case Kind.Boolean:
    case Kind.BigInt:
      return o.data
    default:
      return o
  }
}

const primitiveText = (m: Machine, value: Value): string | undefined => {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? String(value) : "null"
    case "boolean":
      return value ? "true" : "false"
    case "bigint":
      throw m.typeError("Do not know how to serialize a BigInt")
    default:
      return value === null ? "null" : undefined
  }
}

const openLevel = (
  m: Machine,
  value: JSObject,
  key: PropertyKey,
  keys: ReadonlyArray<string | number> | undefined,
  indent: string,
): Level => {
  if (indent.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  m.charge(indent.length >> 3)
  if (isArray(m, value)) {
    return { value, key, keys: undefined, count: lengthOfArrayLike(m, value), indent, index: 0, empty: true }
  }
  const own = keys ?? enumerableOwnKeys(m, value)
  return { value, key, keys: own, count: own.length, indent, index: 0, empty: true }
}

/** V8's message about a cycle: where it starts, some of its steps, and what closes it. */
const circularMessage = (m: Machine, levels: ReadonlyArray<Level>, value: JSObject, key: PropertyKey): string => {
  const start = levels.findIndex((level) => level.value === value)
  const step = (key: PropertyKey): string => typeof key === "number" ? `index ${key}` : `property '${String(key)}'`
  const describe = (level: Level): string => `object with constructor '${constructorName(m, level.value) ?? "Object"}'`
  const lines = ["Converting circular structure to JSON", `    --> starting at ${describe(levels[start]!)}`]
  const last = levels.length - 1
  for (let i = start + 1; i <= last; i++) {
    if (i > start + 2 && i < last) {
      if (i === start + 3) lines.push("    |     ...")
      continue
    }
    lines.push(`    |     ${step(levels[i]!.key)} -> ${describe(levels[i]!)}`)
  }
  lines.push(`    --- ${step(key)} closes the circle`)
  return lines.join("\n")
}
