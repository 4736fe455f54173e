import { type InternalMethods, ordinary, ordinaryGetOwnProperty } from "./internal-methods.ts"
import { complete, completeFor } from "./partial.ts"
import { HOLE } from "./value.ts"

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
