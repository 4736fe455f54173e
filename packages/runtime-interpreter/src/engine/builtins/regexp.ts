import type { Machine } from "../machine/machine.ts"
import {
  createFromConstructor,
  describe,
  get,
  type Intrinsics,
  isObject,
  type JSObject,
  Kind,
  type Native,
  SymbolMatch,
  SymbolMatchAll,
  SymbolReplace,
  SymbolSearch,
  SymbolSpecies,
  SymbolSplit,
  SymbolToStringTag,
  toBoolean,
  toString,
  type Value,
} from "../object/index.ts"
import { type Flags, MAX_PATTERN_LENGTH } from "../regexp/index.ts"
import { accessor, constructor, generatorMethod, type Member, method, object, quickMethod, tag } from "./define.ts"
import { escape, sourceText } from "./regexp-escape.ts"
import { compileRegExp, newRegExp, PristineCheck, type RegExpData, setLastIndex } from "./regexp-exec.ts"
import { exec, match, matchAll, replace, search, split, stringIteratorNext, test } from "./regexp-match.ts"
import { execQuickly, stringIteratorNextQuickly, testQuickly } from "./regexp-quick.ts"
import { isRegExp } from "./string-patterns.ts"
import { reserveString } from "./text.ts"

export { createRegExp, RegExpData } from "./regexp-exec.ts"

/** https://tc39.es/ecma262/#sec-regexpinitialize up to the state of the object. */
const initialize = (
  m: Machine,
  pattern: Value,
  flags: Value,
  use: (m: Machine, data: RegExpData) => Value,
): Value => {
  const source = pattern === undefined ? "" : toString(m, pattern)
  const text = flags === undefined ? "" : toString(m, flags)
  m.charge(32 + (Math.min(source.length, MAX_PATTERN_LENGTH) >> 4))
  return compileRegExp(m, source, text, use)
}

/** https://tc39.es/ecma262/#sec-regexp-pattern-flags */
const construct: Native<Machine> = (m, _this, [pattern, flags], newTarget, callee) => {
  const isPattern = isRegExp(m, pattern)
  if (newTarget === undefined) {
    newTarget = callee
    if (isPattern && flags === undefined && get(m, pattern as JSObject, "constructor") === callee) return pattern
  }
  let source = pattern
  if (isObject(pattern)) {
    if (pattern.kind === Kind.RegExp) {
      const data: RegExpData = pattern.data
      source = data.source
      if (flags === undefined) flags = data.flags
    } else if (isPattern) {
      source = get(m, pattern, "source")
      if (flags === undefined) flags = get(m, pattern, "flags")
    }
  }
  // The prototype is asked for before pattern and flags become texts.
  const allocated = createFromConstructor(m, newTarget, "RegExpPrototype", Kind.RegExp, undefined)
  const proto = allocated.shape.proto!
  return initialize(m, source, flags, (_m, data) => newRegExp(m, proto, data))
}

/** https://tc39.es/ecma262/#sec-regexp.prototype.compile */
const recompile: Native<Machine> = (m, thisValue, [pattern, flags]) => {
  if (!isObject(thisValue) || thisValue.kind !== Kind.RegExp) {
    throw m.typeError(`Method RegExp.prototype.compile called on incompatible receiver ${describe(thisValue)}`)
  }
  const reuse = (_m: Machine, data: RegExpData): Value => {
    thisValue.data = data
    setLastIndex(m, thisValue, 0)
    return thisValue
  }
  if (isObject(pattern) && pattern.kind === Kind.RegExp) {
    if (flags !== undefined) throw m.typeError("Invalid flags supplied to RegExp constructor")
    const { source, flags: own }: RegExpData = pattern.data
    return initialize(m, source, own, reuse)
  }
  return initialize(m, pattern, flags, reuse)
}

/** https://tc39.es/ecma262/#sec-regexp.prototype.tostring */
const toStringMethod: Native<Machine> = (m, thisValue) => {
  if (!isObject(thisValue)) {
    throw m.typeError(`Method RegExp.prototype.toString called on incompatible receiver ${describe(thisValue)}`)
  }
  const source = toString(m, get(m, thisValue, "source"))
  const flags = toString(m, get(m, thisValue, "flags"))
  reserveString(m, source.length + flags.length + 2)
  return `/${source}/${flags}`
}

/** https://tc39.es/ecma262/#sec-get-regexp.prototype.source */
const source: Native<Machine> = (m, thisValue) => {
  if (isObject(thisValue)) {
    if (thisValue.kind === Kind.RegExp) return sourceText(m, (thisValue.data as RegExpData).source)
    if (thisValue === m.realm.intrinsic("RegExpPrototype")) return "(?:)"
  }
  throw m.typeError(`RegExp.prototype.source getter called on non-RegExp object`)
}

/** https://tc39.es/ecma262/#sec-regexphasflag */
const flag = (name: keyof Flags): Member =>
  accessor(name, (m, thisValue) => {
    if (isObject(thisValue)) {
      if (thisValue.kind === Kind.RegExp) return (thisValue.data as RegExpData).compiled.flags[name]
      if (thisValue === m.realm.intrinsic("RegExpPrototype")) return undefined
    }
    throw m.typeError(`RegExp.prototype.${name} getter called on non-RegExp object`)
  })

const FLAGS = [
  ["hasIndices", "d"],
  ["global", "g"],
  ["ignoreCase", "i"],
  ["multiline", "m"],
  ["dotAll", "s"],
  ["unicode", "u"],
  ["unicodeSets", "v"],
  ["sticky", "y"],
] as const

/** https://tc39.es/ecma262/#sec-get-regexp.prototype.flags */
const flags: Native<Machine> = (m, thisValue) => {
  if (!isObject(thisValue)) {
    throw m.typeError("RegExp.prototype.flags getter called on non-object " + describe(thisValue))
  }
  let text = ""
  for (const [name, letter] of FLAGS) if (toBoolean(get(m, thisValue, name))) text += letter
  return text
}

export const regexpIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-regexp-constructor */
  RegExp: constructor({
    name: "RegExp",
    length: 2,
    prototype: "RegExpPrototype",
    impl: construct,
    members: [
      method("escape", 1, escape),
      accessor(SymbolSpecies, (_m, thisValue) => thisValue),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-properties-of-the-regexp-prototype-object */
  RegExpPrototype: object({
    name: "RegExp.prototype",
    constructor_: "RegExp",
    data: () => new PristineCheck(),
    members: [
      quickMethod("exec", 1, execQuickly, exec),
      ...FLAGS.map(([name]) => flag(name)),
      accessor("flags", flags),
      accessor("source", source),
      method("compile", 2, recompile),
      method("toString", 0, toStringMethod),
      quickMethod("test", 1, testQuickly, test),
      generatorMethod(SymbolMatch, 1, match),
      generatorMethod(SymbolMatchAll, 1, matchAll),
      generatorMethod(SymbolReplace, 2, replace),
      generatorMethod(SymbolSearch, 1, search),
      generatorMethod(SymbolSplit, 2, split),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-%regexpstringiteratorprototype%-object */
  RegExpStringIteratorPrototype: object({
    name: "%RegExpStringIteratorPrototype%",
    proto: "IteratorPrototype",
    members: [
      quickMethod("next", 0, stringIteratorNextQuickly, stringIteratorNext),
      tag(SymbolToStringTag, "RegExp String Iterator"),
    ],
  }),
}
