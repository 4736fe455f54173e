import type * as acorn from "acorn"
import { finish, type Steps } from "../parse/steps.ts"
import { discard, reference, setReference } from "./assignments.ts"
import type { FinallyControl, FunctionBuilder, Label } from "./builder.ts"
import { closingOnThrow, depthOfLabel, emitBreak, emitContinue, emitReturn, resumeExits } from "./control.ts"
import { await_ } from "./coroutines.ts"
import { expression, expressionInSteps } from "./expressions.ts"
import { enter, leave, store } from "./names.ts"
import { Op } from "./opcodes.ts"
import { compareJumps, condition } from "./operators.ts"
import { isLong, Stretches } from "./pieces.ts"
import { declaresResources, headDeclaresResources, isAwaitUsing, withResources } from "./resources.ts"
import { needsCheck, type Scope } from "./scope.ts"
import { isAnonymousFunction, named, stable } from "./values.ts"

type Statement = acorn.Statement | acorn.ModuleDeclaration

export const statements = (f: FunctionBuilder, nodes: ReadonlyArray<Statement>): void => {
  for (const node of nodes) statement(f, node)
}

export const statement = (f: FunctionBuilder, node: Statement): void => labelled(f, node, [])

/** Statements in steps, and what is long in them. */
function* statementsInSteps(f: FunctionBuilder, nodes: ReadonlyArray<Statement>): Steps<void> {
  const pace = new Stretches(f)
  for (const node of nodes) {
    if (isLong(node)) yield* statementInSteps(f, node)
    else statement(f, node)
    if (pace.isDue(node)) yield
  }
  pace.end()
}

function* statementInSteps(f: FunctionBuilder, node: Statement): Steps<void> {
  const mark = f.top
  switch (node.type) {
    case "BlockStatement":
      yield* blockInSteps(f, node, node.body)
      break
    case "TryStatement":
      yield* try_(f, node)
      break
    case "ClassDeclaration":
      yield* classDeclaration(f, node)
      break
    case "VariableDeclaration":
      for (const declarator of node.declarations) {
        const { id, init } = declarator
        if (id.type !== "Identifier" || !init || !isLong(init)) declare(f, node, declarator)
        else {
          const dst = placeOf(f, node, id)
          declareAs(f, node, id, init, yield* expressionInSteps(f, init, dst, id.name), dst)
        }
        f.top = mark
      }
      break
    case "ReturnStatement":
      if (isLiteral(node.argument)) {
        const value = yield* expressionInSteps(f, node.argument)
        if (returnsAtOnce(f)) returnAtOnce(f, node.argument, value)
        else returnThrough(f, node, value)
      } else statement(f, node)
      break
    case "ExpressionStatement":
      if (f.completion >= 0) yield* expressionInSteps(f, node.expression, f.completion)
      else statement(f, node)
      break
    default:
      statement(f, node)
  }
  f.top = mark
}

const isLiteral = (node: acorn.Expression | null | undefined): node is acorn.ArrayExpression | acorn.ObjectExpression =>
  node?.type === "ArrayExpression" || node?.type === "ObjectExpression"

const labelled = (f: FunctionBuilder, node: Statement, labels: ReadonlyArray<string>): void => {
  const mark = f.top
  switch (node.type) {
    case "ExpressionStatement":
      if (f.completion >= 0) expression(f, node.expression, f.completion)
      else discard(f, node.expression)
      break
    case "VariableDeclaration":
      declaration(f, node)
      break
    case "FunctionDeclaration":
    case "EmptyStatement":
    case "DebuggerStatement":
      break
    case "ClassDeclaration":
      finish(classDeclaration(f, node))
      break
    case "ReturnStatement":
      return_(f, node)
      break
    case "IfStatement":
      if_(f, node)
      break
    case "BlockStatement":
      if (labels.length > 0) breakable(f, labels, true, () => block(f, node, node.body))
      else block(f, node, node.body)
      break
    case "ForStatement":
      for_(f, node, labels)
      break
    case "WhileStatement":
      while_(f, node, labels)
      break
    case "DoWhileStatement":
      doWhile(f, node, labels)
      break
    case "ForInStatement":
      forIn(f, node, labels)
      break
    case "ForOfStatement":
      forOf(f, node, labels)
      break
    case "SwitchStatement":
      switch_(f, node, labels)
      break
    case "BreakStatement":
      emitBreak(f, node.label?.name ?? null)
      break
    case "ContinueStatement":
      emitContinue(f, node.label?.name ?? null)
      break
    case "ThrowStatement": {
      const value = expression(f, node.argument)
      f.at(node)
      f.emit(Op.Throw, value)
      break
    }
    case "TryStatement":
      if (labels.length > 0) breakable(f, labels, true, () => finish(try_(f, node)))
      else finish(try_(f, node))
      break
    case "LabeledStatement": {
      const all = [...labels, node.label.name]
      let inner: acorn.Statement = node.body
      while (inner.type === "LabeledStatement") {
        all.push(inner.label.name)
        inner = inner.body
      }
      if (
        isLoop(inner) || inner.type === "SwitchStatement" || inner.type === "BlockStatement" ||
        inner.type === "TryStatement"
      ) labelled(f, inner, all)
      else breakable(f, all, true, () => statement(f, inner))
      break
    }
    default:
      throw new Error(`No code for ${node.type}`)
  }
  // Only declarations keep their registers, and those belong to the scope.
  f.top = mark
}

const isLoop = (node: acorn.Statement): boolean =>
  node.type === "ForStatement" || node.type === "WhileStatement" || node.type === "DoWhileStatement" ||
  node.type === "ForInStatement" || node.type === "ForOfStatement"

/** A statement that `break` can leave; a plain one only by its label. */
const breakable = (f: FunctionBuilder, labels: ReadonlyArray<string>, plain: boolean, body: () => void): void => {
  const end = f.label()
  f.controls.push({ type: "block", labels, breakLabel: end, plain })
  body()
  f.controls.pop()
  f.place(end)
}

export const block = (f: FunctionBuilder, node: object, body: ReadonlyArray<Statement>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  enter(f, scope)
  scoped(f, body)
  leave(f, scope, mark)
}

function* blockInSteps(f: FunctionBuilder, node: object, body: ReadonlyArray<Statement>): Steps<void> {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  enter(f, scope)
  yield* scopedInSteps(f, body)
  leave(f, scope, mark)
}

/** The statements of a scope in steps, unless they declare resources. */
export function* scopedInSteps(f: FunctionBuilder, body: ReadonlyArray<Statement>): Steps<void> {
  if (declaresResources(body)) scoped(f, body)
  else yield* statementsInSteps(f, body)
}

/** The statements of a scope, and the end of the resources they declare. */
export const scoped = (f: FunctionBuilder, body: ReadonlyArray<Statement>): void => {
  if (declaresResources(body)) withResources(f, () => statements(f, body))
  else statements(f, body)
}

function* classDeclaration(f: FunctionBuilder, node: acorn.ClassDeclaration): Steps<void> {
  const value = f.temporary()
  yield* f.gen.class(f, node, value, node.id?.name ?? "default")
  store(f, f.lookup(node.id.name)!, value, "initialize")
}

const declaration = (f: FunctionBuilder, node: acorn.VariableDeclaration): void => {
  const mark = f.top
  for (const declarator of node.declarations) {
    declare(f, node, declarator)
    f.top = mark
  }
}

const declare = (
  f: FunctionBuilder,
  node: acorn.VariableDeclaration,
  { id, init }: acorn.VariableDeclarator,
): void => {
  if (id.type === "Identifier") {
    if (init) {
      const dst = placeOf(f, node, id)
      const value = isAnonymousFunction(init) ? named(f, init, id.name, dst) : expression(f, init, dst)
      declareAs(f, node, id, init, value, dst)
    } else if (node.kind !== "var") store(f, f.lookup(id.name)!, f.load(undefined), "initialize")
  } else if (init) {
    const value = stable(f, init, [id])
    f.at(id, init)
    f.gen.bind(f, id, value, node.kind === "var" ? "assign" : "initialize", init)
  }
}

/** The register of a variable that its value can be put into at once, or -1. */
const placeOf = (f: FunctionBuilder, node: acorn.VariableDeclaration, id: acorn.Identifier): number => {
  const binding = f.lookup(id.name)!
  const direct = binding.scope.func === f.func && !binding.captured && node.kind !== "var" && !binding.checked
  return direct ? binding.register : -1
}

const declareAs = (
  f: FunctionBuilder,
  node: acorn.VariableDeclaration,
  id: acorn.Identifier,
  init: acorn.Expression,
  value: number,
  /** Where the value was to be put. */
  dst: number,
): void => {
  if (headDeclaresResources(node)) {
    f.at(id, init)
    f.emit(Op.AddResource, f.resources, value, isAwaitUsing(node) ? 1 : 0)
  }
  if (dst >= 0) return
  f.at(id)
  store(f, f.lookup(id.name)!, value, node.kind === "var" ? "assign" : "initialize")
}

const return_ = (f: FunctionBuilder, node: acorn.ReturnStatement): void => {
  if (node.argument && returnsAtOnce(f)) returnExpression(f, node.argument)
  else returnThrough(f, node, node.argument ? expression(f, node.argument) : f.load(undefined))
}

/** Whether nothing encloses what returns. */
const returnsAtOnce = (f: FunctionBuilder): boolean => f.controls.length === 0 && !f.isAsync

const returnAtOnce = (f: FunctionBuilder, node: acorn.Expression, value: number): void => {
  f.at(node)
  emitReturn(f, value)
}

/** Returns the value of an expression where nothing encloses the statement: each branch of a conditional for itself. */
export const returnExpression = (f: FunctionBuilder, node: acorn.Expression): void => {
  const mark = f.top
  while (node.type === "ParenthesizedExpression") node = node.expression
  if (node.type === "ConditionalExpression") {
    const otherwise = f.label()
    condition(f, node.test, otherwise, false)
    returnExpression(f, node.consequent)
    f.place(otherwise)
    returnExpression(f, node.alternate)
  } else {
    returnAtOnce(f, node, expression(f, node))
  }
  f.top = mark
}

const returnThrough = (f: FunctionBuilder, node: acorn.ReturnStatement, given: number): void => {
  let value = given
  f.at(node)
  if (node.argument && f.isAsync && f.isGenerator) {
    const awaited = f.temporary()
    await_(f, awaited, value)
    value = awaited
  }
  // Code on the way out may assign the variable whose value is returned.
  if (f.controls.some((control) => control.type === "finally" || control.type === "iterator") && value < f.top) {
    const copy = f.temporary()
    f.emit(Op.Move, copy, value)
    value = copy
  }
  emitReturn(f, value)
}

const if_ = (f: FunctionBuilder, node: acorn.IfStatement): void => {
  const otherwise = f.label()
  resetCompletion(f)
  condition(f, node.test, otherwise, false)
  statement(f, node.consequent)
  if (node.alternate) {
    const end = f.label()
    f.jump(end)
    f.place(otherwise)
    statement(f, node.alternate)
    f.place(end)
  } else f.place(otherwise)
}

const resetCompletion = (f: FunctionBuilder): void => {
  if (f.completion >= 0) f.load(undefined, f.completion)
}

/** The body of a loop between its labels. */
const loopBody = (
  f: FunctionBuilder,
  labels: ReadonlyArray<string>,
  end: Label,
  next: Label,
  body: () => void,
): void => {
  f.controls.push({ type: "block", labels, breakLabel: end, plain: false })
  f.controls.push({ type: "iteration", labels, continueLabel: next })
  body()
  f.controls.length -= 2
  f.place(next)
}

const while_ = (f: FunctionBuilder, node: acorn.WhileStatement, labels: ReadonlyArray<string>): void => {
  const start = f.label()
  const next = f.label()
  const end = f.label()
  resetCompletion(f)
  f.enterLoop()
  f.jump(next)
  f.place(start)
  // Where a run is that ends here, in a loop of nothing else.
  f.at(node)
  loopBody(f, labels, end, next, () => statement(f, node.body))
  jumpBack(f, node.test, start, end)
  f.leaveLoop()
  f.place(end)
}

/**
 * The jump to the start of a loop while the test holds, which is the last instruction emitted; where the first of two tests fails, it goes
 * to the end before.
 */
const jumpBack = (
  f: FunctionBuilder,
  test: acorn.Expression | null | undefined,
  start: Label,
  end: Label,
): void => {
  const mark = f.top
  while (test?.type === "ParenthesizedExpression") test = test.expression
  if (!test || (test.type === "Literal" && test.value)) return f.jump(start)
  if (test.type === "LogicalExpression" && test.operator === "&&") {
    condition(f, test.left, end, false)
    return jumpBack(f, test.right, start, end)
  }
  if (test.type === "BinaryExpression" && test.left.type !== "PrivateIdentifier") {
    const ops = compareJumps[test.operator]
    if (ops !== undefined) {
      const left = stable(f, test.left, [test.right])
      const right = expression(f, test.right)
      f.top = mark
      f.at(test)
      f.compareJump(ops[0], left, right, start)
      return
    }
  }
  const value = expression(f, test)
  f.top = mark
  f.jumpIf(Op.JumpTrue, value, start)
}

const doWhile = (f: FunctionBuilder, node: acorn.DoWhileStatement, labels: ReadonlyArray<string>): void => {
  const start = f.label()
  const next = f.label()
  const end = f.label()
  resetCompletion(f)
  f.enterLoop()
  f.place(start)
  f.at(node)
  loopBody(f, labels, end, next, () => statement(f, node.body))
  jumpBack(f, node.test, start, end)
  f.leaveLoop()
  f.place(end)
}

const for_ = (f: FunctionBuilder, node: acorn.ForStatement, labels: ReadonlyArray<string>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  resetCompletion(f)
  enter(f, scope)
  if (headDeclaresResources(node.init)) withResources(f, () => forParts(f, node, labels, scope))
  else forParts(f, node, labels, scope)
  leave(f, scope, mark)
}

/** The registers of the counter and the limit of `for (…; i < limit; i++)`, where nothing but the loop can see the counter. */
const counts = (
  f: FunctionBuilder,
  { test, update }: acorn.ForStatement,
): { register: number; limit: number } | null => {
  if (update?.type !== "UpdateExpression" || update.operator !== "++" || update.argument.type !== "Identifier") {
    return null
  }
  if (test?.type !== "BinaryExpression" || test.operator !== "<" || test.left.type !== "Identifier") return null
  if (test.left.name !== update.argument.name) return null
  const kind = f.lookup(test.left.name)?.kind
  const register = kind === "let" || kind === "var" || kind === "parameter" ? plainVariable(f, test.left) : -1
  const limit = test.right.type === "Identifier"
    ? plainLimit(f, test.right)
    : test.right.type === "Literal" && typeof test.right.value === "number"
    ? f.literalRegister(test.right.value)
    : -1
  return register < 0 || limit < 0 ? null : { register, limit }
}

/** The register of a variable that can be read without a check or an instruction, or -1. */
const plainLimit = (f: FunctionBuilder, node: acorn.Identifier): number => {
  const binding = f.lookup(node.name)
  const isConstant = binding !== null && binding.constant !== undefined && !needsCheck(binding, f.func, node.start)
  const register = isConstant ? f.literalRegister(binding.constant) : -1
  return register >= 0 ? register : plainVariable(f, node)
}

/** The register of a variable of this function that can be read and written without a check, or -1. */
const plainVariable = (f: FunctionBuilder, { name, start }: acorn.Identifier): number => {
  const binding = f.lookup(name)
  const isPlain = binding !== null && binding.scope.func === f.func && !binding.captured && binding.kind !== "self" &&
    !needsCheck(binding, f.func, start)
  return isPlain ? binding.register : -1
}

const forParts = (f: FunctionBuilder, node: acorn.ForStatement, labels: ReadonlyArray<string>, scope: Scope): void => {
  if (node.init) {
    if (node.init.type === "VariableDeclaration") declaration(f, node.init)
    else {
      const top = f.top
      expression(f, node.init)
      f.top = top
    }
  }
  // Each iteration has its own variables, which shows only where closures capture them.
  const copied = node.init?.type === "VariableDeclaration" && node.init.kind === "let"
    ? [...scope.names.values()].filter((binding) => binding.captured)
    : []
  for (const binding of copied) f.emit(Op.CopyCell, binding.register)
  const start = f.label()
  const test = f.label()
  const next = f.label()
  const end = f.label()
  const counter = counts(f, node)
  // The test stands twice, so that counting and testing are one instruction.
  if (counter !== null) {
    f.at(node.test!)
    f.compareJump(Op.JumpNotLess, counter.register, counter.limit, end)
  }
  f.enterLoop()
  if (counter === null && node.test) f.jump(test)
  f.place(start)
  f.at(node)
  loopBody(f, labels, end, next, () => statement(f, node.body))
  if (counter !== null) {
    f.at(node.test!)
    f.compareJump(Op.IncrementJumpLess, counter.register, counter.limit, start)
    f.leaveLoop()
    f.place(end)
    return
  }
  for (const binding of copied) f.emit(Op.CopyCell, binding.register)
  if (node.update) {
    const top = f.top
    discard(f, node.update)
    f.top = top
  }
  f.place(test)
  jumpBack(f, node.test, start, end)
  f.leaveLoop()
  f.place(end)
}

/** Has the variable of a loop's head live in the register of the loop's value, where no closure captures it. */
const takeForVariable = (
  f: FunctionBuilder,
  left: acorn.VariableDeclaration | acorn.Pattern,
  scope: Scope,
  value: number,
): void => {
  if (left.type !== "VariableDeclaration" || left.kind === "var" || headDeclaresResources(left)) return
  const { id } = left.declarations[0]!
  const binding = id.type === "Identifier" ? scope.names.get(id.name) : undefined
  if (binding !== undefined && !binding.captured) binding.register = value
}

/** Binds a loop's value to its left side. */
const bindHead = (f: FunctionBuilder, left: acorn.VariableDeclaration | acorn.Pattern, value: number): void => {
  const mark = f.top
  if (left.type === "VariableDeclaration") {
    const { id } = left.declarations[0]!
    f.at(id)
    if (headDeclaresResources(left)) f.emit(Op.AddResource, f.resources, value, isAwaitUsing(left) ? 1 : 0)
    f.gen.bind(f, id, value, left.kind === "var" ? "assign" : "initialize")
  } else if (left.type === "ObjectPattern" || left.type === "ArrayPattern") f.gen.bind(f, left, value, "assign")
  else setReference(f, reference(f, left, []), value)
  f.top = mark
}

/** The right side of a `for` over something: the loop's variables are not initialised there. */
const head = (f: FunctionBuilder, node: acorn.ForInStatement | acorn.ForOfStatement, scope: Scope): number => {
  const lexical = node.left.type === "VariableDeclaration" && node.left.kind !== "var"
  if (!lexical) {
    f.scope = scope
    return expression(f, node.right)
  }
  const mark = f.top
  for (const binding of scope.names.values()) binding.initializedAt = Infinity
  enter(f, scope)
  for (const binding of scope.names.values()) if (!binding.captured) f.emit(Op.LoadTdz, binding.register)
  const value = expression(f, node.right, f.temporary())
  for (const binding of scope.names.values()) {
    binding.register = -1
    binding.initializedAt = node.body.start
  }
  f.top = mark
  const result = f.temporary()
  if (result !== value) f.emit(Op.Move, result, value)
  return result
}

const forIn = (f: FunctionBuilder, node: acorn.ForInStatement, labels: ReadonlyArray<string>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  resetCompletion(f)
  if (node.left.type === "VariableDeclaration" && node.left.declarations[0]!.init) declaration(f, node.left)
  const object = head(f, node, scope)
  f.top = mark
  const keys = f.temporary()
  f.at(node.right)
  f.emit(Op.ForIn, keys, object)
  const key = f.temporary()
  const start = f.label()
  const next = f.label()
  const end = f.label()
  f.enterLoop()
  f.place(start)
  f.emit(Op.ForInNext, key, keys, f.target(end, 3))
  loopBody(f, labels, end, next, () => {
    const top = f.top
    takeForVariable(f, node.left, scope, key)
    enter(f, scope)
    bindHead(f, node.left, key)
    statement(f, node.body)
    leave(f, scope, top)
    f.scope = scope
  })
  f.jump(start)
  f.leaveLoop()
  f.place(end)
  f.scope = scope.parent!
  f.top = mark
}

const forOf = (f: FunctionBuilder, node: acorn.ForOfStatement, labels: ReadonlyArray<string>): void => {
  const scope = f.analysis.scopes.get(node)!
  const mark = f.top
  resetCompletion(f)
  const iterable = head(f, node, scope)
  const r = f.temporaries(3)
  f.at(node.right)
  f.emit(node.await ? Op.GetAsyncIterator : Op.GetIterator, r, iterable)
  const value = f.temporary()
  const start = f.label()
  const next = f.label()
  const done = f.label()
  const end = f.label()
  f.enterLoop()
  f.jump(next)
  f.place(start)
  f.controls.push({ type: "block", labels, breakLabel: end, plain: false })
  // `continue` stays inside the iteration; everything else that leaves the body closes the iterator.
  closingOnThrow(f, r, node.await, () => {
    f.controls.push({ type: "iteration", labels, continueLabel: next })
    const top = f.top
    takeForVariable(f, node.left, scope, value)
    enter(f, scope)
    const iteration = () => {
      bindHead(f, node.left, value)
      statement(f, node.body)
    }
    if (headDeclaresResources(node.left)) withResources(f, iteration)
    else iteration()
    leave(f, scope, top)
    f.scope = scope
    f.controls.pop()
  }, () => {
    // The machine goes from an array's next value straight to the jump back.
    f.place(next)
    f.at(node.right)
    if (node.await) {
      f.emit(Op.CallNext, value, r)
      await_(f, value, value)
    } else f.emit(Op.IteratorNext, value, r, f.target(done, 3))
    f.emit(Op.IteratorResult, value, r, f.target(done, 3))
    f.jump(start)
    f.leaveLoop()
  })
  f.controls.pop()
  f.place(done)
  f.place(end)
  f.scope = scope.parent!
  f.top = mark
}

const switch_ = (f: FunctionBuilder, node: acorn.SwitchStatement, labels: ReadonlyArray<string>): void => {
  const mark = f.top
  resetCompletion(f)
  const value = expression(f, node.discriminant, f.temporary())
  const scope = f.analysis.scopes.get(node)!
  const top = f.top
  enter(f, scope)
  const end = f.label()
  const places = node.cases.map(() => f.label())
  node.cases.forEach((item, i) => {
    if (!item.test) return
    const before = f.top
    const test = expression(f, item.test)
    f.top = before
    f.compareJump(Op.JumpStrictEqual, value, test, places[i]!)
  })
  const fallback = node.cases.findIndex((item) => !item.test)
  f.jump(fallback < 0 ? end : places[fallback]!)
  f.controls.push({ type: "block", labels, breakLabel: end, plain: false })
  node.cases.forEach((item, i) => {
    f.place(places[i]!)
    statements(f, item.consequent)
  })
  f.controls.pop()
  f.place(end)
  leave(f, scope, top)
  f.top = mark
}

function* try_(f: FunctionBuilder, node: acorn.TryStatement): Steps<void> {
  resetCompletion(f)
  if (node.finalizer) yield* tryFinally(f, node, node.finalizer)
  else if (node.handler) yield* tryCatch(f, node, node.handler)
}

function* tryCatch(f: FunctionBuilder, node: acorn.TryStatement, clause: acorn.CatchClause): Steps<void> {
  const handler = f.label()
  const end = f.label()
  const error = f.temporary()
  const region = f.region(handler, error)
  f.controls.push({ type: "catch", region })
  region.open(f.position)
  yield* blockInSteps(f, node.block, node.block.body)
  region.close(f.position)
  f.controls.pop()
  f.regions.push(region)
  f.jump(end)
  f.place(handler)
  resetCompletion(f)
  const scope = f.analysis.scopes.get(clause)!
  const mark = f.top
  enter(f, scope)
  if (clause.param) f.gen.bind(f, clause.param, error, "initialize")
  yield* blockInSteps(f, clause.body, clause.body.body)
  leave(f, scope, mark)
  f.place(end)
}

function* tryFinally(f: FunctionBuilder, node: acorn.TryStatement, finalizer: acorn.BlockStatement): Steps<void> {
  const kind = f.temporary()
  const value = f.temporary()
  const handler = f.label()
  const label = f.label()
  const region = f.region(handler, value)
  const control: FinallyControl = { type: "finally", kind, value, label, exits: [], region }
  f.controls.push(control)
  region.open(f.position)
  if (node.handler) yield* tryCatch(f, node, node.handler)
  else yield* blockInSteps(f, node.block, node.block.body)
  region.close(f.position)
  f.controls.pop()
  f.regions.push(region)
  f.emit(Op.LoadInteger, kind, 0)
  f.jump(label)
  f.place(handler)
  f.emit(Op.LoadInteger, kind, 1)
  f.place(label)
  const completion = f.completion
  if (completion >= 0) f.completion = f.temporary()
  yield* blockInSteps(f, finalizer, finalizer.body)
  f.completion = completion
  f.emit(Op.EndFinally, kind, value)
  resumeExits(f, control, (target) => depthOfLabel(f, target))
}
