import type { Machine } from "../machine/machine.ts"
import {
  type Agent,
  Attribute,
  type BuiltinIterator,
  call,
  type Calls,
  createFromConstructor,
  describe,
  DONE,
  ENTRY_BYTES,
  type GeneratorNative,
  get,
  getMethod,
  getOwnProperty,
  type Intrinsics,
  isCallable,
  isObject,
  IterationKind,
  type JSObject,
  keyToValue,
  Kind,
  type Native,
  newElements,
  ownKeys,
  Pause,
  SymbolIterator,
  SymbolToStringTag,
  toString,
  type Value,
} from "../object/index.ts"
import { nextMethod } from "./built-in-iterators.ts"
import { accessor, alias, constructor, generatorMethod, type Member, method, object, tag } from "./define.ts"
import { forEachOf, hold, listFromIterable } from "./iteration.ts"
import { sortBy } from "./merge-sort.ts"
import { changeUrl, MAX_URL, parseQuery, toScalarText, type UrlParts } from "./url-host.ts"
import { PAIR_BYTES, readQuery, writeQuery } from "./url-query.ts"
import { codedError } from "./web-error.ts"

/** The internal slots of a `URL`. */
export interface UrlData {
  readonly brand: "URL"
  parts: UrlParts
  /** Its `searchParams`, once they were read. */
  params: JSObject | null
}

/** The internal slots of a `URLSearchParams`. */
export interface ParamsData {
  readonly brand: "URLSearchParams"
  /** Names and values in turn. */
  list: Array<string>
  /** The URL whose query this is. */
  readonly url: UrlData | null
}

const BRAND = "URLSearchParams"

const dataOf = (m: Machine, value: Value): ParamsData => {
  if (isObject(value) && value.kind === Kind.Internal && value.data.brand === BRAND) return value.data
  throw codedError(m, "TypeError", "ERR_INVALID_THIS", `Value of "this" must be of type ${BRAND}`)
}

/** Refuses a call with fewer arguments than these. */
export const requireArguments = (m: Machine, args: ReadonlyArray<Value>, ...names: ReadonlyArray<string>): void => {
  if (args.length >= names.length) return
  const quoted = names.map((name) => `"${name}"`)
  const message = quoted.length === 1
    ? `The ${quoted[0]} argument must be specified`
    : `The ${quoted.slice(0, -1).join(", ")} and ${quoted[quoted.length - 1]} arguments must be specified`
  throw codedError(m, "TypeError", "ERR_MISSING_ARGS", message)
}

const toText = (m: Machine, value: Value): string => toScalarText(m, toString(m, value))

/** https://url.spec.whatwg.org/#concept-urlsearchparams-update */
function* update(m: Machine, { list, url }: ParamsData): Calls<void> {
  if (url === null) return
  let length = 0
  for (const item of list) length += item.length + 1
  m.charge(list.length)
  const query = length > MAX_URL ? undefined : yield* writeQuery(m, list)
  if (query === undefined || query.length > MAX_URL) throw m.rangeError("The query is too long for a URL")
  url.parts = changeUrl(m, url.parts, "search", query)
}

/** Has the parameters of a URL say what its query says now. */
export const refreshParams = (m: Machine, url: UrlData): void => {
  if (url.params !== null) (url.params.data as ParamsData).list = queryOf(m, url.parts)
}

const queryOf = (m: Machine, { search }: UrlParts): Array<string> => {
  m.charge(search.length * 8)
  const list = parseQuery(search.slice(1))
  m.allocate(search.length * 2 + list.length * PAIR_BYTES / 2)
  return list
}

/** The `searchParams` of a URL. */
export const paramsOfUrl = (m: Machine, url: UrlData): JSObject => {
  if (url.params === null) {
    m.allocate(192)
    const data: ParamsData = { brand: BRAND, list: queryOf(m, url.parts), url }
    url.params = m.realm.newObjectOf(Kind.Internal, "URLSearchParamsPrototype", data)
  }
  return url.params
}

function* pairsOf(m: Machine, iterable: Value): Calls<Array<string>> {
  const list: Array<string> = []
  hold(m, list)
  const invalid = () =>
    codedError(m, "TypeError", "ERR_INVALID_TUPLE", "Each query pair must be an iterable [name, value] tuple")
  function* add(pair: Value): Calls<void> {
    if (!isObject(pair) || getMethod(m, pair, SymbolIterator) === undefined) throw invalid()
    const items = yield* listFromIterable(m, pair)
    if (items.length !== 2) throw invalid()
    m.allocate(PAIR_BYTES)
    list.push(toText(m, items[0]), toText(m, items[1]))
  }
  yield* forEachOf(m, iterable, add)
  return list
}

/** The pairs of an object's own enumerable properties. */
function* pairsOfRecord(m: Machine, record: JSObject): Calls<Array<string>> {
  const pairs = new Map<string, string>()
  hold(m, pairs)
  let count = 0
  for (const key of ownKeys(m, record)) {
    if (++count % 1024 === 0) yield Pause
    m.charge(10)
    if (getOwnProperty(m, record, key)?.enumerable !== true) continue
    const name = keyToValue(key)
    if (typeof name === "symbol") throw m.typeError("Cannot convert a Symbol value to a string")
    m.allocate(PAIR_BYTES + 32)
    pairs.set(toScalarText(m, name), toText(m, get(m, record, key)))
  }
  const list: Array<string> = []
  for (const [name, value] of pairs) list.push(name, value)
  return list
}

/** https://url.spec.whatwg.org/#dom-urlsearchparams-urlsearchparams */
const construct: GeneratorNative<Machine> = function*(m, _this, args, newTarget) {
  if (newTarget === undefined) throw m.typeError(`Class constructor ${BRAND} cannot be invoked without 'new'`)
  const init = args[0]
  m.charge(50)
  m.allocate(128)
  let list: Array<string> = []
  if (isObject(init)) {
    const iterator = getMethod(m, init, SymbolIterator)
    list = iterator === undefined ? yield* pairsOfRecord(m, init) : yield* pairsOf(m, init)
  } else if (init !== undefined && init !== null) {
    const text = toText(m, init)
    list = yield* readQuery(m, text.startsWith("?") ? text.slice(1) : text)
  }
  const data: ParamsData = { brand: BRAND, list, url: null }
  return createFromConstructor(m, newTarget, "URLSearchParamsPrototype", Kind.Internal, data)
}

/** Pays for a look at all names. */
const chargeScan = (m: Machine, { list }: ParamsData, name: string): void => {
  m.charge(10 + list.length + (name.length >> 3))
}

const append: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const data = dataOf(m, thisValue)
  requireArguments(m, args, "name", "value")
  const name = toText(m, args[0])
  const value = toText(m, args[1])
  m.allocate(PAIR_BYTES)
  data.list.push(name, value)
  yield* update(m, data)
  return undefined
}

const delete_: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const data = dataOf(m, thisValue)
  requireArguments(m, args, "name")
  const name = toText(m, args[0])
  const value = args[1] === undefined ? undefined : toText(m, args[1])
  chargeScan(m, data, name)
  data.list = withoutPairs(data.list, 0, name, value)
  yield* update(m, data)
  return undefined
}

/** The list without the pairs of this name, and of this value if one is given, from an index on. */
const withoutPairs = (list: ReadonlyArray<string>, from: number, name: string, value?: string): Array<string> => {
  const rest: Array<string> = list.slice(0, from)
  for (let i = from; i < list.length; i += 2) {
    if (list[i] !== name || (value !== undefined && list[i + 1] !== value)) rest.push(list[i]!, list[i + 1]!)
  }
  return rest
}

const indexOfName = (list: ReadonlyArray<string>, name: string): number => {
  for (let i = 0; i < list.length; i += 2) if (list[i] === name) return i
  return -1
}

const getFirst: Native<Machine> = (m, thisValue, args) => {
  const data = dataOf(m, thisValue)
  requireArguments(m, args, "name")
  const name = toText(m, args[0])
  chargeScan(m, data, name)
  const index = indexOfName(data.list, name)
  return index < 0 ? null : data.list[index + 1]!
}

const getAll: Native<Machine> = (m, thisValue, args) => {
  const data = dataOf(m, thisValue)
  requireArguments(m, args, "name")
  const name = toText(m, args[0])
  chargeScan(m, data, name)
  const values = data.list.filter((_value, i) => i % 2 === 1 && data.list[i - 1] === name)
  m.allocate(64 + values.length * 8)
  return m.realm.newArray(values)
}

const has: Native<Machine> = (m, thisValue, args) => {
  const { list } = dataOf(m, thisValue)
  requireArguments(m, args, "name")
  const name = toText(m, args[0])
  const value = args[1] === undefined ? undefined : toText(m, args[1])
  chargeScan(m, dataOf(m, thisValue), name)
  return list.some((item, i) => i % 2 === 0 && item === name && (value === undefined || list[i + 1] === value))
}

const set: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const data = dataOf(m, thisValue)
  requireArguments(m, args, "name", "value")
  const name = toText(m, args[0])
  const value = toText(m, args[1])
  chargeScan(m, data, name)
  const index = indexOfName(data.list, name)
  if (index < 0) {
    m.allocate(PAIR_BYTES)
    data.list.push(name, value)
  } else {
    data.list[index + 1] = value
    data.list = withoutPairs(data.list, index + 2, name)
  }
  yield* update(m, data)
  return undefined
}

const sort: GeneratorNative<Machine> = function*(m, thisValue) {
  const data = dataOf(m, thisValue)
  const { list } = data
  m.charge(list.length)
  m.allocate(list.length * 16)
  const names = list.filter((_name, i) => i % 2 === 0)
  const longest = names.reduce((length, name) => Math.max(length, name.length), 0)
  const order = yield* sortBy(m, names.map((_name, i) => i), (a, b) => names[a]! < names[b]!, 4 + (longest >> 4))
  const sorted: Array<string> = []
  for (const i of order) sorted.push(list[2 * i]!, list[2 * i + 1]!)
  data.list = sorted
  yield* update(m, data)
  return undefined
}

const forEach: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const data = dataOf(m, thisValue)
  const fn = args[0]
  if (!isCallable(fn)) {
    const message = `The "callback" argument must be of type function. Received ${describe(fn)}`
    throw codedError(m, "TypeError", "ERR_INVALID_ARG_TYPE", message)
  }
  for (let i = 0; i < data.list.length; i += 2) {
    m.charge(2)
    yield call(fn, args[1], [data.list[i + 1], data.list[i], thisValue])
  }
  return undefined
}

const ITERATOR = "URLSearchParams Iterator"

/** https://url.spec.whatwg.org/#urlsearchparams — its default iterator goes by index, over what is there then. */
class ParamsIterator implements BuiltinIterator {
  readonly brand = ITERATOR
  private position = 0

  constructor(private readonly data: ParamsData, private readonly kind: number) {}

  step(m: Agent): Value | typeof DONE {
    const { list } = this.data
    const { position } = this
    if (position >= list.length) return DONE
    this.position += 2
    if (this.kind === IterationKind.Keys) return list[position]!
    if (this.kind === IterationKind.Values) return list[position + 1]!
    m.allocate(ENTRY_BYTES)
    return m.realm.newArray(newElements(list[position]!, list[position + 1]!))
  }
}

const iteration = (name: string, kind: number): Member =>
  method(name, 0, (m, thisValue) => {
    const data = dataOf(m, thisValue)
    m.allocate(112)
    return m.realm.newObjectOf(Kind.Iterator, "URLSearchParamsIteratorPrototype", new ParamsIterator(data, kind))
  }, { flags: Attribute.All })

const flags = { flags: Attribute.All }

export const urlSearchParamsIntrinsics: Intrinsics = {
  /** https://url.spec.whatwg.org/#interface-urlsearchparams */
  URLSearchParams: constructor({
    name: BRAND,
    length: 0,
    prototype: "URLSearchParamsPrototype",
    generatorImpl: construct,
  }),
  URLSearchParamsPrototype: object({
    name: `${BRAND}.prototype`,
    constructor_: BRAND,
    members: [
      accessor(
        "size",
        (m, thisValue) => dataOf(m, thisValue).list.length / 2,
        undefined,
        Attribute.Enumerable | Attribute.Configurable,
      ),
      generatorMethod("append", 2, append, flags),
      generatorMethod("delete", 1, delete_, flags),
      method("get", 1, getFirst, flags),
      method("getAll", 1, getAll, flags),
      method("has", 1, has, flags),
      generatorMethod("set", 2, set, flags),
      generatorMethod("sort", 0, sort, flags),
      iteration("entries", IterationKind.Entries),
      generatorMethod("forEach", 1, forEach, flags),
      iteration("keys", IterationKind.Keys),
      iteration("values", IterationKind.Values),
      generatorMethod("toString", 0, function*(m, thisValue) {
        return yield* writeQuery(m, dataOf(m, thisValue).list)
      }, flags),
      alias(SymbolIterator, "entries"),
      tag(SymbolToStringTag, BRAND),
    ],
  }),
  URLSearchParamsIteratorPrototype: object({
    name: `%${BRAND}IteratorPrototype%`,
    proto: "IteratorPrototype",
    members: [nextMethod(ITERATOR), tag(SymbolToStringTag, ITERATOR)],
  }),
}
