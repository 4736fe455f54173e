/** What the model is told of the language. */
export const describe = (globals: ReadonlyArray<string>): string =>
  [
    "JavaScript (ES2025, strict) or TypeScript (types are erased, not checked): the body of an async function, with `await` and `return` at",
    "the top level. Without `return`, the last expression is the result. There is no `import`, `require`, `fetch`, `process`, file or",
    "network: what is outside is a tool. No timer outlives the run.",
    ...globals.length === 0 ? [] : [`Read-only values: ${globals.map((name) => `\`${name}\``).join(", ")}.`],
  ].join(" ")
