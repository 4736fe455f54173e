/**
 * Reads an OpenAPI description: what it is, where its references lead, what it lacks.
 */
import * as Schema from "effect/Schema"
import { dereference, isRecord, type JsonObject } from "../json-schema.ts"

/**
 * Why a description could not be read: it is none, of a version that is not supported, or broken at a place. Its
 * tag is `OpenApiDocumentError`.
 *
 * - `message`: what is wrong, and what to do about it.
 * - `at`: the place in the document, as a JSON pointer: `#/paths/~1users/get/parameters/0`.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentError
  extends Schema.TaggedError<DocumentError>("@effect-codemode/toolkit/OpenApi/DocumentError")("OpenApiDocumentError", {
    message: Schema.String,
    at: Schema.String,
  })
{}

/** Why an operation, or a part of it, cannot be represented exactly. Thrown while it is read, and listed. */
export class Unsupported {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** A part of the document, and where it stands. */
export interface Place<A = JsonObject> {
  readonly value: A
  readonly at: string
}

export interface Document {
  readonly root: JsonObject
  readonly version: "3.0" | "3.1"
}

/** Takes a parsed document for what it says it is. */
export const read = (document: unknown): Document => {
  if (typeof document === "string") {
    throw broken(
      "#",
      "The document is a text, not a parsed document. Parse it first: `JSON.parse(text)`, or a YAML parser for YAML.",
    )
  }
  if (!isRecord(document)) throw broken("#", "The document is not an object, so it is no OpenAPI description.")
  if (typeof document.swagger === "string") {
    throw broken(
      "#/swagger",
      `The document is of Swagger ${document.swagger}, and only OpenAPI 3.0 and 3.1 are read. Convert it first.`,
    )
  }
  const { openapi } = document
  if (typeof openapi !== "string") {
    throw broken("#/openapi", "The document does not say `openapi`, so it is no OpenAPI description.")
  }
  const version = /^(3\.[01])(?:\.|$)/.exec(openapi)?.[1]
  if (version === undefined) {
    throw broken("#/openapi", `The document is of OpenAPI ${openapi}, and only 3.0 and 3.1 are read.`)
  }
  if (document.paths !== undefined && !isRecord(document.paths)) throw broken("#/paths", "`paths` is not an object.")
  if (document.paths === undefined && version === "3.0") throw broken("#/paths", "The document has no `paths`.")
  return { root: document, version: version as Document["version"] }
}

export const broken = (at: string, message: string): DocumentError =>
  new DocumentError({ at, message: `${message} (at ${at})` })

/** The place of a member: `#/paths` and `/users` give `#/paths/~1users`. */
export const member = (at: string, ...keys: ReadonlyArray<string | number>): string =>
  keys.reduce<string>((path, key) => `${path}/${escapePointer(String(key))}`, at)

const escapePointer = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

/** The own member of an object of JSON, whatever its name. */
export const own = (object: JsonObject, key: string): unknown => Object.hasOwn(object, key) ? object[key] : undefined

/** An object without one of its members. */
export const without = (object: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

/** Gives an object that may be told by reference. */
export const follow = (document: Document, value: unknown, at: string): Place => {
  const seen = new Set<string>()
  let place: Place<unknown> = { value, at }
  for (;;) {
    if (!isRecord(place.value)) throw broken(place.at, "There is no object here.")
    const ref = own(place.value, "$ref")
    if (ref === undefined) return { value: place.value, at: place.at }
    const target = targetOf(document, ref, () => member(place.at, "$ref"))
    if (seen.has(target.at)) throw broken(place.at, `The reference "${target.at}" leads back to itself.`)
    seen.add(target.at)
    place = target
  }
}

/** What a reference leads to. `at`: where it stands. */
export const targetOf = (document: Document, ref: unknown, at: () => string): Place<unknown> => {
  if (typeof ref !== "string") throw broken(at(), "A reference is not a text.")
  if (!ref.startsWith("#")) throw new Unsupported(`refers to another document: ${shorten(ref)}`)
  if (ref !== "#" && !ref.startsWith("#/")) throw new Unsupported(`refers by an anchor: ${shorten(ref)}`)
  const value = dereference(document.root, ref)
  if (value === undefined) throw broken(at(), `The reference "${shorten(ref)}" leads nowhere.`)
  return { value, at: ref }
}

export const shorten = (text: string, length = 200): string =>
  text.length <= length ? text : `${text.slice(0, length)}…`
