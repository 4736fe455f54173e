import type * as acorn from "acorn"
import type { FunctionBuilder } from "./builder.ts"
import { emitReturn } from "./control.ts"
import { await_ } from "./coroutines.ts"
import { expression } from "./expressions.ts"
import { Op } from "./opcodes.ts"
import { condition } from "./operators.ts"

export const return_ = (f: FunctionBuilder, node: acorn.ReturnStatement): void => {
  if (node.argument && returnsAtOnce(f)) returnExpression(f, node.argument)
  else returnThrough(f, node, node.argument ? expression(f, node.argument) : f.load(undefined))
}

/** Whether nothing encloses what returns. */
export const returnsAtOnce = (f: FunctionBuilder): boolean => f.controls.length === 0 && !f.isAsync

export const returnAtOnce = (f: FunctionBuilder, node: acorn.Expression, value: number): void => {
  f.at(node)
  emitReturn(f, value)
}

/** Returns the value of an expression where nothing encloses the statement: each branch of a conditional for itself. */
export const returnExpression = (f: FunctionBuilder, node: acorn.Expression): void => {
  const mark = f.top
  while (node.type === "ParenthesizedExpression") node = node.expression
  if (node.type === "ConditionalExpression") {
    const otherwise = f.label()
    condition(f, node.test, otherwise, false)
    returnExpression(f, node.consequent)
    f.place(otherwise)
    returnExpression(f, node.alternate)
  } else {
    returnAtOnce(f, node, expression(f, node))
  }
  f.top = mark
}

export const returnThrough = (f: FunctionBuilder, node: acorn.ReturnStatement, given: number): void => {
  let value = given
  f.at(node)
  if (node.argument && f.isAsync && f.isGenerator) {
    const awaited = f.temporary()
    await_(f, awaited, value)
    value = awaited
  }
  // Code on the way out may assign the variable whose value is returned.
  if (f.controls.some((control) => control.type === "finally" || control.type === "iterator") && value < f.top) {
    const copy = f.temporary()
    f.emit(Op.Move, copy, value)
    value = copy
  }
  emitReturn(f, value)
}
