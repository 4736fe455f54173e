const SEGMENT =
  /^(?:\??\.\s*([\p{ID_Start}$_][\p{ID_Continue}$-]*)|(?:\?\.)?\[\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\])/u

/**
 * Reads a path as a program writes it, `tools.context7["resolve-library-id"]` or a call of it, as a callable name. What is no path is
 * given back as it is.
 */
export const nameOfPath = (text: string): string => {
  const trimmed = text.trim().slice(0, 1000)
  let rest = trimmed.replace(/^await\s+/, "")
  if (!/^tools\s*[.?[]/.test(rest)) return trimmed
  rest = rest.slice("tools".length).trimStart()
  const segments: Array<string> = []
  for (let match = SEGMENT.exec(rest); match !== null; match = SEGMENT.exec(rest)) {
    segments.push(match[1] ?? unquoted(match[2]!))
    rest = rest.slice(match[0].length).trimStart()
  }
  // What follows may be a call.
  return segments.length > 0 && /^(?:$|\(|;)/.test(rest) ? segments.join(".") : trimmed
}

const unquoted = (literal: string): string => {
  const inner = literal.slice(1, -1)
  try {
    const escaped = literal.startsWith("'") ? inner.replaceAll(`\\'`, "'").replaceAll(`"`, `\\"`) : inner
    return String(JSON.parse(`"${escaped}"`))
  } catch {
    return inner
  }
}
