import type * as acorn from "acorn"
import type { FinallyControl, FunctionBuilder } from "./builder.ts"
import { depthOfLabel, resumeExits } from "./control.ts"
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
  const kind = f.temporary()
  const value = f.temporary()
  const handler = f.label()
  const label = f.label()
  const region = f.region(handler, value)
  const control: FinallyControl = { type: "finally", kind, value, label, exits: [], region }
  f.emit(Op.NewResources, stack)
  f.resources = stack
  f.controls.push(control)
  region.open(f.position)
  body()
  region.close(f.position)
  f.controls.pop()
  f.regions.push(region)
  f.resources = outer
  f.emit(Op.LoadInteger, kind, 0)
  f.jump(label)
  f.place(handler)
  f.emit(Op.LoadInteger, kind, 1)
  f.place(label)

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
  f.emit(Op.SuppressError, kind, value, error)
  f.jump(loop)
  f.leaveLoop()
  f.place(end)
  f.top = mark
  f.emit(Op.EndFinally, kind, value)
  resumeExits(f, control, (target) => depthOfLabel(f, target))
}
