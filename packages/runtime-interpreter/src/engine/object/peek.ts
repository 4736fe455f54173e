import type { Agent } from "./agent.ts"
import { Accessor, isCallable, isObject, type JSObject, Kind, type PropertyKey, type Value } from "./value.ts"

// What can be seen of an object without running anything of the program: for messages, and to show values.

/** Whether an object is a function; unlike `isCallable` this says nothing about the types of those that are not. */
export const isFunction = (o: JSObject): boolean => isCallable(o)

/** Prototype chains are followed this far, and where nobody pays for it. */
const MAX_CHAIN = 1000
const FREE_CHAIN = 100

/** An own data property of an object that is no proxy; undefined where it is something else. */
export const ownDataValue = (o: JSObject, key: PropertyKey): Value => {
  if (o.kind === Kind.Proxy) return undefined
  if (typeof key === "number" && o.kind === Kind.Array) {
    const value = o.data[key]
    return typeof value === "symbol" ? undefined : value
  }
  const slot = o.shape.lookup(key)
  if (slot < 0) return undefined
  const value = o.slots[slot]
  return value instanceof Accessor ? undefined : value
}

/** A data property of an object or of its prototypes, found without calling anything. Whoever pays may look further up. */
export const peek = (o: JSObject, key: PropertyKey, payer: Agent | null = null): Value => {
  const end = payer === null ? FREE_CHAIN : MAX_CHAIN
  let p: JSObject | null = o
  for (let depth = 0; p !== null && depth < end; depth++) {
    payer?.charge(1)
    if (p.kind === Kind.Proxy) return undefined
    const slot = p.shape.lookup(key)
    if (slot >= 0) {
      const value = p.slots[slot]
      return value instanceof Accessor ? undefined : value
    }
    p = p.shape.proto
  }
  return undefined
}

/** The same where it is a text, for messages. */
export const peekText = (o: JSObject, key: PropertyKey): string | undefined => {
  const value = peek(o, key)
  return typeof value === "string" ? value : undefined
}

/** The name of the class an object is of; undefined if its prototypes name none. */
export const constructorName = (m: Agent, o: JSObject): string | undefined => {
  let p: JSObject | null = o
  for (let depth = 0; p !== null && depth < MAX_CHAIN; depth++) {
    m.charge(1)
    if (p.kind === Kind.Proxy) return undefined
    const constructor = ownDataValue(p, "constructor")
    if (isObject(constructor) && isCallable(constructor)) {
      const name = ownDataValue(constructor, "name")
      if (typeof name === "string" && name !== "") return name.length > 100 ? `${name.slice(0, 100)}...` : name
    }
    p = p.shape.proto
  }
  return undefined
}
