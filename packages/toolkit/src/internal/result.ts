import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { CodeError, type Outcome } from "./contract.ts"
import { count } from "./count.ts"
import { isRecord } from "./json-schema.ts"
import { notJson, toJson } from "./json.ts"

/** What happens to a result over the limit. */
export type Oversize = "error" | "truncate"

/** Holds what a runtime gave to JSON and to its limit, in characters of JSON. */
export const limit = (
  outcome: Outcome,
  maxLength: number,
  oversize: Oversize,
): Effect.Effect<Outcome, CodeError> => {
  if (!isOutcome(outcome)) return Effect.die(new Error("The runtime gave no outcome: `{ result, logs }`"))
  const result = toJson(outcome.result)
  if (result === notJson) {
    return Effect.fail(
      new CodeError({
        code: "INVALID_DATA",
        message: "The result is not JSON data.",
        retryable: true,
        logs: outcome.logs,
        hint: "Return plain objects, arrays, texts, numbers, booleans and null.",
      }),
    )
  }
  const text = JSON.stringify(result)
  if (text.length <= maxLength) {
    return Effect.succeed(result === outcome.result ? outcome : { result, logs: outcome.logs })
  }
  if (oversize === "truncate") {
    return Effect.succeed({
      result: cut(typeof result === "string" ? result : text, text.length, maxLength),
      logs: outcome.logs,
    })
  }
  return Effect.fail(
    new CodeError({
      code: "RESULT_TOO_LARGE",
      message: `The result is ${count(text.length)} characters of JSON; at most ${count(maxLength)} may be returned.`,
      retryable: true,
      logs: outcome.logs,
      hint: "Return less: filter, aggregate or count in code, and pick the fields you need.",
    }),
  )
}

// As much of the beginning as fits together with the mark, both written as JSON.
const cut = (text: string, length: number, maxLength: number): Schema.Json => {
  const mark = `\n[cut here: the whole result is ${count(length)} characters of JSON; return less]`
  let least = 0
  let most = Math.min(text.length, maxLength)
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (JSON.stringify(text.slice(0, middle) + mark).length <= maxLength) least = middle
    else most = middle - 1
  }
  const half = least > 0 && /[\ud800-\udbff]/.test(text[least - 1]!)
  return text.slice(0, half ? least - 1 : least) + mark
}

const isOutcome = (outcome: unknown): boolean =>
  isRecord(outcome) && "result" in outcome && Array.isArray(outcome.logs) &&
  outcome.logs.every((line) => typeof line === "string")
