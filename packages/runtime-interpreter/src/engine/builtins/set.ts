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
  IterationKind,
  type JSObject,
  Kind,
  type Native,
  requireCallable,
  SymbolIterator,
  SymbolSpecies,
  SymbolToStringTag,
  type Value,
} from "../object/index.ts"
import { accessor, alias, constructor, generatorMethod, type Member, method, object, tag } from "./define.ts"
import { fewValues, forEachOf } from "./iteration.ts"
import { setMethods } from "./set-methods.ts"
import { addMember, payFor, setTable } from "./set-table.ts"

/** https://tc39.es/ecma262/#sec-set-iterable */
const setConstructor: Native<Machine> = (m, _self, args, newTarget) => {
  if (newTarget === undefined) throw m.typeError("Constructor Set requires 'new'")
  m.allocate(448)
  const table = new Collection()
  const set = createFromConstructor(m, newTarget, "SetPrototype", Kind.Set, table)
  const iterable = args[0]
  if (iterable === undefined || iterable === null) return set
  const adder = get(m, set, "add")
  if (!isCallable(adder)) {
    throw m.typeError(`'${describe(adder)}' returned for property 'add' of object '#<Set>' is not a function`)
  }
  const isOwn = isBuiltin(adder, "Set.prototype.add")
  const values = isOwn ? fewValues(m, iterable) : undefined
  if (values === undefined) return inSteps(m, [set, iterable], fillSet(m, set, iterable, isOwn ? undefined : adder))
  for (let i = 0; i < values.length; i++) addMember(m, table, values[i])
  return set
}

/** Adds what an iterable gives, by the built-in method if there is no other. */
function* fillSet(m: Machine, set: JSObject, iterable: Value, adder: JSObject | undefined): Calls {
  const table: Collection = set.data
  yield* forEachOf(m, iterable, (value) => {
    if (adder !== undefined) return callAdder(adder, set, value)
    addMember(m, table, value)
    return undefined
  })
  return set
}

function* callAdder(adder: JSObject, set: JSObject, value: Value): Calls<void> {
  yield call(adder, set, [value])
}

/** https://tc39.es/ecma262/#sec-set.prototype.add */
const add: Native<Machine> = (m, self, args) => {
  addMember(m, setTable(m, self, "add"), args[0])
  return self
}

/** https://tc39.es/ecma262/#sec-set.prototype.foreach */
const forEach: GeneratorNative<Machine> = function*(m, self, args) {
  const table = setTable(m, self, "forEach")
  const fn = args[0]
  requireCallable(m, fn)
  const cursor = new Cursor()
  for (;;) {
    m.charge(1)
    const position = table.advance(cursor)
    if (position < 0) return undefined
    const value = table.keyAt(position)
    yield call(fn, args[1], [value, value, self])
  }
}

const iteration = (name: string, kind: number): Member =>
  method(name, 0, (m, self) => {
    const table = setTable(m, self, name)
    m.allocate(64)
    return m.realm.newObjectOf(
      Kind.Iterator,
      "SetIteratorPrototype",
      new CollectionIterator("Set Iterator", table, kind),
    )
  })

export const setIntrinsics: Intrinsics = {
  Set: constructor({
    name: "Set",
    length: 0,
    prototype: "SetPrototype",
    impl: setConstructor,
    /** https://tc39.es/ecma262/#sec-get-set-@@species */
    members: [accessor(SymbolSpecies, (_m, self) => self)],
  }),

  /** https://tc39.es/ecma262/#sec-properties-of-the-set-prototype-object */
  SetPrototype: object({
    name: "Set.prototype",
    constructor_: "Set",
    members: [
      method("has", 1, (m, self, args) => {
        const table = setTable(m, self, "has")
        payFor(m, table, args[0])
        return table.has(args[0])
      }),
      method("add", 1, add),
      method("delete", 1, (m, self, args) => {
        const table = setTable(m, self, "delete")
        payFor(m, table, args[0])
        m.charge(4)
        return table.delete(args[0])
      }),
      method("clear", 0, (m, self) => {
        const table = setTable(m, self, "clear")
        m.charge(table.size >> 2)
        table.clear()
        return undefined
      }),
      iteration("entries", IterationKind.Entries),
      generatorMethod("forEach", 1, forEach),
      accessor("size", (m, self) => setTable(m, self, "size").size),
      iteration("values", IterationKind.Values),
      ...setMethods,
      tag(SymbolToStringTag, "Set"),
      alias("keys", "values"),
      alias(SymbolIterator, "values"),
    ],
  }),
}
