import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import { finish, type Steps } from "../parse/steps.ts"
import type { FunctionBuilder } from "./builder.ts"
import { Op } from "./opcodes.ts"
import { isLong, Stretches } from "./pieces.ts"
import { FunctionKind, type ObjectLiteral } from "./template.ts"
import { isAnonymousFunction, named } from "./values.ts"

export const template = (f: FunctionBuilder, node: acorn.TemplateLiteral, dst: number): number => {
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
    const value = f.gen.expression(f, inner)
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

export const array = (f: FunctionBuilder, node: acorn.ArrayExpression, dst: number): number => {
  if (isLong(node)) return finish(arrayInSteps(f, node, dst))
  const mark = f.top
  const target = f.temporary()
  elements(f, node.elements, target)
  return put(f, mark, target, dst)
}

/** The same in steps, for a long one. */
export function* arrayInSteps(f: FunctionBuilder, node: acorn.ArrayExpression, dst: number): Steps<number> {
  const mark = f.top
  const target = f.temporary()
  const pace = new Stretches(f)
  f.emit(Op.NewArray, target, f.top, 0)
  for (const item of node.elements) {
    const top = f.top
    if (item === null || item.type === "SpreadElement" || !isLong(item)) element(f, item, target)
    else f.emit(Op.ArrayPush, target, yield* f.gen.expressionInSteps(f, item))
    f.top = top
    if (item !== null && pace.isDue(item)) yield
  }
  pace.end()
  return put(f, mark, target, dst)
}

/** Puts the first of the registers from a mark on where it is wanted. */
const put = (f: FunctionBuilder, mark: number, target: number, dst: number): number => {
  f.top = mark
  if (dst < 0) return f.temporary()
  f.emit(Op.Move, dst, target)
  return dst
}

type Element = acorn.Expression | acorn.SpreadElement | null

/** At most this many elements are put into registers before they become an array. */
const ELEMENTS_AT_ONCE = 16

export const elements = (f: FunctionBuilder, nodes: ReadonlyArray<Element>, target: number): void => {
  const mark = f.top
  let i = 0
  while (i < nodes.length && i < ELEMENTS_AT_ONCE) {
    const node = nodes[i]!
    if (node === null || node.type === "SpreadElement") break
    f.gen.expression(f, node, f.temporary())
    i++
  }
  f.emit(Op.NewArray, target, mark, i)
  f.top = mark
  for (; i < nodes.length; i++) {
    element(f, nodes[i]!, target)
    f.top = mark
  }
}

const element = (f: FunctionBuilder, node: Element, target: number): void => {
  if (node === null) f.emit(Op.ArrayHole, target)
  else if (node.type === "SpreadElement") {
    const value = f.gen.expression(f, node.argument)
    f.at(node.argument)
    f.emit(Op.ArraySpread, target, value)
  } else f.emit(Op.ArrayPush, target, f.gen.expression(f, node))
}

export const object = (f: FunctionBuilder, node: acorn.ObjectExpression, dst: number): number => {
  if (isLong(node)) return finish(objectInSteps(f, node, dst))
  const mark = f.top
  const target = f.temporary()
  const keys = firstKeys(node)
  if (keys.length > 0) {
    const first = f.temporaries(keys.length)
    for (let i = 0; i < keys.length; i++) {
      const value = (node.properties[i] as acorn.Property).value
      if (isAnonymousFunction(value)) named(f, value, keys[i]!, first + i)
      else f.gen.expression(f, value, first + i)
    }
    const literal: ObjectLiteral = { keys }
    f.emit(Op.NewObjectOf, target, f.constant(literal), first)
  } else f.emit(Op.NewObject, target)
  for (let i = keys.length; i < node.properties.length; i++) {
    f.top = target + 1
    part(f, node.properties[i]!, target)
  }
  return put(f, mark, target, dst)
}

/** The same in steps, for a long one. */
export function* objectInSteps(f: FunctionBuilder, node: acorn.ObjectExpression, dst: number): Steps<number> {
  const mark = f.top
  const target = f.temporary()
  const keys = firstKeys(node)
  const pace = new Stretches(f)
  if (keys.length > 0) {
    const first = f.temporaries(keys.length)
    for (let i = 0; i < keys.length; i++) {
      const value = (node.properties[i] as acorn.Property).value
      yield* f.gen.expressionInSteps(f, value, first + i, keys[i])
    }
    const literal: ObjectLiteral = { keys }
    f.emit(Op.NewObjectOf, target, f.constant(literal), first)
  } else f.emit(Op.NewObject, target)
  for (let i = keys.length; i < node.properties.length; i++) {
    const property = node.properties[i]!
    f.top = target + 1
    const key = isLong(property) ? plainKey(property) : undefined
    if (key === undefined) part(f, property, target)
    else {
      const { value } = property as acorn.Property
      f.emit(Op.DefineField, target, f.constant(key), yield* f.gen.expressionInSteps(f, value, -1, String(key)))
    }
    if (pace.isDue(property)) yield
  }
  pace.end()
  return put(f, mark, target, dst)
}

/** The keys of the plain properties at the start of an object, which make it in one go. */
const firstKeys = (node: acorn.ObjectExpression): ReadonlyArray<string> => {
  const keys: Array<string> = []
  const seen = new Set<string>()
  for (const property of node.properties) {
    const key = plainKey(property)
    if (typeof key !== "string" || seen.has(key) || keys.length >= ELEMENTS_AT_ONCE) break
    seen.add(key)
    keys.push(key)
  }
  return keys
}

/** The key of a property that has a name and a value, and nothing special about them. */
const plainKey = (property: acorn.Property | acorn.SpreadElement): string | number | undefined => {
  if (property.type === "SpreadElement" || property.kind !== "init" || property.computed || property.method) {
    return undefined
  }
  const key = propertyName(property)
  return key === "__proto__" && !property.shorthand ? undefined : key
}

const part = (f: FunctionBuilder, property: acorn.Property | acorn.SpreadElement, target: number): void => {
  if (property.type !== "SpreadElement") return objectProperty(f, property, target)
  const value = f.gen.expression(f, property.argument)
  f.at(property.argument)
  f.emit(Op.CopyProperties, target, value)
}

const propertyName = (property: { key: acorn.Expression | acorn.PrivateIdentifier }): string | number =>
  property.key.type === "Identifier" ? toKey(property.key.name) : toKey(literalKey(property.key as acorn.Literal))

export const literalKey = (node: acorn.Literal): string => node.bigint ?? String(node.value)

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
    const raw = f.gen.expression(f, property.key)
    const key = f.temporary()
    f.at(property.key)
    f.emit(Op.ToKey, key, raw)
    const register = isAnonymousFunction(value) ? named(f, value, "") : f.gen.expression(f, value)
    if (isAnonymousFunction(value)) f.emit(Op.SetFunctionName, register, key, f.constant(""))
    f.emit(Op.DefineElement, target, key, register)
    return
  }
  const key = propertyName(property)
  if (key === "__proto__" && !property.shorthand) {
    f.emit(Op.SetPrototype, target, f.gen.expression(f, value))
    return
  }
  const register = isAnonymousFunction(value) ? named(f, value, String(key)) : f.gen.expression(f, value)
  f.emit(Op.DefineField, target, f.constant(key), register)
}

/** The key of a method in a register, and its name where it is known now. */
export const methodKey = (
  f: FunctionBuilder,
  node: { readonly key: acorn.Expression | acorn.PrivateIdentifier; readonly computed: boolean; readonly kind: string },
): { register: number; name: string } => {
  const prefix = node.kind === "get" || node.kind === "set" ? `${node.kind} ` : ""
  if (node.computed) {
    const raw = f.gen.expression(f, node.key)
    const register = f.temporary()
    f.at(node.key)
    f.emit(Op.ToKey, register, raw)
    return { register, name: "" }
  }
  const key = propertyName(node)
  return { register: f.load(key), name: prefix + String(key) }
}
