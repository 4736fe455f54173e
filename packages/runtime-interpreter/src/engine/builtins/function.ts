import { newError } from "../machine/errors.ts"
import { sourceTextOf } from "../machine/function.ts"
import type { Machine } from "../machine/machine.ts"
import {
  Accessor,
  Attribute,
  BoundData,
  defineNative,
  describe,
  functionShapeOf,
  get,
  getOwnProperty,
  getPrototypeOf,
  HAS_INSTANCE,
  type IntrinsicBuilder,
  type Intrinsics,
  isCallable,
  isConstructor,
  JSObject,
  Kind,
  listFromArrayLike,
  LONG_TEXT,
  makeDictionary,
  type Native,
  NativeData,
  newElements,
  ordinaryHasInstance,
  rootShape,
  setFlags,
  Special,
  SymbolHasInstance,
  Throw,
  toIntegerOrInfinity,
  type Value,
} from "../object/index.ts"
import { COMPILE_HINT } from "./absent.ts"
import { constructor, intrinsic, type Member, Members, method, value } from "./define.ts"

type PlainNative = Native<Machine>

/** What a constructor of functions does with text. */
export const refuseText = (m: Machine): Throw =>
  new Throw(newError(m, "EvalError", `Code generation from strings disallowed. ${COMPILE_HINT}`))

const requireCallable = (m: Machine, self: Value, name: string): JSObject => {
  if (isCallable(self)) return self
  throw m.typeError(
    `Function.prototype.${name} was called on ${describe(self)}, which is ${article(typeof self)} and not a function`,
  )
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? "an " : "a ") + type

/** https://tc39.es/ecma262/#sec-function.prototype.apply */
const apply: PlainNative = (m, self, args) => {
  const fn = requireCallable(m, self, "apply")
  const list = args[1]
  return m.call(fn, args[0], list === undefined || list === null ? [] : listFromArrayLike(m, list))
}

/** https://tc39.es/ecma262/#sec-function.prototype.call */
const call: PlainNative = (m, self, args) => m.call(requireCallable(m, self, "call"), args[0], args.slice(1))

/** https://tc39.es/ecma262/#sec-function.prototype.bind */
const bind: PlainNative = (m, self, args) => {
  if (!isCallable(self)) throw m.typeError("Bind must be called on a function")
  const target: JSObject = self
  m.charge(args.length)
  m.allocate(128 + args.length * 8)
  const bound = args.slice(1)
  const proto = getPrototypeOf(m, target)
  let length = 0
  if (getOwnProperty(m, target, "length") !== undefined) {
    const targetLength = get(m, target, "length")
    if (typeof targetLength === "number") length = Math.max(toIntegerOrInfinity(m, targetLength) - bound.length, 0)
  }
  const targetName = get(m, target, "name")
  let name = `bound ${typeof targetName === "string" ? targetName : ""}`
  if (name.length > m.maxStringLength) throw m.rangeError("Invalid string length")
  if (name.length > LONG_TEXT) {
    // Made one piece now: of a function bound again and again it would have as many as there are functions.
    m.charge(name.length >> 4)
    m.allocate(name.length)
    name = ` ${name}`.slice(1)
  }
  return new JSObject(
    functionShapeOf(rootShape(m.realm.space, proto)),
    [length, name],
    Kind.Bound,
    new BoundData(target, args[0], bound, isConstructor(target)),
  )
}

/** https://tc39.es/ecma262/#sec-function.prototype.tostring */
const toString: PlainNative = (m, self) => {
  if (!isCallable(self)) throw m.typeError("Function.prototype.toString requires that 'this' be a Function")
  switch (self.kind) {
    case Kind.Closure:
      return sourceTextOf(self)
    case Kind.Native:
      return `function ${(self.data as NativeData).definition.name}() { [native code] }`
    default:
      return "function () { [native code] }"
  }
}

const members = new Members("Function.prototype", [
  value("length", 0, Attribute.Configurable),
  value("name", "", Attribute.Configurable),
  method("apply", 2, apply, { special: Special.FunctionApply }),
  method("bind", 1, bind),
  method("call", 1, call, { special: Special.FunctionCall }),
  intrinsic("constructor", "Function"),
  method("toString", 0, toString),
  {
    key: SymbolHasInstance,
    flags: 0,
    make: (realm) => realm.newNative(hasInstance),
  },
  ...["caller", "arguments"].map((key): Member => ({
    key,
    flags: Attribute.Configurable | Attribute.Accessor,
    make: (realm) => {
      const thrower = realm.intrinsic("ThrowTypeError")
      return new Accessor(thrower, thrower)
    },
  })),
])

/** https://tc39.es/ecma262/#sec-function.prototype-%symbol.hasinstance% */
const hasInstance = defineNative(HAS_INSTANCE, 1, (m, self, args) => ordinaryHasInstance(m, self, args[0]), {
  name: "[Symbol.hasInstance]",
})

const prototype = defineNative("Function.prototype", 0, () => undefined, { name: "" })

/** https://tc39.es/ecma262/#sec-properties-of-the-function-prototype-object — a function itself. */
const functionPrototype: IntrinsicBuilder = (realm, name) => {
  const root = rootShape(realm.space, realm.intrinsic("ObjectPrototype"))
  const target = new JSObject(root, newElements(), Kind.Native, new NativeData(prototype, undefined))
  realm.register(name, target)
  members.install(realm, target)
  return target
}

const poison = defineNative("ThrowTypeError", 0, (m) => {
  throw m.typeError(
    "'caller', 'callee', and 'arguments' properties may not be accessed on strict mode functions or the arguments objects for calls to them",
  )
}, { name: "" })

/** https://tc39.es/ecma262/#sec-%throwtypeerror% */
const throwTypeError: IntrinsicBuilder = (realm) => {
  const fn = realm.newNative(poison)
  setFlags(fn, fn.shape.lookup("length"), 0)
  setFlags(fn, fn.shape.lookup("name"), 0)
  makeDictionary(fn).extensible = false
  return fn
}

export const functionIntrinsics: Intrinsics = {
  Function: constructor({
    name: "Function",
    length: 1,
    prototype: "FunctionPrototype",
    impl: (m) => {
      throw refuseText(m)
    },
  }),
  FunctionPrototype: functionPrototype,
  ThrowTypeError: throwTypeError,
}
