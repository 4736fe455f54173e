import { dereference, isRecord, type JsonObject } from "./json-schema.ts"
import { oneLine } from "./safe-text.ts"

const MAX_DESCRIPTION = 500
const MAX_TAG = 100

const tags = [
  "default",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
  "pattern",
]

/** What is told of a field, line by line, and how many characters it takes. */
export interface Doc {
  readonly lines: ReadonlyArray<string>
  readonly length: number
}

/** Reads what a schema says of a field beside its type: description, default, format, bounds. */
export const docOf = (root: unknown, schema: unknown): Doc | undefined => {
  const told = tellers(root, schema, 0)
  if (told.length === 0) return undefined
  const lines: Array<string> = []
  const description = told.find(({ description }) => typeof description === "string")?.description
  if (typeof description === "string") {
    const line = oneLine(description, MAX_DESCRIPTION)
    if (line !== "") lines.push(line)
  }
  if (told.some(({ deprecated }) => deprecated === true)) lines.push("@deprecated")
  for (const tag of tags) {
    const value = told.find((one) => one[tag] !== undefined)?.[tag]
    const shown = value === undefined ? undefined : show(tag, value)
    if (shown !== undefined) lines.push(`@${tag} ${shown}`)
  }
  return lines.length === 0 ? undefined : { lines, length: lines.reduce((sum, line) => sum + line.length, 0) }
}

// Whole numbers are emitted with the bounds of what a double holds exactly, which tell nothing.
const isArtifact = (value: number): boolean => Math.abs(value) >= Number.MAX_SAFE_INTEGER

const show = (tag: string, value: unknown): string | undefined => {
  if (tag === "format" || tag === "pattern") {
    return typeof value === "string"
      ? oneLine(value, MAX_TAG) || undefined
      : undefined
  }
  if (tag !== "default") return typeof value === "number" && !isArtifact(value) ? String(value) : undefined
  try {
    return oneLine(JSON.stringify(value), MAX_TAG)
  } catch {
    return undefined
  }
}

/** The schema and those inside it that speak of the same value. */
const tellers = (root: unknown, schema: unknown, depth: number): Array<JsonObject> => {
  if (!isRecord(schema) || depth > 3) return []
  const told: Array<JsonObject> = [schema]
  if (typeof schema.$ref === "string") told.push(...tellers(root, dereference(root, schema.$ref), depth + 1))
  if (Array.isArray(schema.allOf)) {
    for (const part of schema.allOf.slice(0, 10)) told.push(...tellers(root, part, depth + 1))
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    // Something or nothing: what is said of the something.
    if (!Array.isArray(choice) || choice.length > 10) continue
    const some = choice.filter((branch) =>
      isRecord(branch) && branch.type !== "null" && branch.const !== null && !isText(branch)
    )
    if (some.length === 1) told.push(...tellers(root, some[0], depth + 1))
  }
  return told
}

const isText = (schema: JsonObject): boolean =>
  schema.type === "string" && Array.isArray(schema.enum) && schema.enum.includes("NaN")
