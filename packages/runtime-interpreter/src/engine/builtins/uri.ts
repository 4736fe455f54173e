import { newError } from "../machine/errors.ts"
import type { Machine } from "../machine/machine.ts"
import {
  defineGeneratorNative,
  type GeneratorNative,
  type Intrinsics,
  Pause,
  Throw,
  toString,
} from "../object/index.ts"
import { intrinsicFunction } from "./define.ts"

/** How many characters are worked on before the run may be suspended. */
const BLOCK = 1 << 16

/** A function over text whose result is the results of its blocks, one after the other. */
const blockwise = (
  convert: (block: string) => string,
  cut: (text: string, end: number) => number,
): GeneratorNative<Machine> =>
  function*(m, _this, args) {
    const text = toString(m, args[0])
    let result = ""
    for (let start = 0; start < text.length;) {
      if (start > 0) yield Pause
      const end = start + BLOCK < text.length ? cut(text, start + BLOCK) : text.length
      m.charge(end - start)
      try {
        result += convert(text.slice(start, end))
      } catch (error) {
        if (error instanceof URIError) throw new Throw(newError(m, "URIError", "URI malformed"))
        throw error
      }
      if (result.length > m.maxStringLength) throw m.rangeError("Invalid string length")
      m.allocate((end - start) * 2)
      start = end
    }
    return result
  }

/** Not between the two halves of a surrogate pair. */
const cutPair = (text: string, end: number): number => (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end + 1 : end

/** Not inside an escape, which begins with `%` and has up to five more characters. */
const cutEscape = (text: string, end: number): number => {
  for (let i = end - 5; i < end; i++) if (text.charCodeAt(i) === 37) return i
  return end
}

/** Not inside the escapes of one code point: before an escape that is no continuation byte. */
const cutSequence = (text: string, end: number): number => {
  let at = cutEscape(text, end)
  for (let i = 0; i < 4 && /^%[89ab]/i.test(text.slice(at, at + 2)); i++) at += 3
  return Math.min(at, text.length)
}

const define = (name: string, convert: (block: string) => string, cut: (text: string, end: number) => number) =>
  intrinsicFunction(defineGeneratorNative(name, 1, blockwise(convert, cut)))

export const uriIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-decodeuri-encodeduri */
  decodeURI: define("decodeURI", decodeURI, cutSequence),
  /** https://tc39.es/ecma262/#sec-decodeuricomponent-encodeduricomponent */
  decodeURIComponent: define("decodeURIComponent", decodeURIComponent, cutSequence),
  /** https://tc39.es/ecma262/#sec-encodeuri-uri */
  encodeURI: define("encodeURI", encodeURI, cutPair),
  /** https://tc39.es/ecma262/#sec-encodeuricomponent-uricomponent */
  encodeURIComponent: define("encodeURIComponent", encodeURIComponent, cutPair),
  /** https://tc39.es/ecma262/#sec-escape-string */
  escape: define("escape", escape, (_text, end) => end),
  /** https://tc39.es/ecma262/#sec-unescape-string */
  unescape: define("unescape", unescape, cutEscape),
}
