import * as JsonSchema from "effect/JsonSchema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import { dereference, isRecord, type JsonObject } from "./json-schema.ts"
import { cost, looksInside } from "./schema-cost.ts"
import { Failure } from "./tool-call.ts"

/** Says what is wrong with an input; `undefined` for one that fits, or that cannot be looked at. */
export type Check = (input: unknown) => Failure | undefined

/** The longest message, in characters. */
const MAX_MESSAGE = 2_000

/** How much work a check may be, in schemas that are tried on values: what a run sends must not hold the host. */
const MAX_WORK = 10_000

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
    const most = MAX_WORK / cost(schema)
    return most < 1 ? passes : checkBy(imported(schema), most)
  } catch {
    return passes
  }
}

const imported = (schema: JsonSchema.JsonSchema): Schema.Top => {
  const document = documentOf(schema)
  const root = { ...document.schema, $defs: document.definitions }
  const read = (isSimple: boolean) =>
    SchemaRepresentation.fromJsonSchemaDocument(document, {
      patterns: "ignore",
      onEnter: (schema) => lenient(root, schema, isSimple),
    })
  try {
    return read(false)
  } catch {
    return read(true)
  }
}

const checkBy = (schema: Schema.Top, most: number): Check => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>, {
    errors: "all",
    // A closed object is one: a field that it does not have is a mistake to be told, not to be dropped.
    onExcessProperty: "error",
  })
  return (input) => {
    try {
      if (!isWithin(input, most)) return undefined
      const decoded = decode(input)
      return Result.isFailure(decoded) ? failure(decoded.failure.message) : undefined
    } catch {
      return undefined
    }
  }
}

// Integers beyond those that are exact are integers to JSON Schema, and none to `effect`.
const isWithin = (input: unknown, most: number): boolean => {
  const open = [input]
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > most) return false
    const value = open.pop()
    if (typeof value === "object" && value !== null) { for (const inner of Object.values(value)) open.push(inner) }
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) return false
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

// What a reference leads to would be told by its name. `"red" | "green"` says more than `Color`.
const named = (root: JsonObject, schema: JsonObject): JsonObject => {
  const { $ref } = schema
  if (typeof $ref !== "string" || !Object.keys(schema).every((key) => key === "$ref" || key === "description")) {
    return schema
  }
  const target = dereference(root, $ref)
  return isRecord(target) && !looksInside(target) ? target : schema
}

// Keywords that the import does not understand. Without them a schema allows more.
const unknown = [
  ...["not", "if", "then", "else", "contains", "minContains", "maxContains", "dependentRequired", "dependentSchemas"],
  ...["dependencies", "unevaluatedItems", "unevaluatedProperties", "$dynamicRef", "$recursiveRef"],
]

/**
 * What is not understood, or is read otherwise than it is meant, becomes what allows more. `isSimple` leaves out intersections, too, of
 * which only some are understood.
 */
const lenient = (root: JsonObject, schema: JsonObject, isSimple: boolean): JsonSchema.JsonSchema => {
  const read: JsonSchema.JsonSchema = { ...named(root, schema) }
  for (const keyword of unknown) delete read[keyword]
  const { $ref } = read
  if (typeof $ref === "string" && !($ref.startsWith("#/$defs/") && isRecord(dereference(root, $ref)))) delete read.$ref
  // Without patterns, several branches may fit of which one does.
  if (Array.isArray(read.oneOf)) {
    read.anyOf ??= read.oneOf
    delete read.oneOf
  }
  if (isSimple) {
    delete read.allOf
    if (Object.keys(read).some((keyword) => keyword !== "anyOf" && keyword !== "description")) delete read.anyOf
  }
  if (Array.isArray(read.enum) && !read.enum.every(isPrimitive)) delete read.enum
  if (!isPrimitive(read.const)) delete read.const
  // Flags of draft 4.
  if (typeof read.exclusiveMinimum === "boolean") delete read.exclusiveMinimum
  if (typeof read.exclusiveMaximum === "boolean") delete read.exclusiveMaximum
  // Tuples of earlier drafts, where the dialect is not told.
  if (Array.isArray(read.items)) delete read.items
  if (read.nullable !== true) return read
  delete read.nullable
  return { anyOf: [read, { type: "null" }] }
}

const isPrimitive = (value: unknown): boolean => typeof value !== "object" || value === null
