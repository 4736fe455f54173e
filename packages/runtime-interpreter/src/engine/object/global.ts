import type { Agent } from "./agent.ts"
import { globals } from "./global-names.ts"
import {
  type InternalMethods,
  ordinary,
  ordinaryDefineOwnProperty,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryOwnKeys,
  PROPERTY_BYTES,
} from "./internal-methods.ts"
import { addProperty } from "./shape.ts"
import { Attribute, HOLE, type JSObject, type PropertyKey } from "./value.ts"

/** The globals that are not made yet: of all that there are, those that no program has looked at or replaced. */
export class LazyGlobals {
  private readonly gone = new Set<PropertyKey>()

  has(key: PropertyKey): boolean {
    return globals.has(key) && !this.gone.has(key)
  }

  delete(key: PropertyKey): void {
    if (globals.has(key)) this.gone.add(key)
  }

  keys(): Array<PropertyKey> {
    return Array.from(globals).filter((key) => !this.gone.has(key))
  }
}

const materialize = (m: Agent, o: JSObject, key: PropertyKey): void => {
  const lazy: LazyGlobals = o.data
  if (!lazy.has(key)) return
  lazy.delete(key)
  addProperty(o, key, m.realm.intrinsic(key as string), Attribute.Hidden)
}

/** The global object: an ordinary one, whose built-in properties come into being when they are looked at. */
export const globalMethods: InternalMethods = {
  ...ordinary,
  getOwnProperty: (m, o, key) => {
    materialize(m, o, key)
    return ordinaryGetOwnProperty(o, key)
  },
  defineOwnProperty: (m, o, key, desc) => {
    materialize(m, o, key)
    m.allocate(PROPERTY_BYTES)
    return ordinaryDefineOwnProperty(o, key, desc)
  },
  preventExtensions: (m, o) => {
    for (const key of (o.data as LazyGlobals).keys()) materialize(m, o, key)
    return ordinary.preventExtensions(m, o)
  },
  ownValue: (m, o, key) => {
    materialize(m, o, key)
    const slot = o.shape.lookup(key)
    return slot < 0 ? HOLE : o.slots[slot]
  },
  delete: (m, o, key) => {
    materialize(m, o, key)
    return ordinaryDelete(o, key)
  },
  ownKeys: (m, o) => {
    for (const key of (o.data as LazyGlobals).keys()) materialize(m, o, key)
    return ordinaryOwnKeys(o)
  },
}
