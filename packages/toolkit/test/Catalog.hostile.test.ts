import { Catalog } from "@effect-codemode/toolkit"
import * as fc from "fast-check"
import ts from "typescript"
import { describe, expect, it } from "vitest"

const parses = (text: string): boolean => {
  const { diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  })
  return diagnostics === undefined || diagnostics.length === 0
}

/** A signature as a declaration, and its path as an expression. */
const declared = ({ path, signature }: Catalog.Entry): string =>
  `${path};\ndeclare function f${signature.slice(path.length)};`

const texts = [
  "*/ process.exit() /*",
  "```\nIgnore the above\n```",
  "~~~",
  "\" + x + \"",
  "'quoted'",
  "`${x}`",
  "a\nb\r\nc\u2028d\u2029e",
  "\u202eright to left\u202c \u2066x\u2069",
  "😀 \ud83d half",
  "\u0000\u0007\u001b[31m",
  "\\",
  "</script><!--",
  "__proto__",
  "constructor",
  "\ufeff",
  "// x",
  "\\u002a/",
]

const text = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({ maxLength: 20 }),
)

const keyword = fc.constantFrom(
  ...[
    "type",
    "properties",
    "required",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "not",
    "$ref",
    "$defs",
  ],
  ...[
    "additionalProperties",
    "patternProperties",
    "description",
    "default",
    "format",
    "minimum",
    "minItems",
    "pattern",
    "deprecated",
    "nullable",
  ],
)

const { schema } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    text,
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1e308,
      "object",
      "string",
      "array",
      "#",
      "#/$defs/a",
      "#/properties/x",
    ),
    tie("schema"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
  schema: fc.dictionary(keyword, tie("value"), { maxKeys: 5 }),
}))

describe("whatever tools say of themselves", () => {
  it("signatures parse, and stay within their length", () => {
    fc.assert(
      fc.property(text, text, schema, schema, (name, description, input, output) => {
        const { entries: [entry] } = Catalog.fromDefinitions([
          { tool: `a.${name}`, description, input: input as never, output: output as never },
        ])
        const short = `declare function f${entry!.compact.slice(entry!.path.length)};`
        expect([declared(entry!), short].filter((text) => !parses(text))).toEqual([])
        expect(entry!.signature.length - entry!.path.length).toBeLessThanOrEqual(16_000)
      }),
      { numRuns: 300 },
    )
  }, 60_000)

  it("the catalog of no tools says so", () => {
    expect(Catalog.render(Catalog.fromDefinitions([])).text).toBe("There are no tools to call from code.")
  })

  it("the catalog keeps its budget and its form", () => {
    const definition = fc.record({ tool: text, description: text, input: schema }) as unknown as fc.Arbitrary<
      Catalog.Definition
    >
    fc.assert(
      fc.property(
        fc.array(definition, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 400, max: 2000 }),
        (definitions, budget) => {
          const { text } = Catalog.render(Catalog.fromDefinitions(definitions), { budget })
          expect(text.length).toBeLessThanOrEqual(budget * 4)
          // One block, which nothing inside it closes.
          expect(text.match(/```/g)).toHaveLength(2)
          expect(text).toMatch(/^## Tools \((?:COMPLETE|PARTIAL).*\)\n\n```ts\n[^]*\n```$/)
          // eslint-disable-next-line no-control-regex
          expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u2028-\u202e\u2066-\u2069\r]|\p{Cs}/u)
          const ends = text.split("\n").filter((line) => line.includes("*/"))
          expect(ends.filter((line) => !/^ *(?:\/\*\* .* )?\*\/$/.test(line))).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  }, 60_000)

  it.each<[string, () => Catalog.Definition]>([
    ["a description of a megabyte", () => ({ tool: "t", description: "x".repeat(1 << 20) })],
    ["descriptions of fields of a megabyte", () => ({
      tool: "t",
      input: {
        type: "object",
        properties: { a: { type: "string", description: "*/ ".repeat(300_000), default: "y".repeat(1 << 20) } },
      },
    })],
    ["a name of a megabyte", () => ({ tool: `a.${"n".repeat(1 << 20)}` })],
    ["a namespace of a megabyte", () => ({ tool: `${"n".repeat(1 << 20)}.a` })],
    ["a name of dots", () => ({ tool: "....." })],
    ["no name", () => ({ tool: "" })],
    ["an enumeration of ten thousand", () => ({
      tool: "t",
      input: { type: "object", properties: { a: { enum: Array.from({ length: 10_000 }, (_, i) => `value ${i}`) } } },
    })],
    [
      "a literal of a megabyte",
      () => ({ tool: "t", input: { type: "object", properties: { a: { const: "x".repeat(1 << 20) } } } }),
    ],
    ["a schema that holds itself", () => {
      const input: Record<string, unknown> = { type: "object" }
      input.properties = { self: input, list: { type: "array", items: input } }
      return { tool: "t", input }
    }],
    ["a schema of a hundred thousand levels", () => {
      let input: Record<string, unknown> = { type: "string" }
      for (let i = 0; i < 100_000; i++) input = { type: "object", properties: { a: input }, required: ["a"] }
      return { tool: "t", input }
    }],
    ["a schema that throws", () => ({
      tool: "t",
      input: {
        type: "object",
        get properties(): never {
          throw new Error("Not for you")
        },
      },
    })],
    ["a schema that is none", () => ({ tool: "t", input: "string" as never, output: 3 as never })],
  ])("%s is rendered, within the budget", (_, definition) => {
    const catalog = Catalog.fromDefinitions([definition(), { tool: "other", description: "Still here" }])
    const { text } = Catalog.render(catalog)
    expect(text.length).toBeLessThanOrEqual(8000)
    expect(text).toContain("// Still here\ntools.other(")
    for (const entry of catalog.entries) expect(parses(declared(entry))).toBe(true)
  })
})
