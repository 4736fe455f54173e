// What the constructors of `Intl` have in common. An object of a service holds what it was asked for as plain data; the
// host's formatter for that is looked up whenever it is needed.
import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  createFromConstructor,
  defineNative,
  describe,
  type IntrinsicBuilder,
  type Intrinsics,
  isObject,
  type JSObject,
  Kind,
  type Native,
  SymbolToStringTag,
  type Value,
} from "../object/index.ts"
import { accessor, constructor, type Member, method, object, tag } from "./define.ts"
import { callHost, canonicalLocales, keyOf, localesOf, type PlainOptions, readOptions } from "./locale.ts"

/** The internal slots of an object that one of the constructors made. */
export interface ServiceData {
  readonly brand: string
  locales: Array<string>
  options: PlainOptions
  /** What the host's formatter is looked up by. */
  key: string
  /** `format` or `compare`, once it was read. */
  bound: JSObject | undefined
}

/** What the host's constructors have in common. */
interface HostConstructor {
  supportedLocalesOf(locales: Array<string>, options: object): Array<string>
}

/** Turns what the host's `Intl` gives into values of the program: primitives, lists and records of such. */
export const toGuest = (m: Machine, value: unknown): Value => {
  if (Array.isArray(value)) {
    m.charge(value.length)
    m.allocate(64 + value.length * 8)
    return m.realm.newArray(value.map((item) => toGuest(m, item)))
  }
  if (typeof value === "object" && value !== null) {
    const record = m.realm.newObject()
    m.charge(8)
    m.allocate(128)
    for (const [key, item] of Object.entries(value)) addProperty(record, key, toGuest(m, item), Attribute.All)
    return record
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined
}

export interface Service<H> {
  readonly intrinsics: Intrinsics
  /** The slots of `this`. */
  readonly data: (m: Machine, value: Value, method: string) => ServiceData
  /** The host's formatter for an object of the service. */
  readonly host: (m: Machine, data: ServiceData) => H
}

/**
 * Defines a constructor of `Intl` with what all of them have. `members` are those of its prototype beside `constructor`,
 * `resolvedOptions` and the tag; they are made once the service is known to them.
 */
export const defineService = <H extends { resolvedOptions(): object }>(options: {
  readonly name: string
  /** Whether it can be called without `new`. */
  readonly callable?: boolean
  readonly length?: number
  readonly read: (m: Machine, options: Value) => PlainOptions
  readonly host: (m: Machine, key: string, locales: Array<string>, options: PlainOptions) => H
  /** The host's constructor: a function, so that nothing of the host's is looked at before it is needed. */
  readonly constructor_: () => HostConstructor
  readonly members: (service: Omit<Service<H>, "intrinsics">) => ReadonlyArray<Member>
}): Service<H> => {
  const brand = `Intl.${options.name}`
  const prototype = `Intl${options.name}Prototype`

  const data = (m: Machine, value: Value, name: string): ServiceData => {
    if (isObject(value) && value.kind === Kind.Internal && value.data.brand === brand) return value.data
    throw m.typeError(`Method ${brand}.prototype.${name} called on incompatible receiver ${describe(value)}`)
  }

  const host = (m: Machine, slots: ServiceData): H => options.host(m, slots.key, slots.locales, slots.options)

  const construct: Native<Machine> = (m, _this, args, newTarget, callee) => {
    if (newTarget === undefined && options.callable !== true) {
      throw m.typeError(`Constructor ${brand} requires 'new'`)
    }
    m.charge(100)
    m.allocate(256)
    const slots: ServiceData = { brand, locales: [], options: {}, key: "", bound: undefined }
    const formatter = createFromConstructor(m, newTarget ?? callee, prototype, Kind.Internal, slots)
    slots.locales = localesOf(m, args[0])
    slots.options = options.read(m, args[1])
    slots.key = keyOf(slots.locales, slots.options)
    host(m, slots)
    return formatter
  }

  /** https://tc39.es/ecma402/#sec-supportedlocales */
  const supportedLocalesOf: Native<Machine> = (m, _this, args) => {
    const locales = canonicalLocales(m, args[0])
    const plain = readOptions(m, args[1], [["localeMatcher", "string"]])
    m.charge(50 + locales.length * 50)
    return toGuest(m, callHost(m, () => options.constructor_().supportedLocalesOf(locales, plain)))
  }

  const build: IntrinsicBuilder = constructor({
    name: brand,
    length: options.length ?? 0,
    prototype,
    impl: construct,
    members: [method("supportedLocalesOf", 1, supportedLocalesOf)],
  })

  return {
    data,
    host,
    intrinsics: {
      [`Intl${options.name}`]: build,
      [prototype]: object({
        name: `${brand}.prototype`,
        constructor_: `Intl${options.name}`,
        members: [
          method("resolvedOptions", 0, (m, thisValue) => {
            const slots = data(m, thisValue, "resolvedOptions")
            m.charge(200)
            return toGuest(m, host(m, slots).resolvedOptions())
          }),
          ...options.members({ data, host }),
          tag(SymbolToStringTag, brand),
        ],
      }),
    },
  }
}

/**
 * A getter such as `format` of `Intl.NumberFormat`, which gives a function that is bound to its object and is the same each
 * time.
 */
export const boundFunction = (
  owner: string,
  name: string,
  length: number,
  data: (m: Machine, value: Value, method: string) => ServiceData,
  impl: (m: Machine, slots: ServiceData, args: ReadonlyArray<Value>) => Value,
): Member => {
  const definition = defineNative(
    `${owner}.prototype.${name} bound`,
    length,
    (m: Machine, _this, args, _newTarget, callee) => impl(m, (callee.data.state as JSObject).data, args),
    { name: "" },
  )
  return accessor(name, (m, thisValue) => {
    const slots = data(m, thisValue, name)
    if (slots.bound === undefined) {
      m.allocate(128)
      slots.bound = m.realm.newNative(definition, thisValue)
    }
    return slots.bound
  })
}

/** https://tc39.es/ecma402/#sec-getoptionsobject */
export const requireOptions = (m: Machine, options: Value): Value => {
  if (options === undefined || isObject(options)) return options
  throw m.typeError("invalid_argument")
}
