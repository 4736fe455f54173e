/**
 * A text in base64 that is read in pieces and kept as the bytes that it stands for, which are three quarters of it. Whether it is base64 to
 * its end turns out late, so nothing of the text is lost: it can be had again.
 */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { ByteBlocks } from "./byte-blocks.ts"
import { TextEncoder } from "./web.ts"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
const none = 64
const values = new Uint8Array(256).fill(none)
for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i

// Where bytes are put before they are collected, so that nothing is allocated for a piece.
const scratch = new Uint8Array(3 * 4096)
const encoder = new TextEncoder()

export class Base64Data {
  private readonly blocks = new ByteBlocks()
  // Fewer than four digits that have come last, and the padding after them.
  private rest = ""
  private padding = ""

  /** How many bytes it stands for. */
  get byteLength(): number {
    return this.blocks.length + Math.floor(this.rest.length * 3 / 4)
  }

  /** Takes a piece of the text, unless with that it is no base64: then it takes nothing. */
  addText(piece: string): boolean {
    if (!(this.padding === "" ? /^[A-Za-z0-9+/]*=*$/ : /^=*$/).test(piece)) return false
    const end = piece.indexOf("=")
    const digits = end < 0 ? piece : piece.slice(0, end)
    if (digits !== "") this.addBytes(encoder.encode(digits))
    this.padding += piece.slice(digits.length)
    return true
  }

  /** Takes the digits that a piece of ASCII begins with, and tells how many those are. */
  addBytes(piece: Uint8Array): number {
    if (this.padding !== "") return 0
    let at = this.rest === "" ? 0 : this.addSome(piece, 0, 4 - this.rest.length)
    if (this.rest !== "") return at
    let to = 0
    for (const last = piece.length - 3; at < last; at += 4) {
      const a = values[piece[at]!]!
      const b = values[piece[at + 1]!]!
      const c = values[piece[at + 2]!]!
      const d = values[piece[at + 3]!]!
      if ((a | b | c | d) >= none) break
      scratch[to] = a << 2 | b >> 4
      scratch[to + 1] = b << 4 | c >> 2
      scratch[to + 2] = c << 6 | d
      to += 3
      if (to === scratch.length) {
        this.blocks.add(scratch)
        to = 0
      }
    }
    if (to > 0) this.blocks.add(scratch.subarray(0, to))
    return this.addSome(piece, at, 3)
  }

  /** The bytes. `undefined` if the end of it is none of base64. Nothing is added any more. */
  bytes(): Uint8Array | undefined {
    const last = Base64.decode(this.rest + this.padding)
    if (Result.isFailure(last)) return undefined
    this.blocks.add(last.success)
    this.rest = this.padding = ""
    return this.blocks.join()
  }

  /** The text again. Nothing is added any more. */
  text(): string {
    return Base64.encode(this.blocks.join()) + this.rest + this.padding
  }

  // Takes so many digits at most, and tells where it came to.
  private addSome(piece: Uint8Array, from: number, most: number): number {
    let at = from
    for (const end = Math.min(piece.length, from + most); at < end && values[piece[at]!] !== none; at++) {
      this.rest += String.fromCharCode(piece[at]!)
    }
    if (this.rest.length === 4) {
      const last = Base64.decode(this.rest)
      if (Result.isSuccess(last)) this.blocks.add(last.success)
      this.rest = ""
    }
    return at
  }
}
