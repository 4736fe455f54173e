import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  complete,
  enumerableOwnKeys,
  ExoticKind,
  HOLE,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  type NativeData,
  type Shape,
  SymbolToPrimitive,
  type Value,
} from "../object/index.ts"
import { toIsoString } from "./date-time.ts"
import { PIECE, quote } from "./json-quote.ts"
import { isRawJson } from "./json-raw.ts"

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
export const MAX_VALUES = 20000

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
