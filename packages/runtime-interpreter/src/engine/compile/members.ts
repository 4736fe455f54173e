import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import type { FunctionBuilder, Label } from "./builder.ts"
import { elements } from "./literals.ts"
import { capturedIndex, load, store } from "./names.ts"
import { ErrorKind, Op } from "./opcodes.ts"
import { CALLEE, NEW_TARGET, THIS } from "./scope.ts"
import type { TemplateStrings } from "./template.ts"
import { mayAssign, stable } from "./values.ts"

/** A link of an optional chain into a given register; jumps to `none` where the chain ends early. */
export const chain = (f: FunctionBuilder, node: acorn.Expression, target: number, none: Label): void => {
  if (node.type === "MemberExpression") member(f, node, target, none)
  else if (node.type === "CallExpression") call(f, node, target, none)
  else f.gen.expression(f, node, target)
}

/** The part of an optional chain before its last link. */
export const chainPart = (
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

export const member = (f: FunctionBuilder, node: acorn.MemberExpression, dst: number, none: Label | null): number => {
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
    ? node.computed ? stable(f, node.object, [node.property]) : f.gen.expression(f, node.object)
    : chainPart(f, node.object, none, node.computed ? [node.property] : [])
  if (node.optional) f.jumpIf(Op.JumpNullish, object, none!)
  const name = memberKey(f, node)
  if (name.type === "value" && node.property.type === "BinaryExpression") f.readOnce(name.register)
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  f.at(node.property, node.object)
  getMember(f, target, object, name)
  return target
}

export type MemberKey =
  | { readonly type: "name"; readonly key: string | number }
  | { readonly type: "value"; readonly register: number }
  | { readonly type: "private"; readonly register: number }

export const memberKey = (f: FunctionBuilder, node: acorn.MemberExpression): MemberKey => {
  if (node.property.type === "PrivateIdentifier") {
    return { type: "private", register: load(f, `#${node.property.name}`, node.property) }
  }
  if (!node.computed) return { type: "name", key: toKey((node.property as acorn.Identifier).name) }
  const { property } = node
  if (property.type === "Literal" && typeof property.value === "string") {
    const key = toKey(property.value)
    if (typeof key === "string") return { type: "name", key }
  }
  return { type: "value", register: f.gen.expression(f, property) }
}

export const getMember = (f: FunctionBuilder, target: number, object: number, key: MemberKey): void => {
  if (key.type === "value") f.emit(Op.GetElement, target, object, key.register)
  else if (key.type === "private") f.emit(Op.GetPrivate, target, object, key.register)
  else if (key.key === "length") f.emit(Op.GetLength, target, object)
  else f.emit(Op.GetProperty, target, object, f.constant(key.key))
}

export const setMember = (f: FunctionBuilder, object: number, key: MemberKey, value: number): void => {
  if (key.type === "value") f.emit(Op.SetElement, object, key.register, value)
  else if (key.type === "private") f.emit(Op.SetPrivate, object, key.register, value)
  else f.emit(Op.SetProperty, object, f.constant(key.key), value)
}

export const superKey = (f: FunctionBuilder, node: acorn.MemberExpression): number =>
  node.computed ? f.gen.expression(f, node.property) : f.load((node.property as acorn.Identifier).name)

/** A call or a tagged template. */
export const call = (
  f: FunctionBuilder,
  node: acorn.CallExpression | acorn.TaggedTemplateExpression,
  dst: number,
  none: Label | null,
): number => {
  const mark = f.top
  if (node.type === "CallExpression") {
    if (node.callee.type === "Super") return superCall(f, node, dst)
    if (node.callee.type === "Identifier" && !node.optional && !node.arguments.some(isSpread)) {
      // A variable is called where it stands.
      const captured = capturedIndex(f, node.callee)
      const fn = captured < 0 ? stable(f, node.callee, node.arguments) : captured
      const given = argumentRegisters(f, node.arguments as ReadonlyArray<acorn.Expression>)
      f.top = mark
      const target = dst < 0 ? f.temporary() : dst
      f.at(node.callee)
      f.emit(captured < 0 ? Op.Call : Op.CallCaptured, target, fn, 0, given.length, ...given)
      return target
    }
  }
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
    quasi.expressions.forEach((part, i) => f.gen.expression(f, part, first + 1 + i))
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
  const spreads = node.arguments.some(isSpread)
  if (spreads) {
    args(f, node.arguments)
    if (!hasThis) f.load(undefined, base + 1)
  }
  const given = spreads ? [] : argumentRegisters(f, node.arguments as ReadonlyArray<acorn.Expression>)
  f.top = mark
  const target = dst < 0 ? f.temporary() : dst
  f.at(where, about)
  if (spreads) f.emit(Op.CallSpread, target, base)
  else f.emit(Op.Call, target, base, hasThis ? 1 : 0, given.length, ...given)
  return target
}

const isSpread = (node: acorn.AnyNode): boolean => node.type === "SpreadElement"

/** Evaluates arguments, and answers where they are. */
const argumentRegisters = (f: FunctionBuilder, nodes: ReadonlyArray<acorn.Expression>): ReadonlyArray<number> => {
  // What follows matters only where something is assigned: hardly ever, and looking is not free for many arguments.
  const changes = nodes.some(mayAssign)
  return nodes.map((node, i) => changes ? stable(f, node, nodes.slice(i + 1)) : f.gen.expression(f, node))
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
      const object = none === null ? f.gen.expression(f, node.object) : chainPart(f, node.object, none, [])
      if (node.optional) f.jumpIf(Op.JumpNullish, object, none!)
      f.at(node.property, node.object)
      f.emit(Op.LoadMethod, base, object, f.constant(toKey((node.property as acorn.Identifier).name)))
      f.top = mark
      return true
    }
    if (none === null) f.gen.expression(f, node.object, base + 1)
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
  else f.gen.expression(f, node, base)
  f.top = mark
  return false
}

/** Puts arguments into the next registers and answers their number, or -1 where they are in one array because of a spread. */
const args = (f: FunctionBuilder, nodes: ReadonlyArray<acorn.Expression | acorn.SpreadElement>): number => {
  if (nodes.some(isSpread)) {
    elements(f, nodes, f.temporary())
    return -1
  }
  for (const node of nodes) {
    const register = f.temporary()
    f.gen.expression(f, node as acorn.Expression, register)
  }
  return nodes.length
}

export const construct = (f: FunctionBuilder, node: acorn.NewExpression, dst: number): number => {
  const mark = f.top
  const base = f.temporaries(2)
  f.gen.expression(f, node.callee, base)
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
