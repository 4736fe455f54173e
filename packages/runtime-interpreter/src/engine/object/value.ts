import type { Shape } from "./shape.ts"

/** A key of a property. Array indices (0 to 2^32 - 2) are always numbers, never their decimal text. */
export type PropertyKey = string | symbol | number | PrivateName

/** Any value a program can hold. Host objects and host functions are never among them. */
export type Value = undefined | null | boolean | number | string | bigint | symbol | JSObject

/** A `#name` of one evaluation of a class: a property key that reflection never sees. */
export class PrivateName {
  constructor(readonly description: string) {}
}

/**
 * What an object is, beyond its properties. Every guest object is an instance of the one class `JSObject`, told apart by
 * this number, so that the machine's property accesses stay monomorphic in the host.
 */
export const enum Kind {
  Ordinary = 0,
  Error = 1,
  Boolean = 2,
  Number = 3,
  Symbol = 4,
  BigInt = 5,
  Date = 6,
  RegExp = 7,
  Map = 8,
  Set = 9,
  WeakMap = 10,
  WeakSet = 11,
  Promise = 12,
  Generator = 13,
  AsyncGenerator = 14,
  /** A built-in iterator; `data` has the state and `brand` tells which. */
  Iterator = 15,
  ArrayBuffer = 16,
  DataView = 17,
  /** Any other object of the engine's own with a payload; `data` has a `brand`. */
  Internal = 18,
  Arguments = 19,
  /** Functions: a compiled one, a built-in, a bound one. */
  Closure = 20,
  Native = 21,
  Bound = 22,
  /** An array with dense elements in `data`; extensible, elements and length writable. */
  Array = 23,
  /** An array whose elements are ordinary properties; `data` is its `ArrayLength`. */
  SlowArray = 24,
  String = 25,
  TypedArray = 26,
  Proxy = 27,
  Global = 28,
  /** A namespace of tools; its properties come into being when they are looked at. */
  Namespace = 29,
  /** An ordinary object of the host's data, some of whose values were not made yet; `data` is its `PartialData`. */
  Partial = 30,
}

/** From the first of them on, the internal methods of objects are not the ordinary ones. */
export const enum ExoticKind {
  First = Kind.Array,
}

/** A property's attributes, as bits. */
export const enum Attribute {
  Writable = 1,
  Enumerable = 2,
  Configurable = 4,
  Accessor = 8,
  /** A plain data property, as assignment makes it. */
  All = 7,
  /** A built-in method: writable and configurable. */
  Hidden = 5,
}

/** The pair behind an accessor property; it stands in the property's slot. */
export class Accessor {
  constructor(public get: JSObject | undefined, public set: JSObject | undefined) {}
}

/** The mark of a missing element in a dense array. Never a guest value. */
export const HOLE: unique symbol = Symbol("hole")

/** The mark of a property of an intrinsic whose value is not made yet. Never a guest value, and never seen by who looks up the key. */
export const UNMADE: unique symbol = Symbol("unmade")

/** The mark of a binding that is not initialised yet. Never a guest value. */
export const TDZ: unique symbol = Symbol("uninitialised")

export class JSObject {
  /** Keys, attributes and prototype. */
  shape: Shape
  /** Values, by the shape's slot numbers: a `Value`, or an `Accessor`. */
  slots: Array<any>
  kind: Kind
  /** What the kind says: elements, a closure, a map's entries. */
  data: any
  /** The empty shape of objects whose prototype this is; set once it is one. */
  child: Shape | null
  /** The last trace that came to it. */
  mark: number

  constructor(shape: Shape, slots: Array<any>, kind: Kind, data: unknown) {
    this.shape = shape
    this.slots = slots
    this.kind = kind
    this.data = data
    this.child = null
    this.mark = 0
  }
}

/** The length of an array whose elements are ordinary properties. */
export class ArrayLength {
  constructor(public length: number, public writable: boolean) {}
}

/** Never written to. Their copies are of the host's kind of arrays for any values, not that for small integers. */
const BLANKS: ReadonlyArray<undefined> = Array.from({ length: 64 }, () => undefined)

/**
 * A host array for guest values, from its start of the host's kind for any values. Not written as a literal: the host remembers of each
 * place in our code where one is whether its arrays live long, and after one program that keeps them it makes those of all programs
 * in its old space, which is slow for the others. It remembers nothing of a rest parameter.
 */
export const newElements = (...values: Array<any>): Array<any> => values

/** The same for values whose number is known: with `undefined` in each place, or still empty if they are many. */
export const newElementsFor = (length: number): Array<any> =>
  length <= BLANKS.length ? BLANKS.slice(0, length) : newElements()

export const isObject = (value: unknown): value is JSObject => typeof value === "object" && value !== null

/** A dense or a slow array. */
export type ArrayObject = JSObject & { kind: Kind.Array | Kind.SlowArray }

/** What can be called: a function, or a proxy of one. */
export type Callable = JSObject & { kind: Kind.Closure | Kind.Native | Kind.Bound | Kind.Proxy }

export const isArrayObject = (value: unknown): value is ArrayObject =>
  typeof value === "object" && value !== null &&
  ((value as JSObject).kind === Kind.Array || (value as JSObject).kind === Kind.SlowArray)

export const isCallable = (value: unknown): value is Callable => {
  if (typeof value !== "object" || value === null) return false
  const kind = (value as JSObject).kind
  return kind === Kind.Closure || kind === Kind.Native || kind === Kind.Bound ||
    (kind === Kind.Proxy && (value as JSObject).data.callable)
}

/** The largest array index, 2^32 - 2. */
export const MAX_INDEX = 4294967294

/** The key of a text: the number, where the text is an array index in its canonical form. */
export const toKey = (text: string): string | number => {
  const length = text.length
  if (length === 0 || length > 10) return text
  const first = text.charCodeAt(0)
  if (first < 48 || first > 57) return text
  if (first === 48) return length === 1 ? 0 : text
  let n = first - 48
  for (let i = 1; i < length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return text
    n = n * 10 + digit
  }
  return n <= MAX_INDEX ? n : text
}

/** The key of a non-negative integer. */
export const indexKey = (n: number): string | number => n <= MAX_INDEX ? n : String(n)

/** A key as the program sees it. */
export const keyToValue = (key: PropertyKey): string | symbol =>
  typeof key === "number" ? String(key) : key as string | symbol
