import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import type { FunctionBuilder, Label } from "./builder.ts"
import { await_, yield_, yieldDelegate } from "./coroutines.ts"
import { isLocalOf, load, store } from "./names.ts"
import { ErrorKind, Op } from "./opcodes.ts"
import { CALLEE, NEW_TARGET, THIS } from "./scope.ts"
import { FunctionKind, type ObjectLiteral, type TemplateStrings } from "./template.ts"

type Expression = acorn.Expression | acorn.Super | acorn.PrivateIdentifier

const binaryOps: Record<string, Op> = {
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

/** Jumps taken when the comparison holds, and when it does not. */
/** The jumps that a comparison becomes: where it holds, and where it does not. */
export const compareJumps: Record<string, readonly [Op, Op]> = {
  "<": [Op.JumpLess, Op.JumpNotLess],
  "<=": [Op.JumpLessEqual, Op.JumpNotLessEqual],
  ">": [Op.JumpGreater, Op.JumpNotGreater],
  ">=": [Op.JumpGreaterEqual, Op.JumpNotGreaterEqual],
  "===": [Op.JumpStrictEqual, Op.JumpStrictNotEqual],
  "!==": [Op.JumpStrictNotEqual, Op.JumpStrictEqual],
}

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
      return f.load(node.bigint == null ? node.value : BigInt(node.bigint), dst)
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

/** An expression whose value stands in a register that later code may not change: not in that of a variable that `after` assigns. */
export const stable = (f: FunctionBuilder, node: Expression, after: ReadonlyArray<acorn.AnyNode | null>): number => {
  const register = expression(f, node)
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
    f.gen.class(f, node, target, name)
    return target
  }
  if (node.type === "FunctionExpression" || node.type === "ArrowFunctionExpression") {
    const target = dst < 0 ? f.temporary() : dst
    f.gen.closure(f, node, target, { name: (node.type === "FunctionExpression" && node.id?.name) || name })
    return target
  }
  return expression(f, node, dst)
}

/** https://tc39.es/ecma262/#sec-isanonymousfunctiondefinition */
export const isAnonymousFunction = (node: acorn.AnyNode): boolean =>
  node.type === "ArrowFunctionExpression" || (node.type === "FunctionExpression" && !node.id) ||
  (node.type === "ClassExpression" && !node.id)

// ---------------------------------------------------------------------------------------------------------------------
// Operators
// ---------------------------------------------------------------------------------------------------------------------

const binary = (f: FunctionBuilder, node: acorn.BinaryExpression, dst: number): number => {
  const mark = f.top
  if (node.left.type === "PrivateIdentifier") {
    const name = load(f, `#${node.left.name}`, node.left)
    const object = expression(f, node.right)
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
  for (let part = spine.pop(); part !== undefined; part = spine.pop()) {
    const right = expression(f, part.right)
    f.top = mark
    const target = dst < 0 || spine.length > 0 ? f.temporary() : dst
    f.at(part, part.operator === "in" || part.operator === "instanceof" ? part.right : part)
    f.emit(binaryOps[part.operator]!, target, left, right)
    if (dst >= 0 && spine.length === 0) f.top = mark
    left = target
  }
  return left
}

const unary = (f: FunctionBuilder, node: acorn.UnaryExpression, dst: number): number => {
  const mark = f.top
  const { argument } = node
  if (node.operator === "typeof" && argument.type === "Identifier" && f.lookup(argument.name) === null) {
    const target = dst < 0 ? f.temporary() : dst
    f.emit(Op.TypeofGlobal, target, f.constant(argument.name))
    return target
  }
  if (node.operator === "delete") return delete_(f, argument, dst)
  if (node.operator === "void") {
    expression(f, argument)
    f.top = mark
    return f.load(undefined, dst)
  }
  // Not -0: constants are told apart by `Map`, to which it is 0.
  if (
    node.operator === "-" && argument.type === "Literal" && typeof argument.value === "number" && argument.value !== 0
  ) {
    return f.load(-argument.value, dst)
  }
  const value = expression(f, argument)
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
    if (argument.computed) expression(f, argument.property)
    f.at(argument)
    f.emit(Op.ThrowError, ErrorKind.ReferenceError, f.constant("Unsupported reference to 'super'"))
  } else if (argument.type === "MemberExpression") {
    const object = argument.computed ? stable(f, argument.object, [argument.property]) : expression(f, argument.object)
    deleteMember(f, argument, object, target)
  } else {
    expression(f, argument)
    f.load(true, target)
  }
  f.top = mark
  return target
}

const deleteMember = (f: FunctionBuilder, node: acorn.MemberExpression, object: number, target: number): void => {
  const mark = f.top
  if (node.computed) {
    const key = expression(f, node.property)
    f.at(node, node.object)
    f.emit(Op.DeleteElement, target, object, key)
  } else {
    f.at(node, node.object)
    f.emit(Op.DeleteProperty, target, object, f.constant(toKey((node.property as acorn.Identifier).name)))
  }
  f.top = mark
}

const logical = (f: FunctionBuilder, node: acorn.LogicalExpression, dst: number): number => {
  const target = dst < 0 ? f.temporary() : dst
  const mark = f.top
  const spine: Array<acorn.LogicalExpression> = []
  let first: acorn.Expression = node
  while (first.type === "LogicalExpression") {
    spine.push(first)
    first = first.left
  }
  expression(f, first, target)
  for (let part = spine.pop(); part !== undefined; part = spine.pop()) {
    const end = f.label()
    const { operator } = part
    f.jumpIf(operator === "&&" ? Op.JumpFalse : operator === "||" ? Op.JumpTrue : Op.JumpNotNullish, target, end)
    expression(f, part.right, target)
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
      const right = expression(f, node.right)
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
  const value = expression(f, node)
  f.top = mark
  f.jumpIf(when ? Op.JumpTrue : Op.JumpFalse, value, label)
}

// ---------------------------------------------------------------------------------------------------------------------
// Member access and calls
// ---------------------------------------------------------------------------------------------------------------------

/** A link of an optional chain into a given register; jumps to `none` where the chain ends early. */
const chain = (f: FunctionBuilder, node: acorn.Expression, target: number, none: Label): void => {
  if (node.type === "MemberExpression") member(f, node, target, none)
  else if (node.type === "CallExpression") call(f, node, target, none)
  else expression(f, node, target)
}

/** The part of an optional chain before its last link. */
const chainPart = (
  f: FunctionBuilder,
  node: acorn.Expression | acorn.Super,
  none: Label,
  after: ReadonlyArray<acorn.AnyNode>,
): number => {
  if (node.type !== "MemberExpression" && node.type !== "CallExpression") return stable(f, node, after)
  const target = f.temporary()
  const mark = f.top
  chain(f, node, target, none)
  f.top = mark
  return target
}

const member = (f: FunctionBuilder, node: acorn.MemberExpression, dst: number, none: Label | null): number => {
  const mark = f.top
  if (node.object.type === "Super") {
    const home = load(f, CALLEE, node)
    const self = load(f, THIS, node)
    const key = superKey(f, node)
    f.top = mark
    const target = dst < 0 ? f.temporary() : dst
    f.at(node, node.object)
    f.emit(Op.GetSuper, target, home, key, self)
    return target
  }
  const object = none === null
    ? node.computed ? stable(f, node.object, [node.property]) : expression(f, node.object)
    : chainPart(f, node.object, none, node.computed ? [node.property] : [])
  if (node.optional) f.jumpIf(Op.JumpNullish, object, none!)
  const name = memberKey(f, node)
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  f.at(node.property, node.object)
  getMember(f, target, object, name)
  return target
}

type MemberKey =
  | { readonly type: "name"; readonly key: string | number }
  | { readonly type: "value"; readonly register: number }
  | { readonly type: "private"; readonly register: number }

const memberKey = (f: FunctionBuilder, node: acorn.MemberExpression): MemberKey => {
  if (node.property.type === "PrivateIdentifier") {
    return { type: "private", register: load(f, `#${node.property.name}`, node.property) }
  }
  if (!node.computed) return { type: "name", key: toKey((node.property as acorn.Identifier).name) }
  const { property } = node
  if (property.type === "Literal" && typeof property.value === "string") {
    const key = toKey(property.value)
    if (typeof key === "string") return { type: "name", key }
  }
  return { type: "value", register: expression(f, property) }
}

const getMember = (f: FunctionBuilder, target: number, object: number, key: MemberKey): void => {
  if (key.type === "value") f.emit(Op.GetElement, target, object, key.register)
  else if (key.type === "private") f.emit(Op.GetPrivate, target, object, key.register)
  else if (key.key === "length") f.emit(Op.GetLength, target, object)
  else f.emit(Op.GetProperty, target, object, f.constant(key.key))
}

const setMember = (f: FunctionBuilder, object: number, key: MemberKey, value: number): void => {
  if (key.type === "value") f.emit(Op.SetElement, object, key.register, value)
  else if (key.type === "private") f.emit(Op.SetPrivate, object, key.register, value)
  else f.emit(Op.SetProperty, object, f.constant(key.key), value)
}

const superKey = (f: FunctionBuilder, node: acorn.MemberExpression): number =>
  node.computed ? expression(f, node.property) : f.load((node.property as acorn.Identifier).name)

/** A call or a tagged template. */
const call = (
  f: FunctionBuilder,
  node: acorn.CallExpression | acorn.TaggedTemplateExpression,
  dst: number,
  none: Label | null,
): number => {
  const mark = f.top
  if (node.type === "CallExpression" && node.callee.type === "Super") return superCall(f, node, dst)
  // The result may take the place of the callee: nothing below it is in use any more.
  const base = f.temporaries(2)
  const hasThis = callee(f, node.type === "CallExpression" ? node.callee : node.tag, base, none)
  if (node.type === "CallExpression" && node.optional) f.jumpIf(Op.JumpNullish, base, none!)
  const about = node.type === "CallExpression" ? node.callee : node.tag
  const where = about.type === "MemberExpression" ? about.property : about
  if (node.type === "TaggedTemplateExpression") {
    const { quasi } = node
    const first = f.temporaries(1 + quasi.expressions.length)
    const strings: TemplateStrings = {
      cooked: quasi.quasis.map((part) => part.value.cooked ?? undefined),
      raw: quasi.quasis.map((part) => part.value.raw),
    }
    f.emit(Op.GetTemplateObject, first, f.constant(strings))
    quasi.expressions.forEach((part, i) => expression(f, part, first + 1 + i))
    f.top = mark
    const target = dst < 0 ? f.temporary() : dst
    f.at(where, about)
    f.emit(
      Op.Call,
      target,
      base,
      hasThis ? 1 : 0,
      1 + quasi.expressions.length,
      first,
      ...quasi.expressions.map((_, i) => first + 1 + i),
    )
    return target
  }
  const isSpread = node.arguments.some((node) => node.type === "SpreadElement")
  if (isSpread) {
    args(f, node.arguments)
    if (!hasThis) f.load(undefined, base + 1)
  }
  const given = isSpread ? [] : argumentRegisters(f, node.arguments as ReadonlyArray<acorn.Expression>)
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  f.at(where, about)
  if (isSpread) f.emit(Op.CallSpread, target, base)
  else f.emit(Op.Call, target, base, hasThis ? 1 : 0, given.length, ...given)
  return target
}

/** Evaluates arguments, and answers where they are. */
const argumentRegisters = (f: FunctionBuilder, nodes: ReadonlyArray<acorn.Expression>): ReadonlyArray<number> => {
  // What follows matters only where something is assigned: hardly ever, and looking is not free for many arguments.
  const changes = nodes.some(mayAssign)
  return nodes.map((node, i) => changes ? stable(f, node, nodes.slice(i + 1)) : expression(f, node))
}

/** Puts a callee into `base`, and its `this`, if it has one, into `base + 1`. Says whether it has one. */
const callee = (
  f: FunctionBuilder,
  node: acorn.Expression | acorn.Super,
  base: number,
  none: Label | null,
): boolean => {
  const mark = f.top
  while (node.type === "ParenthesizedExpression") node = node.expression
  if (node.type === "MemberExpression") {
    if (node.object.type === "Super") {
      load(f, THIS, node, base + 1)
      const home = load(f, CALLEE, node)
      const key = superKey(f, node)
      f.at(node.property, node.object)
      f.emit(Op.GetSuper, base, home, key, base + 1)
      f.top = mark
      return true
    }
    if (!node.computed && node.property.type !== "PrivateIdentifier") {
      const object = none === null ? expression(f, node.object) : chainPart(f, node.object, none, [])
      if (node.optional) f.jumpIf(Op.JumpNullish, object, none!)
      f.at(node.property, node.object)
      f.emit(Op.LoadMethod, base, object, f.constant(toKey((node.property as acorn.Identifier).name)))
      f.top = mark
      return true
    }
    if (none === null) expression(f, node.object, base + 1)
    else {
      const object = chainPart(f, node.object, none, [])
      if (node.optional) f.jumpIf(Op.JumpNullish, object, none)
      f.emit(Op.Move, base + 1, object)
    }
    const key = memberKey(f, node)
    f.at(node.property, node.object)
    getMember(f, base, base + 1, key)
    f.top = mark
    return true
  }
  if (node.type === "ChainExpression") {
    // `(a?.b)()` keeps `a` as `this`.
    const end = f.label()
    const inner = f.label()
    if (!callee(f, node.expression, base, inner)) f.load(undefined, base + 1)
    f.jump(end)
    f.place(inner)
    f.load(undefined, base)
    f.load(undefined, base + 1)
    f.place(end)
    f.top = mark
    return true
  }
  if (none !== null && node.type === "CallExpression") chain(f, node, base, none)
  else expression(f, node, base)
  f.top = mark
  return false
}

/** Puts arguments into the next registers and answers their number, or -1 where they are in one array because of a spread. */
const args = (f: FunctionBuilder, nodes: ReadonlyArray<acorn.Expression | acorn.SpreadElement>): number => {
  if (nodes.some((node) => node.type === "SpreadElement")) {
    elements(f, nodes, f.temporary())
    return -1
  }
  for (const node of nodes) {
    const register = f.temporary()
    expression(f, node as acorn.Expression, register)
  }
  return nodes.length
}

const construct = (f: FunctionBuilder, node: acorn.NewExpression, dst: number): number => {
  const mark = f.top
  const base = f.temporaries(2)
  expression(f, node.callee, base)
  const count = args(f, node.arguments)
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  f.at(node, node.callee)
  if (count < 0) f.emit(Op.NewSpread, target, base)
  else f.emit(Op.New, target, base, count)
  return target
}

const superCall = (f: FunctionBuilder, node: acorn.CallExpression, dst: number): number => {
  const mark = f.top
  const base = f.temporaries(2)
  const home = load(f, CALLEE, node)
  f.emit(Op.SuperConstructor, base, home)
  const count = args(f, node.arguments)
  const newTarget = load(f, NEW_TARGET, node)
  f.at(node, node.callee)
  if (count < 0) f.emit(Op.SuperCallSpread, base, base, newTarget)
  else f.emit(Op.SuperCall, base, base, count, newTarget)
  // The object becomes `this`, once, and gets its fields.
  const binding = f.lookup(THIS)!
  const isOwn = binding.scope.func === f.func
  const already = f.constant("Super constructor may only be called once")
  const bound = f.temporary()
  const fresh = f.label()
  f.emit(Op.LoadTdz, bound)
  const current = f.temporary()
  if (!isOwn) f.emit(Op.LoadCapture, current, f.captureIndex(binding))
  else if (binding.captured) f.emit(Op.LoadCell, current, binding.register)
  else f.emit(Op.Move, current, binding.register)
  f.compareJump(Op.JumpStrictEqual, current, bound, fresh)
  f.emit(Op.ThrowError, ErrorKind.ReferenceError, already)
  f.place(fresh)
  store(f, binding, base, "initialize")
  f.emit(Op.InitializeFields, base, load(f, CALLEE, node))
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  if (target !== base) f.emit(Op.Move, target, base)
  return target
}

// ---------------------------------------------------------------------------------------------------------------------
// Assignment
// ---------------------------------------------------------------------------------------------------------------------

/** What is assigned to, with its parts evaluated. */
type Reference =
  | { readonly type: "name"; readonly node: acorn.Identifier }
  | { readonly type: "member"; readonly node: acorn.MemberExpression; readonly object: number; readonly key: MemberKey }
  | {
    readonly type: "super"
    readonly node: acorn.MemberExpression
    readonly home: number
    readonly self: number
    readonly key: number
  }

export const reference = (
  f: FunctionBuilder,
  node: acorn.Expression | acorn.Pattern,
  after: ReadonlyArray<acorn.AnyNode | null>,
): Reference => {
  while (node.type === "ParenthesizedExpression") node = node.expression
  if (node.type === "Identifier") return { type: "name", node }
  if (node.type !== "MemberExpression") throw new Error(`No assignment to ${node.type}`)
  if (node.object.type === "Super") {
    const self = load(f, THIS, node)
    const key = node.computed ? stable(f, node.property, after) : superKey(f, node)
    return { type: "super", node, home: load(f, CALLEE, node), self, key }
  }
  const object = stable(f, node.object, node.computed ? [node.property, ...after] : after)
  let key = memberKey(f, node)
  if (
    key.type === "value" && after.some((other) => other !== null && mayAssign(other)) &&
    isLocalOf(f, node.property, key.register)
  ) {
    const copy = f.temporary()
    f.emit(Op.Move, copy, key.register)
    key = { type: "value", register: copy }
  }
  return { type: "member", node, object, key }
}

const getReference = (f: FunctionBuilder, ref: Reference, dst: number): number => {
  if (ref.type === "name") return load(f, ref.node.name, ref.node, dst)
  const target = dst < 0 ? f.temporary() : dst
  f.at(ref.node.property, ref.node.object)
  if (ref.type === "super") f.emit(Op.GetSuper, target, ref.home, ref.key, ref.self)
  else getMember(f, target, ref.object, ref.key)
  return target
}

export const setReference = (f: FunctionBuilder, ref: Reference, value: number): void => {
  if (ref.type === "name") {
    f.at(ref.node)
    store(f, f.lookup(ref.node.name), value, "assign", ref.node.name)
    return
  }
  f.at(ref.node.property, ref.node.object)
  if (ref.type === "super") f.emit(Op.SetSuper, ref.home, ref.key, ref.self, value)
  else setMember(f, ref.object, ref.key, value)
}

/** Whether code for the node writes its destination only as its last act. */
const writesLast = (node: acorn.Expression): boolean => {
  switch (node.type) {
    case "BinaryExpression":
    case "CallExpression":
    case "MemberExpression":
    case "Literal":
    case "Identifier":
    case "UnaryExpression":
    case "AwaitExpression":
    case "NewExpression":
    case "TaggedTemplateExpression":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return true
    default:
      return false
  }
}

/** A parenthesised name gives a function none: the tree has no parentheses, the text has. */
const assignedName = (f: FunctionBuilder, left: acorn.Identifier): string => {
  for (let i = left.end; i < f.source.code.length; i++) {
    const char = f.source.code[i]!
    if (char === ")") return ""
    if (char === "=") break
  }
  return left.name
}

/** Whether evaluating the expression can do nothing but give its value. */
const isConstant = (node: acorn.Expression): boolean => node.type === "Literal" || isAnonymousFunction(node)

/** Whether the global is there is looked at before the value is evaluated, which may make it. */
const assignGlobal = (f: FunctionBuilder, left: acorn.Identifier, right: acorn.Expression, dst: number): number => {
  const target = dst < 0 ? f.temporary() : dst
  const mark = f.top
  const isThere = f.temporary()
  const there = f.label()
  f.emit(Op.HasGlobal, isThere, f.constant(left.name))
  const value = expression(f, right, f.temporary())
  f.jumpIf(Op.JumpTrue, isThere, there)
  f.at(left)
  f.emit(Op.ThrowError, ErrorKind.ReferenceError, f.constant(`${left.name} is not defined`))
  f.place(there)
  f.at(left)
  f.emit(Op.SetGlobal, f.constant(left.name), value)
  f.emit(Op.Move, target, value)
  f.top = mark
  return target
}

/** An expression whose value nobody wants. */
export const discard = (f: FunctionBuilder, node: acorn.Expression): void => {
  if (node.type === "AssignmentExpression") assignment(f, node, -1, false)
  else if (node.type === "UpdateExpression") update(f, node, -1, false)
  else if (node.type === "SequenceExpression") {
    for (const part of node.expressions) {
      const mark = f.top
      discard(f, part)
      f.top = mark
    }
  } else expression(f, node)
}

const assignment = (f: FunctionBuilder, node: acorn.AssignmentExpression, dst: number, wanted = true): number => {
  const mark = f.top
  const { left, operator, right } = node
  if (operator === "=") {
    if (left.type === "ObjectPattern" || left.type === "ArrayPattern") {
      let value = expression(f, right, dst)
      if (dst < 0 && isLocalOf(f, right, value)) {
        const copy = f.temporary()
        f.emit(Op.Move, copy, value)
        value = copy
      }
      const top = f.top
      f.gen.bind(f, left, value, "assign", right)
      f.top = top
      return value
    }
    if (left.type === "Identifier") {
      const binding = f.lookup(left.name)
      const local = binding !== null && binding.scope.func === f.func && !binding.captured && binding.register >= 0 &&
        (binding.kind === "var" || binding.kind === "function" ||
          ((binding.kind === "let" || binding.kind === "parameter") && left.start >= binding.initializedAt))
      if (local && writesLast(right) && dst < 0) {
        if (isAnonymousFunction(right)) named(f, right, assignedName(f, left), binding.register)
        else expression(f, right, binding.register)
        return binding.register
      }
      if (binding === null && !isConstant(right)) return assignGlobal(f, left, right, dst)
      const value = isAnonymousFunction(right) ? named(f, right, assignedName(f, left), dst) : expression(f, right, dst)
      f.at(left)
      store(f, binding, value, "assign", left.name)
      return value
    }
    const ref = reference(f, left, [right])
    const value = expression(f, right, dst)
    setReference(f, ref, value)
    return wanted ? keep(f, mark, value, dst) : value
  }
  const ref = reference(f, left as acorn.Expression, [right])
  if (operator === "&&=" || operator === "||=" || operator === "??=") {
    const target = dst < 0 ? f.temporary() : dst
    const end = f.label()
    getReference(f, ref, target)
    f.jumpIf(operator === "&&=" ? Op.JumpFalse : operator === "||=" ? Op.JumpTrue : Op.JumpNotNullish, target, end)
    if (ref.type === "name" && isAnonymousFunction(right)) named(f, right, ref.node.name, target)
    else expression(f, right, target)
    setReference(f, ref, target)
    f.place(end)
    return wanted ? keep(f, mark, target, dst) : target
  }
  if (ref.type === "member" && ref.key.type === "value") {
    // The key is converted once.
    const key = f.temporary()
    f.at(ref.node.property, ref.node.object)
    f.emit(Op.ElementKey, key, ref.object, ref.key.register)
    ;(ref as { key: MemberKey }).key = { type: "value", register: key }
  }
  let old = getReference(f, ref, -1)
  if (ref.type === "name" && mayAssign(right) && isLocalOf(f, ref.node, old)) {
    const copy = f.temporary()
    f.emit(Op.Move, copy, old)
    old = copy
  }
  const value = expression(f, right)
  const binding = ref.type === "name" ? f.lookup(ref.node.name) : null
  const isLocal = ref.type === "name" && isLocalOf(f, ref.node, old) && binding?.kind !== "const" &&
    binding?.kind !== "self" && binding?.kind !== "class"
  f.at(node)
  if (isLocal) {
    f.emit(binaryOps[operator.slice(0, -1)]!, old, old, value)
    f.top = mark
    if (dst >= 0) f.emit(Op.Move, dst, old)
    return dst >= 0 ? dst : old
  }
  const target = dst < 0 ? f.temporary() : dst
  f.emit(binaryOps[operator.slice(0, -1)]!, target, old, value)
  setReference(f, ref, target)
  return wanted ? keep(f, mark, target, dst) : target
}

/** Ends an expression whose parts used registers from `mark` on: moves its value there. */
const keep = (f: FunctionBuilder, mark: number, value: number, dst: number): number => {
  f.top = mark
  if (dst >= 0 || value < mark) return value
  const target = f.temporary()
  if (target !== value) f.emit(Op.Move, target, value)
  return target
}

const update = (f: FunctionBuilder, node: acorn.UpdateExpression, dst: number, wanted = true): number => {
  const mark = f.top
  const prefix = node.prefix || !wanted
  const ref = reference(f, node.argument, [])
  const op = node.operator === "++" ? Op.Increment : Op.Decrement
  if (ref.type === "member" && ref.key.type === "value") {
    const key = f.temporary()
    f.at(ref.node.property, ref.node.object)
    f.emit(Op.ElementKey, key, ref.object, ref.key.register)
    ;(ref as { key: MemberKey }).key = { type: "value", register: key }
  }
  const old = getReference(f, ref, -1)
  if (ref.type === "name" && isLocalOf(f, ref.node, old)) {
    const binding = f.lookup(ref.node.name)!
    if (binding.kind !== "const" && binding.kind !== "self") {
      if (prefix) {
        f.at(node)
        f.emit(op, old, old)
        if (dst >= 0) f.emit(Op.Move, dst, old)
        return dst >= 0 ? dst : old
      }
      const target = dst < 0 ? f.temporary() : dst
      f.at(node)
      if (target === old) {
        // `x = x++`: the old value wins.
        f.emit(Op.ToNumeric, target, old)
        return target
      }
      f.emit(Op.ToNumeric, target, old)
      f.emit(op, old, target)
      return target
    }
  }
  const before = prefix ? old : f.temporary()
  f.at(node)
  if (!prefix) f.emit(Op.ToNumeric, before, old)
  const after = f.temporary()
  f.emit(op, after, before)
  setReference(f, ref, after)
  if (!wanted) return after
  const value = prefix ? after : before
  if (dst >= 0) {
    f.emit(Op.Move, dst, value)
    f.top = mark
    return dst
  }
  return keep(f, mark, value, -1)
}

// ---------------------------------------------------------------------------------------------------------------------
// Literals
// ---------------------------------------------------------------------------------------------------------------------

const template = (f: FunctionBuilder, node: acorn.TemplateLiteral, dst: number): number => {
  if (node.expressions.length === 0) return f.load(node.quasis[0]!.value.cooked, dst)
  const result = f.temporary()
  const mark = f.top
  let text = -1
  node.quasis.forEach((part, i) => {
    if (part.value.cooked !== "") {
      const piece = f.load(part.value.cooked, text < 0 && f.literalRegister(part.value.cooked) < 0 ? result : -1)
      if (text < 0) text = piece
      else {
        f.emit(Op.Add, result, text, piece)
        text = result
      }
      f.top = mark
    }
    const inner = node.expressions[i]
    if (inner === undefined) return
    const value = expression(f, inner)
    f.top = mark
    const piece = text < 0 ? result : f.temporary()
    f.at(inner)
    f.emit(Op.ToText, piece, value)
    if (text >= 0) {
      f.at(node)
      f.emit(Op.Add, result, text, piece)
    }
    text = result
    f.top = mark
  })
  if (dst < 0) return result
  f.emit(Op.Move, dst, result)
  f.top = result
  return dst
}

const array = (f: FunctionBuilder, node: acorn.ArrayExpression, dst: number): number => {
  const mark = f.top
  const target = f.temporary()
  elements(f, node.elements, target)
  f.top = mark
  if (dst >= 0) {
    f.emit(Op.Move, dst, target)
    return dst
  }
  return f.temporary()
}

/** At most this many elements are put into registers before they become an array. */
const ELEMENTS_AT_ONCE = 16

const elements = (
  f: FunctionBuilder,
  nodes: ReadonlyArray<acorn.Expression | acorn.SpreadElement | null>,
  target: number,
): void => {
  const mark = f.top
  let i = 0
  while (i < nodes.length && i < ELEMENTS_AT_ONCE) {
    const node = nodes[i]!
    if (node === null || node.type === "SpreadElement") break
    expression(f, node, f.temporary())
    i++
  }
  f.emit(Op.NewArray, target, mark, i)
  f.top = mark
  for (; i < nodes.length; i++) {
    const node = nodes[i]!
    if (node === null) f.emit(Op.ArrayHole, target)
    else if (node.type === "SpreadElement") {
      const value = expression(f, node.argument)
      f.at(node.argument)
      f.emit(Op.ArraySpread, target, value)
    } else f.emit(Op.ArrayPush, target, expression(f, node))
    f.top = mark
  }
}

const object = (f: FunctionBuilder, node: acorn.ObjectExpression, dst: number): number => {
  const mark = f.top
  const target = f.temporary()
  let i = 0
  // A run of plain properties at the start makes the object in one go.
  const keys: Array<string> = []
  const seen = new Set<string>()
  for (const property of node.properties) {
    if (property.type === "SpreadElement" || property.kind !== "init" || property.computed || property.method) break
    const key = propertyName(property)
    if (
      typeof key === "number" || seen.has(key) || (key === "__proto__" && !property.shorthand) ||
      keys.length >= ELEMENTS_AT_ONCE
    ) break
    seen.add(key)
    keys.push(key)
  }
  if (keys.length > 0) {
    const first = f.temporaries(keys.length)
    for (; i < keys.length; i++) {
      const value = (node.properties[i] as acorn.Property).value
      if (isAnonymousFunction(value)) named(f, value, keys[i]!, first + i)
      else expression(f, value, first + i)
    }
    const literal: ObjectLiteral = { keys }
    f.emit(Op.NewObjectOf, target, f.constant(literal), first)
  } else f.emit(Op.NewObject, target)
  for (; i < node.properties.length; i++) {
    f.top = target + 1
    const property = node.properties[i]!
    if (property.type === "SpreadElement") {
      const value = expression(f, property.argument)
      f.at(property.argument)
      f.emit(Op.CopyProperties, target, value)
    } else objectProperty(f, property, target)
  }
  f.top = mark
  if (dst >= 0) {
    f.emit(Op.Move, dst, target)
    return dst
  }
  return f.temporary()
}

const propertyName = (property: { key: acorn.Expression | acorn.PrivateIdentifier }): string | number =>
  property.key.type === "Identifier" ? toKey(property.key.name) : toKey(literalKey(property.key as acorn.Literal))

export const literalKey = (node: acorn.Literal): string =>
  node.bigint == null ? String(node.value) : String(BigInt(node.bigint))

const objectProperty = (f: FunctionBuilder, property: acorn.Property, target: number): void => {
  const { value } = property
  if (property.kind !== "init" || property.method) {
    const key = methodKey(f, property)
    const fn = f.temporary()
    const prefix = property.kind === "get" ? 2 : property.kind === "set" ? 4 : 0
    f.gen.closure(f, value as acorn.FunctionExpression, fn, {
      kind: property.kind === "init" ? FunctionKind.Method : FunctionKind.Getter,
      name: key.name,
      start: property.start,
      end: property.end,
    })
    if (property.computed) {
      f.emit(Op.SetFunctionName, fn, key.register, f.constant(property.kind === "init" ? "" : property.kind))
    }
    f.emit(Op.DefineMethod, target, key.register, fn, 1 | prefix)
    return
  }
  if (property.computed) {
    const raw = expression(f, property.key)
    const key = f.temporary()
    f.at(property.key)
    f.emit(Op.ToKey, key, raw)
    const register = isAnonymousFunction(value) ? named(f, value, "") : expression(f, value)
    if (isAnonymousFunction(value)) f.emit(Op.SetFunctionName, register, key, f.constant(""))
    f.emit(Op.DefineElement, target, key, register)
    return
  }
  const key = propertyName(property)
  if (key === "__proto__" && !property.shorthand) {
    f.emit(Op.SetPrototype, target, expression(f, value))
    return
  }
  const register = isAnonymousFunction(value) ? named(f, value, String(key)) : expression(f, value)
  f.emit(Op.DefineField, target, f.constant(key), register)
}

/** The key of a method in a register, and its name where it is known now. */
export const methodKey = (
  f: FunctionBuilder,
  node: { readonly key: acorn.Expression | acorn.PrivateIdentifier; readonly computed: boolean; readonly kind: string },
): { register: number; name: string } => {
  const prefix = node.kind === "get" || node.kind === "set" ? `${node.kind} ` : ""
  if (node.computed) {
    const raw = expression(f, node.key)
    const register = f.temporary()
    f.at(node.key)
    f.emit(Op.ToKey, register, raw)
    return { register, name: "" }
  }
  const key = propertyName(node)
  return { register: f.load(key), name: prefix + String(key) }
}
