import type * as Catalog from "@effect-codemode/toolkit/Catalog"

/** What of a tool's texts is read for search, in characters. */
const MAX_NAME = 300
const MAX_DESCRIPTION = 2000
const MAX_FIELDS = 50
const MAX_FIELD = 300
const MAX_VALUES = 20
const MAX_VALUE = 40

/** The texts of a tool that a query is held against. */
export interface Document {
  /** The last segment of the callable name. */
  readonly name: string
  readonly namespace: string
  /** The first sentence of the description. */
  readonly summary: string
  /** What follows it. */
  readonly details: string
  /** Names, descriptions and named values of the input's fields. */
  readonly fields: ReadonlyArray<string>
}

/** The last segment of a callable name. */
export const lastSegment = (tool: string): string => {
  const start = tool.lastIndexOf(".") + 1
  return tool.slice(start, start + MAX_NAME)
}

export const documentOf = ({ description, input, namespace, tool }: Catalog.Entry): Document => {
  const text = description.length <= MAX_DESCRIPTION ? description.trim() : description.slice(0, MAX_DESCRIPTION).trim()
  const end = endOfSentence(text)
  return {
    name: lastSegment(tool),
    namespace: namespace.slice(0, MAX_NAME),
    summary: text.slice(0, end),
    details: text.slice(end),
    fields: attempt(() => fieldsOf(input)),
  }
}

// A line break, or a full stop, exclamation or question mark before a space.
const endOfSentence = (text: string): number => {
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 10 || ((char === 46 || char === 33 || char === 63) && text.charCodeAt(i + 1) <= 32)) return i
  }
  return text.length
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null

// Schemas are data of strangers: a getter may throw.
const attempt = (read: () => Array<string>): Array<string> => {
  try {
    return read()
  } catch {
    return []
  }
}

const fieldsOf = (schema: unknown): Array<string> => {
  const texts: Array<string> = []
  if (!isRecord(schema) || !isRecord(schema.properties)) return texts
  let count = 0
  for (const name of Object.keys(schema.properties)) {
    if (++count > MAX_FIELDS) break
    const field = schema.properties[name]
    texts.push(name.slice(0, MAX_FIELD))
    if (!isRecord(field)) continue
    if (typeof field.description === "string") texts.push(field.description.slice(0, MAX_FIELD))
    if (!Array.isArray(field.enum)) continue
    for (const value of field.enum.slice(0, MAX_VALUES)) {
      if (typeof value === "string" && value.length <= MAX_VALUE) texts.push(value)
    }
  }
  return texts
}
