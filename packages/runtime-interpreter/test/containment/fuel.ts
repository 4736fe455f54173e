import { Limits } from "@effect-codemode/runtime-interpreter"
import { makeRun, ProgramCache, type RunLimits } from "@effect-codemode/runtime-interpreter/engine"
import { everyday } from "../engine/everyday.cases.ts"
import { exhaustions } from "./exhaustion.cases.ts"

/** Programs of all kinds: what models write, and what works long in one built-in or another. */
export const programs: ReadonlyArray<string> = [
  ...everyday,
  `let s = 0; for (let i = 0; i < 30000; i++) s = (s * 31 + i) % 1000003; return s`,
  `const f = (n) => n < 2 ? n : f(n - 1) + f(n - 2); return f(17)`,
  `const a = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 3001); return a.sort((x, y) => x - y)[5] + a.toSorted()[7]`,
  `return /^(a+)+$/.test("a".repeat(18) + "b") || "ab".repeat(500).replace(/a(b)/g, (m, b) => b + m).length`,
  `return String(3n ** 5000n).length + (((1n << 20000n) - 1n) / 12345n % 97n === 0n ? 1 : 0)`,
  `const o = []; for (let i = 0; i < 2000; i++) o.push({ i, t: "text " + i, n: { k: [i] } }); return JSON.parse(JSON.stringify(o)).length`,
  `const m = new Map(); for (let i = 0; i < 5000; i++) { m.set("k" + i % 700, i); if (i % 3 === 0) m.delete("k" + i % 500) } return m.size`,
  `const out = []; await Promise.all([1, 2, 3].map(async (n) => { for (let i = 0; i < 50; i++) { await null; out.push(n) } })); return out.join("")`,
  `let n = 0; for (let i = 0; i < 20; i++) n += (await tools.echo({ i, list: [1, 2, i] })).list[2]; return n`,
  `const all = await Promise.all(Array.from({ length: 40 }, (_, i) => tools.echo({ i }))); return all.length`,
  `await new Promise((resolve) => setTimeout(resolve, 5)); let n = 0; const t = setInterval(() => n++, 1); await new Promise((r) => setTimeout(r, 6)); clearInterval(t); return n`,
  `const all = []; for (let i = 0; i < 60000; i++) all.push([i]); return all.length`,
  `const all = []; for (let i = 0; i < 200; i++) all.push("x".repeat(10000) + i); return all.join("").length`,
  `let t = ""; for (let i = 0; i < 20000; i++) t += i % 2 ? "a" : "b"; return [...t].length + t.split("a").length`,
  `const p = new Proxy({}, { get: (t, k) => String(k).length, ownKeys: () => ["a", "b"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }); let n = 0; for (let i = 0; i < 300; i++) n += p.abc + Object.keys(p).length; return n`,
  `class A { #x = 1; static s = []; get x() { return this.#x } } let n = 0; for (let i = 0; i < 2000; i++) n += new (class extends A {})().x; return n`,
  `function* g() { for (let i = 0; i < 2000; i++) yield i } return g().filter((x) => x % 2).map((x) => x * 2).take(500).reduce((a, b) => a + b)`,
  `const f = () => { try { return f() } catch (e) { return e instanceof RangeError } }; return f()`,
  `return [new Intl.NumberFormat("de").format(1234.5), new Date(0).toLocaleDateString("fr"), ["\\u00e4", "z", "a"].sort(new Intl.Collator("sv").compare)]`,
  `const t = new Float64Array(5000).map((_, i) => Math.sin(i)); t.sort(); return [...structuredClone(t).subarray(0, 3)].length`,
  `console.log({ a: [1, { b: 2 }] }, new Map([[1, 2]]), "x".repeat(2000)); console.table([{ a: 1 }, { a: 2 }]); return new URL("http://a.b/c?d=e").search`,
  `for (;;) {}`,
  `const all = []; for (;;) all.push("x".repeat(100000) + all.length)`,
  `let p = 0; const next = () => { p++; return Promise.resolve().then(next) }; await next()`,
  `return { toJSON() { for (let i = 0; i < 100; i++) i; return [1, 2, { toJSON: () => 3 }] } }`,
  `throw new TypeError("thrown after " + [1, 2, 3].map((x) => x * 2))`,
]

/** Programs that end for memory, in one way or another, if steps do not end them first. */
export const hoarders: ReadonlyArray<string> = exhaustions.filter(({ tries }) => tries.startsWith("Memory by"))
  .map(({ code }) => code)

const cache = new ProgramCache()
const limits = { ...Limits.defaults, fuel: 1_000_000, memory: 4 << 20 }
/** So that many of the hoarders are looked at several times, and all are done soon. */
const tight = { ...limits, fuel: 150_000, memory: 512 << 10 }

const rows = Array.from({ length: 1000 }, (_, id) => ({ id, name: `name ${id}`, tags: ["a", "b"] }))

/** What a program comes to, and the steps it takes for that, when it works in slices of so many. */
const fuelOf = async (code: string, slice: () => number, limits: RunLimits): Promise<string> => {
  const program = await cache.load(code)
  if ("refused" in program) throw new Error(`${program.refused.message}: ${code}`)
  let now = 1_700_000_000_000
  let alarm = Infinity
  const run = makeRun(program, {
    limits,
    tools: ["echo", "rows"],
    timeZone: "UTC",
    locale: "en-US",
    host: {
      now: () => now,
      monotonic: () => now,
      elapsed: () => performance.now(),
      random: () => 0.25,
      setAlarm: (delay) => {
        alarm = now + delay
      },
      startCall: (id, tool, input) => run.settleCall(id, tool === "rows" ? rows : input),
    },
  })
  for (;;) {
    const progress = run.advance(slice())
    if (progress === "waiting") {
      if (alarm === Infinity) return `waiting ${run.fuelUsed} steps ${run.peakMemory} bytes`
      now = alarm
      alarm = Infinity
      run.alarm()
    } else if (progress !== "running") {
      return `${
        progress.type === "returned" ? "returned" : progress.failure.code
      } ${run.fuelUsed} steps ${run.peakMemory} bytes`
    }
  }
}

/** The same for all programs, in their order, and for those that end for memory if these are wanted. */
export const fuels = async (slice: () => number, withHoarders = true): Promise<ReadonlyArray<string>> => {
  const used: Array<string> = []
  for (const code of programs) used.push(await fuelOf(code, slice, limits))
  for (const code of withHoarders ? hoarders : []) used.push(await fuelOf(code, slice, tight))
  return used
}
