import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  type Calls,
  isObject,
  Kind,
  LONG_TEXT,
  type Native,
  Pause,
  requireObjectCoercible,
  SymbolIterator,
  toIntegerOrInfinity,
  toLength,
  toNumber,
  toRelativeIndex,
  toString,
  type Value,
} from "../object/index.ts"
import { alias, type Member, method, quickMethod } from "./define.ts"
import { hold } from "./iteration.ts"
import { compareTexts, localesOf } from "./locale.ts"
import { normalizeText } from "./normalize.ts"
import { matchAllQuickly, matchQuickly, searchQuickly } from "./regexp-quick.ts"
import { StringIterator } from "./string-iterator.ts"
import {
  isRegExp,
  match,
  matchAll,
  replace,
  replaceAll,
  replaceAllQuickly,
  replaceQuickly,
  replaceSteps,
  search,
  split,
  splitQuickly,
} from "./string-patterns.ts"
import {
  codePointAt,
  findText,
  fromUnits,
  keepPart,
  lastIndexOf,
  loneSurrogate,
  loneSurrogateIn,
  mapText,
  reserveString,
  substring,
  TextBuilder,
} from "./text.ts"

/** The text of `this`, as every method of `String.prototype` begins. */
const thisText = (m: Machine, thisValue: Value, name: string): string => {
  if (typeof thisValue === "string") {
    if (thisValue.length > LONG_TEXT) m.touch(thisValue)
    return thisValue
  }
  requireObjectCoercible(m, thisValue, `String.prototype.${name}`)
  return toString(m, thisValue)
}

/** https://tc39.es/ecma262/#sec-thisstringvalue */
const thisString = (m: Machine, value: Value, name: string): string => {
  if (typeof value === "string") return value
  if (isObject(value) && value.kind === Kind.String) return value.data
  throw m.typeError(`String.prototype.${name} requires that 'this' be a String`)
}

/** The text to look for, which must not be a regular expression. */
const searchText = (m: Machine, value: Value, name: string): string => {
  if (typeof value === "string") return toString(m, value)
  if (isRegExp(m, value)) {
    throw m.typeError(`First argument to String.prototype.${name} must not be a regular expression`)
  }
  return toString(m, value)
}

const clamp = (n: number, low: number, high: number): number => n < low ? low : n > high ? high : n

/** https://tc39.es/ecma262/#sec-string.prototype.at */
const at: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "at")
  const relative = toIntegerOrInfinity(m, args[0])
  const index = relative >= 0 ? relative : text.length + relative
  return index < 0 || index >= text.length ? undefined : text[index]
}

/** https://tc39.es/ecma262/#sec-string.prototype.charat */
const charAt: Native<Machine> = (m, thisValue, args) =>
  thisText(m, thisValue, "charAt").charAt(toIntegerOrInfinity(m, args[0]))

/** https://tc39.es/ecma262/#sec-string.prototype.charcodeat */
const charCodeAt: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "charCodeAt")
  const index = args[0]
  return text.charCodeAt(typeof index === "number" ? index : toIntegerOrInfinity(m, index))
}

/** https://tc39.es/ecma262/#sec-string.prototype.codepointat */
const codePointAtMethod: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "codePointAt")
  const position = toIntegerOrInfinity(m, args[0])
  return position < 0 || position >= text.length ? undefined : codePointAt(text, position)
}

/** https://tc39.es/ecma262/#sec-string.prototype.concat */
const concat: Native<Machine> = (m, thisValue, args) => {
  let text = thisText(m, thisValue, "concat")
  for (const arg of args) {
    const part = toString(m, arg)
    m.charge(1)
    if (text.length + part.length > m.maxStringLength) throw m.rangeError("Invalid string length")
    m.charge(part.length >> 3)
    m.allocate(32 + part.length * 2)
    text += part
  }
  return text
}

/** https://tc39.es/ecma262/#sec-string.prototype.endswith */
const endsWith: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "endsWith")
  const needle = searchText(m, args[0], "endsWith")
  const end = args[1] === undefined ? text.length : clamp(toIntegerOrInfinity(m, args[1]), 0, text.length)
  if (needle.length > 15) m.charge(needle.length >> 4)
  return text.endsWith(needle, end)
}

/** https://tc39.es/ecma262/#sec-string.prototype.includes */
const includes: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "includes")
  const needle = searchText(m, args[0], "includes")
  const from = args[1] === undefined ? 0 : clamp(toIntegerOrInfinity(m, args[1]), 0, text.length)
  return findText(m, text, needle, from, (index) => index >= 0)
}

/** https://tc39.es/ecma262/#sec-string.prototype.indexof */
const indexOfMethod: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "indexOf")
  const needle = toString(m, args[0])
  const from = args[1] === undefined ? 0 : clamp(toIntegerOrInfinity(m, args[1]), 0, text.length)
  return findText(m, text, needle, from, (index) => index)
}

/** https://tc39.es/ecma262/#sec-string.prototype.iswellformed */
const isWellFormed: Native<Machine> = (m, thisValue) => {
  const text = thisText(m, thisValue, "isWellFormed")
  if (text.length > LONG_SEARCH) return inSteps(m, [text], wellFormedSteps(m, text))
  m.charge(text.length >> 1)
  return loneSurrogate(text) < 0
}

/** Longer texts are searched for lone surrogates in steps. */
const LONG_SEARCH = 1 << 16

function* wellFormedSteps(m: Machine, text: string): Calls {
  return (yield* loneSurrogateIn(m, text)) < 0
}

/** https://tc39.es/ecma262/#sec-string.prototype.lastindexof */
const lastIndexOfMethod: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "lastIndexOf")
  const needle = toString(m, args[0])
  const number = toNumber(m, args[1])
  const position = Number.isNaN(number) ? Infinity : Math.trunc(number)
  return lastIndexOf(m, text, needle, clamp(position, 0, text.length))
}

/** https://tc39.es/ecma402/#sup-String.prototype.localeCompare */
const localeCompare: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "localeCompare")
  return compareTexts(m, text, toString(m, args[0]), args[1], args[2])
}

/** https://tc39.es/ecma262/#sec-string.prototype.normalize */
const normalize: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "normalize")
  const form = args[0] === undefined ? "NFC" : toString(m, args[0])
  if (form !== "NFC" && form !== "NFD" && form !== "NFKC" && form !== "NFKD") {
    throw m.rangeError("The normalization form should be one of NFC, NFD, NFKC, NFKD.")
  }
  return normalizeText(m, text, form)
}

const pad = (name: "padStart" | "padEnd"): Native<Machine> => (m, thisValue, args) => {
  const text = thisText(m, thisValue, name)
  const length = toLength(m, args[0])
  if (length <= text.length) return text
  const fill = args[1] === undefined ? " " : toString(m, args[1])
  if (fill === "") return text
  reserveString(m, length)
  return text[name](length, fill)
}

/** https://tc39.es/ecma262/#sec-string.prototype.repeat */
const repeat: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "repeat")
  const count = toIntegerOrInfinity(m, args[0])
  if (count < 0 || count === Infinity) throw m.rangeError(`Invalid count value: ${toString(m, args[0])}`)
  if (text === "" || count === 0) return ""
  reserveString(m, text.length * count)
  return text.repeat(count)
}

/** https://tc39.es/ecma262/#sec-string.prototype.slice */
const slice: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "slice")
  const from = toRelativeIndex(m, args[0], text.length, 0)
  const to = toRelativeIndex(m, args[1], text.length, text.length)
  return from >= to ? "" : substring(m, text, from, to)
}

/** https://tc39.es/ecma262/#sec-string.prototype.startswith */
const startsWith: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "startsWith")
  const needle = searchText(m, args[0], "startsWith")
  const start = args[1] === undefined ? 0 : clamp(toIntegerOrInfinity(m, args[1]), 0, text.length)
  if (needle.length > 15) m.charge(needle.length >> 4)
  return text.startsWith(needle, start)
}

/** https://tc39.es/ecma262/#sec-string.prototype.substring */
const substringMethod: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "substring")
  const start = clamp(toIntegerOrInfinity(m, args[0]), 0, text.length)
  const end = args[1] === undefined ? text.length : clamp(toIntegerOrInfinity(m, args[1]), 0, text.length)
  return start < end ? substring(m, text, start, end) : substring(m, text, end, start)
}

/** https://tc39.es/ecma262/#sec-string.prototype.substr */
const substr: Native<Machine> = (m, thisValue, args) => {
  const text = thisText(m, thisValue, "substr")
  const start = toRelativeIndex(m, args[0], text.length, 0)
  const length = args[1] === undefined ? text.length : toIntegerOrInfinity(m, args[1])
  const end = clamp(start + clamp(length, 0, text.length), 0, text.length)
  return start >= end ? "" : substring(m, text, start, end)
}

/** https://tc39.es/ecma402/#sup-string.prototype.tolocalelowercase and its sibling. */
const localeCase = (name: "toLocaleLowerCase" | "toLocaleUpperCase"): Native<Machine> => (m, thisValue, args) => {
  const text = thisText(m, thisValue, name)
  const locale = localesOf(m, args[0])[0]!
  return mapText(m, text, 1, (part) => part[name](locale))
}

/** https://tc39.es/ecma262/#sec-string.prototype.tolowercase */
const toLowerCase: Native<Machine> = (m, thisValue) => {
  const text = thisText(m, thisValue, "toLowerCase")
  return text.length < 64 ? text.toLowerCase() : mapText(m, text, 1, (part) => part.toLowerCase())
}

/** https://tc39.es/ecma262/#sec-string.prototype.touppercase */
const toUpperCase: Native<Machine> = (m, thisValue) => {
  const text = thisText(m, thisValue, "toUpperCase")
  return text.length < 64 ? text.toUpperCase() : mapText(m, text, 1, (part) => part.toUpperCase())
}

/** https://tc39.es/ecma262/#sec-string.prototype.towellformed */
const toWellFormed: Native<Machine> = (m, thisValue) => {
  const text = thisText(m, thisValue, "toWellFormed")
  return text.length > LONG_SEARCH ? inSteps(m, [text], toWellFormedSteps(m, text)) : replaceLone(m, text)
}

const replaceLone = (m: Machine, text: string): string => {
  m.charge(text.length >> 1)
  let index = loneSurrogate(text)
  if (index < 0) return text
  m.charge(text.length * 2)
  m.allocate(text.length * 4)
  const units = new Uint16Array(text.length)
  for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
  for (; index >= 0; index = loneSurrogate(text, index + 1)) units[index] = 0xfffd
  return fromUnits(units)
}

function* toWellFormedSteps(m: Machine, text: string): Calls {
  if ((yield* loneSurrogateIn(m, text)) < 0) return text
  const result = new TextBuilder()
  hold(m, result)
  for (let start = 0; start < text.length;) {
    yield Pause
    let end = Math.min(start + LONG_SEARCH, text.length)
    // The halves of a pair stay together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
    result.append(replaceLone(m, text.slice(start, end)))
    start = end
  }
  return result.text
}

const trim = (name: "trim" | "trimStart" | "trimEnd"): Native<Machine> => (m, thisValue) => {
  const text = thisText(m, thisValue, name)
  m.charge(text.length >> 4)
  const trimmed = text[name]()
  return trimmed.length === text.length ? text : keepPart(m, trimmed, text.length)
}

/** https://tc39.es/ecma262/#sec-string.prototype-@@iterator */
const iterator: Native<Machine> = (m, thisValue) => {
  const text = thisText(m, thisValue, "[Symbol.iterator]")
  m.allocate(64)
  return m.realm.newObjectOf(Kind.Iterator, "StringIteratorPrototype", new StringIterator(text))
}

/** https://tc39.es/ecma262/#sec-createhtml */
const html = (name: string, tagName: string, attribute?: string): Member =>
  method(name, attribute === undefined ? 0 : 1, (m, thisValue, args) => {
    const text = thisText(m, thisValue, name)
    let open = tagName
    if (attribute !== undefined) {
      const value = toString(m, args[0])
      m.charge(value.length >> 2)
      reserveString(m, value.length * 6)
      open += ` ${attribute}="${value.replaceAll("\"", "&quot;")}"`
    }
    reserveString(m, open.length + text.length + tagName.length + 5)
    return `<${open}>${text}</${tagName}>`
  })

/** https://tc39.es/ecma262/#sec-properties-of-the-string-prototype-object */
export const stringPrototypeMembers: ReadonlyArray<Member> = [
  method("at", 1, at),
  method("charAt", 1, charAt),
  method("charCodeAt", 1, charCodeAt),
  method("codePointAt", 1, codePointAtMethod),
  method("concat", 1, concat),
  method("endsWith", 1, endsWith),
  method("includes", 1, includes),
  method("indexOf", 1, indexOfMethod),
  method("isWellFormed", 0, isWellFormed),
  method("lastIndexOf", 1, lastIndexOfMethod),
  method("localeCompare", 1, localeCompare),
  quickMethod("match", 1, matchQuickly, match),
  quickMethod("matchAll", 1, matchAllQuickly, matchAll),
  method("normalize", 0, normalize),
  method("padEnd", 1, pad("padEnd")),
  method("padStart", 1, pad("padStart")),
  method("repeat", 1, repeat),
  quickMethod("replace", 2, replaceQuickly, replaceSteps(replace, false)),
  quickMethod("replaceAll", 2, replaceAllQuickly, replaceSteps(replaceAll, true)),
  quickMethod("search", 1, searchQuickly, search),
  method("slice", 2, slice),
  quickMethod("split", 2, splitQuickly, split),
  method("startsWith", 1, startsWith),
  method("substring", 2, substringMethod),
  method("toLocaleLowerCase", 0, localeCase("toLocaleLowerCase")),
  method("toLocaleUpperCase", 0, localeCase("toLocaleUpperCase")),
  method("toLowerCase", 0, toLowerCase),
  method("toString", 0, (m, thisValue) => thisString(m, thisValue, "toString")),
  method("toUpperCase", 0, toUpperCase),
  method("toWellFormed", 0, toWellFormed),
  method("trim", 0, trim("trim")),
  method("trimEnd", 0, trim("trimEnd")),
  method("trimStart", 0, trim("trimStart")),
  method("valueOf", 0, (m, thisValue) => thisString(m, thisValue, "valueOf")),
  method(SymbolIterator, 0, iterator, { name: "[Symbol.iterator]" }),
  // https://tc39.es/ecma262/#sec-additional-properties-of-the-string.prototype-object
  method("substr", 2, substr),
  alias("trimLeft", "trimStart"),
  alias("trimRight", "trimEnd"),
  html("anchor", "a", "name"),
  html("big", "big"),
  html("blink", "blink"),
  html("bold", "b"),
  html("fixed", "tt"),
  html("fontcolor", "font", "color"),
  html("fontsize", "font", "size"),
  html("italics", "i"),
  html("link", "a", "href"),
  html("small", "small"),
  html("strike", "strike"),
  html("sub", "sub"),
  html("sup", "sup"),
]
