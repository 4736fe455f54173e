import { inSteps } from "../machine/calls.ts"
import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  Collection,
  CollectionIterator,
  createFromConstructor,
  Cursor,
  describe,
  type GeneratorNative,
  get,
  type Intrinsics,
  isBuiltin,
  isCallable,
  isObject,
  IterationKind,
  type JSObject,
  Kind,
  type Native,
  newElements,
  requireCallable,
  SymbolIterator,
  SymbolSpecies,
  SymbolToStringTag,
  type Value,
} from "../object/index.ts"
import { accessor, alias, constructor, generatorMethod, type Member, method, object, tag } from "./define.ts"
import { fewEntries, forEachOf, hold, isMapOfFew, notIterable } from "./iteration.ts"
import { payFor } from "./set-table.ts"

/** What an entry of a map takes, in bytes. */
const ENTRY_BYTES = 64

const incompatible = (m: Machine, name: string, self: Value) =>
  m.typeError(`Method Map.prototype.${name} called on incompatible receiver ${describe(self)}`)

const tableOf = (m: Machine, self: Value, name: string): Collection => {
  if (isObject(self) && self.kind === Kind.Map) return self.data
  throw incompatible(m, name, self)
}

const put = (m: Machine, table: Collection, key: Value, value: Value): void => {
  payFor(m, table, key)
  if (table.set(key, value)) {
    m.charge(4)
    m.allocate(ENTRY_BYTES)
  }
}

/** https://tc39.es/ecma262/#sec-map-iterable */
const mapConstructor: Native<Machine> = (m, _self, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Constructor Map requires 'new'")
  m.allocate(448)
  const table = new Collection()
  const map = createFromConstructor(m, newTarget, "MapPrototype", Kind.Map, table)
  const iterable = args[0]
  if (iterable === undefined || iterable === null) return map
  const adder = get(m, map, "set")
  if (!isCallable(adder)) {
    throw m.typeError(`'${describe(adder)}' returned for property 'set' of object '#<Map>' is not a function`)
  }
  const isOwn = isBuiltin(adder, "Map.prototype.set")
  if (isOwn && isMapOfFew(m, iterable)) {
    const source: Collection = iterable.data
    m.charge(source.size)
    const cursor = new Cursor()
    for (let position = source.advance(cursor); position >= 0; position = source.advance(cursor)) {
      put(m, table, source.keyAt(position), source.valueAt(position))
    }
    return map
  }
  const entries = isOwn ? fewEntries(m, iterable) : undefined
  if (entries === undefined) return inSteps(m, [map, iterable], fillMap(m, map, iterable, isOwn ? undefined : adder))
  for (let i = 0; i < entries.length; i++) {
    const entry: ReadonlyArray<Value> = entries[i]!.data
    put(m, table, entry[0], entry[1])
  }
  return map
}

/** Adds what an iterable gives, by the built-in method if there is no other. */
function* fillMap(m: Machine, map: JSObject, iterable: Value, adder: JSObject | undefined): Calls {
  const table: Collection = map.data
  yield* addEntries(m, iterable, (key, value) => {
    if (adder !== undefined) return callAdder(adder, map, key, value)
    put(m, table, key, value)
    return undefined
  })
  return map
}

function* callAdder(adder: Value, target: Value, key: Value, value: Value): Calls<void> {
  yield call(adder, target, [key, value])
}

/** https://tc39.es/ecma262/#sec-add-entries-from-iterable */
export function* addEntries(
  m: Machine,
  iterable: Value,
  add: (key: Value, value: Value) => Calls<void> | undefined,
): Calls<void> {
  yield* forEachOf(m, iterable, (item) => {
    if (!isObject(item)) throw m.typeError(`Iterator value ${describe(item)} is not an entry object`)
    const key = get(m, item, 0)
    return add(key, get(m, item, 1))
  })
}

/** https://tc39.es/ecma262/#sec-map.groupby */
const mapGroupBy: GeneratorNative<Machine> = function*(m, _self, args) {
  if (args[0] === undefined || args[0] === null) throw notIterable(m, args[0])
  const fn = args[1]
  requireCallable(m, fn)
  m.allocate(448)
  const table = new Collection()
  hold(m, table)
  let k = 0
  yield* forEachOf(m, args[0], function*(value) {
    const key = yield call(fn, undefined, [value, k++])
    m.allocate(8)
    const group = table.get(key)
    if (group === undefined) {
      put(m, table, key, m.realm.newArray(newElements(value)))
    } else (group as JSObject).data.push(value)
  })
  return m.realm.newObjectOf(Kind.Map, "MapPrototype", table)
}

/** https://tc39.es/ecma262/#sec-map.prototype.foreach */
const forEach: GeneratorNative<Machine> = function*(m, self, args) {
  const table = tableOf(m, self, "forEach")
  const fn = args[0]
  requireCallable(m, fn)
  const cursor = new Cursor()
  for (;;) {
    m.charge(1)
    const position = table.advance(cursor)
    if (position < 0) return undefined
    yield call(fn, args[1], [table.valueAt(position), table.keyAt(position), self])
  }
}

/** https://tc39.es/ecma262/#sec-map.prototype.getorinsertcomputed */
const getOrInsertComputed: GeneratorNative<Machine> = function*(m, self, args) {
  const table = tableOf(m, self, "getOrInsertComputed")
  const fn = args[1]
  requireCallable(m, fn)
  const key = args[0] === 0 ? 0 : args[0]
  payFor(m, table, key)
  if (table.has(key)) return table.get(key)
  const value = yield call(fn, undefined, [key])
  put(m, table, key, value)
  return value
}

const set: Native<Machine> = (m, self, args) => {
  put(m, tableOf(m, self, "set"), args[0], args[1])
  return self
}

const iteration = (name: string, kind: number): Member =>
  method(name, 0, (m, self) => {
    const table = tableOf(m, self, name)
    m.allocate(64)
    return m.realm.newObjectOf(
      Kind.Iterator,
      "MapIteratorPrototype",
      new CollectionIterator("Map Iterator", table, kind),
    )
  })

export const mapIntrinsics: Intrinsics = {
  Map: constructor({
    name: "Map",
    length: 0,
    prototype: "MapPrototype",
    impl: mapConstructor,
    members: [
      generatorMethod("groupBy", 2, mapGroupBy),
      /** https://tc39.es/ecma262/#sec-get-map-@@species */
      accessor(SymbolSpecies, (_m, self) => self),
    ],
  }),

  /** https://tc39.es/ecma262/#sec-properties-of-the-map-prototype-object */
  MapPrototype: object({
    name: "Map.prototype",
    constructor_: "Map",
    members: [
      method("get", 1, (m, self, args) => {
        const table = tableOf(m, self, "get")
        payFor(m, table, args[0])
        return table.get(args[0])
      }),
      method("set", 2, set),
      method("has", 1, (m, self, args) => {
        const table = tableOf(m, self, "has")
        payFor(m, table, args[0])
        return table.has(args[0])
      }),
      method("delete", 1, (m, self, args) => {
        const table = tableOf(m, self, "delete")
        payFor(m, table, args[0])
        m.charge(4)
        return table.delete(args[0])
      }),
      method("clear", 0, (m, self) => {
        const table = tableOf(m, self, "clear")
        m.charge(table.size >> 2)
        table.clear()
        return undefined
      }),
      iteration("entries", IterationKind.Entries),
      generatorMethod("forEach", 1, forEach),
      method("getOrInsert", 2, (m, self, args) => {
        const table = tableOf(m, self, "getOrInsert")
        payFor(m, table, args[0])
        if (table.has(args[0])) return table.get(args[0])
        put(m, table, args[0], args[1])
        return args[1]
      }),
      generatorMethod("getOrInsertComputed", 2, getOrInsertComputed),
      iteration("keys", IterationKind.Keys),
      accessor("size", (m, self) => tableOf(m, self, "size").size),
      iteration("values", IterationKind.Values),
      tag(SymbolToStringTag, "Map"),
      alias(SymbolIterator, "entries"),
    ],
  }),
}
