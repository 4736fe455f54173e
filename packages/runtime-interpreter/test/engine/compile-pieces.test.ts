import { runInThisContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { compileSteps } from "../../src/engine/compile/index.ts"
import { makeRun, ProgramCache } from "../../src/engine/index.ts"
import { needsTypeScript, parseProgram } from "../../src/engine/parse/index.ts"
import * as Limits from "../../src/Limits.ts"
import { evaluate } from "./evaluate.ts"

// A long program is compiled in pieces: what is long in it comes after what is around it, and must find its names all the same.

const host = {
  now: () => 0,
  monotonic: () => 0,
  elapsed: () => 0,
  random: () => 0.5,
  setAlarm: () => {},
  startCall: () => {},
}

/** Statements that do nothing, and are more than a piece. */
const filling = Array.from({ length: 60 }, (_, i) => `void function () { return [${i}, "filling of a statement"] };`)
  .join("\n")

/** Elements, the same. */
const elements = Array.from({ length: 200 }, (_, i) => `"element ${i}",`).join("\n")

/** Programs of which `FILLING` and `ELEMENTS` are nothing, or much. */
const programs = {
  "variables of a block, a function and around it": `
    let a = 1; var b = 2
    const f = (c) => { var d = c + 1; { let a = 10; FILLING; { var e = a + b + d; FILLING } FILLING } return [a, b, c, d, e] }
    return f(3)`,
  "what is used before it is there": `
    const log = []
    const f = () => { FILLING; try { FILLING; log.push(x); FILLING } catch (e) { log.push(e.name); FILLING } finally { log.push("end"); FILLING }
      FILLING; let x = 5; log.push(x); return log }
    return f()`,
  "functions that are called before they are declared": `
    const f = () => { FILLING; const r = g(2); FILLING; { FILLING; function h(n) { return n * k } var s = h(3); FILLING } function g(n) { return n + k } return [r, s] }
    const k = 100
    return f()`,
  "parameters and variables of one name": `
    function f(a, b = () => a) { FILLING; var a; const first = [a, b()]; a = 7; FILLING; return [first, a, b(), arguments.length] }
    return f(1)`,
  "a class": `
    class A { #a = 1; static #s = [ELEMENTS].length; b = [ELEMENTS].length + this.#a
      static { FILLING; var x = A.#s + 1; FILLING; this.x = x; { FILLING; var y = x + 1; this.y = y } }
      get #g() { FILLING; return this.#a + 1 } m(z) { FILLING; return [this.#g, z, this.b, A.#s] } static n() { FILLING; return this.x + this.y }
      constructor(a = 3) { FILLING; this.#a += a } }
    class B extends A { c = super.m(1).length; constructor() { FILLING; super(...[4, ELEMENTS]); FILLING; this.d = new.target.name } m() { return super.m(5) } }
    return [new A().m(2), A.n() - 2 * A.x, new B().m(), new B().c, new B().d, x]
    var x`,
  "cases": `
    const f = (n) => { const out = []; switch (n) { case 1: FILLING; let a = 1; out.push(a); FILLING; case 2: FILLING; a = 2; out.push(a); break; default: FILLING; out.push(typeof n) } return out }
    let late; try { f(2) } catch (e) { late = e.name }
    return [f(1), late, f("x")]`,
  "loops and ways out of them": `
    const f = () => { const out = []
      outer: for (let i = 0; i < 4; i++) { FILLING; try { FILLING; for (const j of [1, 2, 3]) { FILLING; if (j === 2) continue outer; if (i === 3) break outer; out.push(() => [i, j]) } } finally { FILLING; out.push(() => "end " + i) } }
      FILLING
      for (const [k, { v }] of [["a", { v: 1 }]]) { FILLING; out.push(() => k + v) }
      return out.map((g) => g()) }
    return f()`,
  "a way out of a try": `
    const f = (n) => { try { FILLING; if (n === 1) return "returned"; if (n === 2) throw "thrown"; FILLING } catch (e) { FILLING; return "caught " + e } finally { FILLING; if (n === 3) return "finally" } return "after" }
    return [f(0), f(1), f(2), f(3)]`,
  "generators": `
    function* g(a) { FILLING; const b = yield a; FILLING; try { FILLING; yield* [b, [ELEMENTS].length > 100 ? "many" : "many"] } finally { FILLING; yield "end" } }
    const it = g(1)
    return [it.next(), it.next(2), it.next(), it.next(), it.next()]`,
  "literals with functions in them": `
    let n = 0
    const all = [ELEMENTS () => ++n, { k: [ELEMENTS () => { FILLING; return n * 10 }], async m() { FILLING; return this.k.length > 0 }, [\`k\${[ELEMENTS n].at(-1)}\`]: n }, ELEMENTS]
    const f = all.find((x) => typeof x === "function"), o = all.find((x) => typeof x === "object")
    return [f(), o.k.at(-1)(), await o.m(), o.k0]`,
  "arguments and templates": `
    const tag = (s, ...v) => [s.raw.join("|"), v.map((x) => typeof x === "function" ? x() : x)]
    const f = function () { FILLING; return () => arguments.length }
    return [tag\`a\${(() => { FILLING; return 1 })}b\${[ELEMENTS 2].at(-1)}c\`, f([ELEMENTS], 1)(), Math.max(...[ELEMENTS "5"].filter((x) => x > 0))]`,
} satisfies Record<string, string>

/** What Node gives for the body of a strict async function. */
const inNode = (body: string): Promise<unknown> =>
  runInThisContext(`(async () => { "use strict"; ${body}\n})()`) as Promise<unknown>

describe("a long program that is compiled in pieces", () => {
  it.each(Object.entries(programs))("%s", async (_name, program) => {
    const long = program.replaceAll("FILLING", filling).replaceAll("ELEMENTS", elements)
    expect(long.length).toBeGreaterThan(7000)
    const expected: unknown = JSON.parse(JSON.stringify(await inNode(long)))
    expect(await evaluate(long)).toEqual(expected)
    // In functions, each of which is the only statement.
    expect(await evaluate(`return (() => { return (async () => { ${long} })() })()`)).toEqual(expected)
    expect(await evaluate(`try { ${long} } finally { ${filling} }`)).toEqual(expected)
  })

  it("the value of the last statement", async () => {
    const value = (tail: string): Promise<unknown> =>
      evaluate(`const f = (x) => x\n{ ${filling} try { ${filling} f("value") } finally { ${filling} ${tail} } }`)
    expect(await value("")).toBe("value")
    expect(await value(`f("other")`)).toBe("value")
  })

  it.each([
    ["a function", `async () => { FILLING }`],
    ["a try in a function", `async () => { try { FILLING } catch (e) { FILLING } finally { FILLING } }`],
    ["a block", `{ FILLING }`],
  ])("%s takes many steps, however long", (_name, program) => {
    const code = program.replaceAll("FILLING", Array.from({ length: 5 }, () => filling).join("\n"))
    const parsed = parseProgram(code)
    if (parsed === needsTypeScript) throw new Error("taken for TypeScript")
    const steps = compileSteps(parsed.ast, { code, name: "program" }, { isAsync: true, completion: true })
    let count = 0
    while (steps.next().done !== true) count++
    expect(count).toBeGreaterThan(code.length / 4000)
  })
})

describe("a long program without loops is run in slices", () => {
  const many = (part: (i: number) => string): string => Array.from({ length: 4000 }, (_, i) => part(i)).join("")

  it.each([
    ["statements", `let n = 0; ${many(() => "n = n + 1;")} return n`, 4000],
    [
      "statements of a function",
      `const f = () => { let n = 0; ${many(() => "n = n + 1;")} return n }; return f()`,
      4000,
    ],
    ["statements in a try", `let n = 0; try { ${many(() => "n = n + 1;")} } finally { n++ } return n`, 4001],
    ["a list", `return [${many((i) => `${i},`)}].length`, 4000],
    ["lists in a list", `return [1, [2, [${many((i) => `[${i}],`)}]]][1][1].length`, 4000],
    ["an object", `const o = { ${many((i) => `k${i}: [${i}],`)} }; return Object.keys(o).length`, 4000],
    ["a class", `class A { ${many((i) => `static m${i}() { return ${i} } `)} } return A.m3999() + 1`, 4000],
    ["fields", `class A { ${many((i) => `f${i} = ${i};`)} } return Object.keys(new A()).length`, 4000],
    ["a list that is not come to", `return false ? [${many((i) => `${i},`)}] : 4000`, 4000],
  ])("%s", async (_name, code, expected) => {
    const program = await new ProgramCache().load(code)
    if ("refused" in program) throw new Error(program.refused.message)
    const slices = (steps: number) => {
      const run = makeRun(program, { limits: Limits.defaults, host, tools: [] })
      let longest = 0
      for (;;) {
        const before = run.fuelUsed
        const progress = run.advance(steps)
        longest = Math.max(longest, run.fuelUsed - before)
        if (progress !== "running") return { outcome: progress, fuel: run.fuelUsed, longest }
      }
    }
    const whole = slices(Infinity)
    expect(whole.outcome).toEqual({ type: "returned", value: expected })
    const { longest, ...rest } = slices(1000)
    expect(rest).toEqual({ outcome: whole.outcome, fuel: whole.fuel })
    expect(longest).toBeLessThan(12_000)
  })
})
