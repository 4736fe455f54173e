// What a call of a tool costs: the runtime's part of it, and that of `CodeMode.toolkit`.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { compare, quick, thorough } from "../measure.ts"
import { atMost, type Part } from "./measure.ts"

const sequential = (count: number, call: string) => `
let sum = 0
for (let id = 0; id < ${count}; id++) sum += (await ${call}({ id })).id
return sum`

const parallel = (count: number, call: string) => `
const results = await Promise.all(Array.from({ length: ${count} }, (_, id) => ${call}({ id })))
return results.reduce((sum, { id }) => sum + id, 0)`

// The same program without a call: what is left of the difference is the call's.
const alone = (code: string) => `const echo = async (input) => input\n${code}`

/** The runtime's part, where the tool is `Effect.succeed`. */
export const calls: Part = async (isQuick) => {
  const runtime = InterpreterRuntime.make({ limits: { toolCalls: 10_000 } })
  const run = (code: string) => () =>
    Effect.runPromise(runtime.run({ code, tools: ["echo"], call: (_, input) => Effect.succeed(input) }))
  const timed = await compare([
    run(sequential(200, "tools.echo")),
    run(alone(sequential(200, "echo"))),
    run(parallel(1000, "tools.echo")),
    run(alone(parallel(1000, "echo"))),
  ], isQuick ? quick : thorough)
  const [one, oneAlone, many, manyAlone] = timed.map(({ time }) => time.median) as [number, number, number, number]
  return [
    { name: "200 calls, one after the other: the run", value: one, unit: "ms" },
    { name: "200 calls, one after the other: a call", value: (one - oneAlone) * 1000 / 200, unit: "µs", ...atMost(8) },
    { name: "1,000 calls at once: the run", value: many, unit: "ms" },
    { name: "1,000 calls at once: a call", value: (many - manyAlone) * 1000 / 1000, unit: "µs", ...atMost(8) },
  ]
}

const Lookup = Tool.make("lookup", {
  description: "Looks a person up",
  parameters: Schema.Struct({ id: Schema.Number }),
  success: Schema.Struct({ id: Schema.Number, name: Schema.String, tags: Schema.Array(Schema.String) }),
})

const People = Toolkit.make(Lookup)

/** A call through `CodeMode.toolkit`, against the same call of the presented toolkit itself. */
export const throughToolkit: Part = async (isQuick) => {
  const presented = await Effect.runPromise(Effect.provide(
    People,
    People.toLayer({ lookup: ({ id }) => Effect.succeed({ id, name: `Person ${id}`, tags: ["a", "b"] }) }),
  ))
  const runtime = InterpreterRuntime.make()
  const toolkit = await Effect.runPromise(CodeMode.toolkit(presented, runtime))
  const count = 500
  const direct = Effect.gen(function*() {
    let sum = 0
    for (let id = 0; id < count; id++) {
      const results = yield* presented.handle("lookup", { id }, `call/${id}`)
      yield* Stream.runForEach(results, ({ encodedResult }) =>
        Effect.sync(() => {
          sum += (encodedResult as { readonly id: number }).id
        }))
    }
    return sum
  })
  const execute = (code: string) =>
    Effect.flatMap(
      toolkit.handle("execute", { code }, "call"),
      Stream.runForEach(({ result }) => {
        if (!("result" in result)) throw new Error(JSON.stringify(result))
        return Effect.void
      }),
    )
  const through = execute(sequential(count, "tools.lookup"))
  const without = execute(
    `const lookup = async ({ id }) => ({ id, name: \`Person \${id}\`, tags: ["a", "b"] })\n${
      sequential(count, "lookup")
    }`,
  )
  const [own, other, base] = (await compare(
    [through, direct, without].map((effect) => () => Effect.runPromise(effect as Effect.Effect<unknown, unknown>)),
    isQuick ? quick : thorough,
  )).map(({ time }) => time.median) as [number, number, number]
  const each = (own - base) * 1000 / count
  const directly = other * 1000 / count
  return [
    { name: "a call of `presented.handle`", value: directly, unit: "µs" },
    { name: "a call through `CodeMode.toolkit`", value: each, unit: "µs" },
    {
      name: "a call through `CodeMode.toolkit`: more than directly",
      value: (each / directly - 1) * 100,
      unit: "%",
      ...atMost(10),
    },
  ]
}
