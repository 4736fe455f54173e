/**
 * One JSON value that comes in pieces of text, or of UTF-8. A short one is left to `JSON.parse`; of a long one, no more of the text is kept
 * than what is not read yet.
 */
import * as Option from "effect/Option"
import { JsonReader, type Options } from "./json-reader.ts"
import { TextDecoder } from "./web.ts"

/** From how many characters on a text is read as it comes. */
const long = 256 * 1024
const beginning = 64 * 1024
// What is read of a piece at once, so that one piece takes up no more memory than this at a time.
const pieceLength = 64 * 1024

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

export class JsonInput {
  private readonly options: Options | undefined
  private text = ""
  private first = ""
  private reader: JsonReader | undefined
  // The beginning of a character whose rest has not come.
  private part: Uint8Array | undefined
  private atStart = true

  constructor(options?: Options) {
    this.options = options
  }

  /** Whether it is so long that it is read as it comes. */
  get isLong(): boolean {
    return this.reader !== undefined
  }

  /** Whether it took too much memory, and has been forgotten. */
  get isTooLarge(): boolean {
    return this.reader?.isTooLarge === true
  }

  /** About how many bytes of memory what has come takes. */
  get held(): number {
    return this.reader === undefined ? this.text.length : this.reader.held
  }

  /** Whether nothing has come, or white space alone. */
  get isBlank(): boolean {
    return this.reader === undefined && this.text.trim() === ""
  }

  /** What it begins with: all of it, unless it is long. */
  get beginning(): string {
    return this.reader === undefined ? this.text : this.first
  }

  /** The text, unless it is so long that it is not kept. */
  get kept(): string | undefined {
    return this.reader === undefined ? this.text : undefined
  }

  /** Takes the next piece of a text. */
  addText(piece: string): void {
    if (this.reader !== undefined) {
      this.reader.add(piece)
      return
    }
    this.text += piece
    if (this.text.length > long) this.readOn()
  }

  /** Takes the next piece of UTF-8. What is none is read as U+FFFD, and a byte order mark at the beginning is passed over. */
  addBytes(piece: Uint8Array): void {
    for (let from = 0; from < piece.length; from += pieceLength) this.addPiece(piece.subarray(from, from + pieceLength))
  }

  /** Keeps nothing from now on but what `members` tells. */
  forget(): void {
    if (this.reader === undefined) this.readOn()
    this.reader?.forget()
  }

  /** The value, if all of it has come and it is one. */
  end(): Option.Option<unknown> {
    if (this.part !== undefined) this.addText(decoder.decode(this.part))
    this.part = undefined
    if (this.reader !== undefined) return this.reader.end()
    try {
      return Option.some(JSON.parse(this.text) as unknown)
    } catch {
      return Option.none()
    }
  }

  /** After the end, of an object that has been forgotten: its own members, with their values where these are short. */
  members(): Readonly<Record<string, unknown>> {
    return this.reader?.members() ?? {}
  }

  private readOn(): void {
    this.reader = new JsonReader(this.options)
    this.first = this.text.slice(0, beginning)
    this.reader.add(this.text)
    this.text = ""
  }

  private addPiece(piece: Uint8Array): void {
    let rest = piece
    if (this.reader !== undefined && this.part === undefined) {
      rest = piece.subarray(this.reader.addBase64(piece))
      if (rest.length === 0) return
    }
    if (this.part !== undefined) {
      const whole = new Uint8Array(this.part.length + rest.length)
      whole.set(this.part)
      whole.set(rest, this.part.length)
      rest = whole
      this.part = undefined
    }
    const end = beforeHalfCharacter(rest)
    if (end < rest.length) this.part = rest.slice(end)
    if (end === 0) return
    const text = decoder.decode(rest.subarray(0, end))
    this.addText(this.atStart && text.startsWith("\ufeff") ? text.slice(1) : text)
    this.atStart = false
  }
}

// A decoder starts anew at every byte that begins a character, so that what comes before one can be decoded by itself.
const beforeHalfCharacter = (bytes: Uint8Array): number => {
  const { length } = bytes
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!
    if (byte < 0x80) return length
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length - back : length
  }
  return length
}
