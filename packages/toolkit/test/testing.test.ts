import { CodeMode, ToolSource } from "@effect-codemode/toolkit"
import { type Capability, contract, contractFor, stub, verify } from "@effect-codemode/toolkit/testing"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { hostLog } from "./fixtures.ts"

const execution = (
  tools: Readonly<Record<string, Effect.Effect<string, ToolSource.Failure>>> = {},
): CodeMode.Execution => ({
  code: "return 1",
  tools: Object.keys(tools),
  call: (name) => tools[name] ?? Effect.die(new Error(`No tool ${name}`)),
})

describe("the stub runtime", () => {
  it.effect("runs the script with the execution, and remembers it", () =>
    Effect.gen(function*() {
      const runtime = stub((execution) => execution.call("greet", {}))
      const asked = execution({ greet: Effect.succeed("hello") })
      expect(yield* runtime.run(asked)).toEqual({ result: "hello", logs: [] })
      expect(runtime.executions).toEqual([asked])
    }))

  it.effect("keeps logs in order, and tells each to the host", () =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const runtime = stub(({ log }) => {
        log("one")
        log("two")
        return Effect.succeed(undefined)
      })
      const outcome = yield* runtime.run({ ...execution(), log: (line) => heard.push(line) })
      expect(outcome).toEqual({ result: null, logs: ["one", "two"] })
      expect(heard).toEqual(["one", "two"])
    }))

  it.effect("a failure of a call that the script lets through ends the run with its code, logs kept", () =>
    Effect.gen(function*() {
      const failure = new ToolSource.Failure({ code: "NO_SUCH_FILE", message: "No a.txt", retryable: true })
      const runtime = stub((execution) => {
        execution.log("before")
        return execution.call("read", {})
      })
      const error = yield* Effect.flip(runtime.run(execution({ read: Effect.fail(failure) })))
      expect(error).toBeInstanceOf(CodeMode.CodeError)
      expect(error).toMatchObject({ code: "NO_SUCH_FILE", message: "No a.txt", retryable: true, logs: ["before"] })
    }))

  it.effect("an error of the script is the run's", () =>
    Effect.gen(function*() {
      const error = new CodeMode.CodeError({
        code: "EXECUTION_ERROR",
        message: "No",
        retryable: true,
        logs: [],
        location: { line: 1, column: 2 },
        hint: "Do",
      })
      expect(yield* Effect.flip(stub(() => Effect.fail(error)).run(execution()))).toEqual(error)
    }))

  it.effect("a defect and an interruption of the script stay what they are", () =>
    Effect.gen(function*() {
      const died = yield* Effect.exit(stub(() => Effect.die("broken")).run(execution()))
      expect(Exit.hasDies(died)).toBe(true)
      const stopped = yield* Effect.exit(stub(() => Effect.interrupt).run(execution()))
      expect(Exit.hasInterrupts(stopped)).toBe(true)
    }))

  it("has a guide if it is given one", () => {
    const guide = { language: "Anything", search: false }
    expect(stub(() => Effect.succeed(null), { guide }).guide).toEqual(guide)
    expect("guide" in stub(() => Effect.succeed(null))).toBe(false)
  })
})

describe("the contract suite", () => {
  it("has a name for each rule, and no name twice", () => {
    const names = contract.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(50)
  })

  it("leaves out the rules of capabilities that a runtime does not have", () => {
    const all: ReadonlyArray<Capability> = [
      "typescript",
      "clock",
      "preemption",
      "unhandledRejections",
      "catchableUnknownTools",
    ]
    expect(contractFor(all)).toEqual(contract)
    expect(contractFor([]).every(({ capability }) => capability === undefined)).toBe(true)
    for (const capability of all) expect(contractFor([capability]).length).toBeGreaterThan(contractFor([]).length)
  })

  it.live("every rule is broken by one of three runtimes that do nothing right", () =>
    Effect.gen(function*() {
      const bad: ReadonlyArray<CodeMode.CodeRuntime> = [
        { run: () => Effect.succeed({ result: null, logs: [] }) },
        {
          run: () =>
            Effect.fail(new CodeMode.CodeError({ code: "NO_CODE", message: "No", retryable: false, logs: [] })),
        },
        { run: () => Effect.die(new Error("broken")) },
      ]
      const toothless: Array<string> = []
      const died: Array<string> = []
      for (const { check, name } of contract) {
        const exits = yield* Effect.forEach(bad, (runtime) => Effect.exit(check(runtime)))
        if (exits.every((exit) => Exit.isSuccess(exit))) toothless.push(name)
        if (exits.some((exit) => Exit.hasDies(exit))) died.push(name)
      }
      expect(toothless).toEqual([])
      expect(died).toEqual([])
    }).pipe(Effect.provide(hostLog().layer)))

  it.live("verify reports what is kept, broken and skipped", () =>
    Effect.gen(function*() {
      const report = yield* verify({ run: () => Effect.succeed({ result: null, logs: [] }) }, ["typescript"])
      expect(report.kept).toContain("a program without a value gives null")
      expect(report.broken.find(({ name }) => name === "`return` at the top level gives the result")?.reason)
        .toContain("Expected the result 2, got null")
      expect(report.skipped.map(({ capability }) => capability)).not.toContain("typescript")
      expect(report.kept.length + report.broken.length + report.skipped.length).toBe(contract.length)
    }))

  it("without capabilities has the rules that hold for every runtime", () => {
    expect(contractFor()).toEqual(contract.filter(({ capability }) => capability === undefined))
    expect(contractFor().length).toBeLessThan(contract.length)
  })
})
