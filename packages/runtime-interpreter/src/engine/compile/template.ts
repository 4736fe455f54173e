import type { PropertyKey, Value } from "../object/index.ts"

/** A source text that templates point into. */
export interface Source {
  readonly code: string
  /** What errors call it. */
  readonly name: string
  /** Line and column of an offset in the text as its author wrote it, where that is another text than `code`. */
  readonly locate?: (offset: number) => { readonly line: number; readonly column: number }
}

export const enum FunctionKind {
  Normal = 0,
  Arrow = 1,
  Method = 2,
  Getter = 3,
  ClassConstructor = 4,
  DerivedConstructor = 5,
  Program = 6,
}

/** A compiled function: immutable, the same for every run of the same text. */
export class Template {
  readonly source: Source
  /** The function's own text, as offsets into the source. */
  readonly start: number
  readonly end: number
  /** Its place among all templates of the source: how a stored state names it. */
  readonly index: number
  readonly name: string
  readonly kind: number
  readonly isAsync: boolean
  readonly isGenerator: boolean
  readonly constructor_: boolean
  /** The `length` property. */
  readonly length: number
  readonly parameterCount: number
  /** Whether a call must keep all arguments beside the registers. */
  readonly keepsArguments: boolean
  readonly code: ReadonlyArray<number>
  readonly constants: ReadonlyArray<any>
  /** What the registers hold at the start: parameters, then constants, then variables. */
  readonly blank: ReadonlyArray<any>
  /** Quadruples: from, to (exclusive), target, register of the caught value; innermost first. */
  readonly handlers: ReadonlyArray<number>
  /** Quadruples, ascending: instruction, offset in the source, and the range of the expression an error is about. */
  readonly positions: ReadonlyArray<number>
  readonly children: ReadonlyArray<Template>
  /** Where a new closure's captures come from: a register of the creator, or `~n` for the creator's nth capture. */
  readonly captures: ReadonlyArray<number>
  /** Whether a call does no more than fill the parameters and run. */
  readonly simple: boolean
  /** Whether a construction does no more than make an object, fill the parameters and run. */
  readonly constructs: boolean
  /** Whether nothing keeps a frame of it that is finished, so that another call can use it. */
  readonly reusable: boolean
  /** Fuel for entering: its instructions outside loops. */
  readonly cost: number

  // One class with its fields in one order: the machine reads them at every call.
  constructor(parts: TemplateParts) {
    this.source = parts.source
    this.start = parts.start
    this.end = parts.end
    this.index = parts.index
    this.name = parts.name
    this.kind = parts.kind
    this.isAsync = parts.isAsync
    this.isGenerator = parts.isGenerator
    this.constructor_ = parts.constructor_
    this.length = parts.length
    this.parameterCount = parts.parameterCount
    this.keepsArguments = parts.keepsArguments
    this.code = parts.code
    this.constants = parts.constants
    this.blank = parts.blank
    this.handlers = parts.handlers
    this.positions = parts.positions
    this.children = parts.children
    this.captures = parts.captures
    this.simple = parts.simple
    this.constructs = parts.constructs
    this.reusable = parts.reusable
    this.cost = parts.cost
  }
}

/** The fields of a template. */
export type TemplateParts = { readonly [Name in keyof Template]: Template[Name] }

/** The constant of `Op.NewObjectOf`. */
export interface ObjectLiteral {
  readonly keys: ReadonlyArray<PropertyKey>
}

/** The constant of `Op.GetTemplateObject`. */
export interface TemplateStrings {
  readonly cooked: ReadonlyArray<Value>
  readonly raw: ReadonlyArray<string>
}
