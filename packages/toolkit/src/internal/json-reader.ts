/**
 * Reads JSON that comes in pieces, so that its text is never there beside its value. It takes and refuses what `JSON.parse` does, and what
 * it makes is the same; texts in base64 can be had as bytes.
 */
import * as Option from "effect/Option"
import { Base64Data } from "./base64-data.ts"
import { isRecord } from "./json-schema.ts"

/** What a long text can be had as, and what a value may cost. */
export interface Options {
  /** The names of members whose long texts, if they are base64, become `Base64Data`. */
  readonly base64?: ReadonlySet<string> | undefined
  /**
   * How many bytes of memory the value may take, as far as that can be told. A character of JSON may take up 80 of them, as in `[{},{},{}]`. What
   * takes more is forgotten.
   */
  readonly mostMemory?: number | undefined
}

type Container = Array<unknown> | Record<string, unknown>

// What may come next, beside white space.
const enum Next {
  Value,
  ValueOrEnd,
  Name,
  NameOrEnd,
  Colon,
  CommaOrEnd,
  Nothing,
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const wordPart = /[-+.\w]*/y
const control = /[^ -\uffff]/
const names = new Map<string, unknown>([["true", true], ["false", false], ["null", null]])
// Texts that are longer than a piece are put together of what is in it. Shorter ones are not worth keeping whole pieces for.
const shortText = 4096
// A member that is still told of what has been forgotten is no longer than this.
const shortMember = 256
const mostMembers = 1000
// Arrays that were filled one by one have room for so many more. Those that have no more than that are made anew when they are whole.
const roomOfArray = 16

// About how many bytes things take in V8, beside what is in them.
const cost = { array: 48, room: 136, item: 12, object: 56, member: 8, name: 200, text: 16, number: 8 }
// Names that come again and again cost nothing. So many are remembered.
const mostNames = 1000

const structural = /["[\]{}]/g

export class JsonReader {
  private readonly options: Options
  private next = Next.Value
  private readonly open: Array<Container> = []
  // The names by which those that are open stand in what is around them.
  private readonly openNames: Array<string> = []
  private name = ""
  private readonly names = new Set<string>()
  private memory = 0
  private readonly mostMemory: number
  /** Whether it took too much memory, and has been forgotten. */
  isTooLarge = false
  // Of what has been forgotten: how many are open below the whole, and how many members of the whole are kept.
  private skipped = 0
  private kept = 0
  private root: unknown
  private broken = false
  private forgetful = false
  // A number or a name, which may go on in the next piece.
  private word = ""
  // A text that goes on in the next piece: what of it has been read, and half an escape.
  private inText = false
  private text = ""
  private base64: Base64Data | undefined
  private escape = ""

  constructor(options: Options = {}) {
    this.options = options
    this.mostMemory = options.mostMemory ?? Infinity
  }

  /** About how many bytes of memory what has been read takes. */
  get held(): number {
    return this.memory + this.text.length + (this.base64?.byteLength ?? 0)
  }

  /** Takes the next piece. */
  add(piece: string): void {
    let at = 0
    while (at < piece.length && !this.broken) {
      if (this.inText) at = this.continueText(piece, at)
      else if (this.word !== "") at = this.continueWord(piece, at)
      else if (this.skipped > 0) at = this.skip(piece, at)
      else at = this.token(piece, at)
      if (this.memory > this.mostMemory && !this.forgetful) {
        this.isTooLarge = true
        this.forget()
      }
    }
  }

  /** Takes what of a piece of bytes is base64 that goes on, and tells how many bytes that was. */
  addBase64(piece: Uint8Array): number {
    return this.base64 === undefined || this.escape !== "" || this.broken ? 0 : this.base64.addBytes(piece)
  }

  /** The value, if all of it has come and it is one. */
  end(): Option.Option<unknown> {
    if (!this.broken && this.word !== "") this.endWord()
    const isWhole = !this.broken && !this.forgetful && !this.inText && this.next === Next.Nothing
    return isWhole ? Option.some(this.root) : Option.none()
  }

  /** Keeps nothing from now on but what `members` tells. */
  forget(): void {
    if (this.forgetful) return
    this.forgetful = true
    this.base64 = undefined
    this.text = this.text.slice(0, shortMember + 1)
    if (this.open.length > 1) this.skipped = this.open.length - 1
    this.open.length = Math.min(this.open.length, 1)
    this.openNames.length = this.open.length
    this.names.clear()
    const { root } = this
    const members = isRecord(root) ? Object.entries(root).slice(0, mostMembers) : []
    this.root = isRecord(root) ? Object.fromEntries(members.map(([name, value]) => [name, short(value)])) : undefined
    if (this.open.length > 0) this.open[0] = isRecord(this.root) ? this.root : []
    this.kept = members.length
  }

  /** Of an object that has been forgotten, or was not read to its end: its own members, with their values where these are short. */
  members(): Readonly<Record<string, unknown>> {
    return isRecord(this.root) ? this.root : {}
  }

  private token(piece: string, at: number): number {
    const code = piece.charCodeAt(at)
    if (isSpace(code)) {
      do at++
      while (isSpace(piece.charCodeAt(at)))
      return at
    }
    switch (this.next) {
      case Next.Value:
      case Next.ValueOrEnd:
        if (code === 34) return this.beginText(piece, at)
        if (code === 123) return this.begin({}, Next.NameOrEnd, at)
        if (code === 91) return this.begin([], Next.ValueOrEnd, at)
        if (code === 93 && this.next === Next.ValueOrEnd) return this.close(at)
        return this.continueWord(piece, at)
      case Next.Name:
      case Next.NameOrEnd:
        if (code === 34) return this.beginText(piece, at)
        if (code === 125 && this.next === Next.NameOrEnd) return this.close(at)
        break
      case Next.Colon:
        if (code === 58) {
          this.next = Next.Value
          return at + 1
        }
        break
      case Next.CommaOrEnd: {
        const isArray = Array.isArray(this.open.at(-1))
        if (code === 44) {
          this.next = isArray ? Next.Value : Next.Name
          return at + 1
        }
        if (code === (isArray ? 93 : 125)) return this.close(at)
        break
      }
      case Next.Nothing:
    }
    this.broken = true
    return at
  }

  private begin(container: Container, next: Next, at: number): number {
    if (this.forgetful && this.open.length > 0) {
      this.put(undefined)
      this.skipped = 1
      return at + 1
    }
    this.put(container)
    this.open.push(container)
    this.openNames.push(this.name)
    this.next = next
    return at + 1
  }

  private close(at: number): number {
    const container = this.open.pop()!
    const name = this.openNames.pop()!
    const outer = this.open.at(-1)
    if (Array.isArray(container) && container.length > 0 && container.length <= roomOfArray && outer !== undefined) {
      const exact = container.slice()
      this.memory -= cost.room
      if (Array.isArray(outer)) outer[outer.length - 1] = exact
      else if (name !== "__proto__") outer[name] = exact
    }
    this.next = outer === undefined ? Next.Nothing : Next.CommaOrEnd
    return at + 1
  }

  // Passes over what is in a value that is forgotten, without looking whether it is one.
  private skip(piece: string, at: number): number {
    structural.lastIndex = at
    const found = structural.exec(piece)
    if (found === null) return piece.length
    const char = found[0]
    if (char === "\"") return this.beginText(piece, found.index)
    if (char === "[" || char === "{") this.skipped++
    else if (--this.skipped === 0) this.next = Next.CommaOrEnd
    return found.index + 1
  }

  private put(value: unknown): void {
    const { open } = this
    this.next = open.length === 0 ? Next.Nothing : Next.CommaOrEnd
    const container = open.at(-1)
    if (container === undefined) {
      this.root = value
      return
    }
    if (this.forgetful) {
      if (Array.isArray(container) || ++this.kept > mostMembers) return
      value = short(value)
    } else this.memory += costOf(value)
    if (Array.isArray(container)) {
      this.memory += container.length === 0 ? cost.room : cost.item
      container.push(value)
      return
    }
    this.memory += cost.member
    if (this.name !== "__proto__") container[this.name] = value
    else {
      // An assignment would set the prototype.
      Object.defineProperty(container, this.name, { value, writable: true, enumerable: true, configurable: true })
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Numbers and names
  // -------------------------------------------------------------------------------------------------------------------

  private continueWord(piece: string, at: number): number {
    wordPart.lastIndex = at
    const part = wordPart.exec(piece)![0]
    this.word += part
    if (this.word === "" || this.forgetful && this.word.length > shortMember) this.broken = true
    else if (at + part.length < piece.length) this.endWord()
    return at + part.length
  }

  private endWord(): void {
    const { word } = this
    this.word = ""
    if (this.skipped > 0) return
    if (number.test(word)) this.put(Number(word))
    else if (names.has(word)) this.put(names.get(word))
    else this.broken = true
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Texts
  // -------------------------------------------------------------------------------------------------------------------

  private beginText(piece: string, at: number): number {
    const end = endOfText(piece, at + 1)
    if (end >= 0 && this.skipped > 0) return end + 1
    if (end >= 0) {
      this.endText(isTiny(piece, at + 1, end) ? piece.slice(at + 1, end) : this.parsed(piece.slice(at, end + 1)))
      return end + 1
    }
    this.inText = true
    this.text = ""
    const { base64 } = this.options
    const canBeBase64 = this.next === Next.Value && base64?.has(this.name) === true && !this.forgetful &&
      isRecord(this.open.at(-1))
    this.base64 = canBeBase64 ? new Base64Data() : undefined
    return at + 1
  }

  private continueText(piece: string, at: number): number {
    if (this.escape !== "") {
      const whole = this.escape + piece.slice(at)
      const before = this.escape.length
      this.escape = ""
      return this.continueText(whole, 0) - before + at
    }
    const end = endOfText(piece, at)
    const most = end < 0 ? beforeHalfEscape(piece, at) : end
    if (most > at) this.addText(piece.slice(at, most))
    if (end < 0) {
      this.escape = piece.slice(most)
      return piece.length
    }
    this.inText = false
    const { base64, text } = this
    this.base64 = undefined
    this.text = ""
    if (!this.broken) this.endText(base64 ?? (text.length < shortText ? this.parsed(JSON.stringify(text)) : text))
    return end + 1
  }

  private addText(raw: string): void {
    let text = raw
    if (raw.includes("\\")) text = this.parsed(`"${raw}"`)
    else if (control.test(raw)) this.broken = true
    if (this.broken) return
    if (this.forgetful) {
      if (this.text.length <= shortMember) this.text += text.slice(0, shortMember + 1)
      return
    }
    if (this.base64 !== undefined) {
      if (this.base64.addText(text)) return
      this.text = this.base64.text()
      this.base64 = undefined
    }
    this.text += text
  }

  private endText(text: string | Base64Data): void {
    if (this.broken || this.skipped > 0) return
    if (typeof text === "string" && (this.next === Next.Name || this.next === Next.NameOrEnd)) {
      this.name = text
      this.next = Next.Colon
      if (!this.names.has(text) && !this.forgetful) {
        this.memory += cost.name + text.length
        if (this.names.size < mostNames) this.names.add(text)
      }
    } else this.put(text)
  }

  private parsed(text: string): string {
    try {
      return JSON.parse(text) as string
    } catch {
      this.broken = true
      return ""
    }
  }
}

const costOf = (value: unknown): number => {
  switch (typeof value) {
    case "string":
      return cost.text + value.length
    case "number":
      return cost.number
    case "object":
      if (value === null) return 0
      return value instanceof Base64Data ? value.byteLength : Array.isArray(value) ? cost.array : cost.object
    default:
      return 0
  }
}

const short = (value: unknown): unknown =>
  typeof value === "object" && value !== null || typeof value === "string" && value.length > shortMember
    ? undefined
    : value

// Such a text stands for itself, and a slice of this length keeps no piece.
const isTiny = (piece: string, from: number, end: number): boolean => {
  if (end - from > 12) return false
  for (let at = from; at < end; at++) {
    const code = piece.charCodeAt(at)
    if (code < 32 || code === 92) return false
  }
  return true
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Where a text whose rest begins at `from` ends; -1 if it goes on. */
const endOfText = (piece: string, from: number): number => {
  for (let quote = piece.indexOf("\"", from); quote >= 0; quote = piece.indexOf("\"", quote + 1)) {
    let slash = quote
    while (slash > from && piece.charCodeAt(slash - 1) === 92) slash--
    if ((quote - slash) % 2 === 0) return quote
  }
  return -1
}

/** How much of a piece can be read before the next one comes: what comes may be the other half of an escape. */
const beforeHalfEscape = (piece: string, from: number): number => {
  const { length } = piece
  for (let at = length - 1; at >= Math.max(from, length - 6); at--) {
    if (piece.charCodeAt(at) !== 92) continue
    let first = at
    while (first > from && piece.charCodeAt(first - 1) === 92) first--
    // The second one of two stands for itself.
    if ((at - first) % 2 === 1) return length
    return length - at >= (piece[at + 1] === "u" ? 6 : 2) ? length : at
  }
  return length
}
