// The tools that the benchmark's programs call.
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

/** A call of a tool, which never fails here. */
export type Call = (tool: string, input: Schema.JsonObject) => Effect.Effect<Schema.Json>

/** The tools' names. */
export const names = ["echo", "rows"]

const rows: Schema.Json = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  name: `player ${id}`,
  team: `team ${(id * 7919) % 37}`,
  active: id % 3 !== 0,
  score: (id * 104_729) % 1000,
  weight: 1 + (id % 5),
  notes: { position: id % 11, since: 2000 + (id % 25), tags: ["a", "b"] },
}))

/** Answers at once, so that only the cost of calling is measured. */
export const call: Call = (tool, input) => Effect.succeed(tool === "rows" ? rows : input)
