import { type CodeMode, Guest, ToolSource } from "@effect-codemode/toolkit"
import { contractFor } from "@effect-codemode/toolkit/testing"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import * as VmRuntime from "./guest-vm.ts"

const runtime = VmRuntime.make()

const execution = (code: string, over: Partial<CodeMode.Execution> = {}): CodeMode.Execution => ({
  code,
  tools: ["echo", "fail"],
  call: (name, input) =>
    name === "echo"
      ? Effect.succeed(input)
      : Effect.fail(new ToolSource.Failure({ code: "BROKEN", message: `No ${name}`, retryable: false })),
  ...over,
})

const result = (code: string) => Effect.map(runtime.run(execution(code)), ({ result }) => result)
const failure = (code: string, over?: Partial<CodeMode.Execution>) => Effect.flip(runtime.run(execution(code, over)))

describe("a runtime of a guest and an engine keeps the contract", () => {
  for (const { check, name } of contractFor([])) it.live(name, () => check(runtime))
})

describe("a failed call", () => {
  it.live("is an error with the name, the code and the message that it has in every runtime", () =>
    Effect.gen(function*() {
      const code =
        "try { await tools.fail({}) } catch (error) { return [error.name, error.code, error.message, error instanceof Error] }"
      expect(yield* result(code)).toEqual(["ToolError", "BROKEN", "No fail", true])
    }))
})

describe("the value of the last statement", () => {
  const cases: ReadonlyArray<readonly [code: string, value: unknown]> = [
    ["const a = 1; a + 1", 2],
    ["const a = 1\na\n  + 1", 2],
    ["const a = 1\n+ 1", null],
    ["const f = (x) => x\nlet a = f\n(2)", null],
    ["if (true) { 1 }\n({ a: 1 })", { a: 1 }],
    ["for (const x of [1]) {}\n[1, 2].map((x) => x * 2)", [2, 4]],
    ["class A {}\n`text`", "text"],
    ["const a = 1\n++globalThis.n\nreturn a", 1],
    ["let a = 1\n++a", 2],
    ["for (const x of [1, 2])\n  x", null],
    ["let n = 0\nwhile (n < 3)\n  n++", null],
    ["const s = `\n1\n`", null],
    ["const s = `\na; b }\n`\ns.length", 8],
    ["'a;b'", "a;b"],
    ["[1, 2].join(')')", "1)2"],
    ["const url = 'http://a'\nurl", "http://a"],
    ["'http://a;//b'", "http://a;//b"],
    ["1 + 1; // done", 2],
    ["1 + 1 // done", 2],
    ["1 + 1 // done; 3", 2],
    ["1 + 1 // }3", 2],
    ["1 + /* ; */ 1", 2],
    ["1 + 1; /* done; */\n// and done\n", 2],
    ["/* 1 */ 2 /* 3 */", 2],
    ["if (false) return 1\n2", 2],
    ["switch (1) { case 1: return 'one' }\n'none'", "one"],
    ["function f() { return 1 }", 1],
    ["const a = 1\nfunction f() { return 1 }", null],
    ["async function f() { return 1 }\nconst a = 1", null],
    ["class A { static a = 1 }", null],
    ["{ 1 }", null],
    ["const o = {}\no.items = [\n  1,\n  2,\n]", [1, 2]],
    ["const rows = [3, 1, 2]\nrows\n  .sort()\n  .map((n) => {\n    const m = n * 2;\n    return m;\n  });", [2, 4, 6]],
    ["await echo({ a: 1 })\nasync function echo(x) { return x }", null],
    ["label: for (;;) { break label }\n4", 4],
    ["1, 2", 2],
    ["throw_()\nfunction throw_() {}\n;", null],
  ]
  for (const [code, value] of cases) {
    it.live(JSON.stringify(code), () => Effect.map(result(code), (given) => expect(given).toEqual(value)))
  }

  it.effect("is found in a program of many statements, and missed by none of the short ones before it", () =>
    Effect.gen(function*() {
      const code = Array.from({ length: 2_000 }, (_, i) => `const a${i} = { b: [${i}] };`).join("\n") + "\na1999.b[0]"
      let parsed = 0
      const reading = yield* Guest.read(code, (text) => {
        parsed += text.length
        return VmRuntime.parse(text)
      })
      expect(reading.text).toContain("\nreturn (a1999.b[0]")
      expect(parsed).toBeLessThan(5 * code.length)
    }))

  it.effect("a long last statement is not parsed over and over", () =>
    Effect.gen(function*() {
      const code = `const rows = [${"\n  { text: 'a;b}c' },".repeat(20_000)}\n]`
      let times = 0
      const reading = yield* Guest.read(code, (text) => {
        times++
        return VmRuntime.parse(text)
      })
      expect(reading.text).not.toContain("return (")
      expect(times).toBeLessThan(1_000)
    }))
})

describe("places", () => {
  const cases: ReadonlyArray<readonly [code: string, line: number, column: number]> = [
    ["throw new Error('here')", 1, 7],
    ["const a = 1; throw new Error('here')", 1, 20],
    ["const f = () => { throw new Error('here') }; f()", 1, 25],
    ["const a = 1; nothing.b", 1, 14],
    ["\n\n  nothing()", 3, 3],
    ["() => nothing()", 1, 7],
    ["```js\n  nothing()\n```", 2, 3],
    ["export default async () => {\n  nothing()\n}", 2, 3],
  ]
  for (const [code, line, column] of cases) {
    it.live(
      JSON.stringify(code),
      () => Effect.map(failure(code), (error) => expect(error.location).toEqual({ line, column })),
    )
  }

  it.live("of what does not parse", () =>
    Effect.gen(function*() {
      expect((yield* failure("const a = 1\nconst b = = 2")).location).toEqual({ line: 2, column: 11 })
      expect((yield* failure("const = 2")).location).toEqual({ line: 1, column: 7 })
      expect((yield* failure("function () {\n  const = 2\n}")).location).toEqual({ line: 2, column: 9 })
      expect((yield* failure("async () => {\n  foo(")).location).toEqual({ line: 2, column: 7 })
    }))

  it.live("of a failed call that nobody caught", () =>
    Effect.map(failure("const a = 1\nawait tools.fail()"), ({ code, message }) => {
      expect({ code, message }).toEqual({ code: "BROKEN", message: "No fail" })
    }))
})

describe("long and hostile texts are read in a moment", () => {
  const long = 200_000
  const texts: ReadonlyArray<readonly [name: string, text: string]> = [
    ["newlines", "\n".repeat(long)],
    ["blanks behind a semicolon", `1;${" ".repeat(long)}`],
    ["openings of comments", "/*".repeat(long / 2)],
    ["comments in a line", "/**/".repeat(long / 4)],
    ["slashes", "/".repeat(long)],
    ["line comments", "// a\n".repeat(long / 5)],
    ["line comments in a line", ";//".repeat(long / 3)],
    ["a fence and newlines", "```" + "\n".repeat(long)],
    ["semicolons", ";".repeat(long)],
    ["open brackets", "(".repeat(long)],
  ]
  for (const [name, text] of texts) {
    it.effect(name, () =>
      Effect.gen(function*() {
        let times = 0
        // Nothing but the reading counts: the parser says no, or yes, at once.
        for (const answer of [undefined, { message: "no", stack: "" }]) {
          yield* Effect.exit(Guest.read(text, () => Effect.sync(() => (times++, answer))))
        }
        expect(times).toBeLessThan(1_000)
      }), 5_000)
  }
})

describe("a program that meddles with what its run stands on", () => {
  const replaced = [
    "JSON.stringify = JSON.parse = () => 'no JSON'",
    "Object.prototype.toJSON = Array.prototype.toJSON = undefined",
    "for (const name of Object.keys(Object.getOwnPropertyDescriptors(Array.prototype))) if (name !== 'length') Array.prototype[name] = () => 'changed'",
    "Array.from = Array.isArray = Object.keys = Object.assign = Object.defineProperty = () => 5",
    "Map.prototype.get = Map.prototype.set = Set.prototype.has = WeakMap.prototype.get = WeakMap.prototype.set = () => 5",
    "Reflect.apply = Function.prototype.call = Function.prototype.apply = () => 5",
    "RegExp.prototype.exec = RegExp.prototype.test = () => null",
    "Object.defineProperty(Object.prototype, 'get', { value: () => 5 })",
    "Object.defineProperty(Array.prototype, '0', { set() {} })",
    "Array.prototype[Symbol.iterator] = function* () {}",
    "String = Error = Promise = Number = Symbol = undefined",
  ]
  for (const code of replaced) {
    it.live(`ends as it would have: ${code}`, () =>
      Effect.gen(function*() {
        const ending = "let code\ntry { await tools.fail() } catch (error) { code = error.code }\n" +
          "return { code, echoed: await tools.echo({ a: [1, { b: 2 }] }) }"
        expect(yield* result(`${code}\n${ending}`)).toEqual({ code: "BROKEN", echoed: { a: [1, { b: 2 }] } })
        const error = yield* failure(`${code}\nawait tools.fail()`)
        expect({ code: error.code, message: error.message }).toEqual({ code: "BROKEN", message: "No fail" })
      }))
  }

  const meddling: ReadonlyArray<string> = [
    "JSON.stringify = () => 'no JSON'; return tools.echo({ a: 1 })",
    "Object.prototype.toJSON = () => 5; return tools.echo({ a: 1 })",
    "Array.prototype.map = () => { throw new Error('map') }; return tools.echo({ a: 1 })",
    "Array.from = () => 5; return tools.echo({ a: 1 })",
    "Array.prototype.toJSON = () => 5; return tools.echo({ a: 1 })",
    "Promise.prototype.then = function () { return this }; return tools.echo({ a: 1 })",
    "WeakMap.prototype.get = () => ({ code: 5 }); throw new Error('forged')",
    "WeakSet.prototype.has = () => true; tools.fail(); return 1",
    "Object.fromEntries = () => 'text'; return tools.echo({ a: 1 })",
    "throw new (class extends Error { get message() { throw 1 } })",
    "throw { toString() { throw 1 }, toJSON() { throw 1 } }",
    "throw new Proxy({}, { getPrototypeOf() { throw 1 } })",
  ]
  for (const code of meddling) {
    it.live(code, () =>
      Effect.gen(function*() {
        const exit = yield* Effect.exit(runtime.run(execution(code)))
        if (Exit.isFailure(exit)) {
          expect(exit.cause.reasons).toMatchObject([{ _tag: "Fail", error: { _tag: "CodeError" } }])
        }
        expect(yield* result("return tools.echo({ a: [1] })")).toEqual({ a: [1] })
      }))
  }
})

describe("what an engine and a host are told", () => {
  it.live("a call that lost a race is interrupted, while one that nobody awaited goes on to its end", () =>
    Effect.gen(function*() {
      const ended: Array<string> = []
      const tools: Readonly<Record<string, Effect.Effect<string>>> = {
        quick: Effect.succeed("quick"),
        slow: Effect.as(Effect.delay(Effect.sync(() => ended.push("slow")), "50 millis"), "slow"),
        never: Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push("never"))),
      }
      const code = "tools.slow()\nreturn Promise.race([tools.never(), tools.quick()])"
      const outcome = yield* runtime.run({ code, tools: Object.keys(tools), call: (name) => tools[name]! })
      expect(outcome.result).toBe("quick")
      expect(ended).toEqual(["never", "slow"])
    }))

  it.live("a stop of the engine is the run's failure, with what was logged", () =>
    Effect.gen(function*() {
      const error = yield* failure("console.log('before')\nwhile (true) {}")
      expect(error).toMatchObject({ code: "EXECUTION_BUDGET_EXCEEDED", retryable: true, logs: ["before"] })
    }))

  it.live("logs are bounded, and say what they leave out", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const { logs } = yield* runtime.run(
        execution("for (let i = 0; i < 1500; i++) console.log(i)", { log: (line) => heard.push(line) }),
      )
      expect(logs).toHaveLength(1_001)
      expect(logs.at(-1)).toBe("[500 more lines were logged and are left out]")
      expect(heard).toHaveLength(1_000)
    }))

  it.live("an engine that cannot be opened fails the run, not as the program's fault", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(
        Guest.run(execution("return 1"), () => Effect.fail(Guest.Stopped.of("RUNTIME_FAILURE", "No memory"))),
      )
      expect(error).toMatchObject({ code: "RUNTIME_FAILURE", message: "No memory", retryable: false })
    }))
})
