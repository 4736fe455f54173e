import { ToolSource } from "@effect-codemode/toolkit"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { canary, hostError, ofCall, ofExecution, ofRuntime, type Secret, secret } from "./case.ts"

const broke = "TOOL_FAILURE"
const runtimeFailed = "RUNTIME_FAILURE"

const throws = (): never => {
  throw hostError()
}

const getters = (...names: ReadonlyArray<string>): object =>
  Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { get: throws, enumerable: true }])),
  )

/** A failure that says something else each time it is asked. */
const changing = (): object => {
  let n = 0
  return {
    code: "X",
    retryable: false,
    get message(): unknown {
      return n++ === 0 ? "declared" : hostError()
    },
  }
}

export const calls: ReadonlyArray<Secret> = [
  secret("a call that throws", "The runtime's caller throws where it should give an effect.", ofCall(throws), broke),
  secret("a call that dies", "The runtime's caller dies.", ofCall(() => Effect.die(hostError())), broke),
  secret("a call that gives nothing", "The runtime's caller gives no effect.", ofCall(() => undefined), broke, {
    logged: false,
  }),
  secret(
    "a call that gives a promise",
    "The runtime's caller gives a promise.",
    ofCall(() => Promise.resolve({ canary })),
    broke,
    { logged: false },
  ),
  secret(
    "a call that gives an object",
    "The runtime's caller gives its own object.",
    ofCall(() => ({ canary, _tag: "Success", value: { canary } })),
    broke,
    { logged: false },
  ),
  secret(
    "a call that fails with an error",
    "The runtime's caller fails with an error of the host's.",
    ofCall(() => Effect.fail(hostError())),
    broke,
  ),
  secret(
    "a call that fails with nothing",
    "The runtime's caller fails with undefined.",
    ofCall(() => Effect.fail(undefined)),
    broke,
    { logged: false },
  ),
  secret(
    "a call that fails with null",
    "The runtime's caller fails with null.",
    ofCall(() => Effect.fail(null)),
    broke,
    { logged: false },
  ),
  secret(
    "a call that fails later with null",
    "The same, after a while.",
    ofCall(() => Effect.andThen(Effect.yieldNow, Effect.fail(null))),
    broke,
    { logged: false },
  ),
  secret(
    "a call that fails with a text",
    "The runtime's caller fails with a text.",
    ofCall(() => Effect.fail(canary)),
    broke,
  ),
  secret(
    "a call that fails with what cannot be read",
    "Reading a failure's code throws.",
    ofCall(() => Effect.fail(getters("code", "message", "retryable"))),
    broke,
    { logged: false },
  ),
  secret(
    "a call that fails later with what cannot be read",
    "The same, after a while.",
    ofCall(() => Effect.andThen(Effect.yieldNow, Effect.fail(getters("code")))),
    broke,
    { logged: false },
  ),
  secret(
    "a call that fails with what changes",
    "A failure's message is an error the second time it is read.",
    ofCall(() => Effect.fail(changing())),
    "X",
    { logged: false },
  ),
  secret(
    "a call that gives a getter that throws",
    "Reading a result throws.",
    ofCall(() => Effect.succeed(getters("name"))),
    "INVALID_TOOL_OUTPUT",
    { logged: false },
  ),
  secret(
    "a call that gives a class",
    "A result's class is named by a secret.",
    ofCall(() =>
      Effect.succeed({
        value: new ({
          [canary]: class {
            readonly value = 1
          },
        }[canary]!)(),
      })
    ),
    "INVALID_TOOL_OUTPUT",
    { logged: false },
  ),
  secret(
    "a call that gives an error",
    "A result is an error of the host's.",
    ofCall(() => Effect.succeed(hostError())),
    "INVALID_TOOL_OUTPUT",
    { logged: false },
  ),
  secret(
    "a failure with more than its message",
    "A failure carries a cause and a stack.",
    ofCall(() =>
      Effect.fail(
        Object.assign(new ToolSource.Failure({ code: "NO", message: "declared", retryable: false }), {
          cause: hostError(),
          stack: hostError().stack,
          canary,
        }),
      )
    ),
    "NO",
    { logged: false },
  ),
]

const search = "search({ query: 'read' })"

export const executions: ReadonlyArray<Secret> = [
  secret(
    "a catalog that throws",
    "Search reads a catalog whose parts throw.",
    ofExecution({ catalog: getters("tools", "entries", "find") }),
    broke,
    { code: search },
  ),
  secret(
    "a catalog that is none",
    "Search reads something else than a catalog.",
    ofExecution({ catalog: { canary } }),
    broke,
    { code: search, logged: false },
  ),
  secret(
    "an observer that throws",
    "The host looks at a search, and throws.",
    ofExecution({ observe: throws }),
    broke,
    { code: search },
  ),
  secret(
    "an observer that dies",
    "The host looks at a search, and dies.",
    ofExecution({ observe: () => Effect.die(hostError()) }),
    broke,
    { code: search },
  ),
  secret("a log that throws", "Who hears the program's lines throws.", ofExecution({ log: throws }), runtimeFailed, {
    code: "console.log('x')",
  }),
  secret(
    "a clock that throws",
    "The host's clock throws.",
    (code) =>
      Effect.clockWith((clock) => {
        let reads = 0
        const currentTimeMillisUnsafe = () => reads++ === 0 ? throws() : clock.currentTimeMillisUnsafe()
        return Effect.provideService(ofExecution({})(code), Clock.Clock, {
          sleep: (duration) => clock.sleep(duration),
          currentTimeMillisUnsafe,
          currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
          currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
          currentTimeNanos: clock.currentTimeNanos,
          monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
          monotonicTimeNanos: clock.monotonicTimeNanos,
        })
      }),
    runtimeFailed,
    { code: "Date.now()" },
  ),
  secret(
    "a random source that throws",
    "The host's random source throws.",
    (code) =>
      Effect.provideService(ofExecution({})(code), Random.Random, { nextDoubleUnsafe: throws, nextIntUnsafe: throws }),
    runtimeFailed,
    { code: "Math.random()" },
  ),
  secret(
    "a wait that throws",
    "Who is asked how long the run stood still throws.",
    ofExecution({ waited: throws }, { timeout: 5 }),
    runtimeFailed,
    { code: "new Promise((resolve) => setTimeout(resolve, 60_000))" },
  ),
  secret("usage that throws", "Who is told what a run used throws.", ofExecution({ usage: throws }), null, {
    logged: true,
  }),
]

export const runtimes: ReadonlyArray<Secret> = [
  secret("a runtime that throws", "A runtime throws where it should give an effect.", ofRuntime(throws), runtimeFailed),
  secret("a runtime that dies", "A runtime dies.", ofRuntime(() => Effect.die(hostError())), runtimeFailed),
  secret("a runtime that gives nothing", "A runtime gives no effect.", ofRuntime(() => undefined), runtimeFailed, {
    logged: false,
  }),
  secret(
    "a runtime without an outcome",
    "A runtime succeeds with nothing.",
    ofRuntime(() => Effect.succeed(undefined)),
    runtimeFailed,
    { logged: false },
  ),
  secret(
    "a runtime with a result that cannot be read",
    "Reading an outcome throws.",
    ofRuntime(() => Effect.succeed(getters("result", "logs"))),
    runtimeFailed,
  ),
  secret(
    "a runtime with a result that is no JSON",
    "A runtime gives a function.",
    ofRuntime(() => Effect.succeed({ result: { run: () => canary, error: hostError() }, logs: [] })),
    "INVALID_DATA",
    { logged: false },
  ),
  secret(
    "a runtime that fails with an error",
    "A runtime fails with an error of the host's.",
    ofRuntime(() => Effect.fail(hostError())),
    runtimeFailed,
  ),
  secret(
    "a runtime that fails with a text",
    "A runtime fails with a text.",
    ofRuntime(() => Effect.fail(canary)),
    runtimeFailed,
  ),
  secret(
    "a runtime that fails with nothing",
    "A runtime fails with undefined.",
    ofRuntime(() => Effect.fail(undefined)),
    runtimeFailed,
    { logged: false },
  ),
]
