/**
 * What kinds of values a schema lets through, as far as the way a value is written depends on it.
 */
import type * as JsonSchema from "effect/JsonSchema"
import { isRecord } from "../json-schema.ts"
import type { Schemas } from "./schema.ts"

export type Kind = "scalar" | "array" | "object"

const allKinds: ReadonlySet<Kind> = new Set(["scalar", "array", "object"])

const MAX_DEPTH = 12

/** The kinds of a written schema. `null` is none: it stands for nothing. */
export const kindsOf = (schemas: Schemas, schema: unknown, depth = 0): ReadonlySet<Kind> => {
  if (schema === false) return new Set()
  if (!isRecord(schema) || depth > MAX_DEPTH) return allKinds
  const at = schemas.resolve(schema)
  let kinds: ReadonlySet<Kind> = allKinds
  if ("const" in at) kinds = kindsOfValues([at.const])
  else if (Array.isArray(at.enum)) kinds = kindsOfValues(at.enum)
  kinds = intersect(kinds, kindsOfType(at))
  for (const choice of [at.anyOf, at.oneOf]) {
    if (!Array.isArray(choice)) continue
    kinds = intersect(kinds, new Set(choice.flatMap((part) => Array.from(kindsOf(schemas, part, depth + 1)))))
  }
  if (Array.isArray(at.allOf)) {
    for (const part of at.allOf) {
      kinds = intersect(kinds, kindsOf(schemas, part, depth + 1))
    }
  }
  return kinds
}

/** The kinds of the items of a schema's arrays. */
export const kindsOfItems = (schemas: Schemas, schema: unknown): ReadonlySet<Kind> =>
  inside(schemas, schema, 0, (at) => [
    ...Array.isArray(at.prefixItems) ? at.prefixItems : [],
    ...at.items === undefined ? Array.isArray(at.prefixItems) ? [] : [true] : [at.items],
  ])

/** The kinds of the members of a schema's objects. */
export const kindsOfMembers = (schemas: Schemas, schema: unknown): ReadonlySet<Kind> =>
  inside(schemas, schema, 0, (at) => [
    ...isRecord(at.properties) ? Object.values(at.properties) : [],
    ...isRecord(at.patternProperties) ? Object.values(at.patternProperties) : [],
    ...at.additionalProperties === undefined ? [] : [at.additionalProperties],
  ])

const inside = (
  schemas: Schemas,
  schema: unknown,
  depth: number,
  parts: (at: JsonSchema.JsonSchema) => ReadonlyArray<unknown>,
): ReadonlySet<Kind> => {
  const kinds = new Set<Kind>()
  if (!isRecord(schema) || depth > MAX_DEPTH) return kinds
  const at = schemas.resolve(schema)
  for (const part of parts(at)) for (const kind of kindsOf(schemas, part)) kinds.add(kind)
  for (const list of [at.anyOf, at.oneOf, at.allOf]) {
    if (!Array.isArray(list)) continue
    for (const part of list) for (const kind of inside(schemas, part, depth + 1, parts)) kinds.add(kind)
  }
  return kinds
}

/** A schema without the alternatives that let through none of some kinds. */
export const narrow = (
  schemas: Schemas,
  schema: JsonSchema.JsonSchema,
  to: ReadonlySet<Kind>,
): JsonSchema.JsonSchema => {
  const kinds = kindsOf(schemas, schema)
  if (Array.from(kinds).every((kind) => to.has(kind))) return schema
  const at = schemas.resolve(schema)
  const narrowed: JsonSchema.JsonSchema = { ...at }
  if (Array.isArray(at.type)) {
    const types = at.type.filter((type) => type === "null" || to.has(kindOfType(type)))
    narrowed.type = types.length === 1 ? types[0] : types
  }
  for (const key of ["anyOf", "oneOf"]) {
    const choice = at[key]
    if (!Array.isArray(choice)) continue
    narrowed[key] = choice.filter((part) => {
      const own = kindsOf(schemas, part)
      return own.size === 0 || Array.from(own).some((kind) => to.has(kind))
    })
  }
  return narrowed
}

export const kindOf = (value: unknown): Kind =>
  Array.isArray(value) ? "array" : typeof value === "object" && value !== null ? "object" : "scalar"

const kindOfType = (type: unknown): Kind => type === "array" || type === "object" ? type : "scalar"

const kindsOfType = (at: JsonSchema.JsonSchema): ReadonlySet<Kind> => {
  const { type } = at
  if (type !== undefined) {
    const types = Array.isArray(type) ? type : [type]
    return new Set(types.filter((one) => one !== "null").map(kindOfType))
  }
  // Who tells of properties or of items and no type means it.
  if (at.properties !== undefined) return new Set(["object"])
  if (at.items !== undefined || at.prefixItems !== undefined) return new Set(["array"])
  return allKinds
}

const kindsOfValues = (values: ReadonlyArray<unknown>): ReadonlySet<Kind> =>
  new Set(values.filter((value) => value !== null).map(kindOf))

const intersect = (a: ReadonlySet<Kind>, b: ReadonlySet<Kind>): ReadonlySet<Kind> =>
  a === allKinds ? b : b === allKinds ? a : new Set(Array.from(a).filter((kind) => b.has(kind)))
