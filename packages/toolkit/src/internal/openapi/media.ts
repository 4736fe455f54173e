/**
 * Sorts media types by what they are for a program: JSON, text, a form, or bytes.
 */

export type Media = "json" | "text" | "form" | "binary"

/** The type alone, in small letters, without its parameters. */
export const essence = (type: string): string => type.split(/[;,]/u, 1)[0]!.trim().toLowerCase()

export const isMediaType = (type: string): boolean =>
  /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(essence(type)) && /^[\x20-\x7e]*$/.test(type)

export const isJson = (type: string): boolean => /^(?:application|text)\/json$|^[^/]+\/[^/]+\+json$/.test(essence(type))

/** Whether a range, such as that of all types, has JSON in it. */
export const isJsonRange = (type: string): boolean => /^(?:\*|application)\/\*$/.test(essence(type))

const textTypes =
  /^text\/|\+(?:xml|yaml)$|^application\/(?:xml|yaml|x-yaml|javascript|ecmascript|graphql|sql|toml|jwt|x-ndjson|ndjson|jsonl|json-seq|x-www-form-urlencoded|x-sh|pgp-signature|pem-certificate-chain|x-pem-file)$/

export const mediaOf = (type: string): Media => {
  const name = essence(type)
  if (isJson(name)) return "json"
  if (name === "application/x-www-form-urlencoded") return "form"
  // A picture, even if it is written as text.
  if (name.startsWith("image/")) return "binary"
  return textTypes.test(name) ? "text" : "binary"
}
