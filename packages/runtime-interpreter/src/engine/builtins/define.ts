import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  Attribute,
  defineGeneratorNative,
  defineNative,
  type GeneratorNative,
  type IntrinsicBuilder,
  JSObject,
  Kind,
  LargeMap,
  type Native,
  NativeData,
  type NativeDefinition,
  newElements,
  NOT_QUICK,
  type PropertyKey,
  PropertyTable,
  type Realm,
  rootShape,
  Shape,
  type Steps,
  UNMADE,
  type Unmade,
  type Value,
} from "../object/index.ts"

/** A property of an intrinsic object. */
export type Member = OwnMember | Alias

interface OwnMember {
  readonly key: PropertyKey
  readonly flags: number
  /** The value that all realms share, if it is a primitive. */
  readonly primitive?: Exclude<Value, JSObject>
  /** Makes the value, or the `Accessor`, of the property of `target`, whose name in the standard is `owner` (`Array.prototype`). */
  readonly make: (realm: Realm, target: JSObject, owner: string) => unknown
}

/** The same function under another key. */
interface Alias {
  readonly key: PropertyKey
  readonly flags: number
  readonly of: PropertyKey
}

const keyName = (key: PropertyKey): string => typeof key === "symbol" ? `[${key.description}]` : String(key)

/** A method. Its definition is made once for each place, not once for each realm. */
const owned = (key: string | symbol, flags: number, define: (owner: string) => NativeDefinition): Member => {
  const definitions = new Map<string, NativeDefinition>()
  return {
    key,
    flags,
    make: (realm, _target, owner) => {
      let definition = definitions.get(owner)
      if (definition === undefined) definitions.set(owner, definition = define(owner))
      return realm.newNative(definition)
    },
  }
}

const idOf = (owner: string, key: PropertyKey): string =>
  typeof key === "symbol" ? `${owner}${keyName(key)}` : `${owner}.${keyName(key)}`

/** A method that runs to its end at once. */
export const method = (
  key: string | symbol,
  length: number,
  impl: Native<Machine>,
  options?: { readonly name?: string; readonly special?: number; readonly flags?: number; readonly stepper?: string },
): Member =>
  owned(key, options?.flags ?? Attribute.Hidden, (owner) =>
    defineNative(idOf(owner, key), length, impl, {
      name: options?.name ?? keyName(key),
      special: options?.special ?? 0,
      stepper: options?.stepper ?? null,
    }))

/** The common cases of a method that are over at once; `NOT_QUICK`, before it has done anything that can be seen, in others. */
export type Quick = (m: Machine, thisValue: Value, args: Array<Value>) => Value | typeof NOT_QUICK

/** A method that calls back into the guest, or takes long, in all but the common cases. */
export const quickMethod = (
  key: string | symbol,
  length: number,
  quick: Quick,
  steps: (m: Machine, thisValue: Value, args: Array<Value>) => Steps,
): Member =>
  method(key, length, (m, thisValue, args) => {
    const value = quick(m, thisValue, args)
    return value === NOT_QUICK ? inSteps(m, [thisValue, args], steps(m, thisValue, args)) : value
  })

/** A method that calls back into the guest. */
export const generatorMethod = (
  key: string | symbol,
  length: number,
  impl: GeneratorNative<Machine>,
  options?: { readonly name?: string; readonly flags?: number },
): Member =>
  owned(
    key,
    options?.flags ?? Attribute.Hidden,
    (owner) => defineGeneratorNative(idOf(owner, key), length, impl, { name: options?.name ?? keyName(key) }),
  )

/** An accessor property. */
export const accessor = (
  key: string | symbol,
  getter: Native<Machine> | undefined,
  setter?: Native<Machine>,
  flags: number = Attribute.Configurable,
): Member => {
  let get: NativeDefinition | undefined
  let set: NativeDefinition | undefined
  return {
    key,
    flags: flags | Attribute.Accessor,
    make: (realm, _target, owner) => {
      if (getter !== undefined) {
        get ??= defineNative(`get ${idOf(owner, key)}`, 0, getter, { name: `get ${keyName(key)}` })
      }
      if (setter !== undefined) {
        set ??= defineNative(`set ${idOf(owner, key)}`, 1, setter, { name: `set ${keyName(key)}` })
      }
      return new Accessor(get && realm.newNative(get), set && realm.newNative(set))
    },
  }
}

/** A data property with a primitive value; read-only and hidden unless flags say otherwise. */
export const value = (key: string | symbol, primitive: Exclude<Value, JSObject>, flags = 0): Member => ({
  key,
  flags,
  primitive,
  make: () => primitive,
})

/** `Symbol.toStringTag` */
export const tag = (key: symbol, text: string): Member => value(key, text, Attribute.Configurable)

/** A data property whose value is another intrinsic. */
export const intrinsic = (key: string | symbol, name: string, flags: number = Attribute.Hidden): Member => ({
  key,
  flags,
  make: (realm) => realm.intrinsic(name),
})

/** The same function under another key. */
export const alias = (key: string | symbol, of: string | symbol): Member => ({ key, flags: Attribute.Hidden, of })

/** The properties of an intrinsic, the same in all realms. */
export class Members {
  readonly table = new PropertyTable()
  /** Primitive values are there from the start. */
  readonly slots: ReadonlyArray<unknown>
  /** The slots of aliases, and those of what they stand for. */
  private readonly aliases: Array<readonly [alias: number, of: number]> = []

  constructor(readonly owner: string, readonly list: ReadonlyArray<Member>) {
    const map = this.table.map = new LargeMap<PropertyKey, number>()
    for (const [slot, { flags, key }] of list.entries()) {
      this.table.keys.push(key)
      this.table.flags.push(flags)
      map.add(key, slot)
    }
    for (const [slot, member] of list.entries()) if ("of" in member) this.aliases.push([slot, map.get(member.of)!])
    // Whoever forgets to make a table of an object's own fails here, and not in another run.
    Object.freeze(this.table.keys)
    Object.freeze(this.table.flags)
    this.slots = newElements(...list.map((member) => "primitive" in member ? member.primitive : UNMADE))
  }

  /** Makes the value of a slot. What has two keys is made for both at once, since the program may change one of them first. */
  make(realm: Realm, target: JSObject, slot: number): void {
    const { slots } = target
    const made = this.aliases.find(([alias]) => alias === slot)?.[1] ?? slot
    const value = (this.list[made] as OwnMember).make(realm, target, this.owner)
    slots[made] = value
    for (const [alias, of] of this.aliases) if (of === made) slots[alias] = value
  }

  /** Gives a new object its properties, each to be made when it is looked up. */
  install(realm: Realm, target: JSObject): void {
    const { length } = this.list
    target.slots = this.slots.slice()
    target.shape = new Shape(realm.space, target.shape.proto, this.table, length, true)
    target.shape.unmade = new UnmadeMembers(realm, target, this)
  }
}

/** The properties of one object that are not made yet. */
class UnmadeMembers implements Unmade {
  // The same for all realms, and functions of the host.
  readonly #members: Members

  constructor(readonly realm: Realm, readonly target: JSObject, members: Members) {
    this.#members = members
  }

  make(slot: number): void {
    if (this.target.slots[slot] === UNMADE) this.#members.make(this.realm, this.target, slot)
  }

  makeAll(): void {
    for (let slot = 0; slot < this.#members.list.length; slot++) this.make(slot)
  }
}

/** Never written to: stands for slots until there are some. */
const NONE: Array<unknown> = newElements()

/** An object that is no constructor: a prototype, a namespace such as `Math`. */
export const object = (options: {
  /** Its name in the standard: `Array.prototype`, `Math`. */
  readonly name: string
  /** The intrinsic that is its prototype; `ObjectPrototype` by default, null for none. */
  readonly proto?: string | null
  /** The intrinsic its `constructor` property holds. */
  readonly constructor_?: string
  readonly kind?: Kind
  readonly data?: (realm: Realm) => unknown
  readonly members: ReadonlyArray<Member>
}): IntrinsicBuilder => {
  let members: Members | undefined
  return (realm, name) => {
    const proto = options.proto === null ? null : realm.intrinsic(options.proto ?? "ObjectPrototype")
    const target = new JSObject(
      rootShape(realm.space, proto),
      NONE,
      options.kind ?? Kind.Ordinary,
      options.data?.(realm),
    )
    realm.register(name, target)
    members ??= new Members(options.name, [
      ...options.constructor_ === undefined ? [] : [intrinsic("constructor", options.constructor_)],
      ...options.members,
    ])
    members.install(realm, target)
    return target
  }
}

/** A constructor. */
export const constructor = (options: {
  readonly name: string
  readonly length: number
  /** The intrinsic that is its `prototype`, if it has one. */
  readonly prototype?: string
  /** The intrinsic that is its own prototype; `FunctionPrototype` by default. */
  readonly proto?: string
  /** `newTarget` is undefined where it is called without `new`. */
  readonly impl?: Native<Machine>
  readonly generatorImpl?: GeneratorNative<Machine>
  readonly members?: ReadonlyArray<Member>
}): IntrinsicBuilder => {
  const definition = options.generatorImpl !== undefined
    ? defineGeneratorNative(options.name, options.length, options.generatorImpl, { constructor_: true })
    : defineNative(options.name, options.length, options.impl!, { constructor_: true })
  let members: Members | undefined
  return (realm, name) => {
    const root = rootShape(realm.space, realm.intrinsic(options.proto ?? "FunctionPrototype"))
    const target = new JSObject(root, NONE, Kind.Native, new NativeData(definition, undefined))
    realm.register(name, target)
    members ??= new Members(options.name, [
      value("length", definition.length, Attribute.Configurable),
      value("name", definition.name, Attribute.Configurable),
      ...options.prototype === undefined ? [] : [intrinsic("prototype", options.prototype, 0)],
      ...options.members ?? [],
    ])
    members.install(realm, target)
    return target
  }
}

/** A function that is an intrinsic by itself, such as `parseInt` or a promise's resolver template. */
export const intrinsicFunction = (definition: NativeDefinition): IntrinsicBuilder => (realm) =>
  realm.newNative(definition)
