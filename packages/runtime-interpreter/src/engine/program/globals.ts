import { fromJson, type Json } from "../boundary/index.ts"
import type { Machine } from "../machine/machine.ts"
import { Attribute, get, isObject, type JSObject, ownKeys, setIntegrityLevel } from "../object/index.ts"

/** Defines the host's values, which a program can read and not change. */
export const defineGlobals = (m: Machine, globals: Readonly<Record<string, Json>>): void => {
  for (const [name, value] of Object.entries(globals)) {
    const copy = fromJson(m, value, { root: name })
    if (isObject(copy)) freeze(m, copy)
    m.defineGlobal(name, copy, Attribute.Enumerable)
  }
}

const freeze = (m: Machine, root: JSObject): void => {
  const open = [root]
  for (let object = open.pop(); object !== undefined; object = open.pop()) {
    for (const key of ownKeys(m, object)) {
      const value = get(m, object, key)
      if (isObject(value)) open.push(value)
    }
    setIntegrityLevel(m, object, "frozen")
  }
}
