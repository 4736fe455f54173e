// What the parser overrides and asks of acorn that is not in acorn's types. Its plugins are written against the same.
import * as acorn from "acorn"

export interface Scope {
  flags: number
  readonly var: NameList
  readonly lexical: NameList
  readonly functions: NameList
  /** Where a `var` belongs to, and whose `this` it is. */
  readonly varScope: Scope
  readonly thisScope: Scope
}

/** What acorn asks of its lists of declared names. */
export interface NameList {
  /** The first name. */
  readonly 0?: string | undefined
  push(name: string): void
  /** A number below zero if the name is not in the list. */
  indexOf(name: string): number
}

export interface ClassBody {
  readonly declared: object
  readonly used: { push(name: acorn.PrivateIdentifier): void }
}

export type Node = acorn.Node

/** A node while it is filled: what its parts are is acorn's business. */
export type Growing = Node & Record<string, unknown>

/** A context of the tokenizer, by which it tells divisions from patterns. */
export interface TokenContext {
  readonly token: string
}

/** Offsets of what is wrong in an expression, unless it turns out to be a pattern, and the other way round; -1 for nothing. */
export interface DestructuringErrors {
  shorthandAssign: number
  trailingComma: number
  parenthesizedAssign: number
  parenthesizedBind: number
  doubleProto: number
}

/** The parts of acorn's parser that are not in its types. */
export declare class Internals {
  constructor(options: acorn.Options, input: string)
  readonly input: string
  strict: boolean
  pos: number
  start: number
  end: number
  type: acorn.TokenType
  value: unknown
  lastTokStart: number
  lastTokEnd: number
  scopeStack: Array<Scope>
  privateNameStack: Array<ClassBody>
  labels: Array<{ readonly kind: string | null; readonly name?: string }>
  context: Array<TokenContext>
  exprAllowed: boolean
  containsEsc: boolean
  potentialArrowAt: number
  potentialArrowInForAwait: boolean
  yieldPos: number
  awaitPos: number
  awaitIdentPos: number
  get allowNewDotTarget(): boolean
  nextToken(): void
  adaptDirectivePrologue(statements: ReadonlyArray<Node>): void
  finishNode(node: Node, type: string): Node
  finishNodeAt(node: Node, type: string, end: number, location: unknown): Node
  startNode(): Growing
  startNodeAt(start: number, location: unknown): Growing
  next(): void
  eat(type: acorn.TokenType): boolean
  isContextual(word: string): boolean
  afterTrailingComma(type: acorn.TokenType, keep?: boolean): boolean | undefined
  canInsertSemicolon(): boolean
  expect(type: acorn.TokenType): void
  raise(offset: number, message: string): never
  raiseRecoverable(offset: number, message: string): never
  unexpected(offset?: number): never
  enterScope(flags: number): void
  exitScope(): void
  declareName(name: string, kind: number, offset: number): void
  currentThisScope(): Scope
  enterClassBody(): object
  exitClassBody(): void
  checkYieldAwaitInDefaultParams(): void
  checkPatternErrors(errors: DestructuringErrors, isAssign: boolean): void
  checkExpressionErrors(errors: DestructuringErrors | null | undefined, andThrow: boolean): boolean
  checkPropClash(property: Node, seen: object, errors: DestructuringErrors | null | undefined): void
  currentVarScope(): Scope
  isAsyncFunction(): boolean
  inGeneratorContext(): boolean
  parseStatement(context: string | null, topLevel?: boolean, exports?: unknown): Node
  parseExpressionStatement(node: Node, expression: Node): Node
  parseReturnStatement(node: Node): Node
  parseBreakContinueStatement(node: Node, keyword: string): Node
  parseVarId(declarator: Node, kind: string): void
  parseExpression(forInit?: unknown, errors?: DestructuringErrors | null): Node
  parseMaybeAssign(forInit?: unknown, errors?: DestructuringErrors | null, after?: unknown): Node
  parseMaybeUnary(
    errors: DestructuringErrors | null | undefined,
    sawUnary?: boolean,
    incDec?: boolean,
    forInit?: unknown,
  ): Node
  parseExprOp(left: Node, start: number, startLoc: unknown, minPrec: number, forInit?: unknown): Node
  parseSubscripts(base: Node, start: number, startLoc: unknown, noCalls?: boolean, forInit?: unknown): Node
  parseSubscript(
    base: Node,
    start: number,
    startLoc: unknown,
    noCalls: boolean,
    maybeAsyncArrow: boolean,
    optionalChained: boolean,
    forInit?: unknown,
  ): Node
  parseLiteral(value: unknown): Node
  parseNew(): Node
  parseBlock(scope?: boolean, block?: Growing, exitStrict?: boolean): Node
  parseSwitchStatement(node: Growing): Node
  parseVar(node: Growing, isFor: boolean, kind: string, mayLackValue?: boolean): Node
  parseClass(declaration: Growing, isStatement: unknown): Node
  parseClassId(node: Growing, isStatement: unknown): void
  parseClassSuper(node: Growing): void
  parseClassElement(isDerived: boolean): Node | null
  parseClassStaticBlock(node: Growing): Node
  parseBindingAtom(): Node
  parseBindingList(
    close: acorn.TokenType,
    empty?: boolean,
    trailing?: boolean,
    modifiers?: boolean,
  ): Array<Node | null>
  parseBindingListItem(item: Node): Node
  parseAssignableListItem(modifiers?: boolean): Node
  parseRestBinding(): Node
  parseSpread(errors?: DestructuringErrors | null): Node
  parseObj(isPattern: boolean, errors?: DestructuringErrors | null): Node
  parseProperty(isPattern: boolean, errors?: DestructuringErrors | null): Node
  parseTemplate(options?: { readonly isTagged?: boolean }): Node
  parseTemplateElement(options: { readonly isTagged: boolean }): Node & { readonly tail: boolean }
  parseParenExpression(): Node
  parseParenAndDistinguishExpression(canBeArrow: boolean, forInit?: unknown): Node
  parseParenItem(item: Node): Node
  parseParenArrowList(start: number, location: unknown, items: ReadonlyArray<Node>, forInit?: unknown): Node
  shouldParseArrow(items: ReadonlyArray<Node>): boolean
  parseExprList(
    close: acorn.TokenType,
    trailing?: boolean,
    empty?: boolean,
    errors?: DestructuringErrors | null,
  ): Array<Node | null>
  buildBinary(start: number, startLoc: unknown, left: Node, right: Node, operator: string, logical: boolean): Node
  parseImport(node: Node): Node
  parseExport(node: Node, exports: unknown): Node
  parseDynamicImport(node: Node): Node
  parseImportMeta(node: Node): Node
  validateRegExpPattern(state: { readonly source: string; readonly flags: string }): void
}

export const Base = acorn.Parser as unknown as typeof Internals
