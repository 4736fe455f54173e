import type { FunctionBuilder } from "./builder.ts"
import { Op } from "./opcodes.ts"
import { type Binding, isFixed, needsCheck, type Scope, THIS } from "./scope.ts"

interface At {
  readonly start: number
  readonly end: number
}

/** Emits the value of a variable; a variable that lives in a register of this function is answered as it is. */
export const load = (f: FunctionBuilder, name: string, node: At, dst = -1): number => {
  const binding = f.lookup(name)
  if (binding === null) {
    if (name === "undefined") return f.load(undefined, dst)
    const target = dst < 0 ? f.temporary() : dst
    f.at(node)
    f.emit(Op.GetGlobal, target, f.constant(name))
    return target
  }
  const check = needsCheck(binding, f.func, node.start)
  if (binding.constant !== undefined && !check) {
    const own = binding.scope.func === f.func && !binding.captured
    if (!own || f.literalRegister(binding.constant) >= 0) return f.load(binding.constant, dst)
  }
  if (binding.scope.func !== f.func) {
    const copy = check ? undefined : f.copies.get(binding)
    if (copy !== undefined) {
      if (dst < 0) return copy
      f.emit(Op.Move, dst, copy)
      return dst
    }
    const target = dst < 0 ? f.temporary() : dst
    const index = f.captureIndex(binding)
    if (check) {
      f.at(node)
      f.emit(Op.LoadCaptureChecked, target, index, f.constant(name))
    } else f.emit(Op.LoadCapture, target, index)
    return target
  }
  if (binding.captured) {
    const target = dst < 0 ? f.temporary() : dst
    if (check) {
      f.at(node)
      f.emit(Op.LoadCellChecked, target, binding.register, f.constant(name))
    } else f.emit(Op.LoadCell, target, binding.register)
    return target
  }
  if (check) {
    f.at(node)
    f.emit(Op.CheckTdz, binding.register, f.constant(name))
  }
  if (dst < 0) return binding.register
  if (dst !== binding.register) f.emit(Op.Move, dst, binding.register)
  return dst
}

/** The index of a captured variable that never changes and that is initialised here; -1 for any other. */
export const capturedIndex = (f: FunctionBuilder, node: At & { readonly name: string }): number => {
  const binding = f.lookup(node.name)
  return binding === null || binding.scope.func === f.func || f.copies.has(binding) || binding.constant !== undefined ||
      !isFixed(binding) || needsCheck(binding, f.func, node.start)
    ? -1
    : f.captureIndex(binding)
}

/** Whether a register is that of a variable the node names, rather than a temporary one. */
export const isLocalOf = (f: FunctionBuilder, node: { readonly type: string }, register: number): boolean => {
  let inner = node
  for (;;) {
    if (inner.type === "ParenthesizedExpression") inner = (inner as unknown as { expression: typeof inner }).expression
    else if (inner.type === "AssignmentExpression") {
      const { left, right } = inner as unknown as { left: { name?: string }; right: typeof inner }
      if (left.name === undefined || isRegisterOf(f, left.name, register)) return true
      // `x = y` can give what is in the register of `y`.
      inner = right
    } else break
  }
  const name = inner.type === "Identifier"
    ? (inner as unknown as { name: string }).name
    : inner.type === "ThisExpression"
    ? THIS
    : inner.type === "UpdateExpression"
    ? (inner as unknown as { argument: { name?: string } }).argument.name
    : inner.type === "SequenceExpression"
    ? undefined
    : ""
  if (name === "") return false
  return name === undefined || isRegisterOf(f, name, register)
}

const isRegisterOf = (f: FunctionBuilder, name: string, register: number): boolean => {
  const binding = f.lookup(name)
  return binding !== null && binding.scope.func === f.func && !binding.captured && binding.register === register
}

/** Stores a value into a variable. An assignment minds constants and uninitialised variables; an initialisation does not. */
export const store = (
  f: FunctionBuilder,
  binding: Binding | null,
  value: number,
  mode: "initialize" | "assign",
  name: string = binding?.name ?? "",
  at = 0,
): void => {
  if (binding === null) {
    f.emit(Op.SetGlobal, f.constant(name), value)
    return
  }
  const own = binding.scope.func === f.func
  const assign = mode === "assign"
  const check = assign && needsCheck(binding, f.func, at)
  if (assign && (binding.kind === "const" || binding.kind === "self")) {
    if (check) {
      if (!own) {
        // Not there where it is known to be initialised.
        const index = f.func.captures.get(binding)
        if (index !== undefined) f.emit(Op.LoadCaptureChecked, f.temporary(), index, f.constant(name))
      } else if (binding.captured) f.emit(Op.LoadCellChecked, f.temporary(), binding.register, f.constant(name))
      else f.emit(Op.CheckTdz, binding.register, f.constant(name))
    }
    f.emit(Op.ThrowConstant, f.constant(name))
    return
  }
  if (!own) {
    if (check) f.emit(Op.StoreCaptureChecked, f.captureIndex(binding), value, f.constant(name))
    else f.emit(Op.StoreCapture, f.captureIndex(binding), value)
  } else if (binding.captured) {
    if (check) f.emit(Op.StoreCellChecked, binding.register, value, f.constant(name))
    else f.emit(Op.StoreCell, binding.register, value)
  } else {
    if (check) f.emit(Op.CheckTdz, binding.register, f.constant(name))
    if (binding.register !== value) f.emit(Op.Move, binding.register, value)
  }
}

/** Gives the variables of a scope their registers and cells, and makes its functions. Everything until `leave` is inside. */
export const enter = (f: FunctionBuilder, scope: Scope): void => {
  f.scope = scope
  for (const binding of scope.names.values()) if (binding.register < 0) allocate(f, binding)
  for (const node of scope.functions) {
    const binding = scope.names.get(node.id.name)!
    if (binding.captured) {
      const mark = f.top
      const fn = f.temporary()
      f.gen.closure(f, node, fn, { name: node.id.name })
      f.emit(Op.StoreCell, binding.register, fn)
      f.top = mark
    } else f.gen.closure(f, node, binding.register, { name: node.id.name })
  }
}

export const allocate = (f: FunctionBuilder, binding: Binding): void => {
  binding.register = f.temporary()
  if (binding.captured) {
    f.emit(Op.NewCell, binding.register)
    if (!binding.hasTdz) f.emit(Op.StoreCell, binding.register, f.load(undefined))
  } else if (binding.hasTdz && binding.checked) f.emit(Op.LoadTdz, binding.register)
  else if (binding.kind === "var") f.emit(Op.LoadUndefined, binding.register)
}

/** Ends a scope whose variables began at register `mark`. */
export const leave = (f: FunctionBuilder, scope: Scope, mark: number): void => {
  for (const binding of scope.names.values()) binding.register = -1
  f.scope = scope.parent!
  f.top = mark
}
