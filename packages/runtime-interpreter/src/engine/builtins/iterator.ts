import type { Machine } from "../machine/machine.ts"
import { newPromise, performThen, promiseResolve, rejectPromise, resolvePromise } from "../machine/promise.ts"
import {
  call,
  type Calls,
  chargeEquality,
  createDataPropertyOrThrow,
  createFromConstructor,
  describe,
  type GeneratorNative,
  getMethod,
  getOwnProperty,
  type Intrinsics,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  type Native,
  newElements,
  ordinaryHasInstance,
  sameValueZero,
  set,
  SymbolAsyncDispose,
  SymbolAsyncIterator,
  SymbolDispose,
  SymbolIterator,
  SymbolToStringTag,
  Throw,
  toBoolean,
  toNumber,
  type Value,
} from "../object/index.ts"
import { defineNative } from "../object/native.ts"
import { accessor, constructor, generatorMethod, type Member, method, object } from "./define.ts"
import {
  builtinIterator,
  DONE,
  getIteratorDirect,
  getIteratorFlattenable,
  hold,
  iteratorClose,
  iteratorCloseThrow,
  type IteratorRecord,
  iteratorStepValue,
} from "./iteration.ts"
import { type Concatenated, HelperKind, IteratorHelper, iteratorHelperPrototype, newHelper } from "./iterator-helper.ts"
import { zip, zipKeyed } from "./iterator-zip.ts"

type Impl = GeneratorNative<Machine>

/** https://tc39.es/ecma262/#sec-iterator */
const iteratorConstructor: Native<Machine> = (m, _self, _args, newTarget, callee) => {
  if (newTarget === undefined) throw m.typeError("Constructor Iterator requires 'new'")
  if (newTarget === callee) throw m.typeError("Abstract class Iterator not directly constructable")
  return createFromConstructor(m, newTarget, "IteratorPrototype", Kind.Ordinary, undefined)
}

/** An iterator that `Iterator.from` wraps. */
class WrappedIterator {
  readonly brand = "Wrapped Iterator"
  constructor(readonly record: IteratorRecord) {}
}

/** https://tc39.es/ecma262/#sec-iterator.from */
const from: Impl = function*(m, _self, args) {
  const record = yield* getIteratorFlattenable(m, args[0], true)
  if (ordinaryHasInstance(m, m.realm.intrinsic("Iterator"), record.iterator)) return record.iterator
  return m.realm.newObjectOf(Kind.Iterator, "WrapForValidIteratorPrototype", new WrappedIterator(record))
}

const requireWrapped = (m: Machine, self: Value): IteratorRecord => {
  if (!isObject(self) || self.kind !== Kind.Iterator || self.data.brand !== "Wrapped Iterator") {
    throw m.typeError(`Method %WrapForValidIteratorPrototype% called on incompatible receiver ${describe(self)}`)
  }
  return (self.data as WrappedIterator).record
}

/** https://tc39.es/ecma262/#sec-iterator.concat */
const concat: Native<Machine> = (m, _self, args) => {
  const items: Array<Concatenated> = []
  m.charge(args.length)
  m.allocate(args.length * 32)
  for (const iterable of args) {
    if (!isObject(iterable)) throw m.typeError(`${describe(iterable)} is not an object`)
    const open = getMethod(m, iterable, SymbolIterator)
    if (open === undefined) throw m.typeError(`${describe(iterable)} is not iterable`)
    items.push({ open, iterable })
  }
  const helper = new IteratorHelper(HelperKind.Concat, [])
  helper.items = items
  return newHelper(m, helper)
}

const receiver = (m: Machine, self: Value, name: string): JSObject => {
  if (!isObject(self)) throw m.typeError(`Iterator.prototype.${name} called on non-object`)
  return self
}

/** Closes an iterator that was not used, because of an argument. */
function* refuse(m: Machine, o: JSObject, error: Throw): Calls<never> {
  return yield* iteratorCloseThrow(m, { iterator: o, next: undefined, done: false }, error)
}

/** The receiver and the function that most methods take. */
function* withCallback(m: Machine, self: Value, fn: Value, name: string): Calls<IteratorRecord> {
  const o = receiver(m, self, name)
  if (!isCallable(fn)) return yield* refuse(m, o, m.typeError(`${describe(fn)} is not a function`))
  return getIteratorDirect(m, o)
}

const helperWithCallback = (name: string, kind: number): Member =>
  generatorMethod(name, 1, function*(m, self, args) {
    const helper = new IteratorHelper(kind, [yield* withCallback(m, self, args[0], name)])
    helper.fn = args[0]
    return newHelper(m, helper)
  })

/** https://tc39.es/ecma262/#sec-iterator.prototype.take and https://tc39.es/ecma262/#sec-iterator.prototype.drop */
const helperWithLimit = (name: string, kind: number): Member =>
  generatorMethod(name, 1, function*(m, self, args) {
    const o = receiver(m, self, name)
    let limit: number
    try {
      limit = toNumber(m, args[0])
    } catch (error) {
      if (!(error instanceof Throw)) throw error
      return yield* refuse(m, o, error)
    }
    const count = Math.trunc(limit)
    if (!(count >= 0)) return yield* refuse(m, o, m.rangeError(`${describe(args[0])} must be positive`))
    if (count > Number.MAX_SAFE_INTEGER && count !== Infinity) {
      return yield* refuse(m, o, m.rangeError(`${count} is out of range`))
    }
    const helper = new IteratorHelper(kind, [getIteratorDirect(m, o)])
    helper.count = count
    return newHelper(m, helper)
  })

/** The size of chunks or windows. */
function* sizeArgument(m: Machine, o: JSObject, size: Value): Calls<number> {
  if (typeof size !== "number" || !Number.isInteger(size)) {
    return yield* refuse(m, o, m.typeError(`${describe(size)} is not an integer`))
  }
  if (size < 1 || size > 4294967295) return yield* refuse(m, o, m.rangeError(`${size} is out of range`))
  return size
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.chunks */
const chunks: Impl = function*(m, self, args) {
  const o = receiver(m, self, "chunks")
  const size = yield* sizeArgument(m, o, args[0])
  const helper = new IteratorHelper(HelperKind.Chunks, [getIteratorDirect(m, o)])
  helper.count = size
  return newHelper(m, helper)
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.windows */
const windows: Impl = function*(m, self, args) {
  const o = receiver(m, self, "windows")
  const size = yield* sizeArgument(m, o, args[0])
  const undersized = args[1]
  if (undersized !== undefined && undersized !== "only-full" && undersized !== "allow-partial") {
    return yield* refuse(m, o, m.typeError(`${describe(undersized)} is neither "only-full" nor "allow-partial"`))
  }
  const helper = new IteratorHelper(HelperKind.Windows, [getIteratorDirect(m, o)])
  helper.count = size
  helper.partial = undersized === "allow-partial"
  return newHelper(m, helper)
}

/**
 * Calls `fn` for each value until `until` says that its answer decides, which closes the iterator; gives what `until` gave,
 * or `DONE`.
 */
function* visit(
  m: Machine,
  record: IteratorRecord,
  fn: Value,
  until: (value: Value, answer: Value) => Value | typeof DONE,
): Calls<Value | typeof DONE> {
  const builtin = builtinIterator(record)
  for (let counter = 0;; counter++) {
    m.charge(1)
    const value = builtin === null ? yield* iteratorStepValue(m, record) : builtin.step(m)
    if (value === DONE) return DONE
    let decided: Value | typeof DONE
    try {
      decided = until(value, yield call(fn, undefined, [value, counter]))
    } catch (error) {
      return yield* iteratorCloseThrow(m, record, error)
    }
    if (decided !== DONE) {
      yield* iteratorClose(m, record)
      return decided
    }
  }
}

const visitor = (name: string, until: (value: Value, answer: Value) => Value | typeof DONE, otherwise: Value): Member =>
  generatorMethod(name, 1, function*(m, self, args) {
    const record = yield* withCallback(m, self, args[0], name)
    const decided = yield* visit(m, record, args[0], until)
    return decided === DONE ? otherwise : decided
  })

/** https://tc39.es/ecma262/#sec-iterator.prototype.reduce */
const reduce: Impl = function*(m, self, args) {
  const fn = args[0]
  const record = yield* withCallback(m, self, fn, "reduce")
  let accumulator = args[1]
  let counter = 0
  if (args.length < 2) {
    const first = yield* iteratorStepValue(m, record)
    if (first === DONE) throw m.typeError("Reduce of a done iterator with no initial value")
    accumulator = first
    counter = 1
  }
  for (;; counter++) {
    m.charge(1)
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) return accumulator
    try {
      accumulator = yield call(fn, undefined, [accumulator, value, counter])
    } catch (error) {
      return yield* iteratorCloseThrow(m, record, error)
    }
  }
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.toarray */
const toArray: Impl = function*(m, self) {
  const record = getIteratorDirect(m, receiver(m, self, "toArray"))
  const builtin = builtinIterator(record)
  const elements: Array<Value> = newElements()
  hold(m, elements)
  for (;;) {
    m.charge(1)
    const value = builtin === null ? yield* iteratorStepValue(m, record) : builtin.step(m)
    if (value === DONE) return m.realm.newArray(elements)
    m.allocate(8)
    elements.push(value)
  }
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.includes */
const includes: Impl = function*(m, self, args) {
  const o = receiver(m, self, "includes")
  const skip = args[1] === undefined ? 0 : args[1]
  if (typeof skip !== "number" || (Number.isFinite(skip) ? !Number.isInteger(skip) : Number.isNaN(skip))) {
    return yield* refuse(m, o, m.typeError(`${describe(skip)} is not an integer`))
  }
  if (skip < 0 || (skip > Number.MAX_SAFE_INTEGER && skip !== Infinity)) {
    return yield* refuse(m, o, m.rangeError(`${skip} is out of range`))
  }
  const record = getIteratorDirect(m, o)
  for (let skipped = 0;;) {
    m.charge(1)
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) return false
    chargeEquality(m, args[0], value)
    if (skipped < skip) skipped++
    else if (sameValueZero(value, args[0])) {
      yield* iteratorClose(m, record)
      return true
    }
  }
}

/** https://tc39.es/ecma262/#sec-%iteratorprototype%-@@dispose */
const dispose: Impl = function*(m, self) {
  const fn = getMethod(m, self, "return")
  if (fn !== undefined) yield call(fn, self, [])
  return undefined
}

const undefinedDefinition = defineNative("AsyncDisposeUnwrap", 1, () => undefined, { name: "" })

/** https://tc39.es/ecma262/#sec-%asynciteratorprototype%-@@asyncdispose */
const asyncDispose: Impl = function*(m, self) {
  const promise = newPromise(m)
  try {
    const fn = getMethod(m, self, "return")
    if (fn === undefined) resolvePromise(m, promise, undefined)
    else {
      const result = promiseResolve(m, yield call(fn, self, []))
      performThen(m, result, m.realm.newNative(undefinedDefinition), undefined, { promise })
    }
  } catch (error) {
    if (!(error instanceof Throw)) throw error
    rejectPromise(m, promise, error.value)
  }
  return promise
}

/**
 * A property that looks like a plain one, but cannot be changed on `Iterator.prototype` itself by assignment:
 * https://tc39.es/ecma262/#sec-SetterThatIgnoresPrototypeProperties
 */
const weird = (key: string | symbol, read: Native<Machine>): Member =>
  accessor(key, read, (m, self, args) => {
    if (!isObject(self)) throw m.typeError("Iterator.prototype is not an object")
    if (self === m.realm.intrinsic("IteratorPrototype")) {
      throw m.typeError(`Cannot assign to read only property '${String(key)}' of object '[object Object]'`)
    }
    if (getOwnProperty(m, self, key) === undefined) createDataPropertyOrThrow(m, self, key, args[0])
    else set(m, self, key, args[0])
    return undefined
  })

export const iteratorIntrinsics: Intrinsics = {
  Iterator: constructor({
    name: "Iterator",
    length: 0,
    prototype: "IteratorPrototype",
    impl: iteratorConstructor,
    members: [
      method("concat", 0, concat),
      generatorMethod("from", 1, from),
      generatorMethod("zip", 1, zip),
      generatorMethod("zipKeyed", 1, zipKeyed),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-iterator.prototype */
  IteratorPrototype: object({
    name: "Iterator.prototype",
    members: [
      method(SymbolIterator, 0, (_m, self) => self),
      helperWithLimit("drop", HelperKind.Drop),
      /** https://tc39.es/ecma262/#sec-iterator.prototype.every */
      visitor("every", (_value, answer) => toBoolean(answer) ? DONE : false, true),
      /** https://tc39.es/ecma262/#sec-iterator.prototype.filter */
      helperWithCallback("filter", HelperKind.Filter),
      /** https://tc39.es/ecma262/#sec-iterator.prototype.find */
      visitor("find", (value, answer) => toBoolean(answer) ? value : DONE, undefined),
      helperWithCallback("flatMap", HelperKind.FlatMap),
      /** https://tc39.es/ecma262/#sec-iterator.prototype.foreach */
      visitor("forEach", () => DONE, undefined),
      generatorMethod("includes", 1, includes),
      /** https://tc39.es/ecma262/#sec-iterator.prototype.map */
      helperWithCallback("map", HelperKind.Map),
      generatorMethod("reduce", 1, reduce),
      /** https://tc39.es/ecma262/#sec-iterator.prototype.some */
      visitor("some", (_value, answer) => toBoolean(answer) ? true : DONE, false),
      helperWithLimit("take", HelperKind.Take),
      generatorMethod("toArray", 0, toArray),
      generatorMethod("chunks", 1, chunks),
      generatorMethod("windows", 1, windows),
      generatorMethod(SymbolDispose, 0, dispose),
      weird("constructor", (m) => m.realm.intrinsic("Iterator")),
      weird(SymbolToStringTag, () => "Iterator"),
    ],
  }),

  IteratorHelperPrototype: iteratorHelperPrototype,

  /** https://tc39.es/ecma262/#sec-%wrapforvaliditeratorprototype%-object */
  WrapForValidIteratorPrototype: object({
    name: "%WrapForValidIteratorPrototype%",
    proto: "IteratorPrototype",
    members: [
      generatorMethod("next", 0, function*(m, self) {
        const { iterator, next } = requireWrapped(m, self)
        return yield call(next, iterator, [])
      }),
      generatorMethod("return", 0, function*(m, self) {
        const { iterator } = requireWrapped(m, self)
        const fn = getMethod(m, iterator, "return")
        return fn === undefined ? m.realm.newIteratorResult(undefined, true) : yield call(fn, iterator, [])
      }),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-asynciteratorprototype */
  AsyncIteratorPrototype: object({
    name: "%AsyncIteratorPrototype%",
    members: [
      method(SymbolAsyncIterator, 0, (_m, self) => self),
      generatorMethod(SymbolAsyncDispose, 0, asyncDispose),
    ],
  }),
}
