// All that may be long in a program, gone through so that the parser can stop between two parts: the grammar of acorn's own loops,
// which it otherwise uses.
import * as acorn from "acorn"
import type { DestructuringErrors, Growing, Node } from "./acorn.ts"
import { noErrors, Part, PieceParser } from "./pieces.ts"

const tt = acorn.tokTypes

/** acorn's kinds of scopes that are not those of functions. */
const superScope = 64
const staticBlockScope = 256
const switchScope = 1024

const switchLabel = { kind: "switch" }

/** Parts that are parsed one after another. */
interface Items<Item> {
  readonly items: Array<Item>
}

const items = <Item>(): Items<Item> => ({ items: [] })

/** What can begin a subscript. */
const subscripts: ReadonlySet<acorn.TokenType> = new Set([tt.dot, tt.questionDot, tt.bracketL, tt.parenL, tt.backQuote])

export class ListParser extends PieceParser {
  // -------------------------------------------------------------------------------------------------------------------
  // Statements
  // -------------------------------------------------------------------------------------------------------------------

  #statements(part: Part): ReadonlyArray<Node> {
    return this.each(part, items<Node>(), ({ items }) => {
      if (this.type === tt.braceR) return false
      items.push(this.parseStatement(null))
      return true
    }).items
  }

  override parseBlock(scope = true, block?: Growing, exitStrict?: boolean): Node {
    if (!this.inPieces) return super.parseBlock(scope, block, exitStrict)
    const node = block ?? this.startNode()
    node.body = undefined
    this.expect(tt.braceL)
    if (scope) this.enterScope(0)
    node.body = this.#statements(Part.Block)
    if (exitStrict === true) this.strict = false
    this.next()
    if (scope) this.exitScope()
    return this.finishNode(node, "BlockStatement")
  }

  override parseClassStaticBlock(node: Growing): Node {
    if (!this.inPieces) return super.parseClassStaticBlock(node)
    const { labels } = this
    this.labels = []
    this.enterScope(staticBlockScope | superScope)
    node.body = this.#statements(Part.StaticBlock)
    this.next()
    this.exitScope()
    this.labels = labels
    return this.finishNode(node, "StaticBlock")
  }

  override parseSwitchStatement(node: Growing): Node {
    if (!this.inPieces) return super.parseSwitchStatement(node)
    this.next()
    node.discriminant = this.parseParenExpression()
    node.cases = undefined
    this.expect(tt.braceL)
    this.labels.push(switchLabel)
    this.enterScope(switchScope)
    const cases = this.each(
      Part.Switch,
      { items: [] as Array<Growing & { consequent: Array<Node> }>, hasDefault: false },
      (state) => {
        if (this.type === tt.braceR) return false
        const last = state.items.at(-1)
        if (this.type !== tt._case && this.type !== tt._default) {
          if (last === undefined) this.unexpected()
          last.consequent.push(this.parseStatement(null))
          return true
        }
        if (last !== undefined) this.finishNode(last, "SwitchCase")
        const isDefault = this.type === tt._default
        const item = Object.assign(this.startNode(), { consequent: [] as Array<Node> })
        this.next()
        if (isDefault && state.hasDefault) this.raiseRecoverable(this.lastTokStart, "Multiple default clauses")
        item.test = isDefault ? null : this.parseExpression()
        this.expect(tt.colon)
        if (isDefault) state.hasDefault = true
        state.items.push(item)
        return true
      },
    ).items
    node.cases = cases
    this.exitScope()
    const last = cases.at(-1)
    if (last !== undefined) this.finishNode(last, "SwitchCase")
    this.next()
    this.labels.pop()
    return this.finishNode(node, "SwitchStatement")
  }

  override parseVar(node: Growing, isFor: boolean, kind: string, mayLackValue?: boolean): Node {
    if (!this.inPieces) return super.parseVar(node, isFor, kind, mayLackValue)
    node.declarations = undefined
    node.kind = kind
    node.declarations = this.each(Part.Declarations, items<Node>(), ({ items }) => {
      const declarator = this.startNode()
      this.parseVarId(declarator, kind)
      if (this.eat(tt.eq)) declarator.init = this.parseMaybeAssign(isFor)
      else {
        if (mayLackValue !== true) this.#checkLack(declarator, isFor, kind)
        declarator.init = null
      }
      items.push(this.finishNode(declarator, "VariableDeclarator"))
      return this.eat(tt.comma)
    }).items
    return node
  }

  /** What may stand without a value: not what is constant, and no pattern, except at the head of a loop. */
  #checkLack(declarator: Growing, isFor: boolean, kind: string): void {
    const isHead = this.type === tt._in || this.isContextual("of")
    if (kind === "const" && !isHead) this.unexpected()
    if ((kind === "using" || kind === "await using") && !isHead) {
      this.raise(this.lastTokEnd, `Missing initializer in ${kind} declaration`)
    }
    if ((declarator.id as Node).type !== "Identifier" && !(isFor && isHead)) {
      this.raise(this.lastTokEnd, "Complex binding patterns require an initialization value")
    }
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Classes
  // -------------------------------------------------------------------------------------------------------------------

  override parseClass(node: Growing, isStatement: unknown): Node {
    if (!this.inPieces) return super.parseClass(node, isStatement)
    this.next()
    const { strict } = this
    this.strict = true
    this.parseClassId(node, isStatement)
    this.parseClassSuper(node)
    this.enterClassBody()
    const body = this.startNode()
    body.body = undefined
    this.expect(tt.braceL)
    const isDerived = node.superClass !== null
    body.body = this.each(Part.ClassBody, { items: [] as Array<Node>, hasConstructor: false }, (state) => {
      if (this.type === tt.braceR) return false
      const element = this.parseClassElement(isDerived) as acorn.MethodDefinition | acorn.PropertyDefinition | null
      if (element === null) return true
      if (element.type === "MethodDefinition" && element.kind === "constructor") {
        if (state.hasConstructor) this.raiseRecoverable(element.start, "Duplicate constructor in the same class")
        state.hasConstructor = true
      } else if (element.key?.type === "PrivateIdentifier") this.#declarePrivate(element, element.key)
      state.items.push(element)
      return true
    }).items
    this.strict = strict
    this.next()
    node.body = this.finishNode(body, "ClassBody")
    this.exitClassBody()
    return this.finishNode(node, isStatement ? "ClassDeclaration" : "ClassExpression")
  }

  // A private name is declared once, or by a getter and a setter that are both static or both not.
  #declarePrivate(
    element: acorn.MethodDefinition | acorn.PropertyDefinition,
    { name, start }: acorn.PrivateIdentifier,
  ): void {
    const declared = this.privateNameStack.at(-1)!.declared as Record<string, string>
    const accessor = element.type === "MethodDefinition" && (element.kind === "get" || element.kind === "set")
    const side = element.static ? "s" : "i"
    const known = declared[name]
    if (known === undefined) declared[name] = accessor ? side + element.kind : "true"
    else if (accessor && known === side + (element.kind === "get" ? "set" : "get")) declared[name] = "true"
    else this.raiseRecoverable(start, `Identifier '#${name}' has already been declared`)
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Expressions
  // -------------------------------------------------------------------------------------------------------------------

  override parseExpression(forInit?: unknown, errors?: DestructuringErrors | null): Node {
    if (!this.inPieces) return super.parseExpression(forInit, errors)
    const { start } = this
    const first = this.parseMaybeAssign(forInit, errors)
    if (this.type !== tt.comma) return first
    const node = this.startNodeAt(start, undefined)
    node.expressions = this.each(Part.Sequence, { items: [first] }, ({ items }) => {
      if (!this.eat(tt.comma)) return false
      items.push(this.parseMaybeAssign(forInit, errors))
      return true
    }, errors).items
    return this.finishNode(node, "SequenceExpression")
  }

  override parseExprList(
    close: acorn.TokenType,
    trailing?: boolean,
    empty?: boolean,
    errors?: DestructuringErrors | null,
  ): Array<Node | null> {
    if (!this.inPieces) return super.parseExprList(close, trailing, empty, errors)
    return this.each(Part.Arguments, items<Node | null>(), ({ items }) => {
      if (this.eat(close)) return false
      if (items.length > 0) {
        this.expect(tt.comma)
        if (trailing === true && this.afterTrailingComma(close) === true) return false
      }
      if (empty === true && this.type === tt.comma) items.push(null)
      else if (this.type === tt.ellipsis) items.push(this.#spread(errors))
      else items.push(this.parseMaybeAssign(false, errors))
      return true
    }, errors).items
  }

  #spread(errors?: DestructuringErrors | null): Node {
    const node = this.parseSpread(errors)
    if (errors != null && this.type === tt.comma && errors.trailingComma < 0) errors.trailingComma = this.start
    return node
  }

  override parseParenAndDistinguishExpression(canBeArrow: boolean, forInit?: unknown): Node {
    if (!this.inPieces) return super.parseParenAndDistinguishExpression(canBeArrow, forInit)
    const { awaitPos, start, yieldPos } = this
    this.next()
    const innerStart = this.start
    const errors = noErrors()
    this.yieldPos = this.awaitPos = 0
    const state = this.each(Part.Parentheses, { items: [] as Array<Node>, isTrailing: false, rest: 0 }, (state) => {
      const { items } = state
      if (this.type === tt.parenR) return false
      if (items.length > 0) this.expect(tt.comma)
      if (this.afterTrailingComma(tt.parenR, true) === true) {
        state.isTrailing = true
        return false
      }
      if (this.type !== tt.ellipsis) {
        items.push(this.parseMaybeAssign(false, errors, this.parseParenItem))
        return true
      }
      const rest = this.start
      items.push(this.parseParenItem(this.parseRestBinding()))
      state.rest = rest
      if (this.type === tt.comma) {
        this.raiseRecoverable(this.start, "Comma is not permitted after the rest element")
      }
      return false
    }, errors)
    const innerEnd = this.lastTokEnd
    this.expect(tt.parenR)
    if (canBeArrow && this.shouldParseArrow(state.items) && this.eat(tt.arrow)) {
      this.checkPatternErrors(errors, false)
      this.checkYieldAwaitInDefaultParams()
      this.yieldPos = yieldPos
      this.awaitPos = awaitPos
      return this.parseParenArrowList(start, undefined, state.items, forInit)
    }
    if (state.items.length === 0 || state.isTrailing) this.unexpected(this.lastTokStart)
    if (state.rest > 0) this.unexpected(state.rest)
    this.checkExpressionErrors(errors, true)
    this.yieldPos = yieldPos || this.yieldPos
    this.awaitPos = awaitPos || this.awaitPos
    if (state.items.length === 1) return state.items[0]!
    const node = this.startNodeAt(innerStart, undefined)
    node.expressions = state.items
    return this.finishNodeAt(node, "SequenceExpression", innerEnd, undefined)
  }

  override parseSubscripts(base: Node, start: number, startLoc: unknown, noCalls?: boolean, forInit?: unknown): Node {
    if (!this.inPieces) return super.parseSubscripts(base, start, startLoc, noCalls, forInit)
    if (!subscripts.has(this.type)) return base
    const isAsync = base.type === "Identifier" && (base as acorn.Identifier).name === "async" &&
      this.lastTokEnd === base.end && base.end - base.start === 5 && this.potentialArrowAt === base.start &&
      !this.canInsertSemicolon()
    const { isOptional, node } = this.each(
      Part.Subscripts,
      { node: base, isFirst: true, isOptional: false },
      (state) => {
        const { isFirst, isOptional, node } = state
        const next = this.parseSubscript(
          node,
          start,
          startLoc,
          noCalls === true,
          isAsync && isFirst,
          isOptional,
          forInit,
        )
        state.node = next
        state.isFirst = false
        if ((next as Growing).optional === true) state.isOptional = true
        return next.end !== node.end && next.type !== "ArrowFunctionExpression"
      },
    )
    if (!isOptional) return node
    const chain = this.startNodeAt(start, startLoc)
    chain.expression = node
    return this.finishNode(chain, "ChainExpression")
  }

  override parseObj(isPattern: boolean, errors?: DestructuringErrors | null): Node {
    if (!this.inPieces) return super.parseObj(isPattern, errors)
    const node = this.startNode()
    node.properties = undefined
    this.next()
    node.properties = this.each(Part.Object, { items: [] as Array<Node>, seen: {} }, ({ items, seen }) => {
      if (this.eat(tt.braceR)) return false
      if (items.length > 0) {
        this.expect(tt.comma)
        if (this.afterTrailingComma(tt.braceR) === true) return false
      }
      const property = this.parseProperty(isPattern, errors)
      if (!isPattern) this.checkPropClash(property, seen, errors)
      items.push(property)
      return true
    }, errors).items
    return this.finishNode(node, isPattern ? "ObjectPattern" : "ObjectExpression")
  }

  override parseTemplate(options: { readonly isTagged?: boolean } = {}): Node {
    if (!this.inPieces) return super.parseTemplate(options)
    const element = { isTagged: options.isTagged === true }
    const node = this.startNode()
    this.next()
    const { expressions, quasis } = this.each(
      Part.Template,
      { expressions: [] as Array<Node>, quasis: [] as Array<Node & { readonly tail: boolean }> },
      ({ expressions, quasis }) => {
        const last = quasis.at(-1)
        if (last === undefined) {
          quasis.push(this.parseTemplateElement(element))
          return true
        }
        if (last.tail) return false
        if (this.type === tt.eof) this.raise(this.pos, "Unterminated template literal")
        this.expect(tt.dollarBraceL)
        const expression = this.parseExpression()
        this.expect(tt.braceR)
        quasis.push(this.parseTemplateElement(element))
        expressions.push(expression)
        return true
      },
    )
    node.expressions = expressions
    node.quasis = quasis
    this.next()
    return this.finishNode(node, "TemplateLiteral")
  }

  // -------------------------------------------------------------------------------------------------------------------
  // Patterns
  // -------------------------------------------------------------------------------------------------------------------

  override parseBindingList(
    close: acorn.TokenType,
    empty?: boolean,
    trailing?: boolean,
    modifiers?: boolean,
  ): Array<Node | null> {
    if (!this.inPieces) return super.parseBindingList(close, empty, trailing, modifiers)
    return this.each(Part.Bindings, items<Node | null>(), ({ items }) => {
      if (this.eat(close)) return false
      if (items.length > 0) this.expect(tt.comma)
      if (empty === true && this.type === tt.comma) {
        items.push(null)
        return true
      }
      if (trailing === true && this.afterTrailingComma(close) === true) return false
      if (this.type !== tt.ellipsis) {
        items.push(this.parseAssignableListItem(modifiers))
        return true
      }
      const rest = this.parseRestBinding()
      items.push(this.parseBindingListItem(rest))
      if (this.type === tt.comma) {
        this.raiseRecoverable(this.start, "Comma is not permitted after the rest element")
      }
      this.expect(close)
      return false
    }).items
  }
}
