import { isCompatible, type PropertyDescriptor } from "./descriptor.ts"
import {
  type InternalMethods,
  ordinary,
  ordinaryDefineOwnProperty,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryOwnKeys,
  PROPERTY_BYTES,
} from "./internal-methods.ts"
import { HOLE, type JSObject, type PropertyKey } from "./value.ts"

const getOwn = (o: JSObject, key: PropertyKey): PropertyDescriptor | undefined => {
  const text: string = o.data
  if (key === "length") return { value: text.length, writable: false, enumerable: false, configurable: false }
  if (typeof key === "number" && key < text.length) {
    return { value: text[key]!, writable: false, enumerable: true, configurable: false }
  }
  return ordinaryGetOwnProperty(o, key)
}

const isOwn = (o: JSObject, key: PropertyKey): boolean =>
  key === "length" || (typeof key === "number" && key < (o.data as string).length)

/** https://tc39.es/ecma262/#sec-string-exotic-objects — `data` is the text. */
export const stringMethods: InternalMethods = {
  ...ordinary,
  getOwnProperty: (_m, o, key) => getOwn(o, key),
  defineOwnProperty: (m, o, key, desc) => {
    if (isOwn(o, key)) return isCompatible(o.shape.extensible, desc, getOwn(o, key))
    m.allocate(PROPERTY_BYTES)
    return ordinaryDefineOwnProperty(o, key, desc)
  },
  ownValue: (_m, o, key) => {
    const text: string = o.data
    if (key === "length") return text.length
    if (typeof key === "number" && key < text.length) return text[key]
    const slot = o.shape.lookup(key)
    return slot < 0 ? HOLE : o.slots[slot]
  },
  delete: (_m, o, key) => !isOwn(o, key) && ordinaryDelete(o, key),
  ownKeys: (m, o) => {
    const { length } = o.data as string
    m.charge(length)
    m.allocate(length * 8)
    const keys: Array<PropertyKey> = []
    for (let i = 0; i < length; i++) keys.push(i)
    const others = ordinaryOwnKeys(o)
    let split = 0
    while (split < others.length && typeof others[split] === "number") keys.push(others[split++]!)
    keys.push("length")
    while (split < others.length) keys.push(others[split++]!)
    return keys
  },
}
