import type { FunctionBuilder } from "./builder.ts"
import { ErrorKind, Op } from "./opcodes.ts"

export const await_ = (f: FunctionBuilder, target: number, value: number): void => f.emit(Op.Await, target, value)

/** https://tc39.es/ecma262/#sec-yield */
export const yield_ = (f: FunctionBuilder, target: number, value: number): void => {
  const next = f.label()
  if (f.isAsync) {
    const awaited = f.temporary()
    await_(f, awaited, value)
    value = awaited
  }
  f.emit(Op.Yield, target, value, f.target(next, 3))
  if (f.isAsync) await_(f, target, target)
  f.gen.return(f, target)
  f.place(next)
}

/** https://tc39.es/ecma262/#sec-generator-function-definitions-runtime-semantics-evaluation for `yield*` */
export const yieldDelegate = (f: FunctionBuilder, target: number, value: number): void => {
  const r = f.temporaries(4)
  const mode = r + 2
  const received = r + 3
  const result = f.temporary()
  const done = f.temporary()
  const loop = f.label()
  const finished = f.label()
  const missing = f.label()
  const end = f.label()
  f.emit(f.isAsync ? Op.GetAsyncIterator : Op.GetIteratorObject, r, value)
  f.emit(Op.LoadInteger, mode, 0)
  f.emit(Op.LoadUndefined, received)
  f.enterLoop()
  f.place(loop)
  f.emit(Op.DelegateNext, result, r, f.target(missing, 3))
  if (f.isAsync) await_(f, result, result)
  f.emit(Op.CheckObject, result)
  f.emit(Op.GetProperty, done, result, f.constant("done"))
  f.jumpIf(Op.JumpTrue, done, finished)
  if (f.isAsync) {
    f.emit(Op.GetProperty, result, result, f.constant("value"))
    f.emit(Op.YieldDelegate, result, r)
    // A return waits for its value; what that throws is thrown into the inner iterator.
    const skip = f.label()
    const wait = f.label()
    const failed = f.label()
    f.emit(Op.JumpIfInteger, mode, 2, f.target(wait, 3))
    f.jump(skip)
    f.place(wait)
    const region = f.region(failed, received)
    region.open(f.position)
    await_(f, received, received)
    region.close(f.position)
    f.regions.push(region)
    f.jump(skip)
    f.place(failed)
    f.emit(Op.LoadInteger, mode, 1)
    f.place(skip)
  } else f.emit(Op.YieldDelegate, result, r)
  f.emit(Op.Jump, f.target(loop, 1), 0)
  f.leaveLoop()

  f.place(finished)
  f.emit(Op.GetProperty, target, result, f.constant("value"))
  const returned = f.label()
  f.emit(Op.JumpIfInteger, mode, 2, f.target(returned, 3))
  f.jump(end)
  f.place(returned)
  f.gen.return(f, target)

  f.place(missing)
  const noReturn = f.label()
  f.emit(Op.JumpIfInteger, mode, 2, f.target(noReturn, 3))
  const closed = f.label()
  f.emit(Op.LoadInteger, mode, 0)
  f.emit(Op.IteratorClose, result, r, f.target(closed, 3))
  if (f.isAsync) await_(f, result, result)
  f.emit(Op.CheckObject, result)
  f.place(closed)
  f.emit(Op.ThrowError, ErrorKind.TypeError, f.constant("The iterator does not provide a 'throw' method."))
  f.place(noReturn)
  if (f.isAsync) await_(f, received, received)
  f.gen.return(f, received)
  f.place(end)
}
