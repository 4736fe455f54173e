// Catalogs of a thousand and of ten thousand tools.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Effect from "effect/Effect"
import { heap, type Measure, median, timeOf } from "./measure.ts"

const nouns = ["issue", "invoice", "user", "label", "webhook", "report", "comment", "project", "backup", "release"]
const verbs = ["list", "get", "create", "update", "delete", "export", "search", "archive", "assign", "restore"]

const toolkitOf = (count: number): Toolkit.WithHandler<Record<string, Tool.Any>> => ({
  tools: Object.fromEntries(Array.from({ length: count }, (_, i) => {
    const verb = verbs[i % 10]!
    const noun = nouns[Math.floor(i / 10) % 10]!
    const name = `service${Math.floor(i / 100)}.${verb}_${noun}`
    const description = `Can ${verb} the ${noun}s of an account that has plan ${i % 7}.`
    const parameters = {
      type: "object",
      properties: { id: { type: "string", description: `The id of the ${noun}` }, limit: { type: "integer" } },
      required: ["id"],
    } as const
    return [name, Tool.dynamic(name, { description, parameters })]
  })),
  handle: () => Effect.die(new Error("No tool of the catalog is called")),
})

const measure = async (count: number): Promise<Array<Measure>> => {
  const presented = toolkitOf(count)
  const before = await heap()
  let mode: CodeMode.CodeMode | undefined
  const making = await timeOf(() => {
    // These tools need no services.
    mode = Effect.runSync(
      CodeMode.make(presented, InterpreterRuntime.make()) as Effect.Effect<CodeMode.CodeMode>,
    )
  })
  const run = (code: string) => () => Effect.runPromise(mode!.execute(code))
  const search = `return (await search({ query: "restore a backup" })).items.length`
  const first = await timeOf(run("return 1"))
  const searching = await timeOf(run(search))
  const times: Array<number> = []
  const searches: Array<number> = []
  for (let i = 0; i < 50; i++) {
    times.push(await timeOf(run("return 1")))
    searches.push(await timeOf(run(search)))
  }
  const retained = await heap() - before
  const tools = `${count.toLocaleString("en-US")} tools`
  const grows = (of: string, value: number) => ({
    growth: { of: `catalogs of tools: ${of}`, amount: count, each: value / count },
  })
  return [
    { name: `${tools}: making code mode of them`, value: making, unit: "ms", ...grows("making code mode", making) },
    {
      name: `${tools}: the instructions, in characters`,
      value: mode!.instructions.length / 1000,
      unit: "KB",
    },
    { name: `${tools}: the first run`, value: first, unit: "ms" },
    { name: `${tools}: the first search`, value: searching, unit: "ms", ...grows("the first search", searching) },
    { name: `${tools}: an empty program, warm`, value: median(times), unit: "ms" },
    { name: `${tools}: a program that searches, warm`, value: median(searches), unit: "ms" },
    { name: `${tools}: heap`, value: retained / 1024 ** 2, unit: "MB", ...grows("heap", retained) },
  ]
}

/** What tools cost that nobody calls. The first time does not count: it is told of catalogs, not of a process that has just begun. */
export const catalog = async (): Promise<ReadonlyArray<Measure>> => {
  await measure(1000)
  return [...await measure(1000), ...await measure(10_000)]
}
