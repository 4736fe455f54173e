import type { CodeError, Location } from "./contract.ts"

const maxSourceWidth = 120

/**
 * Puts together what the model reads of a failed run: the reason, the place with its source line and a caret, the hint, and
 * the logs. Logs beyond `maxLogLength` characters lose their beginning.
 */
export const render = (code: string, error: CodeError, maxLogLength: number): string => {
  const parts = [error.message]
  if (error.location !== undefined) parts.push(place(code, error.location))
  if (error.hint !== undefined) parts.push(`Hint: ${error.hint}`)
  if (error.logs.length > 0) parts.push(logged(error.logs, maxLogLength))
  return parts.join("\n")
}

const place = (code: string, { column, line }: Location): string => {
  const at = `at ${line}:${column}`
  const source = code.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1]
  if (source === undefined || source.trim() === "") return at
  const from = Math.max(0, Math.min(column - 1 - maxSourceWidth / 2, source.length - maxSourceWidth))
  const shown = source.slice(from, from + maxSourceWidth)
  // Tabs stay tabs, so that the caret stands below its character however wide they are shown.
  const indent = shown.slice(0, Math.max(0, column - 1 - from)).replace(/[^\t]/g, " ")
  return `${at}\n    ${shown}\n    ${indent}^`
}

const logged = (logs: ReadonlyArray<string>, maxLength: number): string => {
  let length = 0
  let from = logs.length
  while (from > 0 && length + logs[from - 1]!.length <= maxLength) {
    from--
    length += logs[from]!.length + 1
  }
  const left = from > 0 ? [`[${from} earlier ${from === 1 ? "line" : "lines"} left out]`] : []
  return ["Logged before it failed:", ...left, ...logs.slice(from)].join("\n")
}
