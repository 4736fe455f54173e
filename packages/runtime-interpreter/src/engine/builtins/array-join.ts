import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  type Calls,
  get,
  getAt,
  invoke,
  isCallable,
  type JSObject,
  lengthOfArrayLike,
  type Native,
  Pause,
  toString,
  type Value,
} from "../object/index.ts"
import { arrayLike, BLOCK } from "./array-like.ts"
import { toString as objectToString } from "./object-prototype.ts"

/** Joins the texts of elements unless the array is being joined already: an array inside itself joins as an empty text. */
const joinElements = (
  m: Machine,
  o: JSObject,
  length: number,
  separator: string,
  textOf: (value: Value) => string,
): Value => {
  const { joining } = m.realm
  if (joining.has(o)) return ""
  if (joining.size >= 1000) throw m.rangeError("Maximum call stack size exceeded")
  if (length > 0 && (length - 1) * separator.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  const parts: Array<string> = []
  if (length > BLOCK) return inSteps(m, [o, parts], joinSteps(m, o, length, separator, textOf, parts))
  joining.add(o)
  try {
    const total = joinBlock(m, o, 0, length, separator, textOf, parts, 0)
    payText(m, total)
    return parts.join(separator)
  } finally {
    joining.delete(o)
  }
}

function* joinSteps(
  m: Machine,
  o: JSObject,
  length: number,
  separator: string,
  textOf: (value: Value) => string,
  parts: Array<string>,
): Calls {
  const { joining } = m.realm
  joining.add(o)
  try {
    let total = 0
    for (let k = 0; k < length; k += BLOCK) {
      const block: Array<string> = []
      const before = total
      total = joinBlock(m, o, k, Math.min(length, k + BLOCK), separator, textOf, block, total)
      payText(m, total - before)
      parts.push(block.join(separator))
      yield Pause
    }
    payText(m, total)
    return parts.join(separator)
  } finally {
    joining.delete(o)
  }
}

/** Adds the texts of some elements to the parts of a text that is so long already, and gives its length with them. */
const joinBlock = (
  m: Machine,
  o: JSObject,
  start: number,
  end: number,
  separator: string,
  textOf: (value: Value) => string,
  parts: Array<string>,
  total: number,
): number => {
  for (let k = start; k < end; k++) {
    m.charge(4)
    const value = getAt(m, o, k)
    const text = value === undefined || value === null ? "" : textOf(value)
    total += text.length + (k > 0 ? separator.length : 0)
    if (total > m.maxStringLength) throw m.rangeError("Invalid string length")
    parts.push(text)
  }
  return total
}

const payText = (m: Machine, length: number): void => {
  m.charge(length >> 3)
  m.allocate(16 + length)
}

const join = (m: Machine, o: JSObject, separatorValue: Value): Value => {
  const length = lengthOfArrayLike(m, o)
  const separator = separatorValue === undefined ? "," : toString(m, separatorValue)
  return joinElements(m, o, length, separator, (value) => toString(m, value))
}

/** https://tc39.es/ecma262/#sec-array.prototype.join */
export const joinMethod: Native<Machine> = (m, self, args) => join(m, arrayLike(m, self, "join"), args[0])

/** https://tc39.es/ecma402/#sup-array.prototype.tolocalestring */
export const toLocaleString: Native<Machine> = (m, self, args) => {
  const o = arrayLike(m, self, "toLocaleString")
  const length = lengthOfArrayLike(m, o)
  return joinElements(
    m,
    o,
    length,
    ",",
    (value) => toString(m, invoke(m, value, "toLocaleString", [args[0], args[1]])),
  )
}

/** https://tc39.es/ecma262/#sec-array.prototype.tostring */
export const toStringMethod: Native<Machine> = (m, self) => {
  const o = arrayLike(m, self, "toString")
  const fn = get(m, o, "join")
  return isCallable(fn) ? m.call(fn, o, []) : objectToString(m, o, [], undefined, o)
}
