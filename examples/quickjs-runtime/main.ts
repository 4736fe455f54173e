/**
 * Another engine behind the same interface: runs a program in QuickJS, then holds the runtime to the contract suite.
 */
import { CodeMode } from "@effect-codemode/toolkit"
import { verify } from "@effect-codemode/toolkit/testing"
import { Console, Effect, Schema } from "effect"
import { Tool, Toolkit } from "effect/ai"
import * as QuickJsRuntime from "./QuickJsRuntime.ts"

const Weather = Toolkit.make(
  Tool.make("weather", {
    description: "The temperature in a city, in degrees Celsius",
    parameters: Schema.Struct({ city: Schema.String }),
    success: Schema.Struct({ city: Schema.String, celsius: Schema.Number }),
  }),
)

const program = `
const cities = ["Oslo", "Rome", "Cairo"]
const reports = await Promise.all(cities.map((city) => tools.weather({ city })))
console.log("asked for", reports.length, "cities")
return reports.sort((a, b) => b.celsius - a.celsius)[0]
`

const main = Effect.gen(function*() {
  const runtime = QuickJsRuntime.make()
  const mode = yield* CodeMode.make(yield* Weather, runtime)

  yield* Console.log(`A program in QuickJS:\n${program}`)
  const outcome = yield* mode.execute(program)
  yield* Console.log(`Its result: ${JSON.stringify(outcome.result)}\nIts logs: ${outcome.logs.join("\n")}\n`)

  const report = yield* verify(runtime, [])
  for (const name of report.kept) yield* Console.log(`  kept     ${name}`)
  for (const { capability, name } of report.skipped) yield* Console.log(`  skipped  ${name} (${capability})`)
  for (const { name, reason } of report.broken) yield* Console.log(`  BROKEN   ${name}\n           ${reason}`)
  yield* Console.log(
    `\nThe contract: ${report.kept.length} rules kept, ${report.broken.length} broken, ` +
      `${report.skipped.length} of capabilities that this engine does not have.`,
  )
  if (report.broken.length > 0) process.exitCode = 1
}).pipe(Effect.provide(Weather.toLayer({
  weather: ({ city }) => Effect.succeed({ city, celsius: { Oslo: -3, Rome: 14, Cairo: 22 }[city] ?? 10 }),
})))

await Effect.runPromise(main)
