// acorn, as programs are parsed: it stops at the first error with its reason as data, refuses what nests too deeply before
// the host's stack does, and notices what may be TypeScript. The methods it overrides are those that acorn's plugins override.
import * as acorn from "acorn"
import type { DestructuringErrors, Growing, Node } from "./acorn.ts"
import { isTooLarge } from "./pattern-size.ts"
import { Part } from "./pieces.ts"
import { ReasonParser } from "./reasons.ts"
import { noModules, tooDeep, unsupported } from "./refusals.ts"
import { arrowScope, asyncScope, functionScope } from "./scopes.ts"
import type { Steps } from "./steps.ts"

/**
 * How deeply statements and expressions may nest, counted in steps of the grammar: an operator before its operand is one,
 * brackets of any kind are two. Apart from chains the tree is at most twice as deep, so a pass over it may recurse once per
 * level.
 */
export const maxNesting = 500

/**
 * How long a chain may be that nests to the left: operators of one precedence (`a + b + c`), or a path (`a.b(c)[d]`). Every link
 * is a level of the tree: a pass over it walks a chain in a loop.
 */
export const maxChain = 5000

/** The texts that can be parsed: a program of a model, which is the body of an async function, or a strict script. */
export type Goal = "program" | "script"

/** What of a text is to be read in another way than the grammar would. */
export interface Reading {
  /** The offset of a `{` at the start of a statement that begins an object rather than a block. */
  readonly objectAt?: number
}

/** How many characters of a long text are parsed at a stretch: a few milliseconds' work. */
const PIECE = 2048

/** How long a text is that is parsed in pieces. */
const LONG = 8192

const tt = acorn.tokTypes

const options = (goal: Goal): acorn.Options =>
  goal === "program"
    ? { ecmaVersion: "latest", sourceType: "module", allowImportExportEverywhere: true }
    : { ecmaVersion: "latest", sourceType: "script", strict: true }

/** Parses one text. Throws a `Problem`, or a `RangeError` of the host's for want of stack. */
export class ProgramParser extends ReasonParser {
  /** Whether a `return` stands at the top level. */
  hasReturn = false
  /** Whether something that is valid JavaScript looks like a call with type arguments: `new Set<string>(names)`. */
  typeArguments = false
  /** Where a text of backquotes follows an empty one, as in a Markdown fence and nowhere else; -1 if nowhere. */
  fenceAt = -1
  /** Where the statement of the top level begins that was parsed last, and whether it begins with `{`. */
  lastStatement = { start: 0, brace: false }

  readonly #goal: Goal
  readonly #reading: Reading

  /** `piece` is how many characters are parsed at a stretch; `Infinity` for all of a statement. */
  constructor(input: string, goal: Goal, reading: Reading = {}, piece = input.length < LONG ? Infinity : PIECE) {
    super(options(goal), input, piece)
    this.#goal = goal
    this.#reading = reading
    // Set here and not above: acorn's constructor opens the outermost scope before our fields exist.
    if (goal === "program") this.scopeStack[0]!.flags |= functionScope | asyncScope
  }

  /** Parses the text, a statement of the top level at a time, or a piece of one. */
  *parseInSteps(): Steps<acorn.Program> {
    const program = this.startNode() as Node as acorn.Program
    program.body = []
    this.nextToken()
    const exported = Object.create(null) as object
    const parse = (isAgain: boolean): Node =>
      // What it exports was noted the first time.
      this.parseStatement(null, true, isAgain ? Object.create(null) : exported)
    while (this.type !== tt.eof) {
      program.body.push((yield* this.piecewise(parse)) as acorn.Statement)
      yield
    }
    this.adaptDirectivePrologue(program.body)
    this.next()
    program.sourceType = this.#goal === "program" ? "module" : "script"
    return this.finishNode(program, "Program") as acorn.Program
  }

  // Depth

  #enter(): void {
    if (++this.nesting > maxNesting) throw tooDeep(this.start)
  }

  override parseMaybeAssign(forInit?: unknown, errors?: DestructuringErrors | null, after?: unknown): Node {
    const { start } = this
    const known = this.known<Node>(Part.Expression, start, errors)
    if (known !== undefined) return known
    this.#enter()
    const outer = this.list
    this.list = undefined
    const node = super.parseMaybeAssign(forInit, errors, after)
    this.list = outer
    this.nesting--
    if (this.inPieces) this.keep(Part.Expression, start, node, errors)
    return node
  }

  override parseMaybeUnary(
    errors: DestructuringErrors | null | undefined,
    sawUnary?: boolean,
    incDec?: boolean,
    forInit?: unknown,
  ): Node {
    this.#enter()
    const node = super.parseMaybeUnary(errors, sawUnary, incDec, forInit)
    this.nesting--
    return node
  }

  override parseNew(): Node {
    this.#enter()
    const node = super.parseNew()
    this.nesting--
    return node
  }

  override parseBlock(scope?: boolean, block?: Growing, exitStrict?: boolean): Node {
    this.#enter()
    const node = super.parseBlock(scope, block, exitStrict)
    this.nesting--
    return node
  }

  override parseClass(declaration: Growing, isStatement: unknown): Node {
    this.#enter()
    const node = super.parseClass(declaration, isStatement)
    this.nesting--
    return node
  }

  override parseBindingAtom(): Node {
    this.#enter()
    const node = super.parseBindingAtom()
    this.nesting--
    return node
  }

  // acorn goes one call deeper for each operator of a chain; a long sum would take all of the host's stack.
  override parseExprOp(left: Node, start: number, startLoc: unknown, minPrec: number, forInit?: unknown): Node {
    if (!this.#isOperator(minPrec, forInit)) return left
    const outer = this.chain
    let node = left
    if (this.inPieces) {
      node = this.each(Part.Operators, { node }, (state) => {
        state.node = this.#operation(state.node, start, startLoc, forInit)
        return this.#isOperator(minPrec, forInit)
      }).node
    } else {
      do node = this.#operation(node, start, startLoc, forInit)
      while (this.#isOperator(minPrec, forInit))
    }
    this.chain = outer
    return node
  }

  #isOperator(minPrec: number, forInit: unknown): boolean {
    const { binop } = this.type as { readonly binop?: number | null }
    return typeof binop === "number" && binop > minPrec && !(Boolean(forInit) && this.type === tt._in)
  }

  #operation(left: Node, start: number, startLoc: unknown, forInit: unknown): Node {
    if (++this.chain > maxChain) throw tooDeep(this.start)
    const coalesce = this.type === tt.coalesce
    const logical = this.type === tt.logicalOR || this.type === tt.logicalAND
    const { binop } = (coalesce ? tt.logicalAND : this.type) as { readonly binop?: number }
    const operator = this.value as string
    this.next()
    const rightStart = this.start
    const operand = this.parseMaybeUnary(null, false, false, forInit)
    // `??` binds as `&&` does towards its right side, so that one of the others there is met below, and refused.
    const right = this.parseExprOp(operand, rightStart, undefined, binop!, forInit)
    const node = this.buildBinary(start, startLoc, left, right, operator, logical || coalesce)
    if (
      logical ? this.type === tt.coalesce : coalesce && (this.type === tt.logicalOR || this.type === tt.logicalAND)
    ) {
      this.raise(
        this.start,
        "Logical expressions and coalesce expressions cannot be mixed. Wrap either by parentheses",
      )
    }
    return node
  }

  override parseSubscripts(base: Node, start: number, startLoc: unknown, noCalls?: boolean, forInit?: unknown): Node {
    const outer = this.chain
    const node = super.parseSubscripts(base, start, startLoc, noCalls, forInit)
    this.chain = outer
    return node
  }

  override parseSubscript(
    base: Node,
    start: number,
    startLoc: unknown,
    noCalls: boolean,
    maybeAsyncArrow: boolean,
    optionalChained: boolean,
    forInit?: unknown,
  ): Node {
    if (++this.chain > maxChain) throw tooDeep(this.start)
    if (this.type === tt.backQuote && base.type === "TemplateLiteral" && this.fenceAt < 0) this.fenceAt = base.start
    return super.parseSubscript(base, start, startLoc, noCalls, maybeAsyncArrow, optionalChained, forInit)
  }

  // acorn makes the digits of a large integer from its value, which takes as long as it did to make the value from the digits.
  override parseLiteral(value: unknown): Node {
    if (typeof value !== "bigint") return super.parseLiteral(value)
    const raw = this.input.slice(this.start, this.end)
    if (!/^(?:0|[1-9][\d_]*)n$/.test(raw)) return super.parseLiteral(value)
    const node = this.startNode()
    node.value = value
    node.raw = raw
    node.bigint = raw.slice(0, -1).replaceAll("_", "")
    this.next()
    return this.finishNode(node, "Literal")
  }

  override validateRegExpPattern(state: { readonly source: string; readonly flags: string }): void {
    if (isTooLarge(state.source)) {
      const shown = state.source.length > 40 ? `${state.source.slice(0, 40)}…` : state.source
      this.raise(this.start, `Invalid regular expression: /${shown}/${state.flags}: Regular expression too large`)
    }
    super.validateRegExpPattern(state)
  }

  // Programs

  override parseStatement(context: string | null, topLevel?: boolean, exports?: unknown): Node {
    const { start } = this
    const known = this.known<Node>(Part.Statement, start)
    if (known !== undefined) return known
    this.#enter()
    this.angleOpen = false
    if (topLevel === true) this.lastStatement = { start: this.start, brace: this.type === tt.braceL }
    if (context !== null && context !== "") this.#checkSingle(context)
    const node = topLevel === true && this.#isExpression()
      ? this.parseExpressionStatement(this.startNode(), this.parseExpression())
      : super.parseStatement(context, topLevel, exports)
    this.nesting--
    if (this.inPieces) this.keep(Part.Statement, start, node)
    return node
  }

  #isExpression(): boolean {
    if (this.#goal === "script") return false
    if (this.type === tt.braceL) return this.start === this.#reading.objectAt
    // A function without a name can only be an expression: the whole program, where it is valid.
    return this.type === tt._function
      ? /^\s*\*?\s*\(/.test(this.input.slice(this.pos, this.pos + 100))
      : this.isAsyncFunction() && /^\s*function\s*\*?\s*\(/.test(this.input.slice(this.pos, this.pos + 100))
  }

  #checkSingle(context: string): void {
    if (this.type === tt._const) {
      this.raise(this.start, "Lexical declaration cannot appear in a single-statement context")
    }
    if (this.type === tt._function && context !== "label") {
      const message = "In strict mode code, functions can only be declared at top level or inside a block."
      this.raise(this.start, message)
    }
  }

  override parseReturnStatement(node: Node): Node {
    if (this.currentVarScope() === this.scopeStack[0]) this.hasReturn = true
    return super.parseReturnStatement(node)
  }

  // The outermost scope of a program is that of an arrow function, as far as `new.target` goes.
  override get allowNewDotTarget(): boolean {
    if (this.#goal === "script") return super.allowNewDotTarget
    const [outermost] = this.scopeStack
    outermost!.flags |= arrowScope
    const allowed = super.allowNewDotTarget
    outermost!.flags &= ~arrowScope
    return allowed
  }

  override buildBinary(
    start: number,
    startLoc: unknown,
    left: Node,
    right: Node,
    operator: string,
    logical: boolean,
  ): Node {
    if (operator === "<") {
      if (this.input.charCodeAt(left.end) === 60) this.angleOpen = true
    } else if (this.angleOpen && (operator === ">" || operator === ">>" || operator === ">>>")) {
      const next = this.input[this.input.lastIndexOf(operator, right.start - 1) + operator.length]
      if (next === "(" || next === "`") this.typeArguments = true
    }
    return super.buildBinary(start, startLoc, left, right, operator, logical)
  }

  // Modules

  override parseImport(node: Node): Node {
    // Types are imported from nowhere and erased.
    if (/^\s+type\s+(?!from\b|,)/.test(this.input.slice(this.pos, this.pos + 100))) return super.parseImport(node)
    return this.refuseModules(node.start)
  }

  override parseExport(node: Node, exports: unknown): Node {
    const outside = this.scopeStack.length === 1
    const exported = super.parseExport(node, exports)
    return exported.type === "ExportDefaultDeclaration" && outside ? exported : this.refuseModules(node.start)
  }

  override parseDynamicImport(node: Node): Node {
    throw unsupported(node.start, "Programs have no `import()`.", noModules)
  }

  override parseImportMeta(node: Node): Node {
    throw unsupported(node.start, "Programs have no `import.meta`.", "A program is no module and has no address.")
  }
}
