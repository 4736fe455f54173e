import type * as acorn from "acorn"
import type { Steps } from "../parse/steps.ts"
import { type ClosureOptions, FunctionBuilder } from "./builder.ts"
import { allocate, enter, load, store } from "./names.ts"
import { Op } from "./opcodes.ts"
import { Stretches } from "./pieces.ts"
import { returnExpression } from "./returns.ts"
import {
  ARGUMENTS,
  type Binding,
  CALLEE,
  computedKeyName,
  FieldInitializer,
  type FunctionNode,
  FunctionScope,
  isFixed,
  NEW_TARGET,
  privateFunctionName,
  Scope,
  THIS,
} from "./scope.ts"
import { block, scopedInSteps } from "./statements.ts"
import { FunctionKind, Template } from "./template.ts"
import { isAnonymousFunction, named } from "./values.ts"

/**
 * Emits a closure of a function or of a class's initialiser. The function itself is compiled later: so neither the depth of
 * functions in functions nor the length of one piece of work grows with the code.
 */
export const closure = (
  f: FunctionBuilder,
  node: FunctionNode | FieldInitializer,
  dst: number,
  options: ClosureOptions,
): void => {
  const { children } = f
  const index = children.length
  f.emit(Op.Closure, dst, index)
  // Its place, until it is compiled.
  children.push(undefined as never)
  // The registers of what it captures are known here.
  const captures = capturesOf(f.analysis.functions.get(node)!)
  f.templates.later.push(() => place(children, index, compileInner(f, node, options, captures)))
}

// No closure is a generator function: the host makes a prototype for each, and keeps what such a function sees for very long.
function* place(children: Array<Template>, index: number, steps: Steps<Template>): Steps<void> {
  children[index] = yield* steps
}

const compileInner = (
  f: FunctionBuilder,
  node: FunctionNode | FieldInitializer,
  options: ClosureOptions,
  captures: ReadonlyArray<number>,
): Steps<Template> =>
  node instanceof FieldInitializer ? initializer(f, node, captures) : compile(f, node, options, captures)

/** Where a new closure's captures come from, while the functions around it are entered. */
const capturesOf = (func: FunctionScope): ReadonlyArray<number> => {
  const captures: Array<number> = []
  const outer = func.parent
  for (const binding of func.captures.keys()) {
    captures.push(outer === binding.scope.func ? binding.register : ~outer!.captures.get(binding)!)
  }
  return captures
}

function* compile(
  outer: FunctionBuilder,
  node: FunctionNode,
  options: ClosureOptions,
  captures: ReadonlyArray<number>,
): Steps<Template> {
  const func = outer.analysis.functions.get(node)!
  const kind = options.kind ?? (node.type === "ArrowFunctionExpression" ? FunctionKind.Arrow : FunctionKind.Normal)
  const rest = node.params.at(-1)?.type === "RestElement"
  const parameterCount = rest ? node.params.length - 1 : node.params.length
  const f = new FunctionBuilder(
    outer.gen,
    outer.source,
    outer.analysis,
    func,
    outer.templates,
    parameterCount,
    node.async === true,
    node.generator === true,
    kind === FunctionKind.DerivedConstructor,
  )
  prologue(f, func.scope)
  if (options.hasFields === true && kind === FunctionKind.ClassConstructor) initializeFields(f)
  parameters(f, node)
  if (f.isGenerator) f.emit(Op.InitialYield)
  if (node.body.type === "BlockStatement") {
    const scope = outer.analysis.scopes.get(node.body)!
    enter(f, scope)
    if (scope !== func.scope) {
      // A `var` named as a parameter begins with its value.
      for (const [name, binding] of scope.names) {
        const parameter = binding.kind === "var" ? func.scope.names.get(name) : undefined
        if (parameter !== undefined) {
          const mark = f.top
          f.scope = func.scope
          const value = load(f, name, node)
          f.scope = scope
          store(f, binding, value, "initialize")
          f.top = mark
        }
      }
    }
    yield* scopedInSteps(f, node.body.body)
    f.gen.return(f, f.load(undefined))
  } else {
    returnExpression(f, node.body)
  }
  const isConstructor = (kind === FunctionKind.Normal && !node.async && !node.generator) ||
    kind >= FunctionKind.ClassConstructor
  return finish(f, {
    start: options.start ?? node.start,
    end: options.end ?? node.end,
    name: options.name ?? "",
    kind,
    constructor_: isConstructor,
    length: expectedArguments(node.params),
    keepsArguments: rest || func.usesArguments,
  }, captures)
}

/** At the start of a base class's constructor. */
const initializeFields = (f: FunctionBuilder): void => {
  const mark = f.top
  const self = f.temporary()
  const callee = f.temporary()
  f.emit(Op.This, self)
  f.emit(Op.Callee, callee)
  f.emit(Op.InitializeFields, self, callee)
  f.top = mark
}

/** https://tc39.es/ecma262/#sec-static-semantics-expectedargumentcount */
const expectedArguments = (params: ReadonlyArray<acorn.Pattern>): number => {
  const end = params.findIndex((param) => param.type === "AssignmentPattern" || param.type === "RestElement")
  return end < 0 ? params.length : end
}

/** Gives the implicit variables their values. */
const prologue = (f: FunctionBuilder, scope: Scope): void => {
  f.scope = scope
  // A named function expression's own name stands in a scope around the parameters.
  const own = scope.parent
  if (own !== null && own.func === f.func) {
    for (const binding of own.names.values()) implicit(f, binding, Op.Callee)
  }
  const ops: ReadonlyArray<readonly [string, Op]> = [[THIS, Op.This], [NEW_TARGET, Op.NewTarget], [CALLEE, Op.Callee], [
    ARGUMENTS,
    Op.Arguments,
  ]]
  for (const [name, op] of ops) {
    const binding = scope.names.get(name)
    if (binding === undefined) continue
    if (binding.kind === "implicit") implicit(f, binding, op)
    else if (binding.kind === "derivedThis") allocate(f, binding)
  }
  // A derived constructor returns `this`, whether or not its code names it.
  if (f.isDerived && !scope.names.has(THIS)) allocate(f, f.lookup(THIS)!)
  if (f.isDerived && f.lookup(THIS)!.captured === false) f.emit(Op.LoadTdz, f.lookup(THIS)!.register)
  for (const binding of f.func.looped) {
    if (f.copies.size === MAX_COPIES) break
    if (!isFixed(binding)) continue
    const register = f.temporary()
    f.emit(Op.LoadCapture, register, f.captureIndex(binding))
    f.copies.set(binding, register)
  }
}

/** So many captured variables at most are read at the start of a function for its loops. */
const MAX_COPIES = 8

const implicit = (f: FunctionBuilder, binding: Binding, op: Op): void => {
  binding.register = f.temporary()
  if (binding.captured) {
    const mark = f.top
    const value = f.temporary()
    f.emit(op as Op.This, value)
    f.emit(Op.NewCellOf, binding.register, value)
    f.top = mark
  } else f.emit(op as Op.This, binding.register)
}

const parameters = (f: FunctionBuilder, node: FunctionNode): void => {
  const { scope } = f.func
  const simple = node.params.every((param) => param.type === "Identifier")
  // The parameters' variables are the registers that the arguments arrive in, where nothing stands in the way.
  node.params.forEach((param, i) => {
    if (param.type === "Identifier") {
      const binding = scope.names.get(param.name)!
      if (!binding.captured && !binding.checked) binding.register = i
      else if (simple) {
        binding.register = f.temporary()
        f.emit(Op.NewCellOf, binding.register, i)
      }
    }
  })
  if (!simple) {
    for (const binding of scope.names.values()) {
      if (binding.kind !== "parameter" || binding.register >= 0) continue
      binding.register = f.temporary()
      if (binding.captured) f.emit(Op.NewCell, binding.register)
      else if (binding.checked) f.emit(Op.LoadTdz, binding.register)
    }
  }
  f.scope = scope
  if (simple) return
  node.params.forEach((param, i) => {
    const mark = f.top
    if (param.type === "RestElement") {
      const value = f.temporary()
      f.emit(Op.Rest, value, i)
      f.gen.bind(f, param.argument, value, "initialize")
    } else if (param.type !== "Identifier" || scope.names.get(param.name)!.register !== i) {
      f.gen.bind(f, param, i, "initialize")
    }
    f.top = mark
  })
}

const finish = (
  f: FunctionBuilder,
  options: Pick<Template, "start" | "end" | "name" | "kind" | "constructor_" | "length" | "keepsArguments">,
  captures: ReadonlyArray<number>,
): Template => {
  const reusable = !f.isAsync && !f.isGenerator && !options.keepsArguments
  const { code, handlers } = f.finish()
  // No spreads: the host is slow at objects that are put together by them.
  return new Template({
    start: options.start,
    end: options.end,
    name: options.name,
    kind: options.kind,
    constructor_: options.constructor_,
    length: options.length,
    keepsArguments: options.keepsArguments,
    code,
    handlers,
    source: f.source,
    index: f.templates.count++,
    isAsync: f.isAsync,
    isGenerator: f.isGenerator,
    parameterCount: f.parameterCount,
    constants: f.constants,
    blank: f.blank,
    positions: f.positions,
    children: f.children,
    captures,
    simple: reusable && options.kind !== FunctionKind.ClassConstructor &&
      options.kind !== FunctionKind.DerivedConstructor,
    constructs: reusable && options.constructor_ && options.kind !== FunctionKind.DerivedConstructor,
    reusable,
    cost: f.entryCost,
  })
}

/** The function that gives an instance its private methods and fields, or a class its static ones. */
function* initializer(
  outer: FunctionBuilder,
  node: FieldInitializer,
  captures: ReadonlyArray<number>,
): Steps<Template> {
  const func = outer.analysis.functions.get(node)!
  const f = new FunctionBuilder(outer.gen, outer.source, outer.analysis, func, outer.templates, 0, false, false, false)
  prologue(f, func.scope)
  enter(f, func.scope)
  const self = load(f, THIS, { start: Infinity, end: Infinity })
  const pace = new Stretches(f)
  for (const element of node.elements) {
    const mark = f.top
    if (element.type === "StaticBlock") block(f, element, element.body)
    else if (element.type === "MethodDefinition") {
      const fn = load(f, privateFunctionName(element), element)
      const name = load(f, `#${(element.key as acorn.PrivateIdentifier).name}`, element)
      f.at(element)
      f.emit(Op.DefinePrivate, self, name, fn, element.kind === "get" ? 2 : element.kind === "set" ? 3 : 1)
    } else field(f, element, self)
    f.top = mark
    if (pace.isDue(element)) yield
  }
  pace.end()
  f.emit(Op.Return, f.load(undefined))
  const first = node.elements[0]!
  return finish(f, {
    start: first.start,
    end: node.elements.at(-1)!.end,
    name: "<instance_members_initializer>",
    kind: FunctionKind.Method,
    constructor_: false,
    length: 0,
    keepsArguments: false,
  }, captures)
}

const field = (f: FunctionBuilder, element: acorn.PropertyDefinition, self: number): void => {
  const { key, value } = element
  if (key.type === "PrivateIdentifier") {
    const register = value == null
      ? f.load(undefined)
      : named(f, value, isAnonymousFunction(value) ? `#${key.name}` : "")
    const name = load(f, `#${key.name}`, element)
    f.at(element)
    f.emit(Op.DefinePrivate, self, name, register, 0)
    return
  }
  if (element.computed) {
    const name = load(f, computedKeyName(element), element)
    const register = value == null ? f.load(undefined) : named(f, value, "")
    if (value != null && isAnonymousFunction(value)) f.emit(Op.SetFunctionName, register, name, f.constant(""))
    f.at(element)
    f.emit(Op.DefineElement, self, name, register)
    return
  }
  const text = f.gen.keyText(key)
  const register = value == null ? f.load(undefined) : named(f, value, isAnonymousFunction(value) ? String(text) : "")
  f.at(element)
  f.emit(Op.DefineField, self, f.constant(text), register)
}

/** Emits the closure of a class without a constructor of its own. */
export const defaultConstructor = (
  outer: FunctionBuilder,
  node: acorn.Class,
  dst: number,
  kind: number,
  name: string,
  hasFields: boolean,
): void => {
  const isDerived = kind === FunctionKind.DerivedConstructor
  const func = new FunctionScope(outer.func, false, isDerived, false)
  func.scope = func.varScope = new Scope(outer.scope, func)
  const captures = capturesOf(func)
  const { children } = outer
  const index = children.length
  outer.emit(Op.Closure, dst, index)
  // As with closures, later.
  children.push(undefined as never)
  outer.templates.later.push(() => {
    const f = new FunctionBuilder(
      outer.gen,
      outer.source,
      outer.analysis,
      func,
      outer.templates,
      0,
      false,
      false,
      isDerived,
    )
    f.scope = func.scope
    if (isDerived) {
      // It passes all its arguments on, without the iteration that `...args` would be.
      const base = f.temporaries(3)
      const callee = f.temporary()
      const newTarget = f.temporary()
      f.emit(Op.Callee, callee)
      f.emit(Op.NewTarget, newTarget)
      f.at(node)
      f.emit(Op.SuperConstructor, base, callee)
      f.emit(Op.Rest, base + 2, 0)
      f.emit(Op.SuperCallSpread, base, base, newTarget)
      f.emit(Op.InitializeFields, base, callee)
      f.emit(Op.Return, base)
    } else {
      if (hasFields) initializeFields(f)
      f.emit(Op.Return, f.load(undefined))
    }
    children[index] = finish(f, {
      start: node.start,
      end: node.end,
      name,
      kind,
      constructor_: true,
      length: 0,
      keepsArguments: isDerived,
    }, captures)
    return undefined
  })
}

/** Compiles a whole program to a function without parameters, in steps. */
export function* program(f: FunctionBuilder, node: acorn.Program, completion: boolean): Steps<Template> {
  prologue(f, f.func.scope)
  if (completion) f.completion = f.temporary()
  enter(f, f.func.scope)
  yield* scopedInSteps(f, node.body)
  f.gen.return(f, completion ? f.completion : f.load(undefined))
  return finish(f, {
    start: node.start,
    end: node.end,
    name: "",
    kind: FunctionKind.Program,
    constructor_: false,
    length: 0,
    keepsArguments: false,
  }, capturesOf(f.func))
}
