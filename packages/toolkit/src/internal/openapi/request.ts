/**
 * Turns the input of a call into a request, or says what is wrong with it.
 */
import type * as Schema from "effect/Schema"
import { isRecord } from "../json-schema.ts"
import * as Nearest from "../nearest.ts"
import { propertyName } from "../path.ts"
import { Failure } from "../tool-call.ts"
import { URL } from "../web.ts"
import { shorten } from "./document.ts"
import type { Field, Operation } from "./operation.ts"
import type { Parameter } from "./parameters.ts"
import type { Security } from "./security.ts"
import { inHeader, inPath, inQuery, Unwritable } from "./style.ts"

/** A request without its credentials. */
export interface Request {
  readonly method: string
  readonly origin: string
  /** The path, escaped, from the root of the server. */
  readonly path: string
  /** The pairs of the query, escaped. */
  readonly query: ReadonlyArray<string>
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: { readonly text: string; readonly mediaType: string } | undefined
}

/** Builds the request of a call. Throws a {@link Failure} for an input that does not fit. */
export const build = (operation: Operation, security: Security, input: Schema.JsonObject): Request => {
  const values = valuesOf(operation, input)
  const { described, server } = operation
  const texts = new Map<string, string>()
  const query: Array<string> = []
  const headers: Array<readonly [string, string]> = [["accept", operation.answers.accept]]
  const keys = new Set<string>()
  for (const [field, value] of values) {
    if (field.goes.to !== "parameter") continue
    const { parameter } = field.goes
    attempt(field.input, () => {
      switch (parameter.location) {
        case "path":
          texts.set(parameter.name, inPath(parameter, value))
          break
        case "header":
          headers.push([parameter.name, inHeader(parameter, value)])
          break
        default:
          checkKeys(operation, security, parameter, value, keys)
          query.push(...inQuery(parameter, value))
      }
    })
  }
  const path = server.path + described.path.replace(/\{([^{}]*)\}/gu, (_, name: string) => texts.get(name) ?? "")
  checkPath(operation, server.path, path)
  const body = bodyOf(operation, values)
  return { method: described.method.toUpperCase(), origin: server.origin, path, query, headers, body }
}

type Values = ReadonlyArray<readonly [Field, Schema.Json]>

const valuesOf = ({ described, fields }: Operation, input: Schema.JsonObject): Values => {
  const known = new Map(fields.map((field) => [field.input, field]))
  const unknown = Object.keys(input).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const name = unknown[0]!
    const near = Nearest.make(Array.from(known.keys())).find(name, 3).map(propertyName)
    throw refused(
      `There is no field ${propertyName(shorten(name, 100))} in the input of ${described.name}.${
        fields.length === 0
          ? " It takes no input."
          : near.length > 0
          ? ` Nearest: ${near.join(", ")}.`
          : ` Its fields: ${shorten(Array.from(known.keys(), propertyName).join(", "), 500)}.`
      }`,
    )
  }
  const values: Array<readonly [Field, Schema.Json]> = []
  const missing: Array<string> = []
  for (const field of fields) {
    const value = Object.hasOwn(input, field.input) ? input[field.input] : undefined
    // In an address and in a header, null stands for nothing.
    const isNothing = value === undefined ||
      (value === null &&
        (field.goes.to === "parameter" || (field.goes.to === "member" && field.goes.written !== undefined)))
    if (!isNothing) values.push([field, value])
    else if (field.required) missing.push(propertyName(field.input))
  }
  if (missing.length > 0) throw refused(`The input of ${described.name} needs ${list(missing)}.`)
  return values
}

const bodyOf = ({ body }: Operation, values: Values): Request["body"] => {
  if (body === undefined) return undefined
  const own = values.filter(([field]) => field.goes.to !== "parameter")
  if (body.whole !== undefined) {
    const [whole] = own
    if (whole === undefined) return undefined
    const [{ input }, value] = whole
    switch (body.kind) {
      case "json":
        return { text: JSON.stringify(value), mediaType: body.mediaType }
      case "text":
        if (typeof value !== "string") throw refused(`${propertyName(input)} has to be a text.`)
        return { text: value, mediaType: body.mediaType }
      case "form":
        return {
          text: formOf(body.members?.map(({ name, written }) => [name, written] as const) ?? [], input, value),
          mediaType: body.mediaType,
        }
    }
  }
  if (own.length === 0 && !body.required) return undefined
  if (body.kind === "form") {
    const pairs = own.flatMap(([{ goes, input }, value]) =>
      goes.to === "member" && goes.written !== undefined ? attempt(input, () => inQuery(goes.written!, value)) : []
    )
    return { text: pairs.join("&"), mediaType: body.mediaType }
  }
  const members = own.flatMap(([{ goes }, value]) => goes.to === "member" ? [[goes.name, value] as const] : [])
  return { text: JSON.stringify(Object.fromEntries(members)), mediaType: body.mediaType }
}

const formOf = (
  members: ReadonlyArray<readonly [string, Parameter | undefined]>,
  input: string,
  value: Schema.Json,
): string => {
  if (!isRecord(value)) throw refused(`${propertyName(input)} has to be an object.`)
  const known = new Map(members)
  return Object.entries(value).flatMap(([name, member]) => {
    const written = known.get(name)
    if (written === undefined) throw refused(`${propertyName(input)} has no field ${propertyName(shorten(name, 100))}.`)
    return member === null ? [] : attempt(`${input}.${name}`, () => inQuery(written, member))
  }).join("&")
}

// The members of an exploded object are keys of the query: none may be one that credentials or another parameter have.
const checkKeys = (
  { fields }: Operation,
  security: Security,
  parameter: Parameter,
  value: Schema.Json,
  taken: Set<string>,
): void => {
  const isSpread = parameter.style === "form" && parameter.explode && isRecord(value)
  if (!isSpread) return
  for (const key of Object.keys(value)) {
    const isParameter = fields.some(({ goes }) =>
      goes.to === "parameter" && goes.parameter.location === "query" && goes.parameter.name === key &&
      goes.parameter !== parameter
    )
    if (isParameter || taken.has(key) || security.queries.has(key.toLowerCase())) {
      throw new Unwritable(
        `has the key ${propertyName(shorten(key, 100))}, which has a meaning of its own in the query`,
      )
    }
    taken.add(key)
  }
}

// Each value was looked at where it was written; what they make together is looked at here.
const checkPath = ({ described }: Operation, base: string, path: string): void => {
  const read = new URL(`http://server${path}`).pathname
  const isSame = read.split("/").length === path.split("/").length && (read === base || read.startsWith(`${base}/`))
  if (!isSame) throw refused(`The input of ${described.name} makes another path than ${described.path}.`)
}

const attempt = <A>(input: string, write: () => A): A => {
  try {
    return write()
  } catch (error) {
    if (error instanceof Unwritable) throw refused(`${propertyName(input)} ${error.reason}.`)
    throw error
  }
}

const list = (names: ReadonlyArray<string>): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`

const refused = (message: string): Failure => new Failure({ code: "INVALID_TOOL_INPUT", message, retryable: true })
