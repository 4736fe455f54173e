import type { Machine } from "../machine/machine.ts"
import type { Agent, Native } from "../object/index.ts"
import { reserveString } from "./text.ts"

const LINE_TERMINATORS: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
}

/** https://tc39.es/ecma262/#sec-escaperegexppattern */
export const sourceText = (m: Agent, pattern: string): string => {
  if (pattern === "") return "(?:)"
  m.charge(pattern.length)
  if (!/[/\n\r\u2028\u2029]/.test(pattern)) return pattern
  reserveString(m, pattern.length * 6)
  let text = ""
  let inClass = false
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!
    const terminator = LINE_TERMINATORS[c]
    if (terminator !== undefined) text += terminator
    else if (c === "\\" && i + 1 < pattern.length) {
      const next = pattern[++i]!
      // The escape of a line terminator has its own backslash.
      text += LINE_TERMINATORS[next] ?? c + next
    } else if (c === "/" && !inClass) text += "\\/"
    else {
      if (c === "[") inClass = true
      else if (c === "]") inClass = false
      text += c
    }
  }
  return text
}

const SYNTAX = /^[\^$\\.*+?()[\]{}|/]$/
const CONTROL: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\v": "\\v", "\f": "\\f", "\r": "\\r" }
/** Other punctuators, white space, line terminators and lone surrogates. */
const OTHER = /^[,\-=<>#&!%:;@~'`"\s\ufeff\ud800-\udfff]$/u

const unitEscape = (unit: number): string =>
  unit < 0x100 ? `\\x${unit.toString(16).padStart(2, "0")}` : `\\u${unit.toString(16).padStart(4, "0")}`

/** https://tc39.es/ecma262/#sec-encodeforregexpescape */
const encode = (c: string): string => {
  if (SYNTAX.test(c)) return `\\${c}`
  const control = CONTROL[c]
  if (control !== undefined) return control
  return OTHER.test(c) ? unitEscape(c.charCodeAt(0)) : c
}

/** https://tc39.es/ecma262/#sec-regexp.escape */
export const escape: Native<Machine> = (m, _this, [text]) => {
  if (typeof text !== "string") throw m.typeError("Input must be a string")
  m.charge(text.length * 8)
  reserveString(m, text.length)
  let escaped = ""
  for (const c of text) {
    const part = escaped === "" && /^[0-9a-zA-Z]$/.test(c) ? unitEscape(c.charCodeAt(0)) : encode(c)
    if (escaped.length + part.length > m.maxStringLength) throw m.rangeError("Invalid string length")
    escaped += part
  }
  m.allocate(escaped.length * 2)
  return escaped
}
