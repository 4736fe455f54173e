import type * as Schema from "effect/Schema"

/** Stands for a value that JSON has no form for. */
export const notJson: unique symbol = Symbol("notJson")

/** On a handler's result, what is known to be JSON: if it is the encoded result, that need not be looked through again. */
export const knownJson: unique symbol = Symbol("knownJson")

// Deeper values are taken for cycles. Far above what a runtime lets cross, far below what the host's stack holds.
const maxDepth = 512

/**
 * Gives a value as JSON has it: properties that are `undefined` are dropped, holes and `undefined` in arrays, and numbers
 * that are not finite, are `null`. A value that is JSON already is given back as it is, not copied. Functions, symbols, bigints,
 * cycles and objects of a class are {@link notJson}.
 */
export const toJson = (value: unknown): Schema.Json | typeof notJson =>
  isJson(value, 0) ? (value as Schema.Json) : walk(value, 0)

// Nearly every result is JSON already. Results may be large, so seeing that is kept apart from the change, and fast: leaves are
// looked at in the loops, without a call each.
const isJson = (value: unknown, depth: number): boolean => {
  if (typeof value !== "object" || value === null) return isLeaf(value)
  if (depth >= maxDepth) return false
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      if (!isLeaf(item) && (typeof item !== "object" || !isJson(item, depth + 1))) return false
    }
    return true
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  const record = value as Record<string, unknown>
  for (const key in record) {
    const item = record[key]
    if (!isLeaf(item) && (typeof item !== "object" || !isJson(item, depth + 1))) return false
  }
  return true
}

const isLeaf = (value: unknown): boolean =>
  typeof value === "string" || value === null || typeof value === "boolean" ||
  typeof value === "number" && value - value === 0

const walk = (value: unknown, depth: number): Schema.Json | typeof notJson => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value
    case "number":
      return Number.isFinite(value) ? value : null
    case "undefined":
      return null
    case "object":
      if (value === null) return null
      if (depth >= maxDepth) return notJson
      return Array.isArray(value) ? walkArray(value, depth + 1) : walkObject(value, depth + 1)
    default:
      return notJson
  }
}

const walkArray = (array: ReadonlyArray<unknown>, depth: number): Schema.Json | typeof notJson => {
  let copy: Array<Schema.Json> | undefined
  for (let i = 0; i < array.length; i++) {
    const from = array[i]
    const to = walk(from, depth)
    if (to === notJson) return notJson
    if (copy === undefined && to !== from) copy = array.slice(0, i) as Array<Schema.Json>
    copy?.push(to)
  }
  return copy ?? (array as Schema.JsonArray)
}

const walkObject = (object: object, depth: number): Schema.Json | typeof notJson => {
  const prototype = Object.getPrototypeOf(object)
  if (prototype !== Object.prototype && prototype !== null) return notJson
  const record = object as Record<string, unknown>
  const keys = Object.keys(record)
  let entries: Array<readonly [string, Schema.Json]> | undefined
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    const from = record[key]
    const to = walk(from, depth)
    if (to === notJson) return notJson
    if (entries === undefined && to !== from) {
      entries = keys.slice(0, i).map((before) => [before, record[before] as Schema.Json])
    }
    if (from !== undefined) entries?.push([key, to])
  }
  // Entries, because assigning would lose a property named `__proto__`.
  return entries === undefined ? (record as Schema.JsonObject) : Object.fromEntries(entries)
}
