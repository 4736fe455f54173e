/**
 * UTF-8, https://encoding.spec.whatwg.org/#utf-8: functions over the host's bytes that run no code of the program, and pause
 * while they work on much.
 */
import { type Agent, type Calls, Pause } from "../object/index.ts"

/** So many characters are worked on between two pauses. */
const BLOCK = 1 << 14

const REPLACEMENT = 0xfffd

/** The code point at an index; the replacement character for half of a pair. */
const scalarAt = (text: string, index: number): number => {
  const code = text.codePointAt(index)!
  return code >= 0xd800 && code <= 0xdfff ? REPLACEMENT : code
}

const sizeOf = (code: number): number => code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4

/** In bytes. */
export function* utf8Length(m: Agent, text: string): Calls<number> {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    if (i % BLOCK === BLOCK - 1) {
      m.charge(BLOCK)
      yield Pause
    }
    const code = scalarAt(text, i)
    length += sizeOf(code)
    if (code > 0xffff) i++
  }
  return length
}

/** Encodes as many whole characters as `target` has room for. */
export function* encodeUtf8(
  m: Agent,
  text: string,
  target: Uint8Array,
): Calls<{ readonly read: number; readonly written: number }> {
  let read = 0
  let written = 0
  let pause = BLOCK
  while (read < text.length) {
    if (read >= pause) {
      pause += BLOCK
      m.charge(BLOCK)
      yield Pause
    }
    const code = scalarAt(text, read)
    const size = sizeOf(code)
    if (written + size > target.length) break
    if (size === 1) target[written] = code
    else {
      let rest = code
      for (let i = size - 1; i > 0; i--) {
        target[written + i] = 0x80 | (rest & 0x3f)
        rest >>= 6
      }
      target[written] = (0xf00 >> size) & 0xff | rest
    }
    written += size
    read += code > 0xffff ? 2 : 1
  }
  return { read, written }
}

/** What a decoder keeps between two calls. */
export interface DecoderState {
  /** The bytes of a character that is not complete yet. */
  pending: Uint8Array
  /** Whether the beginning, where a byte order mark is dropped, is over. */
  begun: boolean
}

export const newDecoderState = (): DecoderState => ({ pending: new Uint8Array(0), begun: false })

/** How many bytes follow a first byte; 0 for none, -1 for a byte that begins nothing. */
const following = (byte: number): number =>
  byte < 0x80 ? 0 : byte < 0xc2 ? -1 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : -1

/**
 * Decodes bytes after the pending ones. `null` where `fatal` and they are no UTF-8. With `more`, a character may go on in
 * the bytes of the next call.
 */
export function* decodeUtf8(
  m: Agent,
  state: DecoderState,
  input: Uint8Array,
  options: { readonly fatal: boolean; readonly ignoreBom: boolean; readonly more: boolean },
): Calls<string | null> {
  let bytes = input
  if (state.pending.length > 0) {
    bytes = new Uint8Array(state.pending.length + input.length)
    bytes.set(state.pending)
    bytes.set(input, state.pending.length)
    state.pending = new Uint8Array(0)
  }
  const units = new Uint16Array(Math.min(bytes.length, 4096) + 2)
  let text = ""
  let count = 0
  let pause = BLOCK
  const { length } = bytes
  let i = 0
  while (i < length) {
    if (count >= 4096) {
      text += String.fromCharCode.apply(null, units.subarray(0, count) as unknown as Array<number>)
      count = 0
      if (i >= pause) {
        pause += BLOCK
        m.charge(BLOCK)
        yield Pause
      }
    }
    const first = bytes[i]!
    let code = first
    const needed = following(first)
    if (needed !== 0) {
      let size = 1
      if (needed > 0) {
        code = first & (0x3f >> needed)
        for (; size <= needed && i + size < length; size++) {
          const byte = bytes[i + size]!
          // No code point in a longer form than needed, no half of a pair, none above the last.
          const least = size > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
          const most = size > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
          if (byte < least || byte > most) break
          code = (code << 6) | (byte & 0x3f)
        }
      }
      if (size <= needed && i + size === length && options.more) {
        state.pending = bytes.slice(i)
        break
      }
      if (needed < 0 || size <= needed) {
        if (options.fatal) return null
        code = REPLACEMENT
      }
      i += size
    } else i++
    if (!state.begun) {
      state.begun = true
      if (code === 0xfeff && !options.ignoreBom) continue
    }
    if (code > 0xffff) {
      code -= 0x10000
      units[count++] = 0xd800 | (code >> 10)
      units[count++] = 0xdc00 | (code & 0x3ff)
    } else units[count++] = code
  }
  return text + String.fromCharCode.apply(null, units.subarray(0, count) as unknown as Array<number>)
}
