import { IteratorState } from "../compile/opcodes.ts"
import {
  Attribute,
  type BuiltinIterator,
  call,
  type Calls,
  describe,
  DONE,
  ExoticKind,
  get,
  getMethod,
  getOwnProperty,
  getPrototypeOf,
  HOLE,
  isObject,
  type JSObject,
  keyToValue,
  Kind,
  type NativeData,
  ownKeys,
  Pause,
  type PropertyKey,
  SymbolAsyncIterator,
  SymbolIterator,
  toObject,
  unquoted,
  type Value,
} from "../object/index.ts"
import { start } from "./calls.ts"
import { currentExpression, errorAbout } from "./errors.ts"
import { Frame, FrameType, type PUSHED } from "./frame.ts"
import type { Machine } from "./machine.ts"

/** Where there is no method to call. Never a guest value. */
export const NO_METHOD: unique symbol = Symbol("no method")

export const isDone = (value: unknown): value is typeof DONE => value === DONE

const pushNative = (m: Machine, native: Calls): void => {
  const frame = new Frame(FrameType.Native, null, [], null, undefined, undefined)
  frame.native = native
  m.push(frame)
}

const notIterable = (m: Machine, value: Value, kind = "") => {
  const text = currentExpression(m)
  return errorAbout(m, value, text, `${text ?? describe(value)} is not ${kind}iterable`)
}

const isPlainNative = (fn: JSObject): boolean => {
  if (fn.kind !== Kind.Native) return false
  const { definition } = fn.data as NativeData
  return !definition.generator && definition.special === 0
}

/** https://tc39.es/ecma262/#sec-getiterator into three registers. Answers false where a frame does it. */
export const getIterator = (m: Machine, frame: Frame, r: number, value: Value): boolean => {
  const method = value === undefined || value === null ? undefined : getMethod(m, value, SymbolIterator)
  if (method === undefined) throw notIterable(m, value)
  if (isPlainNative(method)) {
    setIterator(m, frame, r, m.call(method, value, []))
    return true
  }
  pushNative(m, iteratorSteps(m, frame, r, method, value))
  return false
}

function* iteratorSteps(m: Machine, frame: Frame, r: number, method: JSObject, value: Value): Calls {
  setIterator(m, frame, r, yield call(method, value, []))
  return undefined
}

const setIterator = (m: Machine, frame: Frame, r: number, iterator: Value): void => {
  if (!isObject(iterator)) throw m.typeError("Result of the Symbol.iterator method is not an object")
  frame.regs[r] = iterator
  frame.regs[r + 1] = get(m, iterator, "next")
  frame.regs[r + 2] = IteratorState.Protocol
}

/** https://tc39.es/ecma262/#sec-getiterator for the async kind. */
export const getAsyncIterator = (m: Machine, frame: Frame, r: number, value: Value): void => {
  const method = value === undefined || value === null ? undefined : getMethod(m, value, SymbolAsyncIterator)
  if (method !== undefined) return pushNative(m, asyncIteratorSteps(m, frame, r, method, value))
  const sync = value === undefined || value === null ? undefined : getMethod(m, value, SymbolIterator)
  if (sync === undefined) throw notIterable(m, value, "async ")
  pushNative(m, fromSyncSteps(m, frame, r, sync, value))
}

function* asyncIteratorSteps(m: Machine, frame: Frame, r: number, method: JSObject, value: Value): Calls {
  const iterator = yield call(method, value, [])
  if (!isObject(iterator)) throw m.typeError("Result of the Symbol.asyncIterator method is not an object")
  setIterator(m, frame, r, iterator)
  return undefined
}

function* fromSyncSteps(m: Machine, frame: Frame, r: number, method: JSObject, value: Value): Calls {
  const iterator = yield call(method, value, [])
  if (!isObject(iterator)) throw m.typeError("Result of the Symbol.iterator method is not an object")
  const record = { iterator, next: get(m, iterator, "next"), done: false }
  setIterator(m, frame, r, m.builtins.createAsyncFromSyncIterator(m, record))
  return undefined
}

/** The state behind a built-in iterator whose `next` is the built-in one: stepping it needs neither call nor result object. */
export const stepper = (iterator: JSObject, next: Value): BuiltinIterator | null => {
  if (iterator.kind !== Kind.Iterator || !isObject(next) || next.kind !== Kind.Native) return null
  const state: BuiltinIterator = iterator.data
  return (next.data as NativeData).definition.stepper === state.brand ? state : null
}

/** Appends what an iterable gives to an array under construction. Answers false where a frame does it. */
export const spread = (m: Machine, target: JSObject, source: Value): boolean => {
  const elements: Array<Value> = target.data
  if (isObject(source) && source.kind === Kind.Array && m.arrayIteration.isPristine(source)) {
    const from: Array<Value> = source.data
    const { length } = from
    m.charge(length >> 2)
    m.allocate(length * 8)
    if (elements.length === 0 && !(from as Array<unknown>).includes(HOLE)) {
      // A copy of the host's has no more room than it needs.
      target.data = from.slice()
      return true
    }
    for (let i = 0; i < length; i++) {
      const value = from[i]
      elements.push((value as unknown) === HOLE ? get(m, source, i) : value)
    }
    return true
  }
  const method = source === undefined || source === null ? undefined : getMethod(m, source, SymbolIterator)
  if (method === undefined) {
    throw notIterable(m, source)
  }
  if (!isPlainNative(method)) {
    pushNative(m, spreadSteps(m, elements, method, source))
    return false
  }
  const iterator = m.call(method, source, [])
  if (!isObject(iterator)) throw m.typeError("Result of the Symbol.iterator method is not an object")
  const next = get(m, iterator, "next")
  const builtin = stepper(iterator, next)
  if (builtin !== null) {
    // Its first values need no frame.
    for (let i = 0; i < BLOCK; i++) {
      m.allocate(8)
      m.charge(1)
      const value = builtin.step(m)
      if (isDone(value)) return true
      elements.push(value)
    }
  }
  pushNative(m, spreadFrom(m, elements, iterator, next))
  return false
}

/** How many values are spread between two chances for the machine to stop. */
const BLOCK = 1024

function* spreadSteps(m: Machine, elements: Array<Value>, method: JSObject, source: Value): Calls {
  const iterator = yield call(method, source, [])
  if (!isObject(iterator)) throw m.typeError("Result of the Symbol.iterator method is not an object")
  return yield* spreadFrom(m, elements, iterator, get(m, iterator, "next"))
}

function* spreadFrom(m: Machine, elements: Array<Value>, iterator: JSObject, next: Value): Calls {
  const builtin = stepper(iterator, next)
  for (let i = 0;; i++) {
    m.allocate(8)
    if (builtin !== null) {
      m.charge(1)
      if (i % BLOCK === BLOCK - 1) yield Pause
      const value = builtin.step(m)
      if (isDone(value)) return undefined
      elements.push(value)
      continue
    }
    const result = yield call(next, iterator, [])
    if (!isObject(result)) throw m.typeError(`Iterator result ${unquoted(result)} is not an object`)
    if (get(m, result, "done")) return undefined
    elements.push(get(m, result, "value"))
  }
}

/** Calls an iterator's `return`, if it has one. */
export const startReturn = (m: Machine, iterator: JSObject, dst: number): Value | typeof PUSHED | typeof NO_METHOD => {
  const method = getMethod(m, iterator, "return")
  return method === undefined ? NO_METHOD : start(m, method, iterator, [], undefined, dst)
}

const delegates = ["next", "throw", "return"] as const

/** What `yield*` calls for a way of being resumed. */
export const startDelegate = (
  m: Machine,
  iterator: JSObject,
  next: Value,
  mode: number,
  value: Value,
  dst: number,
): Value | typeof PUSHED | typeof NO_METHOD => {
  if (mode === 0) return start(m, next, iterator, [value], undefined, dst)
  const method = getMethod(m, iterator, delegates[mode]!)
  return method === undefined ? NO_METHOD : start(m, method, iterator, [value], undefined, dst)
}

// ---------------------------------------------------------------------------------------------------------------------
// for-in: https://tc39.es/ecma262/#sec-enumerate-object-properties
// ---------------------------------------------------------------------------------------------------------------------

/** Going on to a prototype in a `for`-`in` loop. */
const PROTOTYPE_STEPS = 8

/** The state of a `for`-`in` loop. */
class ForIn {
  keys: Array<PropertyKey> = []
  index = 0
  /** Keys of objects nearer than `object`, which hide those of its prototypes; null as long as there is nothing to hide. */
  seen: Set<PropertyKey> | null = null
  /** The keys that are in none of the nearer objects and were in this one when their turn came, as long as `seen` is null. */
  passed: Array<PropertyKey> = []
  constructor(public object: JSObject | null) {}
}

export const newForIn = (m: Machine, value: Value): ForIn => {
  const state = new ForIn(value === undefined || value === null ? null : toObject(m, value))
  if (state.object !== null) state.keys = keysOf(m, state.object)
  return state
}

const keysOf = (m: Machine, object: JSObject): Array<PropertyKey> => {
  const keys = ownKeys(m, object)
  m.charge(keys.length)
  m.allocate(keys.length * 8)
  return keys
}

/** Whether a property is enumerable; undefined if there is none. */
const isEnumerable = (m: Machine, object: JSObject, key: PropertyKey): boolean | undefined => {
  if (object.kind >= ExoticKind.First) return getOwnProperty(m, object, key)?.enumerable
  const slot = object.shape.lookup(key)
  return slot < 0 ? undefined : (object.shape.table.flags[slot]! & Attribute.Enumerable) !== 0
}

/** Whether an object gives a loop nothing, and takes nothing from what its prototypes give: an unchanged prototype, mostly. */
const isSilent = (m: Machine, object: JSObject): boolean => {
  if (object.kind >= ExoticKind.First || object.shape.proto !== null) return false
  const { count, table } = object.shape
  m.charge(count)
  for (let slot = 0; slot < count; slot++) {
    if (table.keys[slot] !== undefined && (table.flags[slot]! & Attribute.Enumerable) !== 0) return false
  }
  return true
}

/** The next enumerable key, as the program sees it; undefined at the end. */
export const forInNext = (m: Machine, state: ForIn): Value => {
  while (state.object !== null) {
    while (state.index < state.keys.length) {
      const key = state.keys[state.index++]!
      if (typeof key === "symbol") continue
      m.charge(1)
      if (state.seen !== null && state.seen.has(key)) continue
      const enumerable = isEnumerable(m, state.object, key)
      if (enumerable === undefined) continue
      if (state.seen === null) state.passed.push(key)
      else state.seen.add(key)
      if (enumerable) return keyToValue(key)
    }
    const next = getPrototypeOf(m, state.object)
    m.charge(PROTOTYPE_STEPS)
    state.index = 0
    if (next === null || isSilent(m, next)) {
      state.object = null
      state.keys = []
    } else {
      state.object = next
      state.seen ??= new Set(state.passed)
      state.passed = []
      state.keys = keysOf(m, next)
    }
  }
  return undefined
}
