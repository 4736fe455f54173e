import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  type Calls,
  type JSObject,
  newElements,
  type PropertyKey,
  type Value,
} from "../object/index.ts"
import {
  DONE,
  hold,
  iteratorCloseAll,
  iteratorCloseAllThrow,
  type IteratorRecord,
  iteratorStep,
  iteratorStepValue,
} from "./iteration.ts"

export type ZipMode = "shortest" | "longest" | "strict"

/** What `Iterator.zip` and `Iterator.zipKeyed` step through. */
export interface Zip {
  /** By place; null for one that is exhausted. */
  readonly iterators: Array<IteratorRecord | null>
  readonly mode: ZipMode
  readonly padding: ReadonlyArray<Value>
  /** The keys of the results, or null if those are arrays. */
  readonly keys: ReadonlyArray<PropertyKey> | null
}

const remove = (open: Array<IteratorRecord>, record: IteratorRecord): void => {
  const index = open.indexOf(record)
  if (index >= 0) open.splice(index, 1)
}

const lengthsDiffer = (m: Machine) => m.typeError("Iterator.zip in strict mode: the iterators have different lengths")

/** https://tc39.es/ecma262/#sec-iteratorzip */
export function* stepZip(m: Machine, zip: Zip, open: Array<IteratorRecord>): Calls<Value | typeof DONE> {
  const { iterators, mode, padding } = zip
  if (iterators.length === 0) return DONE
  const results: Array<Value> = newElements()
  hold(m, results)
  m.charge(iterators.length)
  m.allocate(64 + iterators.length * 16)
  for (let i = 0; i < iterators.length; i++) {
    const record = iterators[i]!
    if (record === null) {
      results.push(padding[i])
      continue
    }
    let value: Value | typeof DONE
    try {
      value = yield* iteratorStepValue(m, record)
    } catch (error) {
      remove(open, record)
      return yield* iteratorCloseAllThrow(m, open, error)
    }
    if (value !== DONE) {
      results.push(value)
      continue
    }
    remove(open, record)
    if (mode === "shortest") {
      yield* iteratorCloseAll(m, open)
      return DONE
    }
    if (mode === "strict") {
      if (i > 0) return yield* iteratorCloseAllThrow(m, open, lengthsDiffer(m))
      return yield* requireExhausted(m, iterators, open)
    }
    if (open.length === 0) return DONE
    iterators[i] = null
    results.push(padding[i])
  }
  return finishResults(m, zip, results)
}

/** In strict mode, once the first iterator is exhausted: so are the others, or the lengths differ. */
function* requireExhausted(m: Machine, iterators: Zip["iterators"], open: Array<IteratorRecord>): Calls<typeof DONE> {
  for (let k = 1; k < iterators.length; k++) {
    const record = iterators[k]!
    let result: Value | typeof DONE
    try {
      result = yield* iteratorStep(m, record)
    } catch (error) {
      remove(open, record)
      return yield* iteratorCloseAllThrow(m, open, error)
    }
    if (result !== DONE) return yield* iteratorCloseAllThrow(m, open, lengthsDiffer(m))
    remove(open, record)
  }
  return DONE
}

const finishResults = (m: Machine, { keys }: Zip, results: Array<Value>): JSObject => {
  if (keys === null) return m.realm.newArray(results)
  const result = m.realm.newObjectWith(null)
  for (let i = 0; i < keys.length; i++) addProperty(result, keys[i]!, results[i], Attribute.All)
  return result
}
