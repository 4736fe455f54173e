import { accessOf } from "../diagnostics/index.ts"
import type { ErrorData, ToolFailure } from "../machine/error-data.ts"
import { newError } from "../machine/errors.ts"
import type { Machine } from "../machine/machine.ts"
import type { PromiseData } from "../machine/promise.ts"
import { locate, type Place, placeOf } from "../machine/stack.ts"
import type { ToolCall } from "../machine/tool-call.ts"
import { addProperty, Attribute, type JSObject } from "../object/index.ts"

/** Where a call stands in the program. */
export const placeOfCall = ({ code, pc }: ToolCall): Place | undefined =>
  code === null ? undefined : placeOf(code.template, pc)

/** The error that a program catches of a failed call. */
export const failedCall = (
  m: Machine,
  failure: ToolFailure,
  place: Place | undefined,
  promise?: JSObject,
): JSObject => {
  const error = newError(m, "Error", failure.message)
  addProperty(error, "name", "ToolError", Attribute.Hidden)
  addProperty(error, "code", failure.code, Attribute.All)
  const data: ErrorData = error.data
  data.failure = failure
  if (promise !== undefined) data.call = (promise.data as PromiseData).call
  let stack = `ToolError: ${failure.message}`
  if (place !== undefined) {
    data.source = place.template.source
    data.offset = place.offset
    const { column, line } = locate(data.source, data.offset)
    stack += `\n    at ${accessOf(failure.tool)} (${data.source.name}:${line}:${column})`
  }
  error.slots[error.shape.lookup("stack")] = stack
  return error
}
