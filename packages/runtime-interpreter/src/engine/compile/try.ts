import type * as acorn from "acorn"
import type { Steps } from "../parse/steps.ts"
import type { FunctionBuilder } from "./builder.ts"
import { closeFinally, endFinally, openFinally, resetCompletion } from "./control.ts"
import { enter, leave } from "./names.ts"

export function* try_(f: FunctionBuilder, node: acorn.TryStatement): Steps<void> {
  resetCompletion(f)
  if (node.finalizer) yield* tryFinally(f, node, node.finalizer)
  else if (node.handler) yield* tryCatch(f, node, node.handler)
}

function* tryCatch(f: FunctionBuilder, node: acorn.TryStatement, clause: acorn.CatchClause): Steps<void> {
  const handler = f.label()
  const end = f.label()
  const error = f.temporary()
  const region = f.region(handler, error)
  f.controls.push({ type: "catch", region })
  region.open(f.position)
  yield* f.gen.blockInSteps(f, node.block, node.block.body)
  region.close(f.position)
  f.controls.pop()
  f.regions.push(region)
  f.jump(end)
  f.place(handler)
  resetCompletion(f)
  const scope = f.analysis.scopes.get(clause)!
  const mark = f.top
  enter(f, scope)
  if (clause.param) f.gen.bind(f, clause.param, error, "initialize")
  yield* f.gen.blockInSteps(f, clause.body, clause.body.body)
  leave(f, scope, mark)
  f.place(end)
}

function* tryFinally(f: FunctionBuilder, node: acorn.TryStatement, finalizer: acorn.BlockStatement): Steps<void> {
  const control = openFinally(f)
  if (node.handler) yield* tryCatch(f, node, node.handler)
  else yield* f.gen.blockInSteps(f, node.block, node.block.body)
  closeFinally(f, control)
  const completion = f.completion
  if (completion >= 0) f.completion = f.temporary()
  yield* f.gen.blockInSteps(f, finalizer, finalizer.body)
  f.completion = completion
  endFinally(f, control)
}
