// How inspected values are put into lines.

const ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  "\\": "\\\\",
}

/** A text in quotes: single ones unless it has some, then double ones, then backticks. */
export const quoteText = (text: string): string => {
  let quote = "'"
  if (text.includes("'")) {
    if (!text.includes("\"")) quote = "\""
    else if (!text.includes("`") && !text.includes("${")) quote = "`"
  }
  const escaped = text.replace(/[\p{Cc}\\]|\p{Cs}/gu, (unit) => {
    const code = unit.charCodeAt(0)
    const hex = code.toString(16)
    return ESCAPES[unit] ?? (code > 255 ? `\\u${hex}` : `\\x${hex.toUpperCase().padStart(2, "0")}`)
  })
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

/** Whether entries fit into one line together. */
export const isOneLine = (entries: ReadonlyArray<string>, open: string, indent: number, width: number): boolean => {
  let length = entries.length + entries.length + indent + open.length + 10
  for (const entry of entries) {
    length += entry.length
    if (length > width || entry.includes("\n")) return false
  }
  return length <= width && !open.includes("\n")
}

/** Longer entries go into columns only if there are more than five times as many characters as in the longest. */
const SHORT_ENTRY = 6

const MAX_COLUMNS = 12

/** Puts the short entries of a long array into columns. Gives the entries themselves where they stay as they are. */
export const groupColumns = (
  entries: Array<string>,
  width: number,
  indent: number,
  alignRight: boolean,
): Array<string> => {
  const last = entries.at(-1)!
  const hasMore = last.startsWith("... ") && last.includes(" more item")
  const cells = hasMore ? entries.slice(0, -1) : entries
  let longest = 0
  let total = 0
  for (const cell of cells) {
    if (cell.includes("\n")) return entries
    longest = Math.max(longest, cell.length + 2)
    total += cell.length + 2
  }
  if (longest - 2 > SHORT_ENTRY && total / longest <= 5) return entries
  if (longest * 3 + indent >= width) return entries
  // A block that is about as wide as high, for characters two and a half times as high as wide.
  const bias = Math.sqrt(longest - total / cells.length)
  const typical = Math.max(longest - 3 - bias, 1)
  const columns = Math.min(
    Math.round(Math.sqrt(2.5 * typical * cells.length) / typical),
    Math.floor((width - indent) / longest),
    MAX_COLUMNS,
  )
  if (columns <= 1) return entries
  const widths: Array<number> = []
  for (let column = 0; column < columns; column++) {
    let widest = 0
    for (let i = column; i < cells.length; i += columns) widest = Math.max(widest, cells[i]!.length)
    widths.push(widest + 2)
  }
  const lines: Array<string> = []
  for (let i = 0; i < cells.length; i += columns) {
    const end = Math.min(i + columns, cells.length)
    let line = ""
    for (let j = i; j < end; j++) {
      const isLast = j === end - 1
      const cell = isLast ? cells[j]! : `${cells[j]!}, `
      const cellWidth = widths[j - i]! - (isLast && alignRight ? 2 : 0)
      line += alignRight ? cell.padStart(cellWidth) : isLast ? cell : cell.padEnd(cellWidth)
    }
    lines.push(line)
  }
  if (hasMore) lines.push(last)
  return lines
}
