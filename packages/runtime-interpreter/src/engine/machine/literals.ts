import { FunctionKind, type ObjectLiteral, type Template, type TemplateStrings } from "../compile/template.ts"
import {
  Accessor,
  addProperty,
  Attribute,
  definePropertyOrThrow,
  isObject,
  JSObject,
  Kind,
  newElements,
  PrivateName,
  type PropertyKey,
  setIntegrityLevel,
  setPrototypeOf,
  type Shape,
  SymbolIterator,
  type Value,
} from "../object/index.ts"
import type { Frame } from "./frame.ts"
import { type Cell, ClosureData, type FunctionCode } from "./function.ts"
import type { Machine } from "./machine.ts"

/** The shape of an object literal. */
export const linkObject = (m: Machine, code: FunctionCode, index: number): Shape => {
  let shape = m.realm.objectShape
  for (const key of (code.template.constants[index] as ObjectLiteral).keys) shape = shape.add(key, Attribute.All)
  return code.linked[index] = shape
}

/** https://tc39.es/ecma262/#sec-gettemplateobject */
export const linkTemplate = (m: Machine, code: FunctionCode, index: number): JSObject => {
  const { cooked, raw } = code.template.constants[index] as TemplateStrings
  const strings = m.realm.newArray(cooked.slice())
  const rawStrings = m.realm.newArray(raw.slice())
  m.allocate(256 + cooked.length * 16)
  setIntegrityLevel(m, rawStrings, "frozen")
  definePropertyOrThrow(m, strings, "raw", {
    value: rawStrings,
    writable: false,
    enumerable: false,
    configurable: false,
  })
  setIntegrityLevel(m, strings, "frozen")
  return code.linked[index] = strings
}

/** https://tc39.es/ecma262/#sec-createunmappedargumentsobject */
export const newArguments = (m: Machine, args: ReadonlyArray<Value>): JSObject => {
  m.allocate(160 + args.length * 32)
  const object = new JSObject(m.realm.objectShape, newElements(), Kind.Arguments, undefined)
  addProperty(object, "length", args.length, Attribute.Hidden)
  for (let i = 0; i < args.length; i++) addProperty(object, i, args[i], Attribute.All)
  addProperty(object, SymbolIterator, m.realm.intrinsic("ArrayValues"), Attribute.Hidden)
  const thrower = m.realm.intrinsic("ThrowTypeError")
  addProperty(object, "callee", new Accessor(thrower, thrower), Attribute.Accessor)
  return object
}

/** The shape of a generator, an async function or both. */
const functionShapeFor = (m: Machine, { isAsync, isGenerator }: Template): Shape =>
  m.realm.functionShapeOf(
    isGenerator
      ? isAsync ? "AsyncGeneratorFunctionPrototype" : "GeneratorFunctionPrototype"
      : "AsyncFunctionPrototype",
    isGenerator,
  )

/** What a function takes with the arrays that are in it, and the prototype that most functions have. */
const CLOSURE_BYTES = 360

/** https://tc39.es/ecma262/#sec-instantiateordinaryfunctionobject and its siblings */
export const newClosure = (m: Machine, frame: Frame, code: FunctionCode): JSObject => {
  const { template } = code
  const { captures } = template
  const cells: Array<Cell> = newElements()
  m.allocate(CLOSURE_BYTES + captures.length * 8)
  if (captures.length > 0) {
    m.budget -= captures.length >> 3
    const own = frame.captures
    for (let i = 0; i < captures.length; i++) {
      const from = captures[i]!
      cells.push(from >= 0 ? frame.regs[from] : own[~from]!)
    }
  }
  const data = new ClosureData(code, cells)
  const { realm } = m
  if (template.kind === FunctionKind.Normal || template.isGenerator) {
    if (template.isGenerator) {
      const fn = new JSObject(
        functionShapeFor(m, template),
        newElements(template.length, template.name, undefined),
        Kind.Closure,
        data,
      )
      fn.slots[2] = realm.newObjectWith(
        realm.intrinsic(template.isAsync ? "AsyncGeneratorPrototype" : "GeneratorPrototype"),
      )
      return fn
    }
    if (!template.isAsync) {
      const fn = new JSObject(
        realm.constructorShape,
        newElements(template.length, template.name, undefined),
        Kind.Closure,
        data,
      )
      fn.slots[2] = new JSObject(realm.constructorPrototypeShape, newElements(fn), Kind.Ordinary, undefined)
      return fn
    }
  }
  const shape = template.isAsync ? functionShapeFor(m, template) : realm.functionShape
  return new JSObject(shape, newElements(template.length, template.name), Kind.Closure, data)
}

/** https://tc39.es/ecma262/#sec-setfunctionname for a name known only now. */
export const setFunctionName = (fn: JSObject, key: Value | PropertyKey, prefix: string): void => {
  const slot = fn.shape.lookup("name")
  // A class with a static member of that name keeps it.
  if (slot < 0 || fn.slots[slot] !== "") return
  const name = typeof key === "symbol"
    ? key.description === undefined ? "" : `[${key.description}]`
    : key instanceof PrivateName
    ? key.description
    : String(key)
  fn.slots[slot] = prefix === "" ? name : `${prefix} ${name}`
}

/** https://tc39.es/ecma262/#sec-createdatapropertyorthrow on an object under construction. */
export const defineField = (m: Machine, object: JSObject, key: PropertyKey, value: Value): void => {
  if (object.kind === Kind.Ordinary && object.shape.extensible && object.shape.lookup(key) < 0) {
    m.allocate(24)
    addProperty(object, key, value, Attribute.All)
  } else definePropertyOrThrow(m, object, key, { value, writable: true, enumerable: true, configurable: true })
}

/** `__proto__: value` in an object literal. */
export const setLiteralPrototype = (m: Machine, object: JSObject, value: Value): void => {
  if (value === null || isObject(value)) setPrototypeOf(m, object, value)
}
