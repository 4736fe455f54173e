import type { Control, Exit, FinallyControl, FunctionBuilder, IteratorControl, Label } from "./builder.ts"
import { await_ } from "./coroutines.ts"
import { Op } from "./opcodes.ts"
import { THIS } from "./scope.ts"

/** Through more controls than this, equal exits share one way out: code would grow with the product of both. */
const MAX_OWN = 8

const isSame = (a: Exit, b: Exit): boolean => a.type === "return" ? b.type === "return" : a.label === (b as Jump).label

type Jump = Exclude<Exit, { readonly type: "return" }>

/** Leaves every control down to `depth`, running what must run on the way, then does the exit. */
const leaveTo = (f: FunctionBuilder, depth: number, exit: Exit): void => {
  const { controls } = f
  let count = 0
  let innermost: Control | undefined
  for (let i = controls.length - 1; i >= depth; i--) {
    const control = controls[i]!
    if (!("region" in control)) continue
    innermost ??= control
    count++
    if (control.type === "finally") break
  }
  if (count <= MAX_OWN) return leaveAll(f, depth, exit)
  const ways = f.waysOut(innermost!)
  const known = ways.find((way) => isSame(way.exit, exit))
  if (known === undefined) {
    const label = f.label()
    const own = exit.type === "return" ? { type: exit.type, value: f.temporary() } as const : exit
    ways.push({ exit: own, label })
    moveResult(f, exit, own)
    f.place(label)
    leaveAll(f, depth, own)
  } else {
    moveResult(f, exit, known.exit)
    f.jump(known.label)
  }
}

/** Brings what a `return` gives to where another way out has it. */
const moveResult = (f: FunctionBuilder, from: Exit, to: Exit): void => {
  if (from.type === "return" && to.type === "return" && from.value !== to.value) {
    f.emit(Op.Move, to.value, from.value)
  }
}

const leaveAll = (f: FunctionBuilder, depth: number, exit: Exit): void => {
  const { controls } = f
  const crossed: Array<Control> = []
  // Code that leaves a region is not covered by it.
  const reopen = () => {
    for (const control of crossed) if ("region" in control) control.region.open(f.position)
  }
  for (let i = controls.length - 1; i >= depth; i--) {
    const control = controls[i]!
    if ("region" in control) {
      control.region.close(f.position)
      crossed.push(control)
    }
    if (control.type === "iterator") closeIterator(f, control)
    else if (control.type === "finally") {
      let index = control.exits.findIndex((known) => isSame(known, exit))
      if (index < 0) index = control.exits.push(exit) - 1
      if (exit.type === "return" && exit.value !== control.value) f.emit(Op.Move, control.value, exit.value)
      f.emit(Op.LoadInteger, control.kind, index + 2)
      f.jump(control.label)
      reopen()
      return
    }
  }
  if (exit.type === "return") finishReturn(f, exit.value)
  else f.jump(exit.label)
  reopen()
}

/** Returns a value, through what encloses the statement. */
export const emitReturn = (f: FunctionBuilder, value: number): void => leaveTo(f, 0, { type: "return", value })

const finishReturn = (f: FunctionBuilder, value: number): void => {
  if (f.isDerived) {
    const binding = f.lookup(THIS)!
    const self = binding.captured ? f.temporary() : binding.register
    if (binding.captured) f.emit(Op.LoadCell, self, binding.register)
    f.emit(Op.ReturnDerived, value, self)
  } else f.emit(Op.Return, value)
}

export const emitBreak = (f: FunctionBuilder, label: string | null): void => {
  for (let i = f.controls.length - 1; i >= 0; i--) {
    const control = f.controls[i]!
    if (control.type === "block" && (label === null ? !control.plain : control.labels.includes(label))) {
      return leaveTo(f, i + 1, { type: "break", label: control.breakLabel })
    }
  }
  throw new Error("break outside a loop")
}

export const emitContinue = (f: FunctionBuilder, label: string | null): void => {
  for (let i = f.controls.length - 1; i >= 0; i--) {
    const control = f.controls[i]!
    if (control.type === "iteration" && (label === null || control.labels.includes(label))) {
      return leaveTo(f, i + 1, { type: "continue", label: control.continueLabel })
    }
  }
  throw new Error("continue outside a loop")
}

/** Begins what a `finally` follows: whatever leaves it until `closeFinally` goes through the code that comes then, up to `endFinally`. */
export const openFinally = (f: FunctionBuilder): FinallyControl => {
  const kind = f.temporary()
  const value = f.temporary()
  const region = f.region(f.label(), value)
  const control: FinallyControl = { type: "finally", kind, value, label: f.label(), exits: [], region }
  f.controls.push(control)
  region.open(f.position)
  return control
}

export const closeFinally = (f: FunctionBuilder, { kind, label, region }: FinallyControl): void => {
  region.close(f.position)
  f.controls.pop()
  f.regions.push(region)
  f.emit(Op.LoadInteger, kind, 0)
  f.jump(label)
  f.place(region.target)
  f.emit(Op.LoadInteger, kind, 1)
  f.place(label)
}

/** After the code of a `finally`: goes on with what it interrupted. */
export const endFinally = (f: FunctionBuilder, { exits, kind, value }: FinallyControl): void => {
  f.emit(Op.EndFinally, kind, value)
  const mark = f.top
  exits.forEach((exit, i) => {
    const next = f.label()
    const chosen = f.label()
    f.emit(Op.JumpIfInteger, kind, i + 2, f.target(chosen, 3))
    f.jump(next)
    f.place(chosen)
    if (exit.type === "return") emitReturn(f, value)
    else leaveTo(f, depthOfLabel(f, exit.label), exit)
    f.place(next)
  })
  f.top = mark
}

/** How deep in the stack of controls the target of a label is: what is above it must be left. */
const depthOfLabel = (f: FunctionBuilder, label: Label): number => {
  for (let i = f.controls.length - 1; i >= 0; i--) {
    const control = f.controls[i]!
    if (control.type === "block" && control.breakLabel === label) return i + 1
    if (control.type === "iteration" && control.continueLabel === label) return i + 1
  }
  return 0
}

/** https://tc39.es/ecma262/#sec-iteratorclose for a completion that is no throw. */
export const closeIterator = (f: FunctionBuilder, control: Pick<IteratorControl, "iterator" | "isAsync">): void => {
  const mark = f.top
  const result = f.temporary()
  const end = f.label()
  f.emit(Op.IteratorClose, result, control.iterator, f.target(end, 3))
  if (control.isAsync) await_(f, result, result)
  f.emit(Op.CheckObject, result)
  f.place(end)
  f.top = mark
}

/** Runs `body` so that a throw in it closes the iterator and goes on. */
export const closingOnThrow = (
  f: FunctionBuilder,
  iterator: number,
  isAsync: boolean,
  body: () => void,
  goOn?: () => void,
): void => {
  const handler = f.label()
  const after = f.label()
  const error = f.temporary()
  const region = f.region(handler, error)
  const control: IteratorControl = { type: "iterator", iterator, isAsync, region }
  f.controls.push(control)
  region.open(f.position)
  body()
  region.close(f.position)
  f.controls.pop()
  f.regions.push(region)
  if (goOn === undefined) f.jump(after)
  else goOn()
  f.place(handler)
  const rethrow = f.label()
  const inner = f.region(rethrow, f.temporary())
  const result = f.temporary()
  inner.open(f.position)
  f.emit(Op.IteratorClose, result, iterator, f.target(rethrow, 3))
  if (isAsync) await_(f, result, result)
  inner.close(f.position)
  f.regions.push(inner)
  f.place(rethrow)
  f.emit(Op.Throw, error)
  f.place(after)
}

/** Where the value of the last expression statement is the program's: a statement that gives none begins with `undefined`. */
export const resetCompletion = (f: FunctionBuilder): void => {
  if (f.completion >= 0) f.load(undefined, f.completion)
}
