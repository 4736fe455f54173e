import { IteratorState, Op } from "../compile/opcodes.ts"
import {
  chargeEquality,
  HOLE,
  isObject,
  JSObject,
  Kind,
  LONG_TEXT,
  type NativeData,
  newElements,
  type Shape,
  TDZ,
  typeOf,
} from "../object/index.ts"
import {
  getElement as typedArrayElement,
  holdsNumbers,
  setElement as setTypedArrayElement,
} from "../object/typed-array.ts"
import { enterConstructor, frameFor, noteInstance } from "./calls.ts"
import { complete, finish } from "./completion.ts"
import { CoroutineKind, CoroutineState, FrameType, PUSHED } from "./frame.ts"
import { Cell, type ClosureData, type FunctionCode } from "./function.ts"
import { execute, SLICE } from "./instructions.ts"
import * as literals from "./literals.ts"
import type { Machine } from "./machine.ts"

const argumentsOf = (regs: ReadonlyArray<any>, code: Int32Array, at: number, count: number): Array<any> => {
  const args = newElements()
  for (let i = 0; i < count; i++) args.push(regs[code[at + i]!])
  return args
}

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
        let { caches, instructions: code, regs } = frame
        let pc = frame.pc | 0

        for (;;) {
          // So the host's compiler knows that the counter is a small integer, and adds to it without a check.
          pc &= 0x3fffffff
          switch (code[pc]! as Op) {
            case Op.Move:
              regs[code[pc + 1]!] = regs[code[pc + 2]!]
              pc += 3
              continue
            case Op.LoadConstant:
              regs[code[pc + 1]!] = frame.code!.template.constants[code[pc + 2]!]
              pc += 3
              continue
            case Op.LoadInteger:
              regs[code[pc + 1]!] = code[pc + 2]!
              pc += 3
              continue
            case Op.LoadUndefined:
              regs[code[pc + 1]!] = undefined
              pc += 2
              continue
            case Op.LoadTdz:
              regs[code[pc + 1]!] = TDZ
              pc += 2
              continue
            case Op.This:
              regs[code[pc + 1]!] = frame.thisValue
              pc += 2
              continue
            case Op.Callee:
              regs[code[pc + 1]!] = frame.fn
              pc += 2
              continue

            // Cells

            case Op.NewCell:
              m.allocate(24)
              regs[code[pc + 1]!] = new Cell(TDZ)
              pc += 2
              continue
            case Op.NewCellOf:
              m.allocate(24)
              regs[code[pc + 1]!] = new Cell(regs[code[pc + 2]!])
              pc += 3
              continue
            case Op.CopyCell: {
              m.allocate(24)
              const register = code[pc + 1]!
              regs[register] = new Cell((regs[register] as Cell).value)
              pc += 2
              continue
            }
            case Op.LoadCell:
              regs[code[pc + 1]!] = (regs[code[pc + 2]!] as Cell).value
              pc += 3
              continue
            case Op.StoreCell:
              ;(regs[code[pc + 1]!] as Cell).value = regs[code[pc + 2]!]
              pc += 3
              continue
            case Op.LoadCapture:
              regs[code[pc + 1]!] = (frame.fn.data as ClosureData).captures[code[pc + 2]!]!.value
              pc += 3
              continue
            case Op.StoreCapture:
              ;(frame.fn.data as ClosureData).captures[code[pc + 1]!]!.value = regs[code[pc + 2]!]
              pc += 3
              continue
            case Op.LoadCellChecked: {
              const { value } = regs[code[pc + 2]!] as Cell
              if (value === TDZ) break
              regs[code[pc + 1]!] = value
              pc += 4
              continue
            }
            case Op.LoadCaptureChecked: {
              const { value } = (frame.fn.data as ClosureData).captures[code[pc + 2]!]!
              if (value === TDZ) break
              regs[code[pc + 1]!] = value
              pc += 4
              continue
            }
            case Op.CheckTdz:
              if (regs[code[pc + 1]!] === TDZ) break
              pc += 3
              continue

            // Globals

            case Op.GetGlobal: {
              const { shape, slots } = m.global
              const cache = caches[code[pc + 3]!]!
              if (cache.shape !== shape) break
              regs[code[pc + 1]!] = slots[cache.slot]
              pc += 4
              continue
            }

            // Arithmetic

            case Op.Add: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a + b
              pc += 4
              continue
            }
            case Op.Subtract: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a - b
              pc += 4
              continue
            }
            case Op.Multiply: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a * b
              pc += 4
              continue
            }
            case Op.Divide: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a / b
              pc += 4
              continue
            }
            case Op.Remainder: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              // The host has an instruction for integers, and none for other numbers.
              regs[code[pc + 1]!] = a > 0 && b > 0 && a >>> 0 === a && b >>> 0 === b ? (a >>> 0) % (b >>> 0) : a % b
              pc += 4
              continue
            }
            case Op.BitAnd: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a & b
              pc += 4
              continue
            }
            case Op.BitOr: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a | b
              pc += 4
              continue
            }
            case Op.BitXor: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a ^ b
              pc += 4
              continue
            }
            case Op.ShiftLeft: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a << b
              pc += 4
              continue
            }
            case Op.ShiftRight: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a >> b
              pc += 4
              continue
            }
            case Op.ShiftRightUnsigned: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a >>> b
              pc += 4
              continue
            }
            case Op.Negate: {
              const a = regs[code[pc + 2]!]
              if (typeof a !== "number") break
              regs[code[pc + 1]!] = -a
              pc += 3
              continue
            }
            case Op.ToNumeric: {
              const a = regs[code[pc + 2]!]
              if (typeof a !== "number") break
              regs[code[pc + 1]!] = a
              pc += 3
              continue
            }
            case Op.Increment: {
              const a = regs[code[pc + 2]!]
              if (typeof a !== "number") break
              regs[code[pc + 1]!] = a + 1
              pc += 3
              continue
            }
            case Op.Decrement: {
              const a = regs[code[pc + 2]!]
              if (typeof a !== "number") break
              regs[code[pc + 1]!] = a - 1
              pc += 3
              continue
            }
            case Op.Not:
              regs[code[pc + 1]!] = !regs[code[pc + 2]!]
              pc += 3
              continue
            case Op.Typeof:
              regs[code[pc + 1]!] = typeOf(regs[code[pc + 2]!])
              pc += 3
              continue
            case Op.ToText: {
              const a = regs[code[pc + 2]!]
              if (typeof a !== "string") break
              regs[code[pc + 1]!] = a
              pc += 3
              continue
            }

            // Comparison

            case Op.Less: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a < b
              pc += 4
              continue
            }
            case Op.LessEqual: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a <= b
              pc += 4
              continue
            }
            case Op.Greater: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a > b
              pc += 4
              continue
            }
            case Op.GreaterEqual: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a !== "number" || typeof b !== "number") break
              regs[code[pc + 1]!] = a >= b
              pc += 4
              continue
            }
            case Op.StrictEqual: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a === "string" && a.length > LONG_TEXT) chargeEquality(m, a, b)
              regs[code[pc + 1]!] = a === b
              pc += 4
              continue
            }
            case Op.StrictNotEqual: {
              const a = regs[code[pc + 2]!]
              const b = regs[code[pc + 3]!]
              if (typeof a === "string" && a.length > LONG_TEXT) chargeEquality(m, a, b)
              regs[code[pc + 1]!] = a !== b
              pc += 4
              continue
            }

            // Jumps

            case Op.Jump: {
              const cost = code[pc + 2]!
              pc = code[pc + 1]!
              if (cost > 0 && (m.budget -= cost) < 0) {
                frame.pc = pc
                if (m.outOfBudget()) return Status.Slice
              }
              continue
            }
            case Op.JumpTrue:
              if (regs[code[pc + 1]!]) {
                const cost = code[pc + 3]!
                pc = code[pc + 2]!
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = pc
                  if (m.outOfBudget()) return Status.Slice
                }
              } else pc += 4
              continue
            case Op.JumpFalse:
              if (!regs[code[pc + 1]!]) pc = code[pc + 2]!
              else pc += 4
              continue
            case Op.JumpNullish: {
              const value = regs[code[pc + 1]!]
              pc = value === undefined || value === null ? code[pc + 2]! : pc + 4
              continue
            }
            case Op.JumpNotNullish: {
              const value = regs[code[pc + 1]!]
              pc = value === undefined || value === null ? pc + 4 : code[pc + 2]!
              continue
            }
            case Op.JumpUndefined:
              pc = regs[code[pc + 1]!] === undefined ? code[pc + 2]! : pc + 4
              continue
            case Op.JumpNotUndefined:
              pc = regs[code[pc + 1]!] === undefined ? pc + 4 : code[pc + 2]!
              continue
            case Op.IncrementJumpLess: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              const next = a + 1
              regs[code[pc + 1]!] = next
              if (next < b) {
                const cost = code[pc + 4]!
                pc = code[pc + 3]!
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = pc
                  if (m.outOfBudget()) return Status.Slice
                }
              } else pc += 5
              continue
            }
            case Op.JumpLess: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              if (a < b) {
                const cost = code[pc + 4]!
                pc = code[pc + 3]!
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = pc
                  if (m.outOfBudget()) return Status.Slice
                }
              } else pc += 5
              continue
            }
            case Op.JumpLessEqual: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              if (a <= b) {
                const cost = code[pc + 4]!
                pc = code[pc + 3]!
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = pc
                  if (m.outOfBudget()) return Status.Slice
                }
              } else pc += 5
              continue
            }
            case Op.JumpGreater: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              if (a > b) {
                const cost = code[pc + 4]!
                pc = code[pc + 3]!
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = pc
                  if (m.outOfBudget()) return Status.Slice
                }
              } else pc += 5
              continue
            }
            case Op.JumpGreaterEqual: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              if (a >= b) {
                const cost = code[pc + 4]!
                pc = code[pc + 3]!
                if (cost > 0 && (m.budget -= cost) < 0) {
                  frame.pc = pc
                  if (m.outOfBudget()) return Status.Slice
                }
              } else pc += 5
              continue
            }
            case Op.JumpNotLess: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              pc = a < b ? pc + 5 : code[pc + 3]!
              continue
            }
            case Op.JumpNotLessEqual: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              pc = a <= b ? pc + 5 : code[pc + 3]!
              continue
            }
            case Op.JumpNotGreater: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              pc = a > b ? pc + 5 : code[pc + 3]!
              continue
            }
            case Op.JumpNotGreaterEqual: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a !== "number" || typeof b !== "number") break
              pc = a >= b ? pc + 5 : code[pc + 3]!
              continue
            }
            case Op.JumpStrictEqual: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a === "string" && a.length > LONG_TEXT) chargeEquality(m, a, b)
              pc = a === b ? code[pc + 3]! : pc + 5
              continue
            }
            case Op.JumpStrictNotEqual: {
              const a = regs[code[pc + 1]!]
              const b = regs[code[pc + 2]!]
              if (typeof a === "string" && a.length > LONG_TEXT) chargeEquality(m, a, b)
              pc = a !== b ? code[pc + 3]! : pc + 5
              continue
            }

            // Properties

            case Op.GetProperty: {
              const object = regs[code[pc + 2]!]
              const cache = caches[code[pc + 4]!]!
              if (typeof object === "object" && object !== null) {
                if (object.shape === cache.shape) {
                  if (cache.holder === null) {
                    regs[code[pc + 1]!] = object.slots[cache.slot]
                    pc += 5
                    continue
                  }
                  if (cache.epoch === space.epoch) {
                    regs[code[pc + 1]!] = cache.holder.slots[cache.slot]
                    pc += 5
                    continue
                  }
                } else if (object.shape === cache.shape2) {
                  if (cache.holder2 === null) {
                    regs[code[pc + 1]!] = object.slots[cache.slot2]
                    pc += 5
                    continue
                  }
                  if (cache.epoch2 === space.epoch) {
                    regs[code[pc + 1]!] = cache.holder2.slots[cache.slot2]
                    pc += 5
                    continue
                  }
                }
              }
              break
            }
            case Op.GetLength: {
              const object = regs[code[pc + 2]!]
              if (typeof object === "string") regs[code[pc + 1]!] = object.length
              else if (typeof object === "object" && object !== null && object.kind === Kind.Array) {
                regs[code[pc + 1]!] = object.data.length
              } else break
              pc += 4
              continue
            }
            case Op.LoadMethod: {
              const object = regs[code[pc + 2]!]
              const cache = caches[code[pc + 4]!]!
              const r = code[pc + 1]!
              if (typeof object === "object" && object !== null) {
                if (object.shape === cache.shape) {
                  if (cache.holder === null) {
                    regs[r + 1] = object
                    regs[r] = object.slots[cache.slot]
                    pc += 5
                    continue
                  }
                  if (cache.epoch === space.epoch) {
                    regs[r + 1] = object
                    regs[r] = cache.holder.slots[cache.slot]
                    pc += 5
                    continue
                  }
                } else if (object.shape === cache.shape2) {
                  if (cache.holder2 === null) {
                    regs[r + 1] = object
                    regs[r] = object.slots[cache.slot2]
                    pc += 5
                    continue
                  }
                  if (cache.epoch2 === space.epoch) {
                    regs[r + 1] = object
                    regs[r] = cache.holder2.slots[cache.slot2]
                    pc += 5
                    continue
                  }
                }
              } else if (typeof object === "string" && cache.shape === m.stringShape && cache.epoch === space.epoch) {
                regs[r + 1] = object
                regs[r] = cache.holder!.slots[cache.slot]
                pc += 5
                continue
              }
              break
            }
            case Op.SetProperty: {
              const object = regs[code[pc + 1]!]
              const cache = caches[code[pc + 4]!]!
              if (typeof object === "object" && object !== null && object.shape === cache.shape) {
                if (cache.next === null) {
                  object.slots[cache.slot] = regs[code[pc + 3]!]
                  pc += 5
                  continue
                }
                if (cache.epoch === space.epoch && object.child === null) {
                  object.slots[cache.slot] = regs[code[pc + 3]!]
                  object.shape = cache.next
                  m.allocate(16)
                  pc += 5
                  continue
                }
              }
              break
            }
            case Op.GetElement: {
              const object = regs[code[pc + 2]!]
              const key = regs[code[pc + 3]!]
              if (typeof key === "number") {
                if (typeof object === "object" && object !== null) {
                  if (object.kind === Kind.Array && key >= 0 && key < object.data.length && (key | 0) === key) {
                    const value = object.data[key]
                    if (value !== HOLE) {
                      regs[code[pc + 1]!] = value
                      pc += 4
                      continue
                    }
                  } else if (object.kind === Kind.TypedArray) {
                    regs[code[pc + 1]!] = typedArrayElement(object, key)
                    pc += 4
                    continue
                  }
                } else if (typeof object === "string" && key >= 0 && key < object.length && (key | 0) === key) {
                  if (object.length > LONG_TEXT) m.touch(object)
                  regs[code[pc + 1]!] = object[key]
                  pc += 4
                  continue
                }
              }
              break
            }
            case Op.ElementKey: {
              const object = regs[code[pc + 2]!]
              const key = regs[code[pc + 3]!]
              if ((typeof key !== "number" && typeof key !== "string") || object === undefined || object === null) break
              regs[code[pc + 1]!] = key
              pc += 4
              continue
            }
            case Op.SetElement: {
              const object = regs[code[pc + 1]!]
              const key = regs[code[pc + 2]!]
              if (
                typeof key === "number" && typeof object === "object" && object !== null &&
                object.kind === Kind.Array &&
                key >= 0 && key < object.data.length && (key | 0) === key && object.data[key] !== HOLE
              ) {
                object.data[key] = regs[code[pc + 3]!]
                pc += 4
                continue
              }
              if (
                typeof key === "number" && typeof object === "object" && object !== null &&
                object.kind === Kind.TypedArray && typeof regs[code[pc + 3]!] === "number" && holdsNumbers(object)
              ) {
                setTypedArrayElement(m, object, key, regs[code[pc + 3]!])
                pc += 4
                continue
              }
              break
            }
            case Op.GetPrivate: {
              const object = regs[code[pc + 2]!]
              const cache = caches[code[pc + 4]!]!
              if (
                typeof object === "object" && object !== null && object.shape === cache.shape &&
                cache.name === regs[code[pc + 3]!]
              ) {
                regs[code[pc + 1]!] = object.slots[cache.slot]
                pc += 5
                continue
              }
              break
            }
            case Op.SetPrivate: {
              const object = regs[code[pc + 1]!]
              const cache = caches[code[pc + 4]!]!
              if (
                typeof object === "object" && object !== null && object.shape === cache.shape &&
                cache.name === regs[code[pc + 2]!]
              ) {
                object.slots[cache.slot] = regs[code[pc + 3]!]
                pc += 5
                continue
              }
              break
            }

            // Objects, arrays, functions

            case Op.NewObject:
              m.allocate(64)
              regs[code[pc + 1]!] = new JSObject(m.realm.objectShape, [], Kind.Ordinary, undefined)
              pc += 2
              continue
            case Op.NewObjectOf: {
              const shape: Shape | null = frame.code!.linked[code[pc + 2]!]
              if (shape === null) break
              const first = code[pc + 3]!
              const { count } = shape
              m.allocate(64 + count * 8)
              regs[code[pc + 1]!] = new JSObject(shape, regs.slice(first, first + count), Kind.Ordinary, undefined)
              pc += 4
              continue
            }
            case Op.NewArray: {
              const first = code[pc + 2]!
              const count = code[pc + 3]!
              m.allocate(80 + count * 8)
              regs[code[pc + 1]!] = new JSObject(
                m.realm.arrayShape,
                [],
                Kind.Array,
                count === 0 ? newElements() : regs.slice(first, first + count),
              )
              pc += 4
              continue
            }
            case Op.ArrayPush:
              m.allocate(8)
              ;(regs[code[pc + 1]!] as JSObject).data.push(regs[code[pc + 2]!])
              pc += 3
              continue
            case Op.Closure:
              m.allocate(160)
              regs[code[pc + 1]!] = literals.newClosure(m, frame, frame.code!.child(code[pc + 2]!))
              pc += 3
              continue

            // Calls

            case Op.Call: {
              const r = code[pc + 2]!
              const fn = regs[r]
              const count = code[pc + 4]!
              const after = (pc + 5 + count) | 0
              let next = frame.child
              let given = count
              if (next.fn !== fn || next.arity !== count) {
                // Not what was called last.
                if (typeof fn !== "object" || fn === null) break
                if (fn.kind === Kind.Native) {
                  const { definition } = fn.data as NativeData
                  if (definition.generator || definition.special !== 0) break
                  frame.pc = after
                  m.budget -= 2
                  const self = code[pc + 3] === 0 ? undefined : regs[r + 1]
                  const args = count === 1
                    ? [regs[code[pc + 5]!]]
                    : count === 2
                    ? [regs[code[pc + 5]!], regs[code[pc + 6]!]]
                    : argumentsOf(regs, code, pc + 5, count)
                  const value = (definition.impl as any)(m, self, args, undefined, fn)
                  if (value === PUSHED) {
                    m.frame.dst = code[pc + 1]!
                    continue reload
                  }
                  regs[code[pc + 1]!] = value
                  pc = after
                  if (m.budget >= 0) continue
                  frame.pc = pc
                  continue reload
                }
                if (fn.kind !== Kind.Closure) break
                const callee: FunctionCode = (fn.data as ClosureData).code
                const { arity } = callee
                if (arity < 0) break
                frame.pc = after
                next = frameFor(m, frame, fn, callee)
                if (count !== arity) {
                  if (count > arity) given = arity
                  else for (let i = count; i < arity; i++) next.regs[i] = undefined
                }
              }
              const registers = next.regs
              if (given > 0) {
                registers[0] = regs[code[pc + 5]!]
                if (given > 1) {
                  registers[1] = regs[code[pc + 6]!]
                  for (let i = 2; i < given; i++) registers[i] = regs[code[(pc + 5 + i) | 0]!]
                }
              }
              if (code[pc + 3] !== 0) next.thisValue = regs[r + 1]
              else if (next.thisValue !== undefined) next.thisValue = undefined
              next.dst = code[pc + 1]!
              frame.pc = after
              m.frame = frame = next
              code = frame.instructions
              caches = frame.caches
              regs = registers
              pc = 0
              if ((m.budget -= frame.cost) < 0) {
                frame.pc = 0
                if (m.outOfBudget()) return Status.Slice
              }
              continue
            }
            case Op.New: {
              const r = code[pc + 2]!
              const fn = regs[r]
              if (
                typeof fn === "object" && fn !== null && fn.kind === Kind.Closure &&
                (fn.data as ClosureData).code.template.constructs === true
              ) {
                frame.pc = pc + 4
                enterConstructor(m, fn, regs, r + 2, code[pc + 3]!, code[pc + 1]!)
                frame = m.frame
                code = frame.instructions
                caches = frame.caches
                regs = frame.regs
                pc = 0
                if (m.budget >= 0) continue
                continue reload
              }
              break
            }
            case Op.Return: {
              let value = regs[code[pc + 1]!]
              if (frame.coroutine === null) {
                if (frame.newTarget !== undefined) {
                  if (typeof value !== "object" || value === null) value = frame.thisValue
                  noteInstance(frame.newTarget, value)
                  frame.newTarget = undefined
                }
                const { dst, parent } = frame
                m.frame = parent
                if (parent.type === FrameType.Guest) {
                  frame = parent
                  code = frame.instructions
                  caches = frame.caches
                  regs = frame.regs
                  pc = frame.pc | 0
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
                  pc = 0
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
              frame.pc = pc + 1
              m.noteThrow(regs[code[pc + 1]!])
              if (complete(m, regs[code[pc + 1]!], true, -1)) return Status.Slice
              continue reload

            // Iteration

            case Op.GetIterator: {
              const value = regs[code[pc + 2]!]
              if (!isObject(value) || value.kind !== Kind.Array || !m.isArrayIterationPristine(value)) break
              const r = code[pc + 1]!
              regs[r] = value
              regs[r + 1] = 0
              regs[r + 2] = IteratorState.Array
              pc += 3
              continue
            }
            case Op.IteratorNext: {
              const r = code[pc + 2]!
              if (regs[r + 2] !== IteratorState.Array) break
              const array: JSObject = regs[r]
              const index: number = regs[r + 1]
              if (index >= array.data.length) {
                pc = code[pc + 3]!
                continue
              }
              if (array.kind !== Kind.Array) break
              const value = array.data[index]
              if (value === HOLE) break
              regs[r + 1] = index + 1
              regs[code[pc + 1]!] = value
              // Behind the next instruction is the jump back.
              const cost = code[pc + 10]!
              pc = code[pc + 9]!
              if ((m.budget -= cost) < 0) {
                frame.pc = pc
                if (m.outOfBudget()) return Status.Slice
              }
              continue
            }

            // Suspension

            case Op.Yield: {
              const coroutine = frame.coroutine!
              if (coroutine.kind !== CoroutineKind.Generator || coroutine.loopEnd < 0) break
              // In a loop over the generator: the value goes straight to the loop's variable.
              frame.resumeRegister = code[pc + 1]!
              frame.resumeTarget = code[pc + 3]!
              frame.pc = pc + 4
              coroutine.loopEnd = -1
              coroutine.state = CoroutineState.Suspended
              coroutine.frame = frame
              const value = regs[code[pc + 2]!]
              const { dst } = frame
              m.pop()
              m.frame.regs[dst] = value
              continue reload
            }
          }

          frame.pc = pc + 1
          const next = execute(m, frame, code[pc]!)
          if (next >= 0) {
            pc = next | 0
            if (m.budget >= 0) continue
            frame.pc = pc
          }
          if (next === SLICE) return Status.Slice
          continue reload
        }
      }
    } catch (error) {
      if (complete(m, m.guestError(error), true, -1)) return Status.Slice
    }
  }
}
