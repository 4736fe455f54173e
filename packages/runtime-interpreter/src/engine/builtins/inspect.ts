import type { Machine } from "../machine/machine.ts"
import { type PromiseData, PromiseState } from "../machine/promise.ts"
import {
  Accessor,
  Attribute,
  type BufferData,
  type Collection,
  CollectionIterator,
  complete,
  constructorName,
  Cursor,
  enumerableOwnKeys,
  ExoticKind,
  get,
  getElement,
  HOLE,
  isFunction,
  isObject,
  IterationKind,
  type JSObject,
  Kind,
  ownKeys,
  peek,
  type PropertyKey,
  type ProxyData,
  type Value,
  viewOf,
} from "../object/index.ts"
import { toIsoString } from "./date-time.ts"
import { groupColumns, isOneLine, quoteText } from "./inspect-layout.ts"
import {
  functionText,
  isShownInError,
  keyText,
  ownPropertyKeys,
  symbolKeys,
  symbolText,
  tagOf,
} from "./inspect-names.ts"
import { hasWebEntries, webEntries } from "./inspect-web.ts"
import type { RegExpData } from "./regexp-exec.ts"

export interface InspectOptions {
  /** How many levels below the value itself are shown; 2 unless said otherwise. */
  readonly depth?: number
  /** How many elements of an array, a map or a set are shown; 100 unless said otherwise. */
  readonly elements?: number
  /** How many characters of a text are shown; 10,000 unless said otherwise. */
  readonly textLength?: number
  /** About how many characters are shown in all; 32,768 unless said otherwise. */
  readonly length?: number
  /** The width that a line should not pass, in characters; 80 unless said otherwise. */
  readonly width?: number
}

/**
 * A text that shows a value to a person or a model, as Node's `util.inspect` would write it: nested objects to a depth,
 * classes by name, cycles marked, everything bounded. Runs no code of the program: getters show as `[Getter]`, proxies as
 * their targets.
 */
export const inspect = (m: Machine, value: Value, options: InspectOptions = {}): string =>
  new Inspector(m, options).inspect(value)

/** How many properties of one object are shown. */
const MAX_PROPERTIES = 500

/** Shown levels never go deeper, so that the host's stack is safe whatever depth is asked for. */
const MAX_DEPTH = 100

class Inspector {
  private readonly depth: number
  private readonly elements: number
  private readonly textLength: number
  private readonly width: number
  /** Characters left to show. */
  private left: number
  /** The objects that are being shown, one inside the other. */
  private readonly path: Array<JSObject> = []
  /** Objects that contain themselves, by the number they are referred to with. */
  private readonly circular = new Map<JSObject, number>()
  /** The level of the object that was shown last, empty ones aside. */
  private lastLevel = 0

  constructor(private readonly m: Machine, options: InspectOptions) {
    this.depth = Math.min(options.depth ?? 2, MAX_DEPTH)
    this.elements = options.elements ?? 100
    this.textLength = options.textLength ?? 10000
    this.width = options.width ?? 80
    this.left = options.length ?? 32768
  }

  inspect(value: Value): string {
    return this.value(value, 0, 0)
  }

  /** A value at a level of nesting, in a line that begins with so many spaces. */
  private value(value: Value, level: number, indent: number): string {
    const text = isObject(value) ? this.object(value, level, indent) : this.primitive(value, level, indent)
    if (!isObject(value)) this.left -= text.length
    this.m.charge(8 + (text.length >> 2))
    this.m.allocate(text.length)
    return text
  }

  private primitive(value: Value, level: number, indent: number): string {
    switch (typeof value) {
      case "string":
        return this.text(value, level, indent)
      case "number":
        return Object.is(value, -0) ? "-0" : String(value)
      case "bigint":
        return value < 1n << 4096n && value > -(1n << 4096n) ? `${value}n` : "[BigInt]"
      case "symbol":
        return symbolText(value)
      default:
        return String(value)
    }
  }

  private text(text: string, level: number, indent: number): string {
    let more = ""
    const limit = Math.min(this.textLength, Math.max(this.left, 64))
    if (text.length > limit) {
      const rest = text.length - limit
      text = text.slice(0, limit)
      more = `... ${rest} more character${rest > 1 ? "s" : ""}`
    }
    // A long text of several lines is shown line by line.
    if (level > 0 && text.length > 16 && text.length > this.width - indent - 4 && text.includes("\n")) {
      const lines = text.split(/(?<=\n)/)
      return lines.map(quoteText).join(` +\n${" ".repeat(indent + 2)}`) + more
    }
    return quoteText(text) + more
  }

  private object(o: JSObject, level: number, indent: number): string {
    complete(o)
    if (this.path.includes(o)) {
      let number = this.circular.get(o)
      if (number === undefined) this.circular.set(o, number = this.circular.size + 1)
      return `[Circular *${number}]`
    }
    if (o.kind === Kind.Proxy) {
      const { target } = o.data as ProxyData
      return target === null ? "<Revoked Proxy>" : this.object(target, level, indent)
    }
    const name = constructorName(this.m, o)
    const hasEntries = this.hasEntries(o)
    if (this.left <= 0 || (level > this.depth && hasEntries)) {
      this.left -= 8
      const isArray = o.kind === Kind.Array || o.kind === Kind.SlowArray
      return `[${isArray ? "Array" : name ?? "Object: null prototype"}]`
    }
    this.path.push(o)
    if (hasEntries) this.lastLevel = level
    const text = this.shown(o, name, level, indent)
    this.path.pop()
    const number = this.circular.get(o)
    return number === undefined ? text : `<ref *${number}> ${text}`
  }

  /** Whether showing the object would show other values. */
  private hasEntries(o: JSObject): boolean {
    if ((o.kind === Kind.Array || o.kind === Kind.TypedArray) && lengthOf(o) > 0) return true
    if ((o.kind === Kind.Map || o.kind === Kind.Set) && (o.data as Collection).size > 0) return true
    if (o.kind === Kind.Promise || o.kind === Kind.ArrayBuffer || o.kind === Kind.SlowArray) return true
    if (o.kind === Kind.Internal && hasWebEntries(o)) return true
    return this.keysOf(o).length > 0
  }

  /** The keys of the own enumerable properties that are no elements. */
  private keysOf(o: JSObject): ReadonlyArray<PropertyKey> {
    const hasElements = o.kind >= ExoticKind.First && o.kind < Kind.Global
    return hasElements ? ownPropertyKeys(o) : [...enumerableOwnKeys(this.m, o), ...symbolKeys(o)]
  }

  /** `Foo `, `Foo(2) `, `[Object: null prototype] `, `Foo [tag] `: what stands before the braces. */
  private prefix(o: JSObject, name: string | undefined, fallback: string, size?: number): string {
    const count = size === undefined ? "" : `(${size})`
    let tag = tagOf(this.m, o)
    if (tag === undefined || tag === (name ?? fallback)) tag = ""
    else tag = ` [${tag.slice(0, 100)}]`
    return name === undefined ? `[${fallback}${count}: null prototype]${tag} ` : `${name}${count}${tag} `
  }

  private shown(o: JSObject, name: string | undefined, level: number, indent: number): string {
    const { kind } = o
    switch (kind) {
      case Kind.Array:
      case Kind.SlowArray: {
        const length: number = o.data.length
        const prefix = name === "Array" ? "" : this.prefix(o, name, "Array", length)
        const entries = this.arrayElements(o, length, level, indent)
        const count = entries.length
        this.properties(o, entries, level, indent)
        return this.layout(`${prefix}[`, entries, "]", level, indent, entries.length === count ? o : undefined)
      }
      case Kind.Arguments: {
        const entries = this.indexed(o, level, indent)
        return this.layout("[Arguments] [", entries, "]", level, indent)
      }
      case Kind.TypedArray: {
        const type: string = o.data.type.name
        const view = viewOf(o)
        const entries: Array<string> = []
        for (let i = 0; i < view.length && i < this.elements && this.left > 0; i++) {
          entries.push(this.value(getElement(o, i), level + 1, indent + 2))
        }
        this.more(entries, view.length - entries.length)
        this.properties(o, entries, level, indent)
        return this.layout(`${this.prefix(o, name, type, view.length)}[`, entries, "]", level, indent, o)
      }
      case Kind.Map:
      case Kind.Set:
        return this.collection(o, name, level, indent)
      case Kind.Error:
        return this.error(o, name, level, indent)
      case Kind.Promise:
        return this.promise(o, name, level, indent)
      case Kind.ArrayBuffer:
        return this.buffer(o, name, level, indent)
      case Kind.Internal: {
        const entries = webEntries(this.m, o, this.elements, (it) => this.value(it, level + 1, indent + 2))
        if (entries === undefined) break
        this.properties(o, entries, level, indent)
        return this.layout(`${this.prefix(o, name, "Object")}{`, entries, "}", level, indent)
      }
      case Kind.Iterator:
        if (o.data instanceof CollectionIterator) return this.iterator(o, o.data, level, indent)
    }
    const base = this.base(o, name)
    const entries: Array<string> = []
    this.properties(o, entries, level, indent)
    if (base !== undefined) {
      if (entries.length === 0) {
        this.left -= base.length
        return base
      }
      return this.layout(`${base} {`, entries, "}", level, indent)
    }
    if (kind === Kind.WeakMap || kind === Kind.WeakSet) entries.unshift("<items unknown>")
    const tag = tagOf(this.m, o)
    const plain = name === "Object" && (tag === undefined || tag === "Object")
    return this.layout(plain ? "{" : `${this.prefix(o, name, "Object")}{`, entries, "}", level, indent)
  }

  /** What stands for an object that is more than its properties; undefined for one that is not. */
  private base(o: JSObject, name: string | undefined): string | undefined {
    if (isFunction(o)) return functionText(o, name)
    switch (o.kind) {
      case Kind.Date:
        return Number.isNaN(o.data) ? "Invalid Date" : toIsoString(o.data)
      case Kind.RegExp: {
        const data: RegExpData = o.data
        return data === undefined ? "/(?:)/" : `/${data.source.slice(0, 1000)}/${data.flags}`
      }
      case Kind.Number:
      case Kind.Boolean:
      case Kind.BigInt:
      case Kind.Symbol:
      case Kind.String: {
        const type = ["Boolean", "Number", "Symbol", "BigInt"][o.kind - Kind.Boolean] ?? "String"
        return `[${type}${name === type || name === undefined ? "" : ` (${name})`}: ${this.primitive(o.data, 0, 0)}]`
      }
      default:
        return undefined
    }
  }

  private arrayElements(o: JSObject, length: number, level: number, indent: number): Array<string> {
    const entries: Array<string> = []
    if (o.kind === Kind.SlowArray) return this.indexed(o, level, indent, length)
    const elements: Array<Value | typeof HOLE> = o.data
    let i = 0
    while (i < length && entries.length < this.elements && this.left > 0) {
      if (elements[i] === HOLE) {
        const start = i
        while (i < length && elements[i] === HOLE) i++
        this.m.charge((i - start) >> 1)
        entries.push(emptyItems(i - start))
      } else entries.push(this.value(elements[i++] as Value, level + 1, indent + 2))
    }
    this.more(entries, length - i)
    return entries
  }

  /** Elements that are ordinary properties, with what is missing between them. */
  private indexed(o: JSObject, level: number, indent: number, length?: number): Array<string> {
    const entries: Array<string> = []
    const indices = ownKeys(this.m, o).filter((key): key is number => typeof key === "number")
    const end = length ?? indices.length
    let next = 0
    for (const index of indices) {
      if (entries.length >= this.elements || this.left <= 0) break
      if (index > next) entries.push(emptyItems(index - next))
      entries.push(this.property(o, index, level, indent))
      next = index + 1
    }
    if (next < end && entries.length < this.elements) entries.push(emptyItems(end - next))
    else this.more(entries, end - next)
    return entries
  }

  private more(entries: Array<string>, count: number): void {
    if (count > 0) entries.push(`... ${count} more item${count > 1 ? "s" : ""}`)
  }

  /** The value of an own property, or what stands for an accessor. */
  private property(o: JSObject, key: PropertyKey, level: number, indent: number): string {
    const slot = o.shape.lookup(key)
    // Reading from a namespace of tools runs nothing of the program.
    const value = o.kind === Kind.Namespace ? get(this.m, o, key) : slot < 0 ? undefined : o.slots[slot]
    if (value instanceof Accessor) {
      return value.get === undefined ? "[Setter]" : value.set === undefined ? "[Getter]" : "[Getter/Setter]"
    }
    return this.value(value as Value, level + 1, indent + 2)
  }

  /** Adds the own enumerable properties that are no elements. */
  private properties(o: JSObject, entries: Array<string>, level: number, indent: number): void {
    let shown = 0
    const keys = this.keysOf(o)
    for (const key of keys) {
      if (o.kind === Kind.Error && isShownInError(o, key)) continue
      if (shown++ >= MAX_PROPERTIES || this.left <= 0) {
        entries.push(`... ${keys.length - shown + 1} more propert${keys.length - shown > 0 ? "ies" : "y"}`)
        break
      }
      const name = keyText(key)
      this.left -= name.length + 2
      entries.push(`${name}: ${this.property(o, key, level, indent)}`)
    }
  }

  private collection(o: JSObject, name: string | undefined, level: number, indent: number): string {
    const isMap = o.kind === Kind.Map
    const table = o.data as Collection
    const entries: Array<string> = []
    const cursor = new Cursor()
    while (entries.length < this.elements && this.left > 0) {
      const position = table.advance(cursor)
      if (position < 0) break
      const key = this.value(table.keyAt(position), level + 1, indent + 2)
      entries.push(isMap ? `${key} => ${this.value(table.valueAt(position), level + 1, indent + 2)}` : key)
    }
    this.more(entries, table.size - entries.length)
    this.properties(o, entries, level, indent)
    return this.layout(`${this.prefix(o, name, isMap ? "Map" : "Set", table.size)}{`, entries, "}", level, indent)
  }

  /** What a map's or a set's iterator has not given yet. */
  private iterator(o: JSObject, iterator: CollectionIterator, level: number, indent: number): string {
    const { kind, table } = iterator
    const entries: Array<string> = []
    const cursor = new Cursor()
    cursor.position = iterator.position
    cursor.era = iterator.era
    const next = (): number => table === null ? -1 : table.advance(cursor)
    for (let position = next(); position >= 0; position = next()) {
      if (table === null || entries.length >= this.elements || this.left <= 0) break
      const key = table.keyAt(position)
      const value = iterator.brand === "Map Iterator" ? table.valueAt(position) : key
      const shown = (it: Value): string => this.value(it, level + 1, indent + 2)
      if (kind === IterationKind.Entries) entries.push(`[ ${shown(key)}, ${shown(value)} ]`)
      else entries.push(shown(kind === IterationKind.Keys ? key : value))
    }
    this.properties(o, entries, level, indent)
    const brand = kind === IterationKind.Entries ? iterator.brand.replace("Iterator", "Entries") : iterator.brand
    return this.layout(`[${brand}] {`, entries, "}", level, indent)
  }

  private error(o: JSObject, name: string | undefined, level: number, indent: number): string {
    const stack = peek(o, "stack", this.m)
    const message = peek(o, "message", this.m)
    const label = peek(o, "name", this.m)
    const header = `${typeof label === "string" ? label : name ?? "Error"}${
      typeof message === "string" && message !== "" ? `: ${message}` : ""
    }`
    let base = typeof stack === "string" && stack !== "" ? stack : `[${header}]`
    if (base.length > this.textLength) base = `${base.slice(0, this.textLength)}...`
    this.left -= base.length
    if (indent > 0) base = base.replaceAll("\n", `\n${" ".repeat(indent)}`)
    const entries: Array<string> = []
    this.properties(o, entries, level, indent)
    for (const key of ["cause", "errors"]) {
      const slot = o.shape.lookup(key)
      if (slot < 0 || (o.shape.table.flags[slot]! & Attribute.Enumerable) !== 0) continue
      entries.push(`[${key}]: ${this.property(o, key, level, indent)}`)
    }
    return entries.length === 0 ? base : this.layout(`${base} {`, entries, "}", level, indent)
  }

  private promise(o: JSObject, name: string | undefined, level: number, indent: number): string {
    const { state, value } = o.data as PromiseData
    const entries: Array<string> = []
    if (state === PromiseState.Pending) entries.push("<pending>")
    else {
      const text = this.value(value, level + 1, indent + 2)
      entries.push(state === PromiseState.Rejected ? `<rejected> ${text}` : text)
    }
    this.properties(o, entries, level, indent)
    return this.layout(`${this.prefix(o, name, "Promise")}{`, entries, "}", level, indent)
  }

  private buffer(o: JSObject, name: string | undefined, level: number, indent: number): string {
    const { bytes } = o.data as BufferData
    const shown = Array.from(bytes.subarray(0, 50), (byte) => byte.toString(16).padStart(2, "0")).join(" ")
    const rest = bytes.length > 50 ? ` ... ${bytes.length - 50} more byte${bytes.length > 51 ? "s" : ""}` : ""
    const entries = [`[Uint8Contents]: <${shown}${rest}>`, `byteLength: ${bytes.length}`]
    this.left -= shown.length
    this.properties(o, entries, level, indent)
    return this.layout(`${this.prefix(o, name, "ArrayBuffer")}{`, entries, "}", level, indent)
  }

  /** Puts the entries into one line or several. */
  private layout(
    open: string,
    entries: Array<string>,
    close: string,
    level: number,
    indent: number,
    grouped?: JSObject,
  ): string {
    this.left -= open.length + entries.length * 2
    if (entries.length === 0) return `${open}${close}`
    const lines = grouped !== undefined && entries.length > 6
      ? groupColumns(entries, this.width, indent, isNumeric(grouped))
      : entries
    // An object goes into one line if it fits and has few levels below it.
    const isShallow = this.lastLevel - level < 3
    if (lines === entries && isShallow && isOneLine(entries, open, indent, this.width)) {
      return `${open} ${entries.join(", ")} ${close}`
    }
    const margin = `\n${" ".repeat(indent)}`
    return `${open}${margin}  ${lines.join(`,${margin}  `)}${margin}${close}`
  }
}

const lengthOf = (o: JSObject): number => o.kind === Kind.TypedArray ? viewOf(o).length : o.data.length

const emptyItems = (count: number): string => `<${count} empty item${count > 1 ? "s" : ""}>`

/** Whether an array's elements are numbers, which are aligned to the right. */
const isNumeric = (o: JSObject): boolean =>
  o.kind === Kind.TypedArray ||
  (o.kind === Kind.Array &&
    (o.data as Array<unknown>).slice(0, 100).every((value) => typeof value === "number" || typeof value === "bigint"))
