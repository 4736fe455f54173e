import { Catalog } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { Tool } from "effect/ai"

const signature = (tool: Tool.Any): string => Catalog.make([[tool.name, tool]]).entries[0]!.signature

const given = (parameters: Record<string, unknown>): string => signature(Tool.dynamic("t", { parameters }))

describe("the catalog", () => {
  it("has an entry a tool, in the order of their names", () => {
    const tools = [
      Tool.make("github.list_issues", { description: "Lists issues" }),
      Tool.make("context7.resolve-library-id"),
    ]
    expect(Catalog.make(tools.map((tool) => [tool.name, tool]))).toEqual({
      entries: [
        {
          tool: "context7.resolve-library-id",
          path: `tools.context7["resolve-library-id"]`,
          description: "",
          signature: `tools.context7["resolve-library-id"](): Promise<null>`,
        },
        {
          tool: "github.list_issues",
          path: "tools.github.list_issues",
          description: "Lists issues",
          signature: "tools.github.list_issues(): Promise<null>",
        },
      ],
    })
  })

  it("renders the types of a tool's schemas", () => {
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
      }),
      success: Schema.Array(Issue),
    })
    expect(signature(tool)).toBe(
      `tools.list(input: { owner: string, "per-page"?: number, state: "open" | "closed" | null, ` +
        `filter: Record<string, boolean>, range: [number, string] }): ` +
        `Promise<Array<{ title: string, labels: Array<"bug" | "idea">, at: string, points: number }>>`,
    )
  })

  it("an input without required fields may be left out", () => {
    const tool = Tool.make("list", { parameters: Schema.Struct({ page: Schema.optionalKey(Schema.Finite) }) })
    expect(signature(tool)).toBe("tools.list(input?: { page?: number }): Promise<null>")
  })

  it.each<[string, Record<string, unknown>, string]>([
    ["a reference", {
      type: "object",
      properties: { a: { $ref: "#/$defs/A" } },
      required: ["a"],
      $defs: { A: { type: "string" } },
    }, "input: { a: string }"],
    ["a reference to itself", {
      type: "object",
      properties: { a: { $ref: "#/$defs/A" } },
      $defs: { A: { type: "object", properties: { next: { $ref: "#/$defs/A" } } } },
    }, "input?: { a?: { next?: unknown } }"],
    ["a reference to nothing", { type: "object", properties: { a: { $ref: "#/$defs/B" } } }, "input?: { a?: unknown }"],
    [
      "several types",
      { type: "object", properties: { a: { type: ["string", "null"] } } },
      "input?: { a?: string | null }",
    ],
    [
      "nonsense",
      { type: "object", properties: { a: { type: 3 }, b: null, c: { enum: [{}] } } },
      "input?: { a?: unknown, b?: unknown, c?: unknown }",
    ],
    ["anything", {}, ""],
    ["any object", { type: "object" }, "input?: Record<string, unknown>"],
  ])("is total over JSON Schemas: %s", (_, schema, expected) => {
    expect(given(schema)).toBe(`tools.t(${expected}): Promise<unknown>`)
  })
})
