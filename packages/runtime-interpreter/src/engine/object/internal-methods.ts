import type { Agent } from "./agent.ts"
import { isAccessorDescriptor, isCompatible, isDataDescriptor, type PropertyDescriptor } from "./descriptor.ts"
import { addProperty, changePrototype, makeDictionary, removeProperty, setFlags } from "./shape.ts"
import { Accessor, Attribute, ExoticKind, HOLE, type JSObject, Kind, type PropertyKey, type Value } from "./value.ts"

// What every object can be asked: each method is chosen by the kind of the object, and those of ordinary objects are here.
// https://tc39.es/ecma262/#sec-object-internal-methods-and-internal-slots

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

const flagsOf = (desc: PropertyDescriptor): number =>
  (desc.writable === true ? Attribute.Writable : 0) | (desc.enumerable === true ? Attribute.Enumerable : 0) |
  (desc.configurable === true ? Attribute.Configurable : 0) | (isAccessorDescriptor(desc) ? Attribute.Accessor : 0)

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

const ordinarySetPrototypeOf = (m: Agent, o: JSObject, proto: JSObject | null): boolean => {
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
const ordinarySetWithOwnDescriptor = (
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
  return defineOwnProperty(m, receiver, key, { value, writable: true, enumerable: true, configurable: true })
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
