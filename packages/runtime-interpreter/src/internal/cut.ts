import type * as Schema from "effect/Schema"

/** How much of a result is kept; `Infinity` for all. */
export interface CutLimits {
  readonly resultDepth: number
  readonly resultElements: number
  readonly resultString: number
}

/** Whether anything may be cut at all. */
export const cuts = ({ resultDepth, resultElements, resultString }: CutLimits): boolean =>
  resultDepth !== Infinity || resultElements !== Infinity || resultString !== Infinity

/** Cuts a result to size, with marks that a model reads. The nesting of what is given is limited elsewhere. */
export const cut = (value: Schema.Json, limits: CutLimits, depth = 0): Schema.Json => {
  if (typeof value === "string") {
    const { resultString } = limits
    if (value.length <= resultString) return value
    const kept = /[\ud800-\udbff]/.test(value[resultString - 1]!) ? resultString - 1 : resultString
    return `${value.slice(0, kept)}… [${value.length - kept} more characters]`
  }
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) {
    if (depth >= limits.resultDepth) return `[array of ${value.length}, cut at depth ${limits.resultDepth}]`
    const { resultElements } = limits
    const kept = value.length <= resultElements ? value : value.slice(0, resultElements)
    const result = kept.map((element: Schema.Json) => cut(element, limits, depth + 1))
    if (kept.length < value.length) result.push(`[${value.length - kept.length} more elements]`)
    return result
  }
  const keys = Object.keys(value)
  if (depth >= limits.resultDepth) return `[object of ${keys.length} keys, cut at depth ${limits.resultDepth}]`
  return Object.fromEntries(
    keys.map((key) => [key, cut((value as { readonly [key: string]: Schema.Json })[key]!, limits, depth + 1)]),
  )
}
