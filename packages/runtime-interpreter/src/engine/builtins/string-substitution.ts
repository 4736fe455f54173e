import type { Machine } from "../machine/machine.ts"
import { get, type JSObject, toKey, toString, type Value } from "../object/index.ts"
import { reserveString } from "./text.ts"

const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57

/**
 * https://tc39.es/ecma262/#sec-getsubstitution — `captures` has the texts of the groups, the first at 0. What the result
 * takes is paid here.
 */
export const getSubstitution = (
  m: Machine,
  matched: string,
  text: string,
  position: number,
  captures: ReadonlyArray<string | undefined>,
  namedCaptures: JSObject | undefined,
  template: string,
): string => {
  let dollar = template.indexOf("$")
  if (dollar < 0) return template
  let result = ""
  let start = 0
  const append = (part: string): void => {
    m.charge(1)
    reserveString(m, result.length + part.length)
    result += part
  }
  while (dollar >= 0 && dollar + 1 < template.length) {
    let end = dollar + 2
    let replacement: string | undefined
    const unit = template.charCodeAt(dollar + 1)
    switch (unit) {
      case 36: // $
        replacement = "$"
        break
      case 38: // &
        replacement = matched
        break
      case 96: // `
        replacement = text.slice(0, position)
        break
      case 39: // '
        replacement = text.slice(Math.min(position + matched.length, text.length))
        break
      case 60: { // <
        const close = namedCaptures === undefined ? -1 : template.indexOf(">", dollar + 2)
        if (close < 0) break
        const capture: Value = get(m, namedCaptures!, toKey(template.slice(dollar + 2, close)))
        replacement = capture === undefined ? "" : toString(m, capture)
        end = close + 1
        break
      }
      default: {
        if (!isDigit(unit)) break
        let index = unit - 48
        const second = dollar + 2 < template.length ? template.charCodeAt(dollar + 2) : 0
        if (isDigit(second)) {
          const both = index * 10 + second - 48
          if (both >= 1 && both <= captures.length) {
            index = both
            end = dollar + 3
          }
        }
        if (index >= 1 && index <= captures.length) replacement = captures[index - 1] ?? ""
      }
    }
    if (replacement !== undefined) {
      append(template.slice(start, dollar))
      append(replacement)
      start = end
    } else if (unit !== 36) end = dollar + 1
    dollar = template.indexOf("$", end)
  }
  append(template.slice(start))
  return result
}
