/**
 * Writes values of parameters, in the styles that OpenAPI takes from RFC 6570: https://spec.openapis.org/oas/v3.1.1#style-values
 */
import { type Kind, kindOf } from "./kinds.ts"

export type Location = "path" | "query" | "header" | "form"
export type Style = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject"

/** How values nest in the brackets of `deepObject`, where an API says more than OpenAPI does. */
export type Nesting = "indices" | "brackets"

export interface Written {
  readonly name: string
  readonly location: Location
  /** `json`: the value is JSON, whatever it is. */
  readonly style: Style | "json"
  readonly explode: boolean
  /** Reserved characters stay as they are, where they cannot be taken for more than a value. */
  readonly allowReserved: boolean
  readonly nesting: Nesting | undefined
}

/** A value that cannot be sent, and why. */
export class Unwritable {
  readonly reason: string

  constructor(reason: string) {
    this.reason = reason
  }
}

/** The styles of each location, the default first. */
export const stylesOf: Record<Location, ReadonlyArray<Style>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  form: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
}

/** The kinds of values that a style can write; `undefined` if OpenAPI says of none how. */
export const kindsOfStyle = ({ explode, nesting, style }: Written): ReadonlySet<Kind> | undefined => {
  switch (style) {
    case "deepObject":
      return new Set(nesting === undefined ? ["object"] : ["scalar", "array", "object"])
    case "spaceDelimited":
    case "pipeDelimited":
      return explode ? undefined : new Set(["array", "object"])
    default:
      return new Set(["scalar", "array", "object"])
  }
}

/** Whether members of arrays and objects may be arrays and objects again. */
export const isNested = ({ nesting, style }: Written): boolean =>
  style === "json" || (style === "deepObject" && nesting !== undefined)

/** The text of a path parameter, as it stands in place of `{name}`. */
export const inPath = (parameter: Written, value: unknown): string => {
  const text = expand(parameter, value)
  // An address is read with its dots: what the server got would be another path.
  if (text === "" || text === ".") throw new Unwritable("is empty, which would make another path")
  return text
}

/** The text of a header. */
export const inHeader = (parameter: Written, value: unknown): string => {
  const text = parameter.style === "json"
    ? JSON.stringify(value).replace(/[\u007f-\uffff]/g, unicodeEscape)
    : headerText(parameter, value)
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
    throw new Unwritable("has a character that a header cannot have, such as a line break")
  }
  if (text !== text.trim()) throw new Unwritable("begins or ends with a space, which a header cannot")
  return text
}

const unicodeEscape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

/** The pairs of a query or of a form, escaped. `undefined` values and empty lists give none. */
export const inQuery = (parameter: Written, value: unknown): Array<string> => {
  const { explode, location, name, style } = parameter
  const escape = escaping(parameter)
  const key = escaping({ ...parameter, allowReserved: false })
  const pair = (name: string, text: string) => `${key(name)}=${text}`
  if (style === "json") return [pair(name, escaping({ location, allowReserved: false })(JSON.stringify(value)))]
  if (style === "deepObject") return deep(parameter, value).map(([path, text]) => pair(path, escape(text)))
  switch (kindOf(value)) {
    case "scalar":
      if (style !== "form") throw new Unwritable(`has to be a list, as \`${style}\` writes no single value`)
      return [pair(name, escape(scalar(value)))]
    case "array": {
      const items = (value as ReadonlyArray<unknown>).map(scalar)
      if (items.length === 0) return []
      if (style === "form" && explode) return items.map((item) => pair(name, escape(item)))
      return [pair(name, delimited(parameter, items, escape))]
    }
    case "object": {
      const members = membersOf(value as object)
      if (members.length === 0) return []
      if (style === "form" && explode) return members.map(([key, text]) => pair(key, escape(text)))
      return [pair(name, delimited(parameter, members.flat(), escape))]
    }
  }
}

const delimiters: Partial<Record<Style | "json", readonly [raw: string, written: string]>> = {
  spaceDelimited: [" ", "%20"],
  pipeDelimited: ["|", "%7C"],
}

const delimited = ({ style }: Written, items: ReadonlyArray<string>, escape: (text: string) => string): string => {
  const [raw, written] = delimiters[style] ?? [",", ","]
  // A comma in an item is escaped and so no delimiter; these are ones even when they are escaped.
  if (raw !== "," && items.some((item) => item.includes(raw))) {
    throw new Unwritable(
      `has an item with ${raw === " " ? "a space" : `"${raw}"`} in it, which is what parts the items`,
    )
  }
  return items.map((item) => raw === "," ? escape(item).replaceAll(",", "%2C") : escape(item)).join(written)
}

const deep = (parameter: Written, value: unknown): Array<readonly [path: string, text: string]> => {
  const { name, nesting } = parameter
  const pairs: Array<readonly [string, string]> = []
  const walk = (path: string, value: unknown, depth: number): void => {
    if (depth > 32) throw new Unwritable("is nested too deep")
    switch (kindOf(value)) {
      case "scalar":
        if (depth === 0 && nesting === undefined) throw new Unwritable("has to be an object")
        pairs.push([path, scalar(value)])
        break
      case "array":
        if (nesting === undefined) throw new Unwritable(depth === 0 ? "has to be an object" : deepReason)
        ;(value as ReadonlyArray<unknown>).forEach((item, i) =>
          walk(nesting === "indices" ? `${path}[${i}]` : `${path}[]`, item, depth + 1)
        )
        break
      case "object":
        if (nesting === undefined && depth > 0) throw new Unwritable(deepReason)
        for (const [key, member] of Object.entries(value as object)) {
          if (/[[\]]/.test(key)) throw new Unwritable(`has a key with a bracket in it: "${key}"`)
          if (member !== null) walk(`${path}[${key}]`, member, depth + 1)
        }
    }
  }
  walk(name, value, 0)
  return pairs
}

const deepReason = "has a list or an object inside, which is not defined for `deepObject`"

// https://www.rfc-editor.org/rfc/rfc6570#section-3.2.1
const expand = (parameter: Written, value: unknown): string => {
  const { explode, name, style } = parameter
  const escape = escaping({ ...parameter, allowReserved: false })
  if (style === "json") return safeSegment(JSON.stringify(value), escape)
  const first = style === "label" ? "." : style === "matrix" ? ";" : ""
  const named = style === "matrix"
  const assigned = (key: string, text: string) => text === "" ? escape(key) : `${escape(key)}=${text}`
  const prefix = (text: string) => named ? assigned(name, text) : text
  const between = explode ? style === "label" ? "." : style === "matrix" ? ";" : "," : ","
  switch (kindOf(value)) {
    case "scalar": {
      const text = scalar(value)
      return first + prefix(safeSegment(text, escape))
    }
    case "array": {
      const items = (value as ReadonlyArray<unknown>).map(scalar)
      if (items.length === 0) throw new Unwritable("is an empty list, which would make another path")
      const texts = items.map((item) => safeSegment(item, escape))
      return explode && named
        ? first + texts.map((text) => assigned(name, text)).join(between)
        : first + prefix(texts.join(between))
    }
    case "object": {
      const members = membersOf(value as object)
      if (members.length === 0) throw new Unwritable("is an empty object, which would make another path")
      const pairs = members.map(([key, text]) => [escape(key), safeSegment(text, escape)] as const)
      return explode
        ? first + pairs.map(([key, text]) => named && text === "" ? key : `${key}=${text}`).join(between)
        : first + prefix(pairs.flat().join(","))
    }
  }
}

// A server that undoes the escapes before it reads the path, once or more, finds the parts of the path in them.
const safeSegment = (text: string, escape: (text: string) => string): string => {
  let plain = text
  for (let i = 0; i < 4; i++) {
    if (plain.split(/[/\\]/u).some((part) => /^\.{1,2}(?:;.*)?$/u.test(part.trim()))) {
      throw new Unwritable(`may not be "." or "..", nor have them as a part of a path`)
    }
    const next = unescape(plain)
    if (next === plain) break
    plain = next
  }
  if (/\p{Cc}/u.test(plain)) throw new Unwritable("has a control character in it, such as a line break")
  return escape(text)
}

const unescape = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

const headerText = ({ explode }: Written, value: unknown): string => {
  switch (kindOf(value)) {
    case "scalar":
      return scalar(value)
    case "array":
      return (value as ReadonlyArray<unknown>).map((item) => listItem(scalar(item))).join(",")
    case "object":
      return membersOf(value as object).map(([key, text]) =>
        explode ? `${listItem(key)}=${listItem(text)}` : `${listItem(key)},${listItem(text)}`
      ).join(",")
  }
}

// Headers are not escaped.
const listItem = (text: string): string => {
  if (text.includes(",")) throw new Unwritable("has an item with a comma in it, which is what parts the items")
  return text
}

const membersOf = (value: object): Array<[string, string]> =>
  Object.entries(value).filter(([, member]) => member !== null).map(([key, member]) => [key, scalar(member)])

const scalar = (value: unknown): string => {
  switch (typeof value) {
    case "string":
      if (/\p{Cs}/u.test(value)) throw new Unwritable("has half a character in it")
      return value
    case "number":
    case "boolean":
      return String(value)
    default:
      throw new Unwritable(
        value === null ? "has null in a list" : "has a list or an object inside, which this style does not define",
      )
  }
}

const unreserved = /[!'()*]/g
const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** Escapes all but what RFC 3986 never reserves. */
export const escapeText = (text: string): string => encodeURIComponent(text).replace(unreserved, percent)

const escaping = (
  { allowReserved, location }: Pick<Written, "allowReserved" | "location">,
): (text: string) => string => {
  if (location === "form") return (text) => escapeText(text).replaceAll("%20", "+")
  return allowReserved ? reserved : escapeText
}

// https://www.rfc-editor.org/rfc/rfc6570#section-3.2.3, but for what would end the value: `&` and `#`; for `+`, which is read as a space;
// and for brackets, which no query has.
const kept = /^(?:%[0-9A-Fa-f]{2}|[:/?@!$'()*,;=])$/
const reserved = (text: string): string =>
  text.replace(/%[0-9A-Fa-f]{2}|./gsu, (part) => kept.test(part) ? part : escapeText(part))
