import { escaped } from "./safe-text.ts"

// The letters that were always ones: which of the rarer ones are depends on the version of Unicode, of the host and of TypeScript.
const letter =
  "A-Za-z_$\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u024f\\u0391-\\u03a1\\u03a3-\\u03f5\\u03f7-\\u0481\\u048a-\\u052f" +
  "\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fa5\\uac00-\\ud7a3"
const identifier = new RegExp(`^[${letter}][${letter}0-9]*$`)

/** Writes a property name as JavaScript has it in a literal: as it is, or quoted. */
export const propertyName = (name: string): string => identifier.test(name) ? name : escaped(name)

/** Writes the expression that reaches a tool, to be pasted as it is: `tools.context7["resolve-library-id"]`. */
export const toolPath = (tool: string): string =>
  tool.split(".").reduce(
    (path, segment) => identifier.test(segment) ? `${path}.${segment}` : `${path}[${escaped(segment)}]`,
    "tools",
  )

/** The namespace of a callable name: all of it but the last segment; empty for a name that stands at the top. */
export const namespaceOf = (tool: string): string => tool.slice(0, Math.max(0, tool.lastIndexOf(".")))

/**
 * Gives names their namespaces by prefixes: `github_list_issues` with the prefix `github` becomes `github.list_issues`. The longest
 * prefix wins. A name with a namespace already, or without one of the prefixes, stays.
 */
export const byPrefix = (prefixes: ReadonlyArray<string>): (name: string) => string => {
  const longestFirst = prefixes.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return (name) => {
    if (name.includes(".")) return name
    for (const prefix of longestFirst) {
      const rest = prefix.length > 0 && name.startsWith(prefix) ? name.slice(prefix.length) : ""
      const separated = /^[_\-/:]+(?=.)/u.exec(rest)
      if (separated !== null) return `${prefix}.${rest.slice(separated[0].length)}`
    }
    return name
  }
}
