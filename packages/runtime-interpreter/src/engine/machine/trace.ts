import { bigIntWords } from "../object/bigint-arithmetic.ts"
import {
  Accessor,
  Collection,
  complete,
  JSObject,
  Kind,
  NativeData,
  Realm,
  REMOVED,
  Shape,
  type TypedArrayData,
  UNMADE,
  WeakTable,
} from "../object/index.ts"
import { FRAME_BYTES } from "./calls.ts"
import { Frame, NO_FRAME } from "./frame.ts"
import { type ClosureData, FunctionCode } from "./function.ts"
import { LargeSet } from "./large-set.ts"

// Bytes, as a host of 64 bits takes them.
const OBJECT = 104
const LIST = 32
const SLOT = 8
const ENTRY = 48
/** A map or a set of the host without entries. */
const TABLE = 200
const STRING = 24
const SYMBOL = 32
const CLOSURE = 200
const CELL = 40
const VIEW = 200
const TYPED_ARRAY = 96
/** The layout of one object alone, each of its keys, and the table to find them by; and that of objects with this prototype. */
const DICTIONARY = 340
const KEY = 16
const KEY_ENTRY = 40
const SHORT_KEY = 16
const ROOT_SHAPE = 320
/** The layout of an intrinsic that is as it was made. */
const UNMADE_SHAPE = 200

/** The host keeps concatenations of more than this in pieces. */
const PIECES = 12
/** Longer texts are counted once. */
const SHARED_TEXT = 128
/** Longer texts are hashed by their length alone, if the host is asked to do it. */
const LONG_TEXT = 8192
/** Of so many long texts that look the same at a glance it is found out whether they are the same. */
const MAX_ALIKE = 8

/** How much of a list is visited at once. */
const CHUNK = 4096

/** Text of one kind of characters is the same everywhere: a few looks tell what the host takes for each. */
const bytesPerUnit = (text: string): number =>
  text.charCodeAt(0) > 255 || text.charCodeAt(text.length >> 1) > 255 || text.charCodeAt(text.length - 1) > 255 ? 2 : 1

/** The built-ins that begin a program keep nothing of it. */
const STARTS = new Set(["program.start", "program.call"])

/** Whether a frame's built-in may keep values that cannot be seen: it is a generator of the host's. */
const isHidden = ({ fn, native }: Frame): boolean =>
  "return" in native! && !(fn.data instanceof NativeData && STARTS.has(fn.data.definition.id))

const isLong = (value: unknown): value is string => typeof value === "string" && value.length > SHARED_TEXT

/** How many traces there were: each marks what it comes to with its number. */
let traces = 0

/** A list, or the entries of a map or set, of which a part was visited. */
interface Part {
  readonly values: Array<unknown> | null
  readonly entries: Iterator<unknown> | null
  index: number
}

/**
 * Counts the bytes of everything alive, from roots, in steps. Guest objects are counted by their parts; whatever else holds
 * guest data (closures, frames, promises, iterators, collections) is walked as the plain data it is. What only makes things faster
 * is let go of. Nothing may change between two steps.
 */
export class Trace {
  /** What was counted so far. */
  bytes = 0
  /** How many values were visited; a long text counts for several where it is a new one. */
  visits = 0
  private readonly mark = ++traces
  /** What is no guest object; those carry the mark. */
  private readonly seen = new LargeSet<object>()
  /** The first of equal long texts: the host keeps a copy for each, until they are the same one. */
  private readonly texts = new Map<string, string>()
  private readonly longTexts = new Map<string, Array<string>>()
  private lastText = ""
  private readonly work: Array<object> = []
  private readonly parts: Array<Part> = []
  private left = 0
  private readonly weakTables: Array<WeakTable> = []
  /** What entries of weak tables hold whose keys nothing else has led to so far. */
  private waiting: Map<object, Array<unknown>> | null = null
  /** Whether something is alive whose values cannot all be seen: what seems to be dead may be in use there. */
  private isBlind: boolean
  /** `isNested` if built-ins are at work on the host's stack. */
  constructor(roots: Iterable<unknown>, private readonly limit: number, isNested: boolean) {
    this.isBlind = isNested
    for (const root of roots) this.visit(root)
  }

  /** Visits about so many values. Answers whether all of them are counted, or enough to be beyond the limit. */
  step(visits: number): boolean {
    this.left = visits
    const complete = this.goOnWith()
    this.visits += visits - this.left
    return complete
  }

  private goOnWith(): boolean {
    while (this.left > 0) {
      if (this.bytes > this.limit) return true
      const part = this.parts[this.parts.length - 1]
      if (part !== undefined) {
        if (this.goOn(part)) this.parts.splice(this.parts.lastIndexOf(part), 1)
        continue
      }
      const value = this.work.pop()
      if (value !== undefined) this.count(value)
      else if (this.waiting !== null) {
        const entries = this.isBlind ? this.keepWaiting(this.waiting) : this.dropDead()
        this.waiting = null
        this.parts.push({ values: null, entries, index: 0 })
      } else return true
    }
    return false
  }

  private visit(value: unknown): void {
    this.left--
    switch (typeof value) {
      case "string":
        // In places that cannot be written to each is counted for itself.
        if (value.length > SHARED_TEXT) {
          this.bytes += STRING + value.length * bytesPerUnit(value)
          this.left -= value.length >> 6
        } else if (value.length > 1) {
          this.bytes += STRING + value.length
          // Looking into it has the host put the parts of a concatenation into one piece.
          if (value.length > PIECES && value.charCodeAt(value.length >> 1) > 255) this.bytes += value.length
        }
        break
      case "object":
        if (value === null) break
        if (value instanceof JSObject) {
          if (value.mark === this.mark) break
          value.mark = this.mark
          if (this.waiting !== null) this.wake(value, this.waiting)
        } else if (this.seen.has(value)) break
        else this.seen.add(value)
        this.work.push(value)
        break
      case "number":
        if (!Number.isInteger(value)) this.bytes += 16
        break
      case "bigint":
        this.bytes += 16 + bigIntWords(value) * 8
        break
      case "symbol":
        if (value === UNMADE) break
        this.bytes += SYMBOL
        if (value.description !== undefined) this.visit(value.description)
    }
  }

  /** Counts a long text, if it is a new one, and gives the first that is equal to it. */
  private share(text: string): string {
    // Mostly the same text, which an earlier trace put there, so that the host needs no more than a look.
    if (text === this.lastText) return this.lastText
    const first = this.firstLike(text)
    if (first !== undefined) return this.lastText = first
    this.lastText = text
    this.bytes += STRING + text.length * bytesPerUnit(text)
    return text
  }

  private firstLike(text: string): string | undefined {
    let first: string | undefined
    if (text.length <= LONG_TEXT) {
      first = this.texts.get(text)
      if (first === undefined) {
        this.texts.set(text, text)
        this.left -= text.length >> 6
      }
    } else {
      const half = text.length >> 1
      const look = `${text.length} ${text.slice(0, 16)}${text.slice(half, half + 16)}${text.slice(-16)}`
      const alike = this.longTexts.get(look)
      if (alike === undefined) this.longTexts.set(look, [text])
      else {
        first = alike.find((other) => other === text)
        if (first === undefined && alike.length < MAX_ALIKE) alike.push(text)
        const visits = text.length >> 6
        this.left -= visits
        if (first !== undefined) this.visits -= visits
      }
    }
    return first
  }

  /** Visits values that stand in a list of the engine's, and puts equal long texts into one. */
  private visitAll(values: Array<unknown>, isExact = false): void {
    const { length: count } = values
    this.bytes += LIST + count * SLOT
    // The host makes room for more as a list grows: some have half as much again, and those that were made at once none.
    if (count > 1 || !isExact && count > 0) this.bytes += 24
    if (!isExact) this.bytes += (count >> 2) * SLOT
    const { length } = values
    const end = length <= CHUNK ? this.visitRange(values, 0, length) : 0
    if (end < length) this.parts.push({ values, entries: null, index: end })
  }

  /** Answers where it stopped: long texts may take the time of many values. */
  private visitRange(values: Array<unknown>, start: number, end: number): number {
    for (let i = start; i < end; i++) {
      if (this.left < -CHUNK || this.bytes > this.limit) return i
      const value = values[i]
      if (isLong(value)) {
        this.left--
        // Whether it is another copy cannot be seen.
        values[i] = this.share(value)
      } else this.visit(value)
    }
    return end
  }

  /** Visits more of a long list. Answers whether that was all. */
  private goOn(part: Part): boolean {
    const { entries, values } = part
    if (values !== null) {
      part.index = this.visitRange(values, part.index, Math.min(part.index + CHUNK, values.length))
      return part.index === values.length
    }
    for (let i = 0; i < CHUNK; i++) {
      const next = entries!.next()
      if (next.done === true) return true
      this.visit(next.value)
    }
    return false
  }

  /** Visits the keys and values of a map, or the members of a set. */
  private visitEntries(entries: Map<unknown, unknown> | Set<unknown>): void {
    this.bytes += TABLE + entries.size * ENTRY
    this.parts.push({ values: null, entries: entries.keys(), index: 0 })
    if (entries instanceof Map) this.parts.push({ values: null, entries: this.valuesOf(entries), index: 0 })
  }

  // Keys stay where they are.
  private *valuesOf(entries: Map<unknown, unknown>): Generator<unknown> {
    for (const [key, value] of entries) {
      if (isLong(value)) entries.set(key, this.share(value))
      else yield value
    }
  }

  // What an entry of a weak table holds is alive if the table and the key are.
  private visitWeak(table: WeakTable): void {
    this.bytes += TABLE
    this.weakTables.push(table)
    this.parts.push({ values: null, entries: this.entriesOf(table), index: 0 })
  }

  private *entriesOf(table: WeakTable): Generator<unknown> {
    const { entries } = table
    for (const [key, value] of entries) {
      if (value === REMOVED) {
        table.forget(key)
        yield undefined
      } else if (this.isReached(key)) {
        this.bytes += ENTRY
        if (isLong(value)) entries.set(key, this.share(value))
        else yield value
      } else {
        const waiting = this.waiting ??= new Map<object, Array<unknown>>()
        const values = waiting.get(key as JSObject)
        if (values === undefined) waiting.set(key as JSObject, [value])
        else values.push(value)
        yield undefined
      }
    }
  }

  // Layouts of objects have symbols, too, and are not looked through.
  private isReached(key: JSObject | symbol): boolean {
    return typeof key === "symbol" || key.mark === this.mark
  }

  private wake(key: JSObject, waiting: Map<object, Array<unknown>>): void {
    const values = waiting.get(key)
    if (values === undefined) return
    waiting.delete(key)
    this.bytes += values.length * (ENTRY - SLOT) - LIST
    this.work.push(values)
  }

  private *keepWaiting(waiting: Map<object, Array<unknown>>): Generator<unknown> {
    for (const [key, values] of waiting) {
      this.bytes += values.length * ENTRY
      yield key
      yield* values
    }
  }

  private *dropDead(): Generator<unknown> {
    for (const table of this.weakTables) {
      for (const key of table.entries.keys()) {
        if (!this.isReached(key)) table.forget(key)
        yield undefined
      }
    }
  }

  private visitFields(holder: object): void {
    const fields = Object.entries(holder)
    this.bytes += 24 + fields.length * SLOT
    for (const [key, value] of fields) {
      if (isLong(value)) Reflect.set(holder, key, this.share(value))
      else this.visit(value)
    }
  }

  private count(value: object): void {
    if (value instanceof JSObject) this.countObject(value)
    else if (value instanceof Accessor) {
      this.bytes += 32
      this.visit(value.get)
      this.visit(value.set)
    } else if (value instanceof NativeData) {
      this.bytes += 32
      if (isLong(value.state)) value.state = this.share(value.state)
      else this.visit(value.state)
    } else if (value instanceof Shape || value instanceof Realm) return
    else if (value instanceof FunctionCode) this.countCode(value)
    else if (Array.isArray(value)) this.visitAll(value)
    else if (value instanceof Map || value instanceof Set) this.visitEntries(value)
    else if (value instanceof WeakTable) this.visitWeak(value)
    else if (value instanceof ArrayBuffer) this.bytes += value.byteLength
    else if (value instanceof Frame) this.countFrame(value)
    // Not by its buffer, which the host would have to make first.
    else if (ArrayBuffer.isView(value)) this.bytes += VIEW + value.byteLength
    else {
      if (value instanceof Collection) value.tidy()
      this.visitFields(value)
    }
  }

  private countObject(value: JSObject): void {
    // The tape is let go of.
    complete(value)
    const { shape, slots } = value
    this.bytes += OBJECT
    if (value.child !== null) this.bytes += ROOT_SHAPE
    this.visit(shape.proto)
    if (shape.unmade !== null) this.bytes += UNMADE_SHAPE
    else if (shape.dictionary) {
      this.bytes += DICTIONARY + shape.count * (shape.table.map === null ? KEY : KEY + KEY_ENTRY)
      this.left -= shape.count
      for (const key of shape.table.keys) {
        // Most short ones are shared with other objects.
        if (typeof key === "string") this.bytes += key.length > SHORT_KEY ? STRING + key.length : SLOT
        else if (typeof key === "symbol") this.visit(key)
      }
    }
    if (slots.length > 0) this.visitAll(slots, true)
    if (value.kind === Kind.Closure) this.countClosure(value.data)
    else if (value.kind === Kind.Array) this.visitAll(value.data)
    else if (value.kind === Kind.TypedArray) this.countTypedArray(value.data)
    else if (isLong(value.data)) value.data = this.share(value.data)
    else this.visit(value.data)
  }

  // Its elements are those of its buffer, and counted there.
  private countTypedArray({ buffer, viewed }: TypedArrayData): void {
    this.bytes += TYPED_ARRAY + VIEW
    this.visit(buffer)
    this.visit(viewed)
  }

  private countFrame(frame: Frame): void {
    if (frame === NO_FRAME) return
    // What a finished call left in it is no data of the program any more.
    frame.child = frame.other = NO_FRAME
    this.bytes += FRAME_BYTES
    this.visit(frame.code)
    this.visitAll(frame.regs, true)
    if (frame.fn !== NO_FRAME.fn) this.visit(frame.fn)
    if (isLong(frame.thisValue)) frame.thisValue = this.share(frame.thisValue)
    else this.visit(frame.thisValue)
    this.visit(frame.newTarget)
    this.visit(frame.parent)
    this.visit(frame.coroutine)
    this.visit(frame.args)
    this.visit(frame.native)
    if (frame.native !== null && isHidden(frame)) this.isBlind = true
    this.visit(frame.held)
  }

  private countCode(code: FunctionCode): void {
    code.forget()
    for (const child of code.children) this.visit(child)
    for (const linked of code.linked) if (linked instanceof JSObject) this.visit(linked)
  }

  private countClosure({ captures, code, fields, home }: ClosureData): void {
    this.visit(code)
    this.bytes += CLOSURE + captures.length * SLOT
    this.visit(home)
    this.visit(fields)
    for (const cell of captures) {
      if (cell.mark === this.mark) continue
      cell.mark = this.mark
      this.bytes += CELL
      if (isLong(cell.value)) cell.value = this.share(cell.value)
      else this.visit(cell.value)
    }
  }
}
