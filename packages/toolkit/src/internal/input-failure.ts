import type * as Schema from "effect/Schema"
import type { Entry } from "../Catalog.ts"
import { dereference, isRecord } from "./json-schema.ts"
import * as Nearest from "./nearest.ts"
import { propertyName } from "./path.ts"
import { Failure } from "./tool-call.ts"

/** The longest signature that is shown, in characters; and how many fields are named. */
const MAX_SIGNATURE = 600
const MAX_NAMES = 8

/**
 * Adds to the failure of an input that does not fit what a model needs to correct it: the fields that are missing, those that are not
 * there, and how the tool is called.
 */
export const explained = (failure: Failure, input: Schema.JsonObject, entry: Entry | undefined): Failure => {
  if (failure.code !== "INVALID_TOOL_INPUT" || entry === undefined) return failure
  const lines = [failure.message, ...fields(input, entry.input)]
  const { compact } = entry
  lines.push(`It is called as: ${compact.length <= MAX_SIGNATURE ? compact : `${compact.slice(0, MAX_SIGNATURE)}…`}`)
  return new Failure({ code: failure.code, message: lines.join("\n"), retryable: failure.retryable })
}

const fields = (input: Schema.JsonObject, root: Entry["input"]): Array<string> => {
  const referred = typeof root?.$ref === "string" ? dereference(root, root.$ref) : root
  const schema = isRecord(referred) ? referred : undefined
  const properties = schema?.properties
  if (!isRecord(properties)) return []
  const lines: Array<string> = []
  const required = Array.isArray(schema?.required) ? schema.required.filter((name) => typeof name === "string") : []
  const missing = required.filter((name) => !Object.hasOwn(input, name))
  if (missing.length > 0) lines.push(`Missing: ${listed(missing)}.`)
  // `additionalProperties: true` stands in the schema of every struct, and means no more than that others are let through.
  const isOpen = isRecord(schema?.additionalProperties) || isRecord(schema?.patternProperties)
  const unknown = isOpen ? [] : Object.keys(input).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0) {
    const nearest = Nearest.make(Object.keys(properties).filter((name) => !Object.hasOwn(input, name)))
    const meant = (name: string): string => {
      const [near] = nearest.find(name, 1)
      return near === undefined ? propertyName(name) : `${propertyName(name)} (did you mean ${propertyName(near)}?)`
    }
    lines.push(`Not among its fields: ${listed(unknown, meant)}.`)
  }
  return lines
}

const listed = (names: ReadonlyArray<string>, show: (name: string) => string = propertyName): string => {
  const shown = names.slice(0, MAX_NAMES).map((name) => show(name.length <= 100 ? name : `${name.slice(0, 100)}…`))
  return names.length <= MAX_NAMES ? shown.join(", ") : `${shown.join(", ")} and ${names.length - MAX_NAMES} more`
}
