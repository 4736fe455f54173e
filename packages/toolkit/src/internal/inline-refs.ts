import { dereference, isRecord, type JsonObject } from "./json-schema.ts"

/**
 * Puts in place of a schema that only refers to another the one that it refers to, so that what is said of it is what it is and not what
 * it is called. One that leads back to itself stays, and so does one that says more.
 */
export const inline = (root: JsonObject): (schema: JsonObject) => JsonObject => {
  const recursive = new Map<string, boolean>()
  const isRecursive = (ref: string): boolean => {
    let known = recursive.get(ref)
    if (known === undefined) recursive.set(ref, known = leadsTo(root, ref))
    return known
  }
  return (schema) => {
    let at = schema
    while (typeof at.$ref === "string" && Object.keys(at).every((key) => key === "$ref" || annotations.has(key))) {
      const target = dereference(root, at.$ref)
      if (!isRecord(target) || isRecursive(at.$ref)) return at
      at = target
    }
    return at
  }
}

const annotations = new Set([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
])

/** Whether what a reference leads to has the same reference in it, however far away. */
const leadsTo = (root: JsonObject, ref: string): boolean => {
  const seen = new Set<string>()
  const open: Array<unknown> = [dereference(root, ref)]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== "object" || value === null) continue
    for (const inner of Object.values(value)) open.push(inner)
    const found = (value as JsonObject).$ref
    if (found === ref) return true
    if (typeof found !== "string" || seen.has(found)) continue
    seen.add(found)
    open.push(dereference(root, found))
  }
  return false
}
