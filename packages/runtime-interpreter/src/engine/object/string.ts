import {
  exoticGet,
  type InternalMethods,
  isCompatible,
  ordinary,
  ordinaryDefineOwnProperty,
  ordinaryDelete,
  ordinaryGetOwnProperty,
  ordinaryOwnKeys,
  type PropertyDescriptor,
} from "./operations.ts"
import type { JSObject, PropertyKey } from "./value.ts"

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
  defineOwnProperty: (_m, o, key, desc) =>
    isOwn(o, key) ? isCompatible(o.shape.extensible, desc, getOwn(o, key)) : ordinaryDefineOwnProperty(o, key, desc),
  get: exoticGet,
  delete: (_m, o, key) => !isOwn(o, key) && ordinaryDelete(o, key),
  ownKeys: (_m, o) => {
    const keys: Array<PropertyKey> = Array.from({ length: (o.data as string).length }, (_, i) => i)
    const others = ordinaryOwnKeys(o)
    const first = others.findIndex((key) => typeof key !== "number")
    const split = first < 0 ? others.length : first
    return [...keys, ...others.slice(0, split), "length", ...others.slice(split)]
  },
}
