import { describe, expect, it } from "vitest"
import { parse, ProgramSyntaxError } from "../../src/engine/parse/index.ts"
import { evaluate } from "./evaluate.ts"

// What is more than types is compiled with the whole program where that is short, and in pieces where it is long.

const padding = Array.from(
  { length: 400 },
  (_, i) => `const pad${i}: number = ${i} // something that fills the program`,
)
  .join("\n")

const parts = {
  "an enum": `enum Color { Red, Green = 5, Blue, Dark = "dark", Odd = Green | 8, Last = "x".length }`,
  "a constant enum": `const enum Level { Low = 1, High = Low << 3 }`,
  "an enum that begins in the middle": `enum Mix { A = 6, B, C = Mix.A | B }`,
  "a namespace":
    `namespace Shapes { export const side: number = 2; export namespace Inner { export const area = () => side * side } }`,
  "a class":
    `class Point { constructor(private readonly x: number, public y = 3) { this.y += x } sum(): number { return this.x + this.y } }`,
  "a derived class": `class Far extends Point { constructor(readonly z: number) { super(1); this.y = z } }`,
  "an enum in a function": `function inside() { enum Small { A = 7, B } return [Small.B, Small[7]] }`,
}

const result =
  `return JSON.stringify([Color, Level.High, Mix, Shapes.Inner.area(), new Point(4), new Far(9).sum(), inside()])`

describe("a long program with what is more than types", () => {
  const short = [...Object.values(parts), result].join("\n")

  it("does what the short one does, wherever the parts stand", async () => {
    const expected = await evaluate(short)
    expect(expected).toContain(`"Green":5`)
    const texts = Object.values(parts)
    for (let at = 0; at <= texts.length; at++) {
      const long = [...texts.slice(0, at), padding, ...texts.slice(at), result].join("\n")
      expect(long.length).toBeGreaterThan(20_000)
      expect(await evaluate(long)).toEqual(expected)
    }
    const apart = texts.map((text, i) => `${text} ${padding.replaceAll("pad", `pad${i}_`)}`)
    expect(await evaluate([...apart, result].join("\n; "))).toEqual(expected)
  })

  it.each(Object.entries(parts))("has its places: %s", async (_name, part) => {
    const parsed = await parse(`${padding}\n${part}\n${padding.replaceAll("pad", "more")}\n  return missing.x`)
    const last = parsed.ast.body.at(-1)!
    expect(parsed.locate(last.start)).toEqual({ line: 802, column: 3 })
    expect(parsed.original.slice(parsed.toOriginal(last.start))).toBe("return missing.x")
  })

  const many = Array.from({ length: 9999 }, (_, i) => `name${i}`).join()

  it.each([
    ["names", `enum E { ${many} }`, 9998],
    ["numbers", `enum E { first = -3, name17 = 17, ${many.replaceAll("name", "other")}, name9998 = 5 }`, 5],
    ["texts", `const enum E { "name17" = 17, ${many.replace("name17,", "").replaceAll(",", "=`a`,")} = "b" }`, "b"],
  ])("may have an enum of ten thousand %s", async (_kind, text, last) => {
    expect(await evaluate(`${text}\nreturn [E.name9998, E[17]]`)).toEqual([last, "name17"])
  })

  const refusal = async (code: string) => {
    try {
      await parse(code)
    } catch (error) {
      if (error instanceof ProgramSyntaxError) return error.diagnostic
      throw error
    }
    throw new Error("It parses")
  }

  it("is refused if one statement is too long to be compiled", async () => {
    const members = Array.from({ length: 2000 }, (_, i) => `export const name${i}: number = ${i}`).join("\n")
    expect(await refusal(`const a: number = 1\nnamespace N {\n${members}\n}\nreturn N.name5`)).toMatchObject({
      code: "UNSUPPORTED_SYNTAX",
      message: expect.stringContaining("This statement is too long"),
      location: { line: 2, column: 1 },
    })
  })

  it("is refused if the parts of a namespace are far apart", async () => {
    const code = `namespace N { export const a = 1 }\n${padding}\nnamespace N { export const b = a }\nreturn N.b`
    expect(await refusal(code)).toMatchObject({
      code: "UNSUPPORTED_SYNTAX",
      message: expect.stringContaining("`N` are too far apart"),
      location: { line: 402, column: 1 },
    })
    expect(await evaluate(code.replace(padding, ""))).toBe(1)
  })

  it("is refused if a value of an enum is another's", async () => {
    const code = `enum A { B = 2 }\n${padding}\nenum C { D = A.B, E }\nreturn C.E`
    expect(await refusal(code)).toMatchObject({
      code: "UNSUPPORTED_SYNTAX",
      message: expect.stringContaining("must not need other names"),
      location: { line: 402, column: 14 },
    })
    expect(await evaluate(code.replace(padding, ""))).toBe(3)
  })

  it("is refused for what is wrong anywhere", async () => {
    expect(await refusal(`${padding}\nenum A { B, C = }\nreturn 1`)).toMatchObject({
      code: "SYNTAX_ERROR",
      location: { line: 401 },
    })
  })
})
