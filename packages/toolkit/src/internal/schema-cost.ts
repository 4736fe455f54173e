import { dereference, isRecord, type JsonObject } from "./json-schema.ts"

/** How many schemas are looked at, references followed, before the whole counts as too much. */
const MAX_SCHEMAS = 5_000

/** So many values of an enumeration count as a schema: whoever says that a value is none of them names all. */
const VALUES_OF_SCHEMA = 2

/** How deep they may stand within each other. */
const MAX_DEPTH = 200

/**
 * How many schemas may have to be tried on one place of a value, at most: checking a value costs no more than that for each value within it.
 * Several that speak of one place multiply with those of the places within. Where they meet themselves again the cost is infinite: each
 * level doubles the work, and a few hundred characters of schema hold a host for hours. So it is for a schema that is too
 * much to look at.
 */
export const cost = (schema: JsonObject): number => {
  const walk = new Walk(schema)
  walk.at(schema, 0, 1)
  return walk.most
}

// Keywords whose schemas speak of what is inside a value, and those whose schemas speak of the value itself.
const inside = ["properties", "patternProperties", "items", "prefixItems", "additionalProperties", "contains"]
const same = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]

class Walk {
  most = 0
  private left = MAX_SCHEMAS
  /** References that are being followed, and whether several schemas spoke of one place since. */
  private readonly open = new Map<string, boolean>()

  constructor(private readonly root: JsonObject) {}

  /** How many schemas are tried where this one is, which is itself tried so many times. */
  at(value: unknown, depth: number, times: number): number {
    if (!isRecord(value) || this.most === Infinity) return 1
    const { $ref, enum: values } = value
    this.left -= 1 + (Array.isArray(values) ? values.length / VALUES_OF_SCHEMA : 0)
    if (this.left < 0 || depth > MAX_DEPTH) return this.most = Infinity
    const others = same.flatMap((keyword) => schemasOf(value, keyword))
    const own = inside.flatMap((keyword) => schemasOf(value, keyword))
    const several = this.severalOf(value, own.length > 0, others)
    const before = several > 1 ? Array.from(this.open) : []
    for (const [ref] of before) this.open.set(ref, true)
    let count = 1
    if (typeof $ref === "string") count += this.reference($ref, depth, times * several)
    for (const schema of others) count += this.at(schema, depth + 1, times * several)
    for (const schema of own) this.at(schema, depth + 1, times * several)
    for (const [ref, chosen] of before) this.open.set(ref, chosen)
    this.most = Math.max(this.most, times * count)
    return count
  }

  private reference(ref: string, depth: number, times: number): number {
    const several = this.open.get(ref)
    if (several !== undefined) return several ? this.most = Infinity : 1
    this.open.set(ref, false)
    const count = this.at(dereference(this.root, ref), depth + 1, times)
    this.open.delete(ref)
    return count
  }

  /** How many of them look inside the value. Of those for different types only one does. */
  private severalOf(schema: JsonObject, own: boolean, others: ReadonlyArray<unknown>): number {
    const deep = others.filter(looksInside)
    const count = deep.length + (own ? 1 : 0) + ("$ref" in schema ? 1 : 0)
    const types = new Set(deep.map(({ type }) => typeof type === "string" ? type : undefined))
    const exclude = count === deep.length && types.size === count && !types.has(undefined)
    return exclude ? 1 : Math.max(1, count)
  }
}

const ofNames = new Set(["properties", "patternProperties", "dependentSchemas"])

const schemasOf = (schema: JsonObject, keyword: string): ReadonlyArray<unknown> => {
  const value = schema[keyword]
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return []
  return ofNames.has(keyword) ? Object.values(value) : [value]
}

/** Whether a schema has others within, or refers to one. */
export const looksInside = (value: unknown): value is JsonObject =>
  isRecord(value) && ["$ref", ...inside, ...same].some((keyword) => keyword in value)
