import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  describe,
  type GeneratorNative,
  isObject,
  type JSObject,
  Kind,
  newElements,
  SymbolToStringTag,
  toBoolean,
  type Value,
} from "../object/index.ts"
import { generatorMethod, object, tag } from "./define.ts"
import {
  DONE,
  getIteratorDirect,
  getIteratorFlattenable,
  iteratorClose,
  iteratorCloseAll,
  iteratorCloseThrow,
  type IteratorRecord,
  iteratorStep,
  iteratorStepValue,
} from "./iteration.ts"
import { stepZip, type Zip } from "./iterator-zip-step.ts"

/** What an iterator helper does with the values of the iterators under it. */
export const enum HelperKind {
  Map = 0,
  Filter = 1,
  Take = 2,
  Drop = 3,
  FlatMap = 4,
  Chunks = 5,
  Windows = 6,
  Concat = 7,
  Zip = 8,
}

const HelperState = { Start: 0, Yielded: 1, Running: 2, Completed: 3 } as const

/** An argument of `Iterator.concat`. */
export interface Concatenated {
  readonly open: JSObject
  readonly iterable: JSObject
}

/** An iterator helper: in the standard a generator, here the state of one between two values. */
export class IteratorHelper {
  readonly brand = "Iterator Helper"
  state: number = HelperState.Start
  /** How many values were given to the function. */
  counter = 0
  /** Of `flatMap` and `concat`: the iterator whose values are passed on. */
  inner: IteratorRecord | null = null
  /** Of `windows`: the values that the next window may have. Of `chunks`: those of the chunk that is being made. */
  buffer: Array<Value> = newElements()
  fn: Value = undefined
  /** Of `take` and `drop`: how many values remain. Of `chunks` and `windows`: the size. */
  count = 0
  partial = false
  items: Array<Concatenated> = []
  zip: Zip | null = null

  constructor(
    readonly kind: number,
    /** What `return` closes; of `zip`, the iterators that are still open. */
    readonly underlying: Array<IteratorRecord>,
  ) {}
}

export const newHelper = (m: Machine, helper: IteratorHelper): JSObject => {
  m.allocate(256)
  return m.realm.newObjectOf(Kind.Iterator, "IteratorHelperPrototype", helper)
}

/** The next value of a helper. */
function* step(m: Machine, helper: IteratorHelper): Calls<Value | typeof DONE> {
  const record = helper.underlying[0]!
  switch (helper.kind) {
    case HelperKind.Map: {
      const value = yield* iteratorStepValue(m, record)
      if (value === DONE) return DONE
      try {
        return yield call(helper.fn, undefined, [value, helper.counter++])
      } catch (error) {
        return yield* iteratorCloseThrow(m, record, error)
      }
    }
    case HelperKind.Filter:
      for (;;) {
        m.charge(1)
        const value = yield* iteratorStepValue(m, record)
        if (value === DONE) return DONE
        try {
          if (toBoolean(yield call(helper.fn, undefined, [value, helper.counter++]))) return value
        } catch (error) {
          return yield* iteratorCloseThrow(m, record, error)
        }
      }
    case HelperKind.Take:
      if (helper.count === 0) {
        yield* iteratorClose(m, record)
        return DONE
      }
      helper.count--
      return yield* iteratorStepValue(m, record)
    case HelperKind.Drop:
      for (; helper.count > 0; helper.count--) {
        m.charge(1)
        if ((yield* iteratorStep(m, record)) === DONE) return DONE
      }
      return yield* iteratorStepValue(m, record)
    case HelperKind.FlatMap:
      return yield* stepFlatMap(m, helper, record)
    case HelperKind.Chunks:
      return yield* stepChunks(m, helper, record)
    case HelperKind.Windows:
      return yield* stepWindows(m, helper, record)
    case HelperKind.Concat:
      return yield* stepConcat(m, helper)
    default:
      return yield* stepZip(m, helper.zip!, helper.underlying)
  }
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.flatmap */
function* stepFlatMap(m: Machine, helper: IteratorHelper, record: IteratorRecord): Calls<Value | typeof DONE> {
  for (;;) {
    m.charge(1)
    if (helper.inner !== null) {
      try {
        const value = yield* iteratorStepValue(m, helper.inner)
        if (value !== DONE) return value
        helper.inner = null
      } catch (error) {
        return yield* iteratorCloseThrow(m, record, error)
      }
    }
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) return DONE
    try {
      const mapped = yield call(helper.fn, undefined, [value, helper.counter++])
      helper.inner = yield* getIteratorFlattenable(m, mapped, false)
    } catch (error) {
      return yield* iteratorCloseThrow(m, record, error)
    }
  }
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.chunks */
function* stepChunks(m: Machine, helper: IteratorHelper, record: IteratorRecord): Calls<Value | typeof DONE> {
  const chunk: Array<Value> = helper.buffer = []
  while (chunk.length < helper.count) {
    m.charge(1)
    m.allocate(8)
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) {
      if (chunk.length === 0) return DONE
      break
    }
    chunk.push(value)
  }
  helper.buffer = []
  return m.realm.newArray(chunk)
}

/** https://tc39.es/ecma262/#sec-iterator.prototype.windows */
function* stepWindows(m: Machine, helper: IteratorHelper, record: IteratorRecord): Calls<Value | typeof DONE> {
  const { buffer, count } = helper
  // A partial window was the last one.
  if (record.done) return DONE
  for (;;) {
    m.charge(1)
    m.allocate(8)
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) {
      if (!helper.partial || buffer.length === 0 || buffer.length === count) return DONE
      break
    }
    if (buffer.length === count) buffer.shift()
    buffer.push(value)
    if (buffer.length === count) break
  }
  m.charge(buffer.length >> 2)
  m.allocate(buffer.length * 8)
  return m.realm.newArray(buffer.slice())
}

/** https://tc39.es/ecma262/#sec-iterator.concat */
function* stepConcat(m: Machine, helper: IteratorHelper): Calls<Value | typeof DONE> {
  for (;;) {
    m.charge(1)
    if (helper.inner === null) {
      const item = helper.items[helper.counter]
      if (item === undefined) return DONE
      helper.counter++
      const iterator = yield call(item.open, item.iterable, [])
      if (!isObject(iterator)) throw m.typeError(`${describe(iterator)} is not an object`)
      helper.inner = getIteratorDirect(m, iterator)
    }
    const value = yield* iteratorStepValue(m, helper.inner)
    if (value !== DONE) return value
    helper.inner = null
  }
}

const requireHelper = (m: Machine, self: Value, name: string): IteratorHelper => {
  if (!isObject(self) || self.kind !== Kind.Iterator || self.data.brand !== "Iterator Helper") {
    throw m.typeError(`Method Iterator Helper.prototype.${name} called on incompatible receiver ${describe(self)}`)
  }
  const helper: IteratorHelper = self.data
  if (helper.state === HelperState.Running) throw m.typeError("Generator is already running")
  return helper
}

/** https://tc39.es/ecma262/#sec-%iteratorhelperprototype%.next */
const next: GeneratorNative<Machine> = function*(m, self) {
  const helper = requireHelper(m, self, "next")
  m.allocate(48)
  if (helper.state === HelperState.Completed) return m.realm.newIteratorResult(undefined, true)
  helper.state = HelperState.Running
  let value: Value | typeof DONE = DONE
  try {
    value = yield* step(m, helper)
  } finally {
    helper.state = value === DONE ? HelperState.Completed : HelperState.Yielded
  }
  return value === DONE ? m.realm.newIteratorResult(undefined, true) : m.realm.newIteratorResult(value, false)
}

/** https://tc39.es/ecma262/#sec-%iteratorhelperprototype%.return */
const return_: GeneratorNative<Machine> = function*(m, self) {
  const helper = requireHelper(m, self, "return")
  const { inner, state, underlying } = helper
  if (state === HelperState.Start) {
    helper.state = HelperState.Completed
    yield* iteratorCloseAll(m, underlying)
  } else if (state === HelperState.Yielded) {
    helper.state = HelperState.Running
    try {
      // After a partial chunk or window nothing is left to close.
      const open = underlying.filter((record) => !record.done)
      yield* iteratorCloseAll(m, inner === null ? open : [...open, inner])
    } finally {
      helper.state = HelperState.Completed
    }
  }
  return m.realm.newIteratorResult(undefined, true)
}

/** https://tc39.es/ecma262/#sec-%iteratorhelperprototype%-object */
export const iteratorHelperPrototype = object({
  name: "%IteratorHelperPrototype%",
  proto: "IteratorPrototype",
  members: [
    generatorMethod("next", 0, next),
    generatorMethod("return", 0, return_),
    tag(SymbolToStringTag, "Iterator Helper"),
  ],
})
