// Text for people: headings and dimmed detail in a terminal, plain lines everywhere else.
import { styleText } from "node:util"

type Style = Parameters<typeof styleText>[0]

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
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`
}

/** A count with thousands separated. */
export const count = (value: number): string => Math.round(value).toLocaleString("en-US")
