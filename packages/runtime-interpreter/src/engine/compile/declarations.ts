import type * as acorn from "acorn"
import type { Steps } from "../parse/steps.ts"
import type { FunctionBuilder } from "./builder.ts"
import { expression } from "./expressions.ts"
import { store } from "./names.ts"
import { Op } from "./opcodes.ts"
import { headDeclaresResources, isAwaitUsing } from "./resources.ts"
import { isAnonymousFunction, named, stable } from "./values.ts"

export function* classDeclaration(f: FunctionBuilder, node: acorn.ClassDeclaration): Steps<void> {
  const value = f.temporary()
  yield* f.gen.class(f, node, value, node.id?.name ?? "default")
  store(f, f.lookup(node.id.name)!, value, "initialize")
}

export const declaration = (f: FunctionBuilder, node: acorn.VariableDeclaration): void => {
  const mark = f.top
  for (const declarator of node.declarations) {
    declare(f, node, declarator)
    f.top = mark
  }
}

export const declare = (
  f: FunctionBuilder,
  node: acorn.VariableDeclaration,
  { id, init }: acorn.VariableDeclarator,
): void => {
  if (id.type === "Identifier") {
    if (init) {
      const dst = directRegister(f, node, id)
      const value = isAnonymousFunction(init) ? named(f, init, id.name, dst) : expression(f, init, dst)
      declareAs(f, node, id, init, value, dst)
    } else if (node.kind !== "var") store(f, f.lookup(id.name)!, f.load(undefined), "initialize")
  } else if (init) {
    const value = stable(f, init, [id])
    f.at(id, init)
    f.gen.bind(f, id, value, node.kind === "var" ? "assign" : "initialize", init)
  }
}

/** The register of a variable that its value can be put into at once, or -1. */
export const directRegister = (f: FunctionBuilder, node: acorn.VariableDeclaration, id: acorn.Identifier): number => {
  const binding = f.lookup(id.name)!
  const direct = binding.scope.func === f.func && !binding.captured && node.kind !== "var" && !binding.checked
  return direct ? binding.register : -1
}

export const declareAs = (
  f: FunctionBuilder,
  node: acorn.VariableDeclaration,
  id: acorn.Identifier,
  init: acorn.Expression,
  value: number,
  /** Where the value was to be put. */
  dst: number,
): void => {
  if (headDeclaresResources(node)) {
    f.at(id, init)
    f.emit(Op.AddResource, f.resources, value, isAwaitUsing(node) ? 1 : 0)
  }
  if (dst >= 0) return
  f.at(id)
  store(f, f.lookup(id.name)!, value, node.kind === "var" ? "assign" : "initialize")
}
