import { InterpreterRuntime, Limits } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import { Toolkit } from "effect/ai"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type * as Interpreter from "../src/index.ts"
import { loadNative } from "./native.ts"

const run = (
  code: string,
  limits: Limits.Limits,
  call: CodeMode.Execution["call"] = (_tool, input) => Effect.succeed(input),
) => InterpreterRuntime.make({ limits }).run({ code, tools: ["echo"], call })

const outcome = (code: string, limits: Limits.Limits) => Effect.runPromise(run(code, limits))
const failure = (code: string, limits: Limits.Limits, call?: CodeMode.Execution["call"]) =>
  Effect.runPromise(Effect.flip(run(code, limits, call)))

describe("a limit that makes no sense is refused when the runtime is made, and named", () => {
  it.each<readonly [string, unknown]>([
    ["fuel", -1],
    ["fuel", 0],
    ["fuel", 1.5],
    ["fuel", Number.NaN],
    ["fuel", Infinity],
    ["memory", "64 MiB"],
    ["memory", "Unbounded"],
    ["timeout", 0],
    ["toolCalls", -1],
    ["concurrentCalls", 0],
    ["sourceLength", 0.5],
    ["callDepth", "unbounded"],
    ["dataDepth", "unbounded"],
    ["dataDepth", 513],
    ["stringLength", "unbounded"],
    ["stringLength", 2 ** 28 + 1],
    ["bigintBits", 1],
    ["bigintBits", 2 ** 28 + 1],
    ["slice", 60_001],
    ["logLines", -1],
    ["logLength", null],
    ["resultDepth", 0],
    ["resultElements", 0],
    ["resultString", 0],
    ["slice", 0],
    ["fule", 1],
  ])("%s: %s", (field, value) => {
    expect(() => InterpreterRuntime.make({ limits: { [field]: value } })).toThrow(field)
  })

  it("every field has a default, and takes its own value", () => {
    expect(Limits.resolve()).toEqual(Limits.defaults)
    expect(Limits.resolve({ fuel: 7, memory: "unbounded" })).toEqual({ ...Limits.defaults, fuel: 7, memory: Infinity })
    expect(Limits.resolve(Limits.strict)).toMatchObject({ fuel: 50_000, toolCalls: 25, timeout: 15_000 })
  })
})

describe("a run ends at its limits, whatever the program does", () => {
  const busy = "try { for (;;) {} } catch { return 'caught' } finally { for (;;) {} }"

  it.each<readonly [string, string, Limits.Limits, string, RegExp]>([
    ["fuel", busy, { fuel: 10_000 }, "EXECUTION_BUDGET_EXCEEDED", /10,000 steps/],
    ["fuel, in jobs", "for (;;) await null", { fuel: 10_000 }, "EXECUTION_BUDGET_EXCEEDED", /10,000 steps/],
    [
      "fuel, in what the result's toJSON does",
      "return { toJSON() { for (;;) {} } }",
      { fuel: 10_000 },
      "EXECUTION_BUDGET_EXCEEDED",
      /steps/,
    ],
    [
      "fuel, in what goes on when the program is over",
      "const forever = async () => { for (;;) await null }\nforever()\nreturn 1",
      { fuel: 10_000 },
      "EXECUTION_BUDGET_EXCEEDED",
      /steps/,
    ],
    [
      "memory",
      "try { const all = []; for (;;) all.push({ a: [1, 2, 3] }) } catch { return 'caught' }",
      { memory: 1 << 20, fuel: "unbounded" },
      "LIMIT_EXCEEDED",
      /1,048,576 bytes of memory/,
    ],
    ["sourceLength", `return ${"1".repeat(100)}`, { sourceLength: 50 }, "LIMIT_EXCEEDED", /107 characters.*50/],
    ["timeout", busy, { timeout: 20, fuel: "unbounded" }, "TIMEOUT", /20ms/],
    [
      "timeout, in a call",
      "await new Promise((resolve) => setTimeout(resolve, 100000))",
      { timeout: 20 },
      "TIMEOUT",
      /20ms/,
    ],
    ["dataDepth", "return [[[1]]]", { dataDepth: 2 }, "INVALID_DATA", /result\[0\]\[0\].*2 levels/],
  ])("%s", async (_name, code, limits, expected, message) => {
    const error = await failure(code, limits)
    expect(error.code).toBe(expected)
    expect(error.message).toMatch(message)
    expect(error.retryable).toBe(true)
  })

  it.each<readonly [string, string, Limits.Limits, unknown]>([
    [
      "callDepth",
      "const f = () => f()\ntry { f() } catch (e) { return e instanceof RangeError }",
      { callDepth: 50 },
      true,
    ],
    [
      "stringLength",
      "try { 'x'.repeat(101) } catch (e) { return e.message }",
      { stringLength: 100 },
      "Invalid string length",
    ],
    [
      "bigintBits",
      "try { 1n << 1000n } catch (e) { return e instanceof RangeError }",
      { bigintBits: 100 },
      true,
    ],
    [
      "dataDepth, of an input",
      "try { await tools.echo({ a: [[]] }) } catch (e) { return e.code }",
      { dataDepth: 2 },
      "INVALID_DATA",
    ],
  ])("%s can be caught", async (_name, code, limits, expected) => {
    expect((await outcome(code, limits)).result).toEqual(expected)
  })

  it("a string and a bigint as long as any limit allows end at it, and can be caught", async () => {
    const { InterpreterRuntime } = await loadNative<typeof Interpreter>("index.ts")
    const code = `
const attempt = (f) => { try { f(); return "made" } catch (error) { return error.name + ": " + error.message } }
const half = "x".repeat(2 ** 27)
return [
  attempt(() => "x".repeat(2 ** 28)), attempt(() => "x".repeat(2 ** 28 + 1)), attempt(() => "x".padEnd(2 ** 30)),
  attempt(() => half + half), attempt(() => half + half + "x"), attempt(() => \`\${half}\${half}x\`), attempt(() => half.concat(half, half, half)),
  attempt(() => [half, half, half, half].join(",")), attempt(() => 1n << 2n ** 31n), attempt(() => BigInt.asUintN(2 ** 40, -1n)),
  attempt(() => 2n ** (2n ** 31n)),
]`
    const limits = { stringLength: 2 ** 28, bigintBits: 2 ** 28, memory: "unbounded", fuel: "unbounded" } as const
    const { result } = await Effect.runPromise(
      InterpreterRuntime.make({ limits }).run({ code, tools: [], call: () => Effect.never }),
    )
    const tooLong = "RangeError: Invalid string length"
    const tooLarge = "RangeError: Maximum BigInt size exceeded"
    expect(result).toEqual(
      ["made", tooLong, tooLong, "made", tooLong, tooLong, tooLong, tooLong, tooLarge, tooLarge, tooLarge],
    )
  })

  it("a value as deep as any limit allows crosses a toolkit, and one level more is told", async () => {
    const runtime = InterpreterRuntime.make({ limits: { dataDepth: 512 } })
    const deep = (levels: number) => `let list = []; for (let i = 1; i < ${levels}; i++) list = [list]; return list`
    const made = CodeMode.make(
      await Effect.runPromise(Effect.gen(function*() {
        return yield* Toolkit.empty
      })),
      runtime,
    )
    const mode = await Effect.runPromise(made)
    const { result } = await Effect.runPromise(mode.execute(deep(512)))
    expect(JSON.stringify(result)).toBe("[".repeat(512) + "]".repeat(512))
    expect((await Effect.runPromise(Effect.flip(mode.execute(deep(513))))).code).toBe("INVALID_DATA")
  })

  it("an unbounded run goes on beyond the default", async () => {
    const { InterpreterRuntime } = await loadNative<typeof Interpreter>("index.ts")
    const { result } = await Effect.runPromise(
      InterpreterRuntime.make({ limits: { fuel: "unbounded" } }).run({
        code: "let n = 0\nfor (let i = 0; i < 3e6; i++) n += i % 7\nreturn n",
        tools: [],
        call: () => Effect.never,
      }),
    )
    expect(result).toBe(8_999_994)
  })
})

describe("tool calls", () => {
  it("beyond `toolCalls` throw, and the program can catch it", async () => {
    const code = `
for (let i = 0; ; i++) {
  try { await tools.echo({ i }) } catch (error) { return [i, error.code, error.message] }
}`
    expect((await outcome(code, { toolCalls: 3 })).result)
      .toEqual([3, "LIMIT_EXCEEDED", "The program started more than 3 tool calls."])
    const error = await failure("for (;;) await tools.echo()", { toolCalls: 3 })
    expect(error.code).toBe("LIMIT_EXCEEDED")
    expect(error.hint).toMatch(/many at once/)
  })

  it("run at most `concurrentCalls` at once, the others in order", async () => {
    let now = 0
    let most = 0
    const started: Array<unknown> = []
    const { result } = await Effect.runPromise(run(
      "return Promise.all(Array.from({ length: 20 }, (_, n) => tools.echo({ n })))",
      { concurrentCalls: 3 },
      (_tool, input) =>
        Effect.suspend(() => {
          started.push(input.n)
          most = Math.max(most, ++now)
          return Effect.as(Effect.sleep(1), input).pipe(Effect.ensuring(Effect.sync(() => now--)))
        }),
    ))
    const inOrder = Array.from({ length: 20 }, (_, n) => n)
    expect(most).toBe(3)
    expect(started).toEqual(inOrder)
    expect(result).toEqual(inOrder.map((n) => ({ n })))
  })
})

describe("logs", () => {
  it("keep the first lines, and say how many were dropped", async () => {
    const heard: Array<string> = []
    const { logs } = await Effect.runPromise(
      InterpreterRuntime.make({ limits: { logLines: 2 } }).run({
        code: "for (let i = 0; i < 1234; i++) console.log(i)",
        tools: [],
        call: () => Effect.never,
        log: (line) => heard.push(line),
      }),
    )
    expect(logs).toEqual(["0", "1", expect.stringMatching(/^\[1,232 more lines were dropped/)])
    expect(heard).toEqual(logs)
  })

  it("keep the first characters", async () => {
    const { logs } = await outcome("console.log('x'.repeat(60))\nconsole.log('y'.repeat(60))\nconsole.log('z')", {
      logLength: 100,
    })
    expect(logs).toHaveLength(3)
    expect(logs[0]).toBe("x".repeat(60))
    expect(logs[1]).toMatch(/^y+… \[cut\]$/)
    expect(logs[2]).toMatch(/^\[1 more line was dropped/)
    expect(logs[0]!.length + logs[1]!.length).toBe(100)
  })

  it("are kept when a limit ends the run", async () => {
    const error = await failure("console.log('before')\nfor (;;) {}", { fuel: 10_000 })
    expect(error.logs).toEqual(["before"])
  })
})

describe("a result is cut to size where the limits say so", () => {
  it("by depth, elements and characters", async () => {
    const { result } = await outcome(
      "return { list: [1, 2, 3, 4], text: 'abcdef', deep: [[[1]], [{ a: 1 }]], n: 1 }",
      { resultDepth: 3, resultElements: 2, resultString: 3 },
    )
    expect(result).toEqual({
      list: [1, 2, "[2 more elements]"],
      text: "abc… [3 more characters]",
      deep: [["[array of 1, cut at depth 3]"], ["[object of 1 keys, cut at depth 3]"]],
      n: 1,
    })
  })

  it("never through the middle of a character", async () => {
    const { result } = await outcome("return 'ab😀cd'", { resultString: 3 })
    expect(result).toBe("ab… [4 more characters]")
  })
})
