import type { JSObject, Value } from "./value.ts"

/** https://tc39.es/ecma262/#sec-property-descriptor-specification-type — an absent field is an absent key. */
export interface PropertyDescriptor {
  value?: Value
  writable?: boolean
  get?: JSObject | undefined
  set?: JSObject | undefined
  enumerable?: boolean
  configurable?: boolean
}

export const isAccessorDescriptor = (desc: PropertyDescriptor): boolean => "get" in desc || "set" in desc

export const isDataDescriptor = (desc: PropertyDescriptor): boolean => "value" in desc || "writable" in desc

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
