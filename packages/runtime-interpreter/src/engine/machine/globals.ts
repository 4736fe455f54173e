import {
  Accessor,
  cannotAssign,
  getOwnProperty,
  getWithReceiver,
  hasProperty,
  setWithReceiver,
  typeOf,
  type Value,
} from "../object/index.ts"
import { notDefined } from "./errors.ts"
import type { InlineCache } from "./instruction.ts"
import type { Machine } from "./machine.ts"

/** Reads a global variable, and remembers where it is. */
export const getGlobal = (m: Machine, name: string, cache: InlineCache): Value => {
  const { global } = m
  // A built-in comes into being when it is looked at.
  if (getOwnProperty(m, global, name) === undefined) {
    if (!hasProperty(m, global, name)) throw notDefined(m, name)
    return getWithReceiver(m, global, name, global)
  }
  const slot = global.shape.lookup(name)
  const value = global.slots[slot]
  if (value instanceof Accessor) return getWithReceiver(m, global, name, global)
  if (global.shape.dictionary) {
    global.shape.cached = true
    cache.shape = global.shape
    cache.slot = slot
  }
  return value
}

export const typeofGlobal = (m: Machine, name: string): string =>
  hasProperty(m, m.global, name) ? typeOf(getWithReceiver(m, m.global, name, m.global)) : "undefined"

export const setGlobal = (m: Machine, name: string, value: Value): void => {
  if (!hasProperty(m, m.global, name)) throw notDefined(m, name)
  if (!setWithReceiver(m, m.global, name, value, m.global)) throw m.typeError(cannotAssign(m, m.global, name))
}
