/** What the model is told of the language. */
export const describe = (globals: ReadonlyArray<string>): string =>
  [
    "JavaScript (ECMAScript 2025, strict), or TypeScript whose types are erased, as the body of an async function: `await` and",
    "`return` work at the top level, and without `return` the value of the last expression is the result. There are no modules,",
    "no `require`, `fetch`, `process`, files or network: everything outside the program is a tool.",
    ...globals.length === 0 ? [] : [`Read-only values: ${globals.map((name) => `\`${name}\``).join(", ")}.`],
  ].join(" ")
