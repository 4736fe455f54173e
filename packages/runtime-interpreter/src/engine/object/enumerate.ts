import type { Agent } from "./agent.ts"
import { get, getOwnProperty, ownKeys } from "./internal-methods.ts"
import { complete } from "./partial.ts"
import { Accessor, Attribute, ExoticKind, HOLE, type JSObject, Kind, type PropertyKey, type Value } from "./value.ts"

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
