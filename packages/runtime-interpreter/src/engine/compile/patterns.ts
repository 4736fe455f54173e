import type * as acorn from "acorn"
import { toKey } from "../object/value.ts"
import { reference, setReference } from "./assignments.ts"
import type { FunctionBuilder } from "./builder.ts"
import { closeIterator, closingOnThrow } from "./control.ts"
import { expression } from "./expressions.ts"
import { literalKey } from "./literals.ts"
import { store } from "./names.ts"
import { Op } from "./opcodes.ts"
import { isAnonymousFunction, named } from "./values.ts"

type Mode = "initialize" | "assign"

/** Binds or assigns a value to a pattern. */
export const bind = (
  f: FunctionBuilder,
  pattern: acorn.Pattern,
  value: number,
  mode: Mode,
  about: acorn.AnyNode | null = null,
): void => {
  const mark = f.top
  switch (pattern.type) {
    case "Identifier":
      store(f, f.lookup(pattern.name), value, mode, pattern.name, pattern.start)
      break
    case "MemberExpression":
      setReference(f, reference(f, pattern, []), value)
      break
    case "AssignmentPattern":
      withDefault(f, pattern, value, mode)
      break
    case "ObjectPattern":
      object(f, pattern, value, mode, about)
      break
    case "ArrayPattern":
      array(f, pattern, value, mode, about)
      break
    default:
      throw new Error(`No binding of ${pattern.type}`)
  }
  f.top = mark
}

const withDefault = (f: FunctionBuilder, pattern: acorn.AssignmentPattern, value: number, mode: Mode): void => {
  const result = f.temporary()
  f.emit(Op.Move, result, value)
  defaulted(f, pattern, result)
  bind(f, pattern.left, result, mode)
}

/** Replaces undefined in a register by a pattern's default. */
const defaulted = (f: FunctionBuilder, pattern: acorn.AssignmentPattern, register: number): void => {
  const given = f.label()
  f.jumpIf(Op.JumpNotUndefined, register, given)
  if (pattern.left.type === "Identifier" && isAnonymousFunction(pattern.right)) {
    named(f, pattern.right, pattern.left.name, register)
  } else expression(f, pattern.right, register)
  f.place(given)
}

/**
 * The register of the variable that a pattern initialises, if its value can be put there at once because nothing can look at it before;
 * else -1.
 */
const registerOf = (f: FunctionBuilder, pattern: acorn.Pattern, mode: Mode): number => {
  const left = pattern.type === "AssignmentPattern" ? pattern.left : pattern
  if (mode === "assign" || left.type !== "Identifier") return -1
  const binding = f.lookup(left.name)
  if (binding === null || binding.scope.func !== f.func || binding.captured || binding.checked) return -1
  return binding.kind === "let" || binding.kind === "const" || binding.kind === "parameter" ? binding.register : -1
}

/** A target whose reference is evaluated before its value is read, as assignment patterns have it. */
const targetOf = (f: FunctionBuilder, pattern: acorn.Pattern, mode: Mode) => {
  const left = pattern.type === "AssignmentPattern" ? pattern.left : pattern
  const ref = mode === "assign" && left.type === "MemberExpression" ? reference(f, left, [pattern]) : null
  return (register: number): void => {
    if (pattern.type === "AssignmentPattern") defaulted(f, pattern, register)
    if (ref !== null) setReference(f, ref, register)
    else bind(f, left, register, mode)
  }
}

/** The first property a pattern takes, for messages. */
const firstName = (pattern: acorn.ObjectPattern): string | undefined => {
  const first = pattern.properties[0]
  if (first?.type !== "Property" || first.computed) return undefined
  return first.key.type === "Identifier" ? first.key.name : literalKey(first.key as acorn.Literal)
}

const object = (
  f: FunctionBuilder,
  pattern: acorn.ObjectPattern,
  value: number,
  mode: Mode,
  about: acorn.AnyNode | null,
): void => {
  if (about === null) f.atValue(pattern)
  else f.at(pattern, about)
  f.emit(Op.RequireObject, value, f.constant(firstName(pattern)))
  const rest = pattern.properties.at(-1)
  const hasRest = rest?.type === "RestElement"
  // The keys that a rest element leaves out, in consecutive registers.
  const keys = hasRest ? f.temporaries(pattern.properties.length - 1) : -1
  pattern.properties.forEach((property, i) => {
    const mark = f.top
    if (property.type === "RestElement") {
      const assign = targetOf(f, property.argument, mode)
      const register = f.temporary()
      f.emit(Op.CopyRest, register, value, keys, pattern.properties.length - 1)
      assign(register)
      f.top = mark
      return
    }
    const { key } = property
    if (property.computed) {
      const raw = expression(f, key)
      const register = hasRest ? keys + i : f.temporary()
      f.at(key)
      f.emit(Op.ToKey, register, raw)
      const assign = targetOf(f, property.value, mode)
      const result = f.temporary()
      f.at(key, key)
      f.emit(Op.GetElement, result, value, register)
      assign(result)
    } else {
      const name = toKey(key.type === "Identifier" ? key.name : literalKey(key as acorn.Literal))
      if (hasRest) f.load(name, keys + i)
      const direct = registerOf(f, property.value, mode)
      const assign = targetOf(f, property.value, mode)
      const result = direct >= 0 ? direct : f.temporary()
      f.at(key)
      f.emit(Op.GetProperty, result, value, f.constant(name))
      assign(result)
    }
    f.top = mark
  })
}

const array = (
  f: FunctionBuilder,
  pattern: acorn.ArrayPattern,
  value: number,
  mode: Mode,
  about: acorn.AnyNode | null,
): void => {
  const r = f.temporaries(3)
  if (about === null) f.atValue(pattern)
  else f.at(pattern, about)
  f.emit(Op.GetIterator, r, value)
  closingOnThrow(f, r, false, () => {
    for (const element of pattern.elements) {
      const mark = f.top
      const assign = element === null
        ? null
        : targetOf(f, element.type === "RestElement" ? element.argument : element, mode)
      const direct = element === null || element.type === "RestElement" ? -1 : registerOf(f, element, mode)
      const result = direct >= 0 ? direct : f.temporary()
      if (element?.type === "RestElement") {
        const loop = f.label()
        const end = f.label()
        const item = f.temporary()
        f.emit(Op.NewArray, result, result, 0)
        f.enterLoop()
        f.place(loop)
        step(f, item, r)
        f.emit(Op.JumpDone, r, f.target(end, 2))
        f.emit(Op.ArrayPush, result, item)
        f.jump(loop)
        f.leaveLoop()
        f.place(end)
      } else step(f, result, r)
      assign?.(result)
      f.top = mark
    }
  })
  closeIterator(f, { iterator: r, isAsync: false })
}

const step = (f: FunctionBuilder, result: number, r: number): void => {
  const next = f.label()
  f.emit(Op.IteratorStep, result, r, f.target(next, 3))
  f.emit(Op.IteratorStepResult, result, r)
  f.place(next)
}
