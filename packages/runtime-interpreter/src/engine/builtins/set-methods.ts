import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  Collection,
  Cursor,
  describe,
  type GeneratorNative,
  get,
  isBuiltin,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  Pause,
  toBoolean,
  toIntegerOrInfinity,
  toNumber,
  type Value,
} from "../object/index.ts"
import { generatorMethod, type Member } from "./define.ts"
import {
  builtinIterator,
  DONE,
  getIteratorFromMethod,
  hold,
  isBlock,
  iteratorClose,
  type IteratorRecord,
  iteratorStepValue,
} from "./iteration.ts"
import { addMember, copyMembers, newSet, payFor, setTable } from "./set-table.ts"

/** https://tc39.es/ecma262/#sec-set-records */
interface SetRecord {
  readonly object: JSObject
  readonly size: number
  readonly has: JSObject
  readonly keys: JSObject
  /** The members, where `has` is the built-in one and so need not be called. */
  readonly table: Collection | null
}

/** https://tc39.es/ecma262/#sec-getsetrecord */
const getSetRecord = (m: Machine, object: Value): SetRecord => {
  if (!isObject(object)) throw m.typeError(`${describe(object)} is not an object`)
  const size = toNumber(m, get(m, object, "size"))
  if (size !== size) throw m.typeError("The 'size' property must be a number")
  const integer = toIntegerOrInfinity(m, size)
  if (integer < 0) throw m.rangeError(`'${integer}' is an invalid size`)
  const has = get(m, object, "has")
  if (!isCallable(has)) throw m.typeError("The 'has' property must be a function")
  const keys = get(m, object, "keys")
  if (!isCallable(keys)) throw m.typeError("The 'keys' property must be a function")
  const table: Collection | null = object.kind === Kind.Set && isBuiltin(has, "Set.prototype.has")
    ? object.data
    : object.kind === Kind.Map && isBuiltin(has, "Map.prototype.has")
    ? object.data
    : null
  return { object, size: integer, has, keys, table }
}

/** Whether the other set has a value. */
function* otherHas(m: Machine, other: SetRecord, value: Value): Calls<boolean> {
  if (other.table === null) return toBoolean(yield call(other.has, other.object, [value]))
  payFor(m, other.table, value)
  return other.table.has(value)
}

/** The other set's values, one after the other. */
class Keys {
  private readonly builtin
  private count = 0
  constructor(readonly record: IteratorRecord) {
    this.builtin = builtinIterator(record)
  }

  *next(m: Machine): Calls<Value | typeof DONE> {
    m.charge(2)
    if (isBlock(this.count++)) yield Pause
    return this.builtin === null ? yield* iteratorStepValue(m, this.record) : this.builtin.step(m)
  }
}

function* keysOf(m: Machine, other: SetRecord): Calls<Keys> {
  return new Keys(yield* getIteratorFromMethod(m, other.object, other.keys))
}

const has = (m: Machine, table: Collection, value: Value): boolean => {
  payFor(m, table, value)
  return table.has(value)
}

/** A method of sets that takes another set. */
const setMethod = (name: string, body: (m: Machine, own: Collection, other: SetRecord) => Calls): Member => {
  const impl: GeneratorNative<Machine> = function*(m, self, args) {
    const own = setTable(m, self, name)
    hold(m, args[0])
    return yield* body(m, own, getSetRecord(m, args[0]))
  }
  return generatorMethod(name, 1, impl)
}

/** https://tc39.es/ecma262/#sec-set.prototype.union */
function* union(m: Machine, own: Collection, other: SetRecord): Calls {
  const keys = yield* keysOf(m, other)
  const result = copyMembers(m, own)
  hold(m, result)
  for (;;) {
    const next = yield* keys.next(m)
    if (next === DONE) return newSet(m, result)
    addMember(m, result, next)
  }
}

/** https://tc39.es/ecma262/#sec-set.prototype.intersection */
function* intersection(m: Machine, own: Collection, other: SetRecord): Calls {
  m.allocate(256)
  const result = new Collection()
  hold(m, result)
  if (own.size <= other.size) {
    const cursor = new Cursor()
    for (let position = own.advance(cursor); position >= 0; position = own.advance(cursor)) {
      m.charge(2)
      if (isBlock(position)) yield Pause
      const value = own.keyAt(position)
      if (yield* otherHas(m, other, value)) addMember(m, result, value)
    }
    return newSet(m, result)
  }
  const keys = yield* keysOf(m, other)
  for (;;) {
    const next = yield* keys.next(m)
    if (next === DONE) return newSet(m, result)
    if (has(m, own, next)) addMember(m, result, next)
  }
}

/** https://tc39.es/ecma262/#sec-set.prototype.difference */
function* difference(m: Machine, own: Collection, other: SetRecord): Calls {
  const result = copyMembers(m, own)
  hold(m, result)
  if (own.size <= other.size) {
    const cursor = new Cursor()
    for (let position = result.advance(cursor); position >= 0; position = result.advance(cursor)) {
      m.charge(2)
      if (isBlock(position)) yield Pause
      const value = result.keyAt(position)
      if (yield* otherHas(m, other, value)) result.delete(value)
    }
    return newSet(m, result)
  }
  const keys = yield* keysOf(m, other)
  for (;;) {
    const next = yield* keys.next(m)
    if (next === DONE) return newSet(m, result)
    payFor(m, result, next)
    result.delete(next)
  }
}

/** https://tc39.es/ecma262/#sec-set.prototype.symmetricdifference */
function* symmetricDifference(m: Machine, own: Collection, other: SetRecord): Calls {
  const keys = yield* keysOf(m, other)
  const result = copyMembers(m, own)
  hold(m, result)
  for (;;) {
    const next = yield* keys.next(m)
    if (next === DONE) return newSet(m, result)
    if (has(m, own, next)) result.delete(next)
    else addMember(m, result, next)
  }
}

/** https://tc39.es/ecma262/#sec-set.prototype.issubsetof */
function* isSubsetOf(m: Machine, own: Collection, other: SetRecord): Calls {
  if (own.size > other.size) return false
  const cursor = new Cursor()
  for (let position = own.advance(cursor); position >= 0; position = own.advance(cursor)) {
    m.charge(2)
    if (isBlock(position)) yield Pause
    if (!(yield* otherHas(m, other, own.keyAt(position)))) return false
  }
  return true
}

/** Whether every value of the other set is answered with `wanted` here; the first that is not closes the iterator. */
function* everyKey(m: Machine, own: Collection, other: SetRecord, wanted: boolean): Calls<boolean> {
  const keys = yield* keysOf(m, other)
  for (;;) {
    const next = yield* keys.next(m)
    if (next === DONE) return true
    if (has(m, own, next) !== wanted) {
      yield* iteratorClose(m, keys.record)
      return false
    }
  }
}

/** https://tc39.es/ecma262/#sec-set.prototype.issupersetof */
function* isSupersetOf(m: Machine, own: Collection, other: SetRecord): Calls {
  return own.size >= other.size && (yield* everyKey(m, own, other, true))
}

/** https://tc39.es/ecma262/#sec-set.prototype.isdisjointfrom */
function* isDisjointFrom(m: Machine, own: Collection, other: SetRecord): Calls {
  if (own.size > other.size) return yield* everyKey(m, own, other, false)
  const cursor = new Cursor()
  for (let position = own.advance(cursor); position >= 0; position = own.advance(cursor)) {
    m.charge(2)
    if (isBlock(position)) yield Pause
    if (yield* otherHas(m, other, own.keyAt(position))) return false
  }
  return true
}

export const setMethods: ReadonlyArray<Member> = [
  setMethod("union", union),
  setMethod("intersection", intersection),
  setMethod("difference", difference),
  setMethod("symmetricDifference", symmetricDifference),
  setMethod("isSubsetOf", isSubsetOf),
  setMethod("isSupersetOf", isSupersetOf),
  setMethod("isDisjointFrom", isDisjointFrom),
]
