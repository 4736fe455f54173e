/**
 * Presents a whole toolkit to a model as one tool, `execute({ code })`. The model writes a program, the program calls the
 * toolkit's tools, and only what it returns enters the model's context.
 *
 * @since 0.1.0
 */
import * as AiError from "effect/ai/AiError"
import * as Tool from "effect/ai/Tool"
import type * as Toolkit from "effect/ai/Toolkit"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Catalog from "./Catalog.ts"
import * as Call from "./internal/call.ts"
import { CodeError, type CodeRuntime, Outcome } from "./internal/contract.ts"
import * as ErrorText from "./internal/errorText.ts"
import * as Instructions from "./internal/instructions.ts"
import * as Presented from "./internal/presented.ts"
import * as Result from "./internal/result.ts"

export {
  /**
   * Why a program did not finish.
   *
   * @since 0.1.0
   * @category errors
   */
  CodeError,
  /**
   * Runs code: the interface, and the key under which a `Layer` provides it.
   *
   * @since 0.1.0
   * @category services
   */
  CodeRuntime,
  /**
   * The codes with which a run fails by itself.
   *
   * @since 0.1.0
   * @category errors
   */
  ErrorCode,
  /**
   * One program to run, and what it may do.
   *
   * @since 0.1.0
   * @category models
   */
  type Execution,
  /**
   * A place in a program.
   *
   * @since 0.1.0
   * @category models
   */
  Location,
  /**
   * What a run gave.
   *
   * @since 0.1.0
   * @category models
   */
  Outcome,
} from "./internal/contract.ts"

export type {
  /**
   * The parts of what the model is told.
   *
   * @since 0.1.0
   * @category models
   */
  Texts,
} from "./internal/instructions.ts"

/**
 * How a toolkit is presented and its runs are bounded. Every option has a default that is right for most hosts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** How long a run may take, its tool calls included. One minute by default. A run over it fails with `TIMEOUT`. */
  readonly timeout?: Duration.Input
  /** How many characters of JSON a run may return. 50,000 by default. */
  readonly maxResultLength?: number
  /**
   * What happens to a longer result: `"error"`, the default, fails the run with `RESULT_TOO_LARGE`, so that the model returns
   * less; `"truncate"` gives the beginning of it as a text that ends in a mark.
   */
  readonly oversize?: Result.Oversize
  /**
   * Names of presented tools that stay tools of their own beside ours and are not callable from code: those that end a session,
   * or that the host wants to see as calls of their own.
   */
  readonly direct?: ReadonlyArray<string>
  /** The name of our tool. `execute` by default. */
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
}

/**
 * What the model reads of a run that failed: the code, and a message with the reason, the place in the code, a hint and the
 * logs.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExecuteFailure = Schema.Struct({
  code: Schema.String,
  message: Schema.String,
  retryable: Schema.Boolean,
}).annotate({ identifier: "CodeModeFailure" })

const ExecuteParameters = Schema.Struct({
  code: Schema.String.annotate({ description: "The program to run" }),
})

/**
 * The tool that runs code.
 *
 * @since 0.1.0
 * @category models
 */
export interface ExecuteTool extends
  Tool.Tool<"execute", {
    readonly parameters: typeof ExecuteParameters
    readonly success: typeof Outcome
    readonly failure: typeof ExecuteFailure
    readonly failureMode: "return"
  }>
{}

/**
 * The parts of code mode, for agent loops that do not use `LanguageModel`.
 *
 * @since 0.1.0
 * @category models
 */
export interface CodeMode {
  /** What to tell the model about running code: how to work, the language, the tools. Markdown; the same tools, the same text. */
  readonly instructions: string
  /** The parts of the instructions, for a text of the host's own. */
  readonly texts: Instructions.Texts
  /** What the model is told about each tool that code can call. */
  readonly catalog: Catalog.Catalog
  /**
   * The presented tools that code cannot call, by name: those that may need approval, those of a provider, those named by
   * `direct`. The loop offers them as tools of their own, and handles them with the presented toolkit.
   */
  readonly sideTools: Readonly<Record<string, Tool.Any>>
  /**
   * Runs a program over the presented toolkit, within the limits. `id` is the id of the call that sent the code; the calls of
   * the program are `<id>/1`, `<id>/2` and so on.
   */
  readonly execute: (code: string, id?: string) => Effect.Effect<Outcome, CodeError>
  /** Puts together what the model reads of a failed run: reason, place, source line with a caret, hint, logs. */
  readonly explain: (code: string, error: CodeError) => string
}

/**
 * Makes the parts of code mode over a presented toolkit. Contacts nothing: no tool is called, nothing is opened.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <Tools extends Record<string, Tool.Any>>(
  presented: Toolkit.WithHandler<Tools>,
  runtime: CodeRuntime,
  options?: Options,
): Effect.Effect<CodeMode, never, Tool.HandlerServices<Tools[keyof Tools]>> =>
  Effect.gen(function*() {
    const settings = yield* resolve(options)
    const tools = yield* Presented.make(
      presented as unknown as Presented.AnyToolkit,
      settings.name,
      settings.direct,
      options,
    )
    const catalog = Catalog.make(Array.from(tools.callable, ([path, { tool }]) => [path, tool]))
    // The handlers' services are taken once, here. The fiber that runs a program goes before them.
    const services = (yield* Effect.context<never>()) as Context.Context<never>
    const names = Array.from(tools.callable.keys())
    let runs = 0

    const execute = (code: string, id?: string): Effect.Effect<Outcome, CodeError> =>
      Effect.contextWith((fiber: Context.Context<never>) => {
        const heard: Array<string> = []
        const run = Effect.suspend(() =>
          runtime.run({
            code,
            tools: names,
            ...Call.make(tools, id ?? `${settings.name}-${++runs}`, services, fiber, search),
            catalog,
            log: (line) => heard.push(line),
          })
        )
        return Effect.flatMap(
          Effect.catchCauseIf(
            deadline(run, settings.timeout, heard),
            Cause.hasDies,
            (cause) => broken(cause, heard),
          ),
          (outcome) => Result.limit(outcome, settings.maxResultLength, settings.oversize),
        )
      })

    const beside = Array.from(tools.beside.values())
    const search = runtime.guide?.search === true
    const texts = Instructions.make({
      name: settings.name,
      catalog: Catalog.render(catalog, {
        budget: settings.catalogBudget,
        // Without search, no tool may be out of reach.
        paths: !search,
        footer: search ? Instructions.searchSignature : undefined,
      }),
      beside,
      guide: runtime.guide,
    })

    return {
      instructions: Instructions.join(texts),
      texts,
      catalog,
      sideTools: Object.fromEntries(beside.map(({ name, tool }) => [name, tool])),
      execute,
      explain: (code, error) => ErrorText.render(code, error, settings.maxResultLength),
    }
  })

/**
 * Presents a toolkit as one tool that runs code, beside those of its tools that may need approval, belong to a provider or are
 * named by `direct`. Contacts nothing.
 *
 * The result goes where the toolkit went: `LanguageModel.generateText({ prompt, toolkit })`. With the option `name` our tool has
 * that name in the record; the type goes on calling it `execute`.
 *
 * **Example** (One tool in place of many)
 *
 * ```ts
 * import { CodeMode } from "@effect-codemode/toolkit"
 * import { Effect, Schema } from "effect"
 * import { LanguageModel, Tool, Toolkit } from "effect/ai"
 *
 * const Weather = Toolkit.make(
 *   Tool.make("weather", { parameters: Schema.Struct({ city: Schema.String }), success: Schema.Number })
 * )
 *
 * const program = Effect.gen(function*() {
 *   const runtime = yield* CodeMode.CodeRuntime
 *   const toolkit = yield* CodeMode.toolkit(yield* Weather, runtime, { timeout: "10 seconds" })
 *   return yield* LanguageModel.generateText({ prompt: "Is Oslo colder than Rome?", toolkit })
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const toolkit = <Tools extends Record<string, Tool.Any>>(
  presented: Toolkit.WithHandler<Tools>,
  runtime: CodeRuntime,
  options?: Options,
): Effect.Effect<
  Toolkit.WithHandler<Toolkit.MergeRecords<Tools | { readonly execute: ExecuteTool }>>,
  never,
  Tool.HandlerServices<Tools[keyof Tools]>
> =>
  Effect.map(make(presented, runtime, options), (mode) => {
    const name = options?.name ?? "execute"
    const own = Tool.make(name, {
      description: mode.instructions,
      parameters: ExecuteParameters,
      success: Outcome,
      failure: ExecuteFailure,
      failureMode: "return",
    })
    const tools: Record<string, Tool.Any> = { ...mode.sideTools, [name]: own }
    const inner = presented as unknown as Presented.AnyToolkit
    const handle: Presented.AnyToolkit["handle"] = (tool, params, id, parseOptions) => {
      if (tool === name) return Effect.succeed(Stream.fromEffect(executed(mode, params, id)))
      if (Object.hasOwn(tools, tool)) return inner.handle(tool, params, id, parseOptions)
      return Effect.fail(
        AiError.make({
          module: "CodeMode",
          method: `${tool}.handle`,
          reason: new AiError.ToolNotFoundError({ toolName: tool, availableTools: Object.keys(tools) }),
        }),
      )
    }
    // The record is merged at run time as its type says.
    return { tools, handle } as never
  })

const decodeParameters = Schema.decodeUnknownEffect(ExecuteParameters)

// A handler of our own rather than a toolkit around one: a run needs no further fiber and queue, and parameters that do not fit
// are told in the same form as every other failure.
const executed = (
  mode: CodeMode,
  params: unknown,
  id: string | undefined,
): Effect.Effect<Tool.HandlerResult<Tool.Any>> =>
  Effect.matchEffect(decodeParameters(params), {
    onFailure: (error) =>
      Effect.succeed(failed("parameters", { code: "INVALID_TOOL_INPUT", message: error.message, retryable: true })),
    onSuccess: ({ code }) =>
      Effect.match(mode.execute(code, id), {
        onFailure: (error) =>
          failed("handler", { code: error.code, message: mode.explain(code, error), retryable: error.retryable }),
        onSuccess: (outcome): Tool.HandlerResult<Tool.Any> => ({
          result: outcome,
          encodedResult: outcome,
          isFailure: false,
          preliminary: false,
        }),
      }),
  })

const failed = (
  failureOrigin: Tool.FailureOrigin,
  failure: typeof ExecuteFailure.Type,
): Tool.HandlerResult<Tool.Any> => ({
  result: failure,
  encodedResult: failure,
  isFailure: true,
  failureOrigin,
  preliminary: false,
})

const deadline = (
  run: Effect.Effect<Outcome, CodeError>,
  timeout: Duration.Duration,
  heard: ReadonlyArray<string>,
): Effect.Effect<Outcome, CodeError> =>
  Duration.isFinite(timeout)
    ? Effect.timeoutOrElse(run, {
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new CodeError({
            code: "TIMEOUT",
            message: `The run took longer than ${Duration.format(timeout)}, its tool calls included, and was ended.`,
            retryable: true,
            logs: heard,
            hint: "Do less in one run, or run independent calls together with Promise.all.",
          }),
        ),
    })
    : run

const broken = (cause: Cause.Cause<CodeError>, heard: ReadonlyArray<string>): Effect.Effect<never, CodeError> =>
  Effect.andThen(
    Effect.logError("The runtime broke while it ran a program", cause),
    Effect.fail(
      new CodeError({
        code: "RUNTIME_FAILURE",
        message: "The runtime broke while it ran the code. The fault is not the code's.",
        retryable: false,
        logs: heard,
      }),
    ),
  )

interface Settings {
  readonly timeout: Duration.Duration
  readonly maxResultLength: number
  readonly oversize: Result.Oversize
  readonly direct: ReadonlyArray<string>
  readonly name: string
  readonly catalogBudget: number
}

const resolve = (options: Options = {}): Effect.Effect<Settings> => {
  const timeout = Duration.fromInput(options.timeout ?? "1 minute")
  if (Option.isNone(timeout) || !Duration.isGreaterThan(timeout.value, Duration.zero)) {
    return Effect.die(new Error(`The option \`timeout\` is not a positive duration: ${String(options.timeout)}`))
  }
  const maxResultLength = options.maxResultLength ?? 50_000
  if (!(Number.isInteger(maxResultLength) && maxResultLength > 0) && maxResultLength !== Infinity) {
    return Effect.die(new Error(`The option \`maxResultLength\` is not a positive whole number: ${maxResultLength}`))
  }
  const catalogBudget = options.catalogBudget ?? Catalog.defaultBudget
  if (!(catalogBudget >= 0)) {
    return Effect.die(new Error(`The option \`catalogBudget\` is not a number of tokens: ${catalogBudget}`))
  }
  return Effect.succeed({
    timeout: timeout.value,
    maxResultLength,
    oversize: options.oversize ?? "error",
    direct: options.direct ?? [],
    name: options.name ?? "execute",
    catalogBudget,
  })
}
