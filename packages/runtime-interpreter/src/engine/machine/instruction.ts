import { Op, Then } from "../compile/opcodes.ts"
import { operands } from "../compile/operands.ts"
import type { Template } from "../compile/template.ts"
import { type JSObject, newElements, type PrivateName, type Shape, type Value } from "../object/index.ts"

/**
 * Remembers where an instruction found a property: on objects of `shape`, in `slot` of the object itself or of `holder`.
 * What was found on a prototype holds until one changes. `next` is the shape after an assignment that adds the property.
 */
export class InlineCache {
  shape: Shape | null = null
  holder: JSObject | null = null
  slot = 0
  epoch = -1
  next: Shape | null = null
  /** The shape of objects on whose prototype `getterHolder` the property is an accessor. */
  getterShape: Shape | null = null
  getterHolder: JSObject | null = null
  getterSlot = 0
  getterEpoch = -1
  /** The shape of typed arrays whose getter of `length` is the built-in one. */
  viewShape: Shape | null = null
  /** Of an instruction for private names: the name that was found, since each evaluation of a class has its own. */
  name: PrivateName | null = null
  /** A second place, for instructions that meet two shapes. */
  shape2: Shape | null = null
  holder2: JSObject | null = null
  slot2 = 0
  epoch2 = -1

  /** Remembers where an object of its own has a property that is read or written there; what was found before is the second place. */
  found(shape: Shape, slot: number): void {
    if (shape.dictionary) shape.cached = true
    if (this.shape !== null && this.next === null) {
      this.shape2 = this.shape
      this.slot2 = this.slot
    }
    this.shape = shape
    this.slot = slot
    this.next = null
  }
}

/** Stands for the cache of an instruction that has not run yet; never written to. */
export const NO_CACHE = new InlineCache()

const NO_MORE: ReadonlyArray<number> = []

let none: Instruction | undefined

/**
 * An instruction of a template, decoded for a realm: the machine's loop reads the fields of an object with fewer checks than the elements
 * of an array, and finds the next instruction, a jump's target and the inline cache without looking them up.
 */
export class Instruction {
  /** The operands in order; 0 where there are fewer. A constant small integer is in `e`; of two in one, more of the second in `d`, `e` and `f`. */
  a = 0
  b = 0
  c = 0
  d = 0
  e = 0
  f = 0
  /** The operands after these. */
  more = NO_MORE
  cache = NO_CACHE
  /** Where it jumps to. */
  target: Instruction
  next: Instruction

  constructor(
    public op: Op,
    /** Its place in the template's code. */
    readonly pc: number,
  ) {
    this.target = none ?? this
    this.next = this.target
  }

  /** The inline cache, to write to. */
  writableCache(): InlineCache {
    return this.cache === NO_CACHE ? this.cache = new InlineCache() : this.cache
  }

  /** Of a call: its arguments. */
  argumentsIn(regs: ReadonlyArray<Value>): Array<Value> {
    const args = newElements()
    const count = this.d
    if (count > 0) args.push(regs[this.e])
    if (count > 1) args.push(regs[this.f])
    for (let i = 2; i < count; i++) args.push(regs[this.more[i - 2]!])
    return args
  }
}

/** Stands for no instruction. */
export const NO_INSTRUCTION: Instruction = none = new Instruction(Op.Undecoded, 0)

/** The forms of instructions for a constant small integer, and which operand that is. */
const withInteger: ReadonlyMap<Op, readonly [form: Op, operand: number]> = new Map([
  [Op.Add, [Op.AddInteger, 2]],
  [Op.Subtract, [Op.SubtractInteger, 2]],
  [Op.Multiply, [Op.MultiplyInteger, 2]],
  [Op.Remainder, [Op.RemainderInteger, 2]],
  [Op.BitAnd, [Op.BitAndInteger, 2]],
  [Op.JumpLess, [Op.JumpLessInteger, 1]],
  [Op.JumpNotLess, [Op.JumpNotLessInteger, 1]],
  [Op.JumpGreater, [Op.JumpGreaterInteger, 1]],
  [Op.JumpNotGreater, [Op.JumpNotGreaterInteger, 1]],
])

/** Of instructions whose result the next one alone reads: what they are otherwise, and what they are where both are done at once. */
const readOnce: ReadonlyMap<Op, readonly [plain: Op, both: Op]> = new Map([
  [Op.AddOnce, [Op.Add, Op.AddThen]],
  [Op.SubtractOnce, [Op.Subtract, Op.SubtractThen]],
  [Op.MultiplyOnce, [Op.Multiply, Op.MultiplyThen]],
  [Op.DivideOnce, [Op.Divide, Op.DivideThen]],
  [Op.GetPropertyOnce, [Op.GetProperty, Op.GetPropertyThen]],
  [Op.GetElementOnce, [Op.GetElement, Op.GetElementThen]],
])

const plainOf = (op: Op): Op => readOnce.get(op)?.[0] ?? op

/** What an instruction does with its left or its right operand. */
const thens: ReadonlyMap<Op, readonly [left: Then | null, right: Then]> = new Map([
  [Op.Add, [Then.Add, Then.Add]],
  [Op.Multiply, [Then.Multiply, Then.Multiply]],
  [Op.Subtract, [Then.Subtract, Then.SubtractFrom]],
  [Op.Divide, [Then.Divide, Then.DivideFrom]],
  [Op.GetElement, [null, Then.GetElement]],
])

/** An instruction with the one after it: the last operands. */
interface Both {
  readonly form: Op
  readonly d: number
  readonly e: number
  readonly f: number
}

/** The instruction at `pc` together with that at `next`, which alone reads its result; `undefined` if they are not done at once. */
const bothOf = ({ code }: Template, pc: number, next: number): Both | undefined => {
  const once = readOnce.get(code[pc]! as Op)
  if (once === undefined) return undefined
  const value = code[pc + 1]!
  const then = plainOf(code[next]! as Op)
  const isArithmetic = once[0] !== Op.GetProperty && once[0] !== Op.GetElement
  if ((then === Op.SetProperty || then === Op.SetElement) && isArithmetic) {
    const object = code[next + 1]!
    const key = code[next + 2]!
    if (code[next + 3] !== value || object === value) return undefined
    if (then === Op.SetProperty) return { form: once[1], d: object, e: Then.SetProperty, f: 0 }
    return key === value ? undefined : { form: once[1], d: object, e: Then.SetElement, f: key }
  }
  const target = code[next + 1]!
  const left = code[next + 2]!
  const right = code[next + 3]!
  const kinds = thens.get(then)
  if (kinds === undefined || (left === value) === (right === value)) return undefined
  const kind = left === value ? kinds[0] : kinds[1]
  if (kind === null || (kind === Then.GetElement && !isArithmetic)) return undefined
  return { form: once[1], d: left === value ? right : left, e: kind, f: target }
}

const isSmallInteger = (value: unknown): value is number =>
  typeof value === "number" && value === (value | 0) && !Object.is(value, -0) && Math.abs(value) < 1 << 30

/** What the instruction at `pc`, with `next` after it, is decoded to. */
const formOf = ({ blank, code }: Template, pc: number, next: number): readonly [form: Op, integer: number] => {
  const op = plainOf(code[pc]! as Op)
  if (op === Op.LoadMethod && code[next] === Op.Call && code[next + 2] === code[pc + 1]) return [Op.CallMethod, 0]
  if (op === Op.LoadUndefined && code[next] === Op.Return && code[next + 1] === code[pc + 1]) {
    return [Op.ReturnUndefined, 0]
  }
  if (op === Op.JumpStrictEqual && blank[code[pc + 2]!] === null) return [Op.JumpStrictEqualNull, 0]
  if (op === Op.JumpStrictNotEqual && blank[code[pc + 2]!] === null) return [Op.JumpStrictNotEqualNull, 0]
  const form = withInteger.get(op)
  if (form === undefined) return [op, 0]
  const constant = blank[code[pc + 1 + form[1]]!]
  return isSmallInteger(constant) ? [form[0], constant | 0] : [op, 0]
}

/** How many instructions are decoded at once. What a program does not come to is mostly not decoded then. */
const STRETCH = 32

/** The instruction at a place: what refers to it need not wait until it is decoded. */
const at = (table: Array<Instruction>, pc: number): Instruction => {
  const known = table[pc]!
  return known === NO_INSTRUCTION ? table[pc] = new Instruction(Op.Undecoded, pc) : known
}

/** A table for the instructions of a template, by their places in the code. In it is where a frame may go on, and nothing else. */
export const newTable = ({ code, handlers }: Template): Array<Instruction> => {
  const table = newElements() as Array<Instruction>
  for (let pc = 0; pc < code.length; pc++) table.push(NO_INSTRUCTION)
  at(table, 0)
  for (let i = 2; i < handlers.length; i += 4) at(table, handlers[i]!)
  return table
}

/** Where the instruction after the one at `pc` is. */
const after = (code: ReadonlyArray<number>, pc: number): number => {
  const { length } = operands[code[pc]! as Op]
  return operands[code[pc]! as Op].endsWith("*") ? pc + length + code[pc + length - 1]! : pc + 1 + length
}

/** Decodes the instruction at `pc` and those after it, up to one that is decoded already, or a stretch of them. Gives how many. */
export const decode = (template: Template, table: Array<Instruction>, pc: number): number => {
  const { code } = template
  let decoded = 0
  let isEnd = false
  for (let end = STRETCH; !isEnd && pc < code.length;) {
    const ins = at(table, pc)
    if (ins.op !== Op.Undecoded) break
    const layout = operands[code[pc]! as Op]
    const next = after(code, pc)
    const count = next - pc - 1
    const both = bothOf(template, pc, next)
    const [form, integer] = both === undefined ? formOf(template, pc, next) : [both.form, both.e]
    ins.op = form
    if (count > 0) ins.a = code[pc + 1]!
    if (count > 1) ins.b = code[pc + 2]!
    if (count > 2) ins.c = code[pc + 3]!
    if (both !== undefined) {
      ins.d = both.d
      ins.f = both.f
    } else {
      if (count > 3) ins.d = code[pc + 4]!
      if (count > 5) ins.f = code[pc + 6]!
    }
    ins.e = count > 4 ? code[pc + 5]! : integer
    if (count > 6) ins.more = code.slice(pc + 7, next)
    const target = layout.indexOf("t")
    if (target >= 0) ins.target = at(table, code[pc + 1 + target]!)
    pc = next
    decoded++
    if (pc === code.length) break
    ins.next = at(table, pc)
    // Some look at what follows them, or at where that goes on.
    if (form === Op.IteratorNext) end = Math.max(end, decoded + 2)
    else if (form === Op.CallMethod) end = Math.max(end, decoded + 1)
    isEnd = decoded >= end
    if (isEnd && both !== undefined) ins.next.next = at(table, after(code, pc))
  }
  return decoded
}
