/** A type of TypeScript, as far as JSON Schemas say one, and its texts. */
export type Type =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "union" | "intersection"; readonly parts: ReadonlyArray<Type> }
  | { readonly kind: "array"; readonly element: Type }
  | { readonly kind: "record"; readonly value: Type }
  | {
    readonly kind: "tuple"
    readonly elements: ReadonlyArray<{ readonly type: Type; readonly optional: boolean }>
    readonly rest: Type | undefined
  }
  | {
    readonly kind: "object"
    readonly fields: ReadonlyArray<Field>
    /** Whether other fields may be there that are not named. */
    readonly open: boolean
  }

/** A field of an object. Its name is quoted where it must be. */
export interface Field {
  readonly name: string
  readonly optional: boolean
  readonly type: Type
  /** What is told of it, line by line. */
  readonly doc: ReadonlyArray<string> | undefined
}

export const text = (text: string): Type => ({ kind: "text", text })
export const unknown: Type = text("unknown")
export const never: Type = text("never")
export const record = (value: Type): Type => ({ kind: "record", value })

/** One of several types. */
export const union = (types: ReadonlyArray<Type>): Type => {
  const parts = distinct(flat("union", types)).filter((type) => type !== never)
  if (parts.length === 0) return types.length === 0 ? unknown : never
  return parts.includes(unknown) ? unknown : parts.length === 1 ? parts[0]! : { kind: "union", parts }
}

/** All of several types at once. What says nothing is left out. */
export const intersection = (types: ReadonlyArray<Type>): Type => {
  let parts = distinct(flat("intersection", types).filter((type) => type !== unknown))
  if (parts.includes(never)) return never
  if (parts.length > 1) {
    const isShape = (type: Type): boolean =>
      type.kind === "object" || (type.kind === "union" && type.parts.every((part) => isShape(part)))
    // Beside named fields, TypeScript takes nothing but this of all others.
    if (parts.some(isShape)) {
      parts = distinct(parts.map((type) => type.kind === "record" ? record(unknown) : type))
        .filter((type) => !(type.kind === "object" && type.fields.length === 0 && !type.open))
      parts = parts.length > 1 ? parts.filter((type) => type.kind !== "record") : parts
    }
  }
  return parts.length === 0 ? unknown : parts.length === 1 ? parts[0]! : { kind: "intersection", parts }
}

const flat = (kind: "union" | "intersection", types: ReadonlyArray<Type>): ReadonlyArray<Type> =>
  types.flatMap((type) => type.kind === kind ? type.parts : [type])

const distinct = (types: ReadonlyArray<Type>): Array<Type> => {
  if (types.length < 2) return [...types]
  const byText = new Map<string, Type>()
  for (const type of types) {
    const key = compact(type)
    if (!byText.has(key)) byText.set(key, type)
  }
  return Array.from(byText.values())
}

/** A type on one line, without what is told of fields. */
export const compact = (type: Type): string => {
  switch (type.kind) {
    case "text":
      return type.text
    case "union":
      return type.parts.map((part) => grouped(part, compact(part))).join(" | ")
    case "intersection":
      return type.parts.map((part) => grouped(part, compact(part))).join(" & ")
    case "array":
      return `Array<${compact(type.element)}>`
    case "record":
      return `Record<string, ${compact(type.value)}>`
    case "tuple":
      return tuple(
        type.elements.map(({ type }) => compact(type)),
        type,
        type.rest === undefined ? undefined : compact(type.rest),
      )
    case "object": {
      const fields = type.fields.map((field) => `${nameOf(field)}: ${compact(field.type)}`)
      if (type.open) fields.push(OTHERS)
      return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
    }
  }
}

const OTHERS = "[key: string]: unknown"
const WIDTH = 80

/** A type on as many lines as it takes, with what is told of fields; short ones without any stay on one. */
export const pretty = (type: Type, indent = ""): string => {
  switch (type.kind) {
    case "text":
      return type.text
    case "union":
      return type.parts.map((part) => grouped(part, pretty(part, indent))).join(" | ")
    case "intersection":
      return type.parts.map((part) => grouped(part, pretty(part, indent))).join(" & ")
    case "array":
      return `Array<${pretty(type.element, indent)}>`
    case "record":
      return `Record<string, ${pretty(type.value, indent)}>`
    case "tuple":
      return tuple(
        type.elements.map(({ type }) => pretty(type, indent)),
        type,
        type.rest === undefined ? undefined : pretty(type.rest, indent),
      )
    case "object":
      return prettyObject(type, indent)
  }
}

const prettyObject = (type: Type & { readonly kind: "object" }, indent: string): string => {
  const { fields, open } = type
  const deeper = `${indent}  `
  if (!isTold(type)) {
    const line = compact(type)
    if (line.length <= WIDTH) return line
  }
  let lines = "{\n"
  for (const field of fields) {
    if (field.doc !== undefined) lines += comment(field.doc, deeper)
    lines += `${deeper}${nameOf(field)}: ${pretty(field.type, deeper)},\n`
  }
  if (open) lines += `${deeper}${OTHERS},\n`
  return `${lines}${indent}}`
}

const isTold = (type: Type): boolean => {
  switch (type.kind) {
    case "text":
      return false
    case "union":
    case "intersection":
      return type.parts.some(isTold)
    case "array":
      return isTold(type.element)
    case "record":
      return isTold(type.value)
    case "tuple":
      return type.elements.some(({ type }) => isTold(type)) || (type.rest !== undefined && isTold(type.rest))
    case "object":
      return type.fields.some((field) => field.doc !== undefined || isTold(field.type))
  }
}

const comment = (lines: ReadonlyArray<string>, indent: string): string =>
  lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`

const nameOf = ({ name, optional }: Field): string => optional ? `${name}?` : name

const grouped = (type: Type, text: string): string =>
  type.kind === "union" || type.kind === "intersection" ? `(${text})` : text

const tuple = (
  elements: ReadonlyArray<string>,
  type: Type & { readonly kind: "tuple" },
  rest: string | undefined,
): string => {
  const parts = elements.map((element, i) => {
    const { optional, type: own } = type.elements[i]!
    return optional ? `${grouped(own, element)}?` : element
  })
  if (rest !== undefined) parts.push(`...Array<${rest}>`)
  return `[${parts.join(", ")}]`
}
