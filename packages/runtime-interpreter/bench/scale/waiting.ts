// Many runs at once, each of which waits for a tool.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { atMost, heap, type Measure, timeOf, until } from "./measure.ts"

// A program that has asked for one thing, and one that has functions and data of its own as well: it holds these, and what of the
// built-ins it has used.
const programs = {
  small: {
    code: `const { name } = await tools.wait({ ids: [1, 2, 3] })\nreturn name`,
    result: "Ada",
  },
  larger: {
    code: `
const describe = ({ id, name }) => \`\${id}: \${name}\`
const wanted = [3, 1, 2].toSorted((a, b) => a - b).map((id) => ({ id, tags: ["a", "b"], seen: new Map() }))
const { name } = await tools.wait({ ids: wanted.map(({ id }) => id) })
return wanted.map(({ id }) => describe({ id, name })).join()`,
    result: "1: Ada,2: Ada,3: Ada",
  },
} as const

const Kit = Toolkit.make(
  Tool.make("wait", {
    parameters: Schema.Struct({ ids: Schema.Array(Schema.Number) }),
    success: Schema.Struct({ name: Schema.String }),
  }),
)

type Waits = Effect.Effect<{ readonly name: string }>

type Run = (code: string, wait: Waits) => Effect.Effect<Effect.Effect<{ readonly result: unknown }, unknown>>

const by: Readonly<Record<"runtime" | "toolkit", Run>> = {
  runtime: (code, wait) => Effect.succeed(InterpreterRuntime.make().run({ code, tools: ["wait"], call: () => wait })),
  toolkit: (code, wait) =>
    Effect.gen(function*() {
      const presented = yield* Effect.provide(Kit, Kit.toLayer({ wait: () => wait }))
      const { execute } = yield* CodeMode.make(presented, InterpreterRuntime.make(), { timeout: Infinity })
      return execute(code)
    }),
}

/** What so many runs take, to start, to hold and to finish: by the runtime alone, or through `CodeMode` and a toolkit. */
export const waiting = async (
  count: number,
  kind: keyof typeof programs,
  through: keyof typeof by = "runtime",
): Promise<ReadonlyArray<Measure>> => {
  const { code, result: expected } = programs[kind]
  const gate = Deferred.makeUnsafe<{ readonly name: string }>()
  let calls = 0
  const wait = Effect.suspend(() => {
    calls++
    return Deferred.await(gate)
  })
  const run = await Effect.runPromise(by[through](code, wait))
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
      if (result !== expected) throw new Error("A run gives another result")
    }
  })
  const what = `waiting runs, ${kind} programs${through === "toolkit" ? ", through CodeMode" : ""}`
  const runs = `${count.toLocaleString("en-US")} ${what}`
  const grows = (of: string, each: number) => ({ growth: { of: `${what}: ${of}`, amount: count, each } })
  return [
    {
      name: `${runs}: starting one`,
      value: starting * 1000 / count,
      unit: "µs",
      ...grows("starting", starting / count),
    },
    { name: `${runs}: finishing one`, value: ending * 1000 / count, unit: "µs", ...grows("finishing", ending / count) },
    { name: `${runs}: heap of one`, value: each / 1024, unit: "KB", ...grows("heap", each), ...atMost(60) },
    { name: `${runs}: memory of the process`, value: resident / 1024 ** 2, unit: "MB", ...atMost(1024) },
  ]
}
