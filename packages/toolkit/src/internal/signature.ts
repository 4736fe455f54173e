import type * as JsonSchema from "effect/JsonSchema"
import { propertyName, toolPath } from "./path.ts"

type Definitions = Record<string, unknown>

const maxDepth = 8

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * Renders how a tool is called, in TypeScript, from its JSON Schemas. Never fails: what a schema does not say, or says
 * wrong, is `unknown`.
 */
export const render = (
  tool: string,
  input: JsonSchema.JsonSchema | undefined,
  output: JsonSchema.JsonSchema | undefined,
): string => {
  const result = output === undefined ? "unknown" : renderRoot(output)
  return `${toolPath(tool)}(${renderInput(input)}): Promise<${result}>`
}

const renderInput = (schema: JsonSchema.JsonSchema | undefined): string => {
  if (schema === undefined) return "input?: Record<string, unknown>"
  const properties = isRecord(schema.properties) ? Object.keys(schema.properties) : []
  const closed = properties.length === 0 && schema.anyOf === undefined && schema.oneOf === undefined &&
    schema.allOf === undefined && schema.$ref === undefined
  if (closed && (schema.additionalProperties === false || schema.type === undefined)) return ""
  const required = Array.isArray(schema.required) ? schema.required.length > 0 : !closed && schema.type !== "object"
  return `input${required ? "" : "?"}: ${renderRoot(schema)}`
}

const renderRoot = (schema: JsonSchema.JsonSchema): string => {
  const definitions = { ...asRecord(schema.definitions), ...asRecord(schema.$defs) }
  return renderType(schema, definitions, [], 0)
}

const asRecord = (value: unknown): Record<string, unknown> => isRecord(value) ? value : {}

const renderType = (
  schema: unknown,
  definitions: Definitions,
  within: ReadonlyArray<string>,
  depth: number,
): string => {
  if (!isRecord(schema) || depth > maxDepth) return "unknown"
  const inner = (part: unknown) => renderType(part, definitions, within, depth + 1)
  if (typeof schema.$ref === "string") {
    const name = decodeURIComponent(schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1))
    if (within.includes(name) || !Object.hasOwn(definitions, name)) return "unknown"
    return renderType(definitions[name], definitions, [...within, name], depth + 1)
  }
  if ("const" in schema) return literal(schema.const)
  if (Array.isArray(schema.enum)) return union(schema.enum.map(literal))
  const branches = schema.anyOf ?? schema.oneOf
  if (Array.isArray(branches)) return renderUnion(branches, inner)
  if (Array.isArray(schema.allOf) && schema.type === undefined) {
    return schema.allOf.map((part) => parenthesize(inner(part))).join(" & ") || "unknown"
  }
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => inner({ ...schema, type })))
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
    case "number":
      return schema.type
    case "integer":
      return "number"
    case "array":
      return renderArray(schema, inner)
    case "object":
      return renderObject(schema, inner)
    default:
      return isRecord(schema.properties) ? renderObject(schema, inner) : "unknown"
  }
}

// A number is emitted as one that may also be written as one of three texts; programs get numbers.
const renderUnion = (branches: ReadonlyArray<unknown>, inner: (part: unknown) => string): string => {
  const rendered = branches.filter((branch) => !isNonFinite(branch)).map(inner)
  return union(rendered)
}

const isNonFinite = (schema: unknown): boolean =>
  isRecord(schema) && Array.isArray(schema.enum) && schema.enum.includes("NaN") &&
  schema.enum.every((text) => text === "NaN" || text === "Infinity" || text === "-Infinity")

const renderArray = (schema: Record<string, unknown>, inner: (part: unknown) => string): string => {
  if (!Array.isArray(schema.prefixItems)) return `Array<${inner(schema.items)}>`
  const rest = isRecord(schema.items) ? [`...Array<${inner(schema.items)}>`] : []
  const least = typeof schema.minItems === "number" ? schema.minItems : 0
  const elements = schema.prefixItems.map((item, i) => i < least ? inner(item) : `${parenthesize(inner(item))}?`)
  return `[${[...elements, ...rest].join(", ")}]`
}

const renderObject = (schema: Record<string, unknown>, inner: (part: unknown) => string): string => {
  const properties = asRecord(schema.properties)
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = Object.entries(properties)
    .map(([name, type]) => `${propertyName(name)}${required.has(name) ? "" : "?"}: ${inner(type)}`)
  if (fields.length > 0) return `{ ${fields.join(", ")} }`
  if (schema.additionalProperties === false) return "{}"
  return `Record<string, ${isRecord(schema.additionalProperties) ? inner(schema.additionalProperties) : "unknown"}>`
}

const literal = (value: unknown): string =>
  value === null || ["string", "number", "boolean"].includes(typeof value) ? JSON.stringify(value) : "unknown"

const parenthesize = (type: string): string => type.includes("|") || type.includes("&") ? `(${type})` : type

const union = (types: ReadonlyArray<string>): string => {
  const distinct = Array.from(new Set(types))
  return distinct.length === 0 || distinct.includes("unknown") ? "unknown" : distinct.join(" | ")
}
