import type { Template } from "../compile/template.ts"
import type { JSObject, PrivateName, Shape, Value } from "../object/index.ts"
import { Kind, type NativeData, newElements } from "../object/index.ts"
import type { Frame } from "./frame.ts"

/** A captured variable. */
export class Cell {
  value: any
  /** The last trace that came to it. */
  mark: number

  constructor(value: any) {
    this.value = value
    this.mark = 0
  }
}

/**
 * Remembers where an instruction found a property: on objects of `shape`, in `slot` of the object itself or of `holder`.
 * What was found on a prototype holds until one changes. `next` is the shape after an assignment that adds the property.
 */
export class InlineCache {
  shape: Shape | null = null
  holder: JSObject | null = null
  slot = 0
  epoch = -1
  next: Shape | null = null
  /** The shape of objects on whose prototype `getterHolder` the property is an accessor. */
  getterShape: Shape | null = null
  getterHolder: JSObject | null = null
  getterSlot = 0
  getterEpoch = -1
  /** Of an instruction for private names: the name that was found, since each evaluation of a class has its own. */
  name: PrivateName | null = null
  /** A second place, for instructions that meet two shapes. */
  shape2: Shape | null = null
  holder2: JSObject | null = null
  slot2 = 0
  epoch2 = -1
}

/** Stands for the cache of an instruction that has not run yet; never written to. */
const NO_CACHE = new InlineCache()

/** A template in a realm, with what its instructions remember. */
export class FunctionCode {
  /** The template's instructions. */
  readonly code: Int32Array
  readonly caches: Array<InlineCache>
  readonly children: Array<FunctionCode | null>
  /** How many arguments fill the parameters, if a call does no more than that and run; else -1. */
  readonly arity: number
  /** Frames of finished calls, linked by their parents, for new ones. */
  free: Frame | null = null
  /** Values of constants that are objects of the realm: shapes of literals, template objects. */
  readonly linked: Array<any>

  constructor(readonly template: Template) {
    this.code = template.code
    this.arity = template.simple ? template.parameterCount : -1
    const caches: Array<InlineCache> = []
    for (let i = 0; i < template.cacheCount; i++) caches.push(NO_CACHE)
    this.caches = caches
    this.children = template.children.map(() => null)
    this.linked = template.constants.map(() => null)
  }

  /** The inline cache of an instruction, to write to. */
  cache(index: number): InlineCache {
    const cache = this.caches[index]!
    return cache === NO_CACHE ? this.caches[index] = new InlineCache() : cache
  }

  /** Lets go of frames and of what inline caches know: it may be all that keeps large objects. */
  forget(): void {
    this.free = null
    for (let i = 0; i < this.caches.length; i++) this.caches[i] = NO_CACHE
  }

  child(index: number): FunctionCode {
    return this.children[index] ??= new FunctionCode(this.template.children[index]!)
  }
}

const NO_SLOTS = newElements() as Array<undefined>

/** The internal slots of a compiled function. */
export class ClosureData {
  /** https://tc39.es/ecma262/#table-internal-slots-of-ecmascript-function-objects [[HomeObject]] */
  home: JSObject | null = null
  /** For a class: the function that initialises its instances. */
  fields: JSObject | null = null
  /** For a constructor: the shape of new objects, while its `prototype` is `instancePrototype`. */
  instanceShape: Shape | null = null
  instancePrototype: Value = undefined
  /** Where its `prototype` is, while it is of the shape `ownShape`. */
  ownShape: Shape | null = null
  prototypeSlot = 0
  /** For a constructor: as many places as the objects it made had properties when they were made. */
  slots: Array<undefined> = NO_SLOTS

  constructor(readonly code: FunctionCode, readonly captures: Array<Cell>) {}
}

/** Whether a call of it keeps the array of its arguments, so that the next one needs another. */
export const keepsArguments = (fn: JSObject): boolean =>
  fn.kind !== Kind.Closure || !(fn.data as ClosureData).code.template.reusable

/** https://tc39.es/ecma262/#sec-function.prototype.tostring */
export const sourceTextOf = (fn: JSObject): string => {
  if (fn.kind === Kind.Closure) {
    const { template } = (fn.data as ClosureData).code
    return template.source.code.slice(template.start, template.end)
  }
  const name = fn.kind === Kind.Native ? (fn.data as NativeData).definition.name : ""
  return `function ${name}() { [native code] }`
}
