// Whether the place where JavaScript ended may be the place where something else began.
import type { Problem } from "./diagnostics.ts"

// Words after which TypeScript goes on where JavaScript cannot.
const before = new Set([
  "abstract",
  "accessor",
  "declare",
  "export",
  "global",
  "interface",
  "module",
  "namespace",
  "override",
  "private",
  "protected",
  "public",
  "readonly",
  "type",
])
// Words that are not expected where TypeScript has them.
const here = new Set(["as", "satisfies", "this", "enum", "implements", "interface", "private", "protected", "public"])
const punctuators = new Set([":", "<", "!", "?", "{"])

// A list of type arguments that was read as comparisons, just before.
const typeArguments = /[\w$]<|\basync\s*</

/**
 * Whether a text whose first problem is this one may be TypeScript. Loading its compiler takes most of a second, so that a mere
 * mistake should not do it: the end of the text, or a string that is not closed, is wrong in both languages.
 */
export const mayBeTypeScript = (text: string, { code, offset, token }: Problem): boolean => {
  if (code !== "SYNTAX_ERROR" || token === undefined || token.kind === "end") return false
  if (before.has(token.previous) || here.has(token.text) || punctuators.has(token.text)) return true
  if (token.kind === "string" || token.kind === "number" || token.kind === "template") return false
  if (/^(?:\)|\]|,|=>|>+|\()$/.test(token.text)) {
    return token.previous === "?" || typeArguments.test(text.slice(Math.max(0, offset - 400), offset))
  }
  return token.kind === "keyword" && typeArguments.test(text.slice(Math.max(0, offset - 400), offset))
}

/** What begins at the place of a problem that is another language's, if anything. */
export const foreignSyntax = (text: string, { offset }: Problem): "jsx" | "decorator" | undefined => {
  const rest = text.slice(offset, offset + 20_000)
  if (/^<(?:>|[A-Za-z][\w.]*(?:\s+[\w-]+=["{]|\s*\/?>))/.test(rest) && /<\/[\w.]*>|\/>/.test(rest)) return "jsx"
  return /^@[\p{ID_Start}$_(]/u.test(rest) ? "decorator" : undefined
}
