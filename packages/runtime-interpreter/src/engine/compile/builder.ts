import type * as acorn from "acorn"
import type { Steps } from "../parse/steps.ts"
import { Op } from "./opcodes.ts"
import {
  type Analysis,
  type Binding,
  constantOf,
  type FieldInitializer,
  type FunctionNode,
  type FunctionScope,
  lookup,
  type Scope,
} from "./scope.ts"
import type { Source, Template } from "./template.ts"

/** The parts of the code generator that call each other, so that their files need not import each other in a circle. */
export interface Generators {
  /** Emits an expression; its value is in the register returned, which is `dst` where one is asked for. */
  readonly expression: (
    f: FunctionBuilder,
    node: acorn.Expression | acorn.Super | acorn.PrivateIdentifier,
    dst?: number,
  ) => number
  /** The same in steps, where it is a long literal. */
  readonly expressionInSteps: (f: FunctionBuilder, node: acorn.Expression, dst?: number, name?: string) => Steps<number>
  readonly statement: (f: FunctionBuilder, node: acorn.Statement | acorn.ModuleDeclaration) => void
  readonly blockInSteps: (f: FunctionBuilder, node: object, body: ReadonlyArray<acorn.Statement>) => Steps<void>
  /** Emits a closure of a function or of a class's initialiser. */
  readonly closure: (
    f: FunctionBuilder,
    node: FunctionNode | FieldInitializer,
    dst: number,
    options: ClosureOptions,
  ) => void
  /** Emits the closure of a class without a constructor of its own. */
  readonly defaultConstructor: (
    f: FunctionBuilder,
    node: acorn.Class,
    dst: number,
    kind: number,
    name: string,
    hasFields: boolean,
  ) => void
  /** A property name that is no expression, as a key. */
  readonly keyText: (key: acorn.Expression) => string | number
  readonly class: (f: FunctionBuilder, node: acorn.Class, dst: number, name?: string) => Steps<void>
  /** Returns a value, through what encloses the statement. */
  readonly return: (f: FunctionBuilder, value: number) => void
  /** Binds or assigns a value to a pattern. */
  readonly bind: (
    f: FunctionBuilder,
    pattern: acorn.Pattern,
    value: number,
    mode: "initialize" | "assign",
    /** The expression that the value comes from, for messages. */
    about?: acorn.AnyNode | null,
  ) => void
}

export interface ClosureOptions {
  readonly name?: string
  readonly kind?: number
  /** Whether a class constructor has fields to initialise. */
  readonly hasFields?: boolean
  /** The text that `toString` gives, where it is not the function's own. */
  readonly start?: number
  readonly end?: number
}

/** Where jumps that leave a statement must stop by. */
export type Control =
  /** What `break` can leave; a plain statement only by a label. */
  | {
    readonly type: "block"
    readonly labels: ReadonlyArray<string>
    readonly breakLabel: Label
    readonly plain: boolean
  }
  /** The body of a loop, which `continue` ends. */
  | { readonly type: "iteration"; readonly labels: ReadonlyArray<string>; readonly continueLabel: Label }
  | FinallyControl
  | IteratorControl
  /** A `try` whose `catch` does not see what happens on the way out of it. */
  | { readonly type: "catch"; readonly region: Region }

/** A `finally` block that takes over what leaves its `try`. */
export interface FinallyControl {
  readonly type: "finally"
  readonly kind: number
  readonly value: number
  readonly label: Label
  /** What to do after it, by completion kind 2, 3, ... */
  readonly exits: Array<Exit>
  readonly region: Region
}

/** An iterator to close when a jump leaves its loop. */
export interface IteratorControl {
  readonly type: "iterator"
  readonly iterator: number
  readonly isAsync: boolean
  readonly region: Region
}

export type Exit = { readonly type: "return"; readonly value: number } | {
  readonly type: "break" | "continue"
  readonly label: Label
}

/** Code for an exit, for others that are to do the same. */
export interface WayOut {
  readonly exit: Exit
  readonly label: Label
}

/** A jump target. */
export class Label {
  position = -1
  readonly uses: Array<number> = []
}

/** Instructions that one exception handler covers: pieces, since code that leaves it is not covered. */
class Region {
  readonly pieces: Array<[number, number]> = []
  private start = -1
  constructor(readonly target: Label, readonly register: number) {}
  open(at: number): void {
    this.start = at
  }
  close(at: number): void {
    if (this.start >= 0 && at > this.start) this.pieces.push([this.start, at])
    this.start = -1
  }
}

/** The templates of one source. */
export interface Templates {
  /** How many there are. */
  count: number
  /** Compiles those functions whose closures are emitted, in order: at once, or in steps where they may be long. */
  readonly later: Array<() => Steps<void> | undefined>
}

const readOnce: ReadonlyMap<Op, Op> = new Map([
  [Op.Add, Op.AddOnce],
  [Op.Subtract, Op.SubtractOnce],
  [Op.Multiply, Op.MultiplyOnce],
  [Op.Divide, Op.DivideOnce],
  [Op.GetProperty, Op.GetPropertyOnce],
  [Op.GetElement, Op.GetElementOnce],
])

/** The code of one function while it is being generated. */
export class FunctionBuilder {
  readonly code: Array<number> = []
  readonly constants: Array<unknown> = []
  private readonly constantIndex = new Map<unknown, number>()
  readonly positions: Array<number> = []
  readonly regions: Array<Region> = []
  private readonly labels: Array<Label> = []
  readonly children: Array<Template> = []
  readonly controls: Array<Control> = []
  /** The next free register. */
  top: number
  registers: number
  scope: Scope
  /** The register of the program's value, where it is that of the last expression statement. */
  completion = -1
  /** The register of the resources that `using` declarations add to; -1 outside. */
  resources = -1
  /** Registers of captured variables that never change, and which loops read. */
  readonly copies = new Map<Binding, number>()
  /** Where the last instruction begins. */
  private last = 0
  /** Instructions emitted outside any loop, or in the innermost one. */
  private cost = 0
  private readonly costs: Array<number> = []
  readonly literalBase: number

  constructor(
    readonly gen: Generators,
    readonly source: Source,
    readonly analysis: Analysis,
    readonly func: FunctionScope,
    readonly templates: Templates,
    readonly parameterCount: number,
    readonly isAsync: boolean,
    readonly isGenerator: boolean,
    readonly isDerived: boolean,
  ) {
    this.scope = func.scope
    this.literalBase = parameterCount
    this.top = this.registers = parameterCount + func.literals.size
  }

  get blank(): Array<unknown> {
    // Grown from an object, so that the host keeps its copies as arrays of any values, without holes.
    const blank: Array<unknown> = []
    for (let i = 0; i < this.registers; i++) blank.push(undefined)
    for (const [value, index] of this.func.literals) blank[this.literalBase + index] = value
    return blank
  }

  // Instructions

  get position(): number {
    return this.code.length
  }

  emit(op: Op, ...operands: Array<number>): void {
    this.last = this.code.length
    this.code.push(op, ...operands)
    // A call of many arguments takes longer than others.
    this.cost += 1 + (operands.length >> 3)
  }

  /** Says that of what is in a register the next instruction is the only reader, if it is the last one that writes it. */
  readOnce(register: number): void {
    const { code, last } = this
    const form = readOnce.get(code[last] as Op)
    if (form !== undefined && code[last + 1] === register) code[last] = form
  }

  /** Notes where in the source the next instruction stands, and what expression an error of it is about. */
  at(
    node: { readonly start: number; readonly end: number },
    about: { readonly start: number; readonly end: number } = node,
  ): void {
    const { positions } = this
    const pc = this.code.length
    if (positions.length > 0 && positions[positions.length - 4] === pc) positions.length -= 4
    positions.push(pc, node.start, about.start, about.end)
  }

  /** Like `at`, where an error is about no expression of the source. */
  atValue(node: { readonly start: number; readonly end: number }): void {
    this.at(node, { start: node.start, end: node.start })
  }

  constant(value: unknown): number {
    let index = this.constantIndex.get(value)
    if (index === undefined) {
      index = this.constants.length
      this.constants.push(constantOf(value))
      this.constantIndex.set(value, index)
    }
    return index
  }

  // Registers

  temporary(): number {
    const register = this.top++
    if (this.top > this.registers) this.registers = this.top
    return register
  }

  /** Consecutive registers. */
  temporaries(count: number): number {
    const first = this.top
    this.top += count
    if (this.top > this.registers) this.registers = this.top
    return first
  }

  /** The register that always holds this constant, or -1. */
  literalRegister(value: unknown): number {
    const index = this.func.literals.get(value)
    return index === undefined ? -1 : this.literalBase + index
  }

  load(value: unknown, dst = -1): number {
    const register = this.literalRegister(value)
    if (register >= 0) {
      if (dst < 0) return register
      this.emit(Op.Move, dst, register)
      return dst
    }
    const target = dst < 0 ? this.temporary() : dst
    if (value === undefined) this.emit(Op.LoadUndefined, target)
    else this.emit(Op.LoadConstant, target, this.constant(value))
    return target
  }

  private readonly ways = new Map<Control, Array<WayOut>>()

  /** The ways out that begin inside of a control. */
  waysOut(control: Control): Array<WayOut> {
    let ways = this.ways.get(control)
    if (ways === undefined) {
      ways = []
      this.ways.set(control, ways)
    }
    return ways
  }

  // Labels

  label(): Label {
    const label = new Label()
    this.labels.push(label)
    return label
  }

  /** An operand that becomes the label's position. */
  target(label: Label, offset: number): number {
    label.uses.push(this.code.length + offset)
    return label.position
  }

  region(target: Label, register: number): Region {
    return new Region(target, register)
  }

  place(label: Label): void {
    label.position = this.code.length
  }

  jump(label: Label): void {
    this.emit(Op.Jump, this.target(label, 1), 0)
  }

  jumpIf(
    op: Op.JumpTrue | Op.JumpFalse | Op.JumpNullish | Op.JumpNotNullish | Op.JumpUndefined | Op.JumpNotUndefined,
    register: number,
    label: Label,
  ): void {
    this.emit(op, register, this.target(label, 2), 0)
  }

  compareJump(op: Op, a: number, b: number, label: Label): void {
    this.emit(op, a, b, this.target(label, 3), 0)
  }

  // Loops and their cost

  enterLoop(): void {
    this.costs.push(this.cost)
    this.cost = 0
  }

  /** Ends a loop whose last instruction is the jump back: its last operand becomes the loop's cost. */
  leaveLoop(): void {
    this.code[this.code.length - 1] = this.cost
    this.cost = this.costs.pop()!
  }

  /** Ends a loop that has no jump back. */
  abandonLoop(): void {
    this.cost += this.costs.pop()!
  }

  /** Begins a stretch of code that is paid for when it is come to. */
  enterStretch(): number {
    this.emit(Op.Jump, this.code.length + 3, 0)
    this.enterLoop()
    return this.code.length - 1
  }

  leaveStretch(at: number): void {
    this.code[at] = this.cost
    this.cost = this.costs.pop()!
  }

  /** Of what is done once in each call, the frame with its registers included. */
  get entryCost(): number {
    return this.cost + (this.registers >> 5)
  }

  // Names

  lookup(name: string): Binding | null {
    return lookup(this.scope, name)
  }

  captureIndex(binding: Binding): number {
    const index = this.func.captures.get(binding)
    if (index === undefined) throw new Error(`${binding.name} was not captured`)
    return index
  }

  /** The finished code, with jumps resolved. */
  finish(): { code: ReadonlyArray<number>; handlers: ReadonlyArray<number> } {
    for (const label of this.labels) for (const use of label.uses) this.code[use] = label.position
    const handlers: Array<number> = []
    for (const region of this.regions) {
      for (const [from, to] of region.pieces) handlers.push(from, to, region.target.position, region.register)
    }
    return { code: this.code, handlers }
  }
}
