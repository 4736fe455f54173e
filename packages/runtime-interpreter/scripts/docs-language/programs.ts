// The programs that the documentation shows, by the block they stand in. What each gives is not written here: it is run.

/** A program, and what it is to show. */
export type Shown = readonly [says: string, program: string]

/** Ways to write a program. */
export const forms: ReadonlyArray<Shown> = [
  [
    "Statements, with `return` at the top level",
    "const cities = [\"Oslo\", \"Rome\"]\nconst all = await Promise.all(cities.map((city) => tools.weather({ city })))\nreturn all.map(({ degrees }) => degrees)",
  ],
  [
    "No `return`: the value of the last expression, as in a console",
    "const { degrees } = await tools.weather({ city: \"Oslo\" })\ndegrees > 10 ? \"warm\" : \"cold\"",
  ],
  [
    "A last object in braces is an object, not a block",
    "const { city } = await tools.weather({ city: \"Oslo\" })\n{ city }",
  ],
  ["No value: `null`", "const unused = 1"],
  [
    "One function as the whole program: it is called, and awaited",
    "async () => {\n  return await tools.weather({ city: \"Rome\" })\n}",
  ],
  ["The same, named", "async function main() {\n  return \"done\"\n}"],
  ["`export default` before it", "export default async function run() {\n  return 42\n}"],
  ["A promise as the value is awaited", "tools.weather({ city: \"Oslo\" })"],
  ["A Markdown fence around any of these", "```js\nreturn 1 + 1\n```"],
  [
    "A fence between sentences",
    "This is the program:\n\n```ts\nconst answer: number = 42\nreturn answer\n```\n\nIt returns the answer.",
  ],
]

/** What is done with types. */
export const types: ReadonlyArray<Shown> = [
  [
    "Types are blanked where they stand, so that every line and column stays true",
    "interface City { readonly name: string }\nconst name = (city: City): string => city.name satisfies string\nreturn name({ name: \"Oslo\" } as City)!",
  ],
  [
    "Type arguments that JavaScript reads as comparisons",
    "const seen = new Set<string>([\"a\", \"b\"])\nreturn seen.size",
  ],
  [
    "`enum` and `const enum` are compiled",
    "enum State { Open = \"open\", Closed = \"closed\" }\nconst enum Level { Low, High }\nreturn [State.Open, Object.keys(State), Level.High]",
  ],
  [
    "`namespace`",
    "namespace Shapes {\n  export const square = (side: number): number => side * side\n}\nreturn Shapes.square(3)",
  ],
  [
    "Parameter properties",
    "class Point {\n  constructor(readonly x: number, private y = 2) {}\n  sum(): number {\n    return this.x + this.y\n  }\n}\nreturn new Point(1).sum()",
  ],
  [
    "`abstract` classes, overloads, generics, `declare`",
    "declare const host: unknown\nabstract class Shape { abstract area(): number }\nclass Square extends Shape {\n  constructor(private side: number) { super() }\n  override area() { return this.side ** 2 }\n}\nfunction first<T>(list: readonly T[]): T | undefined\nfunction first(list: readonly unknown[]) { return list[0] }\nreturn [new Square(2).area(), first<number>([1])]",
  ],
]

/** What is refused before a program runs, or thrown when it does. */
export const refused: ReadonlyArray<Shown> = [
  ["import", "import fs from \"node:fs\""],
  ["dynamic import", "const fs = await import(\"node:fs\")"],
  ["import.meta", "return import.meta.url"],
  ["export, other than `export default` of the program", "export const answer = 42"],
  ["TypeScript's import", "import fs = require(\"node:fs\")"],
  ["TypeScript's export", "const answer: number = 42; export = answer"],
  ["eval", "return eval(\"1 + 1\")"],
  ["functions from text", "return new Function(\"return 1\")()"],
  ["`with`", "with (tools) { weather({ city: \"Oslo\" }) }"],
  ["sloppy mode: undeclared variables", "total = 1"],
  ["sloppy mode: octal literals", "return 017"],
  ["JSX", "return <p>Hello</p>"],
  ["decorators", "@sealed class Point {}"],
]

/** What a regular expression may be. */
export const patterns: ReadonlyArray<Shown> = [
  [
    "all flags, named groups",
    "return \"2025-03-01\".replace(/(?<y>\\d+)-(?<m>\\d+)-(?<d>\\d+)/dgimsvy, \"$<d>.$<m>.$<y>\")",
  ],
  ["lookbehind", "return \"€5 and $7\".match(/(?<=\\$)\\d/)[0]"],
  ["Unicode properties", "return \"aß1\".match(/^\\p{L}+/u)[0]"],
  ["sets of characters", "return /^[\\p{L}--[a-z]]$/v.test(\"é\")"],
  ["modifiers", "return /(?i:a)b/.test(\"Ab\")"],
  ["the same group name in two alternatives", "return \"7\".match(/a(?<n>\\d)|(?<n>\\d)/).groups.n"],
  ["a pattern that backtracks without end", "return /^(a+)+$/.test(\"a\".repeat(40) + \"b\")"],
  ["the longest pattern", "return new RegExp(\"a\".repeat(32_768)).test(\"a\")"],
  ["a longer pattern", "return new RegExp(\"a\".repeat(32_769)).test(\"a\")"],
  ["the deepest groups", "return new RegExp(\"(\".repeat(250) + \")\".repeat(250)).test(\"\")"],
  ["deeper groups", "return new RegExp(\"(\".repeat(251) + \")\".repeat(251)).test(\"\")"],
]

/** What programs do with `tools`. */
export const calls: ReadonlyArray<Shown> = [
  ["A call", "await tools.weather({ city: \"Oslo\" })"],
  ["Brackets for any segment", "await tools[\"github\"][\"list_issues\"]({ owner: \"ada\" })"],
  ["What there is", "[Object.keys(tools), \"weather\" in tools, typeof tools.nothing, tools.nothing?.()]"],
  [
    "A failed call is an error that can be caught",
    "try {\n  await tools.weather({ town: \"Oslo\" })\n} catch (error) {\n  return [error.name, error.code]\n}",
  ],
  [
    "A tool that is not there",
    "try {\n  await tools.wether({ city: \"Oslo\" })\n} catch (error) {\n  return [error.code, error.message]\n}",
  ],
]

/** The failure that shows what a model reads. */
export const failing =
  "```ts\nconst issues: Array<{ title: string }> = tools.github.list_issues({ owner: \"ada\" })\nconsole.log(\"asked\")\nreturn issues.map((issue) => issue.title)\n```"
