import * as Effect from "effect/Effect"
import { type Check, contains, each, execution, fails, finish, require, rule, show } from "./check.ts"

const lines = [
  "console.log('one')",
  "console.info('two', 2)",
  "console.warn('three')",
  "console.error('four')",
  "console.debug('five')",
]

const inOrder = (logs: ReadonlyArray<string>, words: ReadonlyArray<string>) =>
  require(
    logs.length === words.length && words.every((word, i) => logs[i]!.includes(word)),
    () => `Expected a line each for ${words.join(", ")}, got ${show(logs)}`,
  )

/** What the host and the model learn of a run: logs, codes, places. */
export const checks: ReadonlyArray<Check> = [
  rule("logs are kept in order, a line each", (runtime) =>
    Effect.gen(function*() {
      const { logs } = yield* finish(runtime, lines.join("\n"))
      yield* inOrder(logs, ["one", "two", "three", "four", "five"])
      yield* contains(logs[1]!, "2")
    })),
  rule("a logged object can be read", (runtime) =>
    Effect.gen(function*() {
      const { logs } = yield* finish(runtime, "console.log({ owner: 'effect', list: [1, 2] }, undefined, null)")
      yield* inOrder(logs, ["effect"])
      yield* contains(logs[0]!, "owner")
      yield* contains(logs[0]!, "undefined")
    })),
  rule("each line is told to the host when it is logged", (runtime) =>
    Effect.gen(function*() {
      const heard: Array<string> = []
      const at: Array<number> = []
      const plain = execution("console.log('one')\nawait tools.mark()\nconsole.log('two')\nreturn 1", {
        mark: () => Effect.as(Effect.sync(() => at.push(heard.length)), null),
      })
      yield* Effect.exit(runtime.run({ ...plain, log: (line) => heard.push(line) }))
      yield* inOrder(heard, ["one", "two"])
      yield* require(at[0] === 1, () => `Expected one line before the call, got ${at[0]}`)
    })),
  rule("logs are kept when the program fails", (runtime) =>
    Effect.gen(function*() {
      const error = yield* fails(runtime, "console.log('before')\nnull.x\nconsole.log('after')", "EXECUTION_ERROR")
      yield* inOrder(error.logs, ["before"])
    })),
  rule("code that does not parse fails with its place", (runtime) =>
    each(
      [
        ["const a = 1;\nconst b = ;\nreturn a", 2],
        ["return [1,\n2,\n3", 3],
        ["```js\nconst a = 1\nconst = 2\n```", 3],
      ] as const,
      ([code, line]) =>
        Effect.gen(function*() {
          const error = yield* fails(runtime, code, "SYNTAX_ERROR")
          yield* require(error.retryable, () => "Expected SYNTAX_ERROR to be retryable")
          yield* require(
            error.location?.line === line && error.location.column >= 1,
            () => `Expected the place to be in line ${line}, got ${show(error.location)}`,
          )
        }),
    )),
  rule("`import` fails as syntax that does not parse or that programs do not have", (runtime) =>
    Effect.asVoid(
      fails(runtime, "import fs from 'node:fs'\nreturn fs", ["UNSUPPORTED_SYNTAX", "SYNTAX_ERROR"]),
    )),
  rule("an uncaught error fails with its message and the place where it was thrown", (runtime) =>
    each(
      [
        ["const a = {}\n\na.b.c()", 3, ""],
        ["const f = () => {\n  throw new RangeError('out of it')\n}\nawait null\nreturn f()", 2, "out of it"],
        ["async () => {\n  const user = undefined\n  return user.name\n}", 3, ""],
        ["```js\nthrow new Error('in a fence')\n```", 2, "in a fence"],
        ["export default async () => {\n  undeclared()\n}", 2, "undeclared"],
      ] as const,
      ([code, line, message]) =>
        Effect.gen(function*() {
          const error = yield* fails(runtime, code, "EXECUTION_ERROR")
          yield* contains(error.message, message)
          yield* require(error.retryable, () => "Expected EXECUTION_ERROR to be retryable")
          yield* require(
            error.location?.line === line && error.location.column >= 1,
            () => `Expected the place to be in line ${line}, got ${show(error.location)}\n${code}`,
          )
        }),
    )),
  rule("anything can be thrown, and the message tells it", (runtime) =>
    each(
      [
        ["throw 'a text'", "a text"],
        ["throw 42", "42"],
        ["throw undefined", "undefined"],
        ["throw null", "null"],
        ["throw { reason: 'an object' }", "an object"],
        ["await Promise.reject('a rejection')", "a rejection"],
      ] as const,
      ([code, message]) =>
        Effect.flatMap(fails(runtime, code, "EXECUTION_ERROR"), (error) => contains(error.message, message)),
    )),
]
