// Large results of tools, of which a program reads a little or all.
import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { heap, type Measure, median, type Part, timeOf } from "./measure.ts"

const row = (id: number) => ({
  id,
  name: `entry number ${id}`,
  state: id % 3 === 0 ? "closed" : "open",
  score: (id * 7919) % 1000,
  tags: ["one", "two", `tag-${id % 50}`],
  owner: { login: `user-${id % 400}`, url: `https://example.org/users/${id % 400}` },
})

const little = `
const rows = await tools.rows({})
return rows[rows.length - 1].score`

const all = `
const rows = await tools.rows({})
let sum = 0
for (const { owner, score, tags } of rows) sum += score + tags.length + owner.login.length
return sum`

const measure = async (megabytes: number, rounds: number): Promise<Array<Measure>> => {
  const rows: Array<ReturnType<typeof row>> = []
  for (let size = 0; size < megabytes * 1024 ** 2; size += JSON.stringify(rows.at(-1)).length + 1) {
    rows.push(row(rows.length))
  }
  const expected = rows.reduce((sum, { owner, score, tags }) => sum + score + tags.length + owner.login.length, 0)
  // The limit is the tool's to choose here: what is measured is what a result of this size takes.
  const runtime = InterpreterRuntime.make({ limits: { memory: 2 * 1024 ** 3, fuel: "unbounded" } })
  let peak = NaN
  const run = async (code: string, value: unknown) => {
    const { result } = await Effect.runPromise(runtime.run({
      code,
      tools: ["rows"],
      call: () => Effect.succeed(rows as unknown as Schema.Json),
      usage: ({ peakMemory }) => {
        peak = peakMemory ?? NaN
      },
    }))
    if (result !== value) throw new Error(`The program gives ${String(result)} and not ${String(value)}`)
  }
  const measured = async (what: string, code: string, value: unknown): Promise<Array<Measure>> => {
    await run(code, value)
    const times: Array<number> = []
    for (let i = 0; i < rounds; i++) times.push(await timeOf(() => run(code, value)))
    const grows = (of: string, value: number) => ({
      growth: { of: `megabytes from a tool, ${what}: ${of}`, amount: megabytes, each: value / megabytes },
    })
    const time = median(times)
    return [
      { name: `${megabytes} MB from a tool, ${what}: time`, value: time, unit: "ms", ...grows("time", time) },
      {
        name: `${megabytes} MB from a tool, ${what}: guest memory at its highest`,
        value: peak / 1024 ** 2,
        unit: "MB",
        ...grows("guest memory", peak),
      },
    ]
  }
  const before = await heap()
  const measures = [
    ...await measured("one field of it read", little, rows.at(-1)!.score),
    ...await measured("all of it read", all, expected),
  ]
  const left = await heap() - before
  return [...measures, { name: `${megabytes} MB from a tool: heap left behind`, value: left / 1024 ** 2, unit: "MB" }]
}

/** Results of 1, 10 and 50 MB of JSON. */
export const results: Part = async (isQuick) => {
  // A process that has just begun would make the small ones look large.
  await measure(1, 15)
  const measures: Array<Measure> = []
  for (const megabytes of [1, 10, 50]) measures.push(...await measure(megabytes, isQuick ? 1 : megabytes > 10 ? 5 : 15))
  return measures
}
