import { Ajv, type Options } from "ajv"
import standalone from "ajv/dist/standalone/index.js"

const schemas: Readonly<Record<string, object>> = {
  user: {
    type: "object",
    required: ["id", "name", "email"],
    additionalProperties: false,
    properties: {
      id: { type: "integer", minimum: 1 },
      name: { type: "string", minLength: 1, maxLength: 50 },
      email: { type: "string", pattern: "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$" },
      role: { enum: ["admin", "member", null, { custom: true }] },
      born: { type: "string", pattern: "^(?:19|20)\\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$" },
      site: { type: "string", maxLength: 200 },
      key: { type: ["string", "null"] },
      tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 5 },
      address: {
        type: "object",
        properties: { street: { type: "string" }, zip: { type: "string", pattern: "^\\p{N}{5}$" } },
        required: ["street"],
      },
    },
  },
  tree: {
    $id: "https://example.org/tree",
    type: "object",
    properties: { value: { type: "number" }, children: { type: "array", items: { $ref: "#" } } },
    required: ["value"],
  },
  shape: {
    type: "object",
    discriminator: { propertyName: "kind" },
    required: ["kind"],
    oneOf: [
      {
        properties: { kind: { const: "circle" }, radius: { type: "number", exclusiveMinimum: 0 } },
        required: ["radius"],
      },
      { properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["side"] },
      { properties: { kind: { const: "line" }, points: { type: "array", items: { $ref: "#/definitions/point" } } } },
    ],
    definitions: {
      point: { type: "array", items: [{ type: "number" }, { type: "number" }], minItems: 2, additionalItems: false },
    },
  },
  arrays: {
    type: "array",
    items: { anyOf: [{ type: "number", multipleOf: 1 }, { type: "string" }, { type: "object" }] },
    contains: { type: "number", minimum: 2 },
    uniqueItems: true,
    maxItems: 5,
    not: { contains: { const: 11 } },
  },
  numbers: { type: "number", minimum: 0, exclusiveMaximum: 100, multipleOf: 2.5 },
  conditions: {
    type: "object",
    if: { properties: { country: { const: "US" } }, required: ["country"] },
    then: { properties: { code: { pattern: "^\\d{5}$" } } },
    else: { properties: { code: { type: "string", pattern: "^[A-Z]\\d[A-Z]" } } },
    dependencies: { credit: ["billing"], country: { required: ["code"] } },
    patternProperties: { "^[a-z]+\\d$": { type: "string" } },
    propertyNames: { maxLength: 7 },
    minProperties: 1,
    maxProperties: 2,
  },
  formats: {
    anyOf: [
      { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d(?:T.*)?$" },
      { type: "string", pattern: "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)$" },
      { type: "string", pattern: "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$" },
      { type: "string", pattern: "^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\\.[a-z]{2,})+$", minLength: 4 },
    ],
  },
  defaults: {
    type: "object",
    additionalProperties: false,
    properties: {
      a: { type: "integer", default: 3 },
      b: { type: "boolean", default: false },
      c: { type: "array", items: { type: "number" }, default: [] },
      d: { type: "string" },
      nested: { type: "object", properties: { deep: { type: "number", default: 1 } }, default: {} },
    },
  },
}

const variants: Readonly<Record<string, Options>> = {
  "": { allErrors: true },
  $first: { verbose: true },
  $lax: { coerceTypes: "array", useDefaults: true, removeAdditional: true },
}

/** Modules by name: a validator for each schema and variant, and one that exports all of them. */
export const validators = (): Record<string, string> => {
  const modules: Record<string, string> = {}
  const names: Array<string> = []
  for (const [suffix, options] of Object.entries(variants)) {
    const ajv = new Ajv({ strict: false, discriminator: true, code: { source: true }, ...options })
    for (const [name, schema] of Object.entries(schemas)) {
      names.push(name + suffix)
      modules[`virtual:${name}${suffix}.cjs`] = standalone.default(ajv, ajv.compile(schema))
    }
  }
  modules["virtual:validators"] = names.map((name) => `export { default as ${name} } from "virtual:${name}.cjs"`).join(
    "\n",
  )
  return modules
}
