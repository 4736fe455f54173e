import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { Effect } from "effect"

const runtime = InterpreterRuntime.make({ limits: { fuel: 1_000_000, toolCalls: 20 } })

export const outcome = runtime.run({
  code: `
    const cities: string[] = ["Oslo", "Rome"]
    const all = await Promise.all(cities.map((city) => tools.weather({ city })))
    console.log("asked for", all.length)
    return all.filter(({ degrees }) => degrees > 10)
  `,
  tools: ["weather"],
  call: (_tool, { city = null }) => Effect.succeed({ city, degrees: city === "Oslo" ? 4 : 21 }),
})
// { result: [{ city: "Rome", degrees: 21 }], logs: ["asked for 2"] }
