import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { inHost } from "./host.ts"

// Ways out of statements in statements. Beyond a few levels they share their code, which must make no difference.

const before = `const log = []
let at = 0
const loop = (name) => ({
  [Symbol.iterator]: () => ({
    next: () => { log.push("next " + name); return at < 40 ? { done: false, value: at } : { done: true } },
    return: () => { log.push("close " + name); if (at === 7) throw "closing " + name; return {} },
  }),
})
`

type Level = "of" | "finally" | "catch" | "while" | "block"

const opening = (level: Level, i: number): string => {
  switch (level) {
    case "of":
      return `l${i}: for (const x of loop("${i}")) { log.push("in ${i}");`
    case "finally":
    case "catch":
      return `l${i}: try {`
    case "while":
      return `l${i}: while (at < 40) {`
    case "block":
      return `l${i}: { const d${i} = ${i}; try {`
  }
}

const closing = (level: Level, i: number): string => {
  switch (level) {
    case "of":
    case "while":
      return `; log.push("end ${i}") }`
    case "finally":
      return `} finally { log.push("finally ${i} " + at); if (at === ${i + 20} && log.length <= 5000) break l${i} }`
    case "catch":
      return `} catch (e) { log.push("catch ${i} " + e); at++; if (e === "stop") throw e }`
    case "block":
      return `} finally { log.push(d${i}) } }`
  }
}

const exits = (levels: ReadonlyArray<Level>): string => {
  const all = ["return at", "throw 'thrown ' + at", "return 'x'", "return log.length"]
  levels.forEach((level, i) => {
    all.push(`break l${i}`)
    if (level === "of" || level === "while") all.push(`continue l${i}`)
  })
  return all.map((exit, i) => `if (at === ${i}) { at++; log.push(${JSON.stringify(exit)}); ${exit} }`).join("\n")
}

const program = (levels: ReadonlyArray<Level>, kind: string): string => {
  const inner = [
    ...levels.map(opening),
    // Nothing leaves otherwise then, so that all programs end.
    `if (log.length > 5000) throw "stop"`,
    kind === "function" ? "" : "yield at",
    exits(levels),
    "at++",
    ...levels.map(closing).reverse(),
  ].join("\n")
  const body = `${kind}(start) { at = start; ${inner}\n log.push("over"); return "end" }`
  return `${before}
const f = ${body}
const results = []
for (let start = 0; start < 30; start++) {
  try { const r = f(start); results.push(typeof r === "object" ? [...r].length : r) } catch (e) { results.push("threw " + e) }
}
return [results, log.length, log.join()]`
}

describe("exits from many statements", () => {
  const levels = fc.oneof(
    fc.array(fc.constantFrom<Level>("of", "finally", "catch", "while", "block"), { minLength: 1, maxLength: 16 }),
    fc.array(fc.constantFrom<Level>("of", "catch", "of", "while"), { minLength: 10, maxLength: 20 }),
  )

  it.each(["function", "function*"])("do what they do in the host, in a %s", async (kind) => {
    await fc.assert(
      fc.asyncProperty(levels, async (levels) => {
        const code = program(levels, kind)
        expect(await evaluate(code)).toEqual(inHost(code))
      }),
      { numRuns: 60 },
    )
  })
})
