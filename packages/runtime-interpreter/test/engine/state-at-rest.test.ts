import { describe, expect, it } from "vitest"
import { makeRun, ProgramCache, type RunHost } from "../../src/engine/index.ts"
import { elementTypes } from "../../src/engine/object/index.ts"
import { programs } from "./state-at-rest.programs.ts"

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
  ...elementTypes.map(({ view }) => view.name),
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

interface Definition {
  readonly id: string
  readonly impl: unknown
}

const isDefinition = (value: object): value is Definition => "id" in value && "impl" in value && "stepper" in value

/** Everything reachable from a waiting run. */
class Walk {
  readonly problems: Array<string> = []
  readonly definitions = new Map<string, Definition>()
  readonly seen = new Set<unknown>()
  readonly found = new Set<string>()
  private readonly work: Array<readonly [value: object, path: string]> = []

  /** `known` are found again by other means: the text of a program, an element type by its name. */
  constructor(root: object, known: ReadonlyArray<object>) {
    for (const value of known) this.seen.add(value)
    this.visit(root, "run")
    for (let next = this.work.pop(); next !== undefined; next = this.work.pop()) this.open(...next)
  }

  private visit(value: unknown, path: string): void {
    if (typeof value === "function") this.problems.push(`${path} is a function of the host: ${value.name}`)
    else if (typeof value === "object" && value !== null && !this.seen.has(value)) {
      this.seen.add(value)
      this.work.push([value, path])
    }
  }

  private open(value: object, path: string): void {
    const name = nameOf(value)
    this.found.add(name)
    // Templates are known by their source and their place in it.
    if (name === "Template") return
    if (isDefinition(value)) {
      const known = this.definitions.get(value.id)
      if (known !== undefined && known !== value) {
        this.problems.push(`${path} is not the only definition of ${value.id}`)
      }
      this.definitions.set(value.id, value)
      return
    }
    if (!classes.has(name) && !plain.has(name)) {
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
      if (doors.has(`${name}.${String(key)}`)) continue
      const property = Object.getOwnPropertyDescriptor(value, key)!
      if (!("value" in property)) this.problems.push(`${path}.${String(key)} is an accessor of the host`)
      this.visit(property.value, `${path}.${String(key)}`)
    }
  }
}

const limits = {
  fuel: 10_000_000,
  memory: 64 << 20,
  callDepth: 1000,
  stringLength: 1 << 24,
  bigintBits: 1 << 20,
  dataDepth: 64,
  toolCalls: 100,
  concurrentCalls: 16,
  logLines: 100,
  logLength: 10_000,
}

const host: RunHost = { now: () => 0, monotonic: () => 0, random: () => 0.5, setAlarm: () => {}, startCall: () => {} }

const cache = new ProgramCache()

/** What a run consists of when it waits. */
const waiting = async (code: string): Promise<Walk> => {
  const program = await cache.load(code)
  if ("refused" in program) throw new SyntaxError(program.refused.message)
  const run = makeRun(program, { limits, host, tools: ["wait", "other", "a.b.c", "a.b", "d-e.f"] })
  let progress = run.advance(100_000)
  while (progress === "running") progress = run.advance(100_000)
  expect(progress).toBe("waiting")
  return new Walk(run, [program.template.source, ...elementTypes])
}

describe("a run that waits is data", () => {
  const definitions = new Map<string, Definition>()
  const found = new Set<string>()

  it.each(programs)("%s", async (_name, code) => {
    const walk = await waiting(code)
    expect(walk.problems).toEqual([])
    expect(walk.seen.size).toBeGreaterThan(100)
    // A built-in of one id is the same in every run.
    for (const [id, definition] of walk.definitions) {
      expect(definitions.get(id) ?? definition).toBe(definition)
      definitions.set(id, definition)
    }
    for (const name of walk.found) found.add(name)
  })

  it("of every class that the table names", () => {
    expect([...classes].filter((name) => !found.has(name))).toEqual([])
  })
})
