// The common cases of methods that match: of unchanged regular expressions, over at once, without a frame.
import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  isBuiltin,
  isObject,
  type JSObject,
  Kind,
  LONG_TEXT,
  newElements,
  NOT_QUICK,
  SymbolMatch,
  SymbolMatchAll,
  SymbolReplace,
  SymbolSearch,
  SymbolSpecies,
  SymbolSplit,
  type Value,
} from "../object/index.ts"
import { Matcher } from "../regexp/index.ts"
import {
  advanceStringIndex,
  captureOf,
  isPristine,
  MATCH_STEPS,
  matchResult,
  newStandardRegExp,
  type Positions,
  quickExec,
  type RegExpData,
  setLastIndex,
  tryMatch,
} from "./regexp-exec.ts"
import { RegExpStringIterator } from "./regexp-match.ts"
import { foundAt, Replacer } from "./regexp-replacer.ts"
import { substring } from "./text.ts"

type Quick = Value | typeof NOT_QUICK

/** How much is done at once, in steps. */
const BLOCK = 8192

const valueOf = (o: JSObject, key: string | symbol): unknown => {
  const slot = o.shape.lookup(key)
  return slot < 0 ? undefined : o.slots[slot]
}

/** Whether a value is a regular expression for which this method of strings does what the standard's method of that symbol does. */
const isPlain = (m: Machine, value: Value, symbol: symbol): value is JSObject => {
  if (!isObject(value) || !isPristine(m, value)) return false
  const method = valueOf(value.shape.proto!, symbol)
  return isObject(method) && isBuiltin(method, `RegExp.prototype[${symbol.description}]`)
}

/** Whether what is made of a pristine regular expression is made by `RegExp` itself. */
const hasDefaultSpecies = (m: Machine, r: JSObject): boolean => {
  const constructor = valueOf(r.shape.proto!, "constructor")
  if (!isObject(constructor) || constructor !== m.realm.peek("RegExp")) return false
  const species = valueOf(constructor, SymbolSpecies)
  return species instanceof Accessor && species.get !== undefined &&
    isBuiltin(species.get, "get RegExp[Symbol.species]")
}

/** All matches of a global expression, in order, if that takes no more than a block. Says whether it was so. */
const eachMatch = (m: Machine, r: JSObject, text: string, visit: (positions: Positions) => void): boolean => {
  const { compiled }: RegExpData = r.data
  if (text.length > LONG_TEXT) m.touch(text)
  setLastIndex(m, r, 0)
  const least = m.budget - BLOCK
  for (let at = 0; at <= text.length;) {
    const positions = tryMatch(m, compiled, text, at, compiled.flags.sticky)
    if (positions instanceof Matcher) {
      Matcher.release(positions)
      return false
    }
    if (positions === null) return true
    m.charge(MATCH_STEPS)
    if (m.budget < least) return false
    const end = positions[1]!
    at = end === positions[0] ? advanceStringIndex(text, end, compiled.program.unicode) : end
    visit(positions)
  }
  return true
}

/** https://tc39.es/ecma262/#sec-regexp.prototype.exec */
export const execQuickly = (m: Machine, r: Value, [text]: Array<Value>): Quick => {
  if (!isObject(r) || r.kind !== Kind.RegExp || typeof text !== "string") return NOT_QUICK
  const positions = quickExec(m, r, text)
  if (positions === NOT_QUICK) return NOT_QUICK
  return positions === null ? null : matchResult(m, (r.data as RegExpData).compiled, text, positions)
}

/** https://tc39.es/ecma262/#sec-regexp.prototype.test */
export const testQuickly = (m: Machine, r: Value, [text]: Array<Value>): Quick => {
  if (!isObject(r) || typeof text !== "string" || !isPristine(m, r)) return NOT_QUICK
  const positions = quickExec(m, r, text)
  return positions === NOT_QUICK ? NOT_QUICK : positions !== null
}

/** https://tc39.es/ecma262/#sec-string.prototype.match */
export const matchQuickly = (m: Machine, text: Value, args: Array<Value>): Quick => {
  const r = args[0]
  if (typeof text !== "string" || !isPlain(m, r, SymbolMatch)) return NOT_QUICK
  if (!(r.data as RegExpData).compiled.flags.global) return execQuickly(m, r, [text])
  const found: Array<Value> = newElements()
  const done = eachMatch(m, r, text, (positions) => {
    m.allocate(16)
    found.push(substring(m, text, positions[0]!, positions[1]!))
  })
  return !done ? NOT_QUICK : found.length === 0 ? null : m.realm.newArray(found)
}

/** https://tc39.es/ecma262/#sec-string.prototype.matchall */
export const matchAllQuickly = (m: Machine, text: Value, args: Array<Value>): Quick => {
  const r = args[0]
  if (typeof text !== "string" || !isPlain(m, r, SymbolMatchAll) || !hasDefaultSpecies(m, r)) return NOT_QUICK
  const data: RegExpData = r.data
  const { flags, program } = data.compiled
  const lastIndex: unknown = r.slots[0]
  if (!flags.global || typeof lastIndex !== "number" || lastIndex < 0 || !Number.isInteger(lastIndex)) return NOT_QUICK
  m.charge(32)
  m.allocate(96)
  const matcher = newStandardRegExp(m, data)
  matcher.slots[0] = lastIndex
  const state = new RegExpStringIterator(matcher, text, true, program.unicode)
  return m.realm.newObjectOf(Kind.Iterator, "RegExpStringIteratorPrototype", state)
}

/** https://tc39.es/ecma262/#sec-%regexpstringiteratorprototype%.next */
export const stringIteratorNextQuickly = (m: Machine, iterator: Value): Quick => {
  const state: unknown = isObject(iterator) ? iterator.data : undefined
  if (!(state instanceof RegExpStringIterator) || state.done || !state.global) return NOT_QUICK
  const { regexp, text, unicode } = state
  if (!isPristine(m, regexp)) return NOT_QUICK
  const positions = quickExec(m, regexp, text)
  if (positions === NOT_QUICK) return NOT_QUICK
  if (positions === null) {
    state.done = true
    return m.realm.newIteratorResult(undefined, true)
  }
  const end = positions[1]!
  if (end === positions[0]) setLastIndex(m, regexp, advanceStringIndex(text, end, unicode))
  return m.realm.newIteratorResult(matchResult(m, (regexp.data as RegExpData).compiled, text, positions), false)
}

/** https://tc39.es/ecma262/#sec-string.prototype.search */
export const searchQuickly = (m: Machine, text: Value, args: Array<Value>): Quick => {
  const r = args[0]
  if (typeof text !== "string" || !isPlain(m, r, SymbolSearch)) return NOT_QUICK
  const { global, sticky } = (r.data as RegExpData).compiled.flags
  if (global || sticky || r.slots[0] !== 0) return NOT_QUICK
  const positions = quickExec(m, r, text)
  return positions === NOT_QUICK ? NOT_QUICK : positions === null ? -1 : positions[0]!
}

/** Whether `replace` with this pattern is `replacePristine`. */
export const isPlainReplacement = (m: Machine, text: Value, pattern: Value): pattern is JSObject =>
  typeof text === "string" && isPlain(m, pattern, SymbolReplace)

/** https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.replace% by a text. */
export const replacePatternQuickly = (m: Machine, text: string, r: JSObject, template: string): Quick => {
  const { compiled }: RegExpData = r.data
  const replacer = new Replacer(m, text, template)
  const isPlainText = !template.includes("$")
  const replaceMatch = (positions: Positions): void => {
    if (isPlainText) replacer.addPlain(positions[0]!, positions[1]!)
    else replacer.addTemplate(foundAt(m, compiled, text, positions))
  }
  if (compiled.flags.global) return eachMatch(m, r, text, replaceMatch) ? replacer.finish() : NOT_QUICK
  const positions = quickExec(m, r, text)
  if (positions === NOT_QUICK) return NOT_QUICK
  if (positions === null) return text
  replaceMatch(positions)
  return replacer.finish()
}

/** https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.split% without a limit. */
export const splitPatternQuickly = (m: Machine, text: string, r: Value): Quick => {
  if (!isPlain(m, r, SymbolSplit) || !hasDefaultSpecies(m, r)) return NOT_QUICK
  const { compiled }: RegExpData = r.data
  const { groups, unicode } = compiled.program
  if (text.length > LONG_TEXT) m.touch(text)
  const least = m.budget - BLOCK
  const parts: Array<Value> = newElements()
  let start = 0
  for (let at = 0; at < text.length || at === 0;) {
    const positions = tryMatch(m, compiled, text, at, false)
    if (positions instanceof Matcher) {
      Matcher.release(positions)
      return NOT_QUICK
    }
    m.charge(MATCH_STEPS)
    if (m.budget < least) return NOT_QUICK
    if (text === "") return m.realm.newArray(positions === null ? [text] : [])
    if (positions === null || positions[0]! >= text.length) break
    const from = positions[0]!
    const end = positions[1]!
    if (end === start) {
      at = advanceStringIndex(text, from, unicode)
      continue
    }
    m.allocate(16 * groups)
    parts.push(substring(m, text, start, from))
    start = at = end
    for (let group = 1; group < groups; group++) parts.push(captureOf(m, text, positions, group))
  }
  parts.push(substring(m, text, start, text.length))
  return m.realm.newArray(parts)
}
