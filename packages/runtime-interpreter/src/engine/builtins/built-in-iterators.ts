import type { Machine } from "../machine/machine.ts"
import {
  type ArrayIterator,
  type BuiltinIterator,
  type CollectionIterator,
  describe,
  DONE,
  type Intrinsics,
  isObject,
  Kind,
  type Native,
  SymbolToStringTag,
} from "../object/index.ts"
import { type Member, method, object, tag } from "./define.ts"

const stepNative = (brand: string): Native<Machine> => (m, self) => {
  if (!isObject(self) || self.kind !== Kind.Iterator || self.data.brand !== brand) {
    throw m.typeError(`Method ${brand}.prototype.next called on incompatible receiver ${describe(self)}`)
  }
  m.allocate(48)
  const value = (self.data as BuiltinIterator).step(m)
  return value === DONE ? m.realm.newIteratorResult(undefined, true) : m.realm.newIteratorResult(value, false)
}

/** The `next` method of the built-in iterators of this brand. */
export const nextMethod = (brand: string): Member => method("next", 0, stepNative(brand), { stepper: brand })

const iteratorPrototype = (brand: ArrayIterator["brand"] | CollectionIterator["brand"]) =>
  object({
    name: `%${brand.replace(" ", "")}Prototype%`,
    proto: "IteratorPrototype",
    members: [nextMethod(brand), tag(SymbolToStringTag, brand)],
  })

/** The prototypes of the iterators of arrays, maps and sets. */
export const builtInIteratorIntrinsics: Intrinsics = {
  /** https://tc39.es/ecma262/#sec-%arrayiteratorprototype%-object */
  ArrayIteratorPrototype: iteratorPrototype("Array Iterator"),
  /** https://tc39.es/ecma262/#sec-%mapiteratorprototype%-object */
  MapIteratorPrototype: iteratorPrototype("Map Iterator"),
  /** https://tc39.es/ecma262/#sec-%setiteratorprototype%-object */
  SetIteratorPrototype: iteratorPrototype("Set Iterator"),
}
