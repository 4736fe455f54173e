import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Catalog from "../Catalog.ts"
import * as Checked from "./options.ts"
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
  readonly timeout?: Duration.Input | undefined
  /** How many characters of JSON a run may return. 50,000 by default. */
  readonly maxResultLength?: number | undefined
  /**
   * What happens to a longer result: `"error"`, the default, fails the run with `RESULT_TOO_LARGE`, so that the model returns
   * less; `"truncate"` gives the beginning of it as a text that ends in a mark.
   */
  readonly oversize?: Oversize | undefined
  /** How many files the tools of a run may attach. 20 by default. A call that attaches one more fails with `LIMIT_EXCEEDED`. */
  readonly maxAttachments?: number | undefined
  /** How many bytes those files may have together. 20 MiB by default. */
  readonly maxAttachmentBytes?: number | undefined
  /**
   * Presented tools that stay tools of their own beside ours and are not callable from code: those that end a session, or that the
   * host wants to see as calls of their own. By their names, or by those that code would call them by.
   */
  readonly direct?: ReadonlyArray<string> | undefined
  /** The name of our tool: letters, digits, `_` and `-`, at most 64. `execute` by default. */
  readonly name?: string | undefined
  /**
   * How long the catalog in the description may be, in tokens, estimated as a quarter of its characters. 2,000 by default. What does
   * not fit is found by search; with a runtime that has none, it is listed by its paths all the same.
   */
  readonly catalogBudget?: number | undefined
  /**
   * Prefixes of flat tool names that are namespaces: with `["github"]`, programs call `github_list_issues` as
   * `tools.github.list_issues`. The longest prefix wins. Names with dots have their namespaces already, and `Catalog.Namespace`
   * annotates a tool with one.
   */
  readonly namespaces?: ReadonlyArray<string> | undefined
  /**
   * Decides on each call from code before it is made. It lets the call pass, or fails it with a `ToolSource.Failure`, best of all with
   * the code `ACCESS_DENIED`, or takes as long as a person needs to answer. While at least one such question is open, the time of the run
   * stands still, whatever else it does, and the call takes no turn from others; the other calls of the program go on. Ending the run
   * interrupts the question. If it dies, the call is denied and the cause logged. Searches are not asked about.
   */
  readonly authorize?: ((call: Call) => Effect.Effect<void, ToolSource.Failure>) | undefined
  /** Runs when a call from code starts, before `authorize`. Searches, which the runtime answers, are among the calls. */
  readonly onToolCallStart?: ((call: Call) => Effect.Effect<void>) | undefined
  /** Runs when a call ends, in whichever way: once for each that started. */
  readonly onToolCallEnd?: ((call: CallEnd) => Effect.Effect<void>) | undefined
  /** Runs when a run is over, in whichever way, with all that there is to tell of it. */
  readonly onRunEnd?: ((report: Report) => Effect.Effect<void>) | undefined
  /**
   * Whether spans hold programs, inputs and results, each up to 32,768 characters of JSON. They do not by default: these may be
   * anyone's private data.
   */
  readonly traceContent?: boolean | undefined
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

const rules: Checked.Rules<Options> = {
  timeout: Checked.duration,
  maxResultLength: Checked.countOrInfinity,
  oversize: Checked.oneOf("error", "truncate"),
  maxAttachments: Checked.countOrZero,
  maxAttachmentBytes: Checked.countOrZero,
  direct: Checked.texts,
  name: {
    is: (value) => typeof value === "string" && /^[\w-]{1,64}$/.test(value),
    what: "a name that every provider takes: 1 to 64 letters, digits, `_` and `-`",
  },
  catalogBudget: { is: (value) => typeof value === "number" && value >= 0, what: "a number of tokens" },
  namespaces: Checked.texts,
  authorize: Checked.effectful,
  onToolCallStart: Checked.effectful,
  onToolCallEnd: Checked.effectful,
  onRunEnd: Checked.effectful,
  traceContent: Checked.flag,
}

/** Fills in the defaults. An option that makes no sense is a defect that names it. */
export const resolve = (options: Options = {}): Effect.Effect<Settings> =>
  Effect.map(Checked.check(options, rules), () => ({
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
  }))
