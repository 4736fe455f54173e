// The ways in which models wrap a program, brought to one: statements whose last may be a function to call.
import type * as acorn from "acorn"
import { Problem } from "./diagnostics.ts"

/**
 * How a program gives its value.
 *
 * - `statements`: by a `return` of the top level if it `hasReturn`, else as the value of its last expression statement.
 * - `function`: the last statement's expression is a function; it is called, and what it gives, awaited, is the value.
 */
export type Form =
  | { readonly kind: "statements"; readonly hasReturn: boolean }
  | { readonly kind: "function" }

type Statement = acorn.Program["body"][number]

const saysStrict = (statement: Statement): boolean =>
  statement.type === "ExpressionStatement" && statement.directive === "use strict"

const isFunction = (node: acorn.Expression): boolean =>
  node.type === "ArrowFunctionExpression" || (node.type === "FunctionExpression" && !node.generator)

const statementOf = (expression: acorn.Expression, { end, start }: acorn.Node): acorn.ExpressionStatement => ({
  type: "ExpressionStatement",
  start,
  end,
  expression,
})

// The declaration as an expression. Its own name is bound inside, which is all that a lone function can see of it.
const asExpression = (declaration: acorn.FunctionDeclaration | acorn.AnonymousFunctionDeclaration): acorn.Expression =>
  ({ ...declaration, type: "FunctionExpression" }) as acorn.FunctionExpression

interface Normalized {
  readonly ast: acorn.Program
  readonly form: Form
}

/**
 * Finds the form of a program. Takes `export default` out of its tree, and `"use strict"`: it holds already, and a directive
 * must not be the last expression of a program that has no other.
 */
export const normalize = (parsed: acorn.Program, hasReturn: boolean): Normalized => {
  const ast = parsed.body.some(saysStrict)
    ? { ...parsed, body: parsed.body.filter((statement) => !saysStrict(statement)) }
    : parsed
  const exported = ast.body.find((statement) => statement.type === "ExportDefaultDeclaration")
  if (exported !== undefined) return takeDefault(ast, exported, hasReturn)
  const statements = ast.body.filter((statement) => statement.type !== "EmptyStatement")
  const [only] = statements
  if (only === undefined || statements.length > 1) return { ast, form: { kind: "statements", hasReturn } }
  if (only.type === "FunctionDeclaration" && !only.generator) {
    const body = ast.body.map((statement) => statement === only ? statementOf(asExpression(only), only) : statement)
    return { ast: { ...ast, body }, form: { kind: "function" } }
  }
  return only.type === "ExpressionStatement" && isFunction(only.expression)
    ? { ast, form: { kind: "function" } }
    : { ast, form: { kind: "statements", hasReturn } }
}

// The export may stand before the functions and constants that it uses, so what it exports becomes the last statement.
const takeDefault = (
  ast: acorn.Program,
  exported: acorn.ExportDefaultDeclaration,
  hasReturn: boolean,
): Normalized => {
  const { declaration } = exported
  const others = ast.body.filter((statement) => statement !== exported)
  const last = (expression: acorn.Expression) => ({
    ...ast,
    body: [...others, statementOf(expression, exported)],
  })
  if (declaration.type === "FunctionDeclaration" && !declaration.generator) {
    if (declaration.id === null) return { ast: last(asExpression(declaration)), form: { kind: "function" } }
    const { end, name, start } = declaration.id
    const body = ast.body.map((statement) =>
      statement === exported ? declaration as acorn.FunctionDeclaration : statement
    )
    body.push(statementOf({ type: "Identifier", name, start, end }, exported))
    return { ast: { ...ast, body }, form: { kind: "function" } }
  }
  if (declaration.type !== "FunctionDeclaration" && declaration.type !== "ClassDeclaration") {
    if (isFunction(declaration)) return { ast: last(declaration), form: { kind: "function" } }
    if (exported === ast.body.at(-1) && !hasReturn) {
      return { ast: last(declaration), form: { kind: "statements", hasReturn } }
    }
  }
  throw new Problem(
    "UNSUPPORTED_SYNTAX",
    exported.start,
    "Programs have no modules: `export` is not available.",
    undefined,
    "Leave out `export default`, and `return` the result.",
  )
}
