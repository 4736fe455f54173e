import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { document, echo, echoed, failing, make, type Server } from "./openapi-fixtures.ts"

let server: Server
beforeAll(async () => {
  server = await echo()
})
afterAll(() => server.close())

const array = { type: "array", items: { type: "string" } }
const object = { type: "object", additionalProperties: { type: "integer" } }
const string = { type: "string" }

/** An operation with one parameter, `color`. */
const one = async (parameter: Record<string, unknown>) => {
  const inPath = parameter["in"] === "path"
  const source = await make({
    baseUrl: `${server.url}/base`,
    document: document({
      [inPath ? "/a/{color}/b" : "/a"]: { get: { operationId: "get", parameters: [{ name: "color", ...parameter }] } },
    }),
  })
  return {
    source,
    url: async (color: unknown) => (await echoed(source, "get", { color })).url.replace("/base/a", ""),
    header: async (color: unknown) => (await echoed(source, "get", { color })).headers["color"],
    refused: async (color: unknown) => {
      const failure = await failing(source, "get", { color })
      expect(failure.code).toBe("INVALID_TOOL_INPUT")
      return failure.message
    },
  }
}

const blue = "blue"
const list = ["blue", "black", "brown"]
const rgb = { R: 100, G: 200, B: 150 }

describe("the styles that the specification has examples of", () => {
  // https://spec.openapis.org/oas/v3.1.1#style-examples, with what is not escaped there escaped as it is sent
  const table: ReadonlyArray<readonly [string, boolean, unknown, unknown, string]> = [
    ["matrix", false, string, "", "/;color/b"],
    ["matrix", false, string, blue, "/;color=blue/b"],
    ["matrix", false, array, list, "/;color=blue,black,brown/b"],
    ["matrix", false, object, rgb, "/;color=R,100,G,200,B,150/b"],
    ["matrix", true, string, "", "/;color/b"],
    ["matrix", true, string, blue, "/;color=blue/b"],
    ["matrix", true, array, list, "/;color=blue;color=black;color=brown/b"],
    ["matrix", true, object, rgb, "/;R=100;G=200;B=150/b"],
    ["label", false, string, blue, "/.blue/b"],
    ["label", false, array, list, "/.blue,black,brown/b"],
    ["label", false, object, rgb, "/.R,100,G,200,B,150/b"],
    ["label", true, string, blue, "/.blue/b"],
    ["label", true, array, list, "/.blue.black.brown/b"],
    ["label", true, object, rgb, "/.R=100.G=200.B=150/b"],
    ["simple", false, string, blue, "/blue/b"],
    ["simple", false, array, list, "/blue,black,brown/b"],
    ["simple", false, object, rgb, "/R,100,G,200,B,150/b"],
    ["simple", true, array, list, "/blue,black,brown/b"],
    ["simple", true, object, rgb, "/R=100,G=200,B=150/b"],
    ["form", false, string, "", "?color="],
    ["form", false, string, blue, "?color=blue"],
    ["form", false, array, list, "?color=blue,black,brown"],
    ["form", false, object, rgb, "?color=R,100,G,200,B,150"],
    ["form", true, string, "", "?color="],
    ["form", true, string, blue, "?color=blue"],
    ["form", true, array, list, "?color=blue&color=black&color=brown"],
    ["form", true, object, rgb, "?R=100&G=200&B=150"],
    ["spaceDelimited", false, array, list, "?color=blue%20black%20brown"],
    ["spaceDelimited", false, object, rgb, "?color=R%20100%20G%20200%20B%20150"],
    ["pipeDelimited", false, array, list, "?color=blue%7Cblack%7Cbrown"],
    ["pipeDelimited", false, object, rgb, "?color=R%7C100%7CG%7C200%7CB%7C150"],
    ["deepObject", true, object, rgb, "?color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ]
  it.each(table)("%s, explode %s, %j, %j", async (style, explode, schema, value, expected) => {
    const location = ["matrix", "label", "simple"].includes(style) ? "path" : "query"
    const { url } = await one({ in: location, required: location === "path", style, explode, schema })
    expect(await url(value)).toBe(expected)
  })

  it.each([
    [false, array, list, "blue,black,brown"],
    [false, object, rgb, "R,100,G,200,B,150"],
    [true, object, rgb, "R=100,G=200,B=150"],
    [false, string, blue, "blue"],
    [false, { type: "boolean" }, false, "false"],
  ])("headers, explode %s, %j", async (explode, schema, value, expected) => {
    const { header } = await one({ in: "header", explode, schema })
    expect(await header(value)).toBe(expected)
  })
})

describe("the expansions of RFC 6570", () => {
  // https://www.rfc-editor.org/rfc/rfc6570#section-3.2, with its variables
  const hello = "Hello World!"
  const keys = { semi: ";", dot: ".", comma: "," }
  const path: ReadonlyArray<readonly [string, boolean, unknown, string]> = [
    ["simple", false, hello, "Hello%20World%21"],
    ["simple", false, "50%", "50%25"],
    ["simple", false, ["red", "green", "blue"], "red,green,blue"],
    ["simple", false, { semi: ";", comma: "," }, "semi,%3B,comma,%2C"],
    ["simple", true, { semi: ";", comma: "," }, "semi=%3B,comma=%2C"],
    ["label", false, "fred", ".fred"],
    ["label", true, ["red", "green", "blue"], ".red.green.blue"],
    ["label", true, { semi: ";", comma: "," }, ".semi=%3B.comma=%2C"],
    ["matrix", false, hello, ";color=Hello%20World%21"],
    ["matrix", true, { semi: ";", comma: "," }, ";semi=%3B;comma=%2C"],
  ]
  it.each(path)(
    "{%s, explode %s} %j",
    async (style, explode, value, expected) => {
      const { url } = await one({ in: "path", required: true, style, explode, schema: {} })
      expect(await url(value)).toBe(`/${expected}/b`)
    },
  )

  it.each([
    [false, hello, "?color=Hello%20World%21"],
    [false, keys, "?color=semi,%3B,dot,.,comma,%2C"],
    [true, keys, "?semi=%3B&dot=.&comma=%2C"],
    [false, ["a,b", "c"], "?color=a%2Cb,c"],
    [true, "ключ&=+#", "?color=%D0%BA%D0%BB%D1%8E%D1%87%26%3D%2B%23"],
  ])("{?color, explode %s} %j", async (explode, value, expected) => {
    const { url } = await one({ in: "query", style: "form", explode, schema: {} })
    expect(await url(value)).toBe(expected)
  })

  it("reserved characters stay where they are allowed, but for those that would end the value", async () => {
    const { url } = await one({ in: "query", allowReserved: true, schema: string })
    expect(await url("http://example.com/home?a=b;c,d@e:f$(*)!")).toBe(
      "?color=http://example.com/home?a=b;c,d@e:f$(*)!",
    )
    expect(await url("a&admin=1#x+y[0] %41%zz")).toBe("?color=a%26admin=1%23x%2By%5B0%5D%20%41%25zz")
  })
})

describe("values", () => {
  it("numbers, booleans and null", async () => {
    const { url } = await one({ in: "query", schema: {} })
    expect(await url(1.5)).toBe("?color=1.5")
    expect(await url(1e21)).toBe("?color=1e%2B21")
    expect(await url(true)).toBe("?color=true")
    expect(await url(null)).toBe("")
    expect(await url([])).toBe("")
    expect(await url({ a: null, b: 1 })).toBe("?b=1")
  })

  it("JSON parameters", async () => {
    const value = { a: [1, { b: "é&" }] }
    const content = { "application/json": { schema: {} } }
    const query = await one({ in: "query", content })
    expect(await query.url(value)).toBe(`?color=${encodeURIComponent(JSON.stringify(value))}`)
    const path = await one({ in: "path", required: true, content })
    expect(await path.url([1, "a/b"])).toBe("/%5B1%2C%22a%2Fb%22%5D/b")
    const header = await one({ in: "header", content })
    expect(await header.header(value)).toBe("{\"a\":[1,{\"b\":\"\\u00e9&\"}]}")
  })

  it.each([
    ["path", "simple", string, "", "is empty"],
    ["path", "label", string, "", "is empty"],
    ["path", "simple", array, [], "is an empty list"],
    ["path", "simple", {}, [["a"]], "has a list or an object inside"],
    ["query", "form", {}, [{ a: 1 }], "has a list or an object inside"],
    ["query", "form", {}, ["a", null], "has null in a list"],
    ["query", "spaceDelimited", array, ["a b", "c"], "has an item with a space in it"],
    ["query", "pipeDelimited", array, ["a|b"], "has an item with \"|\" in it"],
    ["query", "deepObject", object, { a: { b: 1 } }, "has a list or an object inside"],
    ["query", "deepObject", {}, 1, "has to be an object"],
    ["query", "deepObject", object, { "a]": 1 }, "has a key with a bracket"],
    ["query", "form", {}, "\ud800", "has half a character"],
    ["header", "simple", array, ["a,b"], "has an item with a comma"],
    ["header", "simple", string, "a\r\nx-admin: 1", "has a character that a header cannot have"],
    ["header", "simple", string, "a\0", "has a character that a header cannot have"],
    ["header", "simple", string, "€", "has a character that a header cannot have"],
    ["header", "simple", string, " a", "begins or ends with a space"],
  ])("in %s, %s refuses %j %j", async (location, style, schema, value, message) => {
    const { refused } = await one({ in: location, required: location === "path", style, schema })
    expect(await refused(value)).toContain(`color ${message}`)
  })
})

describe("the path cannot be left", () => {
  it.each([
    "..",
    ".",
    "%2e%2e",
    "%2E.",
    "%252e%252e",
    "a/../..",
    "../../admin",
    "..\\admin",
    "..;/admin",
    "a%2f..%2f..%2fadmin",
    "x\r\ny",
    "\0",
  ])("%j", async (value) => {
    const { refused } = await one({ in: "path", required: true, schema: string })
    expect(await refused(value)).toMatch(/^color (may not be|has a control character)/)
  })

  it.each(["label", "matrix", "simple"])("in lists and objects, %s", async (style) => {
    const { refused } = await one({ in: "path", required: true, style, schema: {} })
    expect(await refused(["a", ".."])).toContain("may not be")
    expect(await refused({ a: "../b" })).toContain("may not be")
  })

  it.each([
    ["a/b", "/a%2Fb/b"],
    ["a?admin=1", "/a%3Fadmin%3D1/b"],
    ["a#b", "/a%23b/b"],
    ["//evil.example", "/%2F%2Fevil.example/b"],
    ["@evil.example", "/%40evil.example/b"],
    ["http://evil.example/", "/http%3A%2F%2Fevil.example%2F/b"],
    ["a..b", "/a..b/b"],
    ["...", "/.../b"],
    ["%2F", "/%252F/b"],
  ])("%j is no more than a value", async (value, expected) => {
    const { url } = await one({ in: "path", required: true, schema: string })
    expect(await url(value)).toBe(expected)
  })

  it("by values side by side", async () => {
    const source = await make({
      baseUrl: `${server.url}/base`,
      document: document({
        "/{a}.{b}/c": {
          get: {
            operationId: "get",
            parameters: ["a", "b"].map((name) => ({ name, in: "path", required: true, schema: string })),
          },
        },
        "/.{a}/c": {
          get: {
            operationId: "dot",
            parameters: [{ name: "a", in: "path", required: true, style: "label", schema: string }],
          },
        },
      }),
    })
    expect((await echoed(source, "get", { a: "x", b: "y" })).url).toBe("/base/x.y/c")
    expect((await failing(source, "dot", { a: "" })).code).toBe("INVALID_TOOL_INPUT")
  })
})

describe("the query cannot be taken over", () => {
  const keyed = async () =>
    make({
      baseUrl: server.url,
      document: document({
        "/a": {
          get: {
            operationId: "get",
            parameters: [
              { name: "limit", in: "query", schema: { type: "integer" } },
              { name: "filter", in: "query", schema: object },
            ],
          },
        },
      }, { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } } }),
    })

  it("by the members of an object", async () => {
    const source = await keyed()
    expect((await echoed(source, "get", { limit: 1, filter: { a: 1 } })).url).toBe("/a?limit=1&a=1")
    for (const key of ["limit", "api_key", "API_KEY"]) {
      const failure = await failing(source, "get", { filter: { [key]: 1 } })
      expect(failure.code).toBe("INVALID_TOOL_INPUT")
      expect(failure.message).toContain(`filter has the key ${key}`)
    }
  })

  it("by names of prototypes", async () => {
    const source = await keyed()
    const filter = JSON.parse("{\"__proto__\":1,\"constructor\":2}") as unknown
    expect((await echoed(source, "get", { filter })).url).toBe("/a?__proto__=1&constructor=2")
    for (const name of ["__proto__", "constructor", "toString"]) {
      const failure = await failing(source, "get", JSON.parse(`{"${name}":1}`))
      expect(failure.message).toContain(`There is no field ${name}`)
    }
  })
})

describe("deeper objects", () => {
  const filter = { name: "filter", in: "query", style: "deepObject", explode: true, schema: { type: "object" } }
  const source = (nesting?: "indices" | "brackets") =>
    make({
      baseUrl: server.url,
      nesting,
      document: document({ "/a": { get: { operationId: "get", parameters: [filter] } } }),
    })

  it("nest as the host says that the API takes them", async () => {
    const value = { a: { b: 1 }, c: ["x", "y"], d: [{ e: true }] }
    const text = async (nesting: "indices" | "brackets") =>
      decodeURIComponent((await echoed(await source(nesting), "get", { filter: value })).url)
    expect(await text("indices")).toBe("/a?filter[a][b]=1&filter[c][0]=x&filter[c][1]=y&filter[d][0][e]=true")
    expect(await text("brackets")).toBe("/a?filter[a][b]=1&filter[c][]=x&filter[c][]=y&filter[d][][e]=true")
  })

  it("are refused otherwise", async () => {
    expect((await failing(await source(), "get", { filter: { a: ["x"] } })).message)
      .toContain("not defined for `deepObject`")
  })
})

describe("forms", () => {
  const form = (schema: unknown, encoding?: unknown, required = true) =>
    make({
      baseUrl: server.url,
      document: document({
        "/a": {
          post: {
            operationId: "post",
            requestBody: { required, content: { "application/x-www-form-urlencoded": { schema, encoding } } },
          },
        },
      }),
    })

  it("have their fields in the input", async () => {
    const source = await form({
      type: "object",
      properties: { text: string, tags: array, on: { type: "boolean" }, more: object, json: {} },
      required: ["text"],
    }, {
      more: { style: "deepObject", explode: true },
      json: { contentType: "application/json" },
    })
    const { body, headers } = await echoed(source, "post", {
      text: "a b&c=ü+",
      tags: ["x", "y z"],
      on: true,
      more: { k: 1 },
      json: { a: [1] },
    })
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded")
    expect(body).toBe("text=a+b%26c%3D%C3%BC%2B&tags=x&tags=y+z&on=true&more%5Bk%5D=1&json=%7B%22a%22%3A%5B1%5D%7D")
    expect((await failing(source, "post", {})).message).toContain("needs text")
  })

  it("leave out fields whose writing is not defined, and are skipped where these are required", async () => {
    const schema = { type: "object", properties: { a: string, o: { type: "object", properties: { b: string } } } }
    const source = await form(schema)
    expect(source.omitted.map(({ name }) => name)).toEqual(["o"])
    expect((await echoed(source, "post", { a: "1" })).body).toBe("a=1")
    expect((await form({ ...schema, required: ["o"] })).skipped).toHaveLength(1)
  })

  it("are one field, if they can be left out as a whole", async () => {
    const source = await form(
      { type: "object", properties: { a: string, b: string }, required: ["a"] },
      undefined,
      false,
    )
    expect((await echoed(source, "post", {})).body).toBe("")
    expect((await echoed(source, "post", { body: { a: "1", b: "2" } })).body).toBe("a=1&b=2")
    expect((await failing(source, "post", { body: { c: "1" } })).message).toContain("body has no field c")
  })
})
