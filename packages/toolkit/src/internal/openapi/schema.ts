/**
 * Writes the schemas of a description as JSON Schema 2020-12, as they hold for what is sent or for what comes back.
 *
 * A schema that is referred to becomes a definition of its own, so that what many operations share is there once, and a cycle stays one;
 * a small one that refers to nothing is put in place. Whatever is no part of a type is left out: examples, extensions, links.
 */
import type * as JsonSchema from "effect/JsonSchema"
import { unescaped } from "../attempt.ts"
import { isRecord, type JsonObject } from "../json-schema.ts"
import { broken, type Document, member, own, targetOf, Unsupported, without } from "./document.ts"

/** `input`: what is sent, so without what is read-only; `output`: what comes back, so without what is write-only. */
export type Direction = "input" | "output"

/** How many schemas a definition may have inside to be put in place. */
const MAX_INLINE = 12
/** Deeper ones are taken for an endless nesting. */
const MAX_DEPTH = 400

interface Component {
  readonly name: string
  /** `undefined` while it is being written. */
  schema: JsonSchema.JsonSchema | undefined
  /** The definitions it refers to. */
  readonly refs: Set<string>
  weight: number
}

const annotations = ["title", "description", "default", "deprecated", "readOnly", "writeOnly"]
const lists = ["allOf", "anyOf", "oneOf"]

/** How each keyword is carried over. Those that are not here are no part of a type. */
const keywords: ReadonlyMap<string, "annotation" | "number" | "text" | "list" | "schema" | "map" | "items" | "own"> =
  new Map([
    ...annotations.map((key) => [key, "annotation"] as const),
    ...[
      "minimum",
      "maximum",
      "multipleOf",
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
      "minProperties",
      "maxProperties",
      "minContains",
      "maxContains",
    ].map((key) => [key, "number"] as const),
    ...["format", "contentEncoding", "contentMediaType"].map((key) => [key, "text"] as const),
    ...lists.map((key) => [key, "list"] as const),
    ...[
      "additionalProperties",
      "not",
      "if",
      "then",
      "else",
      "contains",
      "propertyNames",
      "unevaluatedProperties",
      "unevaluatedItems",
      "contentSchema",
    ].map((key) => [key, "schema"] as const),
    ...["patternProperties", "dependentSchemas"].map((key) => [key, "map"] as const),
    ...["items", "prefixItems"].map((key) => [key, "items"] as const),
    ...["type", "enum", "const", "pattern", "uniqueItems", "properties", "required", "dependentRequired"].map((key) =>
      [key, "own"] as const
    ),
  ])
const types = new Set<unknown>(["string", "number", "integer", "boolean", "null", "array", "object"])

export class Schemas {
  private readonly components = new Map<string, Component>()
  private readonly names = new Set<string>()
  /** Whoever is being written: a component, or a schema of an operation. */
  private current: { readonly refs: Set<string>; weight: number } = { refs: new Set(), weight: 0 }
  private depth = 0
  /** Where the schema stands that is being written: below `root`, by these keys. */
  private root = "#"
  private path: Array<string | number> = []
  private readonly closures = new Map<string, JsonSchema.JsonSchema>()

  constructor(private readonly document: Document, private readonly direction: Direction) {}

  /** Writes a schema; what it refers to is in `$defs` once it is closed by {@link close}. */
  write(schema: unknown, at: string): JsonSchema.JsonSchema {
    this.depth = 0
    this.root = at
    this.path = []
    return written(this.schema(schema))
  }

  /** Adds the definitions that a written schema needs. */
  close(schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema {
    const needed = new Set<string>()
    const open = refsIn(schema)
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (needed.has(name)) continue
      needed.add(name)
      open.push(...this.component(name).refs)
    }
    if (needed.size === 0) return schema
    const pointers = Array.from(needed).sort()
    const key = JSON.stringify(pointers)
    let definitions = this.closures.get(key)
    if (definitions === undefined) {
      definitions = Object.fromEntries(pointers.map((pointer) => {
        const { name, schema } = this.component(pointer)
        return [name, schema]
      }))
      this.closures.set(key, definitions)
    }
    return { ...schema, $defs: definitions }
  }

  /** What a written schema says, if it does no more than refer. */
  resolve(schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema {
    let at = schema
    for (let i = 0; i < 100; i++) {
      const pointer = pointers.get(at)
      if (pointer === undefined) return at
      at = { ...this.component(pointer).schema, ...without(at, "$ref") }
    }
    return at
  }

  private component(pointer: string): Component {
    const known = this.components.get(pointer)
    if (known !== undefined) return known
    const component: Component = { name: this.nameOf(pointer), schema: undefined, refs: new Set(), weight: 0 }
    this.components.set(pointer, component)
    const { current, path, root } = this
    this.current = component
    this.root = pointer
    this.path = []
    try {
      component.schema = written(this.schema(targetOf(this.document, pointer, () => pointer).value))
    } catch (error) {
      this.components.delete(pointer)
      this.names.delete(component.name)
      throw error
    } finally {
      this.current = current
      this.root = root
      this.path = path
    }
    return component
  }

  private nameOf(pointer: string): string {
    const last = pointer.startsWith("#/components/schemas/") && pointer.split("/").length === 4
      ? pointer.slice("#/components/schemas/".length)
      : pointer.slice(2)
    const base = unescaped(last).replaceAll("~1", "/").replaceAll("~0", "~").replace(/[^A-Za-z0-9._-]+/gu, "_") ||
      "Schema"
    let name = base
    for (let i = 2; this.names.has(name); i++) name = `${base}_${i}`
    this.names.add(name)
    return name
  }

  /** `keys`: where it stands below what is being written. */
  private schema(value: unknown, ...keys: ReadonlyArray<string | number>): JsonSchema.JsonSchema | boolean {
    const { length } = this.path
    this.path.push(...keys)
    this.current.weight++
    if (typeof value !== "boolean" && !isRecord(value)) throw broken(this.at, "There is no schema here.")
    if (++this.depth > MAX_DEPTH) throw broken(this.at, "The schemas are nested too deep.")
    const written = typeof value === "boolean" ? value : this.object(value)
    this.depth--
    this.path.length = length
    return written
  }

  private object(value: JsonObject): JsonSchema.JsonSchema | boolean {
    const ref = own(value, "$ref")
    if (ref === undefined) return this.nullable(value, this.keywords(value))
    const target = this.reference(ref)
    // In 3.0, what stands beside a reference does not count.
    if (this.document.version === "3.0" || typeof target === "boolean") return target
    const beside = this.keywords(value)
    return Object.keys(beside).length === 0 ? target : join(target, beside)
  }

  private get at(): string {
    return member(this.root, ...this.path)
  }

  private reference(ref: unknown): JsonSchema.JsonSchema | boolean {
    let pointer: string
    try {
      pointer = this.pointerOf(ref)
    } catch (error) {
      // What comes back can be used without being told in full.
      if (error instanceof Unsupported && this.direction === "output") return true
      throw error
    }
    const component = this.component(pointer)
    const { schema } = component
    if (schema !== undefined && component.refs.size === 0 && component.weight <= MAX_INLINE) {
      this.current.weight += component.weight
      return schema
    }
    this.current.refs.add(pointer)
    const reference = { $ref: `#/$defs/${component.name}` }
    pointers.set(reference, pointer)
    return reference
  }

  // A reference to a reference is one to what that refers to.
  private pointerOf(ref: unknown): string {
    if (typeof ref === "string" && this.components.has(ref)) return ref
    const seen = new Set<string>()
    let target = targetOf(this.document, ref, () => member(this.at, "$ref"))
    for (;;) {
      if (seen.has(target.at)) throw broken(this.at, `The reference "${target.at}" leads back to itself.`)
      seen.add(target.at)
      const { value } = target
      if (!isRecord(value) || !Object.hasOwn(value, "$ref")) return target.at
      if (this.document.version === "3.1" && Object.keys(value).length > 1) return target.at
      const { at } = target
      target = targetOf(this.document, value.$ref, () => member(at, "$ref"))
    }
  }

  private keywords(from: JsonObject): JsonSchema.JsonSchema {
    const to: JsonSchema.JsonSchema = {}
    for (const key of Object.keys(from)) {
      const value = from[key]
      switch (keywords.get(key)) {
        case "annotation":
          if (isAnnotation(key, value)) to[key] = value
          break
        case "number":
          if (typeof value === "number" && Number.isFinite(value)) to[key] = value
          break
        case "text":
          if (typeof value === "string") to[key] = value
          break
        case "list":
          if (Array.isArray(value) && value.length > 0) to[key] = value.map((part, i) => this.schema(part, key, i))
          break
        case "schema":
          if (isSchema(value)) to[key] = this.schema(value, key)
          break
        case "map":
          if (isRecord(value)) to[key] = this.map(value, key)
          break
        case "items":
          this.items(from, to)
          break
        case "own":
          this.keyword(key, value, to, from)
          break
        case undefined:
          if (key === "$dynamicRef" && this.direction === "input") throw new Unsupported("refers by $dynamicRef")
      }
    }
    if (from.exclusiveMinimum !== undefined) bound(from, to, "minimum", "exclusiveMinimum")
    if (from.exclusiveMaximum !== undefined) bound(from, to, "maximum", "exclusiveMaximum")
    return to
  }

  private keyword(key: string, value: unknown, to: JsonSchema.JsonSchema, from: JsonObject): void {
    switch (key) {
      case "type": {
        const type = typeOf(value)
        if (type !== undefined) to.type = type
        break
      }
      case "enum":
        if (Array.isArray(value) && value.length > 0) to.enum = distinct(value)
        break
      case "const":
        to.const = value
        break
      case "pattern":
        if (typeof value === "string" && isPattern(value)) to.pattern = value
        break
      case "uniqueItems":
        if (value === true) to.uniqueItems = true
        break
      case "properties":
        if (isRecord(value)) to.properties = this.map(value, key, (property) => !this.isOther(property))
        break
      case "required": {
        const { properties } = from
        const required = names(value).filter((name) => !isRecord(properties) || !this.isOther(own(properties, name)))
        if (required.length > 0) to.required = required
        break
      }
      case "dependentRequired":
        if (isRecord(value)) {
          to[key] = Object.fromEntries(Object.entries(value).map(([name, needed]) => [name, names(needed)]))
        }
    }
  }

  private items(from: JsonObject, to: JsonSchema.JsonSchema): void {
    if (to.items !== undefined || to.prefixItems !== undefined) return
    const { items, prefixItems } = from
    // Lists of the earlier dialects.
    const [tuple, key] = Array.isArray(prefixItems) ? [prefixItems, "prefixItems"] : [items, "items"]
    if (Array.isArray(tuple) && tuple.length > 0) {
      to.prefixItems = tuple.map((part, i) => this.schema(part, key, i))
      const [rest, restKey] = tuple === items ? [from.additionalItems, "additionalItems"] : [items, "items"]
      if (isSchema(rest)) to.items = this.schema(rest, restKey)
    } else if (isSchema(items)) to.items = this.schema(items, "items")
  }

  private map(from: JsonObject, key: string, isKept?: (property: unknown) => boolean): JsonSchema.JsonSchema {
    const written: Array<[string, unknown]> = []
    for (const name of Object.keys(from)) {
      const property = from[name]
      if (isSchema(property) && (isKept === undefined || isKept(property))) {
        written.push([name, this.schema(property, key, name)])
      }
    }
    return Object.fromEntries(written)
  }

  /** Whether a property belongs to the other direction alone. */
  private isOther(property: unknown): boolean {
    const key = this.direction === "input" ? "readOnly" : "writeOnly"
    if (!isRecord(property)) return false
    if (typeof property.$ref === "string") {
      if (this.document.version === "3.1" && property[key] === true) return true
      try {
        const { value } = targetOf(this.document, property.$ref, () => "")
        return isRecord(value) && value[key] === true
      } catch {
        // Told where the property is written.
        return false
      }
    }
    return property[key] === true
  }

  // A flag of 3.0, and still seen in 3.1, where it says nothing else.
  private nullable(from: JsonObject, to: JsonSchema.JsonSchema): JsonSchema.JsonSchema {
    if (from.nullable !== true) return to
    const { type } = to
    if (Object.hasOwn(to, "const")) return choice(to)
    if (Array.isArray(to.enum) && !to.enum.includes(null)) to.enum = [...to.enum, null]
    if (typeof type === "string") {
      if (type !== "null") to.type = [type, "null"]
      return lists.some((key) => key in to) || "not" in to ? choice({ ...to, type }) : to
    }
    if (Array.isArray(type)) {
      if (!type.includes("null")) to.type = [...type, "null"]
      return to
    }
    return lists.some((key) => key in to) || "not" in to ? choice(to) : to
  }
}

const written = (schema: JsonSchema.JsonSchema | boolean): JsonSchema.JsonSchema =>
  schema === true ? {} : schema === false ? { not: {} } : schema

/** Where a written reference leads, in the document. */
const pointers = new WeakMap<object, string>()

const refsIn = (schema: unknown): Array<string> => {
  const found: Array<string> = []
  const open: Array<unknown> = [schema]
  const seen = new Set<object>()
  for (let at = open.pop(); open.length > 0 || at !== undefined; at = open.pop()) {
    if (typeof at !== "object" || at === null || seen.has(at)) continue
    seen.add(at)
    const pointer = pointers.get(at)
    if (pointer !== undefined) found.push(pointer)
    for (const inner of Object.values(at)) if (typeof inner === "object" && inner !== null) open.push(inner)
  }
  return found
}

/** The same schema with more said beside it. Keeps knowing where it leads. */
export const join = (schema: JsonSchema.JsonSchema, beside: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const clash = Object.keys(beside).some((key) => key in schema && !annotations.includes(key))
  const joined = clash ? { ...pick(beside, annotations), allOf: [schema, beside] } : { ...schema, ...beside }
  const pointer = pointers.get(schema)
  if (pointer !== undefined && !clash) pointers.set(joined, pointer)
  return joined
}

const choice = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => ({
  ...pick(schema, annotations),
  anyOf: [Object.fromEntries(Object.entries(schema).filter(([key]) => !annotations.includes(key))), { type: "null" }],
})

const pick = (schema: JsonSchema.JsonSchema, keys: ReadonlyArray<string>): JsonSchema.JsonSchema =>
  Object.fromEntries(keys.filter((key) => key in schema).map((key) => [key, schema[key]]))

const isSchema = (value: unknown): boolean => typeof value === "boolean" || isRecord(value)

const isAnnotation = (key: string, value: unknown): boolean =>
  key === "default" || typeof value === (key === "title" || key === "description" ? "string" : "boolean")

const names = (value: unknown): Array<string> =>
  Array.isArray(value) ? distinct(value.filter((name) => typeof name === "string")) : []

const distinct = <A>(values: ReadonlyArray<A>): Array<A> => Array.from(new Set(values))

const typeOf = (type: unknown): unknown => {
  if (!Array.isArray(type)) return types.has(type) ? type : undefined
  const known = distinct(type.filter((one) => types.has(one)))
  return known.length === 0 ? undefined : known.length === 1 ? known[0] : known
}

// 3.0 has a flag where JSON Schema has the bound itself.
const bound = (from: JsonObject, to: JsonSchema.JsonSchema, key: string, exclusive: string): void => {
  const value = own(from, exclusive)
  if (typeof value === "number" && Number.isFinite(value)) to[exclusive] = value
  else if (value === true && typeof to[key] === "number") {
    to[exclusive] = to[key]
    delete to[key]
  }
}

// Patterns of other languages are not for a reader of JSON Schema; the server keeps checking them.
const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u").source !== ""
  } catch {
    return false
  }
}
