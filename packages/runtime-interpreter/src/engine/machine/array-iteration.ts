import {
  isObject,
  type JSObject,
  Kind,
  type NativeData,
  type NativeDefinition,
  type Realm,
  SymbolIterator,
} from "../object/index.ts"

const definitionOf = (value: unknown): NativeDefinition | undefined =>
  isObject(value) && (value as JSObject).kind === Kind.Native
    ? ((value as JSObject).data as NativeData).definition
    : undefined

/**
 * Whether iterating an array is going through its elements: the program has replaced neither `Array.prototype[Symbol.iterator]`
 * nor the `next` of array iterators. Where they were found holds as long as no shape has changed.
 */
export class ArrayIteration {
  private epoch = -1
  private prototype: JSObject | undefined
  private iterators: JSObject | undefined
  private valuesSlot = -1
  private nextSlot = -1
  /** The built-in methods that iterate arrays, as they were found in these slots; undefined if others were. */
  private values: unknown
  private next: unknown

  constructor(private readonly realm: Realm) {}

  isPristine(array: JSObject): boolean {
    const { shape } = array
    if (this.epoch !== this.realm.space.epoch) this.look()
    const { iterators, next, prototype, values } = this
    if (shape.proto !== prototype || prototype === undefined) return false
    if (shape !== this.realm.arrayShape && shape.lookup(SymbolIterator) >= 0) return false
    return values !== undefined && next !== undefined &&
      prototype.slots[this.valuesSlot] === values &&
      iterators!.slots[this.nextSlot] === next
  }

  private look(): void {
    const prototype = this.realm.peek("ArrayPrototype")
    // Until there is one, there are no arrays.
    if (prototype === undefined) return
    const iterators = this.realm.intrinsic("ArrayIteratorPrototype")
    this.prototype = prototype
    this.iterators = iterators
    this.valuesSlot = prototype.shape.lookup(SymbolIterator)
    this.nextSlot = iterators.shape.lookup("next")
    const values: unknown = prototype.slots[this.valuesSlot]
    const next: unknown = iterators.slots[this.nextSlot]
    this.values = definitionOf(values)?.id === "Array.prototype.values" ? values : undefined
    this.next = definitionOf(next)?.stepper === "Array Iterator" ? next : undefined
    this.epoch = this.realm.space.epoch
  }
}
