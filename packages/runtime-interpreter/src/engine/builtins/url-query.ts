import type { Machine } from "../machine/machine.ts"
import { type Calls, Pause } from "../object/index.ts"
import { hold } from "./iteration.ts"
import { encodeQuery, parseQuery } from "./url-host.ts"

// The text of a query, read and written in blocks between which the machine may stop.

/** What a pair takes, in bytes. */
export const PAIR_BYTES = 64

/** Texts are read and written in blocks of about so many code units. */
const BLOCK = 1 << 14

/**
 * Where a text can be cut, at or somewhat before `end`, so that both parts decode to what the whole does: not in a
 * surrogate pair, in an escape, or in the escapes of one character.
 */
const cutBefore = (text: string, end: number): number => {
  for (let cut = end; cut > end - 16; cut--) {
    if ((text.charCodeAt(cut) & 0xfc00) === 0xdc00) continue
    if (text[cut - 1] === "%" || text[cut - 2] === "%") continue
    if (text[cut] === "%" && /[89ab]/i.test(text[cut + 1] ?? "")) continue
    return cut
  }
  return end
}

/** The names and values in the text of a query. */
export function* readQuery(m: Machine, text: string): Calls<Array<string>> {
  const list: Array<string> = []
  hold(m, list)
  /** Whether the last value, or the last name, goes on in this block. */
  let inValue = false
  let goesOn = false
  for (let start = 0; start < text.length;) {
    if (start > 0) yield Pause
    let end = Math.min(text.length, start + BLOCK)
    let isWhole = true
    if (end < text.length) {
      const separator = text.lastIndexOf("&", end - 1)
      isWhole = separator >= start
      end = isWhole ? separator + 1 : cutBefore(text, end)
    }
    const block = text.slice(start, end)
    m.charge(block.length * 8)
    m.allocate(block.length * 4)
    if (!goesOn && isWhole) {
      const pairs = parseQuery(block)
      m.allocate(pairs.length * PAIR_BYTES / 2)
      for (const item of pairs) list.push(item)
    } else inValue = addPart(list, block, goesOn, inValue)
    goesOn = !isWhole
    start = end
  }
  return list
}

/** Takes a block of a pair that is longer than a block; gives whether the pair's value has begun. */
const addPart = (list: Array<string>, block: string, goesOn: boolean, inValue: boolean): boolean => {
  const separator = block.indexOf("&")
  const own = separator < 0 ? block : block.slice(0, separator)
  const equals = inValue ? -1 : own.indexOf("=")
  const decode = (part: string): string => parseQuery(`=${part}`)[1] ?? ""
  if (!goesOn) list.push("", "")
  const last = list.length - 1
  if (inValue && goesOn) list[last] += decode(own)
  else if (equals < 0) list[last - 1] += decode(own)
  else {
    list[last - 1] += decode(own.slice(0, equals))
    list[last] = decode(own.slice(equals + 1))
  }
  if (separator >= 0) { for (const item of parseQuery(block.slice(separator + 1))) list.push(item) }
  return separator < 0 && (equals >= 0 || (goesOn && inValue))
}

/** https://url.spec.whatwg.org/#concept-urlencoded-serializer */
export function* writeQuery(m: Machine, list: ReadonlyArray<string>): Calls<string> {
  let text = ""
  let pairs: Array<readonly [string, string]> = []
  let size = 0
  const write = (part: string): void => {
    text += part
    if (text.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  }
  const flush = (): void => {
    if (size === 0) return
    write((text === "" ? "" : "&") + encodePairs(m, pairs, size))
    pairs = []
    size = 0
  }
  for (let i = 0; i < list.length; i += 2) {
    const pair = [list[i]!, list[i + 1]!] as const
    const length = pair[0].length + pair[1].length
    if (size + length > BLOCK) {
      flush()
      yield Pause
    }
    if (length <= BLOCK) {
      pairs.push(pair)
      size += length + 16
      continue
    }
    write(text === "" ? "" : "&")
    yield* writeText(m, pair[0], write)
    write("=")
    yield* writeText(m, pair[1], write)
  }
  flush()
  return text
}

/** Writes a long name or value. */
function* writeText(m: Machine, text: string, write: (part: string) => void): Calls<void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(text.length, start + BLOCK)
    if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end--
    write(encodePairs(m, [[text.slice(start, end), ""]], end - start).slice(0, -1))
    yield Pause
    start = end
  }
}

/** The text of a block of pairs. Characters that are escaped take longer. */
const encodePairs = (m: Machine, pairs: ReadonlyArray<readonly [string, string]>, size: number): string => {
  m.charge(20 + size)
  m.allocate(size * 3)
  const text = encodeQuery(pairs)
  m.charge(text.length * 2)
  return text
}
