import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  call,
  type Calls,
  complete,
  constructorName,
  createDataProperty,
  enumerableOwnKeys,
  ExoticKind,
  get,
  getV,
  HOLE,
  indexKey,
  isArray,
  isCallable,
  isObject,
  type JSObject,
  keyToValue,
  Kind,
  lengthOfArrayLike,
  type NativeData,
  Pause,
  type PropertyKey,
  type Shape,
  SymbolToPrimitive,
  toNumber,
  toString,
  type Value,
} from "../object/index.ts"
import { toIsoString } from "./date-time.ts"
import { hold } from "./iteration.ts"
import { TextBuilder } from "./text.ts"

/** The payload of an object that `JSON.rawJSON` made. */
export class RawJson {
  readonly brand = "RawJSON"
}

export const isRawJson = (o: JSObject): boolean => o.kind === Kind.Internal && o.data instanceof RawJson

/** What `JSON.stringify` was asked for beside the value. */
export interface StringifyOptions {
  readonly replacer: JSObject | undefined
  /** The keys that objects are reduced to. */
  readonly keys: ReadonlyArray<string | number> | undefined
  readonly gap: string
}

// ---------------------------------------------------------------------------------------------------------------------
// Strings
// ---------------------------------------------------------------------------------------------------------------------

/** Texts from here on are quoted by the host at once. */
const LONG_TEXT = 64

/** https://tc39.es/ecma262/#sec-quotejsonstring */
const quote = (m: Machine, text: string): string => {
  const { length } = text
  if (length < LONG_TEXT) {
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 32 || unit === 34 || unit === 92 || (unit & 0xf800) === 0xd800) return JSON.stringify(text)
    }
    return `"${text}"`
  }
  m.charge(length >> 3)
  if (length * 6 > m.maxStringLength && quotedLength(m, text) > m.maxStringLength) {
    throw m.rangeError("Invalid string length")
  }
  m.allocate(length * 2)
  return JSON.stringify(text)
}

/** Longer texts are quoted in pieces of so many units. */
const PIECE = 1 << 16

function* quoteLong(m: Machine, text: string): Calls<string> {
  if (text.length <= PIECE) return quote(m, text)
  const pieces = ["\""]
  hold(m, pieces)
  let length = 2
  for (let start = 0; start < text.length;) {
    yield Pause
    let end = Math.min(start + PIECE, text.length)
    // The halves of a pair belong together.
    if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
    const piece = quote(m, text.slice(start, end)).slice(1, -1)
    length += piece.length
    if (length > m.maxStringLength) throw m.rangeError("Invalid string length")
    pieces.push(piece)
    start = end
  }
  pieces.push("\"")
  m.allocate(length * 2)
  return pieces.join("")
}

/** An upper bound of a text's length in quotes. */
const quotedLength = (m: Machine, text: string): number => {
  m.charge(text.length >> 2)
  let length = 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    length += unit < 32 || (unit & 0xf800) === 0xd800 ? 6 : unit === 34 || unit === 92 ? 2 : 1
  }
  return length
}

// ---------------------------------------------------------------------------------------------------------------------
// Plain data: objects and arrays that have nothing to call
// ---------------------------------------------------------------------------------------------------------------------

/** How objects of one shape are written; none if something of theirs would have to be called. */
interface Plan {
  readonly slots: ReadonlyArray<number>
  /** `"key":`, by property; and the same behind a comma. */
  readonly heads: ReadonlyArray<string>
  readonly next: ReadonlyArray<string>
}

/** Arrays have no heads. */
const ARRAY_PLAN: Plan = { slots: [], heads: [], next: [] }

/** Deeper values are left to the algorithm that uses no host stack. */
const MAX_DEPTH = 256

/** How many values are written between two chances to pause; what has more is left to the algorithm that can. */
const MAX_VALUES = 20000

/** The same where each may call something of the program's. */
const PAUSE_VALUES = 500

/** So many units are written until they are paid for. */
const PAID = 1024

/** What writing a date calls. */
const DATE_METHODS: ReadonlyArray<readonly [key: string | symbol, id: string]> = [
  ["toJSON", "Date.prototype.toJSON"],
  ["toISOString", "Date.prototype.toISOString"],
  ["valueOf", "Date.prototype.valueOf"],
  [SymbolToPrimitive, "Date.prototype[Symbol.toPrimitive]"],
]

/**
 * Writes values of which nothing is callable: no accessor, no `toJSON`, no proxy. It calls nothing of the program, so that
 * what it found out about a shape holds as long as it runs, and it can give up without a trace.
 */
export class PlainWriter {
  /** What was written: blocks that are one piece each, and what is not one yet. */
  private done = ""
  private out = ""
  /** Kept so that the look it comes from is taken. */
  lastUnit = 0
  /** By shape; null as long as there are none but the last one and that of arrays. */
  private plans: Map<Shape, Plan | undefined> | null = null
  private lastShape: Shape | null = null
  private lastPlan: Plan | undefined = undefined
  private arrayShape: Shape | null = null
  private arrayPlan: Plan | undefined = undefined

  /** How many values were written, and how many that were given up afterwards. */
  written = 0
  wasted = 0
  private values = 0
  private epoch = -1
  /** Whether the methods of dates are the built-in ones; undefined until it matters. */
  private datesArePlain: boolean | undefined

  constructor(private readonly m: Machine, private readonly gap: string) {}

  /** The text of a value, on lines with this indent; undefined where the value is not plain. */
  text(value: Value, indent: string): string | undefined {
    // What was run since may have changed prototypes, which the plans depend on.
    const { epoch } = this.m.realm.space
    if (epoch !== this.epoch) this.plans = null
    this.epoch = epoch
    this.lastShape = this.arrayShape = null
    this.datesArePlain = undefined
    this.done = this.out = ""
    this.values = 0
    const isWritten = this.write(value, 0, indent) === true
    if (isWritten) this.written += this.values
    else this.wasted += this.values
    const text = this.done + this.out
    this.done = this.out = ""
    if (!isWritten) return undefined
    if (text.length > this.m.maxStringLength) throw this.m.rangeError("Invalid string length")
    return text
  }

  /** Appends a value and says whether it could; undefined where the value is one that JSON leaves out. */
  private write(value: Value, depth: number, indent: string): boolean | undefined {
    switch (typeof value) {
      case "string":
        if (value.length > PIECE) return false
        this.out += quote(this.m, value)
        return true
      case "number":
        this.out += Number.isFinite(value) ? value : "null"
        return true
      case "boolean":
        this.out += value ? "true" : "false"
        return true
      case "object":
        if (value === null) {
          this.out += "null"
          return true
        }
        return this.object(value, depth, indent)
      case "bigint":
        return false
      default:
        return undefined
    }
  }

  private object(o: JSObject, depth: number, indent: string): boolean | undefined {
    complete(o)
    if (depth > MAX_DEPTH || this.values > MAX_VALUES || o.shape.count > MAX_VALUES) return false
    const { kind } = o
    if (kind === Kind.Array) {
      return this.planOfArray(o) === undefined ? false : this.array(o.data, depth, indent)
    }
    if (kind >= ExoticKind.First) return false
    if (kind === Kind.Date && o.shape.count === 0) return this.date(o)
    const plan = this.plan(o)
    if (plan === undefined) return false
    if (kind !== Kind.Ordinary) {
      if (isCallable(o)) return undefined
      if (kind === Kind.Number || kind === Kind.Boolean || kind === Kind.BigInt || isRawJson(o)) return false
    }
    const { heads, next, slots } = plan
    const count = slots.length
    const { slots: values } = o
    this.count(count)
    if (count === 0) {
      this.out += "{}"
      return true
    }
    const inner = this.gap === "" ? "" : indent + this.gap
    const before = this.gap === "" ? "" : "\n" + inner
    const between = "," + before
    this.out += "{"
    let first = true
    for (let i = 0; i < count; i++) {
      const value = values[slots[i]!]
      if (value === undefined || typeof value === "symbol") continue
      const back = this.out
      this.out = before !== "" ? back + (first ? before : between) + heads[i]! : back + (first ? heads[i]! : next[i]!)
      const written = this.write(value, depth + 1, inner)
      if (written === false) return false
      if (written === undefined) this.out = back
      else first = false
      if (this.out.length > PAID) this.payText()
    }
    this.out += first || before === "" ? "}" : `\n${indent}}`
    return true
  }

  private array(elements: ReadonlyArray<Value | typeof HOLE>, depth: number, indent: string): boolean {
    const count = elements.length
    // A long array must leave the host a chance; its elements may be plain all the same.
    if (count > MAX_VALUES) return false
    this.count(count)
    if (count === 0) {
      this.out += "[]"
      return true
    }
    const inner = this.gap === "" ? "" : indent + this.gap
    const before = this.gap === "" ? "" : "\n" + inner
    const between = "," + before
    this.out += "[" + before
    for (let i = 0; i < count; i++) {
      const value = elements[i]
      if (value === HOLE) return false
      if (i > 0) this.out += between
      const written = this.write(value as Value, depth + 1, inner)
      if (written === false) return false
      if (written === undefined) this.out += "null"
      if (this.out.length > PAID) this.payText()
    }
    this.out += this.gap === "" ? "]" : `\n${indent}]`
    return true
  }

  /** A date, if calling its methods is what it takes to know what they give. */
  private date(o: JSObject): boolean {
    const prototype = this.m.realm.peek("DatePrototype")
    if (prototype === undefined || o.shape.proto !== prototype) return false
    this.datesArePlain ??= DATE_METHODS.every(([key, id]) => {
      const slot = prototype.shape.lookup(key)
      const method: unknown = slot < 0 ? undefined : prototype.slots[slot]
      return isObject(method) && method.kind === Kind.Native && (method.data as NativeData).definition.id === id
    })
    if (!this.datesArePlain) return false
    this.m.charge(30)
    this.out += Number.isNaN(o.data) ? "null" : `"${toIsoString(o.data)}"`
    return true
  }

  /** Pays for the values of an object or an array. */
  private count(values: number): void {
    this.values += values + 1
    this.m.charge(10 + values * 10)
  }

  /** Pays for the text that was written since it was last paid for, and makes it one piece: the host keeps what was joined as its parts. */
  private payText(): void {
    const { m, out } = this
    const { length } = out
    if (this.done.length + length > m.maxStringLength) throw m.rangeError("Invalid string length")
    m.charge(length >> 3)
    m.allocate(length * 2)
    // Looking into it has the host put it together.
    this.lastUnit = out.charCodeAt(0)
    this.done += out
    this.out = ""
  }

  private planOfArray(o: JSObject): Plan | undefined {
    const { shape } = o
    if (shape === this.arrayShape) return this.arrayPlan
    this.arrayShape = shape
    return this.arrayPlan = this.makePlan(o)
  }

  private plan(o: JSObject): Plan | undefined {
    const { shape } = o
    if (shape === this.lastShape) return this.lastPlan
    const { plans } = this
    let plan = plans?.get(shape)
    if (plan === undefined && !plans?.has(shape)) plan = this.makePlan(o)
    if (this.lastShape !== null) {
      // A dictionary's shape is its object's own, and of no use to others.
      const known = this.plans ??= new Map()
      if (!this.lastShape.dictionary) known.set(this.lastShape, this.lastPlan)
    }
    this.lastShape = shape
    return this.lastPlan = plan
  }

  private makePlan(o: JSObject): Plan | undefined {
    for (let p: JSObject | null = o; p !== null; p = p.shape.proto) {
      this.m.charge(2)
      if (p.kind === Kind.Array && p !== o ? p.data.length > 0 : p.kind >= ExoticKind.First && p.kind !== Kind.Array) {
        return undefined
      }
      if (p.shape.lookup("toJSON") >= 0) return undefined
    }
    const slots: Array<number> = []
    const heads: Array<string> = []
    const next: Array<string> = []
    if (o.kind === Kind.Array) return ARRAY_PLAN
    const { shape } = o
    const colon = this.gap === "" ? ":" : ": "
    for (const key of enumerableOwnKeys(this.m, o)) {
      const slot = shape.lookup(key)
      if ((shape.table.flags[slot]! & Attribute.Accessor) !== 0) return undefined
      slots.push(slot)
      const head = quote(this.m, String(key)) + colon
      heads.push(head)
      next.push("," + head)
      this.m.charge(4)
    }
    return { slots, heads, next }
  }
}

/** The text of a few plain values; undefined where they are not plain, or not few. */
export const stringifyPlain = (m: Machine, value: Value): string | undefined => new PlainWriter(m, "").text(value, "")

// ---------------------------------------------------------------------------------------------------------------------
// Everything
// ---------------------------------------------------------------------------------------------------------------------

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
