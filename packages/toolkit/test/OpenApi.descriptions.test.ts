import { Catalog, type OpenApi } from "@effect-codemode/toolkit"
import { describe, expect, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, type JsonSchema } from "effect"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import ts from "typescript"
import { parse } from "yaml"
import { make } from "./openapi-fixtures.ts"

const require = createRequire(import.meta.url)
const folder = (name: string): string => dirname(require.resolve(`${name}/package.json`))
const text = (path: string): string => readFileSync(path, "utf8")

interface Description {
  readonly name: string
  readonly read: () => unknown
  readonly options?: Partial<OpenApi.Options>
  /** How many operations there are, and how many become tools. */
  readonly operations: number
  readonly tools: number
  /** The reasons why the others do not, with what is named in them left out. */
  readonly skipped: Readonly<Record<string, number>>
  readonly omitted: Readonly<Record<string, number>>
  /** A tool, as a program reads it. */
  readonly signature: readonly [tool: string, compact: string]
}

const descriptions: ReadonlyArray<Description> = [
  {
    name: "GitHub, OpenAPI 3.0",
    read: () => JSON.parse(text(join(folder("@octokit/routes"), "api.github.com.json"))),
    operations: 608,
    tools: 607,
    skipped: { "has the header … that the client sends itself": 1 },
    omitted: {},
    signature: [
      "issues.create-label",
      "tools.issues[\"create-label\"](input: { owner: string, repo: string, body?: { name: string, color: string, description?: string } }): Promise<{ id?: number, node_id?: string, url?: string, name?: string, description?: string, color?: string, default?: boolean }>",
    ],
  },
  {
    name: "Figma, OpenAPI 3.1 in YAML",
    read: () => parse(text(join(folder("@figma/rest-api-spec"), "openapi", "openapi.yaml"))),
    operations: 54,
    tools: 54,
    skipped: {},
    omitted: {},
    signature: [
      "deleteComment",
      "tools.deleteComment(input: { file_key: string, comment_id: string }): Promise<{ status: 200, error: false }>",
    ],
  },
  {
    name: "rclone, OpenAPI 3.1",
    read: () => require("rclone-openapi/openapi.json") as unknown,
    operations: 101,
    tools: 100,
    skipped: { "has a body of multipart/form-data": 1 },
    omitted: { "has lists or objects inside a value in …, which the style form does not define": 1 },
    signature: [
      "operationsCopyfile",
      "tools.operationsCopyfile(input?: { query_srcFs?: string, query_srcRemote?: string, query_dstFs?: string, query_dstRemote?: string, query__group?: string, query__async?: boolean, Prefer?: \"respond-async\", body_srcFs?: string, body_srcRemote?: string, body_dstFs?: string, body_dstRemote?: string, body__group?: string, body__async?: boolean }): Promise<Record<string, unknown> | { executeId: string, jobid: number }>",
    ],
  },
]

const counted = (reasons: ReadonlyArray<{ readonly reason: string }>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { reason } of reasons) {
    const kind = reason.replace(/`[^`]*`/g, "…")
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

const operationsOf = (document: unknown): number => {
  const { paths } = document as { readonly paths: Record<string, Record<string, unknown>> }
  return Object.values(paths).flatMap((item) => methods.filter((method) => method in item)).length
}

describe.each(descriptions)("$name", (description) => {
  const document = description.read()
  const built = make({ document, ...description.options })
  const listed = built.then((source) => Effect.runPromise(source.list)).then(({ definitions }) => definitions)

  it("has so many tools, and these reasons for the rest", async () => {
    const { omitted, skipped } = await built
    const definitions = await listed
    expect(operationsOf(document)).toBe(description.operations)
    expect(definitions).toHaveLength(description.tools)
    expect(counted(skipped)).toEqual(description.skipped)
    expect(counted(omitted)).toEqual(description.omitted)
    expect(definitions.length + skipped.length).toBe(description.operations)
    expect(new Set(definitions.map(({ name }) => name)).size).toBe(definitions.length)
  })

  it("has schemas that a validator takes", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, inlineRefs: false, code: { optimize: false } })
    for (const { input, name, output } of await listed) {
      for (const schema of output === undefined ? [input] : [input, output]) {
        expect([name, ajv.validateSchema(schema), ajv.errorsText()]).toEqual([name, true, "No errors"])
        danglingOf(schema, name)
      }
    }
  })

  it("has inputs that a validator compiles", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, code: { optimize: false } })
    for (const { input, name } of await listed) {
      expect([name, typeof ajv.compile(input)]).toEqual([name, "function"])
      ajv.removeSchema(input)
    }
  })

  it("has signatures that are TypeScript", async () => {
    const catalog = Catalog.fromDefinitions(
      (await listed).map(({ description, input, name, output }) => ({ tool: name, description, input, output })),
    )
    expect(catalog.entries).toHaveLength(description.tools)
    for (const form of ["signature", "compact"] as const) {
      const source = catalog.entries.map((entry, i) => `declare function f${i}${entry[form].slice(entry.path.length)}`)
        .join("\n")
      const { diagnostics } = ts.transpileModule(source, { reportDiagnostics: true })
      expect(diagnostics!.map(({ messageText }) => messageText)).toEqual([])
    }
    const [tool, compact] = description.signature
    expect(catalog.entries.find((entry) => entry.tool === tool)?.compact).toBe(compact)
  })
})

/** Every reference leads to a definition. */
const danglingOf = (schema: JsonSchema.JsonSchema, name: string): void => {
  const definitions = (schema["$defs"] ?? {}) as Record<string, unknown>
  const used = new Set<string>()
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string") used.add(value)
    return value
  })
  const known = Object.keys(definitions).map((key) => `#/$defs/${key}`)
  expect([name, ...Array.from(used).sort()]).toEqual([name, ...known.sort()])
}
