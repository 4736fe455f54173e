import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Schema from "effect/Schema"
import * as ToolSource from "../../ToolSource.ts"
import { CodeError } from "../contract.ts"
import {
  type Check,
  contains,
  each,
  execution,
  fails,
  gives,
  require,
  rule,
  run,
  show,
  type TestTools,
} from "./check.ts"

const failure = (code: string, retryable = false) =>
  new ToolSource.Failure({ code, message: `Not today: ${code}`, retryable })

const named = (name: string) => () => Effect.succeed(name)

const namespaces: TestTools = {
  echo: Effect.succeed,
  github: named("github"),
  "github.list_issues": named("github.list_issues"),
  "github.repos.get": named("github.repos.get"),
  "context7.resolve-library-id": named("context7.resolve-library-id"),
  "data.constructor": named("data.constructor"),
  "1st": named("1st"),
}

const failing: TestTools = {
  ok: Effect.succeed,
  missing: () => Effect.fail(failure("NO_SUCH_REPOSITORY")),
  busy: () => Effect.fail(failure("RATE_LIMITED", true)),
}

/** The namespace object, and calls. */
export const checks: ReadonlyArray<Check> = [
  rule(
    "tools are reached by their paths, with dots or brackets, and a name can be a tool and a namespace",
    (runtime) =>
      each(
        [
          ["return tools.github()", "github"],
          ["return tools.github.list_issues({})", "github.list_issues"],
          ["return tools['github']['list_issues']({})", "github.list_issues"],
          ["return tools.github.repos.get({})", "github.repos.get"],
          ["return tools.context7['resolve-library-id']({})", "context7.resolve-library-id"],
          ["return tools.data.constructor({})", "data.constructor"],
          ["return tools['1st']({})", "1st"],
          ["const { list_issues } = tools.github\nreturn list_issues({})", "github.list_issues"],
        ] as const,
        ([code, result]) => gives(runtime, code, result, namespaces),
      ),
  ),
  rule("the names of tools can be listed", (runtime) =>
    Effect.andThen(
      gives(
        runtime,
        "return Object.keys(tools).sort()",
        ["1st", "context7", "data", "echo", "github"],
        namespaces,
      ),
      Effect.andThen(
        gives(runtime, "return Object.keys(tools.github).sort()", ["list_issues", "repos"], namespaces),
        gives(
          runtime,
          "const names = []\nfor (const name in tools) names.push(name)\nreturn ['echo' in tools, 'nope' in tools, names.length]",
          [true, false, 5],
          namespaces,
        ),
      ),
    )),
  rule("a name that is not there is `undefined`", (runtime) =>
    gives(
      runtime,
      "return [typeof tools.nope, typeof tools.github.nope, typeof tools.echo, typeof tools.context7]",
      ["undefined", "undefined", "function", "object"],
      namespaces,
    )),
  rule("`tools` cannot be changed", (runtime) =>
    gives(
      runtime,
      `const attempt = (f) => { try { f() } catch {} }
attempt(() => { tools.echo = () => 'changed' })
attempt(() => { tools.extra = 1 })
attempt(() => { delete tools.github })
attempt(() => { tools.github.list_issues = () => 'changed' })
attempt(() => { Object.defineProperty(tools, 'more', { value: 1 }) })
attempt(() => { Object.setPrototypeOf(tools, { inherited: 1 }) })
return ['extra' in tools, 'more' in tools, 'inherited' in tools, await tools.echo({ a: 1 }), await tools.github.list_issues()]`,
      [false, false, false, { a: 1 }, "github.list_issues"],
      namespaces,
    )),
  rule(
    "a call without input sends an empty object",
    (runtime) => gives(runtime, "return [await tools.echo(), await tools.echo(undefined)]", [{}, {}], namespaces),
  ),
  rule("a call gives a promise of the tool's result", (runtime) =>
    gives(
      runtime,
      `const call = tools.value({})
return [call instanceof Promise, await call]`,
      [true, { text: "é\n", list: [1, null, true, { deep: {} }] }],
      { value: () => Effect.succeed({ text: "é\n", list: [1, null, true, { deep: {} }] }) },
    )),
  rule("the input is sent as it was at the time of the call, as JSON", (runtime) =>
    gives(
      runtime,
      `const input = { list: [1], at: new Date(0), left: undefined }
const call = tools.echo(input)
input.list.push(2)
return call`,
      { list: [1], at: "1970-01-01T00:00:00.000Z" },
      namespaces,
    )),
  rule("an input that has no JSON form is a catchable `INVALID_DATA` with the path", (runtime) =>
    Effect.andThen(
      gives(
        runtime,
        "try { await tools.echo({ a: [() => 1] }) } catch (error) { return [error.code, error.message.includes('input.a[0]')] }",
        ["INVALID_DATA", true],
        namespaces,
      ),
      Effect.asVoid(fails(runtime, "await tools.echo({ a: [() => 1] })", "INVALID_DATA", namespaces)),
    )),
  rule(
    "an input that is not an object is a catchable `INVALID_TOOL_INPUT`",
    (runtime) =>
      each(["'text'", "42", "[1]", "null"], (input) =>
        gives(
          runtime,
          `try { await tools.echo(${input}) } catch (error) { return error.code }`,
          "INVALID_TOOL_INPUT",
          namespaces,
        )),
  ),
  rule("calls start at once and run together", (runtime) =>
    Effect.gen(function*() {
      const first = yield* Deferred.make<void>()
      const second = yield* Deferred.make<void>()
      // Each call waits for the other, so that neither ends unless both have started.
      yield* gives(
        runtime,
        "const a = tools.a({})\nconst b = tools.b({})\nreturn [await a, await b]",
        ["a", "b"],
        {
          a: () => Deferred.succeed(first, undefined).pipe(Effect.andThen(Deferred.await(second)), Effect.as("a")),
          b: () => Deferred.succeed(second, undefined).pipe(Effect.andThen(Deferred.await(first)), Effect.as("b")),
        },
      )
    })),
  rule("many calls together keep their results in order", (runtime) =>
    gives(
      runtime,
      `const all = await Promise.all(Array.from({ length: 50 }, (_, n) => tools.echo({ n })))
return all.map(({ n }) => n).join()`,
      Array.from({ length: 50 }, (_, n) => n).join(),
      { echo: (input) => Effect.as(Effect.yieldNow, input) },
    )),
  rule("a program gets a copy of a result, and the host's value never changes", (runtime) =>
    Effect.gen(function*() {
      const value: Schema.Json = { list: [{ n: 1 }] }
      yield* gives(
        runtime,
        `const a = await tools.get()
const b = await tools.get()
a.list[0].n = 2
a.list.push(3)
return [a, b]`,
        [{ list: [{ n: 2 }, 3] }, { list: [{ n: 1 }] }],
        { get: () => Effect.succeed(value) },
      )
      yield* require(show(value) === `{"list":[{"n":1}]}`, () => `The host's value became ${show(value)}`)
    })),
  rule("a failed call throws an `Error` with name, message and code, which the program can catch", (runtime) =>
    gives(
      runtime,
      `try {
  await tools.missing({})
} catch (error) {
  return [error instanceof Error, typeof error.name === 'string' && error.name !== '', error.message, error.code]
}`,
      [true, true, "Not today: NO_SUCH_REPOSITORY", "NO_SUCH_REPOSITORY"],
      failing,
    )),
  rule("a failed call rejects its promise like any other", (runtime) =>
    gives(
      runtime,
      `const settled = await Promise.allSettled([tools.ok({ n: 1 }), tools.missing({})])
const caught = await tools.busy({}).catch((error) => error.code)
return [settled.map((each) => each.status), settled[1].reason.code, caught]`,
      [["fulfilled", "rejected"], "NO_SUCH_REPOSITORY", "RATE_LIMITED"],
      failing,
    )),
  rule("the code, message and retryability of an uncaught failure are the run's", (runtime) =>
    each(
      [
        ["await tools.missing({})", "NO_SUCH_REPOSITORY", false],
        ["await tools.busy({})", "RATE_LIMITED", true],
        ["return tools.missing({})", "NO_SUCH_REPOSITORY", false],
        ["await Promise.all([tools.ok({}), tools.busy({})])", "RATE_LIMITED", true],
        ["try { await tools.missing({}) } catch (error) { throw error }", "NO_SUCH_REPOSITORY", false],
      ] as const,
      ([code, expected, retryable]) =>
        Effect.flatMap(
          fails(runtime, code, expected, failing),
          (error) =>
            Effect.andThen(
              contains(error.message, `Not today: ${expected}`),
              require(error.retryable === retryable, () => `Expected retryable to be ${retryable} of ${expected}`),
            ),
        ),
    )),
  rule("an error that only resembles a tool's failure is the program's own", (runtime) =>
    Effect.asVoid(
      fails(
        runtime,
        `try { await tools.missing({}) } catch (error) { throw Object.assign(new Error('mine'), { code: error.code }) }`,
        "EXECUTION_ERROR",
        failing,
      ),
    )),
  rule("calling a tool that is not there ends the run with what `call` says of it", (runtime) =>
    each(
      [
        ["await tools.nope({})", `There is no tool "nope".`],
        ["await tools.github.nope({})", `There is no tool "github.nope".`],
      ] as const,
      ([code, message]) =>
        Effect.flatMap(
          fails(runtime, code, "UNKNOWN_TOOL", namespaces),
          (error) => contains(error.message, message),
        ),
    )),
  rule(
    "calling a tool that stands outside code ends the run with what `call` says of it",
    (runtime) =>
      Effect.gen(function*() {
        const plain = execution("await tools.delete_file({ path: 'a' })", namespaces)
        const exit = yield* Effect.exit(runtime.run({
          ...plain,
          call: (name, input) =>
            name === "delete_file" ? Effect.fail(failure("APPROVAL_REQUIRED", true)) : plain.call(name, input),
        }))
        const error = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
        yield* require(
          error?._tag === "Fail" && error.error instanceof CodeError && error.error.code === "APPROVAL_REQUIRED",
          () => `Expected APPROVAL_REQUIRED, got ${String(exit)}`,
        )
      }),
  ),
  rule("the failure of a call to a tool that is not there can be caught", (runtime) =>
    gives(
      runtime,
      `try { await tools.github.nope({}) } catch (error) { return [error.code, error.message] }`,
      ["UNKNOWN_TOOL", `There is no tool "github.nope".`],
      namespaces,
    ), "catchableUnknownTools"),
  rule("an interrupted call interrupts the run, and the program cannot catch it", (runtime) =>
    Effect.flatMap(
      run(runtime, "try { await tools.stop() } catch { return 'caught' }\nreturn 'went on'", {
        stop: () => Effect.interrupt,
      }),
      (exit) =>
        require(
          Exit.isFailure(exit) && Exit.hasInterrupts(exit),
          () => `Expected the run to be interrupted, got ${String(exit)}`,
        ),
    )),
]
