import { Accessor, JSObject, Kind, NativeData, Realm, Shape } from "../object/index.ts"
import type { ClosureData } from "./function.ts"

/** Host objects that belong to the engine and not to the run: what they hold is not counted. */
export type Excluded = (value: object) => boolean

const OBJECT = 80
const SLOT = 8
const ENTRY = 48
const STRING = 24
const CLOSURE = 72
const CELL = 32

/** Longer texts are counted once. */
const SHARED_TEXT = 128

/** How many traces there were: each marks what it comes to with its number. */
let traces = 0

/**
 * The bytes of everything alive, counted from roots. Guest objects are counted by their parts; whatever else holds guest
 * data (closures, frames, promises, iterators, collections) is walked as the plain data it is.
 */
export const traceLive = (roots: Iterable<unknown>, isExcluded: Excluded): number => {
  const mark = ++traces
  /** What is no guest object; those carry the mark. */
  const seen = new Set<object>()
  /** The first of equal long texts: the host keeps a copy for each, until they are the same one. */
  const texts = new Map<string, string>()
  const work: Array<object> = []
  let bytes = 0

  const visit = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.length <= SHARED_TEXT) bytes += value.length === 1 ? 0 : STRING + value.length
      else if (!texts.has(value)) {
        texts.set(value, value)
        bytes += STRING + value.length
      }
    } else if (typeof value === "object" && value !== null) {
      if (value instanceof JSObject) {
        if (value.mark === mark) return
        value.mark = mark
      } else if (seen.has(value)) return
      else seen.add(value)
      work.push(value)
    } else if (typeof value === "bigint") bytes += value < 1n << 64n && value > -(1n << 64n) ? 24 : bigintBytes(value)
    else if (typeof value === "number") bytes += Number.isInteger(value) ? 0 : 16
  }

  /** Visits values that stand in an array of the engine's, and puts equal long texts into one. */
  const visitAll = (values: Array<unknown>): void => {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      if (typeof value === "string" && value.length > SHARED_TEXT) {
        const first = texts.get(value)
        if (first !== undefined) values[i] = first
      }
      visit(value)
    }
  }

  const visitClosure = ({ captures, fields, home }: ClosureData): void => {
    bytes += CLOSURE + captures.length * SLOT
    visit(home)
    visit(fields)
    for (const cell of captures) {
      if (cell.mark === mark) continue
      cell.mark = mark
      bytes += CELL
      visit(cell.value)
    }
  }

  for (const root of roots) visit(root)
  for (let value = work.pop(); value !== undefined; value = work.pop()) {
    if (value instanceof JSObject) {
      const { shape, slots } = value
      bytes += OBJECT + slots.length * SLOT
      if (shape.dictionary) {
        bytes += shape.count * ENTRY
        visit(shape.proto)
        for (const key of shape.table.keys) if (typeof key === "string") bytes += STRING + key.length
      } else visit(shape.proto)
      visitAll(slots)
      if (value.kind === Kind.Array) {
        const elements: Array<unknown> = value.data
        bytes += elements.length * SLOT
        visitAll(elements)
      } else if (value.kind === Kind.Closure) visitClosure(value.data)
      else visit(value.data)
    } else if (value instanceof Accessor) {
      bytes += 32
      visit(value.get)
      visit(value.set)
    } else if (value instanceof NativeData) {
      bytes += 32
      visit(value.state)
    } else if (value instanceof Shape || value instanceof Realm || isExcluded(value)) continue
    else if (Array.isArray(value)) {
      bytes += 32 + value.length * SLOT
      visitAll(value)
    } else if (value instanceof Map) {
      bytes += 64 + value.size * ENTRY
      for (const [key, item] of value) {
        visit(key)
        visit(item)
      }
    } else if (value instanceof Set) {
      bytes += 64 + value.size * ENTRY
      for (const item of value) visit(item)
    } else if (value instanceof ArrayBuffer) bytes += value.byteLength
    else if (ArrayBuffer.isView(value)) visit(value.buffer)
    else {
      const parts = Object.values(value)
      bytes += 16 + parts.length * SLOT
      for (const part of parts) visit(part)
    }
  }
  return bytes
}

const bigintBytes = (value: bigint): number => {
  let bits = 64
  while (value >= 1n << BigInt(bits) || value <= -(1n << BigInt(bits))) bits *= 2
  return bits / 8
}
