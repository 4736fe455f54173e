import type * as acorn from "acorn"
import type { FunctionBuilder } from "./builder.ts"
import { getMember, type MemberKey, memberKey, setMember, superKey } from "./members.ts"
import { isLocalOf, load, store } from "./names.ts"
import { ErrorKind, Op } from "./opcodes.ts"
import { binaryOps, isComputed } from "./operators.ts"
import { CALLEE, THIS } from "./scope.ts"
import { isAnonymousFunction, mayAssign, named, stable } from "./values.ts"

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

/** Of what is read and then written: the key is converted once. */
const convertKey = (f: FunctionBuilder, ref: Reference): void => {
  if (ref.type !== "member" || ref.key.type !== "value") return
  const key = f.temporary()
  f.at(ref.node.property, ref.node.object)
  f.emit(Op.ElementKey, key, ref.object, ref.key.register)
  ;(ref as { key: MemberKey }).key = { type: "value", register: key }
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
  const value = f.gen.expression(f, right, f.temporary())
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
  } else f.gen.expression(f, node)
}

export const assignment = (
  f: FunctionBuilder,
  node: acorn.AssignmentExpression,
  dst: number,
  wanted = true,
): number => {
  const mark = f.top
  const { left, operator, right } = node
  if (operator === "=") {
    if (left.type === "ObjectPattern" || left.type === "ArrayPattern") {
      let value = f.gen.expression(f, right, dst)
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
        else f.gen.expression(f, right, binding.register)
        return binding.register
      }
      if (binding === null && !isConstant(right)) return assignGlobal(f, left, right, dst)
      const value = isAnonymousFunction(right)
        ? named(f, right, assignedName(f, left), dst)
        : f.gen.expression(f, right, dst)
      f.at(left)
      store(f, binding, value, "assign", left.name)
      return value
    }
    const ref = reference(f, left, [right])
    const value = f.gen.expression(f, right, dst)
    if (!wanted && isComputed(right)) f.readOnce(value)
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
    else f.gen.expression(f, right, target)
    setReference(f, ref, target)
    f.place(end)
    return wanted ? keep(f, mark, target, dst) : target
  }
  convertKey(f, ref)
  let old = getReference(f, ref, -1)
  if (ref.type === "name" && mayAssign(right) && isLocalOf(f, ref.node, old)) {
    const copy = f.temporary()
    f.emit(Op.Move, copy, old)
    old = copy
  }
  const value = f.gen.expression(f, right)
  const binding = ref.type === "name" ? f.lookup(ref.node.name) : null
  const isLocal = ref.type === "name" && isLocalOf(f, ref.node, old) && binding?.kind !== "const" &&
    binding?.kind !== "self" && binding?.kind !== "class"
  if (isComputed(right)) f.readOnce(value)
  else if (ref.type === "member") f.readOnce(old)
  f.at(node)
  if (isLocal) {
    f.emit(binaryOps[operator.slice(0, -1)]!, old, old, value)
    f.top = mark
    if (dst >= 0) f.emit(Op.Move, dst, old)
    return dst >= 0 ? dst : old
  }
  const target = dst < 0 ? f.temporary() : dst
  f.emit(binaryOps[operator.slice(0, -1)]!, target, old, value)
  if (!wanted) f.readOnce(target)
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

export const update = (f: FunctionBuilder, node: acorn.UpdateExpression, dst: number, wanted = true): number => {
  const mark = f.top
  const prefix = node.prefix || !wanted
  const ref = reference(f, node.argument, [])
  const op = node.operator === "++" ? Op.Increment : Op.Decrement
  convertKey(f, ref)
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
