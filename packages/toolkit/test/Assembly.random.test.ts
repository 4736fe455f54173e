import { Assembly } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import * as fc from "fast-check"
import { handle } from "./fixtures.ts"
import { sourceOf, tool } from "./sources.ts"

type JsonSchema = boolean | { readonly [key: string]: unknown }

const names = fc.constantFrom("a", "b", "c")

const plain = fc.constantFrom<JsonSchema>(
  ...[{}, true, false, { type: "string" }, { type: "number" }, { type: "integer" }, { type: "boolean" }, {
    type: "null",
  }],
  ...[{ enum: ["a", 1, null] }, { const: "a" }, { type: ["string", "null"] }, { type: "integer", multipleOf: 2 }],
  ...[{ type: "string", minLength: 2 }, { type: "string", maxLength: 1 }, { type: "string", pattern: "^b" }],
  ...[{ type: "number", minimum: 1, maximum: 3 }, { type: "number", exclusiveMaximum: 2 }],
)

const schemas = fc.letrec<{ readonly schema: JsonSchema }>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 })
  const properties = fc.dictionary(names, tie("schema"), { maxKeys: 3 })
  const required = fc.uniqueArray(names, { maxLength: 2 })
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      plain,
      fc.record({
        type: fc.constant("object"),
        properties,
        required,
        additionalProperties: tie("schema"),
        minProperties: fc.nat(2),
        maxProperties: fc.integer({ min: 1, max: 3 }),
      }, { requiredKeys: ["properties"] }),
      fc.record({
        type: fc.constant("array"),
        items: tie("schema"),
        prefixItems: list,
        minItems: fc.nat(2),
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
      }, { requiredKeys: [] }),
      fc.record({ anyOf: list, properties, required, additionalProperties: fc.boolean() }, { requiredKeys: ["anyOf"] }),
      fc.record({ oneOf: list }),
      fc.record({ allOf: list }),
      fc.record({ not: tie("schema") }),
      fc.record({ $ref: fc.constantFrom("#/$defs/x", "#/$defs/y"), minLength: fc.constant(2) }, {
        requiredKeys: ["$ref"],
      }),
    ),
  }
})

const values = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", "", "abc", 0, 1, 2, 1.5, -1, 1e20, true, null),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}))

describe("of random schemas and inputs", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

  /** What the validator says: nothing of references that lead in a circle. */
  const allows = (schema: object, input: unknown): boolean | undefined => {
    try {
      return ajv.validate(schema, input)
    } catch {
      return undefined
    }
  }

  const root = fc.record({ a: schemas.schema, x: schemas.schema, y: schemas.schema }).map(({ a, x, y }) => ({
    type: "object",
    properties: { a, b: { $ref: "#/$defs/x" } },
    $defs: { x, y },
  }))
  const inputs = fc.array(fc.dictionary(names, values.value, { maxKeys: 3 }), { minLength: 4, maxLength: 8 })

  it("nothing is refused that the schema allows, and much is that it does not", async () => {
    let refused = 0
    let passed = 0
    await fc.assert(
      fc.asyncProperty(root, inputs, async (schema, inputs) => {
        const { source } = sourceOf([tool("a", { input: schema })])
        const assembled = await Effect.runPromise(Assembly.toolkit({ m: source }, Assembly.allowAll))
        for (const input of inputs) {
          const isAllowed = allows(schema, input)
          const [result] = await Effect.runPromise(handle(assembled, "m__a", input))
          expect({ isAllowed, isRefused: result!.isFailure }).not.toEqual({ isAllowed: true, isRefused: true })
          if (isAllowed === false && result!.isFailure) refused++
          else if (isAllowed === false) passed++
        }
      }),
      { numRuns: 100 },
    )
    expect(refused).toBeGreaterThan(passed / 10)
  })
})
