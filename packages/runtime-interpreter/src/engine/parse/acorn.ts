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

/** The parts of acorn's parser that are not in its types. */
export declare class Internals {
  constructor(options: acorn.Options, input: string)
  readonly input: string
  readonly strict: boolean
  pos: number
  start: number
  end: number
  type: acorn.TokenType
  value: unknown
  lastTokStart: number
  lastTokEnd: number
  scopeStack: Array<Scope>
  privateNameStack: Array<ClassBody>
  labels: ReadonlyArray<{ readonly kind: string | null; readonly name?: string }>
  get allowNewDotTarget(): boolean
  nextToken(): void
  adaptDirectivePrologue(statements: ReadonlyArray<Node>): void
  finishNode(node: Node, type: string): Node
  startNode(): Node
  next(): void
  eat(type: acorn.TokenType): boolean
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
  currentVarScope(): Scope
  isAsyncFunction(): boolean
  inGeneratorContext(): boolean
  parseStatement(context: string | null, topLevel?: boolean, exports?: unknown): Node
  parseExpressionStatement(node: Node, expression: Node): Node
  parseReturnStatement(node: Node): Node
  parseBreakContinueStatement(node: Node, keyword: string): Node
  parseVarId(declarator: Node, kind: string): void
  parseExpression(forInit?: unknown, errors?: unknown): Node
  parseMaybeAssign(forInit?: unknown, errors?: unknown, after?: unknown): Node
  parseMaybeUnary(errors: unknown, sawUnary?: boolean, incDec?: boolean, forInit?: unknown): Node
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
  parseNew(): Node
  parseBlock(scope?: boolean, block?: Node, exitStrict?: boolean): Node
  parseClass(declaration: Node, isStatement: unknown): Node
  parseBindingAtom(): Node
  parseExprList(close: acorn.TokenType, trailing?: boolean, empty?: boolean, errors?: unknown): Array<Node | null>
  buildBinary(start: number, startLoc: unknown, left: Node, right: Node, operator: string, logical: boolean): Node
  parseImport(node: Node): Node
  parseExport(node: Node, exports: unknown): Node
  parseDynamicImport(node: Node): Node
  parseImportMeta(node: Node): Node
  validateRegExpPattern(state: { readonly source: string; readonly flags: string }): void
}

export const Base = acorn.Parser as unknown as typeof Internals
