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

let none: Instruction | undefined

/**
 * An instruction of a template, decoded for a realm: the machine's loop reads the fields of an object with fewer checks than the elements
 * of an array, and finds the next instruction, a jump's target and the inline cache without looking them up.
 */
export class Instruction {
  next: Instruction
  /** Where it jumps to. */
  target: Instruction
  cache = NO_CACHE

  constructor(
    readonly op: Op,
    /** Its place in the template's code. */
    readonly pc: number,
    /** The operands in order; 0 where there are fewer. A constant small integer is in `e`; of two in one, more of the second in `d`, `e` and `f`. */
    readonly a: number,
    readonly b: number,
    readonly c: number,
    readonly d: number,
    readonly e: number,
    readonly f: number,
    /** The operands after these. */
    readonly more: ReadonlyArray<number>,
  ) {
    this.next = this.target = none ?? this
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

const NO_MORE: ReadonlyArray<number> = []

/** Stands for no instruction. */
export const NO_INSTRUCTION: Instruction = none = new Instruction(0 as Op, 0, 0, 0, 0, 0, 0, 0, NO_MORE)

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

/** All instructions of a template, each at its place in the code. */
export const decode = (template: Template): Array<Instruction> => {
  const { code } = template
  const table = newElements() as Array<Instruction>
  let last = NO_INSTRUCTION
  for (let pc = 0; pc < code.length;) {
    const layout = operands[code[pc]! as Op]
    const count = layout.endsWith("*") ? layout.length - 1 + code[pc + layout.length - 1]! : layout.length
    const next = pc + 1 + count
    const operand = (index: number): number => index < count ? code[pc + 1 + index]! : 0
    const both = bothOf(template, pc, next)
    const [form, integer] = both === undefined ? formOf(template, pc, next) : [both.form, both.e]
    const ins = new Instruction(
      form,
      pc,
      operand(0),
      operand(1),
      operand(2),
      both === undefined ? operand(3) : both.d,
      count > 4 ? operand(4) : integer,
      both === undefined ? operand(5) : both.f,
      count > 6 ? code.slice(pc + 7, next) : NO_MORE,
    )
    if (last !== NO_INSTRUCTION) last.next = ins
    last = ins
    table.push(ins)
    for (let i = 0; i < count; i++) table.push(NO_INSTRUCTION)
    pc = next
  }
  for (const ins of table) {
    const target = operands[ins.op].indexOf("t")
    if (ins !== NO_INSTRUCTION && target >= 0) ins.target = table[code[ins.pc + 1 + target]!]!
  }
  return table
}
