import type { ClosureData } from "../machine/function.ts"
import type { Machine } from "../machine/machine.ts"
import {
  Attribute,
  type JSObject,
  Kind,
  type NativeData,
  ownDataValue,
  peek,
  type PropertyKey,
  SymbolToStringTag,
} from "../object/index.ts"
import { quoteText } from "./inspect-layout.ts"

// Which properties of an object are shown, and under which names things are shown.

/** The key of a property, as it stands before its value. */
export const keyText = (key: PropertyKey): string => {
  if (typeof key === "symbol") return `[${symbolText(key)}]`
  if (typeof key === "number") return quoteText(String(key))
  const name = String(key)
  return isIdentifier(name) ? name : quoteText(name.slice(0, 1000))
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_][A-Za-z_0-9]*$/.test(name)

export const symbolText = (symbol: symbol): string => `Symbol(${symbol.description ?? ""})`

/** `[Function: f]`, `[class A extends B]`: a function whose class has that name. */
export const functionText = (fn: JSObject, name: string | undefined): string => {
  const own = ownDataValue(fn, "name")
  const label = typeof own === "string" ? own.slice(0, 100) : ""
  if (fn.kind === Kind.Closure) {
    const { template } = (fn.data as ClosureData).code
    if (template.constructor_ && template.source.code.startsWith("class", template.start)) {
      const parent = fn.shape.proto
      const parentName = parent === null ? "null" : ownDataValue(parent, "name")
      const base = typeof parentName === "string" && parentName !== "" ? ` extends ${parentName}` : ""
      return `[class ${label === "" ? "(anonymous)" : label}${base}]`
    }
  } else if (fn.kind === Kind.Native && (fn.data as NativeData).definition.constructor_) {
    return `[Function: ${label}]`
  }
  const type = name ?? "Function (null prototype)"
  return label === "" ? `[${type} (anonymous)]` : `[${type}: ${label}]`
}

/** The tag of an object's class, unless it is a property of its own that is shown anyway. */
export const tagOf = (m: Machine, o: JSObject): string | undefined => {
  const slot = o.shape.lookup(SymbolToStringTag)
  if (slot >= 0 && (o.shape.table.flags[slot]! & Attribute.Enumerable) !== 0) return undefined
  const tag = peek(o, SymbolToStringTag, m)
  return typeof tag === "string" && tag !== "" ? tag : undefined
}

const enumerableKeys = (o: JSObject, type: "string" | "symbol"): Array<PropertyKey> => {
  const { count, table } = o.shape
  const keys: Array<PropertyKey> = []
  for (let i = 0; i < count; i++) {
    const key = table.keys[i]
    if (typeof key === type && (table.flags[i]! & Attribute.Enumerable) !== 0) keys.push(key!)
  }
  return keys
}

/** The enumerable symbols of an object that is no proxy. */
export const symbolKeys = (o: JSObject): Array<PropertyKey> => enumerableKeys(o, "symbol")

/** The enumerable properties of an array or the like, its elements left out. */
export const ownPropertyKeys = (o: JSObject): Array<PropertyKey> => [
  ...enumerableKeys(o, "string"),
  ...enumerableKeys(o, "symbol"),
]

/** Whether an error's own enumerable property is in its stack already. */
export const isShownInError = (o: JSObject, key: PropertyKey): boolean => {
  if (key !== "name" && key !== "message" && key !== "stack") return false
  const value = ownDataValue(o, key)
  const stack = ownDataValue(o, "stack")
  return typeof value === "string" && typeof stack === "string" && stack.includes(value)
}
