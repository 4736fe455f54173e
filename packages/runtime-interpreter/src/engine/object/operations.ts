import type { Agent } from "./agent.ts"
import { complete, completeFor } from "./partial.ts"
import {
  addProperty,
  changePrototype,
  isRestricted,
  makeDictionary,
  removeProperty,
  restrict,
  setFlags,
} from "./shape.ts"
import {
  Accessor,
  type ArrayLength,
  Attribute,
  ExoticKind,
  HOLE,
  isCallable,
  type JSObject,
  keyToValue,
  Kind,
  PrivateName,
  type PropertyKey,
  type Value,
} from "./value.ts"

/** https://tc39.es/ecma262/#sec-property-descriptor-specification-type — an absent field is an absent key. */
export interface PropertyDescriptor {
  value?: Value
  writable?: boolean
  get?: JSObject | undefined
  set?: JSObject | undefined
  enumerable?: boolean
  configurable?: boolean
}

/** https://tc39.es/ecma262/#table-essential-internal-methods */
export interface InternalMethods {
  getPrototypeOf(m: Agent, o: JSObject): JSObject | null
  setPrototypeOf(m: Agent, o: JSObject, proto: JSObject | null): boolean
  isExtensible(m: Agent, o: JSObject): boolean
  preventExtensions(m: Agent, o: JSObject): boolean
  getOwnProperty(m: Agent, o: JSObject, key: PropertyKey): PropertyDescriptor | undefined
  defineOwnProperty(m: Agent, o: JSObject, key: PropertyKey, desc: PropertyDescriptor): boolean
  has(m: Agent, o: JSObject, key: PropertyKey): boolean
  get(m: Agent, o: JSObject, key: PropertyKey, receiver: Value): Value
  set(m: Agent, o: JSObject, key: PropertyKey, value: Value, receiver: Value): boolean
  delete(m: Agent, o: JSObject, key: PropertyKey): boolean
  ownKeys(m: Agent, o: JSObject): Array<PropertyKey>
  /**
   * The value or `Accessor` of an own property, `HOLE` if there is none: for kinds of exotic objects whose `[[Get]]`,
   * `[[Set]]` and `[[HasProperty]]` are the ordinary ones, so that a chain of such objects is walked in one loop.
   */
  ownValue?(m: Agent, o: JSObject, key: PropertyKey): unknown
}

/** The internal methods of exotic objects, by `kind - ExoticKind.First`; filled where the realm is defined. */
export const exotics: Array<InternalMethods> = []

const methodsOf = (o: JSObject): InternalMethods =>
  o.kind < ExoticKind.First ? ordinary : exotics[o.kind - ExoticKind.First]!

/** How deep internal methods may call each other: a proxy of a proxy, a proxy on a prototype chain. */
const MAX_NESTING = 256

/** Begins an internal method that may lead to another object's. Ends with `m.realm.nesting--`, whatever happens. */
export const enter = (m: Agent): void => {
  if (m.realm.nesting >= MAX_NESTING) throw m.rangeError("Maximum call stack size exceeded")
  m.realm.nesting++
}

/** The objects further up a prototype chain than this are paid for, since nothing bounds its length. */
export const FREE_CHAIN = 16
export const CHAIN_STEP = 4

// ---------------------------------------------------------------------------------------------------------------------
// Dispatch
// ---------------------------------------------------------------------------------------------------------------------

export const getPrototypeOf = (m: Agent, o: JSObject): JSObject | null =>
  o.kind === Kind.Proxy ? methodsOf(o).getPrototypeOf(m, o) : o.shape.proto

export const setPrototypeOf = (m: Agent, o: JSObject, proto: JSObject | null): boolean =>
  methodsOf(o).setPrototypeOf(m, o, proto)

export const isExtensible = (m: Agent, o: JSObject): boolean => methodsOf(o).isExtensible(m, o)

export const preventExtensions = (m: Agent, o: JSObject): boolean => methodsOf(o).preventExtensions(m, o)

export const getOwnProperty = (m: Agent, o: JSObject, key: PropertyKey): PropertyDescriptor | undefined =>
  methodsOf(o).getOwnProperty(m, o, key)

export const defineOwnProperty = (m: Agent, o: JSObject, key: PropertyKey, desc: PropertyDescriptor): boolean =>
  methodsOf(o).defineOwnProperty(m, o, key, desc)

export const hasProperty = (m: Agent, o: JSObject, key: PropertyKey): boolean => methodsOf(o).has(m, o, key)

export const deleteProperty = (m: Agent, o: JSObject, key: PropertyKey): boolean => methodsOf(o).delete(m, o, key)

export const ownKeys = (m: Agent, o: JSObject): Array<PropertyKey> => {
  m.charge(o.shape.count * 2)
  return methodsOf(o).ownKeys(m, o)
}

/** https://tc39.es/ecma262/#sec-ordinaryget — the loop over the prototype chain, with a receiver. */
export const getWithReceiver = (m: Agent, o: JSObject, key: PropertyKey, receiver: Value): Value => {
  let current: JSObject | null = o
  let depth = 0
  while (current !== null) {
    let value: unknown = HOLE
    if (current.kind >= ExoticKind.First) {
      const methods: InternalMethods = exotics[current.kind - ExoticKind.First]!
      if (methods.ownValue === undefined) return exoticStep(m, methods, current, key, receiver)
      value = methods.ownValue(m, current, key)
    } else {
      const slot = current.shape.lookup(key)
      if (slot >= 0) value = current.slots[slot]
    }
    if (value !== HOLE) {
      if (value instanceof Accessor) return value.get === undefined ? undefined : m.call(value.get, receiver, [])
      return value as Value
    }
    if (++depth > FREE_CHAIN) m.charge(CHAIN_STEP)
    current = current.shape.proto
  }
  return undefined
}

const exoticStep = (m: Agent, methods: InternalMethods, o: JSObject, key: PropertyKey, receiver: Value): Value => {
  enter(m)
  try {
    return methods.get(m, o, key, receiver)
  } finally {
    m.realm.nesting--
  }
}

export const get = (m: Agent, o: JSObject, key: PropertyKey): Value => getWithReceiver(m, o, key, o)

export const setWithReceiver = (m: Agent, o: JSObject, key: PropertyKey, value: Value, receiver: Value): boolean =>
  methodsOf(o).set(m, o, key, value, receiver)

/** https://tc39.es/ecma262/#sec-set-o-p-v-throw with throw = true */
export const set = (m: Agent, o: JSObject, key: PropertyKey, value: Value): void => {
  if (!methodsOf(o).set(m, o, key, value, o)) throw m.typeError(cannotAssign(m, o, key))
}

/** Why an assignment was refused, in V8's words. */
export const cannotAssign = (m: Agent, o: JSObject, key: PropertyKey): string => {
  const name = describeKey(key)
  if (o.kind === Kind.Proxy) return `'set' on proxy: trap returned falsish for property '${name}'`
  for (let holder: JSObject | null = o; holder !== null && holder.kind !== Kind.Proxy; holder = holder.shape.proto) {
    const desc = getOwnProperty(m, holder, key)
    if (desc === undefined) continue
    if (isAccessorDescriptor(desc)) return `Cannot set property ${name} of ${objectTag(o)} which has only a getter`
    if (desc.writable === false) return `Cannot assign to read only property '${name}' of object '${objectTag(o)}'`
    break
  }
  return `Cannot add property ${name}, object is not extensible`
}

/** An object in a message: `#<Point>`, `[object Array]`. Runs no code of the program. */
export const objectTag = (o: JSObject): string => {
  if (o.kind === Kind.Array || o.kind === Kind.SlowArray) return "[object Array]"
  // Annotated, so that the compiler does not conclude that objects are functions.
  const isFunction: boolean = isCallable(o)
  if (isFunction) return "function"
  let holder: JSObject | null = o
  for (let i = 0; i < FREE_CHAIN && holder !== null; i++) {
    const slot = holder.shape.lookup("constructor")
    if (slot >= 0) {
      const constructor = holder.slots[slot]
      if (!isCallable(constructor)) break
      const nameSlot = constructor.shape.lookup("name")
      const name = nameSlot < 0 ? undefined : constructor.slots[nameSlot]
      return typeof name === "string" && name !== "" ? `#<${name}>` : "#<Object>"
    }
    holder = holder.shape.proto
  }
  return "#<Object>"
}

/** A value in a message, where there is no expression to show. */
export const describeValue = (value: Value): string =>
  typeof value === "object" && value !== null
    ? objectTag(value)
    : typeof value === "string"
    ? `"${value.length > 40 ? `${value.slice(0, 40)}...` : value}"`
    : String(value)

export const describeKey = (key: PropertyKey): string =>
  typeof key === "symbol"
    ? `Symbol(${shortText(key.description ?? "")})`
    : key instanceof PrivateName
    ? key.description
    : shortText(String(key))

/** A text in a message, which shows no more than the beginning of a long one. */
export const shortText = (text: string): string =>
  // Taken out of a longer text, so that it does not hold on to the whole.
  text.length <= MAX_SHOWN ? text : ` ${text.slice(0, MAX_SHOWN)}...`.slice(1)

const MAX_SHOWN = 200

// ---------------------------------------------------------------------------------------------------------------------
// Ordinary objects: https://tc39.es/ecma262/#sec-ordinary-object-internal-methods-and-internal-slots
// ---------------------------------------------------------------------------------------------------------------------

export const ordinaryGetOwnProperty = (o: JSObject, key: PropertyKey): PropertyDescriptor | undefined => {
  const slot = o.shape.lookup(key)
  return slot < 0 ? undefined : descriptorAt(o, slot)
}

const descriptorAt = (o: JSObject, slot: number): PropertyDescriptor => {
  const flags = o.shape.table.flags[slot]!
  const enumerable = (flags & Attribute.Enumerable) !== 0
  const configurable = (flags & Attribute.Configurable) !== 0
  const value = o.slots[slot]
  return value instanceof Accessor
    ? { get: value.get, set: value.set, enumerable, configurable }
    : { value, writable: (flags & Attribute.Writable) !== 0, enumerable, configurable }
}

export const isAccessorDescriptor = (desc: PropertyDescriptor): boolean => "get" in desc || "set" in desc

export const isDataDescriptor = (desc: PropertyDescriptor): boolean => "value" in desc || "writable" in desc

const flagsOf = (desc: PropertyDescriptor): number =>
  (desc.writable === true ? Attribute.Writable : 0) | (desc.enumerable === true ? Attribute.Enumerable : 0) |
  (desc.configurable === true ? Attribute.Configurable : 0) | (isAccessorDescriptor(desc) ? Attribute.Accessor : 0)

/** https://tc39.es/ecma262/#sec-samevalue */
export const sameValue = (a: unknown, b: unknown): boolean => Object.is(a, b)

/** https://tc39.es/ecma262/#sec-iscompatiblepropertydescriptor — whether `desc` may be applied over `current`. */
export const isCompatible = (
  extensible: boolean,
  desc: PropertyDescriptor,
  current: PropertyDescriptor | undefined,
): boolean => {
  if (current === undefined) return extensible
  if (current.configurable === false) {
    if (desc.configurable === true) return false
    if (desc.enumerable !== undefined && desc.enumerable !== current.enumerable) return false
    if (isAccessorDescriptor(desc) || isDataDescriptor(desc)) {
      if (isAccessorDescriptor(desc) !== isAccessorDescriptor(current)) return false
    }
    if (isAccessorDescriptor(current)) {
      if ("get" in desc && desc.get !== current.get) return false
      if ("set" in desc && desc.set !== current.set) return false
    } else if (current.writable === false) {
      if (desc.writable === true) return false
      if ("value" in desc && !sameValue(desc.value, current.value)) return false
    }
  }
  return true
}

/** https://tc39.es/ecma262/#sec-validateandapplypropertydescriptor on an ordinary property. */
export const ordinaryDefineOwnProperty = (o: JSObject, key: PropertyKey, desc: PropertyDescriptor): boolean => {
  const slot = o.shape.lookup(key)
  if (slot < 0) {
    if (!o.shape.extensible) return false
    const value = isAccessorDescriptor(desc) ? new Accessor(desc.get, desc.set) : desc.value
    addProperty(o, key, value, flagsOf(desc))
    return true
  }
  const current = descriptorAt(o, slot)
  if (!isCompatible(true, desc, current)) return false
  const merged: PropertyDescriptor = {
    enumerable: desc.enumerable ?? current.enumerable!,
    configurable: desc.configurable ?? current.configurable!,
  }
  if (isAccessorDescriptor(desc) || (isAccessorDescriptor(current) && !isDataDescriptor(desc))) {
    merged.get = "get" in desc ? desc.get : current.get
    merged.set = "set" in desc ? desc.set : current.set
    // A pair is never changed in place: inline caches hold it.
    o.slots[slot] = new Accessor(merged.get, merged.set)
    if (o.child !== null) o.shape.space.epoch++
  } else {
    merged.writable = desc.writable ?? current.writable ?? false
    const wasAccessor = o.slots[slot] instanceof Accessor
    o.slots[slot] = "value" in desc ? desc.value : current.value
    if (wasAccessor && o.child !== null) o.shape.space.epoch++
  }
  setFlags(o, slot, flagsOf(merged))
  return true
}

export const ordinarySetPrototypeOf = (m: Agent, o: JSObject, proto: JSObject | null): boolean => {
  if (o.shape.proto === proto) return true
  if (!isExtensible(m, o) || o === m.realm.peek("ObjectPrototype")) return false
  for (let p = proto; p !== null; p = p.shape.proto) {
    if (p === o) return false
    if (p.kind === Kind.Proxy) break
    m.charge(CHAIN_STEP)
  }
  changePrototype(o, proto)
  return true
}

export const ordinaryPreventExtensions = (o: JSObject): boolean => {
  if (o.shape.extensible) makeDictionary(o).extensible = false
  return true
}

/** https://tc39.es/ecma262/#sec-ordinaryhasproperty */
export const ordinaryHas = (m: Agent, o: JSObject, key: PropertyKey): boolean => {
  let current: JSObject | null = o
  let depth = 0
  while (current !== null) {
    if (current.kind < ExoticKind.First) {
      if (current.shape.lookup(key) >= 0) return true
    } else {
      const methods: InternalMethods = exotics[current.kind - ExoticKind.First]!
      if (methods.ownValue !== undefined) {
        if (methods.ownValue(m, current, key) !== HOLE) return true
      } else if (current !== o) {
        enter(m)
        try {
          return methods.has(m, current, key)
        } finally {
          m.realm.nesting--
        }
      } else if (methods.getOwnProperty(m, current, key) !== undefined) return true
    }
    if (++depth > FREE_CHAIN) m.charge(CHAIN_STEP)
    current = current.shape.proto
  }
  return false
}

/** https://tc39.es/ecma262/#sec-ordinaryset */
export const ordinarySet = (m: Agent, o: JSObject, key: PropertyKey, value: Value, receiver: Value): boolean => {
  let current: JSObject | null = o
  let depth = 0
  while (current !== null) {
    if (current.kind < ExoticKind.First) {
      const slot = current.shape.lookup(key)
      if (slot >= 0) {
        const found = current.slots[slot]
        if (found instanceof Accessor) {
          if (found.set === undefined) return false
          m.call(found.set, receiver, [value])
          return true
        }
        if ((current.shape.table.flags[slot]! & Attribute.Writable) === 0) return false
        if (current === receiver) {
          current.slots[slot] = value
          return true
        }
        return setOnReceiver(m, key, value, receiver)
      }
    } else {
      const methods: InternalMethods = exotics[current.kind - ExoticKind.First]!
      if (methods.ownValue === undefined && current !== o) {
        enter(m)
        try {
          return methods.set(m, current, key, value, receiver)
        } finally {
          m.realm.nesting--
        }
      }
      const desc = methods.getOwnProperty(m, current, key)
      if (desc !== undefined) return ordinarySetWithOwnDescriptor(m, key, value, receiver, desc)
    }
    if (++depth > FREE_CHAIN) m.charge(CHAIN_STEP)
    current = current.shape.proto
  }
  return setOnReceiver(m, key, value, receiver)
}

/** https://tc39.es/ecma262/#sec-ordinarysetwithowndescriptor, where the property was found. */
export const ordinarySetWithOwnDescriptor = (
  m: Agent,
  key: PropertyKey,
  value: Value,
  receiver: Value,
  desc: PropertyDescriptor,
): boolean => {
  if (isAccessorDescriptor(desc)) {
    if (desc.set === undefined) return false
    m.call(desc.set, receiver, [value])
    return true
  }
  return desc.writable === false ? false : setOnReceiver(m, key, value, receiver)
}

const setOnReceiver = (m: Agent, key: PropertyKey, value: Value, receiver: Value): boolean => {
  if (typeof receiver !== "object" || receiver === null) return false
  if (receiver.kind < ExoticKind.First) {
    const slot = receiver.shape.lookup(key)
    if (slot < 0) {
      if (!receiver.shape.extensible) return false
      m.allocate(PROPERTY_BYTES)
      addProperty(receiver, key, value, Attribute.All)
      return true
    }
    if (receiver.slots[slot] instanceof Accessor || (receiver.shape.table.flags[slot]! & Attribute.Writable) === 0) {
      return false
    }
    receiver.slots[slot] = value
    return true
  }
  const existing = getOwnProperty(m, receiver, key)
  if (existing !== undefined) {
    if (isAccessorDescriptor(existing) || existing.writable === false) return false
    return defineOwnProperty(m, receiver, key, { value })
  }
  return createDataProperty(m, receiver, key, value)
}

/** What one more property takes, at most: its slot, and its place in a dictionary. */
export const PROPERTY_BYTES = 64

export const ordinaryDelete = (o: JSObject, key: PropertyKey): boolean => {
  const slot = o.shape.lookup(key)
  if (slot < 0) return true
  if ((o.shape.table.flags[slot]! & Attribute.Configurable) === 0) return false
  removeProperty(o, slot)
  return true
}

/** https://tc39.es/ecma262/#sec-ordinaryownpropertykeys — indices ascending, then strings, then symbols, each in order of creation. */
export const ordinaryOwnKeys = (o: JSObject): Array<PropertyKey> => {
  const { count, table } = o.shape
  const keys: Array<PropertyKey> = []
  let others = false
  for (let i = 0; i < count; i++) {
    const key = table.keys[i]
    if (typeof key === "string") keys.push(key)
    else if (key !== undefined) others = true
  }
  if (!others) return keys
  const indices: Array<number> = []
  const symbols: Array<symbol> = []
  for (let i = 0; i < count; i++) {
    const key = table.keys[i]
    if (typeof key === "number") indices.push(key)
    else if (typeof key === "symbol") symbols.push(key)
  }
  // Without a comparator, and so without a call of it for each pair.
  return [...new Uint32Array(indices).sort(), ...keys, ...symbols]
}

export const ordinary: InternalMethods = {
  getPrototypeOf: (_m, o) => o.shape.proto,
  setPrototypeOf: ordinarySetPrototypeOf,
  isExtensible: (_m, o) => o.shape.extensible,
  preventExtensions: (_m, o) => ordinaryPreventExtensions(o),
  getOwnProperty: (_m, o, key) => ordinaryGetOwnProperty(o, key),
  defineOwnProperty: (m, o, key, desc) => {
    m.allocate(PROPERTY_BYTES)
    return ordinaryDefineOwnProperty(o, key, desc)
  },
  has: ordinaryHas,
  get: getWithReceiver,
  set: ordinarySet,
  delete: (_m, o, key) => ordinaryDelete(o, key),
  ownKeys: (_m, o) => ordinaryOwnKeys(o),
}

/** Partial objects are completed by all that needs more than the values that they have. */
export const partialMethods: InternalMethods = {
  ...ordinary,
  preventExtensions: (m, o) => {
    complete(o)
    return ordinary.preventExtensions(m, o)
  },
  setPrototypeOf: (m, o, proto) => {
    complete(o)
    return ordinary.setPrototypeOf(m, o, proto)
  },
  getOwnProperty: (_m, o, key) => {
    completeFor(o, key)
    return ordinaryGetOwnProperty(o, key)
  },
  ownValue: (_m, o, key) => {
    completeFor(o, key)
    const slot = o.shape.lookup(key)
    return slot < 0 ? HOLE : o.slots[slot]
  },
  defineOwnProperty: (m, o, key, desc) => {
    complete(o)
    return ordinary.defineOwnProperty(m, o, key, desc)
  },
  set: (m, o, key, value, receiver) => {
    complete(o)
    return ordinary.set(m, o, key, value, receiver)
  },
  delete: (m, o, key) => {
    complete(o)
    return ordinary.delete(m, o, key)
  },
}

/** `[[Get]]` for exotic objects whose own properties are found by their `[[GetOwnProperty]]`. */
export const exoticGet = (m: Agent, o: JSObject, key: PropertyKey, receiver: Value): Value => {
  const desc = getOwnProperty(m, o, key)
  if (desc === undefined) {
    const proto = o.shape.proto
    return proto === null ? undefined : getWithReceiver(m, proto, key, receiver)
  }
  if (isAccessorDescriptor(desc)) return desc.get === undefined ? undefined : m.call(desc.get, receiver, [])
  return desc.value
}

// ---------------------------------------------------------------------------------------------------------------------
// Operations on objects: https://tc39.es/ecma262/#sec-operations-on-objects
// ---------------------------------------------------------------------------------------------------------------------

export const createDataProperty = (m: Agent, o: JSObject, key: PropertyKey, value: Value): boolean => {
  complete(o)
  if (o.kind < ExoticKind.First && o.shape.extensible && o.shape.lookup(key) < 0) {
    m.allocate(PROPERTY_BYTES)
    addProperty(o, key, value, Attribute.All)
    return true
  }
  return defineOwnProperty(m, o, key, { value, writable: true, enumerable: true, configurable: true })
}

export const createDataPropertyOrThrow = (m: Agent, o: JSObject, key: PropertyKey, value: Value): void => {
  if (!createDataProperty(m, o, key, value)) {
    throw m.typeError(`Cannot define property ${describeKey(key)}, object is not extensible`)
  }
}

export const definePropertyOrThrow = (m: Agent, o: JSObject, key: PropertyKey, desc: PropertyDescriptor): void => {
  if (!defineOwnProperty(m, o, key, desc)) {
    const existing = o.kind !== Kind.Proxy && getOwnProperty(m, o, key) !== undefined
    throw m.typeError(
      existing
        ? `Cannot redefine property: ${describeKey(key)}`
        : `Cannot define property ${describeKey(key)}, object is not extensible`,
    )
  }
}

export const deletePropertyOrThrow = (m: Agent, o: JSObject, key: PropertyKey): void => {
  if (!deleteProperty(m, o, key)) throw m.typeError(`Cannot delete property '${describeKey(key)}' of ${objectTag(o)}`)
}

export const hasOwnProperty = (m: Agent, o: JSObject, key: PropertyKey): boolean =>
  getOwnProperty(m, o, key) !== undefined

/** https://tc39.es/ecma262/#sec-getv */
export const getV = (m: Agent, value: Value, key: PropertyKey): Value => {
  if (typeof value === "object" && value !== null) return getWithReceiver(m, value, key, value)
  if (value === undefined || value === null) {
    throw m.typeError(`Cannot read properties of ${value} (reading '${describeKey(key)}')`)
  }
  if (typeof value === "string") {
    if (key === "length") return value.length
    if (typeof key === "number" && key < value.length) return value[key]
  }
  return getWithReceiver(m, m.realm.prototypeOfPrimitive(value), key, value)
}

/** https://tc39.es/ecma262/#sec-getmethod */
export const getMethod = (m: Agent, value: Value, key: PropertyKey): JSObject | undefined => {
  const fn = getV(m, value, key)
  if (fn === undefined || fn === null) return undefined
  if (!isCallable(fn)) {
    throw m.typeError(
      `${describeValue(fn)} returned for property '${describeKey(key)}' of object '${
        describeValue(value)
      }' is not a function`,
    )
  }
  return fn
}

/** https://tc39.es/ecma262/#sec-invoke */
export const invoke = (m: Agent, value: Value, key: PropertyKey, args: Array<Value>): Value => {
  const fn = getV(m, value, key)
  if (!isCallable(fn)) throw m.typeError(`${describeKey(key)} is not a function`)
  return m.call(fn, value, args)
}

/** https://tc39.es/ecma262/#sec-setintegritylevel */
export const setIntegrityLevel = (m: Agent, o: JSObject, level: "sealed" | "frozen"): boolean => {
  complete(o)
  if (o.kind <= Kind.SlowArray) {
    if (o.kind === Kind.Array) preventExtensions(m, o)
    m.charge(o.shape.count)
    restrict(o, level === "frozen")
    if (o.kind === Kind.SlowArray && level === "frozen") (o.data as ArrayLength).writable = false
    return true
  }
  if (!preventExtensions(m, o)) return false
  const keys = ownKeys(m, o)
  m.charge(keys.length * 8)
  for (const key of keys) {
    if (level === "sealed") definePropertyOrThrow(m, o, key, { configurable: false })
    else {
      const desc = getOwnProperty(m, o, key)
      if (desc === undefined) continue
      definePropertyOrThrow(
        m,
        o,
        key,
        isAccessorDescriptor(desc) ? { configurable: false } : { configurable: false, writable: false },
      )
    }
  }
  return true
}

/** https://tc39.es/ecma262/#sec-testintegritylevel */
export const testIntegrityLevel = (m: Agent, o: JSObject, level: "sealed" | "frozen"): boolean => {
  complete(o)
  if (o.kind <= Kind.SlowArray) {
    m.charge(o.shape.count >> 2)
    if (!isRestricted(o, level === "frozen")) return false
    return o.kind !== Kind.SlowArray || level === "sealed" || !(o.data as ArrayLength).writable
  }
  if (isExtensible(m, o)) return false
  for (const key of ownKeys(m, o)) {
    m.charge(8)
    const desc = getOwnProperty(m, o, key)
    if (desc === undefined) continue
    if (desc.configurable === true) return false
    if (level === "frozen" && isDataDescriptor(desc) && desc.writable === true) return false
  }
  return true
}

/** https://tc39.es/ecma262/#sec-topropertydescriptor */
export const toPropertyDescriptor = (m: Agent, value: Value): PropertyDescriptor => {
  if (typeof value !== "object" || value === null) {
    throw m.typeError(
      `Property description must be an object: ${typeof value === "string" ? value : describeValue(value)}`,
    )
  }
  const desc: PropertyDescriptor = {}
  if (hasProperty(m, value, "enumerable")) desc.enumerable = truthy(get(m, value, "enumerable"))
  if (hasProperty(m, value, "configurable")) desc.configurable = truthy(get(m, value, "configurable"))
  if (hasProperty(m, value, "value")) desc.value = get(m, value, "value")
  if (hasProperty(m, value, "writable")) desc.writable = truthy(get(m, value, "writable"))
  if (hasProperty(m, value, "get")) desc.get = accessorFunction(m, get(m, value, "get"), "Getter")
  if (hasProperty(m, value, "set")) desc.set = accessorFunction(m, get(m, value, "set"), "Setter")
  if (isAccessorDescriptor(desc) && isDataDescriptor(desc)) {
    throw m.typeError("Invalid property descriptor. Cannot both specify accessors and a value or writable attribute")
  }
  return desc
}

const truthy = (value: Value): boolean => Boolean(value)

const accessorFunction = (m: Agent, value: Value, role: string): JSObject | undefined => {
  if (value !== undefined && !isCallable(value)) {
    throw m.typeError(`${role} must be a function: ${describeValue(value)}`)
  }
  return value
}

/** https://tc39.es/ecma262/#sec-frompropertydescriptor */
export const fromPropertyDescriptor = (m: Agent, desc: PropertyDescriptor | undefined): Value => {
  if (desc === undefined) return undefined
  const o = m.realm.newObject()
  for (const field of ["value", "writable", "get", "set", "enumerable", "configurable"] as const) {
    if (field in desc) addProperty(o, field, desc[field], Attribute.All)
  }
  return o
}

/** https://tc39.es/ecma262/#sec-enumerableownproperties — the enumerable own string keys, in order. */
export const enumerableOwnKeys = (m: Agent, o: JSObject): Array<string | number> => {
  // Whatever else a dense array has is in its shape, and has no indices for keys.
  if (o.kind <= Kind.Array || o.kind === Kind.Partial) {
    return enumerableInShape(m, o, o.kind === Kind.Array ? elementKeys(m, o.data) : [])
  }
  const keys = ownKeys(m, o)
  m.charge(keys.length)
  if (o.kind === Kind.Namespace) return keys as Array<string | number>
  if (o.kind === Kind.TypedArray || o.kind === Kind.String) {
    // Their indices are enumerable.
    const length: number = o.kind === Kind.String ? o.data.length : Infinity
    return keys.filter((key) =>
      typeof key === "number" && key < length ||
      (typeof key !== "symbol" && getOwnProperty(m, o, key)?.enumerable === true)
    ) as Array<string | number>
  }
  return keys.filter((key) => typeof key !== "symbol" && getOwnProperty(m, o, key)?.enumerable === true) as Array<
    string | number
  >
}

const elementKeys = (m: Agent, elements: ReadonlyArray<unknown>): Array<string | number> => {
  m.charge(elements.length)
  const keys: Array<number> = []
  for (let i = 0; i < elements.length; i++) if (elements[i] !== HOLE) keys.push(i)
  return keys
}

/** Adds the enumerable keys of an object's shape to those that come before them. */
const enumerableInShape = (m: Agent, o: JSObject, keys: Array<string | number>): Array<string | number> => {
  const { count, table } = o.shape
  m.charge(count * 2)
  if (o.shape.hasIndices) {
    const indices: Array<number> = []
    for (let slot = 0; slot < count; slot++) {
      const key = table.keys[slot]
      if (typeof key === "number" && (table.flags[slot]! & Attribute.Enumerable) !== 0) indices.push(key)
    }
    for (const index of new Uint32Array(indices).sort()) keys.push(index)
  }
  for (let slot = 0; slot < count; slot++) {
    const key = table.keys[slot]
    if (typeof key === "string" && (table.flags[slot]! & Attribute.Enumerable) !== 0) keys.push(key)
  }
  return keys
}

/**
 * The value of an own property, or `HOLE` if there is none that is enumerable: asked when the property's turn comes, since a
 * getter may have changed what follows. It is the common part of https://tc39.es/ecma262/#sec-copydataproperties,
 * `Object.assign` and `Object.entries`.
 */
export const enumerableValue = (m: Agent, o: JSObject, key: PropertyKey): Value | typeof HOLE => {
  m.charge(8)
  complete(o)
  if (o.kind >= ExoticKind.First) return getOwnProperty(m, o, key)?.enumerable === true ? get(m, o, key) : HOLE
  const slot = o.shape.lookup(key)
  if (slot < 0 || (o.shape.table.flags[slot]! & Attribute.Enumerable) === 0) return HOLE
  const value = o.slots[slot]
  return value instanceof Accessor ? get(m, o, key) : value
}

/** https://tc39.es/ecma262/#sec-createarrayfromlist over keys, as `Object.keys` shows them. */
export const keysToValues = (keys: ReadonlyArray<PropertyKey>): Array<Value> => keys.map(keyToValue)
