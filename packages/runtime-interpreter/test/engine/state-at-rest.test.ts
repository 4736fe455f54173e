import { describe, expect, it } from "vitest"
import { makeRun, ProgramCache, type RunHost } from "../../src/engine/index.ts"
import { type Definition, Walk } from "../containment/walk.ts"
import { programs } from "./state-at-rest.programs.ts"

const limits = {
  fuel: 10_000_000,
  memory: 64 << 20,
  callDepth: 1000,
  stringLength: 1 << 24,
  bigintBits: 1 << 20,
  dataDepth: 64,
  toolCalls: 100,
  concurrentCalls: 16,
  logLines: 100,
  logLength: 10_000,
}

const host: RunHost = { now: () => 0, monotonic: () => 0, random: () => 0.5, setAlarm: () => {}, startCall: () => {} }

const cache = new ProgramCache()

/** What the tool `rows` gives: long enough for parts of it not to be made at once. */
const rows = Array.from({ length: 20 }, (_, id) => ({ id, inner: { tags: ["a", { b: id }] } }))

/** What a run consists of when it waits. */
const waiting = async (code: string): Promise<Walk> => {
  const program = await cache.load(code)
  if ("refused" in program) throw new SyntaxError(program.refused.message)
  const asked: Array<number> = []
  const run = makeRun(program, {
    limits,
    host: { ...host, startCall: (id, tool) => void (tool === "rows" && asked.push(id)) },
    tools: ["wait", "other", "a.b.c", "a.b", "d-e.f", "rows"],
  })
  let progress = run.advance(100_000)
  while (progress === "running" || asked.length > 0) {
    for (const id of asked.splice(0)) run.settleCall(id, rows)
    progress = run.advance(100_000)
  }
  expect(progress).toBe("waiting")
  return new Walk(run, [program.template.source])
}

describe("a run that waits is data", () => {
  const definitions = new Map<string, Definition>()
  const found = new Set<string>()

  it.each(programs)("%s", async (_name, code) => {
    const walk = await waiting(code)
    expect(walk.problems).toEqual([])
    expect(walk.seen.size).toBeGreaterThan(100)
    // A built-in of one id is the same in every run.
    for (const [id, definition] of walk.definitions) {
      expect(definitions.get(id) ?? definition).toBe(definition)
      definitions.set(id, definition)
    }
    for (const name of walk.found) found.add(name)
  })

  it("of every class that the table names", () => {
    expect([...Walk.classes].filter((name) => !found.has(name))).toEqual([])
  })
})
