import type { Entry } from "../Catalog.ts"
import { isRecord, type JsonObject } from "./json-schema.ts"
import { firstLine } from "./safe-text.ts"
import type { Steps } from "./turns.ts"

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
 * entry is measured only when it may be the next: when the least it can take is no more than the shortest measured one takes. What goes
 * over all entries goes in steps.
 */
export class Queue {
  private cursor = 0
  /** Those that were measured and fitted, the shortest last. */
  private readonly measured: Array<Measured> = []

  /** `unmeasured`: by the least they can take. */
  private constructor(private readonly unmeasured: ReadonlyArray<Measured>) {}

  static *of(entries: ReadonlyArray<Entry>): Steps<Queue> {
    const unmeasured: Array<Measured> = []
    for (const entry of entries) {
      unmeasured.push({ entry, length: leastLength(entry) })
      yield
    }
    return new Queue(unmeasured.sort(byLength))
  }

  /** The least that all entries can take together. */
  get least(): number {
    return this.unmeasured.reduce((sum, { length }) => sum + length, 0)
  }

  /** What all entries take together. */
  *length(): Steps<number> {
    let sum = 0
    for (const { entry } of this.unmeasured) {
      sum += entryText(entry).length
      yield
    }
    return sum
  }

  /** The next entry, if there is one and it fits. There is less room every time. */
  *next(room: number): Steps<Measured | undefined> {
    const { measured, unmeasured } = this
    let shortest = measured.at(-1)?.length ?? Infinity
    let isSorted = true
    for (; this.cursor < unmeasured.length; this.cursor++) {
      const { entry, length: least } = unmeasured[this.cursor]!
      // Neither this one nor those after it come before the shortest, or before the end of the room.
      if (least > Math.min(shortest, room)) break
      const { length } = entryText(entry)
      if (length <= room) {
        measured.push({ entry, length })
        shortest = Math.min(shortest, length)
        isSorted = false
      }
      yield
    }
    if (!isSorted) measured.sort((a, b) => byLength(b, a))
    return shortest > room ? undefined : measured.pop()
  }
}

/** Whether all entries fit, found out without measuring them if it is plain that they do not. */
export function* isAllWithin(queues: ReadonlyArray<Queue>, room: number): Steps<boolean> {
  if (queues.reduce((sum, queue) => sum + queue.least, 0) > room) return false
  let sum = 0
  for (const queue of queues) sum += yield* queue.length()
  return sum <= room
}

const byLength = (a: Measured, b: Measured): number =>
  a.length - b.length || (a.entry.tool < b.entry.tool ? -1 : a.entry.tool > b.entry.tool ? 1 : 0)

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
