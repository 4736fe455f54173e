import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import {
  codeFrame,
  maxChain,
  maxNesting,
  needsTypeScript,
  parse,
  type ParsedProgram,
  parseProgram,
  ProgramSyntaxError,
  Source,
} from "../../src/engine/parse/index.ts"

const fence = "```"

/** A program that is JavaScript, and must be known as such without TypeScript. */
const javaScript = (code: string): ParsedProgram => {
  const parsed = parseProgram(code)
  if (parsed === needsTypeScript) throw new Error(`taken for TypeScript: ${code}`)
  return parsed
}

const refusal = async (code: string) => {
  try {
    await parse(code)
  } catch (error) {
    if (error instanceof ProgramSyntaxError) return error.diagnostic
    throw error
  }
  throw new Error(`parses: ${code}`)
}

const kinds = ({ ast }: ParsedProgram) =>
  ast.body.map((statement) => statement.type === "ExpressionStatement" ? statement.expression.type : statement.type)

const lastText = ({ ast, code }: ParsedProgram) => {
  const last = ast.body.at(-1)!
  return code.slice(last.start, last.end)
}

describe("program forms", () => {
  it.each([
    ["return 1", true],
    ["if (a) { return 1 }", true],
    ["1 + 1", false],
    ["const f = () => { return 1 }; f()", false],
    ["(async () => { return 1 })()", false],
    ["async function main() { return 1 }\nmain()", false],
    ["function* ids() { yield 1 }", false],
    ["await tools.a(); for await (const x of y) {}", false],
    ["await using file = open(); using other = open(); file.read()", false],
    ["function f() {} function f() {} var f; f()", false],
    ["#!/usr/bin/env node\nreturn 1", true],
    ["\uFEFFreturn 1", true],
    ["", false],
    ["// nothing", false],
  ])("statements: %j", (code, hasReturn) => {
    expect(javaScript(code).form).toEqual({ kind: "statements", hasReturn })
  })

  it.each([
    "async () => { return 1 }",
    "() => 1",
    "(async () => 1)",
    "(async () => 1);",
    "// first\nasync () => 1",
    "\"use strict\"; async () => 1",
    "async function main() { return 1 }",
    "function main() { return 1 }",
    "async function () { return 1 }",
    "function () { return 1 }",
    "(function () { return 1 })",
    "export default async () => 1",
    "export default async function () { return 1 }",
    "export default async function main() { return 1 }",
    "export default async function main() { return limit }\nconst limit = 3",
    `${fence}js\nexport default async () => 1\n${fence}`,
  ])("a function to call: %j", (code) => {
    const parsed = javaScript(code)
    expect(parsed.form).toEqual({ kind: "function" })
    expect(kinds(parsed).at(-1)).toMatch(/^(ArrowFunctionExpression|FunctionExpression|Identifier)$/)
  })

  it("keeps what an exported function uses, and puts the function last", () => {
    const parsed = javaScript("export default async function main() { return limit }\nconst limit = 3")
    expect(kinds(parsed)).toEqual(["FunctionDeclaration", "VariableDeclaration", "Identifier"])
  })

  it("takes an exported value at the end as the last expression", () => {
    expect(kinds(javaScript("const a = 1\nexport default { a }"))).toEqual(["VariableDeclaration", "ObjectExpression"])
  })

  it("leaves no directive that could be taken for the value", () => {
    expect(kinds(javaScript("'use strict'\nconst a = 1"))).toEqual(["VariableDeclaration"])
  })

  it.each([
    ["{ a: 1 }", "ObjectExpression"],
    ["{ a: 1, b: 2 }", "ObjectExpression"],
    ["{}", "ObjectExpression"],
    ["const total = 1, items = [];\n{ total, items }", "ObjectExpression"],
    ["const total = 1\n{ total, items: f(), ...rest }", "ObjectExpression"],
    ["{ 'a-b': 1, [c]: 2 }", "ObjectExpression"],
    ["{ f(); }", "BlockStatement"],
    ["{ let x = 1; x }", "BlockStatement"],
    ["{ f()\n{} }", "BlockStatement"],
    ["{ a; b }", "BlockStatement"],
  ])("an object at the end, or a block: %j", (code, kind) => {
    expect(kinds(javaScript(code)).at(-1)).toBe(kind)
  })

  it("does not take an object for the value of a program that returns", async () => {
    expect((await refusal("if (x) return 1\n{ a: 1, b: 2 }")).message).toBe("Unexpected token ':'")
    expect(kinds(javaScript("if (x) return 1\n{ a: 1 }")).at(-1)).toBe("BlockStatement")
  })
})

describe("Markdown", () => {
  it.each([
    `${fence}js\nreturn 1\n${fence}`,
    `${fence}\nreturn 1\n${fence}`,
    `${fence}javascript title="a.js"\r\nreturn 1\r\n${fence}\r\n`,
    `\n\n  ${fence}js\n  return 1\n  ${fence}\n`,
    `\`${fence}js\nreturn 1\n${fence}\``,
    `~~~\nreturn 1\n~~~`,
    `${fence}js\nreturn 1`,
    `return 1\n${fence}`,
    `${fence}js return 1 ${fence}`,
    `Here is the program:\n\n${fence}js\nreturn 1\n${fence}\n\nIt gives 1.`,
    `First install it:\n${fence}sh\nnpm i\n${fence}\nThen:\n${fence}js\nreturn 1\n${fence}`,
  ])("is blanked around a program: %j", (code) => {
    const parsed = javaScript(code)
    expect(lastText(parsed)).toBe("return 1")
    expect(parsed.code).toHaveLength(code.length)
    expect(parsed.original).toBe(code)
    expect(parsed.code.split(/\r\n|\n/)).toHaveLength(code.split(/\r\n|\n/).length)
  })

  it("stays inside the texts of a program", () => {
    const code = `${fence}js\nreturn "\\n${fence}\\n" + \`\n~~~\n\${x}\n\`\n${fence}`
    expect(lastText(javaScript(code))).toContain("~~~")
  })

  it("is not guessed at when there are two programs", async () => {
    const { code, hint } = await refusal(`One:\n${fence}js\nreturn 1\n${fence}\nTwo:\n${fence}js\nreturn 2\n${fence}`)
    expect(code).toBe("SYNTAX_ERROR")
    expect(hint).toBeDefined()
  })

  it("keeps the places of errors true", async () => {
    expect((await refusal(`Here:\n${fence}js\nconst a = 1\nconst a = 2\n${fence}`)).location).toEqual({
      line: 4,
      column: 7,
    })
  })
})

describe("TypeScript", () => {
  it.each([
    ["const x: number = 1\nreturn x", "const x         = 1\nreturn x"],
    ["return new Set<string>(names)", "return new Set        (names)"],
    ["return new Map<string, number>(pairs)", "return new Map                (pairs)"],
    ["return f<A<B>>(x)", "return f      (x)"],
    ["return new Set<string>()", "return new Set        ()"],
    ["return tag<string>`text`", "return tag        `text`"],
    ["return (x as any).y", "return (x       ).y"],
    ["return x!.y", "return x .y"],
    ["const x = y satisfies T", "const x = y;           "],
    ["const x = [1] as const", "const x = [1];        "],
    ["const f = (a?, b?: string) => a", "const f = (a , b         ) => a"],
    ["const f = async <T>(x) => x", "const f = async    (x) => x"],
    ["type A = string; return 1", "                 return 1"],
    ["declare const x: string\nreturn x", "                       \nreturn x"],
    ["import type { A } from 'a'\nreturn 1", "                          \nreturn 1"],
    ["export interface A { b: string }\nreturn 1", "                                \nreturn 1"],
    ["const { a }: { a: string } = x", "const { a }                = x"],
    ["class A { private x: number = 1; readonly y = 2 }", "class A {         x         = 1;          y = 2 }"],
    ["try {} catch (error: unknown) {}", "try {} catch (error         ) {}"],
    ["for (const x of xs as string[]) {}", "for (const x of xs            ) {}"],
  ])("is erased in place: %j", async (code, blanked) => {
    expect(parseProgram(code)).toBe(needsTypeScript)
    const parsed = await parse(code)
    expect(parsed.code).toBe(blanked)
    expect(parsed.locate(3)).toEqual({ line: 1, column: 4 })
  })

  it.each([
    "interface A { b: string }\nasync function main(): Promise<A> { return { b: '' } }",
    "async (): Promise<void> => {}",
    "export default async function main(): Promise<void> {}",
  ])("leaves a program its form: %j", async (code) => {
    expect((await parse(code)).form).toEqual({ kind: "function" })
  })

  it.each([
    ["enum Color { Red }\nreturn missing.x", 2, "missing"],
    ["namespace A { export const b = 1 }\n\n  return missing.x", 3, "missing"],
    ["class A { constructor(private x: number) {} }\nreturn missing.x", 2, "missing"],
    ["const a = <any>b\nreturn missing.x", 2, "missing"],
  ])("is compiled where it is more than types: %j", async (code, line, name) => {
    const parsed = await parse(code)
    const { column, line: found } = parsed.locate(parsed.code.lastIndexOf(name))
    expect(found).toBe(line)
    expect(code.split("\n")[line - 1]!.slice(column - 1)).toMatch(/^missing/)
    expect(parsed.form).toEqual({ kind: "statements", hasReturn: true })
  })

  it.each([
    ["const x: = 1", "Type expected", 1, 10],
    ["const x: number = foo(1, 2\nreturn x", "missing ) after argument list", 2, 1],
    ["const a: string = 'x\nreturn a", "Invalid or unexpected token", 1, 19],
    ["const a: string = 'x'\nconst a = 2", "Identifier 'a' has already been declared", 2, 7],
    [
      "function f(x: number) { await x }",
      "await is only valid in async functions and the top level bodies of modules",
      1,
      25,
    ],
    ["enum A { X \nreturn A.", "An enum member name must be followed by", 2, 1],
  ])("is refused at its place: %j", async (code, message, line, column) => {
    const diagnostic = await refusal(code)
    expect(diagnostic.message).toContain(message.slice(0, 12))
    expect(diagnostic.location).toEqual({ line, column })
  })

  it.each([
    "return a < b",
    "for (let i = 0; i<n; i++) { if (i>2) f(i) }",
    "return a < b && c > (d)",
    "const x = { a: 1, 'b': [2], c() {} }",
    "label: for (;;) break label",
    "return a ? b : c",
    "switch (x) { case 1: default: }",
    "return /a:b<c>/.test(s)",
    "class A { static #x = 1; get y() { return A.#x } }",
  ])("is not looked for in %j", (code) => {
    expect(parseProgram(code)).not.toBe(needsTypeScript)
  })

  it.each([
    "return foo(1 2)",
    "const a = 1; const a = 2",
    "return `a",
    "return 'a",
    "f(",
    "const a = 'it's'",
    "if (a) {",
    "}",
  ])(
    "is not loaded for a mere mistake: %j",
    (code) => {
      expect(() => parseProgram(code)).toThrow(ProgramSyntaxError)
    },
  )

  it("is reached by nothing that is loaded for JavaScript", () => {
    const root = new URL("../../src/engine/parse/index.ts", import.meta.url)
    const seen = new Set<string>()
    const packages = new Set<string>()
    const visit = (file: URL) => {
      if (seen.has(file.href)) return
      seen.add(file.href)
      for (
        const [, specifier] of readFileSync(file, "utf8").matchAll(/^(?:im|ex)port (?!type )[^"]*from "([^"]+)"/gm)
      ) {
        if (specifier!.startsWith(".")) visit(new URL(specifier!, file))
        else packages.add(specifier!)
      }
    }
    visit(root)
    expect([...packages]).toEqual(["acorn"])
    expect(seen.size).toBeGreaterThan(5)
  })
})

describe("what programs do not have", () => {
  it.each([
    ["import fs from 'fs'", "`import` is not available", 1],
    ["import { a } from 'b'\nreturn a", "`import` is not available", 1],
    ["import x = require('y')", "`import` is not available", 1],
    ["if (a) { import b from 'b' }", "`import` is not available", 10],
    ["return await import('fs')", "no `import()`", 14],
    ["return import.meta.url", "no `import.meta`", 8],
    ["export const x = 1", "`export` is not available", 1],
    ["export { x }", "`export` is not available", 1],
    ["export default class {}", "`export` is not available", 1],
    ["export = x", "no modules", 1],
    ["with (a) { b }", "no `with`", 1],
    ["return <div>text</div>", "no JSX", 8],
    ["return <Item name={x} />", "no JSX", 8],
    ["@sealed class A {}", "no decorators", 1],
    ["class A { @log m() {} }", "no decorators", 11],
    ["class A { @log x: number = 1 }", "no decorators", 11],
  ])("%j", async (code, message, column) => {
    const diagnostic = await refusal(code)
    expect(diagnostic.code).toBe("UNSUPPORTED_SYNTAX")
    expect(diagnostic.message).toContain(message)
    expect(diagnostic.location).toEqual({ line: 1, column })
    expect(diagnostic.hint).toBeDefined()
  })
})

describe("mistakes", () => {
  it.each([
    [
      "xs.forEach((x) => { await f(x) })",
      "await is only valid in async functions and the top level bodies of modules",
      21,
      "async",
    ],
    ["for (const x of xs) { if (x) { y } ", "Unexpected end of input", 36, "`{` at 1:21"],
    ["console.log('a'", "Unexpected end of input", 16, "`(` at 1:12"],
    ["return [1, (2]", "Unexpected token ']'", 14, "`(` at 1:12"],
    ["}", "Unexpected token '}'", 1, "one is too many"],
    ["const s = 'abc\ndef'", "Invalid or unexpected token", 11, "not closed"],
    ["return `abc ${x} `+`d", "Unterminated template literal", 20, "1:20"],
    ["/* a", "Invalid or unexpected token", 1, "*/"],
    ["const a = 1; const a = 2", "Identifier 'a' has already been declared", 20, "another name"],
    ["a = “x”", "Invalid or unexpected token", 5, "straight quotes"],
    ["if (a &lt; b) {}", "Unexpected token ';'", 10, "HTML entities"],
    ["const a = 1;\\nreturn a", "Invalid Unicode escape sequence", 14, "escaped once too often"],
    ["return \\\"a\\\"", "Invalid Unicode escape sequence", 9, "escaped once too often"],
    [`x = 1 ${fence}`, "Unterminated template literal", 9, "Markdown"],
    ["<script>return 1</script>", "Programs have no JSX.", 1, "Return data"],
    ["if x > 1: y", "Unexpected identifier 'x'", 4, "parentheses"],
    ["def f(x):", "Unexpected identifier 'f'", 5, "function name"],
    ["return a and b", "Unexpected identifier 'and'", 10, "&&"],
    ["# note", "Invalid or unexpected token", 1, "//"],
    ["return f'{x}'", "Unexpected string", 9, "template literal"],
    ["x = None if y else z", "Unexpected token 'if'", 10, "condition ? a : b"],
    ["foo(1 2)", "missing ) after argument list", 7, "comma"],
    ["foo({a: 1 b: 2})", "Unexpected identifier 'b'", 11, "comma"],
    ["return { 'a': 1, 'b' 2 }", "Unexpected number", 22, "comma"],
    ["return { x: 'it's' }", "Unexpected identifier 's'", 17, "backslash"],
    ["const x", "Missing initializer in const declaration", 8, "let"],
    ["let { a }", "Missing initializer in destructuring declaration", 10, "= value"],
    ["a ?? b || c", "Cannot mix ?? with || or && without parentheses", 8, "(a ?? b)"],
    ["-x ** 2", "Unary operator used immediately before exponentiation expression.", 4, "(-x)"],
    ["({ a = 1 })", "Invalid shorthand property initializer", 6, ":"],
    ["x?.y = 1", "Invalid left-hand side in assignment", 1, "optional chain"],
    ["f() = 1", "Invalid left-hand side in assignment", 1, "==="],
    ["xs.forEach((x) => { break })", "Illegal break statement", 21, "for (const x of xs)"],
    ["continue outer", "Undefined label 'outer'", 1, "label"],
    ["const class = 1", "Unexpected token 'class'", 7, "another name"],
    ["let public = 1", "Unexpected strict mode reserved word", 5, "another name"],
    ["return 017", "Octal literals are not allowed in strict mode.", 8, "0o17"],
    ["delete x", "Delete of an unqualified identifier in strict mode.", 1, "delete object.key"],
    ["/(/.test(x)", "Invalid regular expression: /(/: Unterminated group", 1, "\\("],
    ["/(?i)a/.test(x)", "Invalid regular expression: /(?i)a/: Invalid group", 1, "/.../i"],
    ["/a/gg", "Invalid regular expression flags", 1, "at most once"],
    ["if (x) const y = 1", "Lexical declaration cannot appear in a single-statement context", 8, "braces"],
    ["try {}", "Missing catch or finally after try", 1, "catch (error)"],
    ["throw\nx", "Illegal newline after throw", 6, "line of `throw`"],
    ["{ x } else { y }", "Unexpected token 'else'", 7, "if"],
    ["3px", "Invalid or unexpected token", 2, "digit"],
    ["var await = 1", "Unexpected reserved word", 5, "another name"],
  ])("%j: %s", async (code, message, column, hint) => {
    const diagnostic = await refusal(code)
    expect(diagnostic.message).toContain(message)
    expect(diagnostic.location.column).toBe(column)
    expect(diagnostic.hint).toContain(hint)
  })
})

describe("scripts", () => {
  it.each(["var await = 1", "x\n```js\n1\n```", "<!-- a comment", "function f() {} function f() {}", "yield_ = 1"])(
    "parse %j",
    (code) => {
      const parsed = parseProgram(code, { goal: "script" })
      expect(parsed).toMatchObject({ form: { kind: "statements", hasReturn: false }, code })
    },
  )

  it.each([
    "return 1",
    "await x",
    "var yield",
    "with (a) b",
    "const x: number = 1",
    "export default 1",
    "using x = y",
  ])(
    "do not parse %j",
    (code) => {
      expect(() => parseProgram(code, { goal: "script" })).toThrow(ProgramSyntaxError)
    },
  )
})

describe("depth", () => {
  const repeat = (text: string, count: number) => text.repeat(count)
  const deep: ReadonlyArray<readonly [string, (n: number) => string]> = [
    ["parentheses", (n) => `${repeat("(", n)}1${repeat(")", n)}`],
    ["arrays", (n) => repeat("[", n) + repeat("]", n)],
    ["objects", (n) => `x = ${repeat("{a:", n)}1${repeat("}", n)}`],
    ["negations", (n) => `${repeat("!", n)}1`],
    ["blocks", (n) => repeat("{", n) + repeat("}", n)],
    ["arrows", (n) => `${repeat("x => ", n)}1`],
    ["functions", (n) => repeat("function f() {", n) + repeat("}", n)],
    ["classes", (n) => repeat("class A { m() {", n) + repeat("}}", n)],
    ["templates", (n) => `${repeat("`${", n)}1${repeat("}`", n)}`],
    ["conditions", (n) => `${repeat("a ? b : ", n)}c`],
    ["else if", (n) => `if (a) {} ${repeat("else if (a) {} ", n)}`],
    ["assignments", (n) => `${repeat("a = ", n)}1`],
    ["calls", (n) => repeat("f(", n) + repeat(")", n)],
    ["patterns", (n) => `let ${repeat("[", n)}a${repeat("]", n)} = 1`],
    ["new", (n) => `${repeat("new ", n)}X`],
    ["loops", (n) => `${repeat("for (;;) ", n)};`],
    ["groups of a pattern", (n) => `/${repeat("(", n)}${repeat(")", n)}/`],
    ["default values", (n) => `${repeat("function f(a = ", n)}1${repeat(") {}", n)}`],
  ]

  it.each(deep)("%s", (_, code) => {
    javaScript(code(100))
    for (const n of [maxNesting + 1, 100_000]) {
      expect(() => parseProgram(code(n))).toThrow(ProgramSyntaxError)
      expect(() => parseProgram(code(n))).toThrow(/nests too deeply|too large/)
    }
  })

  it.each([["a", " + a"], ["a", " || a"], ["a", ".b"], ["a", "?.b"], ["f", "()"], ["a", "[0]"], ["a", "``"]])(
    "a chain of %s%s",
    (first, link) => {
      javaScript(first + repeat(link, maxChain - 10))
      expect(() => parseProgram(first + repeat(link, maxChain * 4))).toThrow("nests too deeply")
    },
  )

  it("bounds a tree of types", async () => {
    const code = `let x: ${repeat("A<", 20_000)}B${repeat(">", 20_000)} = 1`
    expect((await refusal(code)).message).toBe("The code nests too deeply")
  })
})

describe("places", () => {
  it("finds lines and columns over every kind of line break", () => {
    const source = new Source("ab\ncd\r\nef\rgh\u2028ij\u2029kl")
    expect([0, 2, 3, 5, 7, 10, 13, 16, 18].map((offset) => source.locate(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 2, column: 3 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
      { line: 5, column: 1 },
      { line: 6, column: 1 },
      { line: 6, column: 3 },
    ])
    expect(source.line(2)).toBe("cd")
    expect(source.line(7)).toBeUndefined()
    expect(source.offsetOf({ line: 3, column: 2 })).toBe(8)
  })

  it("puts the caret below its character", () => {
    expect(codeFrame("const a = b.c", { line: 1, column: 11 })).toBe("const a = b.c\n          ^")
    expect(codeFrame("\t\tb.c", { line: 1, column: 3 })).toBe("\t\tb.c\n\t\t^")
    expect(codeFrame("x = '日本' + b", { line: 1, column: 12 })).toBe("x = '日本' + b\n     \u3000\u3000    ^")
    expect(codeFrame("x = '🙂' + b", { line: 1, column: 12 })).toBe("x = '🙂' + b\n     \u3000    ^")
    expect(codeFrame("  \nx", { line: 1, column: 1 })).toBeUndefined()
  })

  it("cuts a long line around the caret", () => {
    const frame = codeFrame(`${"a,".repeat(5000)}here,${"b,".repeat(5000)}`, { line: 1, column: 10_001 }, 40)!
    const [line, caret] = frame.split("\n")
    expect(line!.length).toBeLessThan(50)
    expect(line!.slice(caret!.length - 1)).toMatch(/^here/)
  })
})

describe("large integers", () => {
  it.each([["0n", "0"], ["10n", "10"], ["1_000n", "1000"], ["0x1Fn", "31"], ["0b11n", "3"], ["0o17n", "15"]])(
    "%s is %s",
    (text, digits) => {
      const [statement] = javaScript(text).ast.body
      const literal = statement?.type === "ExpressionStatement" ? statement.expression : undefined
      expect(literal).toMatchObject({
        type: "Literal",
        bigint: digits,
        raw: text,
        value: BigInt(digits),
        end: text.length,
      })
    },
  )
})
