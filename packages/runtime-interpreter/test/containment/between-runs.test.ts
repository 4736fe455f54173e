import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { describe, expect, it } from "vitest"
import { loadNative } from "../native.ts"
import { betweenRuns } from "./between-runs.cases.ts"
import type * as BetweenRuns from "./between-runs.ts"
import type * as Drive from "./drive.ts"
import { probe } from "./probe.ts"
import { Walk } from "./walk.ts"

const native = loadNative<typeof BetweenRuns>("../test/containment/between-runs.ts")

describe("no run leaves anything to another", () => {
  it.each(betweenRuns)("$name: $tries", async (between) => {
    expect(await (await native).runBetween(between)).toEqual([])
  })
})

/** A program that uses all that a runtime could keep for the next run. */
const everything = String.raw`${probe}
const tag = (strings) => strings, f = () => tag${"`a${1}`"}
keep([f(), /a(b)/gi, new RegExp("(x|y)+"), new Intl.NumberFormat("de").format(1), (1).toLocaleString("fr"), new Date().toLocaleDateString("de"),
  "a".localeCompare("b", "sv"), Symbol.for("x"), new Map([[1, {}]]), new Uint8Array(8), class A { #x = 1 }, "abc".normalize()])
keep(await tools.echo({ a: 1 }))
await tools.a.b.c({})
console.log({ a: 1 })
await new Promise((resolve) => setTimeout(resolve, 1))
return survey()`

const tools = ["echo", "a.b.c"]

/** Every part of a value that is plain data, with where it stands. */
const partsOf = (root: object): ReadonlyArray<unknown> => {
  const parts: Array<unknown> = []
  const seen = new Set<object>([root])
  for (const value of seen) {
    for (const key of Reflect.ownKeys(value)) {
      const part: unknown = (value as Record<PropertyKey, unknown>)[key]
      parts.push(key, part)
      if (typeof part === "object" && part !== null) seen.add(part)
    }
  }
  return parts
}

interface Table {
  readonly keys: ReadonlyArray<unknown>
  readonly flags: ReadonlyArray<number>
  /** Finds keys: maps of the host's, of which a small table has one. */
  readonly map: { readonly last: ReadonlyMap<unknown, number>; readonly full: unknown } | null
}

/** The tables of keys and attributes of built-ins, which nothing can write to. */
const fixedTables = (seen: ReadonlySet<object>): ReadonlyArray<Table> =>
  Array.from(seen).filter((value): value is Table & object => {
    const { flags, keys } = value as Partial<Table>
    return Array.isArray(keys) && Array.isArray(flags) && Object.isFrozen(keys) && Object.isFrozen(flags)
  })

const engine = loadNative<typeof Drive>("../test/containment/drive.ts")

describe("two runs of one program", () => {
  const run = async (programs: Drive.ProgramCache) => (await engine).drive(everything, { programs, tools })

  it("have in common only the program, what built-ins are like before they are changed, and what stands for nothing", async () => {
    const { nothingOf, ProgramCache } = await engine
    const programs = new ProgramCache()
    const [first, second] = [await run(programs), await run(programs)]
    for (const { outcome } of [first, second]) expect(outcome).toEqual({ type: "returned", value: [] })
    const ofFirst = new Walk(first.run!)
    const ofSecond = new Walk(second.run!)
    const definitions = new Set<object>(ofFirst.definitions.values())
    const nothings = new Set([nothingOf(first.run!), ...partsOf(nothingOf(first.run!))])
    const tables = fixedTables(ofFirst.seen)
    expect(tables.length).toBeGreaterThan(10)
    // What finds the keys of a table is as it was made.
    for (const { keys, map } of tables) {
      expect(map!.full).toBe(null)
      expect(Array.from(map!.last)).toEqual(keys.map((key, slot) => [key, slot]))
    }
    const fixed = new Set(
      tables.flatMap(({ flags, keys, map }, i): Array<unknown> => [tables[i], keys, flags, map, map!.last]),
    )
    const shared = Array.from(ofFirst.seen).filter((value) =>
      ofSecond.seen.has(value) && !definitions.has(value) && !nothings.has(value) && !fixed.has(value)
    )
    expect(shared).toEqual([first.program!.template])
    expect(ofFirst.seen.size).toBeGreaterThan(3000)
  })

  it("change nothing of the program, nor of what stands for nothing", async () => {
    const { nothingOf, ProgramCache } = await engine
    const programs = new ProgramCache()
    const program = await programs.load(everything)
    if ("refused" in program) throw new Error(program.refused.message)
    const nothing = nothingOf((await run(programs)).run!)
    const before = partsOf({ program, nothing })
    await run(programs)
    const after = partsOf({ program, nothing })
    expect(after.length).toBe(before.length)
    expect(after.every((part, i) => Object.is(part, before[i]))).toBe(true)
    expect(before.length).toBeGreaterThan(1000)
  })

  it("take the same number of steps, whatever was run before", async () => {
    const { drive, ProgramCache } = await engine
    const programs = new ProgramCache()
    const alone = (await run(new ProgramCache())).run!.fuelUsed
    await drive("for (let i = 0; i < 100; i++) new RegExp('a' + i)\nreturn new Intl.NumberFormat('de').format(1)", {
      programs,
    })
    expect([(await run(programs)).run!.fuelUsed, (await run(programs)).run!.fuelUsed]).toEqual([alone, alone])
  })
})

describe("random numbers", () => {
  const programs = (draws: number) => [
    `let n = 0; for (let i = 0; i < ${draws}; i++) n += Math.random(); crypto.randomUUID(); return n`,
    "return [Math.random(), Math.random(), crypto.randomUUID(), ...crypto.getRandomValues(new Uint8Array(4))]",
  ]
  const runtime = InterpreterRuntime.make()
  const run = (code: string) =>
    Effect.map(runtime.run({ code, tools: [], call: () => Effect.succeed(null) }), ({ result }) => result)
  /** What the second program gets, and what the host's source gives then. */
  const after = (draws: number) =>
    Effect.runPromise(
      Effect.gen(function*() {
        const [first, second] = programs(draws)
        yield* run(first!)
        return [yield* run(second!), yield* Random.next] as const
      }).pipe(Random.withSeed("host")),
    )

  it("of a run depend on the host's source, and not on how many another run drew", async () => {
    const [numbers, next] = await after(1)
    expect(await after(1000)).toEqual([numbers, next])
    expect(new Set(numbers as ReadonlyArray<unknown>).size).toBeGreaterThan(4)
  })

  it("are none of the host's own", async () => {
    const drawn: Array<number> = []
    const source: typeof Random.Random.Service = {
      nextDoubleUnsafe: () => {
        drawn.push(Math.random())
        return drawn.at(-1)!
      },
      nextIntUnsafe: () => 0,
    }
    const given = await Effect.runPromise(
      Effect.provideService(run("return Array.from({ length: 100 }, Math.random)"), Random.Random, source),
    )
    expect(drawn.length).toBe(8)
    expect((given as ReadonlyArray<number>).filter((number) => drawn.includes(number))).toEqual([])
    expect((given as ReadonlyArray<number>).every((number) => number >= 0 && number < 1)).toBe(true)
    expect(new Set(given as ReadonlyArray<number>).size).toBe(100)
  })
})
