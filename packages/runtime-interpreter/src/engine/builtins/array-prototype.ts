import type { Machine } from "../machine/machine.ts"
import { defineNative, type Intrinsics, IterationKind, newArrayIterator } from "../object/index.ts"
import { copyWithin, fill, pop, push, reverse, shift, splice, unshift } from "./array-change.ts"
import { concat, flat } from "./array-concat.ts"
import { slice, toReversed, toSpliced, with_ } from "./array-copy.ts"
import { joinMethod, toLocaleString, toStringMethod } from "./array-join.ts"
import { arrayLike } from "./array-like.ts"
import { at, includes, indexOf, lastIndexOf } from "./array-search.ts"
import { intrinsic, intrinsicFunction, type Member, method } from "./define.ts"

const iteration = (name: string, kind: number): Member =>
  method(name, 0, (m, self) => newArrayIterator(m, arrayLike(m, self, name), kind))

/** https://tc39.es/ecma262/#sec-array.prototype.values */
const values = defineNative(
  "Array.prototype.values",
  0,
  (m: Machine, self) => newArrayIterator(m, arrayLike(m, self, "values"), IterationKind.Values),
  { name: "values" },
)

const toString = defineNative("Array.prototype.toString", 0, toStringMethod, { name: "toString" })

/** Methods that other objects have, too: those of the language, whatever the program has made of them. */
export const sharedMethods: Intrinsics = {
  ArrayValues: intrinsicFunction(values),
  ArrayToString: intrinsicFunction(toString),
}

/** The methods that call nothing back, by name. */
export const plainMethods = {
  at: method("at", 1, at),
  concat: method("concat", 1, concat),
  copyWithin: method("copyWithin", 2, copyWithin),
  /** https://tc39.es/ecma262/#sec-array.prototype.entries */
  entries: iteration("entries", IterationKind.Entries),
  fill: method("fill", 1, fill),
  flat: method("flat", 0, flat),
  includes: method("includes", 1, includes),
  indexOf: method("indexOf", 1, indexOf),
  join: method("join", 1, joinMethod),
  /** https://tc39.es/ecma262/#sec-array.prototype.keys */
  keys: iteration("keys", IterationKind.Keys),
  lastIndexOf: method("lastIndexOf", 1, lastIndexOf),
  pop: method("pop", 0, pop),
  push: method("push", 1, push),
  reverse: method("reverse", 0, reverse),
  shift: method("shift", 0, shift),
  slice: method("slice", 2, slice),
  splice: method("splice", 2, splice),
  toLocaleString: method("toLocaleString", 0, toLocaleString),
  toReversed: method("toReversed", 0, toReversed),
  toSpliced: method("toSpliced", 2, toSpliced),
  toString: intrinsic("toString", "ArrayToString"),
  unshift: method("unshift", 1, unshift),
  values: intrinsic("values", "ArrayValues"),
  with: method("with", 2, with_),
} as const
