import type { Agent } from "./agent.ts"
import {
  type InternalMethods,
  ordinary,
  ordinaryDefineOwnProperty,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryOwnKeys,
  PROPERTY_BYTES,
} from "./operations.ts"
import { addProperty } from "./shape.ts"
import { Attribute, HOLE, type JSObject, type PropertyKey } from "./value.ts"

/** The globals that are not made yet: intrinsics by the global's name. */
export type LazyGlobals = Map<PropertyKey, string>

const materialize = (m: Agent, o: JSObject, key: PropertyKey): void => {
  const lazy: LazyGlobals = o.data
  const intrinsic = lazy.get(key)
  if (intrinsic === undefined) return
  lazy.delete(key)
  addProperty(o, key, m.realm.intrinsic(intrinsic), Attribute.Hidden)
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
    for (const key of [...(o.data as LazyGlobals).keys()]) materialize(m, o, key)
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
    for (const key of [...(o.data as LazyGlobals).keys()]) materialize(m, o, key)
    return ordinaryOwnKeys(o)
  },
}
