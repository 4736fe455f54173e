import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  JSObject,
  Kind,
  newElements,
  type PropertyKey,
  type Shape,
  toKey,
  type Value,
} from "../object/index.ts"
import { substring, TextBuilder } from "./text.ts"

/** https://tc39.es/ecma262/#sec-json-parse-record — what a value was when it was parsed, and the text it came from. */
export class ParseRecord {
  /** The text of a primitive. */
  source = ""
  elements: Array<ParseRecord> | null = null
  entries: Map<PropertyKey, ParseRecord> | null = null
  constructor(readonly value: Value) {}
}

/** An array or object whose end was not seen yet. One for each depth; they are used again for the siblings. */
class Container {
  /** Where its values begin on the stack of values. */
  base = 0
  isArray = false
  /** The layout of an object so far. */
  shape: Shape = null!
  /** Where the value that comes next goes: to a new slot of `next`, to an older one, or to `key` of a dictionary. */
  next: Shape = null!
  slot = -1
  key: PropertyKey = ""
  dictionary: JSObject | null = null
  /** The first key of the last object at this depth, and its layout: the next object probably begins like it. */
  firstKey: string | null = null
  firstShape: Shape = null!
  records: Array<ParseRecord> | null = null
  entries: Map<PropertyKey, ParseRecord> | null = null
}

const QUOTE = 34
const COMMA = 44
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
/** In place of a unit: a value is complete. */
const COMPLETE = -1

/** More digits than a number has that is made of its digits one by one: the end of them is looked for by the host. */
const MANY_DIGITS = 32

const notDigit = /[^0-9]/g

const endOfDigits = (text: string, from: number): number => {
  notDigit.lastIndex = from
  return notDigit.test(text) ? notDigit.lastIndex - 1 : text.length
}

const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]

const notSpace = /[^ \t\n\r]/g

/** Of more white space than mostly stands together, the end is looked for by the host. */
const MANY_SPACES = 64

const isSpace = (unit: number): boolean => unit === 32 || unit === 10 || unit === 13 || unit === 9

/** How many units are read between two chances to pause. */
export const BLOCK = 32768

/** To begin or to end an array or object takes about as long as to read so many units. */
const CONTAINER_UNITS = 64

/** Keys from here on are compared unit by unit by the host's tables: they have equal hashes. */
const LONG_KEY = 8192

/**
 * The text of a JSON document, read once from left to right into guest values. Nesting takes no host stack: arrays and
 * objects that are under way are in `containers`, and the values they have so far on `values`.
 */
export class JsonParser {
  private position = 0
  /** What is under way, for the meter to see: the first `top` of the values. */
  readonly values: Array<any> = newElements()
  private top = 0
  readonly containers: Array<Container> = []
  private longKeys = 0
  /** A long string that is being read, up to `at`: what was read of it, if it has escapes; and how many units these are. */
  private long: { readonly result: TextBuilder | null; readonly at: number } | null = null
  private skipped = 0
  /** Where the number ends that comes next, if that is known; else 0. */
  private numberEnd = 0
  /** Up to where the text is paid for. */
  private paid = 0
  /** How many units the arrays and objects of this block stand for. */
  private contained = 0

  /** With `recording`, the record of the whole document is in `record` afterwards. */
  constructor(private readonly m: Machine, private readonly text: string, private readonly recording = false) {}

  /** The value, once the text was read to its end. */
  value: Value = undefined
  record: ParseRecord | null = null
  private depth = 0
  /** Whether the first value above those of the containers is complete, and goes to the innermost of them next. */
  private isComplete = false

  parse(): Value {
    while (!this.advance(BLOCK));
    return this.value
  }

  /** Reads about so many units more, and says whether that was the end of the text. */
  advance(units: number): boolean {
    const { m, text, values, containers, recording } = this
    const { realm } = m
    const stop = this.position + this.skipped + units
    const end = Math.min(stop, text.length)
    m.charge(8 + (Math.max(0, end - Math.max(this.paid, this.position + this.skipped)) >> 1))
    this.paid = Math.max(this.paid, end)
    this.contained = 0
    let { depth } = this
    let container: Container = containers[depth - 1]!
    let unit = this.isComplete ? COMPLETE : this.skipSpace()
    for (;;) {
      if (this.position + this.skipped + this.contained >= stop) {
        this.depth = depth
        values.length = this.top
        return false
      }
      let value: Value
      const start = this.position
      let record: ParseRecord | null = null
      switch (unit) {
        case QUOTE: {
          const string = this.string(stop + BLOCK)
          if (string === undefined) {
            this.depth = depth
            values.length = this.top
            return false
          }
          value = string
          break
        }
        case OPEN_BRACE: {
          this.position++
          container = this.open(depth, false)
          unit = this.skipSpace()
          if (unit === CLOSE_BRACE) {
            this.position++
            m.charge(24)
            m.allocate(80)
            value = realm.newObject()
            if (recording) record = this.recordObject(value, container)
            container = containers[depth - 1]!
            break
          }
          if (unit !== QUOTE) throw this.error("Expected property name or '}' in JSON")
          depth++
          this.key(container)
          unit = this.skipSpace()
          continue
        }
        case OPEN_BRACKET:
          this.position++
          container = this.open(depth, true)
          unit = this.skipSpace()
          if (unit === CLOSE_BRACKET) {
            this.position++
            m.charge(24)
            m.allocate(80)
            value = realm.newArray(newElements())
            if (recording) record = this.recordArray(value, container)
            container = containers[depth - 1]!
            break
          }
          depth++
          continue
        case COMPLETE:
          value = values[this.top]
          record = this.record
          this.isComplete = false
          break
        case 116:
          value = this.literal("true", true)
          break
        case 102:
          value = this.literal("false", false)
          break
        case 110:
          value = this.literal("null", null)
          break
        default: {
          if (!(unit === MINUS || (unit >= ZERO && unit <= NINE))) throw this.unexpected()
          const number = this.number()
          if (number === undefined) {
            this.depth = depth
            values.length = this.top
            return false
          }
          value = number
        }
      }
      if (recording && record === null) {
        record = new ParseRecord(value)
        record.source = text.slice(start, this.position)
        m.allocate(96)
      }
      // The value is complete: it goes to its container, which may be complete with it.
      for (;;) {
        if (depth === 0) {
          this.skipSpace()
          if (this.position < text.length) throw this.error("Unexpected non-whitespace character after JSON")
          this.value = value
          this.record = record
          return true
        }
        if (container.isArray) {
          values[this.top++] = value
          if (recording) container.records!.push(record!)
          unit = this.skipSpace()
          if (unit === COMMA) {
            this.position++
            unit = this.skipSpace()
            break
          }
          if (unit !== CLOSE_BRACKET) throw this.error("Expected ',' or ']' after array element in JSON")
          this.position++
          value = realm.newArray(this.take(container))
          if (recording) record = this.recordArray(value, container)
        } else {
          if (container.dictionary !== null) {
            m.charge(30)
            m.allocate(64)
            put(container.dictionary, container.key, value)
          } else if (container.slot >= 0) values[container.base + container.slot] = value
          else {
            values[this.top++] = value
            container.shape = container.next
          }
          if (recording) container.entries!.set(container.key, record!)
          unit = this.skipSpace()
          if (unit === COMMA) {
            this.position++
            unit = this.skipSpace()
            if (unit !== QUOTE) throw this.error("Expected double-quoted property name in JSON")
            this.key(container)
            unit = this.skipSpace()
            break
          }
          if (unit !== CLOSE_BRACE) throw this.error("Expected ',' or '}' after property value in JSON")
          this.position++
          value = container.dictionary ?? new JSObject(container.shape, this.take(container), Kind.Ordinary, undefined)
          if (recording) record = this.recordObject(value, container)
        }
        depth--
        container = containers[depth - 1]!
        if (this.position + this.contained >= stop) {
          this.depth = depth
          this.isComplete = true
          this.record = record
          values[this.top] = value
          values.length = this.top + 1
          return false
        }
      }
    }
  }

  private open(depth: number, isArray: boolean): Container {
    this.contained += CONTAINER_UNITS
    let container = this.containers[depth]
    if (container === undefined) {
      this.m.charge(30)
      this.m.allocate(160)
      container = this.containers[depth] = new Container()
    }
    container.isArray = isArray
    container.base = this.top
    container.shape = this.m.realm.objectShape
    container.dictionary = null
    if (this.recording) {
      container.records = isArray ? [] : null
      container.entries = isArray ? null : new Map()
    }
    return container
  }

  /** The values of a container, which leave the stack. */
  private take(container: Container): Array<any> {
    const { top } = this
    const { base } = container
    this.contained += CONTAINER_UNITS
    this.m.charge(24 + (top - base) * 4)
    this.m.allocate(80 + (top - base) * 24)
    this.top = base
    return this.values.slice(base, top)
  }

  private recordArray(value: Value, container: Container): ParseRecord {
    const record = new ParseRecord(value)
    record.elements = container.records
    return record
  }

  private recordObject(value: Value, container: Container): ParseRecord {
    const record = new ParseRecord(value)
    record.entries = container.entries
    return record
  }

  /** Moves to the next unit that is no white space, and gives it; NaN at the end. */
  private skipSpace(): number {
    const { text } = this
    let unit = text.charCodeAt(this.position)
    if (!isSpace(unit)) return unit
    const many = this.position + MANY_SPACES
    do unit = text.charCodeAt(++this.position)
    while (isSpace(unit) && this.position < many)
    if (!isSpace(unit)) return unit
    notSpace.lastIndex = this.position
    this.position = notSpace.test(text) ? notSpace.lastIndex - 1 : text.length
    return text.charCodeAt(this.position)
  }

  /** A property's name and the colon after it, and where the value will go. */
  private key(container: Container): void {
    const { shape } = container
    const root = shape.count === 0
    const isFirst = root && container.dictionary === null
    const expected = root ? container.firstKey : shape.lastKey
    if (container.dictionary === null && typeof expected === "string" && this.isKey(expected)) {
      container.next = root ? container.firstShape : shape.lastShape!
      container.slot = -1
      container.key = expected
      this.position += expected.length + 2
    } else this.otherKey(container)
    if (this.skipSpace() !== COLON) {
      throw isFirst ? this.error("Expected ':' after property name in JSON") : this.unexpected()
    }
    this.position++
  }

  /** Whether exactly this key stands at the current position. */
  private isKey(key: string): boolean {
    const { text } = this
    const start = this.position + 1
    const { length } = key
    if (text.charCodeAt(start + length) !== QUOTE) return false
    for (let i = 0; i < length; i++) {
      const unit = key.charCodeAt(i)
      if (unit !== text.charCodeAt(start + i) || unit === BACKSLASH || unit === QUOTE) return false
    }
    return true
  }

  private otherKey(container: Container): void {
    const name = this.string(Infinity)!
    if (name.length > LONG_KEY) this.m.charge(++this.longKeys * (name.length >> 5))
    const key = toKey(name)
    container.key = key
    if (container.dictionary !== null) return
    const { shape } = container
    if (typeof key === "string") {
      const slot = container.slot = shape.lookup(key)
      if (slot >= 0) return
      if (shape.isShareable(key, Attribute.All)) {
        const next = container.next = shape.add(key, Attribute.All)
        if (shape.count === 0) {
          container.firstKey = key
          container.firstShape = next
        }
        return
      }
    }
    container.dictionary = new JSObject(shape, this.take(container), Kind.Ordinary, undefined)
  }

  private literal<A extends Value>(word: string, value: A): A {
    for (let i = 1; i < word.length; i++) {
      if (this.text.charCodeAt(this.position + i) !== word.charCodeAt(i)) {
        this.position += i
        throw this.unexpected()
      }
    }
    this.position += word.length
    return value
  }

  /** Undefined for a number of very many digits once its end is found: what it is comes the next time. */
  private number(): number | undefined {
    const { text } = this
    const start = this.position
    if (this.numberEnd > 0) {
      this.position = this.numberEnd
      this.numberEnd = 0
      return Number(text.slice(start, this.position))
    }
    let at = start
    let unit = text.charCodeAt(at)
    const negative = unit === MINUS
    if (negative) unit = text.charCodeAt(++at)
    const first = at
    let n = 0
    if (unit === ZERO) {
      unit = text.charCodeAt(++at)
      if (unit >= ZERO && unit <= NINE) {
        this.position = at
        throw this.error("Unexpected number in JSON")
      }
    } else if (unit >= ZERO && unit <= NINE) {
      do {
        n = n * 10 + unit - ZERO
        unit = text.charCodeAt(++at)
      } while (unit >= ZERO && unit <= NINE && at - first < MANY_DIGITS)
      if (unit >= ZERO && unit <= NINE) unit = text.charCodeAt(at = endOfDigits(text, at))
    } else {
      this.position = at
      throw this.error("No number after minus sign in JSON")
    }
    let digits = at - first
    let fraction = 0
    if (unit === DOT) {
      unit = text.charCodeAt(++at)
      if (!(unit >= ZERO && unit <= NINE)) {
        this.position = at
        throw this.error("Unterminated fractional number in JSON")
      }
      do {
        n = n * 10 + unit - ZERO
        fraction++
        unit = text.charCodeAt(++at)
      } while (unit >= ZERO && unit <= NINE && fraction < MANY_DIGITS)
      if (unit >= ZERO && unit <= NINE) unit = text.charCodeAt(at = endOfDigits(text, at))
      digits += fraction
    }
    if (unit === 101 || unit === 69) {
      unit = text.charCodeAt(++at)
      if (unit === 43 || unit === MINUS) unit = text.charCodeAt(++at)
      if (!(unit >= ZERO && unit <= NINE)) {
        this.position = at
        throw this.error("Exponent part is missing a number in JSON")
      }
      unit = text.charCodeAt(at = endOfDigits(text, at))
      digits = Infinity
    }
    this.position = at
    // Up to 15 digits the integer is exact, and its quotient by a power of ten is rounded once.
    if (digits > 15) {
      // What is longer than a block was not paid for.
      if (at - start > BLOCK) {
        this.m.charge((at - start) >> 3)
        this.position = start
        this.numberEnd = at
        return undefined
      }
      return Number(text.slice(start, at))
    }
    if (fraction > 0) n /= POWERS_OF_TEN[fraction]!
    return negative ? -n : n
  }

  /** Undefined where a string goes on beyond `stop`: it is gone on with the next time. */
  private string(stop: number): string | undefined {
    const { text } = this
    const start = this.position + 1
    let at = start
    if (this.long !== null) {
      at = this.long.at
      if (this.long.result !== null) return this.escapedString(start, at, stop)
      this.long = null
      this.skipped = 0
    }
    const end = Math.min(text.length, stop)
    for (; at < end; at++) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) {
        this.position = at + 1
        return substring(this.m, text, start, at)
      }
      if (unit === BACKSLASH) return this.escapedString(start, at, stop)
      if (unit < 32) break
    }
    if (at < stop) throw this.badUnit(at)
    return this.stop(null, start, at)
  }

  /** Stops within a string. It is the string that comes next, and its beginning was read. */
  private stop(result: TextBuilder | null, start: number, at: number): undefined {
    this.long = { result, at }
    this.position = start - 1
    this.skipped = at - start
    return undefined
  }

  private badUnit(at: number): unknown {
    this.position = at
    return this.error(
      at >= this.text.length ? "Unterminated string in JSON" : "Bad control character in string literal in JSON",
    )
  }

  /** A string from `start` on, whose first escape is at `at`, or of which what comes before `at` was read. */
  private escapedString(start: number, at: number, stop: number): string | undefined {
    const { text } = this
    const result = this.long?.result ?? new TextBuilder()
    let from = this.long === null ? start : at
    const first = from
    this.long = null
    this.skipped = 0
    for (;;) {
      if (at >= stop) {
        result.append(text.slice(from, at))
        this.m.allocate(2 * (at - first))
        return this.stop(result, start, at)
      }
      const unit = text.charCodeAt(at)
      if (unit === QUOTE) break
      if (!(unit >= 32)) throw this.badUnit(at)
      if (unit !== BACKSLASH) {
        at++
        continue
      }
      result.append(text.slice(from, at))
      const escape = text.charCodeAt(++at)
      if (escape === 117) {
        let code = 0
        for (let i = 1; i <= 4; i++) {
          const digit = hexDigit(text.charCodeAt(at + i))
          if (digit < 0) {
            this.position = Math.min(at + i, text.length)
            throw this.error("Bad Unicode escape in JSON")
          }
          code = code * 16 + digit
        }
        result.append(String.fromCharCode(code))
        at += 5
      } else {
        const plain = ESCAPES.get(escape)
        if (plain === undefined) {
          this.position = at
          throw at >= text.length || escape > 255 ? this.unexpected() : this.error("Bad escaped character in JSON")
        }
        result.append(plain)
        at++
      }
      from = at
    }
    this.m.allocate(24 + 2 * (at - start))
    result.append(text.slice(from, at))
    this.position = at + 1
    return result.text
  }

  /** The error of a token that cannot stand here, in V8's words. */
  private unexpected(): unknown {
    const { text, position } = this
    if (position >= text.length) return this.m.syntaxError("Unexpected end of JSON input")
    if (text === "undefined" || text === "NaN" || text === "Infinity" || text === "[object Object]") {
      return this.m.syntaxError(`"${text}" is not valid JSON`)
    }
    const unit = text.charCodeAt(position)
    if (unit === QUOTE) return this.error("Unexpected string in JSON")
    if (unit === MINUS || (unit >= ZERO && unit <= NINE)) return this.error("Unexpected number in JSON")
    const start = position < CONTEXT || text.length <= CONTEXT * 2 ? 0 : position - CONTEXT
    const end = position >= text.length - CONTEXT || text.length <= CONTEXT * 2 ? text.length : position + CONTEXT
    const context = `${position >= CONTEXT && text.length > CONTEXT * 2 ? "..." : ""}"${text.slice(start, end)}"${
      end < text.length ? "..." : ""
    }`
    return this.m.syntaxError(`Unexpected token '${text[position]}', ${context} is not valid JSON`)
  }

  private error(message: string): unknown {
    const { text, position } = this
    let line = 1
    let lineStart = 0
    for (let i = 0; i < position; i++) {
      const unit = text.charCodeAt(i)
      if (unit === 10 || (unit === 13 && text.charCodeAt(i + 1) !== 10)) {
        line++
        lineStart = i + 1
      }
    }
    return this.m.syntaxError(`${message} at position ${position} (line ${line} column ${position - lineStart + 1})`)
  }
}

/** How many units a message shows on either side of the one it is about. */
const CONTEXT = 10

const ESCAPES = new Map<number, string>([
  [QUOTE, "\""],
  [BACKSLASH, "\\"],
  [47, "/"],
  [98, "\b"],
  [102, "\f"],
  [110, "\n"],
  [114, "\r"],
  [116, "\t"],
])

const hexDigit = (unit: number): number =>
  unit >= ZERO && unit <= NINE
    ? unit - ZERO
    : unit >= 97 && unit <= 102
    ? unit - 87
    : unit >= 65 && unit <= 70
    ? unit - 55
    : -1

const put = (object: JSObject, key: PropertyKey, value: Value): void => {
  const slot = object.shape.lookup(key)
  if (slot >= 0) object.slots[slot] = value
  else addProperty(object, key, value, Attribute.All)
}
