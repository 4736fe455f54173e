import { Problem } from "./diagnostics.ts"

/** What to do without modules. */
export const noModules =
  "Leave the import out. Tools are on `tools`, as in `await tools.name(input)`; the rest is global."

/** Something that is valid elsewhere, and that programs do not have. */
export const unsupported = (offset: number, message: string, hint: string): Problem =>
  new Problem("UNSUPPORTED_SYNTAX", offset, message, undefined, hint)

/** The text nests deeper than can be worked on. */
export const tooDeep = (offset: number): Problem =>
  new Problem(
    "SYNTAX_ERROR",
    offset,
    "The code nests too deeply",
    undefined,
    "Build deep or long values in a loop, or split the expression over several variables.",
  )
