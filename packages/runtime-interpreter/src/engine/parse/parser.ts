// acorn, as programs are parsed: it stops at the first error with its reason as data, refuses what nests too deeply before
// the host's stack does, and notices what may be TypeScript. The methods it overrides are those that acorn's plugins override.
import * as acorn from "acorn"
import type { DestructuringErrors, Growing, NameList, Node, Scope } from "./acorn.ts"
import { HoistedNames, Names, PrivateNames, VarNames } from "./declared.ts"
import { Problem, type Token } from "./diagnostics.ts"
import { ListParser } from "./lists.ts"
import { reword } from "./messages.ts"
import { Part } from "./pieces.ts"
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

/** How long the pattern of a regular expression literal may be, in UTF-16 code units: checking one is not linear. */
export const maxPattern = 32_768

const maxPatternNesting = 250
const maxNamedGroups = 300

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

const functionScope = 2
const asyncScope = 4
const generatorScope = 8
const arrowScope = 16
/** Of the scopes that are not inside of a function's: of the text, of a function, of a static block and of a field. */
const varScope = 1 | functionScope | 256 | 512
/** How acorn calls a `var`, and a function at the top of another. */
const bindVar = 1

type Writable<A> = { -readonly [K in keyof A]: A[K] }

/** Functions whose declaration is neither a `var` nor lexical: there are none in strict code. */
const noNames: NameList = {
  push: () => {
    throw new Error("Programs are strict")
  },
  indexOf: () => -1,
}

const options = (goal: Goal): acorn.Options =>
  goal === "program"
    ? { ecmaVersion: "latest", sourceType: "module", allowImportExportEverywhere: true }
    : { ecmaVersion: "latest", sourceType: "script", strict: true }

/** Parses one text. Throws a `Problem`, or a `RangeError` of the host's for want of stack. */
export class ProgramParser extends ListParser {
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

  // -------------------------------------------------------------------------------------------------------------------
  // Errors
  // -------------------------------------------------------------------------------------------------------------------

  override raise(offset: number, message: string): never {
    if (message === "Not enough stack space to parse input") throw tooDeep(offset)
    if (message === "'with' in strict mode") {
      throw unsupported(offset, "Programs run in strict mode, which has no `with`.", "Read the properties by name.")
    }
    if (message.startsWith("'import' and 'export' may")) this.#refuseModules(offset)
    const reworded = this.#octal(offset, message) ?? reword(message)
    const token = message.startsWith("Unterminated") ? undefined : this.#token(offset)
    throw new Problem("SYNTAX_ERROR", offset - this.#behind(offset, message), reworded, token)
  }

  override raiseRecoverable(offset: number, message: string): never {
    this.raise(offset, message)
  }

  override unexpected(offset: number = this.start): never {
    const token = this.#token(offset)
    throw new Problem("SYNTAX_ERROR", offset, this.#describe(token), token)
  }

  // Where acorn has read the first character of what it then finds wrong.
  #behind(offset: number, message: string): number {
    const first = this.input[offset - 1]
    return (first === "/" && message.includes("egular expression")) ||
        (first === "`" && message.startsWith("Unterminated template")) ||
        (first === "#" && message.startsWith("Unexpected character"))
      ? 1
      : 0
  }

  #octal(offset: number, message: string): string | undefined {
    if (message !== "Invalid number" || !/^0\d/.test(this.input.slice(offset, offset + 2))) return undefined
    return /^0[0-7]+(?![\d.])/.test(this.input.slice(offset, offset + 40))
      ? "Octal literals are not allowed in strict mode."
      : "Decimals with leading zeros are not allowed in strict mode."
  }

  #token(offset: number): Token {
    if (offset !== this.start) {
      const text = offset === this.lastTokStart
        ? this.input.slice(offset, this.lastTokEnd)
        : /^(?:[\p{ID_Continue}$]+|\.{3}|[^])/u.exec(this.input.slice(offset, offset + 40))?.[0] ?? ""
      return { kind: /^[\p{ID_Start}$_]/u.test(text) ? "name" : "punctuator", text, previous: this.#previous(offset) }
    }
    return {
      kind: kindOf(this.type),
      text: this.input.slice(this.start, this.end),
      previous: this.input.slice(this.lastTokStart, this.lastTokEnd),
    }
  }

  #previous(offset: number): string {
    return /([\p{ID_Continue}$]+|\S)\s*$/u.exec(this.input.slice(Math.max(0, offset - 40), offset))?.[1] ?? ""
  }

  #describe({ kind, text }: Token): string {
    if (this.lastTokEnd === this.constEnd && text !== ":" && text !== "!") {
      return "Missing initializer in const declaration"
    }
    switch (kind) {
      case "end":
        return "Unexpected end of input"
      case "number":
        return "Unexpected number"
      case "string":
        return "Unexpected string"
      case "template":
        return "Unexpected template string"
      case "name":
        return `Unexpected identifier '${text}'`
      default:
        return text === "**"
          ? "Unary operator used immediately before exponentiation expression. " +
            "Parenthesis must be used to disambiguate operator precedence"
          : `Unexpected token '${text}'`
    }
  }

  // Inside the parentheses of a call, V8 names what is missing rather than what is there.
  override expect(type: acorn.TokenType): void {
    if (type === tt.comma && this.type !== tt.comma && this.list === tt.parenR && this.type !== tt.eof) {
      throw new Problem("SYNTAX_ERROR", this.start, "missing ) after argument list", this.#token(this.start))
    }
    super.expect(type)
  }

  override parseExprList(
    close: acorn.TokenType,
    trailing?: boolean,
    empty?: boolean,
    errors?: DestructuringErrors | null,
  ): Array<Node | null> {
    const outer = this.list
    this.list = close
    const list = super.parseExprList(close, trailing, empty, errors)
    this.list = outer
    return list
  }

  override parseVarId(declarator: Node, kind: string): void {
    super.parseVarId(declarator, kind)
    if (kind === "const") this.constEnd = this.lastTokEnd
  }

  override parseBreakContinueStatement(node: Node, keyword: string): Node {
    const label = this.input.slice(this.pos).match(/^[ \t]+([\p{ID_Start}$_][\p{ID_Continue}$]*)/u)?.[1]
    if (label !== undefined && !this.labels.some((known) => known.name === label)) {
      this.raise(this.start, `Undefined label '${label}'`)
    }
    return super.parseBreakContinueStatement(node, keyword)
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Depth
  // -------------------------------------------------------------------------------------------------------------------

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

  // Whether `yield` is an operator here, so that a slash behind it begins a regular expression. acorn asks its tokens, which do not
  // tell that of methods and of async generators.
  override inGeneratorContext(): boolean {
    return (this.currentVarScope().flags & generatorScope) > 0
  }

  override enterScope(flags: number): void {
    const outer = this.scopeStack.at(-1)
    const own = (flags & varScope) !== 0 || outer === undefined
    const owner = own ? new VarNames() : outer.varScope.var as VarNames
    const scope: Writable<Scope> = {
      flags,
      var: own ? owner : new HoistedNames(owner),
      lexical: new Names(owner),
      functions: noNames,
      varScope: undefined as never,
      thisScope: undefined as never,
    }
    scope.varScope = own ? scope : outer.varScope
    const hasThis = (flags & varScope) !== 0 && (flags & arrowScope) === 0
    scope.thisScope = hasThis || outer === undefined ? scope : outer.thisScope
    this.scopeStack.push(scope)
  }

  override exitScope(): void {
    const scope = this.scopeStack.pop()!
    if (scope.varScope !== scope) (scope.lexical as Names).leave()
  }

  // acorn looks through all scopes up to the function's for each of these.
  override currentVarScope(): Scope {
    return this.scopeStack.at(-1)!.varScope
  }

  override currentThisScope(): Scope {
    return this.scopeStack.at(-1)!.thisScope
  }

  override declareName(name: string, kind: number, offset: number): void {
    const owner = this.currentVarScope().var as VarNames
    if (kind === bindVar && !owner.isShadowed(name)) owner.push(name)
    else super.declareName(name, kind, offset)
  }

  override enterClassBody(): object {
    const body = new PrivateNames()
    this.privateNameStack.push(body)
    return body.declared
  }

  override exitClassBody(): void {
    const body = this.privateNameStack.pop() as PrivateNames
    const unknown = body.leaveTo(this.privateNameStack.at(-1) as PrivateNames | undefined)
    if (unknown !== undefined) {
      this.raiseRecoverable(unknown.start, `Private field '#${unknown.name}' must be declared in an enclosing class`)
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Programs
  // -------------------------------------------------------------------------------------------------------------------

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

  // -------------------------------------------------------------------------------------------------------------------
  // Modules
  // -------------------------------------------------------------------------------------------------------------------

  override parseImport(node: Node): Node {
    // Types are imported from nowhere and erased.
    if (/^\s+type\s+(?!from\b|,)/.test(this.input.slice(this.pos, this.pos + 100))) return super.parseImport(node)
    return this.#refuseModules(node.start)
  }

  override parseExport(node: Node, exports: unknown): Node {
    const outside = this.scopeStack.length === 1
    const exported = super.parseExport(node, exports)
    return exported.type === "ExportDefaultDeclaration" && outside ? exported : this.#refuseModules(node.start)
  }

  override parseDynamicImport(node: Node): Node {
    throw unsupported(node.start, "Programs have no `import()`.", noModules)
  }

  override parseImportMeta(node: Node): Node {
    throw unsupported(node.start, "Programs have no `import.meta`.", "A program is no module and has no address.")
  }

  #refuseModules(offset: number): never {
    throw this.input.startsWith("export", offset)
      ? unsupported(
        offset,
        "Programs have no modules: `export` is not available.",
        "Leave out the word `export`, and `return` the result.",
      )
      : unsupported(offset, "Programs have no modules: `import` is not available.", noModules)
  }
}

const noModules = "Leave the import out. Tools are on `tools`, as in `await tools.name(input)`; the rest is global."

/** Something that is valid elsewhere, and that programs do not have. */
export const unsupported = (offset: number, message: string, hint: string): Problem =>
  new Problem("UNSUPPORTED_SYNTAX", offset, message, undefined, hint)

/** The text nests deeper than can be worked on. */
export const tooDeep = (offset: number): Problem =>
  new Problem(
    "SYNTAX_ERROR",
    offset,
    "The code nests too deeply",
    undefined,
    "Build deep or long values in a loop, or split the expression over several variables.",
  )

const kindOf = (type: acorn.TokenType): Token["kind"] => {
  switch (type) {
    case tt.eof:
      return "end"
    case tt.name:
    case tt.privateId:
      return "name"
    case tt.num:
      return "number"
    case tt.string:
      return "string"
    case tt.template:
    case tt.invalidTemplate:
    case tt.backQuote:
      return "template"
    case tt.regexp:
      return "other"
    default:
      return type.keyword === undefined ? "punctuator" : "keyword"
  }
}

// acorn's check recurses for each group, and compares every group's name with the others'.
const isTooLarge = (pattern: string): boolean =>
  pattern.length > maxPattern || patternNesting(pattern) > maxPatternNesting ||
  pattern.split("(?<").length > maxNamedGroups

// An upper bound: brackets that a class or an escape makes harmless count as well, except behind a backslash.
const patternNesting = (pattern: string): number => {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]
    if (character === "\\") i++
    else if (character === "(" || character === "[") deepest = Math.max(deepest, ++depth)
    else if ((character === ")" || character === "]") && depth > 0) depth--
  }
  return deepest
}
