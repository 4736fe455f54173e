import { IteratorState, Op } from "../compile/opcodes.ts"
import {
  get,
  isObject,
  type JSObject,
  Kind,
  looselyEqual,
  TDZ,
  toPropertyKey,
  toString,
  unquoted,
  type Value,
} from "../object/index.ts"
import { start } from "./calls.ts"
import * as classes from "./classes.ts"
import { suspend, suspendAsync } from "./completion.ts"
import { isPlainGenerator, resumeInLoop, suspendForAwait, yieldAsync } from "./coroutines.ts"
import { newSuppressedError } from "./disposal.ts"
import { notDestructurable, uninitialized } from "./errors.ts"
import { CoroutineState, type Frame, PUSHED } from "./frame.ts"
import type { Cell } from "./function.ts"
import * as globals from "./globals.ts"
import type { Instruction } from "./instruction.ts"
import * as iteration from "./iteration.ts"
import * as literals from "./literals.ts"
import type { Machine } from "./machine.ts"
import { calleeFor, methodOfUndefined } from "./missing-tool.ts"
import { add, arithmetic, compare, unary } from "./operators.ts"
import * as properties from "./properties.ts"
import { executeSeldom, SLICE, SWITCHED } from "./seldom-instructions.ts"

/** While an instruction is decoded, the host could put together so many units of texts. */
const DECODE_STRAIN = 1024

/**
 * Runs one instruction that the machine's loop leaves to it: one whose operands are not what the loop is made for, or a seldom one.
 * Answers where to go on, `SWITCHED` or `SLICE`.
 */
export const execute = (m: Machine, frame: Frame, ins: Instruction): Instruction | null => {
  const { regs } = frame
  const functionCode = frame.code!
  const { template } = functionCode
  const { constants } = template
  const op: Op = ins.op
  switch (op) {
    case Op.LoadCellChecked:
      throw uninitialized(m, constants[ins.c])
    case Op.LoadCaptureChecked:
      throw uninitialized(m, constants[ins.c])
    case Op.CheckTdz:
      throw uninitialized(m, constants[ins.b])
    case Op.StoreCellChecked: {
      const cell = regs[ins.a] as Cell
      if (cell.value === TDZ) throw uninitialized(m, constants[ins.c])
      cell.value = regs[ins.b]
      return ins.next
    }
    case Op.StoreCaptureChecked: {
      const cell = frame.captures[ins.a]!
      if (cell.value === TDZ) throw uninitialized(m, constants[ins.c])
      cell.value = regs[ins.b]
      return ins.next
    }
    case Op.NewTarget:
      regs[ins.a] = frame.newTarget
      return ins.next
    case Op.GetGlobal:
      regs[ins.a] = globals.getGlobal(m, constants[ins.b], ins.writableCache())
      return ins.next
    case Op.AddThen:
    case Op.Add:
    case Op.AddInteger:
      regs[ins.a] = add(m, regs[ins.b], regs[ins.c])
      return ins.next
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
      regs[ins.a] = arithmetic(m, op, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.DivideThen:
      regs[ins.a] = arithmetic(m, Op.Divide, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.SubtractThen:
      regs[ins.a] = arithmetic(m, Op.Subtract, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.MultiplyThen:
      regs[ins.a] = arithmetic(m, Op.Multiply, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.SubtractInteger:
      regs[ins.a] = arithmetic(m, Op.Subtract, regs[ins.b], ins.e)
      return ins.next
    case Op.MultiplyInteger:
      regs[ins.a] = arithmetic(m, Op.Multiply, regs[ins.b], ins.e)
      return ins.next
    case Op.RemainderInteger:
      regs[ins.a] = arithmetic(m, Op.Remainder, regs[ins.b], ins.e)
      return ins.next
    case Op.BitAndInteger:
      regs[ins.a] = arithmetic(m, Op.BitAnd, regs[ins.b], ins.e)
      return ins.next
    case Op.Negate:
    case Op.ToNumeric:
    case Op.BitNot:
    case Op.Increment:
    case Op.Decrement:
      regs[ins.a] = unary(m, op, regs[ins.b])
      return ins.next
    case Op.ToText:
      regs[ins.a] = toString(m, regs[ins.b])
      return ins.next
    case Op.Less:
    case Op.LessEqual:
    case Op.Greater:
    case Op.GreaterEqual:
      regs[ins.a] = compare(m, op, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.Equal:
      regs[ins.a] = looselyEqual(m, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.NotEqual:
      regs[ins.a] = !looselyEqual(m, regs[ins.b], regs[ins.c])
      return ins.next
    case Op.IncrementJumpLess:
      regs[ins.a] = unary(m, Op.Increment, regs[ins.a])
      return jumpIf(m, compare(m, Op.Less, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpLess:
    case Op.JumpLessInteger:
      return jumpIf(m, compare(m, Op.Less, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpNotLess:
    case Op.JumpNotLessInteger:
      return jumpIf(m, !compare(m, Op.Less, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpLessEqual:
      return jumpIf(m, compare(m, Op.LessEqual, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpNotLessEqual:
      return jumpIf(m, !compare(m, Op.LessEqual, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpGreater:
    case Op.JumpGreaterInteger:
      return jumpIf(m, compare(m, Op.Greater, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpNotGreater:
    case Op.JumpNotGreaterInteger:
      return jumpIf(m, !compare(m, Op.Greater, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpGreaterEqual:
      return jumpIf(m, compare(m, Op.GreaterEqual, regs[ins.a], regs[ins.b]), ins)
    case Op.JumpNotGreaterEqual:
      return jumpIf(m, !compare(m, Op.GreaterEqual, regs[ins.a], regs[ins.b]), ins)
    case Op.GetPropertyThen:
    case Op.GetProperty: {
      const cache = ins.writableCache()
      frame.pc = ins.next.pc
      const value = properties.getNamed(m, regs[ins.b], constants[ins.c], cache, ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.GetLength: {
      frame.pc = ins.next.pc
      const value = properties.getNamed(
        m,
        regs[ins.b],
        "length",
        ins.writableCache(),
        ins.a,
      )
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.LoadMethod:
    case Op.CallMethod: {
      const r = ins.a
      const object = regs[ins.b]
      regs[r + 1] = object
      frame.pc = ins.next.pc
      const key = constants[ins.c]
      const tool = object === undefined ? methodOfUndefined(m, key) : undefined
      const value = tool ?? properties.getNamed(m, object, key, ins.writableCache(), r)
      if (value === PUSHED) return SWITCHED
      regs[r] = value
      return ins.next
    }
    case Op.SetProperty: {
      const cache = ins.writableCache()
      frame.pc = ins.next.pc
      const pushed = properties.setNamed(m, regs[ins.a], constants[ins.b], regs[ins.c], cache)
      return pushed === PUSHED ? SWITCHED : ins.next
    }
    case Op.GetElementThen:
    case Op.GetElement: {
      frame.pc = ins.next.pc
      const value = properties.getElement(m, regs[ins.b], regs[ins.c], ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.SetElement: {
      frame.pc = ins.next.pc
      const pushed = properties.setElement(m, regs[ins.a], regs[ins.b], regs[ins.c])
      return pushed === PUSHED ? SWITCHED : ins.next
    }
    case Op.ElementKey: {
      const object = regs[ins.b]
      if (object === undefined || object === null) throw notDestructurable(m, object, undefined)
      regs[ins.a] = toPropertyKey(m, regs[ins.c])
      return ins.next
    }
    case Op.RequireObject: {
      const value = regs[ins.a]
      if (value === undefined || value === null) throw notDestructurable(m, value, constants[ins.b])
      return ins.next
    }
    case Op.GetPrivate: {
      frame.pc = ins.next.pc
      const cache = ins.writableCache()
      const value = classes.getPrivate(m, regs[ins.b], regs[ins.c], ins.a, cache)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.SetPrivate: {
      const object = regs[ins.a]
      if (
        classes.setPrivate(m, object, regs[ins.b], regs[ins.c], ins.writableCache()) ===
          PUSHED
      ) {
        frame.pc = ins.next.pc
        return SWITCHED
      }
      return ins.next
    }
    case Op.CopyProperties:
      frame.pc = ins.next.pc
      return properties.copyDataProperties(m, regs[ins.a], regs[ins.b], []) ? ins.next : SWITCHED
    case Op.CopyRest: {
      const first = ins.c
      const excluded = regs.slice(first, first + ins.d).map((key: Value) => toPropertyKey(m, key))
      const object = m.realm.newObject()
      frame.pc = ins.next.pc
      const source = regs[ins.b]
      regs[ins.a] = object
      return properties.copyDataProperties(m, object, source, excluded) ? ins.next : SWITCHED
    }
    case Op.ArraySpread: {
      const target: JSObject = regs[ins.a]
      const source = regs[ins.b]
      frame.pc = ins.next.pc
      if (iteration.spread(m, target, source)) {
        return ins.next
      }
      return SWITCHED
    }
    case Op.NewObjectOf:
      literals.linkObject(m, functionCode, ins.b)
      return ins
    case Op.CallCaptured:
    case Op.Call: {
      const r = ins.b
      const fn = op === Op.Call ? regs[r] : frame.captures[r]!.value
      const self = ins.c === 0 ? undefined : regs[r + 1]
      const args = ins.argumentsIn(regs)
      frame.pc = ins.next.pc
      const callee = isObject(fn) && fn.kind >= Kind.Closure ? fn : calleeFor(m, fn, self)
      const value = start(m, callee, self, args, undefined, ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.CallSpread: {
      const r = ins.b
      frame.pc = ins.next.pc
      const fn = regs[r]
      const callee = isObject(fn) && fn.kind >= Kind.Closure ? fn : calleeFor(m, fn, regs[r + 1])
      const value = start(m, callee, regs[r + 1], regs[r + 2].data, undefined, ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.New: {
      const r = ins.b
      const count = ins.c
      frame.pc = ins.next.pc
      const value = classes.startConstruct(m, regs[r], regs.slice(r + 2, r + 2 + count), regs[r], ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.GetIterator:
      frame.pc = ins.next.pc
      return iteration.getIterator(m, frame, ins.a, regs[ins.b]) ? ins.next : SWITCHED
    case Op.IteratorNext: {
      const r = ins.b
      const dst = ins.a
      const iterator: JSObject = regs[r]
      if (regs[r + 2] === IteratorState.Array) {
        regs[dst] = get(m, iterator, regs[r + 1]++)
        return ins.next.next
      }
      const builtin = iteration.stepper(iterator, regs[r + 1])
      frame.pc = ins.next.pc
      if (builtin !== null) {
        const value = builtin.step(m)
        if (iteration.isDone(value)) return ins.target
        regs[dst] = value
        return ins.next.next
      }
      if (isPlainGenerator(iterator, regs[r + 1])) {
        frame.pc = ins.next.next.pc
        resumeInLoop(m, iterator, dst, ins.c)
        return SWITCHED
      }
      const value = start(m, regs[r + 1], iterator, [], undefined, dst)
      if (value === PUSHED) return SWITCHED
      regs[dst] = value
      return ins.next
    }
    case Op.IteratorResult: {
      const result = regs[ins.a]
      if (!isObject(result)) throw m.typeError(`Iterator result ${unquoted(result)} is not an object`)
      if (get(m, result, "done")) return ins.target
      regs[ins.a] = get(m, result, "value")
      return ins.next
    }
    case Op.IteratorStep: {
      const r = ins.b
      const state = regs[r + 2]
      if (state === IteratorState.Array) {
        const array: JSObject = regs[r]
        const index: number = regs[r + 1]
        if (index < array.data.length) {
          regs[r + 1] = index + 1
          regs[ins.a] = get(m, array, index)
        } else {
          regs[r + 2] = IteratorState.Done
          regs[ins.a] = undefined
        }
        return ins.target
      }
      if (state === IteratorState.Done) {
        regs[ins.a] = undefined
        return ins.target
      }
      // What throws from here on ends the iteration.
      regs[r + 2] = IteratorState.Done
      frame.pc = ins.next.pc
      const value = start(m, regs[r + 1], regs[r], [], undefined, ins.a)
      if (value === PUSHED) return SWITCHED
      regs[ins.a] = value
      return ins.next
    }
    case Op.IteratorClose: {
      const r = ins.b
      if (regs[r + 2] === IteratorState.Array || regs[r + 2] === IteratorState.Done) {
        return ins.target
      }
      frame.pc = ins.next.pc
      const value = iteration.startReturn(m, regs[r], ins.a)
      if (value === PUSHED) return SWITCHED
      if (value === iteration.NO_METHOD) return ins.target
      regs[ins.a] = value
      return ins.next
    }
    case Op.ForInNext: {
      const key = iteration.forInNext(m, regs[ins.b])
      if (key === undefined) return ins.target
      regs[ins.a] = key
      return ins.next
    }
    case Op.Yield: {
      const value = regs[ins.b]
      frame.resumeRegister = ins.a
      frame.resumeTarget = ins.c
      frame.pc = ins.next.pc
      const coroutine = frame.coroutine!
      if (template.isAsync) return !yieldAsync(m, frame, value) && suspendAsync(m, frame) ? SLICE : SWITCHED
      coroutine.state = CoroutineState.Suspended
      coroutine.frame = frame
      m.allocate(64)
      if (suspend(m, frame, m.realm.newIteratorResult(value, false))) return SLICE
      return SWITCHED
    }
    case Op.Await: {
      const value = regs[ins.b]
      frame.resumeRegister = ins.a
      frame.pc = ins.next.pc
      suspendForAwait(m, frame, value)
      return suspendAsync(m, frame) ? SLICE : SWITCHED
    }
    case Op.SuppressError: {
      const kind = ins.a
      const value = ins.b
      const error = regs[ins.c]
      regs[value] = regs[kind] === 1 ? newSuppressedError(m, error, regs[value]) : error
      regs[kind] = 1
      return ins.next
    }
    case Op.Undecoded:
      m.strain(functionCode.decodeFrom(ins.pc) * DECODE_STRAIN)
      return ins
    default:
      return executeSeldom(m, frame, ins)
  }
}

/** Where a comparing jump goes on. */
const jumpIf = (m: Machine, holds: boolean, ins: Instruction): Instruction | null => {
  if (!holds) return ins.next
  if ((m.budget -= ins.d) >= 0) return ins.target
  m.frame.pc = ins.target.pc
  return SWITCHED
}
