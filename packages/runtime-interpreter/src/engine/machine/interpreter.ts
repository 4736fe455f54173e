import { IteratorState, Op, Then } from "../compile/opcodes.ts"
import {
  chargeEquality,
  HOLE,
  isObject,
  JSObject,
  Kind,
  LONG_TEXT,
  type Native,
  type NativeData,
  newElements,
  type Shape,
  TDZ,
  typeOf,
  type Value,
} from "../object/index.ts"
import {
  getElement as typedArrayElement,
  holdsNumbers,
  setElement as setTypedArrayElement,
  viewOf,
} from "../object/typed-array.ts"
import { enterConstructor, frameFor, frameForGetter, noteInstance } from "./calls.ts"
import { complete, finish } from "./completion.ts"
import { noteThrow } from "./errors.ts"
import { CoroutineKind, CoroutineState, FrameType, PUSHED } from "./frame.ts"
import { Cell, type ClosureData, type FunctionCode } from "./function.ts"
import { execute } from "./instructions.ts"
import * as literals from "./literals.ts"
import type { Machine } from "./machine.ts"
import { SLICE, SWITCHED } from "./seldom-instructions.ts"

// The host compares with a constant of this file by reference; for an imported one it calls a function.
const hole = HOLE
const uninitialized = TDZ
const pushed = PUSHED
const slice = SLICE

/** Why the loop stopped: the bottom of the stack is reached, or the slice is used up. */
export const enum Status {
  Done = 0,
  Slice = 1,
}

/**
 * The machine's loop: runs the frame on top and those above it until the innermost barrier is on top again. Guest throws
 * never leave it; halts and defects do.
 *
 * An instruction that meets what it is made for does its work and goes on with `continue`. Anything else leaves the
 * `switch` for `execute`, which knows every case of every instruction: so the loop stays small enough for the host's
 * compiler, and knows no operand it has not seen.
 */
export const run = (m: Machine): number => {
  const { space } = m.realm
  for (;;) {
    try {
      // Another frame is on top, or the one on top goes on elsewhere.
      reload: for (;;) {
        if (m.pending !== null) {
          const { threw, value } = m.pending
          m.pending = null
          if (complete(m, value, threw, -1)) return Status.Slice
        } else if (m.frame.type === FrameType.Native && complete(m, undefined, false, -1)) return Status.Slice
        if (m.throwIsPending && complete(m, m.takePendingThrow(), true, -1)) return Status.Slice
        let frame = m.frame
        if (frame.type !== FrameType.Guest) return Status.Done
        if (m.budget < 0 && m.outOfBudget()) return Status.Slice
        let { regs } = frame
        let ins = frame.instructions[frame.pc]!

        for (;;) {
          let value: number
          once: {
            switch (ins.op as Op) {
              case Op.Move:
                regs[ins.a] = regs[ins.b]
                ins = ins.next
                continue
              case Op.LoadConstant:
                regs[ins.a] = frame.code!.template.constants[ins.b]
                ins = ins.next
                continue
              case Op.LoadInteger:
                regs[ins.a] = ins.b
                ins = ins.next
                continue
              case Op.LoadUndefined:
                regs[ins.a] = undefined
                ins = ins.next
                continue
              case Op.LoadTdz:
                regs[ins.a] = uninitialized
                ins = ins.next
                continue
              case Op.This:
                regs[ins.a] = frame.thisValue
                ins = ins.next
                continue
              case Op.Callee:
                regs[ins.a] = frame.fn
                ins = ins.next
                continue

              // Cells

              case Op.NewCell:
                m.allocate(40)
                regs[ins.a] = new Cell(uninitialized)
                ins = ins.next
                continue
              case Op.NewCellOf:
                m.allocate(40)
                regs[ins.a] = new Cell(regs[ins.b])
                ins = ins.next
                continue
              case Op.CopyCell: {
                m.allocate(40)
                const register = ins.a
                regs[register] = new Cell((regs[register] as Cell).value)
                ins = ins.next
                continue
              }
              case Op.LoadCell:
                regs[ins.a] = (regs[ins.b] as Cell).value
                ins = ins.next
                continue
              case Op.StoreCell:
                ;(regs[ins.a] as Cell).value = regs[ins.b]
                ins = ins.next
                continue
              case Op.LoadCapture:
                regs[ins.a] = frame.captures[ins.b]!.value
                ins = ins.next
                continue
              case Op.StoreCapture:
                frame.captures[ins.a]!.value = regs[ins.b]
                ins = ins.next
                continue
              case Op.LoadCellChecked: {
                const { value } = regs[ins.b] as Cell
                if (value === uninitialized) break
                regs[ins.a] = value
                ins = ins.next
                continue
              }
              case Op.LoadCaptureChecked: {
                const { value } = frame.captures[ins.b]!
                if (value === uninitialized) break
                regs[ins.a] = value
                ins = ins.next
                continue
              }
              case Op.StoreCaptureChecked: {
                const cell = frame.captures[ins.a]!
                if (cell.value === uninitialized) break
                cell.value = regs[ins.b]
                ins = ins.next
                continue
              }
              case Op.CheckTdz:
                if (regs[ins.a] === uninitialized) break
                ins = ins.next
                continue

              // Globals

              case Op.GetGlobal: {
                const { shape, slots } = m.global
                const { cache } = ins
                if (cache.shape !== shape) break
                regs[ins.a] = slots[cache.slot]
                ins = ins.next
                continue
              }

              // Arithmetic for the next instruction alone

              case Op.AddThen: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a === "number" && typeof b === "number") {
                  value = a + b
                  break once
                }
              }
              // As where others read it, too.
              // falls through
              case Op.Add: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a === "number" && typeof b === "number") regs[ins.a] = a + b
                else if (typeof a === "string") {
                  const text = typeof b === "string" ? b : typeof b === "number" ? String(b) : null
                  if (text === null) break
                  const length = a.length + text.length
                  if (length > LONG_TEXT || length > m.maxStringLength) break
                  m.allocate(32 + length)
                  regs[ins.a] = a + text
                } else break
                ins = ins.next
                continue
              }
              case Op.SubtractThen: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                value = a - b
                break once
              }
              case Op.MultiplyThen: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                value = a * b
                break once
              }
              case Op.DivideThen: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                value = a / b
                break once
              }

              // Arithmetic

              case Op.Subtract: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a - b
                ins = ins.next
                continue
              }
              case Op.Multiply: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a * b
                ins = ins.next
                continue
              }
              case Op.Divide: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a / b
                ins = ins.next
                continue
              }
              case Op.Remainder: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                // The host has an instruction for integers, and none for other numbers.
                regs[ins.a] = a > 0 && b > 0 && a >>> 0 === a && b >>> 0 === b ? (a >>> 0) % (b >>> 0) : a % b
                ins = ins.next
                continue
              }
              case Op.BitAnd: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a & b
                ins = ins.next
                continue
              }
              case Op.BitOr: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a | b
                ins = ins.next
                continue
              }
              case Op.BitXor: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a ^ b
                ins = ins.next
                continue
              }
              case Op.ShiftLeft: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a << b
                ins = ins.next
                continue
              }
              case Op.ShiftRight: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a >> b
                ins = ins.next
                continue
              }
              case Op.ShiftRightUnsigned: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a >>> b
                ins = ins.next
                continue
              }
              case Op.Negate: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = -a
                ins = ins.next
                continue
              }
              case Op.ToNumeric: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a
                ins = ins.next
                continue
              }
              case Op.Increment: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a + 1
                ins = ins.next
                continue
              }
              case Op.Decrement: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a - 1
                ins = ins.next
                continue
              }
              case Op.Not:
                regs[ins.a] = !regs[ins.b]
                ins = ins.next
                continue
              case Op.Typeof:
                regs[ins.a] = typeOf(regs[ins.b])
                ins = ins.next
                continue
              case Op.ToText: {
                const a = regs[ins.b]
                if (typeof a === "string") regs[ins.a] = a
                else if (typeof a === "number") regs[ins.a] = String(a)
                else break
                ins = ins.next
                continue
              }

              case Op.AddInteger: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a + ins.e
                ins = ins.next
                continue
              }
              case Op.SubtractInteger: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a - ins.e
                ins = ins.next
                continue
              }
              case Op.MultiplyInteger: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a * ins.e
                ins = ins.next
                continue
              }
              case Op.RemainderInteger: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a > 0 && ins.e > 0 && a >>> 0 === a ? (a >>> 0) % (ins.e >>> 0) : a % ins.e
                ins = ins.next
                continue
              }
              case Op.BitAndInteger: {
                const a = regs[ins.b]
                if (typeof a !== "number") break
                regs[ins.a] = a & ins.e
                ins = ins.next
                continue
              }

              // Comparison

              case Op.Less: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a < b
                ins = ins.next
                continue
              }
              case Op.LessEqual: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a <= b
                ins = ins.next
                continue
              }
              case Op.Greater: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a > b
                ins = ins.next
                continue
              }
              case Op.GreaterEqual: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                if (typeof a !== "number" || typeof b !== "number") break
                regs[ins.a] = a >= b
                ins = ins.next
                continue
              }
              case Op.StrictEqual: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                let same: boolean
                if (typeof a === "number") same = typeof b === "number" && a === b
                else if (typeof a === "string") {
                  if (a.length > LONG_TEXT) chargeEquality(m, a, b)
                  same = typeof b === "string" && a === b
                } else {
                  if (typeof a === "bigint") chargeEquality(m, a, b)
                  same = a === b
                }
                regs[ins.a] = same
                ins = ins.next
                continue
              }
              case Op.StrictNotEqual: {
                const a = regs[ins.b]
                const b = regs[ins.c]
                let same: boolean
                if (typeof a === "number") same = typeof b === "number" && a === b
                else if (typeof a === "string") {
                  if (a.length > LONG_TEXT) chargeEquality(m, a, b)
                  same = typeof b === "string" && a === b
                } else {
                  if (typeof a === "bigint") chargeEquality(m, a, b)
                  same = a === b
                }
                regs[ins.a] = !same
                ins = ins.next
                continue
              }

              // Jumps

              case Op.Jump: {
                const cost = ins.b
                ins = ins.target
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = ins.pc
                  if (m.outOfBudget()) return Status.Slice
                }
                continue
              }
              case Op.JumpTrue:
                if (regs[ins.a]) {
                  const cost = ins.c
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              case Op.JumpFalse:
                if (!regs[ins.a]) ins = ins.target
                else ins = ins.next
                continue
              case Op.JumpNullish: {
                const value = regs[ins.a]
                ins = value === undefined || value === null ? ins.target : ins.next
                continue
              }
              case Op.JumpNotNullish: {
                const value = regs[ins.a]
                ins = value === undefined || value === null ? ins.next : ins.target
                continue
              }
              case Op.JumpUndefined:
                ins = regs[ins.a] === undefined ? ins.target : ins.next
                continue
              case Op.JumpNotUndefined:
                ins = regs[ins.a] === undefined ? ins.next : ins.target
                continue
              case Op.IncrementJumpLess: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                const next = a + 1
                regs[ins.a] = next
                if (next < b) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpLess: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                if (a < b) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpLessEqual: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                if (a <= b) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpGreater: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                if (a > b) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpGreaterEqual: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                if (a >= b) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpNotLess: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                ins = a < b ? ins.next : ins.target
                continue
              }
              case Op.JumpNotLessEqual: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                ins = a <= b ? ins.next : ins.target
                continue
              }
              case Op.JumpNotGreater: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                ins = a > b ? ins.next : ins.target
                continue
              }
              case Op.JumpNotGreaterEqual: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                if (typeof a !== "number" || typeof b !== "number") break
                ins = a >= b ? ins.next : ins.target
                continue
              }
              case Op.JumpLessInteger: {
                const a = regs[ins.a]
                if (typeof a !== "number") break
                if (a < ins.e) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpGreaterInteger: {
                const a = regs[ins.a]
                if (typeof a !== "number") break
                if (a > ins.e) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpNotLessInteger: {
                const a = regs[ins.a]
                if (typeof a !== "number") break
                ins = a < ins.e ? ins.next : ins.target
                continue
              }
              case Op.JumpNotGreaterInteger: {
                const a = regs[ins.a]
                if (typeof a !== "number") break
                ins = a > ins.e ? ins.next : ins.target
                continue
              }
              case Op.JumpStrictEqual: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                let same: boolean
                if (typeof a === "number") same = typeof b === "number" && a === b
                else if (typeof a === "string") {
                  if (a.length > LONG_TEXT) chargeEquality(m, a, b)
                  same = typeof b === "string" && a === b
                } else {
                  if (typeof a === "bigint") chargeEquality(m, a, b)
                  same = a === b
                }
                if (same) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }
              case Op.JumpStrictNotEqual: {
                const a = regs[ins.a]
                const b = regs[ins.b]
                let same: boolean
                if (typeof a === "number") same = typeof b === "number" && a === b
                else if (typeof a === "string") {
                  if (a.length > LONG_TEXT) chargeEquality(m, a, b)
                  same = typeof b === "string" && a === b
                } else {
                  if (typeof a === "bigint") chargeEquality(m, a, b)
                  same = a === b
                }
                if (!same) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              }

              case Op.JumpStrictEqualNull:
                if (regs[ins.a] === null) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue
              case Op.JumpStrictNotEqualNull:
                if (regs[ins.a] !== null) {
                  const cost = ins.d
                  ins = ins.target
                  if (cost > 0 && (m.budget -= cost) < 0) {
                    frame.pc = ins.pc
                    if (m.outOfBudget()) return Status.Slice
                  }
                } else ins = ins.next
                continue

              // Properties

              case Op.GetPropertyThen: {
                const object = regs[ins.b]
                const { cache } = ins
                if (
                  typeof object === "object" && object !== null && object.shape === cache.shape && cache.holder === null
                ) {
                  const found = object.slots[cache.slot]
                  const other = regs[ins.d]
                  if (typeof found === "number" && typeof other === "number") {
                    regs[ins.f] = ins.e === Then.Add
                      ? found + other
                      : ins.e === Then.Multiply
                      ? found * other
                      : ins.e === Then.Subtract
                      ? found - other
                      : ins.e === Then.SubtractFrom
                      ? other - found
                      : ins.e === Then.Divide
                      ? found / other
                      : other / found
                    ins = ins.next.next
                    continue
                  }
                  regs[ins.a] = found
                  ins = ins.next
                  continue
                }
              }
              // As where others read it, too.
              // falls through
              case Op.GetProperty: {
                const object = regs[ins.b]
                const { cache } = ins
                if (typeof object === "object" && object !== null) {
                  if (object.shape === cache.shape) {
                    if (cache.holder === null) {
                      regs[ins.a] = object.slots[cache.slot]
                      ins = ins.next
                      continue
                    }
                    if (cache.epoch === space.epoch) {
                      regs[ins.a] = cache.holder.slots[cache.slot]
                      ins = ins.next
                      continue
                    }
                  } else if (object.shape === cache.shape2) {
                    if (cache.holder2 === null) {
                      regs[ins.a] = object.slots[cache.slot2]
                      ins = ins.next
                      continue
                    }
                    if (cache.epoch2 === space.epoch) {
                      regs[ins.a] = cache.holder2.slots[cache.slot2]
                      ins = ins.next
                      continue
                    }
                  } else if (object.shape === cache.getterShape && cache.getterEpoch === space.epoch) {
                    frame.pc = ins.next.pc
                    const next = frameForGetter(m, frame, cache.getterHolder!.slots[cache.getterSlot])
                    if (next === null) break
                    next.thisValue = object
                    next.dst = ins.a
                    m.frame = frame = next
                    ins = frame.first
                    regs = frame.regs
                    if ((m.budget -= frame.cost) < 0) {
                      frame.pc = 0
                      if (m.outOfBudget()) return Status.Slice
                    }
                    continue
                  }
                }
                break
              }
              case Op.GetLength: {
                const object = regs[ins.b]
                if (typeof object === "string") regs[ins.a] = object.length
                else if (typeof object === "object" && object !== null) {
                  if (object.kind === Kind.Array) regs[ins.a] = object.data.length
                  else if (object.kind === Kind.TypedArray) {
                    const { cache } = ins
                    if (object.shape !== cache.viewShape || cache.getterEpoch !== space.epoch) break
                    regs[ins.a] = viewOf(object).length
                  } else break
                } else break
                ins = ins.next
                continue
              }
              case Op.LoadMethod: {
                const object = regs[ins.b]
                const { cache } = ins
                const r = ins.a
                if (typeof object === "object" && object !== null) {
                  if (object.shape === cache.shape) {
                    if (cache.holder === null) {
                      regs[r + 1] = object
                      regs[r] = object.slots[cache.slot]
                      ins = ins.next
                      continue
                    }
                    if (cache.epoch === space.epoch) {
                      regs[r + 1] = object
                      regs[r] = cache.holder.slots[cache.slot]
                      ins = ins.next
                      continue
                    }
                  } else if (object.shape === cache.shape2) {
                    if (cache.holder2 === null) {
                      regs[r + 1] = object
                      regs[r] = object.slots[cache.slot2]
                      ins = ins.next
                      continue
                    }
                    if (cache.epoch2 === space.epoch) {
                      regs[r + 1] = object
                      regs[r] = cache.holder2.slots[cache.slot2]
                      ins = ins.next
                      continue
                    }
                  }
                } else if (typeof object === "string" && cache.shape === m.stringShape && cache.epoch === space.epoch) {
                  regs[r + 1] = object
                  regs[r] = cache.holder!.slots[cache.slot]
                  ins = ins.next
                  continue
                }
                break
              }
              case Op.SetProperty: {
                const object = regs[ins.a]
                const { cache } = ins
                if (typeof object === "object" && object !== null && object.shape === cache.shape) {
                  if (cache.next === null) {
                    object.slots[cache.slot] = regs[ins.c]
                    ins = ins.next
                    continue
                  }
                  if (cache.epoch === space.epoch && object.child === null) {
                    object.slots[cache.slot] = regs[ins.c]
                    object.shape = cache.next
                    m.allocate(16)
                    ins = ins.next
                    continue
                  }
                } else if (typeof object === "object" && object !== null && object.shape === cache.shape2) {
                  object.slots[cache.slot2] = regs[ins.c]
                  ins = ins.next
                  continue
                }
                break
              }
              case Op.GetElementThen: {
                const object = regs[ins.b]
                const key = regs[ins.c]
                if (
                  typeof key === "number" && typeof object === "object" && object !== null &&
                  object.kind === Kind.Array && key >= 0 && key < object.data.length && (key | 0) === key
                ) {
                  const found = object.data[key]
                  if (typeof found === "number") {
                    value = found
                    break once
                  }
                }
              }
              // As where others read it, too.
              // falls through
              case Op.GetElement: {
                const object = regs[ins.b]
                const key = regs[ins.c]
                if (typeof key === "number") {
                  if (typeof object === "object" && object !== null) {
                    if (object.kind === Kind.Array && key >= 0 && key < object.data.length && (key | 0) === key) {
                      const value = object.data[key]
                      if (value !== hole) {
                        regs[ins.a] = value
                        ins = ins.next
                        continue
                      }
                    } else if (object.kind === Kind.TypedArray) {
                      regs[ins.a] = typedArrayElement(object, key)
                      ins = ins.next
                      continue
                    }
                  } else if (typeof object === "string" && key >= 0 && key < object.length && (key | 0) === key) {
                    if (object.length > LONG_TEXT) m.touch(object)
                    regs[ins.a] = object[key]
                    ins = ins.next
                    continue
                  }
                }
                break
              }
              case Op.RequireObject: {
                const value = regs[ins.a]
                if (value === undefined || value === null) break
                ins = ins.next
                continue
              }
              case Op.ElementKey: {
                const object = regs[ins.b]
                const key = regs[ins.c]
                if ((typeof key !== "number" && typeof key !== "string") || object === undefined || object === null) {
                  break
                }
                regs[ins.a] = key
                ins = ins.next
                continue
              }
              case Op.SetElement: {
                const object = regs[ins.a]
                const key = regs[ins.b]
                if (
                  typeof key === "number" && typeof object === "object" && object !== null &&
                  object.kind === Kind.Array &&
                  key >= 0 && key < object.data.length && (key | 0) === key && object.data[key] !== hole
                ) {
                  object.data[key] = regs[ins.c]
                  ins = ins.next
                  continue
                }
                if (
                  typeof key === "number" && typeof object === "object" && object !== null &&
                  object.kind === Kind.TypedArray && typeof regs[ins.c] === "number" && holdsNumbers(object)
                ) {
                  setTypedArrayElement(m, object, key, regs[ins.c])
                  ins = ins.next
                  continue
                }
                break
              }
              case Op.GetPrivate: {
                const object = regs[ins.b]
                const { cache } = ins
                if (typeof object !== "object" || object === null || cache.name !== regs[ins.c]) break
                if (object.shape === cache.shape) regs[ins.a] = object.slots[cache.slot]
                else if (object.shape === cache.shape2) regs[ins.a] = object.slots[cache.slot2]
                else break
                ins = ins.next
                continue
              }
              case Op.SetPrivate: {
                const object = regs[ins.a]
                const { cache } = ins
                if (typeof object !== "object" || object === null || cache.name !== regs[ins.b]) break
                if (object.shape === cache.shape) object.slots[cache.slot] = regs[ins.c]
                else if (object.shape === cache.shape2) object.slots[cache.slot2] = regs[ins.c]
                else break
                ins = ins.next
                continue
              }

              // Objects, arrays, functions

              case Op.NewObject:
                m.allocate(104)
                regs[ins.a] = new JSObject(m.realm.objectShape, newElements(), Kind.Ordinary, undefined)
                ins = ins.next
                continue
              case Op.NewObjectOf: {
                const shape: Shape | null = frame.code!.linked[ins.b]
                if (shape === null) break
                const first = ins.c
                const { count } = shape
                m.allocate(112 + count * 8)
                regs[ins.a] = new JSObject(shape, regs.slice(first, first + count), Kind.Ordinary, undefined)
                ins = ins.next
                continue
              }
              case Op.NewArray: {
                const first = ins.b
                const count = ins.c
                m.allocate(152 + count * 8)
                regs[ins.a] = new JSObject(
                  m.realm.arrayShape,
                  newElements(),
                  Kind.Array,
                  count === 0 ? newElements() : regs.slice(first, first + count),
                )
                ins = ins.next
                continue
              }
              case Op.ArrayPush:
                m.allocate(8)
                ;(regs[ins.a] as JSObject).data.push(regs[ins.b])
                ins = ins.next
                continue
              case Op.Closure:
                regs[ins.a] = literals.newClosure(m, frame, frame.code!.child(ins.b))
                ins = ins.next
                continue

              // Calls

              case Op.CallMethod:
              case Op.CallCaptured:
              case Op.Call: {
                let call = ins
                let fn: Value
                let self: Value
                if (ins.op === Op.CallMethod) {
                  self = regs[ins.b]
                  const { cache } = ins
                  let holder: JSObject | null
                  let slot: number
                  if (typeof self === "object" && self !== null) {
                    if (self.shape === cache.shape) {
                      if (cache.holder !== null && cache.epoch !== space.epoch) break
                      holder = cache.holder
                      slot = cache.slot
                    } else if (self.shape === cache.shape2) {
                      if (cache.holder2 !== null && cache.epoch2 !== space.epoch) break
                      holder = cache.holder2
                      slot = cache.slot2
                    } else break
                  } else if (typeof self === "string" && cache.shape === m.stringShape && cache.epoch === space.epoch) {
                    holder = cache.holder
                    slot = cache.slot
                  } else break
                  fn = holder === null ? (self as JSObject).slots[slot] : holder.slots[slot]
                  call = ins.next
                } else if (ins.op === Op.Call) {
                  fn = regs[ins.b]
                  if (ins.c !== 0) self = regs[ins.b + 1]
                } else fn = frame.captures[ins.b]!.value
                const count = call.d
                let next = frame.child
                let given = count
                if ((next.fn !== fn && (next = frame.other).fn !== fn) || next.arity !== count) {
                  // Not one of the two that were called last.
                  if (typeof fn !== "object" || fn === null) break
                  if (fn.kind === Kind.Native) {
                    const { definition } = fn.data as NativeData
                    if (definition.generator || definition.special !== 0) break
                    frame.pc = call.next.pc
                    m.budget -= 2
                    const args = count === 1
                      ? newElements(regs[call.e])
                      : count === 2
                      ? newElements(regs[call.e], regs[call.f])
                      : call.argumentsIn(regs)
                    const value = (definition.impl as Native)(m, self, args, undefined, fn)
                    if (value === pushed) {
                      m.frame.dst = call.a
                      continue reload
                    }
                    regs[call.a] = value
                    ins = call.next
                    if (m.budget >= 0) continue
                    continue reload
                  }
                  if (fn.kind !== Kind.Closure) break
                  const callee: FunctionCode = (fn.data as ClosureData).code
                  const { arity } = callee
                  if (arity < 0) break
                  frame.pc = call.next.pc
                  next = frameFor(m, frame, fn, callee)
                  if (count !== arity) {
                    if (count > arity) given = arity
                    else for (let i = count; i < arity; i++) next.regs[i] = undefined
                  }
                }
                const registers = next.regs
                if (given > 0) {
                  registers[0] = regs[call.e]
                  if (given > 1) {
                    registers[1] = regs[call.f]
                    for (let i = 2; i < given; i++) registers[i] = regs[call.more[i - 2]!]
                  }
                }
                if (self !== undefined) next.thisValue = self
                else if (next.thisValue !== undefined) next.thisValue = undefined
                next.dst = call.a
                frame.pc = call.next.pc
                m.frame = frame = next
                ins = frame.first
                regs = registers
                if ((m.budget -= frame.cost) < 0) {
                  frame.pc = 0
                  if (m.outOfBudget()) return Status.Slice
                }
                continue
              }
              case Op.New: {
                const r = ins.b
                const fn = regs[r]
                if (
                  typeof fn === "object" && fn !== null && fn.kind === Kind.Closure &&
                  (fn.data as ClosureData).code.template.constructs === true
                ) {
                  frame.pc = ins.next.pc
                  enterConstructor(m, fn, regs, r + 2, ins.c, ins.a)
                  frame = m.frame
                  ins = frame.first
                  regs = frame.regs
                  if (m.budget >= 0) continue
                  continue reload
                }
                break
              }
              case Op.ReturnUndefined:
              case Op.Return: {
                let value = ins.op === Op.Return ? regs[ins.a] : undefined
                if (frame.coroutine === null) {
                  if (frame.newTarget !== undefined) {
                    if (typeof value !== "object" || value === null) value = frame.thisValue
                    if (value.shape.count > (frame.fn.data as ClosureData).slots.length) {
                      noteInstance(frame.newTarget, value)
                    }
                    frame.newTarget = undefined
                  }
                  const { dst, parent } = frame
                  m.frame = parent
                  if (parent.type === FrameType.Guest) {
                    frame = parent
                    ins = frame.instructions[frame.pc]!
                    regs = frame.regs
                    if (dst >= 0) regs[dst] = value
                    continue
                  }
                  const { repeated } = parent
                  if (
                    repeated === null || repeated.request!.fn !== frame.fn || frame.arity < 0 || m.budget < 0
                  ) {
                    if (complete(m, value, false, dst)) return Status.Slice
                  } else if (repeated.again(value)) {
                    // What a built-in calls for each element, for the next one.
                    const { args, thisValue } = repeated.request!
                    const { arity } = frame
                    const given = args.length < arity ? args.length : arity
                    for (let i = 0; i < given; i++) regs[i] = args[i]
                    for (let i = given; i < arity; i++) regs[i] = undefined
                    frame.thisValue = thisValue
                    m.frame = frame
                    ins = frame.first
                    if ((m.budget -= frame.cost + 1) < 0) {
                      frame.pc = 0
                      if (m.outOfBudget()) return Status.Slice
                    }
                    continue
                  } else if (complete(m, undefined, false, dst)) return Status.Slice
                } else if (finish(m, frame, value)) return Status.Slice
                continue reload
              }
              case Op.Throw:
                frame.pc = ins.pc + 1
                noteThrow(m, regs[ins.a])
                if (complete(m, regs[ins.a], true, -1)) return Status.Slice
                continue reload

              // Iteration

              case Op.GetIterator: {
                const value = regs[ins.b]
                if (!isObject(value) || value.kind !== Kind.Array || !m.arrayIteration.isPristine(value)) break
                const r = ins.a
                regs[r] = value
                regs[r + 1] = 0
                regs[r + 2] = IteratorState.Array
                ins = ins.next
                continue
              }
              case Op.IteratorNext: {
                const r = ins.b
                if (regs[r + 2] !== IteratorState.Array) break
                const array: JSObject = regs[r]
                const index: number = regs[r + 1]
                if (index >= array.data.length) {
                  ins = ins.target
                  continue
                }
                if (array.kind !== Kind.Array) break
                const value = array.data[index]
                if (value === hole) break
                regs[r + 1] = index + 1
                regs[ins.a] = value
                // Behind the next instruction is the jump back.
                const back = ins.next.next
                const cost = back.b
                ins = back.target
                if ((m.budget -= cost) < 0) {
                  frame.pc = ins.pc
                  if (m.outOfBudget()) return Status.Slice
                }
                continue
              }

              case Op.IteratorStep: {
                const r = ins.b
                if (regs[r + 2] !== IteratorState.Array) break
                const array: JSObject = regs[r]
                const index: number = regs[r + 1]
                if (array.kind !== Kind.Array || index >= array.data.length) break
                const value = array.data[index]
                if (value === hole) break
                regs[r + 1] = index + 1
                regs[ins.a] = value
                ins = ins.target
                continue
              }
              case Op.JumpDone:
                ins = regs[ins.a + 2] === IteratorState.Done ? ins.target : ins.next
                continue
              case Op.IteratorClose: {
                const state = regs[ins.b + 2]
                if (state !== IteratorState.Array && state !== IteratorState.Done) break
                ins = ins.target
                continue
              }

              // Suspension

              case Op.Yield: {
                const coroutine = frame.coroutine!
                if (coroutine.kind !== CoroutineKind.Generator || coroutine.loopEnd < 0) break
                // In a loop over the generator: the value goes straight to the loop's variable.
                frame.resumeRegister = ins.a
                frame.resumeTarget = ins.c
                frame.pc = ins.next.pc
                coroutine.loopEnd = -1
                coroutine.state = CoroutineState.Suspended
                coroutine.frame = frame
                const value = regs[ins.b]
                const { dst } = frame
                m.pop()
                m.frame.regs[dst] = value
                continue reload
              }
            }

            frame.pc = ins.pc + 1
            const next = execute(m, frame, ins)
            if (next === slice) return Status.Slice
            if (next !== SWITCHED) {
              ins = next
              if (m.budget >= 0) continue
              frame.pc = ins.pc
            }
            continue reload
          }

          // Two instructions in one: there is no register in between, for which the host would make an object of the number.
          const other = regs[ins.d]
          if (typeof other === "number") {
            if (ins.e < Then.GetElement) {
              regs[ins.f] = ins.e === Then.Add
                ? value + other
                : ins.e === Then.Multiply
                ? value * other
                : ins.e === Then.Subtract
                ? value - other
                : ins.e === Then.SubtractFrom
                ? other - value
                : ins.e === Then.Divide
                ? value / other
                : other / value
              ins = ins.next.next
              continue
            }
          } else if (typeof other === "object" && other !== null) {
            if (ins.e === Then.GetElement) {
              if (other.kind === Kind.Array && value >= 0 && value < other.data.length && (value | 0) === value) {
                const element = other.data[value]
                if (element !== hole) {
                  regs[ins.f] = element
                  ins = ins.next.next
                  continue
                }
              }
            } else if (ins.e === Then.SetProperty) {
              const { cache } = ins.next
              if (other.shape === cache.shape && cache.next === null) {
                other.slots[cache.slot] = value
                ins = ins.next.next
                continue
              }
            } else if (ins.e === Then.SetElement) {
              const key = regs[ins.f]
              if (
                typeof key === "number" && other.kind === Kind.Array && key >= 0 && key < other.data.length &&
                (key | 0) === key && other.data[key] !== hole
              ) {
                other.data[key] = value
                ins = ins.next.next
                continue
              }
            }
          }
          regs[ins.a] = value
          ins = ins.next
        }
      }
    } catch (error) {
      if (complete(m, m.guestError(error), true, -1)) return Status.Slice
    }
  }
}
