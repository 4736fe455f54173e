// Many runs at once, each of which waits for a tool.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { atMost, heap, type Measure, timeOf, until } from "./measure.ts"

// As a program is that waits: it has looked something up, has functions and some data, and needs one thing more.
const code = `
const describe = ({ id, name }) => \`\${id}: \${name}\`
const wanted = [3, 1, 2].toSorted((a, b) => a - b).map((id) => ({ id, tags: ["a", "b"], seen: new Map() }))
const found = await tools.wait({ ids: wanted.map(({ id }) => id) })
return wanted.map(({ id }) => describe({ id, name: found.name }))`

/** What so many runs take, to start, to hold and to finish. */
export const waiting = async (count: number): Promise<ReadonlyArray<Measure>> => {
  const runtime = InterpreterRuntime.make()
  const gate = Deferred.makeUnsafe<{ readonly name: string }>()
  let calls = 0
  const call = () =>
    Effect.suspend(() => {
      calls++
      return Deferred.await(gate)
    })
  const run = runtime.run({ code, tools: ["wait"], call })
  // What the first run loads and compiles is not part of what each one needs.
  const first = Effect.runFork(run)
  await until(() => calls > 0)
  calls = 0
  const before = await heap()
  const fibers: Array<Fiber.Fiber<{ readonly result: unknown }, unknown>> = []
  const starting = await timeOf(async () => {
    for (let i = 0; i < count; i++) fibers.push(Effect.runFork(run))
    await until(() => calls === count)
  })
  const each = (await heap() - before) / count
  const resident = process.memoryUsage().rss
  const ending = await timeOf(async () => {
    Deferred.doneUnsafe(gate, Effect.succeed({ name: "Ada" }))
    for (
      const { result } of await Promise.all([first, ...fibers].map((fiber) => Effect.runPromise(Fiber.join(fiber))))
    ) {
      if (JSON.stringify(result) !== `["1: Ada","2: Ada","3: Ada"]`) throw new Error("A run gives another result")
    }
  })
  const runs = `${count.toLocaleString("en-US")} waiting runs`
  return [
    { name: `${runs}: starting one`, value: starting * 1000 / count, unit: "µs" },
    { name: `${runs}: finishing one`, value: ending * 1000 / count, unit: "µs" },
    { name: `${runs}: heap of one`, value: each / 1024, unit: "KB", ...atMost(60) },
    { name: `${runs}: memory of the process`, value: resident / 1024 ** 2, unit: "MB", ...atMost(1024) },
  ]
}
