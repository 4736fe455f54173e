import { ErrorKind, IteratorState, Op } from "../compile/opcodes.ts"
import {
  get,
  getPrototypeOf,
  hasProperty,
  HOLE,
  instanceOf,
  isObject,
  type JSObject,
  PrivateName,
  toNumber,
  toPropertyKey,
  unquoted,
} from "../object/index.ts"
import { noteInstance, start } from "./calls.ts"
import * as classes from "./classes.ts"
import { complete, suspend, suspendAsync } from "./completion.ts"
import { initialYield, yieldAsync } from "./coroutines.ts"
import { addDisposable, BlockResources, DISPOSED, disposeNext } from "./disposal.ts"
import { CoroutineState, type Frame, PUSHED } from "./frame.ts"
import type { ClosureData } from "./function.ts"
import * as globals from "./globals.ts"
import { type Instruction, NO_INSTRUCTION } from "./instruction.ts"
import * as iteration from "./iteration.ts"
import * as literals from "./literals.ts"
import type { Machine } from "./machine.ts"
import * as properties from "./properties.ts"

/** Another frame is on top, or this one goes on elsewhere. */
export const SWITCHED = null
/** The slice is used up. */
export const SLICE = NO_INSTRUCTION

/**
 * Runs one instruction that programs seldom do, and that the machine's loop does not know. Answers where to go on, `SWITCHED` or
 * `SLICE`.
 */
export const executeSeldom = (m: Machine, frame: Frame, ins: Instruction): Instruction | null => {
  const { regs } = frame
  const functionCode = frame.code!
  const { template } = functionCode
  const { constants } = template
  const op: Op = ins.op
  switch (op) {
    case Op.Arguments:
      m.charge(frame.args!.length >> 2)
      regs[ins.a] = literals.newArguments(m, frame.args!)
      return ins.next
    case Op.Rest:
      m.charge(frame.args!.length >> 3)
      m.allocate(64 + frame.args!.length * 8)
      regs[ins.a] = m.realm.newArray(frame.args!.slice(ins.b))
      return ins.next
    case Op.ThrowConstant:
      throw m.typeError("Assignment to constant variable.")
    case Op.TypeofGlobal:
      regs[ins.a] = globals.typeofGlobal(m, constants[ins.b])
      return ins.next
    case Op.HasGlobal:
      regs[ins.a] = hasProperty(m, m.global, constants[ins.b])
      return ins.next
    case Op.SetGlobal:
      globals.setGlobal(m, constants[ins.a], regs[ins.b])
      return ins.next
    case Op.ToNumber: {
      const a = regs[ins.b]
      regs[ins.a] = typeof a === "number" ? a : toNumber(m, a)
      return ins.next
    }
    case Op.In: {
      const object = regs[ins.c]
      if (!isObject(object)) {
        throw m.typeError(
          `Cannot use 'in' operator to search for '${unquoted(regs[ins.b])}' in ${unquoted(object)}`,
        )
      }
      regs[ins.a] = hasProperty(m, object, toPropertyKey(m, regs[ins.b]))
      return ins.next
    }
    case Op.InstanceOf:
      regs[ins.a] = instanceOf(m, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.DeleteProperty:
      regs[ins.a] = properties.deleteFrom(m, regs[ins.b], constants[ins.c])
      return ins.next
    case Op.DeleteElement:
      regs[ins.a] = properties.deleteElement(m, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.GetSuper:
      regs[ins.a] = properties.getSuper(m, regs[ins.b], regs[ins.c], regs[ins.d])
      return ins.next
    case Op.SetSuper:
      properties.setSuper(m, regs[ins.a], regs[ins.b], regs[ins.c], regs[ins.d])
      return ins.next
    case Op.ToKey: {
      const key = regs[ins.b]
      if (typeof key === "string" || typeof key === "number" || typeof key === "symbol") regs[ins.a] = key
      else {
        regs[ins.a] = toPropertyKey(m, key)
      }
      return ins.next
    }
    case Op.NewPrivateName:
      regs[ins.a] = new PrivateName(constants[ins.b])
      return ins.next
    case Op.HasPrivate: {
      const object = regs[ins.b]
      const name: PrivateName = regs[ins.c]
      if (!isObject(object)) {
        throw m.typeError(`Cannot use 'in' operator to search for '${name.description}' in ${unquoted(object)}`)
      }
      regs[ins.a] = object.shape.lookup(name) >= 0
      return ins.next
    }
    case Op.DefinePrivate:
      classes.definePrivate(m, regs[ins.a], regs[ins.b], regs[ins.c], ins.d)
      return ins.next
    case Op.DefineElement:
      literals.defineField(m, regs[ins.a], toPropertyKey(m, regs[ins.b]), regs[ins.c])
      return ins.next
    case Op.DefineMethod:
      classes.defineMethod(
        m,
        regs[ins.a],
        toPropertyKey(m, regs[ins.b]),
        regs[ins.c],
        ins.d,
      )
      return ins.next
    case Op.SetPrototype:
      literals.setLiteralPrototype(m, regs[ins.a], regs[ins.b])
      return ins.next
    case Op.ArrayHole:
      m.allocate(8)
      ;(regs[ins.a] as JSObject).data.push(HOLE)
      return ins.next
    case Op.SetFunctionName:
      literals.setFunctionName(regs[ins.a], regs[ins.b], constants[ins.c])
      return ins.next
    case Op.NewClass: {
      const r = ins.a
      const heritage = ins.b
      regs[r + 1] = classes.newClass(m, regs[r], heritage < 0 ? undefined : regs[heritage], heritage >= 0)
      return ins.next
    }
    case Op.SetHome:
      ;(regs[ins.a].data as ClosureData).home = regs[ins.b]
      return ins.next
    case Op.SetFields:
      ;(regs[ins.a].data as ClosureData).fields = regs[ins.b]
      return ins.next
    case Op.InitializeFields: {
      const { fields } = regs[ins.b].data as ClosureData
      if (fields === null) {
        return ins.next
      }
      frame.pc = ins.next.pc
      start(m, fields, regs[ins.a], [], undefined, -1)
      return SWITCHED
    }
    case Op.GetTemplateObject:
      regs[ins.a] = functionCode.linked[ins.b] ?? literals.linkTemplate(m, functionCode, ins.b)
      return ins.next
    case Op.NewRegExp: {
      frame.pc = ins.next.pc
      const value = m.builtins.createRegExp(m, constants[ins.b].pattern, constants[ins.b].flags)
      if (value === PUSHED) {
        m.frame.dst = ins.a
        return SWITCHED
      }
      regs[ins.a] = value
      return ins.next
    }
    case Op.NewSpread: {
      const r = ins.b
      frame.pc = ins.next.pc
      const value = classes.startConstruct(m, regs[r], regs[r + 2].data, regs[r], ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.SuperConstructor:
      regs[ins.a] = getPrototypeOf(m, regs[ins.b])
      return ins.next
    case Op.SuperCall: {
      const r = ins.b
      frame.pc = ins.next.pc
      const value = classes.startSuper(
        m,
        regs[r],
        regs.slice(r + 2, r + 2 + ins.c),
        regs[ins.d],
        ins.a,
      )
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.SuperCallSpread: {
      const r = ins.b
      frame.pc = ins.next.pc
      const value = classes.startSuper(m, regs[r], regs[r + 2].data, regs[ins.c], ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.ReturnDerived: {
      const value = regs[ins.a]
      const self = regs[ins.b]
      const result = classes.derivedResult(m, value, self)
      noteInstance(frame.newTarget!, result)
      const { dst } = frame
      m.pop()
      if (complete(m, result, false, dst)) return SLICE
      return SWITCHED
    }
    case Op.ThrowError:
      throw ins.a === ErrorKind.TypeError
        ? m.typeError(constants[ins.b])
        : m.referenceError(constants[ins.b])
    case Op.EndFinally:
      if (regs[ins.a] === 1) {
        if (complete(m, regs[ins.b], true, -1)) return SLICE
        return SWITCHED
      }
      return ins.next
    case Op.GetIteratorObject:
      frame.pc = ins.next.pc
      if (iteration.getIterator(m, frame, ins.a, regs[ins.b])) {
        return ins.next
      }
      return SWITCHED
    case Op.GetAsyncIterator:
      frame.pc = ins.next.pc
      iteration.getAsyncIterator(m, frame, ins.a, regs[ins.b])
      return SWITCHED
    case Op.CallNext: {
      const r = ins.b
      frame.pc = ins.next.pc
      const value = start(m, regs[r + 1], regs[r], [], undefined, ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.IteratorStepResult: {
      const result = regs[ins.a]
      if (!isObject(result)) throw m.typeError(`Iterator result ${unquoted(result)} is not an object`)
      if (get(m, result, "done")) regs[ins.a] = undefined
      else {
        regs[ins.a] = get(m, result, "value")
        regs[ins.b + 2] = IteratorState.Protocol
      }
      return ins.next
    }
    case Op.CheckObject: {
      const value = regs[ins.a]
      if (!isObject(value)) {
        throw m.typeError(`Iterator result ${unquoted(value)} is not an object`)
      }
      return ins.next
    }
    case Op.ForIn:
      regs[ins.a] = iteration.newForIn(m, regs[ins.b])
      return ins.next
    case Op.InitialYield: {
      const generator = initialYield(m, frame)
      if (suspend(m, frame, generator)) return SLICE
      return SWITCHED
    }
    case Op.YieldDelegate: {
      const value = regs[ins.a]
      frame.resumeRegister = ins.b
      frame.resumeTarget = ins.next.pc
      frame.delegating = true
      frame.pc = ins.next.pc
      const coroutine = frame.coroutine!
      if (template.isAsync) return !yieldAsync(m, frame, value) && suspendAsync(m, frame) ? SLICE : SWITCHED
      coroutine.state = CoroutineState.Suspended
      coroutine.frame = frame
      // The inner iterator's result is handed on as it is, or what is in it.
      if (coroutine.loopEnd >= 0) {
        const end = coroutine.loopEnd
        coroutine.loopEnd = -1
        const isOver = Boolean(get(m, value, "done"))
        const item = isOver ? undefined : get(m, value, "value")
        const loop = frame.parent
        if (suspend(m, frame, item)) return SLICE
        if (isOver) loop.pc = end
        return SWITCHED
      }
      if (suspend(m, frame, value)) return SLICE
      return SWITCHED
    }
    case Op.DelegateNext: {
      const r = ins.b
      frame.pc = ins.next.pc
      const value = iteration.startDelegate(m, regs[r], regs[r + 1], regs[r + 2], regs[r + 3], ins.a)
      if (value === PUSHED) return SWITCHED
      if (value === iteration.NO_METHOD) return ins.target
      regs[ins.a] = value
      return ins.next
    }
    case Op.JumpIfInteger:
      return regs[ins.a] === ins.b ? ins.target : ins.next
    case Op.DefineField: {
      const object: JSObject = regs[ins.a]
      literals.defineField(m, object, constants[ins.b], regs[ins.c])
      return ins.next
    }
    case Op.NewResources:
      regs[ins.a] = new BlockResources()
      return ins.next
    case Op.AddResource:
      addDisposable(m, regs[ins.a], regs[ins.b], ins.c === 1)
      return ins.next
    case Op.DisposeNext: {
      frame.pc = ins.next.pc
      const value = disposeNext(m, regs[ins.b], ins.a)
      if (value === PUSHED) return SWITCHED
      if (value === DISPOSED) return ins.target
      regs[ins.a] = value
      return ins.next
    }
    case Op.JumpResourceSync:
      return (regs[ins.a] as BlockResources).awaitNext ? ins.next : ins.target
    default:
      throw new Error(`No instruction ${op}`)
  }
}
