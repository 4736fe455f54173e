/**
 * Reads the parameters of an operation.
 */
import type * as JsonSchema from "effect/JsonSchema"
import { isRecord, type JsonObject } from "../json-schema.ts"
import { broken, type Document, follow, member, own, type Place, Unsupported } from "./document.ts"
import { type Kind, kindsOf, kindsOfItems, kindsOfMembers, narrow } from "./kinds.ts"
import { isJson } from "./media.ts"
import { join, type Schemas } from "./schema.ts"
import type { Security } from "./security.ts"
import { isNested, kindsOfStyle, type Nesting, type Style, stylesOf, type Written } from "./style.ts"

/** One parameter of an operation, or one field of a form. */
export interface Parameter extends Written {
  readonly required: boolean
  readonly schema: JsonSchema.JsonSchema
}

/** A part of an operation that is left out, since it may be, and why. */
export interface LeftOut {
  readonly name: string
  readonly reason: string
}

export interface Reading {
  readonly document: Document
  readonly schemas: Schemas
  readonly security: Security
  readonly nesting: Nesting | undefined
  /** What became of each parameter of the document that was read: many operations refer to one. */
  readonly known: Map<JsonObject, Parameter | Unsupported | undefined>
}

// Said elsewhere: https://spec.openapis.org/oas/v3.1.1#fixed-fields-for-use-with-schema
const ignoredHeaders = new Set(["accept", "content-type", "authorization"])
// What the client says itself, or what would turn a request into another one.
const fixedHeaders =
  /^(?:host|content-length|content-encoding|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|via|date|cookie2?|set-cookie|origin|proxy-.*|sec-.*|x-http-method(?:-override)?|x-method-override|traceparent|tracestate|b3)$/

/** The parameters of an operation and of its path, in their order; those of the operation count. */
export const readParameters = (
  reading: Reading,
  item: Place,
  operation: Place,
  leftOut: Array<LeftOut>,
): Array<Parameter> => {
  const all = new Map<string, Place>()
  for (const { at, value } of [item, operation]) {
    const list = own(value, "parameters")
    if (list === undefined) continue
    if (!Array.isArray(list)) throw broken(member(at, "parameters"), "`parameters` is not a list.")
    list.forEach((parameter, i) => {
      const place = follow(reading.document, parameter, member(at, "parameters", i))
      if (typeof place.value.name !== "string" || place.value.name === "") {
        throw new Unsupported("has a parameter without a name")
      }
      all.set(`${String(place.value.in)} ${place.value.name}`, place)
    })
  }
  const parameters: Array<Parameter> = []
  for (const place of all.values()) {
    const { value } = place
    const name = value.name as string
    try {
      const parameter = remembered(reading, place, name)
      if (parameter !== undefined) parameters.push(parameter)
    } catch (error) {
      const isNeeded = value.in === "path" || value.required === true
      if (!(error instanceof Unsupported) || isNeeded && !(error instanceof Spared)) throw error
      leftOut.push({ name, reason: error.reason })
    }
  }
  return parameters
}

const remembered = (reading: Reading, place: Place, name: string): Parameter | undefined => {
  const { known } = reading
  if (!known.has(place.value)) known.set(place.value, attempt(() => read(reading, place, name)))
  const parameter = known.get(place.value)
  if (parameter instanceof Unsupported) throw parameter
  return parameter
}

const attempt = (read: () => Parameter | undefined): Parameter | Unsupported | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Unsupported) return error
    throw error
  }
}

/** Why a parameter is left out even if it is required: something else sends it. */
class Spared extends Unsupported {}

const read = (reading: Reading, { at, value }: Place, name: string): Parameter | undefined => {
  const { security } = reading
  const lower = name.toLowerCase()
  switch (value.in) {
    case "path":
    case "query":
    case "header":
      break
    case "cookie":
      throw new Unsupported(`needs the cookie \`${name}\``)
    default:
      throw new Unsupported(`has a parameter in ${String(value.in)}`)
  }
  const location = value.in
  if (location === "header" && ignoredHeaders.has(lower)) return undefined
  const scheme = location === "header"
    ? security.headers.get(lower)
    : location === "query"
    ? security.queries.get(lower)
    : undefined
  if (scheme !== undefined) throw new Spared(`has the parameter \`${name}\` that credentials are sent in`)
  if (location === "header" && fixedHeaders.test(lower)) {
    throw new Unsupported(`has the header \`${name}\` that the client sends itself`)
  }
  if (location === "header" && !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw new Unsupported(`has the header \`${name}\` that is none`)
  }

  const content = own(value, "content")
  const told = own(value, "schema")
  const required = location === "path" || value.required === true
  if (told === undefined && isRecord(content)) {
    const [type, media] = Object.entries(content)[0] ?? []
    if (type === undefined || !isJson(type) || Object.keys(content).length !== 1) {
      throw new Unsupported(`has the parameter \`${name}\` in ${type ?? "no media type"}`)
    }
    const schema = isRecord(media) && media.schema !== undefined
      ? reading.schemas.write(media.schema, member(at, "content", type, "schema"))
      : {}
    return {
      name,
      location,
      style: "json",
      explode: false,
      allowReserved: false,
      nesting: undefined,
      required,
      schema: described(schema, value),
    }
  }
  const style = own(value, "style") ?? stylesOf[location][0]!
  if (!stylesOf[location].includes(style as Style)) {
    throw new Unsupported(`has the ${location} parameter \`${name}\` in the style ${String(style)}`)
  }
  const written: Written = {
    name,
    location,
    style: style as Style,
    explode: typeof value.explode === "boolean" ? value.explode : style === "form",
    allowReserved: value.allowReserved === true && location === "query",
    nesting: reading.nesting,
  }
  const schema = told === undefined ? {} : reading.schemas.write(told, member(at, "schema"))
  return { ...written, required, schema: described(writable(reading.schemas, written, schema), value) }
}

/** A schema as far as a style can write its values. */
export const writable = (
  schemas: Schemas,
  written: Written,
  schema: JsonSchema.JsonSchema,
  possible: ReadonlySet<Kind> | undefined = kindsOfStyle(written),
): JsonSchema.JsonSchema => {
  const unsupported = (what: string) =>
    new Unsupported(`has ${what} in \`${written.name}\`, which the style ${written.style} does not define`)
  if (possible === undefined) throw unsupported("`explode`")
  const kinds = kindsOf(schemas, schema)
  const both = new Set(Array.from(kinds).filter((kind) => possible.has(kind)))
  if (both.size === 0 && kinds.size > 0) throw unsupported(`${article(kinds)} alone`)
  if (!isNested(written)) {
    const inner: Array<readonly [Kind, ReadonlySet<Kind>]> = [
      ["array", kindsOfItems(schemas, schema)],
      ["object", kindsOfMembers(schemas, schema)],
    ]
    for (const [kind, inside] of inner) {
      if (!both.has(kind) || inside.size === 0 || inside.has("scalar")) continue
      both.delete(kind)
      if (both.size === 0) throw unsupported("lists or objects inside a value")
    }
  }
  return narrow(schemas, schema, both)
}

const article = (kinds: ReadonlySet<Kind>): string =>
  Array.from(kinds, (kind) => kind === "scalar" ? "a single value" : kind === "array" ? "a list" : "an object").join(
    " or ",
  )

/** A schema with what is said of the parameter it stands in. */
export const described = (schema: JsonSchema.JsonSchema, of: JsonObject): JsonSchema.JsonSchema => {
  const beside: JsonSchema.JsonSchema = {}
  if (typeof of.description === "string" && of.description.trim() !== "") beside.description = of.description
  if (of.deprecated === true) beside.deprecated = true
  return Object.keys(beside).length === 0 ? schema : join(schema, beside)
}
