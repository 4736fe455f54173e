import { Assembly, CodeMode } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import { fileURLToPath } from "node:url"
import { catching, handle, stub } from "./fixtures.ts"
import { sourceOf, tool } from "./sources.ts"

type JsonSchema = Readonly<Record<string, unknown>>

/** What an input gets from a tool with this schema: `"passes"`, or the message of `INVALID_TOOL_INPUT`. */
const answer = (input: JsonSchema, value: unknown, checksInput = false) =>
  Effect.gen(function*() {
    const { calls, source } = sourceOf([tool("a", { input })], { checksInput })
    const assembled = yield* Assembly.toolkit({ m: source }, Assembly.allowAll)
    const [result] = yield* handle(assembled, "m__a", value)
    if (!result!.isFailure) {
      // What the source gets is what was sent, not what a schema made of it.
      expect(calls).toEqual([{ tool: "a", input: value }])
      return "passes"
    }
    expect(calls).toEqual([])
    expect(result).toMatchObject({
      failureOrigin: "parameters",
      encodedResult: { code: "INVALID_TOOL_INPUT", retryable: true },
    })
    return (result!.result as { readonly message: string }).message
  })

const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more })

const closed = { additionalProperties: false }

describe("an input that does not fit its JSON Schema is refused, naming the field and what belongs there", () => {
  it.effect.each<readonly [JsonSchema, unknown, ReadonlyArray<string>]>([
    [object({ n: { type: "number" } }), { n: "3" }, ["number", `["n"]`]],
    [object({ n: { type: "integer" } }), { n: 1.5 }, ["integer", `["n"]`]],
    [object({ n: { type: "number", maximum: 100 } }), { n: 101 }, ["100", `["n"]`]],
    [object({ s: { type: "string", minLength: 2 } }), { s: "a" }, ["2", `["s"]`]],
    [object({ s: { enum: ["open", "closed"] } }), { s: "opened" }, [`"open"`, `"closed"`, `["s"]`]],
    [object({ s: { enum: Array.from({ length: 1_000 }, (_, i) => `z${i}`) } }), { s: "z" }, [`"z0" | "z1"`]],
    [object({ owner: { type: "string" } }, { required: ["owner"] }), {}, [`["owner"]`, "Missing"]],
    [object({ a: { type: "string" } }, closed), { b: 1 }, [`["b"]`, "excess"]],
    [object({}, closed), { b: 1 }, [`["b"]`]],
    [object({ list: { type: "array", items: { type: "string" } } }), { list: ["a", 2] }, ["string", `["list"][1]`]],
    [object({ o: object({ p: { type: "boolean" } }) }), { o: { p: 1 } }, ["boolean", `["o"]["p"]`]],
    [object({ a: { type: "string" } }), { a: null }, ["string", `["a"]`]],
    [object({ a: { type: ["string", "null"] } }), { a: 1 }, [`["a"]`]],
    [object({ u: { anyOf: [{ type: "string" }, { type: "number" }] } }), { u: true }, [`["u"]`]],
    [
      object({ p: { $ref: "#/$defs/P" } }, { $defs: { P: object({ x: { type: "number" } }, { required: ["x"] }) } }),
      { p: {} },
      [`["p"]["x"]`],
    ],
    [
      object({ p: { $ref: "#/definitions/P" } }, { definitions: { P: { type: "string" } } }),
      { p: 1 },
      ["string", `["p"]`],
    ],
    [
      object({ c: { $ref: "#/$defs/Color", description: "A color" } }, {
        $defs: { Color: { enum: ["red", "green"] } },
      }),
      { c: "blue" },
      [`"red" | "green"`, `["c"]`],
    ],
    [
      object({ t: { type: "array", items: [{ type: "string" }] } }, {
        $schema: "http://json-schema.org/draft-07/schema#",
      }),
      { t: [1] },
      ["string", `["t"][0]`],
    ],
    [object({ a: { type: "string" }, b: { type: "number" } }), { a: 1, b: "x" }, [`["a"]`, `["b"]`]],
    [
      object({ l: { $ref: "#/$defs/L" } }, {
        $defs: { L: object({ v: { type: "number" }, next: { $ref: "#/$defs/L" } }, { required: ["v"] }) },
      }),
      { l: { v: 1, next: { v: 2, next: {} } } },
      [`["l"]["next"]["next"]["v"]`],
    ],
    // What is not understood takes nothing from what is.
    [
      object({ a: { type: "string" }, b: { not: { type: "string" } }, c: { $ref: "#" }, d: { enum: [{}, []] } }, {
        if: { required: ["a"] },
        then: { required: ["b"] },
        dependentRequired: { a: ["c"] },
        unevaluatedProperties: false,
      }),
      { a: 1, b: 1, c: 1, d: 1 },
      ["string", `["a"]`],
    ],
    [
      object({
        a: { type: "string" },
        b: { allOf: [{ anyOf: [{ type: "string" }, {}] }, { anyOf: [{ minLength: 1 }, {}] }] },
      }),
      { a: 1, b: 1 },
      ["string", `["a"]`],
    ],
  ])("%j, %j", ([schema, value, named]) =>
    Effect.gen(function*() {
      const message = yield* answer(schema, value)
      for (const part of named) expect(message).toContain(part)
      expect(yield* answer(schema, value, true)).toBe("passes")
    }))

  it.effect("in a program, too", () =>
    Effect.gen(function*() {
      const input = object({ owner: { type: "string" } }, { required: ["owner"], ...closed })
      const assembled = yield* Assembly.toolkit({ m: sourceOf([tool("a", { input })]).source }, Assembly.allowAll)
      const mode = yield* CodeMode.make(assembled, stub(catching("m.a", { ownr: "x" })))
      expect((yield* mode.execute("")).result).toMatchObject({
        code: "INVALID_TOOL_INPUT",
        message: expect.stringMatching(/\["owner"\][^]*tools\.m\.a\(input: \{ owner: string \}\)/),
        retryable: true,
      })
    }))

  it.effect("in a message that is not longer than the model can use", () =>
    Effect.gen(function*() {
      const value = { list: Array.from({ length: 5_000 }, (_, i) => i) }
      const message = yield* answer(object({ list: { type: "array", items: { type: "string" } } }), value)
      expect(message.length).toBeLessThan(2_100)
      expect(message).toMatch(/…$/)
    }))
})

describe("an input passes", () => {
  const recursive = (branches: ReadonlyArray<JsonSchema>) =>
    object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: { anyOf: branches } } })
  const nested = (depth: number) => {
    let value: unknown = {}
    for (let i = 0; i < depth; i++) value = { x: value }
    return { a: value }
  }
  const branch = (required: string) => object({ x: { $ref: "#/$defs/A" } }, { required: ["x", required] })

  it.effect.each<readonly [string, JsonSchema, unknown]>([
    ["that fits", object({ n: { type: "integer" } }, { required: ["n"], ...closed }), { n: 1 }],
    ["with fields of its own, of an open object", object({ a: { type: "string" } }), { b: 1 }],
    ["with a default that is left to the source", object({ n: { type: "integer", default: 3 } }), {}],
    [
      "that a pattern would refuse, since patterns are not tried",
      object({ s: { type: "string", pattern: "^(a+)+$" } }),
      { s: "b" },
    ],
    [
      "that an enumeration would refuse which it takes long to name",
      object({ s: { enum: Array.from({ length: 100_000 }, (_, i) => `value ${i}`) } }),
      { s: "none of them" },
    ],
    ["that an unknown format would refuse", object({ s: { type: "string", format: "duration-of-ours" } }), { s: "b" }],
    ["that is null where OpenAPI says `nullable`", object({ s: { type: "string", nullable: true } }), { s: null }],
    [
      "with one of `oneOf`",
      object({ u: { oneOf: [{ type: "string", pattern: "^a" }, { type: "string", pattern: "^b" }] } }),
      { u: "a" },
    ],
    ["with bounds of draft 4", object({ n: { type: "number", minimum: 0, exclusiveMinimum: true } }), { n: 0.5 }],
    ["with a tuple of no told dialect", object({ t: { type: "array", items: [{ type: "number" }] } }), { t: [1, "x"] }],
    ["with keywords that are not understood", object({ a: { not: { type: "string" } } }), { a: "x" }],
    ["that is an integer beyond the exact ones", object({ id: { type: "integer" } }), { id: 123456789012345680000 }],
    ["with conditions", object({ a: { type: "string" } }, { if: { required: ["a"] }, then: { required: ["b"] } }), {
      a: "x",
    }],
    ["with a reference that leads nowhere", object({ a: { $ref: "#/$defs/Nowhere" } }), { a: 1 }],
    ["with a reference to elsewhere", object({ a: { $ref: "https://example.com/schema" } }), { a: 1 }],
    ["with a reference to itself", object({ a: { $ref: "#/$defs/A" } }, { $defs: { A: { $ref: "#/$defs/A" } } }), {
      a: 1,
    }],
    ["with a reference to the whole", object({ a: { $ref: "#" } }), { a: {} }],
    ["with a schema that is nonsense", { type: "objekt", properties: 7, required: "x" }, { a: 1 }],
    ["with a schema that says nothing", {}, { a: 1 }],
    ["with a field that objects have", object({ constructor: { type: "string" } }), { constructor: "Ferrari" }],
    ["of branches that would double at each level", recursive([branch("y"), branch("z")]), nested(60)],
    [
      "of all of them",
      object({ a: { $ref: "#/$defs/A" } }, {
        $defs: { A: { allOf: [object({ x: { $ref: "#/$defs/A" } }), object({ x: { $ref: "#/$defs/A" } })] } },
      }),
      nested(60),
    ],
    [
      "of own fields and a branch",
      object({ a: { $ref: "#/$defs/A" } }, {
        $defs: { A: { ...object({ x: { $ref: "#/$defs/A" } }), anyOf: [object({ x: { $ref: "#/$defs/A" } })] } },
      }),
      nested(60),
    ],
    [
      "of a choice of hundreds at each of thousands of places",
      object({
        list: {
          type: "array",
          items: {
            anyOf: Array.from(
              { length: 300 },
              (_, i) => object({ [`k${i}`]: { type: "string" } }, { required: [`k${i}`] }),
            ),
          },
        },
      }),
      { list: Array.from({ length: 4_000 }, (_, i) => ({ i })) },
    ],
    [
      "of definitions that double without end",
      object({ a: { $ref: "#/$defs/D0" } }, {
        $defs: Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => [
            `D${i}`,
            {
              anyOf: [
                object({ x: { $ref: `#/$defs/D${i + 1}` } }, { required: ["y"] }),
                object({ x: { $ref: `#/$defs/D${i + 1}` } }, { required: ["z"] }),
              ],
            },
          ]),
        ),
      }),
      nested(59),
    ],
    [
      "of a schema that is nested without end",
      object({
        a: Array.from({ length: 50_000 }).reduce<JsonSchema>(
          (inner) => ({ type: "object", properties: { x: inner } }),
          {},
        ),
      }),
      { a: 1 },
    ],
    [
      "that is too large to look at",
      object({ list: { type: "array", items: { type: "string" } } }),
      { list: Array.from({ length: 20_000 }, () => 1) },
    ],
  ])("%s", ([, schema, value]) =>
    Effect.gen(function*() {
      expect(yield* answer(schema, value)).toBe("passes")
    }))

  it.effect("or is refused in a recursive schema whose branches exclude each other", () =>
    Effect.gen(function*() {
      const schema = recursive([
        { type: "string" },
        { type: "array", items: { $ref: "#/$defs/A" } },
        object({ x: { $ref: "#/$defs/A" } }),
      ])
      expect(yield* answer(schema, { a: { x: [["deep"]] } })).toBe("passes")
      expect(yield* answer(schema, { a: { x: [[1]] } })).toContain(`["a"]`)
    }))
})

const catalogs = fileURLToPath(new URL("../../../../shared/catalogs", import.meta.url))

describe.skipIf(!fs.existsSync(catalogs))("the schemas of public servers", () => {
  const tools = (): ReadonlyArray<{ readonly name: string; readonly inputSchema: JsonSchema }> =>
    fs.readdirSync(catalogs).filter((name) => name.endsWith(".json")).flatMap((name) =>
      JSON.parse(fs.readFileSync(`${catalogs}/${name}`, "utf8")).tools
    )

  it.effect("are all understood", () =>
    Effect.gen(function*() {
      let refused = 0
      for (const { inputSchema, name } of tools()) {
        const { properties = {} } = inputSchema as { readonly properties?: Record<string, JsonSchema> }
        // A number where something else belongs, in each field.
        for (const [field, schema] of Object.entries(properties)) {
          if (!["string", "boolean", "array", "object"].includes(schema.type as string)) continue
          const message = yield* answer(inputSchema, { [field]: 1 })
          expect([name, message]).toEqual([name, expect.stringContaining(`["${field}"]`)])
          refused++
        }
      }
      expect(refused).toBeGreaterThan(400)
    }))
})
