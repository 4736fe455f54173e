import type * as acorn from "acorn"
import { reference, setReference } from "./assignments.ts"
import type { FunctionBuilder } from "./builder.ts"
import { closingOnThrow, resetCompletion } from "./control.ts"
import { await_ } from "./coroutines.ts"
import { declaration } from "./declarations.ts"
import { expression } from "./expressions.ts"
import { loopBody } from "./loops.ts"
import { enter, leave } from "./names.ts"
import { Op } from "./opcodes.ts"
import { headDeclaresResources, isAwaitUsing, withResources } from "./resources.ts"
import type { Scope } from "./scope.ts"

// Loops over something: `for (… in …)`, `for (… of …)` and `for await (… of …)`.

/** Has the variable of a loop's head live in the register of the loop's value, where no closure captures it. */
const takeForVariable = (
  f: FunctionBuilder,
  left: acorn.VariableDeclaration | acorn.Pattern,
  scope: Scope,
  value: number,
): void => {
  if (left.type !== "VariableDeclaration" || left.kind === "var" || headDeclaresResources(left)) return
  const { id } = left.declarations[0]!
  const binding = id.type === "Identifier" ? scope.names.get(id.name) : undefined
  if (binding !== undefined && !binding.captured) binding.register = value
}

/** Binds a loop's value to its left side. */
const bindHead = (f: FunctionBuilder, left: acorn.VariableDeclaration | acorn.Pattern, value: number): void => {
  const mark = f.top
  if (left.type === "VariableDeclaration") {
    const { id } = left.declarations[0]!
    f.at(id)
    if (headDeclaresResources(left)) f.emit(Op.AddResource, f.resources, value, isAwaitUsing(left) ? 1 : 0)
    f.gen.bind(f, id, value, left.kind === "var" ? "assign" : "initialize")
  } else if (left.type === "ObjectPattern" || left.type === "ArrayPattern") f.gen.bind(f, left, value, "assign")
  else setReference(f, reference(f, left, []), value)
  f.top = mark
}

/** The right side of a `for` over something: the loop's variables are not initialised there. */
const head = (f: FunctionBuilder, node: acorn.ForInStatement | acorn.ForOfStatement, scope: Scope): number => {
  const lexical = node.left.type === "VariableDeclaration" && node.left.kind !== "var"
  if (!lexical) {
    f.scope = scope
    return expression(f, node.right)
  }
  const mark = f.top
  for (const binding of scope.names.values()) binding.initializedAt = Infinity
  enter(f, scope)
  for (const binding of scope.names.values()) if (!binding.captured) f.emit(Op.LoadTdz, binding.register)
  const value = expression(f, node.right, f.temporary())
  for (const binding of scope.names.values()) {
    binding.register = -1
    binding.initializedAt = node.body.start
  }
  f.top = mark
  const result = f.temporary()
  if (result !== value) f.emit(Op.Move, result, value)
  return result
}

export const forIn = (f: FunctionBuilder, node: acorn.ForInStatement, labels: ReadonlyArray<string>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  resetCompletion(f)
  if (node.left.type === "VariableDeclaration" && node.left.declarations[0]!.init) declaration(f, node.left)
  const object = head(f, node, scope)
  f.top = mark
  const keys = f.temporary()
  f.at(node.right)
  f.emit(Op.ForIn, keys, object)
  const key = f.temporary()
  const start = f.label()
  const next = f.label()
  const end = f.label()
  f.enterLoop()
  f.place(start)
  f.emit(Op.ForInNext, key, keys, f.target(end, 3))
  loopBody(f, labels, end, next, () => {
    const top = f.top
    takeForVariable(f, node.left, scope, key)
    enter(f, scope)
    bindHead(f, node.left, key)
    f.gen.statement(f, node.body)
    leave(f, scope, top)
    f.scope = scope
  })
  f.jump(start)
  f.leaveLoop()
  f.place(end)
  f.scope = scope.parent!
  f.top = mark
}

export const forOf = (f: FunctionBuilder, node: acorn.ForOfStatement, labels: ReadonlyArray<string>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  resetCompletion(f)
  const iterable = head(f, node, scope)
  const r = f.temporaries(3)
  f.at(node.right)
  f.emit(node.await ? Op.GetAsyncIterator : Op.GetIterator, r, iterable)
  const value = f.temporary()
  const start = f.label()
  const next = f.label()
  const done = f.label()
  const end = f.label()
  f.enterLoop()
  f.jump(next)
  f.place(start)
  f.controls.push({ type: "block", labels, breakLabel: end, plain: false })
  // `continue` stays inside the iteration; everything else that leaves the body closes the iterator.
  closingOnThrow(f, r, node.await, () => {
    f.controls.push({ type: "iteration", labels, continueLabel: next })
    const top = f.top
    takeForVariable(f, node.left, scope, value)
    enter(f, scope)
    const iteration = () => {
      bindHead(f, node.left, value)
      f.gen.statement(f, node.body)
    }
    if (headDeclaresResources(node.left)) withResources(f, iteration)
    else iteration()
    leave(f, scope, top)
    f.scope = scope
    f.controls.pop()
  }, () => {
    // The machine goes from an array's next value straight to the jump back.
    f.place(next)
    f.at(node.right)
    if (node.await) {
      f.emit(Op.CallNext, value, r)
      await_(f, value, value)
    } else f.emit(Op.IteratorNext, value, r, f.target(done, 3))
    f.emit(Op.IteratorResult, value, r, f.target(done, 3))
    f.jump(start)
    f.leaveLoop()
  })
  f.controls.pop()
  f.place(done)
  f.place(end)
  f.scope = scope.parent!
  f.top = mark
}
