/**
 * Reads one operation of a description: the tool it becomes, and how a call of it is sent.
 */
import type * as JsonSchema from "effect/JsonSchema"
import type * as ToolSource from "../../ToolSource.ts"
import { isRecord, type JsonObject } from "../json-schema.ts"
import { type Body, readBody } from "./body.ts"
import { broken, type Document, follow, member, own, type Place, Unsupported, without } from "./document.ts"
import { namesOf } from "./names.ts"
import { type LeftOut, type Parameter, type Reading, readParameters } from "./parameters.ts"
import { type Answers, readAnswers } from "./responses.ts"
import { Schemas } from "./schema.ts"
import type { Needed, Security } from "./security.ts"
import type { Server, Servers } from "./server.ts"
import type { Nesting } from "./style.ts"

/** An operation as the document tells it, for a host to choose by. */
export interface Described {
  /** The name of its tool: `issues.list`. */
  readonly name: string
  /** Its `operationId`, if it has one: `issues/list`. */
  readonly id: string | undefined
  /** In small letters: `get`. */
  readonly method: string
  /** `/repos/{owner}/{repo}/issues` */
  readonly path: string
  readonly tags: ReadonlyArray<string>
  readonly deprecated: boolean
}

/** Where a value of the input goes. */
export interface Field {
  /** Its name in the input. */
  readonly input: string
  readonly required: boolean
  readonly schema: JsonSchema.JsonSchema
  readonly goes:
    | { readonly to: "parameter"; readonly parameter: Parameter }
    | { readonly to: "member"; readonly name: string; readonly written: Parameter | undefined }
    | { readonly to: "body" }
}

/** An operation that is a tool. */
export interface Operation {
  readonly described: Described
  readonly definition: ToolSource.Definition
  readonly fields: ReadonlyArray<Field>
  readonly body: Body | undefined
  readonly answers: Answers
  readonly server: Server
  readonly needed: ReadonlyArray<Needed>
}

export interface Skipped {
  readonly operation: Described
  readonly reason: string
}

export interface Omitted extends LeftOut {
  readonly operation: Described
}

export interface Description {
  readonly operations: ReadonlyArray<Operation>
  readonly skipped: ReadonlyArray<Skipped>
  readonly omitted: ReadonlyArray<Omitted>
}

export interface Setting {
  readonly document: Document
  readonly servers: Servers
  readonly security: Security
  readonly nesting: Nesting | undefined
  readonly filter: (operation: Described) => boolean
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

interface Found {
  readonly described: Described
  readonly item: Place
  readonly operation: Place
}

/** Reads all operations that the filter lets through. */
export const readOperations = (setting: Setting): Description => {
  const inputs = new Schemas(setting.document, "input")
  const outputs = new Schemas(setting.document, "output")
  const operations: Array<Operation> = []
  const skipped: Array<Skipped> = []
  const omitted: Array<Omitted> = []
  const { document, nesting, security } = setting
  const reading: Reading = { document, nesting, security, schemas: inputs, known: new Map() }
  for (const found of find(document)) {
    if (!setting.filter(found.described)) continue
    const leftOut: Array<LeftOut> = []
    try {
      operations.push(read(setting, reading, outputs, found, leftOut))
      for (const part of leftOut) omitted.push({ operation: found.described, ...part })
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      skipped.push({ operation: found.described, reason: error.reason })
    }
  }
  return { operations, skipped, omitted }
}

const find = (document: Document): ReadonlyArray<Found> => {
  const found: Array<
    Omit<Found, "described"> & { readonly method: string; readonly path: string; readonly id: string | undefined }
  > = []
  const paths = own(document.root, "paths")
  for (const [path, told] of Object.entries(isRecord(paths) ? paths : {})) {
    if (path.startsWith("x-")) continue
    const item = itemAt(document, told, member("#/paths", path))
    if (item === undefined) continue
    for (const method of methods) {
      const value = own(item.value, method)
      if (value === undefined) continue
      const at = member(item.at, method)
      if (!isRecord(value)) throw broken(at, "There is no object here.")
      const id = typeof value.operationId === "string" ? value.operationId : undefined
      found.push({ method, path, id, item, operation: { value, at } })
    }
  }
  const names = namesOf(found)
  return found.map(({ id, item, method, operation, path }, i) => ({
    item,
    operation,
    described: {
      name: names[i]!,
      id,
      method,
      path,
      tags: Array.isArray(operation.value.tags) ? operation.value.tags.filter((tag) => typeof tag === "string") : [],
      deprecated: operation.value.deprecated === true,
    },
  }))
}

// What stands beside a reference to a path item is its operations as well. Those of another document are out of reach.
const itemAt = (document: Document, told: unknown, at: string): Place | undefined => {
  if (!isRecord(told)) throw broken(at, "There is no object here.")
  if (!Object.hasOwn(told, "$ref")) return { value: told, at }
  try {
    const { value } = follow(document, told, at)
    return { value: { ...value, ...without(told, "$ref") }, at }
  } catch (error) {
    if (error instanceof Unsupported) return { value: told, at }
    throw error
  }
}

const read = (
  { document, security, servers }: Setting,
  reading: Reading,
  outputs: Schemas,
  { described, item, operation }: Found,
  leftOut: Array<LeftOut>,
): Operation => {
  const { method, path } = described
  if (method === "trace") throw new Unsupported("uses the method TRACE, which no client sends")
  if (!path.startsWith("/")) throw new Unsupported("has a path that does not begin with a slash")
  if (/[?#]/u.test(path)) throw new Unsupported("has a query or a fragment in its path")
  if (/\\|\/(?:\.|%2e){1,2}(?:\/|$)/iu.test(path)) {
    throw new Unsupported("has dots or a backslash in its path that lead elsewhere")
  }
  const parameters = inTemplate(path, readParameters(reading, item, operation, leftOut), leftOut)
  const body = readBody(reading, operation, method, leftOut)
  const fields = fieldsOf(parameters, body)
  const needed = security.choose(operation.value, operation.at)
  if (typeof needed === "string") throw new Unsupported(needed)
  const answers = readAnswers(document, outputs, operation, method)
  return {
    described,
    fields,
    body,
    answers,
    needed,
    server: servers.of(operation.value, item.value, operation.at, item.at),
    definition: {
      name: described.name,
      title: text(operation.value.summary) ?? text(item.value.summary),
      description: description(operation.value, item.value),
      input: reading.schemas.close(inputOf(fields)),
      output: answers.output,
      annotations: annotationsOf(method),
    },
  }
}

// The parameters of a path are those of its template, no more and no fewer.
const inTemplate = (
  path: string,
  parameters: ReadonlyArray<Parameter>,
  leftOut: Array<LeftOut>,
): Array<Parameter> => {
  const names = new Set(Array.from(path.matchAll(/\{([^{}]*)\}/gu), ([, name]) => name!))
  const kept = parameters.filter(({ location, name }) => {
    if (location !== "path" || names.has(name)) return true
    leftOut.push({ name, reason: `has the path parameter \`${name}\` that is not in the path` })
    return false
  })
  for (const name of names) {
    if (!kept.some((parameter) => parameter.location === "path" && parameter.name === name)) {
      throw new Unsupported(`does not describe the path parameter \`${name}\``)
    }
  }
  if (/[{}]/u.test(path.replace(/\{[^{}]*\}/gu, ""))) throw new Unsupported("has a path that is no template")
  return kept
}

interface Told extends Omit<Field, "input"> {
  readonly name: string
  /** Empty for the body as a whole. */
  readonly location: string
}

/** The input: parameters and the members of the body side by side, by their own names where these are different. */
const fieldsOf = (parameters: ReadonlyArray<Parameter>, body: Body | undefined): ReadonlyArray<Field> => {
  const told: Array<Told> = []
  for (const parameter of parameters) {
    const { location, name, required, schema } = parameter
    told.push({ name, location, required, schema, goes: { to: "parameter", parameter } })
  }
  if (body?.whole !== undefined) {
    told.push({ name: "body", location: "", required: body.required, schema: body.whole, goes: { to: "body" } })
  } else {
    for (const { name, required, schema, written } of body?.members ?? []) {
      told.push({ name, location: "body", required, schema, goes: { to: "member", name, written } })
    }
  }
  const counts = new Map<string, number>()
  for (const { name } of told) counts.set(name, (counts.get(name) ?? 0) + 1)
  // The whole body has its name to itself.
  const isAlone = ({ location, name }: Told): boolean => location === "" || counts.get(name) === 1
  const taken = new Set(told.filter(isAlone).map(({ name }) => name))
  const nameOf = (one: Told): string => {
    if (isAlone(one)) return one.name
    let input = `${one.location}_${one.name}`
    for (let i = 2; taken.has(input); i++) input = `${one.location}_${one.name}_${i}`
    taken.add(input)
    return input
  }
  return told.map((one): Field => ({
    input: nameOf(one),
    required: one.required,
    schema: one.schema,
    goes: one.goes,
  }))
}

const inputOf = (fields: ReadonlyArray<Field>): JsonSchema.JsonSchema => {
  const required = fields.filter((field) => field.required).map((field) => field.input)
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ input, schema }) => [input, schema])),
    ...required.length === 0 ? {} : { required },
    additionalProperties: false,
  }
}

// https://www.rfc-editor.org/rfc/rfc9110#section-9.2
const annotationsOf = (method: string): ToolSource.Annotations => {
  const readOnly = method === "get" || method === "head" || method === "options"
  return {
    readOnly,
    ...method === "delete" ? { destructive: true } : {},
    ...readOnly || method === "put" || method === "delete" ? { idempotent: true } : {},
    openWorld: true,
  }
}

const description = (operation: JsonObject, item: JsonObject): string | undefined => {
  const summary = text(operation.summary) ?? text(item.summary)
  const long = text(operation.description) ?? text(item.description)
  const parts = [
    operation.deprecated === true ? "Deprecated." : undefined,
    summary,
    long === summary ? undefined : long,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : parts.join("\n\n")
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
