/**
 * A program as the model wrote it, as the text of a function for an engine. Public as part of `Guest`.
 *
 * Programs may be long and hostile: everything here is linear in their length, but for what the engine parses.
 */
import * as Effect from "effect/Effect"
import type { Location } from "../contract.ts"

/**
 * The name under which an engine evaluates programs: stacks have it, and places are found by it.
 *
 * @since 0.1.0
 * @category protocol
 */
export const file = "program.js"

/**
 * Why a text does not parse: what the engine's `SyntaxError` has.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refusal {
  readonly message: string
  readonly stack: string
}

/**
 * A program as an engine takes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reading {
  /** An expression whose value is an async function without parameters: calling it runs the program and gives its value. */
  readonly text: string
  /** Finds the first place of a stack that lies in the program, as the model wrote it. */
  readonly locate: (stack: string) => Location | undefined
}

/**
 * A program that does not parse: why, and where.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unreadable {
  readonly refusal: Refusal
  readonly location: Location | undefined
}

/**
 * Reads a program: leaves out a fence and `export default`, takes a single function for what is to be called, and gives back the value
 * of the last statement if that is an expression. What belongs to what, the engine's own parser says: `parse` tells why it refuses a
 * text, and runs nothing.
 *
 * @since 0.1.0
 * @category protocol
 */
export const read = <E, R>(
  code: string,
  parse: (text: string) => Effect.Effect<Refusal | undefined, E, R>,
): Effect.Effect<Reading, E | Unreadable, R> =>
  Effect.gen(function*() {
    const program = withoutExport(withoutFence(code))
    const refusals: Array<Unreadable> = []
    if (/^(?:async\b|function\b|\(|[\w$]+\s*=>)/.test(program.slice(afterTrivia(program)))) {
      const called = `${opening}return ((f) => typeof f === "function" ? f() : f)(await (`
      const text = program.slice(0, beforeTail(program))
      const single = reading(text, [{ line: 1, after: 0, text: called }], `\n))${closing}`)
      const refusal = yield* parse(single.text)
      if (refusal === undefined) return single
      refusals.push({ refusal, location: single.locate(refusal.stack) })
    }
    const body = reading(program, [{ line: 1, after: 0, text: opening }], closing)
    const refusal = yield* parse(body.text)
    if (refusal === undefined) return (yield* withLastValue(program, parse)) ?? body
    refusals.push({ refusal, location: body.locate(refusal.stack) })
    // The reading that came farthest is what the program was meant to be.
    const distance = ({ location }: Unreadable) =>
      location === undefined ? 0 : location.line * 2 ** 32 + location.column
    return yield* Effect.fail(refusals.sort((a, b) => distance(b) - distance(a))[0]!)
  })

const opening = `(async () => { "use strict"; `
const closing = "\n})"

/** A text put into a program: in which line, from 1, and after how many of its characters. */
interface Insert {
  readonly line: number
  readonly after: number
  readonly text: string
}

const reading = (program: string, inserts: ReadonlyArray<Insert>, after: string): Reading => {
  const lines = program.split("\n")
  const texts = [...lines]
  for (const { after, line, text } of inserts.toReversed()) {
    texts[line - 1] = texts[line - 1]!.slice(0, after) + text + texts[line - 1]!.slice(after)
  }
  return {
    text: texts.join("\n") + after,
    locate: (stack) => {
      // Of a syntax error V8 tells the line alone, and points at the column from below its text.
      const place = /program\.js:(\d+)(?::(\d+)|\n[^\n]*\n( *)\^)?/.exec(stack)
      if (place === null) return undefined
      const line = Number(place[1])
      if (line > lines.length) return { line: lines.length, column: lines.at(-1)!.length + 1 }
      let column = place[2] === undefined ? (place[3]?.length ?? 0) + 1 : Number(place[2])
      for (const insert of inserts) {
        if (insert.line === line && column > insert.after) {
          column = Math.max(insert.after + 1, column - insert.text.length)
        }
      }
      return { line, column: Math.max(1, column) }
    },
  }
}

// What is left out. Blanks in its place keep every line and column.

const blank = (text: string): string => text.replace(/[^\n]/g, " ")
const blanked = (text: string, from: number, to: number): string =>
  text.slice(0, from) + blank(text.slice(from, to)) + text.slice(to)

const withoutFence = (code: string): string => {
  const start = code.length - code.trimStart().length
  if (!code.startsWith("```", start)) return code
  const line = code.indexOf("\n", start)
  const opened = blanked(code, start, line === -1 ? code.length : line)
  const end = opened.trimEnd().length
  const last = opened.lastIndexOf("\n", end - 1) + 1
  return opened.slice(last, end).trim() === "```" ? blanked(opened, last, end) : opened
}

const withoutExport = (program: string): string => {
  const start = afterTrivia(program)
  const words = /^export\s+default\s/.exec(program.slice(start))
  return words === null ? program : blanked(program, start, start + words[0].length)
}

/** Where the first token is: behind blanks and comments. */
const afterTrivia = (program: string): number => {
  let at = 0
  while (at < program.length) {
    if (/\s/.test(program[at]!)) at++
    else if (program.startsWith("//", at)) at = behind(program, "\n", at)
    else if (program.startsWith("/*", at)) at = behind(program, "*/", at + 2)
    else break
  }
  return at
}

const behind = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from)
  return at === -1 ? text.length : at + mark.length
}

/** As many comments are looked for at most behind the last statement. */
const MAX_CUTS = 100

/** Where the last statement ends, without its semicolon and the comments behind it; a guess, for the parser to confirm. */
const beforeTail = (program: string): number => {
  let end = program.length
  for (let cuts = 0; cuts < MAX_CUTS && end > 0; cuts++) {
    while (end > 0 && /[\s;]/.test(program[end - 1]!)) end--
    const start = program.lastIndexOf("\n", end - 1) + 1
    const line = program.slice(start, end)
    const remark = line.trimStart().startsWith("//") ? 0 : line.search(/;[ \t]*\/\//)
    if (remark !== -1) end = start + remark
    else if (line.endsWith("*/")) end = Math.max(0, program.lastIndexOf("/*", end - 2))
    else return end
  }
  return end
}

// The value of the last statement

/** As many texts are parsed at most in search of the last statement. */
const MAX_TRIES = 200

/** The program with `return` before its last statement, if that is an expression. */
const withLastValue = <E, R>(
  program: string,
  parse: (text: string) => Effect.Effect<Refusal | undefined, E, R>,
): Effect.Effect<Reading | undefined, E, R> =>
  Effect.gen(function*() {
    const parses = (text: string) => Effect.map(parse(opening + text + closing), (refusal) => refusal === undefined)
    const guessed = beforeTail(program)
    const end = (yield* parses(program.slice(0, guessed))) ? guessed : program.length
    let tries = 0
    let least = 0
    for (const at of beginnings(program, end)) {
      if (at < least) continue
      if (tries++ === MAX_TRIES) return undefined
      const before = program.slice(0, at)
      const statement = program.slice(at, end)
      const start = statement.slice(afterTrivia(statement))
      if (start === "") continue
      const isExpression = !/^(?:\{|(?:async\s+)?function\b|class\b|let\s*\[)/.test(start) &&
        (yield* parses(`return (${statement}\n)`))
      if (!isExpression && !(yield* parses(statement)) || !(yield* parses(before))) continue
      // What could go on from the line before, as `+ b` does from `a`, goes on.
      if (/^(?:[([/`]|\+(?!\+)|-(?!-))/.test(start) && (yield* parses(`${before}\n.x`))) continue
      if (!isExpression) {
        least = at
        continue
      }
      const lines = program.slice(0, at + afterTrivia(statement)).split("\n")
      const returned = { line: lines.length, after: lines.at(-1)!.length, text: "return (" }
      const found = reading(program.slice(0, end), [{ line: 1, after: 0, text: opening }, returned], `\n)${closing}`)
      // A semicolon in a comment ends no statement: what is put behind it is gone.
      if ((yield* parse(found.text)) === undefined) return found
    }
    return undefined
  })

/** Where the last statement may begin, the likeliest first: where as many brackets close behind it as open there. */
const beginnings = (program: string, end: number): ReadonlyArray<number> => {
  const balanced: Array<number> = []
  const others: Array<number> = []
  let depth = 0
  for (let i = end - 1; i >= -1 && balanced.length + others.length < 2 * MAX_TRIES; i--) {
    const character = program[i]
    if (character === undefined || "\n;}".includes(character)) (depth === 0 ? balanced : others).push(i + 1)
    if (character !== undefined && ")]}".includes(character)) depth++
    if (character !== undefined && "([{".includes(character)) depth--
  }
  return [...balanced, ...others]
}
