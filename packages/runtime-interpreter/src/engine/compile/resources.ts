import type * as acorn from "acorn"
import type { FunctionBuilder } from "./builder.ts"
import { closeFinally, endFinally, openFinally } from "./control.ts"
import { await_ } from "./coroutines.ts"
import { Op } from "./opcodes.ts"

type Statement = acorn.Statement | acorn.ModuleDeclaration

const isUsing = (node: acorn.AnyNode | null | undefined): node is acorn.VariableDeclaration =>
  node?.type === "VariableDeclaration" && (node.kind as string).endsWith("using")

export const declaresResources = (nodes: ReadonlyArray<Statement>): boolean => nodes.some(isUsing)

/** Whether a loop's head declares resources. */
export const headDeclaresResources = (node: acorn.AnyNode | null | undefined): boolean => isUsing(node)

export const isAwaitUsing = (node: acorn.VariableDeclaration): boolean => (node.kind as string) === "await using"

/**
 * Runs code whose `using` declarations are disposed of when it ends, in whatever way:
 * https://tc39.es/ecma262/#sec-disposeresources
 */
export const withResources = (f: FunctionBuilder, body: () => void): void => {
  const outer = f.resources
  const stack = f.temporary()
  f.emit(Op.NewResources, stack)
  f.resources = stack
  const control = openFinally(f)
  body()
  closeFinally(f, control)
  f.resources = outer

  const mark = f.top
  const result = f.temporary()
  const error = f.temporary()
  const failed = f.label()
  const loop = f.label()
  const sync = f.label()
  const end = f.label()
  const inner = f.region(failed, error)
  f.enterLoop()
  f.place(loop)
  inner.open(f.position)
  f.emit(Op.DisposeNext, result, stack, f.target(end, 3))
  if (f.isAsync) {
    f.emit(Op.JumpResourceSync, stack, f.target(sync, 2))
    await_(f, result, result)
    f.place(sync)
  }
  inner.close(f.position)
  f.jump(loop)
  f.place(failed)
  f.regions.push(inner)
  f.emit(Op.SuppressError, control.kind, control.value, error)
  f.jump(loop)
  f.leaveLoop()
  f.place(end)
  f.top = mark
  endFinally(f, control)
}
