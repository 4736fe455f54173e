import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  call,
  type Calls,
  createDataProperty,
  deleteProperty,
  enumerableOwnKeys,
  get,
  indexKey,
  type Intrinsics,
  isArray,
  isCallable,
  isObject,
  JSObject,
  keyToValue,
  Kind,
  lengthOfArrayLike,
  type Native,
  newElements,
  NOT_QUICK,
  Pause,
  type PropertyKey,
  rootShape,
  sameValue,
  setIntegrityLevel,
  SymbolToStringTag,
  toIntegerOrInfinity,
  toKey,
  toNumber,
  toString,
  type Value,
} from "../object/index.ts"
import { method, object, type Quick, quickMethod, tag } from "./define.ts"
import { hold, isBlock } from "./iteration.ts"
import { BLOCK, JsonParser, type ParseRecord } from "./json-parse.ts"
import { PlainWriter } from "./json-plain.ts"
import { isRawJson, RawJson } from "./json-raw.ts"
import { stringify } from "./json-stringify.ts"

/** https://tc39.es/ecma262/#sec-json.parse */
function* parse(m: Machine, _this: Value, args: Array<Value>): Calls {
  const text = toString(m, args[0])
  const reviver = args[1]
  const parser = new JsonParser(m, text, isCallable(reviver))
  hold(m, parser.values)
  hold(m, parser.containers)
  // At the first look the host puts the text together, which may take as long as many blocks of it.
  for (let units = 0; !parser.advance(units); units = BLOCK) yield Pause
  if (!isCallable(reviver)) return parser.value
  const root = m.realm.newObject()
  addProperty(root, "", parser.value, Attribute.All)
  return yield* internalize(m, root, reviver, parser.record!)
}

/** Texts up to here are parsed at once. */
const SHORT_TEXT = 8192

/** The common case of `JSON.parse`: a short text. */
const parseQuickly: Quick = (m, _this, [text, reviver]) =>
  typeof text === "string" && text.length <= SHORT_TEXT && !isObject(reviver)
    ? new JsonParser(m, text).parse()
    : NOT_QUICK

/** A property whose value the reviver has not seen yet. */
interface Revival {
  readonly holder: JSObject
  readonly key: PropertyKey
  readonly value: Value
  readonly source: string | undefined
  /** What is left to visit inside the value: an object's keys, or an array's indices. */
  readonly keys: ReadonlyArray<string | number> | undefined
  readonly count: number
  index: number
  readonly record: ParseRecord | undefined
}

/** https://tc39.es/ecma262/#sec-internalizejsonproperty, with a stack of its own in place of recursion. */
function* internalize(m: Machine, root: JSObject, reviver: JSObject, record: ParseRecord): Calls {
  const stack = [revive(m, root, "", record)]
  hold(m, stack)
  for (let count = 1;; count++) {
    if (isBlock(count)) yield Pause
    const top = stack.at(-1)!
    m.charge(8)
    if (top.index < top.count) {
      const { keys, record } = top
      const key = keys === undefined ? indexKey(top.index) : keys[top.index]!
      const inner = keys === undefined ? record?.elements?.[top.index] : record?.entries?.get(key)
      top.index++
      m.allocate(96)
      stack.push(revive(m, top.value as JSObject, key, inner))
      continue
    }
    const context = m.realm.newObject()
    if (top.source !== undefined) addProperty(context, "source", top.source, Attribute.All)
    const result = yield call(reviver, top.holder, [keyToValue(top.key), top.value, context])
    stack.pop()
    if (stack.length === 0) return result
    if (result === undefined) deleteProperty(m, top.holder, top.key)
    else createDataProperty(m, top.holder, top.key, result)
  }
}

const revive = (m: Machine, holder: JSObject, key: PropertyKey, parsed: ParseRecord | undefined): Revival => {
  const value = get(m, holder, key)
  // A value that the reviver has put there was not parsed.
  const record = parsed !== undefined && sameValue(parsed.value, value) ? parsed : undefined
  if (!isObject(value)) {
    return { holder, key, value, source: record?.source, keys: undefined, count: 0, index: 0, record }
  }
  const keys = isArray(m, value) ? undefined : enumerableOwnKeys(m, value)
  const count = keys === undefined ? lengthOfArrayLike(m, value) : keys.length
  return { holder, key, value, source: undefined, keys, count, index: 0, record }
}

/** https://tc39.es/ecma262/#sec-json.stringify */
const stringifyMethod: Native<Machine> = (m, _this, args) => {
  const [value, replacer, space] = args
  // What has its own ways of being written may be in an object only.
  if (replacer === undefined && space === undefined && !isObject(value)) {
    if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null"
    if (typeof value === "boolean" || value === null) return String(value)
    if (typeof value !== "string" && typeof value !== "bigint") return undefined
  }
  if (isObject(replacer) || isObject(space)) return inSteps(m, [args], stringifySteps(m, args))
  const gap = gapOf(m, space)
  const writer = new PlainWriter(m, gap)
  return writer.text(value, "") ??
    inSteps(m, [value], stringify(m, value, { replacer: undefined, keys: undefined, gap }, writer))
}

function* stringifySteps(m: Machine, [value, replacer, space]: Array<Value>): Calls {
  const isFunction = isCallable(replacer)
  const keys = !isFunction && isObject(replacer) && isArray(m, replacer) ? yield* propertyList(m, replacer) : undefined
  const gap = gapOf(m, space)
  const writer = new PlainWriter(m, gap)
  if (!isFunction && keys === undefined) {
    const text = writer.text(value, "")
    if (text !== undefined) return text
  }
  return yield* stringify(m, value, { replacer: isFunction ? replacer : undefined, keys, gap }, writer)
}

function* propertyList(m: Machine, replacer: JSObject): Calls<Array<string | number>> {
  const keys = new Set<string | number>()
  hold(m, keys)
  const length = lengthOfArrayLike(m, replacer)
  for (let i = 0; i < length; i++) {
    m.charge(8)
    if (isBlock(i)) yield Pause
    const element = get(m, replacer, indexKey(i))
    const isName = typeof element === "string" || typeof element === "number" ||
      (isObject(element) && (element.kind === Kind.Number || element.kind === Kind.String))
    if (!isName) continue
    m.allocate(32)
    keys.add(toKey(toString(m, element)))
  }
  return [...keys]
}

const gapOf = (m: Machine, space: Value): string => {
  if (isObject(space)) {
    if (space.kind === Kind.Number) space = toNumber(m, space)
    else if (space.kind === Kind.String) space = toString(m, space)
  }
  if (typeof space === "number") return " ".repeat(Math.max(0, Math.min(10, toIntegerOrInfinity(m, space))))
  return typeof space === "string" ? space.slice(0, 10) : ""
}

/** https://tc39.es/ecma262/#sec-json.rawjson */
const rawJson: Native<Machine> = (m, _this, args) => {
  const text = toString(m, args[0])
  if (text === "" || /^[\t\n\r ]|[\t\n\r ]$/.test(text[0]! + text.at(-1)!)) {
    throw m.syntaxError("Invalid value for JSON.rawJSON")
  }
  if (text[0] === "{" || text[0] === "[") throw m.syntaxError("Invalid value for JSON.rawJSON")
  new JsonParser(m, text).parse()
  m.allocate(96)
  const raw = new JSObject(rootShape(m.realm.space, null), newElements(), Kind.Internal, new RawJson())
  addProperty(raw, "rawJSON", text, Attribute.All)
  setIntegrityLevel(m, raw, "frozen")
  return raw
}

/** https://tc39.es/ecma262/#sec-json-object */
export const jsonIntrinsics: Intrinsics = {
  JSON: object({
    name: "JSON",
    members: [
      method("isRawJSON", 1, (_m, _this, args) => isObject(args[0]) && isRawJson(args[0])),
      quickMethod("parse", 2, parseQuickly, parse),
      method("rawJSON", 1, rawJson),
      method("stringify", 3, stringifyMethod),
      tag(SymbolToStringTag, "JSON"),
    ],
  }),
}
