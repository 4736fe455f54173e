import { ErrorKind, IteratorState, Op } from "../compile/opcodes.ts"
import {
  get,
  hasProperty,
  HOLE,
  instanceOf,
  isObject,
  type JSObject,
  Kind,
  looselyEqual,
  PrivateName,
  TDZ,
  toNumber,
  toPropertyKey,
  toString,
  type Value,
} from "../object/index.ts"
import { noteInstance, start } from "./calls.ts"
import * as classes from "./classes.ts"
import { complete, suspend } from "./completion.ts"
import { initialYield, isPlainGenerator, resumeInLoop, suspendForAwait, yieldAsync } from "./coroutines.ts"
import { addDisposable, BlockResources, DISPOSED, disposeNext, newSuppressedError } from "./disposal.ts"
import { CoroutineState, type Frame, PUSHED } from "./frame.ts"
import type { Cell, ClosureData } from "./function.ts"
import * as globals from "./globals.ts"
import * as iteration from "./iteration.ts"
import * as literals from "./literals.ts"
import type { Machine } from "./machine.ts"
import { add, arithmetic, compare, unary } from "./operators.ts"
import * as properties from "./properties.ts"

/** Another frame is on top, or this one goes on elsewhere. */
export const SWITCHED = -1
/** The slice is used up. */
export const SLICE = -2

/**
 * Runs one instruction that the machine's loop leaves to it: a seldom one, or one whose operands are not what the loop is
 * made for. Answers where to go on, `SWITCHED` or `SLICE`.
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
    case Op.HasGlobal:
      regs[code[pc + 1]!] = hasProperty(m, m.global, constants[code[pc + 2]!])
      return pc + 3
    case Op.SetGlobal:
      globals.setGlobal(m, constants[code[pc + 1]!], regs[code[pc + 2]!])
      return pc + 3
    case Op.ToNumber: {
      const a = regs[code[pc + 2]!]
      regs[code[pc + 1]!] = typeof a === "number" ? a : toNumber(m, a)
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
    case Op.ElementKey: {
      const object = regs[code[pc + 2]!]
      if (object === undefined || object === null) throw literals.notDestructurable(m, object, undefined)
      regs[code[pc + 1]!] = toPropertyKey(m, regs[code[pc + 3]!])
      return pc + 4
    }
    case Op.RequireObject: {
      const value = regs[code[pc + 1]!]
      if (value === undefined || value === null) throw literals.notDestructurable(m, value, constants[code[pc + 2]!])
      return pc + 3
    }
    case Op.NewPrivateName:
      regs[code[pc + 1]!] = new PrivateName(constants[code[pc + 2]!])
      return pc + 3
    case Op.SetPrivate: {
      const object = regs[code[pc + 1]!]
      if (
        classes.setPrivate(m, object, regs[code[pc + 2]!], regs[code[pc + 3]!], functionCode.cache(code[pc + 4]!)) ===
          PUSHED
      ) {
        frame.pc = pc + 5
        return SWITCHED
      }
      return pc + 5
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
      frame.pc = pc + 3
      return properties.copyDataProperties(m, regs[code[pc + 1]!], regs[code[pc + 2]!], []) ? pc + 3 : SWITCHED
    case Op.CopyRest: {
      const first = code[pc + 3]!
      const excluded = regs.slice(first, first + code[pc + 4]!).map((key: Value) => toPropertyKey(m, key))
      const object = m.realm.newObject()
      frame.pc = pc + 5
      const source = regs[code[pc + 2]!]
      regs[code[pc + 1]!] = object
      return properties.copyDataProperties(m, object, source, excluded) ? pc + 5 : SWITCHED
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
    case Op.NewRegExp: {
      frame.pc = pc + 3
      const value = m.newRegExp(constants[code[pc + 2]!].pattern, constants[code[pc + 2]!].flags)
      if (value === PUSHED) {
        m.frame.dst = code[pc + 1]!
        return SWITCHED
      }
      regs[code[pc + 1]!] = value
      return pc + 3
    }
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
      noteInstance(frame.newTarget!, result)
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
        const loop = frame.parent
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
      if (cell.value === TDZ) throw uninitialized(m, constants[code[pc + 3]!])
      cell.value = regs[code[pc + 2]!]
      return pc + 4
    }
    case Op.StoreCaptureChecked: {
      const cell = (frame.fn.data as ClosureData).captures[code[pc + 1]!]!
      if (cell.value === TDZ) throw uninitialized(m, constants[code[pc + 3]!])
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
    case Op.LoadCellChecked:
      throw uninitialized(m, constants[code[pc + 3]!])
    case Op.LoadCaptureChecked:
      throw uninitialized(m, constants[code[pc + 3]!])
    case Op.CheckTdz:
      throw uninitialized(m, constants[code[pc + 2]!])
    case Op.NewTarget:
      regs[code[pc + 1]!] = frame.newTarget
      return pc + 2
    case Op.GetGlobal:
      regs[code[pc + 1]!] = globals.getGlobal(m, constants[code[pc + 2]!], functionCode.cache(code[pc + 3]!))
      return pc + 4
    case Op.Add:
      regs[code[pc + 1]!] = add(m, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.Subtract:
    case Op.Multiply:
    case Op.Divide:
    case Op.Remainder:
    case Op.Exponentiate:
    case Op.BitAnd:
    case Op.BitOr:
    case Op.BitXor:
    case Op.ShiftLeft:
    case Op.ShiftRight:
    case Op.ShiftRightUnsigned:
      regs[code[pc + 1]!] = arithmetic(m, op, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.Negate:
    case Op.ToNumeric:
    case Op.BitNot:
    case Op.Increment:
    case Op.Decrement:
      regs[code[pc + 1]!] = unary(m, op, regs[code[pc + 2]!])
      return pc + 3
    case Op.ToText:
      regs[code[pc + 1]!] = toString(m, regs[code[pc + 2]!])
      return pc + 3
    case Op.Less:
    case Op.LessEqual:
    case Op.Greater:
    case Op.GreaterEqual:
      regs[code[pc + 1]!] = compare(m, op, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.Equal:
      regs[code[pc + 1]!] = looselyEqual(m, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.NotEqual:
      regs[code[pc + 1]!] = !looselyEqual(m, regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pc + 4
    case Op.IncrementJumpLess:
      regs[code[pc + 1]!] = unary(m, Op.Increment, regs[code[pc + 1]!])
      return jumpIf(m, compare(m, Op.Less, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpLess:
      return jumpIf(m, compare(m, Op.Less, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpNotLess:
      return jumpIf(m, !compare(m, Op.Less, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpLessEqual:
      return jumpIf(m, compare(m, Op.LessEqual, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpNotLessEqual:
      return jumpIf(m, !compare(m, Op.LessEqual, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpGreater:
      return jumpIf(m, compare(m, Op.Greater, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpNotGreater:
      return jumpIf(m, !compare(m, Op.Greater, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpGreaterEqual:
      return jumpIf(m, compare(m, Op.GreaterEqual, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.JumpNotGreaterEqual:
      return jumpIf(m, !compare(m, Op.GreaterEqual, regs[code[pc + 1]!], regs[code[pc + 2]!]), code, pc)
    case Op.GetProperty: {
      const cache = functionCode.cache(code[pc + 4]!)
      frame.pc = pc + 5
      const value = properties.getNamed(m, regs[code[pc + 2]!], constants[code[pc + 3]!], cache, code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 5
    }
    case Op.GetLength: {
      frame.pc = pc + 4
      const value = properties.getNamed(
        m,
        regs[code[pc + 2]!],
        "length",
        functionCode.cache(code[pc + 3]!),
        code[pc + 1]!,
      )
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.LoadMethod: {
      const r = code[pc + 1]!
      const object = regs[code[pc + 2]!]
      regs[r + 1] = object
      frame.pc = pc + 5
      const key = constants[code[pc + 3]!]
      const tool = object === undefined ? literals.methodOfUndefined(m, key) : undefined
      const value = tool ?? properties.getNamed(m, object, key, functionCode.cache(code[pc + 4]!), r)
      if (value === PUSHED) return SWITCHED
      regs[r] = value
      return pc + 5
    }
    case Op.SetProperty: {
      const cache = functionCode.cache(code[pc + 4]!)
      frame.pc = pc + 5
      const pushed = properties.setNamed(m, regs[code[pc + 1]!], constants[code[pc + 2]!], regs[code[pc + 3]!], cache)
      return pushed === PUSHED ? SWITCHED : pc + 5
    }
    case Op.GetElement: {
      frame.pc = pc + 4
      const value = properties.getElement(m, regs[code[pc + 2]!], regs[code[pc + 3]!], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.SetElement: {
      frame.pc = pc + 4
      const pushed = properties.setElement(m, regs[code[pc + 1]!], regs[code[pc + 2]!], regs[code[pc + 3]!])
      return pushed === PUSHED ? SWITCHED : pc + 4
    }
    case Op.GetPrivate: {
      frame.pc = pc + 5
      const cache = functionCode.cache(code[pc + 4]!)
      const value = classes.getPrivate(m, regs[code[pc + 2]!], regs[code[pc + 3]!], code[pc + 1]!, cache)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 5
    }
    case Op.NewObjectOf:
      literals.linkObject(m, functionCode, code[pc + 2]!)
      return pc
    case Op.Call: {
      const r = code[pc + 2]!
      const fn = regs[r]
      const self = code[pc + 3] === 0 ? undefined : regs[r + 1]
      const count = code[pc + 4]!
      const args: Array<Value> = []
      for (let i = 0; i < count; i++) args.push(regs[code[pc + 5 + i]!])
      frame.pc = pc + 5 + count
      const callee = isObject(fn) && fn.kind >= Kind.Closure ? fn : literals.calleeFor(m, fn, self)
      const value = start(m, callee, self, args, undefined, code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 5 + count
    }
    case Op.New: {
      const r = code[pc + 2]!
      const count = code[pc + 3]!
      frame.pc = pc + 4
      const value = classes.startConstruct(m, regs[r], regs.slice(r + 2, r + 2 + count), regs[r], code[pc + 1]!)
      if (value === PUSHED) return SWITCHED
      regs[code[pc + 1]!] = value
      return pc + 4
    }
    case Op.GetIterator:
      frame.pc = pc + 3
      return iteration.getIterator(m, frame, code[pc + 1]!, regs[code[pc + 2]!]) ? pc + 3 : SWITCHED
    case Op.IteratorNext: {
      const r = code[pc + 2]!
      const dst = code[pc + 1]!
      const iterator: JSObject = regs[r]
      if (regs[r + 2] === IteratorState.Array) {
        regs[dst] = get(m, iterator, regs[r + 1]++)
        return pc + 8
      }
      const builtin = iteration.stepper(iterator, regs[r + 1])
      frame.pc = pc + 4
      if (builtin !== null) {
        const value = builtin.step(m)
        if (iteration.isDone(value)) return code[pc + 3]!
        regs[dst] = value
        return pc + 8
      }
      if (isPlainGenerator(iterator, regs[r + 1])) {
        frame.pc = pc + 8
        resumeInLoop(m, iterator, dst, code[pc + 3]!)
        return SWITCHED
      }
      const value = start(m, regs[r + 1], iterator, [], undefined, dst)
      if (value === PUSHED) return SWITCHED
      regs[dst] = value
      return pc + 4
    }
    case Op.IteratorResult: {
      const result = regs[code[pc + 1]!]
      if (!isObject(result)) throw m.typeError(`Iterator result ${m.plain(result)} is not an object`)
      if (get(m, result, "done")) return code[pc + 3]!
      regs[code[pc + 1]!] = get(m, result, "value")
      return pc + 4
    }
    case Op.ForInNext: {
      const key = iteration.forInNext(m, regs[code[pc + 2]!])
      if (key === undefined) return code[pc + 3]!
      regs[code[pc + 1]!] = key
      return pc + 4
    }
    case Op.Yield: {
      const value = regs[code[pc + 2]!]
      frame.resumeRegister = code[pc + 1]!
      frame.resumeTarget = code[pc + 3]!
      frame.pc = pc + 4
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
      m.allocate(64)
      if (suspend(m, frame, m.realm.newIteratorResult(value, false))) return SLICE
      return SWITCHED
    }
    case Op.Await: {
      const value = regs[code[pc + 2]!]
      frame.resumeRegister = code[pc + 1]!
      frame.pc = pc + 3
      suspendForAwait(m, frame, value)
      const { coroutine } = frame
      const { caller } = coroutine!
      coroutine!.caller = null
      if (suspend(m, frame, caller ?? undefined)) return SLICE
      return SWITCHED
    }
    default:
      throw new Error(`No instruction ${op}`)
  }
}

/** Where a comparing jump goes on. */
const jumpIf = (m: Machine, holds: boolean, code: Int32Array, pc: number): number => {
  if (!holds) return pc + 5
  const target = code[pc + 3]!
  if ((m.budget -= code[pc + 4]!) >= 0) return target
  m.frame.pc = target
  return SWITCHED
}

/** The reading of a variable before its initialisation. */
const uninitialized = (m: Machine, name: string) => {
  return m.referenceError(
    name === "this"
      ? "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
      : `Cannot access '${name}' before initialization`,
  )
}
