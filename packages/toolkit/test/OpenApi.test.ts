import { OpenApi } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { definitions, document, make, provided, refusal } from "./openapi-fixtures.ts"

const baseUrl = "https://api.example.com"
const ok = { responses: { "200": { description: "OK" } } }
const string = { type: "string" }

/** The tool of one operation. */
const tool = async (
  operation: Record<string, unknown>,
  more: Record<string, unknown> = {},
  path = "/a",
  method = "post",
) => {
  const source = await make({
    baseUrl,
    document: document({ [path]: { [method]: { operationId: "tool", ...operation } } }, more),
  })
  return { source, definition: (await definitions(source))["tool"]! }
}

const input = async (operation: Record<string, unknown>, more: Record<string, unknown> = {}, path?: string) =>
  (await tool(operation, more, path)).definition.input

const jsonBody = (schema: unknown, required = true) => ({
  requestBody: { required, content: { "application/json": { schema } } },
})
const v30 = { openapi: "3.0.3" }

describe("names", () => {
  const names = async (paths: Record<string, unknown>) =>
    Object.keys(await definitions(await make({ baseUrl, document: document(paths) })))

  it("are ids, with dots and slashes as namespaces", async () => {
    expect(
      await names({
        "/a": { get: { operationId: "issues/list-for-repo" }, post: { operationId: "admin.users.create" } },
        "/b": { get: { operationId: "/plain/" } },
      }),
    ).toEqual(["issues.list-for-repo", "admin.users.create", "plain"])
  })

  it("are method and path where there is no id", async () => {
    expect(
      await names({
        "/": { get: {} },
        "/users/{id}": { get: { parameters: [{ name: "id", in: "path", required: true }] } },
        "/users/{id}/{file}.json": {
          put: { parameters: ["id", "file"].map((name) => ({ name, in: "path", required: true })) },
        },
        "/users/id": { get: { operationId: " " } },
      }),
    ).toEqual(["get", "get_users_by_id", "put_users_by_id_by_file_json", "get_users_id"])
  })

  it("of ids that several have do not depend on the order", async () => {
    const paths = {
      "/a": { get: { operationId: "list" }, post: { operationId: "list" } },
      "/b": { get: { operationId: "list" } },
      "/c": { get: { operationId: "list_get_b" } },
      "/d-e": { get: {} },
      "/d_e": { get: {} },
    }
    const expected = ["list_get_a", "list_post_a", "list_get_b", "list_get_b_2", "get_d_e", "get_d_e_2"]
    expect(await names(paths)).toEqual(expected)
    expect((await names(Object.fromEntries(Object.entries(paths).reverse()))).sort()).toEqual([...expected].sort())
  })

  it("stay when a filter holds operations back", async () => {
    const source = await make({
      baseUrl,
      document: document({
        "/a": { get: { operationId: "list", tags: ["a"] } },
        "/b": { get: { operationId: "list", tags: ["b"], deprecated: true } },
      }),
      filter: ({ deprecated, tags }) => tags.includes("a") && !deprecated,
    })
    expect(Object.keys(await definitions(source))).toEqual(["list_get_a"])
    expect(source.skipped).toEqual([])
  })
})

describe("definitions", () => {
  it("tell summary, description and annotations", async () => {
    const source = await make({
      baseUrl,
      name: "things",
      document: document({
        "/a": {
          summary: "A thing",
          get: { operationId: "get", summary: "Get it", description: "All of it.", deprecated: true },
          head: { operationId: "head", description: "Look at it" },
          put: { operationId: "put" },
          delete: { operationId: "delete", summary: "Same", description: "Same" },
          post: { operationId: "post" },
        },
      }),
    })
    expect(source.name).toBe("things")
    const { delete: del, get, head, post, put } = await definitions(source)
    expect(get).toMatchObject({
      title: "Get it",
      description: "Deprecated.\n\nGet it\n\nAll of it.",
      annotations: { readOnly: true, idempotent: true, openWorld: true },
    })
    expect(head).toMatchObject({
      title: "A thing",
      description: "A thing\n\nLook at it",
      annotations: { readOnly: true },
    })
    expect(put!.annotations).toEqual({ readOnly: false, idempotent: true, openWorld: true })
    expect(del).toMatchObject({
      description: "Same",
      annotations: { readOnly: false, idempotent: true, destructive: true, openWorld: true },
    })
    expect(post!.annotations).toEqual({ readOnly: false, openWorld: true })
  })

  it("tell what the API is", async () => {
    const source = await make({
      baseUrl,
      document: { ...document({}), info: { title: "The Börse API!", description: "Shares." } },
    })
    expect(source.name).toBe("the_börse_api")
    expect(await Effect.runPromise(source.list)).toEqual({ definitions: [], notes: "Shares." })
  })
})

describe("input", () => {
  it("has parameters and the properties of a body side by side", async () => {
    expect(
      await input(
        {
          parameters: [
            {
              name: "id",
              in: "path",
              required: true,
              schema: { type: "integer", description: "Own" },
              description: "Whose",
            },
            { name: "X-Trace", in: "header", schema: string, deprecated: true },
            { name: "Accept", in: "header", schema: string },
          ],
          ...jsonBody({
            type: "object",
            properties: { text: { ...string, example: "x" } },
            required: ["text"],
            "x-y": 1,
          }),
        },
        {},
        "/a/{id}",
      ),
    ).toEqual({
      type: "object",
      properties: {
        id: { type: "integer", description: "Whose" },
        "X-Trace": { type: "string", deprecated: true },
        text: { type: "string" },
      },
      required: ["id", "text"],
      additionalProperties: false,
    })
  })

  it("tells names that collide apart by their locations, and no others", async () => {
    const { properties, required } = await input(
      {
        parameters: [
          { name: "id", in: "path", required: true, schema: string },
          { name: "id", in: "query", schema: string },
          { name: "path_id", in: "query", schema: string },
          { name: "body", in: "query", schema: string },
        ],
        ...jsonBody({ type: "object", properties: { id: { type: "integer" }, other: {} }, required: ["id"] }),
      },
      {},
      "/a/{id}",
    )
    expect(Object.keys(properties as object)).toEqual(["path_id_2", "query_id", "path_id", "body", "body_id", "other"])
    expect(required).toEqual(["path_id_2", "body_id"])
    const whole = await input({
      parameters: [{ name: "body", in: "query", schema: string }],
      ...jsonBody({ type: "array" }),
    })
    expect(whole["properties"]).toEqual({ query_body: string, body: { type: "array" } })
  })

  it("takes the parameters of the path, and those of the operation before them", async () => {
    const source = await make({
      baseUrl,
      document: document({
        "/a": {
          parameters: [{ name: "a", in: "query", schema: string }, { $ref: "#/components/parameters/b" }],
          get: {
            operationId: "get",
            parameters: [{ name: "a", in: "query", required: true, schema: { type: "integer" } }],
          },
        },
      }, { components: { parameters: { b: { name: "b", in: "query", schema: string } } } }),
    })
    expect((await definitions(source))["get"]!.input).toMatchObject({
      properties: { a: { type: "integer" }, b: string },
      required: ["a"],
    })
  })

  const open = { type: "object", properties: { a: string }, additionalProperties: true }
  it.each([
    ["a list", { type: "array", items: string }],
    ["a text", string],
    ["alternatives", { type: "object", properties: { a: string }, anyOf: [{ required: ["a"] }] }],
    ["any properties", open],
    ["no known properties", { type: "object" }],
    ["null", { type: ["object", "null"], properties: { a: string } }],
    ["conditions", { type: "object", properties: { a: string }, minProperties: 1 }],
  ])("has %s as `body`", async (_, schema) => {
    expect(await input(jsonBody(schema))).toMatchObject({ properties: { body: schema }, required: ["body"] })
  })

  it("has an optional body with required properties as `body`, and one without them in parts", async () => {
    const schema = { type: "object", properties: { a: string }, required: ["a"] }
    expect(await input(jsonBody(schema, false))).toEqual({
      type: "object",
      properties: { body: schema },
      additionalProperties: false,
    })
    expect(await input(jsonBody({ ...schema, required: [] }, false))).toMatchObject({ properties: { a: string } })
  })

  it("puts the parts of a body together", async () => {
    const schema = {
      allOf: [
        { $ref: "#/components/schemas/Base" },
        { type: "object", properties: { b: string }, required: ["b"] },
        { required: ["a"] },
      ],
    }
    const components = { schemas: { Base: { type: "object", properties: { a: string } } } }
    expect(await input(jsonBody(schema), { components })).toMatchObject({
      properties: { a: string, b: string },
      required: ["a", "b"],
    })
  })

  it("leaves out what only answers have, and output what only requests have", async () => {
    const schema = {
      type: "object",
      properties: { id: { type: "integer", readOnly: true }, secret: { ...string, writeOnly: true }, name: string },
      required: ["id", "name", "secret"],
    }
    const { definition } = await tool({
      ...jsonBody({ $ref: "#/components/schemas/User" }),
      responses: {
        "200": { description: "", content: { "application/json": { schema: { $ref: "#/components/schemas/User" } } } },
      },
    }, { components: { schemas: { User: schema } } })
    expect(Object.keys(definition.input["properties"] as object)).toEqual(["secret", "name"])
    expect(definition.input["required"]).toEqual(["secret", "name"])
    expect(definition.output).toEqual({
      type: "object",
      properties: { id: { type: "integer", readOnly: true }, name: string },
      required: ["id", "name"],
    })
  })

  it("keeps names of prototypes", async () => {
    const schema = JSON.parse(
      "{\"type\":\"object\",\"properties\":{\"__proto__\":{\"type\":\"string\"},\"constructor\":{}}}",
    ) as unknown
    const { properties } = await input(jsonBody(schema))
    expect(Object.keys(properties as object)).toEqual(["__proto__", "constructor"])
  })
})

describe("schemas", () => {
  const translated = async (schema: unknown, more: Record<string, unknown> = {}) => {
    const { properties } = await input(jsonBody({ type: "array", items: schema }), more)
    return (properties as { body: { items: unknown } }).body.items
  }

  it.each([
    [{ ...string, nullable: true }, { type: ["string", "null"] }],
    [{ ...string, nullable: true, enum: ["a"] }, { type: ["string", "null"], enum: ["a", null] }],
    [{ nullable: true, allOf: [string], description: "d" }, {
      description: "d",
      anyOf: [{ allOf: [string] }, { type: "null" }],
    }],
    [{ nullable: true }, {}],
    [{ type: "number", minimum: 0, exclusiveMinimum: true }, { type: "number", exclusiveMinimum: 0 }],
    [{ type: "number", maximum: 9, exclusiveMaximum: false }, { type: "number", maximum: 9 }],
    [{ type: "string", pattern: "(?i)a", format: "int32", example: 1, xml: {}, discriminator: {} }, {
      type: "string",
      format: "int32",
    }],
    [{ type: "string", pattern: "^a$" }, { type: "string", pattern: "^a$" }],
    [{ type: "file", required: true, enum: [] }, {}],
  ])("of 3.0: %j", async (schema, expected) => {
    expect(await translated(schema, v30)).toEqual(expected)
  })

  it.each([
    [{ type: ["string", "null"], const: "a" }, { type: ["string", "null"], const: "a" }],
    [{ type: "number", exclusiveMinimum: 0 }, { type: "number", exclusiveMinimum: 0 }],
    [{ prefixItems: [string], items: false }, { prefixItems: [string], items: false }],
    [{ items: [string], additionalItems: { type: "integer" } }, { prefixItems: [string], items: { type: "integer" } }],
    [{ patternProperties: { "^a": string }, propertyNames: string }, {
      patternProperties: { "^a": string },
      propertyNames: string,
    }],
    [{ if: string, then: true, else: false, $comment: "c", examples: [1] }, { if: string, then: true, else: false }],
    [{ $id: "https://x/y", $schema: "z", type: "integer" }, { type: "integer" }],
  ])("of 3.1: %j", async (schema, expected) => {
    expect(await translated(schema)).toEqual(expected)
  })

  it("refer to definitions, and keep cycles as they are", async () => {
    const components = {
      schemas: {
        Node: {
          type: "object",
          properties: { next: { $ref: "#/components/schemas/Node" }, kind: { $ref: "#/components/schemas/Kind" } },
        },
        Kind: { type: "string", enum: ["a", "b"] },
        Alias: { $ref: "#/components/schemas/Node" },
        "With/Slash~": { type: "object", properties: { n: { $ref: "#/components/schemas/Node" } } },
      },
    }
    const { properties, $defs } = await input(
      jsonBody({
        type: "array",
        items: { $ref: "#/components/schemas/Alias" },
        contains: { $ref: "#/components/schemas/With~1Slash~0" },
      }),
      { components },
    )
    expect(properties).toEqual({
      body: { type: "array", items: { $ref: "#/$defs/Node" }, contains: { $ref: "#/$defs/With_Slash_" } },
    })
    expect($defs).toEqual({
      Node: {
        type: "object",
        properties: { next: { $ref: "#/$defs/Node" }, kind: { type: "string", enum: ["a", "b"] } },
      },
      With_Slash_: { type: "object", properties: { n: { $ref: "#/$defs/Node" } } },
    })
  })

  it("may have more beside a reference in 3.1, and not in 3.0", async () => {
    const components = { schemas: { A: string } }
    const schema = { $ref: "#/components/schemas/A", description: "d", maxLength: 3 }
    expect(await translated(schema, { components })).toEqual({ type: "string", description: "d", maxLength: 3 })
    expect(await translated(schema, { components, ...v30 })).toEqual(string)
  })

  it("of answers are told as one, whatever the status", async () => {
    const content = (schema: unknown) => ({ content: { "application/json": { schema } } })
    const output = async (responses: unknown, method?: string) =>
      (await tool({ responses }, {}, "/a", method)).definition.output
    expect(await output({ "200": content(string), "404": content({}) })).toEqual(string)
    expect(await output({ "200": content(string), "201": content(string) })).toEqual(string)
    expect(await output({ "200": content(string), "204": {} })).toEqual({ anyOf: [string, { type: "null" }] })
    expect(await output({ "2XX": { content: { "text/csv": {} } } })).toEqual(string)
    expect(await output({ default: content(string) })).toEqual(string)
    expect(await output({ "200": {} })).toBeUndefined()
    expect(await output({ "200": content({ $ref: "other.json" }) })).toEqual({})
    expect(await output({ "200": content(string) }, "head")).toEqual({ type: "null" })
    expect(await output({ "200": { content: { "image/png": {} } } })).toMatchObject({ type: "string" })
  })
})

describe("what cannot be represented", () => {
  const body = (type: string, schema: unknown = { type: "object", properties: { a: string } }) => ({
    requestBody: { required: true, content: { [type]: { schema } } },
  })
  const parameter = (value: Record<string, unknown>) => ({
    parameters: [{ name: "p", in: "query", required: true, schema: string, ...value }],
  })
  const nested = { type: "array", items: { type: "array", items: string } }
  it.each<readonly [string, Record<string, unknown>]>([
    ["has a body of multipart/form-data", body("multipart/form-data")],
    ["has a body of application/xml", body("application/xml")],
    ["has a body of application/octet-stream", body("application/octet-stream", { type: "string", format: "binary" })],
    ["has a form as its body that is not a plain object", body("application/x-www-form-urlencoded", { type: "array" })],
    ["needs the cookie `p`", parameter({ in: "cookie" })],
    ["has a parameter in body", parameter({ in: "body" })],
    ["has a parameter without a name", parameter({ name: undefined })],
    ["has the query parameter `p` in the style simple", parameter({ style: "simple" })],
    [
      "has `explode` in `p`, which the style pipeDelimited does not define",
      parameter({ style: "pipeDelimited", explode: true, schema: { type: "array" } }),
    ],
    [
      "has a single value alone in `p`, which the style spaceDelimited does not define",
      parameter({ style: "spaceDelimited" }),
    ],
    [
      "has a list alone in `p`, which the style deepObject does not define",
      parameter({ style: "deepObject", schema: { type: "array" } }),
    ],
    ["has lists or objects inside a value in `p`, which the style form does not define", parameter({ schema: nested })],
    ["has the parameter `p` in text/plain", parameter({ schema: undefined, content: { "text/plain": {} } })],
    ["has the header `Host` that the client sends itself", parameter({ in: "header", name: "Host" })],
    [
      "has the header `X-HTTP-Method-Override` that the client sends itself",
      parameter({ in: "header", name: "X-HTTP-Method-Override" }),
    ],
    ["refers to another document: common.yaml#/Id", parameter({ schema: { $ref: "common.yaml#/Id" } })],
    ["refers to another document: https://example.com/s.json", jsonBody({ $ref: "https://example.com/s.json" })],
    ["refers by an anchor: #Id", jsonBody({ $ref: "#Id" })],
    ["refers by $dynamicRef", jsonBody({ $dynamicRef: "#Id" })],
  ])("%s", async (reason, operation) => {
    const source = await make({
      baseUrl,
      document: document({ "/a": { post: { operationId: "tool", ...operation } } }),
    })
    expect(source.skipped.map((skipped) => skipped.reason)).toEqual([reason])
    expect(source.skipped[0]!.operation).toMatchObject({ name: "tool", id: "tool", method: "post", path: "/a" })
    expect(await definitions(source)).toEqual({})
  })

  it.each([
    ["uses the method TRACE, which no client sends", "trace", "/a", {}],
    ["has a body, which GET has not", "get", "/a", body("application/json")],
    ["has a query or a fragment in its path", "get", "/a?b=c", {}],
    ["does not describe the path parameter `b`", "get", "/a/{b}", {}],
    ["has a path that is no template", "get", "/a/{b", {}],
    ["has a path that does not begin with a slash", "get", "a", {}],
    ["has dots or a backslash in its path that lead elsewhere", "get", "/a/../b", {}],
    ["has dots or a backslash in its path that lead elsewhere", "get", "/a/%2E%2e", {}],
    ["has dots or a backslash in its path that lead elsewhere", "get", "/a\\b", {}],
  ])("%s", async (reason, method, path, operation) => {
    const source = await make({ baseUrl, document: document({ [path]: { [method]: operation } }) })
    expect(source.skipped.map((skipped) => skipped.reason)).toEqual([reason])
  })

  it("is left out where it is optional, and listed", async () => {
    const source = await make({
      baseUrl,
      document: document({
        "/a": {
          get: {
            operationId: "get",
            parameters: [
              { name: "session", in: "cookie", schema: string },
              { name: "nested", in: "query", schema: nested },
              { name: "Host", in: "header", schema: string },
              { name: "elsewhere", in: "query", schema: { $ref: "other.json" } },
              { name: "gone", in: "path", required: true, schema: string },
              { name: "kept", in: "query", schema: string },
            ],
            requestBody: { content: { "application/json": { schema: string } } },
          },
        },
      }),
    })
    expect(source.skipped).toEqual([])
    expect(source.omitted.map(({ name, operation }) => `${operation.name} ${name}`)).toEqual([
      "get session",
      "get nested",
      "get Host",
      "get elsewhere",
      "get gone",
      "get body",
    ])
    expect(Object.keys((await definitions(source))["get"]!.input["properties"] as object)).toEqual(["kept"])
  })

  it("is taken out of alternatives", async () => {
    const { definition } = await tool({
      parameters: [{
        name: "created",
        in: "query",
        style: "deepObject",
        schema: { anyOf: [{ type: "object", properties: { gt: { type: "integer" } } }, { type: "integer" }] },
      }],
    })
    expect(definition.input["properties"]).toEqual({
      created: { anyOf: [{ type: "object", properties: { gt: { type: "integer" } } }] },
    })
  })
})

describe("documents that cannot be read", () => {
  const at = (ref: unknown) => ({
    openapi: "3.1.0",
    paths: { "/a~b": { get: { parameters: [{ name: "p", in: "query", schema: { $ref: ref } }] } } },
  })
  it.each<readonly [string, unknown, string, string]>([
    ["text", "openapi: 3.1.0\npaths: {}", "#", "Parse it first"],
    ["null", null, "#", "no OpenAPI description"],
    ["a list", [], "#", "no OpenAPI description"],
    ["another object", { name: "x" }, "#/openapi", "does not say `openapi`"],
    ["Swagger", { swagger: "2.0", paths: {} }, "#/swagger", "Swagger 2.0"],
    ["OpenAPI 4", { openapi: "4.0.0", paths: {} }, "#/openapi", "OpenAPI 4.0.0"],
    ["OpenAPI 3.2", { openapi: "3.2.0", paths: {} }, "#/openapi", "OpenAPI 3.2.0"],
    ["no paths", { openapi: "3.0.0" }, "#/paths", "no `paths`"],
    ["paths that are none", { openapi: "3.1.0", paths: [] }, "#/paths", "not an object"],
    ["an operation that is none", { openapi: "3.1.0", paths: { "/a": { get: 1 } } }, "#/paths/~1a/get", "no object"],
    [
      "a reference that leads nowhere",
      at("#/components/schemas/Missing"),
      "#/paths/~1a~0b/get/parameters/0/schema/$ref",
      "\"#/components/schemas/Missing\" leads nowhere",
    ],
    ["a reference that is none", at(1), "#/paths/~1a~0b/get/parameters/0/schema/$ref", "not a text"],
    [
      "a schema that is none",
      { openapi: "3.1.0", paths: { "/a": { post: jsonBody({ type: "array", items: { anyOf: [1] } }) } } },
      "#/paths/~1a/post/requestBody/content/application~1json/schema/items/anyOf/0",
      "no schema",
    ],
  ])("%s", async (_, value, place, message) => {
    const error = await refusal({ baseUrl, document: value })
    expect(error).toBeInstanceOf(OpenApi.DocumentError)
    expect(error.at).toBe(place)
    expect(error.message).toContain(message)
    expect(error.message).toContain(`(at ${place})`)
  })

  it("references that lead back to themselves", async () => {
    const schemas = { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } }
    const error = await refusal({ baseUrl, document: { ...at("#/components/schemas/A"), components: { schemas } } })
    expect(error.message).toContain("leads back to itself")
    const parameters = { A: { $ref: "#/components/parameters/A" } }
    const other = await refusal({
      baseUrl,
      document: document({ "/a": { get: { parameters: [{ $ref: "#/components/parameters/A" }] } } }, {
        components: { parameters },
      }),
    })
    expect(other.message).toContain("leads back to itself")
  })

  it("references in schemas tell where they stand", async () => {
    const schemas = { A: { type: "object", properties: { "x/y": { $ref: "#/nowhere" } } } }
    const error = await refusal({ baseUrl, document: { ...at("#/components/schemas/A"), components: { schemas } } })
    expect(error.at).toBe("#/components/schemas/A/properties/x~1y/$ref")
  })

  it("nesting without an end", async () => {
    let schema: unknown = {}
    for (let i = 0; i < 2_000; i++) schema = { items: schema }
    expect((await refusal({ baseUrl, document: document({ "/a": { post: jsonBody(schema) } }) })).message).toContain(
      "too deep",
    )
  })

  it("only what is reached counts", async () => {
    const source = await make({
      baseUrl,
      document: {
        ...at("#/nowhere"),
        ...document({ "/a": { get: ok } }),
        components: { schemas: { A: { $ref: "#/nowhere" } } },
      },
    })
    expect(Object.keys(await definitions(source))).toEqual(["get_a"])
  })
})

describe("servers", () => {
  const at = async (
    servers: unknown,
    options: Partial<OpenApi.Options> = {},
    operation: Record<string, unknown> = {},
  ) => {
    const source = await provided(
      OpenApi.source({ document: document({ "/a": { get: operation } }, { servers }), ...options }),
    )
    return source.skipped.map(({ reason }) => reason)
  }

  it("are needed", async () => {
    for (const servers of [undefined, [], [{ url: "/v1" }], [{ url: "//example.com" }]]) {
      expect((await refusal({ document: document({ "/a": { get: {} } }, { servers }) })).message).toContain(
        "Give `baseUrl`",
      )
    }
    expect(await at([{ url: "https://example.com/v1" }])).toEqual([])
    expect(await at(undefined, { baseUrl })).toEqual([])
  })

  it("have variables", async () => {
    const servers = [{
      url: "https://{region}.example.com:{port}",
      variables: { region: { enum: ["eu", "us"], default: "eu" }, port: { default: "8443" } },
    }]
    expect(await at(servers)).toEqual([])
    expect(await at(servers, { serverVariables: { region: "us" } })).toEqual([])
    const refused = (serverVariables: Record<string, string>) =>
      refusal({ document: document({ "/a": { get: {} } }, { servers }), serverVariables })
    expect((await refused({ region: "evil.example/" })).message).toContain("one of eu, us")
    const missing = await refusal({
      document: document({ "/a": { get: {} } }, { servers: [{ url: "https://{host}/" }] }),
    })
    expect(missing).toMatchObject({ at: "#/servers/0/variables/host" })
  })

  it.each(["ftp://example.com", "https://user:canary@example.com", "https://example.com?key=canary", "not an address"])(
    "refuse %s",
    async (url) => {
      const error = await refusal({ baseUrl: url, document: document({ "/a": { get: {} } }) })
      expect(error.at).toBe("baseUrl")
      expect(error.message).not.toContain("canary")
    },
  )

  it("of an operation are not replaced by another", async () => {
    const own = { servers: [{ url: "https://uploads.example.com" }] }
    const general = [{ url: "https://example.com" }]
    expect(await at(general, {}, own)).toEqual([])
    expect(await at(general, { baseUrl }, own)).toEqual([
      "has a server of its own, https://uploads.example.com, in place of which `baseUrl` does not stand",
    ])
    expect(await at(general, { baseUrl }, { servers: general })).toEqual([])
    expect(await at(general, { baseUrl }, { servers: [{ url: "v2" }] })).toEqual([])
  })
})

describe("credentials are chosen", () => {
  const schemes = {
    bearer: { type: "http", scheme: "Bearer" },
    basic: { type: "http", scheme: "basic" },
    digest: { type: "http", scheme: "digest" },
    header: { type: "apiKey", in: "header", name: "X-Key" },
    cookie: { type: "apiKey", in: "cookie", name: "sid" },
    oauth: { type: "oauth2", flows: {} },
    mtls: { type: "mutualTLS" },
  }
  const skipped = async (security: unknown, auth?: Record<string, unknown>, more: Partial<OpenApi.Options> = {}) => {
    const source = await provided(OpenApi.source({
      baseUrl,
      document: document({ "/a": { get: { security } } }, { components: { securitySchemes: schemes } }),
      auth: auth as never,
      ...more,
    }))
    return source.skipped.map(({ reason }) => reason)
  }
  const secret = { username: "u", password: Redacted.make("p") }

  it("of the alternatives the first that is served", async () => {
    expect(await skipped([{ bearer: [] }], {})).toEqual(["needs credentials: none are given for `bearer`"])
    expect(await skipped([{ bearer: [] }], { bearer: secret })).toEqual([])
    expect(await skipped([{ digest: [] }, { bearer: [] }], { bearer: secret })).toEqual([])
    expect(await skipped([{ header: [], bearer: [] }], { bearer: secret })).toEqual([
      "needs credentials: none are given for `header`",
    ])
    expect(await skipped([{ basic: [], bearer: [] }], { bearer: secret, basic: secret })).toEqual([
      "needs credentials: `bearer` goes where another does",
    ])
    expect(await skipped([{ oauth: ["read"] }], { oauth: secret })).toEqual([])
    expect(await skipped([{ bearer: [] }, {}], {})).toEqual([])
    expect(await skipped([], {})).toEqual([])
    expect(await skipped(undefined, {}, { security: [{ bearer: [] }] })).toHaveLength(1)
  })

  it("none where they cannot be sent, unless the client does", async () => {
    expect(
      await skipped([{ digest: [] }, { cookie: [] }, { mtls: [] }], { digest: secret, cookie: secret, mtls: secret }),
    ).toEqual([
      "needs credentials: `digest` is of the HTTP scheme digest; or `cookie` is a cookie; or `mtls` is of the type mutualTLS",
    ])
    expect(await skipped([{ cookie: [] }], { cookie: "client" })).toEqual([])
    expect(await skipped([{ bearer: [] }])).toEqual([])
    expect(await skipped([{ unheard: [] }], {})).toEqual(["needs credentials: `unheard` is not described"])
  })

  it("of schemes that there are", async () => {
    const auth = { typo: "client" as const }
    const error = await refusal({ baseUrl, document: document({}, { components: { securitySchemes: schemes } }), auth })
    expect(error.message).toContain("\"typo\"")
    expect(error.message).toContain("bearer, basic")
    expect((await refusal({ baseUrl, document: document({}), auth })).message).toContain("`securitySchemes`")
    expect(await skipped([{ typo: [] }], auth, { securitySchemes: { typo: { type: "http", scheme: "bearer" } } }))
      .toEqual([])
  })

  it("in places that no parameter has", async () => {
    const source = await make({
      baseUrl,
      document: document({
        "/a": {
          get: {
            operationId: "get",
            parameters: [{ name: "x-key", in: "header", required: true, schema: string }, {
              name: "Authorization",
              in: "header",
              schema: string,
            }],
          },
        },
      }, { components: { securitySchemes: schemes } }),
    })
    expect((await definitions(source))["get"]!.input["properties"]).toEqual({})
    expect(source.omitted.map(({ reason }) => reason)).toEqual([
      "has the parameter `x-key` that credentials are sent in",
    ])
  })
})
