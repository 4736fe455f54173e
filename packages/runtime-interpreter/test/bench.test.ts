import { describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { compare, mean, spread } from "../bench/measure.ts"
import * as Options from "../bench/options.ts"
import * as Programs from "../bench/programs.ts"
import { notes, render, type Row, sentence, summarise } from "../bench/report.ts"
import { holds } from "../bench/scale/measure.ts"

const programs = Programs.load()

// Run as they are measured: the build, in a process of its own. V8 is told what it is told here: each runs once.
const agree = fileURLToPath(new URL("../build/bench/agree.js", import.meta.url))

describe("the programs of the benchmark", () => {
  it("give what V8 gives, and what is known of them", { timeout: 300_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, agree], { maxBuffer: 2 ** 24 })
    const values = JSON.parse(stdout) as Record<string, { readonly ours: unknown; readonly vm: unknown }>
    expect(Object.keys(values)).toStrictEqual(programs.map(({ name }) => name))
    for (const [name, { ours, vm }] of Object.entries(values)) {
      expect({ name, value: ours }).toStrictEqual({ name, value: vm })
    }
    expect(values).toMatchObject({
      fib: { ours: 75_025 },
      richards: { ours: { held: 9297, sent: 23_246 } },
      fannkuch: { ours: { checksum: 1616, most: 22 } },
      "n-body": { ours: ["-0.169075164", "-0.169087605"] },
      "diff-lists": { ours: { exact: true } },
      sorting: { ours: { same: true } },
      sequential: { ours: 19_900 },
    })
  })

  it("are all measured, each once", () => {
    const files = readdirSync(fileURLToPath(new URL("../bench/programs", import.meta.url)))
    const names = programs.map(({ name }) => `${name}.js`)
    expect(names.toSorted()).toStrictEqual(files.toSorted())
  })

  it("have titles, and call tools where they are said to", () => {
    const isTitle = /^[A-Z\d].{10,120}[^.]$/
    expect(programs.filter(({ title }) => !isTitle.test(title))).toStrictEqual([])
    const calling = programs.filter(({ code }) => /\btools\./.test(code)).map(({ name }) => name)
    const said = programs.filter(({ kind, name }) => kind !== "cpu" && name !== "empty").map(({ name }) => name)
    expect(calling).toStrictEqual(said)
  })
})

describe("the arguments of a benchmark", () => {
  const read = (...args: ReadonlyArray<string>) => Options.read(args, "bench")

  it("are a filter, a file and how thorough", () => {
    expect(read()).toStrictEqual({ filter: "", json: undefined, quick: false })
    expect(read("--filter", "fib", "--json", "out.json", "--quick")).toStrictEqual({
      filter: "fib",
      json: "out.json",
      quick: true,
    })
  })

  it.each([
    [["--fliter", "fib"], "Unknown option '--fliter'"],
    [["fib"], "Unexpected argument 'fib'"],
    [["--filter"], "Option '--filter <value>' argument missing"],
    [["--json", ""], "--json needs the name of a file"],
  ])("%j is refused with the usage", (args, message) => {
    const refused = read(...args)
    expect(refused).toMatchObject({ failed: true, text: expect.stringContaining(message) })
    expect(refused).toMatchObject({ text: expect.stringContaining("Usage: npm run bench --") })
  })

  it("can be asked for", () => {
    expect(read("--help")).toStrictEqual({ text: Options.usage("bench"), failed: false })
  })

  it("choose by name, and name what there is where nothing is chosen", () => {
    const all = [{ name: "fib" }, { name: "json" }]
    expect(Options.choose(all, "")).toStrictEqual(all)
    expect(Options.choose(all, "so")).toStrictEqual([{ name: "json" }])
    expect(Options.choose(all, "x")).toBe(`Nothing here is named like "x": fib, json`)
  })
})

describe("the numbers of a benchmark", () => {
  it("are medians with their edges, and geometric means", () => {
    expect(spread([5, 1, 4, 2, 3, 9, 7, 8, 6, 10, 11])).toStrictEqual({ low: 2, median: 6, high: 10 })
    expect(mean([1, 4, 16])).toBeCloseTo(4)
  })

  it("are taken in turns once each way is warm, of slow ways in fewer rounds", async () => {
    const order: Array<string> = []
    const way = (name: string, milliseconds: number) => async () => {
      order.push(name)
      await new Promise((resolve) => setTimeout(resolve, milliseconds))
    }
    const effort = { warmUp: 0, round: 0, budget: 300, rounds: 2 }
    const [first, second, slow] = await compare([way("a", 1), way("b", 1), way("c", 60)], effort)
    expect(order.join("")).toMatch(/^a{2,}b{2,}c{2,}abcabc(ab)+$/)
    expect(slow!.rounds).toBe(2)
    expect(second!.rounds).toBeGreaterThan(2)
    expect(first!.ratio).toStrictEqual({ low: 1, median: 1, high: 1 })
    expect(slow!.ratio.median).toBeGreaterThan(1)
  })

  const at = (value: number) => ({ low: value, median: value, high: value })
  const row = (name: string, quickjs: number, vm: number, sval?: number): Row => ({
    name,
    title: name,
    kind: "cpu",
    ours: at(10),
    rounds: 5,
    peers: {
      quickjs: { time: at(10 * quickjs), ratio: at(quickjs), rounds: 5 },
      sval: sval === undefined ? { reason: "it throws" } : { time: at(10 * sval), ratio: at(sval), rounds: 5 },
      "node:vm": { time: at(10 * vm), ratio: at(vm), rounds: 5 },
    },
  })
  const rows = [row("fast", 4, 0.1, 20), row("slow", 1, 0.025)]

  it("come to means and to what is slowest", () => {
    const summary = summarise(rows)!
    expect(summary).toMatchObject({ programs: 2, slowest: { name: "slow", ratio: 1 } })
    expect(summary.quickjs).toBeCloseTo(2)
    expect(summary.nodeVm).toBeCloseTo(20)
    expect(sentence("Programs", summary)).toBe(
      "Programs (2): 2.00 times as fast as quickjs, 20.0 times slower than node:vm; slowest against quickjs: slow, 1.00",
    )
    expect(summarise([])).toBeUndefined()
  })

  it("are a dash and a note where a peer cannot", () => {
    expect(render(rows[0]!)).toBe(
      "fast                     10.0 ms    40.0 ms 4.00 (4.00 to 4.00)     200.0 ms 20.0 (20.0 to 20.0)       1.0 ms 0.10 (0.10 to 0.10)",
    )
    expect(render(rows[1]!)).toContain(" - ")
    expect(notes(rows)).toStrictEqual(["slow: sval does not run it: it throws"])
    expect(notes([{ ...rows[0]!, calls: 100 }])).toStrictEqual([
      "fast: a call takes ours 100 µs, quickjs 400 µs, sval 2.0 ms, node:vm 10.0 µs",
    ])
  })

  it("are held against their bounds", () => {
    const measure = (value: number, at: "most" | "least") => ({
      name: "",
      unit: "ms" as const,
      value,
      bound: { at, value: 5 },
    })
    expect([4, 5, 6].map((value) => holds(measure(value, "most")))).toStrictEqual([true, true, false])
    expect([4, 5, 6].map((value) => holds(measure(value, "least")))).toStrictEqual([false, true, true])
    expect(holds({ name: "", unit: "ms", value: 5 })).toBe(true)
  })
})
