/** Everything that a run is made of, seen from the host's side, where nothing is hidden as it is from reflection in a program. */

/** The engine's own classes that a waiting run is made of. Whoever writes a run to bytes has to know these and no others. */
const classes = new Set([
  // The machine and what it runs.
  "Machine",
  "Run",
  "JobQueue",
  "Timers",
  "Turns",
  "Logs",
  "Frame",
  "Coroutine",
  "Cell",
  "FunctionCode",
  "InlineCache",
  "Instruction",
  "ClosureData",
  "NativeData",
  "BoundData",
  // Objects and their shapes.
  "Realm",
  "LazyGlobals",
  "ShapeSpace",
  "Shape",
  "PropertyTable",
  "LargeMap",
  "UnmadeMembers",
  "PartialData",
  "JSObject",
  "Accessor",
  "ArrayLength",
  "PrivateName",
  "ProxyData",
  "ErrorData",
  // Promises.
  "PromiseData",
  "Reaction",
  // Iteration.
  "ArrayIteration",
  "ForIn",
  "ArrayIterator",
  "StringIterator",
  "CollectionIterator",
  "RegExpStringIterator",
  "ParamsIterator",
  "SegmentIterator",
  "WrappedIterator",
  "IteratorHelper",
  "AsyncFromSyncIterator",
  "FromAsync",
  // Disposal.
  "DisposeCapability",
  "BlockResources",
  // Data of builtins.
  "Collection",
  "Era",
  "WeakTable",
  "RegExpData",
  "BufferData",
  "DataViewData",
  "TypedArrayData",
  "RawJson",
  "ConsoleState",
  "PristineCheck",
  // Tools.
  "Shared",
  "NamespaceData",
])

/** What is plain data to the host as well. */
const plain = new Set([
  "Object",
  "Array",
  "Map",
  "Set",
  "null",
  "ArrayBuffer",
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "Float32Array",
  "Float64Array",
  "BigInt64Array",
  "BigUint64Array",
])

/** What a stored run leaves out, because whoever continues it has it or makes it again: by class and field. */
const doors = [
  // The host.
  "Machine.host",
  "Run.options",
  "Turns.host",
  "Logs.hear",
  // The table of builtins, the same for all machines.
  "Machine.builtins",
  "Realm.builders",
  // Made of the pattern and the flags beside it.
  "RegExpData.compiled",
]

const nameOf = (value: object): string => {
  const proto: { constructor?: { name: string } } | null = Object.getPrototypeOf(value)
  return proto === null ? "null" : proto.constructor?.name ?? "?"
}

/** A built-in, the same in every run. */
export interface Definition {
  readonly id: string
  readonly impl: unknown
}

const isDefinition = (value: object): value is Definition => "id" in value && "impl" in value && "stepper" in value

/** A type of elements of typed arrays, the same in every run, with the host's view for it. */
const isElementType = (value: object): boolean => "view" in value && "half" in value

/** Well-known and registered symbols mean something to the host. */
const wellKnown = new Set<unknown>(
  Reflect.ownKeys(Symbol).map((key) => (Symbol as unknown as Record<string | symbol, unknown>)[key]).filter((value) =>
    typeof value === "symbol"
  ),
)
const isHostSymbol = (value: symbol): boolean => wellKnown.has(value) || Symbol.keyFor(value) !== undefined

/** How the walk came to a value. */
interface Origin {
  readonly from: Origin | null
  readonly key: unknown
}

/** The way to a value: its end, if it was a long one. */
const pathOf = (origin: Origin): string => {
  const keys: Array<string> = []
  let at: Origin | null = origin
  for (; at !== null && keys.length < 12; at = at.from) keys.unshift(String(at.key))
  return `${at === null ? "" : "…"}${keys.join(".")}`
}

/** Everything reachable from a run: its machine, its guest objects with all their hidden slots, and what natives keep. */
export class Walk {
  /** Where there is something that is no data of the engine's: a function, an accessor or a symbol of the host, another class. */
  readonly problems: Array<string> = []
  readonly definitions = new Map<string, Definition>()
  readonly seen = new Set<object>()
  /** The classes that were found. */
  readonly found = new Set<string>()
  private readonly allowed: ReadonlySet<string>
  /** Fields that are left out, by class. */
  private readonly left = new Map<string, Set<unknown>>()
  private readonly work: Array<readonly [value: object, origin: Origin]> = []

  /**
   * `known` is not walked: it is found again by other means, such as a program by its text. `further` are classes that may be there
   * besides those of a waiting run, and fields to leave out.
   */
  constructor(root: object, known: ReadonlyArray<object> = [], further: ReadonlyArray<string> = []) {
    this.allowed = new Set([...classes, ...plain, ...further])
    for (const door of [...doors, ...further]) {
      const [name, field] = door.split(".") as [string, string | undefined]
      this.left.set(name, (this.left.get(name) ?? new Set()).add(field))
    }
    for (const value of known) this.seen.add(value)
    this.visit(root, null, "run")
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop()) this.open(...next)
  }

  /** The names of the classes that a run may consist of. */
  static readonly classes: ReadonlySet<string> = classes

  private visit(value: unknown, from: Origin | null, key: unknown): void {
    switch (typeof value) {
      case "function":
        this.problems.push(`${pathOf({ from, key })} is a function of the host: ${value.name}`)
        break
      case "symbol":
        if (isHostSymbol(value)) this.problems.push(`${pathOf({ from, key })} is the host's ${String(value)}`)
        break
      case "object":
        if (value === null || this.seen.has(value)) break
        this.seen.add(value)
        this.work.push([value, { from, key }])
    }
  }

  private open(value: object, origin: Origin): void {
    const name = nameOf(value)
    // Templates are known by their source and their place in it.
    if (name === "Template") return
    if (!this.allowed.has(name)) {
      this.problems.push(`${pathOf(origin)} is of the class ${name}`)
      return
    }
    this.found.add(name)
    if (value instanceof Map || value instanceof Set) {
      for (const [key, item] of value.entries()) {
        this.visit(key, origin, "a key")
        this.visit(item, origin, key)
      }
      return
    }
    if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) this.visit(value[i], origin, i)
      return
    }
    if (isElementType(value) || this.isKnownDefinition(value, origin)) return
    this.guestValues(name, value as never, origin)
    const left = this.left.get(name)
    for (const key of Reflect.ownKeys(value)) {
      if (left?.has(key)) continue
      const property = Object.getOwnPropertyDescriptor(value, key)!
      if (!("value" in property)) this.problems.push(`${pathOf({ from: origin, key })} is an accessor of the host`)
      this.visit(property.value, origin, key)
    }
  }

  private isKnownDefinition(value: object, origin: Origin): boolean {
    if (!isDefinition(value)) return false
    const known = this.definitions.get(value.id)
    if (known !== undefined && known !== value) {
      this.problems.push(`${pathOf(origin)} is not the only definition of ${value.id}`)
    }
    this.definitions.set(value.id, value)
    return true
  }

  /** Where programs read values, there are only primitives and guest objects, and no other data of the host's or the engine's. */
  private guestValues(name: string, value: GuestPlaces, origin: Origin): void {
    switch (name) {
      case "JSObject":
        for (const slot of value.slots) this.guestValue(slot, origin, "a slot", "Accessor")
        // Functions keep other things in lists of theirs.
        if (value.kind === ARRAY) { for (const element of value.data) this.guestValue(element, origin, "an element") }
        break
      case "Accessor":
        this.guestValue(value.get, origin, "get")
        this.guestValue(value.set, origin, "set")
        break
      case "Shape":
        this.guestValue(value.proto, origin, "proto")
        break
      case "Cell":
        // The binding of a private name is no variable of the program's.
        this.guestValue(value.value, origin, "value", "PrivateName")
        break
      case "PromiseData":
        this.guestValue(value.value, origin, "value")
    }
  }

  private guestValue(value: unknown, from: Origin, key: string, other?: string): void {
    if (typeof value !== "object" || value === null) return
    const name = nameOf(value)
    if (name !== "JSObject" && name !== other) this.problems.push(`${pathOf({ from, key })} has for a value a ${name}`)
  }
}

/** The kind of arrays with dense elements. */
const ARRAY = 23

/** The fields of the engine's classes that hold values of the program's. */
interface GuestPlaces {
  readonly slots: ReadonlyArray<unknown>
  readonly kind: number
  readonly data: ReadonlyArray<unknown>
  readonly get: unknown
  readonly set: unknown
  readonly proto: unknown
  readonly value: unknown
}
