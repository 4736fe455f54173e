import * as AiError from "effect/ai/AiError"
import type * as Tool from "effect/ai/Tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { notJson, toJson } from "./json.ts"
import { toolPath } from "./path.ts"
import type { Presented } from "./presented.ts"
import * as ToolSource from "./tool-call.ts"

const failure = (code: string, message: string, retryable: boolean) =>
  new ToolSource.Failure({ code, message, retryable })

/** Why a name cannot be called from code: it stands beside `execute`, or it is not there at all. */
export const notCallable = (presented: Presented, name: string, search: boolean): ToolSource.Failure => {
  const beside = presented.beside.get(name) ?? presented.besideByName.get(name)
  if (beside !== undefined) {
    const why = beside.reason === "approval"
      ? "may need the approval of a person"
      : beside.reason === "provider"
      ? "is run by the model's provider"
      : "is kept out of code"
    return failure(
      "APPROVAL_REQUIRED",
      `The tool "${beside.name}" ${why}, so code cannot call it. Call the tool "${beside.name}" directly, as a tool of its own.`,
      true,
    )
  }
  const absent = presented.unavailable.find((member) => name === member || name.startsWith(`${member}.`))
  if (absent !== undefined) {
    return failure(
      "UNKNOWN_TOOL",
      `The tools of "${absent}" are not available now, so there is no tool "${shorten(name, 200)}". Do without them.`,
      true,
    )
  }
  const near = presented.nearest.find(name, 3)
  const told = presented.callable.size === 0
    ? "There are no tools to call from code."
    : near.length > 0
    ? `Nearest: ${near.map(toolPath).join(", ")}.`
    : `Use a name that the description lists, exactly as it stands there.`
  const how = search && presented.callable.size > 0 ? " To find tools, call tools.$codemode.search({ query })." : ""
  return failure("UNKNOWN_TOOL", `There is no tool "${shorten(name, 200)}". ${told}${how}`, true)
}

const ofCall = (callId: string | undefined): string => callId === undefined ? "" : ` (call ${callId})`

/** The call's result does not fit what the tool declares. The details are the host's: they may hold its values. */
export const invalidOutput = (
  name: string,
  callId: string | undefined,
  reason: unknown,
): Effect.Effect<never, ToolSource.Failure> =>
  Effect.andThen(
    Effect.logError(
      `The result of the tool "${name}"${ofCall(callId)} does not fit its schema, or is not JSON`,
      reason,
    ),
    Effect.fail(
      failure(
        "INVALID_TOOL_OUTPUT",
        `The tool "${name}" gave a result that is not what it declares. The fault is the tool's, not the call's.`,
        false,
      ),
    ),
  )

/**
 * What a call that ended in a cause means for the program: a failure it can catch, or the end of the run when the call was
 * interrupted. A defect is told to the host alone.
 */
export const fromCause = (
  name: string,
  tool: Tool.Any,
  callId: string | undefined,
  cause: Cause.Cause<unknown>,
): Effect.Effect<never, ToolSource.Failure, unknown> => {
  if (Cause.hasDies(cause)) return broken(name, `The tool "${name}" died${ofCall(callId)}`, cause)
  const error = cause.reasons.find(Cause.isFailReason)
  return error === undefined
    ? Effect.failCause(cause as Cause.Cause<never>)
    : fromError(name, tool, callId, error.error)
}

/** The tool, not the call, is at fault. The details are the host's. */
const broken = (
  name: string,
  message: string,
  cause: unknown,
  retryable = false,
): Effect.Effect<never, ToolSource.Failure> =>
  Effect.andThen(
    Effect.logError(message, cause),
    Effect.fail(
      failure("TOOL_FAILURE", `The tool "${name}" broke. The fault is the tool's, not the call's.`, retryable),
    ),
  )

/**
 * What a declared failure, or one of `effect/ai` around it, means for the program. A failure that the tool does not declare, whatever
 * its types promised, is told to the host alone, like a defect.
 */
export const fromError = (
  name: string,
  tool: Tool.Any,
  callId: string | undefined,
  error: unknown,
): Effect.Effect<never, ToolSource.Failure, unknown> => {
  const reason = AiError.isAiError(error) ? error.reason : error
  const undeclared = !Schema.is(tool.failureSchema)(error)
  const unlike = `The tool "${name}" failed${ofCall(callId)} with what it does not declare`
  if (AiError.isAiErrorReason(reason)) {
    switch (reason._tag) {
      case "ToolParameterValidationError":
        return Effect.fail(failure("INVALID_TOOL_INPUT", reason.description, true))
      case "InvalidToolResultError":
      case "ToolResultEncodingError":
        return invalidOutput(name, callId, error)
      case "ToolNotFoundError":
        return Effect.fail(failure("UNKNOWN_TOOL", reason.message, true))
      default:
        return undeclared
          ? broken(name, unlike, error, reason.isRetryable)
          : Effect.fail(failure("TOOL_FAILURE", reason.message, reason.isRetryable))
    }
  }
  if (undeclared) return broken(name, unlike, error)
  const code = read(error, "code")
  const message = typeof error === "string" ? error : read(error, "message")
  const declared = (text: string) =>
    Effect.fail(
      failure(
        isCode(code) ? String(code) : "TOOL_FAILURE",
        text,
        read(error, "retryable") === true,
      ),
    )
  return typeof message === "string" && message !== "" ? declared(message) : Effect.flatMap(
    Effect.exit(Schema.encodeUnknownEffect(tool.failureSchema)(error)),
    (encoded) => declared(`The tool "${name}" failed${encoded._tag === "Success" ? details(encoded.value) : ""}`),
  )
}

// What programs branch on, and the model reads whole.
const isCode = (code: unknown): boolean =>
  typeof code === "number" || typeof code === "string" && code !== "" && code.length <= 100

// A failure without a message is told by its data, which its schema made public.
const details = (encoded: unknown): string => {
  const json = toJson(encoded)
  return json === notJson || json === null ? "" : `: ${shorten(JSON.stringify(json), 2_000)}`
}

const read = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined

const shorten = (text: string, length: number): string => text.length <= length ? text : `${text.slice(0, length)}…`
