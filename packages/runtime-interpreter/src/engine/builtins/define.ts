import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  addProperty,
  Attribute,
  defineGeneratorNative,
  defineNative,
  functionShapeOf,
  type GeneratorNative,
  type IntrinsicBuilder,
  JSObject,
  Kind,
  type Native,
  NativeData,
  type NativeDefinition,
  newElements,
  NOT_QUICK,
  type PropertyKey,
  type Realm,
  rootShape,
  type Steps,
  type Value,
} from "../object/index.ts"

/** A property of an intrinsic object. */
export interface Member {
  readonly key: PropertyKey
  /** Puts the property on `target`, whose name in the standard is `owner` (`Array.prototype`). */
  readonly define: (realm: Realm, target: JSObject, owner: string) => void
}

const keyName = (key: PropertyKey): string => typeof key === "symbol" ? `[${key.description}]` : String(key)

const owned = (
  key: PropertyKey,
  make: (owner: string) => NativeDefinition,
  put: (realm: Realm, target: JSObject, definition: NativeDefinition) => void,
): Member => {
  // A definition is made once for each place, not once for each realm.
  const definitions = new Map<string, NativeDefinition>()
  return {
    key,
    define: (realm, target, owner) => {
      let definition = definitions.get(owner)
      if (definition === undefined) definitions.set(owner, definition = make(owner))
      put(realm, target, definition)
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
  owned(
    key,
    (owner) =>
      defineNative(idOf(owner, key), length, impl, {
        name: options?.name ?? keyName(key),
        special: options?.special ?? 0,
        stepper: options?.stepper ?? null,
      }),
    (realm, target, definition) =>
      addProperty(target, key, realm.newNative(definition), options?.flags ?? Attribute.Hidden),
  )

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
    (owner) => defineGeneratorNative(idOf(owner, key), length, impl, { name: options?.name ?? keyName(key) }),
    (realm, target, definition) =>
      addProperty(target, key, realm.newNative(definition), options?.flags ?? Attribute.Hidden),
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
    define: (realm, target, owner) => {
      if (getter !== undefined) {
        get ??= defineNative(`get ${idOf(owner, key)}`, 0, getter, { name: `get ${keyName(key)}` })
      }
      if (setter !== undefined) {
        set ??= defineNative(`set ${idOf(owner, key)}`, 1, setter, { name: `set ${keyName(key)}` })
      }
      addProperty(
        target,
        key,
        new Accessor(get && realm.newNative(get), set && realm.newNative(set)),
        flags | Attribute.Accessor,
      )
    },
  }
}

/** A data property with a primitive value; read-only and hidden unless flags say otherwise. */
export const value = (key: string | symbol, primitive: Exclude<Value, JSObject>, flags = 0): Member => ({
  key,
  define: (_realm, target) => addProperty(target, key, primitive, flags),
})

/** `Symbol.toStringTag` */
export const tag = (key: symbol, text: string): Member => value(key, text, Attribute.Configurable)

/** A data property whose value is another intrinsic. */
export const intrinsic = (key: string | symbol, name: string, flags: number = Attribute.Hidden): Member => ({
  key,
  define: (realm, target) => addProperty(target, key, realm.intrinsic(name), flags),
})

/** The same function under another key. */
export const alias = (key: string | symbol, of: string | symbol): Member => ({
  key,
  define: (_realm, target) => addProperty(target, key, target.slots[target.shape.lookup(of)], Attribute.Hidden),
})

const defineMembers = (realm: Realm, target: JSObject, owner: string, members: ReadonlyArray<Member>): void => {
  for (const member of members) member.define(realm, target, owner)
}

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
}): IntrinsicBuilder =>
(realm, name) => {
  const proto = options.proto === null ? null : realm.intrinsic(options.proto ?? "ObjectPrototype")
  const target = new JSObject(
    rootShape(realm.space, proto),
    newElements(),
    options.kind ?? Kind.Ordinary,
    options.data?.(realm),
  )
  target.shape = target.shape.toDictionary()
  realm.register(name, target)
  if (options.constructor_ !== undefined) {
    addProperty(target, "constructor", realm.intrinsic(options.constructor_), Attribute.Hidden)
  }
  defineMembers(realm, target, options.name, options.members)
  return target
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
  return (realm, name) => {
    const shape = functionShapeOf(rootShape(realm.space, realm.intrinsic(options.proto ?? "FunctionPrototype")))
    const target = new JSObject(
      shape,
      [definition.length, definition.name],
      Kind.Native,
      new NativeData(definition, undefined),
    )
    realm.register(name, target)
    if (options.prototype !== undefined) addProperty(target, "prototype", realm.intrinsic(options.prototype), 0)
    defineMembers(realm, target, options.name, options.members ?? [])
    return target
  }
}

/** A function that is an intrinsic by itself, such as `parseInt` or a promise's resolver template. */
export const intrinsicFunction = (definition: NativeDefinition): IntrinsicBuilder => (realm) =>
  realm.newNative(definition)
