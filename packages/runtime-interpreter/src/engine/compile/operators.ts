import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import type { FunctionBuilder, Label } from "./builder.ts"
import { chain, chainPart } from "./members.ts"
import { load } from "./names.ts"
import { ErrorKind, Op } from "./opcodes.ts"
import { THIS } from "./scope.ts"
import { stable } from "./values.ts"

export const binaryOps: Record<string, Op> = {
  "+": Op.Add,
  "-": Op.Subtract,
  "*": Op.Multiply,
  "/": Op.Divide,
  "%": Op.Remainder,
  "**": Op.Exponentiate,
  "&": Op.BitAnd,
  "|": Op.BitOr,
  "^": Op.BitXor,
  "<<": Op.ShiftLeft,
  ">>": Op.ShiftRight,
  ">>>": Op.ShiftRightUnsigned,
  "<": Op.Less,
  "<=": Op.LessEqual,
  ">": Op.Greater,
  ">=": Op.GreaterEqual,
  "==": Op.Equal,
  "!=": Op.NotEqual,
  "===": Op.StrictEqual,
  "!==": Op.StrictNotEqual,
  in: Op.In,
  instanceof: Op.InstanceOf,
}

/** The jumps that a comparison becomes: where it holds, and where it does not. */
export const compareJumps: Record<string, readonly [Op, Op]> = {
  "<": [Op.JumpLess, Op.JumpNotLess],
  "<=": [Op.JumpLessEqual, Op.JumpNotLessEqual],
  ">": [Op.JumpGreater, Op.JumpNotGreater],
  ">=": [Op.JumpGreaterEqual, Op.JumpNotGreaterEqual],
  "===": [Op.JumpStrictEqual, Op.JumpStrictNotEqual],
  "!==": [Op.JumpStrictNotEqual, Op.JumpStrictEqual],
}

/** Whether what an expression gives is in a register of its own, which its last instruction writes. */
export const isComputed = ({ type }: acorn.Expression | acorn.PrivateIdentifier): boolean =>
  type === "BinaryExpression" || type === "MemberExpression"

export const binary = (f: FunctionBuilder, node: acorn.BinaryExpression, dst: number): number => {
  const mark = f.top
  if (node.left.type === "PrivateIdentifier") {
    const name = load(f, `#${node.left.name}`, node.left)
    const object = f.gen.expression(f, node.right)
    f.top = mark
    const target = dst < 0 ? f.temporary() : dst
    f.at(node, node.right)
    f.emit(Op.HasPrivate, target, object, name)
    return target
  }
  // Chains such as `a + b + c` can be thousands of operands long.
  const spine: Array<acorn.BinaryExpression> = []
  let first: acorn.Expression | acorn.PrivateIdentifier = node
  while (first.type === "BinaryExpression" && first.left.type !== "PrivateIdentifier") {
    spine.push(first)
    first = first.left
  }
  let left = stable(f, first, [spine.at(-1)!.right])
  let isTemporary = isComputed(first)
  for (let part = spine.pop(); part !== undefined; part = spine.pop()) {
    const right = f.gen.expression(f, part.right)
    if (isComputed(part.right)) f.readOnce(right)
    else if (isTemporary) f.readOnce(left)
    isTemporary = true
    f.top = mark
    const target = dst < 0 || spine.length > 0 ? f.temporary() : dst
    f.at(part, part.operator === "in" || part.operator === "instanceof" ? part.right : part)
    f.emit(binaryOps[part.operator]!, target, left, right)
    if (dst >= 0 && spine.length === 0) f.top = mark
    left = target
  }
  return left
}

export const unary = (f: FunctionBuilder, node: acorn.UnaryExpression, dst: number): number => {
  const mark = f.top
  const { argument } = node
  if (node.operator === "typeof" && argument.type === "Identifier" && f.lookup(argument.name) === null) {
    const target = dst < 0 ? f.temporary() : dst
    f.emit(Op.TypeofGlobal, target, f.constant(argument.name))
    return target
  }
  if (node.operator === "delete") return delete_(f, argument, dst)
  if (node.operator === "void") {
    f.gen.expression(f, argument)
    f.top = mark
    return f.load(undefined, dst)
  }
  // Not -0: constants are told apart by `Map`, to which it is 0.
  if (
    node.operator === "-" && argument.type === "Literal" && typeof argument.value === "number" && argument.value !== 0
  ) {
    return f.load(-argument.value, dst)
  }
  const value = f.gen.expression(f, argument)
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  f.at(node, argument)
  const op = { "-": Op.Negate, "+": Op.ToNumber, "!": Op.Not, "~": Op.BitNot, typeof: Op.Typeof }[node.operator]
  f.emit(op, target, value)
  return target
}

const delete_ = (f: FunctionBuilder, argument: acorn.Expression, dst: number): number => {
  const target = dst < 0 ? f.temporary() : dst
  const mark = f.top
  while (argument.type === "ParenthesizedExpression") argument = argument.expression
  if (argument.type === "ChainExpression") {
    const end = f.label()
    const none = f.label()
    const inner = argument.expression
    if (inner.type === "MemberExpression") {
      const object = chainPart(f, inner.object, none, [inner.property])
      if (inner.optional) f.jumpIf(Op.JumpNullish, object, none)
      deleteMember(f, inner, object, target)
    } else {
      chain(f, inner, target, none)
      f.load(true, target)
    }
    f.jump(end)
    f.place(none)
    f.load(true, target)
    f.place(end)
  } else if (argument.type === "MemberExpression" && argument.object.type === "Super") {
    load(f, THIS, argument)
    if (argument.computed) f.gen.expression(f, argument.property)
    f.at(argument)
    f.emit(Op.ThrowError, ErrorKind.ReferenceError, f.constant("Unsupported reference to 'super'"))
  } else if (argument.type === "MemberExpression") {
    const object = argument.computed
      ? stable(f, argument.object, [argument.property])
      : f.gen.expression(f, argument.object)
    deleteMember(f, argument, object, target)
  } else {
    f.gen.expression(f, argument)
    f.load(true, target)
  }
  f.top = mark
  return target
}

const deleteMember = (f: FunctionBuilder, node: acorn.MemberExpression, object: number, target: number): void => {
  const mark = f.top
  if (node.computed) {
    const key = f.gen.expression(f, node.property)
    f.at(node, node.object)
    f.emit(Op.DeleteElement, target, object, key)
  } else {
    f.at(node, node.object)
    f.emit(Op.DeleteProperty, target, object, f.constant(toKey((node.property as acorn.Identifier).name)))
  }
  f.top = mark
}

export const logical = (f: FunctionBuilder, node: acorn.LogicalExpression, dst: number): number => {
  const target = dst < 0 ? f.temporary() : dst
  const mark = f.top
  const spine: Array<acorn.LogicalExpression> = []
  let first: acorn.Expression = node
  while (first.type === "LogicalExpression") {
    spine.push(first)
    first = first.left
  }
  f.gen.expression(f, first, target)
  for (let part = spine.pop(); part !== undefined; part = spine.pop()) {
    const end = f.label()
    const { operator } = part
    f.jumpIf(operator === "&&" ? Op.JumpFalse : operator === "||" ? Op.JumpTrue : Op.JumpNotNullish, target, end)
    f.gen.expression(f, part.right, target)
    f.place(end)
    f.top = mark
  }
  return target
}

/** Jumps to `label` if the truth of the expression is `when`; falls through otherwise. */
export const condition = (f: FunctionBuilder, node: acorn.Expression, label: Label, when: boolean): void => {
  const mark = f.top
  while (node.type === "ParenthesizedExpression") node = node.expression
  if (node.type === "UnaryExpression" && node.operator === "!") return condition(f, node.argument, label, !when)
  if (node.type === "LogicalExpression" && node.operator !== "??") {
    if ((node.operator === "&&") === when) {
      // Both decide: `a && b` is true, or `a || b` is false, only if both are.
      const other = f.label()
      condition(f, node.left, other, !when)
      condition(f, node.right, label, when)
      f.place(other)
    } else {
      condition(f, node.left, label, when)
      condition(f, node.right, label, when)
    }
    return
  }
  if (node.type === "BinaryExpression" && node.left.type !== "PrivateIdentifier") {
    const ops = compareJumps[node.operator]
    if (ops !== undefined) {
      const left = stable(f, node.left, [node.right])
      const right = f.gen.expression(f, node.right)
      f.top = mark
      f.at(node)
      const op = when ? ops[0] : ops[1]
      const isUndefined = right === f.literalRegister(undefined)
      if (isUndefined && op === Op.JumpStrictEqual) f.jumpIf(Op.JumpUndefined, left, label)
      else if (isUndefined && op === Op.JumpStrictNotEqual) f.jumpIf(Op.JumpNotUndefined, left, label)
      else f.compareJump(op, left, right, label)
      return
    }
  }
  if (node.type === "Literal" && node.regex === undefined && node.bigint == null) {
    if (Boolean(node.value) === when) f.jump(label)
    return
  }
  const value = f.gen.expression(f, node)
  f.top = mark
  f.jumpIf(when ? Op.JumpTrue : Op.JumpFalse, value, label)
}
