/**
 * Reads what an operation answers with.
 */
import type * as JsonSchema from "effect/JsonSchema"
import { isRecord } from "../json-schema.ts"
import { type Document, follow, member, own, type Place, Unsupported } from "./document.ts"
import { essence, isJson, isMediaType, mediaOf } from "./media.ts"
import type { Schemas } from "./schema.ts"

/** What is told of answers that succeed. */
export interface Answers {
  /** The schema of the result, as far as it is told. */
  readonly output: JsonSchema.JsonSchema | undefined
  /** The header that asks for them. */
  readonly accept: string
  /** Whether a status is told to come with JSON and nothing else. */
  readonly isJsonOnly: (status: number) => boolean
}

interface Answer {
  readonly status: string
  readonly types: ReadonlyArray<string>
}

export const readAnswers = (
  document: Document,
  schemas: Schemas,
  operation: Place,
  method: string,
): Answers => {
  const told = own(operation.value, "responses")
  const responses = Object.entries(isRecord(told) ? told : {}).filter(([status]) => !status.startsWith("x-"))
  const successes = responses.filter(([status]) => /^2(?:\d\d|XX)$/i.test(status))
  const counted = successes.length > 0 ? successes : responses.filter(([status]) => status === "default")
  const answers: Array<Answer> = []
  const outputs: Array<JsonSchema.JsonSchema | undefined> = []
  const accepted: Array<string> = []
  for (const [status, response] of counted.sort(([a], [b]) => a < b ? -1 : 1)) {
    let place: Place
    try {
      place = follow(document, response, member(operation.at, "responses", status))
    } catch (error) {
      // What comes back can be used without being told.
      if (!(error instanceof Unsupported)) throw error
      outputs.push(undefined)
      continue
    }
    const content = own(place.value, "content")
    const types = Object.entries(isRecord(content) ? content : {}).filter(([type]) => isMediaType(type))
    const chosen = types.find(([type]) => essence(type) === "application/json") ?? types.find(([type]) =>
      isJson(type)
    ) ??
      types.find(([type]) => type.includes("*")) ?? types.find(([type]) => mediaOf(type) === "text") ?? types[0]
    answers.push({ status, types: types.map(([type]) => type) })
    if (chosen !== undefined) accepted.push(chosen[0], ...types.map(([type]) => type))
    outputs.push(
      method === "head" || status === "204" || status === "205"
        ? { type: "null" }
        : chosen === undefined
        ? undefined
        : outputOf(schemas, chosen, member(place.at, "content", chosen[0], "schema")),
    )
  }
  return {
    output: union(schemas, outputs),
    accept: acceptOf(accepted),
    isJsonOnly: (status) => {
      const answer = answerOf(answers, status)
      return answer !== undefined && answer.types.length > 0 && answer.types.every(isJson)
    },
  }
}

const answerOf = (answers: ReadonlyArray<Answer>, status: number): Answer | undefined =>
  answers.find((answer) => answer.status === String(status)) ??
    answers.find((answer) => answer.status.toUpperCase() === "2XX") ?? answers.find((answer) =>
      answer.status === "default"
    )

const outputOf = (
  schemas: Schemas,
  [type, media]: readonly [string, unknown],
  at: string,
): JsonSchema.JsonSchema | undefined => {
  const schema = isRecord(media) ? own(media, "schema") : undefined
  if (isJson(type)) return schema === undefined ? undefined : schemas.write(schema, at)
  if (type.includes("*")) return undefined
  return mediaOf(type) === "binary"
    ? { type: "string", description: "A note: the file itself is attached to the result" }
    : { type: "string" }
}

const union = (
  schemas: Schemas,
  outputs: ReadonlyArray<JsonSchema.JsonSchema | undefined>,
): JsonSchema.JsonSchema | undefined => {
  if (outputs.length === 0 || outputs.includes(undefined)) return undefined
  const all = outputs as ReadonlyArray<JsonSchema.JsonSchema>
  const distinct = all.length === 1 ? all : Array.from(new Map(all.map((one) => [JSON.stringify(one), one])).values())
  return schemas.close(distinct.length === 1 ? distinct[0]! : { anyOf: distinct })
}

const MAX_ACCEPTED = 8

// The type that the output is told of first; then what else there is; then anything, since a failure may come as something else.
const acceptOf = (types: ReadonlyArray<string>): string => {
  const [first, ...rest] = Array.from(new Set(types)).filter((type) => type !== "*/*")
  if (first === undefined) return "application/json, */*;q=0.5"
  const others = rest.slice(0, MAX_ACCEPTED).map((type) => type.includes(";") ? type : `${type};q=0.5`)
  return [first, ...others, "*/*;q=0.1"].join(", ")
}
