// Text for people: headings, colours and dimmed detail in a terminal, plain lines everywhere else.
import { styleText } from "node:util"

type Style = Parameters<typeof styleText>[0]

/** Whether someone looks at the output as it comes. */
export const interactive = process.stdout.isTTY && process.env["CI"] === undefined

const styled = process.stdout.isTTY && process.env["NO_COLOR"] === undefined
const style = (format: Style) => (text: string): string => styled ? styleText(format, text) : text

export const bold = style("bold")
export const dim = style("dim")
export const red = style("red")
export const green = style("green")
export const yellow = style("yellow")
export const cyan = style("cyan")

/** The beginning of a section. */
export const heading = (title: string): string =>
  `\n${bold(cyan(`── ${title} ${"─".repeat(Math.max(0, 96 - title.length))}`))}`

/** Every line moved to the right. */
export const indent = (text: string, by = 2): string => text.replace(/^(?=.)/gm, " ".repeat(by))

/** One line, cut to a width. */
export const clip = (text: string, width: number): string => {
  const line = text.replace(/\s+/g, " ")
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`
}

/** A count with thousands separated. */
export const count = (value: number): string => Math.round(value).toLocaleString("en-US")

/** A number and what it counts: `1 call`, `2 calls`. */
export const many = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? "" : "s"}`

/** A time in milliseconds, or in seconds where it is long. */
export const time = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`
