import type { Catalog } from "../Catalog.ts"
import type { CodeRuntime } from "./contract.ts"
import type { Presented } from "./presented.ts"

const defaultLanguage = "JavaScript, as the body of an async function: `await` and `return` work at the top level."

const firstLine = (text: string): string => {
  const line = text.trim().split("\n", 1)[0]!.trim()
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`
}

/** What the model is told about running code: how to work, the language, and the tools. The same parts give the same text. */
export const render = (
  name: string,
  catalog: Catalog,
  presented: Presented,
  guide: CodeRuntime["guide"],
): string => {
  const sections = [
    `Runs a program that you write as \`code\`, and gives back what it returns. The program calls tools as \`await tools.<path>(input)\`. ` +
    `These tools exist only inside the code; they cannot be called directly.`,
    [
      `- Return only what you need: what is returned enters the context, what stays in the code does not. Filter and aggregate in code.`,
      `- Run independent calls together with \`Promise.all\`.`,
      `- A call that fails throws an \`Error\` with a \`code\`, which the program can catch.`,
      `- A result typed \`unknown\` has no promised shape: look at it before relying on its fields.`,
      `- What crosses between the program and its tools, and what it returns, is JSON.`,
    ].join("\n"),
    `Language: ${guide?.language ?? defaultLanguage}`,
    catalog.entries.length === 0
      ? "There are no tools to call from code."
      : `Tools:\n\n${catalog.entries.map(entry).join("\n")}`,
  ]
  if (presented.beside.size > 0) {
    const names = Array.from(presented.beside.keys(), (tool) => `\`${tool}\``).sort().join(", ")
    sections.push(`Not callable from code; call them directly, as tools of their own beside \`${name}\`: ${names}.`)
  }
  return sections.join("\n\n")
}

const entry = ({ description, signature }: Catalog["entries"][number]): string =>
  description.trim() === "" ? `- \`${signature}\`` : `- \`${signature}\`: ${firstLine(description)}`
