import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  Attribute,
  call,
  type Calls,
  enumerableOwnKeys,
  get,
  getV,
  HOLE,
  indexKey,
  isArrayObject,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  lengthOfArrayLike,
  type ProxyData,
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
import { JsonBuilder, JsonText, type Sink } from "./json-sink.ts"
import type { Json } from "./json-sink.ts"

export type { Json } from "./json-sink.ts"

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

/** https://tc39.es/ecma262/#sec-isarray */
const isArray = (m: Machine, o: JSObject): boolean => {
  while (o.kind === Kind.Proxy) {
    const { target } = o.data as ProxyData
    if (target === null) throw m.typeError("Cannot perform 'IsArray' on a proxy that has been revoked")
    o = target
  }
  return isArrayObject(o)
}

const REASONS: Partial<Record<BoundaryProblem, string>> = {
  promise: "is a promise: use `await` to get its value first",
  function: "is a function, which JSON cannot hold",
  symbol: "is a symbol, which JSON cannot hold",
  bigint: "is a bigint, which JSON cannot hold: convert it with Number(...) or String(...)",
}

/**
 * Tells a sink what `JSON.stringify` would write, https://tc39.es/ecma262/#sec-serializejsonproperty, except that what would
 * be lost or fail there (a function, symbol, promise, bigint or cycle) throws a `BoundaryError`, and nesting is limited.
 */
function* serialize(m: Machine, value: Value, sink: Sink, options: BoundaryOptions): Calls<void> {
  const { maxDepth, maxSize, root } = options
  const levels: Array<Level> = []
  let depth = 0
  // The last shared shape that was found to have no `toJSON`, and when.
  let plainShape: Shape | null = null
  let plainEpoch = -1

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
    if (isArray(m, o)) {
      level.keys = null
      level.count = lengthOfArrayLike(m, o)
      sink.openArray()
    } else {
      if (o.kind >= Kind.FirstExotic || o.shape.dictionary) {
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
      sink.openObject()
    }
    level.source = o
    level.index = 0
    depth++
    m.charge(2)
    if (sink.size > maxSize) throw fail("size", `is more than ${maxSize} bytes`)
  }

  /** Whether a property `toJSON` is sure not to be found on an ordinary object. */
  const hasNoToJson = (o: JSObject): boolean => {
    const { shape } = o
    if (o.kind >= Kind.FirstExotic || shape.dictionary) return false
    if (shape === plainShape && shape.space.epoch === plainEpoch) return true
    for (let p: JSObject | null = o; p !== null; p = p.shape.proto) {
      if (p.kind >= Kind.FirstExotic || p.shape.lookup("toJSON") >= 0) return false
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
      if (level !== null && level.keys !== null) sink.key(level.keys[level.index - 1]!)
      switch (typeof value) {
        case "string":
          m.charge(value.length >>> 6)
          sink.primitive(value)
          break
        case "number":
          sink.primitive(Number.isFinite(value) ? value + 0 : null)
          break
        case "boolean":
          sink.primitive(value)
          break
        case "undefined":
          sink.primitive(null)
          break
        case "symbol":
        case "bigint":
          throw fail(typeof value as "symbol" | "bigint")
        default:
          if (value === null) sink.primitive(null)
          else if (isCallable(value)) throw fail("function")
          else enter(value)
      }
    }

    // On to the next value.
    for (;;) {
      if (depth === 0) return
      const { index, keys, source } = levels[depth - 1]!
      const next = levels[depth - 1]!
      if (index < next.count) {
        next.index = index + 1
        m.charge(1)
        if (sink.size > maxSize) throw fail("size", `is more than ${maxSize} bytes`)
        const o = source!
        if (keys === null) {
          const element = o.kind === Kind.Array && index < o.data.length ? o.data[index] : HOLE
          value = element === HOLE ? get(m, o, indexKey(index)) : element
        } else if (o.kind < Kind.FirstExotic) {
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
      sink.close()
    }
  }
}

/**
 * The host's JSON of a guest value, as `JSON.stringify` would see it. Runs the program's `toJSON` methods and getters.
 * Throws a `BoundaryError` for what cannot cross.
 */
export function* toJson(m: Machine, value: Value, options: Partial<BoundaryOptions> = {}): Calls<Json> {
  const sink = new JsonBuilder()
  yield* serialize(m, value, sink, { ...boundaryDefaults, ...options })
  return sink.result
}

/** The same as text, without building the value in between. */
export function* toJsonText(m: Machine, value: Value, options: Partial<BoundaryOptions> = {}): Calls<string> {
  const sink = new JsonText()
  yield* serialize(m, value, sink, { ...boundaryDefaults, ...options })
  return sink.result
}
