import type { Machine } from "../machine/machine.ts"
import { createFromConstructor, type Intrinsics, isObject, Kind, toBoolean, type Value } from "../object/index.ts"
import { constructor, method, object } from "./define.ts"

/** https://tc39.es/ecma262/#sec-thisbooleanvalue */
const thisBooleanValue = (m: Machine, self: Value, name: string): boolean => {
  if (typeof self === "boolean") return self
  if (isObject(self) && self.kind === Kind.Boolean) return self.data as boolean
  throw m.typeError(`Boolean.prototype.${name} requires that 'this' be a Boolean`)
}

export const booleanIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-boolean-constructor-boolean-value */
  Boolean: constructor({
    name: "Boolean",
    length: 1,
    prototype: "BooleanPrototype",
    impl: (m, _this, args, newTarget) => {
      const value = toBoolean(args[0])
      if (newTarget === undefined) return value
      m.allocate(64)
      return createFromConstructor(m, newTarget, "BooleanPrototype", Kind.Boolean, value)
    },
  }),
  BooleanPrototype: object({
    name: "Boolean.prototype",
    constructor_: "Boolean",
    kind: Kind.Boolean,
    data: () => false,
    members: [
      method("toString", 0, (m, self) => String(thisBooleanValue(m, self, "toString"))),
      method("valueOf", 0, (m, self) => thisBooleanValue(m, self, "valueOf")),
    ],
  }),
}
