import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Catalog from "../Catalog.ts"
import type { Call, CallEnd, Report } from "./report.ts"
import type { Oversize } from "./result.ts"
import type * as ToolSource from "./tool-call.ts"

/**
 * How a toolkit is presented, and how its runs are bounded and observed. Every option has a default that is right for most hosts.
 *
 * Hooks are effects that cannot fail. A run waits for each; one that dies is logged, and the run goes on. Those that tell an end are
 * waited for even where the run is out of time or cancelled: one that may hang needs a time limit of its own.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * How long a run may take, its tool calls included; not the time during which `authorize` waits. One minute by default. A run over
   * it fails with `TIMEOUT`. For calls that are ended with it and clean up, a run waits a second at most, and leaves behind those that
   * cannot be interrupted.
   */
  readonly timeout?: Duration.Input
  /** How many characters of JSON a run may return. 50,000 by default. */
  readonly maxResultLength?: number
  /**
   * What happens to a longer result: `"error"`, the default, fails the run with `RESULT_TOO_LARGE`, so that the model returns
   * less; `"truncate"` gives the beginning of it as a text that ends in a mark.
   */
  readonly oversize?: Oversize
  /** How many files the tools of a run may attach. 20 by default. A call that attaches one more fails with `LIMIT_EXCEEDED`. */
  readonly maxAttachments?: number
  /** How many bytes those files may have together. 20 MiB by default. */
  readonly maxAttachmentBytes?: number
  /**
   * Presented tools that stay tools of their own beside ours and are not callable from code: those that end a session, or that the
   * host wants to see as calls of their own. By their names, or by those that code would call them by.
   */
  readonly direct?: ReadonlyArray<string>
  /** The name of our tool: letters, digits, `_` and `-`, at most 64. `execute` by default. */
  readonly name?: string
  /**
   * How long the catalog in the description may be, in tokens, estimated as a quarter of its characters. 2,000 by default. What does
   * not fit is found by search; with a runtime that has none, it is listed by its paths all the same.
   */
  readonly catalogBudget?: number
  /**
   * Prefixes of flat tool names that are namespaces: with `["github"]`, programs call `github_list_issues` as
   * `tools.github.list_issues`. The longest prefix wins. Names with dots have their namespaces already, and `Catalog.Namespace`
   * annotates a tool with one.
   */
  readonly namespaces?: ReadonlyArray<string>
  /**
   * Decides on each call from code before it is made. It lets the call pass, or fails it with a `ToolSource.Failure`, best of all with
   * the code `ACCESS_DENIED`, or takes as long as a person needs to answer. While at least one such question is open, the time of the run
   * stands still, whatever else it does, and the call takes no turn from others; the other calls of the program go on. Ending the run
   * interrupts the question. If it dies, the call is denied and the cause logged. Searches are not asked about.
   */
  readonly authorize?: (call: Call) => Effect.Effect<void, ToolSource.Failure>
  /** Runs when a call from code starts, before `authorize`. Searches, which the runtime answers, are among the calls. */
  readonly onToolCallStart?: (call: Call) => Effect.Effect<void>
  /** Runs when a call ends, in whichever way: once for each that started. */
  readonly onToolCallEnd?: (call: CallEnd) => Effect.Effect<void>
  /** Runs when a run is over, in whichever way, with all that there is to tell of it. */
  readonly onRunEnd?: (report: Report) => Effect.Effect<void>
  /**
   * Whether spans hold programs, inputs and results, each up to 32,768 characters of JSON. They do not by default: these may be
   * anyone's private data.
   */
  readonly traceContent?: boolean
}

/** The options with their defaults. */
export interface Settings extends
  Pick<
    Options,
    "authorize" | "onToolCallStart" | "onToolCallEnd" | "onRunEnd" | "namespaces"
  >
{
  readonly timeout: Duration.Duration
  readonly maxResultLength: number
  readonly oversize: Oversize
  readonly maxAttachments: number
  readonly maxAttachmentBytes: number
  readonly direct: ReadonlyArray<string>
  readonly name: string
  readonly catalogBudget: number
  readonly traceContent: boolean
}

interface Rule {
  readonly is: (value: unknown) => boolean
  /** What it is not, when it is refused. */
  readonly not: string
}

const count: Rule = {
  is: (value) => value === Infinity || Number.isInteger(value) && (value as number) > 0,
  not: "a positive whole number, or Infinity",
}
const names: Rule = {
  is: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  not: "an array of texts",
}
const effectful: Rule = { is: (value) => typeof value === "function", not: "a function that gives an effect" }

const rules: { readonly [Name in keyof Options]-?: Rule } = {
  timeout: {
    is: (value) => {
      const duration = Duration.fromInput(value as Duration.Input)
      return Option.isSome(duration) && Duration.isGreaterThan(duration.value, Duration.zero)
    },
    not: "a positive duration",
  },
  maxResultLength: count,
  oversize: { is: (value) => value === "error" || value === "truncate", not: `"error" or "truncate"` },
  maxAttachments: { is: (value) => value === 0 || count.is(value), not: "a whole number, or Infinity" },
  maxAttachmentBytes: { is: (value) => value === 0 || count.is(value), not: "a whole number of bytes, or Infinity" },
  direct: names,
  name: {
    is: (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
    not: "a name that every provider takes: 1 to 64 letters, digits, `_` and `-`",
  },
  catalogBudget: { is: (value) => typeof value === "number" && value >= 0, not: "a number of tokens" },
  namespaces: names,
  authorize: effectful,
  onToolCallStart: effectful,
  onToolCallEnd: effectful,
  onRunEnd: effectful,
  traceContent: { is: (value) => typeof value === "boolean", not: "true or false" },
}

/** Fills in the defaults. An option that makes no sense is a defect that names it. */
export const resolve = (options: Options = {}): Effect.Effect<Settings> =>
  Effect.suspend(() => {
    for (const [name, value] of Object.entries(options)) {
      const rule = Object.hasOwn(rules, name) ? rules[name as keyof Options] : undefined
      if (rule === undefined) {
        return Effect.die(new Error(`There is no option \`${name}\`. There are: ${Object.keys(rules).join(", ")}.`))
      }
      if (value !== undefined && !rule.is(value)) {
        return Effect.die(new Error(`The option \`${name}\` is not ${rule.not}: ${shown(value)}`))
      }
    }
    return Effect.succeed<Settings>({
      ...options,
      timeout: Duration.fromInputUnsafe(options.timeout ?? "1 minute"),
      maxResultLength: options.maxResultLength ?? 50_000,
      oversize: options.oversize ?? "error",
      maxAttachments: options.maxAttachments ?? 20,
      maxAttachmentBytes: options.maxAttachmentBytes ?? 20 << 20,
      direct: options.direct ?? [],
      name: options.name ?? "execute",
      catalogBudget: options.catalogBudget ?? Catalog.defaultBudget,
      traceContent: options.traceContent ?? false,
    })
  })

const shown = (value: unknown): string => {
  try {
    return (typeof value === "string" ? value : JSON.stringify(value as Schema.Json) ?? String(value)).slice(0, 200)
  } catch {
    return typeof value
  }
}
