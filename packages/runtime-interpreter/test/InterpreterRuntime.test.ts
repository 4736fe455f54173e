import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import { CodeMode } from "@effect-codemode/toolkit"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import type * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { AsyncLocalStorage } from "node:async_hooks"
import { describe, expect, it } from "vitest"

type Call = CodeMode.Execution["call"]

const echo: Call = (_tool, input) => Effect.succeed(input)

const run = (
  code: string,
  options?: InterpreterRuntime.Options,
  tools: ReadonlyArray<string> = ["echo"],
  call = echo,
) => InterpreterRuntime.make(options).run({ code, tools, call })

const result = (code: string, options?: InterpreterRuntime.Options) =>
  Effect.runPromise(Effect.map(run(code, options), (outcome) => outcome.result))

describe("the end of a run", () => {
  it("comes where a call that it leaves behind cannot be interrupted", async () => {
    const call: Call = (tool, input) =>
      tool === "slow" ? Effect.uninterruptible(Effect.never) : Effect.as(Effect.sleep("1 milli"), input)
    const code = "return await Promise.race([tools.slow({}), tools.quick({ n: 1 })])"
    const outcome = await Effect.runPromise(run(code, { limits: { timeout: 20_000 } }, ["slow", "quick"], call))
    expect(outcome.result).toEqual({ n: 1 })
  })

  it("waits for the calls that it interrupts", async () => {
    const log: Array<string> = []
    const call: Call = (tool, input) =>
      tool === "slow"
        ? Effect.onInterrupt(Effect.never, () =>
          Effect.andThen(Effect.sleep("20 millis"), Effect.sync(() => log.push("ended"))))
        : Effect.as(Effect.sleep("1 milli"), input)
    const code = "return await Promise.race([tools.slow({}), tools.quick({ n: 1 })])"
    await Effect.runPromise(Effect.andThen(run(code, {}, ["slow", "quick"], call), Effect.sync(() => log.push("over"))))
    expect(log).toEqual(["ended", "over"])
  })
})

describe("globals", () => {
  const globals = { today: "2030-01-02", env: { region: "eu", list: [1, { a: 2 }] } }

  it("are read by name", async () => {
    expect(await result("return [today, env.region, env.list[1].a, globalThis.today]", { globals }))
      .toEqual(["2030-01-02", "eu", 2, "2030-01-02"])
  })

  it("cannot be changed, at any depth", async () => {
    const code = `
const attempt = (change) => { try { change(); return "changed" } catch (error) { return error.name } }
return [
  attempt(() => { today = 1 }),
  attempt(() => { env.region = 1 }),
  attempt(() => { env.list.push(1) }),
  attempt(() => { env.list[1].a = 3 }),
  attempt(() => { delete env.list }),
  attempt(() => { delete globalThis.env }),
  env,
]`
    expect(await result(code, { globals }))
      .toEqual([...Array.from({ length: 6 }, () => "TypeError"), globals.env])
  })

  it("are copied when the runtime is made", async () => {
    const mine = { config: { a: 1 } }
    const runtime = InterpreterRuntime.make({ globals: mine })
    mine.config.a = 2
    expect((await Effect.runPromise(runtime.run({ code: "config.a", tools: [], call: echo }))).result).toBe(1)
  })

  it("can be shadowed by a name of the program's own", async () => {
    expect(await result("const today = 1\nreturn today", { globals })).toBe(1)
  })

  it("are named in what the model is told", () => {
    expect(InterpreterRuntime.make({ globals }).guide?.language).toContain("`today`, `env`")
  })

  it.each(["tools", "Array", "console", "undefined", "globalThis", "not a name", "await", "let", "class", "arguments"])(
    "cannot be called %s",
    (name) => {
      expect(() => InterpreterRuntime.make({ globals: { [name]: 1 } })).toThrow(name)
    },
  )
})

describe("options that make no sense are refused when the runtime is made, and named", () => {
  it.each<readonly [string, unknown]>([
    ["limit", { fuel: 1 }],
    ["locale", 5],
    ["locale", "no such"],
    ["locale", null],
    ["timeZone", "Mars/Olympus"],
    ["timeZone", 5],
    ["globals", 5],
    ["globals", null],
    ["globals", { f: () => 1 }],
    ["globals", { region: undefined }],
    ["globals", { rate: { of: [Number.NaN] } }],
    ["globals", { id: 5n }],
    ["globals", { of: [Symbol("a")] }],
  ])("%s: %o", (option, value) => {
    expect(() => InterpreterRuntime.make({ [option]: value })).toThrow(`\`${option}\``)
  })

  it("and it is told where one belongs, or which there are", () => {
    const make = (options: object) => () => InterpreterRuntime.make(options)
    expect(make({ fuel: 1 })).toThrow("There is no option `fuel`. It is one of `limits`.")
    expect(make({ limit: {} })).toThrow("There is no option `limit`. There are: limits, globals, locale, timeZone.")
    expect(make({ limits: undefined, globals: undefined, locale: undefined, timeZone: undefined })).not.toThrow()
  })

  it("and what a host leaves undefined in a value is left out, as in JSON", async () => {
    const env = { region: "eu", zone: undefined } as unknown as Record<string, string>
    expect(await result("return Object.keys(env)", { globals: { env } })).toEqual(["region"])
  })
})

describe("locale and time zone", () => {
  it("are those of the options", async () => {
    const code = "return new Date(Date.UTC(2030, 0, 2, 3)).getHours()"
    expect(await result(code)).toBe(3)
    expect(await result(code, { timeZone: "Asia/Tokyo" })).toBe(12)
  })
})

describe("a layer provides the runtime", () => {
  it("under the key of the toolkit", async () => {
    const outcome = await Effect.runPromise(
      Effect.gen(function*() {
        const runtime = yield* CodeMode.CodeRuntime
        return yield* runtime.run({ code: "1 + 1", tools: [], call: echo })
      }).pipe(Effect.provide(InterpreterRuntime.layer())),
    )
    expect(outcome).toEqual({ result: 2, logs: [] })
  })
})

describe("a run takes time and chance from its fiber", () => {
  it("timers fire in the order of the test's clock, and two runs are the same", async () => {
    const code = `
const events = []
const after = (ms, name) => new Promise((resolve) => setTimeout(() => { events.push([name, Date.now()]); resolve() }, ms))
const every = setInterval(() => events.push(["tick", Date.now()]), 1000)
await Promise.all([after(2500, "b"), after(10, "a")])
clearInterval(every)
return [events, Math.random(), Math.random()]`
    const once = Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(run(code))
      for (let i = 0; i < 6; i++) {
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        yield* TestClock.adjust(Duration.millis(500))
      }
      return (yield* Fiber.join(fiber)).result
    }).pipe(Random.withSeed("seed"), Effect.provide(TestClock.layer()))
    const first = await Effect.runPromise(once)
    expect((first as ReadonlyArray<unknown>)[0]).toEqual([["a", 10], ["tick", 1000], ["tick", 2000], ["b", 2500]])
    expect(await Effect.runPromise(once)).toEqual(first)
  })
})

describe("timers", () => {
  it.each<readonly [string, string, Schema.Json]>([
    [
      "fire in order of their time, then of their making, and microtasks run between them",
      `
const order = []
const at = (ms, name) => setTimeout(() => { order.push(name); Promise.resolve().then(() => order.push(name + "'")) }, ms)
at(90, "c"); at(1, "a"); at(90, "d"); at(1, "b")
await new Promise((resolve) => setTimeout(resolve, 120))
return order.join(" ")`,
      "a a' b b' c c' d d'",
    ],
    [
      "that are cleared do not fire",
      `
let fired = 0
const ids = Array.from({ length: 500 }, (_, i) => setTimeout(() => fired++, i % 7))
for (const id of ids) if (id % 5 > 0) clearTimeout(id)
await new Promise((resolve) => setTimeout(resolve, 20))
return fired`,
      100,
    ],
    [
      "repeat until they are cleared",
      `
let ticks = 0
await new Promise((resolve) => { const id = setInterval(() => { if (++ticks === 3) { clearInterval(id); resolve() } }, 0) })
await new Promise((resolve) => setTimeout(resolve, 10))
return ticks`,
      3,
    ],
    ["pass arguments", "return new Promise((resolve) => setTimeout(resolve, 0, 'given'))", "given"],
    [
      "can be started and cleared without end",
      "for (let i = 0; i < 50000; i++) clearTimeout(setTimeout(() => {}, 1e6))\nreturn 'done'",
      "done",
    ],
    [
      "do not keep a program that is over",
      "setTimeout(() => console.log('late'), 3600000)\nsetInterval(() => console.log('tick'), 3600000)\nreturn 1",
      1,
    ],
  ])("%s", async (_name, code, expected) => {
    expect(await result(code)).toEqual(expected)
  })

  it("that throw fail the run", async () => {
    const error = await Effect.runPromise(Effect.flip(run(
      "setTimeout(() => {\n  throw new Error('in a timer')\n}, 1)\nawait new Promise((resolve) => setTimeout(resolve, 10))\nreturn 1",
    )))
    expect(error).toMatchObject({
      code: "EXECUTION_ERROR",
      message: "Error: in a timer",
      location: { line: 2, column: 9 },
    })
  })
})

describe("what a host keeps along asynchronous calls", () => {
  it("stays with its run, though runs take turns", async () => {
    const storage = new AsyncLocalStorage<number>()
    const runtime = InterpreterRuntime.make()
    const code = "for (let i = 0; i < 10; i++) { for (let j = 0; j < 25000; j++); await tools.note() }"
    const others: Array<unknown> = []
    const call = (id: number): Call => () =>
      Effect.suspend(() => {
        if (storage.getStore() !== id) others.push(storage.getStore())
        return Effect.as(Effect.sleep(1), null)
      })
    await Promise.all(
      [1, 2, 3, 4].map((id) =>
        storage.run(id, () => Effect.runPromise(runtime.run({ code, tools: ["note"], call: call(id) })))
      ),
    )
    expect(others).toEqual([])
  })
})

describe("what is left when a program is over", () => {
  const noting = () => {
    const notes: Array<string> = []
    const call: Call = (tool, input) =>
      tool === "never"
        ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => notes.push("interrupted")))
        : tool === "fail"
        ? Effect.die(new Error("secret"))
        : Effect.as(Effect.sleep(5), input).pipe(Effect.tap(() => Effect.sync(() => notes.push(tool))))
    return {
      notes,
      run: (code: string) => Effect.runPromiseExit(run(code, undefined, ["slow", "never", "fail"], call)),
    }
  }

  it.each<readonly [string, string, Schema.Json, ReadonlyArray<string>]>([
    ["a call that nobody looked at is awaited", "tools.slow()\nreturn 1", 1, ["slow"]],
    ["what follows on it runs", "tools.slow().then(() => tools.slow())\nreturn 1", 1, ["slow", "slow"]],
    ["a combination that nobody looked at is awaited", "Promise.all([tools.slow(), tools.slow()])\nreturn 1", 1, [
      "slow",
      "slow",
    ]],
    [
      "the other calls of a combination that failed are awaited",
      "try { await Promise.all([tools.slow(), Promise.reject(new Error('no'))]) } catch {}\nreturn 1",
      1,
      ["slow"],
    ],
    ["the loser of a race is not", "return Promise.race([tools.never(), 1])", 1, ["interrupted"]],
    ["nor the losers of `any`", "return Promise.any([tools.never(), Promise.resolve(1)])", 1, ["interrupted"]],
    [
      "nor what an async function waits for that lost a race",
      "const work = async () => { await tools.never() }\nreturn Promise.race([work(), 1])",
      1,
      ["interrupted"],
    ],
    [
      "nor the timer that a call was raced against",
      "const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 3600000))\nreturn Promise.race([tools.slow().then(() => 1), late])",
      1,
      ["slow"],
    ],
    [
      "a loser that something else waits for is awaited",
      "const call = tools.slow()\nawait Promise.race([call, 1])\ncall.then(() => tools.slow())\nreturn 1",
      1,
      ["slow", "slow"],
    ],
    [
      "a function that pauses by a timer goes on",
      "const work = async () => { await new Promise((resolve) => setTimeout(resolve, 5)); await tools.slow() }\nwork()\nreturn 1",
      1,
      ["slow"],
    ],
    [
      "what a loop forgot to await is in the result",
      "const all = []\n;[1, 2].forEach(async (n) => { await tools.slow(); all.push(n) })\nreturn all",
      [1, 2],
      ["slow", "slow"],
    ],
  ])("%s", async (_name, code, expected, notes) => {
    const host = noting()
    const exit = await host.run(code)
    expect(exit).toMatchObject({ _tag: "Success", value: { result: expected } })
    expect(host.notes).toEqual(notes)
  })

  it("a result that cannot leave fails at once, and interrupts the calls", async () => {
    const host = noting()
    const exit = await host.run("return [tools.never()]")
    expect(Exit.isFailure(exit) && Exit.hasFails(exit)).toBe(true)
    expect(host.notes).toEqual(["interrupted"])
  })
})

describe("several runs at once", () => {
  it("share the event loop: each gets its turns", async () => {
    const busy = "let n = 0\nfor (;;) { n++; if (n % 25000 === 0) await tools.echo({ n }) }"
    const turns = [0, 0, 0]
    const runtime = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })
    const fibers = turns.map((_, i) =>
      Effect.runFork(runtime.run({
        code: busy,
        tools: ["echo"],
        call: (_tool, input) => Effect.sync(() => (turns[i]!++, input)),
      }))
    )
    while (turns.some((count) => count < 3)) await new Promise((resolve) => setTimeout(resolve, 5))
    await Effect.runPromise(Fiber.interruptAll(fibers))
    const ended = [...turns]
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(turns).toEqual(ended)
  })

  it("a timer of the host fires beside a program that never waits", async () => {
    const runtime = InterpreterRuntime.make({ limits: { fuel: "unbounded" } })
    const fiber = Effect.runFork(runtime.run({ code: "while (true) {}", tools: [], call: echo }))
    for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1))
    expect(fiber.pollUnsafe()).toBeUndefined()
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(Exit.hasInterrupts(fiber.pollUnsafe()!)).toBe(true)
  })

  it.each([
    ["at once", "await Promise.all(Array.from({ length: 200 }, (_, n) => tools.work({ n })))"],
    ["one after the other", "await Array.fromAsync({ length: 200 }, (_, n) => tools.work({ n }))"],
  ])("calls that take long together, made %s, leave the loop to others", async (_, calls) => {
    // Takes a millisecond of the host's thread.
    const call: Call = (_tool, input) =>
      Effect.sync(() => {
        const end = performance.now() + 1
        while (performance.now() < end);
        return input
      })
    let turns = 0
    let timer = setImmediate(function turn() {
      turns++
      timer = setImmediate(turn)
    })
    const program = run(`const all = ${calls}\nreturn all.map(({ n }) => n)`, undefined, ["work"], call)
    const { result } = await Effect.runPromise(program)
    clearImmediate(timer)
    expect(result).toEqual(Array.from({ length: 200 }, (_, n) => n))
    expect(turns).toBeGreaterThan(15)
  })

  it("interrupting one leaves the others", async () => {
    const started = Deferred.makeUnsafe<void>()
    const runtime = InterpreterRuntime.make()
    const other = Effect.runFork(runtime.run({
      code: "return (await tools.slow()).n",
      tools: ["slow"],
      call: () => Effect.as(Deferred.await(started), { n: 1 }),
    }))
    const fiber = Effect.runFork(runtime.run({ code: "for (;;) await null", tools: [], call: echo }))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await Effect.runPromise(Fiber.interrupt(fiber))
    Deferred.doneUnsafe(started, Exit.void)
    expect((await Effect.runPromise(Fiber.join(other))).result).toBe(1)
  })
})

describe("a defect of the runtime's own", () => {
  it("is told to the host's log, and not to the model", async () => {
    const logged: Array<string> = []
    const broken = (): never => {
      throw new Error("secret")
    }
    const error = await Effect.runPromise(
      Effect.flip(run("console.log('before')\ntry { Math.random() } catch { return 'caught' }")).pipe(
        Effect.provideService(Random.Random, { nextDoubleUnsafe: broken, nextIntUnsafe: broken }),
        Effect.withLogger(Logger.make(({ cause, message }) => logged.push(`${String(message)} ${String(cause)}`))),
      ),
    )
    expect(error).toMatchObject({
      code: "RUNTIME_FAILURE",
      message: "The runtime broke while it ran the code. The fault is not the code's.",
      retryable: false,
      logs: ["before"],
    })
    expect(error.message + error.hint).not.toContain("secret")
    expect(logged.join()).toContain("secret")
  })
})

describe("a host that breaks its word", () => {
  const attempt = (call: Call) =>
    Effect.runPromise(Effect.map(
      run(
        "try { return await tools.odd() } catch (error) { return [error.code, error.message] }",
        undefined,
        ["odd"],
        call,
      ),
      (outcome) => outcome.result,
    ))

  it.each<readonly [string, Call]>([
    ["dies", () => Effect.die(new Error("secret"))],
    [
      "throws",
      () => {
        throw new Error("secret")
      },
    ],
    ["fails with something else", () => Effect.fail(new Error("secret")) as never],
  ])("a call that %s is a failure without its words", async (_name, call) => {
    expect(await attempt(call)).toEqual([
      "TOOL_FAILURE",
      "The tool \"odd\" broke. The fault is the tool's, not the call's.",
    ])
  })

  it.each<readonly [string, unknown]>([
    ["a date", { at: new Date(0) }],
    ["a function", { f: () => 1 }],
    ["a bigint", 1n],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("secret")
        },
      },
    ],
  ])("a result with %s is a failure", async (_name, value) => {
    expect(await attempt(() => Effect.succeed(value as Schema.Json)))
      .toEqual([
        "INVALID_TOOL_OUTPUT",
        "The tool \"odd\" gave a result that is not JSON. The fault is the tool's, not the call's.",
      ])
  })

  it("a result nested too deeply is a failure that says so", async () => {
    let deep: Schema.Json = 1
    for (let i = 0; i < 100; i++) deep = [deep]
    const [code, message] = await attempt(() => Effect.succeed(deep)) as [string, string]
    expect(code).toBe("INVALID_DATA")
    expect(message).toMatch(/nested deeper than 64 levels/)
  })
})
