import {
  addProperty,
  type Agent,
  Attribute,
  JSObject,
  Kind,
  newElements,
  newElementsFor,
  type Shape,
  toKey,
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

/** The place of a property that is left out, for its value is `undefined`. Never a guest value. */
const ABSENT: unique symbol = Symbol("absent")

/** What reading gives where the host's object threw. */
const UNREADABLE: unique symbol = Symbol("unreadable")

/** Estimated bytes of an object or array without its elements. */
const OBJECT_SIZE = 64

/** One level of nesting; reused by every container at that depth, so that rows of a table find the shape of the row before. */
class Level implements Place {
  source: any = undefined
  keys: Array<string> | null = null
  count = 0
  index = 0
  /** An array's elements so far; an object's values in order of the keys, converted as far as `index`. */
  out: Array<unknown> = []
  /** Whether the object has so many keys that its values are read one by one: `out` has those so far. */
  isLarge = false
  /** Whether `out` has a property that is left out. */
  hasAbsent = false
  /** Keys of the last object at this depth, and its shape. */
  lastKeys: Array<string> | null = null
  lastShape: Shape | null = null
}

const sameKeys = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const read = (source: any, key: string | number): unknown => {
  try {
    return source[key]
  } catch {
    return UNREADABLE
  }
}

/** The values of an object, in a new array. */
const valuesOf = (source: object, keys: ReadonlyArray<string>): Array<unknown> => {
  try {
    const values = Object.values(source)
    if (values.length === keys.length) return values
  } catch {
    // Some getter throws, or a proxy plays tricks: it is found out below which value cannot be read.
  }
  return keys.map((key) => read(source, key))
}

/** Whether a plain object has these keys, found out without an array of them. */
const hasKeys = (source: object, keys: ReadonlyArray<string>): boolean => {
  // What the loop below would give of this is not the object's own.
  for (const _ in Object.prototype) return false
  let i = 0
  for (const key in source) if (keys[i++] !== key) return false
  return i === keys.length
}

/**
 * The length of an array, the keys of a plain object, the class of another object; null if looking fails. The keys are `last`, if it
 * has these.
 */
const inspect = (
  source: object,
  last: Array<string> | null,
): number | Array<string> | { readonly className: string } | null => {
  try {
    if (Array.isArray(source)) {
      // A proxy may say anything.
      const { length } = source
      return Number.isSafeInteger(length) && length >= 0 ? length : null
    }
    const proto: object | null = Object.getPrototypeOf(source)
    if (proto === Object.prototype && last !== null && hasKeys(source, last)) return last
    // The third case is a plain object of another realm.
    if (proto === null || proto === Object.prototype || Object.getPrototypeOf(proto) === null) {
      return Object.keys(source)
    }
    const className: unknown = (proto.constructor as { readonly name?: unknown } | undefined)?.name
    return { className: typeof className === "string" && /^[\w$]{1,64}$/.test(className) ? className : "a class" }
  } catch {
    return null
  }
}

const REASONS = {
  function: "is a function, which JSON cannot hold",
  symbol: "is a symbol, which JSON cannot hold",
  bigint: "is a bigint, which JSON cannot hold",
  unreadable: "could not be read",
} as const

/**
 * Makes a guest value of the host's JSON. The host's value never changes and is never shared: the program gets a copy.
 *
 * As in `JSON.stringify`, a property that is `undefined` is left out, `undefined` elsewhere is null, and so is a number that
 * is not finite. Anything else that is not JSON throws a `BoundaryError`: a function, symbol, bigint or cycle, an instance
 * of a class, nesting or size beyond the limits, an object that throws while it is read.
 */
export const fromJson = (m: Agent, json: unknown, options: Partial<BoundaryOptions> = {}): Value => {
  const steps = fromJsonSteps(m, json, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/** So many values are copied between two pauses. */
const BLOCK = 4096

/** The same in steps, for large values. */
export function* fromJsonSteps(
  m: Agent,
  json: unknown,
  options: Partial<BoundaryOptions> = {},
): Generator<undefined, Value> {
  const { maxDepth, maxSize, root } = { ...boundaryDefaults, ...options }
  const levels: Array<Level> = []
  let depth = 0
  let size = 0
  let metered = 0
  let copied = 0

  const fail = (problem: BoundaryProblem, reason: string): BoundaryError =>
    new BoundaryError(problem, pathTo(root, levels, depth), reason)

  /** Pays for what was made since the last time. */
  const meter = (): void => {
    if (size > maxSize) throw fail("size", `is more than ${maxSize} bytes`)
    m.allocate(size - metered)
    metered = size
  }

  const enter = (source: object): void => {
    for (let i = 0; i < depth; i++) {
      if (levels[i]!.source === source) {
        throw fail("cycle", `is a cycle: it is the same object as ${pathTo(root, levels, i)}`)
      }
    }
    if (depth === maxDepth) throw fail("depth", `is nested deeper than ${maxDepth} levels`)
    const level = levels[depth] ??= new Level()
    const found = inspect(source, level.lastKeys)
    if (found === null) throw fail("unreadable", REASONS.unreadable)
    const isArray = typeof found === "number"
    if (!isArray && !Array.isArray(found)) {
      throw fail("instance", `is an instance of ${found.className}, which JSON cannot hold`)
    }
    const count = isArray ? found : found.length
    size += OBJECT_SIZE + count * 8
    meter()
    // Of many, a block is paid for before it is copied, so that the machine stops between blocks.
    m.charge(count < BLOCK ? 1 + count : 1)
    level.source = source
    level.keys = isArray ? null : found
    level.count = count
    level.isLarge = !isArray && count >= BLOCK
    level.out = isArray ? newElementsFor(count) : level.isLarge ? [] : valuesOf(source, found)
    level.index = 0
    level.hasAbsent = false
    depth++
  }

  /** The guest object of a level whose values are all there. */
  const leave = (level: Level): JSObject => {
    const { keys, out } = level
    level.source = undefined
    depth--
    if (keys === null) return new JSObject(m.realm.arrayShape, newElements(), Kind.Array, out)
    if (!level.hasAbsent && level.lastKeys !== null && sameKeys(keys, level.lastKeys)) {
      return new JSObject(level.lastShape!, out, Kind.Ordinary, undefined)
    }
    const o = m.realm.newObject()
    for (let i = 0; i < keys.length; i++) {
      if (out[i] !== ABSENT) addProperty(o, toKey(keys[i]!), out[i], Attribute.All)
    }
    if (!level.hasAbsent && !o.shape.dictionary) {
      level.lastKeys = keys
      level.lastShape = o.shape
    }
    return o
  }

  /** The same of a level of many values. */
  function* leaveInSteps(level: Level): Generator<undefined, JSObject> {
    const { keys, out } = level
    if (keys === null) return leave(level)
    level.source = undefined
    depth--
    const o = m.realm.newObject()
    for (let i = 0; i < keys.length; i++) {
      if (i % BLOCK === 0) {
        m.charge(BLOCK)
        yield
      }
      if (out[i] !== ABSENT) addProperty(o, toKey(keys[i]!), out[i], Attribute.All)
    }
    return o
  }

  /** The guest's form of a value that is no array or object; `ABSENT` for `undefined`. */
  const primitive = (value: unknown): Value | typeof ABSENT => {
    switch (typeof value) {
      case "string":
        if (value.length > m.maxStringLength) {
          throw fail("size", `is a text of more than ${m.maxStringLength} characters`)
        }
        size += value.length * 2
        return value
      case "number":
        return Number.isFinite(value) ? value : null
      case "boolean":
        return value
      case "undefined":
        return ABSENT
      case "symbol":
        throw value === UNREADABLE ? fail("unreadable", REASONS.unreadable) : fail("symbol", REASONS.symbol)
      case "function":
      case "bigint":
        throw fail(typeof value as "function" | "bigint", REASONS[typeof value as "function" | "bigint"])
      default:
        return null
    }
  }

  if (typeof json !== "object" || json === null) {
    const value = primitive(json)
    meter()
    return value === ABSENT ? null : value
  }
  enter(json)
  for (;;) {
    const level = levels[depth - 1]!
    const { keys, out } = level
    if (level.index === level.count) {
      const object = level.count < BLOCK ? leave(level) : yield* leaveInSteps(level)
      if (depth === 0) {
        meter()
        return object
      }
      const outer = levels[depth - 1]!
      outer.out[outer.index - 1] = object
      continue
    }
    if (++copied % BLOCK === 0) yield
    const i = level.index++
    if (level.count >= BLOCK && i % BLOCK === 0) m.charge(Math.min(BLOCK, level.count - i))
    const value = keys === null ? read(level.source, i) : level.isLarge ? read(level.source, keys[i]!) : out[i]
    if (typeof value === "object" && value !== null) {
      enter(value)
      continue
    }
    const own = primitive(value)
    if (keys === null) out[i] = own === ABSENT ? null : own
    else if (own === ABSENT) {
      level.hasAbsent = true
      out[i] = ABSENT
    } else out[i] = own
  }
}
