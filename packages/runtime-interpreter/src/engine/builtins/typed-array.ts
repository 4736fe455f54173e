import type { Machine } from "../machine/machine.ts"
import {
  call,
  type Calls,
  describe,
  type ElementType,
  elementTypes,
  type GeneratorNative,
  get,
  getAt,
  getMethod,
  indexKey,
  type Intrinsics,
  isArrayBuffer,
  isObject,
  isOutOfBounds,
  isTypedArray,
  type JSObject,
  lengthOfArrayLike,
  type Native,
  newElements,
  Pause,
  prototypeFromConstructor,
  requireCallable,
  requireConstructor,
  set,
  setElement,
  SymbolIterator,
  SymbolSpecies,
  SymbolToStringTag,
  toIndex,
  toObject,
  type TypedArrayData,
  type Value,
  viewOf,
} from "../object/index.ts"
import { accessor, constructor, generatorMethod, object, value } from "./define.ts"
import { DONE, getIteratorFromMethod, hold, isPlainArrayIteration, iteratorStepValue } from "./iteration.ts"
import { typedArrayCallbackMembers } from "./typed-array-callbacks.ts"
import {
  BLOCK,
  bufferFor,
  copyElements,
  createFrom,
  fromArrayBuffer,
  newTypedArray,
  typedArrayOver,
} from "./typed-array-create.ts"
import { typedArrayMembers } from "./typed-array-methods.ts"
import { uint8ArrayMembers, uint8ArrayPrototypeMembers } from "./uint8-array.ts"

type PlainNative = Native<Machine>

/** https://tc39.es/ecma262/#sec-initializetypedarrayfromtypedarray */
function* fromTypedArray(m: Machine, type: ElementType, source: JSObject, proto: JSObject): Calls<JSObject> {
  if (isOutOfBounds(source)) throw m.typeError("Cannot perform Construct on a detached or out-of-bounds ArrayBuffer")
  const view = viewOf(source)
  const buffer = bufferFor(m, type, view.length)
  const sourceType = (source.data as TypedArrayData).type
  if (sourceType.bigint !== type.bigint) {
    throw m.typeError("Cannot mix BigInt and other types, use explicit conversions")
  }
  const result = typedArrayOver(m, type, buffer, 0, view.length, proto)
  yield* copyElements(m, view, sourceType, viewOf(result), type, 0)
  return result
}

/** https://tc39.es/ecma262/#sec-initializetypedarrayfromlist */
function* fromList(m: Machine, type: ElementType, list: Array<Value>, proto: JSObject): Calls<JSObject> {
  const result = newTypedArray(m, type, list.length, proto)
  for (let i = 0; i < list.length; i++) {
    m.charge(2)
    if (i % BLOCK === BLOCK - 1) yield Pause
    setElement(m, result, i, list[i])
  }
  return result
}

/** https://tc39.es/ecma262/#sec-initializetypedarrayfromarraylike */
function* fromArrayLike(m: Machine, type: ElementType, source: JSObject, proto: JSObject): Calls<JSObject> {
  const length = lengthOfArrayLike(m, source)
  const result = newTypedArray(m, type, length, proto)
  for (let i = 0; i < length; i++) {
    m.charge(4)
    if (i % BLOCK === BLOCK - 1) yield Pause
    setElement(m, result, i, get(m, source, indexKey(i)))
  }
  return result
}

/** https://tc39.es/ecma262/#sec-iteratortolist, after https://tc39.es/ecma262/#sec-getiteratorfrommethod */
function* listFromMethod(m: Machine, iterable: Value, fn: JSObject): Calls<Array<Value>> {
  const list: Array<Value> = newElements()
  hold(m, list)
  if (isPlainArrayIteration(m, iterable)) {
    const { length } = iterable.data
    m.charge(length)
    m.allocate(length * 8)
    for (let i = 0; i < length; i++) list.push(getAt(m, iterable, i))
    return list
  }
  const record = yield* getIteratorFromMethod(m, iterable, fn)
  for (;;) {
    const next = yield* iteratorStepValue(m, record)
    if (next === DONE) return list
    m.charge(4)
    m.allocate(8)
    list.push(next)
    if (list.length % BLOCK === 0) yield Pause
  }
}

/** https://tc39.es/ecma262/#sec-typedarray */
const construct = (type: ElementType): GeneratorNative<Machine> =>
  function*(m, _this, args, newTarget) {
    if (newTarget === undefined) throw m.typeError(`Constructor ${type.name} requires 'new'`)
    const first = args[0]
    if (!isObject(first)) {
      const length = toIndex(m, first)
      return newTypedArray(m, type, length, prototypeFromConstructor(m, newTarget, `${type.name}Prototype`))
    }
    const proto = prototypeFromConstructor(m, newTarget, `${type.name}Prototype`)
    if (isTypedArray(first)) return yield* fromTypedArray(m, type, first, proto)
    if (isArrayBuffer(first)) return fromArrayBuffer(m, type, first, args[1], args[2], proto)
    const iterator = getMethod(m, first, SymbolIterator)
    if (iterator === undefined) return yield* fromArrayLike(m, type, first, proto)
    return yield* fromList(m, type, yield* listFromMethod(m, first, iterator), proto)
  }

/** https://tc39.es/ecma262/#sec-%typedarray% */
const constructAbstract: PlainNative = (m) => {
  throw m.typeError("Abstract class TypedArray not directly constructable")
}

/** https://tc39.es/ecma262/#sec-%typedarray%.from */
const from: GeneratorNative<Machine> = function*(m, thisValue, [source, mapper, thisArg]) {
  const constructor = requireConstructor(m, thisValue)
  if (mapper !== undefined) requireCallable(m, mapper)
  const iterator = getMethod(m, source, SymbolIterator)
  const list = iterator === undefined ? undefined : yield* listFromMethod(m, source, iterator)
  const arrayLike = list === undefined ? toObject(m, source) : undefined
  const length = list === undefined ? lengthOfArrayLike(m, arrayLike!) : list.length
  const target = yield* createFrom(m, constructor, [length])
  for (let i = 0; i < length; i++) {
    m.charge(4)
    if (i % BLOCK === BLOCK - 1) yield Pause
    let element = list === undefined ? get(m, arrayLike!, indexKey(i)) : list[i]
    if (mapper !== undefined) element = yield call(mapper, thisArg, [element, i])
    set(m, target, indexKey(i), element)
  }
  return target
}

/** https://tc39.es/ecma262/#sec-%typedarray%.of */
const of: GeneratorNative<Machine> = function*(m, thisValue, args) {
  const target = yield* createFrom(m, requireConstructor(m, thisValue), [args.length])
  m.charge(args.length)
  for (let i = 0; i < args.length; i++) set(m, target, i, args[i])
  return target
}

const slotsOf = (m: Machine, thisValue: Value, name: string): TypedArrayData => {
  if (!isTypedArray(thisValue)) {
    throw m.typeError(`get TypedArray.prototype.${name} called on incompatible receiver ${describe(thisValue)}`)
  }
  viewOf(thisValue)
  return thisValue.data
}

/** https://tc39.es/ecma262/#sec-get-%typedarray%.prototype.buffer */
const buffer: PlainNative = (m, thisValue) => slotsOf(m, thisValue, "buffer").buffer

/** https://tc39.es/ecma262/#sec-get-%typedarray%.prototype.bytelength */
const byteLength: PlainNative = (m, thisValue) => {
  const { type, view } = slotsOf(m, thisValue, "byteLength")
  return view.length * type.size
}

/** https://tc39.es/ecma262/#sec-get-%typedarray%.prototype.byteoffset */
const byteOffset: PlainNative = (m, thisValue) => {
  const data = slotsOf(m, thisValue, "byteOffset")
  return data.outOfBounds ? 0 : data.byteOffset
}

/** https://tc39.es/ecma262/#sec-get-%typedarray%.prototype.length */
const length: PlainNative = (m, thisValue) => slotsOf(m, thisValue, "length").view.length

/** https://tc39.es/ecma262/#sec-get-%typedarray%.prototype-%symbol.tostringtag% */
const toStringTag: PlainNative = (_m, thisValue) =>
  isTypedArray(thisValue) ? (thisValue.data as TypedArrayData).type.name : undefined

const concrete = (type: ElementType): Intrinsics => {
  const isBytes = type.name === "Uint8Array"
  const bytesPerElement = value("BYTES_PER_ELEMENT", type.size)
  return {
    [type.name]: constructor({
      name: type.name,
      length: 3,
      prototype: `${type.name}Prototype`,
      proto: "TypedArray",
      generatorImpl: construct(type),
      members: [bytesPerElement, ...(isBytes ? uint8ArrayMembers : [])],
    }),
    [`${type.name}Prototype`]: object({
      name: `${type.name}.prototype`,
      proto: "TypedArrayPrototype",
      constructor_: type.name,
      members: [bytesPerElement, ...(isBytes ? uint8ArrayPrototypeMembers : [])],
    }),
  }
}

export const typedArrayIntrinsics: Intrinsics = {
  TypedArray: constructor({
    name: "TypedArray",
    length: 0,
    prototype: "TypedArrayPrototype",
    impl: constructAbstract,
    members: [
      generatorMethod("from", 1, from),
      generatorMethod("of", 0, of),
      accessor(SymbolSpecies, (_m, thisValue) => thisValue),
    ],
  }),
  TypedArrayPrototype: object({
    name: "TypedArray.prototype",
    constructor_: "TypedArray",
    members: [
      accessor("buffer", buffer),
      accessor("byteLength", byteLength),
      accessor("byteOffset", byteOffset),
      accessor("length", length),
      ...typedArrayMembers,
      ...typedArrayCallbackMembers,
      accessor(SymbolToStringTag, toStringTag),
    ],
  }),
  ...Object.assign({}, ...elementTypes.map(concrete)) as Intrinsics,
}
