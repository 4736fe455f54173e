import { ErrorKind, IteratorState, Op } from "../compile/opcodes.ts"
import {
  get,
  hasProperty,
  HOLE,
  instanceOf,
  isObject,
  type JSObject,
  Kind,
  PrivateName,
  TDZ,
  toNumber,
  toPropertyKey,
  type Value,
} from "../object/index.ts"
import { start } from "./calls.ts"
import * as classes from "./classes.ts"
import { complete, suspend } from "./completion.ts"
import { initialYield, yieldAsync } from "./coroutines.ts"
import { addDisposable, BlockResources, DISPOSED, disposeNext, newSuppressedError } from "./disposal.ts"
import { CoroutineState, type Frame, PUSHED } from "./frame.ts"
import type { Cell, ClosureData } from "./function.ts"
import * as globals from "./globals.ts"
import * as iteration from "./iteration.ts"
import * as literals from "./literals.ts"
import type { Machine } from "./machine.ts"
import { arithmetic, unary } from "./operators.ts"
import * as properties from "./properties.ts"

/** Another frame is on top, or this one goes on elsewhere. */
export const SWITCHED = -1
/** The slice is used up. */
export const SLICE = -2

/**
 * The instructions that programs seldom run, apart from the machine's loop, which the host's compiler handles better the
 * smaller it is. Answers where to go on, `SWITCHED` or `SLICE`.
 */
export const execute = (m: Machine, frame: Frame, op: Op): number => {
  const { regs } = frame
  const functionCode = frame.code!
  const { template } = functionCode
  const { code, constants } = template
  const pc = frame.pc - 1
  switch (op) {
    case Op.Arguments:
      regs[code[pc + 1]!] = literals.newArguments(m, frame.args!)
      return pc + 2
    case Op.Rest:
      m.allocate(64 + frame.args!.length * 8)
      regs[code[pc + 1]!] = m.realm.newArray(frame.args!.slice(code[pc + 2]!))
      return pc + 3
    case Op.ThrowConstant:
      throw m.typeError("Assignment to constant variable.")
    case Op.TypeofGlobal:
      regs[code[pc + 1]!] = globals.typeofGlobal(m, constants[code[pc + 2]!])
      return pc + 3
    case Op.SetGlobal:
      globals.setGlobal(m, constants[code[pc + 1]!], regs[code[pc + 2]!])
      return pc + 3
    case Op.Exponentiate: {
      const a = regs[code[pc + 2]!]
      const b = regs[code[pc + 3]!]
      if (typeof a === "number" && typeof b === "number") regs[code[pc + 1]!] = a ** b
      else {
        regs[code[pc + 1]!] = arithmetic(m, Op.Exponentiate, a, b)
      }
      return pc + 4
    }
    case Op.ToNumber: {
      const a = regs[code[pc + 2]!]
      regs[code[pc + 1]!] = typeof a === "number" ? a : toNumber(m, a)
      return pc + 3
    }
    case Op.BitNot: {
      const a = regs[code[pc + 2]!]
      if (typeof a === "number") regs[code[pc + 1]!] = ~a
      else {
        regs[code[pc + 1]!] = unary(m, Op.BitNot, a)
      }
      return pc + 3
    }
    case Op.In: {
      const object = regs[code[pc + 3]!]
      if (!isObject(object)) {
        throw m.typeError(
          `Cannot use 'in' operator to search for '${m.plain(regs[code[pc + 2]!])}' in ${m.plain(object)}`,
        )
      }
      regs[code[pc + 1]!] = hasProperty(m, object, toPropertyKey(m, regs[code[pc + 2]!]))
      return pc + 4
    }
    case Op.InstanceOf:
      regs[code[pc + 1]!] = instanceOf(m, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.DeleteProperty:
      regs[code[pc + 1]!] = properties.deleteFrom(m, regs[code[pc + 2]!], constants[code[pc + 3]!])
      return pc + 4
    case Op.DeleteElement:
      regs[code[pc + 1]!] = properties.deleteElement(m, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.GetSuper:
      regs[code[pc + 1]!] = properties.getSuper(m, regs[code[pc + 2]!], regs[code[pc + 3]!], regs[code[pc + 4]!])
      return pc + 5
    case Op.SetSuper:
      properties.setSuper(m, regs[code[pc + 1]!], regs[code[pc + 2]!], regs[code[pc + 3]!], regs[code[pc + 4]!])
      return pc + 5
    case Op.ToKey: {
      const key = regs[code[pc + 2]!]
      if (typeof key === "string" || typeof key === "number" || typeof key === "symbol") regs[code[pc + 1]!] = key
      else {
        regs[code[pc + 1]!] = toPropertyKey(m, key)
      }
      return pc + 3
    }
    case Op.RequireObject: {
      const value = regs[code[pc + 1]!]
      if (value === undefined || value === null) {
        throw literals.notDestructurable(m, value)
      }
      return pc + 2
    }
    case Op.NewPrivateName:
      regs[code[pc + 1]!] = new PrivateName(constants[code[pc + 2]!])
      return pc + 3
    case Op.SetPrivate: {
      const object = regs[code[pc + 1]!]
      if (classes.setPrivate(m, object, regs[code[pc + 2]!], regs[code[pc + 3]!]) === PUSHED) {
        frame.pc = pc + 4
        return SWITCHED
      }
      return pc + 4
    }
    case Op.HasPrivate: {
      const object = regs[code[pc + 2]!]
      const name: PrivateName = regs[code[pc + 3]!]
      if (!isObject(object)) {
        throw m.typeError(`Cannot use 'in' operator to search for '${name.description}' in ${m.plain(object)}`)
      }
      regs[code[pc + 1]!] = object.shape.lookup(name) >= 0
      return pc + 4
    }
    case Op.DefinePrivate:
      classes.definePrivate(m, regs[code[pc + 1]!], regs[code[pc + 2]!], regs[code[pc + 3]!], code[pc + 4]!)
      return pc + 5
    case Op.DefineElement:
      literals.defineField(m, regs[code[pc + 1]!], toPropertyKey(m, regs[code[pc + 2]!]), regs[code[pc + 3]!])
      return pc + 4
    case Op.DefineMethod:
      classes.defineMethod(
        m,
        regs[code[pc + 1]!],
        toPropertyKey(m, regs[code[pc + 2]!]),
        regs[code[pc + 3]!],
        code[pc + 4]!,
      )
      return pc + 5
    case Op.SetPrototype:
      literals.setLiteralPrototype(m, regs[code[pc + 1]!], regs[code[pc + 2]!])
      return pc + 3
    case Op.CopyProperties:
      properties.copyDataProperties(m, regs[code[pc + 1]!], regs[code[pc + 2]!], [])
      return pc + 3
    case Op.CopyRest: {
      const first = code[pc + 3]!
      const excluded = regs.slice(first, first + code[pc + 4]!).map((key: Value) => toPropertyKey(m, key))
      const object = m.realm.newObject()
      properties.copyDataProperties(m, object, regs[code[pc + 2]!], excluded)
      regs[code[pc + 1]!] = object
      return pc + 5
    }
    case Op.ArrayHole:
      m.allocate(8)
      ;(regs[code[pc + 1]!] as JSObject).data.push(HOLE)
      return pc + 2
    case Op.ArraySpread: {
      const target: JSObject = regs[code[pc + 1]!]
      const source = regs[code[pc + 2]!]
      frame.pc = pc + 3
      if (iteration.spread(m, target, source)) {
        return pc + 3
      }
      return SWITCHED
    }
    case Op.SetFunctionName:
      literals.setFunctionName(regs[code[pc + 1]!], regs[code[pc + 2]!], constants[code[pc + 3]!])
      return pc + 4
    case Op.NewClass: {
      const r = code[pc + 1]!
      const heritage = code[pc + 2]!
      regs[r + 1] = classes.newClass(m, regs[r], heritage < 0 ? undefined : regs[heritage], heritage >= 0)
      return pc + 3
    }
    case Op.SetHome:
      ;(regs[code[pc + 1]!].data as ClosureData).home = regs[code[pc + 2]!]
      return pc + 3
    case Op.SetFields:
      ;(regs[code[pc + 1]!].data as ClosureData).fields = regs[code[pc + 2]!]
      return pc + 3
    case Op.InitializeFields: {
      const { fields } = regs[code[pc + 2]!].data as ClosureData
      if (fields === null) {
        return pc + 3
      }
      frame.pc = pc + 3
      start(m, fields, regs[code[pc + 1]!], [], undefined, -1)
      return SWITCHED
    }
    case Op.GetTemplateObject:
      regs[code[pc + 1]!] = functionCode.linked[code[pc + 2]!] ?? literals.linkTemplate(m, functionCode, code[pc + 2]!)
      return pc + 3
    case Op.NewRegExp:
      regs[code[pc + 1]!] = m.newRegExp(constants[code[pc + 2]!].pattern, constants[code[pc + 2]!].flags)
      return pc + 3
    case Op.CallSpread: {
      const r = code[pc + 2]!
      frame.pc = pc + 3
      const fn = regs[r]
      const callee = isObject(fn) && fn.kind >= Kind.Closure ? fn : literals.calleeFor(m, fn, regs[r + 1])
      const value = start(m, callee, regs[r + 1], regs[r + 2].data, undefined, code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 3
    }
    case Op.NewSpread: {
      const r = code[pc + 2]!
      frame.pc = pc + 3
      const value = classes.startConstruct(m, regs[r], regs[r + 2].data, regs[r], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 3
    }
    case Op.SuperConstructor:
      regs[code[pc + 1]!] = m.prototypeOf(regs[code[pc + 2]!])
      return pc + 3
    case Op.SuperCall: {
      const r = code[pc + 2]!
      frame.pc = pc + 5
      const value = classes.startSuper(
        m,
        regs[r],
        regs.slice(r + 2, r + 2 + code[pc + 3]!),
        regs[code[pc + 4]!],
        code[pc + 1]!,
      )
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 5
    }
    case Op.SuperCallSpread: {
      const r = code[pc + 2]!
      frame.pc = pc + 4
      const value = classes.startSuper(m, regs[r], regs[r + 2].data, regs[code[pc + 3]!], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.ReturnDerived: {
      const value = regs[code[pc + 1]!]
      const self = regs[code[pc + 2]!]
      const result = classes.derivedResult(m, value, self)
      const { dst } = frame
      m.pop()
      if (complete(m, result, false, dst)) return SLICE
      return SWITCHED
    }
    case Op.ThrowError:
      throw code[pc + 1] === ErrorKind.TypeError
        ? m.typeError(constants[code[pc + 2]!])
        : m.referenceError(constants[code[pc + 2]!])
    case Op.EndFinally:
      if (regs[code[pc + 1]!] === 1) {
        if (complete(m, regs[code[pc + 2]!], true, -1)) return SLICE
        return SWITCHED
      }
      return pc + 3
    case Op.GetIteratorObject:
      frame.pc = pc + 3
      if (iteration.getIterator(m, frame, code[pc + 1]!, regs[code[pc + 2]!])) {
        return pc + 3
      }
      return SWITCHED
    case Op.GetAsyncIterator:
      frame.pc = pc + 3
      iteration.getAsyncIterator(m, frame, code[pc + 1]!, regs[code[pc + 2]!])
      return SWITCHED
    case Op.CallNext: {
      const r = code[pc + 2]!
      frame.pc = pc + 3
      const value = start(m, regs[r + 1], regs[r], [], undefined, code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 3
    }
    case Op.IteratorStep: {
      const r = code[pc + 2]!
      const state = regs[r + 2]
      if (state === IteratorState.Array) {
        const array: JSObject = regs[r]
        const index: number = regs[r + 1]
        if (index < array.data.length) {
          regs[r + 1] = index + 1
          regs[code[pc + 1]!] = get(m, array, index)
        } else {
          regs[r + 2] = IteratorState.Done
          regs[code[pc + 1]!] = undefined
        }
        return code[pc + 3]!
      }
      if (state === IteratorState.Done) {
        regs[code[pc + 1]!] = undefined
        return code[pc + 3]!
      }
      // What throws from here on ends the iteration.
      regs[r + 2] = IteratorState.Done
      frame.pc = pc + 4
      const value = start(m, regs[r + 1], regs[r], [], undefined, code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.IteratorStepResult: {
      const result = regs[code[pc + 1]!]
      if (!isObject(result)) throw m.typeError(`Iterator result ${m.plain(result)} is not an object`)
      if (get(m, result, "done")) regs[code[pc + 1]!] = undefined
      else {
        regs[code[pc + 1]!] = get(m, result, "value")
        regs[code[pc + 2]! + 2] = IteratorState.Protocol
      }
      return pc + 3
    }
    case Op.JumpDone:
      return regs[code[pc + 1]! + 2] === IteratorState.Done ? code[pc + 2]! : pc + 3
    case Op.IteratorClose: {
      const r = code[pc + 2]!
      if (regs[r + 2] === IteratorState.Array || regs[r + 2] === IteratorState.Done) {
        return code[pc + 3]!
      }
      frame.pc = pc + 4
      const value = iteration.startReturn(m, regs[r], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      if (value === iteration.NO_METHOD) return code[pc + 3]!
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.CheckObject: {
      const value = regs[code[pc + 1]!]
      if (!isObject(value)) {
        throw m.typeError(`Iterator result ${m.plain(value)} is not an object`)
      }
      return pc + 2
    }
    case Op.ForIn:
      regs[code[pc + 1]!] = iteration.newForIn(m, regs[code[pc + 2]!])
      return pc + 3
    case Op.InitialYield: {
      const generator = initialYield(m, frame)
      if (suspend(m, frame, generator)) return SLICE
      return SWITCHED
    }
    case Op.YieldDelegate: {
      const value = regs[code[pc + 1]!]
      frame.resumeRegister = code[pc + 2]!
      frame.resumeTarget = pc + 3
      frame.delegating = true
      frame.pc = pc + 3
      const coroutine = frame.coroutine!
      if (template.isAsync) {
        const goesOn = yieldAsync(m, frame, value)
        if (!goesOn) {
          const { caller } = coroutine
          coroutine.caller = null
          if (suspend(m, frame, caller ?? undefined)) return SLICE
        }
        return SWITCHED
      }
      coroutine.state = CoroutineState.Suspended
      coroutine.frame = frame
      // The inner iterator's result is handed on as it is, or what is in it.
      if (coroutine.loopEnd >= 0) {
        const end = coroutine.loopEnd
        coroutine.loopEnd = -1
        const isOver = Boolean(get(m, value, "done"))
        const item = isOver ? undefined : get(m, value, "value")
        const loop = frame.parent!
        if (suspend(m, frame, item)) return SLICE
        if (isOver) loop.pc = end
        return SWITCHED
      }
      if (suspend(m, frame, value)) return SLICE
      return SWITCHED
    }
    case Op.DelegateNext: {
      const r = code[pc + 2]!
      frame.pc = pc + 4
      const value = iteration.startDelegate(m, regs[r], regs[r + 1], regs[r + 2], regs[r + 3], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      if (value === iteration.NO_METHOD) return code[pc + 3]!
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.StoreCellChecked: {
      const cell = regs[code[pc + 1]!] as Cell
      if (cell.value === TDZ) throw uninitialized(m, frame, pc, constants[code[pc + 3]!])
      cell.value = regs[code[pc + 2]!]
      return pc + 4
    }
    case Op.StoreCaptureChecked: {
      const cell = (frame.fn!.data as ClosureData).captures[code[pc + 1]!]!
      if (cell.value === TDZ) throw uninitialized(m, frame, pc, constants[code[pc + 3]!])
      cell.value = regs[code[pc + 2]!]
      return pc + 4
    }
    case Op.JumpIfInteger:
      return regs[code[pc + 1]!] === code[pc + 2]! ? code[pc + 3]! : pc + 4
    case Op.DefineField: {
      const object: JSObject = regs[code[pc + 1]!]
      literals.defineField(m, object, constants[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    }
    case Op.NewResources:
      regs[code[pc + 1]!] = new BlockResources()
      return pc + 2
    case Op.AddResource:
      addDisposable(m, regs[code[pc + 1]!], regs[code[pc + 2]!], code[pc + 3] === 1)
      return pc + 4
    case Op.DisposeNext: {
      frame.pc = pc + 4
      const value = disposeNext(m, regs[code[pc + 2]!], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      if (value === DISPOSED) return code[pc + 3]!
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.JumpResourceSync:
      return (regs[code[pc + 1]!] as BlockResources).awaitNext ? pc + 3 : code[pc + 2]!
    case Op.SuppressError: {
      const kind = code[pc + 1]!
      const value = code[pc + 2]!
      const error = regs[code[pc + 3]!]
      regs[value] = regs[kind] === 1 ? newSuppressedError(m, error, regs[value]) : error
      regs[kind] = 1
      return pc + 4
    }
    default:
      throw new Error(`No instruction ${op}`)
  }
}

/** The reading of a variable before its initialisation. */
export const uninitialized = (m: Machine, frame: Frame, pc: number, name: string) => {
  frame.pc = pc + 1
  return m.referenceError(
    name === "this"
      ? "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
      : `Cannot access '${name}' before initialization`,
  )
}
