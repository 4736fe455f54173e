import type { Agent } from "./agent.ts"
import { toLength } from "./convert.ts"
import { get } from "./internal-methods.ts"
import { isOutOfBounds, viewOf } from "./typed-array.ts"
import { HOLE, indexKey, type JSObject, Kind, newElements, type Value } from "./value.ts"

/** What a step gives after the last value. Never a guest value. */
export const DONE: unique symbol = Symbol("done")

/**
 * The state of a built-in iterator that can be stepped without a guest call: the `data` of an object of `Kind.Iterator`.
 * Its `next` is a native whose definition has the same brand as its `stepper`; calling that native on that object and
 * calling `step` are the same, which is how loops go without result objects.
 */
export interface BuiltinIterator {
  readonly brand: string
  step(m: Agent): Value | typeof DONE
}

/** What an array of a key and a value takes. */
export const ENTRY_BYTES = 168

/** What an iterator gives of each entry. */
export const enum IterationKind {
  Keys = 0,
  Values = 1,
  Entries = 2,
}

/** https://tc39.es/ecma262/#sec-createarrayiterator */
export class ArrayIterator implements BuiltinIterator {
  readonly brand = "Array Iterator"
  position = 0

  constructor(
    /** What is iterated; undefined once that is over. */
    public target: JSObject | undefined,
    readonly kind: number,
  ) {}

  step(m: Agent): Value | typeof DONE {
    const target = this.target
    if (target === undefined) return DONE
    const position = this.position
    if (target.kind === Kind.Array) {
      const elements: Array<Value> = target.data
      if (position >= elements.length) {
        this.target = undefined
        return DONE
      }
      if (this.kind === IterationKind.Values) {
        const value = elements[position]
        if (value !== HOLE) {
          this.position = position + 1
          return value
        }
      }
    }
    // What throws ends the iteration.
    this.target = undefined
    const length = target.kind === Kind.TypedArray ? iteratedLength(m, target) : toLength(m, get(m, target, "length"))
    if (position >= length) return DONE
    const result = this.kind === IterationKind.Keys ? position : get(m, target, indexKey(position))
    this.target = target
    this.position = position + 1
    if (this.kind !== IterationKind.Entries) return result
    m.allocate(ENTRY_BYTES)
    return m.realm.newArray(newElements(position, result))
  }
}

const iteratedLength = (m: Agent, target: JSObject): number => {
  if (isOutOfBounds(target)) throw m.typeError("Cannot perform %ArrayIteratorPrototype%.next on a detached ArrayBuffer")
  return viewOf(target).length
}

export const newArrayIterator = (m: Agent, target: JSObject, kind: number): JSObject => {
  m.allocate(64)
  return m.realm.newObjectOf(Kind.Iterator, "ArrayIteratorPrototype", new ArrayIterator(target, kind))
}
