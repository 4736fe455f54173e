import type { Agent } from "./agent.ts"
import { arrayMethods } from "./array.ts"
import { describe } from "./describe.ts"
import { globalMethods } from "./global.ts"
import { exotics, get } from "./internal-methods.ts"
import { NativeData, type NativeDefinition } from "./native.ts"
import { partialMethods } from "./partial-methods.ts"
import { proxyMethods } from "./proxy.ts"
import { rootShape, type Shape, ShapeSpace } from "./shape.ts"
import { stringMethods } from "./string.ts"
import { SymbolSpecies } from "./symbols.ts"
import { typedArrayMethods } from "./typed-array.ts"
import { Attribute, ExoticKind, JSObject, Kind, newElements, type Value } from "./value.ts"

exotics[Kind.Array - ExoticKind.First] = arrayMethods
exotics[Kind.SlowArray - ExoticKind.First] = arrayMethods
exotics[Kind.String - ExoticKind.First] = stringMethods
exotics[Kind.TypedArray - ExoticKind.First] = typedArrayMethods
exotics[Kind.Proxy - ExoticKind.First] = proxyMethods
exotics[Kind.Global - ExoticKind.First] = globalMethods
exotics[Kind.Partial - ExoticKind.First] = partialMethods

/**
 * Makes an intrinsic object. It must `register` the object under its name before it asks the realm for an intrinsic that
 * refers back to it.
 */
export type IntrinsicBuilder = (realm: Realm, name: string) => JSObject

export type Intrinsics = Readonly<Record<string, IntrinsicBuilder>>

/** Where the properties were found that make new arrays plain: they are there as long as no shape has changed. */
export interface DefaultSpecies {
  readonly epoch: number
  readonly constructorSlot: number
  readonly constructor: JSObject
  readonly constructorShape: Shape
  readonly speciesSlot: number
}

/** https://tc39.es/ecma262/#sec-code-realms — the intrinsics of one run, each made when it is first asked for. */
export class Realm {
  readonly space = new ShapeSpace()
  readonly builders: Intrinsics
  private readonly made = new Map<string, JSObject>()
  /** How many internal methods of proxies and the like are under way, one inside the other. */
  nesting = 0
  /** The arrays whose elements are being joined, one inside the other. */
  readonly joining = new Set<JSObject>()
  /** What `hasDefaultSpecies` found last. */
  defaultSpecies: DefaultSpecies | null = null
  /** What `Symbol.for` has given out, by key. */
  readonly symbols = new Map<string, symbol>()
  readonly objectPrototype: JSObject
  readonly functionPrototype: JSObject
  /** The empty object's shape. */
  readonly objectShape: Shape
  private functionShape_: Shape | null = null
  private constructorShape_: Shape | null = null
  private constructorPrototypeShape_: Shape | null = null
  private readonly otherFunctionShapes = new Map<string, Shape>()
  private arrayShape_: Shape | null = null
  private iteratorResultShape_: Shape | null = null

  constructor(builders: Intrinsics) {
    this.builders = builders
    this.objectPrototype = this.intrinsic("ObjectPrototype")
    this.objectShape = rootShape(this.space, this.objectPrototype)
    this.functionPrototype = this.intrinsic("FunctionPrototype")
  }

  /** `length` and `name`, as functions have them. */
  get functionShape(): Shape {
    return this.functionShape_ ??= functionShapeOf(rootShape(this.space, this.intrinsic("FunctionPrototype")))
  }

  /** `length`, `name` and `prototype`, as functions that can be constructed have them. */
  get constructorShape(): Shape {
    return this.constructorShape_ ??= this.functionShape.add("prototype", Attribute.Writable)
  }

  /** `constructor`, as the prototypes of such functions have it. */
  get constructorPrototypeShape(): Shape {
    return this.constructorPrototypeShape_ ??= this.objectShape.add("constructor", Attribute.Hidden)
  }

  /** The shape of functions whose prototype is the intrinsic of that name, and of which each may have a `prototype`. */
  functionShapeOf(name: string, hasPrototype: boolean): Shape {
    let shape = this.otherFunctionShapes.get(name)
    if (shape === undefined) {
      shape = functionShapeOf(rootShape(this.space, this.intrinsic(name)))
      if (hasPrototype) shape = shape.add("prototype", Attribute.Writable)
      this.otherFunctionShapes.set(name, shape)
    }
    return shape
  }

  /** The intrinsic of this name (`ArrayPrototype`, `Map`, ...), made now if this is the first use. */
  intrinsic(name: string): JSObject {
    const known = this.made.get(name)
    if (known !== undefined) return known
    const builder = this.builders[name]
    if (builder === undefined) throw new Error(`No intrinsic ${name}`)
    const object = builder(this, name)
    this.made.set(name, object)
    return object
  }

  /** The intrinsic, if it was made already. */
  peek(name: string): JSObject | undefined {
    return this.made.get(name)
  }

  register(name: string, object: JSObject): void {
    this.made.set(name, object)
  }

  /** The intrinsics made so far, by name. */
  entries(): IterableIterator<[string, JSObject]> {
    return this.made.entries()
  }

  get arrayShape(): Shape {
    return this.arrayShape_ ??= rootShape(this.space, this.intrinsic("ArrayPrototype"))
  }

  /** `value`, then `done`. */
  get iteratorResultShape(): Shape {
    return this.iteratorResultShape_ ??= this.objectShape.add("value", Attribute.All).add("done", Attribute.All)
  }

  newObject(): JSObject {
    return new JSObject(this.objectShape, newElements(), Kind.Ordinary, undefined)
  }

  newObjectWith(proto: JSObject | null): JSObject {
    return new JSObject(rootShape(this.space, proto), newElements(), Kind.Ordinary, undefined)
  }

  /** An object with internal slots, whose prototype is the intrinsic of that name. */
  newObjectOf(kind: Kind, prototype: string, data: unknown): JSObject {
    return new JSObject(rootShape(this.space, this.intrinsic(prototype)), newElements(), kind, data)
  }

  /** The elements become the array's own: do not use them afterwards. */
  newArray(elements: Array<Value>): JSObject {
    return new JSObject(this.arrayShape, newElements(), Kind.Array, elements)
  }

  /** https://tc39.es/ecma262/#sec-createiterresultobject */
  newIteratorResult(value: Value, done: boolean): JSObject {
    return new JSObject(this.iteratorResultShape, newElements(value, done), Kind.Ordinary, undefined)
  }

  newNative(definition: NativeDefinition, state?: unknown, prefix?: string): JSObject {
    const name = prefix === undefined ? definition.name : `${prefix} ${definition.name}`
    return new JSObject(
      this.functionShape,
      newElements(definition.length, name),
      Kind.Native,
      new NativeData(definition, state),
    )
  }

  prototypeOfPrimitive(value: Exclude<Value, JSObject | null | undefined>): JSObject {
    switch (typeof value) {
      case "string":
        return this.intrinsic("StringPrototype")
      case "number":
        return this.intrinsic("NumberPrototype")
      case "boolean":
        return this.intrinsic("BooleanPrototype")
      case "symbol":
        return this.intrinsic("SymbolPrototype")
      default:
        return this.intrinsic("BigIntPrototype")
    }
  }
}

export const functionShapeOf = (root: Shape): Shape =>
  root.add("length", Attribute.Configurable).add("name", Attribute.Configurable)

/** https://tc39.es/ecma262/#sec-isconstructor */
export const isConstructor = (value: Value): value is JSObject => {
  if (typeof value !== "object" || value === null) return false
  switch (value.kind) {
    case Kind.Closure:
      return value.data.code.template.constructor_
    case Kind.Native:
      return (value.data as NativeData).definition.constructor_
    case Kind.Bound:
      return value.data.constructor_
    case Kind.Proxy:
      return value.data.constructor_
    default:
      return false
  }
}

/** Gives a constructor, and refuses what is none. */
export const requireConstructor = (m: Agent, value: Value): JSObject => {
  if (!isConstructor(value)) throw m.typeError(`${describe(value)} is not a constructor`)
  return value
}

/** https://tc39.es/ecma262/#sec-getprototypefromconstructor */
export const prototypeFromConstructor = (m: Agent, constructor: JSObject, fallback: string): JSObject => {
  const proto = get(m, constructor, "prototype")
  if (typeof proto === "object" && proto !== null) return proto
  requireRealm(m, constructor)
  return m.realm.intrinsic(fallback)
}

/** https://tc39.es/ecma262/#sec-getfunctionrealm — there is one realm, but a revoked proxy has none. */
const requireRealm = (m: Agent, fn: JSObject): void => {
  for (let o: JSObject | null = fn; o !== null && (o.kind === Kind.Proxy || o.kind === Kind.Bound);) {
    m.charge(1)
    o = o.data.target as JSObject | null
    if (o === null) throw m.typeError("Cannot perform 'get' on a proxy that has been revoked")
  }
}

/** https://tc39.es/ecma262/#sec-ordinarycreatefromconstructor */
export const createFromConstructor = (
  m: Agent,
  constructor: JSObject,
  fallback: string,
  kind: Kind,
  data: unknown,
): JSObject =>
  new JSObject(rootShape(m.realm.space, prototypeFromConstructor(m, constructor, fallback)), newElements(), kind, data)

/** https://tc39.es/ecma262/#sec-speciesconstructor — the constructor, or undefined for the default one. */
export const speciesConstructor = (m: Agent, o: JSObject, fallback: string): JSObject | undefined => {
  const constructor = get(m, o, "constructor")
  if (constructor === undefined) return undefined
  if (typeof constructor !== "object" || constructor === null) {
    throw m.typeError("The .constructor property is not an object")
  }
  const species = get(m, constructor, SymbolSpecies)
  if (species === undefined || species === null) return undefined
  if (species === m.realm.peek(fallback)) return undefined
  if (isConstructor(species)) return species
  throw m.typeError("object.constructor[Symbol.species] is not a constructor")
}
