import type { BoundaryError } from "../boundary/index.ts"
import { inspect } from "../builtins/inspect.ts"
import { detach } from "../builtins/text.ts"
import { accessOf, type Failure as Mistake, hintFor } from "../diagnostics/index.ts"
import type { ErrorData } from "../machine/error-data.ts"
import { currentPlace } from "../machine/errors.ts"
import type { HaltReason } from "../machine/halt.ts"
import type { Machine } from "../machine/machine.ts"
import type { PromiseData } from "../machine/promise.ts"
import { locate, type Place } from "../machine/stack.ts"
import type { ToolCall } from "../machine/tool-call.ts"
import { isObject, type JSObject, Kind, peekText, type Value } from "../object/index.ts"
import type { Diagnostic, Location } from "../parse/index.ts"
import { count } from "./count.ts"
import { placeOfCall } from "./failed-call.ts"

/** Why a run failed, as plain data. */
export interface Failure {
  readonly code: string
  /** The reason in one line. */
  readonly message: string
  /** Whether a changed program could succeed. */
  readonly retryable: boolean
  /** Where in the code as it was written. */
  readonly location?: Location
  /** What to write instead. */
  readonly hint?: string
}

/** The longest message, in characters. */
const MAX_MESSAGE = 4000

/** Holds on to nothing else: a part of a text keeps the whole in the host's memory. */
const shorten = (text: string): string => detach(text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE)}…`)

const make = (
  code: string,
  message: string,
  location: Location | undefined,
  hint: string | undefined,
  retryable = true,
): Failure => ({
  code,
  message: shorten(message),
  retryable,
  ...location === undefined ? undefined : { location },
  ...hint === undefined ? undefined : { hint },
})

/** A text that is no program. */
export const refused = ({ code, hint, location, message }: Diagnostic): Failure => make(code, message, location, hint)

/** A program longer than it may be. */
export const tooLong = (length: number, limit: number): Failure => {
  const message = `The code is ${count(length)} characters long; at most ${count(limit)} are run.`
  return make("LIMIT_EXCEEDED", message, undefined, hintFor({ name: "", message, code: "LIMIT_EXCEEDED" }))
}

/** The end of a run by a meter. */
export const halted = (
  m: Machine,
  reason: HaltReason,
  limits: { readonly fuel: number; readonly memory: number },
): Failure => {
  const code = reason === "fuel" ? "EXECUTION_BUDGET_EXCEEDED" : "LIMIT_EXCEEDED"
  const message = reason === "fuel"
    ? `The program took more than ${count(limits.fuel)} steps, and was ended.`
    : reason === "memory"
    ? `The program keeps more than ${count(limits.memory)} bytes of memory, and was ended.`
    : "A built-in, or a getter, `toString` or other function that it ran, took too long, and the program was ended."
  return make(code, message, locationOf(currentPlace(m)), hintFor({ name: "", message, code }))
}

/** A value that cannot leave the program. */
export const uncrossable = (error: BoundaryError, tools: ReadonlyArray<string>): Failure => {
  const call = error.promise === undefined ? null : (error.promise.data as PromiseData).call
  const code = "INVALID_DATA"
  const { message } = error
  const hint = hintFor({
    name: "",
    message,
    code,
    tools,
    ...call === null ? undefined : { notAwaited: accessOf(call.tool) },
  })
  return make(code, message, call === null ? undefined : locationOf(placeOfCall(call)), hint)
}

export const locationOf = (place: Place | undefined): Location | undefined =>
  place === undefined ? undefined : locate(place.template.source, place.offset)

/** A program that waits for what nothing will bring about. */
export const stuck = (): Failure =>
  make(
    "EXECUTION_ERROR",
    "The program waits for a promise that nothing will ever settle.",
    undefined,
    "Every `new Promise(...)` must come to call `resolve` or `reject`.",
  )

/** What a program threw and did not catch. */
export const uncaught = (m: Machine, reason: Value, tools: ReadonlyArray<string>): Failure => {
  const data = errorData(reason)
  const { failure } = data ?? {}
  const location = placeOf(m, reason, data)
  if (failure !== undefined && failure !== null) {
    const { code, message, retryable } = failure
    return make(code, message, location, hintFor(mistake(m, "ToolError", message, data, tools, code)), retryable)
  }
  const { message, name } = textOf(m, reason)
  const whole = name === undefined ? `Uncaught ${message}` : message === "" ? name : `${name}: ${message}`
  return make(
    "EXECUTION_ERROR",
    whole,
    location,
    name === undefined ? undefined : hintFor(mistake(m, name, message, data, tools, undefined)),
  )
}

/** A rejection that nothing handled, at the end of a run that would have succeeded. */
export const unhandled = (m: Machine, promise: JSObject, tools: ReadonlyArray<string>): Failure => {
  const { call, value } = promise.data as PromiseData
  const tool = call?.tool ?? errorData(value)?.failure?.tool
  const inner = uncaught(m, value, tools)
  const of = tool === undefined ? "" : ` of ${accessOf(tool)}`
  const message = `Unhandled rejection${of}: ${inner.message}`
  return make(
    inner.code,
    message,
    inner.location,
    inner.hint ?? hintFor({ name: "", message, code: inner.code }),
    inner.retryable,
  )
}

const errorData = (reason: Value): ErrorData | undefined =>
  isObject(reason) && reason.kind === Kind.Error ? (reason.data as ErrorData | undefined) : undefined

const placeOf = (m: Machine, reason: Value, data: ErrorData | undefined): Location | undefined => {
  if (data !== undefined && data.source !== null) return locate(data.source, data.offset)
  const { lastThrown } = m
  return lastThrown !== null && Object.is(lastThrown.value, reason) ? locationOf(lastThrown.place) : undefined
}

/** Name and message of an error, read without running anything of the program; other values have no name. */
const textOf = (
  m: Machine,
  reason: Value,
  isInner = false,
): { readonly name: string | undefined; readonly message: string } => {
  if (!isObject(reason) || reason.kind !== Kind.Error) return { name: undefined, message: inspected(m, reason) }
  const name = peekText(reason, "name") ?? "Error"
  let message = peekText(reason, "message") ?? ""
  // One level of them: they may hold each other.
  for (const inner of isInner ? [] : innerErrors(reason)) {
    const { message: text, name: its } = textOf(m, inner, true)
    message += `${message === "" ? "" : " "}[${its === undefined ? "" : `${its}: `}${text}]`
  }
  return { name, message }
}

/** The first errors that an `AggregateError` holds. */
const innerErrors = (error: JSObject): ReadonlyArray<Value> => {
  const slot = error.shape.lookup("errors")
  const errors: unknown = slot < 0 ? undefined : error.slots[slot]
  return isObject(errors) && errors.kind === Kind.Array
    ? (errors.data as Array<Value>).slice(0, 3).filter((inner) =>
      isObject(inner) && inner.kind === Kind.Error && inner !== error
    )
    : []
}

const inspected = (m: Machine, value: Value): string => {
  try {
    return inspect(m, value)
  } catch {
    // A meter ran out while it was looked at.
    return "a value"
  }
}

const mistake = (
  m: Machine,
  name: string,
  message: string,
  data: ErrorData | undefined,
  tools: ReadonlyArray<string>,
  code: string | undefined,
): Mistake => {
  const call = data?.call ?? unawaitedCall(m, message)
  return {
    name,
    message,
    tools,
    ...code === undefined ? undefined : { code },
    ...data?.expression === undefined ? undefined : { expression: data.expression },
    ...data?.value === undefined ? undefined : { value: data.value },
    ...isPropertyOfText(m, data?.expression) ? { ofText: true } : undefined,
    ...call === null ? undefined : { notAwaited: accessOf(call.tool) },
  }
}

/** Whether an expression reads the property that was last looked for on a text, in vain. */
const isPropertyOfText = ({ missedOnText: key }: Machine, expression: string | undefined): boolean =>
  typeof key === "string" && expression !== undefined &&
  [`.${key}`, `["${key}"]`, `['${key}']`].some((end) => expression.endsWith(end))

/** The call whose promise was used as if it were its result. */
const unawaitedCall = (m: Machine, message: string): ToolCall | null => {
  if (m.notAwaited !== null) {
    const { call, handled }: PromiseData = m.notAwaited.data
    if (!handled) return call
  }
  if (!/\[object Promise\]|#<Promise>/.test(message)) return null
  // Some promise became a text: if one call was not awaited, it is that.
  const pending = Array.from(m.calls.values(), (promise) => promise.data as PromiseData).filter(({ handled }) =>
    !handled
  )
  return pending.length === 1 ? pending[0]!.call : null
}
