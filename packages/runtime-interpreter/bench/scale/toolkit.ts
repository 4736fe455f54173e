// What a call through `CodeMode.toolkit` costs, against the same call of the presented toolkit itself.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { atMost, type Measure, type Part } from "./measure.ts"
import { inTurns, over, type Took } from "./rounds.ts"

const person = (id: number) => ({ id, name: `Person ${id}`, tags: ["a", "b"] })

const People = Toolkit.make(Tool.make("lookup", {
  description: "Looks a person up",
  parameters: Schema.Struct({ id: Schema.Number }),
  success: Schema.Struct({ id: Schema.Number, name: Schema.String, tags: Schema.Array(Schema.String) }),
}))

/** Calls of one run. */
const count = 500

const sum = (count - 1) * count / 2

const programs = {
  sequential: `
let sum = 0
for (let id = 0; id < ${count}; id++) sum += (await tools.lookup({ id })).id
return sum`,
  parallel: `
const people = await Promise.all(Array.from({ length: ${count} }, (_, id) => tools.lookup({ id })))
return people.reduce((sum, { id }) => sum + id, 0)`,
}

const checked = <E>(run: Effect.Effect<unknown, E>) => async (): Promise<void> => {
  const given = await Effect.runPromise(run)
  if (given !== sum) throw new Error(`The calls give ${JSON.stringify(given)} and not ${sum}`)
}

/**
 * - directly: calls of `presented.handle`, one after the other in one fiber, the stream of each consumed for its result.
 * - through: a program that makes the same calls, run by the tool `execute`.
 * - empty: the same program where a call does nothing but give such a result. What is left of the difference is the toolkit's and the
 *   tool's part; the runtime's part is measured by itself.
 */
export const throughToolkit: Part = async (isQuick) => {
  const presented = await Effect.runPromise(
    Effect.provide(People, People.toLayer({ lookup: ({ id }) => Effect.succeed(person(id)) })),
  )
  const runtime = InterpreterRuntime.make()
  const toolkit = await Effect.runPromise(CodeMode.toolkit(presented, runtime))
  const directly = Effect.gen(function*() {
    let sum = 0
    for (let id = 0; id < count; id++) {
      const results = yield* presented.handle("lookup", { id }, `call/${id}`)
      yield* Stream.runForEach(results, ({ encodedResult }) => {
        sum += (encodedResult as { readonly id: number }).id
        return Effect.void
      })
    }
    return sum
  })
  const through = (code: string) =>
    Effect.gen(function*() {
      let given: unknown
      const results = yield* toolkit.handle("execute", { code }, "call")
      yield* Stream.runForEach(results, ({ encodedResult }) => {
        given = (encodedResult as { readonly result?: unknown }).result
        return Effect.void
      })
      return given
    }) as Effect.Effect<unknown, unknown>
  const empty = (code: string) =>
    Effect.map(
      runtime.run({ code, tools: ["lookup"], call: (_, { id }) => Effect.succeed(person(Number(id))) }),
      ({ result }) => result,
    )
  const rounds = await inTurns({
    directly: checked(directly),
    sequential: checked(through(programs.sequential)),
    sequentialEmpty: checked(empty(programs.sequential)),
    parallel: checked(through(programs.parallel)),
    parallelEmpty: checked(empty(programs.parallel)),
  }, isQuick ? { repeats: 4, rounds: 8, warmUp: 4 } : { repeats: 8, rounds: 60, warmUp: 12 })
  const measures: Array<Measure> = [{
    name: "a call of `presented.handle`",
    value: over(rounds, ({ directly }) => directly.clock * 1000 / count).median,
    unit: "µs",
  }]
  for (const kind of ["sequential", "parallel"] as const) {
    const calls = kind === "sequential" ? "a call after the other" : "calls at once"
    const name = `through \`CodeMode.toolkit\`, ${calls}`
    const callOf = (round: (typeof rounds)[number], by: keyof Took) => round[kind][by] - round[`${kind}Empty`][by]
    measures.push({
      name: `a call ${name}`,
      value: over(rounds, (round) => callOf(round, "clock") * 1000 / count).median,
      unit: "µs",
    })
    for (const by of ["clock", "processor"] as const) {
      const { high, low, median } = over(rounds, (round) => callOf(round, by) / round.directly[by])
      measures.push({
        name: `  times as long as directly, by the ${by}`,
        value: median,
        spread: [low, high],
        unit: "times",
        ...atMost(1.1),
      })
    }
    const { high, low, median } = over(rounds, (round) => round[kind].processor / round.directly.processor)
    measures.push({
      name: "  the same with all that the runtime does",
      value: median,
      spread: [low, high],
      unit: "times",
    })
  }
  return measures
}
