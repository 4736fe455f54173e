import { InterpreterRuntime } from "@effect-codemode/runtime-interpreter"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"

const names = [
  "echo",
  "github",
  "github.list_issues",
  "github.repos.get",
  "context7.resolve-library-id",
  "odd.toString",
  "odd.__proto__",
  "odd.length",
  "numbers.10",
  "numbers.9",
  "numbers.b",
  "both",
  "both.name",
  "both.length",
]

const runtime = InterpreterRuntime.make()

const run = (code: string, tools: ReadonlyArray<string> = names): Promise<Schema.Json> =>
  Effect.runPromise(Effect.map(
    runtime.run({ code, tools, call: (tool) => Effect.succeed(tool) }),
    (outcome) => outcome.result,
  ))

describe("`tools`", () => {
  it.each<readonly [string, string, Schema.Json]>([
    ["names that every object has", "[await tools.odd.toString(), await tools.odd['__proto__']()]", [
      "odd.toString",
      "odd.__proto__",
    ]],
    ["names that every function has", "[await tools.both(), await tools.both.name(), await tools.both.length()]", [
      "both",
      "both.name",
      "both.length",
    ]],
    ["numbers", "[await tools.numbers[10](), await tools.numbers['9'](), Object.keys(tools.numbers)]", [
      "numbers.10",
      "numbers.9",
      ["9", "10", "b"],
    ]],
    ["spread", "const all = { ...tools.github }\nreturn [Object.keys(all), await all.list_issues()]", [[
      "list_issues",
      "repos",
    ], "github.list_issues"]],
    ["destructuring", "const { github: { repos: { get } } } = tools\nreturn get()", "github.repos.get"],
    ["optional calls", "[tools.nope?.(), tools.github?.nope?.(), await tools.github?.list_issues?.()]", [
      null,
      null,
      "github.list_issues",
    ]],
    [
      "what all objects have",
      "[tools.hasOwnProperty('echo'), tools.hasOwnProperty('nope'), String(tools), tools instanceof Object]",
      [true, false, "[object Object]", true],
    ],
    ["bound", "await tools.github.list_issues.bind(null)()", "github.list_issues"],
    ["as a callback", "await Promise.all([{}, {}].map(tools.echo))", ["echo", "echo"]],
    ["with a spread of arguments", "await tools.echo(...[{ a: 1 }])", "echo"],
    ["identity", "[tools.github === tools.github, tools.echo === tools.echo, tools.context7 === tools.context7]", [
      true,
      true,
      true,
    ]],
    ["descriptors", "Object.getOwnPropertyDescriptor(tools, 'context7').writable", false],
    [
      "frozen",
      "[Object.isFrozen(tools), Object.isFrozen(tools.github), Object.isFrozen(tools.echo), Object.isFrozen(tools.context7)]",
      [true, true, true, true],
    ],
    ["names of functions", "[tools.echo.name, tools.github.list_issues.name, tools.echo.length]", [
      "echo",
      "list_issues",
      1,
    ]],
    ["no constructors", "try { new tools.echo() } catch (error) { return error.name }", "TypeError"],
    ["entries", "Object.entries(tools.github).map(([name, value]) => [name, typeof value])", [[
      "list_issues",
      "function",
    ], ["repos", "object"]]],
    ["a proxy around it", "await new Proxy(tools, {}).github.list_issues()", "github.list_issues"],
    ["an object that inherits from it", "await Object.create(tools).github.list_issues()", "github.list_issues"],
  ])("%s", async (_name, code, expected) => {
    expect(await run(code)).toEqual(expected)
  })

  it.each([
    ["tools.echo = 1", "Cannot assign to read only property 'echo' of object '#<Object>'"],
    ["tools.more = 1", "Cannot add property more, object is not extensible"],
    ["delete tools.echo", "Cannot delete property 'echo' of #<Object>"],
    ["tools.github.list_issues = 1", "Cannot assign to read only property 'list_issues' of object 'function'"],
    ["tools.echo.more = 1", "Cannot add property more, object is not extensible"],
    ["Object.defineProperty(tools, 'echo', { value: 1 })", "Cannot redefine property: echo"],
    ["Object.setPrototypeOf(tools, null)", "#<Object> is not extensible"],
    ["tools = 1", "Cannot assign to read only property 'tools' of object '#<Object>'"],
  ])("%s throws as a frozen object does", async (code, message) => {
    expect(await run(`try { ${code} } catch (error) { return [error.name, error.message] }`)).toEqual([
      "TypeError",
      message,
    ])
  })

  it("can be looked at in the log", async () => {
    const { logs } = await Effect.runPromise(
      runtime.run({ code: "console.log(tools)", tools: ["a", "b.c"], call: () => Effect.never }),
    )
    expect(logs).toEqual(["{ a: [Function: a], b: { c: [Function: c] } }"])
  })

  it("is empty without tools", async () => {
    expect(await run("[Object.keys(tools), typeof tools.nope]", [])).toEqual([[], "undefined"])
  })

  it("takes ten thousand tools within the memory of a small run", async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => `space${i % 10}.tool${i}`)
    const small = InterpreterRuntime.make({ limits: { memory: 256 * 1024 } })
    const { result } = await Effect.runPromise(small.run({
      code: "return [await tools.space7.tool7(), Object.keys(tools.space3).length, 'tool9999' in tools.space9]",
      tools: many,
      call: (tool) => Effect.succeed(tool),
    }))
    expect(result).toEqual(["space7.tool7", 1000, true])
  })
})

describe("the failure of a call", () => {
  it("is an error that shows where it was called", async () => {
    const stack = await run(
      "const get = async () => {\n  await tools.github.nope({ f() {} })\n}\ntry { await get() } catch (error) { return [error.stack, error.name, Object.keys(error)] }",
    )
    expect(stack).toEqual([
      "ToolError: input.f is a function, which JSON cannot hold\n    at tools.github.nope (program:2:22)",
      "ToolError",
      ["code"],
    ])
  })

  it("is the same error wherever it is caught", async () => {
    const code = `
const call = tools.echo(1)
const errors = await Promise.all([call.catch((e) => e), call.catch((e) => e)])
return [errors[0] === errors[1], errors[0] instanceof Error, errors[0].code, errors[0].message]`
    expect(await run(code))
      .toEqual([
        true,
        true,
        "INVALID_TOOL_INPUT",
        "The tool \"echo\" takes one object as its input, and was given a number.",
      ])
  })
})

describe("positions are those of the code as it was written", () => {
  it("in the stacks of errors, with fences and types", async () => {
    const code =
      "```ts\nenum Size { Big = 1 }\nconst f = (n: Size): never => {\n  throw new Error(`no ${n}`)\n}\ntry {\n  f(Size.Big)\n} catch (error) {\n  return (error as Error).stack\n}\n```"
    expect(await run(code)).toBe("Error: no 1\n    at f (program:4:9)\n    at program:7:3")
  })
})
