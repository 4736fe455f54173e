/** From syntax tree to bytecode: scope analysis, then one pass of code generation. Knows nothing of realms. */
import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import { FunctionBuilder, type Generators } from "./builder.ts"
import { class_ } from "./classes.ts"
import { emitReturn } from "./control.ts"
import { expression, literalKey } from "./expressions.ts"
import { closure, defaultConstructor, program } from "./functions.ts"
import { bind } from "./patterns.ts"
import { analyze } from "./scope.ts"
import { statement, statements } from "./statements.ts"
import type { Source, Template } from "./template.ts"

const generators: Generators = {
  expression,
  statement,
  statements,
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

export const compile = (ast: acorn.Program, source: Source, options: CompileOptions): Template => {
  const analysis = analyze(ast)
  const f = new FunctionBuilder(
    generators,
    source,
    analysis,
    analysis.program,
    { count: 0 },
    0,
    options.isAsync,
    false,
    false,
  )
  return program(f, ast, options.completion)
}

export type { Source, Template } from "./template.ts"
