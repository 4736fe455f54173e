// Markdown around a program. It is replaced by blanks and not cut, so that every place stays the one that the model wrote.

/** Blanks a part of a text, keeping its line breaks. */
const blank = (text: string, from: number, to: number): string =>
  text.slice(0, from) + text.slice(from, to).replace(/[^\r\n\u2028\u2029]/g, " ") + text.slice(to)

const fence = /^[ \t]*(`{3,}|~{3,})[ \t]*([^`\r\n]*)$/gm
const language = /^(?:js|javascript|jsx|mjs|cjs|node|ts|typescript|tsx|mts)\b/i

interface Line {
  readonly from: number
  readonly to: number
  readonly mark: string
  readonly info: string
}

const fences = (text: string): Array<Line> =>
  Array.from(text.matchAll(fence), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
    mark: match[1]!,
    info: match[2]!.trim(),
  }))

const closes = (open: Line, line: Line): boolean =>
  line.info === "" && line.mark[0] === open.mark[0] && line.mark.length >= open.mark.length

const keep = (text: string, from: number, to: number): string => blank(blank(text, 0, from), to, text.length)

/** A text that begins with a fence: what is inside. `undefined` for any other text. */
export const unfence = (text: string): string | undefined => {
  if (!/^\s*(?:```|~~~)/.test(text)) return undefined
  const inline = /^\s*(`{3,})(?:(?:js|javascript|ts|typescript)\s)?(?=[^`\r\n]*\1\s*$)/i.exec(text)
  if (inline !== null) return keep(text, inline[0].length, text.lastIndexOf(inline[1]!))
  const lines = fences(text)
  const open = lines[0]
  if (open === undefined || text.slice(0, open.from).trim() !== "") return undefined
  // A fence as the last line closes the first whatever is between, for a program may have fences in its own texts.
  const last = lines.at(-1)!
  const close = last !== open && closes(open, last) && text.slice(last.to).trim() === ""
    ? last
    : lines.find((line) => line !== open && closes(open, line))
  return keep(text, open.to, close?.from ?? text.length)
}

/**
 * A text with one program between sentences: the program. Also one that has lost its opening fence. `undefined` if there is
 * none, or more than one to choose from.
 */
export const extract = (text: string): string | undefined => {
  const lines = fences(text).filter(({ mark }) => mark[0] === "`")
  const blocks: Array<{ readonly open: Line; readonly to: number }> = []
  for (let i = 0; i < lines.length; i++) {
    const open = lines[i]!
    const close = lines.findIndex((line, j) => j > i && closes(open, line))
    // What is left open runs to the end, if it says that it is code; else it is a closing fence that is left over.
    if (close < 0 && open.info === "") return blocks.length === 0 ? blank(text, open.from, text.length) : undefined
    blocks.push({ open, to: close < 0 ? text.length : lines[close]!.from })
    if (close < 0) break
    i = close
  }
  const code = blocks.filter(({ open }) => language.test(open.info))
  const chosen = code.length === 1 ? code[0] : blocks.length === 1 ? blocks[0] : undefined
  return chosen === undefined ? undefined : keep(text, chosen.open.to, chosen.to)
}
