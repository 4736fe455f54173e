import type { Machine } from "../machine/machine.ts"
import { type Collection, describe, isObject, type JSObject, Kind, LONG_TEXT, type Value } from "../object/index.ts"

/** What a member of a set takes, in bytes. */
const MEMBER_BYTES = 48

export const setTable = (m: Machine, self: Value, name: string): Collection => {
  if (isObject(self) && self.kind === Kind.Set) return self.data
  throw m.typeError(`Method Set.prototype.${name} called on incompatible receiver ${describe(self)}`)
}

/** Pays for finding a value, where that costs more than usual. */
export const payFor = (m: Machine, table: Collection, value: Value): void => {
  if (typeof value === "string" || typeof value === "bigint") {
    if (typeof value === "string" && value.length > LONG_TEXT) m.touch(value)
    const cost = table.cost(value)
    if (cost > 0) m.charge(cost)
  }
}

export const addMember = (m: Machine, table: Collection, value: Value): void => {
  payFor(m, table, value)
  if (table.add(value)) {
    m.charge(4)
    m.allocate(MEMBER_BYTES)
  }
}

/** A copy of a set's members. */
export const copyMembers = (m: Machine, table: Collection): Collection => {
  m.charge(table.size * 10)
  m.allocate(256 + table.size * MEMBER_BYTES)
  return table.copyKeys()
}

export const newSet = (m: Machine, table: Collection): JSObject => m.realm.newObjectOf(Kind.Set, "SetPrototype", table)
