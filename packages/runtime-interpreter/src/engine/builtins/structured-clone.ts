import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  allocateBytes,
  arrayCreate,
  Attribute,
  type BufferData,
  type Calls,
  Collection,
  complete,
  createDataPropertyOrThrow,
  DataViewData,
  defineGeneratorNative,
  describe,
  detachBuffer,
  enumerableOwnKeys,
  type GeneratorNative,
  get,
  getOwnProperty,
  HOLE,
  type Intrinsics,
  isArrayBuffer,
  isObject,
  isOutOfBounds,
  isTypedArray,
  JSObject,
  Kind,
  newElements,
  Pause,
  type Shape,
  toString,
  type TypedArrayData,
  type Value,
} from "../object/index.ts"
import { newArrayBuffer } from "./array-buffer.ts"
import { intrinsicFunction } from "./define.ts"
import { hold, listFromIterable } from "./iteration.ts"
import { newStandardRegExp } from "./regexp-exec.ts"
import { typedArrayOver } from "./typed-array-create.ts"
import { webError } from "./web-error.ts"

const notCloneable = (m: Machine, value: Value) =>
  webError(m, "DataCloneError", `${describe(value)} could not be cloned.`)

/** So many values are listed, or looked through for those that are to be cloned, between two pauses. */
const LISTED = 16384

/** In place of the next value: it is not found yet. Never a guest value. */
const LATER: unique symbol = Symbol("later")

/** An object whose copy exists already and is being filled. */
interface Filling {
  readonly target: JSObject
  /** Gives the values to be cloned, in order; `HOLE` after the last one. No code of the program runs until it is no more `LATER`. */
  next(): Value | typeof HOLE | typeof LATER
  /** Takes the copy of the value that `next` gave last. */
  put(copy: Value): void
}

const errorNames = new Set([
  "Error",
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
])

/** Whether a value is its own copy; a hole is, too. */
const isOwnCopy = (value: unknown): boolean => value === HOLE || (typeof value !== "symbol" && !isObject(value))

/** Lists some values a block at each call, until it says that all of them are listed. */
const inBlocks = <A>(values: Iterable<A>, list: (value: A) => void): () => boolean => {
  const iterator = values[Symbol.iterator]()
  let isListed = false
  return () => {
    for (let count = 0; !isListed && count < LISTED; count++) {
      const next = iterator.next()
      if (next.done === true) isListed = true
      else list(next.value)
    }
    return isListed
  }
}

/** One call of `structuredClone`. https://html.spec.whatwg.org/multipage/structured-data.html#structuredserializeinternal */
class Cloning {
  /** Copies by what they are copies of. */
  readonly copies = new Map<JSObject, JSObject>()
  readonly fillings: Array<Filling> = []

  constructor(readonly m: Machine) {}

  /** The copy of a value; an object's content is filled in later. */
  copy(value: Value): Value {
    if (typeof value === "symbol") throw notCloneable(this.m, value)
    if (!isObject(value)) return value
    const known = this.copies.get(value)
    if (known !== undefined) return known
    this.m.charge(40)
    this.m.allocate(128)
    const copy = this.shell(value)
    this.copies.set(value, copy)
    return copy
  }

  private shell(o: JSObject): JSObject {
    const { m } = this
    const { realm } = m
    complete(o)
    switch (o.kind) {
      case Kind.Boolean:
        return realm.newObjectOf(o.kind, "BooleanPrototype", o.data)
      case Kind.Number:
        return realm.newObjectOf(o.kind, "NumberPrototype", o.data)
      case Kind.BigInt:
        return realm.newObjectOf(o.kind, "BigIntPrototype", o.data)
      case Kind.String:
        return realm.newObjectOf(o.kind, "StringPrototype", o.data)
      case Kind.Date:
        return realm.newObjectOf(o.kind, "DatePrototype", o.data)
      case Kind.RegExp:
        // What it is made of never changes.
        return newStandardRegExp(m, o.data)
      case Kind.ArrayBuffer:
        return this.buffer(o)
      case Kind.TypedArray:
      case Kind.DataView:
        return this.view(o)
      case Kind.Map:
        return this.map(o.data)
      case Kind.Set:
        return this.set(o.data)
      case Kind.Error:
        return this.error(o)
      case Kind.Array:
        if (o.shape.count === 0) return this.elements(o)
        return this.properties(o, arrayCreate(m, o.data.length))
      case Kind.SlowArray:
        return this.properties(o, arrayCreate(m, o.data.length))
      case Kind.Ordinary:
        if (this.isPlain(o)) return this.plain(o)
        return this.properties(o, realm.newObject())
      case Kind.Arguments:
        return this.properties(o, realm.newObject())
      default:
        throw notCloneable(m, o)
    }
  }

  private buffer(o: JSObject): JSObject {
    const { m } = this
    const { bytes, detached, maxByteLength }: BufferData = o.data
    if (detached) throw webError(m, "DataCloneError", "An ArrayBuffer is detached and could not be cloned.")
    const copy = allocateBytes(m, bytes.length)
    m.charge(bytes.length >>> 6)
    copy.set(bytes)
    return newArrayBuffer(m, copy, maxByteLength)
  }

  private view(o: JSObject): JSObject {
    const { m } = this
    if (o.kind === Kind.TypedArray ? isOutOfBounds(o) : (o.data as DataViewData).byteLength < 0) {
      throw notCloneable(m, o)
    }
    const { buffer, byteOffset, fixedLength }: TypedArrayData | DataViewData = o.data
    const copy = this.copy(buffer) as JSObject
    return isTypedArray(o)
      ? typedArrayOver(m, (o.data as TypedArrayData).type, copy, byteOffset, fixedLength)
      : m.realm.newObjectOf(Kind.DataView, "DataViewPrototype", new DataViewData(copy, byteOffset, fixedLength))
  }

  private map(source: Collection): JSObject {
    const { m } = this
    const entries: Array<Value> = newElements()
    m.allocate(source.size * 80)
    const isListed = inBlocks(source.positions(), (at) => entries.push(source.keyAt(at), source.valueAt(at)))
    const table = new Collection()
    const target = m.realm.newObjectOf(Kind.Map, "MapPrototype", table)
    let i = 0
    let key: Value
    this.fillings.push({
      target,
      next: () => !isListed() ? LATER : i < entries.length ? entries[i] : HOLE,
      put: (copy) => {
        if (i++ % 2 === 0) key = copy
        else {
          m.charge(2 + table.cost(key))
          table.set(key, copy)
        }
      },
    })
    return target
  }

  private set(source: Collection): JSObject {
    const { m } = this
    m.allocate(source.size * 48)
    const members: Array<Value> = newElements()
    const isListed = inBlocks(source.positions(), (at) => members.push(source.keyAt(at)))
    const table = new Collection()
    const target = m.realm.newObjectOf(Kind.Set, "SetPrototype", table)
    let i = 0
    this.fillings.push({
      target,
      next: () => !isListed() ? LATER : i < members.length ? members[i] : HOLE,
      put: (copy) => {
        i++
        m.charge(2 + table.cost(copy))
        table.add(copy)
      },
    })
    return target
  }

  private error(o: JSObject): JSObject {
    const { m } = this
    const name = get(m, o, "name")
    const type = typeof name === "string" && errorNames.has(name) ? name : "Error"
    const target = m.realm.newObjectOf(Kind.Error, `${type}Prototype`, undefined)
    const parts: Array<readonly [key: string, value: Value]> = []
    for (const key of ["message", "stack", "cause"]) {
      const own = getOwnProperty(m, o, key)
      if (own !== undefined && "value" in own) parts.push([key, key === "cause" ? own.value : toString(m, own.value)])
    }
    let i = 0
    this.fillings.push({
      target,
      next: () => i < parts.length ? parts[i]![1] : HOLE,
      put: (copy) => addProperty(target, parts[i++]![0], copy, Attribute.Hidden),
    })
    return target
  }

  /** Fills in what of these values is to be cloned, in its place; the others are their own copies. */
  private copyWithin(target: JSObject, values: Array<Value>): JSObject {
    const { length } = values
    let i = 0
    /** Comes to the next one that is to be cloned, or to the end of a block without any. */
    const advance = (): boolean => {
      const end = Math.min(length, i + LISTED)
      while (i < end && isOwnCopy(values[i])) i++
      return i < end
    }
    if (!advance() && i === length) return target
    this.fillings.push({
      target,
      next: () => advance() ? values[i] : i < length ? LATER : HOLE,
      put: (copy) => {
        values[i++] = copy
      },
    })
    return target
  }

  /** An array that has nothing but its elements. */
  private elements(o: JSObject): JSObject {
    const { m } = this
    m.charge(o.data.length)
    m.allocate(o.data.length * 8)
    const values: Array<Value> = o.data.slice()
    return this.copyWithin(m.realm.newArray(values), values)
  }

  /** An object that has nothing but properties as assignment makes them, and the shape that its copy would have. */
  private plain(o: JSObject): JSObject {
    const { count } = o.shape
    this.m.charge(count)
    this.m.allocate(count * 8)
    const values: Array<Value> = o.slots.slice(0, count)
    return this.copyWithin(new JSObject(o.shape, values, Kind.Ordinary, undefined), values)
  }

  private isPlain(o: JSObject): boolean {
    const { shape } = o
    if (shape === this.plainShape) return true
    if (shape.dictionary || !shape.extensible || shape.proto !== this.m.realm.objectPrototype) return false
    for (let i = 0; i < shape.count; i++) {
      if (typeof shape.table.keys[i] !== "string" || shape.table.flags[i] !== Attribute.All) return false
    }
    this.plainShape = shape
    return true
  }
  /** The last shape that was found to be plain. */
  private plainShape: Shape | null = null

  private properties(o: JSObject, target: JSObject): JSObject {
    const { m } = this
    const keys = enumerableOwnKeys(m, o)
    m.allocate(keys.length * 16)
    let i = 0
    this.fillings.push({
      target,
      next: () => {
        // What a getter deleted is left out.
        while (i < keys.length && getOwnProperty(m, o, keys[i]!) === undefined) i++
        return i < keys.length ? get(m, o, keys[i]!) : HOLE
      },
      put: (copy) => createDataPropertyOrThrow(m, target, keys[i++]!, copy),
    })
    return target
  }
}

/** So many values are cloned between two pauses. */
const BLOCK = 512

function* clone(m: Machine, cloning: Cloning, value: Value): Calls {
  hold(m, cloning.copies)
  const result = cloning.copy(value)
  const { fillings } = cloning
  for (let count = 1; fillings.length > 0; count++) {
    m.charge(8)
    if (count % BLOCK === 0) yield Pause
    const filling = fillings[fillings.length - 1]!
    const next = filling.next()
    if (next === LATER) yield Pause
    else if (next === HOLE) fillings.pop()
    else filling.put(cloning.copy(next as Value))
  }
  return result
}

/** https://html.spec.whatwg.org/multipage/structured-data.html#dom-structuredclone */
const structuredClone: GeneratorNative<Machine> = function*(m, _this, args) {
  if (args.length === 0) throw m.typeError("The \"value\" argument must be specified")
  const options = args[1]
  if (options !== undefined && options !== null && !isObject(options)) {
    throw m.typeError("The \"options\" argument must be of type object")
  }
  const cloning = new Cloning(m)
  const requested = isObject(options) ? get(m, options, "transfer") : undefined
  const transferred = requested === undefined ? [] : yield* listFromIterable(m, requested)
  let count = 0
  for (const buffer of transferred) {
    m.charge(200)
    if (++count % BLOCK === 0) yield Pause
    if (!isArrayBuffer(buffer) || cloning.copies.has(buffer) || (buffer.data as BufferData).detached) {
      throw webError(m, "DataCloneError", `${describe(buffer)} could not be transferred.`)
    }
    cloning.copies.set(buffer, newArrayBuffer(m, allocateBytes(m, 0), (buffer.data as BufferData).maxByteLength))
  }
  const result = yield* clone(m, cloning, args[0])
  for (const buffer of transferred as Array<JSObject>) {
    m.charge(20)
    if (++count % BLOCK === 0) yield Pause
    const data: BufferData = buffer.data
    if (data.detached) throw webError(m, "DataCloneError", "An ArrayBuffer is detached and could not be transferred.")
    ;(cloning.copies.get(buffer)!.data as BufferData).bytes = data.bytes
    detachBuffer(data)
  }
  return result
}

export const structuredCloneIntrinsics: Intrinsics = {
  structuredClone: intrinsicFunction(defineGeneratorNative("structuredClone", 1, structuredClone)),
}
