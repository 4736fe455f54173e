import type * as acorn from "acorn"

/** A declared name. */
export class Binding {
  /** Whether an inner function uses it, so that it lives in a cell. */
  captured = false
  /** The register of the variable, or of its cell; -1 while the scope is not entered. */
  register = -1
  /** Whether some use must look whether it is initialised. */
  checked = false
  /** Whether something but its declaration assigns it. */
  assigned = false
  /** Of a `const` that a literal initialises: its value, which uses that come after that take from here. */
  constant: number | string | boolean | undefined = undefined
  /** Uses at or after this offset, in the same function, come after the initialisation. */
  initializedAt: number

  constructor(
    readonly name: string,
    readonly kind: BindingKind,
    readonly scope: Scope,
    initializedAt: number,
  ) {
    this.initializedAt = initializedAt
  }

  /** Whether it begins uninitialised. */
  get hasTdz(): boolean {
    return this.kind === "let" || this.kind === "const" || this.kind === "class" || this.kind === "derivedThis"
  }
}

export type BindingKind =
  | "var"
  | "let"
  | "const"
  | "class"
  | "function"
  | "parameter"
  /** A named function expression's own name: assignments throw. */
  | "self"
  /** `this`, `new.target`, the running function, `arguments`. */
  | "implicit"
  | "derivedThis"
  /** A private name or something else of the compiler's own. */
  | "hidden"

export class Scope {
  readonly names = new Map<string, Binding>()
  /** Function declarations, to be made when the scope is entered. */
  readonly functions: Array<acorn.FunctionDeclaration> = []
  /** Names of scopes far around this that were looked up from here, once all are declared. */
  far: Map<string, Binding | null> | undefined = undefined
  constructor(
    readonly parent: Scope | null,
    readonly func: FunctionScope,
    readonly isSwitch: boolean = false,
  ) {}

  declare(name: string, kind: BindingKind, initializedAt: number): Binding {
    let binding = this.names.get(name)
    if (binding === undefined) {
      binding = new Binding(name, kind, this, this.isSwitch ? Infinity : initializedAt)
      this.names.set(name, binding)
    }
    return binding
  }
}

/** One function being compiled: its outermost scope is `scope`. */
export class FunctionScope {
  readonly captures = new Map<Binding, number>()
  /** Captures that its loops read, surely initialised. */
  readonly looped = new Set<Binding>()
  /** Primitive constants that get registers of their own. */
  readonly literals = new Map<unknown, number>()
  scope!: Scope
  /** The scope of the body's `var`s. */
  varScope!: Scope
  usesArguments = false
  constructor(
    readonly parent: FunctionScope | null,
    /** An arrow function has the `this` of what is around it. */
    readonly isArrow: boolean,
    readonly isDerivedConstructor: boolean,
    /** A function declaration is made before the code around it runs. */
    readonly isHoisted: boolean,
  ) {}

  addLiteral(value: unknown): void {
    const { literals } = this
    if (literals.size < LITERAL_LIMIT && !literals.has(value)) literals.set(constantOf(value), literals.size)
  }
}

export type FunctionNode = acorn.FunctionDeclaration | acorn.FunctionExpression | acorn.ArrowFunctionExpression

/** The elements of a class body that run as one function: instance fields, or static fields and blocks. */
export class FieldInitializer {
  constructor(readonly elements: Array<acorn.PropertyDefinition | acorn.StaticBlock | acorn.MethodDefinition>) {}
}

export interface ClassInfo {
  readonly scope: Scope
  readonly instance: FieldInitializer | null
  readonly static: FieldInitializer | null
}

/** What analysis finds out: scopes by the node that opens them. */
export interface Analysis {
  readonly scopes: Map<object, Scope>
  readonly functions: Map<object, FunctionScope>
  readonly classes: Map<acorn.Class, ClassInfo>
  readonly program: FunctionScope
}

/**
 * The constant of a literal. The parser's objects hold numbers as floating point, integers too; the host calculates several times slower
 * with these than with what it takes for integers.
 */
export const constantOf = (value: unknown): unknown =>
  typeof value === "number" && value === (value | 0) && !Object.is(value, -0) ? value | 0 : value

/** At most this many constants of a function get registers. */
const LITERAL_LIMIT = 48

// What is declared without the program's doing, under names that it cannot declare, or does not in strict code.
export const THIS = "this"
export const NEW_TARGET = "new.target"
export const CALLEE = "%callee"
export const ARGUMENTS = "arguments"

export const privateFunctionName = (element: acorn.MethodDefinition): string =>
  `#${(element.key as acorn.PrivateIdentifier).name} ${element.kind}`

export const computedKeyName = (element: acorn.PropertyDefinition): string => `%key ${element.start}`

/** From how many scopes on a way is remembered. */
const FAR = 8

/** The binding of a name seen from a scope, or null for a global. To be asked when all names are declared. */
export const lookup = (scope: Scope, name: string): Binding | null => {
  const known = scope.far?.get(name)
  if (known !== undefined) return known
  const implicit = name === THIS || name === NEW_TARGET || name === CALLEE
  let found: Binding | null = null
  let far = 0
  for (let current: Scope | null = scope; current !== null; current = current.parent) {
    const binding = current.names.get(name)
    if (binding !== undefined) {
      found = binding
      break
    }
    const func: FunctionScope = current.func
    if (current === func.scope && !func.isArrow) {
      if (implicit || (name === ARGUMENTS && func.parent !== null)) {
        if (name === ARGUMENTS) func.usesArguments = true
        const derived = name === THIS && func.isDerivedConstructor
        found = current.declare(name, derived ? "derivedThis" : "implicit", derived ? Infinity : 0)
        break
      }
    }
    far++
  }
  if (far > FAR) (scope.far ??= new Map()).set(name, found)
  return found
}

/** Whether a use at this offset in this function may come before the initialisation. */
export const needsCheck = (binding: Binding, func: FunctionScope, at: number): boolean => {
  // A parameter's default does not see the parameters after it.
  if (binding.kind === "parameter") return at < binding.initializedAt
  if (!binding.hasTdz) return false
  if (at < binding.initializedAt) return true
  // A function declaration can run before the text around it.
  for (; func !== binding.scope.func; func = func.parent!) if (func.isHoisted) return true
  return false
}

/** Whether a variable that is initialised has the same value from then on. */
export const isFixed = ({ assigned, kind }: Binding): boolean => !assigned && kind !== "var"

/** The names a pattern binds, in order. */
export function* patternNames(node: acorn.Pattern): Generator<string> {
  switch (node.type) {
    case "Identifier":
      yield node.name
      return
    case "ObjectPattern":
      for (const property of node.properties) {
        yield* patternNames(property.type === "RestElement" ? property.argument : property.value)
      }
      return
    case "ArrayPattern":
      for (const element of node.elements) if (element !== null) yield* patternNames(element)
      return
    case "AssignmentPattern":
      yield* patternNames(node.left)
      return
    case "RestElement":
      yield* patternNames(node.argument)
      return
  }
}
