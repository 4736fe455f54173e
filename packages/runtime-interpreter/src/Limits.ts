/**
 * The bounds of a run. No program can catch, delay or raise one from inside.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const whole = (least: number) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(least))

const bounded = (least: number, most: number, description: string) =>
  Schema.optionalKey(whole(least).check(Schema.isLessThanOrEqualTo(most)).annotate({ description }))

const unboundable = (least: number, description: string) =>
  Schema.optionalKey(Schema.Union([whole(least), Schema.Literal("unbounded")]).annotate({ description }))

/**
 * Bounds of a run, each a whole number, or `"unbounded"` where that makes sense. What is left out has its default.
 *
 * | limit | default | breaking it |
 * | --- | --- | --- |
 * | `fuel`, steps of the machine | 50,000,000 | the run fails with `EXECUTION_BUDGET_EXCEEDED` |
 * | `memory`, bytes of live data | 64 MiB | the run fails with `LIMIT_EXCEEDED` |
 * | `timeout`, milliseconds, tool calls included | unbounded: `CodeMode.toolkit` has a timeout | the run fails with `TIMEOUT` |
 * | `toolCalls` in a run | 1,000 | the call throws `LIMIT_EXCEEDED` |
 * | `concurrentCalls` at once | 16 | the call waits for its turn |
 * | `sourceLength`, characters of code | 256 Ki | the run fails with `LIMIT_EXCEEDED` before parsing |
 * | `callDepth`, frames | 10,000 | a catchable `RangeError` |
 * | `dataDepth`, nesting of a value that crosses, at most 512 | 64 | `INVALID_DATA` with the path |
 * | `stringLength`, characters of one string, at most 256 Mi | 16 Mi | a catchable `RangeError` |
 * | `bigintBits` of one bigint, at most 256 Mi | 1 Mi | a catchable `RangeError` |
 * | `logLines`, `logLength` in characters | 1,000, 64 Ki | the first lines are kept, and a last one says how many were not |
 * | `resultDepth`, `resultElements` of an array, `resultString` in characters | unbounded | the result is cut, with a mark |
 * | `slice`, milliseconds, at most a minute | 5 | the run lets the host's event loop turn, and goes on |
 *
 * @since 0.1.0
 * @category schemas
 */
export const Limits = Schema.Struct({
  fuel: unboundable(1, "Steps of the machine"),
  memory: unboundable(1024, "Bytes of live data"),
  timeout: unboundable(1, "Milliseconds, tool calls included"),
  toolCalls: unboundable(0, "Tool calls in a run"),
  concurrentCalls: unboundable(1, "Tool calls at once"),
  sourceLength: unboundable(0, "Characters of code"),
  callDepth: bounded(1, Number.MAX_SAFE_INTEGER, "Frames of calls inside calls"),
  // Toolkits take what is nested deeper for a cycle.
  dataDepth: bounded(1, 512, "Nesting of a value that enters or leaves the program"),
  // Half of what the host's engine can hold at least: beyond that it would fail in the midst of a built-in.
  stringLength: bounded(1, 256 << 20, "Characters of one string"),
  bigintBits: bounded(64, 256 << 20, "Bits of one bigint"),
  logLines: unboundable(0, "Lines of log"),
  logLength: unboundable(0, "Characters of log"),
  resultDepth: unboundable(1, "Nesting of a result; what is deeper is cut"),
  resultElements: unboundable(1, "Elements of an array in a result; further ones are cut"),
  resultString: unboundable(1, "Characters of a string in a result; the rest is cut"),
  slice: bounded(1, 60_000, "Milliseconds that a run holds the event loop"),
}).annotate({ identifier: "InterpreterLimits" })

/**
 * Bounds of a run; see the schema of the same name.
 *
 * @since 0.1.0
 * @category models
 */
export type Limits = typeof Limits.Type

/**
 * Every bound as a number; `Infinity` stands for `"unbounded"`.
 *
 * @since 0.1.0
 * @category models
 */
export type Resolved = { readonly [Field in keyof Limits]-?: number }

/**
 * What holds where nothing else is said.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults: Resolved = {
  fuel: 50_000_000,
  memory: 64 << 20,
  timeout: Infinity,
  toolCalls: 1000,
  concurrentCalls: 16,
  sourceLength: 256 << 10,
  callDepth: 10_000,
  dataDepth: 64,
  stringLength: 16 << 20,
  bigintBits: 1 << 20,
  logLines: 1000,
  logLength: 64 << 10,
  resultDepth: Infinity,
  resultElements: Infinity,
  resultString: Infinity,
  slice: 5,
}

/**
 * For short investigations: little fuel, few calls, a quarter of a minute, and results cut to a size that is read at a glance.
 *
 * @since 0.1.0
 * @category constants
 */
export const strict: Limits = {
  fuel: 50_000,
  toolCalls: 25,
  timeout: 15_000,
  resultDepth: 8,
  resultElements: 100,
  resultString: 32 << 10,
}

const decode = Schema.decodeUnknownSync(Limits, { onExcessProperty: "error" })

/**
 * Fills in the defaults. Throws an error that names the field for one that is negative, fractional, not finite, unknown, or more
 * than the host's engine can give.
 *
 * @since 0.1.0
 * @category constructors
 */
export const resolve = (limits?: Limits): Resolved => {
  // Without a look at the schema, which is compiled when it is first used.
  if (limits === undefined) return { ...defaults }
  const given = decode(limits)
  const resolved: { -readonly [Field in keyof Resolved]: number } = { ...defaults }
  for (const field of Object.keys(given) as Array<keyof Limits>) {
    const value = given[field]
    if (value !== undefined) resolved[field] = value === "unbounded" ? Infinity : value
  }
  return resolved
}
