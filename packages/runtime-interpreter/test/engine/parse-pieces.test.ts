import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { readCorpus } from "../../scripts/fuzz/corpus.ts"
import { mutated } from "../../scripts/fuzz/mutate.ts"
import { Random } from "../../scripts/fuzz/random.ts"
import { Problem } from "../../src/engine/parse/diagnostics.ts"
import { parseSteps } from "../../src/engine/parse/parse.ts"
import { type Goal, ProgramParser } from "../../src/engine/parse/parser.ts"
import { exhaustionsOf } from "../containment/exhaustion.cases.ts"

// A long text is parsed in pieces. What comes of it is what comes of it as a whole: the tree, or the first thing that is wrong.

/** All that is known of a text once it is parsed, and how many pieces it took. */
const parse = (text: string, goal: Goal, piece: number) => {
  const parser = new ProgramParser(text, goal, {}, piece)
  const steps = parser.parseInSteps()
  const told = (end: object) => {
    const { fenceAt, hasReturn, lastStatement, typeArguments } = parser
    return { ...end, fenceAt, hasReturn, lastStatement, typeArguments }
  }
  for (let pieces = 1;; pieces++) {
    try {
      const step = steps.next()
      if (step.done === true) return { pieces, result: told({ tree: step.value }) }
    } catch (error) {
      // Anything else is a mistake of the parser's.
      if (!(error instanceof Problem)) throw error
      return { pieces, result: told({ problem: { ...error } }) }
    }
  }
}

const expectSame = (text: string, piece: number, goal: Goal = "program"): number => {
  const whole = parse(text, goal, Infinity)
  const inPieces = parse(text, goal, piece)
  expect(inPieces.result, `in pieces of ${piece} characters:\n${text.slice(0, 2000)}`).toEqual(whole.result)
  return inPieces.pieces
}

/** Where what stands before an element, or comes after it, makes a difference to it. */
const programs = {
  "a pattern that was read as an expression": `[a, { b = 1, c: [d] }, ...e] = [1, { c: [2] }]; ({ x = 1 } = {})`,
  "an object that is no pattern": `const o = { a, b = 1, c: [d, { e }] }`,
  "two prototypes": `f({ __proto__: a, b: { __proto__: c }, __proto__: d })`,
  "two prototypes of a pattern": `({ __proto__: a, b, __proto__: d } = e)`,
  "parameters of an arrow function": `const f = ({ a, b: [c = 1] }, d = (x, y) => [x, y], ...e) => [a, c, d, e]`,
  "a comma after the rest": `const f = (a, ...b,) => 1`,
  "parentheses with nothing in them": `f((a, b), (), c)`,
  "await in a parameter": `const f = async (a, b = [1, await 2, 3]) => 1`,
  "async that is called": `async (a, b, [c, d], async (e) => [f, await g], async)`,
  "yield in a parameter": `function* g() { return (a, b = [1, yield 2]) => 1 }`,
  "a generator's patterns": `function* g() { const a = yield /x/g; yield* [b, c]; return [yield, yield d] }`,
  "calls in calls": `({}.a(1, 2).b(c, [d, e])(f, (g, h)).i[j, k]\`l\${m}n\`)`,
  "optional calls": `a?.b(c, d)?.[e, f]?.(g)?.h`,
  "what no optional call may be": `a?.b(c)\`d\``,
  "new": `new (a.b(c, d))(e, new f.g(h, [i]), new class { constructor(j, k) { new.target(j) } })`,
  "sums": `const n = a + b * c ** d - (e, f) / g % -h << +i > j === k && !l || m ?? n`,
  "what does not mix": `a && b(c, d) ?? e`,
  "powers": `a ** -b ** (c + d)`,
  "the in of a loop": `for (const a = (b in c); a < [d in e, f]; a++) g`,
  "loops":
    `for (const [a, { b }] of [c, d]) for (e in f) { break } for (let i = 0, j = [1, 2]; i < j; i++, j--) continue`,
  "a loop's comma": `for (a of b, c) d`,
  "labels": `a: for (;;) { b: { c: d: while (e) { if (f) break b; continue a } } } g: { break g }`,
  "a label that is not there": `a: for (;;) { b: { f(function () { for (;;) break a }, c) } }`,
  "a label twice": `a: { f(b, c); a: d }`,
  "cases": `switch (f(a, b)) { case [c, d]: e; f; case g: { h } default: i; break; case j: let k }`,
  "two defaults": `switch (a) { default: f(b, c); case d: default: e }`,
  "a name of two cases": `switch (a) { case b: let c; f(d, e); case g: let c }`,
  "a class":
    `class A extends f(B, C) { #a = [1, 2]; static #b; get #c() { return this.#a } set #c(d) {} static { var e = [f, g]; this.#b = e } static async *[h, i]() {} constructor() { super(j, k); super.l(m) } }`,
  "two constructors": `class A { constructor() { f(a, b) } m() {} constructor() {} }`,
  "a private name twice": `class A { #a; b = [c, d]; get #a() { return 1 } }`,
  "a getter and a static setter": `class A { get #a() { return [b, c] } static set #a(d) {} }`,
  "a getter and a setter": `class A { get #a() { return [b, c] } set #a(d) {} m() { return [#a in this, this.#a] } }`,
  "private names of classes in classes":
    `class A { #a; m() { return class { #b; n() { return [this.#a, this.#b, c] } } } }`,
  "a private name that is not declared": `class A { #a; m() { return [class { n() { return [this.#b, d] } }, e] } }`,
  "super where there is none": `const o = { m() { return [super.a, f(b, c)] }, n: function () { return super.b } }`,
  "a name twice": `let a; { let a = [b, c]; { var d = [e, f] } } let d`,
  "a name twice, around": `{ const a = f(b, c); { { var a } } }`,
  "a name twice, inside": `f(() => { const a = [b, c]; g(d, e); let a })`,
  "a parameter and a name": `function f(a, b = [c, d]) { let a }`,
  "a parameter twice": `const f = (a, [b, c], d = [e, g], c) => 1`,
  "a function twice": `function f() { return [a, b] } { function f() { g(c, d) } function f() {} }`,
  "a caught name": `try { f(a, b) } catch ([c, d]) { var e = [g, h]; let c }`,
  "resources": `{ using a = f(b, c), d = e; await using g = [h, i] } for (using j of [k, l]) m`,
  "a constant without a value": `const a = [b, c], d`,
  "a pattern without a value": `let a = [b, c], { d }`,
  "templates": `const t = \`a\${[b, c]}d\${\`e\${f(g, h)}\`}\${{ i }}\`, u = tag\`\\unicode\${[j, k]}\\xerxes\``,
  "a template that is wrong": `f(\`a\${[b, c]}\\xerxes\`, d)`,
  "a template without an end": `f(\`a\${[b, c]}d`,
  "divisions and patterns":
    `f({}/a/g, [] / b / c, /[/]\\/d/g, (e) / g, h++ / i, { j: /k/ }, function () {} / l / m, class {} / n / o); {} /p/.test(q); if (r) /s/u`,
  "words as names": `f({ function: a, class: [b, c], get: d, set: e, async: g, static: h, await: i }.function.class)`,
  "methods":
    `f({ get a() { return [b, c] }, set a(d) {}, async *e() { for await (const g of [h, i]) yield [g, j] }, [k, l]() {} })`,
  "functions called at once":
    `(function () { return [a, b] }(c, d)); !function* () { yield [e, f] }(); (async () => { await [g, h] })()`,
  "large integers": `f(0n, 10n, 1_000n, 0x1Fn, 0b11n, 0o7n, [-5n, ${"9".repeat(50)}n], { 12n: 1 })`,
  "an export": `export default async function () { return [a, b] }`,
  "two exports": `export default [a, b]; export default f(c, d)`,
  "an import that is none": `const a = [b, import(c, [d, e])]`,
  "type arguments": `const s = new Set<string>([a, b]), t = f<c>(d, e)`,
  "an object at the end": `const a = [b, c]; { d: [e, f], g: { h } }`,
  "a fence": "```js\nreturn [a, b]\n```",
  "what closes nothing": `f([a, b, (c, d], e)`,
  "what is not closed": `function f() { return [a, { b: c(d, e`,
  "what nests too deeply": `${"f(a, [".repeat(400)}1${"])".repeat(400)}`,
}

describe("a text in pieces gives what it gives as a whole", () => {
  it.each(Object.entries(programs))("%s", (_name, text) => {
    let pieces = 0
    for (const piece of [1, 2, 7, 40]) {
      pieces += expectSame(text, piece)
      pieces += expectSame(text, piece, "script")
      // In a function, and in an expression.
      pieces += expectSame(`const z = async (y) => { ${text}\n; return [y] }`, piece)
      pieces += expectSame(`const z = { x: [1, function* () { ${text}\n; return [y] }, 2], w: \`\${v}\` }`, piece)
    }
    expect(pieces).toBeGreaterThan(20)
  })

  it.each(Object.entries(programs))("%s, with much before it and after it", (_name, text) => {
    const much = (name: string): string =>
      Array.from({ length: 20 }, (_, i) => `const ${name}${i} = [1, [2, { b: 3 }], f(4, 5)]\n`).join("")
    for (const piece of [9, 100]) expectSame(`(() => { ${much("x")} ${text}\n; ${much("y")} })`, piece)
  })

  it("all programs that try to use up something", () => {
    for (const { code } of exhaustionsOf(4000)) {
      expectSame(code, 60)
      expectSame(code, 900)
    }
  })

  const corpus = readCorpus(fileURLToPath(new URL("../../", import.meta.url)))

  it("real programs", { timeout: 60_000 }, () => {
    for (const text of corpus) expectSame(text, Math.max(3, text.length >> 6))
  })

  it("real programs that were changed in places", { timeout: 60_000 }, () => {
    const random = new Random(20_261_201)
    let problems = 0
    for (let number = 0; number < 1500; number++) {
      const text = mutated(random, corpus)
      const goal = random.once(4) ? "script" : "program"
      expectSame(text, 1 + random.below(60) + (text.length >> 7), goal)
      if ("problem" in parse(text, goal, Infinity).result) problems++
    }
    expect(problems).toBeGreaterThan(200)
  })

  const suite = process.env["TEST262_DIR"]

  it.skipIf(suite === undefined || suite === "")("the specification's suite", { timeout: 600_000 }, () => {
    const folder = join(suite!, "test")
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"))
    expect(files.length).toBeGreaterThan(10_000)
    for (const name of files) {
      const text = readFileSync(join(folder, name), "utf8")
      if (text.length < 100_000) expectSame(text, 1 + (text.length >> 6), name.length % 2 === 0 ? "script" : "program")
    }
  })
})

describe("a long program of one statement is many pieces", () => {
  const lines = Array.from({ length: 6000 }, (_, i) => `const v${i} = await f(${i}, { name: "row ${i}" })\n`).join("")
  const data = Array.from({ length: 6000 }, (_, i) => `{ id: ${i}, name: "row ${i}", tags: [] },\n`).join("")
  const long = {
    "a function": `async () => { ${lines} }`,
    "a function with a name": `async function main() { ${lines} }`,
    "a try in a function": `async () => { try { ${lines} } catch (e) { return e } }`,
    "a list": `const data = [${data}]\nreturn data.length`,
    "a list in a call in an object": `return { result: tools.keep({ data: [${data}] }) }`,
    "a class": `class A { static async run() { ${lines} } }`,
    "a switch": `switch (1) { case 1: { ${lines} } }`,
    "a mistake at its end": `async () => { ${lines} ]`,
  }

  it.each(Object.entries(long))("%s", (_name, code) => {
    expect(code.length).toBeGreaterThan(200_000)
    const count = (piece?: number): number => {
      let pieces = 1
      try {
        for (const steps = parseSteps(code, { piece }); steps.next().done !== true;) pieces++
      } catch {
        // The mistake.
      }
      return pieces
    }
    expect(count()).toBeGreaterThan(count(Infinity) + 90)
  })
})
