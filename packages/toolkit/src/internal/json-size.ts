import type * as Schema from "effect/Schema"

/**
 * About how many characters of JSON a value takes. Stops counting beyond `enough`, so that it costs no more than that.
 */
export const jsonSize = (value: Schema.Json, enough: number): number => {
  let size = 0
  const left: Array<Schema.Json> = [value]
  while (left.length > 0 && size <= enough) {
    const next = left.pop()!
    if (typeof next === "string") size += next.length + 2
    else if (typeof next !== "object" || next === null) size += 6
    else if (Array.isArray(next)) {
      size += next.length + 2
      if (size > enough) break
      for (const item of next as Schema.JsonArray) left.push(item)
    } else {
      size += 2
      for (const key in next) {
        size += key.length + 4
        if (size > enough) break
        left.push((next as Schema.JsonObject)[key]!)
      }
    }
  }
  return size
}
