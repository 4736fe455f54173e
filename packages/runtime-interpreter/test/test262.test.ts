import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Summary } from "../scripts/test262/report.ts"
import { skipped } from "../scripts/test262/skips.ts"
import type { Test } from "../scripts/test262/suite.ts"

const runner = fileURLToPath(new URL("../build/scripts/test262.js", import.meta.url))

describe("what the runner leaves out", () => {
  const reasonFor = (parts: Partial<Test>) =>
    skipped({
      file: "language/x.js",
      source: "",
      code: "",
      flags: [],
      features: [],
      includes: [],
      negative: undefined,
      ...parts,
    })

  it.each<[string, Partial<Test>, string | undefined]>([
    ["a plain test", {}, undefined],
    ["a test of strict mode", { flags: ["onlyStrict"] }, undefined],
    ["a test of sloppy mode", { flags: ["noStrict"] }, "sloppy mode"],
    ["a module", { flags: ["module"] }, "modules"],
    ["an import call", { features: ["dynamic-import"] }, "dynamic import and import.meta"],
    ["a call of eval", { code: "var x = eval('1')" }, "eval"],
    ["an indirect call of eval", { code: "(0, eval)('1')" }, "eval"],
    ["an assignment to eval, which is an early error", { code: "eval = 1" }, undefined],
    ["a program that does not compile for the name eval", {
      code: "function eval() {} eval('1')",
      negative: { phase: "parse", type: "SyntaxError" },
    }, undefined],
    ["a name that ends in eval", { code: "medieval(1)" }, undefined],
    ["a function from text", { code: "new Function('return 1')" }, "functions from text"],
    ["a call of a function whose name ends in Function", { code: "isFunction(f)" }, undefined],
    ["a function from no text", { code: "var f = new Function;" }, "functions from text"],
    ["a class of functions from text", { code: "class F extends Function {}\nnew F('1')" }, "functions from text"],
    ["a list of the constructors of functions", { code: "for (const f of [Function, G]) f()" }, "functions from text"],
    ["the constructor of an arrow function", {
      code: "new (Object.getPrototypeOf(() => {}).constructor)()",
    }, "functions from text"],
    ["the constructor of functions, which is not called", { code: "f instanceof Function" }, undefined],
    ["a class that cannot have a super()", {
      code: "class C extends Function { m() { super(); } }",
      negative: { phase: "parse", type: "SyntaxError" },
    }, undefined],
    [
      "a variable as a property of the global object",
      { code: "var x = 1;\nassert(globalThis.x === 1)" },
      "global code",
    ],
    ["a variable among the keys of the global object", {
      code: "for (var key in this) found = key === \"x\";\nvar x;",
    }, "global code"],
    ["a property of the global object", { code: "var x = 1;\nthis.y = 2;\nassert(globalThis.y === 2)" }, undefined],
    ["a `with`, run as it is", { flags: ["raw"], code: "#!x\nwith ({}) {}" }, "sloppy mode"],
    ["another realm", { code: "$262.createRealm()" }, "other realms"],
    ["shared memory", { features: ["SharedArrayBuffer"] }, "shared memory and agents"],
    ["a proposal", { features: ["decorators"] }, "not in the standard yet"],
    ["a finished proposal", { features: ["explicit-resource-management"] }, undefined],
  ])("%s", (_, parts, reason) => {
    expect(reasonFor(parts)).toBe(reason)
  })
})

describe("a run", () => {
  const root = mkdtempSync(join(tmpdir(), "test262-"))
  const files: Record<string, string> = {
    "harness/assert.js": "function assert(value, message) { if (value !== true) throw new Test262Error(message); }",
    "harness/sta.js": "function Test262Error(message) { this.message = message; }\n"
      + "function $DONOTEVALUATE() { throw 'evaluated'; }",
    "harness/doneprintHandle.js": "function $DONE(error) {"
      + " print(error ? 'Test262:AsyncTestFailure:' + error.message : 'Test262:AsyncTestComplete'); }",
    "harness/two.js": "var two = 2;",
    "test/language/expressions/passes.js": "/*---\nincludes: [two.js]\n---*/\nassert(1 + 1 === two);",
    "test/language/expressions/is-strict.js": "/*---\ndescription: >\n  this is undefined\n---*/\n"
      + "assert((function() { return this; })() === undefined);",
    "test/language/expressions/fails.js": "/*---\n---*/\nassert(1 === 2, 'one is not two');",
    "test/language/statements/early.js":
      "/*---\nnegative:\n  phase: parse\n  type: SyntaxError\n---*/\n$DONOTEVALUATE(); let let;",
    "test/language/statements/not-early.js": "/*---\nnegative:\n  phase: parse\n  type: SyntaxError\n---*/\n1;",
    "test/language/statements/throws.js":
      "/*---\nnegative:\n  phase: runtime\n  type: Test262Error\n---*/\nthrow new Test262Error('x');",
    "test/language/statements/async.js": "/*---\nflags: [async]\n---*/\nPromise.resolve().then(() => $DONE());",
    "test/language/statements/never-done.js": "/*---\nflags: [async]\n---*/\n1;",
    "test/language/statements/sloppy.js": "/*---\nflags: [noStrict]\n---*/\n1;",
    "test/language/statements/other_FIXTURE.js": "not a test",
    "test/built-ins/Math/detach.js": "/*---\n---*/\n"
      + "var b = new ArrayBuffer(8); $262.detachArrayBuffer(b); assert(b.byteLength === 0);",
  }
  let summary: Summary
  let printed = ""

  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    }
    const json = join(root, "summary.json")
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [runner, "--engine", "quickjs", "--json", json],
      { env: { ...process.env, TEST262_DIR: root } },
    )
    printed = stdout
    summary = JSON.parse(readFileSync(json, "utf8"))
  })

  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it("counts by area", () => {
    expect(summary).toMatchObject({ pass: 6, total: 9, rate: 6 / 9, skipped: { "sloppy mode": 1 } })
    expect(summary.areas).toEqual({
      "built-ins/Math": { pass: 1, total: 1 },
      "language/expressions": { pass: 2, total: 3 },
      "language/statements": { pass: 3, total: 5 },
    })
    expect(printed).toMatch(/^language\/expressions +2 \/ +3 +66\.67%$/m)
  })

  it("says what failed, and why", () => {
    expect(summary.failures).toEqual([
      { file: "language/expressions/fails.js", message: "Test262Error: one is not two" },
      { file: "language/statements/never-done.js", message: "ended without calling $DONE" },
      { file: "language/statements/not-early.js", message: "expected an early SyntaxError, but it compiles" },
    ])
  })

  it("tells how to get the suite when there is none", async () => {
    const run = promisify(execFile)(process.execPath, [runner], { env: { ...process.env, TEST262_DIR: "" } })
    await expect(run).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("git clone --depth 1 https://github.com/tc39/test262"),
    })
  })
})
