// The tools that the benchmark's programs call. They answer at once, so that only the cost of calling is measured.
import { ToolSource } from "@effect-codemode/toolkit"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as Data from "./tools/data.ts"

/** A call of a tool. */
export type Call = (tool: string, input: Schema.JsonObject) => Effect.Effect<Schema.Json, ToolSource.Failure>

type Handler = (input: Schema.JsonObject) => Schema.Json | ToolSource.Failure

// What a tool answers is made when it is first called, and is the same from then on.
const once = (make: () => Schema.Json): Handler => {
  let made: Schema.Json | undefined
  return () => made ??= make()
}

const pages = new Map<Schema.Json, Schema.Json>()
const page: Handler = ({ cursor = null, limit }) => {
  let found = pages.get(cursor)
  if (found === undefined) pages.set(cursor, found = Data.page(Number(cursor ?? 0), Number(limit)))
  return found
}

// Fails at the first attempts for some, always for others: what it does depends on its input alone.
const flaky: Handler = ({ attempt, id }) => {
  const fails = (Number(id) * 7919 + Number(attempt) * 104_729) % 5 < 2
  if (Number(id) % 29 === 7) {
    return new ToolSource.Failure({ code: "NOT_FOUND", message: `There is no account ${String(id)}`, retryable: false })
  }
  return fails
    ? new ToolSource.Failure({ code: "UNAVAILABLE", message: `Account ${String(id)} is busy`, retryable: true })
    : { id: Number(id), balance: (Number(id) * 37) % 1000 }
}

const handlers: Readonly<Record<string, Handler>> = {
  echo: (input) => input,
  rows: once(Data.rows),
  customers: once(Data.customers),
  orders: once(Data.orders),
  events: once(Data.events),
  logs: once(Data.logs),
  file: once(Data.sales),
  texts: once(Data.texts),
  list: page,
  detail: ({ number }) => Data.detail(Number(number)),
  flaky,
}

/** The tools' names. */
export const names: ReadonlyArray<string> = Object.keys(handlers)

/** Calls a tool. */
export const call: Call = (tool, input) => {
  const answer = handlers[tool]!(input)
  return answer instanceof ToolSource.Failure ? Effect.fail(answer) : Effect.succeed(answer)
}
