/** What the model is told of the language. */
export const describe = (globals: ReadonlyArray<string>): string =>
  [
    "JavaScript (ES2025) or TypeScript (types erased), the body of an async function with top-level `await` and `return`; without",
    "`return`, the last expression is the result. No `import`, `require`, `fetch`, `process`, files or network; timers end with the run.",
    ...globals.length === 0 ? [] : [`Read-only values: ${globals.map((name) => `\`${name}\``).join(", ")}.`],
  ].join(" ")
