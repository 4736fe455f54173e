// How large the patterns of regular expression literals may be, which acorn checks.

/** How long the pattern of a regular expression literal may be, in UTF-16 code units: checking one is not linear. */
const maxPattern = 32_768

const maxPatternNesting = 250
const maxNamedGroups = 300

// acorn's check recurses for each group, and compares every group's name with the others'.
export const isTooLarge = (pattern: string): boolean =>
  pattern.length > maxPattern || patternNesting(pattern) > maxPatternNesting ||
  pattern.split("(?<").length > maxNamedGroups

// An upper bound: brackets that a class or an escape makes harmless count as well, except behind a backslash.
const patternNesting = (pattern: string): number => {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]
    if (character === "\\") i++
    else if (character === "(" || character === "[") deepest = Math.max(deepest, ++depth)
    else if ((character === ")" || character === "]") && depth > 0) depth--
  }
  return deepest
}
