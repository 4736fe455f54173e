import { dereference, isRecord, type JsonObject } from "./json-schema.ts"

/** How many schemas are looked at, references followed, before the whole counts as too much. */
const MAX_SCHEMAS = 5_000

/** How deep they may stand within each other. */
const MAX_DEPTH = 200

/** How many may speak of one place of a value. */
const MAX_AT_ONE_PLACE = 300

/**
 * Whether checking a value against a JSON Schema takes time in proportion to the value. It does not where several schemas that speak of one place
 * meet themselves again further inside: each level doubles the work, and a few hundred characters of schema hold a host for hours.
 */
export const isBounded = (schema: JsonObject): boolean => new Walk(schema).at(schema, 0) <= MAX_AT_ONE_PLACE

// Keywords whose schemas speak of what is inside a value, and those whose schemas speak of the value itself.
const inside = ["properties", "patternProperties", "items", "prefixItems", "additionalProperties", "contains"]
const same = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"]

class Walk {
  private left = MAX_SCHEMAS
  /** References that are being followed, and whether several schemas spoke of one place since. */
  private readonly open = new Map<string, boolean>()

  constructor(private readonly root: JsonObject) {}

  /** How many schemas speak of the place that this one speaks of: infinitely many if the work is not bounded. */
  at(value: unknown, depth: number): number {
    if (!isRecord(value)) return 1
    if (--this.left < 0 || depth > MAX_DEPTH) return Infinity
    const { $ref } = value
    const others = same.flatMap((keyword) => schemasOf(value, keyword))
    const own = inside.flatMap((keyword) => schemasOf(value, keyword))
    const before = this.areSeveral(value, own.length > 0, others) ? Array.from(this.open) : []
    for (const [ref] of before) this.open.set(ref, true)
    let count = 1
    if (typeof $ref === "string") count += this.reference($ref, depth)
    for (const schema of others) count += this.at(schema, depth + 1)
    for (const schema of own) if (this.at(schema, depth + 1) > MAX_AT_ONE_PLACE) count = Infinity
    for (const [ref, several] of before) this.open.set(ref, several)
    return count
  }

  private reference(ref: string, depth: number): number {
    const several = this.open.get(ref)
    if (several !== undefined) return several ? Infinity : 1
    this.open.set(ref, false)
    const count = this.at(dereference(this.root, ref), depth + 1)
    this.open.delete(ref)
    return count
  }

  /** Whether more than one of them looks inside the value. Of those for different types only one does. */
  private areSeveral(schema: JsonObject, own: boolean, others: ReadonlyArray<unknown>): boolean {
    const deep = others.filter(looksInside)
    const count = deep.length + (own ? 1 : 0) + ("$ref" in schema ? 1 : 0)
    if (count < 2) return false
    const types = new Set(deep.map(({ type }) => typeof type === "string" ? type : undefined))
    return count > deep.length || types.size < deep.length || types.has(undefined)
  }
}

const ofNames = new Set(["properties", "patternProperties", "dependentSchemas"])

const schemasOf = (schema: JsonObject, keyword: string): ReadonlyArray<unknown> => {
  const value = schema[keyword]
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return []
  return ofNames.has(keyword) ? Object.values(value) : [value]
}

const looksInside = (value: unknown): value is JsonObject =>
  isRecord(value) && ["$ref", ...inside, ...same].some((keyword) => keyword in value)
