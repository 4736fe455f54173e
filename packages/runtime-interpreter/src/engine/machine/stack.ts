import type { Source, Template } from "../compile/template.ts"
import { type Frame, FrameType, NO_FRAME } from "./frame.ts"

/** Where in a source an instruction stands. */
export interface Place {
  readonly template: Template
  readonly offset: number
}

/** The entry of the position table for an instruction: the last one at or before it. */
const entryOf = (template: Template, pc: number): number => {
  const { positions } = template
  let low = 0
  let high = positions.length / 4
  while (low < high) {
    const middle = (low + high) >> 1
    if (positions[middle * 4]! <= pc) low = middle + 1
    else high = middle
  }
  return (low - 1) * 4
}

export const placeOf = (template: Template, pc: number): Place => {
  const entry = entryOf(template, pc)
  return { template, offset: entry < 0 ? template.start : template.positions[entry + 1]! }
}

/** The text of the expression that an error of this instruction is about, if it is short enough to show. */
export const expressionAt = (template: Template, pc: number): string | undefined => {
  const entry = entryOf(template, pc)
  if (entry < 0) return undefined
  const text = template.source.code.slice(template.positions[entry + 2]!, template.positions[entry + 3]!)
  return text.length > 0 && text.length <= 80 && !text.includes("\n") ? text : undefined
}

/** What stands in the source behind the expression that an error of this instruction is about, up to 200 characters. */
export const textBehind = (template: Template, pc: number): string => {
  const entry = entryOf(template, pc)
  const end = entry < 0 ? template.end : template.positions[entry + 3]!
  return template.source.code.slice(end, end + 200)
}

/** The frames of program code from the innermost out. */
export function* guestFrames(top: Frame): Generator<Frame> {
  for (let frame = top; frame !== NO_FRAME; frame = frame.parent) {
    if (frame.type === FrameType.Guest) yield frame
  }
}

/** Line and column, both from 1, of an offset. */
export const locate = (source: Source, offset: number): { readonly line: number; readonly column: number } => {
  if (source.locate !== undefined) return source.locate(offset)
  let line = 1
  let start = 0
  for (let next = source.code.indexOf("\n"); next >= 0 && next < offset; next = source.code.indexOf("\n", next + 1)) {
    line++
    start = next + 1
  }
  return { line, column: offset - start + 1 }
}
