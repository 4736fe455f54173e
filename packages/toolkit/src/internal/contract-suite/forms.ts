import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type Check, each, gives, rule, type TestTools } from "./check.ts"

const tools: TestTools = { echo: Effect.succeed }

const forms = (name: string, cases: ReadonlyArray<readonly [code: string, result: Schema.Json]>): Check =>
  rule(name, (runtime) => each(cases, ([code, result]) => gives(runtime, code, result, tools)))

const fence = "```"

/** How a program may be written, and what its value is. */
export const checks: ReadonlyArray<Check> = [
  forms("`return` at the top level gives the result", [
    ["return 1 + 1", 2],
    ["const n = 3\nif (n > 2) { return 'big' }\nreturn 'small'", "big"],
    ["for (const x of [1, 2, 3]) { if (x === 2) return { x } }", { x: 2 }],
  ]),
  forms("`await` works at the top level", [
    ["const { n } = await tools.echo({ n: 1 })\nreturn n + 1", 2],
    ["return await Promise.all([tools.echo({ n: 1 }), tools.echo({ n: 2 })])", [{ n: 1 }, { n: 2 }]],
  ]),
  forms("without `return`, the value of the last expression statement is the result", [
    ["1 + 1", 2],
    ["const a = 20\nlet b = 22\na + b", 42],
    ["const { n } = await tools.echo({ n: 7 })\nn * 2;", 14],
    ["({ a: [1] })", { a: [1] }],
    ["const f = () => { return 5 }\nf()", 5],
  ]),
  forms("a program without a value gives null", [
    ["", null],
    ["  \n  ", null],
    ["// nothing to do", null],
    ["const a = 1", null],
    ["return", null],
    ["return undefined", null],
    ["undefined", null],
    ["return null", null],
  ]),
  forms("a single function as the whole program is called, awaited, and its value taken", [
    ["() => 1", 1],
    ["async () => {\n  const { n } = await tools.echo({ n: 1 })\n  return n + 1\n}", 2],
    ["async () => { return 3 };", 3],
    ["(async () => 4)", 4],
    ["async function main() {\n  return 5\n}", 5],
    ["function () { return 6 }", 6],
    ["// The answer\nasync () => 7\n", 7],
    ["async () => {}", null],
  ]),
  forms("a Markdown fence around a program is left out", [
    [`${fence}js\nreturn 1\n${fence}`, 1],
    [`${fence}javascript\nconst a = 1\na + 1\n${fence}\n`, 2],
    [`\n${fence}\nasync () => 3\n${fence}\n\n`, 3],
  ]),
  forms("`export default` before a function is left out", [
    ["export default async () => 1", 1],
    ["export default async function main() {\n  return 2\n}", 2],
    ["export default function () { return 3 }", 3],
    [`${fence}js\nexport default async () => {\n  return 4\n}\n${fence}`, 4],
  ]),
  forms("a promise as the final value is awaited", [
    ["return Promise.resolve(1)", 1],
    ["Promise.resolve(2)", 2],
    ["tools.echo({ n: 3 })", { n: 3 }],
    ["return tools.echo({ n: 4 })", { n: 4 }],
    ["() => Promise.resolve(5)", 5],
  ]),
  rule("types are erased", (runtime) =>
    each(
      [
        ["const n: number = 1\nreturn n", 1],
        ["interface A { a: number }\nconst a = { a: 2 } as A\nreturn a.a", 2],
        ["const f = <T,>(x: T): T => x\nreturn f<number>(3)", 3],
        ["return [...new Set<string>(['a'])]", ["a"]],
        [`${fence}ts\nasync (): Promise<number> => 5\n${fence}`, 5],
      ] as const,
      ([code, result]) => gives(runtime, code, result),
    ), "typescript"),
]
