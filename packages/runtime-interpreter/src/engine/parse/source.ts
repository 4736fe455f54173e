// Places in a source text, for people: lines and columns from offsets, and the line with a caret below.

/** A place in a text. Both count from 1; a column is in UTF-16 code units. */
export interface Location {
  readonly line: number
  readonly column: number
}

const lineBreak = /\r\n|[\n\r\u2028\u2029]/g

/** A text, and where its lines begin: found on the first question, since most programs are never asked. */
export class Source {
  #starts: ReadonlyArray<number> | undefined

  constructor(readonly text: string) {}

  /** Where an offset is. One outside the text is moved to its nearest end. */
  locate(offset: number): Location {
    const starts = this.#lines()
    const at = Math.min(Math.max(offset, 0), this.text.length)
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= at) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: at - starts[low]! + 1 }
  }

  /** The offset of a place; `locate` backwards. */
  offsetOf({ column, line }: Location): number {
    const starts = this.#lines()
    const start = starts[Math.min(Math.max(line, 1), starts.length) - 1]!
    return Math.min(start + column - 1, this.text.length)
  }

  /** A line without its line break, or `undefined` if there is no such line. */
  line(number: number): string | undefined {
    const starts = this.#lines()
    const start = starts[number - 1]
    if (start === undefined) return undefined
    return this.text.slice(start, starts[number] ?? this.text.length).replace(/\r\n$|[\n\r\u2028\u2029]$/, "")
  }

  #lines(): ReadonlyArray<number> {
    if (this.#starts !== undefined) return this.#starts
    const starts = [0]
    for (const match of this.text.matchAll(lineBreak)) starts.push(match.index + match[0].length)
    this.#starts = starts
    return starts
  }
}

// East Asian wide and fullwidth characters, and pictographs: two columns of a terminal each.
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{1F000}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u
const noWidth = /[\p{Mn}\p{Me}\p{Cf}]/u

// What stands in the caret's line below a character, so that the caret comes to stand below its own.
const blank = (character: string): string =>
  character === "\t" ? "\t" : noWidth.test(character) ? "" : wide.test(character) ? "\u3000" : " "

/**
 * The line of a place, and below it a caret at the column. Of a longer line than `width` characters, the part around the
 * column is shown between marks. `undefined` if the line is missing or blank.
 */
export const codeFrame = (source: Source | string, location: Location, width = 120): string | undefined => {
  const text = (typeof source === "string" ? new Source(source) : source).line(location.line)
  if (text === undefined || text.trim() === "") return undefined
  const column = Math.min(location.column - 1, text.length)
  let from = Math.max(0, Math.min(column - (width >> 1), text.length - width))
  let to = Math.min(text.length, from + width)
  // A cut never goes through a pair of surrogates.
  if (isLowSurrogate(text, from)) from--
  if (isLowSurrogate(text, to)) to++
  const before = (from > 0 ? "…" : "") + text.slice(from, column)
  const after = text.slice(column, to) + (to < text.length ? "…" : "")
  return `${before}${after}\n${Array.from(before, blank).join("")}^`
}

const isLowSurrogate = (text: string, index: number): boolean => {
  if (index <= 0 || index >= text.length) return false
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff
}
