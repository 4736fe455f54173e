import type { Template } from "../compile/template.ts"
import type { JSObject, Shape, Value } from "../object/index.ts"
import { Kind, type NativeData, newElements } from "../object/index.ts"
import type { Frame } from "./frame.ts"
import { decode, type Instruction, newTable, NO_CACHE } from "./instruction.ts"

/** A captured variable. */
export class Cell {
  value: any
  /** The last trace that came to it. */
  mark: number

  constructor(value: any) {
    this.value = value
    this.mark = 0
  }
}

/** A template in a realm, with what its instructions remember. */
export class FunctionCode {
  /** How many arguments fill the parameters, if a call does no more than that and run; else -1. */
  readonly arity: number
  readonly children: Array<FunctionCode | null>
  /** Frames of finished calls, linked by their parents, for new ones. */
  free: Frame | null = null
  /** Values of constants that are objects of the realm: shapes of literals, template objects. */
  readonly linked: Array<any>
  private table: Array<Instruction> | null = null

  constructor(readonly template: Template) {
    this.arity = template.simple ? template.parameterCount : -1
    this.children = template.children.map(() => null)
    this.linked = template.constants.map(() => null)
  }

  /** The template's instructions by their places, with what they remember. They are decoded when they are to run. */
  get instructions(): Array<Instruction> {
    return this.table ??= newTable(this.template)
  }

  /** Decodes the instruction at `pc`, and some after it. Gives how many. */
  decodeFrom(pc: number): number {
    return decode(this.template, this.instructions, pc)
  }

  /** Lets go of frames and of what inline caches know: it may be all that keeps large objects. */
  forget(): void {
    this.free = null
    if (this.table !== null) { for (const instruction of this.table) instruction.cache = NO_CACHE }
  }

  child(index: number): FunctionCode {
    return this.children[index] ??= new FunctionCode(this.template.children[index]!)
  }
}

const NO_SLOTS = newElements() as Array<undefined>

/** The internal slots of a compiled function. */
export class ClosureData {
  /** https://tc39.es/ecma262/#table-internal-slots-of-ecmascript-function-objects [[HomeObject]] */
  home: JSObject | null = null
  /** For a class: the function that initialises its instances. */
  fields: JSObject | null = null
  /** For a constructor: the shape of new objects, while its `prototype` is `instancePrototype`. */
  instanceShape: Shape | null = null
  instancePrototype: Value = undefined
  /** Where its `prototype` is, while it is of the shape `ownShape`. */
  ownShape: Shape | null = null
  prototypeSlot = 0
  /** For a constructor: as many places as the objects it made had properties when they were made. */
  slots: Array<undefined> = NO_SLOTS

  constructor(readonly code: FunctionCode, readonly captures: Array<Cell>) {}
}

/** Whether a call of it keeps the array of its arguments, so that the next one needs another. */
export const keepsArguments = (fn: JSObject): boolean =>
  fn.kind !== Kind.Closure || !(fn.data as ClosureData).code.template.reusable

/** https://tc39.es/ecma262/#sec-function.prototype.tostring */
export const sourceTextOf = (fn: JSObject): string => {
  if (fn.kind === Kind.Closure) {
    const { template } = (fn.data as ClosureData).code
    return template.source.code.slice(template.start, template.end)
  }
  const name = fn.kind === Kind.Native ? (fn.data as NativeData).definition.name : ""
  return `function ${name}() { [native code] }`
}
