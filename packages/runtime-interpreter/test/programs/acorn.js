import { isIdentifierChar, isIdentifierStart, parse, parseExpressionAt, Parser, tokenizer, tokTypes } from "acorn"
import { largest } from "virtual:largest"
import { table } from "./show.js"

const snippets = [
  "var a = 1, b = a ** 2 ?? c; let { x, ...y } = z, [p, , q = 3] = r",
  "for (const [k, v] of Object.entries(o)) { if (k in v) continue; else break }",
  "label: while (true) { do { break label } while (0) }",
  "async function* f(a, { b = 1 } = {}, ...rest) { yield* g(); for await (const x of y) await x; return }",
  "class A extends (B, C) { static #p = 1; #m() { return #p in this } static { this.x = 1 } get y() { return 1 } set y(v) {} async *[k]() {} 'quoted' = 2; accessor }",
  "a?.b?.[c]?.(d) ?? (e || f && g); new.target; new X; new (f())(1)",
  "`a${`b${c}`}d${e}`; tag`x\\u{41}${1}\\unope`",
  "/[/]\\/(?<n>a)\\k<n>/giu.test(x) / 2 / 3; a = b\n/c/g.d",
  "switch (a) { case 1: case 2: b(); default: c() }",
  "try { throw 1 } catch { } finally { } try { } catch ({ message }) { }",
  "0b101 + 0o17 + 0xff + 1_000 + 1n + .5e-3 + 08",
  "x = async (a) => await a; y = a => ({ b }) => { }; (async x => x)",
  "'\\u{1F600} \\x41 \\\n continued'; \"\\0\"; ünïcödé = 1; \\u0061b",
  "if (a) function f() {} else ;",
  "let async; async\nfunction f() {}",
  "yield = 1; await = 2; let = 3; static = 4",
  "import a, { b as c, default as d } from 'e' with { type: 'json' }; import * as n from 'x'; export * as y from 'z'; export { a as 'str' }; export default class {}; import.meta.url; import('x')",
  "({ a, b: c, [d]: e, f() {}, get g() {}, set g(h) {}, async i() {}, *j() {}, __proto__: null, ...k })",
  "a = b ? c : d ? e : f, g => h, typeof void delete i.j",
  "<!-- html comment\nx --> y",
  "#!/usr/bin/env node\na",
  "{ using x = y; await using z = w }",
]
const wrong = [
  "a b",
  "let a; let a",
  "const a",
  "return",
  "`${",
  "'abc",
  "/(/",
  "class A { constructor() {} constructor() {} }",
  "a => { 'use strict'; with (b) {} }",
  "'use strict'; 010",
  "({ a: 1, a })  = 1",
  "break",
  "x = {a = 1}",
  "new.target",
  "a?.b = 1",
  "for (let x = 1 of y) ;",
  "await 1",
  "\\u{110000}",
  "\"\\u{zz}\"",
  "({ __proto__: 1, __proto__: 2 })",
  "#a in b",
  "class A { #a; #a }",
  "function f(a, a) { 'use strict' }",
  "1_",
  "1__0",
  "0n1",
  "import a from 'b'",
  "super()",
  "if (1) let\n[a] = b",
]

/** A tree as JSON; big integers and regular expressions as their text. */
const json = (tree) =>
  JSON.stringify(tree, (_key, value) => typeof value === "bigint" || value instanceof RegExp ? String(value) : value)

const cases = {}
for (const code of [...snippets, ...wrong]) {
  for (const sourceType of ["script", "module"]) {
    cases[`${sourceType}: ${code}`] = () =>
      json(parse(code, { ecmaVersion: "latest", sourceType, locations: true, ranges: true }))
  }
  cases[`ES5: ${code}`] = () => json(parse(code, { ecmaVersion: 5 }))
}
Object.assign(cases, {
  tokens: () =>
    snippets.map((code) => {
      try {
        return [...tokenizer(code, { ecmaVersion: "latest" })].map((t) => [t.type.label, t.value, t.start])
      } catch (e) {
        return e.message
      }
    }),
  comments: () => {
    const seen = []
    parse("/* a */ b // c\n<!-- d\n/* e\n */ f", { ecmaVersion: 2020, onComment: (...args) => void seen.push(args) })
    return seen
  },
  "tokens of a file": () => {
    const seen = []
    parse("a(b, `c${d}`)", { ecmaVersion: 2020, onToken: seen })
    return seen.map((t) => t.type.label)
  },
  "an expression": () => parseExpressionAt("  (a + b) * c rest", 2, { ecmaVersion: 2020 }),
  "an extended parser": () => {
    const Extended = Parser.extend((Base) =>
      class extends Base {
        parseStatement(...args) {
          if (this.type === tokTypes._debugger) {
            const node = this.startNode()
            this.next()
            this.semicolon()
            return this.finishNode(node, "Breakpoint")
          }
          return super.parseStatement(...args)
        }
      }
    )
    return Extended.parse("a(); debugger; b()", { ecmaVersion: 2020 })
  },
  identifiers: () =>
    [97, 36, 48, 0x3b1, 0x4e00, 0x1d7d8, 0x200c, 0x2118].map((
      c,
    ) => [isIdentifierStart(c, true), isIdentifierChar(c, true)]),
  "the largest file of the interpreter": () =>
    json(parse(largest, { ecmaVersion: "latest", sourceType: "module", locations: true })),
  "tokens of the largest file": () => {
    let count = 0, sum = 0
    for (const token of tokenizer(largest, { ecmaVersion: "latest", sourceType: "module" })) {
      count++
      sum = (sum * 31 + token.end) % 1000003
    }
    return [count, sum]
  },
})

export const rows = table(cases)
