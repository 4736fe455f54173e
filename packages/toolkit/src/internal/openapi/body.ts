/**
 * Reads the body of a request.
 */
import type * as JsonSchema from "effect/JsonSchema"
import { isRecord, type JsonObject } from "../json-schema.ts"
import { follow, member, own, type Place, Unsupported } from "./document.ts"
import { kindsOf } from "./kinds.ts"
import { essence, isJson, isJsonRange, isMediaType, mediaOf } from "./media.ts"
import { described, type LeftOut, type Parameter, type Reading, writable } from "./parameters.ts"
import type { Schemas } from "./schema.ts"
import { type Style, stylesOf, type Written } from "./style.ts"

/** One member of a body that is an object. */
export interface Member {
  readonly name: string
  readonly required: boolean
  readonly schema: JsonSchema.JsonSchema
  /** How a form writes it. */
  readonly written: Parameter | undefined
}

export interface Body {
  readonly kind: "json" | "text" | "form"
  /** What is sent as its type. */
  readonly mediaType: string
  readonly required: boolean
  /** Its members, each a field of the input; or the members of the one field `body`, for a form. */
  readonly members: ReadonlyArray<Member> | undefined
  /** Its schema, where it is one field of the input: `body`. */
  readonly whole: JsonSchema.JsonSchema | undefined
}

const methodsWithout = new Set(["get", "head"])

export const readBody = (
  reading: Reading,
  operation: Place,
  method: string,
  leftOut: Array<LeftOut>,
): Body | undefined => {
  const told = own(operation.value, "requestBody")
  if (told === undefined) return undefined
  const { at, value } = follow(reading.document, told, member(operation.at, "requestBody"))
  const content = own(value, "content")
  if (!isRecord(content) || Object.keys(content).length === 0) return undefined
  const required = value.required === true
  if (methodsWithout.has(method)) {
    const reason = `has a body, which ${method.toUpperCase()} has not`
    if (required) throw new Unsupported(reason)
    leftOut.push({ name: "body", reason })
    return undefined
  }
  const [type, media] = choose(content)
  const schemaAt = member(at, "content", type, "schema")
  const schema = isRecord(media) ? own(media, "schema") : undefined
  const written = schema === undefined ? {} : reading.schemas.write(schema, schemaAt)
  if (isJson(type) || isJsonRange(type)) {
    const mediaType = isJson(type) ? type : "application/json"
    const plain = plainObject(reading.schemas, written)
    // A body that may be left out, but not in part, stays one.
    if (plain !== undefined && (required || plain.required.size === 0)) {
      const members = Array.from(plain.properties, ([name, schema]): Member => ({
        name,
        required: plain.required.has(name),
        schema,
        written: undefined,
      }))
      return { kind: "json", mediaType, required, members, whole: undefined }
    }
    return { kind: "json", mediaType, required, members: undefined, whole: described(written, value) }
  }
  if (mediaOf(type) === "form") {
    const encoding = isRecord(media) ? own(media, "encoding") : undefined
    return form(reading, type, written, isRecord(encoding) ? encoding : {}, required, value, leftOut)
  }
  // A text that the program writes as it is to be sent.
  const isText = mediaOf(type) === "text" &&
    (isString(reading.schemas, written) || essence(type).startsWith("text/") && Object.keys(written).length === 0)
  if (!isText) throw unsupported(content)
  return {
    kind: "text",
    mediaType: essence(type) === "text/*" ? "text/plain" : type,
    required,
    members: undefined,
    whole: described(Object.keys(written).length === 0 ? { type: "string" } : written, value),
  }
}

const unsupported = (content: JsonObject): Unsupported => {
  const types = Object.keys(content).map((type) => isMediaType(type) ? essence(type) : type)
  return new Unsupported(
    `has a body of ${types.slice(0, 3).join(" or ")}${types.length > 3 ? ` or ${types.length - 3} more` : ""}`,
  )
}

/** The media type that is sent: JSON, or else a form, or else a text. */
const choose = (content: JsonObject): readonly [string, unknown] => {
  const types = Object.entries(content).filter(([type]) => isMediaType(type))
  const preferences: ReadonlyArray<(type: string) => boolean> = [
    (type) => essence(type) === "application/json",
    (type) => essence(type) === "application/merge-patch+json",
    isJson,
    isJsonRange,
    (type) => mediaOf(type) === "form",
    (type) => mediaOf(type) === "text",
  ]
  for (const isPreferred of preferences) {
    const found = types.find(([type]) => isPreferred(type))
    if (found !== undefined) return found
  }
  throw unsupported(content)
}

const isString = (schemas: Schemas, schema: JsonSchema.JsonSchema): boolean => {
  const { format, type } = schemas.resolve(schema)
  return type === "string" && format !== "binary" && format !== "byte"
}

const form = (
  reading: Reading,
  type: string,
  schema: JsonSchema.JsonSchema,
  encoding: JsonObject,
  required: boolean,
  body: JsonObject,
  leftOut: Array<LeftOut>,
): Body => {
  const plain = plainObject(reading.schemas, schema)
  if (plain === undefined) {
    const { properties, type } = reading.schemas.resolve(schema)
    // A form without fields is none.
    if (
      type === "object" && (properties === undefined || isRecord(properties) && Object.keys(properties).length === 0)
    ) {
      return { kind: "form", mediaType: "application/x-www-form-urlencoded", required, members: [], whole: undefined }
    }
    throw new Unsupported("has a form as its body that is not a plain object")
  }
  const members: Array<Member> = []
  for (const [name, schema] of plain.properties) {
    const isRequired = plain.required.has(name)
    try {
      const parameter = formField(reading, name, schema, own(encoding, name), isRequired)
      members.push({ name, required: isRequired, schema: parameter.schema, written: parameter })
    } catch (error) {
      if (!(error instanceof Unsupported) || isRequired) throw error
      leftOut.push({ name, reason: error.reason })
    }
  }
  const isWhole = !required && plain.required.size > 0
  const whole = isWhole
    ? described(
      {
        type: "object",
        properties: Object.fromEntries(members.map(({ name, schema }) => [name, schema])),
        required: Array.from(plain.required),
        additionalProperties: false,
      },
      body,
    )
    : undefined
  return { kind: "form", mediaType: essence(type), required, members, whole }
}

// https://spec.openapis.org/oas/v3.1.1#encoding-object
const formField = (
  reading: Reading,
  name: string,
  schema: JsonSchema.JsonSchema,
  told: unknown,
  required: boolean,
): Parameter => {
  const encoding = isRecord(told) ? told : {}
  const styled = ["style", "explode", "allowReserved"].some((key) => Object.hasOwn(encoding, key))
  const { contentType } = encoding
  const style = own(encoding, "style") ?? "form"
  if (!stylesOf.form.includes(style as Style)) {
    throw new Unsupported(`has the form field \`${name}\` in the style ${String(style)}`)
  }
  const written: Written = {
    name,
    location: "form",
    style: style as Style,
    explode: typeof encoding.explode === "boolean" ? encoding.explode : style === "form",
    allowReserved: false,
    nesting: reading.nesting,
  }
  if (!styled && typeof contentType === "string") {
    if (isJson(contentType)) return { ...written, style: "json", explode: false, required, schema }
    if (mediaOf(contentType) !== "text") throw new Unsupported(`has the form field \`${name}\` in ${contentType}`)
  }
  // How an object is written where nothing is said of it, 3.0 and 3.1 say differently.
  const possible = styled ? undefined : new Set(["scalar", "array"] as const)
  return {
    ...written,
    required,
    schema: possible === undefined
      ? writable(reading.schemas, written, schema)
      : writable(reading.schemas, written, schema, possible),
  }
}

interface Plain {
  readonly properties: ReadonlyMap<string, JsonSchema.JsonSchema>
  readonly required: ReadonlySet<string>
}

const plainKeys = new Set([
  "type",
  "properties",
  "required",
  "title",
  "description",
  "deprecated",
  "default",
  "readOnly",
  "writeOnly",
  "additionalProperties",
  "allOf",
])

/**
 * A schema that says no more than which properties an object has, alone or in parts; `undefined` for any other. What it does not
 * name is not sent: nearly always it would be a mistake.
 */
const plainObject = (schemas: Schemas, schema: unknown, depth = 0): Plain | undefined => {
  if (!isRecord(schema) || depth > 10) return undefined
  const at = schemas.resolve(schema)
  if (Object.keys(at).some((key) => !plainKeys.has(key))) return undefined
  const { additionalProperties, allOf } = at
  if (at.type !== "object" && (at.type !== undefined || !("properties" in at) && allOf === undefined)) return undefined
  if (additionalProperties !== undefined && (additionalProperties !== false || depth > 0 || allOf !== undefined)) {
    return undefined
  }
  const properties = new Map<string, JsonSchema.JsonSchema>()
  const required = new Set<string>(Array.isArray(at.required) ? at.required as Array<string> : [])
  const add = (name: string, property: unknown): boolean => {
    const known = properties.get(name)
    const value = property === true ? {} : property
    if (!isRecord(value)) return false
    if (known !== undefined && known !== value && JSON.stringify(known) !== JSON.stringify(value)) return false
    properties.set(name, value)
    return true
  }
  if (isRecord(at.properties)) {
    for (const [name, property] of Object.entries(at.properties)) if (!add(name, property)) return undefined
  }
  if (Array.isArray(allOf)) {
    for (const part of allOf) {
      const plain = plainObject(schemas, part, depth + 1) ?? onlyRequires(part)
      if (plain === undefined) return undefined
      for (const [name, property] of plain.properties) if (!add(name, property)) return undefined
      for (const name of plain.required) required.add(name)
    }
  }
  if (depth === 0) {
    if (properties.size === 0) return undefined
    for (const name of required) if (!properties.has(name)) properties.set(name, {})
    // No object is of any other kind.
    if (!kindsOf(schemas, at).has("object")) return undefined
  }
  return { properties, required }
}

const onlyRequires = (part: unknown): Plain | undefined =>
  isRecord(part) && Object.keys(part).every((key) => key === "required" || key === "description" || key === "title")
    ? { properties: new Map(), required: new Set(Array.isArray(part.required) ? part.required as Array<string> : []) }
    : undefined
