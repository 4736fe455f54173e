import { captureStack } from "../machine/errors.ts"
import type { Machine } from "../machine/machine.ts"
import {
  addProperty,
  Attribute,
  createFromConstructor,
  definePropertyOrThrow,
  type GeneratorNative,
  get,
  hasProperty,
  type IntrinsicBuilder,
  type Intrinsics,
  isObject,
  type JSObject,
  Kind,
  type Native,
  toString,
  type Value,
} from "../object/index.ts"
import { constructor, method, object, value } from "./define.ts"
import { listFromIterable } from "./iteration.ts"

type PlainNative = Native<Machine>

/** https://tc39.es/ecma262/#sec-createnonenumerabledatapropertyorthrow */
const defineHidden = (m: Machine, o: JSObject, key: string, value: Value): void =>
  definePropertyOrThrow(m, o, key, { value, writable: true, enumerable: false, configurable: true })

/** The part that all constructors of errors share. */
const create = (m: Machine, constructor_: JSObject, prototype: string, message: Value): JSObject => {
  m.allocate(256)
  const error = createFromConstructor(m, constructor_, prototype, Kind.Error, undefined)
  addProperty(error, "stack", undefined, Attribute.Hidden) // The first property, as in V8; its text comes last.
  if (message !== undefined) defineHidden(m, error, "message", toString(m, message))
  return error
}

/** https://tc39.es/ecma262/#sec-installerrorcause */
const installCause = (m: Machine, error: JSObject, options: Value): void => {
  if (isObject(options) && hasProperty(m, options, "cause")) defineHidden(m, error, "cause", get(m, options, "cause"))
}

/** https://tc39.es/ecma262/#sec-error-message and https://tc39.es/ecma262/#sec-nativeerror */
const construct = (prototype: string): PlainNative => (m, _this, args, newTarget, callee) => {
  const error = create(m, newTarget ?? callee, prototype, args[0])
  installCause(m, error, args[1])
  captureStack(m, error)
  return error
}

/** https://tc39.es/ecma262/#sec-aggregate-error */
const constructAggregate: GeneratorNative<Machine> = function*(m, _this, args, newTarget, callee) {
  const error = create(m, newTarget ?? callee, "AggregateErrorPrototype", args[1])
  installCause(m, error, args[2])
  const errors = yield* listFromIterable(m, args[0])
  defineHidden(m, error, "errors", m.realm.newArray(errors))
  captureStack(m, error)
  return error
}

/** https://tc39.es/ecma262/#sec-suppressederror */
const constructSuppressed: PlainNative = (m, _this, args, newTarget, callee) => {
  const error = create(m, newTarget ?? callee, "SuppressedErrorPrototype", args[2])
  defineHidden(m, error, "error", args[0])
  defineHidden(m, error, "suppressed", args[1])
  captureStack(m, error)
  return error
}

/** https://tc39.es/ecma262/#sec-error.prototype.tostring */
const errorToString: PlainNative = (m, self) => {
  if (!isObject(self)) throw m.typeError(`Error.prototype.toString called on non-object`)
  const nameValue = get(m, self, "name")
  const name = nameValue === undefined ? "Error" : toString(m, nameValue)
  const messageValue = get(m, self, "message")
  const message = messageValue === undefined ? "" : toString(m, messageValue)
  if (name === "") return message
  if (message === "") return name
  if (name.length + message.length + 2 > m.maxStringLength) throw m.rangeError("Invalid string length")
  return `${name}: ${message}`
}

/** https://v8.dev/docs/stack-trace-api — programs that throw classes of their own use it, so it does what it can. */
const captureStackTrace: PlainNative = (m, _this, args) => {
  const target = args[0]
  if (!isObject(target)) throw m.typeError("Invalid argument")
  defineHidden(m, target, "stack", "")
  // A proxy's handler has the property now, if it wanted it.
  if (target.kind !== Kind.Proxy) captureStack(m, target)
  return undefined
}

const prototype = (name: string, proto?: string): IntrinsicBuilder =>
  object({
    name: `${name}.prototype`,
    constructor_: name,
    ...(proto === undefined ? undefined : { proto }),
    members: [value("name", name, Attribute.Hidden), value("message", "", Attribute.Hidden)],
  })

const native = (name: string): Intrinsics => ({
  [name]: constructor({
    name,
    length: 1,
    prototype: `${name}Prototype`,
    proto: "Error",
    impl: construct(`${name}Prototype`),
  }),
  [`${name}Prototype`]: prototype(name, "ErrorPrototype"),
})

export const errorIntrinsics: Intrinsics = {
  Error: constructor({
    name: "Error",
    length: 1,
    prototype: "ErrorPrototype",
    impl: construct("ErrorPrototype"),
    members: [
      method("isError", 1, (_m, _this, args) => isObject(args[0]) && args[0].kind === Kind.Error),
      method("captureStackTrace", 2, captureStackTrace),
      value("stackTraceLimit", 10, Attribute.All),
    ],
  }),
  ErrorPrototype: object({
    name: "Error.prototype",
    constructor_: "Error",
    members: [
      value("name", "Error", Attribute.Hidden),
      value("message", "", Attribute.Hidden),
      method("toString", 0, errorToString),
    ],
  }),
  ...native("EvalError"),
  ...native("RangeError"),
  ...native("ReferenceError"),
  ...native("SyntaxError"),
  ...native("TypeError"),
  ...native("URIError"),
  AggregateError: constructor({
    name: "AggregateError",
    length: 2,
    prototype: "AggregateErrorPrototype",
    proto: "Error",
    generatorImpl: constructAggregate,
  }),
  AggregateErrorPrototype: prototype("AggregateError", "ErrorPrototype"),
  SuppressedError: constructor({
    name: "SuppressedError",
    length: 3,
    prototype: "SuppressedErrorPrototype",
    proto: "Error",
    impl: constructSuppressed,
  }),
  SuppressedErrorPrototype: prototype("SuppressedError", "ErrorPrototype"),
}
