import type * as acorn from "acorn"
import { finish, type Steps } from "../parse/steps.ts"
import { discard } from "./assignments.ts"
import type { FunctionBuilder } from "./builder.ts"
import { emitBreak, emitContinue, resetCompletion } from "./control.ts"
import { classDeclaration, declaration, declare, declareAs, directRegister } from "./declarations.ts"
import { expression, expressionInSteps } from "./expressions.ts"
import { forIn, forOf } from "./for-each.ts"
import { for_, while_ } from "./loops.ts"
import { enter, leave } from "./names.ts"
import { Op } from "./opcodes.ts"
import { condition } from "./operators.ts"
import { isLong, Stretches } from "./pieces.ts"
import { declaresResources, withResources } from "./resources.ts"
import { return_, returnAtOnce, returnsAtOnce, returnThrough } from "./returns.ts"
import { try_ } from "./try.ts"

type Statement = acorn.Statement | acorn.ModuleDeclaration

const statements = (f: FunctionBuilder, nodes: ReadonlyArray<Statement>): void => {
  for (const node of nodes) statement(f, node)
}

export const statement = (f: FunctionBuilder, node: Statement): void => labelled(f, node, [])

/** Statements in steps, and what is long in them. */
function* statementsInSteps(f: FunctionBuilder, nodes: ReadonlyArray<Statement>): Steps<void> {
  const pace = new Stretches(f)
  for (const node of nodes) {
    if (isLong(node)) yield* statementInSteps(f, node)
    else statement(f, node)
    if (pace.isDue(node)) yield
  }
  pace.end()
}

function* statementInSteps(f: FunctionBuilder, node: Statement): Steps<void> {
  const mark = f.top
  switch (node.type) {
    case "BlockStatement":
      yield* blockInSteps(f, node, node.body)
      break
    case "TryStatement":
      yield* try_(f, node)
      break
    case "ClassDeclaration":
      yield* classDeclaration(f, node)
      break
    case "VariableDeclaration":
      for (const declarator of node.declarations) {
        const { id, init } = declarator
        if (id.type !== "Identifier" || !init || !isLong(init)) declare(f, node, declarator)
        else {
          const dst = directRegister(f, node, id)
          declareAs(f, node, id, init, yield* expressionInSteps(f, init, dst, id.name), dst)
        }
        f.top = mark
      }
      break
    case "ReturnStatement":
      if (isLiteral(node.argument)) {
        const value = yield* expressionInSteps(f, node.argument)
        if (returnsAtOnce(f)) returnAtOnce(f, node.argument, value)
        else returnThrough(f, node, value)
      } else statement(f, node)
      break
    case "ExpressionStatement":
      if (f.completion >= 0) yield* expressionInSteps(f, node.expression, f.completion)
      else statement(f, node)
      break
    default:
      statement(f, node)
  }
  f.top = mark
}

const isLiteral = (node: acorn.Expression | null | undefined): node is acorn.ArrayExpression | acorn.ObjectExpression =>
  node?.type === "ArrayExpression" || node?.type === "ObjectExpression"

const labelled = (f: FunctionBuilder, node: Statement, labels: ReadonlyArray<string>): void => {
  const mark = f.top
  switch (node.type) {
    case "ExpressionStatement":
      if (f.completion >= 0) expression(f, node.expression, f.completion)
      else discard(f, node.expression)
      break
    case "VariableDeclaration":
      declaration(f, node)
      break
    case "FunctionDeclaration":
    case "EmptyStatement":
    case "DebuggerStatement":
      break
    case "ClassDeclaration":
      finish(classDeclaration(f, node))
      break
    case "ReturnStatement":
      return_(f, node)
      break
    case "IfStatement":
      if_(f, node)
      break
    case "BlockStatement":
      if (labels.length > 0) breakable(f, labels, true, () => block(f, node, node.body))
      else block(f, node, node.body)
      break
    case "ForStatement":
      for_(f, node, labels)
      break
    case "WhileStatement":
    case "DoWhileStatement":
      while_(f, node, labels)
      break
    case "ForInStatement":
      forIn(f, node, labels)
      break
    case "ForOfStatement":
      forOf(f, node, labels)
      break
    case "SwitchStatement":
      switch_(f, node, labels)
      break
    case "BreakStatement":
      emitBreak(f, node.label?.name ?? null)
      break
    case "ContinueStatement":
      emitContinue(f, node.label?.name ?? null)
      break
    case "ThrowStatement": {
      const value = expression(f, node.argument)
      f.at(node)
      f.emit(Op.Throw, value)
      break
    }
    case "TryStatement":
      if (labels.length > 0) breakable(f, labels, true, () => finish(try_(f, node)))
      else finish(try_(f, node))
      break
    case "LabeledStatement": {
      const all = [...labels, node.label.name]
      let inner: acorn.Statement = node.body
      while (inner.type === "LabeledStatement") {
        all.push(inner.label.name)
        inner = inner.body
      }
      if (
        isLoop(inner) || inner.type === "SwitchStatement" || inner.type === "BlockStatement" ||
        inner.type === "TryStatement"
      ) labelled(f, inner, all)
      else breakable(f, all, true, () => statement(f, inner))
      break
    }
    default:
      throw new Error(`No code for ${node.type}`)
  }
  // Only declarations keep their registers, and those belong to the scope.
  f.top = mark
}

const isLoop = (node: acorn.Statement): boolean =>
  node.type === "ForStatement" || node.type === "WhileStatement" || node.type === "DoWhileStatement" ||
  node.type === "ForInStatement" || node.type === "ForOfStatement"

/** A statement that `break` can leave; a plain one only by its label. */
const breakable = (f: FunctionBuilder, labels: ReadonlyArray<string>, plain: boolean, body: () => void): void => {
  const end = f.label()
  f.controls.push({ type: "block", labels, breakLabel: end, plain })
  body()
  f.controls.pop()
  f.place(end)
}

export const block = (f: FunctionBuilder, node: object, body: ReadonlyArray<Statement>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  enter(f, scope)
  scoped(f, body)
  leave(f, scope, mark)
}

export function* blockInSteps(f: FunctionBuilder, node: object, body: ReadonlyArray<Statement>): Steps<void> {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  enter(f, scope)
  yield* scopedInSteps(f, body)
  leave(f, scope, mark)
}

/** The statements of a scope in steps, unless they declare resources. */
export function* scopedInSteps(f: FunctionBuilder, body: ReadonlyArray<Statement>): Steps<void> {
  if (declaresResources(body)) scoped(f, body)
  else yield* statementsInSteps(f, body)
}

/** The statements of a scope, and the end of the resources they declare. */
const scoped = (f: FunctionBuilder, body: ReadonlyArray<Statement>): void => {
  if (declaresResources(body)) withResources(f, () => statements(f, body))
  else statements(f, body)
}

const if_ = (f: FunctionBuilder, node: acorn.IfStatement): void => {
  const otherwise = f.label()
  resetCompletion(f)
  condition(f, node.test, otherwise, false)
  statement(f, node.consequent)
  if (node.alternate) {
    const end = f.label()
    f.jump(end)
    f.place(otherwise)
    statement(f, node.alternate)
    f.place(end)
  } else f.place(otherwise)
}

const switch_ = (f: FunctionBuilder, node: acorn.SwitchStatement, labels: ReadonlyArray<string>): void => {
  const mark = f.top
  resetCompletion(f)
  const value = expression(f, node.discriminant, f.temporary())
  const scope = f.analysis.scopes.get(node)!
  const top = f.top
  enter(f, scope)
  const end = f.label()
  const places = node.cases.map(() => f.label())
  node.cases.forEach((item, i) => {
    if (!item.test) return
    const before = f.top
    const test = expression(f, item.test)
    f.top = before
    f.compareJump(Op.JumpStrictEqual, value, test, places[i]!)
  })
  const fallback = node.cases.findIndex((item) => !item.test)
  f.jump(fallback < 0 ? end : places[fallback]!)
  f.controls.push({ type: "block", labels, breakLabel: end, plain: false })
  node.cases.forEach((item, i) => {
    f.place(places[i]!)
    statements(f, item.consequent)
  })
  f.controls.pop()
  f.place(end)
  leave(f, scope, top)
  f.top = mark
}
