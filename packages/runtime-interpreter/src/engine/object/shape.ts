import { LargeMap } from "./large-map.ts"
import { complete } from "./partial.ts"
import { Accessor, Attribute, type JSObject, PrivateName, type PropertyKey } from "./value.ts"

/** Counts changes to prototypes of one realm; an inline cache of a property found on a prototype holds while it stands still. */
export class ShapeSpace {
  epoch = 0
  /** How many bytes of shared shapes may still be made; objects become dictionaries once there is nothing left. */
  budget = 4 << 20
  /** How many bytes layouts took since the meter last looked. */
  taken = 0
  /** Shapes of partial objects, by those of complete ones and by which values are left. */
  readonly partials = new Map<Shape, Map<number, Shape>>()
  /** How many properties there were with keys of a length, for lengths so long that the host does not hash the text. */
  readonly longKeys = new Map<number, number>()
  readonly nullRoot: Shape = new Shape(this, null, new PropertyTable(), 0, false)
  /** Of proxies alone: what an inline cache knows of other objects without a prototype must not be applied to them. */
  readonly proxyRoot: Shape = new Shape(this, null, new PropertyTable(), 0, false)
}

/** Keys and attributes by slot number, shared along a chain of shapes, or between the realms. */
export class PropertyTable {
  keys: Array<PropertyKey | undefined> = []
  flags: Array<number> = []
  /** Slot numbers by key, built when a scan would be longer than a look-up. */
  map: LargeMap<PropertyKey, number> | null = null

  copy(count: number): PropertyTable {
    const table = new PropertyTable()
    table.keys = this.keys.slice(0, count)
    table.flags = this.flags.slice(0, count)
    return table
  }
}

/** Texts longer than this are hashed by their length alone. */
export const LONG_KEY = 8192

/** What a key takes that only a shape may hold on to, in bytes. */
const keyBytes = (key: PropertyKey): number => lengthOf(key) * 2

/** Of its text, in UTF-16 code units. */
const lengthOf = (key: PropertyKey): number =>
  typeof key === "string" ? key.length : typeof key === "symbol" ? key.description?.length ?? 0 : 0

const SCAN_LIMIT = 8

/** Stands for the slot of a key that was removed: what a look-up says of a key that there is not. */
const GONE = -1

/**
 * Of an intrinsic whose properties are not all made yet: their keys and attributes are those of a table that all realms share, and a
 * value is made when its key is first looked up. As soon as anything else happens to the properties, all are made, and the table
 * becomes the object's own.
 */
export interface Unmade {
  /** Makes the value in a slot, if that was not done before. */
  readonly make: (slot: number) => void
  readonly makeAll: () => void
}

/** Objects that get more properties than this become dictionaries. */
const SHARED_LIMIT = 128

/** What a shape and a key in a table take of the host's memory, roughly. */
const SHAPE_BYTES = 160
/** What a layout takes that is not shared, and that of a prototype's objects. */
const DICTIONARY_BYTES = 560
const ROOT_BYTES = 320
const KEY_BYTES = 64

/**
 * The layout of objects: which keys they have, in which slots, with which attributes, and their prototype. Shared shapes
 * never change; adding a property leads to another one. A dictionary is the shape of one object and changes with it.
 */
export class Shape {
  readonly space: ShapeSpace
  readonly proto: JSObject | null
  table: PropertyTable
  /** How many slots belong to this shape. In a dictionary, removed ones included. */
  count: number
  readonly dictionary: boolean
  extensible = true
  /** In a dictionary: how many slots were removed, and more for long keys. */
  removed = 0
  /** In a dictionary: whether an inline cache relies on a slot, so that a removal must make a new shape. */
  cached = false
  /** In a dictionary: whether some key is or was an array index. */
  hasIndices = false
  /** In a dictionary: what makes the values that are not there. */
  unmade: Unmade | null = null
  /** Of a shared shape: whether all of its properties are plain ones with texts for keys; null until it matters. */
  private plain: boolean | null = null
  private transitions: Map<PropertyKey, Shape> | null = null
  /** The first property that was ever added, as assignment does it, and where it leads: mostly the next one, too. */
  lastKey: PropertyKey | null = null
  lastShape: Shape | null = null
  /** The same of properties with other attributes. Mostly there is one: that of the next built-in. */
  private otherTransitions: Map<PropertyKey, Shape> | null = null
  private otherKey: PropertyKey | null = null
  private otherShape: Shape | null = null

  constructor(space: ShapeSpace, proto: JSObject | null, table: PropertyTable, count: number, dictionary: boolean) {
    this.space = space
    this.proto = proto
    this.table = table
    this.count = count
    this.dictionary = dictionary
  }

  /** The slot of a key, or -1. */
  lookup(key: PropertyKey): number {
    const table = this.table
    const count = this.count
    if (table.map === null) {
      const keys = table.keys
      if (count <= SCAN_LIMIT) {
        for (let i = 0; i < count; i++) if (keys[i] === key) return i
        return -1
      }
      const map = new LargeMap<PropertyKey, number>()
      for (let i = 0; i < keys.length; i++) {
        const k = keys[i]
        if (k !== undefined) map.add(k, i)
      }
      table.map = map
    }
    const slot = table.map.get(key)
    if (slot === undefined || slot >= count) return -1
    if (this.unmade !== null) this.unmade.make(slot)
    return slot
  }

  /** Whether objects of this shape have nothing but plain data properties with texts for keys, in the order of their slots. */
  get isPlain(): boolean {
    if (this.dictionary) return false
    return this.plain ??= this.hasPlainProperties()
  }

  private hasPlainProperties(): boolean {
    const { count, table } = this
    for (let slot = 0; slot < count; slot++) {
      if (typeof table.keys[slot] !== "string" || table.flags[slot] !== Attribute.All) return false
    }
    return true
  }

  /** The shape that a property leads to, if it is known already. */
  private known(key: PropertyKey, flags: number): Shape | undefined {
    if (flags === Attribute.All) return this.lastKey === key ? this.lastShape! : this.transitions?.get(key)
    const shape = this.otherKey === key ? this.otherShape! : this.otherTransitions?.get(key)
    return shape !== undefined && shape.table.flags[this.count] === flags ? shape : undefined
  }

  /**
   * Whether a property should lead to a shared shape. Those live as long as their realm, with their keys, so that a program
   * which never gives two objects the same keys must not be able to make them without end, nor with keys of millions of units.
   */
  isShareable(key: PropertyKey, flags: number): boolean {
    return this.count < SHARED_LIMIT &&
      ((this.space.budget > 0 && lengthOf(key) <= LONG_KEY) || this.known(key, flags) !== undefined)
  }

  /** The shape with one more property, in slot `count`. Only for shared shapes. */
  add(key: PropertyKey, flags: number): Shape {
    const known = this.known(key, flags)
    if (known !== undefined) return known
    let table = this.table
    this.space.budget -= SHAPE_BYTES + keyBytes(key)
    this.space.taken += DICTIONARY_BYTES
    // The newest shape of a chain appends to the table it shares; any other one needs its own.
    if (table.keys.length !== this.count) {
      table = table.copy(this.count)
      this.space.budget -= this.count * KEY_BYTES
    }
    table.keys.push(key)
    table.flags.push(flags)
    if (table.map !== null) table.map.add(key, this.count)
    const next = new Shape(this.space, this.proto, table, this.count + 1, false)
    if (flags !== Attribute.All) {
      if (this.otherKey === null || this.otherKey === key) {
        this.otherKey = key
        this.otherShape = next
      } else (this.otherTransitions ??= new Map()).set(key, next)
    } else if (this.lastKey === null) {
      this.lastKey = key
      this.lastShape = next
    } else (this.transitions ??= new Map()).set(key, next)
    return next
  }

  /** Has all values made, and a table of its own. */
  settle(): void {
    const { unmade } = this
    if (unmade === null) return
    unmade.makeAll()
    this.unmade = null
    this.table = this.table.copy(this.count)
  }

  /** A shape of the same layout for one object alone. */
  toDictionary(proto: JSObject | null = this.proto): Shape {
    this.settle()
    this.space.taken += DICTIONARY_BYTES
    const shape = new Shape(this.space, proto, this.table.copy(this.count), this.count, true)
    shape.extensible = this.extensible
    shape.removed = this.removed
    shape.hasIndices = this.hasIndices
    return shape
  }
}

/** The empty shape for objects with this prototype. */
export const rootShape = (space: ShapeSpace, proto: JSObject | null): Shape => {
  if (proto === null) return space.nullRoot
  let shape = proto.child
  if (shape === null) {
    complete(proto)
    shape = new Shape(space, proto, new PropertyTable(), 0, false)
    space.taken += ROOT_BYTES
    proto.child = shape
  }
  return shape
}

/** The shape of objects that will be of this one once the values are made whose bits are set; null if there is no room for more shapes. */
export const partialShape = (whole: Shape, left: number): Shape | null => {
  const { space } = whole
  let shapes = space.partials.get(whole)
  const known = shapes?.get(left)
  if (known !== undefined) return known
  if (space.budget <= 0) return null
  space.budget -= SHAPE_BYTES
  space.taken += SHAPE_BYTES
  const shape = new Shape(space, whole.proto, whole.table, whole.count, false)
  if (shapes === undefined) space.partials.set(whole, shapes = new Map())
  shapes.set(left, shape)
  return shape
}

/** Appends a property that the object does not have. */
export const addProperty = (object: JSObject, key: PropertyKey, value: unknown, flags: number): void => {
  complete(object)
  let shape = object.shape
  if (object.child !== null) shape.space.epoch++
  if (typeof key === "string" && key.length > LONG_KEY) {
    const { longKeys } = shape.space
    longKeys.set(key.length, (longKeys.get(key.length) ?? 0) + 1)
  }
  if (!shape.dictionary) {
    if (typeof key !== "number" && shape.isShareable(key, flags)) {
      object.slots[shape.count] = value
      object.shape = shape.add(key, flags)
      return
    }
    shape = object.shape = shape.toDictionary()
  }
  shape.settle()
  if (typeof key === "number") shape.hasIndices = true
  const table = shape.table
  object.slots[shape.count] = value
  table.keys[shape.count] = key
  table.flags[shape.count] = flags
  if (table.map !== null) table.map.add(key, shape.count)
  shape.count++
}

/** Gives the object a shape of its own, to change in place. */
export const makeDictionary = (object: JSObject): Shape => {
  if (object.shape.dictionary) return object.shape
  if (object.child !== null) object.shape.space.epoch++
  return object.shape = object.shape.toDictionary()
}

/** Changes a property's attributes. */
export const setFlags = (object: JSObject, slot: number, flags: number): void => {
  if (object.shape.table.flags[slot] === flags) return
  changeable(object).table.flags[slot] = flags
  if (object.child !== null) object.shape.space.epoch++
}

/** The object's own shape, which no inline cache knows. */
const changeable = (object: JSObject): Shape => {
  const shape = makeDictionary(object)
  shape.settle()
  return shape.cached ? object.shape = renewed(shape, shape.proto) : shape
}

/** Another shape for the object of a dictionary, with the same table. */
const renewed = (shape: Shape, proto: JSObject | null): Shape => {
  const fresh = new Shape(shape.space, proto, shape.table, shape.count, true)
  fresh.extensible = shape.extensible
  fresh.removed = shape.removed
  fresh.hasIndices = shape.hasIndices
  return fresh
}

/** Objects of fewer properties are copied property by property. */
const MANY = 64

/**
 * Gives an empty ordinary object all properties of another one, where those are enumerable and no accessors, and many or of a
 * shared shape. Says whether it did.
 */
export const copyProperties = (source: JSObject, target: JSObject): boolean => {
  const { shape, slots } = source
  if (shape.isPlain) return copyPlain(shape, slots, target)
  shape.settle()
  if (!shape.dictionary || shape.count < MANY || target.shape.count > 0 || !target.shape.extensible) return false
  const table = new PropertyTable()
  const values: Array<unknown> = []
  for (let slot = 0; slot < shape.count; slot++) {
    const key = shape.table.keys[slot]
    if (key === undefined) continue
    const value = slots[slot]
    const isPlain = (shape.table.flags[slot]! & Attribute.Enumerable) !== 0 && !(value instanceof Accessor)
    if (!isPlain || key instanceof PrivateName) return false
    table.keys.push(key)
    table.flags.push(Attribute.All)
    values.push(value)
  }
  if (target.child !== null) shape.space.epoch++
  target.shape = new Shape(shape.space, target.shape.proto, table, values.length, true)
  target.shape.hasIndices = shape.hasIndices
  target.slots = values
  return true
}

const copyPlain = (shape: Shape, slots: ReadonlyArray<unknown>, target: JSObject): boolean => {
  let next = target.shape
  if (next.count > 0 || next.dictionary || target.child !== null) return false
  if (next.proto === shape.proto) next = shape
  else {
    for (let slot = 0; slot < shape.count; slot++) {
      const key = shape.table.keys[slot]!
      if (!next.isShareable(key, Attribute.All)) return false
      next = next.add(key, Attribute.All)
    }
  }
  target.shape = next
  target.slots = slots.slice(0, shape.count)
  return true
}

/** Ends an object's extension and the configuration of its properties; if `frozen`, the writing of its data, too. */
export const restrict = (object: JSObject, frozen: boolean): void => {
  const shape = changeable(object)
  const { flags, keys } = shape.table
  for (let slot = 0; slot < shape.count; slot++) {
    const key = keys[slot]
    if (key === undefined || key instanceof PrivateName) continue
    const data = frozen && !(object.slots[slot] instanceof Accessor)
    flags[slot] = flags[slot]! & ~(data ? Attribute.Configurable | Attribute.Writable : Attribute.Configurable)
  }
  shape.extensible = false
  if (object.child !== null) shape.space.epoch++
}

/** Whether `restrict` would change nothing. */
export const isRestricted = (object: JSObject, frozen: boolean): boolean => {
  const { shape, slots } = object
  if (shape.extensible) return false
  const { flags, keys } = shape.table
  for (let slot = 0; slot < shape.count; slot++) {
    const key = keys[slot]
    if (key === undefined || key instanceof PrivateName) continue
    if ((flags[slot]! & Attribute.Configurable) !== 0) return false
    if (frozen && (flags[slot]! & Attribute.Writable) !== 0 && !(slots[slot] instanceof Accessor)) return false
  }
  return true
}

export const removeProperty = (object: JSObject, slot: number): void => {
  const shape = changeable(object)
  const table = shape.table
  if (object.child !== null) shape.space.epoch++
  const key = table.keys[slot]!
  // Not deleted: the host leaves a mark for each deletion, in the chain of the keys of one hash, and goes through all of these to find
  // one, so that adding and removing the same property again and again took longer each time.
  if (table.map !== null) table.map.add(key, GONE)
  table.keys[slot] = undefined
  object.slots[slot] = undefined
  // Until the table is made anew it keeps the key: the sooner, the longer that is.
  shape.removed += 1 + (lengthOf(key) >> 7)
  if (shape.removed > 16 && shape.removed > shape.count >> 1) compact(object, shape)
}

const compact = (object: JSObject, shape: Shape): void => {
  const { keys, flags } = shape.table
  const table = new PropertyTable()
  const slots: Array<unknown> = []
  for (let i = 0; i < shape.count; i++) {
    const key = keys[i]
    if (key === undefined) continue
    table.keys.push(key)
    table.flags.push(flags[i]!)
    slots.push(object.slots[i])
  }
  shape.table = table
  shape.count = slots.length
  shape.removed = 0
  object.slots = slots
}

/** Replaces the prototype, keeping the properties. */
export const changePrototype = (object: JSObject, proto: JSObject | null): void => {
  const shape = object.shape
  if (object.child !== null) shape.space.epoch++
  if (shape.dictionary || (shape.count > 0 && shape.space.budget <= 0)) {
    // Made now, as the mark of an object that is a prototype.
    rootShape(shape.space, proto)
    shape.settle()
    object.shape = shape.dictionary ? renewed(shape, proto) : shape.toDictionary(proto)
    return
  }
  let next = rootShape(shape.space, proto)
  for (let i = 0; i < shape.count; i++) next = next.add(shape.table.keys[i]!, shape.table.flags[i]!)
  object.shape = next
}
