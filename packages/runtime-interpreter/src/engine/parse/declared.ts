// The names that acorn keeps of what is declared and used, in lists that answer at once: thousands of declarations, and scopes in
// scopes, take no more time than others.
import type * as acorn from "acorn"
import type { ClassBody, NameList } from "./acorn.ts"

/** The names of `let`, `const` and classes in one scope. */
export class Names implements NameList {
  0: string | undefined
  readonly #names = new Set<string>()

  constructor(private readonly owner: VarNames) {}

  push(name: string): void {
    if (this.#names.size === 0) this[0] = name
    if (this.#names.has(name)) return
    this.#names.add(name)
    this.owner.shadow(name, 1)
  }

  indexOf(name: string): number {
    return this.#names.has(name) ? 0 : -1
  }

  /** The scope ends. */
  leave(): void {
    for (const name of this.#names) this.owner.shadow(name, -1)
  }
}

/** The names of `var` in a function, each with when it was declared last, counted in declarations. */
export class VarNames implements NameList {
  readonly #times = new Map<string, number>()
  /** In how many of the scopes that are open a name is another declaration's. */
  readonly #shadows = new Map<string, number>()
  now = 0

  shadow(name: string, change: number): void {
    this.#shadows.set(name, (this.#shadows.get(name) ?? 0) + change)
  }

  /** Whether some scope that is open has the name of its own. */
  isShadowed(name: string): boolean {
    return (this.#shadows.get(name) ?? 0) > 0
  }

  push(name: string): void {
    this.#times.set(name, ++this.now)
  }

  indexOf(name: string): number {
    return this.timeOf(name) === undefined ? -1 : 0
  }

  timeOf(name: string): number | undefined {
    return this.#times.get(name)
  }
}

/** The names of `var` that were declared in a block, or in one inside it, since it began: the function has them all. */
export class HoistedNames implements NameList {
  readonly #since: number

  constructor(readonly owner: VarNames) {
    this.#since = owner.now
  }

  push(): void {}

  indexOf(name: string): number {
    return (this.owner.timeOf(name) ?? 0) > this.#since ? 0 : -1
  }
}

/** The private names that a class uses, each where it is first used. */
class PrivateUses {
  readonly #first = new Map<string, acorn.PrivateIdentifier>()

  get size(): number {
    return this.#first.size
  }

  push(name: acorn.PrivateIdentifier): void {
    const known = this.#first.get(name.name)
    if (known === undefined || name.start < known.start) this.#first.set(name.name, name)
  }

  delete(name: string): void {
    this.#first.delete(name)
  }

  addAll(others: PrivateUses): void {
    for (const name of others.#first.values()) this.push(name)
  }

  /** The use that comes first in the text. */
  get first(): acorn.PrivateIdentifier | undefined {
    let first: acorn.PrivateIdentifier | undefined
    for (const name of this.#first.values()) if (first === undefined || name.start < first.start) first = name
    return first
  }
}

/** The private names that the body of a class declares and uses. */
export class PrivateNames implements ClassBody {
  readonly declared: object = Object.create(null)
  used = new PrivateUses()

  /** What is not declared here is left to the class around this one. Gives what no class declares. */
  leaveTo(outer: PrivateNames | undefined): acorn.PrivateIdentifier | undefined {
    const { used } = this
    if (used.size === 0) return undefined
    for (const name of Object.keys(this.declared)) used.delete(name)
    if (outer === undefined) return used.first
    // The fewer go to the more.
    if (outer.used.size < used.size) {
      used.addAll(outer.used)
      outer.used = used
    } else outer.used.addAll(used)
    return undefined
  }
}
