import type * as acorn from "acorn"
import type { Steps } from "../parse/steps.ts"
import { assignment, discard, update } from "./assignments.ts"
import type { FunctionBuilder } from "./builder.ts"
import { await_, yield_, yieldDelegate } from "./coroutines.ts"
import { array, arrayInSteps, object, objectInSteps, template } from "./literals.ts"
import { call, chain, construct, member } from "./members.ts"
import { load } from "./names.ts"
import { Op } from "./opcodes.ts"
import { binary, condition, logical, unary } from "./operators.ts"
import { isLong } from "./pieces.ts"
import { NEW_TARGET, THIS } from "./scope.ts"
import { type Expression, isAnonymousFunction, named } from "./values.ts"

/** Emits an expression; its value is in the register returned, which is `dst` where one is asked for. */
export const expression = (f: FunctionBuilder, node: Expression, dst = -1): number => {
  switch (node.type) {
    case "Literal":
      if (node.regex != null) {
        const target = dst < 0 ? f.temporary() : dst
        f.at(node)
        f.emit(Op.NewRegExp, target, f.constant({ pattern: node.regex.pattern, flags: node.regex.flags }))
        return target
      }
      return f.load(node.value, dst)
    case "Identifier":
      return load(f, node.name, node, dst)
    case "ThisExpression":
      return load(f, THIS, node, dst)
    case "MetaProperty":
      return load(f, NEW_TARGET, node, dst)
    case "ParenthesizedExpression":
      return expression(f, node.expression, dst)
    case "TemplateLiteral":
      return template(f, node, dst)
    case "TaggedTemplateExpression":
    case "CallExpression":
      return call(f, node, dst, null)
    case "NewExpression":
      return construct(f, node, dst)
    case "MemberExpression":
      return member(f, node, dst, null)
    case "ChainExpression": {
      const target = dst < 0 ? f.temporary() : dst
      const mark = f.top
      const end = f.label()
      const none = f.label()
      chain(f, node.expression, target, none)
      f.jump(end)
      f.place(none)
      f.load(undefined, target)
      f.place(end)
      f.top = mark
      return target
    }
    case "UnaryExpression":
      return unary(f, node, dst)
    case "UpdateExpression":
      return update(f, node, dst)
    case "BinaryExpression":
      return binary(f, node, dst)
    case "LogicalExpression":
      return logical(f, node, dst)
    case "ConditionalExpression": {
      const target = dst < 0 ? f.temporary() : dst
      const mark = f.top
      const otherwise = f.label()
      const end = f.label()
      condition(f, node.test, otherwise, false)
      expression(f, node.consequent, target)
      f.jump(end)
      f.place(otherwise)
      expression(f, node.alternate, target)
      f.place(end)
      f.top = mark
      return target
    }
    case "SequenceExpression": {
      const mark = f.top
      for (const part of node.expressions.slice(0, -1)) {
        discard(f, part)
        f.top = mark
      }
      return expression(f, node.expressions.at(-1)!, dst)
    }
    case "AssignmentExpression":
      return assignment(f, node, dst)
    case "ArrayExpression":
      return array(f, node, dst)
    case "ObjectExpression":
      return object(f, node, dst)
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassExpression":
      return named(f, node, "", dst)
    case "AwaitExpression": {
      const target = dst < 0 ? f.temporary() : dst
      const mark = f.top
      const value = expression(f, node.argument)
      f.at(node)
      await_(f, target, value)
      f.top = mark
      return target
    }
    case "YieldExpression": {
      const target = dst < 0 ? f.temporary() : dst
      const mark = f.top
      const value = node.argument ? expression(f, node.argument) : f.load(undefined)
      f.at(node)
      if (node.delegate) yieldDelegate(f, target, value)
      else yield_(f, target, value)
      f.top = mark
      return target
    }
    default:
      throw new Error(`No code for ${node.type}`)
  }
}

/** The same in steps, where it is a long literal; an anonymous function or class takes the name. */
export function* expressionInSteps(
  f: FunctionBuilder,
  node: acorn.Expression,
  dst = -1,
  name = "",
): Steps<number> {
  if (isLong(node)) {
    if (node.type === "ArrayExpression") return yield* arrayInSteps(f, node, dst)
    if (node.type === "ObjectExpression") return yield* objectInSteps(f, node, dst)
    if (node.type === "ClassExpression") {
      const target = dst < 0 ? f.temporary() : dst
      yield* f.gen.class(f, node, target, name)
      return target
    }
  }
  return isAnonymousFunction(node) ? named(f, node, name, dst) : expression(f, node, dst)
}
