// What a call of a tool costs: the runtime's part of it.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
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
