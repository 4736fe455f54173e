import type { NameList, Scope } from "./acorn.ts"
import { HoistedNames, Names, PrivateNames, VarNames } from "./declared.ts"
import { ListParser } from "./lists.ts"

// acorn's kinds of scopes.
export const functionScope = 2
export const asyncScope = 4
const generatorScope = 8
export const arrowScope = 16
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

/** Keeps scopes, and the names declared in them, so that none of them is looked through. */
export class ScopeParser extends ListParser {
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
}
