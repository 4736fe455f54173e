import type * as acorn from "acorn"
import { finish } from "../parse/steps.ts"
import type { FunctionBuilder } from "./builder.ts"
import { isLocalOf } from "./names.ts"
import { Op } from "./opcodes.ts"

/** What the parser puts where an expression stands. */
export type Expression = acorn.Expression | acorn.Super | acorn.PrivateIdentifier

/** An expression whose value stands in a register that later code may not change: not in that of a variable that `after` assigns. */
export const stable = (f: FunctionBuilder, node: Expression, after: ReadonlyArray<acorn.AnyNode | null>): number => {
  const register = f.gen.expression(f, node)
  if (!isLocalOf(f, node, register) || !after.some((other) => other !== null && mayAssign(other))) return register
  const copy = f.temporary()
  f.emit(Op.Move, copy, register)
  return copy
}

const assigns = new WeakMap<object, boolean>()

/** Whether evaluating the node may assign a variable of the running function. */
export const mayAssign = (node: acorn.AnyNode): boolean => {
  switch (node.type) {
    case "Identifier":
    case "Literal":
    case "ThisExpression":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return false
    case "AssignmentExpression":
    case "UpdateExpression":
      return true
  }
  let result = assigns.get(node)
  if (result === undefined) {
    result = false
    for (const key in node) {
      const child = (node as unknown as Record<string, unknown>)[key]
      if (typeof child !== "object" || child === null) continue
      const nodes = (Array.isArray(child) ? child : [child]) as Array<acorn.AnyNode | null>
      if (nodes.some((item) => item !== null && typeof item.type === "string" && mayAssign(item))) {
        result = true
        break
      }
    }
    assigns.set(node, result)
  }
  return result
}

/** A function or class that takes its name from where it stands. */
export const named = (f: FunctionBuilder, node: acorn.Expression, name: string, dst = -1): number => {
  if (node.type === "ClassExpression") {
    const target = dst < 0 ? f.temporary() : dst
    finish(f.gen.class(f, node, target, name))
    return target
  }
  if (node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression") {
    const target = dst < 0 ? f.temporary() : dst
    f.gen.closure(f, node, target, { name: (node.type === "FunctionExpression" && node.id?.name) || name })
    return target
  }
  return f.gen.expression(f, node, dst)
}

/** https://tc39.es/ecma262/#sec-isanonymousfunctiondefinition */
export const isAnonymousFunction = (node: acorn.AnyNode): boolean =>
  node.type === "ArrowFunctionExpression" || (node.type === "FunctionExpression" && !node.id) ||
  (node.type === "ClassExpression" && !node.id)
