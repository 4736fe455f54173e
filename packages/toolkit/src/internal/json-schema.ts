import { unescaped } from "./attempt.ts"

/** An object of JSON of which nothing else is known, such as a JSON Schema. */
export type JsonObject = { readonly [key: string]: unknown }

/** Whether a value is an object and no array. */
export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Follows a reference inside a document: `#/$defs/Issue`. `undefined` if it leads nowhere, or outside. */
export const dereference = (root: unknown, ref: string): unknown => {
  if (ref === "#") return root
  if (!ref.startsWith("#/")) return undefined
  let at: unknown = root
  for (const part of ref.slice(2).split("/")) {
    const key = unescaped(part).replaceAll("~1", "/").replaceAll("~0", "~")
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as JsonObject)[key]
  }
  return at
}
