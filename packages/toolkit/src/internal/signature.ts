import type * as JsonSchema from "effect/JsonSchema"
import { attempt } from "./attempt.ts"
import { isRecord, type JsonObject } from "./json-schema.ts"
import { Reader } from "./schema-type.ts"
import { compact, pretty, record, type Type, unknown } from "./type.ts"

/** The longest signature, in characters. A longer one leaves out what is told of fields, then the result, then the fields. */
const MAX_LENGTH = 16_000

/**
 * Renders how a tool is called, in TypeScript, from its JSON Schemas: on as many lines as it takes, with what is told of fields, or
 * on one, the types alone. Never fails: what a schema does not say, or says wrong, is `unknown`.
 */
export const render = (
  path: string,
  input: JsonSchema.JsonSchema | undefined,
  output: JsonSchema.JsonSchema | undefined,
  form: "pretty" | "compact",
): string => {
  const parameter = attempt(() => parameterOf(input), anything)
  const result = output === undefined ? unknown : attempt(() => new Reader(output).read(), unknown)
  for (const returned of [result, unknown]) {
    if (form === "pretty") {
      const long = written(parameter, returned, (type) => pretty(type))
      if (long.length <= MAX_LENGTH) return path + long
    }
    const short = written(parameter, returned, compact)
    if (short.length <= MAX_LENGTH) return path + short
  }
  const least = parameter.type === undefined ? parameter : { ...parameter, type: record(unknown) }
  return path + written(least, unknown, compact)
}

const written = ({ optional, type }: Parameter, result: Type, print: (type: Type) => string): string => {
  const parameter = type === undefined ? "" : `input${optional ? "?" : ""}: ${print(type)}`
  return `(${parameter}): Promise<${print(result)}>`
}

interface Parameter {
  /** None: the tool takes no input. */
  readonly type: Type | undefined
  readonly optional: boolean
}

const anything: Parameter = { type: record(unknown), optional: true }

const parameterOf = (schema: JsonSchema.JsonSchema | undefined): Parameter => {
  if (!isRecord(schema)) return anything
  const reader = new Reader(schema)
  const type = reader.read()
  if (isNothing(schema, type)) return { type: undefined, optional: true }
  return type === unknown ? anything : { type, optional: !reader.requires() }
}

const annotations = new Set(["$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "examples"])

// A struct without fields is emitted as "anything but null", or as "an object or an array".
const isNothing = (schema: JsonObject, type: Type): boolean => {
  if (type.kind === "object") return type.fields.length === 0 && !type.open
  if (type === unknown) return Object.keys(schema).every((key) => annotations.has(key))
  if (type.kind === "text" && type.text === "{}") return true
  const { anyOf } = schema
  return Array.isArray(anyOf) && anyOf.length === 2 &&
    anyOf.every((branch) =>
      isRecord(branch) && Object.keys(branch).length === 1 && (branch.type === "object" || branch.type === "array")
    )
}
