/** Everything that a run is made of, seen from the host's side, where nothing is hidden as it is from reflection in a program. */

/** The engine's own classes that a waiting run is made of. Whoever writes a run to bytes has to know these and no others. */
const classes = new Set([
  // The machine and what it runs.
  "Machine",
  "Run",
  "Timers",
  "Logs",
  "Frame",
  "Coroutine",
  "Cell",
  "FunctionCode",
  "InlineCache",
  "ClosureData",
  "NativeData",
  "BoundData",
  // Objects and their shapes.
  "Realm",
  "ShapeSpace",
  "Shape",
  "PropertyTable",
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
const doors = new Set([
  // The host.
  "Machine.host",
  "Run.options",
  "Logs.hear",
  // The table of builtins, the same for all machines.
  "Machine.builtins",
  "Realm.builders",
  // Made of the pattern and the flags beside it.
  "RegExpData.compiled",
])

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

/** Everything reachable from a run: its machine, its guest objects with all their hidden slots, and what natives keep. */
export class Walk {
  /** Where there is something that is no data of the engine's: a function, an accessor or a symbol of the host, another class. */
  readonly problems: Array<string> = []
  readonly definitions = new Map<string, Definition>()
  readonly seen = new Set<object>()
  /** The classes that were found. */
  readonly found = new Set<string>()
  private readonly work: Array<readonly [value: object, path: string]> = []

  /**
   * `known` is not walked: it is found again by other means, such as a program by its text. `further` are classes that may be there
   * besides those of a waiting run, and fields to leave out.
   */
  constructor(root: object, known: ReadonlyArray<object> = [], private readonly further: ReadonlyArray<string> = []) {
    for (const value of known) this.seen.add(value)
    this.visit(root, "run")
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop()) this.open(...next)
  }

  /** The names of the classes that a run may consist of. */
  static readonly classes: ReadonlySet<string> = classes

  private visit(value: unknown, path: string): void {
    switch (typeof value) {
      case "function":
        this.problems.push(`${path} is a function of the host: ${value.name}`)
        break
      case "symbol":
        if (isHostSymbol(value)) this.problems.push(`${path} is the host's ${String(value)}`)
        break
      case "object":
        if (value === null || this.seen.has(value)) break
        this.seen.add(value)
        this.work.push([value, shown(path)])
    }
  }

  private open(value: object, path: string): void {
    const name = nameOf(value)
    // Templates are known by their source and their place in it.
    if (name === "Template" || isElementType(value)) return
    this.found.add(name)
    if (isDefinition(value)) {
      const known = this.definitions.get(value.id)
      if (known !== undefined && known !== value) {
        this.problems.push(`${path} is not the only definition of ${value.id}`)
      }
      this.definitions.set(value.id, value)
      return
    }
    if (!classes.has(name) && !plain.has(name) && !this.further.includes(name)) {
      this.problems.push(`${path} is of the class ${name}`)
      return
    }
    if (value instanceof Map) {
      for (const [key, item] of value) {
        this.visit(key, `${path}'s key`)
        this.visit(item, `${path}[${String(key)}]`)
      }
    } else if (value instanceof Set) { for (const item of value) this.visit(item, `${path}'s member`) }
    else if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return
    for (const key of Reflect.ownKeys(value)) {
      const field = `${name}.${String(key)}`
      if (doors.has(field) || this.further.includes(field)) continue
      const property = Object.getOwnPropertyDescriptor(value, key)!
      if (!("value" in property)) this.problems.push(`${path}.${String(key)} is an accessor of the host`)
      this.visit(property.value, `${path}.${String(key)}`)
    }
  }
}

/** The end of a path that went a long way. */
const shown = (path: string): string => path.length <= 200 ? path : `…${path.slice(-200)}`
