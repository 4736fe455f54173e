import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  Attribute,
  call,
  type Calls,
  complete,
  enumerableOwnKeys,
  ExoticKind,
  get,
  getV,
  HOLE,
  indexKey,
  isArray,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  Pause,
  type Shape,
  toNumber,
  toString,
  type Value,
} from "../object/index.ts"
import {
  boundaryDefaults,
  BoundaryError,
  type BoundaryOptions,
  type BoundaryProblem,
  pathTo,
  type Place,
} from "./boundary-error.ts"
import { type Json, JsonBuilder } from "./json-builder.ts"

export type { Json } from "./json-builder.ts"

/** So many values are converted between two pauses. */
const BLOCK = 8192

/** One level of nesting; reused by every container at that depth, so that rows of a table share their list of keys. */
class Level implements Place {
  source: JSObject | null = null
  keys: Array<string | number> | null = null
  /** For an object of a shared shape: that shape, and the slots of the keys. */
  shape: Shape | null = null
  slots: Array<number> = []
  count = 0
  index = 0
}

const REASONS: Partial<Record<BoundaryProblem, string>> = {
  promise: "is a promise: use `await` to get its value first",
  function: "is a function, which JSON cannot hold",
  symbol: "is a symbol, which JSON cannot hold",
  bigint: "is a bigint, which JSON cannot hold: convert it with Number(...) or String(...)",
}

/**
 * The host's JSON of a guest value, as `JSON.stringify` would see it, https://tc39.es/ecma262/#sec-serializejsonproperty,
 * except that what would be lost or fail there (a function, symbol, promise, bigint or cycle) throws a `BoundaryError`, and
 * nesting and size are limited. Runs the program's `toJSON` methods and getters.
 */
export function* toJson(m: Machine, value: Value, options: Partial<BoundaryOptions> = {}): Calls<Json> {
  const { maxDepth, maxSize, root } = { ...boundaryDefaults, ...options }
  const json = new JsonBuilder()
  const levels: Array<Level> = []
  let depth = 0
  // The last shared shape that was found to have no `toJSON`, and when.
  let plainShape: Shape | null = null
  let plainEpoch = -1
  let count = 0

  const fail = (problem: BoundaryProblem, reason = REASONS[problem]!, promise?: JSObject): BoundaryError =>
    new BoundaryError(problem, pathTo(root, levels, depth), reason, promise)

  const enter = (o: JSObject): void => {
    for (let i = 0; i < depth; i++) {
      if (levels[i]!.source === o) {
        throw fail("cycle", `is a cycle: it is the same object as ${pathTo(root, levels, i)}`)
      }
    }
    if (depth === maxDepth) throw fail("depth", `is nested deeper than ${maxDepth} levels`)
    const level = levels[depth] ??= new Level()
    // Annotated, so that the compiler does not conclude that all objects are arrays.
    const hasElements: boolean = isArray(m, o)
    if (hasElements) {
      level.keys = null
      level.count = lengthOfArrayLike(m, o)
      json.openArray()
    } else {
      if (o.kind >= ExoticKind.First || o.shape.dictionary) {
        level.shape = null
        level.keys = enumerableOwnKeys(m, o)
      } else if (level.shape !== o.shape || level.keys === null) {
        const { count, table } = level.shape = o.shape
        level.keys = []
        level.slots = []
        for (let i = 0; i < count; i++) {
          const key = table.keys[i]
          if (typeof key === "string" && (table.flags[i]! & Attribute.Enumerable) !== 0) {
            level.keys.push(key)
            level.slots.push(i)
          }
        }
      }
      level.count = level.keys.length
      json.openObject()
    }
    level.source = o
    level.index = 0
    depth++
    m.charge(2)
    if (json.size > maxSize) throw fail("size", `is more than ${maxSize} bytes`)
  }

  /** Whether a property `toJSON` is sure not to be found on an ordinary object. */
  const hasNoToJson = (o: JSObject): boolean => {
    complete(o)
    const { shape } = o
    if (o.kind >= ExoticKind.First || shape.dictionary) return false
    if (shape === plainShape && shape.space.epoch === plainEpoch) return true
    for (let p: JSObject | null = o; p !== null; p = p.shape.proto) {
      if (p.kind >= ExoticKind.First || p.shape.lookup("toJSON") >= 0) return false
    }
    plainShape = shape
    plainEpoch = shape.space.epoch
    return true
  }

  /** The key of the value being converted, as `toJSON` receives it. */
  const currentKey = (): string => {
    if (depth === 0) return ""
    const { index, keys } = levels[depth - 1]!
    return String(keys === null ? index - 1 : keys[index - 1])
  }

  for (;;) {
    // `value` is one to be written here; `level` is the container it is in.
    const level = depth === 0 ? null : levels[depth - 1]!
    if ((typeof value === "object" && value !== null && !hasNoToJson(value)) || typeof value === "bigint") {
      const fn = getV(m, value, "toJSON")
      if (isCallable(fn)) value = yield call(fn, value, [currentKey()])
    }
    if (isObject(value)) {
      switch (value.kind) {
        case Kind.Number:
          value = toNumber(m, value)
          break
        case Kind.String:
          value = toString(m, value)
          break
        case Kind.Boolean:
        case Kind.BigInt:
          value = value.data as Value
          break
        case Kind.Promise:
          throw fail("promise", undefined, value)
      }
    }
    if (value === undefined && level !== null && level.keys !== null) {
      // A property that is left out.
    } else {
      if (level !== null && level.keys !== null) json.key(level.keys[level.index - 1]!)
      switch (typeof value) {
        case "string":
          m.charge(value.length >>> 6)
          json.primitive(value)
          break
        case "number":
          json.primitive(Number.isFinite(value) ? value + 0 : null)
          break
        case "boolean":
          json.primitive(value)
          break
        case "undefined":
          json.primitive(null)
          break
        case "symbol":
        case "bigint":
          throw fail(typeof value as "symbol" | "bigint")
        default:
          if (value === null) json.primitive(null)
          else if (isCallable(value)) throw fail("function")
          else enter(value)
      }
    }

    // On to the next value.
    for (;;) {
      if (depth === 0) {
        m.converted = json.size
        return json.result
      }
      const { index, keys, source } = levels[depth - 1]!
      const next = levels[depth - 1]!
      if (index < next.count) {
        next.index = index + 1
        m.charge(1)
        if (++count % BLOCK === 0) yield Pause
        if (json.size > maxSize) throw fail("size", `is more than ${maxSize} bytes`)
        const o = source!
        if (keys === null) {
          const element = o.kind === Kind.Array && index < o.data.length ? o.data[index] : HOLE
          value = element === HOLE ? get(m, o, indexKey(index)) : element
        } else if (o.kind < ExoticKind.First) {
          const slot = o.shape === next.shape ? next.slots[index]! : o.shape.lookup(keys[index]!)
          const found = slot < 0 ? get(m, o, keys[index]!) : o.slots[slot]
          value = !(found instanceof Accessor)
            ? found
            : found.get === undefined
            ? undefined
            : yield call(found.get, o, [])
        } else value = get(m, o, keys[index]!)
        break
      }
      next.source = null
      depth--
      json.close()
    }
  }
}
