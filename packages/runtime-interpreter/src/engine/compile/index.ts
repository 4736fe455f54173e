/** From syntax tree to bytecode: scope analysis, then one pass of code generation. Knows nothing of realms. */
import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import { finish } from "../parse/steps.ts"
import { analyze } from "./analyze.ts"
import { FunctionBuilder, type Generators, type Templates } from "./builder.ts"
import { class_ } from "./classes.ts"
import { emitReturn } from "./control.ts"
import { expression, expressionInSteps } from "./expressions.ts"
import { closure, defaultConstructor, program } from "./functions.ts"
import { literalKey } from "./literals.ts"
import { bind } from "./patterns.ts"
import { blockInSteps, statement } from "./statements.ts"
import type { Source, Template } from "./template.ts"

const generators: Generators = {
  expression,
  expressionInSteps,
  statement,
  blockInSteps,
  closure,
  defaultConstructor,
  class: class_,
  return: emitReturn,
  bind,
  keyText: (key) => toKey(key.type === "Identifier" ? key.name : literalKey(key as acorn.Literal)),
}

/** How a program is compiled. */
export interface CompileOptions {
  /** Whether the program is an async function, so that `await` works at its top. */
  readonly isAsync: boolean
  /** Whether its value is that of the last expression statement. */
  readonly completion: boolean
}

export const compile = (ast: acorn.Program, source: Source, options: CompileOptions): Template =>
  finish(compileSteps(ast, source, options))

/** The same in steps: a statement, or a function, at a time. */
export function* compileSteps(
  ast: acorn.Program,
  source: Source,
  options: CompileOptions,
): Generator<undefined, Template> {
  const analysis = yield* analyze(ast)
  const templates: Templates = { count: 0, later: [] }
  const f = new FunctionBuilder(
    generators,
    source,
    analysis,
    analysis.program,
    templates,
    0,
    options.isAsync,
    false,
    false,
  )
  const template = yield* program(f, ast, options.completion)
  // Each may add those inside it.
  for (const compile of templates.later) {
    const steps = compile()
    if (steps !== undefined) yield* steps
    yield
  }
  return template
}

export type { Source, Template } from "./template.ts"
