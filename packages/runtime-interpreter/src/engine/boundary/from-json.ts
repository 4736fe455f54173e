import {
  addProperty,
  type Agent,
  Attribute,
  CHUNK,
  JSObject,
  Kind,
  newElements,
  newElementsFor,
  type PartialData,
  type Shape,
  take,
  type Tape,
  toKey,
  type Value,
} from "../object/index.ts"
import {
  boundaryDefaults,
  BoundaryError,
  type BoundaryOptions,
  type BoundaryProblem,
  pathTo,
} from "./boundary-error.ts"
import { inspect, read, UNREADABLE, valuesOf } from "./host-data.ts"
import { bitsOf, Layout, Level, NOTHING, Site } from "./levels.ts"

/** The place of a property that is left out, for its value is `undefined`. Never a guest value. */
const ABSENT: unique symbol = Symbol("absent")

/** Estimated bytes of an object or array without its elements. */
const OBJECT_SIZE = 64

/** So many values are copied between two pauses. Objects and arrays of as many are copied in steps of their own. */
const BLOCK = 4096

/** In arrays of so many elements, what is inside of objects is left on a tape until the program looks. */
const MANY_ROWS = 16

/** How many values the first chunk of a tape has room for: small results are many. */
const FIRST_CHUNK = 512

/** Made when it is first needed, and never written to: its copies are as long as they will be. */
let blank: ReadonlyArray<undefined> | undefined

/** Arrays and objects of more values are made at once. */
const MAX_LEFT = CHUNK - 2

const REASONS = {
  function: "is a function, which JSON cannot hold",
  symbol: "is a symbol, which JSON cannot hold",
  bigint: "is a bigint, which JSON cannot hold",
  unreadable: "could not be read",
} as const

/** Reads and checks the host's data, and makes the guest's of it. What is inside of the rows of tables is not made before it is read. */
class Copy {
  private readonly levels: Array<Level> = []
  private depth = 0
  private size = 0
  private metered = 0
  /** How many values come before the next pause. */
  private left = BLOCK - 1
  private readonly root = new Site()
  private readonly tape: Tape = []
  /** The last chunk of the tape, and how much of it is written. */
  private chunk: Array<unknown> = NOTHING
  private at = 0
  result: Value = undefined

  constructor(private readonly m: Agent, private readonly options: BoundaryOptions) {}

  /** Begins. Answers whether that was all. */
  start(json: unknown): boolean {
    if (typeof json === "object" && json !== null) {
      this.enter(json, null)
      return false
    }
    const value = this.primitive(json)
    this.meter()
    this.result = value === ABSENT ? null : value
    return true
  }

  /** Goes on until all is copied, or it is time for a pause. Answers whether all is. */
  advance(): boolean {
    for (;;) {
      const level = this.levels[this.depth - 1]!
      if (level.index < level.count) {
        if (!this.read(level)) return false
      } else {
        if (level.count >= BLOCK && level.keys !== null && !this.build(level)) return false
        this.leave(level)
        if (this.depth === 0) {
          this.meter()
          this.trim()
          return true
        }
      }
    }
  }

  private fail(problem: BoundaryProblem, reason: string): BoundaryError {
    return new BoundaryError(problem, pathTo(this.options.root, this.levels, this.depth), reason)
  }

  /** Pays for what was made since the last time. */
  private meter(): void {
    const { m, options, size } = this
    if (size > options.maxSize) throw this.fail("size", `is more than ${options.maxSize} bytes`)
    m.allocate(size - this.metered)
    this.metered = size
  }

  private enter(source: object, outer: Level | null): void {
    const { depth, levels, m } = this
    for (let i = 0; i < depth; i++) {
      if (levels[i]!.source === source) {
        throw this.fail("cycle", `is a cycle: it is the same object as ${pathTo(this.options.root, levels, i)}`)
      }
    }
    const { maxDepth } = this.options
    if (depth === maxDepth) throw this.fail("depth", `is nested deeper than ${maxDepth} levels`)
    const level = levels[depth] ??= new Level()
    const site = outer === null ? this.root : outer.siteOfValue
    const { last } = site
    const found = inspect(source, last === null ? null : last.keys)
    if (found === null) throw this.fail("unreadable", REASONS.unreadable)
    const isArray = typeof found === "number"
    if (!isArray && !Array.isArray(found)) {
      throw this.fail("instance", `is an instance of ${found.className}, which JSON cannot hold`)
    }
    const count = isArray ? found : found.length
    this.size += OBJECT_SIZE + count * 8
    this.meter()
    // Of many, a block is paid for before it is copied, so that the machine stops between blocks.
    m.charge(count < BLOCK ? 1 + count : 1)
    level.source = source
    level.count = count
    level.index = 0
    level.site = site
    level.left = level.paid = 0
    level.object = null
    level.holdsPlaces = level.isMixed = false
    level.isOneOfMany = outer !== null && (outer.isOneOfMany || (outer.keys === null && outer.count >= MANY_ROWS))
    if (isArray) {
      level.keys = level.layout = null
      level.isLarge = false
    } else {
      level.keys = found
      level.isLarge = count >= BLOCK
      level.hasAbsent = false
      level.layout = level.isLarge ? null : last !== null && found === last.keys ? last : site.find(found)
    }
    level.isLeft = count <= MAX_LEFT && (isArray || level.layout !== null) && outer !== null && outer.canHoldPlace
    level.readsEach = level.isLarge || level.isLeft
    if (level.isLeft) level.toTape()
    else level.out = isArray ? newElementsFor(count) : level.isLarge ? newElements() : valuesOf(source, found)
    this.depth = depth + 1
  }

  /** Reads the values of a level up to the next array or object. Answers false for a pause. */
  private read(level: Level): boolean {
    const { count, keys, out, readsEach } = level
    while (level.index < count) {
      if (this.left-- === 0) {
        this.left = BLOCK
        return false
      }
      const i = level.index++
      if (count >= BLOCK && i % BLOCK === 0) this.m.charge(Math.min(BLOCK, count - i))
      const value: unknown = keys === null ? read(level.source, i) : readsEach ? read(level.source, keys[i]!) : out[i]
      if (typeof value === "object" && value !== null) {
        this.enter(value, level)
        return true
      }
      const own = this.primitive(value)
      if (own === ABSENT && keys !== null) {
        level.hasAbsent = true
        out[i] = ABSENT
      } else {
        if (level.holdsPlaces) this.takeElements(level)
        out[i] = own === ABSENT ? null : own
      }
    }
    return true
  }

  /** The guest's form of a value that is no array or object; `ABSENT` for `undefined`. */
  private primitive(value: unknown): Value | typeof ABSENT {
    switch (typeof value) {
      case "string":
        if (value.length > this.m.maxStringLength) {
          throw this.fail("size", `is a text of more than ${this.m.maxStringLength} characters`)
        }
        this.size += value.length * 2
        return value
      case "number":
        return Number.isFinite(value) ? value : null
      case "boolean":
        return value
      case "undefined":
        return ABSENT
      case "symbol":
        throw value === UNREADABLE
          ? this.fail("unreadable", REASONS.unreadable)
          : this.fail("symbol", REASONS.symbol)
      case "function":
      case "bigint":
        throw this.fail(typeof value as "function" | "bigint", REASONS[typeof value as "function" | "bigint"])
      default:
        return null
    }
  }

  /** Ends a level all values of which are there. */
  private leave(level: Level): void {
    if (level.isLeft) {
      if (this.leaveBehind(level)) return
      level.keep()
    }
    const value = this.made(level)
    level.source = undefined
    if (--this.depth === 0) {
      this.result = value
      return
    }
    const outer = this.levels[this.depth - 1]!
    if (outer.holdsPlaces) this.takeElements(outer)
    outer.out[outer.index - 1] = value
  }

  /** The guest's value of a level. */
  private made(level: Level): JSObject {
    const { keys, layout, object, out } = level
    if (keys === null) return new JSObject(this.m.realm.arrayShape, newElements(), Kind.Array, out)
    if (object !== null) return object
    if (layout === null || level.hasAbsent) return this.first(level, keys)
    const partial = level.left === 0 ? null : layout.partial(level.left, this.tape)
    if (partial !== null) return new JSObject(partial.shape, out, Kind.Partial, partial)
    this.takeProperties(level)
    return new JSObject(layout.shape, out, Kind.Ordinary, undefined)
  }

  /** An object that is like none before, or has properties that are left out. */
  private first(level: Level, keys: Array<string>): JSObject {
    this.takeProperties(level)
    const { out } = level
    const o = this.m.realm.newObject()
    for (let i = 0; i < keys.length; i++) add(o, keys[i]!, out[i])
    if (!level.hasAbsent && !o.shape.dictionary) level.site.add(new Layout(keys, o.shape))
    return o
  }

  /** Makes an object of very many properties, in steps. Answers false for a pause. */
  private build(level: Level): boolean {
    const { count, out } = level
    const keys = level.keys!
    const o = level.object ??= this.m.realm.newObject()
    const end = Math.min(level.paid, count)
    for (let i = Math.max(0, level.paid - BLOCK); i < end; i++) add(o, keys[i]!, out[i])
    if (end === count) return true
    this.m.charge(BLOCK)
    level.paid += BLOCK
    return false
  }

  // The tape

  /** Puts what a level has on the tape, and its place there in the level above. Answers false if it cannot go there. */
  private leaveBehind(level: Level): boolean {
    const { count, layout } = level
    if (layout === null) return this.write(level.holdsPlaces ? ~count : count, this.m.realm.arrayShape, level)
    if (level.hasAbsent) return false
    if (level.left === 0) return this.write(layout.shape, null, level)
    const partial = layout.partial(level.left, this.tape)
    return partial === null ? false : this.write(partial, null, level)
  }

  private write(head: number | Shape | PartialData, shape: Shape | null, level: Level): true {
    const { count: length, out: values } = level
    if (this.at + length + 2 > this.chunk.length) this.nextChunk(length + 2)
    const { chunk } = this
    let { at } = this
    const place = (this.tape.length - 1) * CHUNK + at
    chunk[at++] = head
    if (shape !== null) chunk[at++] = shape
    for (let i = 0; i < length; i++) chunk[at++] = values[i]
    this.at = at
    level.source = undefined
    this.depth--
    const outer = this.levels[this.depth - 1]!
    const i = outer.index - 1
    outer.out[i] = place
    if (outer.keys === null) outer.holdsPlaces = true
    else outer.left |= 1 << i
    return true
  }

  private nextChunk(length: number): void {
    this.trim()
    this.chunk = (blank ??= Array.from({ length: CHUNK }, () => undefined)).slice(
      0,
      this.tape.length === 0 ? Math.max(FIRST_CHUNK, length) : CHUNK,
    )
    this.tape.push(this.chunk)
    this.at = 0
  }

  private trim(): void {
    this.chunk.length = this.at
  }

  /** Makes the elements of an array that are on the tape, since it gets another one: it has places for all elements, or for none. */
  private takeElements(level: Level): void {
    const { out } = level
    level.holdsPlaces = false
    level.isMixed = true
    for (let i = 0; i < level.index - 1; i++) out[i] = take(this.tape, out[i])
  }

  /** Makes the values of an object that are on the tape. */
  private takeProperties(level: Level): void {
    if (level.left === 0) return
    const { out } = level
    for (const i of bitsOf(level.left)) out[i] = take(this.tape, out[i])
    level.left = 0
  }
}

const add = (o: JSObject, key: string, value: unknown): void => {
  if (value !== ABSENT) addProperty(o, toKey(key), value, Attribute.All)
}

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

/** The same in steps, for large values. */
export function* fromJsonSteps(
  m: Agent,
  json: unknown,
  options: Partial<BoundaryOptions> = {},
): Generator<undefined, Value> {
  const copy = new Copy(m, { ...boundaryDefaults, ...options })
  if (!copy.start(json)) { while (!copy.advance()) yield }
  return copy.result
}
