// The parts of docs/language.md that are not written by hand, by the name that stands in their marks.
import { absences } from "@effect-codemode/runtime-interpreter/engine"
import { explain } from "../test262/explained.ts"
import type { Count, Summary } from "../test262/report.ts"
import { calls, failing, forms, patterns, refused, type Shown, types } from "./programs.ts"
import { run } from "./run.ts"

// Markdown

/** Text as code, inside a row of a table or a sentence. */
const code = (text: string): string => {
  const ticks = "`".repeat(Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length)) + 1)
  const space = text.startsWith("`") || text.endsWith("`") ? " " : ""
  return `${ticks}${space}${text}${space}${ticks}`
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n")

const fenced = (language: string, text: string): string => {
  const fence = text.includes("```") ? "````" : "```"
  return `${fence}${language}\n${text}\n${fence}`
}

// Programs

const shorten = (text: string): string => text.length <= 100 ? text : `${text.slice(0, 60)}…${text.slice(-20)}`

const ending = async (program: string): Promise<string> => {
  const end = await run(program)
  if (end.type === "result") return code(JSON.stringify(end.result))
  return `${code(end.code)}: ${shorten(end.message)}`
}

const examples = async (language: string, programs: ReadonlyArray<Shown>): Promise<string> => {
  const parts: Array<string> = []
  for (const [says, program] of programs) {
    parts.push(
      `${says}:`,
      fenced(program.includes("```") ? "text" : language, program),
      `gives ${await ending(program)}.`,
    )
  }
  return parts.join("\n\n")
}

const row = async (
  [says, program]: Shown,
): Promise<ReadonlyArray<string>> => [says, code(program), await ending(program)]

const refusals = async (programs: ReadonlyArray<Shown>): Promise<string> => {
  const rows: Array<ReadonlyArray<string>> = []
  for (const [says, program] of programs) {
    const end = await run(program)
    if (end.type === "result") throw new Error(`The program is not refused: ${program}`)
    rows.push([says, code(program), code(end.code), end.message, end.hint ?? ""])
  }
  return table(["what", "program", "code", "message", "hint"], rows)
}

const shownFailure = async (): Promise<string> => {
  const end = await run(failing)
  if (end.type === "result") throw new Error("The program does not fail")
  return `${fenced("text", failing)}\n\nThe model reads the code ${code(end.code)} and this message:\n\n${
    fenced("text", end.text)
  }`
}

// Globals

/** Those that come from the web rather than from the standard of the language. */
const web = new Set([
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "atob",
  "btoa",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "performance",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "structuredClone",
])

/** What each global of a program has: nothing that is a function's or an object's anyway. */
const survey = `
const common = new Set([
  ...Object.getOwnPropertyNames(Function.prototype),
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
])
const own = (o) => Object.getOwnPropertyNames(o).filter((name) => !common.has(name))
return Object.getOwnPropertyNames(globalThis).sort().map((name) => {
  const value = globalThis[name]
  if (typeof value === "function") return [name, own(value), value.prototype === undefined ? [] : own(value.prototype)]
  return [name, typeof value === "object" ? [...own(value), ...own(Object.getPrototypeOf(value))] : [], []]
})`

type Global = readonly [name: string, statics: ReadonlyArray<string>, members: ReadonlyArray<string>]

const globals = async (): Promise<string> => {
  const end = await run(survey)
  if (end.type === "failure") throw new Error(end.text)
  const all = (end.result as unknown as ReadonlyArray<Global>).filter(([name]) => name !== "tools" && name !== "search")
  const list = (names: ReadonlyArray<string>) => names.map(code).join(", ")
  const sorted = (names: ReadonlyArray<string>) => list([...names].sort())
  const ofWeb = all.filter(([name]) => web.has(name))
  const plain = ([, statics, members]: Global) => statics.length + members.length === 0
  const names = (some: ReadonlyArray<Global>) => list(some.map(([name]) => name))
  return [
    `Of the standard: ${names(all.filter(([name]) => !web.has(name) && name !== "Intl"))}.`,
    `Of \`Intl\`: ${sorted(all.find(([name]) => name === "Intl")![1])}.`,
    `Of the web platform, functions: ${names(ofWeb.filter(plain))}; and`,
    table(
      ["global", "of itself", "of its instances"],
      ofWeb.filter((each) => !plain(each)).map(([name, statics, members]) => [
        code(name),
        sorted(statics),
        sorted(members),
      ]),
    ),
  ].join("\n\n")
}

const absent = (): string =>
  table(
    ["name", "the error says"],
    absences.map(({ instead, names }) => [
      names.map(code).join(", "),
      `Programs have no ${code(names[0]!)}${instead}`,
    ]),
  )

/** The blocks that come from the code. */
export const fromCode: Readonly<Record<string, () => string | Promise<string>>> = {
  forms: () => examples("js", forms),
  globals,
  calls: () => examples("js", calls),
  types: () => examples("ts", types),
  patterns: async () => {
    const rows: Array<ReadonlyArray<string>> = []
    for (const shown of patterns) rows.push(await row(shown))
    return table(["what", "program", "gives"], rows)
  },
  absent,
  refused: () => refusals(refused),
  failure: shownFailure,
}

// Numbers

const number = (n: number): string => n.toLocaleString("en-US")

// Never rounded up: only all is 100%.
const percent = ({ pass, total }: Count): string => `${(Math.floor((1e4 * pass) / total) / 100).toFixed(2)}%`

const folder = (summary: Summary, name: string): Count => {
  const counts = Object.entries(summary.areas).filter(([area]) => area.startsWith(`${name}/`)).map(([, count]) => count)
  return {
    pass: counts.reduce((sum, { pass }) => sum + pass, 0),
    total: counts.reduce((sum, { total }) => sum + total, 0),
  }
}

const counted = (name: string, count: Count): ReadonlyArray<string> => [
  name,
  number(count.pass),
  number(count.total),
  percent(count),
]

const failures = (summary: Summary): string => {
  if (summary.failures.length === 0) return "No test in scope fails."
  return table(
    ["tests", "why", "which"],
    explain(summary.failures).map(({ cause, files }) => [
      String(files.length),
      cause ?? "**not explained**",
      files.map(code).join(", "),
    ]),
  )
}

/** The blocks that come from a run of the specification's suite. */
export const fromReport: Readonly<Record<string, (summary: Summary) => string>> = {
  result: (summary) =>
    `Of the ${number(summary.total)} tests in scope, ${number(summary.pass)} pass: ${percent(summary)}.`,
  areas: (summary) =>
    table(["area", "pass", "of", "share"], [
      ...["language", "built-ins"].map((name) => counted(`**${name}**`, folder(summary, name))),
      ...Object.entries(summary.areas).map(([name, count]) => counted(name, count)),
    ]),
  "left-out": (summary) =>
    table(
      ["why", "tests"],
      Object.entries(summary.skipped).sort((a, b) => b[1] - a[1]).map(([why, count]) => [why, number(count)]),
    ),
  failures,
}
