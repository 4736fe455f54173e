// The methods of `String.prototype` that leave the work to an object with `Symbol.match` and the like, if they get one.
import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  construct,
  get,
  getMethod,
  getV,
  isCallable,
  isObject,
  Kind,
  newElements,
  NOT_QUICK,
  Pause,
  requireObjectCoercible,
  SymbolMatch,
  SymbolMatchAll,
  SymbolReplace,
  SymbolSearch,
  SymbolSplit,
  toString,
  toUint32,
  type Value,
} from "../object/index.ts"
import { hold } from "./iteration.ts"
import type { RegExpData } from "./regexp-exec.ts"
import { replacePristine } from "./regexp-match.ts"
import { isPlainReplacement, replacePatternQuickly, splitPatternQuickly } from "./regexp-quick.ts"
import { getSubstitution } from "./string-substitution.ts"
import { indexOf, keepPart, needsLinearSearch, reserveString, substring, TextBuilder } from "./text.ts"

/** https://tc39.es/ecma262/#sec-isregexp */
export const isRegExp = (m: Machine, value: Value): boolean => {
  if (!isObject(value)) return false
  const matcher = get(m, value, SymbolMatch)
  return matcher === undefined ? value.kind === Kind.RegExp : Boolean(matcher)
}

/** https://tc39.es/ecma262/#sec-regexpcreate, then the method of that symbol called on the new object. */
function* invokeOnNewRegExp(
  m: Machine,
  pattern: Value,
  flags: string | undefined,
  symbol: symbol,
  text: string,
): Calls {
  const source = pattern === undefined ? undefined : toString(m, pattern)
  const regexp = yield construct(m.realm.intrinsic("RegExp"), [source, flags])
  return yield call(getV(m, regexp, symbol), regexp, [text])
}

/** https://tc39.es/ecma262/#sec-string.prototype.match */
export function* match(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  requireObjectCoercible(m, thisValue, "String.prototype.match")
  const regexp = args[0]
  if (isObject(regexp)) {
    const matcher = getMethod(m, regexp, SymbolMatch)
    if (matcher !== undefined) return yield call(matcher, regexp, [thisValue])
  }
  return yield* invokeOnNewRegExp(m, regexp, undefined, SymbolMatch, toString(m, thisValue))
}

const requireGlobal = (m: Machine, regexp: Value, name: string): void => {
  if (!isObject(regexp) || !isRegExp(m, regexp)) return
  const flags = get(m, regexp, "flags")
  requireObjectCoercible(m, flags, `String.prototype.${name}`)
  if (!toString(m, flags).includes("g")) {
    throw m.typeError(`String.prototype.${name} called with a non-global RegExp argument`)
  }
}

/** https://tc39.es/ecma262/#sec-string.prototype.matchall */
export function* matchAll(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  requireObjectCoercible(m, thisValue, "String.prototype.matchAll")
  const regexp = args[0]
  if (isObject(regexp)) {
    requireGlobal(m, regexp, "matchAll")
    const matcher = getMethod(m, regexp, SymbolMatchAll)
    if (matcher !== undefined) return yield call(matcher, regexp, [thisValue])
  }
  return yield* invokeOnNewRegExp(m, regexp, "g", SymbolMatchAll, toString(m, thisValue))
}

/** https://tc39.es/ecma262/#sec-string.prototype.search */
export function* search(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  requireObjectCoercible(m, thisValue, "String.prototype.search")
  const regexp = args[0]
  if (isObject(regexp)) {
    const searcher = getMethod(m, regexp, SymbolSearch)
    if (searcher !== undefined) return yield call(searcher, regexp, [thisValue])
  }
  return yield* invokeOnNewRegExp(m, regexp, undefined, SymbolSearch, toString(m, thisValue))
}

/** https://tc39.es/ecma262/#sec-string.prototype.replace */
export function* replace(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  requireObjectCoercible(m, thisValue, "String.prototype.replace")
  const [searchValue, replaceValue] = args
  if (isObject(searchValue)) {
    const replacer = getMethod(m, searchValue, SymbolReplace)
    if (replacer !== undefined) return yield call(replacer, searchValue, [thisValue, replaceValue])
  }
  const text = toString(m, thisValue)
  const needle = toString(m, searchValue)
  const template = isCallable(replaceValue) ? undefined : toString(m, replaceValue)
  const position = yield* indexOf(m, text, needle, 0)
  if (position < 0) return text
  const replacement = template === undefined
    ? toString(m, yield call(replaceValue, undefined, [needle, position, text]))
    : getSubstitution(m, needle, text, position, [], undefined, template)
  reserveString(m, text.length - needle.length + replacement.length)
  return text.slice(0, position) + replacement + text.slice(position + needle.length)
}

/** The common cases of `replace`: by a text. */
export const replaceQuickly = (
  m: Machine,
  text: Value,
  [pattern, template]: Array<Value>,
): Value | typeof NOT_QUICK => {
  if (typeof text !== "string" || typeof template !== "string") return NOT_QUICK
  if (isPlainReplacement(m, text, pattern)) return replacePatternQuickly(m, text, pattern, template)
  if (typeof pattern !== "string" || needsLinearSearch(text, pattern)) return NOT_QUICK
  m.charge(text.length >> 4)
  const position = text.indexOf(pattern)
  if (position < 0) return text
  const replacement = getSubstitution(m, pattern, text, position, [], undefined, template)
  reserveString(m, text.length - pattern.length + replacement.length)
  return text.slice(0, position) + replacement + text.slice(position + pattern.length)
}

/** What `replace` and `replaceAll` do where that is not over at once. */
export const replaceSteps = (
  steps: (m: Machine, thisValue: Value, args: Array<Value>) => Calls,
  needsGlobal: boolean,
): (m: Machine, thisValue: Value, args: Array<Value>) => Calls =>
(m, text, args) => {
  const [pattern, replacement] = args
  if (!isCallable(replacement) || !isPlainReplacement(m, text, pattern)) return steps(m, text, args)
  if (needsGlobal && !(pattern.data as RegExpData).compiled.flags.global) return steps(m, text, args)
  return replacePristine(m, pattern, text as string, replacement)
}

/** https://tc39.es/ecma262/#sec-string.prototype.replaceall */
export function* replaceAll(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  requireObjectCoercible(m, thisValue, "String.prototype.replaceAll")
  const [searchValue, replaceValue] = args
  if (isObject(searchValue)) {
    requireGlobal(m, searchValue, "replaceAll")
    const replacer = getMethod(m, searchValue, SymbolReplace)
    if (replacer !== undefined) return yield call(replacer, searchValue, [thisValue, replaceValue])
  }
  const text = toString(m, thisValue)
  const needle = toString(m, searchValue)
  const template = isCallable(replaceValue) ? undefined : toString(m, replaceValue)
  const isPlain = template !== undefined && !template.includes("$")
  const advance = Math.max(needle.length, 1)
  const result = new TextBuilder()
  hold(m, result)
  let end = 0
  let position = yield* indexOf(m, text, needle, 0)
  for (let count = 1; position >= 0; count++) {
    m.charge(16)
    if (count % BLOCK === 0) yield Pause
    const replacement = isPlain
      ? template
      : template === undefined
      ? toString(m, yield call(replaceValue, undefined, [needle, position, text]))
      : getSubstitution(m, needle, text, position, [], undefined, template)
    const length = result.length + position - end + replacement.length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    m.charge(replacement.length >> 3)
    m.allocate(32 + 2 * (position - end + replacement.length))
    result.append(text.slice(end, position) + replacement)
    end = position + needle.length
    // The whole text was paid for by the first search.
    position = position + advance > text.length
      ? -1
      : needle.length > 64
      ? yield* indexOf(m, text, needle, position + advance)
      : text.indexOf(needle, position + advance)
  }
  if (result.length + text.length - end > m.maxStringLength) throw m.rangeError("Invalid string length")
  return end < text.length ? result.text + text.slice(end) : result.text
}

/** The common cases of `replaceAll`: short texts by a text without placeholders, and what `replace` does too. */
export const replaceAllQuickly = (m: Machine, text: Value, args: Array<Value>): Value | typeof NOT_QUICK => {
  const [pattern, template] = args
  if (typeof text !== "string" || typeof template !== "string") return NOT_QUICK
  if (typeof pattern !== "string") {
    return isPlainReplacement(m, text, pattern) && (pattern.data as RegExpData).compiled.flags.global
      ? replacePatternQuickly(m, text, pattern, template)
      : NOT_QUICK
  }
  if (text.length > SHORT_TEXT || pattern.length > 64 || template.includes("$")) return NOT_QUICK
  m.charge(1 + (text.length >> 4))
  const advance = Math.max(pattern.length, 1)
  let count = 0
  for (let at = text.indexOf(pattern); at >= 0; count++) {
    at = at + advance > text.length ? -1 : text.indexOf(pattern, at + advance)
  }
  m.charge(count * 16)
  if (count === 0) return text
  reserveString(m, text.length + count * (template.length - pattern.length))
  return text.replaceAll(pattern, template)
}

/** What an element of the resulting array takes, in bytes. */
const PART_BYTES = 40

/** How many parts are made between two chances to pause. */
const BLOCK = 4096

/** https://tc39.es/ecma262/#sec-string.prototype.split */
export function* split(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  requireObjectCoercible(m, thisValue, "String.prototype.split")
  const [separator, limit] = args
  if (isObject(separator)) {
    const splitter = getMethod(m, separator, SymbolSplit)
    if (splitter !== undefined) return yield call(splitter, separator, [thisValue, limit])
  }
  const text = toString(m, thisValue)
  const count = limit === undefined ? 4294967295 : toUint32(m, limit)
  const by = toString(m, separator)
  if (count === 0) return m.realm.newArray(newElements())
  if (separator === undefined) return m.realm.newArray(newElements(text))
  if (text === "") return m.realm.newArray(by === "" ? [] : [text])
  return m.realm.newArray(yield* splitText(m, text, by, count))
}

/** Texts up to here are split by the host at once. */
const SHORT_TEXT = 8192

/** The common cases of `split`: of short texts, and by regular expressions. */
export const splitQuickly = (m: Machine, text: Value, [separator, limit]: Array<Value>): Value | typeof NOT_QUICK => {
  if (typeof text !== "string" || limit !== undefined) return NOT_QUICK
  if (typeof separator !== "string") return splitPatternQuickly(m, text, separator)
  if (text.length > SHORT_TEXT || separator.length > 64) return NOT_QUICK
  return m.realm.newArray(splitShort(m, text, separator, 4294967295))
}

/** Parts of a text of `whole` units that is no longer than `SHORT_TEXT`, or has no more than one part. */
const splitShort = (
  m: Machine,
  text: string,
  separator: string,
  limit: number,
  whole = text.length,
): Array<string> => {
  const parts = text.split(separator, limit)
  m.charge(parts.length * 2 + (text.length >> 4))
  m.allocate(parts.length * PART_BYTES)
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!
    if (part.length >= 13) parts[i] = keepPart(m, part, whole)
  }
  return parts
}

function* splitText(m: Machine, text: string, separator: string, limit: number): Calls<Array<Value>> {
  if (text.length <= SHORT_TEXT && separator.length <= 64) return splitShort(m, text, separator, limit)
  if (separator === "") return yield* splitUnits(m, text, limit)
  if (separator.length === 1) return yield* splitInPieces(m, text, separator, limit)
  const parts: Array<Value> = newElements()
  let start = 0
  // A search pays for what it passes over; a long separator is searched for in linear time.
  const isLong = separator.length > 64
  if (!isLong) m.charge(text.length >> 4)
  for (;;) {
    const end = isLong ? yield* indexOf(m, text, separator, start) : text.indexOf(separator, start)
    if (end < 0) break
    if (parts.length % BLOCK === 0) {
      // Paid for the whole block, so that the loop is short.
      m.charge(BLOCK * 6)
      m.allocate(BLOCK * PART_BYTES)
      if (parts.length > 0) yield Pause
    }
    const part = text.slice(start, end)
    parts.push(part.length < 13 ? part : keepPart(m, part, text.length))
    if (parts.length >= limit) return parts
    start = end + separator.length
  }
  parts.push(substring(m, text, start, text.length))
  return parts
}

/** The same where the separator is one unit: the host splits piece after piece, each of which ends before a separator. */
function* splitInPieces(m: Machine, text: string, separator: string, limit: number): Calls<Array<Value>> {
  const parts: Array<Value> = newElements()
  hold(m, parts)
  m.charge(text.length >> 4)
  let start = 0
  while (start + SHORT_TEXT < text.length && parts.length < limit) {
    // The separator before this piece ends the search, if not one in it.
    const last = text.lastIndexOf(separator, start + SHORT_TEXT - 1)
    const end = last >= start ? last : text.indexOf(separator, start + SHORT_TEXT)
    if (end < 0) break
    for (const part of splitShort(m, text.slice(start, end), separator, limit - parts.length, text.length)) {
      parts.push(part)
    }
    start = end + 1
    yield Pause
  }
  if (parts.length >= limit) return parts
  for (const part of splitShort(m, text.slice(start), separator, limit - parts.length, text.length)) parts.push(part)
  return parts
}

/** https://tc39.es/ecma262/#sec-string.prototype.split with an empty separator: the code units. */
function* splitUnits(m: Machine, text: string, limit: number): Calls<Array<Value>> {
  const length = Math.min(text.length, limit)
  const parts: Array<Value> = newElements()
  for (let start = 0; start < length; start += BLOCK) {
    const end = Math.min(start + BLOCK, length)
    m.charge((end - start) * 3)
    m.allocate((end - start) * 16)
    for (let i = start; i < end; i++) parts.push(text[i]!)
    yield Pause
  }
  return parts
}
