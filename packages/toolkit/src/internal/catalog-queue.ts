import type { Entry } from "../Catalog.ts"
import { isRecord, type JsonObject } from "./json-schema.ts"
import { firstLine } from "./safe-text.ts"

const MAX_DESCRIPTION = 120

/** An entry as the catalog shows it, with the line break before it: the first line of the description, and the signature. */
export const entryText = ({ description, signature }: Entry): string => {
  const line = firstLine(description, MAX_DESCRIPTION)
  return line === "" ? `\n${signature}` : `\n// ${line}\n${signature}`
}

interface Measured {
  readonly entry: Entry
  /** Characters that it takes. */
  readonly length: number
}

/**
 * Entries in the order of the characters they take, ties by name. Rendering thousands of signatures to measure them is slow, so that an
 * entry is measured only when it may be the next: when the least it can take is no more than the shortest measured one takes.
 */
export class Queue {
  /** By the least they can take. */
  private readonly unmeasured: ReadonlyArray<Measured>
  private cursor = 0
  /** The shortest last. */
  private readonly measured: Array<Measured> = []

  constructor(entries: ReadonlyArray<Entry>) {
    this.unmeasured = entries.map((entry) => ({ entry, length: leastLength(entry) })).sort(byLength)
  }

  /** The least that all entries can take together. */
  get least(): number {
    return this.unmeasured.reduce((sum, { length }) => sum + length, 0)
  }

  /** What all entries take together. */
  get length(): number {
    return this.unmeasured.reduce((sum, { entry }) => sum + entryText(entry).length, 0)
  }

  /** The next entry, if there is one and it fits. */
  next(room: number): Measured | undefined {
    const { measured, unmeasured } = this
    for (; this.cursor < unmeasured.length; this.cursor++) {
      const { entry, length: least } = unmeasured[this.cursor]!
      // Neither this one nor those after it come before the shortest, or before the end of the room.
      if (least > Math.min(measured.at(-1)?.length ?? Infinity, room)) break
      insert(measured, { entry, length: entryText(entry).length })
    }
    const shortest = measured.at(-1)
    return shortest === undefined || shortest.length > room ? undefined : measured.pop()
  }
}

/** Whether all entries fit, found out without measuring them if it is plain that they do not. */
export const isAllWithin = (queues: ReadonlyArray<Queue>, room: number): boolean =>
  queues.reduce((sum, queue) => sum + queue.least, 0) <= room &&
  queues.reduce((sum, queue) => sum + queue.length, 0) <= room

const byLength = (a: Measured, b: Measured): number =>
  a.length - b.length || (a.entry.tool < b.entry.tool ? -1 : a.entry.tool > b.entry.tool ? 1 : 0)

const insert = (measured: Array<Measured>, one: Measured): void => {
  let i = measured.length
  while (i > 0 && byLength(measured[i - 1]!, one) < 0) i--
  measured.splice(i, 0, one)
}

/** The most that is foreseen. Very long signatures are cut, so that nothing is known of them. */
const MAX_LEAST = 1000

/** The least number of characters that an entry can take, found without rendering it. */
const leastLength = (entry: Entry): number => {
  const described = leastVisible(entry.description, MAX_DESCRIPTION)
  const least = "\n(): Promise<{}>".length + entry.path.length + (described > 0 ? "\n// ".length + described : 0)
  try {
    return Math.min(MAX_LEAST, least + leastOfInput(entry.input))
  } catch {
    // A schema with a getter that throws.
    return least
  }
}

/** Words that make a type of another kind, or a shorter one, than `type` says. */
const otherWords = ["$ref", "allOf", "anyOf", "const", "enum", "not", "nullable", "oneOf"]

const isOrdinary = (schema: JsonObject): boolean => otherWords.every((word) => schema[word] === undefined)

const leastOfInput = (schema: unknown): number => {
  if (!isRecord(schema) || schema.type !== "object" || !isRecord(schema.properties) || !isOrdinary(schema)) return 0
  let least = 0
  let fields = 0
  for (const name in schema.properties) {
    if (++fields > 50) break
    least += "x: ,".length + name.length + leastOfField(schema.properties[name])
  }
  return fields === 0 ? 0 : "input: {}".length + least
}

const leastOfType: { readonly [type: string]: number } = {
  string: "string".length,
  number: "number".length,
  integer: "number".length,
  boolean: "boolean".length,
  array: "Array<{}>".length,
}

const leastOfField = (schema: unknown): number => {
  if (!isRecord(schema)) return 0
  const type = isOrdinary(schema) && typeof schema.type === "string" ? leastOfType[schema.type] ?? 0 : 0
  const told = typeof schema.description === "string" ? leastVisible(schema.description, 200) : 0
  return told > 0 ? type + "/**  */".length + told : type
}

/** How many characters of the first line of a text are shown at least. */
const leastVisible = (text: string, most: number): number => {
  let count = 0
  let start = 0
  while (start < text.length && text.charCodeAt(start) <= 32) start++
  let last = 32
  const end = Math.min(text.length, start + most - 20)
  for (let i = start; i < end; i++) {
    const char = text.charCodeAt(i)
    if (char === 10 || char === 13 || char === 0x2028 || char === 0x2029) break
    if (char > 32 ? char < 127 && char !== 96 && char !== 126 : char === 32 && last > 32) count++
    last = char
  }
  return last === 32 ? Math.max(0, count - 1) : count
}
