import type * as acorn from "acorn"
import { discard } from "./assignments.ts"
import type { FunctionBuilder, Label } from "./builder.ts"
import { resetCompletion } from "./control.ts"
import { declaration } from "./declarations.ts"
import { expression } from "./expressions.ts"
import { enter, leave } from "./names.ts"
import { Op } from "./opcodes.ts"
import { compareJumps, condition } from "./operators.ts"
import { headDeclaresResources, withResources } from "./resources.ts"
import { needsCheck, type Scope } from "./scope.ts"
import { stable } from "./values.ts"

// Loops that test: `while`, `do … while` and `for (…; …; …)`.

/** The body of a loop between its labels. */
export const loopBody = (
  f: FunctionBuilder,
  labels: ReadonlyArray<string>,
  end: Label,
  next: Label,
  body: () => void,
): void => {
  f.controls.push({ type: "block", labels, breakLabel: end, plain: false })
  f.controls.push({ type: "iteration", labels, continueLabel: next })
  body()
  f.controls.length -= 2
  f.place(next)
}

/** A `while` or a `do … while`. */
export const while_ = (
  f: FunctionBuilder,
  node: acorn.WhileStatement | acorn.DoWhileStatement,
  labels: ReadonlyArray<string>,
): void => {
  const start = f.label()
  const next = f.label()
  const end = f.label()
  resetCompletion(f)
  f.enterLoop()
  if (node.type === "WhileStatement") f.jump(next)
  f.place(start)
  // Where a run is that ends here, in a loop of nothing else.
  f.at(node)
  loopBody(f, labels, end, next, () => f.gen.statement(f, node.body))
  jumpBack(f, node.test, start, end)
  f.leaveLoop()
  f.place(end)
}

/**
 * The jump to the start of a loop while the test holds, which is the last instruction emitted; where the first of two tests fails, it goes
 * to the end before.
 */
const jumpBack = (
  f: FunctionBuilder,
  test: acorn.Expression | null | undefined,
  start: Label,
  end: Label,
): void => {
  const mark = f.top
  while (test?.type === "ParenthesizedExpression") test = test.expression
  if (!test || (test.type === "Literal" && test.value)) return f.jump(start)
  if (test.type === "LogicalExpression" && test.operator === "&&") {
    condition(f, test.left, end, false)
    return jumpBack(f, test.right, start, end)
  }
  if (test.type === "BinaryExpression" && test.left.type !== "PrivateIdentifier") {
    const ops = compareJumps[test.operator]
    if (ops !== undefined) {
      const left = stable(f, test.left, [test.right])
      const right = expression(f, test.right)
      f.top = mark
      f.at(test)
      f.compareJump(ops[0], left, right, start)
      return
    }
  }
  const value = expression(f, test)
  f.top = mark
  f.jumpIf(Op.JumpTrue, value, start)
}

export const for_ = (f: FunctionBuilder, node: acorn.ForStatement, labels: ReadonlyArray<string>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  resetCompletion(f)
  enter(f, scope)
  if (headDeclaresResources(node.init)) withResources(f, () => forParts(f, node, labels, scope))
  else forParts(f, node, labels, scope)
  leave(f, scope, mark)
}

/** The registers of the counter and the limit of `for (…; i < limit; i++)`, where nothing but the loop can see the counter. */
const counts = (
  f: FunctionBuilder,
  { test, update }: acorn.ForStatement,
): { register: number; limit: number } | null => {
  if (update?.type !== "UpdateExpression" || update.operator !== "++" || update.argument.type !== "Identifier") {
    return null
  }
  if (test?.type !== "BinaryExpression" || test.operator !== "<" || test.left.type !== "Identifier") return null
  if (test.left.name !== update.argument.name) return null
  const kind = f.lookup(test.left.name)?.kind
  const register = kind === "let" || kind === "var" || kind === "parameter" ? plainVariable(f, test.left) : -1
  const limit = test.right.type === "Identifier"
    ? plainLimit(f, test.right)
    : test.right.type === "Literal" && typeof test.right.value === "number"
    ? f.literalRegister(test.right.value)
    : -1
  return register < 0 || limit < 0 ? null : { register, limit }
}

/** The register of a variable that can be read without a check or an instruction, or -1. */
const plainLimit = (f: FunctionBuilder, node: acorn.Identifier): number => {
  const binding = f.lookup(node.name)
  const isConstant = binding !== null && binding.constant !== undefined && !needsCheck(binding, f.func, node.start)
  const register = isConstant ? f.literalRegister(binding.constant) : -1
  return register >= 0 ? register : plainVariable(f, node)
}

/** The register of a variable of this function that can be read and written without a check, or -1. */
const plainVariable = (f: FunctionBuilder, { name, start }: acorn.Identifier): number => {
  const binding = f.lookup(name)
  const isPlain = binding !== null && binding.scope.func === f.func && !binding.captured && binding.kind !== "self" &&
    !needsCheck(binding, f.func, start)
  return isPlain ? binding.register : -1
}

const forParts = (f: FunctionBuilder, node: acorn.ForStatement, labels: ReadonlyArray<string>, scope: Scope): void => {
  if (node.init) {
    if (node.init.type === "VariableDeclaration") declaration(f, node.init)
    else {
      const top = f.top
      expression(f, node.init)
      f.top = top
    }
  }
  // Each iteration has its own variables, which shows only where closures capture them.
  const copied = node.init?.type === "VariableDeclaration" && node.init.kind === "let"
    ? [...scope.names.values()].filter((binding) => binding.captured)
    : []
  for (const binding of copied) f.emit(Op.CopyCell, binding.register)
  const start = f.label()
  const test = f.label()
  const next = f.label()
  const end = f.label()
  const counter = counts(f, node)
  // The test stands twice, so that counting and testing are one instruction.
  if (counter !== null) {
    f.at(node.test!)
    f.compareJump(Op.JumpNotLess, counter.register, counter.limit, end)
  }
  f.enterLoop()
  if (counter === null && node.test) f.jump(test)
  f.place(start)
  f.at(node)
  loopBody(f, labels, end, next, () => f.gen.statement(f, node.body))
  if (counter !== null) {
    f.at(node.test!)
    f.compareJump(Op.IncrementJumpLess, counter.register, counter.limit, start)
    f.leaveLoop()
    f.place(end)
    return
  }
  for (const binding of copied) f.emit(Op.CopyCell, binding.register)
  if (node.update) {
    const top = f.top
    discard(f, node.update)
    f.top = top
  }
  f.place(test)
  jumpBack(f, node.test, start, end)
  f.leaveLoop()
  f.place(end)
}
