import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type Check, contains, each, fails, finish, gives, require, rule, show } from "./check.ts"

/** What crosses from a program to the host. */
export const checks: ReadonlyArray<Check> = [
  rule("the result crosses as `JSON.stringify` has it", (runtime) =>
    each<readonly [string, Schema.Json]>([
      ["return { a: undefined, b: null, c: [undefined, 1] }", { b: null, c: [null, 1] }],
      ["return new Date(0)", "1970-01-01T00:00:00.000Z"],
      ["return [new Map([[1, 2]]), new Set([1]), /x/g]", [{}, {}, {}]],
      ["return [NaN, Infinity, -Infinity, 1.5]", [null, null, null, 1.5]],
      ["return { toJSON() { return { a: 1 } }, b: 2 }", { a: 1 }],
      ["class Point { x = 1; #y = 2; get z() { return 3 } }\nreturn new Point()", { x: 1 }],
      ["return 'é😀\\n\\u0000\"'", "é😀\n\u0000\""],
      ["return [true, false, '', 0, [], {}]", [true, false, "", 0, [], {}]],
      ["const shared = { a: 1 }\nreturn [shared, shared]", [{ a: 1 }, { a: 1 }]],
    ], ([code, result]) => gives(runtime, code, result))),
  rule("keys such as `__proto__` and `constructor` cross as any other", (runtime) =>
    Effect.flatMap(
      finish(runtime, `return JSON.parse('{"__proto__": 1, "constructor": {"name": 2}}')`),
      ({ result }) =>
        require(
          show(result) === `{"__proto__":1,"constructor":{"name":2}}`,
          () => `Expected own keys, got ${show(result)}`,
        ),
    )),
  rule("what has no JSON form fails with `INVALID_DATA`, and the message has its path", (runtime) =>
    each(
      [
        ["return { items: [1, { load() {} }] }", "result.items[1].load"],
        ["return { items: [() => 1] }", "result.items[0]"],
        ["return { at: Symbol('x') }", "result.at"],
        ["return { size: 10n }", "result.size"],
        ["const a = { b: {} }\na.b.c = a\nreturn a", "result.b.c"],
        ["return { page: { next: Promise.resolve(1) } }", "result.page.next"],
      ] as const,
      ([code, path]) =>
        Effect.flatMap(
          fails(runtime, code, "INVALID_DATA"),
          (error) =>
            Effect.andThen(
              contains(error.message, path),
              require(error.retryable, () => "Expected INVALID_DATA to be retryable"),
            ),
        ),
    )),
  rule(
    "a function as the result fails with `INVALID_DATA`",
    (runtime) => Effect.asVoid(fails(runtime, "const f = () => 1\nreturn f", "INVALID_DATA")),
  ),
  rule("a result nested without end fails with `INVALID_DATA`", (runtime) =>
    Effect.asVoid(
      fails(runtime, "let a = []\nfor (let i = 0; i < 100000; i++) a = [a]\nreturn a", "INVALID_DATA"),
    )),
]
