import { FunctionKind } from "../compile/template.ts"
import {
  addProperty,
  Attribute,
  describeKey,
  isCallable,
  isObject,
  type JSObject,
  Kind,
  LONG_TEXT,
  peekText,
  type PropertyKey,
  Throw,
  type Value,
} from "../object/index.ts"
import { ErrorData } from "./error-data.ts"
import { FrameType } from "./frame.ts"
import type { Machine } from "./machine.ts"
import type { PromiseData } from "./promise.ts"
import { expressionAt, guestFrames, locate, type Place, placeOf } from "./stack.ts"

// The errors that programs see: each tells in its `stack` where it was made, and in its message which expression it is about.

/** What an error takes, in steps, and each of the frames that its `stack` shows. */
const ERROR_STEPS = 50
const ERROR_FRAME_STEPS = 25
/** How many frames an error's `stack` shows. */
const STACK_FRAMES = 10

/** An error of this type (`TypeError`), made where the program is. */
export const newError = (m: Machine, type: string, message: string): JSObject => {
  const error = m.realm.newObjectOf(Kind.Error, `${type}Prototype`, undefined)
  m.allocate(256)
  addProperty(error, "stack", undefined, Attribute.Hidden)
  addProperty(error, "message", message, Attribute.Hidden)
  captureStack(m, error)
  return error
}

/** Gives an object the `stack` of where the program is, and an error what reports say of that. */
export const captureStack = (m: Machine, error: JSObject): void => {
  const lines: Array<string> = []
  for (const frame of guestFrames(m.frame)) {
    if (lines.length === STACK_FRAMES) break
    const { template } = frame.code!
    const { offset } = placeOf(template, frame.pc - 1)
    const { column, line } = locate(template.source, offset)
    const place = `${template.source.name}:${line}:${column}`
    lines.push(template.name === "" ? `    at ${place}` : `    at ${template.name} (${place})`)
  }
  m.charge(ERROR_STEPS + lines.length * ERROR_FRAME_STEPS)
  const header = headerOf(error)
  if (header.length > LONG_TEXT) {
    m.charge(header.length >> 3)
    m.allocate(header.length * 2)
  }
  const text = [header, ...lines].join("\n")
  const slot = error.shape.lookup("stack")
  if (slot < 0) addProperty(error, "stack", text, Attribute.Hidden)
  else error.slots[slot] = text
  if (error.kind !== Kind.Error) return
  const data: ErrorData = error.data ??= new ErrorData()
  const place = currentPlace(m)
  if (place === undefined) return
  data.source = place.template.source
  data.offset = place.offset
}

/** `Name: message`, from data properties alone: no guest code runs. */
const headerOf = (error: JSObject): string => {
  const name = peekText(error, "name") ?? "Error"
  const message = peekText(error, "message") ?? ""
  return message === "" ? name : `${name}: ${message}`
}

/** Where the program is; for the constructor of a class of errors, where that is called. */
export const currentPlace = (m: Machine): Place | undefined => {
  for (const { code, newTarget, pc } of guestFrames(m.frame)) {
    const { template } = code!
    if (newTarget === undefined || template.kind !== FunctionKind.DerivedConstructor) return placeOf(template, pc - 1)
  }
  return undefined
}

/** The text of the expression that an error of the running instruction is about. */
export const currentExpression = ({ frame }: Machine): string | undefined =>
  frame.type === FrameType.Guest ? expressionAt(frame.code!.template, frame.pc - 1) : undefined

/** Notes where a value is thrown that is no error. */
export const noteThrow = (m: Machine, value: Value): void => {
  if (isObject(value) && value.kind === Kind.Error) return
  const place = currentPlace(m)
  if (place !== undefined) m.lastThrown = { value, place }
}

/** Reading a variable that is not there: the message says what to write instead of a global that programs do not have. */
export const notDefined = (m: Machine, name: string): Throw => {
  const { absent } = m.builtins
  const hint = Object.hasOwn(absent, name) ? absent[name] : undefined
  return m.referenceError(hint === undefined ? `${name} is not defined` : `${name} is not defined. ${hint}`)
}

/** Reading a variable before its initialisation. */
export const uninitialized = (m: Machine, name: string): Throw =>
  m.referenceError(
    name === "this"
      ? "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"
      : `Cannot access '${name}' before initialization`,
  )

/** Reading a property of undefined or null: the message names the expression that was it. */
export const cannotRead = (m: Machine, base: Value, key: PropertyKey): Throw => {
  const message = `Cannot read properties of ${base as null | undefined} (reading '${describeKey(key)}')${
    aboutExpression(m, base)
  }`
  return errorAbout(m, base, currentExpression(m), message)
}

/** `: issue.user is undefined`, for messages about what the running instruction works on. */
export const aboutExpression = (m: Machine, base: Value): string => {
  const text = currentExpression(m)
  return text === undefined || text === String(base) ? "" : `: ${text} is ${base as null | undefined}`
}

/** V8's words for a destructured undefined or null. */
export const notDestructurable = (m: Machine, value: Value, property: string | undefined): Throw => {
  const text = currentExpression(m)
  const of = `'${text ?? String(value)}' as it is ${String(value)}.`
  return errorAbout(
    m,
    value,
    text,
    property === undefined ? `Cannot destructure ${of}` : `Cannot destructure property '${property}' of ${of}`,
  )
}

/** A `TypeError` about the value of an expression, with what reports say of the two. */
export const errorAbout = (m: Machine, value: Value, expression: string | undefined, message: string): Throw => {
  const error = newError(m, "TypeError", message)
  const data: ErrorData = error.data
  data.expression = expression
  data.value = kindOf(value)
  if (isObject(value) && value.kind === Kind.Promise) data.call = (value.data as PromiseData).call
  return new Throw(error)
}

/** What a value is, in a word, for hints. */
const kindOf = (value: Value): string => {
  if (!isObject(value)) return value === null ? "null" : typeof value
  switch (value.kind) {
    case Kind.Array:
    case Kind.SlowArray:
      return "array"
    case Kind.Promise:
      return "promise"
    default:
      return isCallable(value) ? "function" : "object"
  }
}
