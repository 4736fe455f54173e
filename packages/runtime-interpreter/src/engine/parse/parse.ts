import type * as acorn from "acorn"
import { type Diagnostic, Problem, ProgramSyntaxError } from "./diagnostics.ts"
import { extract, unfence } from "./fence.ts"
import { type Form, normalize } from "./form.ts"
import { type Goal, ProgramParser, type Reading } from "./parser.ts"
import { astray } from "./pieces.ts"
import { tooDeep, unsupported } from "./refusals.ts"
import { type Location, Source } from "./source.ts"
import { finish, type Steps } from "./steps.ts"
import { foreignSyntax, mayBeTypeScript } from "./suspect.ts"
import { syntaxHint } from "./syntax-hints.ts"
import type { TypeScript } from "./typescript.ts"

/** A program that parsed. */
export interface ParsedProgram {
  /** The program as it was written. */
  readonly original: string
  /**
   * What the tree's offsets point into: the original with fences and types blanked, of the same length and lines, or what
   * TypeScript compiled it to.
   */
  readonly code: string
  readonly ast: acorn.Program
  readonly form: Form
  /** Where an offset of the tree is in the program as it was written. */
  readonly locate: (offset: number) => Location
  /** Where an offset of the tree is in the program as it was written. */
  readonly toOriginal: (offset: number) => number
}

/** The answer for a program that may be TypeScript, when TypeScript is not loaded: load it and parse again. */
export const needsTypeScript = Symbol("needsTypeScript")

/** How to parse. */
export interface ParseOptions {
  /**
   * - `program`, the default: what a model wrote. The body of an async function, with or without a Markdown fence, types, or a
   *   function around it.
   * - `script`: a strict script of the standard and nothing else.
   */
  readonly goal?: Goal
  /** From {@link loadTypeScript}. */
  readonly typeScript?: TypeScript
  /** How many characters to parse at a stretch; `Infinity` for whole statements. What fits by default. */
  readonly piece?: number | undefined
}

interface Parsed {
  readonly ast: acorn.Program
  readonly parser: ProgramParser
}

function* run(
  text: string,
  goal: Goal,
  piece: number | undefined,
  reading?: Reading,
): Steps<Parsed & { readonly problem?: Problem }> {
  const parser = new ProgramParser(text, goal, reading, piece)
  try {
    return { parser, ast: yield* parser.parseInSteps() }
  } catch (error) {
    if (error === astray) return yield* run(text, goal, Infinity, reading)
    const problem = error instanceof Problem ? error : error instanceof RangeError ? tooDeep(parser.start) : undefined
    if (problem === undefined) throw error
    return { parser, ast: undefined as never, problem }
  }
}

// A last statement in braces is an object where it is valid as one, unless it is a block that does something else.
function* parseText(text: string, goal: Goal, piece: number | undefined): Steps<Parsed | Problem> {
  const first = yield* run(text, goal, piece)
  const { ast, parser, problem } = first
  if (goal === "script") return problem ?? first
  const { brace, start } = parser.lastStatement
  if (brace && !parser.hasReturn && (problem === undefined ? ast.body.at(-1)?.type === "BlockStatement" : true)) {
    const again = yield* run(text, goal, piece, { objectAt: start })
    if (again.problem === undefined && isObject(again.ast, start, problem === undefined)) return again
  }
  return problem ?? first
}

const isObject = ({ body }: acorn.Program, start: number, wasBlock: boolean): boolean => {
  const last = body.at(-1)
  if (last?.type !== "ExpressionStatement" || last.start !== start) return false
  const { expression } = last
  if (expression.type !== "ObjectExpression" || expression.start !== start) return false
  return !wasBlock || expression.properties.every((property) => property.type === "Property" && !property.method)
}

/**
 * Parses a program, or says that TypeScript is needed to know. Throws a {@link ProgramSyntaxError} for one that does not
 * parse. Work and depth are bounded by the length of the code, which is limited elsewhere.
 */
export const parseProgram = (code: string, options: ParseOptions = {}): ParsedProgram | typeof needsTypeScript =>
  finish(parseSteps(code, { piece: Infinity, ...options }))

/** The same in steps: a statement at a time, or a piece of one, and what TypeScript compiles in pieces. */
export function* parseSteps(
  code: string,
  { goal = "program", piece, typeScript }: ParseOptions = {},
): Steps<ParsedProgram | typeof needsTypeScript> {
  if (goal === "script") return yield* conclude(code, code, yield* parseText(code, goal, piece))
  const { result, text } = yield* parseFenced(code, piece)
  if (result instanceof Problem) {
    const foreign = refuseForeign(text, result)
    if (foreign !== undefined) throw yield* fail(code, text, foreign)
    if (!mayBeTypeScript(text, result)) throw yield* fail(code, text, result)
  } else if (!result.parser.typeArguments) return yield* conclude(code, text, result)
  return typeScript === undefined ? needsTypeScript : yield* parseTypeScript(code, text, result, typeScript, piece)
}

// Fences are looked for where the text begins with one, and where it makes no sense without: lines of backquotes may be valid,
// as templates that are called.
function* parseFenced(
  code: string,
  piece: number | undefined,
): Steps<{ readonly text: string; readonly result: Parsed | Problem }> {
  const fenced = unfence(code)
  const text = fenced ?? code
  const result = yield* parseText(text, "program", piece)
  const suspect = result instanceof Problem ? result.code === "SYNTAX_ERROR" : result.parser.fenceAt >= 0
  if (fenced !== undefined || !suspect) return { text, result }
  const inside = extract(code)
  if (inside !== undefined) return { text: inside, result: yield* parseText(inside, "program", piece) }
  if (result instanceof Problem) return { text, result }
  const hint = "Send one program, without Markdown around it."
  return {
    text,
    result: new Problem("SYNTAX_ERROR", result.parser.fenceAt, "Unexpected template string", undefined, hint),
  }
}

function* parseTypeScript(
  original: string,
  text: string,
  javaScript: Parsed | Problem,
  typeScript: TypeScript,
  piece: number | undefined,
): Steps<ParsedProgram> {
  const erased = yield* typeScript.erase(text)
  if (erased.refused !== undefined) throw yield* fail(original, text, erased.refused)
  // No types in it: it is JavaScript, right or wrong.
  if (erased.code === text) return yield* conclude(original, text, javaScript)
  if (erased.toOriginal !== undefined && erased.problem !== undefined) throw yield* fail(original, text, erased.problem)
  yield
  const result = yield* parseText(erased.code, "program", piece)
  if (!(result instanceof Problem)) {
    if (erased.problem !== undefined) throw yield* fail(original, text, erased.problem)
    return yield* conclude(original, erased.code, result, erased.toOriginal)
  }
  const problem = refuseForeign(erased.code, result) ?? result
  throw erased.problem !== undefined && erased.problem.offset < problem.offset
    ? yield* fail(original, text, erased.problem)
    : yield* fail(original, erased.code, problem, erased.toOriginal)
}

const refuseForeign = (text: string, problem: Problem): Problem | undefined => {
  switch (problem.code === "SYNTAX_ERROR" ? foreignSyntax(text, problem) : undefined) {
    case "jsx":
      return unsupported(
        problem.offset,
        "Programs have no JSX.",
        "Return data, or build the text with template literals.",
      )
    case "decorator":
      return unsupported(
        problem.offset,
        "Programs have no decorators.",
        "Call the function on the class or the method yourself.",
      )
    default:
      return undefined
  }
}

function* conclude(
  original: string,
  code: string,
  result: Parsed | Problem,
  toOriginal: (offset: number) => number = (offset) => offset,
): Steps<ParsedProgram> {
  if (result instanceof Problem) throw yield* fail(original, code, result, toOriginal)
  const source = new Source(original)
  try {
    const { ast, form } = normalize(result.ast, result.parser.hasReturn)
    return { original, code, ast, form, toOriginal, locate: (offset) => source.locate(toOriginal(offset)) }
  } catch (error) {
    throw error instanceof Problem ? yield* fail(original, code, error, toOriginal) : error
  }
}

function* fail(
  original: string,
  code: string,
  problem: Problem,
  toOriginal: (offset: number) => number = (offset) => offset,
): Steps<ProgramSyntaxError> {
  const source = new Source(original)
  const locate = (offset: number): Location => source.locate(toOriginal(offset))
  const hint = yield* syntaxHint(code, problem, locate)
  const diagnostic: Diagnostic = {
    code: problem.code,
    message: problem.message,
    location: locate(problem.offset),
    ...hint === undefined ? {} : { hint },
  }
  return new ProgramSyntaxError(diagnostic)
}

let loading: Promise<TypeScript> | undefined

/** Loads TypeScript's compiler, once: most of a second, and tens of megabytes. */
export const loadTypeScript = (): Promise<TypeScript> => {
  loading ??= import("./typescript.ts").then(({ typeScript }) => typeScript, (error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** Parses a program, loading TypeScript if it is needed. Rejects with a {@link ProgramSyntaxError}. */
export const parse = async (code: string, options: ParseOptions = {}): Promise<ParsedProgram> => {
  const parsed = parseProgram(code, options)
  if (parsed !== needsTypeScript) return parsed
  return parseProgram(code, { ...options, typeScript: await loadTypeScript() }) as ParsedProgram
}
