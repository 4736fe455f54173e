import type * as acorn from "acorn"
import { Pace, PIECE } from "./pieces.ts"
import {
  type Analysis,
  CALLEE,
  type ClassInfo,
  computedKeyName,
  constantOf,
  FieldInitializer,
  type FunctionNode,
  FunctionScope,
  lookup,
  needsCheck,
  NEW_TARGET,
  patternNames,
  privateFunctionName,
  Scope,
  THIS,
} from "./scope.ts"

/** Finds every scope and name of a program, and which variables inner functions use; a statement at a time, or parts of a long one. */
export const analyze = (program: acorn.Program): Generator<undefined, Analysis> => new Analyzer().run(program)

interface Reference {
  readonly name: string
  readonly scope: Scope
  /** Its offset in the source. */
  readonly at: number
  readonly assigns: boolean
  /** Whether a loop of its function repeats it. */
  readonly looped: boolean
}

/** Parts of something long, to be gone through when what is around them is. */
interface Later {
  readonly parts: Iterable<undefined>
  readonly scope: Scope
  readonly varScope: Scope
  readonly loops: number
}

class Analyzer {
  readonly scopes = new Map<object, Scope>()
  readonly functions = new Map<object, FunctionScope>()
  readonly classes = new Map<acorn.Class, ClassInfo>()
  private readonly references: Array<Reference> = []
  private readonly later: Array<Later> = []
  private scope!: Scope
  /** How many loops of the function are around what is visited. */
  private loops = 0;

  *run(program: acorn.Program): Generator<undefined, Analysis> {
    const func = new FunctionScope(null, false, false, false)
    const scope = new Scope(null, func)
    func.scope = func.varScope = scope
    this.functions.set(program, func)
    this.scopes.set(program, scope)
    this.scope = scope
    this.hoist(program.body, scope)
    for (const node of program.body) {
      this.visit(node)
      yield
    }
    // Each may add those inside it.
    for (const { loops, parts, scope, varScope } of this.later) {
      const { func } = scope
      const outer = func.varScope
      this.scope = scope
      this.loops = loops
      func.varScope = varScope
      yield* parts
      func.varScope = outer
    }
    let resolved = 0
    for (const reference of this.references) {
      resolve(reference)
      if (++resolved % 256 === 0) yield
    }
    return { scopes: this.scopes, functions: this.functions, classes: this.classes, program: func }
  }

  private reference(name: string, at: number, assigns = false): void {
    this.references.push({ name, scope: this.scope, at, assigns, looped: this.loops > 0 })
  }

  private literal(value: unknown): void {
    this.scope.func.addLiteral(value)
  }

  private within(node: object, scope: Scope, run: () => void): void {
    const outer = this.scope
    this.scopes.set(node, scope)
    this.scope = scope
    run()
    this.scope = outer
  }

  /** Goes through parts: at once if they are short, else later and in groups. */
  private each<Part extends acorn.AnyNode>(
    parts: ReadonlyArray<Part | null>,
    visit: (part: Part) => void,
  ): void {
    if (isLongList(parts)) this.postpone(groups(parts, visit))
    else for (const part of parts) if (part !== null) visit(part)
  }

  private visitAll(parts: ReadonlyArray<acorn.AnyNode | null>): void {
    if (isLongList(parts)) this.postpone(groups(parts, (part) => this.visit(part)))
    else for (const part of parts) if (part !== null) this.visit(part)
  }

  private postpone(parts: Iterable<undefined>): void {
    const { loops, scope } = this
    this.later.push({ parts, scope, varScope: scope.func.varScope, loops })
  }

  /** Declares what the statements of a block declare in it. */
  private hoist(statements: ReadonlyArray<acorn.Statement | acorn.ModuleDeclaration>, scope: Scope): void {
    for (let node of statements) {
      while (node.type === "LabeledStatement") node = node.body
      if (node.type === "FunctionDeclaration") {
        scope.declare(node.id.name, "function", 0)
        scope.functions.push(node)
      } else if (node.type === "ClassDeclaration") scope.declare(node.id.name, "class", node.end)
      else if (node.type === "VariableDeclaration" && node.kind !== "var") this.declareLexical(node, scope)
    }
  }

  private declareLexical(node: acorn.VariableDeclaration, scope: Scope): void {
    const kind = node.kind === "let" ? "let" : "const"
    for (const declarator of node.declarations) {
      for (const name of patternNames(declarator.id)) scope.declare(name, kind, declarator.end)
      if (kind === "const" && declarator.id.type === "Identifier" && declarator.init) {
        scope.names.get(declarator.id.name)!.constant = literalValue(declarator.init)
      }
    }
  }

  private block(node: object, statements: ReadonlyArray<acorn.Statement>, isSwitch = false): void {
    const scope = new Scope(this.scope, this.scope.func, isSwitch)
    this.hoist(statements, scope)
    this.within(node, scope, () => this.visitAll(statements))
  }

  function(node: FunctionNode, isDerivedConstructor = false): void {
    const isArrow = node.type === "ArrowFunctionExpression"
    const func = new FunctionScope(this.scope.func, isArrow, isDerivedConstructor, node.type === "FunctionDeclaration")
    this.functions.set(node, func)
    let outer: Scope = this.scope
    const scope = new Scope(outer, func)
    func.scope = scope
    if (node.type === "FunctionExpression" && node.id) {
      // The name is visible inside, under everything else.
      outer = new Scope(outer, func)
      outer.declare(node.id.name, "self", 0)
      ;(scope as { parent: Scope | null }).parent = outer
    }
    for (const param of node.params) {
      for (const name of patternNames(param)) scope.declare(name, "parameter", param.end)
    }
    const simple = node.params.every((param) => param.type === "Identifier" || param.type === "RestElement")
    let bodyScope = scope
    if (!simple && node.body.type === "BlockStatement") {
      // Parameter expressions do not see the body's variables.
      bodyScope = new Scope(scope, func)
    }
    func.varScope = bodyScope
    const { loops } = this
    this.loops = 0
    this.within(node, scope, () => {
      for (const param of node.params) this.pattern(param, true)
      if (node.body.type === "BlockStatement") {
        const statements = node.body.body
        this.within(node.body, bodyScope, () => {
          this.hoist(statements, bodyScope)
          this.visitAll(statements)
        })
      } else this.visit(node.body)
    })
    this.loops = loops
  }

  private fieldInitializer(initializer: FieldInitializer): void {
    const func = new FunctionScope(this.scope.func, false, false, false)
    this.functions.set(initializer, func)
    const scope = new Scope(this.scope, func)
    func.scope = func.varScope = scope
    const { loops } = this
    this.loops = 0
    this.within(initializer, scope, () => {
      this.reference(THIS, 0)
      this.each(initializer.elements, (element) => {
        if (element.type === "StaticBlock") {
          const blockScope = new Scope(this.scope, func)
          const outerVar = func.varScope
          func.varScope = blockScope
          this.hoist(element.body, blockScope)
          this.within(element, blockScope, () => this.visitAll(element.body))
          func.varScope = outerVar
        } else if (element.type === "MethodDefinition") {
          // A private method: its name and function are variables of the class.
          const name = (element.key as acorn.PrivateIdentifier).name
          this.reference(`#${name}`, 0)
          this.reference(privateFunctionName(element), 0)
        } else {
          if (element.key.type === "PrivateIdentifier") this.reference(`#${element.key.name}`, 0)
          else if (element.computed) this.reference(computedKeyName(element), 0)
          if (element.value) this.visit(element.value)
        }
      })
    })
    this.loops = loops
  }

  private class(node: acorn.Class): void {
    const scope = new Scope(this.scope, this.scope.func)
    if (node.id) scope.declare(node.id.name, "const", node.end)
    const instance: FieldInitializer["elements"] = []
    const statics: FieldInitializer["elements"] = []
    for (const element of node.body.body) {
      if (element.type === "StaticBlock") {
        statics.push(element)
        continue
      }
      if (element.key.type === "PrivateIdentifier") {
        scope.declare(`#${element.key.name}`, "hidden", 0)
        if (element.type === "MethodDefinition") {
          scope.declare(privateFunctionName(element), "hidden", 0)
          if (!element.static) instance.push(element)
        }
      }
      if (element.type === "PropertyDefinition") {
        ;(element.static ? statics : instance).push(element)
        if (element.computed) scope.declare(computedKeyName(element), "hidden", 0)
      }
    }
    // Private methods come before fields, whatever their order in the text.
    instance.sort((a, b) => Number(a.type !== "MethodDefinition") - Number(b.type !== "MethodDefinition"))
    const info: ClassInfo = {
      scope,
      instance: instance.length > 0 ? new FieldInitializer(instance) : null,
      static: statics.length > 0 ? new FieldInitializer(statics) : null,
    }
    this.classes.set(node, info)
    this.within(node, scope, () => {
      if (node.superClass) this.visit(node.superClass)
      this.each(node.body.body, (element) => {
        if (element.type === "StaticBlock") return
        if (element.computed) this.visit(element.key)
        if (element.type === "MethodDefinition") {
          this.function(element.value, element.kind === "constructor" && node.superClass != null)
        }
      })
      if (info.instance !== null) this.fieldInitializer(info.instance)
      if (info.static !== null) this.fieldInitializer(info.static)
    })
  }

  /** Visits the expressions and names of a pattern; one that declares its names initialises them. */
  private pattern(node: acorn.Pattern | acorn.Expression, declares = false): void {
    switch (node.type) {
      case "Identifier":
        this.reference(node.name, declares ? Infinity : node.start, !declares)
        return
      case "ObjectPattern":
        for (const property of node.properties) {
          if (property.type === "RestElement") this.pattern(property.argument, declares)
          else {
            if (property.computed) this.visit(property.key)
            this.pattern(property.value, declares)
          }
        }
        return
      case "ArrayPattern":
        for (const element of node.elements) if (element !== null) this.pattern(element, declares)
        return
      case "AssignmentPattern":
        this.pattern(node.left, declares)
        this.visit(node.right)
        return
      case "RestElement":
        this.pattern(node.argument, declares)
        return
      default:
        this.visit(node)
    }
  }

  visit(node: acorn.AnyNode): void {
    switch (node.type) {
      case "Identifier":
        if (node.name === "undefined") this.literal(undefined)
        this.reference(node.name, node.start)
        return
      case "Literal":
        if (node.regex === undefined) this.literal(node.value)
        return
      case "UnaryExpression": {
        const { argument, operator } = node
        // As the expression is compiled: -0 is no constant.
        const negated = operator === "-" && argument.type === "Literal" && typeof argument.value === "number"
        if (negated && argument.value !== 0) this.literal(-(argument.value as number))
        else this.visit(argument)
        return
      }
      case "ThisExpression":
        this.reference(THIS, node.start)
        return
      case "MetaProperty":
        this.reference(NEW_TARGET, node.start)
        return
      case "Super":
        this.reference(CALLEE, node.start)
        this.reference(THIS, node.start)
        this.reference(NEW_TARGET, node.start)
        return
      case "PrivateIdentifier":
        this.reference(`#${node.name}`, node.start)
        return
      case "TemplateElement":
        this.literal(node.value.cooked)
        return
      case "TaggedTemplateExpression":
        this.visit(node.tag)
        this.visitAll(node.quasi.expressions)
        return
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.function(node as FunctionNode)
        return
      case "ClassDeclaration":
      case "ClassExpression":
        this.class(node)
        if (node.type === "ClassDeclaration" && node.id !== null) this.reference(node.id.name, node.end)
        return
      case "BlockStatement":
        this.block(node, node.body)
        return
      case "SwitchStatement":
        this.visit(node.discriminant)
        this.switch(node)
        return
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
        this.loop(node)
        return
      case "WhileStatement":
      case "DoWhileStatement":
        this.loops++
        this.visit(node.test)
        this.visit(node.body)
        this.loops--
        return
      case "CatchClause": {
        const scope = new Scope(this.scope, this.scope.func)
        this.within(node, scope, () => {
          if (node.param) {
            for (const name of patternNames(node.param)) scope.declare(name, "let", node.param.end)
            this.pattern(node.param, true)
          }
          this.block(node.body, node.body.body)
        })
        return
      }
      case "VariableDeclaration":
        this.each(node.declarations, (declarator) => {
          if (node.kind === "var") {
            for (const name of patternNames(declarator.id)) this.declareVar(name)
          }
          this.pattern(declarator.id, true)
          if (declarator.init) this.visit(declarator.init)
        })
        return
      case "AssignmentExpression":
        this.pattern(node.left)
        this.visit(node.right)
        return
      case "UpdateExpression":
        this.pattern(node.argument)
        return
      case "BinaryExpression":
      case "LogicalExpression": {
        // Chains such as `a + b + c` can be thousands of operands long.
        const rights: Array<acorn.Expression> = []
        let left: acorn.Expression | acorn.PrivateIdentifier = node
        while (left.type === "BinaryExpression" || left.type === "LogicalExpression") {
          rights.push(left.right)
          left = left.left
        }
        this.visit(left)
        while (rights.length > 0) this.visit(rights.pop()!)
        return
      }
      case "MemberExpression":
        this.visit(node.object)
        if (node.computed || node.property.type === "PrivateIdentifier") this.visit(node.property)
        return
      case "Property":
        if (node.computed) this.visit(node.key)
        this.visit(node.value)
        return
      case "LabeledStatement":
        this.visit(node.body)
        return
      case "BreakStatement":
      case "ContinueStatement":
        return
      default:
        this.children(node)
    }
  }

  private children(node: acorn.AnyNode): void {
    for (const key in node) {
      if (key === "type" || key === "start" || key === "end") continue
      const child = (node as unknown as Record<string, unknown>)[key]
      if (Array.isArray(child)) this.visitAll(child as ReadonlyArray<acorn.AnyNode | null>)
      else if (isNode(child)) this.visit(child)
    }
  }

  private switch(node: acorn.SwitchStatement): void {
    const scope = new Scope(this.scope, this.scope.func, true)
    for (const item of node.cases) this.hoist(item.consequent, scope)
    this.within(node, scope, () => {
      this.each(node.cases, (item) => {
        if (item.test) this.visit(item.test)
        this.visitAll(item.consequent)
      })
    })
  }

  private loop(node: acorn.ForStatement | acorn.ForInStatement | acorn.ForOfStatement): void {
    const scope = new Scope(this.scope, this.scope.func)
    const head = node.type === "ForStatement" ? node.init : node.left
    const lexical = head?.type === "VariableDeclaration" && head.kind !== "var"
    if (lexical) this.declareLexical(head, scope)
    this.within(node, scope, () => {
      if (node.type === "ForStatement") {
        if (node.init) this.visit(node.init)
        this.loops++
        if (node.test) this.visit(node.test)
        if (node.update) this.visit(node.update)
      } else {
        if (node.left.type === "VariableDeclaration") {
          this.visit(node.left)
          // The value is bound before the body, wherever the declarator ends.
          if (lexical) { for (const binding of scope.names.values()) binding.initializedAt = node.body.start }
        } else this.pattern(node.left)
        this.visit(node.right)
        this.loops++
      }
      this.visit(node.body)
    })
    this.loops--
  }

  private declareVar(name: string): void {
    const binding = this.scope.func.varScope.declare(name, "var", 0)
    // What it declares is a parameter or a function, which it may give another value.
    if (binding.kind !== "var") binding.assigned = true
  }
}

/** What an initialiser says, if it is a literal of a number, a text or a truth value. */
const literalValue = (node: acorn.Expression): number | string | boolean | undefined => {
  const negative = node.type === "UnaryExpression" && node.operator === "-"
  const literal = negative ? node.argument : node
  if (literal.type !== "Literal") return undefined
  const { value } = literal
  if (negative) return typeof value === "number" && value !== 0 ? constantOf(-value) as number : undefined
  return typeof value === "number" || typeof value === "string" || typeof value === "boolean"
    ? constantOf(value) as typeof value
    : undefined
}

/** Resolves a reference, noting captures on the way out of each function. */
const resolve = ({ assigns, at, looped, name, scope }: Reference): void => {
  const binding = lookup(scope, name)
  if (binding === null) return
  if (assigns) binding.assigned = true
  let func = scope.func
  const check = needsCheck(binding, func, at)
  if (check) binding.checked = true
  else if (binding.constant !== undefined) return func.addLiteral(binding.constant)
  if (func === binding.scope.func) return
  binding.captured = true
  if (looped && !check) func.looped.add(binding)
  while (func !== binding.scope.func) {
    if (!func.captures.has(binding)) func.captures.set(binding, func.captures.size)
    func = func.parent!
  }
}

const isPart = (part: unknown): boolean => part !== null

const isLongList = (parts: ReadonlyArray<acorn.AnyNode | null>): boolean => {
  if (parts.length === 0) return false
  const first = parts[0] ?? parts.find(isPart)
  const last = parts[parts.length - 1] ?? parts.findLast(isPart)
  return first != null && last != null && last.end - first.start > PIECE
}

/** Goes through parts in groups of about so many characters. */
function* groups<Part extends acorn.AnyNode>(
  parts: ReadonlyArray<Part | null>,
  visit: (part: Part) => void,
): Generator<undefined, void> {
  const pace = new Pace()
  for (const part of parts) {
    if (part === null) continue
    visit(part)
    if (pace.isDue(part)) yield
  }
}

const isNode = (value: unknown): value is acorn.AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
