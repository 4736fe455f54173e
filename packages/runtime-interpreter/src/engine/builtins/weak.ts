import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  createFromConstructor,
  describe,
  type GeneratorNative,
  get,
  type Intrinsics,
  isBuiltin,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  requireCallable,
  SymbolToStringTag,
  type Value,
  WeakTable,
} from "../object/index.ts"
import { constructor, generatorMethod, method, object, tag } from "./define.ts"
import { forEachOf, hold } from "./iteration.ts"
import { addEntries } from "./map.ts"

const ENTRY_BYTES = 48

const tableOf = (m: Machine, self: Value, kind: Kind, name: string): WeakTable => {
  if (isObject(self) && self.kind === kind) return self.data as WeakTable
  throw m.typeError(`Method ${name} called on incompatible receiver ${describe(self)}`)
}

const mapTable = (m: Machine, self: Value, name: string) => tableOf(m, self, Kind.WeakMap, `WeakMap.prototype.${name}`)

const setTable = (m: Machine, self: Value, name: string) => tableOf(m, self, Kind.WeakSet, `WeakSet.prototype.${name}`)

/** https://tc39.es/ecma262/#sec-canbeheldweakly — a symbol of `Symbol.for` can be asked for again at any time. */
const canBeHeldWeakly = (m: Machine, value: Value): value is JSObject | symbol =>
  isObject(value) || (typeof value === "symbol" && m.realm.symbols.get(value.description ?? "") !== value)

const put = (m: Machine, table: WeakTable, key: Value, value: Value): void => {
  if (!canBeHeldWeakly(m, key)) throw m.typeError("Invalid value used as weak map key")
  if (table.set(key, value)) m.allocate(ENTRY_BYTES)
}

const add = (m: Machine, table: WeakTable, value: Value): void => {
  if (!canBeHeldWeakly(m, value)) throw m.typeError("Invalid value used in weak set")
  if (table.set(value, undefined)) m.allocate(ENTRY_BYTES)
}

/** The method of a new collection that its constructor calls for each entry; `isOwn` if that is the built-in one. */
const adderOf = (m: Machine, target: JSObject, type: string, key: string): { adder: JSObject; isOwn: boolean } => {
  const adder = get(m, target, key)
  if (!isCallable(adder)) {
    throw m.typeError(`'${describe(adder)}' returned for property '${key}' of object '#<${type}>' is not a function`)
  }
  return { adder, isOwn: isBuiltin(adder, `${type}.prototype.${key}`) }
}

function* callAdder(adder: Value, target: Value, args: Array<Value>): Calls<void> {
  yield call(adder, target, args)
}

/** https://tc39.es/ecma262/#sec-weakmap-iterable */
const weakMapConstructor: GeneratorNative<Machine> = function*(m, _self, args, newTarget) {
  if (newTarget === undefined) throw m.typeError("Constructor WeakMap requires 'new'")
  m.allocate(128)
  const table = new WeakTable()
  const map = createFromConstructor(m, newTarget, "WeakMapPrototype", Kind.WeakMap, table)
  if (args[0] === undefined || args[0] === null) return map
  hold(m, map)
  const { adder, isOwn } = adderOf(m, map, "WeakMap", "set")
  yield* addEntries(m, args[0], (key, value) => {
    if (!isOwn) return callAdder(adder, map, [key, value])
    put(m, table, key, value)
    return undefined
  })
  return map
}

/** https://tc39.es/ecma262/#sec-weakset-iterable */
const weakSetConstructor: GeneratorNative<Machine> = function*(m, _self, args, newTarget) {
  if (newTarget === undefined) throw m.typeError("Constructor WeakSet requires 'new'")
  m.allocate(128)
  const table = new WeakTable()
  const set = createFromConstructor(m, newTarget, "WeakSetPrototype", Kind.WeakSet, table)
  if (args[0] === undefined || args[0] === null) return set
  hold(m, set)
  const { adder, isOwn } = adderOf(m, set, "WeakSet", "add")
  yield* forEachOf(m, args[0], (value) => {
    if (!isOwn) return callAdder(adder, set, [value])
    add(m, table, value)
    return undefined
  })
  return set
}

/** https://tc39.es/ecma262/#sec-weakmap.prototype.getorinsertcomputed */
const getOrInsertComputed: GeneratorNative<Machine> = function*(m, self, args) {
  const table = mapTable(m, self, "getOrInsertComputed")
  const [key, fn] = args
  if (!canBeHeldWeakly(m, key)) throw m.typeError("Invalid value used as weak map key")
  requireCallable(m, fn)
  if (table.has(key)) return table.get(key)
  const value = yield call(fn, undefined, [key])
  put(m, table, key, value)
  return value
}

export const weakIntrinsics: Intrinsics = {
  WeakMap: constructor({
    name: "WeakMap",
    length: 0,
    prototype: "WeakMapPrototype",
    generatorImpl: weakMapConstructor,
  }),

  /** https://tc39.es/ecma262/#sec-properties-of-the-weakmap-prototype-object */
  WeakMapPrototype: object({
    name: "WeakMap.prototype",
    constructor_: "WeakMap",
    members: [
      method("delete", 1, (m, self, args) => mapTable(m, self, "delete").delete(args[0] as JSObject)),
      method("get", 1, (m, self, args) => mapTable(m, self, "get").get(args[0] as JSObject)),
      method("getOrInsert", 2, (m, self, args) => {
        const table = mapTable(m, self, "getOrInsert")
        const [key, value] = args
        if (canBeHeldWeakly(m, key) && table.has(key)) return table.get(key)
        put(m, table, key, value)
        return value
      }),
      generatorMethod("getOrInsertComputed", 2, getOrInsertComputed),
      method("has", 1, (m, self, args) => mapTable(m, self, "has").has(args[0] as JSObject)),
      method("set", 2, (m, self, args) => {
        put(m, mapTable(m, self, "set"), args[0], args[1])
        return self
      }),
      tag(SymbolToStringTag, "WeakMap"),
    ],
  }),

  WeakSet: constructor({
    name: "WeakSet",
    length: 0,
    prototype: "WeakSetPrototype",
    generatorImpl: weakSetConstructor,
  }),

  /** https://tc39.es/ecma262/#sec-properties-of-the-weakset-prototype-object */
  WeakSetPrototype: object({
    name: "WeakSet.prototype",
    constructor_: "WeakSet",
    members: [
      method("add", 1, (m, self, args) => {
        add(m, setTable(m, self, "add"), args[0])
        return self
      }),
      method("delete", 1, (m, self, args) => setTable(m, self, "delete").delete(args[0] as JSObject)),
      method("has", 1, (m, self, args) => setTable(m, self, "has").has(args[0] as JSObject)),
      tag(SymbolToStringTag, "WeakSet"),
    ],
  }),
}
