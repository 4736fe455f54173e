import type { Machine } from "../machine/machine.ts"
import {
  type Collection,
  Cursor,
  enumerableOwnKeys,
  HOLE,
  isArrayObject,
  isFunction,
  isObject,
  type JSObject,
  keyToValue,
  Kind,
  ownDataValue,
  type Value,
} from "../object/index.ts"
import { inspect } from "./inspect.ts"

/** Rows and columns beyond these are left out. */
const MAX_ROWS = 200
const MAX_COLUMNS = 30

interface Row {
  readonly index: string
  readonly value: Value
}

const rowsOf = (m: Machine, data: JSObject): { readonly heading: string; readonly rows: Array<Row> } => {
  const rows: Array<Row> = []
  if (data.kind === Kind.Map || data.kind === Kind.Set) {
    const table = data.data as Collection
    const cursor = new Cursor()
    for (
      let position = table.advance(cursor);
      position >= 0 && rows.length < MAX_ROWS;
      position = table.advance(cursor)
    ) {
      const value = data.kind === Kind.Map ? table.valueAt(position) : table.keyAt(position)
      const key = data.kind === Kind.Map ? cell(m, table.keyAt(position)) : String(rows.length)
      rows.push({ index: key, value })
    }
    return { heading: data.kind === Kind.Map ? "(key)" : "(iteration index)", rows }
  }
  if (data.kind === Kind.Array) {
    const elements: ReadonlyArray<Value | typeof HOLE> = data.data
    for (let i = 0; i < elements.length && rows.length < MAX_ROWS; i++) {
      if (elements[i] !== HOLE) rows.push({ index: String(i), value: elements[i] as Value })
    }
  } else {
    for (const key of enumerableOwnKeys(m, data)) {
      if (rows.length >= MAX_ROWS) break
      rows.push({ index: keyToValue(key) as string, value: ownDataValue(data, key) })
    }
  }
  return { heading: "(index)", rows }
}

const cell = (m: Machine, value: Value): string =>
  inspect(m, value, { depth: 0, textLength: 200, elements: 20, width: Infinity })

/** The texts of the columns that a program asked for; undefined if it asked for none. */
const namesOf = (columns: Value): ReadonlySet<string> | undefined =>
  isArrayObject(columns) && columns.kind === Kind.Array
    ? new Set((columns.data as Array<Value>).filter((name) => typeof name === "string").slice(0, MAX_COLUMNS))
    : undefined

/**
 * https://console.spec.whatwg.org/#table — rows and columns in a frame; undefined for what has no rows. Runs no code of the
 * program.
 */
export const formatTable = (m: Machine, data: Value, columns: Value): string | undefined => {
  if (!isObject(data) || isFunction(data) || data.kind === Kind.Proxy) return undefined
  const { heading, rows } = rowsOf(m, data)
  const asked = namesOf(columns)
  const names = new Set<string>(asked)
  let hasValues = false
  const cells = rows.map(({ value }) => {
    m.charge(20)
    const row = new Map<string, string>()
    if (!isObject(value) || isFunction(value) || value.kind === Kind.Proxy) {
      hasValues = true
      row.set("", cell(m, value))
      return row
    }
    for (const key of enumerableOwnKeys(m, value)) {
      const name = String(key)
      if (asked !== undefined ? !asked.has(name) : !names.has(name) && names.size >= MAX_COLUMNS) continue
      names.add(name)
      row.set(name, cell(m, ownDataValue(value, key)))
    }
    return row
  })
  const keys = hasValues && asked === undefined ? [...names, ""] : [...names]
  const header = [heading, ...keys.map((key) => key === "" ? "Values" : key)]
  const lines = cells.map((row, i) => [rows[i]!.index].concat(keys.map((key) => row.get(key) ?? "")))
  const widths = header.map((title, i) => Math.max(title.length, ...lines.map((line) => line[i]!.length)) + 2)
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => "─".repeat(width)).join(middle) + right
  const row = (texts: ReadonlyArray<string>): string =>
    `│${texts.map((text, i) => ` ${text}`.padEnd(widths[i]!)).join("│")}│`
  m.charge((lines.length + 4) * widths.reduce((sum, width) => sum + width, 0) >> 2)
  return [rule("┌", "┬", "┐"), row(header), rule("├", "┼", "┤"), ...lines.map(row), rule("└", "┴", "┘")].join("\n")
}
