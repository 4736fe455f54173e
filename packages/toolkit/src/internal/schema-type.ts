import { dereference, isRecord, type JsonObject } from "./json-schema.ts"
import { propertyName } from "./path.ts"
import { escaped } from "./safe-text.ts"
import { docOf } from "./schema-doc.ts"
import { type Field, intersection, never, record, text, type Type, union, unknown } from "./type.ts"

/** How much of a schema is read. What goes beyond is `unknown`, or left open. */
const MAX_DEPTH = 8
const MAX_NODES = 1000
const MAX_FIELDS = 100
const MAX_LITERALS = 50
const MAX_LITERAL_LENGTH = 200
const MAX_DOCS_LENGTH = 20_000

/** Reads JSON Schemas as types. One reader reads one schema, with its definitions. */
export class Reader {
  private nodes = 0
  private docs = 0

  constructor(private readonly root: unknown) {}

  read(): Type {
    return this.type(this.root, 0, [])
  }

  /** Whether a value must have a property, so that an input cannot be left out. */
  requires(schema: unknown = this.root, depth = 0): boolean {
    if (!isRecord(schema) || depth > MAX_DEPTH) return false
    const inner = (part: unknown) => this.requires(part, depth + 1)
    if (Array.isArray(schema.required) && schema.required.some((name) => typeof name === "string")) return true
    if (typeof schema.$ref === "string" && inner(dereference(this.root, schema.$ref))) return true
    if (branches(schema.allOf).some(inner)) return true
    const choices = [branches(schema.anyOf), branches(schema.oneOf)].filter((list) => list.length > 0)
    if (choices.some((list) => list.every(inner))) return true
    const { type } = schema
    return "const" in schema || Array.isArray(schema.enum) ||
      (typeof type === "string" && type !== "object" && schema.properties === undefined)
  }

  private type(schema: unknown, depth: number, within: ReadonlyArray<string>): Type {
    if (schema === false) return never
    if (!isRecord(schema) || depth > MAX_DEPTH || ++this.nodes > MAX_NODES) return unknown
    const inner = (part: unknown) => this.type(part, depth + 1, within)
    const parts: Array<Type> = []
    const { $ref } = schema
    if (typeof $ref === "string" && !within.includes($ref)) {
      parts.push(this.type(dereference(this.root, $ref), depth + 1, [...within, $ref]))
    }
    if ("const" in schema) parts.push(literal(schema.const))
    else if (Array.isArray(schema.enum)) parts.push(literals(schema.enum))
    else parts.push(this.typed(schema, schema.type, inner))
    for (const choice of [branches(schema.anyOf), branches(schema.oneOf)]) {
      if (choice.length > 0) parts.push(union(finite(choice).map(inner)))
    }
    for (const part of branches(schema.allOf)) parts.push(inner(part))
    if (isRecord(schema.not)) {
      if (Object.keys(schema.not).length === 0) return never
      if (schema.not.type === "null" && parts.every((part) => part === unknown)) return text("{}")
    }
    const type = intersection(parts)
    return schema.nullable === true ? union([type, text("null")]) : type
  }

  private typed(schema: JsonObject, type: unknown, inner: (part: unknown) => Type): Type {
    if (Array.isArray(type)) {
      return type.length === 0
        ? unknown
        : union(type.slice(0, 10).map((one) => Array.isArray(one) ? unknown : this.typed(schema, one, inner)))
    }
    switch (type) {
      case "string":
      case "boolean":
      case "null":
      case "number":
        return text(type)
      case "integer":
        return text("number")
      case "array":
        return array(schema, inner)
      case "object":
        return this.object(schema, inner)
    }
    if (type !== undefined) return unknown
    if (isRecord(schema.properties) || isRecord(schema.additionalProperties) || isRecord(schema.patternProperties)) {
      return this.object(schema, inner)
    }
    return schema.items !== undefined || Array.isArray(schema.prefixItems) ? array(schema, inner) : unknown
  }

  private object(schema: JsonObject, inner: (part: unknown) => Type): Type {
    const properties = isRecord(schema.properties) ? schema.properties : {}
    const required = new Set<string>(branches(schema.required).filter((name) => typeof name === "string"))
    let names = Object.keys(properties)
    for (const name of required) if (!Object.hasOwn(properties, name)) names.push(name)
    const all = names.length
    // Those that must be there are told rather than the others.
    if (all > MAX_FIELDS) {
      const [must, may] = [names.filter((name) => required.has(name)), names.filter((name) => !required.has(name))]
      names = [...must, ...may].slice(0, MAX_FIELDS)
    }
    if (all === 0) {
      const others = this.others(schema)
      return others === false
        ? { kind: "object", fields: [], open: false }
        : record(others.length === 1 ? inner(others[0]) : unknown)
    }
    const fields = names.map((name): Field => {
      const property = Object.hasOwn(properties, name) ? properties[name] : true
      const doc = this.docs > MAX_DOCS_LENGTH ? undefined : docOf(this.root, property)
      if (doc !== undefined) this.docs += doc.length
      return { name: propertyName(name), optional: !required.has(name), type: inner(property), doc: doc?.lines }
    })
    // TypeScript wants named fields to fit what is said of all others, so that of these no more can be said.
    const open = all > fields.length || isRecord(schema.additionalProperties) || isRecord(schema.patternProperties)
    return { kind: "object", fields, open }
  }

  /** The schemas of what may be there beside the named properties; `false` if nothing may be. */
  private others(schema: JsonObject): ReadonlyArray<unknown> | false {
    const patterns = isRecord(schema.patternProperties) ? Object.values(schema.patternProperties) : []
    const { additionalProperties } = schema
    if (additionalProperties === false) return patterns.length === 0 ? false : patterns
    if (isRecord(additionalProperties)) return [additionalProperties, ...patterns]
    // No properties, said in so many words.
    if (additionalProperties === undefined && isRecord(schema.properties) && patterns.length === 0) return false
    return patterns.length > 0 && additionalProperties === undefined ? patterns : [true, ...patterns]
  }
}

const branches = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value.slice(0, MAX_FIELDS) : []

// A number is emitted as one that may also be written as one of three texts; programs get numbers.
const finite = (choice: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const isNumber = (schema: unknown) => isRecord(schema) && (schema.type === "number" || schema.type === "integer")
  return choice.some(isNumber) ? choice.filter((schema) => !isNonFinite(schema)) : choice
}

const nonFinite = new Set<unknown>(["NaN", "Infinity", "-Infinity"])

const isNonFinite = (schema: unknown): boolean =>
  isRecord(schema) && (Array.isArray(schema.enum) && schema.enum.length > 0
    ? schema.enum.every((value) => nonFinite.has(value))
    : nonFinite.has(schema.const))

const array = (schema: JsonObject, inner: (part: unknown) => Type): Type => {
  const prefix = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(schema.items)
    ? schema.items
    : undefined
  if (prefix === undefined) return { kind: "array", element: isRecord(schema.items) ? inner(schema.items) : unknown }
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items
  const least = typeof schema.minItems === "number" ? schema.minItems : 0
  return {
    kind: "tuple",
    elements: prefix.slice(0, MAX_FIELDS).map((item, i) => ({ type: inner(item), optional: i >= least })),
    rest: isRecord(rest) ? inner(rest) : prefix.length > MAX_FIELDS ? unknown : undefined,
  }
}

const literal = (value: unknown): Type => {
  if (typeof value === "string") return text(value.length <= MAX_LITERAL_LENGTH ? escaped(value) : "string")
  if (value === null || typeof value === "boolean") return text(String(value))
  return typeof value === "number" && Number.isFinite(value) ? text(String(value)) : unknown
}

const literals = (values: ReadonlyArray<unknown>): Type => {
  const shown = values.slice(0, MAX_LITERALS).map(literal)
  if (values.length <= MAX_LITERALS) return union(shown)
  const isText = values.every((value) => typeof value === "string")
  return isText ? union([...shown, text("(string & {})")]) : unknown
}
