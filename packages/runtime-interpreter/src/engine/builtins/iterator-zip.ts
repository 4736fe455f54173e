import type { Machine } from "../machine/machine.ts"
import {
  type Calls,
  describe,
  type GeneratorNative,
  get,
  getOwnProperty,
  isObject,
  type JSObject,
  newElements,
  ownKeys,
  type PropertyKey,
  type Value,
} from "../object/index.ts"
import {
  DONE,
  getIterator,
  getIteratorFlattenable,
  hold,
  iteratorClose,
  iteratorCloseAllThrow,
  type IteratorRecord,
  iteratorStepValue,
} from "./iteration.ts"
import { HelperKind, IteratorHelper, newHelper } from "./iterator-helper.ts"
import type { Zip, ZipMode } from "./iterator-zip-step.ts"

interface ZipOptions {
  readonly mode: ZipMode
  readonly padding: JSObject | undefined
}

const readOptions = (m: Machine, options: Value): ZipOptions => {
  if (options === undefined) return { mode: "shortest", padding: undefined }
  if (!isObject(options)) throw m.typeError(`${describe(options)} is not an object`)
  const given = get(m, options, "mode")
  const mode = given === undefined ? "shortest" : given
  if (mode !== "shortest" && mode !== "longest" && mode !== "strict") {
    throw m.typeError(`${describe(mode)} is not a mode of zipping: "shortest", "longest" or "strict"`)
  }
  const padding = mode === "longest" ? get(m, options, "padding") : undefined
  if (padding !== undefined && !isObject(padding)) throw m.typeError(`${describe(padding)} is not an object`)
  return { mode, padding }
}

const newZip = (
  m: Machine,
  iterators: Array<IteratorRecord>,
  mode: ZipMode,
  padding: Array<Value>,
  keys: Zip["keys"],
): JSObject => {
  const helper = new IteratorHelper(HelperKind.Zip, iterators.slice())
  helper.zip = { iterators, mode, padding, keys }
  return newHelper(m, helper)
}

/** https://tc39.es/ecma262/#sec-iterator.zip */
export const zip: GeneratorNative<Machine> = function*(m, _self, args) {
  const iterables = args[0]
  if (!isObject(iterables)) throw m.typeError(`${describe(iterables)} is not an object`)
  const { mode, padding: paddingOption } = readOptions(m, args[1])
  const iterators: Array<IteratorRecord> = []
  const input = yield* getIterator(m, iterables)
  hold(m, [input, iterators])
  for (;;) {
    m.charge(1)
    m.allocate(64)
    let next: Value | typeof DONE
    try {
      next = yield* iteratorStepValue(m, input)
    } catch (error) {
      return yield* iteratorCloseAllThrow(m, iterators, error)
    }
    if (next === DONE) break
    try {
      iterators.push(yield* getIteratorFlattenable(m, next, false))
    } catch (error) {
      return yield* iteratorCloseAllThrow(m, [input, ...iterators], error)
    }
  }
  const padding: Array<Value> = newElements()
  if (mode === "longest" && paddingOption !== undefined) {
    try {
      yield* readPadding(m, paddingOption, padding, iterators.length)
    } catch (error) {
      return yield* iteratorCloseAllThrow(m, iterators, error)
    }
  }
  return newZip(m, iterators, mode, padding, null)
}

/** One padding value for each iterator, as far as there are any. */
function* readPadding(m: Machine, iterable: JSObject, padding: Array<Value>, count: number): Calls<void> {
  const record = yield* getIterator(m, iterable)
  while (padding.length < count) {
    const value = yield* iteratorStepValue(m, record)
    if (value === DONE) return
    padding.push(value)
  }
  yield* iteratorClose(m, record)
}

/** https://tc39.es/ecma262/#sec-iterator.zipkeyed */
export const zipKeyed: GeneratorNative<Machine> = function*(m, _self, args) {
  const iterables = args[0]
  if (!isObject(iterables)) throw m.typeError(`${describe(iterables)} is not an object`)
  const { mode, padding: paddingOption } = readOptions(m, args[1])
  const iterators: Array<IteratorRecord> = []
  const keys: Array<PropertyKey> = []
  const padding: Array<Value> = newElements()
  const allKeys = ownKeys(m, iterables)
  hold(m, [iterables, iterators])
  try {
    for (const key of allKeys) {
      m.charge(2)
      if (getOwnProperty(m, iterables, key)?.enumerable !== true) continue
      const value = get(m, iterables, key)
      if (value === undefined) continue
      keys.push(key)
      iterators.push(yield* getIteratorFlattenable(m, value, false))
    }
    if (mode === "longest" && paddingOption !== undefined) {
      for (const key of keys) padding.push(get(m, paddingOption, key))
    }
  } catch (error) {
    return yield* iteratorCloseAllThrow(m, iterators, error)
  }
  return newZip(m, iterators, mode, padding, keys)
}
