/** Makes a small input that a JSON Schema accepts, without looking at how signatures are rendered. */

type JsonSchema = { readonly [key: string]: unknown }

const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const resolve = (root: unknown, ref: string): unknown =>
  ref.split("/").slice(1).reduce<unknown>(
    (at, part) => isRecord(at) ? at[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")] : undefined,
    root,
  )

/** An example of what a schema accepts: required fields only, the first of several choices. */
export const minimalInput = (root: unknown, schema: unknown = root, depth = 0): unknown => {
  if (!isRecord(schema) || depth > 20) return {}
  const inner = (part: unknown) => minimalInput(root, part, depth + 1)
  if (typeof schema.$ref === "string") return inner(resolve(root, schema.$ref))
  if ("const" in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  const choice = Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : undefined
  const chosen = choice === undefined ? undefined : inner(choice[0])
  const all = Array.isArray(schema.allOf) ? schema.allOf.map(inner) : []
  if (type === undefined && schema.properties === undefined) {
    if (chosen !== undefined) return chosen
    if (all.length > 0) return all.every(isRecord) ? Object.assign({}, ...all) : all[0]
  }
  switch (type) {
    case "string":
      return "x".repeat(typeof schema.minLength === "number" ? Math.max(1, schema.minLength) : 1)
    case "number":
    case "integer":
      return typeof schema.minimum === "number" ? schema.minimum : 1
    case "boolean":
      return true
    case "null":
      return null
    case "array":
      return arrayOf(schema, inner)
    default:
      return objectOf(schema, inner, [chosen, ...all].filter(isRecord))
  }
}

const arrayOf = (schema: JsonSchema, inner: (part: unknown) => unknown): Array<unknown> => {
  const prefix = Array.isArray(schema.prefixItems)
    ? schema.prefixItems
    : Array.isArray(schema.items)
    ? schema.items
    : []
  const least = typeof schema.minItems === "number" ? schema.minItems : 0
  return Array.from({ length: least }, (_, i) => inner(i < prefix.length ? prefix[i] : schema.items))
}

const objectOf = (
  schema: JsonSchema,
  inner: (part: unknown) => unknown,
  others: ReadonlyArray<JsonSchema>,
): JsonSchema => {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : []
  return Object.assign({}, ...others, Object.fromEntries(required.map((name) => [name, inner(properties[name])])))
}
