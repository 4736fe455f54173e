import type { CodeMode } from "@effect-codemode/toolkit"

/** One way to read a program: the text for the engine, and where its places are in the program as it was written. */
export interface Reading {
  readonly text: string
  /** The text is one expression; if its value is a function, that is the program. */
  readonly whole: boolean
  readonly locate: (stack: string) => CodeMode.Location | undefined
}

/** The ways to read a program, the best first: a single function, statements with a last value, a body with `return`. */
export const read = (code: string): ReadonlyArray<Reading> => {
  // Blanks in place of what is left out keep every line and column.
  const blank = (text: string) => text.replace(/[^\n]/g, " ")
  const program = code
    .replace(/^\s*```[^\n]*\n|\n\s*```\s*$/g, blank)
    .replace(/^(?:\s|\/\/[^\n]*)*export\s+default\s+/, blank)
  const last = program.split("\n").length
  const reading = (before: string, after: string, whole: boolean): Reading => ({
    text: before + program + after,
    whole,
    locate: (stack) => {
      const place = /program\.js:(\d+):(\d+)/.exec(stack)
      if (place === null) return undefined
      const line = Number(place[1])
      const column = Number(place[2]) - (line === 1 ? before.length : 0)
      return { line: Math.min(line, last), column: Math.max(1, column) }
    },
  })
  const body = reading("(async () => {", "\n})()", false)
  const script = reading("", "", false)
  if (!/^(?:\s|\/\/[^\n]*)*(?:async\b|function\b|\(|[\w$]+\s*=>)/.test(program)) return [script, body]
  const expression = { ...reading("(", "\n)", true) }
  return [{ ...expression, text: expression.text.replace(/;?\s*\n\)$/, "\n)") }, script, body]
}
