// The methods of `RegExp.prototype` that match.
import type { Machine } from "../machine/machine.ts"
import {
  type Calls,
  construct,
  describe,
  get,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  newElements,
  Pause,
  sameValue,
  set,
  speciesConstructor,
  toIntegerOrInfinity,
  toLength,
  toString,
  toUint32,
  type Value,
} from "../object/index.ts"
import { Matcher } from "../regexp/index.ts"
import { hold, isBlock } from "./iteration.ts"
import {
  advanceStringIndex,
  builtinExec,
  captureOf,
  finishMatch,
  getLastIndex,
  isPristine,
  MATCH_STEPS,
  matchResult,
  type Positions,
  type RegExpData,
  regExpExec,
  requireObject,
  requireRegExp,
  setLastIndex,
  tryMatch,
} from "./regexp-exec.ts"
import { foundAt, Replacer } from "./regexp-replacer.ts"
import { substring } from "./text.ts"

/** https://tc39.es/ecma262/#sec-regexp.prototype.exec */
export function* exec(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireRegExp(m, thisValue, "RegExp.prototype.exec")
  const text = toString(m, args[0])
  const positions = yield* builtinExec(m, r, text)
  return positions === null ? null : matchResult(m, (r.data as RegExpData).compiled, text, positions)
}

/** https://tc39.es/ecma262/#sec-regexp.prototype.test */
export function* test(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireObject(m, thisValue, "RegExp.prototype.test")
  const text = toString(m, args[0])
  if (isPristine(m, r)) return (yield* builtinExec(m, r, text)) !== null
  return (yield* regExpExec(m, r, text)) !== null
}

const hasFlag = (flags: string, ...letters: ReadonlyArray<string>): boolean =>
  letters.some((letter) => flags.includes(letter))

const flagsOf = (m: Machine, r: JSObject): string =>
  isPristine(m, r) ? (r.data as RegExpData).flags : toString(m, get(m, r, "flags"))

/**
 * All matches of a pristine global expression in order: as `RegExpExec` again and again finds them, with `lastIndex` as that
 * leaves it. Gives `visit` the positions of each.
 */
function* eachMatch(m: Machine, r: JSObject, text: string, visit: (positions: Positions) => void): Calls<void> {
  const { compiled } = r.data as RegExpData
  const { program, flags } = compiled
  setLastIndex(m, r, 0)
  for (let at = 0, count = 0; at <= text.length; count++) {
    if (isBlock(count)) yield Pause
    const attempt = tryMatch(m, compiled, text, at, flags.sticky)
    const positions = attempt instanceof Matcher ? yield* finishMatch(m, attempt) : attempt
    if (positions === null) break
    m.charge(MATCH_STEPS)
    visit(positions)
    const end = positions[1]!
    at = end === positions[0] ? advanceStringIndex(text, end, program.unicode) : end
  }
}

/** https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.match% */
export function* match(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireObject(m, thisValue, "RegExp.prototype.@@match")
  const text = toString(m, args[0])
  const flags = flagsOf(m, r)
  if (!hasFlag(flags, "g")) return yield* regExpExec(m, r, text)
  const found: Array<Value> = newElements()
  hold(m, found)
  if (isPristine(m, r)) {
    yield* eachMatch(m, r, text, (positions) => {
      m.allocate(16)
      found.push(substring(m, text, positions[0]!, positions[1]!))
    })
    return found.length === 0 ? null : m.realm.newArray(found)
  }
  const unicode = hasFlag(flags, "u", "v")
  setLastIndex(m, r, 0)
  for (;;) {
    if (isBlock(found.length)) yield Pause
    const result = yield* regExpExec(m, r, text)
    if (result === null) return found.length === 0 ? null : m.realm.newArray(found)
    const matched = toString(m, get(m, result, 0))
    m.charge(2)
    m.allocate(16)
    found.push(matched)
    if (matched === "") setLastIndex(m, r, advanceStringIndex(text, getLastIndex(m, r), unicode))
  }
}

/** https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.search% */
export function* search(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireObject(m, thisValue, "RegExp.prototype.@@search")
  const text = toString(m, args[0])
  const previous = get(m, r, "lastIndex")
  if (!sameValue(previous, 0)) set(m, r, "lastIndex", 0)
  const result = yield* regExpExec(m, r, text)
  const current = get(m, r, "lastIndex")
  if (!sameValue(current, previous)) set(m, r, "lastIndex", previous)
  return result === null ? -1 : get(m, result, "index")
}

// ---------------------------------------------------------------------------------------------------------------------
// matchAll
// ---------------------------------------------------------------------------------------------------------------------

/** https://tc39.es/ecma262/#sec-createregexpstringiterator */
export class RegExpStringIterator {
  readonly brand = "RegExp String Iterator"
  done = false

  constructor(readonly regexp: JSObject, readonly text: string, readonly global: boolean, readonly unicode: boolean) {}
}

/** https://tc39.es/ecma262/#sec-regexp-prototype-matchall */
export function* matchAll(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireObject(m, thisValue, "RegExp.prototype.@@matchAll")
  const text = toString(m, args[0])
  // The constructor is looked up before the flags are.
  const species = speciesConstructor(m, r, "RegExp") ?? m.realm.intrinsic("RegExp")
  const flags = toString(m, get(m, r, "flags"))
  const matcher = (yield construct(species, [r, flags])) as JSObject
  const lastIndex = toLength(m, get(m, r, "lastIndex"))
  setLastIndex(m, matcher, lastIndex)
  m.allocate(96)
  const state = new RegExpStringIterator(matcher, text, hasFlag(flags, "g"), hasFlag(flags, "u", "v"))
  return m.realm.newObjectOf(Kind.Iterator, "RegExpStringIteratorPrototype", state)
}

/** https://tc39.es/ecma262/#sec-%regexpstringiteratorprototype%.next */
export function* stringIteratorNext(m: Machine, thisValue: Value): Calls {
  const state: unknown = isObject(thisValue) ? thisValue.data : undefined
  if (!(state instanceof RegExpStringIterator)) {
    throw m.typeError(
      `Method %RegExpStringIterator.prototype%.next called on incompatible receiver ${describe(thisValue)}`,
    )
  }
  if (state.done) return m.realm.newIteratorResult(undefined, true)
  const { regexp, text } = state
  let result: JSObject | null
  try {
    result = yield* regExpExec(m, regexp, text)
  } catch (error) {
    state.done = true
    throw error
  }
  if (result === null || !state.global) state.done = true
  if (result === null) return m.realm.newIteratorResult(undefined, true)
  if (state.global) {
    state.done = true
    if (toString(m, get(m, result, 0)) === "") {
      setLastIndex(m, regexp, advanceStringIndex(text, getLastIndex(m, regexp), state.unicode))
    }
    state.done = false
  }
  return m.realm.newIteratorResult(result, false)
}

// ---------------------------------------------------------------------------------------------------------------------
// replace
// ---------------------------------------------------------------------------------------------------------------------

/** https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.replace% */
export function* replace(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireObject(m, thisValue, "RegExp.prototype.@@replace")
  const text = toString(m, args[0])
  const replacement = isCallable(args[1]) ? args[1] : toString(m, args[1])
  if (isPristine(m, r)) return yield* replacePristine(m, r, text, replacement)
  const flags = toString(m, get(m, r, "flags"))
  const global = hasFlag(flags, "g")
  const unicode = hasFlag(flags, "u", "v")
  if (global) setLastIndex(m, r, 0)
  const results: Array<JSObject> = []
  hold(m, results)
  for (;;) {
    if (isBlock(results.length)) yield Pause
    const result = yield* regExpExec(m, r, text)
    if (result === null) break
    m.charge(2)
    m.allocate(8)
    results.push(result)
    if (!global) break
    if (toString(m, get(m, result, 0)) === "") {
      setLastIndex(m, r, advanceStringIndex(text, getLastIndex(m, r), unicode))
    }
  }
  const replacer = new Replacer(m, text, replacement)
  hold(m, replacer.held)
  let done = 0
  for (const result of results) {
    if (isBlock(done++)) yield Pause
    const count = Math.max(lengthOfArrayLike(m, result) - 1, 0)
    const matched = toString(m, get(m, result, 0))
    const position = Math.max(Math.min(toIntegerOrInfinity(m, get(m, result, "index")), text.length), 0)
    const captures: Array<string | undefined> = []
    for (let n = 1; n <= count; n++) {
      m.charge(1)
      m.allocate(8)
      const capture = get(m, result, n)
      captures.push(capture === undefined ? undefined : toString(m, capture))
    }
    yield* replacer.add({ matched, position, captures, groups: get(m, result, "groups") })
  }
  return replacer.finish()
}

/** The same where nothing was patched: matches are found without results, and all of them before the first replacement. */
export function* replacePristine(m: Machine, r: JSObject, text: string, replacement: JSObject | string): Calls<string> {
  const { compiled } = r.data as RegExpData
  const replacer = new Replacer(m, text, replacement)
  hold(m, replacer.held)
  const plain = typeof replacement === "string" && !replacement.includes("$")
  if (!compiled.flags.global) {
    const positions = yield* builtinExec(m, r, text)
    if (positions === null) return text
    if (plain) replacer.addPlain(positions[0]!, positions[1]!)
    else yield* replacer.add(foundAt(m, compiled, text, positions))
    return replacer.finish()
  }
  if (plain) {
    yield* eachMatch(m, r, text, (positions) => replacer.addPlain(positions[0]!, positions[1]!))
    return replacer.finish()
  }
  const found: Array<number> = []
  hold(m, found)
  const width = 2 * compiled.program.groups
  yield* eachMatch(m, r, text, (positions) => {
    m.allocate(8 * width)
    for (let i = 0; i < width; i++) found.push(positions[i]!)
  })
  for (let i = 0; i < found.length; i += width) {
    if (isBlock(i / width)) yield Pause
    yield* replacer.add(foundAt(m, compiled, text, found.slice(i, i + width)))
  }
  return replacer.finish()
}

// ---------------------------------------------------------------------------------------------------------------------
// split
// ---------------------------------------------------------------------------------------------------------------------

/** https://tc39.es/ecma262/#sec-regexp.prototype-%symbol.split% */
export function* split(m: Machine, thisValue: Value, args: Array<Value>): Calls {
  const r = requireObject(m, thisValue, "RegExp.prototype.@@split")
  const text = toString(m, args[0])
  const [, limitValue] = args
  const species = speciesConstructor(m, r, "RegExp")
  if (species === undefined && (limitValue === undefined || typeof limitValue === "number") && isPristine(m, r)) {
    return yield* splitPristine(m, r, text, limitValue === undefined ? 4294967295 : limitValue >>> 0)
  }
  const flags = toString(m, get(m, r, "flags"))
  const unicode = hasFlag(flags, "u", "v")
  const constructor = species ?? m.realm.intrinsic("RegExp")
  const splitter = (yield construct(constructor, [r, hasFlag(flags, "y") ? flags : `${flags}y`])) as JSObject
  const limit = limitValue === undefined ? 4294967295 : toUint32(m, limitValue)
  const parts: Array<Value> = newElements()
  hold(m, parts)
  if (limit === 0) return m.realm.newArray(parts)
  if (text === "") {
    return m.realm.newArray((yield* regExpExec(m, splitter, text)) === null ? [text] : [])
  }
  let start = 0
  for (let at = 0, tries = 0; at < text.length; tries++) {
    m.charge(MATCH_STEPS)
    if (isBlock(tries)) yield Pause
    setLastIndex(m, splitter, at)
    const result = yield* regExpExec(m, splitter, text)
    const end = result === null ? start : Math.min(getLastIndex(m, splitter), text.length)
    if (result === null || end === start) {
      at = advanceStringIndex(text, at, unicode)
      continue
    }
    m.allocate(16)
    parts.push(substring(m, text, start, at))
    if (parts.length === limit) return m.realm.newArray(parts)
    start = at = end
    const count = Math.max(lengthOfArrayLike(m, result) - 1, 0)
    for (let n = 1; n <= count; n++) {
      m.charge(1)
      m.allocate(8)
      parts.push(get(m, result, n))
      if (parts.length === limit) return m.realm.newArray(parts)
    }
  }
  parts.push(substring(m, text, start, text.length))
  return m.realm.newArray(parts)
}

/** The same where nothing was patched: a search for the next separator, instead of an attempt at every place. */
function* splitPristine(m: Machine, r: JSObject, text: string, limit: number): Calls {
  const { compiled } = r.data as RegExpData
  const { groups, unicode } = compiled.program
  if (limit === 0) return m.realm.newArray(newElements())
  const parts: Array<Value> = newElements()
  hold(m, parts)
  let start = 0
  for (let at = 0, count = 0; at < text.length || at === 0; count++) {
    if (isBlock(count)) yield Pause
    const attempt = tryMatch(m, compiled, text, at, false)
    const positions = attempt instanceof Matcher ? yield* finishMatch(m, attempt) : attempt
    m.charge(MATCH_STEPS)
    if (text === "") return m.realm.newArray(positions === null ? [text] : [])
    if (positions === null || positions[0]! >= text.length) break
    const [from, end] = positions as unknown as [number, number]
    if (end === start) {
      at = advanceStringIndex(text, from, unicode)
      continue
    }
    m.allocate(16 * groups)
    parts.push(substring(m, text, start, from))
    if (parts.length === limit) return m.realm.newArray(parts)
    start = at = end
    for (let group = 1; group < groups; group++) {
      parts.push(captureOf(m, text, positions, group))
      if (parts.length === limit) return m.realm.newArray(parts)
    }
  }
  parts.push(substring(m, text, start, text.length))
  return m.realm.newArray(parts)
}
