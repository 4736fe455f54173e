import { describe, expect, it } from "vitest"
import type * as Engine from "../../src/engine/index.ts"
import type { Program } from "../../src/engine/index.ts"
import * as Limits from "../../src/Limits.ts"
import { loadNative } from "../native.ts"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"

// Instructions are decoded by stretches, when a program comes to them. Where one ends must make no difference.

const { makeRun, ProgramCache } = await loadNative<typeof Engine>("engine/index.ts")

/** More statements of one instruction than a stretch has. */
const SHIFTS = 70

/** What looks at instructions after it, jumps, or goes on elsewhere, in functions of `n` that `FILLING` comes before. */
const functions = {
  "a loop over an array":
    `(n) => { let s = 0; FILLING; for (const x of [1, 2, 3]) { if (x === 2) continue; s += x } return [s, n] }`,
  "a loop over what is no array":
    `(n) => { const out = []; FILLING; for (const [k, v] of new Map([["a", 1], ["b", 2]])) { out.push(k, v); if (v === n) break } return out }`,
  "methods that are called":
    `(n) => { const o = { m(x) { return { m: (y) => x + y + n } } }; FILLING; return o.m(1).m(2) + "ab".at(1) }`,
  "numbers of which others are made":
    `(n) => { const o = { x: 2, y: 3 }, a = [5, 6, 7]; let s = 1; FILLING; s = n + s + o.x * o.y - s * s; o.x = s + 1; a[s - s] = s * 2; return [s, o, a, a[o.y - 1] + a[0] * 2 + s] }`,
  "loops back":
    `(n) => { let s = 0; FILLING; for (let i = 0; i < 5; i++) { s += i; for (let j = i; j > 0; j--) s = s * 2 + j; if (s > 50) break } return [s, n] }`,
  "what is thrown and caught":
    `(n) => { const out = []; FILLING; for (let i = 0; i < 3; i++) { try { if (i === 1) throw i; out.push(i) } catch (e) { out.push("caught", e) } finally { out.push("end") } } return out }`,
  "a generator and what it delegates to":
    `(n) => { function* g() { FILLING; const x = yield 1; yield* [x, 2]; try { yield 3 } finally { yield 4 } } const it = g(); return [it.next(), it.next(7), it.next(), it.next(), it.return(9), it.next(), ...[...g()].map(String)] }`,
  "choices":
    `(n) => { FILLING; switch (n & 3) { case 0: return "a"; case 1: n += 1; case 2: return ["b", n]; default: return n > 5 ? "c" : n ?? "d" } }`,
  "a function without a result":
    `(n) => { FILLING; const f = (x) => { if (x) return; FILLING }; return [String(f(0)), String(f(1)), n] }`,
} satisfies Record<string, string>

const host = {
  now: () => 0,
  monotonic: () => 0,
  random: () => 0.5,
  setAlarm: () => {},
  startCall: () => {},
}

describe("stretches of instructions", () => {
  it.for(Object.entries(functions))("end anywhere in %s", async ([, text]) => {
    const code = `return [${
      Array.from({ length: SHIFTS }, (_, i) => `(${text.replaceAll("FILLING", "n++;".repeat(i))})(${i})`).join(",\n")
    }]`
    expect(await evaluate(code)).toEqual(await inHost(code))
  })

  it("are decoded in slices, which are the program's time and none of its steps", () => {
    const code = `let n = 0; ${"n++;".repeat(30_000)} return n`
    /** How often the program was stopped, and the steps that it took, where so much time goes by between two looks at the clock. */
    const inTime = (between: number): readonly [slices: number, steps: number] => {
      let time = 0
      const run = makeRun(new ProgramCache().load(code) as Program, {
        limits: { ...Limits.resolve({}), dataDepth: 64 },
        tools: [],
        host: { ...host, elapsed: () => time += between },
      })
      for (let slices = 1;; slices++) {
        const progress = run.advance(1_000_000)
        if (progress === "running") continue
        expect(progress).toMatchObject({ type: "returned", value: 30_000 })
        return [slices, run.fuelUsed]
      }
    }
    const [slices, steps] = inTime(5)
    expect(slices).toBeGreaterThan(10)
    expect(inTime(0)).toEqual([1, steps])
  })
})
