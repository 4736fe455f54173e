import * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import { inline } from "./inline-refs.ts"
import { isRecord, type JsonObject } from "./json-schema.ts"
import { isBounded } from "./schema-cost.ts"
import { Failure } from "./tool-call.ts"

/** Says what is wrong with an input; `undefined` for one that fits, or that cannot be looked at. */
export type Check = (input: unknown) => Failure | undefined

/** The longest message, in characters. */
const MAX_MESSAGE = 2_000

/** The largest input that is looked at, in values: what a run sends must not hold the host. */
const MAX_VALUES = 10_000

const checks = new WeakMap<object, Check>()

/**
 * Gives the check of a tool's input against its JSON Schema, made when it is first used. It refuses only what the schema surely
 * refuses: a schema that says more than can be told here, is wrong, or would take too long, lets everything pass, and the tool itself decides. Patterns
 * are not looked at, since a pattern of a stranger can take for ever.
 */
export const check = (schema: JsonSchema.JsonSchema): Check => {
  if (!isRecord(schema)) return passes
  let known = checks.get(schema)
  if (known === undefined) checks.set(schema, known = make(schema))
  return known
}

const passes: Check = () => undefined

const make = (schema: JsonSchema.JsonSchema): Check => {
  try {
    if (!isBounded(schema)) return passes
    const document = documentOf(schema)
    const inlined = inline({ ...document.schema, $defs: document.definitions })
    const imported = SchemaRepresentation.fromJsonSchemaDocument(document, {
      patterns: "ignore",
      onEnter: (schema) => lenient(inlined(schema)),
    })
    const decode = Schema.decodeUnknownResult(imported as Schema.Codec<unknown>, {
      errors: "all",
      // A closed object is one: a field that it does not have is a mistake to be told, not to be dropped.
      onExcessProperty: "error",
    })
    return (input) => {
      try {
        if (!isWithin(input)) return undefined
        const decoded = decode(input)
        return Result.isFailure(decoded) ? failure(decoded.failure.message) : undefined
      } catch {
        return undefined
      }
    }
  } catch {
    return passes
  }
}

const isWithin = (input: unknown): boolean => {
  const open = [input]
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > MAX_VALUES) return false
    const value = open.pop()
    if (typeof value === "object" && value !== null) { for (const inner of Object.values(value)) open.push(inner) }
  }
  return true
}

const failure = (message: string): Failure =>
  new Failure({
    code: "INVALID_TOOL_INPUT",
    message: message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}…`,
    retryable: true,
  })

const documentOf = (schema: JsonSchema.JsonSchema): JsonSchema.Document<"draft-2020-12"> => {
  const dialect = schema["$schema"]
  const old = typeof dialect === "string"
    ? /draft-0[3-7]/.test(dialect)
    : "definitions" in schema && !("$defs" in schema)
  return old ? JsonSchema.fromSchemaDraft07(schema) : JsonSchema.fromSchemaDraft2020_12(schema)
}

// What is read otherwise than it is meant becomes what refuses less.
const lenient = (schema: JsonObject): JsonSchema.JsonSchema => {
  const read: JsonSchema.JsonSchema = { ...schema }
  // Without patterns, several branches may fit of which one does.
  if (Array.isArray(read.oneOf)) {
    read.anyOf ??= read.oneOf
    delete read.oneOf
  }
  // Flags of draft 4.
  if (typeof read.exclusiveMinimum === "boolean") delete read.exclusiveMinimum
  if (typeof read.exclusiveMaximum === "boolean") delete read.exclusiveMaximum
  // Tuples of earlier drafts, where the dialect is not told.
  if (Array.isArray(read.items)) delete read.items
  if (read.nullable !== true) return read
  delete read.nullable
  return { anyOf: [read, { type: "null" }] }
}
