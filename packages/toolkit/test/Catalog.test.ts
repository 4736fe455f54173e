import { Catalog } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { Tool } from "effect/ai"

const entryOf = (tool: Tool.Any): Catalog.Entry => Catalog.make([[tool.name, tool]]).entries[0]!

/** How an input and a result are rendered, on several lines. */
const rendered = (input: Record<string, unknown> | undefined, output?: Record<string, unknown>): string =>
  Catalog.fromDefinitions([{ tool: "t", input, output }]).entries[0]!.signature.slice("tools.t".length)

/** How one optional field is rendered, without what is told of it. */
const field = (schema: unknown, others: Record<string, unknown> = {}): string => {
  const entry = Catalog.fromDefinitions([{
    tool: "t",
    input: { type: "object", properties: { a: schema }, ...others },
  }]).entries[0]!
  return /^tools\.t\(input\?: \{ a\?: (.*) \}\): Promise<unknown>$/.exec(entry.compact)?.[1] ?? entry.compact
}

describe("the catalog", () => {
  it("has an entry a tool, in the order of their names", () => {
    const tools = [
      Tool.make("github.list_issues", { description: "Lists issues" }),
      Tool.make("context7.resolve-library-id"),
      Tool.make("now"),
    ]
    const { entries } = Catalog.make(tools.map((tool) => [tool.name, tool]))
    expect(
      entries.map((
        { compact, description, namespace, path, signature, tool },
      ) => [tool, path, namespace, description, signature, compact]),
    )
      .toEqual([
        [
          "context7.resolve-library-id",
          `tools.context7["resolve-library-id"]`,
          "context7",
          "",
          `tools.context7["resolve-library-id"](): Promise<null>`,
          `tools.context7["resolve-library-id"](): Promise<null>`,
        ],
        [
          "github.list_issues",
          "tools.github.list_issues",
          "github",
          "Lists issues",
          "tools.github.list_issues(): Promise<null>",
          "tools.github.list_issues(): Promise<null>",
        ],
        ["now", "tools.now", "", "", "tools.now(): Promise<null>", "tools.now(): Promise<null>"],
      ])
  })

  it("reads every kind of tool", () => {
    const parameters = Schema.Struct({ id: Schema.String })
    const json = { type: "object", properties: { id: { type: "string" } }, required: ["id"] }
    const made = Tool.make("t", { parameters, success: Schema.Number })
    const typed = Tool.dynamic("t", { parameters, success: Schema.Number })
    const untyped = Tool.dynamic("t", { parameters: json })
    const answered = untyped.annotate(Catalog.Output, { type: "number" })
    expect([made, typed, untyped, answered].map((tool) => entryOf(tool).signature)).toEqual([
      "tools.t(input: { id: string }): Promise<number>",
      "tools.t(input: { id: string }): Promise<number>",
      "tools.t(input: { id: string }): Promise<unknown>",
      "tools.t(input: { id: string }): Promise<number>",
    ])
    expect(entryOf(Tool.dynamic("t")).signature).toBe("tools.t(): Promise<unknown>")
  })

  it("the name of an annotation is the whole name, whatever else would make one", () => {
    const tool = Tool.make("github_list").annotate(Catalog.Namespace, { path: "github" })
      .annotate(Catalog.Path, "hub.issues.list all")
    expect(Catalog.nameOf({ namespaces: ["github"] })(tool.name, tool)).toBe("hub.issues.list all")
  })

  it("names are given namespaces by dots, by annotation, and by prefixes, of which the longest wins", () => {
    const name = Catalog.nameOf({ namespaces: ["git", "github", "github_enterprise"] })
    const named = (flat: string, path?: string) => {
      const tool = Tool.make(flat)
      return name(flat, path === undefined ? tool : tool.annotate(Catalog.Namespace, { path }))
    }
    expect([
      named("github.list_issues"),
      named("github_list_issues"),
      named("github-list-issues"),
      named("github_enterprise_login"),
      named("git_log"),
      named("github"),
      named("github_"),
      named("githubby"),
      named("other_tool"),
      named("list_issues", "github"),
      named("repos.list", "github"),
      named("github.list_issues", "github"),
    ]).toEqual([
      "github.list_issues",
      "github.list_issues",
      "github.list-issues",
      "github_enterprise.login",
      "git.log",
      "github",
      "github_",
      "githubby",
      "other_tool",
      "github.list_issues",
      "github.repos.list",
      "github.list_issues",
    ])
  })
})

describe("a signature", () => {
  it("has what is told of fields as comments, and no more of it on one line", () => {
    const input = {
      type: "object",
      properties: {
        owner: { type: "string", description: "Repository owner" },
        perPage: { type: "integer", description: "Results\n  per page", default: 30, minimum: 1, maximum: 100 },
        since: { type: "string", format: "date-time", deprecated: true },
        labels: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, minItems: 1, maxItems: 5 },
      },
      required: ["owner"],
    }
    const output = {
      type: "array",
      items: { type: "object", properties: { number: { type: "number" } }, required: ["number"] },
    }
    const entry = Catalog.fromDefinitions([{ tool: "github.list_issues", input, output }]).entries[0]!
    expect(entry.signature).toBe(`tools.github.list_issues(input: {
  /** Repository owner */
  owner: string,
  /**
   * Results per page
   * @default 30
   * @minimum 1
   * @maximum 100
   */
  perPage?: number,
  /**
   * @deprecated
   * @format date-time
   */
  since?: string,
  /**
   * @minItems 1
   * @maxItems 5
   */
  labels?: Array<string>,
}): Promise<Array<{ number: number }>>`)
    expect(entry.compact).toBe(
      "tools.github.list_issues(input: { owner: string, perPage?: number, since?: string, labels?: Array<string> }): " +
        "Promise<Array<{ number: number }>>",
    )
  })

  it("is that of a tool's schemas", () => {
    class Issue extends Schema.Class<Issue>("Issue")({
      title: Schema.String,
      labels: Schema.Array(Schema.Literals(["bug", "idea"])),
      at: Schema.Date,
      points: Schema.Number,
    }) {}
    const tool = Tool.make("list", {
      parameters: Schema.Struct({
        owner: Schema.String,
        "per-page": Schema.optionalKey(Schema.Int),
        state: Schema.NullOr(Schema.Literals(["open", "closed"])),
        filter: Schema.Record(Schema.String, Schema.Boolean),
        range: Schema.Tuple([Schema.Number, Schema.String]),
        maybe: Schema.optional(Schema.Number),
      }),
      success: Schema.Array(Issue),
    })
    expect(entryOf(tool).compact).toBe(
      `tools.list(input: { owner: string, "per-page"?: number, state: "open" | "closed" | null, ` +
        `filter: Record<string, boolean>, range: [number, string], maybe?: number | null }): ` +
        `Promise<Array<{ title: string, labels: Array<"bug" | "idea">, at: string, points: number }>>`,
    )
  })

  it.each<[string, Record<string, unknown> | undefined, string]>([
    ["no schema", undefined, "input?: Record<string, unknown>"],
    ["a schema that says nothing", {}, ""],
    ["no fields", { type: "object", properties: {} }, ""],
    ["no fields, closed", { type: "object", additionalProperties: false }, ""],
    ["a struct without fields", { not: { type: "null" } }, ""],
    ["a struct without fields, as it was emitted once", { anyOf: [{ type: "object" }, { type: "array" }] }, ""],
    ["any object", { type: "object" }, "input?: Record<string, unknown>"],
    [
      "any object of numbers",
      { type: "object", additionalProperties: { type: "number" } },
      "input?: Record<string, number>",
    ],
    ["optional fields", { type: "object", properties: { a: { type: "string" } } }, "input?: { a?: string }"],
    [
      "a required field that is not described",
      { type: "object", properties: {}, required: ["a"] },
      "input: { a: unknown }",
    ],
    [
      "a choice, of which one needs nothing",
      {
        anyOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, { type: "object", properties: { b: {} } }],
      },
      "input?: { a: unknown } | { b?: unknown }",
    ],
    [
      "a choice of what is required",
      {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "string" } },
        anyOf: [{ required: ["a"] }, { required: ["b"] }],
      },
      "input: { a?: string, b?: string }",
    ],
    [
      "fields of several schemas",
      {
        allOf: [{ type: "object", properties: { a: {} }, required: ["a"] }, { type: "object", properties: { b: {} } }],
      },
      "input: { a: unknown } & { b?: unknown }",
    ],
    [
      "a reference at the root",
      { $ref: "#/$defs/A", $defs: { A: { type: "object", properties: { a: { type: "null" } }, required: ["a"] } } },
      "input: { a: null }",
    ],
  ])("of an input: %s", (_, schema, expected) => {
    expect(rendered(schema)).toBe(`(${expected}): Promise<unknown>`)
  })

  it.each<[string, unknown, string, Record<string, unknown>?]>([
    ["an enumeration", { type: "string", enum: ["a", "it's \"b\""] }, `"a" | "it's \\"b\\""`],
    ["a constant", { const: -1.5 }, "-1.5"],
    ["constants", { anyOf: [{ const: "a" }, { const: true }, { const: null }] }, `"a" | true | null`],
    ["several types", { type: ["string", "null"] }, "string | null"],
    ["nullable", { type: "string", nullable: true }, "string | null"],
    [
      "every branch of a union",
      { oneOf: [{ type: "string" }, { type: "array", items: { type: "number" } }] },
      "string | Array<number>",
    ],
    ["a union of the same", { anyOf: [{ type: "string", format: "uri" }, { type: "string" }] }, "string"],
    ["a union with anything", { anyOf: [{ type: "string" }, {}] }, "unknown"],
    ["a type with checks apart", { type: "string", allOf: [{ minLength: 1 }, { pattern: "a" }] }, "string"],
    ["a number that may be NaN", {
      anyOf: [{ type: "number" }, { type: "string", enum: ["NaN", "Infinity", "-Infinity"] }],
    }, "number"],
    [
      "a number that may be NaN, in branches",
      { anyOf: [{ type: "number" }, { type: "string", enum: ["NaN"] }, { type: "string", enum: ["Infinity"] }] },
      "number",
    ],
    ["a real choice of NaN", { type: "string", enum: ["NaN", "Infinity"] }, `"NaN" | "Infinity"`],
    ["an array of anything", { type: "array" }, "Array<unknown>"],
    ["an array of a union", { type: "array", items: { type: ["string", "number"] } }, "Array<string | number>"],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1 },
      "[string, number?]",
    ],
    [
      "a tuple with a rest",
      { type: "array", prefixItems: [{ type: "string" }], items: { type: ["number", "null"] }, minItems: 1 },
      "[string, ...Array<number | null>]",
    ],
    ["a tuple of an older draft", { type: "array", items: [{ type: ["string", "null"] }] }, "[(string | null)?]"],
    [
      "fields and others",
      { type: "object", properties: { b: { type: "string" } }, additionalProperties: { type: "number" } },
      "{ b?: string, [key: string]: unknown }",
    ],
    [
      "fields by pattern",
      { type: "object", patternProperties: { "^x": { type: "number" } } },
      "Record<string, number>",
    ],
    [
      "names that are no identifiers",
      { type: "object", properties: { "a-b": {}, "1": {}, "é": {}, "": {} } },
      `{ "1"?: unknown, "a-b"?: unknown, é?: unknown, ""?: unknown }`,
    ],
    ["a schema that allows nothing", false, "never"],
    ["a definition", { $ref: "#/definitions/A" }, "string", { definitions: { A: { type: "string" } } }],
    ["a definition with an odd name", { $ref: "#/$defs/a~1b%20c" }, "string", {
      $defs: { "a/b c": { type: "string" } },
    }],
    ["a place in the schema", { $ref: "#/properties/a/items", items: { type: "string" } }, "string & Array<string>"],
    [
      "a definition of itself",
      { $ref: "#/$defs/A" },
      "{ next?: unknown }",
      { $defs: { A: { type: "object", properties: { next: { $ref: "#/$defs/A" } } } } },
    ],
    ["a definition that is itself", { $ref: "#/$defs/A" }, "unknown", { $defs: { A: { $ref: "#/$defs/A" } } }],
    ["a definition that is not there", { $ref: "#/$defs/B" }, "unknown"],
    ["a definition elsewhere", { $ref: "https://example.com/schema.json" }, "unknown"],
    ["a type that is none", { type: 3 }, "unknown"],
    ["no schema", null, "unknown"],
    ["a constant object", { enum: [{}] }, "unknown"],
  ])("of a field: %s", (_, schema, expected, others) => {
    expect(field(schema, others)).toBe(expected)
  })

  it("reads no deeper than eight levels", () => {
    let schema: Record<string, unknown> = { type: "string" }
    for (let i = 0; i < 20; i++) schema = { type: "array", items: schema }
    expect(field(schema)).toBe("Array<Array<Array<Array<Array<Array<Array<Array<unknown>>>>>>>>")
  })

  it("tells a field's bounds where they are said, and none that say nothing", () => {
    const told = (schema: unknown): string => rendered({ type: "object", properties: { a: schema } })
    expect(
      told({
        anyOf: [{ type: "integer", description: "How many", default: 4, exclusiveMinimum: 3 }, { type: "null" }],
      }),
    ).toBe(
      "(input?: {\n  /**\n   * How many\n   * @default 4\n   * @exclusiveMinimum 3\n   */\n  a?: number | null,\n}): Promise<unknown>",
    )
    expect(told({ type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }))
      .toBe("(input?: { a?: number }): Promise<unknown>")
    expect(told({ type: "number", default: 0, description: 3, format: {} })).toBe(
      "(input?: {\n  /** @default 0 */\n  a?: number,\n}): Promise<unknown>",
    )
  })

  it("of thousands of fields tells those that are required, and that there are others", () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, { type: "string" }]))
    const { compact, signature } = Catalog.fromDefinitions([
      { tool: "t", input: { type: "object", properties, required: ["f4999"] } },
    ]).entries[0]!
    expect(compact).toContain("f4999: string")
    expect(compact).toContain("[key: string]: unknown")
    expect(signature.length).toBeLessThan(17_000)
  })

  it("of a huge result goes on telling the input", () => {
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}`, { $ref: "#/$defs/D" }]))
    const $defs = {
      D: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => [`a_field_with_a_long_name_${i}`, { type: "string" }]),
        ),
      },
    }
    const { compact, signature } = Catalog.fromDefinitions([{
      tool: "t",
      input: {
        type: "object",
        properties: { amount: { type: "number", description: "In cents" } },
        required: ["amount"],
      },
      output: { type: "object", properties, $defs },
    }]).entries[0]!
    expect(compact).toBe("tools.t(input: { amount: number }): Promise<unknown>")
    expect(signature).toContain("In cents")
    expect(signature).toContain("Promise<unknown>")
  })

  it("of definitions that multiply ends somewhere", () => {
    const $defs: Record<string, unknown> = {}
    for (let i = 0; i < 8; i++) {
      $defs[`D${i}`] = {
        type: "object",
        properties: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`p${n}`, { $ref: `#/$defs/D${i + 1}` }])),
      }
    }
    const input = { type: "object", properties: { a: { $ref: "#/$defs/D0" } }, $defs }
    const { compact, signature } = Catalog.fromDefinitions([{ tool: "t", input }]).entries[0]!
    expect(compact.length).toBeLessThan(17_000)
    expect(signature.length).toBeLessThan(17_000)
  })
})
